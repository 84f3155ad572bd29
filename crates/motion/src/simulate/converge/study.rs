//! The outcome of a study, in the shape of the machine-readable output.

use super::fit::{Fitted, slope};
use super::measure::Errors;
use super::reference::{Reference, ReferenceKind};
use crate::num::Number;
use serde::Serialize;

/// Version of the shape.
pub const CONVERGENCE_SCHEMA: &str = "mechan.convergence/1";

/// Errors below this multiple of the reference's own, and of the shortest critical step, say nothing of a scheme.
const FLOOR: f64 = 50.0;
/// That step, as a share of the time.
const SHORTEST: f64 = 64.0 * f64::EPSILON;

/// Orders and errors of schemes on one motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Convergence {
    /// [`CONVERGENCE_SCHEMA`].
    pub schema: &'static str,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Name of the state.
    pub state: String,
    /// When the motion ends.
    pub t_end: Number,
    /// What errors are measured against.
    pub reference: ReferenceSummary,
    /// The schemes.
    pub studies: Vec<SchemeStudy>,
    /// How many schemes there would be, where it was asked to end before the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Unfinished>,
    /// What the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A study that was asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Unfinished {
    /// Schemes that are done.
    pub schemes: usize,
    /// Of how many.
    pub of: usize,
}

/// What errors are measured against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReferenceSummary {
    /// How it was found.
    pub kind: ReferenceKind,
    /// What it may be off, estimated.
    pub error: Number,
}

/// A number of each norm, of positions and velocities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorsOf {
    /// Of positions.
    pub q: Errors,
    /// Of velocities.
    pub v: Errors,
}

/// A run of a scheme.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// What goes to zero: the step; of a scheme with steps of its own their mean.
    pub h: Number,
    /// What was asked of a scheme with steps of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rtol: Option<Number>,
    /// Errors.
    #[serde(flatten)]
    pub errors: ErrorsOf,
    /// Evaluations of the right-hand side.
    pub evaluations: usize,
}

/// A scheme over several steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SchemeStudy {
    /// Its name.
    pub scheme: String,
    /// Its order in theory.
    pub order: u32,
    /// Runs, the longest step first.
    pub runs: Vec<Run>,
    /// Slopes of errors over h; none where too few errors are above those of the reference.
    pub slopes: ErrorsOf,
    /// Steps with which it did not reach the end, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<(Number, String)>,
}

impl SchemeStudy {
    /// Of runs, with their slopes.
    pub fn new(
        (scheme, order): (&str, u32),
        runs: Vec<Run>,
        failed: Vec<(Number, String)>,
        (reference, span): (&Reference, f64),
    ) -> Self {
        let floor = FLOOR * reference.error.max(SHORTEST * span);
        let which = if order > 1 { Fitted::FinerHalf } else { Fitted::All };
        let fitted = |of: fn(&Run) -> Number| {
            let points: Vec<(f64, f64)> = runs.iter().map(|run| (run.h.0, of(run).0)).collect();
            Number(slope(&points, floor, which).unwrap_or(f64::NAN))
        };
        let slopes = ErrorsOf {
            q: Errors {
                hausdorff: fitted(|run| run.errors.q.hausdorff),
                l1: fitted(|run| run.errors.q.l1),
                l2: fitted(|run| run.errors.q.l2),
                uniform: fitted(|run| run.errors.q.uniform),
            },
            v: Errors {
                hausdorff: fitted(|run| run.errors.v.hausdorff),
                l1: fitted(|run| run.errors.v.l1),
                l2: fitted(|run| run.errors.v.l2),
                uniform: fitted(|run| run.errors.v.uniform),
            },
        };
        Self { scheme: scheme.to_string(), order, runs, slopes, failed }
    }
}

/// What is told of a reference.
pub fn summarised(reference: &Reference) -> ReferenceSummary {
    ReferenceSummary { kind: reference.kind, error: Number(reference.error) }
}
