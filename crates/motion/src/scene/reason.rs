//! Reasons for existence that need no computing.

use super::detect::{Other, SceneContact};
use super::incremental::Given;
use super::vector::Vector;
use crate::format::scene::Scene;

/// Why every step of a scene has a solution, if that needs no computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are no external surfaces, and impacts are inelastic.
    NoSurfaces,
    /// No surface moves, and impacts are inelastic.
    Motionless,
    /// All surfaces move as one rigid body, and impacts are inelastic.
    OneRigidBody,
    /// Nothing rubs: some velocity reverses every impact.
    NoFriction,
}

impl Reason {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::NoSurfaces => {
                "there are no external surfaces and restitution is 0: a solution exists at every step"
            }
            Self::Motionless => {
                "no external surface moves and restitution is 0: a solution exists at every step"
            }
            Self::OneRigidBody => {
                "all external surfaces move as one rigid body and restitution is 0: a solution exists at every step"
            }
            Self::NoFriction => "no external surface moves and nothing rubs: a solution exists at every step",
        }
    }
}

/// The reason, if there is one. With e = 0 the velocity of the one rigid body that all surfaces are makes every relative velocity zero,
/// so that H v + w = 0 is in the dual cone [AC11 4.5.4]. With e > 0 the w of Moreau's rule has e u_N⁻ too; without friction and with
/// surfaces at rest v = −e v⁻, one e for all, makes H v + w = 0 in every normal.
#[must_use]
pub fn reason(scene: &Scene) -> Option<Reason> {
    // a mechanism may move by prescription, and does not move as a rigid body
    if !scene.mechanisms.is_empty() {
        return None;
    }
    let mut pairs = scene.pairs.iter();
    let inelastic = scene.law.restitution <= 0.0
        && scene.pairs.iter().all(|pair| pair.restitution.is_none_or(|e| e <= 0.0));
    let smooth =
        scene.law.friction <= 0.0 && scene.pairs.iter().all(|pair| pair.friction.is_none_or(|mu| mu <= 0.0));
    let moving = scene.surfaces.iter().any(|surface| surface.motion.is_some());
    let one_motion = scene.surfaces.windows(2).all(|pair| pair[0].motion == pair[1].motion);
    match () {
        () if inelastic && scene.surfaces.is_empty() => Some(Reason::NoSurfaces),
        () if inelastic && !moving => Some(Reason::Motionless),
        () if inelastic && one_motion => Some(Reason::OneRigidBody),
        () if smooth && !moving && pairs.all(|pair| pair.restitution.is_none()) => Some(Reason::NoFriction),
        () => None,
    }
}

/// Why a single step has a solution, if that needs no computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepReason {
    /// Nothing touches.
    NoContact,
    /// No surface that is touched moves, and none of its impacts rebounds.
    Motionless,
    /// All surfaces that are touched move as one rigid body at this moment, and none of the impacts rebounds.
    OneRigidBody,
}

/// The reason for a step with these contacts. [AC11 4.5.4] asks only for what is touched: with the velocity of one rigid body for everything,
/// H v + w = 0.
#[must_use]
pub(super) fn step_reason(given: &Given<'_>, touches: &[SceneContact]) -> Option<StepReason> {
    if touches.is_empty() {
        return Some(StepReason::NoContact);
    }
    if touches.iter().any(|touch| given.law(touch).restitution > 0.0) {
        return None;
    }
    let mut touched = touches.iter().filter_map(|touch| match touch.other {
        Other::Piece(piece) => Some(given.poses[given.obstacles[piece].surface].twist()),
        Other::Body(_) | Other::Declared(_) => None,
    });
    // mechanisms do not move as one rigid body, but may stand still
    if touches.iter().any(|touch| given.is_of_link(touch)) {
        return touches.iter().all(|touch| given.may_stand(touch)).then_some(StepReason::Motionless);
    }
    let Some(first) = touched.next() else { return Some(StepReason::Motionless) };
    let same = |a: &[Vector; 2], b: &[Vector; 2]| {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() <= 0.0)
    };
    match touched.all(|twist| same(&twist, &first)) {
        true if same(&first, &[[0.0; 3]; 2]) => Some(StepReason::Motionless),
        true => Some(StepReason::OneRigidBody),
        false => None,
    }
}
