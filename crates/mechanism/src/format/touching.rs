//! Where contacts are at an instant, and along which normals, as numbers.

use super::geometry::{Geometry, Outline, Round, Surface};
use super::material::Kept;
use super::mechanism::{Contact, Mechanism, Space};
use super::placement::{Carrier, Placed};
use super::pose::Seen;
use crate::expression::{Env, Expr};
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

    /// The tangents along which its slip counts, to its normal; in the plane the first alone. They are the given ones, orthonormal; else the
    /// projection of an inertial axis, and normal × that.
    pub fn tangents(&self, contact: &Contact, axis: usize, normal: Vector) -> [Vector; 2] {
        if self.mechanism.space == Space::Plane {
            return [[normal[1], -normal[0], 0.0], [0.0; 3]];
        }
        if let Some([first, second]) = &contact.tangents {
            let first = unit(across(self.direction(first), normal));
            return [first, unit(across(across(self.direction(second), normal), first))];
        }
        let first = unit(across(std::array::from_fn(|i| f64::from(u8::from(i == axis))), normal));
        [first, cross(normal, first)]
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

impl Mechanism {
    /// Of space: the first inertial axis that is not within 30 degrees of a contact's normal at the first state, whose projection is the first
    /// tangent.
    pub fn tangent_axis(&self, contact: &Contact) -> usize {
        let start = self.states.first().and_then(|spec| self.resolve(spec, &[]).ok());
        let normal = start.and_then(|start| {
            let definitions = &self.definitions.values;
            let env = Env { t: start.t, q: &start.q, v: &[], parameters: &start.parameters, definitions };
            Seen { mechanism: self, env }.normal(contact)
        });
        normal.map_or(0, free_axis)
    }

    /// The bodies that a contact presses against each other, as far as it has any, the one that its force acts on first: those that the file
    /// names, or that a point of the contact stays with whatever the coordinates are.
    pub fn pressed(&self, contact: &Contact, at: (f64, &[f64], &[f64])) -> [Option<usize>; 2] {
        let keeper = |place: &Placed| match place.carrier {
            Some(Carrier::Body(body)) => Some(body),
            Some(Carrier::Frame(_)) | None => {
                self.bodies.iter().position(|body| matches!(self.kept(body, place, at), Kept::At(_)))
            }
        };
        let below = |surface: &Surface| match surface.carrier? {
            Carrier::Body(body) => Some(body),
            frame @ Carrier::Frame(_) => (0..self.bodies.len()).find(|&b| self.is_fixed_to(b, frame, at)),
        };
        let turned = |round: &Round| round.body.or_else(|| round.centre.as_ref().and_then(keeper));
        match &contact.geometry {
            Geometry::Point { point, surface } => [keeper(point), below(surface)],
            Geometry::Round { round, surface } => [turned(round), below(surface)],
            Geometry::RoundPair { round, other } => [turned(round), turned(other)],
            Geometry::Direct { .. } => [None, None],
        }
    }

    /// Whether a carrier moves with a body as one: its origin and the ends of its axes do.
    fn is_fixed_to(&self, body: usize, carrier: Carrier, at: (f64, &[f64], &[f64])) -> bool {
        let dim = self.space.dimension();
        (0..=dim).all(|end| {
            let components = (0..dim).map(|k| Expr::integer(i64::from(k == end))).collect();
            let place = Placed { carrier: Some(carrier), components };
            matches!(self.kept(&self.bodies[body], &place, at), Kept::At(_))
        })
    }
}

/// The first axis that is not within 30 degrees of a normal or of its opposite.
pub fn free_axis(normal: Vector) -> usize {
    // cos² 30°
    const NEAR: f64 = 0.75;
    (0..3).find(|&k| normal[k] * normal[k] <= NEAR).unwrap_or(0)
}

/// What of a vector is across a unit vector.
fn across(v: Vector, n: Vector) -> Vector {
    let along = dot(&v, &n);
    std::array::from_fn(|i| v[i] - along * n[i])
}

fn cross(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

fn unit(v: Vector) -> Vector {
    let size = dot(&v, &v).sqrt();
    v.map(|x| x / size)
}
