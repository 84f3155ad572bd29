//! Mechanisms that move among the bodies: which, in what state, with which values. Their own files are read by others.

use super::data::{MechanismUse, Setting};
use super::values::SceneReader;
use crate::format::numbers::Bound;
use crate::format::reader::{Cursor, Fields};

/// The keys of a mechanism.
pub(super) const MECHANISM: [&str; 3] = ["file", "state", "set"];

impl SceneReader<'_> {
    pub(super) fn mechanisms(&mut self, top: &Fields) -> Vec<MechanismUse> {
        let Some(map) = top.get("mechanisms").and_then(|c| self.reader.map(&c)) else { return Vec::new() };
        let mut read = Vec::new();
        for (entry, cursor) in map.all() {
            self.reader.check_label(&entry.key, entry.key_span, &cursor.path);
            let Some(fields) = self.reader.fields(&cursor, &MECHANISM) else { continue };
            let file = self.reader.required(&fields, "file").and_then(|c| self.reader.text(&c));
            let state = self.reader.optional_text(&fields, "state");
            let set = fields.get("set").map(|c| self.settings(&c)).unwrap_or_default();
            let Some(file) = file else { continue };
            read.push(MechanismUse { name: entry.key.clone(), span: entry.key_span, file, state, set });
        }
        read
    }

    fn settings(&mut self, cursor: &Cursor) -> Vec<Setting> {
        let Some(map) = self.reader.map(cursor) else { return Vec::new() };
        let mut read = Vec::new();
        for (entry, cursor) in map.all() {
            let value = self.number(&cursor, Bound::Finite);
            read.extend(value.map(|value| Setting { name: entry.key.clone(), span: entry.key_span, value }));
        }
        read
    }
}
