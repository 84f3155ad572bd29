//! Some rows of a map for those who put it together elsewhere: computed as a `part` is, with the boundaries among them and to the row before,
//! but any rows, and without a file. Cells go row by row to whoever follows; what boundaries are joined of is a text, numbers to the last bit.
//! Parts of `--chunk` are whole JSON files of one run on a machine each; here pieces are as many as an engine likes and cells go where it keeps
//! tables, so that a map of 10⁸ cells needs the memory of a piece.

use super::ask::MapStudy;
use super::part::WrittenSegment;
use crate::analysis::map::{Boundary, MapOutcome, Segment, boundaries};
use crate::pipeline::Failure;
use crate::pipeline::simulate::PartFault;
use std::ops::Range;

impl MapStudy<'_> {
    /// The values upwards, of all rows.
    pub fn up(&self) -> Vec<f64> {
        self.axes[1].values.iter().map(|y| y.0).collect()
    }

    /// The same map, of which some rows alone are computed; as many as there are.
    #[must_use]
    pub fn only(self, rows: Range<usize>) -> Self {
        let end = rows.end.min(self.axes[1].values.len());
        Self { rows: rows.start.min(end)..end, ..self }
    }

    /// The boundaries of pieces that are a whole together, in any order: the same as if it had been computed at once.
    ///
    /// # Errors
    /// [`Failure::File`] for a text that [`boundary_text`] did not write.
    pub fn joined<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Result<Vec<Boundary>, Failure> {
        let damaged = |reason: String| Failure::file("a piece of boundaries", PartFault::NoPart { reason });
        let mut segments: Vec<Segment> = Vec::new();
        for text in texts {
            let written: Vec<WrittenSegment> =
                serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
            let read = written.iter().map(WrittenSegment::read).collect::<Option<Vec<_>>>();
            segments.extend(read.ok_or_else(|| damaged("it has words that are not known".into()))?);
        }
        Ok(boundaries(&self.quantity, &self.levels, &segments))
    }
}

/// What the boundaries of a map are joined of, as JSON.
///
/// # Errors
/// Where it cannot be printed.
pub fn boundary_text(map: &MapOutcome) -> serde_json::Result<String> {
    serde_json::to_string(&map.segments.iter().map(WrittenSegment::of).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::boundary_text;
    use crate::analysis::map::Cell;
    use crate::pipeline::{Deriver, MapOptions, MapStudy, MapWatch, load};
    use std::sync::atomic::AtomicBool;

    /// The rows of a map and its boundaries are the same in any pieces, and those of the map as a whole.
    #[test]
    fn pieces_are_the_map() {
        let pencil = load("falling_pencil").unwrap().derive(&Deriver::nobody()).unwrap();
        for (quantity, threads) in [("verdict", 1), ("p_plus", 2)] {
            let options = MapOptions {
                state: Some("slipping_with_the_lean".into()),
                x: "theta=0.1:1.4:17".into(),
                y: "mu=0.1:3:15".into(),
                quantity: quantity.into(),
                threads: Some(threads),
                ..MapOptions::default()
            };
            let study = || MapStudy::new(pencil.loaded(), pencil.model(), &options).unwrap();
            let whole = study().collect(|_| ()).unwrap();
            assert!(!whole.boundaries.is_empty());
            let (mut cells, mut texts): (Vec<Cell>, Vec<String>) = Default::default();
            for rows in [0..1, 1..1, 1..8, 8..12, 12..99] {
                let (mut progress, stop) = (|_| (), AtomicBool::new(false));
                let mut row = |_: f64, row: &[Cell]| {
                    cells.extend(row);
                    Ok(())
                };
                let watch = MapWatch { progress: &mut progress, stop: &stop, row: &mut row, keep: false };
                texts.push(boundary_text(&study().only(rows).follow(watch).unwrap()).unwrap());
            }
            texts.reverse();
            assert_eq!(cells, whole.cells.concat());
            assert_eq!(study().joined(texts.iter().map(String::as_str)).unwrap(), whole.boundaries);
            assert!(study().joined(["[[]]"]).is_err());
            assert!(study().joined([r#"[[[[0,0],[1,1]],["no such word",null],false]]"#]).is_err());
        }
    }
}
