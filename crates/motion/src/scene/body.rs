//! Rigid bodies: what they are, where they are, and how free ones move by themselves; those of mechanisms are moved by these.
//!
//! Velocities are those of the centre along the inertial axes, and the angular velocity: along the inertial axes for round bodies,
//! whose inertia is the same about all axes, and along their own axes for boxes, so that M is constant and diagonal.

use super::vector::{
    Axes, Quaternion, STILL, UPRIGHT, Vector, along, axes, compose, cross, dot, length, rotation,
};
use crate::format::Space;
use crate::format::scene::Matter;

/// Shape of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// A disc or a sphere by its radius.
    Round(f64),
    /// A box by the halves of its edges; the third is zero in the plane.
    Box(Vector),
}

/// A body and its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Shape.
    pub solid: Solid,
    /// The group that it belongs to, or the mechanism: its place among both.
    pub group: usize,
    /// Mass, kg.
    pub mass: f64,
    /// Moments of inertia, kg m²; zero of a link, whose mechanism has them.
    pub inertia: Vector,
    /// Centre, m.
    pub centre: Vector,
    /// How it is turned.
    pub turned: Quaternion,
    /// Velocity of the centre, m/s.
    pub velocity: Vector,
    /// Angular velocity, rad/s; along its own axes for boxes.
    pub spin: Vector,
}

/// A body where contacts are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posed {
    /// Shape.
    pub solid: Solid,
    /// Centre.
    pub centre: Vector,
    /// Axes along which the angular velocity is given.
    pub axes: Axes,
}

impl Solid {
    /// What has no extent, and meets nothing.
    pub const POINT: Self = Self::Round(0.0);

    /// Radius of the smallest ball around the centre that holds it.
    pub fn reach(self) -> f64 {
        match self {
            Self::Round(radius) => radius,
            Self::Box(halves) => length(halves),
        }
    }

    /// Radius of the largest ball around the centre inside it.
    pub fn core(self) -> f64 {
        match self {
            Self::Round(radius) => radius,
            Self::Box(halves) => halves.into_iter().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min),
        }
    }

    /// Mass and moments of inertia.
    pub fn inertia(self, matter: Matter, space: Space) -> (f64, Vector) {
        use std::f64::consts::PI;
        let volume = match (self, space) {
            (Self::Round(r), Space::Plane) => PI * r * r,
            (Self::Round(r), Space::Space) => 4.0 / 3.0 * PI * r * r * r,
            (Self::Box([a, b, _]), Space::Plane) => 4.0 * a * b,
            (Self::Box([a, b, c]), Space::Space) => 8.0 * a * b * c,
        };
        let mass = match matter {
            Matter::Density(density) => density * volume,
            Matter::Mass(mass) => mass,
        };
        let about = match (self, space) {
            (Self::Round(r), Space::Plane) => [0.0, 0.0, 0.5 * r * r],
            (Self::Round(r), Space::Space) => [0.4 * r * r; 3],
            (Self::Box([a, b, c]), _) => [b * b + c * c, a * a + c * c, a * a + b * b].map(|x| x / 3.0),
        };
        (mass, about.map(|x| mass * x))
    }
}

impl Body {
    /// Where it is after a time with these velocities.
    pub fn moved(&self, time: f64, velocity: Vector, spin: Vector) -> (Vector, Quaternion) {
        let turn = rotation(spin.map(|x| x * time));
        let turned = match self.solid {
            // how a round body is turned changes nothing, so its inertial spin may come first
            Solid::Round(_) => compose(turn, self.turned),
            Solid::Box(_) => compose(self.turned, turn),
        };
        (along(self.centre, time, velocity), turned)
    }

    /// The body at some place.
    pub fn posed(&self, centre: Vector, turned: Quaternion) -> Posed {
        let axes = match self.solid {
            Solid::Round(_) => UPRIGHT,
            Solid::Box(_) => axes(turned),
        };
        Posed { solid: self.solid, centre, axes }
    }

    /// The body where it is.
    pub fn here(&self) -> Posed {
        self.posed(self.centre, self.turned)
    }

    /// Its velocity after a time without contact: gravity, and J ω̇ + ω × J ω = 0 by the implicit midpoint rule, which keeps the
    /// energy of turning.
    pub fn free(&self, time: f64, gravity: Vector) -> (Vector, Vector) {
        let velocity = along(self.velocity, time, gravity);
        match self.solid {
            Solid::Round(_) => (velocity, self.spin),
            Solid::Box(_) => (velocity, tumbled(self.inertia, self.spin, time)),
        }
    }

    /// ½ m v² + ½ ω J ω.
    pub fn kinetic(&self) -> f64 {
        let turning: f64 = (0..3).map(|k| self.inertia[k] * self.spin[k] * self.spin[k]).sum();
        0.5 * (self.mass * dot(self.velocity, self.velocity) + turning)
    }

    /// A bound of the speed of its points, m/s.
    pub(super) fn fastest(&self) -> f64 {
        length(self.velocity) + length(self.spin) * self.solid.reach()
    }

    /// −m g·x.
    pub fn potential(&self, gravity: Vector) -> f64 {
        -self.mass * dot(gravity, self.centre)
    }

    /// At rest at the origin.
    pub fn resting(solid: Solid, group: usize, (mass, inertia): (f64, Vector)) -> Self {
        Self {
            solid,
            group,
            mass,
            inertia,
            centre: [0.0; 3],
            turned: STILL,
            velocity: [0.0; 3],
            spin: [0.0; 3],
        }
    }
}

/// Steps of Newton's method for a midpoint rule; three suffice where a body turns by less than a radian.
const STEPS: usize = 20;

/// ω₁ with J(ω₁ − ω₀) + h ω̄ × J ω̄ = 0, ω̄ = (ω₀ + ω₁)/2.
fn tumbled(J: Vector, before: Vector, h: f64) -> Vector {
    let even = J[0].max(J[1]).max(J[2]) - J[0].min(J[1]).min(J[2]) <= 0.0;
    let (turns, solid) = (length(before) > 0.0, J.iter().all(|j| *j > 0.0));
    if even || !turns || !solid {
        return before;
    }
    let mut spin = before;
    for _ in 0..STEPS {
        let mean: Vector = std::array::from_fn(|k| 0.5 * (before[k] + spin[k]));
        let momentum: Vector = std::array::from_fn(|k| J[k] * mean[k]);
        let torque = cross(mean, momentum);
        let rest: Vector = std::array::from_fn(|k| J[k] * (spin[k] - before[k]) + h * torque[k]);
        // ∂(ω̄ × Jω̄)/∂ω = ([ω̄]× J − [Jω̄]×)/2
        let slope = |k: usize| {
            let unit: Vector = std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
            let pulled: Vector = std::array::from_fn(|i| J[i] * unit[i]);
            let (a, b) = (cross(mean, pulled), cross(unit, momentum));
            std::array::from_fn(|i| J[i] * unit[i] + 0.5 * h * (a[i] + b[i]))
        };
        let columns: Axes = [slope(0), slope(1), slope(2)];
        let change = solved(&columns, rest);
        let next: Vector = std::array::from_fn(|k| spin[k] - change[k]);
        let small = length(change) <= f64::EPSILON * length(next);
        spin = next;
        if small {
            break;
        }
    }
    spin
}

/// x with Σ columns xₖ = b, by Cramer's rule.
fn solved(columns: &Axes, b: Vector) -> Vector {
    let [p, q, r] = *columns;
    let volume = dot(p, cross(q, r));
    [dot(b, cross(q, r)), dot(p, cross(b, r)), dot(p, cross(q, b))].map(|x| x / volume)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::vector::outside;

    /// The free turning of a box keeps its energy to rounding and its momentum to the order of the rule.
    #[test]
    fn a_tumbling_box_keeps_its_energy() {
        let (_, inertia) = Solid::Box([0.1, 0.2, 0.3]).inertia(Matter::Density(1000.0), Space::Space);
        let mut body = Body::resting(Solid::Box([0.1, 0.2, 0.3]), 0, (1.0, inertia));
        body.spin = [0.1, 5.0, 0.2];
        let momentum =
            |body: &Body| outside(&axes(body.turned), std::array::from_fn(|k| inertia[k] * body.spin[k]));
        let (energy, first) = (body.kinetic(), momentum(&body));
        let h = 1e-3;
        for _ in 0..2000 {
            let (_, spin) = body.free(h, [0.0; 3]);
            let mean = std::array::from_fn(|k| 0.5 * (spin[k] + body.spin[k]));
            (body.centre, body.turned) = body.moved(h, [0.0; 3], mean);
            body.spin = spin;
        }
        assert!((body.kinetic() / energy - 1.0).abs() < 1e-12);
        let drift = length(super::super::vector::minus(momentum(&body), first)) / length(first);
        assert!(drift < 1e-4, "{drift}");
        assert!(body.spin[1] < 4.9, "it turns over: {:?}", body.spin);
    }
}
