//! Several contacts in the plane: which motions are consistent, which forces are not unique, what compliance and impacts
//! decide.

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
mod strong;
mod table;
mod two_contacts;
mod ways;

pub(crate) use collision::{OTHERS, announcement, groups};
pub use impact::{Group, JointImpact, JointImpacts, JointLaw};
pub use lyapunov::{
    Doubt, Lyapunov, LyapunovReason, LyapunovVerdict, Orbit, OrbitPhase, ReturnMap, ReturnPoint,
};
pub use outcome::{
    AccelerationRange, ChatterSearchOutcome, FlipsAt, ForcePair, ForceRange, IwcOutcome, LyapunovOutcome,
    MapPieceOutcome, OnsetOutcome, OrbitOutcome, OrbitPhaseOutcome, RestOutcome, RobustnessOutcome,
    StrongRobustnessOutcome,
};
pub use perturb::ChatterSearch;
pub(crate) use question::{Question, free_motion};
pub use rest::{Corners, RestingForces};
pub use robust::{Gravity, Robustness};
pub use strong::{Onset, StrongRobustness};
pub use table::{
    Class, ClassImpacts, ClassStability, TwoContactTable, two_contact_table, two_contact_text, with_response,
};
pub use two_contacts::{LoadSector, TwoContacts};
