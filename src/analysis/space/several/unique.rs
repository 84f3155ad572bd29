//! What proves that rest is the only motion.
//!
//! If normal forces N* alone keep all contacts without acceleration, every solution (λ, v̇) of the acceleration problem has v̇ = 0: with
//! v̇ᵀM v̇ = Σ (λ − λ*)·(u̇, v̇) over the contacts, λ·(u̇, v̇) = −μ λ_N ‖u̇‖ ≤ 0 by the contact laws at rest, and λ*·(u̇, v̇) = N* v̇ ≥ 0, so that
//! v̇ᵀM v̇ ≤ 0. This holds whether or not the forces are unique, and for any friction.

use super::forces::frictionless;
use super::system::System;
use crate::num::Tol;

/// Whether rest is proven to be the only motion, and by which normal forces.
pub(super) fn rest_is_the_only_motion(system: &System, tol: &Tol) -> Option<Vec<f64>> {
    let at_rest = system.along.iter().all(Option::is_none) && !system.parting.contains(&true);
    at_rest.then(|| frictionless(system, tol)).flatten()
}
