//! A map read point by point, for those who decide themselves which points they want.

use super::ask::MapStudy;
use super::field::FieldWork;
use crate::analysis::map::Cell;

/// Reads points of a map.
pub struct MapReader<'m, 'l> {
    study: &'m MapStudy<'l>,
    work: FieldWork,
}

impl<'l> MapStudy<'l> {
    /// With memory for one reader.
    pub fn reader(&self) -> MapReader<'_, 'l> {
        MapReader { study: self, work: self.field.work() }
    }
}

impl MapReader<'_, '_> {
    /// The value in a column and a row of the grid; undefined outside of it, and where nothing can be said.
    pub fn cell(&mut self, column: usize, row: usize) -> Cell {
        let [x, y] = &self.study.axes;
        let (Some(x), Some(y)) = (x.values.get(column), y.values.get(row)) else { return Cell::Undefined };
        self.study.field.value(&mut self.work, [x.0, y.0]).unwrap_or(Cell::Undefined)
    }
}
