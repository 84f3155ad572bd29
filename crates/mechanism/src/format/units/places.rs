//! The values of a mechanism whose unit follows from where they stand: masses, positions, forces.

use crate::expression::Expr;
use crate::format::geometry::{Geometry, Round, Surface};
use crate::format::mechanism::{ConstraintValue, Contact, Force, Inertia, Mechanism};
use crate::format::placement::{Placed, Pose, Rotation};

/// What a value is measured in: energy^a mass^b length^c time^d of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted(pub(super) [i64; 4]);

impl Wanted {
    pub(super) const NUMBER: Self = Self([0, 0, 0, 0]);
    pub(super) const MASS: Self = Self([0, 1, 0, 0]);
    pub(super) const LENGTH: Self = Self([0, 0, 1, 0]);
    pub(super) const VELOCITY: Self = Self([0, 0, 1, -1]);
    pub(super) const ACCELERATION: Self = Self([0, 0, 1, -2]);
    pub(super) const INERTIA: Self = Self([0, 1, 2, 0]);
    pub(super) const ENERGY: Self = Self([1, 0, 0, 0]);
    pub(super) const FORCE: Self = Self([1, 0, -1, 0]);
    pub(super) const STIFFNESS: Self = Self([1, 0, -2, 0]);
    pub(super) const DAMPING: Self = Self([1, 0, -2, 1]);
}

/// A value, where it stands, and what it must be.
#[derive(Debug)]
pub(super) struct Stand<'m> {
    pub(super) path: String,
    pub(super) value: &'m Expr,
    pub(super) wanted: Wanted,
}

/// The list that is made.
struct PlaceList<'m>(Vec<Stand<'m>>);

/// Every such value, in file order.
pub(super) fn stands(mechanism: &Mechanism) -> Vec<Stand<'_>> {
    let mut list = PlaceList(Vec::new());
    list.all("gravity", &mechanism.gravity, Wanted::ACCELERATION);
    for frame in &mechanism.frames {
        list.pose(&format!("frames.{}", frame.name), "origin", &frame.pose);
    }
    for body in &mechanism.bodies {
        let path = format!("bodies.{}", body.name);
        list.one(&format!("{path}.mass"), &body.mass, Wanted::MASS);
        let inertia = match &body.inertia {
            Inertia::Scalar(x) => std::slice::from_ref(x),
            Inertia::Diagonal(list) => &list[..],
            Inertia::Full(rows) => rows.as_flattened(),
        };
        list.all(&format!("{path}.inertia"), inertia, Wanted::INERTIA);
        let origin = if body.pose.parent.is_some() { "centre" } else { "position" };
        list.pose(&path, origin, &body.pose);
        list.all(&format!("{path}.shape"), body.shape.iter().flat_map(|s| s.numbers()), Wanted::LENGTH);
    }
    list.all("energy.kinetic", &mechanism.energy.kinetic, Wanted::ENERGY);
    list.all("energy.potential", &mechanism.energy.potential, Wanted::ENERGY);
    for (i, force) in mechanism.forces.iter().enumerate() {
        list.force(&format!("forces[{i}]"), force);
    }
    for constraint in &mechanism.constraints {
        // its other components stand beside it
        if let ConstraintValue::Coincidence { points, axis: 0 } = &constraint.value {
            points.iter().for_each(|p| list.placed("constraints", p, Wanted::LENGTH));
        }
    }
    mechanism.contacts.iter().for_each(|c| list.contact(c));
    list.0
}

impl<'m> PlaceList<'m> {
    fn one(&mut self, path: &str, value: &'m Expr, wanted: Wanted) {
        self.0.push(Stand { path: path.to_owned(), value, wanted });
    }

    fn all(&mut self, path: &str, values: impl IntoIterator<Item = &'m Expr>, wanted: Wanted) {
        values.into_iter().for_each(|x| self.one(path, x, wanted));
    }

    fn placed(&mut self, path: &str, placed: &'m Placed, wanted: Wanted) {
        self.all(path, &placed.components, wanted);
    }

    fn pose(&mut self, path: &str, origin: &str, pose: &'m Pose) {
        self.all(&format!("{path}.{origin}"), &pose.origin, Wanted::LENGTH);
        let path = format!("{path}.rotation");
        match &pose.rotation {
            Rotation::Angle(x) => self.one(&path, x, Wanted::NUMBER),
            Rotation::Sequence(list) => list.iter().for_each(|r| self.one(&path, &r.angle, Wanted::NUMBER)),
            Rotation::Quaternion(parts) => self.all(&path, parts.iter(), Wanted::NUMBER),
        }
    }

    fn force(&mut self, path: &str, force: &'m Force) {
        match force {
            Force::Point { point, force } => {
                self.placed(&format!("{path}.point"), point, Wanted::LENGTH);
                self.placed(&format!("{path}.force"), force, Wanted::FORCE);
            }
            Force::Torque { torque, .. } => self.placed(&format!("{path}.torque"), torque, Wanted::ENERGY),
            Force::Spring { ends, stiffness, rest, damping, limit } => {
                ends.iter().for_each(|p| self.placed(&format!("{path}.spring"), p, Wanted::LENGTH));
                self.one(&format!("{path}.stiffness"), stiffness, Wanted::STIFFNESS);
                self.one(&format!("{path}.length"), rest, Wanted::LENGTH);
                self.one(&format!("{path}.damping"), damping, Wanted::DAMPING);
                limit.iter().for_each(|limit| self.one(&format!("{path}.limit"), limit, Wanted::FORCE));
            }
            // per unit of what they act on
            Force::Coordinate { .. } | Force::Torsion { .. } => {}
        }
    }

    fn contact(&mut self, contact: &'m Contact) {
        let path = |key: &str| format!("contacts.{}.{key}", contact.name);
        match &contact.geometry {
            Geometry::Point { point, surface } => {
                self.placed(&path("point"), point, Wanted::LENGTH);
                self.surface(&path("surface"), surface);
            }
            Geometry::Round { round, surface } => {
                self.round(&path(""), round);
                self.surface(&path("surface"), surface);
            }
            Geometry::RoundPair { round, other } => {
                self.round(&path(""), round);
                self.round(&path("surface."), other);
            }
            Geometry::Direct { .. } => {}
        }
        self.one(&path("friction"), &contact.friction, Wanted::NUMBER);
        self.one(&path("restitution.value"), &contact.restitution.value, Wanted::NUMBER);
        self.one(&path("restitution.tangential"), &contact.restitution.tangential, Wanted::NUMBER);
    }

    fn surface(&mut self, path: &str, surface: &'m Surface) {
        self.placed(&format!("{path}.point"), &surface.point, Wanted::LENGTH);
        surface.velocity.iter().for_each(|v| self.placed(&format!("{path}.velocity"), v, Wanted::VELOCITY));
    }

    fn round(&mut self, path: &str, round: &'m Round) {
        let key = round.outline.key();
        let figure = key.split('.').next().unwrap_or_default();
        round.centre.iter().for_each(|c| self.placed(&format!("{path}{figure}.centre"), c, Wanted::LENGTH));
        self.all(&format!("{path}{key}"), round.outline.radii(), Wanted::LENGTH);
    }
}
