//! Several contacts in the plane: which motions are consistent, which forces are not unique, what compliance and impacts
//! decide.

mod border;
mod contacts;
mod decide;
mod exact;
mod iwc;
mod judge;
mod outcome;
mod program;
mod response;
mod search;
mod spread;
mod stability;
mod table;
mod two_contacts;
mod word;

pub use contacts::{Contacts, Going, Sized, Touch};
pub use decide::{Decision, Everything, LISTED};
pub use iwc::{Iwc, Possible};
pub use judge::{Judged, Why};
pub use outcome::{AccelerationRange, FlipsAt, ForceRange, IwcOutcome};
pub(crate) use outcome::{Question, free_motion};
pub use response::Response;
pub use stability::{Flips, WordStability, word_stability};
pub use table::{
    Class, ClassImpacts, ClassStability, TwoContactTable, two_contact_table, two_contact_text, with_response,
};
pub use two_contacts::TwoContacts;
pub use word::Choice;
