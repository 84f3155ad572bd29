//! The frame of a contact: where it is, its outward normal, and the tangents along which slip counts.

use super::place::{Instant, Vector, plus, times};
use crate::format::{Contact, Mechanism};

/// A contact's place and directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::plot) struct Frame {
    pub(in crate::plot) place: Vector,
    pub(in crate::plot) normal: Vector,
    /// In the plane the first alone.
    pub(in crate::plot) tangents: [Vector; 2],
}

impl Frame {
    /// The frame of a contact that has a place.
    pub(in crate::plot) fn of(mechanism: &Mechanism, contact: &Contact, at: &Instant) -> Option<Self> {
        let place = at.seen().touching(contact)?;
        let normal = at.seen().normal(contact)?;
        let tangents = at.seen().tangents(contact, mechanism.tangent_axis(contact), normal);
        let known = place.iter().chain(&normal).chain(tangents.iter().flatten()).all(|x| x.is_finite());
        known.then_some(Self { place, normal, tangents })
    }

    /// A vector by its components along the normal and the tangents.
    pub(in crate::plot) fn vector(&self, along_normal: f64, along: &[f64]) -> Vector {
        let start = times(self.normal, along_normal);
        along.iter().zip(self.tangents).fold(start, |v, (x, tangent)| plus(v, times(tangent, *x)))
    }
}
