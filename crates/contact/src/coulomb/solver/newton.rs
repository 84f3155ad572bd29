//! What the Newton methods share: the function of Alart and Curnier, its linearisation in reduced unknowns, and the
//! line search.
//!
//! With y = r − ρ u per contact (ρ_N, ρ_T > 0), Coulomb's law is F(u, r) = 0 with
//! `F_N = r_N − max(0, y_N)`, `F_T = r_T − P(y_T)`, P the projection on the disc of radius μ max(0, y_N)
//! [Alart & Curnier 1991]. One Newton step solves, contact by contact:
//! y_N ≤ 0: r = 0; ‖y_T‖ ≤ μ y_N: u = 0; otherwise, with e = y_T/‖y_T‖ and t ⊥ e,
//! `u_N = 0`, `r_T = μ r_N e + r_t t`, `u_t + s r_t = 0`, s = (‖y_T‖ − μ y_N)/(ρ_T μ y_N),
//! which leaves 0, D or D − 1 unknowns per contact and needs no Jacobian of the projection.

use super::{Task, zeros};
use crate::coulomb::backward;
use crate::coulomb::backward::Rho;
use crate::coulomb::cone::tangent_norm;
use crate::coulomb::tolerance::METHODS;
use crate::linear::largest_diagonal;
use crate::linear::reduced::{Kept, Maps, Shape};

/// Step lengths per contact, `factor` over its own block's size.
pub(super) fn rho<const D: usize, const DD: usize>(
    task: &Task<'_>,
    factor: f64,
) -> impl Iterator<Item = Rho> {
    let (W, blocks) = (&task.local.W, task.local.W.chunks::<DD>());
    (0..task.mu.len()).map(move |i| backward::rho::<D, DD>(&blocks[W.diagonal(i)], factor))
}

/// Largest diagonal entry of W.
pub(crate) fn scale<const D: usize, const DD: usize>(task: &Task<'_>) -> f64 {
    let (W, blocks) = (&task.local.W, task.local.W.chunks::<DD>());
    let own = |i: usize| largest_diagonal::<D, DD>(&blocks[W.diagonal(i)]);
    (0..task.mu.len()).map(own).fold(0.0, f64::max)
}

/// F of Alart and Curnier for one contact.
#[inline]
pub(crate) fn alart_curnier<const D: usize>(u: &[f64; D], r: &[f64; D], mu: f64, rho: &Rho) -> [f64; D] {
    let y = augmented(u, r, rho);
    let normal = y[0].max(0.0);
    let length = tangent_norm(&y);
    let shrink = if length > mu * normal { mu * normal / length } else { 1.0 };
    let mut out = *r;
    out[0] -= normal;
    for a in 1..D {
        out[a] -= shrink * y[a];
    }
    out
}

#[inline]
fn augmented<const D: usize>(u: &[f64; D], r: &[f64; D], rho: &Rho) -> [f64; D] {
    let mut y = *r;
    y[0] -= rho[0] * u[0];
    for a in 1..D {
        y[a] -= rho[1] * u[a];
    }
    y
}

/// The reduced rows and columns of one contact at (u, r).
#[inline]
pub(crate) fn maps<const D: usize>(u: &[f64; D], r: &[f64; D], mu: f64, rho: &Rho) -> Maps<D> {
    let y = augmented(u, r, rho);
    let mut out = Maps::NONE;
    if y[0] <= 0.0 {
        return out;
    }
    out.rows[0][0] = 1.0;
    out.columns[0][0] = 1.0;
    out.size = 1;
    let (length, radius) = (tangent_norm(&y), mu * y[0]);
    if mu <= 0.0 {
        return out;
    }
    if length <= radius {
        for a in 1..D {
            out.rows[a][a] = 1.0;
            out.columns[a][a] = 1.0;
        }
        (out.shape, out.size) = (Shape::Whole, D);
        return out;
    }
    out.shape = Shape::Slip;
    out.columns[0].iter_mut().zip(&y).skip(1).for_each(|(c, y)| *c = mu * y / length);
    if D == 3 {
        let t = [-y[2] / length, y[1] / length];
        out.rows[1][1..].copy_from_slice(&t);
        out.columns[1][1..].copy_from_slice(&t);
        out.own[1][1] = (length - radius) / (rho[1] * radius);
        out.size = 2;
    }
    out
}

/// Buffers and factors of a Newton iteration.
#[derive(Debug, Default)]
pub(crate) struct Newton<const D: usize, const DD: usize> {
    pub(crate) linear: Kept<D, DD>,
    pub(crate) maps: Vec<Maps<D>>,
    pub(crate) rho: Vec<Rho>,
    pub(crate) x: Vec<[f64; D]>,
    /// The step in r, and in u.
    pub(crate) dr: Vec<f64>,
    pub(crate) du: Vec<f64>,
    pub(crate) zero: Vec<f64>,
}

impl<const D: usize, const DD: usize> Newton<D, DD> {
    /// Makes it that of a problem, with step lengths of `factor` over the size of every contact's own block; the symbolic
    /// analysis stays as long as the pattern of W does.
    pub(crate) fn prepare(&mut self, task: &Task<'_>, factor: f64) {
        let nc = task.mu.len();
        self.linear.prepare(&task.local.W);
        self.maps.clear();
        self.maps.resize(nc, Maps::NONE);
        self.rho.clear();
        self.rho.extend(rho::<D, DD>(task, factor));
        self.x.resize(nc, [0.0; D]);
        [&mut self.dr, &mut self.du, &mut self.zero].into_iter().for_each(|x| zeros(x, nc * D));
    }

    /// The Newton step from r with velocities u = W r + q for the proximal problem (W + αI, q − α c) centred at c;
    /// with α = 0 the plain step. False when the system is singular.
    pub(crate) fn step(&mut self, task: &Task<'_>, u: &[f64], r: &[f64], prox: &Prox<'_>) -> bool {
        let alpha = prox.alpha;
        let (u, r, c) = (u.as_chunks::<D>().0, r.as_chunks::<D>().0, prox.center.as_chunks::<D>().0);
        let q = task.local.q.as_chunks::<D>().0;
        for i in 0..r.len() {
            let map = maps(&shifted(&u[i], &r[i], &c[i], alpha), &r[i], task.mu[i], &self.rho[i]);
            for k in 0..map.size {
                self.x[i][k] = alpha * map.row(k, &c[i]) - map.row(k, &q[i]);
            }
            self.maps[i] = map;
        }
        if !self.linear.factor(&task.local.W, &self.maps, alpha) {
            return false;
        }
        self.linear.solve(&task.local.W, &self.maps, &mut self.x);
        for (i, dr) in self.dr.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            *dr = self.maps[i].force(&self.x[i]);
            (0..D).for_each(|a| dr[a] -= r[i][a]);
        }
        task.local.W.apply(&self.dr, &self.zero, &mut self.du);
        self.dr.iter().all(|x| x.is_finite())
    }

    /// Step length and merit of the nonmonotone search.
    pub(crate) fn search(
        &self,
        task: &Task<'_>,
        (u, r): (&[f64], &[f64]),
        prox: &Prox<'_>,
        history: &History,
    ) -> (f64, f64) {
        history.search(|tau| self.merit(task, u, r, prox, tau))
    }

    /// ½ Σ ‖F‖² of the proximal problem at (u + τ du, r + τ dr).
    pub(crate) fn merit(&self, task: &Task<'_>, u: &[f64], r: &[f64], prox: &Prox<'_>, tau: f64) -> f64 {
        let (u, r, c) = (u.as_chunks::<D>().0, r.as_chunks::<D>().0, prox.center.as_chunks::<D>().0);
        let (du, dr) = (self.du.as_chunks::<D>().0, self.dr.as_chunks::<D>().0);
        let mut sum = 0.0;
        for i in 0..r.len() {
            let (ui, ri) = (along(&u[i], &du[i], tau), along(&r[i], &dr[i], tau));
            let ui = shifted(&ui, &ri, &c[i], prox.alpha);
            sum += alart_curnier(&ui, &ri, task.mu[i], &self.rho[i]).iter().map(|x| x * x).sum::<f64>();
        }
        0.5 * sum
    }
}

/// The last few merits: a step may be as bad as the worst of them (nonmonotone search of Grippo, Lampariello and
/// Lucidi), because the merit often rises before the set of contacts with force settles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct History {
    last: [f64; 4],
    next: usize,
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}

impl History {
    pub(crate) fn new() -> Self {
        Self { last: [f64::NEG_INFINITY; 4], next: 0 }
    }

    pub(crate) fn push(&mut self, merit: f64) {
        self.last[self.next] = merit;
        self.next = (self.next + 1) % self.last.len();
    }

    /// Step length by halving until the merit is below the worst of the last; the merit there.
    pub(crate) fn search(&self, merit: impl Fn(f64) -> f64) -> (f64, f64) {
        let reference = self.last.iter().fold(0.0, |m: f64, &x| m.max(x));
        let mut tau = 1.0;
        loop {
            let value = merit(tau);
            if value <= (1.0 - ARMIJO * tau) * reference || tau <= SHORTEST {
                return (tau, value);
            }
            tau *= 0.5;
        }
    }
}

/// Sufficient decrease, and the shortest step: a shorter one only loses time, the full matrix changes sooner.
const ARMIJO: f64 = METHODS.sufficient;
const SHORTEST: f64 = 0.01;

/// Weight and centre of a proximal problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prox<'a> {
    /// α ≥ 0.
    pub(crate) alpha: f64,
    /// c, of the size of r.
    pub(crate) center: &'a [f64],
}

#[inline]
fn along<const D: usize>(x: &[f64; D], d: &[f64; D], tau: f64) -> [f64; D] {
    let mut out = *x;
    (0..D).for_each(|a| out[a] += tau * d[a]);
    out
}

/// u + α (r − c).
#[inline]
fn shifted<const D: usize>(u: &[f64; D], r: &[f64; D], c: &[f64; D], alpha: f64) -> [f64; D] {
    let mut out = *u;
    (0..D).for_each(|a| out[a] += alpha * (r[a] - c[a]));
    out
}
