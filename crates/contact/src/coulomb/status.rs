//! What each contact does at a solution: take off, stick or slip.

use serde::{Deserialize, Serialize};

/// State of one contact at a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// No force: r = 0.
    TakeOff,
    /// A force, and no relative motion.
    Stick,
    /// A force on the border of the cone, and relative motion.
    Slip,
}

impl Status {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::TakeOff => "take-off",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }
}
