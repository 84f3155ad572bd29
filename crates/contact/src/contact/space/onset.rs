//! All directions in which a contact at rest can begin to slip.
//!
//! Slip grows out of rest along û = (cos φ, sin φ) if u̇ = a + λ_N (B − μ A û) with λ_N = −b/p(φ) > 0 points along û. Times p, and across û,
//! that is f(φ) = û⊥·(p(φ) a − b (B − μ A û)) = 0: a trigonometric polynomial of degree 2, which has four zeros at most (with
//! t = tan(φ/2) a quartic) and whose zeros are all found, with a proof. Those with λ_N > 0 and û·u̇ > 0 are directions of slip.
//!
//! Near rest ‖u‖ φ̇ = û⊥·u̇ = f/p: a direction with (f/p)′ < 0 draws its neighbours towards itself, one with (f/p)′ > 0 repels them.
//! In an impact, where λ_N alone counts, a = 0 and b = −1 give the invariant directions û⊥·(B − μ A û) = 0.

use super::local::Spatial;
use crate::contact::{Friction, Scaled};
use crate::num::circle::{Harmonics, Zeros, principal, zeros};
use crate::num::{InOrder, Interval, Magnitude, Real, Tol};

/// A direction in which u̇ is parallel to û.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// Angle from the first tangent, in (−π, π].
    pub phi: f64,
    /// p.
    pub gain: Scaled,
    /// û·u̇: > 0 leads away from rest.
    pub along: Scaled,
    /// (f/p)′: < 0 draws neighbouring directions towards itself.
    pub turning: f64,
    /// Whether the zero of f is double to the tolerance: it may be two directions, or none.
    pub double: bool,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directions {
    /// By angle.
    pub list: Vec<Direction>,
    /// Whether it is proven that there is no other.
    pub complete: bool,
    /// Whether every direction is one: u̇ is parallel to û, or zero, wherever it points.
    pub everywhere: bool,
    /// Arcs of the circle that the proof examined.
    pub arcs: usize,
}

/// A, B, C, a, b over a number type.
struct Numbers<T> {
    A: [[T; 2]; 2],
    B: [T; 2],
    C: T,
    a: [T; 2],
    b: T,
}

impl Spatial {
    /// All directions with u̇ parallel to û.
    pub fn onset(&self, friction: Friction, tol: &Tol) -> Directions {
        let sized = self.numbers(Magnitude::new).onset(friction);
        let size = sized.0.iter().map(|x| x.size).sum::<f64>();
        let f = Harmonics(sized.0.map(|x| x.value));
        if f.0.iter().all(|c| c.abs() <= tol.noise * size) {
            return Directions { everywhere: true, complete: true, ..Directions::default() };
        }
        let enclosed = self.numbers(|x, _| Interval::from_f64(x)).onset(friction);
        let Zeros { simple, unresolved, arcs } = zeros(&enclosed);
        let complete = unresolved.is_empty();
        let doubles = double_zeros(&f, size, tol).into_iter().chain(unresolved);
        let mut list: Vec<Direction> = Vec::new();
        for (phi, double) in doubles.map(|phi| (phi, true)).chain(simple.into_iter().map(|phi| (phi, false)))
        {
            // a double zero stands for the two simple ones beside it
            let near = |other: &Direction| {
                other.double && f.at(0.5 * (phi + nearest(phi, other.phi))).abs() <= tol.marginal * size
            };
            if !list.iter().any(near) {
                list.push(self.direction(phi, double, &f, friction));
            }
        }
        list.put_in_order(|x, y| x.phi.total_cmp(&y.phi));
        Directions { list, complete, everywhere: false, arcs }
    }

    /// The directions that an impact leaves as they are: û⊥·(B − μ A û) = 0.
    pub fn invariant_directions(&self, friction: Friction, tol: &Tol) -> Directions {
        Self { a: [0.0; 2], b: -1.0, a_scale: 0.0, b_scale: 1.0, ..*self }.onset(friction, tol)
    }

    fn direction(&self, phi: f64, double: bool, f: &Harmonics<f64>, friction: Friction) -> Direction {
        let phi = principal(phi);
        let (sin, cos) = phi.sin_cos();
        let (along, gain) = ([cos, sin], self.normal_gain(friction, [cos, sin]));
        let force = self.slip_force(friction, along);
        let (u, _) = self.acceleration(force);
        let pushed = self.tangential_mobility() * force.T[0].hypot(force.T[1]);
        Direction {
            phi,
            gain,
            along: Scaled {
                value: cos * u[0] + sin * u[1],
                scale: self.a_scale + self.coupling() * force.N.abs() + pushed,
            },
            turning: f.derivative().at(phi) / gain.value,
            double,
        }
    }

    fn numbers<T>(&self, of: impl Fn(f64, f64) -> T) -> Numbers<T> {
        let one = |x: f64| of(x, x.abs());
        Numbers {
            A: self.A.map(|row| row.map(one)),
            B: self.B.map(one),
            C: one(self.C),
            a: self.a.map(|x| of(x, self.a_scale)),
            b: of(self.b, self.b_scale),
        }
    }
}

impl<T: Real> Numbers<T> {
    /// f, with p = n C − t B·û and the force (n, −t û).
    fn onset(&self, friction: Friction) -> Harmonics<T> {
        let (n, t) = friction.parts();
        let (n, t, half) = (T::from_f64(n), T::from_f64(t), T::from_f64(0.5));
        let ([[Axx, Axy], [_, Ayy]], [B1, B2], [a1, a2]) = (self.A, self.B, self.a);
        Harmonics([
            t * half * (B2 * a1 - B1 * a2),
            n * (self.C * a2 - self.b * B2),
            n * (self.b * B1 - self.C * a1),
            t * (self.b * Axy - half * (B1 * a2 + B2 * a1)),
            t * half * (self.b * (Ayy - Axx) - (B2 * a2 - B1 * a1)),
        ])
    }
}

/// Extrema of f at which f is zero to the tolerance.
fn double_zeros(f: &Harmonics<f64>, size: f64, tol: &Tol) -> Vec<f64> {
    let slope = Harmonics(f.derivative().0.map(Interval::from_f64));
    let Zeros { simple, unresolved, .. } = zeros(&slope);
    let places = simple.into_iter().chain(unresolved);
    places.filter(|&phi| f.at(phi).abs() <= tol.marginal * size).collect()
}

/// The angle that stands for `other` nearest to `phi`.
fn nearest(phi: f64, other: f64) -> f64 {
    phi + principal(other - phi)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOL: fn() -> Tol = Tol::default;

    #[test]
    fn a_pushed_ball_slips_the_way_it_is_pushed() {
        let ball = Spatial::new([[3.5, 0.0], [0.0, 3.5]], [0.0; 2], 1.0, [0.6, 0.8], -1.0);
        let found = ball.onset(Friction::new(0.2).unwrap(), &TOL());
        assert!(found.complete && found.list.len() == 2, "{found:?}");
        let out: Vec<&Direction> = found.list.iter().filter(|d| d.along.value > 0.0).collect();
        assert_eq!(out.len(), 1);
        assert!((out[0].phi - 0.8f64.atan2(0.6)).abs() < 1e-15 && out[0].turning < 0.0);
        // u̇ = ‖a‖ − μ A λ_N
        assert!((out[0].along.value - (1.0 - 0.2 * 3.5)).abs() < 1e-14);
    }

    #[test]
    fn a_ball_at_rest_has_no_direction_of_its_own() {
        let ball = Spatial::new([[3.5, 0.0], [0.0, 3.5]], [0.0; 2], 1.0, [0.0; 2], -1.0);
        assert!(ball.onset(Friction::new(0.2).unwrap(), &TOL()).everywhere);
    }

    #[test]
    fn every_direction_found_is_one() {
        let rod = Spatial::new([[3.1, 0.2], [0.2, 4.0]], [1.2, -0.3], 1.6, [0.4, -0.7], -1.0);
        let friction = Friction::new(0.9).unwrap();
        let found = rod.onset(friction, &TOL());
        assert!(found.complete && !found.list.is_empty());
        for direction in &found.list {
            let (sin, cos) = direction.phi.sin_cos();
            let (u, v) = rod.acceleration(rod.slip_force(friction, [cos, sin]));
            assert!((cos * u[1] - sin * u[0]).abs() < 1e-13 && v.abs() < 1e-13, "{direction:?}");
        }
    }
}
