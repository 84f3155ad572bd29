//! Whether a combination of modes satisfies the contact laws, now and in the time that follows   [CV16 Table 1].

use super::doing::Doing;
use super::mechanics::{EXTRA, Mechanics};
use super::modes::{Instant, moving};
use super::project::Keeper;
use super::watch::cone_room;
use crate::analysis::planar::Hold;
use crate::model::Block;
use crate::num::Tol;
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

/// Share of their terms up to which numbers a short time later are rounding.
const LATER: f64 = 64.0 * f64::EPSILON;
/// Share of that by which a velocity that is rounding may be another one a short time later.
const STILL: f64 = 1.0 / 16.0;

/// Whether a combination holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::simulate) enum Holds {
    Yes,
    No,
    /// A number that decides is zero to rounding.
    Marginal,
    /// No finite forces are defined, or what forces that are not unique can do is not decided.
    Undetermined,
    /// Its accelerations depend on forces that are not unique.
    Manifold,
}

/// Whether a combination satisfies the contact laws, now and in the time that follows.
pub(in crate::simulate) fn holds(
    doing: &[Doing],
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<Holds, SmoothError> {
    mechanics.set(doing);
    match mechanics.solve(instant.t, instant.q, instant.v) {
        Ok(()) => {}
        // of one contact: slip with p = 0
        Err(SmoothError::Forces { .. }) if instant.closed.len() == 1 => return Ok(Holds::No),
        Err(SmoothError::Forces { .. }) => return Ok(Holds::Undetermined),
        Err(error) => return Err(error),
    }
    let mut keeper = Keeper::default();
    keeper.keep(doing, mechanics);
    for &contact in instant.closed {
        let free = doing[contact] == Doing::Free;
        mechanics.kept[contact] = free && keeper.implies(contact, instant.tol.marginal, mechanics);
    }
    if mechanics.work.undetermined() > 0 {
        return open_forces(doing, instant, mechanics, probe);
    }
    match now(doing, instant, mechanics) {
        Holds::Marginal => Ok(if soon(doing, instant, mechanics, probe)? { Holds::Yes } else { Holds::No }),
        decided => Ok(decided),
    }
}

/// The contact laws at the state that was evaluated last.
fn now(doing: &[Doing], instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> Holds {
    let forces = instant.closed.iter().flat_map(|&contact| force_margins(contact, doing[contact], mechanics));
    let rises = instant.closed.iter().filter_map(|&contact| rise(contact, doing[contact], mechanics));
    judge(forces.chain(rises), instant.tol)
}

/// Whether numbers are positive.
fn judge(numbers: impl Iterator<Item = (f64, f64)>, tol: &Tol) -> Holds {
    let mut all = Holds::Yes;
    for (value, size) in numbers {
        let band = tol.marginal * size;
        if value < -band || value.is_nan() {
            return Holds::No;
        }
        if value <= band {
            all = Holds::Marginal;
        }
    }
    all
}

/// The contact laws where the forces at the state that was evaluated last are not unique: whether some satisfy them, and whether
/// all of these have one motion.
fn open_forces(
    doing: &[Doing],
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<Holds, SmoothError> {
    if !mechanics.hyperstatic {
        return Ok(Holds::Undetermined);
    }
    let tol = instant.tol;
    if mechanics.disagreement() > tol.marginal {
        return Ok(Holds::No);
    }
    if mechanics.depends_on_forces(tol.marginal) {
        let starts = |c: &usize| doing[*c] == Doing::Free || moving(*c, mechanics).is_none();
        let rises: Vec<_> = instant.closed.iter().filter(|c| starts(c)).map(|&c| (c, doing[c])).collect();
        let room = mechanics.room(&rises);
        return Ok(match judge([(room.value, room.size)].into_iter(), tol) {
            Holds::Yes => Holds::Manifold,
            // forces on the border of the cones only: those of a mode with less contacts
            _ => Holds::No,
        });
    }
    let room = mechanics.room(&[]);
    let rises = instant.closed.iter().filter_map(|&contact| rise(contact, doing[contact], mechanics));
    match judge(rises.chain([(room.value, room.size)]), tol) {
        Holds::Marginal => Ok(if soon(doing, instant, mechanics, probe)? { Holds::Yes } else { Holds::No }),
        decided => Ok(decided),
    }
}

/// The forces of a contact that have to be positive, with the sizes of their terms.
fn force_margins(contact: usize, doing: Doing, mechanics: &Mechanics<'_>) -> Vec<(f64, f64)> {
    let (row, d) = (mechanics.row(contact), mechanics.layout().tangents);
    let normal = mechanics.work.forces()[row];
    let held = |row: usize| mechanics.force_scale(row);
    match doing {
        Doing::Free => Vec::new(),
        Doing::Stick => {
            let (size, room) = (held(row), cone_room(mechanics, contact));
            let tangential = (1..=d).map(|k| held(row + k)).fold(0.0, f64::max);
            let cone = room.is_finite().then_some((room, size + tangential));
            let unilateral = mechanics.laws[contact].hold == Hold::Unilateral;
            cone.into_iter().chain(unilateral.then_some((normal, size))).collect()
        }
        Doing::Slip { pull, .. } => vec![(pull * normal, held(row))],
    }
}

/// The acceleration that has to be positive, if there is one, with the size of its terms.
fn rise(contact: usize, doing: Doing, mechanics: &Mechanics<'_>) -> Option<(f64, f64)> {
    let (row, d) = (mechanics.row(contact), mechanics.layout().tangents);
    match doing {
        // beside others that keep it closed it has nothing to open with
        Doing::Free if mechanics.kept[contact] => None,
        Doing::Free => Some((acceleration(row, mechanics), mechanics.driven_size(row))),
        Doing::Slip { along, .. } if doing.direction().is_some() && moving(contact, mechanics).is_none() => {
            let rise: f64 = (0..d).map(|k| along[k] * acceleration(row + 1 + k, mechanics)).sum();
            Some((rise, (1..=d).map(|k| mechanics.driven_size(row + k)).fold(0.0, f64::max)))
        }
        Doing::Stick | Doing::Slip { .. } => None,
    }
}

/// Acceleration of a contact row under the forces that were found.
pub(in crate::simulate) fn acceleration(row: usize, mechanics: &Mechanics<'_>) -> f64 {
    let forces = mechanics.work.forces().iter().enumerate();
    let driven: f64 = forces.map(|(j, force)| mechanics.delassus(row, j) * force).sum();
    mechanics.block(Block::FreeContactAcceleration)[row] + driven
}

/// Follows a combination for a short time, and looks whether its numbers are positive then. What stays zero is no objection:
/// the motion is then the same on either side.
fn soon(
    doing: &[Doing],
    instant: &Instant<'_>,
    mechanics: &mut Mechanics<'_>,
    probe: &mut Dop853,
) -> Result<bool, SmoothError> {
    let n = instant.q.len();
    let closed = || instant.closed.iter().copied();
    // what is left of a rate that is zero is no part of what begins
    let slips = |contact: usize| doing[contact] != Doing::Free && moving(contact, mechanics).is_some();
    let left = |contact: usize| {
        let ahead = ahead(contact, doing[contact], mechanics)?;
        Some(if slips(contact) { 0.0 } else { ahead })
    };
    let still: Vec<f64> = closed().filter_map(left).collect();
    let y = [instant.q, instant.v, &[0.0; EXTRA]].concat();
    mechanics.base = instant.t;
    let moved = probe.start(mechanics, 0.0, &y).and_then(|()| {
        probe.probe(mechanics, 0.0, instant.short)?;
        probe.arrive(mechanics, 0.0)
    });
    match moved {
        Err(SmoothError::Forces { .. }) => return Ok(false),
        Err(error) => return Err(error),
        Ok(()) => {}
    }
    debug_assert_eq!(probe.end().len(), 2 * n + EXTRA, "the state and its works");
    let moved = closed().filter_map(|contact| begun(contact, doing[contact], instant, mechanics));
    let mut found: Vec<(f64, f64)> =
        moved.zip(&still).map(|((ahead, size), still)| (ahead - still, size)).collect();
    if mechanics.work.undetermined() > 0 {
        let room = mechanics.room(&[]);
        found.push((room.value + room.error, room.size));
    } else {
        found.extend(closed().flat_map(|contact| force_margins(contact, doing[contact], mechanics)));
    }
    Ok(found.iter().all(|(value, size)| *value >= -LATER * size))
}

/// What has to be positive a short time later: the rate of a gap that opens, and a slip that sets in.
fn ahead(contact: usize, doing: Doing, mechanics: &Mechanics<'_>) -> Option<f64> {
    match doing {
        Doing::Free if mechanics.kept[contact] => None,
        Doing::Free => Some(mechanics.gap_rate(contact)),
        Doing::Slip { along, .. } if doing.direction().is_some() => {
            Some(mechanics.slip(contact).iter().zip(along).map(|(u, along)| u * along).sum())
        }
        Doing::Stick | Doing::Slip { .. } => None,
    }
}

/// The same with the size of its terms.
fn begun(
    contact: usize,
    doing: Doing,
    instant: &Instant<'_>,
    mechanics: &Mechanics<'_>,
) -> Option<(f64, f64)> {
    let row = mechanics.row(contact) + usize::from(doing != Doing::Free);
    let size = instant.short * mechanics.acceleration_size(row) + STILL * instant.speeds[contact];
    ahead(contact, doing, mechanics).map(|ahead| (ahead, size))
}
