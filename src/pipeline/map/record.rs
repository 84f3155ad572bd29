//! The rows of a map as they are done, line by line in a file beside its own, so that a map that is interrupted or killed goes on where it was:
//! `x.svg` has `x.svg.rows.jsonl`. The first line is the question.

use super::ask::MapStudy;
use super::part::{WrittenCell, WrittenPatch, WrittenSegment};
use crate::analysis::map::{Cell, Patch, Segment};
use crate::pipeline::Failure;
use crate::pipeline::simulate::{Identity, PartFault};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The `schema` of such a file.
const RECORD_SCHEMA: &str = "mechan.map-rows/1";

/// Whether rows are kept beside a file, and whether those that are there are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// They are not kept.
    Not,
    /// All are computed, and kept.
    Anew,
    /// Those that are there are not computed again.
    Resumed,
}

/// Some rows with the boundaries among them and to the row before.
pub(super) struct Piece {
    pub(super) cells: Vec<Vec<Cell>>,
    pub(super) segments: Vec<Segment>,
    pub(super) patches: Vec<Patch>,
}

/// A file that grows by pieces.
pub(super) struct Record {
    path: PathBuf,
    file: File,
}

#[derive(Serialize, Deserialize)]
struct Head {
    schema: String,
    question: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    cells: Vec<Vec<WrittenCell>>,
    segments: Vec<WrittenSegment>,
    patches: Vec<WrittenPatch>,
}

impl Record {
    /// The record of a map that goes to a file, with the pieces that are in it already.
    ///
    /// # Errors
    /// [`Failure`] if it is one of another question, is damaged, or cannot be written.
    pub(super) fn open(
        study: &MapStudy<'_>,
        beside: &Path,
        recorded: Recorded,
    ) -> Result<Option<(Self, Vec<Piece>)>, Failure> {
        let name = beside.file_name().unwrap_or_default().to_string_lossy();
        let path = beside.with_file_name(format!("{name}.rows.jsonl"));
        match recorded {
            Recorded::Not => Ok(None),
            Recorded::Resumed if path.exists() => Self::resume(study, path).map(Some),
            Recorded::Anew | Recorded::Resumed => {
                let file = File::create(&path).map_err(Failure::unwritable(&path))?;
                let mut record = Self { path, file };
                let question = study.question().map_err(Failure::unprintable("the question of the map"))?;
                record.line(&Head { schema: RECORD_SCHEMA.into(), question: question.into_keys() })?;
                Ok(Some((record, Vec::new())))
            }
        }
    }

    fn resume(study: &MapStudy<'_>, path: PathBuf) -> Result<(Self, Vec<Piece>), Failure> {
        let name = path.display().to_string();
        let refused = |fault: PartFault| Failure::file(name.clone(), fault);
        let damaged = |reason: &str| refused(PartFault::Rows { reason: reason.to_string() });
        let bytes =
            std::fs::read(&path).map_err(|error| Failure::Unreadable { name: name.clone(), error })?;
        // what a run was writing as it was killed has no end of line
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let head = lines.next().and_then(|line| serde_json::from_slice::<Head>(line).ok());
        let head = head.filter(|head| head.schema == RECORD_SCHEMA);
        let head = head.ok_or_else(|| damaged("its first line is no question of a map"))?;
        let asked = study.question().map_err(Failure::unprintable("the question of the map"))?;
        asked.is_that_of(&Identity::of(head.question)).map_err(refused)?;
        let (width, most) = (study.across().len(), study.rows.len());
        let mut pieces: Vec<Piece> = Vec::new();
        for line in lines {
            let piece = serde_json::from_slice::<Line>(line).ok().and_then(Line::read);
            let piece = piece.filter(|piece| piece.cells.iter().all(|row| row.len() == width));
            pieces.push(piece.ok_or_else(|| damaged("one of its lines is no row of the map"))?);
        }
        if pieces.iter().map(|piece| piece.cells.len()).sum::<usize>() > most {
            return Err(damaged("it has more rows than the map"));
        }
        let mut file = OpenOptions::new().write(true).open(&path).map_err(Failure::unwritable(&path))?;
        let placed = file
            .set_len(whole as u64)
            .and_then(|()| std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)));
        placed.map_err(Failure::unwritable(&path))?;
        Ok((Self { path, file }, pieces))
    }

    /// The next piece.
    ///
    /// # Errors
    /// [`Failure`] if the disk does not take it.
    pub(super) fn append(&mut self, piece: &Piece) -> Result<(), Failure> {
        self.line(&Line {
            cells: piece.cells.iter().map(|row| row.iter().map(WrittenCell::of).collect()).collect(),
            segments: piece.segments.iter().map(WrittenSegment::of).collect(),
            patches: piece.patches.iter().map(WrittenPatch::of).collect(),
        })
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(value).map_err(Failure::unprintable("rows of the map"))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(Failure::unwritable(&self.path))
    }
}

impl Line {
    fn read(self) -> Option<Piece> {
        let row = |row: &Vec<WrittenCell>| row.iter().map(WrittenCell::read).collect::<Option<Vec<Cell>>>();
        Some(Piece {
            cells: self.cells.iter().map(row).collect::<Option<_>>()?,
            segments: self.segments.iter().map(WrittenSegment::read).collect::<Option<_>>()?,
            patches: self.patches.iter().map(WrittenPatch::read).collect::<Option<_>>()?,
        })
    }
}
