//! The backward error of a global problem, row by row of its dynamics and contact by contact of its kinematics.
//!
//! For v and the lawful pair (û, r̂) of [`super::backward`], with t_k = Σ_l |M_kl| |v_l| + |f_k| + Σ_i ‖H_ik‖ ‖r̂_i‖ the
//! terms of row k of M v + f = Hᵀ r, and τ_k = t_k / |M_kk| the velocity that they are good for,
//!
//! `η_k = |M v + f − Hᵀ r̂|_k / t_k`,  `η_i = ‖û − H v − w‖_i / (Σ_k ‖H_ik‖ τ_k + ‖w_i‖)`,
//!
//! and for the whole the root of the quotient of the sums of the squares, those of the rows over M_kk, those of the contacts
//! over the largest diagonal entry of W_ii, whichever of both is larger.
//!
//! The first are the componentwise backward error of [OP64]. The second measure by τ instead of |v|: where everything
//! sticks v is nothing but rounding, and a relative error of the momenta, which the first allows, moves v by its
//! share of τ ≥ |v|. Every coordinate may have units of its own, and every row of M v + f = Hᵀ r a factor of its own.

use super::backward::{BackwardError, larger, lawful, norm, rho, share};
use super::problem::{Global, Local};
use crate::linear::largest_diagonal;

/// v and r, and u = H v + w.
#[derive(Clone, Copy)]
pub(crate) struct Point<'a> {
    pub(crate) v: &'a [f64],
    pub(crate) u: &'a [f64],
    pub(crate) r: &'a [f64],
}

/// The errors of points, in memory that stays.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowErrors {
    numbers: Vec<f64>,
    couplings: Couplings,
    /// η_k of every row, then the largest of every contact and the rows that it takes part in.
    singles: Vec<f64>,
}

impl RowErrors {
    /// The contacts of the last point that miss this themselves, or take part in a row that does.
    pub(crate) fn beyond(&self, allowed: f64) -> impl Iterator<Item = usize> + '_ {
        let first = self.singles.len() - self.couplings.contacts();
        self.singles[first..].iter().enumerate().filter(move |(_, found)| **found > allowed).map(|(i, _)| i)
    }

    /// The errors at a point; `local` is the condensed problem, which gives the ρ of the lawful pair.
    pub(crate) fn of(&mut self, g: &Global, local: &Local, mu: &[f64], point: Point<'_>) -> BackwardError {
        match local.W.block_size() {
            2 => sized::<2, 4>(self, g, (local, mu), point),
            _ => sized::<3, 9>(self, g, (local, mu), point),
        }
    }
}

fn sized<const D: usize, const DD: usize>(
    RowErrors { numbers, couplings: H, singles }: &mut RowErrors,
    g: &Global,
    (local, mu): (&Local, &[f64]),
    Point { v, u, r }: Point<'_>,
) -> BackwardError {
    let (n, blocks) = (g.f.len(), local.W.chunks::<DD>());
    numbers.clear();
    numbers.resize(2 * r.len() + 3 * n, 0.0);
    let (contacts, rows) = numbers.split_at_mut(2 * r.len());
    // r̂ and û − H v − w
    let (force, slips) = contacts.split_at_mut(r.len());
    let pairs = force.as_chunks_mut::<D>().0.iter_mut().zip(slips.as_chunks_mut::<D>().0);
    let given = u.as_chunks::<D>().0.iter().zip(r.as_chunks::<D>().0).zip(mu);
    for (i, ((force, slip), ((u, r), mu))) in pairs.zip(given).enumerate() {
        (*slip, *force) = lawful(u, r, *mu, &rho::<D, DD>(&blocks[local.W.diagonal(i)], 1.0));
        slip.iter_mut().zip(u).for_each(|(slip, u)| *slip -= u);
    }
    H.set::<D>(g);
    let (terms, products) = rows.split_at_mut(n);
    momenta(g, H, v, force.as_chunks::<D>().0, terms);
    // M v + f and Hᵀ r̂
    let (inertial, pushed) = products.split_at_mut(n);
    inertial.copy_from_slice(&g.f);
    g.M.mul_add(v, inertial);
    g.Ht.mul_add(force, pushed);
    singles.clear();
    let mut dynamics = Errors::default();
    for (k, (terms, (inertial, pushed))) in terms.iter_mut().zip(inertial.iter().zip(pushed)).enumerate() {
        let own = g.M.get(k, k).abs();
        singles.push(dynamics.add((inertial - *pushed).abs(), *terms, own));
        *terms /= own;
    }
    let mut kinematics = Errors::default();
    for (i, (slip, w)) in slips.as_chunks::<D>().0.iter().zip(g.w.as_chunks::<D>().0).enumerate() {
        let own = &blocks[local.W.diagonal(i)];
        let weight = largest_diagonal::<D, DD>(own);
        let scale = norm(w) + H.of(i).iter().map(|(k, h)| h * terms[*k]).sum::<f64>();
        let found = kinematics.add(norm(slip), scale, weight);
        singles.push(H.of(i).iter().map(|(k, _)| singles[*k]).fold(found, larger));
    }
    dynamics.total().max(kinematics.total())
}

/// The sums over rows or contacts.
#[derive(Default)]
struct Errors {
    single: f64,
    defects: f64,
    terms: f64,
}

impl Errors {
    /// The error of one of them.
    fn add(&mut self, defect: f64, terms: f64, weight: f64) -> f64 {
        let found = share(defect, terms);
        self.single = larger(self.single, found);
        if weight > 0.0 {
            self.defects += defect * defect / weight;
            self.terms += terms * terms / weight;
        }
        found
    }

    fn total(&self) -> BackwardError {
        BackwardError { whole: larger(0.0, share(self.defects, self.terms).sqrt()), single: self.single }
    }
}

/// t_k.
fn momenta<const D: usize>(g: &Global, H: &Couplings, v: &[f64], force: &[[f64; D]], terms: &mut [f64]) {
    terms.iter_mut().zip(&g.f).for_each(|(terms, f)| *terms = f.abs());
    for (l, v) in v.iter().enumerate() {
        g.M.column(l).for_each(|(k, m)| terms[k] += (m * v).abs());
    }
    for (i, force) in force.iter().enumerate() {
        let force = norm(force);
        H.of(i).iter().for_each(|(k, h)| terms[*k] += h * force);
    }
}

/// ‖H_ik‖ for every contact i and the coordinates k that move it.
#[derive(Clone, Debug, Default)]
struct Couplings {
    start: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl Couplings {
    fn set<const D: usize>(&mut self, g: &Global) {
        let Self { start, entries } = self;
        entries.clear();
        start.clear();
        start.push(0);
        for i in 0..g.Ht.ncols() / D {
            g.Ht.merged::<D>(i, |k, h| entries.push((k, norm(&h))));
            start.push(entries.len());
        }
    }

    fn contacts(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    fn of(&self, i: usize) -> &[(usize, f64)] {
        &self.entries[self.start[i]..self.start[i + 1]]
    }
}
