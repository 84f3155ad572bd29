//! A motion between two events, integrated again: by its closed form where the acceleration is constant, by Dormand and
//! Prince's method of order 5 otherwise, in steps far below the periods of what moves. Gaps, forces, friction cones and slips
//! are looked at all the way.

use super::equations::{Doing, Equations, Solved};
use super::scales::Scales;

/// What is wrong with a motion.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// Of which kind.
    pub(crate) kind: String,
    pub(crate) text: String,
}

pub(crate) fn fault(kind: &str, text: String) -> Fault {
    Fault { kind: kind.to_string(), text }
}

/// Steps of the retraced motion relative to the shortest time in it.
const SHORT: f64 = 0.25;
/// Allowed error of a step, relative to what changes.
const STEP_ERROR: f64 = 1e-10;
/// What of gaps, slips and forces is too little to be seen here, relative to lengths, speeds and loads.
pub(crate) const SEEN: f64 = 1e-6;

/// A span of a motion in which no contact changes what it does.
pub(crate) struct Span<'s> {
    pub(crate) t: [f64; 2],
    pub(crate) doing: &'s [Doing],
}

/// A motion that is followed again.
pub(crate) struct Retrace<'s> {
    pub(crate) equations: &'s mut Equations,
    pub(crate) scales: &'s Scales,
    pub(crate) faults: &'s mut Vec<Fault>,
}

impl Retrace<'_> {
    /// The state at the end of a span from that at its begin.
    pub(crate) fn follow(&mut self, span: &Span<'_>, y: &[f64]) -> Vec<f64> {
        let before = self.faults.len();
        let end = if self.is_ballistic(span, y) { self.fly(span, y) } else { self.integrate(span, y) };
        // the first of each kind tells
        let mut kinds: Vec<String> = Vec::new();
        let mut kept = self.faults.split_off(before);
        kept.retain(|fault| {
            !kinds.contains(&fault.kind) && {
                kinds.push(fault.kind.clone());
                true
            }
        });
        self.faults.extend(kept);
        end
    }

    fn is_ballistic(&mut self, span: &Span<'_>, y: &[f64]) -> bool {
        if span.doing.iter().any(|doing| *doing != Doing::Free) || self.equations.layout.constraints > 0 {
            return false;
        }
        let n = self.equations.n();
        let mut acceleration = |share: f64| {
            let t = span.t[0] + share * (span.t[1] - span.t[0]);
            let shifted: Vec<f64> =
                y.iter().enumerate().map(|(i, y)| y + share * (1.0 + 0.1 * i as f64)).collect();
            self.equations.at(t, &shifted);
            self.equations.solve(span.doing).vdot
        };
        let all = [0.0, 0.37, 1.0].map(&mut acceleration);
        (0..n).all(|i| all.iter().all(|a| (a[i] - all[0][i]).abs() <= 1e-14 * all[0][i].abs()))
    }

    /// The closed form of free flight under constant forces.
    fn fly(&mut self, span: &Span<'_>, start: &[f64]) -> Vec<f64> {
        let n = self.equations.n();
        self.equations.at(span.t[0], start);
        let a = self.equations.solve(span.doing).vdot;
        let at = |t: f64| -> Vec<f64> {
            let s = t - span.t[0];
            let q = (0..n).map(|i| start[i] + s * (start[n + i] + 0.5 * s * a[i]));
            q.chain((0..n).map(|i| start[n + i] + s * a[i])).collect()
        };
        let step = SHORT * self.scales.shortest(start);
        let parts = ((span.t[1] - span.t[0]) / step).ceil().clamp(1.0, 2e5);
        let part = (span.t[1] - span.t[0]) / parts;
        let mut before = self.look(span, span.t[0], start);
        for k in 1..=parts as usize {
            let t = span.t[0] + part * k as f64;
            let after = self.look(span, t, &at(t));
            for (c, t, gap) in self.dips([t - part, t], (&before, &after), &at) {
                self.missed(c, t, gap);
            }
            before = after;
        }
        at(span.t[1])
    }

    /// Contacts whose gaps fall below zero between two looks, when, and how deep.
    fn dips(
        &mut self,
        [t0, t1]: [f64; 2],
        (before, after): (&[[f64; 2]], &[[f64; 2]]),
        at: &dyn Fn(f64) -> Vec<f64>,
    ) -> Vec<(usize, f64, f64)> {
        let mut found = Vec::new();
        for c in 0..before.len() {
            let (h, close) = (t1 - t0, 0.1 * self.scales.length);
            let dips = lowest(h, before[c], after[c]);
            if !dips.is_some_and(|share| cubic(h, before[c], after[c], share) <= close) {
                continue;
            }
            let mut gap = |t: f64| {
                self.equations.at(t, &at(t));
                self.equations.gap(c)
            };
            // the lowest place, by golden section
            let (mut low, mut high) = (t0, t1);
            for _ in 0..40 {
                let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
                if gap(a) < gap(b) { high = b } else { low = a }
            }
            let t = 0.5 * (low + high);
            let depth = gap(t);
            if depth < -SEEN * self.scales.length {
                found.push((c, t, depth));
            }
        }
        found
    }

    fn missed(&mut self, contact: usize, t: f64, gap: f64) {
        let name = &self.equations.contacts[contact];
        let text = format!("{name} is at {:.3e} of the size at t = {t}", gap / self.scales.length);
        self.faults.push(fault("missed impact", text));
    }

    /// What contacts do at a state: gap and gap rate of those that are open; force, cone and slip of the others are judged.
    fn look(&mut self, span: &Span<'_>, t: f64, y: &[f64]) -> Vec<[f64; 2]> {
        self.equations.at(t, y);
        let solved = span.doing.iter().any(|d| *d != Doing::Free).then(|| self.equations.solve(span.doing));
        if let Some(solved) = &solved {
            self.judge_forces(span, t, solved);
        }
        (0..span.doing.len()).map(|c| self.judge_gap(span.doing[c], t, c)).collect()
    }

    fn judge_gap(&mut self, doing: Doing, t: f64, c: usize) -> [f64; 2] {
        let (gap, rate, slip) = (self.equations.gap(c), self.equations.rate(c), self.equations.slip(c));
        let (length, speed) = (self.scales.length, self.scales.speed);
        if doing == Doing::Free {
            if gap < -SEEN * length {
                self.missed(c, t, gap);
            }
            return [gap, rate];
        }
        let mut wrong = |kind: &str, found: f64| {
            let text = format!("{}: {found:.3e} at t = {t}", self.equations.contacts[c]);
            self.faults.push(fault(kind, text));
        };
        if gap.abs() > SEEN * length {
            wrong("a closed gap is open", gap / length);
        }
        match doing {
            Doing::Stick if slip[0].hypot(slip[1]) > 10.0 * SEEN * speed => {
                wrong("stick slips", slip[0] / speed)
            }
            Doing::Slip(sign) if sign * slip[0] < -10.0 * SEEN * speed => {
                wrong("slip runs backwards", slip[0] / speed)
            }
            _ => {}
        }
        [f64::INFINITY, 0.0]
    }

    /// Forces press and stay in their cones, or some of those that are possible do.
    fn judge_forces(&mut self, span: &Span<'_>, t: f64, solved: &Solved) {
        let slow = |c: usize| {
            let slip = self.equations.slip(c);
            slip[0].hypot(slip[1]) <= 10.0 * SEEN * self.scales.speed
        };
        // the direction of a slip that is all but zero is that of what was retraced wrong
        if (0..span.doing.len()).any(|c| span.doing[c] == Doing::Slides && slow(c)) {
            return;
        }
        let forces = inside(solved, span.doing, &self.equations.friction);
        let load = forces.iter().flatten().fold(self.scales.load, |m: f64, x| m.max(x.abs()));
        for (c, doing) in span.doing.iter().enumerate() {
            let [N, T1, T2] = forces[c];
            let over = T1.hypot(T2) - self.equations.friction[c] * N;
            let kind = match doing {
                Doing::Free => continue,
                _ if N < -SEEN * load => "a contact pulls",
                Doing::Stick if over > SEEN * load => "stick outside of the cone",
                _ => continue,
            };
            let text = format!(
                "{}: N = {:.3e}, |T| - mu N = {:.3e} of the load at t = {t}",
                self.equations.contacts[c],
                N / load,
                over / load
            );
            self.faults.push(fault(kind, text));
        }
        if solved.missed > SEEN {
            self.faults
                .push(fault("closed contacts disagree", format!("by {:.1e} at t = {t}", solved.missed)));
        }
    }

    fn slope(&mut self, span: &Span<'_>, t: f64, y: &[f64]) -> Vec<f64> {
        let n = self.equations.n();
        self.equations.at(t, y);
        let mut slope = y[n..].to_vec();
        slope.extend(self.equations.solve(span.doing).vdot);
        slope
    }

    fn integrate(&mut self, span: &Span<'_>, start: &[f64]) -> Vec<f64> {
        let (mut t, mut y) = (span.t[0], start.to_vec());
        let mut h = 0.1 * SHORT * self.scales.shortest(start);
        let mut before = self.look(span, t, &y);
        let mut k1 = self.slope(span, t, &y);
        for _ in 0..200_000 {
            let left = span.t[1] - t;
            if left <= 0.0 {
                return y;
            }
            let longest = SHORT * self.scales.shortest(&y);
            let step = h.min(longest).min(left);
            let (next, k7, error) = self.step(span, (t, &y, &k1), step);
            if error > 1.0 && step > 1e-12 * (span.t[1] - span.t[0]) {
                h = step * (0.9 * error.powf(-0.2)).max(0.2);
                continue;
            }
            h = step * (0.9 * error.max(1e-8).powf(-0.2)).clamp(0.2, 5.0);
            let end = if step >= left { span.t[1] } else { t + step };
            let after = self.look(span, end, &next);
            let hermite = |s: f64| hermite(step, s, (&y, &k1), (&next, &k7));
            for (c, at, _) in self.dips([t, end], (&before, &after), &|at: f64| hermite((at - t) / step)) {
                // the polynomial has an error that a step of its own has not
                let (place, ..) = self.step(span, (t, &y, &k1), at - t);
                self.equations.at(at, &place);
                let gap = self.equations.gap(c);
                if gap < -SEEN * self.scales.length {
                    self.missed(c, at, gap);
                }
            }
            (t, y, k1, before) = (end, next, k7, after);
        }
        self.faults.push(fault("not retraced", format!("from t = {} past {t}", span.t[0])));
        y
    }

    /// One step, its slope at the end, and its error relative to what is allowed.
    fn step(
        &mut self,
        span: &Span<'_>,
        (t, y, k1): (f64, &[f64], &[f64]),
        h: f64,
    ) -> (Vec<f64>, Vec<f64>, f64) {
        let mut k = vec![k1.to_vec()];
        let mut place = y.to_vec();
        for (c, row) in C.iter().zip(&A) {
            for i in 0..y.len() {
                place[i] = y[i] + h * (0..k.len()).map(|j| row[j] * k[j][i]).sum::<f64>();
            }
            let slope = self.slope(span, t + c * h, &place);
            k.push(slope);
        }
        let error = (0..y.len())
            .map(|i| h * (0..7).map(|j| E[j] * k[j][i]).sum::<f64>() / (STEP_ERROR * self.scales.sizes[i]))
            .fold(0.0, |m: f64, x| if x.is_finite() { m.max(x.abs()) } else { f64::MAX });
        let k7 = k.pop().expect("seven stages");
        (place, k7, error)
    }
}

/// Forces inside the cones: by projections onto them, each followed by the way among forces that do the same to the border of the half space
/// that holds the cones there.
pub(crate) fn inside(solved: &Solved, doing: &[Doing], friction: &[f64]) -> Vec<[f64; 3]> {
    let mut forces = solved.forces.clone();
    if solved.undetermined.is_empty() {
        return forces;
    }
    let product = |a: &[[f64; 3]], b: &[[f64; 3]]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (0..3).map(|k| a[k] * b[k]).sum::<f64>()).sum()
    };
    for _ in 0..3000 {
        let outside: Vec<[f64; 3]> = (0..forces.len())
            .map(|c| {
                let force = forces[c];
                let inner = match doing[c] {
                    Doing::Free => force,
                    // forces of slip stay in their direction
                    Doing::Slip(_) | Doing::Slides => [force[0].max(0.0), force[1], force[2]],
                    Doing::Stick => onto_cone(force, friction[c]),
                };
                [0, 1, 2].map(|k| inner[k] - force[k])
            })
            .collect();
        let mut way = vec![[0.0; 3]; forces.len()];
        for free in &solved.undetermined {
            let along = product(free, &outside) / product(free, free).max(f64::MIN_POSITIVE);
            way.iter_mut().zip(free).for_each(|(way, free)| (0..3).for_each(|k| way[k] += along * free[k]));
        }
        let (missing, gained) = (product(&outside, &outside), product(&way, &outside));
        // what is rounding has no direction
        if missing <= 1e-28 * product(&forces, &forces) || gained <= 0.0 {
            break;
        }
        let length = missing / gained;
        forces.iter_mut().zip(&way).for_each(|(f, way)| (0..3).for_each(|k| f[k] += length * way[k]));
    }
    forces
}

fn onto_cone([N, T1, T2]: [f64; 3], mu: f64) -> [f64; 3] {
    let T = T1.hypot(T2);
    if T <= mu * N {
        return [N, T1, T2];
    }
    let along = (N + mu * T) / (1.0 + mu * mu);
    if along <= 0.0 {
        return [0.0; 3];
    }
    let share = mu * along / T.max(f64::MIN_POSITIVE);
    [along, share * T1, share * T2]
}

/// Where the cubic through two gaps and gap rates is lowest within its span, if it has a lowest place there.
fn lowest(h: f64, [g0, r0]: [f64; 2], [g1, r1]: [f64; 2]) -> Option<f64> {
    if !(g0.is_finite() && g1.is_finite()) {
        return None;
    }
    let at = |i: usize| i as f64 / 16.0;
    let value = |i: usize| cubic(h, [g0, r0], [g1, r1], at(i));
    let i = (0..=16).min_by(|&a, &b| value(a).total_cmp(&value(b)))?;
    (i > 0 && i < 16 || (i == 0 && r0 < 0.0) || (i == 16 && r1 > 0.0)).then(|| at(i))
}

fn cubic(h: f64, [g0, r0]: [f64; 2], [g1, r1]: [f64; 2], s: f64) -> f64 {
    let (a, b) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
    g0 * (1.0 - a) + g1 * a + h * b * (r0 * (1.0 - s) - r1 * s)
}

fn hermite(h: f64, s: f64, (y0, k0): (&[f64], &[f64]), (y1, k1): (&[f64], &[f64])) -> Vec<f64> {
    (0..y0.len()).map(|i| cubic(h, [y0[i], k0[i]], [y1[i], k1[i]], s)).collect()
}

// Dormand and Prince (1980)
const C: [f64; 6] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
#[rustfmt::skip]
const A: [[f64; 6]; 6] = [
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
#[rustfmt::skip]
const E: [f64; 7] = [
    71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0,
];
