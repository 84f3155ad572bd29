//! Friction and restitution of pairs.

use super::data::PairLaw;
use super::values::SceneReader;
use crate::format::numbers::Bound;
use crate::format::reader::{Cursor, Fields};

impl SceneReader<'_> {
    /// The laws of pairs of groups, mechanisms and surfaces.
    pub(super) fn pairs(&mut self, top: &Fields, members: &[String]) -> Vec<PairLaw> {
        let Some(cursor) = top.get("pairs") else { return Vec::new() };
        let items = self.reader.list(&cursor);
        items.iter().filter_map(|item| self.pair(item, members)).collect()
    }

    fn pair(&mut self, item: &Cursor, members: &[String]) -> Option<PairLaw> {
        let fields = self.reader.fields(item, &["between", "friction", "restitution"])?;
        let friction = self.optional_number(&fields, "friction", Bound::NotNegative);
        let restitution = self.optional_number(&fields, "restitution", Bound::Fraction);
        let cursor = self.reader.required(&fields, "between")?;
        let names = self.reader.list(&cursor);
        let found: Vec<Option<usize>> = names
            .iter()
            .map(|name| self.reader.index(name, "group, mechanism or surface", members))
            .collect();
        let [a, b] = found.as_slice() else {
            let message = format!("found {} names, expected 2", found.len());
            self.reader.push(cursor.fault("M014", message));
            return None;
        };
        Some(PairLaw { between: [(*a)?, (*b)?], friction, restitution })
    }
}
