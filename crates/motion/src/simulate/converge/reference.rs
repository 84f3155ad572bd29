//! A motion that others are measured against: smooth pieces, between which velocities may jump.

use super::closed_form::ClosedForm;
use super::table::Table;
use serde::Serialize;

/// How a reference was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceKind {
    /// Closed forms between located impacts.
    Exact,
    /// By an integrator at its limit.
    Converged,
}

/// Coordinates and velocities at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// q.
    pub q: Vec<f64>,
    /// v.
    pub v: Vec<f64>,
}

/// A smooth piece of a motion.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// In closed form.
    Closed(ClosedForm),
    /// Through points.
    Table(Table),
}

impl Piece {
    fn begin(&self) -> f64 {
        match self {
            Self::Closed(piece) => piece.begin,
            Self::Table(piece) => piece.begin(),
        }
    }

    fn at(&self, t: f64) -> Sample {
        match self {
            Self::Closed(piece) => piece.at(t),
            Self::Table(piece) => piece.at(t),
        }
    }
}

/// What jumps at a time: left and right limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump {
    /// When.
    pub t: f64,
    /// Before.
    pub left: Sample,
    /// After.
    pub right: Sample,
}

/// A motion as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// How it was found.
    pub kind: ReferenceKind,
    /// What it may be off, estimated: the larger of that of positions and that of velocities.
    pub error: f64,
    pieces: Vec<Piece>,
    jumps: Vec<Jump>,
}

impl Reference {
    /// Of pieces in order of time, at least one.
    pub fn new(kind: ReferenceKind, error: f64, pieces: Vec<Piece>) -> Self {
        let jumps = pieces
            .windows(2)
            .map(|pair| {
                let t = pair[1].begin();
                Jump { t, left: pair[0].at(t), right: pair[1].at(t) }
            })
            .collect();
        Self { kind, error, pieces, jumps }
    }

    /// Right limits at a time.
    pub fn at(&self, t: f64) -> Sample {
        let after = self.pieces.partition_point(|piece| piece.begin() <= t);
        match self.pieces.get(after.saturating_sub(1)) {
            Some(piece) => piece.at(t),
            None => Sample::default(),
        }
    }

    /// All jumps, in order of time.
    pub fn jumps(&self) -> &[Jump] {
        &self.jumps
    }

    /// Those from one time to another.
    pub fn jumps_in(&self, from: f64, to: f64) -> &[Jump] {
        let first = self.jumps.partition_point(|jump| jump.t < from);
        let last = self.jumps.partition_point(|jump| jump.t <= to);
        &self.jumps[first..last.max(first)]
    }
}
