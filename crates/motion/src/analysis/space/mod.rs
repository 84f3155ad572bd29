//! One contact in space [CV16 section 7]: which motions are consistent, which directions of slip are forbidden, what an impact does.
//!
//! | file | the question |
//! |---|---|
//! | `question` | everything about a state in which it decides what happens next, in the shape of the report |
//! | `modes` | the modes of one contact and why each is consistent or not |
//! | `verdict` | how many motions there are, signs within tolerance tried both ways |
//! | `tangential` | whether a small slip dies out, and whether a direction of slip draws its neighbours |
//! | `crossing` | slip that turns into the directions with p < 0 |
//! | `impact` | impacts, with and without collision, and chatter |
//! | `outcome` | what is said, as data |

mod crossing;
mod impact;
mod modes;
mod outcome;
mod question;
mod tangential;
mod verdict;

pub use super::contact_status::ContactStatus;
pub use crossing::{Crossing, crossing};
pub(crate) use impact::unknown_impact;
pub use modes::{Contact, SpaceMode, modes};
pub use outcome::{LeastGainOutcome, OnsetOutcome};
pub use tangential::{stick_stability, turning_stability};
pub use verdict::verdict;
