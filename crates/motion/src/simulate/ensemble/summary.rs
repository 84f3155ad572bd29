//! What is said of many rows: how many ended how, what happened in them, and between which ends their numbers lie.

use super::row::{ColumnKind, EnsembleCell, EnsembleColumn};
use std::collections::BTreeMap;

/// The ends of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Name of the column.
    pub name: String,
    /// Least.
    pub lo: f64,
    /// Largest.
    pub hi: f64,
}

/// The counts of a kind of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventCount {
    /// Name of the column.
    pub name: String,
    /// Runs in which it happened.
    pub runs: u64,
    /// How often in all of them.
    pub events: u64,
}

/// What is known of the rows so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    columns: Vec<EnsembleColumn>,
    /// Runs by status.
    pub statuses: BTreeMap<String, u64>,
    counts: Vec<[u64; 2]>,
    ends: Vec<[f64; 2]>,
}

impl Summary {
    /// Of no rows.
    pub fn new(columns: &[EnsembleColumn]) -> Self {
        Self {
            columns: columns.to_vec(),
            statuses: BTreeMap::new(),
            counts: vec![[0; 2]; columns.len()],
            ends: vec![[f64::INFINITY, f64::NEG_INFINITY]; columns.len()],
        }
    }

    /// Takes a row into account.
    pub fn include(&mut self, cells: &[EnsembleCell]) {
        for (i, cell) in cells.iter().enumerate().take(self.columns.len()) {
            match cell {
                EnsembleCell::Count(count) => {
                    self.counts[i][0] += u64::from(*count > 0);
                    self.counts[i][1] += count;
                }
                EnsembleCell::Real(x) if x.0.is_nan() => {}
                EnsembleCell::Real(x) => {
                    self.ends[i] = [self.ends[i][0].min(x.0), self.ends[i][1].max(x.0)];
                }
                EnsembleCell::Word(word) => {
                    *self.statuses.entry(word.to_string()).or_default() += 1;
                }
            }
        }
    }

    /// Number of rows.
    pub fn runs(&self) -> u64 {
        self.statuses.values().sum()
    }

    /// Events that happened at all; `run` is none.
    pub fn events(&self) -> Vec<EventCount> {
        let columns = self.columns.iter().zip(&self.counts).skip(1);
        let happened = columns.filter(|(column, count)| column.kind == ColumnKind::Count && count[0] > 0);
        happened
            .map(|(column, &[runs, events])| EventCount { name: column.name.clone(), runs, events })
            .collect()
    }

    /// The ends of each column of numbers that has any.
    pub fn ranges(&self) -> Vec<Range> {
        let columns = self.columns.iter().zip(&self.ends);
        let known = columns.filter(|(column, ends)| column.kind == ColumnKind::Real && ends[0] <= ends[1]);
        known.map(|(column, &[lo, hi])| Range { name: column.name.clone(), lo, hi }).collect()
    }
}
