//! The program (4.39) by a primal-dual interior point method made for it: max s with z = G v + h − s e ∈ Q ⨯ … ⨯ Q and
//! s ≤ 1, in units of the cap, where zⁱ = (uᴺ − s, μ uᵀ). Its dual is min h·r + t over r ∈ Q ⨯ … ⨯ Q, Gᵀ r = 0, Σ r₀ + t = 1.
//!
//! Every velocity is feasible for some s, so that iterates satisfy the first line exactly and the method can end as soon as
//! one separates all contacts. Steps are Mehrotra's predictor and corrector (SIAM J. Optim. 2, 1992, 575) in the
//! scaling of Nesterov and Todd; each factors Gᵀ W⁻² G, which is as sparse as the bodies' neighbourhoods: s, which couples
//! all contacts, is eliminated by hand. Predictor: with Gᵀ r − c as the residual of the dual its right-hand side is just −c,
//! c = (0, −1), so that it needs no solution of its own.

mod model;

pub(super) use model::{Contacts, Model};

use super::scaling::{Scaling, Vector, depth, dot, inverse, product, quotient, step_length};
use crate::linear::cholesky::Cholesky;
use crate::num::halt;

/// Part of the way to the border that a step goes.
const STEP: f64 = 0.97;

/// Steps before giving up; twenty to forty are usual.
const STEPS: u32 = 80;

/// Multiplications in factorisations before giving up, about: a quarter of a minute.
const WORK: f64 = 1.6e11;

/// Correctors of centrality in one step, at most.
const CORRECTORS: usize = 4;

/// Part of the wanted lengthening that a corrector must bring.
const GAIN: f64 = 0.1;

/// v, s, r and t; z follows.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// In units of the cap.
    pub(super) v: Vec<f64>,
    pub(super) s: f64,
    pub(super) r: Vec<Vector>,
    t: f64,
    /// Σ z·r with that of the cap: how far s is from the optimum, if `residual` is small.
    pub(super) gap: f64,
    /// Σ |vⱼ (Gᵀ r)ⱼ| + max |(Gᵀ r)ⱼ|: by how much the dual, Gᵀ r = 0, is missed.
    pub(super) residual: f64,
    pub(super) steps: u32,
}

/// Follows the central path of the program with the offsets `h` until a point is `enough` or no step is possible.
pub(super) fn solve(model: &Model, h: &[Vector], enough: impl Fn(&Point) -> bool) -> Point {
    let mut point = start(model, h);
    let most = STEPS.min((WORK / model.symbolic.work().max(1.0)) as u32);
    let most = halt::left().1.and_then(|left| u32::try_from(left).ok()).map_or(most, |left| most.min(left));
    while point.steps < most && !halt::is_over() && !enough(&point) && advance(model, h, &mut point) {}
    point
}

/// v = 0 and an s that leaves each contact room; r in the middle, with Σ r₀ + t = 1.
fn start(model: &Model, h: &[Vector]) -> Point {
    let s = h.iter().map(depth).fold(1.0, f64::min) - 1.0;
    let z: Vec<Vector> = h.iter().map(|h| [h[0] - s, h[1], h[2]]).collect();
    let total: f64 = z.iter().map(|z| inverse(z, 1.0)[0]).sum::<f64>() + 1.0 / (1.0 - s);
    let r = z.iter().map(|z| inverse(z, 1.0 / total)).collect();
    let mut point = Point {
        v: vec![0.0; model.contacts.columns],
        s,
        r,
        t: 1.0 / (total * (1.0 - s)),
        gap: 0.0,
        residual: 0.0,
        steps: 0,
    };
    measure(model, h, &mut point);
    point
}

fn measure(model: &Model, h: &[Vector], point: &mut Point) {
    let force = model.contacts.transposed(&point.r);
    let lost: f64 = force.iter().zip(&point.v).map(|(p, v)| p * v).sum();
    let dual = h.iter().zip(&point.r).map(|(h, r)| dot(h, r)).sum::<f64>() + point.t;
    point.gap = dual + lost - point.s;
    let size: f64 = force.iter().zip(&point.v).map(|(p, v)| (p * v).abs()).sum();
    point.residual = size + force.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
}

/// The linear system of one step, factored.
struct System<'a> {
    model: &'a Model,
    scalings: Vec<Scaling>,
    factor: Cholesky,
    /// W⁻² of the cap.
    cap: f64,
    /// (Gᵀ W⁻² G)⁻¹ Gᵀ W⁻² e, and what is left for s.
    y: Vec<f64>,
    schur: f64,
}

impl<'a> System<'a> {
    fn new(model: &'a Model, scalings: Vec<Scaling>, cap: f64) -> Self {
        let factor = model.factor(&scalings);
        let weighed: Vec<Vector> = scalings.iter().map(|w| w.weigh(&[1.0, 0.0, 0.0])).collect();
        let mut out = Self { model, scalings, factor, cap, y: Vec::new(), schur: 0.0 };
        let right = model.contacts.transposed(&weighed);
        out.y = out.solve_velocities(&right);
        let taken: f64 = right.iter().zip(&out.y).map(|(a, b)| a * b).sum();
        out.schur = weighed.iter().map(|x| x[0]).sum::<f64>() + cap - taken;
        out
    }

    /// (Gᵀ W⁻² G)⁻¹ b.
    fn solve_velocities(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        self.factor.solve(&self.model.symbolic, &mut x);
        x
    }

    /// The direction (Δv, Δs) for the right-hand side (b, b_s).
    fn solve(&self, b: &[f64], b_s: f64) -> (Vec<f64>, f64) {
        let mut v = self.solve_velocities(b);
        // The column of s is −Gᵀ W⁻² e.
        let along: f64 = b.iter().zip(&self.y).map(|(b, y)| b * y).sum();
        let s = (b_s + along) / self.schur;
        v.iter_mut().zip(&self.y).for_each(|(v, y)| *v += y * s);
        (v, s)
    }

    /// Δz of a direction; last, that of the cap.
    fn image(&self, v: &[f64], s: f64) -> (Vec<Vector>, f64) {
        let mut z = self.model.contacts.times(v);
        z.iter_mut().for_each(|z| z[0] -= s);
        (z, -s)
    }
}

/// One step; whether it went anywhere.
fn advance(model: &Model, h: &[Vector], point: &mut Point) -> bool {
    let image = model.contacts.times(&point.v);
    let z: Vec<Vector> =
        image.iter().zip(h).map(|(g, h)| [g[0] + h[0] - point.s, g[1] + h[1], g[2] + h[2]]).collect();
    let z_cap = 1.0 - point.s;
    if z.iter().any(|z| depth(z).is_nan() || depth(z) <= 0.0) || z_cap <= 0.0 {
        return false;
    }
    let scalings: Vec<Scaling> = z.iter().zip(&point.r).map(|(z, r)| Scaling::new(z, r)).collect();
    let system = System::new(model, scalings, point.t / z_cap);
    let predictor = predict(&system, point, z_cap);
    let mean = (z.iter().zip(&point.r).map(|(z, r)| dot(z, r)).sum::<f64>() + z_cap * point.t)
        / (z.len() + 1) as f64;
    let reached = predictor.after(&z, z_cap, point) / (z.len() + 1) as f64;
    if !(reached.is_finite() && mean > 0.0) {
        return false;
    }
    let centring = (reached / mean).clamp(0.0, 1.0).powi(3);
    let step = correct(&system, point, z_cap, &predictor, centring, centring * mean);
    let step = centre(&system, point, &z, z_cap, centring * mean, step);
    step.take(&z, z_cap, point);
    point.steps += 1;
    measure(model, h, point);
    point.gap.is_finite() && point.residual.is_finite()
}

/// A direction in all variables.
struct Direction {
    v: Vec<f64>,
    s: f64,
    z: Vec<Vector>,
    r: Vec<Vector>,
    t: f64,
}

impl Direction {
    /// How far v and s, and r and t, may go.
    fn lengths(&self, z: &[Vector], z_cap: f64, point: &Point) -> (f64, f64) {
        let shortest =
            |x: &[Vector], d: &[Vector]| x.iter().zip(d).map(|(x, d)| step_length(x, d)).fold(2.0, f64::min);
        let scalar = |x: f64, d: f64| if x + 2.0 * d < 0.0 { -x / d } else { 2.0 };
        let primal = shortest(z, &self.z).min(scalar(z_cap, -self.s));
        (primal, shortest(&point.r, &self.r).min(scalar(point.t, self.t)))
    }

    /// z·r after the longest step.
    fn after(&self, z: &[Vector], z_cap: f64, point: &Point) -> f64 {
        let (primal, dual) = self.lengths(z, z_cap, point);
        let (primal, dual) = (primal.min(1.0), dual.min(1.0));
        let moved = |x: &Vector, d: &Vector, a: f64| [0, 1, 2].map(|k| x[k] + a * d[k]);
        let term = |i: usize| dot(&moved(&z[i], &self.z[i], primal), &moved(&point.r[i], &self.r[i], dual));
        (0..z.len()).map(term).sum::<f64>() + (z_cap - primal * self.s) * (point.t + dual * self.t)
    }

    fn plus(&self, other: &Self) -> Self {
        let add = |a: &Vector, b: &Vector| [0, 1, 2].map(|k| a[k] + b[k]);
        let sum = |a: &[Vector], b: &[Vector]| a.iter().zip(b).map(|(a, b)| add(a, b)).collect();
        Self {
            v: self.v.iter().zip(&other.v).map(|(a, b)| a + b).collect(),
            s: self.s + other.s,
            z: sum(&self.z, &other.z),
            r: sum(&self.r, &other.r),
            t: self.t + other.t,
        }
    }

    fn take(&self, z: &[Vector], z_cap: f64, point: &mut Point) {
        let (primal, dual) = self.lengths(z, z_cap, point);
        let (primal, dual) = ((STEP * primal).min(1.0), (STEP * dual).min(1.0));
        point.v.iter_mut().zip(&self.v).for_each(|(v, d)| *v += primal * d);
        point.s += primal * self.s;
        point.t += dual * self.t;
        for (r, d) in point.r.iter_mut().zip(&self.r) {
            (0..3).for_each(|k| r[k] += dual * d[k]);
        }
    }
}

/// Straight to z·r = 0: Δ(v, s) = A⁻¹ (0, 1), Δr = −r − W⁻² Δz.
fn predict(system: &System<'_>, point: &Point, z_cap: f64) -> Direction {
    let s = 1.0 / system.schur;
    let v: Vec<f64> = system.y.iter().map(|y| y * s).collect();
    let (z, cap) = system.image(&v, s);
    let change = |i: usize| {
        let weighed = system.scalings[i].weigh(&z[i]);
        [0, 1, 2].map(|k| -point.r[i][k] - weighed[k])
    };
    let r = (0..z.len()).map(change).collect();
    Direction { v, s, r, t: -point.t - point.t / z_cap * cap, z }
}

/// The step to z∘r = `target`, with the predictor's error of second order.
fn correct(
    system: &System<'_>,
    point: &Point,
    z_cap: f64,
    predictor: &Direction,
    centring: f64,
    target: f64,
) -> Direction {
    // q = λ \ (target e − λ∘λ − (W⁻¹ Δz)∘(W Δr)), brought back by W⁻¹.
    let pull = |i: usize| {
        let w = &system.scalings[i];
        let error = product(&w.unapply(&predictor.z[i]), &w.apply(&predictor.r[i]));
        let square = product(&w.lambda, &w.lambda);
        let right = [target - square[0] - error[0], -square[1] - error[1], -square[2] - error[2]];
        w.unapply(&quotient(&w.lambda, &right))
    };
    let pulls: Vec<Vector> = (0..predictor.z.len()).map(pull).collect();
    let pull_cap = (target + predictor.s * predictor.t) / z_cap - point.t;
    respond(system, point, &pulls, pull_cap, 1.0 - centring)
}

/// The direction with W r + W⁻¹ z = W (pull) that removes the part `kept` of the dual's residual.
fn respond(system: &System<'_>, point: &Point, pulls: &[Vector], pull_cap: f64, kept: f64) -> Direction {
    // Gᵀ (pull) + kept (Gᵀ r − c).
    let total: Vec<Vector> =
        pulls.iter().zip(&point.r).map(|(p, r)| [0, 1, 2].map(|k| p[k] + kept * r[k])).collect();
    let b = system.model.contacts.transposed(&total);
    let b_s = kept - total.iter().map(|x| x[0]).sum::<f64>() - pull_cap - kept * point.t;
    let (v, s) = system.solve(&b, b_s);
    let (z, cap) = system.image(&v, s);
    let change = |i: usize| {
        let weighed = system.scalings[i].weigh(&z[i]);
        [0, 1, 2].map(|k| pulls[i][k] - weighed[k])
    };
    let r = (0..z.len()).map(change).collect();
    Direction { v, s, r, t: pull_cap - system.cap * cap, z }
}

/// Gondzio's correctors (Comput. Optim. Appl. 6, 1996, 137): products z∘r that a longer step would bring far from `target`
/// are pulled back, as long as that lengthens the step.
fn centre(
    system: &System<'_>,
    point: &Point,
    z: &[Vector],
    z_cap: f64,
    target: f64,
    mut step: Direction,
) -> Direction {
    let mut reached = step.lengths(z, z_cap, point);
    for _ in 0..CORRECTORS {
        let wanted = (1.5 * reached.0.min(reached.1) + 0.1).min(1.0);
        let pull = |i: usize| {
            let w = &system.scalings[i];
            let (dz, dr) = (w.unapply(&step.z[i]), w.apply(&step.r[i]));
            let moved = |d: &Vector| [0, 1, 2].map(|k| w.lambda[k] + wanted * d[k]);
            let pair = product(&moved(&dz), &moved(&dr));
            w.unapply(&quotient(&w.lambda, &brought_back(&pair, target)))
        };
        let pulls: Vec<Vector> = (0..z.len()).map(pull).collect();
        let pair = (z_cap - wanted * step.s) * (point.t + wanted * step.t);
        let pull_cap = back(pair, target) / z_cap;
        let more = step.plus(&respond(system, point, &pulls, pull_cap, 0.0));
        let longer = more.lengths(z, z_cap, point);
        if whole(longer) < whole(reached) + GAIN * (wanted - reached.0.min(reached.1)) {
            break;
        }
        (step, reached) = (more, longer);
    }
    step
}

/// Both lengths, of which no more than a whole step counts.
fn whole((primal, dual): (f64, f64)) -> f64 {
    primal.min(1.0) + dual.min(1.0)
}

/// Products between these parts of the target are near enough.
const NEAR: (f64, f64) = (0.1, 10.0);

/// What brings a product near the target, no more than the upper end down.
fn back(x: f64, target: f64) -> f64 {
    (x.clamp(NEAR.0 * target, NEAR.1 * target) - x).max(-NEAR.1 * target)
}

/// The same for both eigenvalues x₀ ± ‖(x₁, x₂)‖ of a product in the cone's algebra.
fn brought_back(x: &Vector, target: f64) -> Vector {
    let tangent = (x[1] * x[1] + x[2] * x[2]).sqrt();
    let (high, low) = (back(x[0] + tangent, target), back(x[0] - tangent, target));
    let along = if tangent > 0.0 { 0.5 * (high - low) / tangent } else { 0.0 };
    [0.5 * (high + low), along * x[1], along * x[2]]
}
