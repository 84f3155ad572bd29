//! Nonsmooth Newton method on the Fischer-Burmeister function of the second-order cone, smoothed, with line search.
//!
//! With x = (μ r_N, r_T) and y = ρ (ũ_N, μ ũ_T) both cones become ‖x_T‖ ≤ x_N, and Coulomb's law is
//! `φ(x, y) = x + y − (x∘x + y∘y)^{1/2} = 0` in the Jordan algebra of that cone,
//! x∘x = (‖x‖², 2 x_N x_T) [Fukushima, Luo & Tseng 2002]. With w = (x∘x + y∘y + ε² e)^{1/2} and the arrow matrix L,
//! `φ′ = (I − L_w⁻¹ L_x) dx + (I − L_w⁻¹ L_y) dy`; ε > 0 keeps L_w regular and falls with ‖φ‖. A contact without
//! friction has the scalar function in its normal direction and r_T = 0.

use super::checkpoint::{Checkpoint, Checkpoints, Resumable};
use super::newton::{History, Newton};
use super::workspace::Buffers;
use super::{Monitor, Options, Solver, Task, Workspace};
use crate::coulomb::cone::{de_saxce, tangent_norm};
use crate::coulomb::tolerance::METHODS;
use crate::linear::reduced::Maps;

/// Nonsmooth Newton on the Fischer-Burmeister function.
#[derive(Clone, Copy, Debug, Default)]
pub struct FischerBurmeister;

/// Added to the diagonal of the matrix, whose entries are of order 1, for hyperstatic problems: the least, the
/// largest, and the factors by which it grows after a bad step and falls after a good one.
const REGULARISATION: [f64; 2] = METHODS.fischer_burmeister;
const GROW: f64 = 30.0;
const FALL: f64 = 0.1;
/// A step shorter than this is bad.
const SHORT: f64 = 0.1;
/// ε² relative to ‖φ‖² of the contact.
const SMOOTHING: f64 = METHODS.smoothing;
/// The smallest ε², relative to the square of the largest x or y.
const SMOOTHING_FLOOR: f64 = METHODS.smoothing_floor;

impl Solver for FischerBurmeister {
    fn name(&self) -> &'static str {
        "fischer-burmeister"
    }

    fn solve(&self, task: &Task<'_>, options: &Options, workspace: &mut Workspace, r: &mut [f64]) -> usize {
        self.once(task, options, workspace, r)
    }
}

impl Resumable for FischerBurmeister {
    fn checkpoint(checkpoints: &mut Checkpoints) -> &mut Checkpoint {
        &mut checkpoints.fischer_burmeister
    }

    fn run<const D: usize, const DD: usize>(
        &self,
        task: &Task<'_>,
        options: &Options,
        (buffers, checkpoint): (&mut Buffers<D, DD>, &mut Checkpoint),
        r: &mut [f64],
    ) -> usize {
        let Buffers { monitor, newton, .. } = buffers;
        let newton = newton.get_or_insert_default();
        newton.prepare(task, 1.0);
        checkpoint.enter(r);
        monitor.start(task, r);
        System::new(task, newton).iterate(options, monitor, checkpoint, r)
    }
}

/// The equations φ = 0 of all contacts, and their Newton steps.
pub(super) struct System<'a, const D: usize, const DD: usize> {
    pub(super) task: &'a Task<'a>,
    pub(super) newton: &'a mut Newton<D, DD>,
    /// Added to the diagonal of the matrix.
    pub(super) shift: f64,
    /// ε² of every contact over its weight; 0 for ε = 0, with weights 1.
    pub(super) epsilon: f64,
}

impl<'a, const D: usize, const DD: usize> System<'a, D, DD> {
    /// With ε = 0, for the step lengths of a method that is prepared.
    pub(super) fn new(task: &'a Task<'a>, newton: &'a mut Newton<D, DD>) -> Self {
        Self { task, newton, shift: REGULARISATION[0], epsilon: 0.0 }
    }

    /// A contact at (u, r).
    pub(super) fn pair(&self, i: usize, u: &[f64; D], r: &[f64; D]) -> Pair<D> {
        Pair::new(u, r, self.task.mu[i], self.newton.rho[i][0])
    }

    /// The unit of ‖φ‖² at a contact: with it ε stands for one power r·ũ at all of them.
    fn weight(&self, i: usize) -> f64 {
        let mu = self.task.mu[i];
        if self.epsilon > 0.0 { self.newton.rho[i][0] * if mu > 0.0 { mu } else { 1.0 } } else { 1.0 }
    }

    /// ε² of a contact.
    pub(super) fn smoothing(&self, i: usize) -> f64 {
        self.epsilon * self.weight(i)
    }

    /// The matrix is more regular after a bad step, of length `tau`, and less so after a good one.
    pub(super) fn adapt(&mut self, tau: f64) {
        let factor = if tau < SHORT { GROW } else { FALL };
        self.shift = (self.shift * factor).clamp(REGULARISATION[0], REGULARISATION[1]);
    }

    /// The same after none.
    pub(super) fn give_up(&mut self) {
        self.shift = (self.shift * GROW).min(REGULARISATION[1]);
    }

    fn iterate(
        &mut self,
        options: &Options,
        monitor: &mut Monitor,
        checkpoint: &mut Checkpoint,
        r: &mut [f64],
    ) -> usize {
        let mut history = History::new();
        if checkpoint.is_begun() {
            (self.shift, history) = (checkpoint.shift, checkpoint.history);
        }
        let mut used = 0;
        while used < options.iterations && monitor.residual() > options.tolerance && !options.is_late() {
            used += 1;
            if !self.newton_step(monitor.velocity(), r) {
                self.give_up();
                continue;
            }
            history.push(self.merit(monitor.velocity(), r, 0.0));
            let (tau, _) = history.search(|tau| self.merit(monitor.velocity(), r, tau));
            self.adapt(tau);
            r.iter_mut().zip(&self.newton.dr).for_each(|(r, d)| *r += tau * d);
            monitor.observe(self.task, r);
        }
        (checkpoint.shift, checkpoint.history) = (self.shift, history);
        checkpoint.leave(r);
        monitor.restore(r);
        used
    }

    /// Solves φ′ dr = −φ; false when the matrix is singular.
    pub(super) fn newton_step(&mut self, u: &[f64], r: &[f64]) -> bool {
        let (u, r) = (u.as_chunks::<D>().0, r.as_chunks::<D>().0);
        let W = &self.task.local.W;
        let mut largest = f64::MIN_POSITIVE.sqrt();
        for i in 0..r.len() {
            let pair = self.pair(i, &u[i], &r[i]);
            largest = pair.x.iter().chain(&pair.y).fold(largest, |m, x| m.max(x.abs()));
        }
        let floor = SMOOTHING_FLOOR * largest * largest;
        for i in 0..r.len() {
            let (contact, smoothing) = (self.pair(i, &u[i], &r[i]), self.smoothing(i));
            let phi = contact.phi(smoothing);
            let epsilon = (SMOOTHING * phi.iter().map(|x| x * x).sum::<f64>()).max(floor).max(smoothing);
            self.newton.maps[i] = contact.jacobian(&u[i], epsilon);
            self.newton.x[i] = phi.map(|x| -x);
        }
        let newton = &mut *self.newton;
        if !newton.linear.factor(W, &newton.maps, self.shift) {
            return false;
        }
        newton.linear.solve(W, &newton.maps, &mut newton.x);
        newton.dr.as_chunks_mut::<D>().0.copy_from_slice(&newton.x);
        W.apply(&newton.dr, &newton.zero, &mut newton.du);
        newton.dr.iter().all(|x| x.is_finite())
    }

    /// ½ Σ ‖φ‖² over the weights at (u + τ du, r + τ dr).
    pub(super) fn merit(&self, u: &[f64], r: &[f64], tau: f64) -> f64 {
        let (u, r) = (u.as_chunks::<D>().0, r.as_chunks::<D>().0);
        let (du, dr) = (self.newton.du.as_chunks::<D>().0, self.newton.dr.as_chunks::<D>().0);
        let mut sum = 0.0;
        for i in 0..r.len() {
            let (mut ui, mut ri) = (u[i], r[i]);
            for a in 0..D {
                ui[a] += tau * du[i][a];
                ri[a] += tau * dr[i][a];
            }
            let phi = self.pair(i, &ui, &ri).phi(self.smoothing(i));
            sum += phi.iter().map(|x| x * x).sum::<f64>() / self.weight(i);
        }
        0.5 * sum
    }
}

/// x and y of one contact.
pub(super) struct Pair<const D: usize> {
    x: [f64; D],
    y: [f64; D],
    r: [f64; D],
    mu: f64,
    rho: f64,
}

impl<const D: usize> Pair<D> {
    fn new(u: &[f64; D], r: &[f64; D], mu: f64, rho: f64) -> Self {
        let (mut x, mut y) = (*r, de_saxce(u, mu));
        if mu > 0.0 {
            x[0] *= mu;
        }
        y.iter_mut().skip(1).for_each(|y| *y *= mu);
        y.iter_mut().for_each(|y| *y *= rho);
        Self { x, y, r: *r, mu, rho }
    }

    /// φ with ε² = `epsilon`.
    pub(super) fn phi(&self, epsilon: f64) -> [f64; D] {
        if self.mu <= 0.0 {
            // the scalar function, and no friction force
            let mut out = self.r;
            out[0] = self.x[0] + self.y[0] - self.x[0].hypot(self.y[0]).hypot(epsilon.sqrt());
            return out;
        }
        let root = square_root(&sum_of_squares(&self.x, &self.y, epsilon));
        let mut out = [0.0; D];
        (0..D).for_each(|a| out[a] = self.x[a] + self.y[a] - root.w[a]);
        out
    }

    /// Rows for W (dφ/du) and own block (dφ/dr).
    pub(super) fn jacobian(&self, u: &[f64; D], epsilon: f64) -> Maps<D> {
        let mut out = Maps::NONE;
        out.size = D;
        (0..D).for_each(|a| out.columns[a][a] = 1.0);
        if self.mu <= 0.0 {
            let length = (self.x[0] * self.x[0] + self.y[0] * self.y[0] + epsilon).sqrt();
            out.rows[0][0] = (1.0 - self.y[0] / length) * self.rho;
            out.own[0][0] = 1.0 - self.x[0] / length;
            (1..D).for_each(|a| out.own[a][a] = 1.0);
            return out;
        }
        let w = square_root(&sum_of_squares(&self.x, &self.y, epsilon));
        let t = tangent_norm(u);
        for b in 0..D {
            // columns of I − L_w⁻¹ L_x and of I − L_w⁻¹ L_y
            let (mut px, mut py) =
                (divide(&w, &arrow_column(&self.x, b)), divide(&w, &arrow_column(&self.y, b)));
            (0..D).for_each(|a| (px[a], py[a]) = (-px[a], -py[a]));
            px[b] += 1.0;
            py[b] += 1.0;
            let (sx, sy) = if b == 0 { (self.mu, self.rho) } else { (1.0, self.rho * self.mu) };
            for a in 0..D {
                out.own[a][b] = px[a] * sx;
                out.rows[a][b] += py[a] * sy;
                // ũ_N = u_N + μ ‖u_T‖
                for (c, uc) in u.iter().enumerate().skip(1).filter(|_| b == 0 && t > 0.0) {
                    out.rows[a][c] += py[a] * sy * self.mu * uc / t;
                }
            }
        }
        out
    }
}

/// x∘x + y∘y + ε² e.
fn sum_of_squares<const D: usize>(x: &[f64; D], y: &[f64; D], epsilon: f64) -> [f64; D] {
    let mut out = [0.0; D];
    out[0] = epsilon + x.iter().chain(y).map(|a| a * a).sum::<f64>();
    for a in 1..D {
        out[a] = 2.0 * (x[0] * x[a] + y[0] * y[a]);
    }
    out
}

/// A square root in the Jordan algebra with its two spectral values; their product is the determinant of L_w, which
/// the components no longer hold where it is small.
struct Root<const D: usize> {
    w: [f64; D],
    determinant: f64,
}

/// Square root of z by its spectral values z_N ± ‖z_T‖ ≥ 0, the smaller at least its own rounding.
fn square_root<const D: usize>(z: &[f64; D]) -> Root<D> {
    let t = tangent_norm(z);
    let high = (z[0] + t).max(0.0).sqrt();
    let low = (z[0] - t).max(f64::EPSILON * z[0]).sqrt();
    let mut w = [0.0; D];
    w[0] = 0.5 * (high + low);
    if t > 0.0 {
        (1..D).for_each(|a| w[a] = 0.5 * (high - low) * z[a] / t);
    }
    Root { w, determinant: high * low }
}

/// Column `b` of the arrow matrix of x.
fn arrow_column<const D: usize>(x: &[f64; D], b: usize) -> [f64; D] {
    if b == 0 {
        return *x;
    }
    let mut out = [0.0; D];
    out[0] = x[b];
    out[b] = x[0];
    out
}

/// L_w⁻¹ b in closed form.
fn divide<const D: usize>(root: &Root<D>, b: &[f64; D]) -> [f64; D] {
    let w = &root.w;
    let wb: f64 = (1..D).map(|a| w[a] * b[a]).sum();
    let mut out = [0.0; D];
    out[0] = (w[0] * b[0] - wb) / root.determinant;
    for a in 1..D {
        out[a] = (b[a] - w[a] * out[0]) / w[0];
    }
    out
}
