//! Normal stability of a mode under compliance [CV16 section 4].
//!
//! In the scaled variables y = ε²Y, v = εV, t = ετ and with λ_N = −(kY + dV), k, d > 0 [CV16 (30), (31) with signs
//! of the format], a contact mode obeys Y'' = b + p λ_N: p = Δ/A in stick, p± in slip. Its linearisation
//! [[0, 1], [−pk, −pd]] has eigenvalues λ = ½(−pd ± √(p²d² − 4pk)): stable ⇔ p > 0, a saddle for p < 0. In real time
//! the exponents are λ/ε: they tend to ∓∞ as ε → 0.

use crate::contact::{Compliance, Friction, Planar, Sign, Slip};
use crate::num::Tol;
use crate::predict::{Complex, Mode, Stability};
use serde::{Deserialize, Serialize};

/// Kind of the equilibrium of the fast dynamics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Portrait {
    /// Complex eigenvalues.
    Focus,
    /// Real eigenvalues of one sign.
    Node,
    /// Real eigenvalues of both signs.
    Saddle,
}

/// The linearised fast dynamics of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NormalStability {
    /// The verdict.
    pub stability: Stability,
    /// p of the mode: gap acceleration per unit λ_N.
    pub gain: f64,
    /// Eigenvalues on the fast time τ = t/ε, that of larger real part (or positive imaginary part) first; in real
    /// time they are divided by ε.
    pub eigenvalues: [Complex; 2],
    /// Focus, node or saddle; none if undecided.
    pub portrait: Option<Portrait>,
}

/// Normal stability of a contact mode; `None` for lift-off, on which no contact force acts, and for infinite p.
pub fn normal_stability(
    planar: &Planar,
    friction: Friction,
    mode: Mode,
    compliance: Compliance,
    tol: &Tol,
) -> Option<NormalStability> {
    let slips =
        |slip: Slip| (planar.normal_gain(friction, slip), planar.gains(friction).p(slip).sign(tol.marginal));
    let (gain, sign) = match mode {
        Mode::Free => return None,
        Mode::Stick { .. } => (planar.stick_gain(), Sign::Positive),
        Mode::Slip { along: [along, _], .. } => slips(if along > 0.0 { Slip::Pos } else { Slip::Neg }),
    };
    let eigenvalues = eigenvalues(gain, compliance);
    let portrait = match sign {
        Sign::Positive if eigenvalues[0].im > 0.0 => Some(Portrait::Focus),
        Sign::Positive => Some(Portrait::Node),
        Sign::Negative => Some(Portrait::Saddle),
        Sign::Marginal => None,
    };
    Some(NormalStability { stability: Stability::of_gain(sign), gain, eigenvalues, portrait })
}

/// Roots of λ² + pd λ + pk = 0, without cancellation.
pub fn eigenvalues(p: f64, compliance: Compliance) -> [Complex; 2] {
    let (trace, product) = (-p * compliance.damping, p * compliance.stiffness);
    let discriminant = 0.25 * trace * trace - product;
    let real = |re: f64| Complex { re, im: 0.0 };
    if discriminant < 0.0 {
        let im = (-discriminant).sqrt();
        return [Complex { re: 0.5 * trace, im }, Complex { re: 0.5 * trace, im: -im }];
    }
    let far = 0.5 * trace + discriminant.sqrt().copysign(trace);
    let near = if far.abs() > 0.0 { product / far } else { 0.0 };
    [real(far.max(near)), real(far.min(near))]
}

#[cfg(test)]
mod tests {
    use super::{Compliance, eigenvalues};

    #[test]
    fn eigenvalues_satisfy_trace_and_determinant() {
        for p in [-3.0, -0.2, 0.1, 2.0, 50.0] {
            for (k, d) in [(1.0, 1.0), (4.0, 0.1), (0.5, 8.0)] {
                let [x, y] = eigenvalues(p, Compliance::new(k, d).unwrap());
                assert!((x.re + y.re + p * d).abs() < 1e-12 * (1.0 + (p * d).abs()));
                let product = x.re * y.re - x.im * y.im;
                assert!((product - p * k).abs() < 1e-12 * (1.0 + (p * k).abs()));
                assert!((x.im + y.im).abs() < 1e-15);
                assert_eq!(x.re < 0.0 && y.re < 0.0, p > 0.0);
            }
        }
    }

    #[test]
    fn compliance_must_be_positive() {
        assert!(Compliance::new(0.0, 1.0).is_err() && Compliance::new(1.0, f64::NAN).is_err());
    }
}
