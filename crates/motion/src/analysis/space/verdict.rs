//! How many motions there are. A sign within tolerance is not decided by rounding: the state is moved a little, b, μ and a each to both
//! sides, and only if the answer changes is the verdict marginal.

use super::modes::{Contact, SpaceMode, modes};
use crate::analysis::contact_status::ContactStatus;
use crate::contact::Friction;
use crate::contact::space::Spatial;
use crate::num::Tol;
use crate::predict::{Consistency, Verdict};

/// The verdict of a contact's modes; none for a state that is none of the rigid mechanism.
pub fn verdict(contact: &Contact, reports: &[SpaceMode], complete: bool, tol: &Tol) -> Option<Verdict> {
    match contact.stands {
        ContactStatus::Penetrating => return None,
        ContactStatus::Approaching => return Some(Verdict::Consistent),
        ContactStatus::Apart | ContactStatus::Slipping(_) | ContactStatus::Resting => {}
    }
    let marginal = reports.iter().any(|mode| mode.judged.consistency == Consistency::Marginal) || !complete;
    if !marginal {
        return Some(counted(reports));
    }
    let mut answers = neighbours(contact, tol).map(|near| {
        let (reports, onset) = modes(&near, tol);
        let decided = reports.iter().all(|mode| mode.judged.consistency != Consistency::Marginal)
            && onset.is_none_or(|onset| onset.complete);
        decided.then(|| counted(&reports))
    });
    let first = answers.next().flatten();
    let agree = answers.all(|answer| answer == first);
    Some(first.filter(|_| agree).unwrap_or(Verdict::Marginal))
}

/// By the number of consistent modes.
fn counted(reports: &[SpaceMode]) -> Verdict {
    Verdict::of(reports.iter().filter(|mode| mode.judged.consistency == Consistency::Yes).count())
}

/// How far the neighbours are, in tolerances, for b, μ and the directions of a: no two alike, so that they do not meet on another boundary.
const FAR: [f64; 3] = [17.0, 23.0, 29.0];
/// Directions in which a is moved.
const WAYS: u32 = 5;

/// The contact with b, μ and a moved to either side.
fn neighbours<'a>(contact: &'a Contact, tol: &'a Tol) -> impl Iterator<Item = Contact> + 'a {
    let moved = |step: f64, scale: f64| step * tol.marginal * scale;
    [-1.0, 1.0].into_iter().flat_map(move |side_b| {
        [-1.0, 1.0].into_iter().flat_map(move |side_mu| {
            (0..WAYS).map(move |way| {
                let Contact { numbers, friction, .. } = *contact;
                let Spatial { a, b, a_scale, b_scale, .. } = numbers;
                let (sin, cos) = (1.0 + f64::from(way) * std::f64::consts::TAU / f64::from(WAYS)).sin_cos();
                // a and b are exchanged by A and B: neither is exact where the other is not
                let push = moved(FAR[2], a_scale + b_scale * numbers.coupling() / numbers.C);
                let numbers = Spatial {
                    a: [a[0] + push * cos, a[1] + push * sin],
                    b: b + side_b * moved(FAR[0], b_scale),
                    ..numbers
                };
                Contact { numbers, friction: near(friction, 1.0 + side_mu * moved(FAR[1], 1.0)), ..*contact }
            })
        })
    })
}

/// Friction times a factor; none and infinite friction stay what they are.
fn near(friction: Friction, factor: f64) -> Friction {
    Friction::new(friction.mu() * factor).unwrap_or(friction)
}
