//! Where the numbers of a compliant motion stand in its vector.

use crate::model::Layout;
use std::ops::Range;

/// Places in (q, q̇, and of each contact y, ẏ, u, and x if some contact has a tangential spring): gaps and their rates are carried as
/// numbers of their own, since at ε = 1e-9 a penetration ε²Y is below the rounding of q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// Coordinates.
    pub(super) n: usize,
    /// Contacts.
    pub(super) m: usize,
    /// Tangents.
    pub(super) d: usize,
    /// Components of x.
    pub(super) springs: usize,
}

impl Places {
    pub(super) fn new(layout: &Layout, sprung: bool) -> Self {
        let d = layout.tangents;
        Self { n: layout.coordinates, m: layout.contacts, d, springs: if sprung { d } else { 0 } }
    }

    /// Length of the vector.
    pub(super) fn len(self) -> usize {
        self.y(self.m)
    }

    /// Contact rows of a contact among those of all: N, then T.
    pub(super) fn rows(self, contact: usize) -> Range<usize> {
        contact * (1 + self.d)..(contact + 1) * (1 + self.d)
    }

    pub(super) fn y(self, contact: usize) -> usize {
        2 * self.n + contact * (2 + self.d + self.springs)
    }

    pub(super) fn ydot(self, contact: usize) -> usize {
        self.y(contact) + 1
    }

    pub(super) fn slip(self, contact: usize) -> Range<usize> {
        let first = self.y(contact) + 2;
        first..first + self.d
    }

    /// x, by how far the tangential spring is stretched.
    pub(super) fn stretch(self, contact: usize) -> Range<usize> {
        let first = self.slip(contact).end;
        first..first + self.springs
    }
}
