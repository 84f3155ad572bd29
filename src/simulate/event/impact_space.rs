//! Impact of one contact in space: the normal impulse P is the time, u' = B − μ A û, v' = C − μ B·û, W' = v, and the
//! direction of slip turns on the way (Keller's equations); at rest the contact sticks if its cone allows, ‖A⁻¹B‖ ≤ μ, or slips
//! on in the one direction that leads away.
//!
//! Compression ends where v rises through zero; Newton ends at v⁺ = −e v⁻, Poisson at (1 + e) P_c, the energetic law where the
//! work of restitution is −e² times that of compression.

use super::circle::sign_changes;
use super::mechanics::Mechanics;
use crate::contact::Restitution;
use crate::num::Tol;
use crate::num::dense::norm;
use crate::simulate::integrate::{Dop853, Flow};
use std::convert::Infallible;

/// An impact in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpatialImpact {
    /// Gap rate before.
    pub(super) approach: f64,
    /// Slip after.
    pub(super) slip: [f64; 2],
    /// Gap rate after.
    pub(super) rebound: f64,
    /// Normal impulse.
    pub(super) normal: f64,
    /// Tangential impulse.
    pub(super) tangential: [f64; 2],
    /// Kinetic energy lost.
    pub(super) energy_loss: f64,
}

/// The numbers of a contact: μ, A, B, C.
#[derive(Clone, Copy, Debug)]
struct Contact {
    mu: f64,
    A: [[f64; 2]; 2],
    B: [f64; 2],
    C: f64,
}

/// A point on the way: slip, gap rate, work of the normal impulse, tangential impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    P: f64,
    y: [f64; 6],
}

/// How an impact begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Approach {
    /// With a gap rate; 0 for an impact without collision.
    Rate(f64),
    /// Where p has just fallen to 0, and goes on falling as the slip turns.
    Jam,
}

/// Steps of the way at most.
const STEPS: usize = 100_000;

/// The impact of a contact with this gap rate, at the state that was evaluated last; none if it does not end.
pub(super) fn impact_in_space(
    contact: usize,
    approach: Approach,
    law: Restitution,
    mechanics: &Mechanics<'_>,
    tol: &Tol,
) -> Option<SpatialImpact> {
    let row = mechanics.row(contact);
    let D = |i: usize, j: usize| mechanics.delassus(row + i, row + j);
    let mu = mechanics.laws[contact].friction.mu();
    if mu.is_infinite() {
        return None;
    }
    let numbers =
        Contact { mu, A: [[D(1, 1), D(1, 2)], [D(2, 1), D(2, 2)]], B: [D(0, 1), D(0, 2)], C: D(0, 0) };
    let slip = mechanics.slip(contact);
    let rate = match approach {
        Approach::Rate(rate) => rate,
        Approach::Jam => 0.0,
    };
    let start = Point { P: 0.0, y: [slip[0], slip[1], rate, 0.0, 0.0, 0.0] };
    let end = numbers.follow(start, approach, law, tol)?;
    let [u1, u2, v, _, t1, t2] = end.y;
    // T⁺ − T⁻ = ½ Λ·(u⁺ + u⁻)
    let work = 0.5 * (end.P * (rate + v) + t1 * (slip[0] + u1) + t2 * (slip[1] + u2));
    Some(SpatialImpact {
        approach: rate,
        slip: [u1, u2],
        rebound: v,
        normal: end.P,
        tangential: [t1, t2],
        energy_loss: -work,
    })
}

impl Contact {
    fn follow(&self, start: Point, approach: Approach, law: Restitution, tol: &Tol) -> Option<Point> {
        let speed = norm(&start.y[..3]);
        let mut compression: Option<Point> = None;
        let mut point = start;
        // from v = 0 the impact begins only if v falls
        let rises = || self.rates(&self.direction(&start.y, speed, tol), &start.y)[2] > 0.0;
        if matches!(approach, Approach::Rate(rate) if rate >= 0.0) && rises() {
            return None;
        }
        for _ in 0..STEPS {
            let along = self.direction(&point.y, speed, tol);
            if along == Along::Stick && speed > 0.0 {
                (point.y[0], point.y[1]) = (0.0, 0.0);
            }
            let (next, turned) = self.step(point, &along, speed, tol);
            let target = |p: &Point| self.room(p, compression.as_ref(), start, law);
            if target(&next) <= 0.0 {
                let share = root(|share| target(&self.at(point, next.P - point.P, share, &along)), tol);
                let reached = self.at(point, next.P - point.P, share, &along);
                match compression {
                    None => compression = Some(reached),
                    Some(_) => return Some(reached),
                }
                if law.coefficient() <= 0.0 {
                    return Some(reached);
                }
                point = reached;
                continue;
            }
            point = next;
            if turned {
                (point.y[0], point.y[1]) = (0.0, 0.0);
            }
        }
        None
    }

    /// What falls through zero at the end of compression, then at the end of the impact.
    fn room(&self, p: &Point, compression: Option<&Point>, start: Point, law: Restitution) -> f64 {
        let Some(c) = compression else { return -p.y[2] };
        match law {
            Restitution::Newton(e) => -e * start.y[2] - p.y[2],
            Restitution::Poisson(e) => (1.0 + e) * c.P - p.P,
            // y[3] is the work so far, negative in compression
            Restitution::Energetic(e) => (1.0 - e * e) * c.y[3] - p.y[3],
        }
    }

    /// One step of the way: long where the contact sticks, as the error allows where it slips. Whether the slip ended.
    fn step(&self, point: Point, along: &Along, speed: f64, tol: &Tol) -> (Point, bool) {
        let rates = self.rates(along, &point.y);
        let slip = norm(&point.y[..2]);
        // the time in which the velocity would pass zero at its present rate
        let natural =
            (slip.max(tol.rest * speed) + point.y[2].abs() + tol.rest * speed) / (norm(&rates[..3]));
        if matches!(along, Along::Stick | Along::Straight(_)) {
            return (self.at(point, natural, 1.0, along), false);
        }
        // slip loses at most a quarter of itself in a step, so that its direction is followed
        let h = 0.25 * slip / norm(&rates[..2]).max(f64::MIN_POSITIVE);
        let next = self.at(point, h.min(natural), 1.0, along);
        (next, norm(&next.y[..2]) <= tol.noise * speed)
    }

    /// The point a share of h further on.
    fn at(&self, point: Point, h: f64, share: f64, along: &Along) -> Point {
        let h = h * share;
        match along {
            Along::Stick | Along::Straight(_) => {
                let rates = self.rates(along, &point.y);
                let mut y = point.y;
                y.iter_mut().zip(rates).for_each(|(y, rate)| *y += h * rate);
                y[3] = point.y[3] + h * (point.y[2] + 0.5 * h * rates[2]);
                Point { P: point.P + h, y }
            }
            Along::Slip => {
                let mut flow = Turning { contact: *self };
                let mut step = Dop853::new(6);
                let Ok(()) = step.start(&mut flow, 0.0, &point.y);
                let Ok(_) = step.attempt(&mut flow, 0.0, h, &[1.0; 6]);
                let mut y = point.y;
                y.copy_from_slice(step.end());
                Point { P: point.P + h, y }
            }
        }
    }

    /// What the contact point does.
    fn direction(&self, y: &[f64; 6], speed: f64, tol: &Tol) -> Along {
        if norm(&y[..2]) > tol.noise * speed {
            return Along::Slip;
        }
        let held = self.held();
        if norm(&held) <= self.mu { Along::Stick } else { Along::Straight(self.way_out(tol)) }
    }

    /// λ_T/λ_N that keeps the slip zero: −A⁻¹B.
    fn held(&self) -> [f64; 2] {
        let [[a, b], [c, d]] = self.A;
        let det = a * d - b * c;
        [-(d * self.B[0] - b * self.B[1]) / det, -(a * self.B[1] - c * self.B[0]) / det]
    }

    /// The direction û with B − μ A û along û and away from rest.
    fn way_out(&self, tol: &Tol) -> [f64; 2] {
        let turn = |angle: f64| {
            let (s, c) = angle.sin_cos();
            let rates = self.rates(&Along::Straight([c, s]), &[0.0; 6]);
            (c * rates[1] - s * rates[0], c * rates[0] + s * rates[1])
        };
        let mut best = (f64::NEG_INFINITY, [1.0, 0.0]);
        for angle in sign_changes(|angle| turn(angle).0, tol.root_steps) {
            let (s, c) = angle.sin_cos();
            let along = turn(angle).1;
            if along > best.0 {
                best = (along, [c, s]);
            }
        }
        best.1
    }

    /// Rates per normal impulse.
    fn rates(&self, along: &Along, y: &[f64; 6]) -> [f64; 6] {
        let force = match along {
            Along::Stick => self.held(),
            Along::Straight(u) => u.map(|u| -self.mu * u),
            Along::Slip => {
                let speed = norm(&y[..2]);
                [-self.mu * y[0] / speed, -self.mu * y[1] / speed]
            }
        };
        let du = |i: usize| self.B[i] + self.A[i][0] * force[0] + self.A[i][1] * force[1];
        let dv = self.C + self.B[0] * force[0] + self.B[1] * force[1];
        let slip = if *along == Along::Stick { [0.0, 0.0] } else { [du(0), du(1)] };
        [slip[0], slip[1], dv, y[2], force[0], force[1]]
    }
}

/// What the contact point does during an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Along {
    Stick,
    /// Slips away from rest in a direction that stays.
    Straight([f64; 2]),
    /// Slips in the direction of its velocity.
    Slip,
}

struct Turning {
    contact: Contact,
}

impl Flow for Turning {
    type Error = Infallible;

    fn rate(&mut self, _: f64, y: &[f64], rate: &mut [f64]) -> Result<(), Infallible> {
        let mut point = [0.0; 6];
        point.copy_from_slice(y);
        rate.copy_from_slice(&self.contact.rates(&Along::Slip, &point));
        Ok(())
    }
}

/// Where a function that is positive at 0 and not at 1 falls through zero.
fn root(f: impl Fn(f64) -> f64, tol: &Tol) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..tol.root_steps {
        let middle = 0.5 * (low + high);
        if !(low < middle && middle < high) {
            break;
        }
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    high
}
