//! An ensemble into a file that may go on where it ends, or into memory.

use super::ask::EnsembleStudy;
use super::identity::Identity;
use super::part::read_rows;
use crate::pipeline::Failure;
use crate::report::{DataFile, PART_ROWS, data_cells, data_columns};
use crate::simulate::ensemble::{ENSEMBLE_SCHEMA, Ensemble, EnsembleCell, EnsembleRow, RunStatus, Summary};
use std::path::Path;
use std::time::{Duration, Instant};

/// How much time a kill may cost.
const SAFE_AFTER: Duration = Duration::from_secs(1);

/// What came out of an ensemble.
#[derive(Clone, Debug, PartialEq)]
pub struct EnsembleOutcome {
    /// What is said of all rows.
    pub summary: Summary,
    /// The first run that could not begin, of those that were followed now.
    pub refused: Option<Refused>,
    /// How many of them began elsewhere than they were given, and what is said of the first.
    pub moved: u64,
    /// The first of these.
    pub first_moved: Option<Refused>,
    /// Whether it was asked to end before its last run.
    pub interrupted: bool,
}

/// A run that could not begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Which.
    pub run: u64,
    /// Why.
    pub reason: String,
}

impl EnsembleOutcome {
    fn new(summary: Summary) -> Self {
        Self { summary, refused: None, moved: 0, first_moved: None, interrupted: false }
    }

    fn include(&mut self, row: &EnsembleRow, cells: &[EnsembleCell]) {
        self.summary.include(cells);
        self.moved += u64::from(!row.notes.is_empty());
        if let (None, Some(note)) = (&self.first_moved, row.notes.first()) {
            self.first_moved = Some(Refused { run: row.run, reason: note.clone() });
        }
        if row.status == RunStatus::Refused && self.refused.is_none() {
            self.refused = Some(Refused { run: row.run, reason: row.reason.clone().unwrap_or_default() });
        }
    }
}

/// Follows an ensemble; its rows are kept in memory. `progress` is told how many runs there are after each.
///
/// # Errors
/// [`Failure`] if an option makes no sense.
pub fn collect_ensemble(
    study: &EnsembleStudy<'_>,
    mut progress: impl FnMut(u64),
) -> Result<(Ensemble, EnsembleOutcome), Failure> {
    let columns = study.columns();
    let mut outcome = EnsembleOutcome::new(Summary::new(&columns));
    let mut rows = Vec::new();
    outcome.interrupted = study.follow_some(study.range(), |row| {
        let cells = row.cells();
        outcome.include(&row, &cells);
        rows.push(cells);
        progress(rows.len() as u64);
        Ok(())
    })?;
    let [mechanism, state] = study.identity().names().map(String::from);
    let columns = columns.into_iter().map(|column| column.name).collect();
    Ok((Ensemble { schema: ENSEMBLE_SCHEMA.into(), mechanism, state, columns, rows }, outcome))
}

/// Follows an ensemble into a file, `.csv` or `.parquet`, with the question beside it; with `resume` the runs that are in it already are
/// left out. What was written is whole at every moment.
///
/// # Errors
/// [`Failure`] if an option makes no sense, the file is of another question, or cannot be written.
pub fn write_ensemble(
    study: &EnsembleStudy<'_>,
    path: &Path,
    resume: bool,
    mut progress: impl FnMut(u64),
) -> Result<EnsembleOutcome, Failure> {
    let mut outcome = EnsembleOutcome::new(Summary::new(&study.columns()));
    let columns = data_columns(&study.columns());
    let (mut file, done) = if resume && path.exists() {
        written(study, path, &mut outcome)?;
        DataFile::resume(path, columns, PART_ROWS)?
    } else {
        let file = DataFile::in_parts(path, columns, PART_ROWS)?;
        study.identity().write(path).map_err(Failure::unwritable(path))?;
        (file, 0)
    };
    let (range, mut safe) = (study.range(), Instant::now());
    let mut count = done as u64;
    outcome.interrupted = study.follow_some(range.start + count..range.end, |row| {
        let cells = row.cells();
        outcome.include(&row, &cells);
        file.append(&data_cells(&cells))?;
        if safe.elapsed() > SAFE_AFTER && is_text(path) {
            file.flush()?;
            safe = Instant::now();
        }
        count += 1;
        progress(count);
        Ok(())
    })?;
    file.finish()?;
    Ok(outcome)
}

/// Lines may be written one by one; parts of Parquet should be large.
fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"))
}

/// That a file is one of this question, and what its rows say.
fn written(study: &EnsembleStudy<'_>, path: &Path, outcome: &mut EnsembleOutcome) -> Result<(), Failure> {
    let found = Identity::read(path).map_err(|fault| Failure::file(path.display().to_string(), fault))?;
    let same = study.identity().is_that_of(&found);
    same.map_err(|fault| Failure::file(path.display().to_string(), fault))?;
    read_rows(path, &study.columns(), study.range().start, |cells| {
        outcome.summary.include(&cells);
        Ok(())
    })
    .map(drop)
}
