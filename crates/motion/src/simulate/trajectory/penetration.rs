//! How deep a contact was below its surface, at most: what a scheme leaves that does not follow events.

use crate::analysis::Names;
use crate::num::Number;
use crate::simulate::Beginning;
use serde::{Deserialize, Serialize};

/// The greatest depth of a motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Penetration {
    /// Which contact.
    pub contact: String,
    /// How far below its surface.
    pub depth: Number,
    /// When.
    pub t: Number,
}

/// Contact, depth and time of the deepest point so far, if any was below a surface.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::simulate) struct Deepest(Option<(usize, f64, f64)>);

impl Deepest {
    /// Takes the gap of a contact into account.
    pub(in crate::simulate) fn include(
        &mut self,
        begin: &Beginning<'_>,
        contact: usize,
        (gap, t): (f64, f64),
    ) {
        let deepest = self.0.map_or(0.0, |(_, depth, _)| depth);
        if -gap > deepest && begin.keeps_out(contact) {
            self.0 = Some((contact, -gap, t));
        }
    }

    pub(in crate::simulate) fn named(self, names: &Names) -> Option<Penetration> {
        let (contact, depth, t) = self.0?;
        Some(Penetration { contact: names.contacts[contact].clone(), depth: depth.into(), t: t.into() })
    }
}
