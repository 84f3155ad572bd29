//! The files of a map: cells and boundaries as tables, everything as JSON, or a picture.

use super::fault::MapFault;
use crate::analysis::map::{Cell, Level, MapOutcome};
use crate::pipeline::{Failure, Usage};
use crate::plot::{self, PictureFault};
use crate::report::{DataCell, DataColumn, DataFault, DataFile, write_whole};
use std::path::{Path, PathBuf};

/// That a map can be written to a file of this name, before it is computed.
///
/// # Errors
/// [`Failure`] for endings that are not known, and for pictures that this build does not write.
pub fn check_map_file(path: &Path) -> Result<(), Failure> {
    match ending(path).as_deref() {
        Some("png") if cfg!(not(feature = "png")) => Err(PictureFault::NoPng.into()),
        Some("svg" | "png" | "json" | "csv") => Ok(()),
        _ => Err(Usage::from(MapFault::Ending { file: path.display().to_string() }).into()),
    }
}

fn ending(path: &Path) -> Option<String> {
    path.extension().map(|e| e.to_string_lossy().to_lowercase())
}

/// Writes a map to a file by its ending: `.svg` or `.png` the picture, `.json` everything, `.csv` the cells, and the boundaries to
/// `NAME.boundaries.csv` beside it. Returns the files that were written.
///
/// # Errors
/// [`Failure`] for other endings, and where a file cannot be written.
pub fn write_map(map: &MapOutcome, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    match ending(path).as_deref() {
        Some("svg" | "png") => {
            let picture = plot::map(map).map_err(Usage::Plot)?;
            picture.write(path)?;
            Ok(vec![path.to_owned()])
        }
        Some("json") => {
            let text = serde_json::to_string(map)
                .map_err(|error| Failure::Unprintable { what: "the map", error })?;
            write_whole(path, (text + "\n").as_bytes())
                .map_err(|error| Failure::Unwritable { name: path.display().to_string(), error })?;
            Ok(vec![path.to_owned()])
        }
        Some("csv") => {
            let beside = path.with_extension("boundaries.csv");
            cells(map, path)?;
            boundaries(map, &beside)?;
            Ok(vec![path.to_owned(), beside])
        }
        _ => Err(Usage::from(MapFault::Ending { file: path.display().to_string() }).into()),
    }
}

fn cells(map: &MapOutcome, path: &Path) -> Result<(), DataFault> {
    let is_word = map.cells.iter().flatten().any(|cell| matches!(cell, Cell::Word(_)));
    let value = if is_word { DataColumn::text(&map.quantity) } else { DataColumn::real(&map.quantity) };
    let columns = vec![DataColumn::real(&map.x.name), DataColumn::real(&map.y.name), value];
    let mut file = DataFile::create(path, columns)?;
    for (y, row) in map.y.values.iter().zip(&map.cells) {
        for (x, cell) in map.x.values.iter().zip(row) {
            let value = match cell {
                Cell::Number(x) => DataCell::Real(x.0),
                Cell::Word(word) => DataCell::Text((*word).to_string()),
                Cell::Undefined => DataCell::Empty,
            };
            file.append(&[DataCell::Real(x.0), DataCell::Real(y.0), value])?;
        }
    }
    file.finish().map(drop)
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
