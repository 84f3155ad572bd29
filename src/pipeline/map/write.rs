//! The files of a map: cells and boundaries as tables, everything as JSON, or a picture.

use super::ask::MapStudy;
use super::fault::MapFault;
use super::record::{Record, Recorded};
use super::run::{MapProgress, MapWatch};
use crate::analysis::map::{Cell, Level, MapOutcome};
use crate::pipeline::{Failure, Usage, write_json};
use crate::plot::{self, PictureFault};
use crate::report::{DataCell, DataColumn, DataFault, DataFile, PART_ROWS};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What a file of a map holds, by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFile {
    /// `.svg`, `.png`: the picture.
    Picture,
    /// `.json`: everything.
    Json,
    /// `.csv`, `.parquet`: the cells, row by row, and the boundaries beside it.
    Table,
}

impl MapFile {
    /// By the ending of its name.
    ///
    /// # Errors
    /// [`Failure`] for endings that are not known, and for files that this build does not write.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
            Some("png") if cfg!(not(feature = "png")) => Err(PictureFault::NoPng.into()),
            Some("parquet") if cfg!(not(feature = "parquet")) => Err(DataFault::NoParquet.into()),
            Some("svg" | "png") => Ok(Self::Picture),
            Some("json") => Ok(Self::Json),
            Some("csv" | "parquet") => Ok(Self::Table),
            _ => Err(Usage::from(MapFault::Ending { file: path.display().to_string() }).into()),
        }
    }

    /// Whether it needs all cells at once.
    pub fn keeps(self) -> bool {
        self != Self::Table
    }
}

/// That a map can be written to a file of this name, before it is computed.
///
/// # Errors
/// [`Failure`] for endings that are not known, for pictures and tables that this build does not write, and for a folder that is not there or
/// takes nothing.
pub fn check_map_file(path: &Path) -> Result<(), Failure> {
    MapFile::of(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    takes_a_file(folder).map_err(Failure::unwritable(path))
}

/// That a folder takes a file, which is gone again.
fn takes_a_file(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".mechan-map.{}", std::process::id()));
    std::fs::File::create(&probe)?;
    std::fs::remove_file(&probe)
}

/// Computes a map into a file, a table row by row. Returns the map, with its cells if `keep` or the file needs them, and the files that were
/// written. A map that was stopped is written as far as it came; of less than two rows there is no picture.
///
/// # Errors
/// [`Failure`], see [`MapStudy::follow`], [`MapStudy::check_kept`] and [`write_map`].
pub fn map_into(
    study: &MapStudy<'_>,
    path: &Path,
    (stop, keep): (&AtomicBool, bool),
    progress: &mut dyn FnMut(MapProgress),
) -> Result<(MapOutcome, Vec<PathBuf>), Failure> {
    recorded_into(study, path, (stop, keep, Recorded::Not), progress)
}

/// The same with a record of the rows beside the file, from which an interrupted map goes on.
///
/// # Errors
/// As [`map_into`], and [`Failure::File`] for a record of another question.
pub fn recorded_into(
    study: &MapStudy<'_>,
    path: &Path,
    (stop, keep, recorded): (&AtomicBool, bool, Recorded),
    progress: &mut dyn FnMut(MapProgress),
) -> Result<(MapOutcome, Vec<PathBuf>), Failure> {
    let kind = MapFile::of(path)?;
    if kind.keeps() || keep {
        study.check_kept("a file or a report with everything")?;
    }
    let record = Record::open(study, path, recorded)?;
    if kind == MapFile::Table {
        let mut table = MapTable::of(study, path)?;
        let watch = MapWatch { progress, stop, row: &mut |y, row| table.append(y, row), keep };
        let map = study.follow_recorded(watch, record)?;
        let files = table.finish(&map)?;
        return Ok((map, files));
    }
    let watch = MapWatch { progress, stop, row: &mut |_, _| Ok(()), keep: true };
    let map = study.follow_recorded(watch, record)?;
    let drawn = kind != MapFile::Picture || map.interrupted.is_none_or(|interrupted| interrupted.rows > 1);
    let files = if drawn { write_map(&map, path)? } else { Vec::new() };
    Ok((map, files))
}

/// Writes a map that has its cells to a file by its ending, see [`MapFile`]; the boundaries of a table to `NAME.boundaries.csv` (or `.parquet`)
/// beside it. Returns the files that were written.
///
/// # Errors
/// [`Failure`] for other endings, and where a file cannot be written.
pub fn write_map(map: &MapOutcome, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    match MapFile::of(path)? {
        MapFile::Picture => {
            let picture = plot::map(map).map_err(Usage::Plot)?;
            picture.write(path)?;
            Ok(vec![path.to_owned()])
        }
        MapFile::Json => {
            write_json(path, "the map", map)?;
            Ok(vec![path.to_owned()])
        }
        MapFile::Table => {
            let is_word = !map.tally.words.is_empty();
            let names = [&map.x.name, &map.y.name, &map.quantity].map(String::from);
            let across: Vec<f64> = map.x.values.iter().map(|x| x.0).collect();
            let mut table = MapTable::create(path, (names, is_word), across, map.tally.points)?;
            for (y, row) in map.y.values.iter().zip(&map.cells) {
                table.append(y.0, row)?;
            }
            table.finish(map)
        }
    }
}

/// The cells of a map as a table that grows row by row.
struct MapTable {
    path: PathBuf,
    file: DataFile,
    across: Vec<f64>,
}

impl MapTable {
    fn create(
        path: &Path,
        ([x, y, quantity], is_word): ([String; 3], bool),
        across: Vec<f64>,
        points: u64,
    ) -> Result<Self, Failure> {
        let value = if is_word { DataColumn::text(quantity) } else { DataColumn::real(quantity) };
        let columns = vec![DataColumn::real(x), DataColumn::real(y), value];
        // a long one as Parquet is a folder of parts
        let file = match points {
            points if points > PART_ROWS as u64 => DataFile::in_parts(path, columns, PART_ROWS)?,
            _ => DataFile::create(path, columns)?,
        };
        Ok(Self { path: path.to_owned(), file, across })
    }

    /// Of a map that is to be computed.
    fn of(study: &MapStudy<'_>, path: &Path) -> Result<Self, Failure> {
        Self::create(path, (study.columns(), study.has_words()), study.across(), study.points())
    }

    /// The next row.
    fn append(&mut self, y: f64, row: &[Cell]) -> Result<(), Failure> {
        for (x, cell) in self.across.iter().zip(row) {
            let value = match cell {
                Cell::Number(x) => DataCell::Real(x.0),
                Cell::Word(word) => DataCell::Text((*word).to_string()),
                Cell::Undefined | Cell::Lacking(_) => DataCell::Empty,
            };
            self.file.append(&[DataCell::Real(*x), DataCell::Real(y), value])?;
        }
        Ok(())
    }

    /// The rest of it, and the boundaries.
    fn finish(self, map: &MapOutcome) -> Result<Vec<PathBuf>, Failure> {
        self.file.finish()?;
        let ending = self.path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let beside = self.path.with_extension(format!("boundaries.{ending}"));
        boundaries(map, &beside)?;
        Ok(vec![self.path, beside])
    }
}

fn boundaries(map: &MapOutcome, path: &Path) -> Result<(), DataFault> {
    let columns = vec![
        DataColumn::text("level"),
        DataColumn::integer("line"),
        DataColumn::real(&map.x.name),
        DataColumn::real(&map.y.name),
    ];
    let mut file = DataFile::create(path, columns)?;
    let mut line = 0;
    for boundary in &map.boundaries {
        let level = match &boundary.level {
            Level::Number(x) => DataCell::Text(x.0.to_string()),
            Level::Words(words) => DataCell::Text(words.map(|word| word.unwrap_or("")).join("|")),
            Level::Edge => DataCell::Empty,
        };
        for points in &boundary.lines {
            line += 1;
            for [x, y] in points {
                file.append(&[
                    level.clone(),
                    DataCell::Integer(line),
                    DataCell::Real(x.0),
                    DataCell::Real(y.0),
                ])?;
            }
        }
    }
    file.finish().map(drop)
}
