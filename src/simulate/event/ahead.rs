//! A combination of modes that holds with an equality: at an event a number that decides is zero by construction, b where a contact lifts
//! off, the room in the cone where slip sets in. It is followed for a short time, and holds if the number turns positive in its own motion.

use super::mechanics::{EXTRA, Mechanics};
use super::modes::{Instant, moving};
use super::watch::cone_room;
use crate::contact::Hold;
use crate::predict::Mode;
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

/// Share of their terms up to which numbers a short time later are rounding.
const LATER: f64 = 64.0 * f64::EPSILON;
/// Share of that by which a velocity that is rounding may be another one a short time later.
const STILL: f64 = 1.0 / 16.0;

/// Whether the laws of a combination hold in the time that follows. What stays zero is no objection: the motion is then the same on either
/// side. Which springs are pressed in the motion itself is not forgotten over it.
pub(super) fn holds_ahead(
    modes: &[Mode],
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<bool, SmoothError> {
    let springs = &mechanics.work.springs;
    let (pressed, gripping) = (springs.pressed.clone(), springs.gripping.clone());
    let holds = holds_when_followed(modes, instant, mechanics, probe);
    (mechanics.work.springs.pressed, mechanics.work.springs.gripping) = (pressed, gripping);
    holds
}

fn holds_when_followed(
    modes: &[Mode],
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<bool, SmoothError> {
    let closed = || instant.closed.iter().copied();
    mechanics.turns_slowly = false;
    mechanics.set(modes);
    match mechanics.solve(instant.t, instant.q, instant.v).and_then(|()| mechanics.take_springs()) {
        // of one contact: slip with p = 0
        Err(SmoothError::Forces { .. }) => return Ok(false),
        other => drop(other?),
    }
    // what is left of a rate that is zero is no part of what begins
    let slips = |contact: usize| modes[contact].is_closed() && moving(contact, mechanics).is_some();
    let left = |contact: usize| {
        let ahead = ahead(contact, modes[contact], mechanics)?;
        Some(if slips(contact) { 0.0 } else { ahead })
    };
    let still: Vec<f64> = closed().filter_map(left).collect();
    if !moves_on(instant, mechanics, probe)? {
        return Ok(false);
    }
    let moved = closed().filter_map(|contact| begun(contact, modes[contact], instant, mechanics));
    let mut found: Vec<(f64, f64)> =
        moved.zip(&still).map(|((ahead, size), still)| (ahead - still, size)).collect();
    if mechanics.work.springs.active {
        found.extend(closed().flat_map(|contact| spring_margins(contact, modes[contact], mechanics)));
    } else if mechanics.work.undetermined() > 0 {
        let room = mechanics.room();
        found.push((room.value + room.error, room.size));
    } else {
        found.extend(closed().flat_map(|contact| force_margins(contact, modes[contact], mechanics)));
    }
    Ok(found.iter().all(|(value, size)| *value >= -LATER * size))
}

/// Follows the modes that were set and evaluated for a short time; whether they have forces on the way.
fn moves_on(
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<bool, SmoothError> {
    let y = [instant.q, instant.v, &[0.0; EXTRA]].concat();
    mechanics.base = instant.t;
    let moved = probe.start(mechanics, 0.0, &y).and_then(|()| {
        probe.probe(mechanics, 0.0, instant.short)?;
        probe.arrive(mechanics, 0.0)
    });
    match moved {
        Err(SmoothError::Forces { .. }) => return Ok(false),
        other => other?,
    }
    debug_assert_eq!(probe.end().len(), y.len(), "the state and its works");
    Ok(true)
}

/// The state a short time later in a combination of modes, whether its laws hold or not; none if it has no forces.
pub(super) fn shortly(
    modes: &[Mode],
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<Option<Vec<f64>>, SmoothError> {
    mechanics.turns_slowly = false;
    mechanics.set(modes);
    mechanics.solve(instant.t, instant.q, instant.v)?;
    let moved = moves_on(instant, mechanics, probe)?;
    Ok(moved.then(|| probe.end()[..2 * instant.q.len()].to_vec()))
}

/// The same where the forces are those of springs, of which some are not pressed.
fn spring_margins(contact: usize, mode: Mode, mechanics: &Mechanics<'_>) -> Vec<(f64, f64)> {
    if mechanics.work.springs.pressed[contact] {
        return force_margins(contact, mode, mechanics);
    }
    let closed = mode.is_closed() && mechanics.laws[contact].hold == Hold::Unilateral;
    let room = closed.then(|| (mechanics.spring_room(contact), mechanics.load()));
    room.into_iter().collect()
}

/// The forces of a contact that have to be positive, with the sizes of their terms.
fn force_margins(contact: usize, mode: Mode, mechanics: &Mechanics<'_>) -> Vec<(f64, f64)> {
    let (row, d) = (mechanics.row(contact), mechanics.layout().tangents);
    let normal = mechanics.work.forces()[row];
    let held = |row: usize| mechanics.force_scale(row);
    match mode {
        Mode::Free => Vec::new(),
        Mode::Stick { .. } => {
            let (size, room) = (held(row), cone_room(mechanics, contact));
            let tangential = (1..=d).map(|k| held(row + k)).fold(0.0, f64::max);
            let cone = room.is_finite().then_some((room, size + tangential));
            let unilateral = mechanics.laws[contact].hold == Hold::Unilateral;
            cone.into_iter().chain(unilateral.then_some((normal, size))).collect()
        }
        Mode::Slip { side, .. } => vec![(side * normal, held(row))],
    }
}

/// What has to be positive a short time later: the rate of a gap that opens, and a slip that sets in.
fn ahead(contact: usize, mode: Mode, mechanics: &Mechanics<'_>) -> Option<f64> {
    match (mode, mode.direction()) {
        (Mode::Free, _) => Some(mechanics.gap_rate(contact)),
        (Mode::Slip { .. }, Some(along)) => {
            Some(mechanics.slip(contact).iter().zip(along).map(|(u, along)| u * along).sum())
        }
        _ => None,
    }
}

/// The same with the size of its terms.
fn begun(contact: usize, mode: Mode, instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> Option<(f64, f64)> {
    let row = mechanics.row(contact) + usize::from(mode.is_closed());
    let size = instant.short * mechanics.acceleration_size(row) + STILL * instant.speeds[contact];
    ahead(contact, mode, mechanics).map(|ahead| (ahead, size))
}
