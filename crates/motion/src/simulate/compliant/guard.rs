//! What ends a phase: a function of the state that falls to zero.

use super::field::Field;
use crate::contact::Hold;
use crate::simulate::smooth::{ContactMotion, SmoothError};

/// A reason for which a phase ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Guard {
    /// The force of an open contact would turn positive, at y ≤ 0.
    Touch(usize),
    /// The force of a pressed contact vanishes.
    Lift(usize),
    /// The force of a bilateral contact changes its sign.
    Turn(usize),
    /// A contact that passed through its surface rises above it.
    Rise(usize),
    /// The slip ends, that of the spring's end where there is a tangential spring.
    Rest(usize),
    /// The tangential force of a contact that sticks leaves its cone; in the plane each side by itself, since |λ_T| has a
    /// kink where N vanishes soon after.
    Cone(usize, Side),
    /// No forces within the cones are left that hold all that sticks, where they are not unique.
    Hold,
    /// The caller's own.
    Stop,
}

/// A side of the cone in the plane, by the sign of λ_T there, or all of it in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Pos,
    Neg,
    Any,
}

/// The guards of the contacts in what they do; `passing` are those below their surfaces without a force.
pub(super) fn watch(field: &Field<'_>, passing: &[bool], guards: &mut Vec<Guard>) {
    guards.clear();
    let shared = field.is_shared();
    if shared {
        guards.push(Guard::Hold);
    }
    for (contact, &motion) in field.regime.motions.iter().enumerate() {
        let end = match field.regime.laws[contact].hold {
            Hold::Unilateral => Guard::Lift(contact),
            Hold::Bilateral => Guard::Turn(contact),
        };
        match motion {
            ContactMotion::Free if passing[contact] => guards.push(Guard::Rise(contact)),
            ContactMotion::Free => guards.push(Guard::Touch(contact)),
            ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                guards.extend([end, Guard::Rest(contact)]);
            }
            ContactMotion::Sticks => {
                guards.push(end);
                let infinite = field.regime.laws[contact].friction.is_infinite();
                let apart = !shared || field.regime.spring(contact).is_some();
                let limited = apart && !infinite;
                match field.places.d {
                    _ if !limited => {}
                    1 => guards.extend([Guard::Cone(contact, Side::Pos), Guard::Cone(contact, Side::Neg)]),
                    _ => guards.push(Guard::Cone(contact, Side::Any)),
                }
            }
        }
    }
}

impl Guard {
    /// Its value at a point, evaluated in `field` if it needs that; `floors` are the slips that count as none. None of the
    /// caller's own.
    pub(super) fn value(self, field: &mut Field<'_>, z: &[f64], floors: &[f64]) -> Option<f64> {
        let places = field.places;
        let spring = |contact: usize| {
            let law = field.regime.laws[contact].compliance;
            let delay = field.regime.eps * law.damping / law.stiffness;
            (z[places.y(contact)], delay * z[places.ydot(contact)])
        };
        match self {
            // λ_N > 0 ⇔ y < 0 and kY + dV < 0   [CV16 (31)]
            Self::Touch(contact) => {
                let (gap, damped) = spring(contact);
                Some(gap + damped.max(0.0))
            }
            Self::Lift(contact) | Self::Turn(contact) => {
                let (gap, damped) = spring(contact);
                Some(-field.regime.pull[contact] * (gap + damped))
            }
            Self::Rise(contact) => Some(-z[places.y(contact)]),
            Self::Rest(contact) if field.regime.spring(contact).is_some() => Some(field.now.sliding[contact]),
            Self::Rest(contact) => {
                let ContactMotion::Slips { along, .. } = field.regime.motions[contact] else { return None };
                let slip = &z[places.slip(contact)];
                let forward: f64 = slip.iter().zip(along).map(|(u, along)| u * along).sum();
                Some(forward - floors[contact])
            }
            Self::Cone(contact, side) => {
                let force = &field.now.forces[places.rows(contact)];
                let friction = field.regime.laws[contact].friction;
                let tangential = match side {
                    Side::Pos => force[1],
                    Side::Neg => -force[1],
                    Side::Any => force[1..].iter().fold(0.0, |sum: f64, x| sum.hypot(*x)),
                };
                Some(friction.mu() * field.regime.pull[contact] * force[0] - tangential)
            }
            Self::Hold => Some(field.margin().unwrap_or(f64::INFINITY)),
            Self::Stop => None,
        }
    }

    /// Whether its value needs the point to be evaluated.
    pub(super) fn needs_forces(self, field: &Field<'_>) -> bool {
        match self {
            Self::Cone(..) | Self::Hold | Self::Stop => true,
            Self::Rest(contact) => field.regime.spring(contact).is_some(),
            Self::Touch(_) | Self::Lift(_) | Self::Turn(_) | Self::Rise(_) => false,
        }
    }
}

/// Points the slips in space along their velocities, or along their springs, as the step begins.
pub(super) fn aim(field: &mut Field<'_>, z: &[f64]) {
    if field.places.d == 1 {
        return;
    }
    for contact in 0..field.places.m {
        let sprung = field.regime.spring(contact).is_some();
        let slip = if sprung { field.places.stretch(contact) } else { field.places.slip(contact) };
        if let ContactMotion::Slips { along, .. } = &mut field.regime.motions[contact] {
            let size = z[slip.clone()].iter().fold(0.0, |sum: f64, x| sum.hypot(*x));
            if size > 0.0 {
                along.iter_mut().zip(&z[slip]).for_each(|(along, u)| *along = u / size);
            }
        }
    }
}

/// [`SmoothError`] in words.
pub(super) fn reason(error: &SmoothError) -> String {
    error.to_string()
}
