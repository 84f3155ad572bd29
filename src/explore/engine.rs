//! A mechanism that is asked: questions and answers are JSON. An answer is `{"ok": ..}` or `{"fault": {"code", "message", ..}}`.

use super::question::{Question, Situation};
use super::{about, drag, motion, picture, shade, text, ways};
use crate::diag::{Diagnostic, Source};
use crate::format::StateSpec;
use crate::pipeline::{Derived, Deriver, Failure, Loaded, load_bytes};
use serde::Serialize;
use serde_json::{Value, json};

/// A mechanism with its equations, ready to be asked.
#[derive(Debug)]
pub struct Engine {
    derived: Derived,
    /// The same with the last state whose contacts are those that touch.
    free: Option<(String, Derived)>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// The question makes no sense.
    Question(String),
    /// The library cannot answer it.
    Failure(Failure),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Question(error.to_string())
    }
}

impl Engine {
    /// Of a model file.
    ///
    /// # Errors
    /// [`Failure`] if it is broken or of another version, or a mechanism without its equations.
    pub fn open(name: &str, file: &[u8]) -> Result<Self, Failure> {
        let loaded = load_bytes(name, file.to_vec())?;
        Ok(Self::of(loaded.derive(&Deriver::nobody())?))
    }

    /// Of a mechanism with its equations.
    pub fn of(derived: Derived) -> Self {
        Self { derived, free: None }
    }

    /// Why a file was not opened, in the shape of an answer.
    pub fn refusal(failure: &Failure) -> String {
        json!({ "fault": told_failure(failure) }).to_string()
    }

    /// The answer to a question.
    pub fn ask(&mut self, question: &str) -> String {
        let answer = Question::read(question).map_err(Fault::from);
        match answer.and_then(|question| self.answer(question)) {
            Ok(answer) => json!({ "ok": answer }).to_string(),
            Err(fault) => json!({ "fault": told(&fault) }).to_string(),
        }
    }

    fn answer(&mut self, question: Question) -> Result<Value, Fault> {
        match question {
            Question::About {} => about::about(&self.derived),
            Question::State { at, depth, window, panels } => {
                picture::state(self.at(&at)?, &at, picture::Wanted { depth, window, panels: &panels })
            }
            Question::Grip { at, window, place } => drag::grip(self.at(&at)?, &at, &window, place),
            Question::Drag { at, window, grip, place, lift } => {
                let pull = drag::Pull { window, grip, place, lift };
                Ok(serde_json::to_value(drag::drag(self.at(&at)?, &at, &pull)?)?)
            }
            Question::Keep { at, name, value } => {
                Ok(serde_json::to_value(drag::keep(self.at(&at)?, &at, (&name, value))?)?)
            }
            Question::Map { at, x, y, count } => shade::shade(self.at(&at)?, &at, [x, y], count),
            Question::Motion { at, t_end, samples, depth } => {
                motion::motion(self.at(&at)?, &at, motion::Span { t_end, samples }, depth)
            }
            Question::Outline { at, window, rows } => motion::outline(self.at(&at)?, &at, &window, &rows),
            Question::Plot { at, t_end, samples, plot } => {
                motion::plot(self.at(&at)?, &at, motion::Span { t_end, samples }, &plot)
            }
            Question::Yaml { at } => text::with_state(self.at(&at)?, &at),
            Question::Check { text } => text::check(&self.derived, text),
            Question::Adopt { text } => {
                self.derived = text::adopted(&self.derived, text)?;
                self.free = None;
                about::about(&self.derived)
            }
        }
    }

    /// The mechanism as a situation has it: its own, or one whose state lists no contacts.
    fn at(&mut self, at: &Situation) -> Result<&Derived, Fault> {
        if !at.free {
            return Ok(&self.derived);
        }
        if self.free.as_ref().is_none_or(|(state, _)| *state != at.state) {
            self.free = Some((at.state.clone(), freed(&self.derived, at)?));
        }
        Ok(self.free.as_ref().map_or(&self.derived, |(_, derived)| derived))
    }
}

/// A mechanism with one state as it is, in which those contacts are closed that touch.
fn freed(derived: &Derived, at: &Situation) -> Result<Derived, Fault> {
    let mut loaded: Loaded = derived.loaded().clone();
    let own = ways::spec(derived, at)?.clone();
    let spec = StateSpec { closed: None, solve: crate::format::Solve::default(), ..own };
    loaded.mechanism.states = vec![spec];
    Ok(Derived::new(loaded, derived.model().clone())?)
}

/// What is set, as the command line has it.
pub(super) fn set(at: &Situation) -> Vec<String> {
    at.set.iter().map(|(name, value)| format!("{name}={value:?}")).collect()
}

/// A diagnostic with its place.
#[derive(Serialize)]
pub(super) struct Finding<'d> {
    severity: crate::diag::Severity,
    code: &'d str,
    message: &'d str,
    hint: Option<&'d str>,
    path: &'d str,
    /// Line and column of its beginning and its end, from 1.
    place: Option<[(usize, usize); 2]>,
}

/// Diagnostics with their places in a text.
pub(super) fn findings<'d>(source: &Source, diagnostics: &'d [Diagnostic]) -> Vec<Finding<'d>> {
    let found = |d: &'d Diagnostic| Finding {
        severity: d.severity,
        code: d.code,
        message: &d.message,
        hint: d.hint.as_deref(),
        path: &d.path,
        place: d.span.map(|span| [span.start, span.end].map(|at| source.line_column(at))),
    };
    diagnostics.iter().map(found).collect()
}

fn told(fault: &Fault) -> Value {
    match fault {
        Fault::Question(message) => json!({ "code": "question", "message": message, "findings": [] }),
        Fault::Failure(failure) => told_failure(failure),
    }
}

fn told_failure(failure: &Failure) -> Value {
    let found = match failure {
        Failure::Input { source, diagnostics } => findings(source, diagnostics),
        _ => Vec::new(),
    };
    json!({ "code": failure.code(), "message": failure.message(), "findings": found })
}
