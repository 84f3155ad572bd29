//! Rest of all contacts: whether it is possible, and what proves that it is the only motion.
//!
//! If normal forces N* alone keep all contacts without acceleration, every solution (λ, v̇) of the acceleration problem has v̇ = 0: with
//! v̇ᵀM v̇ = Σ (λ − λ*)·(u̇, v̇) over the contacts, λ·(u̇, v̇) = −μ λ_N ‖u̇‖ ≤ 0 by the contact laws at rest, and λ*·(u̇, v̇) = N* v̇ ≥ 0, so that
//! v̇ᵀM v̇ ≤ 0. This holds whether or not the forces are unique, and for any friction. Where friction is needed, all other motions are
//! refuted one after the other (`proof`): strong stability in the sense of Pang and Trinkle.

use super::forces::frictionless;
use super::system::System;
use crate::analysis::planar::Consistency;
use crate::num::Tol;

/// What is known of rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Whether forces in the cones hold it, as far as that is known.
    pub possible: Option<Consistency>,
    /// Whether it is the only motion, as far as that is known.
    pub only: Option<bool>,
    /// What proves that it is.
    pub proof: Option<RestProof>,
}

/// Why rest is the only motion.
#[derive(Clone, Debug, PartialEq)]
pub enum RestProof {
    /// Normal forces alone hold it: λ, 3 a contact.
    NormalForces(Vec<f64>),
    /// All motions that leave it are refuted by multipliers.
    Refutation,
    /// All words are decided, and no other has a motion.
    Enumeration,
}

/// Normal forces that prove rest to be the only motion, of contacts that are held on any of their sides.
pub(super) fn only_rest(system: &System, sides: &[System], tol: &Tol) -> Option<Vec<f64>> {
    sides.iter().enumerate().find_map(|(k, side)| {
        let mut forces = frictionless(side, tol)?;
        system.turned_on(k).into_iter().for_each(|i| forces[3 * i] = 0.0 - forces[3 * i]);
        Some(forces)
    })
}
