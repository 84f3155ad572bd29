//! The motion of the bodies: positions, rotations, Jacobians and what their accelerations are at v̇ = 0.
//!
//! With p the centre of mass, J = ∂p/∂q: ṗ = J v + ∂p/∂t and p̈ = J v̇ + a, a = dṗ/dt at v̇ = 0.
//! In space the rotation is R = R₁(α₁) … R_k(α_k); with e_k the elementary axes, the angular velocity is
//! ω = Σ R₁…R_{k−1} e_k α̇_k in the inertial frame and ω_b = Σ (R_{k+1}…R_K)ᵀ e_k α̇_k in the body frame, where
//! its rate is also the angular acceleration, since ω × ω = 0.

use super::algebra::{Algebra, Operation};
use super::terms::{cross, plus};
use crate::derive::error::DeriveError;
use crate::format::{Body, ElementaryRotation, Rotation, Space};
use symbolica::atom::Atom;

/// A vector that moves: its Jacobian by component, velocity, and acceleration at v̇ = 0.
pub(super) struct Moving {
    pub(super) jacobian: Vec<Vec<Atom>>,
    pub(super) velocity: Vec<Atom>,
    pub(super) acceleration: Vec<Atom>,
}

/// A body in motion.
pub(super) struct Motion {
    pub(super) position: Vec<Atom>,
    pub(super) centre: Moving,
    /// Angular velocity in the inertial frame: one component in the plane, three in space.
    pub(super) spin: Vec<Atom>,
    /// Its Jacobian by component.
    pub(super) spin_jacobian: Vec<Vec<Atom>>,
    /// The same in the body frame, with its rate.
    pub(super) body_spin: Moving,
}

/// Velocity, acceleration and Jacobian of a vector of q-expressions.
pub(super) fn moving(algebra: &Algebra, point: &[Atom]) -> Moving {
    let velocity: Vec<Atom> = point.iter().map(|x| algebra.rate_of(x)).collect();
    let acceleration = velocity.iter().map(|x| algebra.rate_of(x)).collect();
    let jacobian = point.iter().map(|x| algebra.gradient(x)).collect();
    Moving { jacobian, velocity, acceleration }
}

/// The motion of a body.
pub(super) fn motion(algebra: &mut Algebra, space: Space, body: &Body) -> Result<Motion, DeriveError> {
    let position = algebra.atoms(&body.position);
    if position.len() != space.dimension() {
        return Err(DeriveError::Shape { what: format!("the position of body `{}`", body.name) });
    }
    let centre = moving(algebra, &position);
    match (&body.rotation, space) {
        (Rotation::Angle(angle), Space::Plane) => {
            let angle = algebra.atom(angle);
            let turn = moving(algebra, &[angle]);
            let (spin, spin_jacobian) = (turn.velocity.clone(), turn.jacobian.clone());
            Ok(Motion { position, centre, spin, spin_jacobian, body_spin: turn })
        }
        (Rotation::Sequence(sequence), Space::Space) => Ok(turning(algebra, position, centre, sequence)),
        (Rotation::Angle(_), Space::Space) | (Rotation::Sequence(_), Space::Plane) => {
            Err(DeriveError::Shape { what: format!("the rotation of body `{}`", body.name) })
        }
    }
}

/// An elementary rotation with its sine and cosine.
struct Turn {
    axis: usize,
    sin: Atom,
    cos: Atom,
}

impl Turn {
    /// R v.
    fn rotate(&self, v: &[Atom]) -> Vec<Atom> {
        self.apply(v, &self.sin)
    }

    /// Rᵀ v.
    fn rotate_back(&self, v: &[Atom]) -> Vec<Atom> {
        self.apply(v, &-self.sin.clone())
    }

    fn apply(&self, v: &[Atom], sin: &Atom) -> Vec<Atom> {
        let (b, c) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let mut turned = v.to_vec();
        turned[b] = &self.cos * &v[b] - sin * &v[c];
        turned[c] = sin * &v[b] + &self.cos * &v[c];
        turned
    }
}

fn unit(axis: usize) -> Vec<Atom> {
    (0..3).map(|i| Atom::num(i64::from(i == axis))).collect()
}

fn turning(
    algebra: &mut Algebra,
    position: Vec<Atom>,
    centre: Moving,
    sequence: &[ElementaryRotation],
) -> Motion {
    let angles: Vec<Atom> = sequence.iter().map(|r| algebra.atom(&r.angle)).collect();
    let mut turns = Vec::new();
    for (rotation, angle) in sequence.iter().zip(&angles) {
        let sin = algebra.apply(Operation::Sin, vec![angle.clone()]);
        let cos = algebra.apply(Operation::Cos, vec![angle.clone()]);
        turns.push(Turn { axis: rotation.axis, sin, cos });
    }
    let outer = |k: usize| turns[..k].iter().rev().fold(unit(turns[k].axis), |e, r| r.rotate(&e));
    let inner = |k: usize| turns[k + 1..].iter().fold(unit(turns[k].axis), |e, r| r.rotate_back(&e));
    let outer: Vec<Vec<Atom>> = (0..turns.len()).map(outer).collect();
    let inner: Vec<Vec<Atom>> = (0..turns.len()).map(inner).collect();
    let body_velocity = combine(&inner, &angles, |x| algebra.rate_of(x));
    let body_spin = Moving {
        jacobian: axes_jacobian(algebra, &inner, &angles),
        acceleration: body_velocity.iter().map(|x| algebra.rate_of(x)).collect(),
        velocity: body_velocity,
    };
    Motion {
        position,
        centre,
        spin: combine(&outer, &angles, |x| algebra.rate_of(x)),
        spin_jacobian: axes_jacobian(algebra, &outer, &angles),
        body_spin,
    }
}

/// Σ_k axis_k · f(α_k).
fn combine(axes: &[Vec<Atom>], angles: &[Atom], f: impl Fn(&Atom) -> Atom) -> Vec<Atom> {
    let mut sum = vec![Atom::num(0); 3];
    for (axis, angle) in axes.iter().zip(angles) {
        let rate = f(angle);
        for (s, e) in sum.iter_mut().zip(axis) {
            *s = &*s + e * &rate;
        }
    }
    sum
}

/// ∂ω/∂v by component.
fn axes_jacobian(algebra: &Algebra, axes: &[Vec<Atom>], angles: &[Atom]) -> Vec<Vec<Atom>> {
    let columns: Vec<Vec<Atom>> = (0..algebra.coordinates())
        .map(|i| combine(axes, angles, |angle| algebra.by_coordinate(angle, i)))
        .collect();
    (0..3).map(|c| columns.iter().map(|column| column[c].clone()).collect()).collect()
}

/// ω × r; in the plane ω is a number.
pub(super) fn spin_cross(spin: &[Atom], r: &[Atom]) -> Vec<Atom> {
    match spin {
        [omega] => vec![-(omega * &r[1]), omega * &r[0]],
        _ => cross(spin, r),
    }
}

/// The velocity of the material point of a body that is at `point`.
pub(super) fn material_velocity(motion: &Motion, point: &[Atom]) -> Vec<Atom> {
    let arm = super::terms::minus(point, &motion.position);
    plus(&motion.centre.velocity, &spin_cross(&motion.spin, &arm))
}
