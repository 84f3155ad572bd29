//! Samples and energy.

use super::case::Case;
use super::equations::Equations;
use super::impacts::detail;
use super::retrace::{Fault, fault};
use super::scales::Scales;
use mechan::format::RestitutionLaw;
use mechan::simulate::trajectory::{Event, EventKind, Trajectory};

/// How far a sample may lie below a surface, relative to the mechanism's size and to what gaps are made of.
const BELOW: f64 = 1e-9;
/// What of the energy at stake may be unaccounted for.
const UNACCOUNTED: f64 = 1e-8;
/// The least energy that counts as being at stake, relative to that of a way of the mechanism's size.
const RESTING: f64 = 1e-4;
/// A gain of an impact that has to be told, relative to the energy at stake.
const SEEN_GAIN: f64 = 1e-6;

/// No sample lies below a surface, or is not a number, and phases follow each other.
pub(crate) fn samples(equations: &Equations, scales: &Scales, trajectory: &Trajectory) -> Vec<Fault> {
    let mut faults = Vec::new();
    let n = equations.n();
    let places = trajectory.rows.iter().flat_map(|row| &row[1..=n]);
    let away = places.fold(0.0, |away: f64, q| away.max(q.0.abs()));
    // one that is not always active may lie below where it was not
    for (_, name) in equations.contacts.iter().enumerate().filter(|(c, _)| equations.is_always_active(*c)) {
        let column = trajectory.columns.iter().position(|x| *x == format!("{name}.gap")).expect("a column");
        let low = trajectory.rows.iter().map(|row| (row[column].0, row[0].0));
        let low = low.fold((0.0, 0.0), |m: (f64, f64), x| if x.0 < m.0 { x } else { m });
        if low.0 < -BELOW * (scales.length + away) {
            let text = format!("{name}: {:.3e} of the size at t = {}", low.0 / scales.length, low.1);
            faults.push(fault("a sample below a surface", text));
        }
    }
    if trajectory.drift.gap > BELOW * (scales.length + away) {
        faults
            .push(fault("a contact that is active below a surface", format!("{:.3e}", trajectory.drift.gap)));
    }
    if trajectory.rows.iter().any(|row| (0..=2 * n).any(|i| !row[i].0.is_finite())) {
        faults.push(fault("a sample that is no number", String::new()));
    }
    let breaks = trajectory.phases.windows(2).find(|pair| pair[0].t1 != pair[1].t0);
    faults.extend(breaks.map(|pair| {
        fault("phases with time between them", format!("from {} to {}", pair[0].t1.0, pair[1].t0.0))
    }));
    faults
}

/// The balance of energy is closed, and energy does not grow where no work is done.
pub(crate) fn energy(
    case: &Case,
    equations: &mut Equations,
    scales: &Scales,
    trajectory: &Trajectory,
) -> Vec<Fault> {
    let n = equations.n();
    let mut at = |row: &[mechan::Number]| {
        let y: Vec<f64> = row[1..=2 * n].iter().map(|x| x.0).collect();
        equations.at(row[0].0, &y);
        equations.energy()
    };
    let all: Vec<[f64; 2]> = trajectory.rows.iter().step_by(7).map(&mut at).collect();
    let (Some(first), Some(last)) = (trajectory.rows.first(), trajectory.rows.last()) else {
        return Vec::new();
    };
    let (first, last) = (at(first), at(last));
    let most = |k: usize| all.iter().map(|e| e[k]).fold(f64::NEG_INFINITY, f64::max);
    let least = all.iter().map(|e| e[1]).fold(f64::INFINITY, f64::min);
    let books = &trajectory.energy;
    let stake = most(0).max(most(1) - least).max(last[0]).max(books.work.0.abs());
    // where nothing moves, rounding of potential energy is no loss
    let stake = stake
        .max(books.friction.0.abs())
        .max(books.impacts.0.abs())
        .max(RESTING * scales.load * scales.length);
    let mut faults = Vec::new();
    if books.defect.0.is_nan() || books.defect.0.abs() > UNACCOUNTED * stake {
        faults.push(fault(
            "energy is not accounted for",
            format!("{:.1e} of what is at stake", books.defect.0 / stake),
        ));
    }
    let gains = gained(trajectory);
    let told = trajectory.warnings.iter().any(|warning| warning.contains("gain energy by the law `moreau`"));
    if gains.iter().any(|&gain| gain > SEEN_GAIN * stake) && !told {
        faults.push(fault("impacts gain energy without a word", format!("{gains:?} of {stake}")));
    }
    let gains: f64 = gains.iter().map(|gain| gain.max(0.0)).sum();
    let grown = last[0] + last[1] - first[0] - first[1];
    if !case.driven && case.law != RestitutionLaw::Newton && grown - gains > UNACCOUNTED * stake {
        faults.push(fault("energy grows without work", format!("{:.1e} of what is at stake", grown / stake)));
    }
    faults
}

/// What the impacts of each instant give by Moreau's rule, which may gain energy where friction and restitution act together: the shares of
/// the contacts add up.
fn gained(trajectory: &Trajectory) -> Vec<f64> {
    let joint = |event: &&Event| event.kind == EventKind::Impact && detail(event).law == "moreau";
    let impacts: Vec<&Event> = trajectory.events.iter().filter(joint).collect();
    let instants = impacts.chunk_by(|one, other| one.t.0.total_cmp(&other.t.0).is_eq());
    instants.map(|instant| -instant.iter().map(|event| detail(event).energy_loss.0).sum::<f64>()).collect()
}
