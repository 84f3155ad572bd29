//! Where contacts are at an instant, and along which normals, as numbers.

use super::geometry::{Geometry, Outline, Round};
use super::mechanism::Contact;
use super::pose::Seen;
use crate::num::dense::dot;

type Vector = [f64; 3];

impl Seen<'_, f64> {
    /// Where a contact's point is, if it has one: the given one, or that of a round body which is nearest.
    pub fn touching(&self, contact: &Contact) -> Option<Vector> {
        let place = match &contact.geometry {
            Geometry::Point { point, .. } => self.point(point),
            Geometry::Round { round, .. } | Geometry::RoundPair { round, .. } => {
                let (centre, way) = (self.centre(round)?, self.deepest(round, self.normal(contact)?)?);
                std::array::from_fn(|k| centre[k] + way[k])
            }
            Geometry::Direct { .. } => return None,
        };
        place.iter().all(|x| x.is_finite()).then_some(place)
    }

    /// Its unit normal, away from the surface; of two round bodies towards the one whose velocity counts.
    pub fn normal(&self, contact: &Contact) -> Option<Vector> {
        match &contact.geometry {
            Geometry::Point { surface, .. } | Geometry::Round { surface, .. } => {
                Some(unit(self.direction(&surface.normal)))
            }
            Geometry::RoundPair { round, other } => {
                let (to, from) = (self.centre(round)?, self.centre(other)?);
                Some(unit(std::array::from_fn(|k| to[k] - from[k])))
            }
            Geometry::Direct { .. } => None,
        }
    }

    /// The centre of a round body.
    fn centre(&self, round: &Round) -> Option<Vector> {
        match (&round.centre, round.body) {
            (Some(centre), _) => Some(self.point(centre)),
            (None, Some(body)) => self.mechanism.bodies.get(body).map(|b| self.pose(&b.pose).origin),
            (None, None) => None,
        }
    }

    /// From the centre of a round body to its point that is farthest against a direction.
    fn deepest(&self, round: &Round, normal: Vector) -> Option<Vector> {
        if let Outline::Ball(radius) = &round.outline {
            let radius = self.value(radius);
            return Some(normal.map(|x| -radius * x));
        }
        let axes = self.pose(&self.mechanism.bodies.get(round.body?)?.pose).axes;
        let mut reached = [0.0; 3];
        for (k, radius) in round.outline.semi_axes() {
            let radius = self.value(radius);
            let semi_axis = axes[k].map(|x| radius * x);
            let share = dot(&normal, &semi_axis);
            reached = std::array::from_fn(|i| reached[i] + share * semi_axis[i]);
        }
        let size = dot(&normal, &reached).sqrt();
        Some(reached.map(|x| -x / size))
    }
}

fn unit(v: Vector) -> Vector {
    let size = dot(&v, &v).sqrt();
    v.map(|x| x / size)
}
