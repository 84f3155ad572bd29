//! Several contacts, in the plane and in space: which motions are consistent, which forces are not unique, what compliance and impacts
//! decide; in the plane what small motions near an equilibrium do.

mod collision;
mod held;
mod outcome;
mod question;
mod standing;
mod striking;
mod table;

pub(crate) use collision::{OTHERS, groups};
pub use outcome::{
    ChatterSearchOutcome, ForcePair, LyapunovOutcome, MapPieceOutcome, OnsetOutcome, OrbitOutcome,
    OrbitPhaseOutcome, RestBy, RestOutcome, RobustnessOutcome, StandingOutcome, StrongRobustnessOutcome,
};
pub(crate) use question::free_motion;
pub use table::{Class, ClassImpacts, ClassStability, TwoContactTable, two_contact_table, two_contact_text};
