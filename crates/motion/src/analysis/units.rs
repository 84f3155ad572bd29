//! The units of a report's numbers, as words: there where the mechanism's file gives every parameter and coordinate a unit.

use super::by_name::ByName;
use serde::{Deserialize, Serialize};

/// The units in which an analysis is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UnitsOutcome {
    /// Of times.
    pub time: String,
    /// Of lengths; none if no place is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<String>,
    /// Of masses; none if no body is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<String>,
    /// Of energies.
    pub energy: String,
    /// Of the coordinates.
    pub coordinates: ByName<String>,
    /// Of their velocities, by name of the coordinate.
    pub velocities: ByName<String>,
    /// Of the parameters.
    pub parameters: ByName<String>,
    /// Of what is said about each contact.
    pub contacts: ByName<ContactUnitsOutcome>,
}

/// The units of what is said about a contact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactUnitsOutcome {
    /// Of the gap.
    pub gap: String,
    /// Of slip and gap rate.
    pub velocity: String,
    /// Of a, b and other accelerations.
    pub acceleration: String,
    /// Of λ_N and λ_T.
    pub force: String,
    /// Of impulses.
    pub impulse: String,
    /// Of A, B, C, p± and k±.
    pub mobility: String,
}
