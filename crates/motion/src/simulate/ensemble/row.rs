//! The row of a run: what it was given, how it ended, what happened on the way.

use crate::analysis::this_schema;
use crate::model::State;
use crate::num::Number;
use crate::simulate::trajectory::{EventKind, Status, Trajectory};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of the shape.
pub const ENSEMBLE_SCHEMA: &str = "mechan.ensemble/1";

/// Many motions, one row each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ensemble {
    /// [`ENSEMBLE_SCHEMA`].
    #[serde(deserialize_with = "of_this_version")]
    pub schema: Cow<'static, str>,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Name of the state that the runs vary.
    pub state: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, by run.
    pub rows: Vec<Vec<EnsembleCell>>,
}

/// A cell of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EnsembleCell {
    /// A count.
    Count(u64),
    /// A number, or nothing.
    Real(Number),
    /// A word.
    Word(Cow<'static, str>),
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Counts.
    Count,
    /// Numbers.
    Real,
    /// Words.
    Word,
}

/// A column of an ensemble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnsembleColumn {
    /// Name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
}

/// The columns: `run`, the names that vary, `status`, `t_end`, `n_KIND` for each kind of event, the coordinates and `dot(x)` of each at
/// the end, `defect`.
pub fn columns(varied: &[String], coordinates: &[String]) -> Vec<EnsembleColumn> {
    let column = |kind: ColumnKind| move |name: String| EnsembleColumn { name, kind };
    let (count, real) = (column(ColumnKind::Count), column(ColumnKind::Real));
    let mut columns = vec![count("run".to_string())];
    columns.extend(varied.iter().cloned().map(real));
    columns.push(column(ColumnKind::Word)("status".to_string()));
    columns.push(real("t_end".to_string()));
    columns.extend(EventKind::ALL.iter().map(|kind| count(format!("n_{}", kind.name()))));
    columns.extend(coordinates.iter().cloned().map(real));
    columns.extend(coordinates.iter().map(|x| real(format!("dot({x})"))));
    columns.push(real("defect".to_string()));
    columns
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunStatus {
    /// As a motion does.
    Ended(Status),
    /// Not begun: with these values the state does not lie where it claims to, or a law has a number outside its range.
    Refused,
}

impl RunStatus {
    /// The word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ended(status) => status.name(),
            Self::Refused => "refused",
        }
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct EnsembleRow {
    /// Which, from 0.
    pub run: u64,
    /// What it was given.
    pub drawn: Vec<f64>,
    /// How it ended.
    pub status: RunStatus,
    /// When; NaN if it did not begin.
    pub t_end: f64,
    /// How many events of each kind, in the order of [`EventKind::ALL`].
    pub counts: [u64; EventKind::ALL.len()],
    /// Coordinates and velocities at the end.
    pub at_end: Vec<f64>,
    /// Energy that is not accounted for.
    pub defect: f64,
    /// Why, where the status does not say it all; no column.
    pub reason: Option<String>,
    /// What is to be known of its start; no column.
    pub notes: Vec<String>,
}

impl EnsembleRow {
    /// The row of a motion that ended in a state.
    pub fn of(run: u64, drawn: Vec<f64>, trajectory: &Trajectory, end: &State) -> Self {
        let mut counts = [0; EventKind::ALL.len()];
        for event in &trajectory.events {
            if let Some(place) = EventKind::ALL.iter().position(|kind| *kind == event.kind) {
                counts[place] += 1;
            }
        }
        Self {
            run,
            drawn,
            status: RunStatus::Ended(trajectory.status),
            t_end: end.t,
            counts,
            at_end: [&end.q[..], &end.v].concat(),
            defect: trajectory.energy.defect.0,
            reason: trajectory.reason.clone(),
            notes: Vec::new(),
        }
    }

    /// The row of a run that could not begin.
    pub fn refused(run: u64, drawn: Vec<f64>, coordinates: usize, reason: String) -> Self {
        Self {
            run,
            drawn,
            status: RunStatus::Refused,
            t_end: f64::NAN,
            counts: [0; EventKind::ALL.len()],
            at_end: vec![f64::NAN; 2 * coordinates],
            defect: f64::NAN,
            reason: Some(reason),
            notes: Vec::new(),
        }
    }

    /// Its cells, in the order of [`columns`].
    pub fn cells(&self) -> Vec<EnsembleCell> {
        let real = |x: &f64| EnsembleCell::Real(Number(*x));
        let mut cells = Vec::with_capacity(self.drawn.len() + self.at_end.len() + self.counts.len() + 4);
        cells.push(EnsembleCell::Count(self.run));
        cells.extend(self.drawn.iter().map(real));
        cells.push(EnsembleCell::Word(self.status.name().into()));
        cells.push(real(&self.t_end));
        cells.extend(self.counts.iter().map(|&count| EnsembleCell::Count(count)));
        cells.extend(self.at_end.iter().map(real));
        cells.push(real(&self.defect));
        cells
    }
}

fn of_this_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    this_schema(ENSEMBLE_SCHEMA, deserializer)
}
