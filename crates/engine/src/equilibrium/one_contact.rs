//! Equilibria of a sticking contact: unambiguous \[OR08\], and the three conditions for Lyapunov stability under
//! conservative loads [CV16 section 3.4], each with a verdict of its own:
//!
//! 1. the potential energy has a local minimum along the motions that keep the contact sticking;
//! 2. stick is consistent and the other modes are not: b < 0, σ+ < 0 < σ−;
//! 3. e_eff < 1.

use super::chatter::{ChatterKind, chatter};
use crate::contact::{Column, Friction, Mode, ModeSet, Planar, Restitution, Scaled, Sign};
use crate::num::{Number, Tol};
use crate::predict::{Consistency, Signs};
use serde::{Deserialize, Serialize};

/// What an equilibrium test needs to know of the mechanism besides the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Largest velocity, with the velocity scale of the state.
    pub velocity: Scaled,
    /// Largest acceleration under the sticking contact force, with the size of its terms.
    pub acceleration: Scaled,
    /// Least curvature of the potential along the sticking motions per unit of M, 1/s², with its scale; `None` if the loads are not
    /// conservative; infinite if the sticking contact leaves no motion at all.
    pub curvature: Option<Scaled>,
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Condition {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// Equality within the tolerance.
    Marginal,
    /// It cannot be judged: the loads are not conservative, or there is no chatter to judge.
    Unknown,
}

/// An equilibrium and what is known of its stability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equilibrium {
    /// The potential has a minimum along stick.
    pub potential_minimum: Condition,
    /// Its least curvature per unit of M, 1/s², if known.
    pub curvature: Option<Number>,
    /// Stick is the only consistent mode.
    pub unambiguous: Condition,
    /// The consistent modes.
    pub modes: ModeSet,
    /// e_eff < 1.
    pub chatter_decays: Condition,
    /// e_eff.
    pub effective_restitution: Option<f64>,
    /// All three: Lyapunov stable; one fails: not.
    pub lyapunov_stable: Condition,
}

/// The equilibrium at a resting contact; `None` if the mechanism moves, accelerates in stick, or cannot stick.
pub fn equilibrium(
    planar: &Planar,
    friction: Friction,
    law: Restitution,
    rest: &Rest,
    tol: &Tol,
) -> Option<Equilibrium> {
    let signs = Signs::of(planar, friction, tol);
    let still = rest.velocity.sign(tol.rest) == Sign::Marginal
        && rest.acceleration.sign(tol.rest) == Sign::Marginal
        && signs.consistency(Mode::Stick, Column::II) != Some(Consistency::No);
    if !still {
        return None;
    }
    let potential_minimum = rest.curvature.map_or(Condition::Unknown, |x| positive(x.sign(tol.marginal)));
    let unambiguous = unambiguous(&signs);
    let bounce = chatter(planar, friction, law, tol);
    let chatter_decays = bounce.map_or(Condition::Unknown, |found| match found.kind {
        ChatterKind::Complete => Condition::Holds,
        ChatterKind::Marginal => Condition::Marginal,
        ChatterKind::Reverse => Condition::Fails,
    });
    Some(Equilibrium {
        potential_minimum,
        curvature: rest.curvature.map(|curvature| curvature.value.into()),
        unambiguous,
        modes: signs.modes(Column::II, Consistency::Yes),
        chatter_decays,
        effective_restitution: bounce.map(|found| found.effective_restitution),
        lyapunov_stable: all([potential_minimum, unambiguous, chatter_decays]),
    })
}

fn positive(sign: Sign) -> Condition {
    match sign {
        Sign::Positive => Condition::Holds,
        Sign::Marginal => Condition::Marginal,
        Sign::Negative => Condition::Fails,
    }
}

/// Stick consistent; lift-off and slip not \[OR08\].
fn unambiguous(signs: &Signs) -> Condition {
    let marginal = signs.modes(Column::II, Consistency::Marginal);
    let consistent = signs.modes(Column::II, Consistency::Yes);
    if consistent == ModeSet::default().with(Mode::Stick) && marginal.is_empty() {
        Condition::Holds
    } else if consistent.iter().any(|mode| mode != Mode::Stick) {
        Condition::Fails
    } else {
        Condition::Marginal
    }
}

/// A failure decides, then ignorance, then a boundary.
fn all(conditions: [Condition; 3]) -> Condition {
    let order = [Condition::Fails, Condition::Unknown, Condition::Marginal];
    order.into_iter().find(|worst| conditions.contains(worst)).unwrap_or(Condition::Holds)
}

#[cfg(test)]
mod tests {
    use super::{Condition, Rest, equilibrium};
    use crate::contact::{Friction, Planar, Restitution, Scaled};
    use crate::num::Tol;

    fn rest(curvature: Option<f64>) -> Rest {
        let zero = Scaled { value: 0.0, scale: 1.0 };
        Rest { velocity: zero, acceleration: zero, curvature: curvature.map(Scaled::exact) }
    }

    fn lyapunov(planar: Planar, mu: f64, law: Restitution, curvature: Option<f64>) -> Option<[Condition; 4]> {
        let found = equilibrium(&planar, Friction::new(mu).unwrap(), law, &rest(curvature), &Tol::default())?;
        Some([found.potential_minimum, found.unambiguous, found.chatter_decays, found.lyapunov_stable])
    }

    #[test]
    fn pressed_block_is_stable_and_a_pushed_one_is_no_equilibrium() {
        use Condition::{Fails, Holds, Unknown};
        let block = Planar::new(1.0, 0.0, 1.0, 0.2, -1.0);
        let law = Restitution::Poisson(0.5);
        assert_eq!(lyapunov(block, 0.5, law, Some(2.0)), Some([Holds; 4]));
        assert_eq!(lyapunov(block, 0.5, law, Some(-2.0)), Some([Fails, Holds, Holds, Fails]));
        assert_eq!(lyapunov(block, 0.5, law, None), Some([Unknown, Holds, Holds, Unknown]));
        assert_eq!(lyapunov(block, 0.1, law, Some(2.0)), None);
    }

    #[test]
    fn wedged_contact_is_ambiguous() {
        // II(iii): lift-off, slip and stick are all consistent
        let wedged = Planar::new(1.0, 0.9, 1.0, 2.0, 1.0);
        let found = lyapunov(wedged, 3.0, Restitution::Poisson(0.0), Some(1.0));
        assert_eq!(found.map(|conditions| conditions[1]), Some(Condition::Fails));
    }

    #[test]
    fn reverse_chatter_spoils_an_unambiguous_equilibrium() {
        // maximum of e_eff at a/|b| = k+/(2p+): energetic e √(s_T/p+)
        let (A, B, C, mu) = (1.0, 0.8, 1.0, 1.1);
        let (p, k) = (C - mu * B, mu * A - B);
        let planar = Planar::new(A, B, C, k / (2.0 * p), -1.0);
        let found = lyapunov(planar, mu, Restitution::Energetic(1.0), Some(1.0));
        assert_eq!(found, Some([Condition::Holds, Condition::Holds, Condition::Fails, Condition::Fails]));
    }
}
