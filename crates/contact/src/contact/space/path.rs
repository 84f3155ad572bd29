//! Slip during an impact: the velocity of the contact point over the normal impulse P, u' = B − μ A û, v' = C − μ B·û, W' = v
//! (Routh's and Keller's equations; per unit λ_N what [CV16 (38), (52)] are per unit time).
//!
//! With s = ‖u‖ and dP = s dσ they have no singularity at rest, and the direction turns by itself:
//! φ' = g = û⊥·(B − μ A û), s' = s α with α = û·(B − μ A û), v' = s p, W' = s v, Λ_T' = −μ s û.
//! All right-hand sides are polynomials of cos φ, sin φ, s and v, so that Taylor series are had by recurrence: order and step
//! are those of Jorba and Zou, whose truncation is below the rounding.

use super::local::Spatial;

/// Order of the series; e⁻²ᴷ is below the rounding.
const ORDER: usize = 20;
/// Longest step in times of the slip and of the gap rate.
const LONGEST: f64 = 8.0;

/// A point of the way, slip in polar form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// Direction of slip.
    pub(super) phi: f64,
    /// Speed of slip.
    pub(super) s: f64,
    /// Gap rate.
    pub(super) v: f64,
    /// Normal impulse.
    pub(super) P: f64,
    /// Its work.
    pub(super) W: f64,
    /// Tangential impulse.
    pub(super) T: [f64; 2],
}

impl Point {
    /// u.
    pub(super) fn slip(&self) -> [f64; 2] {
        let (sin, cos) = self.phi.sin_cos();
        [self.s * cos, self.s * sin]
    }
}

/// φ, s, v, P, W, Λ_T around a point, in powers of σ.
pub(super) struct Series {
    coefficients: [[f64; ORDER + 1]; 7],
    /// σ up to which the series holds to rounding.
    pub(super) reach: f64,
}

impl Series {
    /// The series around a point; `speed` is the size of velocities.
    pub(super) fn at(contact: &Spatial, mu: f64, point: &Point, speed: f64) -> Self {
        let ([[Axx, Axy], [_, Ayy]], [B1, B2], C) = (contact.A, contact.B, contact.C);
        let Point { phi, s, v, P, W, T: [T1, T2] } = *point;
        let mut of = [[0.0; ORDER + 1]; 7];
        of.iter_mut().zip([phi, s, v, P, W, T1, T2]).for_each(|(series, x)| series[0] = x);
        let (mut sin, mut cos) = ([0.0; ORDER + 1], [0.0; ORDER + 1]);
        (sin[0], cos[0]) = phi.sin_cos();
        let (mut g, mut alpha, mut p) = ([0.0; ORDER + 1], [0.0; ORDER + 1], [0.0; ORDER + 1]);
        for k in 0..ORDER {
            let [cc, ss, sc] = [(&cos, &cos), (&sin, &sin), (&sin, &cos)].map(|(x, y)| product(x, y, k));
            g[k] = B2 * cos[k] - B1 * sin[k] - mu * (Axy * (cc - ss) + (Ayy - Axx) * sc);
            alpha[k] = B1 * cos[k] + B2 * sin[k] - mu * (Axx * cc + 2.0 * Axy * sc + Ayy * ss);
            p[k] = if k == 0 { C } else { 0.0 } - mu * (B1 * cos[k] + B2 * sin[k]);
            let next = 1.0 / (k + 1) as f64;
            let [_, s, v, ..] = &of;
            let rates = [
                g[k],
                product(s, &alpha, k),
                product(s, &p, k),
                s[k],
                product(s, v, k),
                -mu * product(s, &cos, k),
                -mu * product(s, &sin, k),
            ];
            of.iter_mut().zip(rates).for_each(|(series, rate)| series[k + 1] = rate * next);
            sin[k + 1] = product(&cos, &g, k) * next;
            cos[k + 1] = -product(&sin, &g, k) * next;
        }
        let reach = [(0, 1.0), (1, s), (2, speed)].map(|(i, size)| reach(&of[i], size));
        // where nothing turns and nothing stops, the series are polynomials; σ then counts in the times of the slip, or in those of
        // the gap rate, the only one that changes where no impulse acts on the slip
        let of_slip = contact.coupling() + mu * contact.tangential_mobility();
        let longest = LONGEST / of_slip.max(p[0].abs() * s / speed);
        Self { coefficients: of, reach: reach.into_iter().fold(longest, f64::min) }
    }

    /// The point at σ.
    pub(super) fn point(&self, sigma: f64) -> Point {
        let [phi, s, v, P, W, T1, T2] = self
            .coefficients
            .each_ref()
            .map(|series| series.iter().rev().fold(0.0, |sum, c| sum * sigma + c));
        Point { phi, s, v, P, W, T: [T1, T2] }
    }
}

/// The coefficient of order k of a product.
fn product(x: &[f64; ORDER + 1], y: &[f64; ORDER + 1], k: usize) -> f64 {
    (0..=k).map(|j| x[j] * y[k - j]).sum()
}

/// The step of a series whose terms are measured by a size: its radius of convergence, from the last two terms, over e².
fn reach(series: &[f64; ORDER + 1], size: f64) -> f64 {
    let radius = |k: usize| (size / series[k].abs()).powf(1.0 / k as f64);
    radius(ORDER - 1).min(radius(ORDER)) * (-2f64).exp()
}
