//! What was found wrong, by kind and family, with commands that repeat it.

use super::case::Case;
use super::known;
use super::retrace::Fault;
use std::collections::BTreeMap;

/// Examples of a kind in a family that are printed.
const EXAMPLES: usize = 3;

#[derive(Default)]
pub(crate) struct Table {
    rows: BTreeMap<(String, &'static str), (usize, usize)>,
    judged: usize,
    known: usize,
    wrong: usize,
}

impl Table {
    /// What is wrong with a motion.
    pub(crate) fn enter(&mut self, case: &Case, faults: &[Fault]) {
        self.judged += 1;
        let unknown = faults.iter().any(|fault| !known::is_known(&fault.kind, case));
        self.wrong += usize::from(unknown);
        self.known += usize::from(!faults.is_empty() && !unknown);
        let mut kinds: Vec<&str> = Vec::new();
        for fault in faults {
            if kinds.contains(&fault.kind.as_str()) {
                continue;
            }
            kinds.push(&fault.kind);
            let (count, examples) = self.rows.entry((fault.kind.clone(), case.family)).or_default();
            *count += 1;
            if *examples < EXAMPLES {
                let example = format!(
                    "{}: {}
         {}",
                    case.drawn.1,
                    fault.text,
                    case.line()
                );
                eprintln!("{} / {} {example}", fault.kind, case.family);
                *examples += 1;
            }
        }
    }

    /// Fails if anything is wrong that is not known to be.
    pub(crate) fn conclude(self, seed: u64) {
        for ((kind, family), (count, _)) in &self.rows {
            eprintln!("{kind} / {family}: {count}");
        }
        eprintln!(
            "{} motions, {} with known faults, {} with others (MECHAN_SEED={seed})",
            self.judged, self.known, self.wrong
        );
        assert!(self.wrong == 0, "{} of {} motions are wrong (MECHAN_SEED={seed})", self.wrong, self.judged);
    }
}
