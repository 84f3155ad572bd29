//! A residual without units: the contactwise backward error of a force, and whether it tells anything.
//!
//! For every contact y = r − ρ u, with ρ the inverse of its own block, splits into a pair that obeys Coulomb's law
//! *exactly*, whatever y is: `r̂_N = max(0, y_N)`, r̂_T = the point nearest to y_T in the disc of radius μ r̂_N, and
//! `û = (r̂ − y)/ρ`. Then with d = û − W r̂ − q and T_i = ‖q_i‖ + Σ_j ‖W_ij‖ ‖r̂_j‖ (Frobenius norms of the blocks),
//!
//! `η_i = ‖d_i‖ / T_i`
//!
//! are the least numbers such that (û, r̂) solves a problem whose blocks W_ij and q_i differ from the given ones by at most
//! η_i ‖W_ij‖ and η_i ‖q_i‖ [OP64]. They do not change with the units, and more: u_i → α_i u_i, r_i → β_i r_i with any
//! positive factors for every single contact, and turned tangents, leave them as they are. For the problem as a whole, with
//! ρ_i the inverse of the largest diagonal entry of W_ii, which makes the squares energies of one unit,
//!
//! `η² = Σ ρ_i ‖d_i‖² / Σ ρ_i T_i²`.
//!
//! Where the terms of W r cancel, a force that grows without bound makes all of them as small as one likes, with and without
//! a solution. So they count in full only where q has a share in the terms: y_i is the widest path in the graph of the
//! couplings s_ij = ‖W_ij‖ ‖r̂_j‖ / T_i to a contact where q is a share c_i = ‖q_i‖ / T_i of its own terms,
//! `y_i = max(c_i, max_j min(s_ij, y_j))`; it does not change with units either. Below a least share what is allowed falls
//! with its square, and where it falls below the rounding of T_i nothing can be said.

use super::cone::tangent_norm;
use super::problem::Local;
use super::status::Status;
use super::tolerance::SolverTol;
use crate::linear::{largest_diagonal, mul_add};
use crate::num::dense;

/// ρ_N and ρ_T of one contact.
pub(crate) type Rho = [f64; 2];

/// Step lengths of one contact, `factor` over its own block's size.
#[inline]
pub(crate) fn rho<const D: usize, const DD: usize>(w: &[f64; DD], factor: f64) -> Rho {
    let safe = |x: f64| if x > f64::MIN_POSITIVE { factor / x } else { factor };
    let tangent: f64 = (1..D).map(|a| w[a * D + a]).sum();
    [safe(w[0]), safe(tangent / (D - 1) as f64)]
}

/// The pair (û, r̂) that obeys the law exactly, with r̂ − ρ û = r − ρ u.
#[inline]
pub(crate) fn lawful<const D: usize>(u: &[f64; D], r: &[f64; D], mu: f64, rho: &Rho) -> ([f64; D], [f64; D]) {
    let mut y = *r;
    (0..D).for_each(|a| y[a] -= rho[usize::from(a > 0)] * u[a]);
    let mut speed = [0.0; D];
    if y[0] <= 0.0 {
        (0..D).for_each(|a| speed[a] = u[a] - r[a] / rho[usize::from(a > 0)]);
        return (speed, [0.0; D]);
    }
    let length = tangent_norm(&y);
    if length <= mu * y[0] {
        return (speed, y);
    }
    let mut force = y.map(|x| x * (mu * y[0] / length));
    force[0] = y[0];
    (0..D).for_each(|a| speed[a] = (force[a] - y[a]) / rho[usize::from(a > 0)]);
    (speed, force)
}

/// What the backward error of a point says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Every contact is within the tolerance.
    Within,
    /// Some contact is not.
    Beyond,
    /// Every contact is as far as rounding lets see, and rounding hides more than may be overlooked.
    Hidden,
}

impl Verdict {
    /// Both: an error that is seen counts before one that is hidden.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Beyond, _) | (_, Self::Beyond) => Self::Beyond,
            (Self::Hidden, _) | (_, Self::Hidden) => Self::Hidden,
            (Self::Within, Self::Within) => Self::Within,
        }
    }
}

/// The backward error of a point, and what it says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Backward {
    /// The errors.
    pub(crate) error: BackwardError,
    /// The largest quotient of an error and what is allowed.
    pub(crate) excess: f64,
    /// What they say.
    pub(crate) verdict: Verdict,
}

/// Backward errors, without units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackwardError {
    /// η of the problem as a whole.
    pub whole: f64,
    /// The largest η_i of a single contact; in the global form also of a single row of the dynamics.
    pub single: f64,
}

impl BackwardError {
    /// That of what is not even numbers.
    pub const INFINITE: Self = Self { whole: f64::INFINITY, single: f64::INFINITY };

    /// The larger of both kinds.
    pub(crate) fn max(self, other: Self) -> Self {
        Self { whole: larger(self.whole, other.whole), single: larger(self.single, other.single) }
    }

    /// How many times more than allowed at this tolerance.
    pub(crate) fn excess(self, tolerance: f64, tol: &SolverTol) -> f64 {
        larger(self.whole / tolerance, self.single / (tolerance * tol.single))
    }
}

impl Backward {
    /// With the errors of the rows of a global problem.
    pub(crate) fn and_rows(self, rows: BackwardError, tolerance: f64, tol: &SolverTol) -> Self {
        let excess = rows.excess(tolerance, tol);
        let verdict = if excess <= 1.0 { Verdict::Within } else { Verdict::Beyond };
        Self {
            error: self.error.max(rows),
            excess: larger(self.excess, excess),
            verdict: self.verdict.and(verdict),
        }
    }
}

/// What one contact contributes; of û and r̂ the first D entries.
#[derive(Clone, Copy, Debug)]
struct Contact {
    /// û_i.
    speed: [f64; 3],
    /// r̂_i.
    lawful: [f64; 3],
    /// ‖r̂_i‖.
    force: f64,
    /// ‖W_ii‖ ‖r̂_i‖.
    own: f64,
    /// T_i.
    size: f64,
    /// ‖d_i‖.
    defect: f64,
    /// 1/ρ_i.
    weight: f64,
    /// ‖q_i‖.
    free: f64,
}

/// The terms of every contact, for one force.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    contacts: Vec<Contact>,
    /// ‖W_ij‖ ‖r̂_j‖ of every stored block.
    couplings: Vec<f64>,
    shares: Shares,
}

/// The shares y_i, in memory that stays.
#[derive(Clone, Debug, Default)]
struct Shares {
    /// Nothing if none is less than the least of interest.
    values: Vec<f64>,
    /// Contacts whose share is still less.
    open: Vec<usize>,
}

impl Terms {
    /// Becomes the terms at (u, r), with u = W r + q.
    pub(crate) fn set(&mut self, local: &Local, mu: &[f64], u: &[f64], r: &[f64]) {
        match local.W.block_size() {
            2 => self.set_sized::<2, 4>(local, mu, u, r),
            _ => self.set_sized::<3, 9>(local, mu, u, r),
        }
    }

    fn set_sized<const D: usize, const DD: usize>(
        &mut self,
        local: &Local,
        mu: &[f64],
        u: &[f64],
        r: &[f64],
    ) {
        let (W, blocks) = (&local.W, local.W.chunks::<DD>());
        let (u, r, q) = (u.as_chunks::<D>().0, r.as_chunks::<D>().0, local.q.as_chunks::<D>().0);
        self.contacts.clear();
        let pairs = u.iter().zip(r).zip(q).zip(mu).enumerate();
        self.contacts.extend(
            pairs.map(|(i, (((u, r), q), mu))| Contact::new::<D, DD>(&blocks[W.diagonal(i)], (u, r), q, *mu)),
        );
        self.couplings.clear();
        for (i, q) in q.iter().enumerate() {
            let (mut size, mut own, mut rest) = (self.contacts[i].size, 0.0, *q);
            for k in W.row(i) {
                let (j, block) = (W.column(k), &blocks[k]);
                let other = &self.contacts[j];
                let mut coupling = 0.0;
                if other.force > 0.0 {
                    coupling = norm(block) * other.force;
                    mul_add::<D, DD>(block, &leading(&other.lawful), &mut rest);
                    size += coupling;
                    own = if j == i { coupling } else { own };
                }
                self.couplings.push(coupling);
            }
            let contact = &mut self.contacts[i];
            (0..D).for_each(|a| rest[a] = contact.speed[a] - rest[a]);
            (contact.size, contact.own, contact.defect) = (size, own, norm(&rest));
        }
    }

    /// r̂, the force that the errors are about.
    pub(crate) fn lawful_force(&self, dim: usize, out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.contacts.iter().flat_map(|contact| &contact.lawful[..dim]));
    }

    /// η and the largest η_i, infinite where something is not a number.
    pub(crate) fn error(&self) -> BackwardError {
        let single = self.contacts.iter().map(Contact::error).fold(0.0, larger);
        let (mut defects, mut sizes) = (0.0, 0.0);
        if single > 0.0 {
            for contact in self.contacts.iter().filter(|contact| contact.weight > 0.0) {
                defects += contact.defect * contact.defect / contact.weight;
                sizes += contact.size * contact.size / contact.weight;
            }
        }
        BackwardError { whole: larger(0.0, share(defects, sizes).sqrt()), single }
    }

    /// The contacts that miss this.
    pub(crate) fn beyond(&self, allowed: f64) -> impl Iterator<Item = usize> + '_ {
        let found = self.contacts.iter().enumerate();
        found.filter(move |(_, contact)| contact.error() > allowed).map(|(i, _)| i)
    }

    /// What the terms say, at this tolerance.
    pub(crate) fn judge(&mut self, local: &Local, tolerance: f64, tol: &SolverTol) -> Backward {
        let error = self.error();
        let mut out = Backward { error, excess: error.excess(tolerance, tol), verdict: Verdict::Within };
        self.shares.find((&self.contacts, &self.couplings), local, tol);
        let shares = &self.shares.values;
        if out.excess <= 1.0 && shares.is_empty() {
            return out;
        }
        if !self.contacts.iter().all(|contact| contact.size.is_finite()) {
            out.verdict = Verdict::Hidden;
            return out;
        }
        let mut seen = 0.0_f64;
        for (i, contact) in self.contacts.iter().enumerate() {
            let (found, rounding) = (contact.error(), rounding(local, i));
            let share = shares.get(i).copied().unwrap_or(1.0).min(tol.least_share) / tol.least_share;
            let allowed = tolerance * tol.single * share * share;
            out.excess = larger(out.excess, if found > 0.0 { found / allowed } else { 0.0 });
            seen = seen.max(found / rounding);
            if found > allowed.max(rounding) {
                out.verdict = Verdict::Beyond;
            } else if found > allowed || (allowed < rounding && share < 1.0) {
                out.verdict = out.verdict.and(Verdict::Hidden);
            }
        }
        if error.whole > tolerance {
            out.verdict = out.verdict.and(if seen > 1.0 { Verdict::Beyond } else { Verdict::Hidden });
        }
        out
    }

    /// The statuses of the contacts: a sliding within the tolerance of a single contact, as a share of its terms, is none.
    /// A force that moves its contact by no more than that is none either, unless the point is so good that it shows: the
    /// impulse of a short step is a small share beside the speed of its slip.
    pub(crate) fn statuses(&self, local: &Local, tolerance: f64, tol: &SolverTol, out: &mut Vec<Status>) {
        let d = local.W.block_size();
        let status = |(i, contact): (usize, &Contact)| {
            let scale = tolerance * tol.single * contact.size;
            let known = tol.single * contact.error().max(rounding(local, i)) * contact.size;
            if contact.force <= 0.0 || contact.own <= known.min(scale) {
                Status::TakeOff
            } else if dense::norm(&contact.speed[1..d]) <= scale {
                Status::Stick
            } else {
                Status::Slip
            }
        };
        out.clear();
        out.extend(self.contacts.iter().enumerate().map(status));
    }
}

impl Shares {
    /// Exact up to the least share of interest, and from below where the sweeps do not suffice.
    fn find(&mut self, (contacts, couplings): (&[Contact], &[f64]), local: &Local, tol: &SolverTol) {
        let Self { values: shares, open } = self;
        shares.clear();
        if contacts.iter().all(|contact| contact.free >= tol.least_share * contact.size) {
            return;
        }
        let W = &local.W;
        let own = |contact: &Contact| if contact.size > 0.0 { contact.free / contact.size } else { 1.0 };
        shares.extend(contacts.iter().map(own));
        open.clear();
        open.extend((0..shares.len()).filter(|&i| shares[i] < tol.least_share));
        for _ in 0..tol.share_sweeps {
            let mut changed = false;
            for &i in &*open {
                let path = |k: usize| (couplings[k] / contacts[i].size).min(shares[W.column(k)]);
                let best = W.row(i).map(path).fold(shares[i], f64::max);
                changed |= best > shares[i];
                shares[i] = best;
            }
            open.retain(|&i| shares[i] < tol.least_share);
            if open.is_empty() || !changed {
                break;
            }
            // the next sweep goes the other way
            open.reverse();
        }
    }
}

impl Contact {
    /// The lawful pair and the sizes of a contact, without what the others add.
    #[inline]
    fn new<const D: usize, const DD: usize>(
        own: &[f64; DD],
        (u, r): (&[f64; D], &[f64; D]),
        q: &[f64; D],
        mu: f64,
    ) -> Self {
        let (speed, lawful) = if r.iter().all(|x| x.abs() <= 0.0) && u[0] >= 0.0 {
            (*u, *r)
        } else {
            lawful(u, r, mu, &rho::<D, DD>(own, 1.0))
        };
        let force = if lawful[0] > 0.0 { norm(&lawful) } else { 0.0 };
        let weight = largest_diagonal::<D, DD>(own);
        let free = norm(q);
        let (speed, lawful) = (leading(&speed), leading(&lawful));
        Self { speed, lawful, force, own: 0.0, size: free, defect: 0.0, weight, free }
    }

    /// η of this contact.
    fn error(&self) -> f64 {
        share(self.defect, self.size)
    }
}

/// Most that rounding contributes to the defect of contact i, as a share of its terms: one unit in the last place per term
/// of the sum [H02 3.1].
fn rounding(local: &Local, i: usize) -> f64 {
    (local.W.row(i).len() * local.W.block_size() + 2) as f64 * f64::EPSILON
}

/// The first entries, and zeros where there are none.
#[inline(always)]
fn leading<const FROM: usize, const TO: usize>(x: &[f64; FROM]) -> [f64; TO] {
    std::array::from_fn(|a| if a < FROM { x[a] } else { 0.0 })
}

#[inline]
pub(crate) fn norm<const N: usize>(x: &[f64; N]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A part of a whole, of which there may be nothing.
pub(crate) fn share(part: f64, whole: f64) -> f64 {
    if part > 0.0 { part / whole } else { part }
}

/// The larger, and infinity for what is not a number.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}
