//! What was found wrong, by kind and family, with commands that repeat it.

use super::case::Case;
use super::known;
use super::retrace::Fault;
use std::collections::BTreeMap;

/// Examples of a kind in a family that are printed.
const EXAMPLES: usize = 3;

#[derive(Default)]
pub(crate) struct Table {
    rows: BTreeMap<(String, &'static str), usize>,
    /// Motions with each known fault.
    known: BTreeMap<usize, usize>,
    families: BTreeMap<&'static str, usize>,
    wrong: usize,
    grave: usize,
}

impl Table {
    /// What is wrong with a motion.
    pub(crate) fn enter(&mut self, case: &Case, faults: &[Fault]) {
        *self.families.entry(case.family).or_default() += 1;
        let mut kinds: Vec<&str> = Vec::new();
        let mut known = Vec::new();
        let (mut wrong, mut grave) = (false, false);
        for fault in faults {
            if kinds.contains(&fault.kind.as_str()) {
                continue;
            }
            kinds.push(&fault.kind);
            match known::find(&fault.kind, case) {
                Some(i) if known.contains(&i) => {}
                Some(i) => known.push(i),
                None => wrong = true,
            }
            grave |= known::is_grave(&fault.kind);
            let count = self.rows.entry((fault.kind.clone(), case.family)).or_default();
            *count += 1;
            if *count <= EXAMPLES {
                eprintln!(
                    "{} / {} {}: {}\n    {}",
                    fault.kind,
                    case.family,
                    case.drawn.1,
                    fault.text,
                    case.line()
                );
            }
        }
        known.into_iter().for_each(|i| *self.known.entry(i).or_default() += 1);
        self.wrong += usize::from(wrong);
        self.grave += usize::from(grave);
    }

    /// Fails if anything is wrong that is not known to be, or more often than is known.
    pub(crate) fn conclude(self, seed: u64) {
        let judged: usize = self.families.values().sum();
        for ((kind, family), count) in &self.rows {
            eprintln!("{kind} / {family}: {count}");
        }
        let over = known::exceeded(&self.known, &self.families);
        let (Self { wrong, grave, .. }, allowed) = (&self, known::others(judged, seed));
        let told = format!(
            "{judged} motions, {wrong} with faults that are not known, {grave} grave (MECHAN_SEED={seed})"
        );
        eprintln!("{told}");
        assert!(
            *grave == 0 && *wrong <= allowed && over.is_empty(),
            "{told}: at most {allowed} and 0 may be, {over:?}"
        );
    }
}
