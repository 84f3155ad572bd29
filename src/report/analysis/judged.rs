//! Modes as they are judged, in the plane and in space alike.

use crate::analysis::planar::Stability;
use crate::report::document::{Cell, Table};

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
