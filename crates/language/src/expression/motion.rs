//! What an expression says about points and bodies in motion: `position(P, x)`, `velocity(P, x)`, `omega(BODY)`. They stand for
//! definitions, and for their rates, that the mechanism has by these names.

use super::scope::Scope;
use super::tree::Node;
use crate::diag::{Diagnostic, Span, nearest};

/// The functions of motion.
const FUNCTIONS: [&str; 3] = ["position", "velocity", "omega"];

/// Whether a text calls one of the functions of motion.
pub fn mentions_motion(text: &str) -> bool {
    FUNCTIONS.iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            let starts = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            starts && text[at + name.len()..].trim_start().starts_with('(')
        })
    })
}

impl Scope<'_> {
    /// Whether a call is one of motion: a parameter may be called `omega` too.
    pub(super) fn is_of_motion(&self, name: &str) -> bool {
        let is_taken = || self.names.all().any(|known| known == name);
        FUNCTIONS.contains(&name) && (!is_taken() || self.of_motion(name).next().is_some())
    }

    /// The first arguments that a function of motion may have.
    fn of_motion(&self, name: &str) -> impl Iterator<Item = &str> {
        let stem = match name {
            "omega" => "origin(",
            _ => "position(",
        };
        let calls = self.names.definitions.iter().filter_map(move |d| d.name.strip_prefix(stem));
        // origins of frames have names of two words
        calls.filter_map(|rest| rest.split(',').next()).filter(|subject| !subject.contains(' '))
    }

    /// What a function of motion means here.
    pub(super) fn motion(&self, name: &str, arguments: &[String], at: Span) -> Result<Node, Diagnostic> {
        let (given, is_rate) = match (name, arguments) {
            ("omega", [body]) => (format!("angle({body})"), true),
            ("velocity", _) => (format!("position({})", arguments.join(", ")), true),
            _ => (format!("{name}({})", arguments.join(", ")), false),
        };
        match self.names.definitions.iter().position(|d| d.name == given) {
            Some(i) if is_rate => self.definition_rate(i, at),
            Some(i) => self.definition(i, at),
            None => Err(self.unknown_motion(name, arguments, at)),
        }
    }

    fn unknown_motion(&self, name: &str, arguments: &[String], at: Span) -> Diagnostic {
        let kind = if name == "omega" { "body" } else { "point" };
        let subject = arguments.first().map_or("", String::as_str);
        if self.of_motion(name).any(|known| known == subject) {
            let message = format!("`{name}({})` names no axis of the mechanism", arguments.join(", "));
            let plane = self.names.definitions.iter().any(|d| d.name.starts_with("angle("));
            let hint = match (name, plane) {
                ("omega", true) => format!("in the plane write `omega({subject})`"),
                (_, true) => {
                    format!("write `{name}({subject}, x)` or `{name}({subject}, y)`, along an inertial axis")
                }
                (_, false) => {
                    format!("write `{name}({subject}, x)`, with `x`, `y` or `z` for an inertial axis")
                }
            };
            return Diagnostic::error("M118", message).with_span(at).with_hint(hint);
        }
        let found = Diagnostic::error("M118", format!("there is no {kind} `{subject}`")).with_span(at);
        match (nearest(subject, self.of_motion(name)), kind) {
            (Some(close), _) => found.with_hint(format!("did you mean `{close}`?")),
            (None, "point") => {
                found.with_hint("name it under `points`, as `points: {P: {body: NAME, at: [..]}}`")
            }
            (None, _) => found,
        }
    }
}
