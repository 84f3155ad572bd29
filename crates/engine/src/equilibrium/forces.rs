//! Equilibria on several contacts   [CV16 6.4]: weakly stable in the sense of Pang and Trinkle if sticking is consistent, strongly
//! if no other mode is; ambiguous \[OR08\] if another one is consistent too. Neither says that small pushes stay small.

use crate::enumerate::cone::Cone;
use crate::enumerate::integral::{Integral, quotient};
use crate::equilibrium::Condition;
use crate::num::{InOrder, Tol};
use crate::predict::{Consistency, Contacts, Decision, Judgement, Mode, Ray};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Rays of the cone over the set of forces up to which its corners are looked for.
const CORNERS: usize = 500;

/// An equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct RestingForces {
    /// Sticking is consistent.
    pub weak: Condition,
    /// No other mode is.
    pub strong: Condition,
    /// Which others are.
    pub others: Vec<Vec<Mode>>,
    /// Dimension of the set of forces.
    pub dimension: usize,
    /// Corners of the set of forces by row, in order, and directions in which it has no end; none if there are too many, or if
    /// sticking is on a border.
    pub corners: Option<Corners>,
}

/// Extreme points and rays of a set of forces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corners {
    /// Points.
    pub points: Vec<Vec<f64>>,
    /// Directions, the largest force being one.
    pub rays: Vec<Vec<f64>>,
}

impl Contacts {
    /// The equilibrium that a decision contains: all contacts at rest, and sticking not inconsistent. That nothing else of the
    /// mechanism moves or accelerates is for the caller to see.
    pub fn resting_forces(&self, decision: &Decision, tol: &Tol) -> Option<RestingForces> {
        let (own, [weak, strong]) = self.rest_in(decision)?;
        let certain = own.consistency == Consistency::Yes;
        let others =
            decision.modes.iter().filter(|judged| judged.consistency == Consistency::Yes && !judged.stays());
        let rows: Vec<usize> = (0..2 * self.len()).collect();
        let basis = self.basis(&rows, tol.dependent).rows;
        // without friction there is no force along the surface
        let smooth = |row: usize| row % 2 == 1 && self.friction(row / 2).is_zero();
        let pressing: Vec<usize> = rows.iter().copied().filter(|&row| !smooth(row)).collect();
        Some(RestingForces {
            weak,
            strong,
            others: others.map(|judged| judged.modes.clone()).collect(),
            dimension: pressing.len() - self.basis(&pressing, tol.dependent).rows.len(),
            // on a border rounding decides whether there are forces at all
            corners: certain.then(|| self.corners(&own.modes, &basis, tol)).flatten(),
        })
    }

    /// The combination of a decision in which all contacts stay at rest, and whether it is a weak and a strong equilibrium.
    pub fn rest_in<'d>(&self, decision: &'d Decision) -> Option<(&'d Judgement, [Condition; 2])> {
        if self.is_empty() || !self.is_at_rest() {
            return None;
        }
        let own =
            decision.modes.iter().find(|judged| judged.consistency != Consistency::No && judged.stays())?;
        let others = |consistency: Consistency| {
            decision.modes.iter().filter(move |judged| judged.consistency == consistency && !judged.stays())
        };
        let weak = if own.consistency == Consistency::Yes { Condition::Holds } else { Condition::Marginal };
        let strong = match (others(Consistency::Yes).count(), others(Consistency::Marginal).count()) {
            (0, 0) if decision.undecided.is_some() => Condition::Unknown,
            (0, 0) => weak,
            (0, _) => Condition::Marginal,
            _ => Condition::Fails,
        };
        Some((own, [weak, strong]))
    }

    /// The polytope of the forces of modes at rest, by its corners: double description in the weights of the cones' rays,
    /// without rounding from the independent rows on.
    fn corners(&self, modes: &[Mode], basis: &[usize], tol: &Tol) -> Option<Corners> {
        let rays: Vec<_> = modes.iter().enumerate().flat_map(|(i, &mode)| self.rays(i, mode)).collect();
        let mut cone = Cone::orthant(rays.len() + 1);
        for &row in basis {
            let gain = |ray: &Ray| (0..2).map(|k| self.D[(row, 2 * ray.contact + k)] * ray.force[k]).sum();
            let line: Vec<f64> = rays.iter().map(gain).chain([self.c[row] / self.load]).collect();
            let line = Integral::of(line.iter().copied())?.x;
            let back: Vec<BigInt> = line.iter().map(|x| -x).collect();
            cone = cone.cut(&line, CORNERS)?.cut(&back, CORNERS)?;
        }
        let mut found = Corners::default();
        for x in cone.rays() {
            let last = &x[rays.len()];
            let over = if last.is_zero() { x.iter().map(Signed::abs).max()? } else { last.clone() };
            let mut forces = vec![0.0; 2 * self.len()];
            for (weight, ray) in x.iter().zip(&rays) {
                let weight = quotient(weight, &over);
                for (k, row) in (2 * ray.contact..2 * ray.contact + 2).enumerate() {
                    forces[row] += weight * ray.force[k] / self.unit[row];
                }
            }
            let size = forces.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
            if last.is_zero() {
                forces.iter_mut().for_each(|x| *x /= size);
                add_new(&mut found.rays, forces, 1.0, tol);
            } else {
                forces.iter_mut().for_each(|x| *x *= self.load);
                add_new(&mut found.points, forces, size * self.load, tol);
            }
        }
        sort(&mut found.points, tol);
        sort(&mut found.rays, tol);
        Some(found)
    }
}

/// By one force after the other, up to rounding, so that the order does not hang on it.
fn sort(found: &mut [Vec<f64>], tol: &Tol) {
    let size = found.iter().flatten().fold(0.0_f64, |size, x| size.max(x.abs()));
    found.put_in_order_of(|x| x.iter().map(|x| (x / (tol.closed * size)).round() as i64).collect::<Vec<_>>());
}

/// Rounding may split a corner in which many constraints meet.
fn add_new(found: &mut Vec<Vec<f64>>, forces: Vec<f64>, size: f64, tol: &Tol) {
    let same = |other: &Vec<f64>| other.iter().zip(&forces).all(|(a, b)| (a - b).abs() <= tol.closed * size);
    if !found.iter().any(same) {
        found.push(forces);
    }
}
