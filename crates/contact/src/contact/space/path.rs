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
    /// The coefficients of each power.
    powers: [[f64; 7]; ORDER + 1],
    /// σ up to which the series holds to rounding.
    pub(super) reach: f64,
}

/// Coefficients of four series by their powers, so that four products are had at once.
type Four = [[f64; 4]; ORDER + 1];

impl Series {
    /// The series around a point; `speed` is the size of velocities.
    pub(super) fn at(contact: &Spatial, mu: f64, point: &Point, speed: f64) -> Self {
        let ([[Axx, Axy], [_, Ayy]], [B1, B2], C) = (contact.A, contact.B, contact.C);
        let Point { phi, s, v, P, W, T: [T1, T2] } = *point;
        let (mut powers, zero) = ([[0.0; 7]; ORDER + 1], [[0.0; 4]; ORDER + 1]);
        powers[0] = [phi, s, v, P, W, T1, T2];
        // cos², cos sin, s cos, s sin; then cos g, sin g, s α, s v
        let (mut turned, mut turning, mut moved, mut moving): (Four, Four, Four, Four) =
            (zero, zero, zero, zero);
        let (mut sin, mut cos) = phi.sin_cos();
        for k in 0..ORDER {
            let [_, s, v, ..] = powers[k];
            (turned[k], turning[k]) = ([cos, sin, cos, sin], [cos, cos, s, s]);
            let [cc, sc, c, d] = products(&turned, &turning, k);
            let one = if k == 0 { 1.0 } else { 0.0 };
            let ss = one - cc;
            let g = B2 * cos - B1 * sin - mu * (Axy * (cc - ss) + (Ayy - Axx) * sc);
            let alpha = B1 * cos + B2 * sin - mu * (Axx * cc + 2.0 * Axy * sc + Ayy * ss);
            (moved[k], moving[k]) = ([cos, sin, s, s], [g, g, alpha, v]);
            let [cos_turns, sin_turns, speeds, works] = products(&moved, &moving, k);
            let gap = C * s - mu * (B1 * c + B2 * d);
            let next = 1.0 / (k + 1) as f64;
            powers[k + 1] = [g, speeds, gap, s, works, -mu * c, -mu * d].map(|rate| rate * next);
            (sin, cos) = (cos_turns * next, -sin_turns * next);
        }
        let reach = [(0, 1.0), (1, s), (2, speed)].map(|(i, size)| {
            // a radius of convergence, from the last two terms, over e²
            let radius = |k: usize| (size / powers[k][i].abs()).powf(1.0 / k as f64);
            radius(ORDER - 1).min(radius(ORDER)) * (-2f64).exp()
        });
        // where nothing turns and nothing stops, the series are polynomials; σ then counts in the times of the slip, or in those of
        // the gap rate, the only one that changes where no impulse acts on the slip
        let of_slip = contact.coupling() + mu * contact.tangential_mobility();
        let gain = C - mu * (B1 * phi.cos() + B2 * phi.sin());
        let longest = LONGEST / of_slip.max(gain.abs() * s / speed);
        Self { powers, reach: reach.into_iter().fold(longest, f64::min) }
    }

    /// The point at σ.
    pub(super) fn point(&self, sigma: f64) -> Point {
        let mut sum = [0.0; 7];
        for power in self.powers.iter().rev() {
            sum.iter_mut().zip(power).for_each(|(sum, c)| *sum = *sum * sigma + c);
        }
        let [phi, s, v, P, W, T1, T2] = sum;
        Point { phi, s, v, P, W, T: [T1, T2] }
    }
}

/// The coefficients of order k of four products.
#[inline]
fn products(x: &Four, y: &Four, k: usize) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for (x, y) in x[..=k].iter().zip(y[..=k].iter().rev()) {
        (0..4).for_each(|i| sums[i] += x[i] * y[i]);
    }
    sums
}
