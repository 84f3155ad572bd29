//! How well (u, v, r) solves a problem: one measure for every solver, test and report.
//!
//! With ũ = u + μ‖u_T‖ e_N and the projection P on the friction cone (ρ = 1), [ACLM11 (6)–(8)]:
//! `c = sqrt(Σ ‖rᵢ − P(rᵢ − ũᵢ)‖²)`. Local form: u = W r + q is computed here, so only r is judged, and
//! `relative = c / max(‖q‖, ‖r‖, ‖u‖)`. Global form: v is judged too, with u = H v + w computed here,
//! `relative = ‖M v + f − Hᵀr‖ / max(‖f‖, ‖M v‖, ‖Hᵀr‖) + c / max(‖u‖, ‖r‖)`. A quotient with denominator 0 has
//! numerator 0 and counts as 0. Anything that is not a number makes the residual infinite.

use super::cone::natural_map;
use super::problem::{Form, Global, Local, Problem};
use super::pyramid::{Cones, pyramid_defect};
use crate::num::dense::norm;

/// The defect of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Coulomb part `c` plus, in the global form, ‖M v + f − Hᵀr‖.
    pub absolute: f64,
    /// The dimensionless measure that is compared with a tolerance.
    pub relative: f64,
}

impl Residual {
    /// The residual of a candidate that is not even numbers.
    pub const INFINITE: Self = Self { absolute: f64::INFINITY, relative: f64::INFINITY };

    fn of(absolute: f64, relative: f64) -> Self {
        if absolute.is_finite() && relative.is_finite() {
            Self { absolute, relative }
        } else {
            Self::INFINITE
        }
    }
}

/// Residual of the forces `r` (dim·nc) and, in the global form, the velocities `v` (n; ignored in the local form),
/// and the contact velocities u (dim·nc) that belong to them.
pub fn residual(problem: &Problem, v: &[f64], r: &[f64]) -> (Residual, Vec<f64>) {
    residual_of(Cones::SecondOrder, problem, v, r)
}

/// The residual of the law with other cones: that of Coulomb's law with P and ũ of the pyramid.
pub fn residual_of(cones: Cones, problem: &Problem, v: &[f64], r: &[f64]) -> (Residual, Vec<f64>) {
    let mut u = Vec::new();
    let out = residual_in(cones, problem, (v, r), &mut u, &mut Products::default());
    (out, u)
}

/// M v and Hᵀ r, in memory that stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Products {
    inertial: Vec<f64>,
    pushed: Vec<f64>,
}

/// The same in the memory that is given; `u` receives the velocities.
pub(crate) fn residual_in(
    cones: Cones,
    problem: &Problem,
    (v, r): (&[f64], &[f64]),
    u: &mut Vec<f64>,
    products: &mut Products,
) -> Residual {
    u.clear();
    if r.len() != problem.rows() || v.len() < problem.dof() {
        u.resize(problem.rows(), f64::NAN);
        return Residual::INFINITE;
    }
    match problem.form() {
        Form::Local(local) => {
            u.resize(r.len(), 0.0);
            local_residual_of(cones, local, problem.mu(), r, u)
        }
        Form::Global(global) => {
            let v = &v[..problem.dof()];
            u.extend_from_slice(&global.w);
            global.Ht.transpose_mul_add(v, u);
            products.set(global, v, r);
            global_residual(cones, problem, products, (global, u, r))
        }
    }
}

impl Products {
    fn set(&mut self, g: &Global, v: &[f64], r: &[f64]) {
        for product in [&mut self.inertial, &mut self.pushed] {
            product.clear();
            product.resize(v.len(), 0.0);
        }
        g.M.mul_add(v, &mut self.inertial);
        g.Ht.mul_add(r, &mut self.pushed);
    }
}

/// Residual of `r` for a local form, without allocation; `u` receives W r + q.
pub fn local_residual(local: &Local, mu: &[f64], r: &[f64], u: &mut [f64]) -> Residual {
    local_residual_of(Cones::SecondOrder, local, mu, r, u)
}

pub(crate) fn local_residual_of(
    cones: Cones,
    local: &Local,
    mu: &[f64],
    r: &[f64],
    u: &mut [f64],
) -> Residual {
    local.W.apply(r, &local.q, u);
    residual_at(cones, local, mu, r, u)
}

/// The same where u = W r + q is known.
pub(crate) fn residual_at(cones: Cones, local: &Local, mu: &[f64], r: &[f64], u: &[f64]) -> Residual {
    let c = defect(cones, local.W.block_size(), mu, u, r);
    let mut squares = [0.0; 3];
    for ((q, r), u) in local.q.iter().zip(r).zip(u) {
        squares.iter_mut().zip([q, r, u]).for_each(|(sum, x)| *sum += x * x);
    }
    Residual::of(c, relative(c, squares.map(f64::sqrt)))
}

/// The relative residual of a local form, of c and the sizes of q, r and u; infinite where something is not a number.
pub(crate) fn relative(c: f64, sizes: [f64; 3]) -> f64 {
    let relative = quotient(c, sizes.into_iter().fold(0.0, f64::max));
    if relative.is_finite() { relative } else { f64::INFINITY }
}

fn defect(cones: Cones, dim: usize, mu: &[f64], u: &[f64], r: &[f64]) -> f64 {
    match cones {
        Cones::Faceted(n) if dim == 3 => pyramid_defect(mu, n, u, r),
        Cones::Faceted(_) | Cones::SecondOrder => coulomb_defect(dim, mu, u, r),
    }
}

fn global_residual(
    cones: Cones,
    problem: &Problem,
    products: &Products,
    (g, u, r): (&Global, &[f64], &[f64]),
) -> Residual {
    let Products { inertial, pushed } = products;
    let difference = inertial.iter().zip(&g.f).zip(pushed).map(|((m, f), h)| m + f - h);
    let dynamics = difference.map(|x| x * x).sum::<f64>().sqrt();
    let c = defect(cones, problem.dim(), problem.mu(), u, r);
    let terms = norm(&g.f).max(norm(inertial)).max(norm(pushed));
    let relative = quotient(dynamics, terms) + quotient(c, norm(u).max(norm(r)));
    Residual::of(dynamics + c, relative)
}

/// c = sqrt(Σ ‖rᵢ − P(rᵢ − ũᵢ)‖²).
pub(crate) fn coulomb_defect(dim: usize, mu: &[f64], u: &[f64], r: &[f64]) -> f64 {
    match dim {
        2 => defect_sized::<2>(mu, u, r),
        _ => defect_sized::<3>(mu, u, r),
    }
}

fn defect_sized<const D: usize>(mu: &[f64], u: &[f64], r: &[f64]) -> f64 {
    let (u, r) = (u.as_chunks::<D>().0, r.as_chunks::<D>().0);
    let sum: f64 = mu
        .iter()
        .zip(u)
        .zip(r)
        .map(|((&mu, u), r)| natural_map(u, r, mu).iter().map(|x| x * x).sum::<f64>())
        .sum();
    sum.sqrt()
}

fn quotient(defect: f64, scale: f64) -> f64 {
    if scale > 0.0 { defect / scale } else { defect }
}
