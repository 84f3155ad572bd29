//! A box around a stretch of a motion: times, positions, velocities and accelerations.
//!
//! Between two states of which positions, velocities and accelerations are known there is one curve of degree 5, q(s). Positions lie
//! between the least and the greatest of its Bernstein coefficients, velocities and accelerations between those of q′ and q″. What it misses of
//! the motion is estimated by how the differences between the curves of degree 1, 3 and 5 fall, e₅ ≈ e₃ (e₃/e₁), and the box is
//! wider than the curve by four times that.
//!
//! In the time of a jam, where the rates of positions are not the velocities, both lie on curves of degree 3, and the box is wider by the
//! difference to those of degree 1.

use crate::num::{Interval, Strip};

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

/// An end of a stretch: (q, v), their rates and that of the time, and the watches.
#[derive(Clone, Copy)]
pub(in crate::simulate) struct End<'s> {
    pub(in crate::simulate) state: &'s [f64],
    pub(in crate::simulate) rate: &'s [f64],
    pub(in crate::simulate) values: &'s [f64],
}

/// An end that is kept, and where in the step it lies.
#[derive(Clone, Debug, Default)]
pub(in crate::simulate) struct Node {
    pub(in crate::simulate) place: f64,
    pub(in crate::simulate) state: Vec<f64>,
    pub(in crate::simulate) rate: Vec<f64>,
    pub(in crate::simulate) values: Vec<f64>,
}

impl Node {
    pub(in crate::simulate) fn end(&self) -> End<'_> {
        End { state: &self.state, rate: &self.rate, values: &self.values }
    }
}

impl<'s> Stretch<'s> {
    /// Between two ends in real time, h apart, with what is known of the watches at the begin.
    pub(in crate::simulate) fn between(
        [from, to]: [End<'s>; 2],
        (t, h): (f64, f64),
        (leads, bands): (&'s [usize], &'s [f64]),
    ) -> Self {
        let (states, rates) = ([from.state, to.state], [from.rate, to.rate]);
        let values = [from.values, to.values];
        Self { t, h, states, rates, values, leads, bands, landing: None, is_real: true }
    }
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
}

/// How much wider than the curve a box is, in estimates of the curve's error.
const WIDER: f64 = 4.0;
/// Largest distances between curves through the same ends: of degree 3 and 1 over what velocities miss of the mean one, and of
/// degree 5 and 3 over what accelerations miss, max s(1 − s)² and ½ max s²(1 − s)³.
const THIRD: f64 = 4.0 / 27.0;
const FIFTH: f64 = 54.0 / 3125.0;

/// Share of a coordinate that its rounding may be, over a step whose position is the sum of many terms.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

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
        }
    }

    /// The box of a stretch.
    pub(super) fn surround(&mut self, stretch: &Stretch<'_>) {
        if !stretch.is_real {
            return self.surround_jam(stretch);
        }
        self.t = Interval::new(stretch.t, stretch.t + stretch.h);
        for i in 0..self.q.len() {
            [self.q[i], self.v[i], self.vdot[i], self.jerk[i]] = around(i, stretch);
            [self.rates[0][i], self.rates[1][i]] = [self.v[i], self.vdot[i]];
        }
        self.pace = Interval::new(1.0, 1.0);
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
    }
}

/// Position, velocity, acceleration and its rate of a coordinate along a stretch.
fn around(i: usize, stretch: &Stretch<'_>) -> [Interval; 4] {
    let (h, n) = (stretch.h, stretch.states[0].len() / 2);
    let per = 1.0 / h;
    let q0 = stretch.states[0][i];
    let [v0, v1] = stretch.states.map(|state| state[n + i]);
    let [a0, a1] = stretch.rates.map(|rate| rate[n + i]);
    let (step0, step1) = (0.2 * h * v0, 0.2 * h * v1);
    let (further, rounding) = displacement(i, stretch);
    // by how much it is further than at the begin
    let q = [
        0.0,
        step0,
        2.0 * step0 + 0.05 * h * h * a0,
        further - 2.0 * step1 + 0.05 * h * h * a1,
        further - step1,
        further,
    ];
    let slope = |x: f64, y: f64| (y - x) * per;
    let v = [v0, 5.0 * slope(q[1], q[2]), 5.0 * slope(q[2], q[3]), 5.0 * slope(q[3], q[4]), v1];
    let vdot = [a0, 4.0 * slope(v[1], v[2]), 4.0 * slope(v[2], v[3]), a1];
    let jerk = [0, 1, 2].map(|k| 3.0 * slope(vdot[k], vdot[k + 1]));
    let missed = missed(i, stretch, further);
    let (second, third) = (30.0 * missed * per * per, 120.0 * missed * per * per * per);
    let q = hull(&q.map(|moved| q0 + moved), missed + rounding);
    [q, hull(&v, 6.0 * missed * per), hull(&vdot, second), hull(&jerk, third)]
}

/// How far a coordinate goes along a stretch: by its positions, or by its velocities and accelerations where the positions say the same to their
/// rounding; and by how much these differ.
fn displacement(i: usize, stretch: &Stretch<'_>) -> (f64, f64) {
    let (h, n) = (stretch.h, stretch.states[0].len() / 2);
    let [q0, q1] = stretch.states.map(|state| state[i]);
    let [v0, v1] = stretch.states.map(|state| state[n + i]);
    let [a0, a1] = stretch.rates.map(|rate| rate[n + i]);
    let (by_positions, by_velocities) = (q1 - q0, h * (0.5 * (v0 + v1) + h * (a0 - a1) / 12.0));
    let apart = (by_positions - by_velocities).abs();
    if apart <= ROUNDING * q0.abs().max(q1.abs()) { (by_velocities, apart) } else { (by_positions, 0.0) }
}

/// What the curve of a coordinate that goes so far may miss of its motion.
fn missed(i: usize, stretch: &Stretch<'_>, further: f64) -> f64 {
    let (h, n) = (stretch.h, stretch.states[0].len() / 2);
    let [v0, v1] = stretch.states.map(|state| state[n + i]);
    let [a0, a1] = stretch.rates.map(|rate| rate[n + i]);
    let mean = further / h;
    let [bend0, bend1] = [6.0 * mean - 4.0 * v0 - 2.0 * v1, 2.0 * v0 + 4.0 * v1 - 6.0 * mean];
    let third = THIRD * h * ((v0 - mean).abs() + (v1 - mean).abs());
    let fifth = 0.5 * FIFTH * h * ((h * a0 - bend0).abs() + (h * a1 - bend1).abs());
    if third > fifth { WIDER * fifth * (fifth / third) } else { WIDER * fifth }
}

/// Position, velocity and acceleration of a coordinate along a stretch in real time, over s from −1 to 1.
pub(super) fn curves(i: usize, stretch: &Stretch<'_>) -> [Strip; 3] {
    let n = stretch.states[0].len() / 2;
    let half = 0.5 * stretch.h;
    let mean = |[x, y]: [f64; 2]| [0.5 * (x + y), 0.5 * (y - x)];
    // even and odd parts of q, q′ and q″ at the ends
    let ([q_even, _], (further, rounding)) =
        (mean(stretch.states.map(|state| state[i])), displacement(i, stretch));
    let q_odd = 0.5 * further;
    let [v_even, v_odd] = mean(stretch.states.map(|state| half * state[n + i]));
    let [a_even, a_odd] = mean(stretch.rates.map(|rate| half * half * rate[n + i]));
    let c4 = 0.125 * (a_even - v_odd);
    let c2 = 0.5 * (v_odd - 4.0 * c4);
    let c5 = 0.125 * (a_odd - 3.0 * (v_even - q_odd));
    let c3 = 0.5 * (v_even - q_odd) - 2.0 * c5;
    let c = [q_even - c2 - c4, q_odd - c3 - c5, c2, c3, c4, c5];
    let per = 1.0 / half;
    let rate =
        |c: [f64; 6]| std::array::from_fn(|k| if k < 5 { per * (k + 1) as f64 * c[k + 1] } else { 0.0 });
    let (missed, whole) = (missed(i, stretch, further), 1.0 / stretch.h);
    let v = rate(c);
    [
        Strip::of(c, missed + rounding),
        Strip::of(v, 6.0 * missed * whole),
        Strip::of(rate(v), 30.0 * missed * whole * whole),
    ]
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

#[cfg(test)]
mod tests {
    use super::{End, Stretch, around, curves};

    /// q = sin(t + φ): what it is within a stretch lies in the box, and the box is not much wider.
    #[test]
    fn a_motion_stays_in_the_box_of_its_ends() {
        for (phase, h) in [(0.0, 0.4), (1.0, 0.8), (1.3, 0.1), (2.9, 1.2), (4.0, 0.01)] {
            let at = |t: f64| [(t + phase).sin(), (t + phase).cos(), -(t + phase).sin()];
            let (begin, end) = (at(0.0), at(h));
            let ends = [&begin, &end].map(|x| End { state: &x[..2], rate: &x[1..], values: &[] });
            let stretch = Stretch::between(ends, (0.0, h), (&[], &[]));
            let sides = around(0, &stretch);
            for i in 0..=100 {
                let inside = at(h * f64::from(i) / 100.0);
                for (side, x) in sides.iter().zip(inside) {
                    assert!(side.lo <= x && x <= side.hi, "{phase} {h} {i}: {x} {side:?}");
                }
            }
            assert!(sides[0].width() <= h * 1.5 && sides[2].width() <= h * 2.0, "{phase} {h}: {sides:?}");
            let strips = curves(0, &stretch);
            for i in 0..=100 {
                let share = f64::from(i) / 100.0;
                let s = 2.0 * share - 1.0;
                for (strip, x) in strips.iter().zip(at(h * share)) {
                    let middle = strip.curve.iter().rev().fold(0.0, |sum, c| sum * s + c);
                    assert!((middle - x).abs() <= strip.rad + 1e-14, "{phase} {h} {s}: {x} {strip:?}");
                }
            }
            assert!(strips[0].rad < 0.02 * h.powi(4), "{phase} {h}: {strips:?}");
        }
    }

    /// Over a time in which a position changes by no more than its rounding, its velocities say how it does.
    #[test]
    fn rounding_of_positions_is_no_velocity() {
        let at = |t: f64| [1.0 + (2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin()];
        for h in [1e-9, 1e-12, 1e-15] {
            let (begin, end) = (at(1.0), at(1.0 + h));
            let ends = [&begin, &end].map(|x| End { state: &x[..2], rate: &x[1..], values: &[] });
            let stretch = Stretch::between(ends, (1.0, h), (&[], &[]));
            let [q, v, ..] = around(0, &stretch);
            assert!(q.lo <= begin[0].min(end[0]) && begin[0].max(end[0]) <= q.hi, "{h}: {q:?}");
            assert!(v.lo <= begin[1].min(end[1]) && begin[1].max(end[1]) <= v.hi, "{h}: {v:?}");
            assert!(v.width() <= 8.0 * h + 1e-14, "{h}: {v:?}");
            let [_, along, bend] = curves(0, &stretch);
            assert!(along.rad <= 8.0 * h + 1e-14 && bend.rad <= 10.0, "{h}: {along:?} {bend:?}");
        }
    }
}
