//! Points with names.

use super::frames::Sort;
use super::mechanism::NamedPoint;
use super::reader::{Cursor, Fields, Reader};
use crate::expression::Scope;

impl Reader {
    /// The points of the file.
    pub(super) fn named_points(&mut self, top: &Fields) -> Vec<NamedPoint> {
        let Some(map) = top.get("points").and_then(|c| self.map(&c)) else { return Vec::new() };
        let names = self.names.clone();
        let scope = Scope::position(&names, "a point");
        let mut read = Vec::new();
        for (entry, cursor) in map.all() {
            let place = self.placed(&cursor, Sort::Point, None, &scope);
            read.extend(place.map(|place| NamedPoint { name: entry.key.clone(), place }));
        }
        read
    }

    /// The point of a name, where a point stands as a word.
    pub(super) fn named_point(&mut self, cursor: &Cursor) -> Option<NamedPoint> {
        let names: Vec<String> = self.points.iter().map(|p| p.name.clone()).collect();
        let i = self.index(cursor, "point", &names)?;
        self.points.get(i).cloned()
    }
}
