//! Where a motion begins, by whatever scheme it is followed.

use crate::analysis::Names;
use crate::contact::{Hold, Laws};
use crate::model::State;
use crate::simulate::trajectory::Columns;
use crate::stepping::PointFunction;

/// A state whose motion is asked for.
#[derive(Clone, Copy)]
pub struct Beginning<'b> {
    /// Name of the mechanism.
    pub mechanism: &'b str,
    /// Name of the state.
    pub name: &'b str,
    /// t, q, v, parameters.
    pub state: &'b State,
    /// The mechanism's own length, or 0 if it has none: what a gap is small against that has no terms.
    pub length: f64,
    /// Contacts that are closed, approaching ones included.
    pub closed: &'b [usize],
    /// The laws of each contact.
    pub laws: &'b [Laws],
    /// Names in the order of the layout.
    pub names: &'b Names,
    /// Names of the bilateral constraints.
    pub constraints: &'b [String],
    /// What trajectories have a column of.
    pub columns: &'b Columns,
    /// For each contact the expression of a row that has to be positive for it to close.
    pub active: &'b [Option<PointFunction<'b>>],
}

impl Beginning<'_> {
    /// Whether the gap of a contact is not to be negative: of one that is not always active it may be, of one that is held it is
    /// zero or a miss.
    pub(super) fn keeps_out(&self, contact: usize) -> bool {
        let always = self.active.get(contact).is_none_or(Option::is_none);
        always && self.laws[contact].hold == Hold::Unilateral
    }
}
