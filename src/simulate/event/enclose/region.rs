//! A box around a stretch of a motion: times, positions, velocities and accelerations.
//!
//! Between two states of which positions, velocities and accelerations are known there is one curve of degree 5, q(s). Positions lie
//! between the least and the greatest of its Bernstein coefficients, velocities and accelerations between those of q′ and q″. What it misses of
//! the motion is estimated by how the differences between the curves of degree 1, 3 and 5 fall, e₅ ≈ e₃ (e₃/e₁), and the box is
//! wider than the curve by four times that.
//!
//! In the time of a jam, where the rates of positions are not the velocities, both lie on curves of degree 3, and the box is wider by the
//! difference to those of degree 1.

use crate::num::Interval;

/// A part of a motion, from a state to a state.
#[derive(Clone, Copy)]
pub(in crate::simulate) struct Stretch<'s> {
    /// When it begins.
    pub(in crate::simulate) t: f64,
    /// How long it is.
    pub(in crate::simulate) h: f64,
    /// (q, v) at its ends.
    pub(in crate::simulate) states: [&'s [f64]; 2],
    /// Their rates in the time of the clock, and that of the time.
    pub(in crate::simulate) rates: [&'s [f64]; 2],
    /// The watches there.
    pub(in crate::simulate) values: [&'s [f64]; 2],
    /// Of each watch that starts at zero, how many of its lowest derivatives are not negative there, itself included; empty if none does.
    pub(in crate::simulate) leads: &'s [usize],
    /// Up to which value each watch is zero to rounding.
    pub(in crate::simulate) bands: &'s [f64],
    /// The watch at whose fall through zero it ends.
    pub(in crate::simulate) landing: Option<usize>,
    /// Whether the clock is that of real time: rates of positions are then the velocities.
    pub(in crate::simulate) is_real: bool,
}

/// The box.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) t: Interval,
    pub(super) q: Vec<Interval>,
    pub(super) v: Vec<Interval>,
    pub(super) vdot: Vec<Interval>,
    pub(super) jerk: Vec<Interval>,
    /// dq and dv by the clock's time, and dt.
    pub(super) rates: [Vec<Interval>; 2],
    pub(super) pace: Interval,
    known: bool,
}

/// How much wider than the curve a box is, in estimates of the curve's error.
const WIDER: f64 = 4.0;
/// Largest distances between curves through the same ends: of degree 3 and 1 over what velocities miss of the mean one, and of
/// degree 5 and 3 over what accelerations miss, max s(1 − s)² and ½ max s²(1 − s)³.
const THIRD: f64 = 4.0 / 27.0;
const FIFTH: f64 = 54.0 / 3125.0;
/// Share of its width by which a box that is to serve later stretches is wider.
const ROOM: f64 = 0.125;

impl Region {
    pub(super) fn new(n: usize) -> Self {
        let none = || vec![Interval::WHOLE; n];
        Self {
            t: Interval::WHOLE,
            q: none(),
            v: none(),
            vdot: none(),
            jerk: none(),
            rates: [none(), none()],
            pace: Interval::WHOLE,
            known: false,
        }
    }

    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    /// Whether a stretch lies in the box.
    pub(super) fn holds(&self, stretch: &Stretch<'_>) -> bool {
        self.known
            && stretch.is_real
            && self.t.contains(stretch.t)
            && self.t.contains(stretch.t + stretch.h)
            && (0..self.q.len()).all(|i| {
                let [q, v, vdot, jerk] = around(i, stretch);
                is_within(q, self.q[i])
                    && is_within(v, self.v[i])
                    && is_within(vdot, self.vdot[i])
                    && is_within(jerk, self.jerk[i])
            })
    }

    /// The box of a stretch, and of what follows it for `ahead` times its length if it goes on as it ends.
    pub(super) fn surround(&mut self, stretch: &Stretch<'_>, ahead: f64) {
        if !stretch.is_real {
            return self.surround_jam(stretch);
        }
        let (n, [_, end], [_, rate]) = (self.q.len(), stretch.states, stretch.rates);
        let time = ahead * stretch.h;
        self.t = Interval::new(stretch.t, stretch.t + (stretch.h + time));
        for i in 0..n {
            let mut sides = around(i, stretch);
            if ahead > 0.0 {
                let (q, v, vdot) = (end[i], end[n + i], rate[n + i]);
                let jerk = sides[3].middle();
                let vdot = [vdot, vdot + time * jerk];
                let later = [q + time * (v + 0.5 * time * vdot[0]), v + time * vdot[0], vdot[1], jerk];
                sides = std::array::from_fn(|k| roomy(sides[k], later[k]));
                sides[3] = Interval::WHOLE;
            }
            [self.q[i], self.v[i], self.vdot[i], self.jerk[i]] = sides;
            [self.rates[0][i], self.rates[1][i]] = [self.v[i], self.vdot[i]];
        }
        self.pace = Interval::new(1.0, 1.0);
        self.known = true;
    }

    /// The box of a stretch in the time of a jam. Accelerations in real time are not known.
    fn surround_jam(&mut self, stretch: &Stretch<'_>) {
        let n = self.q.len();
        let ends = |i: usize| (stretch.states.map(|state| state[i]), stretch.rates.map(|rate| rate[i]));
        for i in 0..n {
            [self.q[i], self.rates[0][i]] = along_cubic(ends(i), stretch.h);
            [self.v[i], self.rates[1][i]] = along_cubic(ends(n + i), stretch.h);
            [self.vdot[i], self.jerk[i]] = [Interval::WHOLE; 2];
        }
        let [first, last] = stretch.rates.map(|rate| rate[2 * n]);
        self.pace = hull(&[first, last], (last - first).abs());
        // rates of a jam are below those of real time
        self.t = hull(&[stretch.t, stretch.t + stretch.h * self.pace.hi.max(0.0)], 0.0);
        self.known = false;
    }
}

/// Position, velocity, acceleration and its rate of a coordinate along a stretch.
fn around(i: usize, stretch: &Stretch<'_>) -> [Interval; 4] {
    let (h, n) = (stretch.h, stretch.states[0].len() / 2);
    let per = 1.0 / h;
    let [q0, q1] = stretch.states.map(|state| state[i]);
    let [v0, v1] = stretch.states.map(|state| state[n + i]);
    let [a0, a1] = stretch.rates.map(|rate| rate[n + i]);
    let (step0, step1) = (0.2 * h * v0, 0.2 * h * v1);
    let q = [
        q0,
        q0 + step0,
        q0 + 2.0 * step0 + 0.05 * h * h * a0,
        q1 - 2.0 * step1 + 0.05 * h * h * a1,
        q1 - step1,
        q1,
    ];
    let slope = |x: f64, y: f64| (y - x) * per;
    let v = [v0, 5.0 * slope(q[1], q[2]), 5.0 * slope(q[2], q[3]), 5.0 * slope(q[3], q[4]), v1];
    let vdot = [a0, 4.0 * slope(v[1], v[2]), 4.0 * slope(v[2], v[3]), a1];
    let jerk = [0, 1, 2].map(|k| 3.0 * slope(vdot[k], vdot[k + 1]));
    let mean = slope(q0, q1);
    let [bend0, bend1] = [6.0 * mean - 4.0 * v0 - 2.0 * v1, 2.0 * v0 + 4.0 * v1 - 6.0 * mean];
    let third = THIRD * h * ((v0 - mean).abs() + (v1 - mean).abs());
    let fifth = 0.5 * FIFTH * h * ((h * a0 - bend0).abs() + (h * a1 - bend1).abs());
    let missed = if third > fifth { WIDER * fifth * (fifth / third) } else { WIDER * fifth };
    let (second, third) = (30.0 * missed * per * per, 120.0 * missed * per * per * per);
    [hull(&q, missed), hull(&v, 6.0 * missed * per), hull(&vdot, second), hull(&jerk, third)]
}

/// Values and rates of a number by those at both ends, and by the curve of degree 3 through them.
fn along_cubic(([y0, y1], [r0, r1]): ([f64; 2], [f64; 2]), h: f64) -> [Interval; 2] {
    let y = [y0, y0 + h * r0 / 3.0, y1 - h * r1 / 3.0, y1];
    let rate = [r0, 3.0 * (y[2] - y[1]) / h, r1];
    let mean = (y1 - y0) / h;
    let missed = THIRD * h * ((r0 - mean).abs() + (r1 - mean).abs());
    [hull(&y, missed), hull(&rate, 6.0 * missed / h)]
}

/// From the least to the greatest of some numbers, and more on either side.
fn hull(numbers: &[f64], more: f64) -> Interval {
    let (lo, hi) =
        numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &x| (lo.min(x), hi.max(x)));
    Interval::new(lo - more, hi + more)
}

/// An interval that reaches to a number, with room on either side.
fn roomy(x: Interval, to: f64) -> Interval {
    let (lo, hi) = (x.lo.min(to), x.hi.max(to));
    Interval::new(lo - ROOM * (hi - lo), hi + ROOM * (hi - lo))
}

fn is_within(inner: Interval, outer: Interval) -> bool {
    outer.lo <= inner.lo && inner.hi <= outer.hi
}

#[cfg(test)]
mod tests {
    use super::{Region, Stretch, around};

    /// q = sin(t + φ): what it is within a stretch lies in the box, and the box is not much wider.
    #[test]
    fn a_motion_stays_in_the_box_of_its_ends() {
        for (phase, h) in [(0.0, 0.4), (1.0, 0.8), (1.3, 0.1), (2.9, 1.2), (4.0, 0.01)] {
            let at = |t: f64| [(t + phase).sin(), (t + phase).cos(), -(t + phase).sin()];
            let (begin, end) = (at(0.0), at(h));
            let stretch = Stretch {
                t: 0.0,
                h,
                states: [&begin[..2], &end[..2]],
                rates: [&begin[1..], &end[1..]],
                values: [&[], &[]],
                leads: &[],
                bands: &[],
                landing: None,
                is_real: true,
            };
            let sides = around(0, &stretch);
            for i in 0..=100 {
                let inside = at(h * f64::from(i) / 100.0);
                for (side, x) in sides.iter().zip(inside) {
                    assert!(side.lo <= x && x <= side.hi, "{phase} {h} {i}: {x} {side:?}");
                }
            }
            assert!(sides[0].width() <= h * 1.5 && sides[2].width() <= h * 2.0, "{phase} {h}: {sides:?}");
            let mut region = Region::new(1);
            region.surround(&stretch, 0.0);
            assert!(region.holds(&stretch));
        }
    }
}
