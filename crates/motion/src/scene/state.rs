//! What a run goes on from: positions, velocities and the last forces, exact.

use super::body::Body;
use serde::{Deserialize, Serialize};

/// The state of a scene after a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Steps that were taken.
    pub step: u64,
    /// Per body: centre, quaternion, velocity, spin.
    pub bodies: Vec<[f64; 13]>,
    /// Coordinates, then velocities, of each mechanism; its links among the bodies follow from them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mechanisms: Vec<Vec<f64>>,
    /// What identifies the last contacts.
    pub keys: Vec<u64>,
    /// Their impulses, dim numbers each.
    pub impulses: Vec<f64>,
    /// Steps that were not solved to the tolerance.
    pub unsolved: u64,
}

/// Why a state is none of a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateFault {
    /// Other bodies.
    #[error("it has {found} bodies, and the scene has {expected}")]
    Bodies {
        /// Of the state.
        found: usize,
        /// Of the scene.
        expected: usize,
    },
    /// Other mechanisms.
    #[error("its mechanisms have other coordinates than those of the scene")]
    Mechanisms,
    /// Forces that are not those of the contacts.
    #[error("its forces are not those of its contacts")]
    Forces,
    /// Numbers that are none.
    #[error("it has numbers that are not finite")]
    NotFinite,
}

impl State {
    /// Whether it may be one of so many bodies with contacts of `dim` numbers.
    ///
    /// # Errors
    /// [`StateFault`].
    pub fn check(&self, bodies: usize, dim: usize) -> Result<(), StateFault> {
        if self.bodies.len() != bodies {
            return Err(StateFault::Bodies { found: self.bodies.len(), expected: bodies });
        }
        let mut sorted = self.keys.clone();
        sorted.sort_unstable();
        if self.impulses.len() != dim * self.keys.len() || sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(StateFault::Forces);
        }
        let mechanisms = self.mechanisms.iter().flatten();
        let finite =
            self.bodies.iter().flatten().chain(&self.impulses).chain(mechanisms).all(|x| x.is_finite());
        if finite { Ok(()) } else { Err(StateFault::NotFinite) }
    }
}

/// The numbers of a body's state.
pub(super) fn numbers(body: &Body) -> [f64; 13] {
    let mut out = [0.0; 13];
    out[..3].copy_from_slice(&body.centre);
    out[3..7].copy_from_slice(&body.turned);
    out[7..10].copy_from_slice(&body.velocity);
    out[10..].copy_from_slice(&body.spin);
    out
}

/// The way back.
pub(super) fn set(body: &mut Body, numbers: &[f64; 13]) {
    body.centre.copy_from_slice(&numbers[..3]);
    body.turned.copy_from_slice(&numbers[3..7]);
    body.velocity.copy_from_slice(&numbers[7..10]);
    body.spin.copy_from_slice(&numbers[10..]);
}
