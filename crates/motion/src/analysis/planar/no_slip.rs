//! Where a motion without slip ends: the data of the answer. `simulate` follows the motion.

use crate::contact::Slip;
use crate::num::Number;
use serde::{Deserialize, Serialize};

/// A state of the sticking motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickState {
    /// Time since the start.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// λ_N that keeps the contact sticking.
    pub lambda_N: f64,
    /// λ_T that keeps the contact sticking.
    pub lambda_T: f64,
    /// b: gap acceleration if the contact were released.
    pub free_gap_acceleration: f64,
}

/// Where the friction cone is left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConeExit {
    /// The state.
    pub state: StickState,
    /// Direction in which the contact starts to slip.
    pub slip: Slip,
}

/// Where λ_N vanishes in a contact that never slips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Separation {
    /// The state.
    pub state: StickState,
    /// Whether release contradicts it: b < 0 there.
    pub release: Release,
}

/// What the released contact does where λ_N vanishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Release {
    /// b > 0: the gap opens.
    Separates,
    /// b < 0: neither contact nor separation: a paradox of unlimited friction.
    Paradox,
    /// b = 0 within the tolerance.
    Marginal,
}

/// Where another contact closes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strike {
    /// That contact.
    pub contact: String,
    /// The state.
    pub state: StickState,
}

/// Where a motion without slip ends, within the time that is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickOutcome {
    /// Time that was looked at.
    pub horizon: Number,
    /// Where the friction cone is left, and in which direction slip begins.
    pub cone_exit: Option<ConeExit>,
    /// Where the normal force would vanish, friction being unlimited, and whether release contradicts it.
    pub separation: Option<Separation>,
    /// Where another contact closes first, which ends what is looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strike: Option<Strike>,
}
