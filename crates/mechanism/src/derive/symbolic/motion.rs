//! The motion of the bodies: positions, rotations, Jacobians and what their accelerations are at v̇ = 0.
//!
//! With p the centre of mass, J = ∂p/∂q: ṗ = J v + ∂p/∂t and p̈ = J v̇ + a, a = dṗ/dt at v̇ = 0.
//! In space the rotation is R = R₁(α₁) … R_k(α_k); with e_k the elementary axes, the angular velocity is
//! ω = Σ R₁…R_{k−1} e_k α̇_k in the inertial frame and ω_b = Σ (R_{k+1}…R_K)ᵀ e_k α̇_k in the body frame, where
//! its rate is also the angular acceleration, since ω × ω = 0. A quaternion is one turn with four such axes.

use super::algebra::Algebra;
use super::frames::{Frame, Frames};
use super::function::Operation;
use super::quaternion::Quaternion;
use super::terms::{cross, plus, scale};
use crate::derive::error::DeriveError;
use crate::format::{Body, Mechanism, Pose, Rotation, Space};
use symbolica::atom::Atom;

/// A vector that moves: its Jacobian by component, velocity, and acceleration at v̇ = 0.
pub(super) struct Moving {
    pub(super) jacobian: Vec<Vec<Atom>>,
    pub(super) velocity: Vec<Atom>,
    pub(super) acceleration: Vec<Atom>,
}

/// Where a body is and how fast, as contacts and forces see it.
pub(super) struct Motion {
    pub(super) position: Vec<Atom>,
    pub(super) velocity: Vec<Atom>,
    /// Angular velocity in the inertial frame: one component in the plane, three in space.
    pub(super) spin: Vec<Atom>,
    /// Its Jacobian by component.
    pub(super) spin_jacobian: Vec<Vec<Atom>>,
}

/// A body's motion as its inertia sees it.
pub(super) struct Rigid {
    pub(super) centre: Moving,
    /// The angular velocity in the body frame.
    pub(super) body_spin: Moving,
}

/// Velocity, acceleration and Jacobian of a vector of q-expressions.
pub(super) fn moving(algebra: &Algebra, point: &[Atom]) -> Moving {
    let velocity: Vec<Atom> = point.iter().map(|x| algebra.rate_of(x)).collect();
    let acceleration = velocity.iter().map(|x| algebra.rate_of(x)).collect();
    let jacobian = point.iter().map(|x| algebra.gradient(x)).collect();
    Moving { jacobian, velocity, acceleration }
}

impl Motion {
    /// Of a body that is a link, or of a frame.
    pub(super) fn of_frame(algebra: &Algebra, frame: &Frame) -> Self {
        let by_rate = |x: &Atom| (0..algebra.coordinates()).map(|i| algebra.by_rate(x, i)).collect();
        Motion {
            position: frame.origin.clone(),
            velocity: frame.velocity.clone(),
            spin: frame.spin.clone(),
            spin_jacobian: frame.spin.iter().map(by_rate).collect(),
        }
    }
}

/// The motion of a body whose place is written out in inertial components.
pub(super) fn motion(
    algebra: &mut Algebra,
    mechanism: &Mechanism,
    frames: &Frames,
    body: &Body,
) -> Result<(Motion, Rigid), DeriveError> {
    let components = algebra.atoms(&body.pose.origin);
    if components.len() != mechanism.space.dimension() {
        return Err(DeriveError::Shape { what: format!("the position of body `{}`", body.name) });
    }
    let position = match body.pose.parent.and_then(|i| frames.place(i)) {
        None => components,
        parent => frames.point(algebra, parent, components),
    };
    let centre = moving(algebra, &position);
    let velocity = centre.velocity.clone();
    let poses = poses(mechanism, &body.pose);
    match mechanism.space {
        Space::Plane => {
            let angle = whole_angle(algebra, &poses, &body.name)?;
            let turn = moving(algebra, &[angle]);
            let (spin, spin_jacobian) = (turn.velocity.clone(), turn.jacobian.clone());
            Ok((Motion { position, velocity, spin, spin_jacobian }, Rigid { centre, body_spin: turn }))
        }
        Space::Space => {
            let turns = turns(algebra, &poses, &body.name)?;
            let (spin, spin_jacobian, body_spin) = turning(algebra, &turns);
            Ok((Motion { position, velocity, spin, spin_jacobian }, Rigid { centre, body_spin }))
        }
    }
}

/// The poses from the inertial frame to the last.
fn poses<'m>(mechanism: &'m Mechanism, last: &'m Pose) -> Vec<&'m Pose> {
    let parent = |pose: &&Pose| pose.parent.and_then(|i| mechanism.frames.get(i)).map(|f| &f.pose);
    let mut poses: Vec<&Pose> = std::iter::successors(Some(last), parent).collect();
    poses.reverse();
    poses
}

/// Angles of the plane add up.
fn whole_angle(algebra: &mut Algebra, poses: &[&Pose], name: &str) -> Result<Atom, DeriveError> {
    poses.iter().try_fold(Atom::num(0), |sum, pose| match &pose.rotation {
        Rotation::Angle(angle) => Ok(sum + algebra.atom(angle)),
        Rotation::Sequence(_) | Rotation::Quaternion(_) => {
            Err(DeriveError::Shape { what: format!("the rotation of body `{name}`") })
        }
    })
}

/// A turn: its axes by column, and what its angular velocity is made of, all as seen from where it begins.
struct Turn {
    axes: Vec<Vec<Atom>>,
    /// The axes that its angles (or the parts of a quaternion) turn about.
    spins: Vec<Vec<Atom>>,
    /// The same as seen from where it ends.
    inner_spins: Vec<Vec<Atom>>,
    angles: Vec<Atom>,
}

impl Turn {
    fn about(algebra: &mut Algebra, axis: usize, angle: Atom) -> Self {
        let sin = algebra.apply(Operation::Sin, vec![angle.clone()]);
        let cos = algebra.apply(Operation::Cos, vec![angle.clone()]);
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut axes: Vec<Vec<Atom>> = (0..3).map(unit).collect();
        (axes[j][j], axes[j][k]) = (cos.clone(), sin.clone());
        (axes[k][j], axes[k][k]) = (-sin, cos);
        Turn { axes, spins: vec![unit(axis)], inner_spins: vec![unit(axis)], angles: vec![angle] }
    }

    /// R v.
    fn rotate(&self, v: &[Atom]) -> Vec<Atom> {
        let zero = vec![Atom::num(0); 3];
        self.axes.iter().zip(v).fold(zero, |sum, (axis, x)| plus(&sum, &scale(x, axis)))
    }

    /// Rᵀ v.
    fn rotate_back(&self, v: &[Atom]) -> Vec<Atom> {
        self.axes.iter().map(|axis| super::terms::dot(axis, v)).collect()
    }
}

fn turns(algebra: &mut Algebra, poses: &[&Pose], name: &str) -> Result<Vec<Turn>, DeriveError> {
    let mut turns = Vec::new();
    for pose in poses {
        match &pose.rotation {
            Rotation::Sequence(sequence) => {
                for turn in sequence {
                    let angle = algebra.atom(&turn.angle);
                    turns.push(Turn::about(algebra, turn.axis, angle));
                }
            }
            Rotation::Quaternion(parts) => {
                let quaternion = Quaternion::new(algebra.atoms(parts.as_slice()));
                turns.push(Turn {
                    axes: quaternion.axes(),
                    spins: quaternion.spins(),
                    inner_spins: quaternion.inner_spins(),
                    angles: quaternion.parts,
                });
            }
            Rotation::Angle(_) => {
                return Err(DeriveError::Shape { what: format!("the rotation of body `{name}`") });
            }
        }
    }
    Ok(turns)
}

fn unit(axis: usize) -> Vec<Atom> {
    (0..3).map(|i| Atom::num(i64::from(i == axis))).collect()
}

/// Angular velocity in the inertial frame with its Jacobian, and in the body frame.
fn turning(algebra: &mut Algebra, turns: &[Turn]) -> (Vec<Atom>, Vec<Vec<Atom>>, Moving) {
    let (mut outer, mut inner, mut angles) = (Vec::new(), Vec::new(), Vec::new());
    for (k, turn) in turns.iter().enumerate() {
        let before = |axis: &Vec<Atom>| turns[..k].iter().rev().fold(axis.clone(), |e, r| r.rotate(&e));
        let after = |axis: &Vec<Atom>| turns[k + 1..].iter().fold(axis.clone(), |e, r| r.rotate_back(&e));
        outer.extend(turn.spins.iter().map(before));
        inner.extend(turn.inner_spins.iter().map(after));
        angles.extend(turn.angles.iter().cloned());
    }
    let body_velocity = combine(&inner, &angles, |x| algebra.rate_of(x));
    let body_spin = Moving {
        jacobian: axes_jacobian(algebra, &inner, &angles),
        acceleration: body_velocity.iter().map(|x| algebra.rate_of(x)).collect(),
        velocity: body_velocity,
    };
    let spin = combine(&outer, &angles, |x| algebra.rate_of(x));
    (spin, axes_jacobian(algebra, &outer, &angles), body_spin)
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
    plus(&motion.velocity, &spin_cross(&motion.spin, &arm))
}
