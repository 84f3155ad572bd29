//! Where the bodies of a group begin.

use super::data::Placement;
use super::values::SceneReader;
use crate::format::numbers::Bound;
use crate::format::reader::Cursor;

/// The ways to place bodies.
pub(super) const PLACES: [&str; 4] = ["grid", "random", "at", "column"];

impl SceneReader<'_> {
    pub(super) fn place(&mut self, cursor: &Cursor) -> Option<Placement> {
        let fields = self.reader.fields(cursor, &PLACES)?;
        let given: Vec<&str> = PLACES.into_iter().filter(|key| fields.has(key)).collect();
        let [kind] = given.as_slice() else {
            let message =
                format!("found {} ways to place bodies, expected one of {}", given.len(), PLACES.join(", "));
            self.reader.push(cursor.fault("M019", message));
            return None;
        };
        let at = fields.get(kind)?;
        match *kind {
            "grid" => self.grid(&at),
            "random" => {
                let fields = self.reader.fields(&at, &["from", "to"])?;
                self.corners(&fields).map(|(from, to)| Placement::Random { from, to })
            }
            "at" => {
                let items = self.reader.list(&at);
                let read: Vec<Option<[f64; 3]>> = items.iter().map(|item| self.vector(item)).collect();
                read.into_iter().collect::<Option<Vec<_>>>().map(Placement::At)
            }
            _ => self.column(&at),
        }
    }

    fn grid(&mut self, cursor: &Cursor) -> Option<Placement> {
        let fields = self.reader.fields(cursor, &["from", "to", "spacing", "jitter"])?;
        let spacing = self.optional_number(&fields, "spacing", Bound::Positive);
        let jitter = self.optional_number(&fields, "jitter", Bound::Fraction).unwrap_or(0.0);
        let (from, to) = self.corners(&fields)?;
        Some(Placement::Grid { from, to, spacing, jitter })
    }

    fn column(&mut self, cursor: &Cursor) -> Option<Placement> {
        let fields = self.reader.fields(cursor, &["base", "direction", "gap"])?;
        let base = self.required_vector(&fields, "base");
        let direction = self.reader.required(&fields, "direction").and_then(|c| self.direction(&c));
        let gap = self.optional_number(&fields, "gap", Bound::NotNegative).unwrap_or(0.0);
        Some(Placement::Column { base: base?, direction: direction?, gap })
    }
}
