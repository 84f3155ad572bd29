//! The exact solution of one contact: `u = W r + q` with Coulomb's law, W of size 2×2 or 3×3.
//!
//! Take-off (`q_N ≥ 0`), stick (`r = −W⁻¹ q`), slip. In the plane slip has two directions, each one division. In
//! space the sliding velocity opposes the force, `u_T = −s r_T` with s > 0, so that with r_N eliminated by u_N = 0
//! `(Ŵ + s I) r_T = −q̂`, Ŵ = W_TT − W_TN W_NT / W_NN, q̂ = q_T − W_TN q_N / W_NN, and ‖r_T‖ = μ r_N is one
//! equation for s (squared: of fourth degree):
//! `φ(s) = ‖c + s q̂‖ − (μ/W_NN)(W_NT·(c + s q̂) − q_N d(s)) = 0`, c = adj(Ŵ) q̂, d(s) = det(Ŵ + s I).
//! For q_N < 0 and an inadmissible stick φ(0) > 0 > φ(∞), so a root exists and bisection cannot miss it. W need not
//! be symmetric.

use crate::coulomb::cone::tangent_norm;
use crate::coulomb::tolerance::METHODS;
use crate::linear::{inverse, mul_add};
use crate::num::Tol;

/// One contact's diagonal block with what does not change between solves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact<const D: usize, const DD: usize> {
    W: [f64; DD],
    inverse: [f64; DD],
    mu: f64,
    slip: Reduced,
}

/// Ŵ by rows, its trace and determinant, and μ/W_NN; nothing in the plane.
#[derive(Clone, Copy, Debug, Default)]
struct Reduced {
    a: [f64; 4],
    trace: f64,
    det: f64,
    k: f64,
}

impl<const D: usize, const DD: usize> Contact<D, DD> {
    /// Nothing, in the place of a contact.
    pub(super) const NONE: Self = Self {
        W: [0.0; DD],
        inverse: [0.0; DD],
        mu: 0.0,
        slip: Reduced { a: [0.0; 4], trace: 0.0, det: 0.0, k: 0.0 },
    };

    /// Prepares block `W` and friction `mu`.
    pub(crate) fn new(W: &[f64; DD], mu: f64) -> Self {
        let slip = if D == 3 { Reduced::new(W, mu) } else { Reduced::default() };
        Self { W: *W, inverse: inverse::<D, DD>(W), mu, slip }
    }

    /// The force for the velocity `q` without it; `s` is the ratio of sliding speed to friction force of the last
    /// call (the start of the search), 0 for none. `None` when the law has no solution here.
    #[inline]
    pub(crate) fn solve(&self, q: &[f64; D], s: &mut f64) -> Option<[f64; D]> {
        self.solve_within(q, s, STEPS)
    }

    /// The same with at most so many steps of Newton's method where the contact slips in space: fewer than the usual give a force on
    /// the cone whose direction is not quite that of the velocity.
    #[inline]
    pub(super) fn solve_within(&self, q: &[f64; D], s: &mut f64, steps: usize) -> Option<[f64; D]> {
        if q[0] >= 0.0 {
            return Some([0.0; D]);
        }
        if self.mu > 0.0
            && let Some(r) = self.stick(q)
        {
            return Some(r);
        }
        if self.mu <= 0.0 { self.frictionless(q) } else { self.slip(q, s, steps) }
    }

    fn frictionless(&self, q: &[f64; D]) -> Option<[f64; D]> {
        let mut r = [0.0; D];
        r[0] = -q[0] / self.W[0];
        (r[0] >= 0.0 && r[0].is_finite()).then_some(r)
    }

    fn stick(&self, q: &[f64; D]) -> Option<[f64; D]> {
        let mut r = [0.0; D];
        mul_add::<D, DD>(&self.inverse, &q.map(|x| -x), &mut r);
        // where W is singular up to rounding, W⁻¹ q is arbitrary: the velocity must really vanish
        (tangent_norm(&r) <= self.mu * r[0] && self.stops(q, &r)).then_some(r)
    }

    /// Whether W r + q = 0, as well as a solution is asked for.
    #[inline]
    fn stops(&self, q: &[f64; D], r: &[f64; D]) -> bool {
        let mut u = *q;
        mul_add::<D, DD>(&self.W, r, &mut u);
        let largest = |x: &[f64; D]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        largest(&u) <= Tol::default().solved * largest(q)
    }

    #[inline]
    fn slip(&self, q: &[f64; D], s: &mut f64, steps: usize) -> Option<[f64; D]> {
        if D == 2 { self.slip_plane(q) } else { self.slip_space(q, s, steps) }
    }

    /// r_T = −σ μ r_N, u_N = 0, σ u_T ≥ 0.
    fn slip_plane(&self, q: &[f64; D]) -> Option<[f64; D]> {
        let (w, mu) = (&self.W, self.mu);
        // the velocity without friction says which direction to try first
        let first = if q[1] * w[0] >= w[2] * q[0] { 1.0 } else { -1.0 };
        for sigma in [first, -first] {
            let gain = w[0] - sigma * mu * w[1];
            // W_NN = ±μ W_NT up to rounding: no force closes the contact, or an arbitrarily large one seems to
            if gain.abs() <= Tol::default().singular * w[0].abs() {
                continue;
            }
            let normal = -q[0] / gain;
            let slip = (w[2] - sigma * mu * w[3]) * normal + q[1];
            if normal > 0.0 && normal.is_finite() && sigma * slip >= 0.0 {
                let mut r = [0.0; D];
                r[0] = normal;
                r[1] = -sigma * mu * normal;
                return Some(r);
            }
        }
        None
    }

    fn slip_space(&self, q: &[f64; D], s: &mut f64, steps: usize) -> Option<[f64; D]> {
        let phi = Phi::new((&self.W, &self.slip), q, self.mu);
        *s = phi.root(*s, steps)?;
        let (normal, tangent) = phi.force(*s);
        let mut r = [0.0; D];
        r[0] = normal;
        r[1] = tangent[0];
        r[2] = tangent[1];
        (normal > 0.0 && normal.is_finite()).then_some(r)
    }
}

impl Reduced {
    fn new(w: &[f64], mu: f64) -> Self {
        let hat = |i: usize, j: usize| w[3 * i + j] - w[3 * i] * w[j] / w[0];
        let a = [hat(1, 1), hat(1, 2), hat(2, 1), hat(2, 2)];
        Self { a, trace: a[0] + a[3], det: a[0] * a[3] - a[1] * a[2], k: mu / w[0] }
    }
}

/// The slip equation φ(s) = 0 of one contact in space.
struct Phi<'a> {
    /// c = adj(Ŵ) q̂ and q̂.
    c: [f64; 2],
    q_hat: [f64; 2],
    /// d(s) = s² + trace s + det.
    own: &'a Reduced,
    /// W_NT·c, W_NT·q̂.
    g: [f64; 2],
    W_NN: f64,
    q_N: f64,
    mu: f64,
}

/// Steps of the safeguarded Newton iteration; bisection alone needs about sixty.
pub(super) const STEPS: usize = 100;
/// A Newton step this small, relative to s, is the last: the error that remains is about its square.
const SQUARE_ROOT_OF_ROUNDING: f64 = METHODS.root_of_rounding;

impl<'a> Phi<'a> {
    #[inline]
    fn new((w, own): (&[f64], &'a Reduced), q: &[f64], mu: f64) -> Self {
        let a = &own.a;
        let q_hat = [q[1] - w[3] * q[0] / w[0], q[2] - w[6] * q[0] / w[0]];
        let c = [a[3] * q_hat[0] - a[1] * q_hat[1], a[0] * q_hat[1] - a[2] * q_hat[0]];
        Self {
            c,
            q_hat,
            own,
            g: [w[1] * c[0] + w[2] * c[1], w[1] * q_hat[0] + w[2] * q_hat[1]],
            W_NN: w[0],
            q_N: q[0],
            mu,
        }
    }

    /// φ(s) and φ′(s).
    #[inline]
    fn eval(&self, s: f64) -> (f64, f64) {
        let y = [self.c[0] + s * self.q_hat[0], self.c[1] + s * self.q_hat[1]];
        let length = (y[0] * y[0] + y[1] * y[1]).sqrt();
        let along = if length > 0.0 { (y[0] * self.q_hat[0] + y[1] * self.q_hat[1]) / length } else { 0.0 };
        let Reduced { trace, det, k, .. } = *self.own;
        let d = (s + trace) * s + det;
        let value = length - k * (self.g[0] + s * self.g[1] - self.q_N * d);
        (value, along - k * (self.g[1] - self.q_N * (2.0 * s + trace)))
    }

    /// A place beyond the root, or near it: the root of the quadratic function with ‖c‖ + s ‖q̂‖ for ‖c + s q̂‖.
    fn beyond(&self) -> f64 {
        let size = |x: &[f64; 2]| (x[0] * x[0] + x[1] * x[1]).sqrt();
        let Reduced { trace, det, k, .. } = *self.own;
        let a = -k * self.q_N;
        let b = 0.5 * (k * (self.g[1] - self.q_N * trace) - size(&self.q_hat));
        let c = k * (self.g[0] - self.q_N * det) - size(&self.c);
        let root = (b * b - a * c).sqrt();
        let s = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
        if s.is_finite() && s > 0.0 { s } else { trace.abs().max(self.W_NN * f64::EPSILON) }
    }

    /// A root s ≥ 0 with φ > 0 before and φ < 0 after it.
    fn root(&self, start: f64, steps: usize) -> Option<f64> {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut s = if start > 0.0 { start } else { self.beyond() };
        for _ in 0..steps {
            let (value, slope) = self.eval(s);
            if value > 0.0 {
                low = s
            } else {
                high = s
            }
            let newton = s - value / slope;
            let (next, reached) = if slope < 0.0 && newton > low && newton < high {
                (newton, SQUARE_ROOT_OF_ROUNDING)
            } else if high < f64::INFINITY {
                (0.5 * (low + high), 2.0 * f64::EPSILON)
            } else {
                (4.0 * s, 0.0)
            };
            let done = (next - s).abs() <= reached * s.abs();
            s = next;
            if done {
                break;
            }
        }
        s.is_finite().then_some(s)
    }

    /// r_N and r_T at s.
    fn force(&self, s: f64) -> (f64, [f64; 2]) {
        let d = (s + self.own.trace) * s + self.own.det;
        let t = [-(self.c[0] + s * self.q_hat[0]) / d, -(self.c[1] + s * self.q_hat[1]) / d];
        let normal = (self.g[0] + s * self.g[1] - self.q_N * d) / (self.W_NN * d);
        let length = (t[0] * t[0] + t[1] * t[1]).sqrt();
        // on the cone to the last bit, whatever the precision of s
        let shrink = if length > 0.0 { self.mu * normal / length } else { 0.0 };
        (normal, [t[0] * shrink, t[1] * shrink])
    }
}
