//! Several contacts in the plane: which motions are consistent, which forces are not unique, what compliance and impacts
//! decide.

mod border;
mod collision;
mod contacts;
mod decide;
mod exact;
mod held;
mod impact;
mod iwc;
mod judge;
mod lyapunov;
mod outcome;
mod perturb;
mod program;
mod question;
mod reason;
mod response;
mod rest;
mod robust;
mod search;
mod spread;
mod stability;
mod standing;
mod strong;
mod table;
mod two_contacts;
mod ways;
mod word;

pub(crate) use collision::{OTHERS, announcement, groups};
pub use contacts::{Contacts, Going, Sized, Touch};
pub use decide::{Decision, Everything, LISTED};
pub use impact::{Group, JointImpact, JointImpacts, JointLaw};
pub(crate) use iwc::both_pushed_in;
pub use iwc::{Iwc, Possible};
pub use judge::{Judged, Why};
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
pub use response::Response;
pub use rest::{Corners, RestingForces};
pub use robust::{Gravity, Robustness};
pub use stability::{Flips, WordStability, word_stability};
pub use strong::{Onset, StrongRobustness};
pub use table::{
    Class, ClassImpacts, ClassStability, TwoContactTable, two_contact_table, two_contact_text, with_response,
};
pub use two_contacts::{LoadSector, TwoContacts};
pub use word::Choice;
