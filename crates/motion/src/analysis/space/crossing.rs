//! Slip that turns into the directions with p < 0, which in the plane can be reached at p = b = 0 only   [CV16 section 7.2].
//!
//! Near p = 0 the contact force λ_N = −b/p outgrows everything else [CV16 (59) to (64)], so that ‖u‖ φ̇ = λ_N û⊥·(B − μ A û) and with
//! ṗ = −μ (B·û⊥) φ̇
//!
//!   p ṗ → r = b μ (B·û⊥) (û⊥·(B − μ A û))/‖u‖.
//!
//! For r < 0 the slip reaches p = 0 after p²/(2|r|) s to leading order, transversally, with λ_N ~ (t* − t)^(−1/2), which has a finite impulse;
//! what follows is an impact without collision. For r > 0 the slip turns away.

use crate::contact::Friction;
use crate::contact::space::Spatial;
use crate::num::{Number, Tol};
use serde::{Deserialize, Serialize};

/// Where p goes on its way to 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// p.
    pub p: Number,
    /// |p| over the size of its terms.
    pub distance: Number,
    /// r, the limit of p ṗ where p tends to 0 in the present direction.
    pub rate: Number,
    /// Whether p falls through 0 there.
    pub crosses: bool,
    /// p²/(2|r|): when; undefined if it does not cross, and where p is not small against its terms.
    pub time: Number,
    /// Exponent e of λ_N ~ (t* − t)^e.
    pub force_exponent_theory: Number,
}

/// Of a pressed slip u with p ≥ 0 to the tolerance; none of another, where no direction has p < 0, and where the force pushes along the
/// slip only (r = 0).
pub fn crossing(contact: &Spatial, friction: Friction, slip: [f64; 2], tol: &Tol) -> Option<Crossing> {
    let speed = slip[0].hypot(slip[1]);
    let along = slip.map(|u| u / speed);
    let gain = contact.normal_gain(friction, along);
    let pressed = contact.b < -tol.marginal * contact.b_scale && gain.value >= -tol.marginal * gain.scale;
    let falls_somewhere = contact.least_gain(friction).value < 0.0;
    if !pressed || !falls_somewhere || friction.is_infinite() {
        return None;
    }
    let across = |x: [f64; 2]| along[0] * x[1] - along[1] * x[0];
    let (coupling, held) = (across(contact.B), contact.tangential(along));
    let turning = coupling - friction.mu() * across(held);
    let rate = contact.b * friction.mu() * coupling * turning / speed;
    let size = contact.coupling() * (contact.coupling() + friction.mu() * contact.tangential_mobility());
    if (coupling * turning).abs() <= tol.marginal * size {
        return None;
    }
    let crosses = rate < 0.0;
    let near = gain.distance() <= tol.near_jam;
    let p = if gain.distance() <= tol.marginal { 0.0 } else { gain.value };
    Some(Crossing {
        p: gain.value.into(),
        distance: gain.distance().into(),
        rate: rate.into(),
        crosses,
        time: (crosses && near).then(|| p * p / (-2.0 * rate)).into(),
        force_exponent_theory: Number(-0.5),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rod at φ > 0: r = −(b/p)·(3 μ/m) s c sin φ · (3/m) c sin φ (s + μ c cos φ)·p/‖u‖ < 0   [CV16 (59) to (65)].
    #[test]
    fn the_rod_crosses_as_in_the_survey() {
        let ((s, c), mu, m) = (2f64.atan().sin_cos(), 1.5f64, 1.0);
        let A = [[(1.0 + 3.0 * s * s) / m, 0.0], [0.0, 4.0 / m]];
        let rod = Spatial::new(A, [3.0 * s * c / m, 0.0], (1.0 + 3.0 * c * c) / m, [0.0; 2], -1.0);
        for phi in [0.55f64, 1.0, 1.5] {
            let u = [2.0 * phi.cos(), 2.0 * phi.sin()];
            let found = crossing(&rod, Friction::new(mu).unwrap(), u, &Tol::default()).unwrap();
            let turning = -3.0 * c * phi.sin() * (s + mu * c * phi.cos()) / (m * 2.0);
            let rate = 3.0 * mu / m * s * c * phi.sin() * turning;
            assert!((found.rate.0 - rate).abs() < 1e-14 && found.crosses, "{phi}: {found:?}");
        }
        assert!(crossing(&rod, Friction::new(1.2).unwrap(), [1.0, 0.0], &Tol::default()).is_none());
    }
}
