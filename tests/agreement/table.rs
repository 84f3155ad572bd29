//! The table of disagreements: what is said, what is followed, of which kind, how often.

use crate::known;
use std::collections::BTreeMap;

/// Examples of a kind that are printed.
const EXAMPLES: usize = 2;

#[derive(Default)]
pub(crate) struct Table {
    rows: BTreeMap<(String, String), usize>,
    compared: BTreeMap<String, usize>,
}

impl Table {
    /// A state of a family that was compared: its name, the kind of disagreement, if any, and what it consists of.
    pub(crate) fn enter(&mut self, family: &str, state: &str, found: Option<(String, String)>) {
        *self.compared.entry(family.to_string()).or_default() += 1;
        let Some((kind, text)) = found else { return };
        let count = self.rows.entry((kind.clone(), family.to_string())).or_default();
        *count += 1;
        if *count <= EXAMPLES {
            eprintln!("{kind} / {state}\n    {text}");
        }
    }

    /// Fails at what is not known, at what happens more often than is known, and at what is known and gone.
    pub(crate) fn conclude(&self, what: &str) {
        let all: usize = self.compared.values().sum();
        let wrong: usize = self.rows.values().sum();
        eprintln!("{what}: {all} states, {wrong} disagreements");
        for ((kind, family), count) in &self.rows {
            eprintln!("    {count:5} of {:5}  {family}: {kind}", self.compared[family]);
        }
        let faults = known::faults(&self.rows, &self.compared);
        assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
    }
}
