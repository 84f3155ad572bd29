//! What ends a phase: a function of the state that falls to zero.

use super::field::Field;
use crate::simulate::smooth::{ContactMotion, SmoothError};

/// A reason for which a phase ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Guard {
    /// The force of an open contact would turn positive, at y ≤ 0.
    Touch(usize),
    /// The force of a pressed contact vanishes.
    Lift(usize),
    /// The slip ends.
    Rest(usize),
    /// The tangential force of a contact that sticks leaves its cone; in the plane each side by itself, since |λ_T| has a
    /// kink where N vanishes soon after.
    Cone(usize, Side),
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

/// The guards of the contacts in what they do.
pub(super) fn watch(field: &Field<'_>, guards: &mut Vec<Guard>) {
    guards.clear();
    for (contact, &motion) in field.regime.motions.iter().enumerate() {
        match motion {
            ContactMotion::Free => guards.push(Guard::Touch(contact)),
            ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                guards.extend([Guard::Lift(contact), Guard::Rest(contact)]);
            }
            ContactMotion::Sticks => {
                guards.push(Guard::Lift(contact));
                let limited = !field.regime.laws[contact].friction.is_infinite();
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
    pub(super) fn value(self, field: &Field<'_>, z: &[f64], floors: &[f64]) -> Option<f64> {
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
            Self::Lift(contact) => {
                let (gap, damped) = spring(contact);
                Some(-(gap + damped))
            }
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
                Some(friction.mu() * force[0] - tangential)
            }
            Self::Stop => None,
        }
    }
}

/// Points the slips in space along their velocities as the step begins.
pub(super) fn aim(field: &mut Field<'_>, z: &[f64]) {
    if field.places.d == 1 {
        return;
    }
    for contact in 0..field.places.m {
        let slip = field.places.slip(contact);
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
