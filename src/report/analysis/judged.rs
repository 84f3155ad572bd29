//! Modes as they are judged, in the plane and in space alike.

use super::overview::{alternatives, is_impact, nothing};
use super::prospect::{verdict_block, verdict_tail};
use crate::predict::{Stability, Verdict};
use crate::report::document::{Block, Cell, Depth, Document, Table};
use std::borrow::Cow;

/// A mode with its verdict.
pub(super) struct Judged<'m> {
    pub(super) word: String,
    /// Whether it is consistent, as [`consistent`] says.
    pub(super) consistent: &'static str,
    pub(super) stability: Option<Stability>,
    pub(super) reason: &'m str,
}

/// Whether a mode satisfies the contact laws, in a word.
pub(super) fn consistent(is_consistent: bool, is_marginal: bool) -> &'static str {
    match (is_consistent, is_marginal) {
        (_, true) => "marginal",
        (true, false) => "yes",
        (false, false) => "no",
    }
}

/// Whether each mode is consistent, whether it lasts under compliance, and why.
pub(super) fn reason_table<'m>(modes: impl Iterator<Item = Judged<'m>>) -> Table {
    let row = |mode: Judged<'m>| {
        let stability = mode.stability.map_or("-", Stability::name).to_string();
        [mode.word, mode.consistent.to_string(), stability, mode.reason.to_string()].map(Cell::Text).to_vec()
    };
    let header = ["mode", "consistent", "normal stability", "why"].map(String::from).to_vec();
    Table { header, rows: modes.map(row).collect() }
}

/// The verdict, what it means, and what follows. `cell` is where it stands in Tables 2 and 3, if it does.
pub(super) fn sentence(
    verdict: Option<Verdict>,
    resolved: &[Cow<'static, str>],
    has_newtons_law: bool,
    cell: &str,
) -> Block {
    if is_impact(resolved) {
        return verdict_tail(verdict, ": a contact approaches, an impact takes place.");
    }
    let follows = match (resolved, verdict) {
        ([], Some(Verdict::Inconsistent)) if has_newtons_law => {
            "nothing; Newton's restitution law has no impact without collision, as -e times a gap rate of 0 is 0"
                .to_string()
        }
        ([], _) => nothing(verdict).to_string(),
        (words, _) => alternatives(words),
    };
    verdict_block(
        verdict,
        &format!("{cell}. After normal stability and impact without collision: {follows}."),
    )
}

/// Why a state has its verdict.
pub(super) fn add_why(document: &mut Document, sentences: &[String]) {
    let mut why = Document::new();
    if !sentences.is_empty() {
        why.paragraph(sentences.join(" "));
    }
    document.section("why", Depth::Usual, "", why);
}

/// The forces and accelerations of all modes.
pub(super) fn add_forces(document: &mut Document, table: Table) {
    let mut forces = Document::new();
    forces.table(table);
    document.section("modes", Depth::Full, "Forces and accelerations of the modes", forces);
}
