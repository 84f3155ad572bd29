//! A combination of modes that holds with an equality: at an event a number that decides is zero by construction, b where a contact lifts
//! off, the margin in the cone where slip sets in. It is followed for a short time, and holds if the number turns positive in its own motion.

use super::mechanics::{EXTRA, Mechanics};
use super::modes::{Instant, acceleration, moving};
use super::watch::cone_margin;
use crate::contact::Hold;
use crate::num::dense::norm;
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
    let n = instant.q.len();
    mechanics.turns_slowly = false;
    mechanics.set(modes);
    match mechanics.solve(instant.t, instant.q, instant.v).and_then(|()| mechanics.take_springs()) {
        // of one contact: slip with p = 0
        Err(SmoothError::Forces { .. }) => return Ok(false),
        other => drop(other?),
    }
    // what slips goes on to slip, and what is left of a rate that is zero is no part of what begins
    let slips = |contact: usize| modes[contact].is_closed() && moving(contact, mechanics).is_some();
    let begins: Vec<usize> = instant.closed.iter().copied().filter(|&contact| !slips(contact)).collect();
    let left = |&contact: &usize| ahead(contact, modes[contact], mechanics);
    let still: Vec<Option<f64>> = begins.iter().map(left).collect();
    let before = margins(modes, instant, mechanics);
    let short = shortened(modes, instant, mechanics);
    let y = [instant.q, instant.v, &[0.0; EXTRA]].concat();
    mechanics.base = instant.t;
    let moved = probe.start(mechanics, 0.0, &y).and_then(|()| {
        probe.probe(mechanics, 0.0, short)?;
        probe.arrive(mechanics, 0.0)
    });
    match moved {
        Err(SmoothError::Forces { .. }) => return Ok(false),
        other => other?,
    }
    debug_assert_eq!(probe.end().len(), 2 * n + EXTRA, "the state and its works");
    let begun = begins.iter().zip(&still).all(|(&contact, still)| {
        let Some((ahead, still)) = ahead(contact, modes[contact], mechanics).zip(*still) else { return true };
        let row = mechanics.row(contact) + usize::from(modes[contact].is_closed());
        let size = short * mechanics.acceleration_size(row) + STILL * instant.speeds[contact];
        ahead - still >= -LATER * size
    });
    // what is positive and turns negative on the way does so at an event of its own
    let holds = |(now, before): ((f64, f64), &(f64, f64))| {
        now.0 >= -LATER * now.1 || before.0 > instant.tol.marginal * before.1
    };
    Ok(begun && margins(modes, instant, mechanics).into_iter().zip(&before).all(holds))
}

/// A short time in which no slip ends that there is.
fn shortened(modes: &[Mode], instant: &Instant<'_>, mechanics: &Mechanics<'_>) -> f64 {
    let ends = |&contact: &usize| {
        let (along, slip) = (moving(contact, mechanics)?, norm(mechanics.slip(contact)));
        let row = mechanics.row(contact) + 1;
        let rows = row..row + mechanics.layout().tangents;
        let rate: f64 = rows.zip(along).map(|(row, along)| along * acceleration(row, mechanics)).sum();
        (modes[contact].is_closed() && rate < 0.0).then(|| -slip / rate)
    };
    instant.closed.iter().filter_map(ends).fold(instant.short, |short, end| short.min(0.5 * end))
}

/// What has to be positive as long as a combination holds, with the sizes of its terms.
fn margins(modes: &[Mode], instant: &Instant<'_>, mechanics: &mut Mechanics<'_>) -> Vec<(f64, f64)> {
    let closed = || instant.closed.iter().copied();
    if mechanics.work.springs.active {
        closed().flat_map(|contact| spring_margins(contact, modes[contact], mechanics)).collect()
    } else if mechanics.work.undetermined() > 0 {
        let margin = mechanics.margin();
        vec![(margin.value + margin.error, margin.size)]
    } else {
        closed().flat_map(|contact| force_margins(contact, modes[contact], mechanics)).collect()
    }
}

/// The same where the forces are those of springs, of which some are not pressed.
fn spring_margins(contact: usize, mode: Mode, mechanics: &Mechanics<'_>) -> Vec<(f64, f64)> {
    if mechanics.work.springs.pressed[contact] {
        return force_margins(contact, mode, mechanics);
    }
    let closed = mode.is_closed() && mechanics.laws[contact].hold == Hold::Unilateral;
    let size = || mechanics.force_scale(mechanics.row(contact));
    let margin = closed.then(|| (mechanics.spring_margin(contact), size()));
    margin.into_iter().collect()
}

/// The forces of a contact that have to be positive, with the sizes of their terms.
fn force_margins(contact: usize, mode: Mode, mechanics: &Mechanics<'_>) -> Vec<(f64, f64)> {
    let (row, d) = (mechanics.row(contact), mechanics.layout().tangents);
    let normal = mechanics.normal_force(contact);
    let held = |row: usize| mechanics.force_scale(row);
    match mode {
        Mode::Free => Vec::new(),
        Mode::Stick { .. } => {
            let (size, margin) = (held(row), cone_margin(mechanics, contact));
            let tangential = (1..=d).map(|k| held(row + k)).fold(0.0, f64::max);
            let cone = margin.is_finite().then_some((margin, size + tangential));
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
