//! What stands in a file of an ensemble, and parts that become a whole.

use super::fault::{EnsembleFault, PartFault};
use super::identity::Identity;
use crate::pipeline::{Failure, Usage};
use crate::report::{DataRows, RowsFault, data_columns, ensemble_cells};
use crate::simulate::ensemble::{Chunk, EnsembleCell, EnsembleColumn, columns};
use std::path::{Path, PathBuf};

/// Reads the rows of a file with these columns, in order, and how many they are; what a run was writing as it was killed is left out.
pub(super) fn read_rows(
    path: &Path,
    columns: &[EnsembleColumn],
    first: u64,
    mut each: impl FnMut(Vec<EnsembleCell>) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let refused = |fault| match fault {
        RowsFault::Unreadable(error) => Failure::Unreadable { name: path.display().to_string(), error },
        other => Failure::file(path.display().to_string(), PartFault::Rows { reason: other.to_string() }),
    };
    let mut rows = DataRows::open(path, data_columns(columns)).map_err(refused)?;
    let mut count = 0;
    while let Some(row) = rows.next_row().map_err(refused)? {
        let cells = ensemble_cells(&row);
        let Some(cells) = cells.filter(|cells| cells.first() == Some(&EnsembleCell::Count(first + count)))
        else {
            let reason = format!("the run of {} is not the next one", rows.place());
            return Err(Failure::file(path.display().to_string(), PartFault::Rows { reason }));
        };
        each(cells)?;
        count += 1;
    }
    Ok(count)
}

/// The parts of one ensemble, all there, in order.
#[derive(Clone, Debug)]
pub struct Parts {
    files: Vec<PathBuf>,
    identity: Identity,
    columns: Vec<EnsembleColumn>,
    runs: u64,
}

impl Parts {
    /// Of these files, in any order.
    ///
    /// # Errors
    /// [`Failure::File`] if one belongs to another question, is there twice or is missing.
    pub fn open(files: &[PathBuf]) -> Result<Self, Failure> {
        let fault = |path: &Path, fault| Failure::file(path.display().to_string(), fault);
        let mut found = Vec::new();
        for path in files {
            if let Err(error) = std::fs::metadata(path) {
                return Err(Failure::Unreadable { name: path.display().to_string(), error });
            }
            found.push((Identity::read(path).map_err(|e| fault(path, e))?, path));
        }
        let Some((asked, _)) = found.first().cloned() else {
            return Err(Usage::from(EnsembleFault::NoParts).into());
        };
        for (identity, path) in &found {
            asked.shares_with(identity).map_err(|e| fault(path, e))?;
        }
        found.sort_by_key(|(identity, _)| identity.chunk().part);
        complete(&found, asked.chunk().of)?;
        Ok(Self {
            files: found.into_iter().map(|(_, path)| path.clone()).collect(),
            columns: columns(&asked.varied(), &asked.coordinates()),
            runs: asked.runs(),
            identity: asked.whole(),
        })
    }

    /// What the whole was asked.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The columns of all parts.
    pub fn columns(&self) -> &[EnsembleColumn] {
        &self.columns
    }

    /// That a file that is to be written is none of them.
    ///
    /// # Errors
    /// [`Failure::Usage`] if it is.
    pub fn spare(&self, output: &Path) -> Result<(), Failure> {
        let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.files.iter().any(|file| place(file) == place(output)) {
            return Err(Usage::from(EnsembleFault::Onto { file: output.display().to_string() }).into());
        }
        Ok(())
    }

    /// Hands over all rows in order.
    ///
    /// # Errors
    /// What `each` says; [`Failure::File`] if a part is damaged or not finished.
    pub fn rows(
        &self,
        mut each: impl FnMut(Vec<EnsembleCell>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let of = self.files.len() as u64;
        for (part, path) in (1..).zip(&self.files) {
            let range = Chunk { part, of }.range(self.runs);
            let rows = read_rows(path, &self.columns, range.start, &mut each)?;
            let runs = range.end - range.start;
            if rows != runs {
                let fault = PartFault::Unfinished { rows, runs };
                return Err(Failure::file(path.display().to_string(), fault));
            }
        }
        Ok(())
    }
}

/// That sorted parts are all of them, each once.
pub(in crate::pipeline) fn complete(found: &[(Identity, &PathBuf)], of: u64) -> Result<(), Failure> {
    let mut due = 1;
    for (identity, path) in found {
        let part = identity.chunk().part;
        let fault = |fault| Failure::file(path.display().to_string(), fault);
        match part.cmp(&due) {
            std::cmp::Ordering::Less => return Err(fault(PartFault::Overlap { part })),
            std::cmp::Ordering::Greater => return Err(fault(PartFault::Gap { part: due, of })),
            std::cmp::Ordering::Equal => due += 1,
        }
    }
    match found.last() {
        Some((_, path)) if due <= of => {
            Err(Failure::file(path.display().to_string(), PartFault::Gap { part: due, of }))
        }
        _ => Ok(()),
    }
}
