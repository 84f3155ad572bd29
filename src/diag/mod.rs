//! Diagnostics: what is wrong with an input, where, and what to type instead. Owns severity, code, span and
//! message; rendering is in [`render`]. Knows no mechanics and no file format.

mod render;

pub use render::render;

use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets into a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A named input text: what spans point into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// How the user named the input (a path, or `<set>` for an option).
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The question cannot be answered.
    Error,
    /// The answer stands, but the reader should know this.
    Warning,
}

/// One finding about an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable code, such as `M012`; listed in `docs/diagnostics.md`.
    pub code: &'static str,
    /// Where in the source, if the finding has a place.
    pub span: Option<Span>,
    /// The path of keys to the value, such as `contacts.tip.friction`; empty for the whole file.
    pub path: String,
    /// What was found and what was expected: lower case, no full stop.
    pub message: String,
    /// What to type instead.
    pub hint: Option<String>,
}
