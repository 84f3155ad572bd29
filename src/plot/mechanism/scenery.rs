//! What does not belong to a body: surfaces of contacts, and the paths of contact points.

use super::place::{Instant, Vector, cross, dot, length, minus, plus, times, unit};
use crate::format::{Contact, Geometry, Mechanism, Surface};

/// A flat surface at an instant: a point and its outward normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::plot) struct Flat {
    pub(in crate::plot) point: Vector,
    pub(in crate::plot) normal: Vector,
    /// Directions along it, and how far the contact goes on it, from and to.
    pub(in crate::plot) along: [(Vector, [f64; 2]); 2],
}

impl Flat {
    /// The place at some distances along it.
    pub(in crate::plot) fn place(&self, s: f64, t: f64) -> Vector {
        let [(a, _), (b, _)] = self.along;
        plus(self.point, plus(times(a, s), times(b, t)))
    }
}

/// The surfaces of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::plot) struct Scenery {
    /// Those that stand still.
    pub(in crate::plot) standing: Vec<Flat>,
    /// Those that move: one of each instant of the strobe.
    pub(in crate::plot) moving: Vec<Vec<Flat>>,
}

impl Scenery {
    /// The surfaces at the instants of the strobe; how far they reach is decided by the whole motion.
    pub(in crate::plot) fn of(mechanism: &Mechanism, strobe: &[Instant], motion: &[Instant]) -> Self {
        let mut scenery = Self::default();
        for contact in &mechanism.contacts {
            let Some(surface) = surface(contact) else { continue };
            let reach = reach(contact, surface, motion);
            let flats: Vec<Flat> = strobe.iter().filter_map(|at| flat(surface, at, reach)).collect();
            let Some(first) = flats.first().copied() else { continue };
            let size = reach.iter().flatten().fold(length(first.point), |s, x| s.max(x.abs()));
            let stays = |f: &Flat| {
                length(minus(f.point, first.point)) <= f64::EPSILON.sqrt() * size
                    && length(minus(f.normal, first.normal)) <= f64::EPSILON.sqrt()
            };
            if !flats.iter().all(stays) {
                scenery.moving.push(flats);
            } else if !scenery.standing.iter().any(|f| is_same_plane(f, &first, size)) {
                scenery.standing.push(first);
            }
        }
        scenery
    }
}

/// Whether two surfaces are one, the size of places being given.
pub(in crate::plot) fn is_same_plane(a: &Flat, b: &Flat, size: f64) -> bool {
    let noise = f64::EPSILON.sqrt();
    length(minus(a.normal, b.normal)) <= noise && dot(a.normal, minus(a.point, b.point)).abs() <= noise * size
}

/// The surface of a contact that has one.
pub(in crate::plot) fn surface(contact: &Contact) -> Option<&Surface> {
    match &contact.geometry {
        Geometry::Point { surface, .. } | Geometry::Round { surface, .. } => Some(surface),
        Geometry::RoundPair { .. } | Geometry::Direct { .. } => None,
    }
}

/// A surface at an instant, as far as a contact goes on it.
pub(in crate::plot) fn flat(surface: &Surface, at: &Instant, reach: [[f64; 2]; 2]) -> Option<Flat> {
    let (point, normal) = (at.point(&surface.point), unit(at.direction(&surface.normal)));
    let [a, b] = directions(normal);
    let known = point.iter().chain(&normal).all(|x| x.is_finite());
    known.then_some(Flat { point, normal, along: [(a, reach[0]), (b, reach[1])] })
}

/// Two directions along a surface; in the plane the first is its line.
fn directions(normal: Vector) -> [Vector; 2] {
    let is_along = |axis: Vector| dot(axis, normal).abs() > 30.0_f64.to_radians().cos();
    let other = if is_along([0.0, 0.0, 1.0]) { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let first = unit(cross(normal, other));
    [first, cross(normal, first)]
}

/// How far the contact point goes along the surface, from its point.
fn reach(contact: &Contact, surface: &Surface, motion: &[Instant]) -> [[f64; 2]; 2] {
    let mut reach = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for at in motion {
        let Some(place) = at.seen().touching(contact) else { continue };
        let normal = unit(at.direction(&surface.normal));
        let from = minus(place, at.point(&surface.point));
        for ([lo, hi], direction) in reach.iter_mut().zip(directions(normal)) {
            let x = dot(direction, from);
            (*lo, *hi) = (lo.min(x), hi.max(x));
        }
    }
    reach.map(|[lo, hi]| if lo <= hi { [lo, hi] } else { [0.0, 0.0] })
}

/// The paths of the contact points, by name.
pub(in crate::plot) fn tracks(mechanism: &Mechanism, motion: &[Instant]) -> Vec<(String, Vec<Vector>)> {
    let track = |contact: &Contact| {
        let places: Vec<Vector> =
            motion.iter().map(|at| at.seen().touching(contact).unwrap_or([f64::NAN; 3])).collect();
        let known = places.iter().flatten().any(|x| x.is_finite());
        known.then(|| (contact.name.clone(), places))
    };
    mechanism.contacts.iter().filter_map(track).collect()
}
