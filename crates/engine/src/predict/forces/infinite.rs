//! Forces in space where contacts of infinite friction stick: their tangential forces follow from the others,
//! λ_h = −D_hh⁻¹ (c_h + D_hx λ_x).

use super::conic::{self, Program};
use super::{ForceSet, Forces, UNBOUNDED};
use crate::num::Tol;
use crate::predict::contacts::Contacts;
use crate::predict::mode::Mode;

pub(super) fn force_set(contacts: &Contacts, modes: &[Mode], tol: &Tol) -> ForceSet {
    let infinite = |&i: &usize| matches!(modes[i], Mode::Stick { .. }) && contacts.friction(i).is_infinite();
    let holding: Vec<usize> = (0..modes.len()).filter(infinite).collect();
    if holding.is_empty() {
        return conic::force_set(contacts, modes, tol);
    }
    let Some(smooth) = contacts.without_tangents(&holding, tol) else { return ForceSet::Unknown };
    let without = |(i, &mode): (usize, &Mode)| match mode {
        Mode::Stick { side } if holding.contains(&i) => Mode::Slip { along: [0.0; 2], side },
        _ => mode,
    };
    let modes: Vec<Mode> = modes.iter().enumerate().map(without).collect();
    let complete = |forces: Forces| with_tangents(contacts, (&smooth, &modes), &holding, forces, tol);
    match conic::force_set(&smooth, &modes, tol) {
        ForceSet::Inside(forces) => complete(forces).map_or(ForceSet::Unknown, ForceSet::Inside),
        ForceSet::Edge(forces) => complete(forces).map_or(ForceSet::Unknown, ForceSet::Edge),
        found => found,
    }
}

/// The forces with those that were eliminated.
fn with_tangents(
    contacts: &Contacts,
    (smooth, modes): (&Contacts, &[Mode]),
    holding: &[usize],
    mut forces: Forces,
    tol: &Tol,
) -> Option<Forces> {
    let tangents: Vec<usize> = holding.iter().flat_map(|&i| [1, 2].map(|k| contacts.normal(i) + k)).collect();
    let held = contacts.basis(&tangents, tol.dependent).rows;
    let following = contacts.reduced(&held)?;
    let unique = held.len() == tangents.len();
    let program = Program::new(smooth, modes, tol);
    let (most, load) = (program.total(), contacts.load);
    for (k, &row) in held.iter().enumerate() {
        let offset = -following.force(k, |held| contacts.c[held]);
        let factor: Vec<f64> = (0..contacts.c.len())
            .map(|j| if held.contains(&j) { 0.0 } else { -following.force(k, |held| contacts.D[(held, j)]) })
            .collect();
        let driven =
            |of: fn(f64) -> f64| factor.iter().zip(&forces.shown).map(|(f, x)| of(f * x)).sum::<f64>();
        let rounding = tol.noise * (offset.abs() + driven(f64::abs));
        let [low, high] = program.range(&program.functional(&factor), most);
        let shown = offset + driven(|x| x);
        forces.ranges[row] = if unique {
            [offset + low * load - rounding, offset + high * load + rounding]
        } else {
            UNBOUNDED
        };
        forces.shown[row] = shown;
    }
    tangents.iter().filter(|row| !held.contains(row)).for_each(|&row| forces.ranges[row] = UNBOUNDED);
    Some(forces)
}
