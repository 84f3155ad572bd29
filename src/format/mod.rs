//! The mechanism format (FORMAT.md): YAML text to a validated [`Mechanism`] with spans, its JSON Schema and a
//! starter file. Everything wrong with a file is found before anything is refused.

mod mechanism;
mod read_stub;
pub use read_stub::{Checked, read};
mod resolve;
mod schema;
mod starter;

pub use mechanism::*;
pub use resolve::{ContactLaw, Override, ResolvedState};
pub use schema::schema;
pub use starter::starter;
