//! What a small slip does near rest.
//!
//! With the normal force of slip, u̇ = a + λ_N(φ)(B − μ A û) depends on the direction only, so that in the time dτ = dt/‖u‖ the direction turns
//! by itself, φ' = g(φ) = û⊥·u̇, and the speed grows by (ln ‖u‖)' = α(φ) = û·u̇. Every direction tends to one with g = 0, g′ < 0, where α
//! decides, or, if there is none, turns round for ever, and ∮ α/|g| dφ decides. In the plane stick with p± > 0 is always stable.

use crate::contact::space::{Direction, Directions, Spatial};
use crate::contact::{Friction, Scaled};
use crate::num::Tol;
use crate::predict::Stability;
use std::f64::consts::TAU;

/// Whether the directions beside a direction of slip from rest turn towards it.
pub fn turning_stability(direction: &Direction, tol: &Tol) -> Stability {
    match direction.double {
        true => Stability::Undecided,
        false => growth_sign(direction.turning, direction.along.scale, tol),
    }
}

/// Whether a small slip at a contact that sticks dies out; undecided where p < 0 in some direction, whose slip has no force.
pub fn stick_stability(
    contact: &Spatial,
    friction: Friction,
    directions: &Directions,
    tol: &Tol,
) -> Stability {
    let regular = contact.least_gain(friction).value > tol.marginal * contact.C && !friction.is_infinite();
    if !regular || !directions.complete || contact.b >= 0.0 {
        return Stability::Undecided;
    }
    if directions.everywhere {
        return growth_sign(rates(contact, friction, 0.0)[1], contact.a_scale + contact.b_scale, tol);
    }
    if directions.list.is_empty() {
        return around(contact, friction, tol);
    }
    let drawing = directions.list.iter().filter(|d| d.turning < 0.0 || d.double);
    let each = drawing.map(|d| match turning_stability(d, tol) {
        Stability::Undecided => Stability::Undecided,
        _ => growth_sign(d.along.value, d.along.scale, tol),
    });
    each.fold(Stability::Stable, |all, one| match (all, one) {
        (Stability::Unstable, _) | (_, Stability::Unstable) => Stability::Unstable,
        (Stability::Stable, Stability::Stable) => Stability::Stable,
        _ => Stability::Undecided,
    })
}

fn growth_sign(growth: f64, scale: f64, tol: &Tol) -> Stability {
    Stability::of_gain(Scaled { value: -growth, scale }.sign(tol.marginal))
}

/// g and α in a direction.
fn rates(contact: &Spatial, friction: Friction, phi: f64) -> [f64; 2] {
    let (sin, cos) = phi.sin_cos();
    let (u, _) = contact.acceleration(contact.slip_force(friction, [cos, sin]));
    [cos * u[1] - sin * u[0], cos * u[0] + sin * u[1]]
}

/// Most points of the integral round the circle.
const POINTS: u32 = 1 << 14;

/// ∮ α/|g| dφ by the trapezoidal rule, which converges faster than any power of the number of points.
fn around(contact: &Spatial, friction: Friction, tol: &Tol) -> Stability {
    let sum = |points: u32| {
        let each = (0..points).map(|i| rates(contact, friction, TAU * f64::from(i) / f64::from(points)));
        let (growth, size) = each.fold((0.0, 0.0), |(growth, size), [g, alpha]| {
            (growth + alpha / g.abs(), size + (alpha / g).abs())
        });
        (growth / f64::from(points), size / f64::from(points))
    };
    let (mut points, mut last) = (64, sum(32));
    while points <= POINTS {
        let next = sum(points);
        if (next.0 - last.0).abs() <= tol.marginal * next.1 {
            return growth_sign(next.0, next.1, tol);
        }
        (points, last) = (2 * points, next);
    }
    Stability::Undecided
}
