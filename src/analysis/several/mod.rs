//! Several contacts, in the plane and in space: which motions are consistent, which forces are not unique, what compliance and impacts
//! decide; in the plane what small motions near an equilibrium do.

mod collision;
mod held;
mod impact;
mod lyapunov;
mod outcome;
mod perturb;
mod question;
mod rest;
mod robust;
mod standing;
mod striking;
mod strong;
mod table;
mod two_contacts;
mod ways;

pub(crate) use collision::{OTHERS, groups};
pub use impact::{Group, JointImpact, JointImpacts, JointLaw};
pub use lyapunov::{
    Doubt, Lyapunov, LyapunovReason, LyapunovVerdict, Orbit, OrbitPhase, ReturnMap, ReturnPoint,
};
pub use outcome::{
    ChatterSearchOutcome, ForcePair, LyapunovOutcome, MapPieceOutcome, OnsetOutcome, OrbitOutcome,
    OrbitPhaseOutcome, RestBy, RestOutcome, RobustnessOutcome, StandingOutcome, StrongRobustnessOutcome,
};
pub use perturb::ChatterSearch;
pub(crate) use question::free_motion;
pub use rest::{Corners, RestingForces};
pub use robust::{Gravity, Robustness};
pub use strong::{Onset, StrongRobustness};
pub use table::{
    Class, ClassImpacts, ClassStability, TwoContactTable, two_contact_table, two_contact_text, with_response,
};
pub use two_contacts::{LoadSector, TwoContacts};
