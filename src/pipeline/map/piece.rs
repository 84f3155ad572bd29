//! Some rows of a map for those who put it together elsewhere: what they are depends on nothing but the question.

use super::ask::MapStudy;
use super::field::FieldWork;
use crate::analysis::map::Cell;
use crate::pipeline::Failure;
use crate::simulate::ensemble::in_order;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

impl MapStudy<'_> {
    /// The values upwards.
    pub fn up(&self) -> Vec<f64> {
        self.axes[1].values.iter().map(|y| y.0).collect()
    }

    /// The cells of some rows, without boundaries. Once `stop` is true they end with a row that is done.
    ///
    /// # Errors
    /// [`Failure`] where no state of it could be asked about.
    pub fn cells(&self, rows: Range<usize>, stop: &AtomicBool) -> Result<Vec<Cell>, Failure> {
        let [x, y] = self.axes.each_ref().map(|axis| &axis.values);
        let (first, count) = (rows.start * x.len(), x.len() * rows.len());
        let work = |work: &mut FieldWork, k: u64| {
            let k = first + k as usize;
            self.field.value(work, [x[k % x.len()].0, y[k / x.len()].0])
        };
        let mut cells = Vec::with_capacity(count);
        let done = in_order(
            self.threads.min(count),
            0..count as u64,
            || self.field.work(),
            work,
            |cell| match stop.load(Ordering::Relaxed) {
                true => Err(None),
                false => {
                    cells.push(cell.map_err(Some)?);
                    Ok(())
                }
            },
        );
        match done {
            Err(Some(failure)) => Err(failure),
            Err(None) => {
                cells.truncate(cells.len() / x.len() * x.len());
                Ok(cells)
            }
            Ok(()) => Ok(cells),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline::{Deriver, MapOptions, MapStudy, load};
    use std::sync::atomic::AtomicBool;

    /// The rows of a map are the same in any pieces, and those of the map as a whole.
    #[test]
    fn pieces_are_the_map() {
        let pencil = load("falling_pencil").unwrap().derive(&Deriver::nobody()).unwrap();
        for (quantity, threads) in [("verdict", 1), ("p_plus", 2)] {
            let options = MapOptions {
                state: Some("slipping_with_the_lean".into()),
                x: "theta=0.1:1.4:7".into(),
                y: "mu=0.1:3:5".into(),
                quantity: quantity.into(),
                threads: Some(threads),
                ..MapOptions::default()
            };
            let study = MapStudy::new(pencil.loaded(), pencil.model(), &options).unwrap();
            let whole = study.collect(|_| ()).unwrap();
            let go = AtomicBool::new(false);
            let pieces = [0..2, 2..2, 2..5].map(|rows| study.cells(rows, &go).unwrap());
            assert_eq!(pieces.concat(), whole.cells.concat());
            assert_eq!(study.up().len(), whole.cells.len());
            assert!(study.cells(0..5, &AtomicBool::new(true)).unwrap().is_empty());
        }
    }
}
