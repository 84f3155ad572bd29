//! What breaks an equilibrium: the least friction, push or tilt of gravity at which no forces in the cones balance the load any more
//! (weak stability is lost).
//!
//! Loads that forces of the cones balance form a polyhedral cone in the space of the motions that the contacts see, D = L Lᵀ: −a₀ is in
//! the hull of the rays Lᵀf. Its faces y·(−a) ≥ 0 say where a load leaves it: along a push a₀ + s d at −y·a₀ / y·d, along a
//! turn a + b cos ψ + c sin ψ at a root of a sine, and in kinetic energy's metric at the distance −y·a₀. Friction moves the
//! faces themselves: its least factor is found by linear programs, each of which widens the room to the smaller cones.

use crate::num::Tol;
use crate::predict::{Contacts, Mode};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// Sets of rays up to which faces are looked for.
const SETS: usize = 20_000;
/// Halvings of a factor on friction: to its last digit.
const HALVINGS: usize = 53;

/// What an equilibrium stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Robustness {
    /// The least factor on all coefficients of friction at which forces still balance the load.
    pub friction_factor: Option<f64>,
    /// The least coefficient of each contact, the others keeping theirs.
    pub friction: Vec<Option<f64>>,
    /// The least push of any direction as a share of the load, both measured by the kinetic energy that they bring about in a given time;
    /// infinite if any load is held.
    pub push: f64,
    /// The largest multiples of each given push that are held, forwards and backwards.
    pub pushes: Vec<[f64; 2]>,
    /// The angles by which gravity may turn, clockwise and counter-clockwise.
    pub tilt: Option<[f64; 2]>,
}

/// The cone of loads that are held.
pub(super) struct Held {
    /// L, by contact rows.
    pub(super) rows: DMatrix<f64>,
    /// Rows from which a load is read.
    basis: Vec<usize>,
    /// Unit normals, inwards.
    faces: Vec<DVector<f64>>,
}

/// Accelerations of the contact rows under gravity, and under gravity turned by a right angle counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub struct Gravity<'a> {
    /// As it is.
    pub along: &'a [f64],
    /// Turned.
    pub across: &'a [f64],
}

impl Contacts {
    /// What an equilibrium stands whose contacts see every motion; pushes and gravity by the accelerations of the contact rows that
    /// they cause. None if the cone has more faces than are looked for or does not fill the space, and with bilateral contacts.
    pub fn robustness(
        &self,
        pushes: &[Vec<f64>],
        gravity: Option<Gravity<'_>>,
        tol: &Tol,
    ) -> Option<Robustness> {
        if (0..self.len()).any(|i| !self.is_unilateral(i)) {
            return None;
        }
        let held = self.held_loads(tol)?;
        let load = held.load(&self.c)?;
        let scaled = |x: &[f64]| self.load_of(&held, x);
        let reach = |push: &Vec<f64>| {
            let push = scaled(push)?;
            Some([1.0, -1.0].map(|sign| held.reach(&load, &(sign * &push), tol)))
        };
        let turn = |gravity: Gravity<'_>| {
            let (along, across) = (scaled(gravity.along)?, scaled(gravity.across)?);
            Some([-1.0, 1.0].map(|sign| held.turn(&load, &along, &(sign * &across), tol)))
        };
        let push = held.faces.iter().map(|face| -face.dot(&load)).fold(f64::INFINITY, f64::min);
        Some(Robustness {
            friction_factor: self.least_friction(&held, &load, None, tol),
            friction: (0..self.len())
                .map(|i| Some(self.least_friction(&held, &load, Some(i), tol)? * self.friction(i).mu()))
                .collect(),
            push: (push / load.norm()).max(0.0),
            pushes: pushes.iter().map(reach).collect::<Option<_>>()?,
            tilt: match gravity {
                Some(gravity) => Some(turn(gravity)?),
                None => None,
            },
        })
    }

    /// Edges of the friction cones with factors on their friction, in the space of the motions.
    fn edges(&self, rows: &DMatrix<f64>, factor: impl Fn(usize) -> f64) -> Vec<DVector<f64>> {
        let sticks = Mode::STICK;
        (0..self.len()).flat_map(|i| self.edges_of(rows, i, sticks, factor(i))).collect()
    }

    /// Edges of the forces that a mode permits at a unilateral contact, with a factor on its friction.
    pub(super) fn edges_of(
        &self,
        rows: &DMatrix<f64>,
        i: usize,
        mode: Mode,
        factor: f64,
    ) -> Vec<DVector<f64>> {
        let (normal, tangent) = (rows.row(2 * i).transpose(), rows.row(2 * i + 1).transpose());
        let friction = self.friction(i);
        let infinite = friction.is_infinite();
        let mu =
            if infinite { 0.0 } else { factor * friction.mu() * self.unit[2 * i + 1] / self.unit[2 * i] };
        let mut edges = match mode {
            Mode::Free => Vec::new(),
            Mode::Slip { along: [sign, _], .. } if infinite => vec![-sign * tangent],
            Mode::Slip { along: [sign, _], .. } => vec![normal - sign * mu * tangent],
            Mode::Stick { .. } if infinite => vec![normal, tangent.clone(), -tangent],
            Mode::Stick { .. } => vec![&normal + mu * &tangent, &normal - mu * &tangent],
        };
        // forces that move nothing hold nothing
        edges.retain(|edge| edge.norm() > 0.0);
        edges
    }

    /// The load that makes given accelerations of the contact rows, in the mechanism's units.
    pub(super) fn load_of(&self, held: &Held, rows: &[f64]) -> Option<DVector<f64>> {
        held.load(&rows.iter().zip(&self.unit).map(|(x, unit)| x / unit).collect::<Vec<_>>())
    }

    pub(super) fn held_loads(&self, tol: &Tol) -> Option<Held> {
        let all: Vec<usize> = (0..2 * self.len()).collect();
        let basis = self.basis(&all, tol.dependent);
        let r = basis.rows.len();
        let block = DMatrix::from_fn(r, r, |i, j| self.D[(basis.rows[i], basis.rows[j])]);
        let factor = block.cholesky()?.l();
        let mut rows = DMatrix::zeros(2 * self.len(), r);
        for (i, &row) in basis.rows.iter().enumerate() {
            rows.set_row(row, &factor.row(i));
        }
        for (row, alpha) in &basis.others {
            let combined = alpha
                .iter()
                .enumerate()
                .fold(DVector::zeros(r), |sum, (i, a)| sum + *a * factor.row(i).transpose());
            rows.set_row(*row, &combined.transpose());
        }
        let edges = self.edges(&rows, |_| 1.0);
        if span(&edges, tol)?.ncols() < r {
            return None;
        }
        Some(Held { faces: faces(&edges, r, tol)?, rows, basis: basis.rows })
    }

    /// The least factor on the friction of one contact, or of all, at which the load is held: the cones grow with it.
    fn least_friction(
        &self,
        held: &Held,
        load: &DVector<f64>,
        only: Option<usize>,
        tol: &Tol,
    ) -> Option<f64> {
        let holds = |factor: f64| {
            let edges =
                self.edges(&held.rows, |i| if only.is_none_or(|only| only == i) { factor } else { 1.0 });
            balances(&edges, load, tol)
        };
        if (0..self.len()).any(|i| self.friction(i).is_infinite()) {
            return None;
        }
        if holds(0.0)? {
            return Some(0.0);
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if holds(middle)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some(high)
    }
}

impl Held {
    /// The acceleration whose rows are given.
    pub(super) fn load(&self, rows: &[f64]) -> Option<DVector<f64>> {
        let r = self.basis.len();
        let factor = DMatrix::from_fn(r, r, |i, j| self.rows[(self.basis[i], j)]);
        let known = DVector::from_fn(r, |i, _| rows[self.basis[i]]);
        factor.solve_lower_triangular(&known)
    }

    /// The largest multiple of a push that is held on top of a load.
    fn reach(&self, load: &DVector<f64>, push: &DVector<f64>, tol: &Tol) -> f64 {
        let of = |face: &DVector<f64>| {
            let (room, rate) = (-face.dot(load), face.dot(push));
            (rate > tol.marginal * push.norm()).then(|| (room / rate).max(0.0))
        };
        self.faces.iter().filter_map(of).fold(f64::INFINITY, f64::min)
    }

    /// The angle by which the part `along` of a load may turn towards `across`.
    fn turn(&self, load: &DVector<f64>, along: &DVector<f64>, across: &DVector<f64>, tol: &Tol) -> f64 {
        let of = |face: &DVector<f64>| {
            let (fixed, cosine, sine) = (face.dot(load) - face.dot(along), face.dot(along), face.dot(across));
            // fixed + r cos(ψ − δ) = 0 for the first time
            let (r, delta) = (cosine.hypot(sine), sine.atan2(cosine));
            (r > tol.marginal * along.norm() && fixed.abs() <= r).then(|| {
                let half = (-fixed / r).acos();
                // the load is inside at ψ = 0, so that it leaves where the sum rises through zero
                let angle = (delta - half).rem_euclid(TAU);
                // a whole turn but for rounding is none
                if TAU - angle <= tol.marginal { 0.0 } else { angle }
            })
        };
        self.faces.iter().filter_map(of).fold(f64::INFINITY, f64::min)
    }
}

/// An orthonormal basis of the space that rays span; none if there is no ray.
pub(super) fn span(rays: &[DVector<f64>], tol: &Tol) -> Option<DMatrix<f64>> {
    if rays.is_empty() {
        return None;
    }
    let units: Vec<DVector<f64>> = rays.iter().map(|ray| ray / ray.norm()).collect();
    let svd = DMatrix::from_columns(&units).svd(true, false);
    let kept: Vec<usize> =
        (0..svd.singular_values.len()).filter(|&i| svd.singular_values[i] > tol.closed).collect();
    Some(svd.u?.select_columns(&kept))
}

/// Whether non-negative multiples of the rays add up to the opposite of a load; none if that is not known.
fn balances(rays: &[DVector<f64>], load: &DVector<f64>, tol: &Tol) -> Option<bool> {
    let basis = span(rays, tol)?;
    let within = basis.transpose() * load;
    let small = tol.marginal * load.norm();
    if (load - &basis * &within).norm() > small {
        return Some(false);
    }
    let rays: Vec<DVector<f64>> = rays.iter().map(|ray| basis.transpose() * ray).collect();
    Some(faces(&rays, basis.ncols(), tol)?.iter().all(|face| -face.dot(&within) >= -small))
}

/// Unit normals, inwards, of the planes through r − 1 rays that have all on one side; none if there are too many to look at.
pub(super) fn faces(rays: &[DVector<f64>], r: usize, tol: &Tol) -> Option<Vec<DVector<f64>>> {
    let mut found: Vec<DVector<f64>> = Vec::new();
    for_each_set(rays.len(), r - 1, |chosen| {
        let normal = normal(rays, chosen, r, tol);
        for face in normal.iter().flat_map(|normal| [normal.clone(), -normal]) {
            let inside = rays.iter().all(|ray| face.dot(ray) >= -tol.marginal * ray.norm());
            if inside && !found.iter().any(|other| (other - &face).norm() <= tol.closed) {
                found.push(face);
            }
        }
    })?;
    Some(found)
}

/// Every set of so many numbers below n, in order; none if there are too many.
pub(super) fn for_each_set(n: usize, count: usize, mut visit: impl FnMut(&[usize])) -> Option<()> {
    if count > n {
        return Some(());
    }
    let mut chosen: Vec<usize> = (0..count).collect();
    for _ in 0..SETS {
        visit(&chosen);
        if !advance(&mut chosen, n) {
            return Some(());
        }
    }
    None
}

/// The next set of numbers below n, in order.
fn advance(chosen: &mut [usize], n: usize) -> bool {
    let k = chosen.len();
    let Some(last) = (0..k).rev().find(|&i| chosen[i] + k - i < n) else { return false };
    chosen[last] += 1;
    (last + 1..k).for_each(|i| chosen[i] = chosen[i - 1] + 1);
    true
}

/// The unit vector across r − 1 independent rays.
fn normal(rays: &[DVector<f64>], chosen: &[usize], r: usize, tol: &Tol) -> Option<DVector<f64>> {
    if r == 3 {
        let [a, b] = [rays.get(chosen[0])?, rays.get(chosen[1])?];
        let across = a.cross(b);
        let size = across.norm();
        return (size > tol.closed * a.norm() * b.norm()).then(|| across / size);
    }
    let mut across = DMatrix::zeros(r, r);
    for (i, &k) in chosen.iter().enumerate() {
        across.set_row(i, &(rays.get(k)?.transpose() / rays[k].norm()));
    }
    let found = across.svd(false, true);
    let V = found.v_t?;
    let small = found.singular_values.iter().filter(|s| **s <= tol.closed).count();
    let least = (0..r).min_by(|&i, &j| found.singular_values[i].total_cmp(&found.singular_values[j]))?;
    (small == 1).then(|| V.row(least).transpose())
}
