//! Points where the equations hold: from a guess by Newton's method, and on to a local optimum of φ.
//!
//! Nothing here is part of a proof; what is found is a value that is attained, which the proof is measured against.

use super::landscape::Landscape;
use super::linear::Basis;
use super::region::at_point;
use crate::num::{Interval, Tol};
use nalgebra::{DMatrix, DVector};

/// A point with h = 0 to rounding.
#[derive(Clone, Debug)]
pub(super) struct Attained {
    pub(super) x: Vec<f64>,
    /// φ there.
    pub(super) height: f64,
    /// ∇φ + Σ λᵢ ∇hᵢ: zero in the variables that the equations determine.
    reduced: Vec<f64>,
    determined: Vec<usize>,
}

/// Where points are sought.
pub(super) struct Seeker<'s> {
    pub(super) domain: &'s [Interval],
    pub(super) widths: &'s [f64],
    pub(super) tol: &'s Tol,
}

impl Seeker<'_> {
    /// The point of h = 0 near `x`: steps in the variables that the equations determine, until they are rounding.
    pub(super) fn project<L: Landscape>(&self, landscape: &mut L, mut x: Vec<f64>) -> Option<Attained> {
        let mut last = f64::INFINITY;
        for _ in 0..self.tol.root_steps {
            let (height, equations, jacobian, gradient) = at_point(landscape, &x);
            let basis = Basis::new(&jacobian, self.widths)?;
            let residuals: Vec<f64> = equations.iter().map(|h| h.middle()).collect();
            let step = basis.correction(&residuals);
            let size = self.relative(&basis, &step);
            if size <= self.tol.closed && size >= self.tol.search_shrink * last || equations.is_empty() {
                let reduced = reduced(&basis, &gradient, &jacobian);
                let found = Attained { x, height: height.middle(), reduced, determined: basis.columns };
                return (found.height.is_finite() && landscape.admits(&found.x)).then_some(found);
            }
            if size.is_nan() || size > self.tol.search_shrink.recip() * last {
                return None;
            }
            last = size;
            for (&j, step) in basis.columns.iter().zip(step) {
                x[j] = (x[j] + step).clamp(self.domain[j].lo, self.domain[j].hi);
            }
        }
        None
    }

    /// The largest step relative to the ranges.
    fn relative(&self, basis: &Basis, step: &[f64]) -> f64 {
        let parts = basis.columns.iter().zip(step).map(|(&j, step)| step.abs() / self.widths[j]);
        parts.fold(0.0, |size: f64, part| if part.is_nan() { part } else { size.max(part) })
    }

    /// A local optimum: to faces of the domain where that helps, then Newton's method inside.
    pub(super) fn polish<L: Landscape>(&self, landscape: &mut L, start: Attained) -> Attained {
        let mut best = self.to_faces(landscape, start);
        let mut last = f64::INFINITY;
        for _ in 0..self.tol.root_steps {
            let free = self.free(&best);
            let Some(step) = self.newton_step(landscape, &best, &free) else { return best };
            let size =
                free.iter().zip(step.iter()).map(|(&j, s)| s.abs() / self.widths[j]).fold(0.0, f64::max);
            let x = self.moved(&best.x, &free, step.as_slice());
            let rounding = f64::EPSILON * best.height;
            match self.project(landscape, x) {
                Some(next)
                    if next.height >= best.height - rounding && size < self.tol.search_shrink * last =>
                {
                    best = next;
                }
                _ => return best,
            }
            last = size;
        }
        best
    }

    /// Moves free variables to the face that φ grows towards, as long as φ does.
    fn to_faces<L: Landscape>(&self, landscape: &mut L, mut best: Attained) -> Attained {
        for j in self.free(&best) {
            let mut x = best.x.clone();
            x[j] = if best.reduced[j] > 0.0 { self.domain[j].hi } else { self.domain[j].lo };
            if let Some(next) = self.project(landscape, x)
                && next.height > best.height
            {
                best = next;
            }
        }
        best
    }

    /// Variables that the equations leave free and that no face holds.
    fn free(&self, point: &Attained) -> Vec<usize> {
        let inside = |&j: &usize| self.domain[j].lo < point.x[j] && point.x[j] < self.domain[j].hi;
        let free = (0..point.x.len()).filter(|j| !point.determined.contains(j));
        free.filter(|j| self.widths[*j] > 0.0).filter(inside).collect()
    }

    fn moved(&self, x: &[f64], free: &[usize], step: &[f64]) -> Vec<f64> {
        let mut x = x.to_vec();
        for (&j, step) in free.iter().zip(step) {
            x[j] = (x[j] + step).clamp(self.domain[j].lo, self.domain[j].hi);
        }
        x
    }

    /// −H⁻¹g along h = 0, H by differences of exact gradients.
    fn newton_step<L: Landscape>(
        &self,
        landscape: &mut L,
        at: &Attained,
        free: &[usize],
    ) -> Option<DVector<f64>> {
        let m = free.len();
        if m == 0 {
            return None;
        }
        let mut hessian = DMatrix::zeros(m, m);
        for (column, &j) in free.iter().enumerate() {
            let room = self.domain[j].hi - at.x[j];
            let probe = self.tol.search_probe
                * self.widths[j]
                * if room > at.x[j] - self.domain[j].lo { 1.0 } else { -1.0 };
            let mut x = at.x.clone();
            x[j] += probe;
            let moved = x[j] - at.x[j];
            let there = self.project(landscape, x)?;
            for (row, &i) in free.iter().enumerate() {
                hessian[(row, column)] = (there.reduced[i] - at.reduced[i]) / moved;
            }
        }
        let gradient = DVector::from_iterator(m, free.iter().map(|&i| -at.reduced[i]));
        hessian.lu().solve(&gradient).filter(|step| step.iter().all(|x| x.is_finite()))
    }
}

fn reduced(basis: &Basis, gradient: &[f64], jacobian: &[Vec<f64>]) -> Vec<f64> {
    let multipliers = basis.multipliers(gradient);
    let along = |j: usize| multipliers.iter().zip(jacobian).map(|(l, row)| l * row[j]).sum::<f64>();
    (0..gradient.len()).map(|j| gradient[j] + along(j)).collect()
}
