//! A step as others read it: bodies by place, rotation and velocity, contacts by place, normal, force and slip, in inertial axes.

use super::body::{Body, Solid};
use super::detect::{Other, SceneContact};
use super::simulation::Simulation;
use super::vector::{Vector, axes, outside};

/// A scene after a step.
pub struct Shown<'s> {
    simulation: &'s Simulation,
    dim: usize,
}

impl<'s> Shown<'s> {
    /// Of a scene as it is.
    #[must_use]
    pub fn of(simulation: &'s Simulation) -> Self {
        Self { simulation, dim: simulation.scene().space.dimension() }
    }

    /// Names of the bodies with their numbers. In the plane: centre, angle, velocity, angular velocity; in space: centre, quaternion with its real
    /// part first, velocity, angular velocity.
    pub fn bodies(&self) -> impl Iterator<Item = (String, Vec<f64>)> {
        let all = self.simulation.bodies().iter().enumerate();
        all.map(|(number, body)| (self.simulation.name_of(number), self.numbers(body)))
    }

    fn numbers(&self, body: &Body) -> Vec<f64> {
        let Body { centre, turned, velocity, spin, .. } = body;
        if self.dim == 2 {
            let angle = 2.0 * turned[3].atan2(turned[0]);
            return vec![centre[0], centre[1], angle, velocity[0], velocity[1], spin[2]];
        }
        let spin = match body.solid {
            Solid::Round(_) => *spin,
            Solid::Box(_) => outside(&axes(*turned), *spin),
        };
        [&centre[..], turned, velocity, &spin].concat()
    }

    /// Names of what touches, the body that the force acts on first; the place, the normal towards that body, the force along the normal and the
    /// tangents, and the velocity along the tangents at the end of the step.
    pub fn contacts(&self) -> impl Iterator<Item = ([String; 2], Vec<f64>)> {
        let touches = self.simulation.touches().iter().enumerate();
        touches.map(|(contact, touch)| (self.pair(touch), self.burden(contact, touch)))
    }

    fn pair(&self, touch: &SceneContact) -> [String; 2] {
        let scene = self.simulation.scene();
        let other = match touch.other {
            Other::Body(other) => self.simulation.name_of(other),
            Other::Declared(contact) => self.simulation.declared(touch.body, contact),
            Other::Piece(piece) => scene.surfaces[self.simulation.obstacles()[piece].surface].name.clone(),
        };
        [self.simulation.name_of(touch.body), other]
    }

    fn burden(&self, contact: usize, touch: &SceneContact) -> Vec<f64> {
        let (dim, step) = (self.dim, self.simulation.scene().course.step);
        let place: Vector = self.simulation.place_of(touch);
        let mut numbers = [&place[..dim], &touch.normal[..dim]].concat();
        let of = |all: &[f64], rows: std::ops::Range<usize>| -> Vec<f64> {
            rows.map(|row| all.get(dim * contact + row).copied().unwrap_or(0.0)).collect()
        };
        if let Some(solution) = self.simulation.solution() {
            numbers.extend(of(&solution.r, 0..dim).iter().map(|impulse| impulse / step));
            numbers.extend(of(&solution.u, 1..dim));
        }
        numbers
    }
}
