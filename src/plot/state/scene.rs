//! What is to be drawn of a state, in the units of the mechanism.

use super::contacts::{Touching, contacts};
use crate::analysis::StateOutcome;
use crate::format::{Carrier, Mechanism, Outline, Surface};
use crate::num::InOrder;
use crate::plot::mechanism::place::{Instant, Vector, dot, length, minus};
use crate::plot::mechanism::projected::{Projected, projected};
use crate::plot::mechanism::scenery::{Flat, flat, is_same_plane, surface};
use crate::plot::mechanism::shape::{Part, shapes};
use crate::plot::mechanism::springs::springs;
use crate::plot::mechanism::view::View;

/// A surface farther from all bodies than this many of their sizes is not drawn.
const FAR: f64 = 2.0;

/// Share of the bodies' size by which a surface reaches beyond them.
const MARGIN: f64 = 0.14;

/// A mechanism at a state.
pub(super) struct Scene {
    pub(super) view: View,
    /// Parts of bodies, from far to near.
    pub(super) parts: Vec<Projected>,
    /// Points of bodies, a list for each part.
    pub(super) corners: Vec<Vec<Vector>>,
    /// Centres of mass of bodies that are no points, and their velocities.
    pub(super) centres: Vec<(Vector, Vector)>,
    /// Surfaces with the distances from their points over which they are drawn.
    pub(super) flats: Vec<(Flat, [[f64; 2]; 2])>,
    pub(super) contacts: Vec<Touching>,
    /// Gravity's direction; zero without.
    pub(super) gravity: Vector,
    /// How large the bodies and contacts are together.
    pub(super) size: f64,
}

impl Scene {
    /// None if nothing has a place.
    pub(super) fn of(mechanism: &Mechanism, outcome: &StateOutcome) -> Option<Self> {
        let value = |name: &String, of: &crate::analysis::ByName<crate::analysis::Number>| {
            of.get(name).map_or(f64::NAN, |x| x.0)
        };
        let q: Vec<f64> = mechanism.coordinates.iter().map(|c| value(&c.name, &outcome.q)).collect();
        let v: Vec<f64> = mechanism.coordinates.iter().map(|c| value(&c.name, &outcome.v)).collect();
        let parameters: Vec<f64> =
            mechanism.parameters.iter().map(|p| value(&p.name, &outcome.parameters)).collect();
        let at = Instant { mechanism, t: outcome.t.0, q: &q, parameters: &parameters };
        let gravity = at.vector(&mechanism.gravity);
        let view = View::new(mechanism.space, gravity);
        let contacts = contacts(mechanism, outcome, &at);
        let mut scene = Self {
            view,
            parts: Vec::new(),
            corners: Vec::new(),
            centres: Vec::new(),
            flats: Vec::new(),
            contacts,
            gravity,
            size: 0.0,
        };
        scene.add_bodies(mechanism, &at, &v);
        if scene.corners.is_empty() && scene.contacts.is_empty() {
            return None;
        }
        scene.size = scene.span();
        scene.add_surfaces(mechanism, &at);
        Some(scene)
    }

    fn add_bodies(&mut self, mechanism: &Mechanism, at: &Instant, v: &[f64]) {
        let mut parts: Vec<(f64, Projected)> = Vec::new();
        for (body, shape) in mechanism.bodies.iter().zip(shapes(mechanism, at)) {
            let pose = at.pose(body);
            if !pose.centre.iter().all(|x| x.is_finite()) {
                continue;
            }
            let near = self.view.nearness(pose.centre);
            for part in &shape {
                parts.extend(projected(&self.view, &pose, part).into_iter().map(|seen| (near, seen)));
                self.corners.push(part.corners().into_iter().map(|p| pose.outside(p)).collect());
            }
            if !matches!(shape[..], [Part::Point]) {
                self.centres.push((pose.centre, at.rate(body, v)));
            }
        }
        for round in mechanism.rounds().filter(|r| r.body.is_none()) {
            if let (Some(centre), Outline::Ball(radius)) = (&round.centre, &round.outline) {
                let (centre, radius) = (at.point(centre), at.value(radius));
                parts
                    .push((self.view.nearness(centre), Projected::Round(self.view.of(centre), radius, None)));
                let around = Part::Round(centre, radius);
                self.corners.push(around.corners());
            }
        }
        for coil in springs(at, &self.view) {
            self.corners.push(coil.ends.to_vec());
            parts.push((coil.nearness, coil.seen));
        }
        parts.put_in_order(|a, b| a.0.total_cmp(&b.0));
        self.parts = parts.into_iter().map(|(_, seen)| seen).collect();
    }

    /// All points of bodies and contacts.
    pub(super) fn points(&self) -> impl Iterator<Item = Vector> + '_ {
        let contacts = self.contacts.iter().filter(|c| c.is_closed).map(|contact| contact.frame.place);
        self.corners.iter().flatten().copied().chain(contacts)
    }

    /// The largest extent along an axis; of a point, one.
    fn span(&self) -> f64 {
        let along = |k: usize| {
            let all = self.points().map(move |p| p[k]);
            let (lo, hi) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
            hi - lo
        };
        let size = (0..3).map(along).fold(0.0, f64::max);
        let heights = self.contacts.iter().map(|contact| contact.gap.abs());
        let height = heights.fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { height };
        if size > 0.0 && size.is_finite() { size } else { 1.0 }
    }

    fn add_surfaces(&mut self, mechanism: &Mechanism, at: &Instant) {
        for contact in &mechanism.contacts {
            // a body's own surface is seen as the body
            let own = |surface: &&Surface| !matches!(surface.carrier, Some(Carrier::Body(_)));
            let Some(flat) = surface(contact).filter(own).and_then(|s| flat(s, at, [[0.0; 2]; 2])) else {
                continue;
            };
            let heights = self.points().map(|p| dot(flat.normal, minus(p, flat.point)));
            let nearest = heights.map(f64::abs).fold(f64::INFINITY, f64::min);
            let known = |(other, _): &(Flat, _)| is_same_plane(other, &flat, self.size + length(flat.point));
            if nearest <= FAR * self.size && !self.flats.iter().any(known) {
                let reach = self.reach(&flat);
                self.flats.push((flat, reach));
            }
        }
    }

    /// From where to where the bodies stand over a surface, and a margin.
    fn reach(&self, flat: &Flat) -> [[f64; 2]; 2] {
        flat.along.map(|(direction, _)| {
            let along = self.points().map(|p| dot(direction, minus(p, flat.point)));
            let (lo, hi) =
                along.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
            // wide enough for a cone on it
            let short = (0.9 * self.size - (hi - lo)).max(0.0) / 2.0;
            [lo - short - MARGIN * self.size, hi + short + MARGIN * self.size]
        })
    }
}
