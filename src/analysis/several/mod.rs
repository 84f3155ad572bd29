//! Several contacts in the plane: which motions are consistent, which forces are not unique, what compliance and impacts
//! decide.

mod border;
mod contacts;
mod decide;
mod exact;
mod judge;
mod outcome;
mod program;
mod search;
mod spread;
mod word;

pub use contacts::{Contacts, Going, Sized, Touch};
pub use decide::{Decision, LISTED};
pub use judge::{Judged, Why};
pub use outcome::{AccelerationRange, ForceRange};
pub(crate) use outcome::{Question, free_motion};
pub use word::Choice;
