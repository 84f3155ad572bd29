//! The frame of a contact: where it is, its outward normal, and the tangents along which slip counts.

use super::place::{Instant, Vector, cross, dot, minus, plus, times, unit};
use crate::format::{Contact, Mechanism, Space};

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
        let tangents = match mechanism.space {
            Space::Plane => [[normal[1], -normal[0], 0.0], [0.0; 3]],
            Space::Space => tangents(mechanism, contact, at, normal),
        };
        let known = place.iter().chain(&normal).chain(tangents.iter().flatten()).all(|x| x.is_finite());
        known.then_some(Self { place, normal, tangents })
    }

    /// A vector by its components along the normal and the tangents.
    pub(in crate::plot) fn vector(&self, along_normal: f64, along: &[f64]) -> Vector {
        let start = times(self.normal, along_normal);
        along.iter().zip(self.tangents).fold(start, |v, (x, tangent)| plus(v, times(tangent, *x)))
    }
}

/// The given tangents, orthonormal; else the projection of the first inertial axis that is not within 30 degrees of the normal at the
/// first state, and normal × that.
fn tangents(mechanism: &Mechanism, contact: &Contact, at: &Instant, n: Vector) -> [Vector; 2] {
    let flat = |v: Vector| minus(v, times(n, dot(v, n)));
    if let Some([first, second]) = &contact.tangents {
        let first = unit(flat(at.direction(first)));
        let second = flat(at.direction(second));
        return [first, unit(minus(second, times(first, dot(second, first))))];
    }
    let start = mechanism.states.first().and_then(|spec| mechanism.resolve(spec, &[]).ok());
    let reference = start.and_then(|start| {
        let at = Instant { t: start.t, q: &start.q, parameters: &start.parameters, mechanism };
        at.seen().normal(contact)
    });
    let far = |x: &f64| x.abs() < 0.75_f64.sqrt();
    let axis = reference.unwrap_or(n).iter().position(far).unwrap_or(0);
    let mut e = [0.0; 3];
    e[axis] = 1.0;
    let first = unit(flat(e));
    [first, cross(n, first)]
}
