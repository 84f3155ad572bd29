//! Tables of a run beside its rows: where bodies are and how they move, and what contacts carry, at chosen steps.

use super::fault::SceneFault;
use super::run::PART_ROWS;
use crate::pipeline::Failure;
use crate::pipeline::tables::{Subject, row};
use crate::report::{DataCell, DataColumn, DataFile, DataRows, RowsFault};
use crate::scene::{Shown, Simulation};
use std::path::{Path, PathBuf};

/// What is asked of a run beside its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The file of the bodies, `.csv` or `.parquet`.
    pub bodies: Option<PathBuf>,
    /// The file of the contacts.
    pub contacts: Option<PathBuf>,
    /// Steps from one that is shown to the next; none: every step.
    pub sample: Option<u64>,
}

impl TableOptions {
    /// Steps from one that is shown to the next.
    pub(super) fn every(&self) -> u64 {
        self.sample.unwrap_or(1)
    }
}

/// A table on its way.
struct Table {
    subject: Subject,
    file: DataFile,
    /// The step of the last row that a run before has written, and how many rows it has.
    there: (u64, usize),
}

/// The tables of a run.
pub(super) struct Tables {
    all: Vec<Table>,
    every: u64,
}

/// What there is of a table before a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// Whether the run goes on from a checkpoint.
    pub(super) resumed: bool,
    /// Steps that were taken.
    pub(super) step: u64,
    /// Whether the table is written in parts.
    pub(super) long: bool,
}

impl Tables {
    /// Opens the tables that are asked for; at its beginning a run shows the bodies as they are placed.
    pub(super) fn open(
        options: &TableOptions,
        before: Before,
        simulation: &Simulation,
    ) -> Result<Self, Failure> {
        let asked = [(&options.bodies, Subject::Bodies), (&options.contacts, Subject::Contacts)];
        let dim = simulation.scene().space.dimension();
        let mut all = Vec::new();
        for (path, subject) in asked {
            if let Some(path) = path {
                let (file, there) = open(path, (subject, dim), before, options.every())?;
                all.push(Table { subject, file, there });
            }
        }
        let mut tables = Self { all, every: options.every() };
        if !before.resumed {
            tables.take(simulation)?;
        }
        Ok(tables)
    }

    /// Shows a step, if it is one of those that are shown.
    pub(super) fn take(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let step = simulation.step();
        if self.all.is_empty() || !step.is_multiple_of(self.every) {
            return Ok(());
        }
        let shown = Shown::of(simulation);
        for Table { subject, file, there: (last, rows) } in &mut self.all {
            let new = match step.cmp(last) {
                std::cmp::Ordering::Less => continue,
                std::cmp::Ordering::Equal => *rows,
                std::cmp::Ordering::Greater => 0,
            };
            for row in rows_of(*subject, &shown, (step, simulation.time(step))).skip(new) {
                file.append(&row)?;
            }
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        self.all.iter_mut().try_for_each(|table| Ok(table.file.flush()?))
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.all.into_iter().try_for_each(|table| Ok(table.file.finish().map(drop)?))
    }
}

/// The rows of a step.
fn rows_of<'s>(
    subject: Subject,
    shown: &'s Shown<'_>,
    at: (u64, f64),
) -> Box<dyn Iterator<Item = Vec<DataCell>> + 's> {
    match subject {
        Subject::Bodies => {
            Box::new(shown.bodies().map(move |(name, numbers)| row(at, [Some(name)], numbers)))
        }
        Subject::Contacts => {
            Box::new(shown.contacts().map(move |(names, numbers)| row(at, names.map(Some), numbers)))
        }
    }
}

/// A table's file, and what a run before has written of it last.
fn open(
    path: &Path,
    (subject, dim): (Subject, usize),
    before: Before,
    every: u64,
) -> Result<(DataFile, (u64, usize)), Failure> {
    let columns = subject.columns(dim);
    if !before.resumed {
        let file = match before.long {
            true => DataFile::in_parts(path, columns, PART_ROWS)?,
            false => DataFile::create(path, columns)?,
        };
        return Ok((file, (0, 0)));
    }
    let (file, rows) = DataFile::resume(path, columns.clone(), PART_ROWS)?;
    if rows == 0 {
        return Ok((file, (0, 0)));
    }
    let there = last_rows(path, columns)?;
    let (last, step) = (there.0, before.step - before.step % every);
    // there may have been no contacts
    if last < step && subject == Subject::Bodies {
        return Err(SceneFault::MissingRows { file: path.display().to_string(), last, step }.into());
    }
    Ok((file, there))
}

/// The step of the last row of a file, and how many rows it has of it.
pub(super) fn last_rows(path: &Path, columns: Vec<DataColumn>) -> Result<(u64, usize), Failure> {
    let unreadable =
        |fault: RowsFault| SceneFault::Rows { file: path.display().to_string(), reason: fault.to_string() };
    let mut rows = DataRows::open(path, columns).map_err(unreadable)?;
    let mut last = (0, 0);
    while let Some(row) = rows.next_row().map_err(unreadable)? {
        if let Some(DataCell::Integer(step)) = row.first() {
            let step = u64::try_from(*step).unwrap_or(last.0);
            last = (step, if step == last.0 { last.1 + 1 } else { 1 });
        }
    }
    Ok(last)
}
