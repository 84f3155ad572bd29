//! Diagnostics: what is wrong with an input, where, and what to type instead. Owns severity, code, span and
//! message, the list of codes, "did you mean"; rendering is in `render`. Knows no mechanics and no file format.

mod codes;
mod render;
mod source;
mod unwritable;

pub use codes::CODES;
pub use mechan_num::nearest::{meant, nearest};
pub use render::{Color, SHOWN, render, render_all, summary};
pub use source::{Source, Span};
pub use unwritable::Unwritable;

use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The question cannot be answered.
    Error,
    /// The answer stands, but the reader should know this.
    Warning,
}

/// A stable code of the list [`CODES`].
pub type Code = &'static str;

/// One finding about an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable code, such as `M012`; listed in `docs/diagnostics.md`.
    #[serde(deserialize_with = "codes::known")]
    pub code: Code,
    /// Where in the source, if the finding has a place.
    pub span: Option<Span>,
    /// The path of keys to the value, such as `contacts.tip.friction`; empty for the whole file.
    pub path: String,
    /// What was found and what was expected: lower case, no full stop.
    pub message: String,
    /// What to type instead.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error without a place; the `with_` functions add place, path and hint.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { severity: Severity::Error, code, span: None, path: String::new(), message, hint: None }
    }

    /// A warning without a place.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// The same at a place of the source.
    pub fn with_span(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same with the path of keys.
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The same with advice on what to type.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the known word that may have been meant, if one is close.
    pub fn with_close(self, close: Option<&str>) -> Self {
        match close {
            Some(close) => self.with_hint(format!("did you mean `{close}`?")),
            None => self,
        }
    }

    /// Message and advice on one line.
    pub fn in_one_line(&self) -> String {
        let hint = self.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{}{hint}", self.message)
    }

    /// Whether the question cannot be answered.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
