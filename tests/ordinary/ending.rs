//! How motions end: by combinations of what closed contacts may do at the last state.

use super::case::Case;
use super::equations::{Doing, Equations, dot};
use super::impacts;
use super::retrace::{Fault, fault, inside};
use super::scales::{Scales, is_angle};
use mechan::model::State;
use mechan::pipeline::{AnalyzeOptions, SimulateOptions};
use mechan::predict::Verdict;
use mechan::simulate::trajectory::{EventDetail, Status, Trajectory};

/// Margin by which a combination has to satisfy or break the laws to count.
const CLEAR: f64 = 1e-6;
/// By what share cones are made narrower in which undetermined forces are looked for.
const NARROWER: f64 = 1e-3;
/// For how long the last state is followed further, relative to the time of a way of the mechanism's size, by which schemes in
/// how many steps, and how far they may come apart, relative to that way.
const SHORTLY: f64 = 0.05;
const SCHEMES: [(&str, f64); 4] =
    [("moreau", 200.0), ("schatzman-paoli", 200.0), ("moreau", 2000.0), ("schatzman-paoli", 2000.0)];
const ALLOWED: f64 = 0.05;
/// A force this many times a load has no bounds.
const GROWN: f64 = 1e3;

pub(crate) fn judge(
    equations: &mut Equations,
    scales: &Scales,
    trajectory: &Trajectory,
    (t, y): (f64, &[f64]),
) -> Vec<Fault> {
    let reason = reason(trajectory);
    let words = || words(trajectory);
    if matches!(trajectory.status, Status::Inconsistent | Status::Indeterminate) {
        equations.at(t, y);
        if let Some(number) = impacts::allowed(equations, scales, CLEAR) {
            let right = number.is_none_or(|number| match trajectory.status {
                Status::Inconsistent => number == 0,
                _ => number > 1,
            });
            let text = format!("{number:?} impacts are possible at t = {t}: {reason}");
            return if right { Vec::new() } else { vec![fault(&words(), text)] };
        }
    }
    match trajectory.status {
        // the laws hold; compliance is not looked at here
        Status::Inconsistent if reason.contains("unstable with the contacts' compliance") => Vec::new(),
        Status::Inconsistent => match possible(equations, scales, t, y) {
            found if found.is_empty() => Vec::new(),
            found => vec![fault("inconsistent although possible", format!("{found:?} at t = {t}: {reason}"))],
        },
        Status::Indeterminate => match possible(equations, scales, t, y) {
            found if found.len() > 1 => Vec::new(),
            found => vec![fault(&words(), format!("possible: {found:?} at t = {t}: {reason}"))],
        },
        _ => unless_ended(equations, scales, trajectory),
    }
}

/// Every end but that of the time.
pub(crate) fn unless_ended(
    equations: &mut Equations,
    scales: &Scales,
    trajectory: &Trajectory,
) -> Vec<Fault> {
    let t = trajectory.rows.last().expect("a row")[0].0;
    match trajectory.status {
        Status::End => Vec::new(),
        Status::Undecided if laws_took_over(trajectory) || is_jam(equations, scales, trajectory) => {
            Vec::new()
        }
        _ => vec![fault(&words(trajectory), format!("t = {t}: {}", reason(trajectory)))],
    }
}

/// Whether a motion ends where slips press each other beyond all bounds, by the forces at its last state and after its last event.
fn is_jam(equations: &mut Equations, scales: &Scales, trajectory: &Trajectory) -> bool {
    let (Some(phase), Some(event)) = (trajectory.phases.last(), trajectory.events.last()) else {
        return false;
    };
    let doing: Vec<Doing> = phase.mode.0.iter().map(|(_, word)| Doing::of(word)).collect();
    let slips = |c: &usize| matches!(doing[*c], Doing::Slip(_) | Doing::Slides);
    let mut grown_at = |t: f64, y: &[f64]| -> Vec<usize> {
        equations.at(t, y);
        let solved = equations.solve(&doing);
        // or the equations of slips are singular to rounding
        let grown = |c: &usize| {
            solved.forces[*c][0].abs() > GROWN * scales.load
                || slips(c) && solved.undetermined.iter().any(|change| change[*c][0].abs() > CLEAR)
        };
        (0..doing.len()).filter(grown).collect()
    };
    let y: Vec<f64> = event.q.0.iter().chain(&event.v.0).map(|x| x.1.0).collect();
    let before = grown_at(event.t.0, &y);
    let row: Vec<f64> = trajectory.rows.last().expect("a row").iter().map(|x| x.0).collect();
    let grown = grown_at(row[0], &row[1..=y.len()]);
    let named = |c: &usize| reason(trajectory).contains(&equations.contacts[*c]);
    reason(trajectory).contains("grow without bounds")
        && grown.len() > 1
        && grown.iter().any(slips)
        && grown.iter().all(|c| named(c) && !before.contains(c))
}

/// Whether the laws of impact, by the books of the single impacts, have made nearly all of the energy that a motion ends with.
pub(crate) fn laws_took_over(trajectory: &Trajectory) -> bool {
    let made: f64 = trajectory
        .events
        .iter()
        .map(|event| match &event.detail {
            EventDetail::Impact(impact) => -impact.energy_loss.0,
            _ => 0.0,
        })
        .sum();
    reason(trajectory).contains("the laws of impact have made")
        && made > 1e5 * trajectory.energy.initial.0.abs()
}

/// Share of a speed up to which what is left of velocities at rest is rounding.
const ROUNDED: f64 = 1e-12;

/// Whether a motion ends at a paradox, as the analysis of its last state alone has it: nothing follows there, or several motions do.
pub(crate) fn is_paradox(case: &Case, last: &State, status: Status, speed: f64) -> bool {
    let mut again = case.clone();
    let mut last = last.clone();
    let coordinates = again.derived().mechanism().coordinates.iter().position(|c| c.name == "e0");
    if let Some(first) = coordinates {
        // of rounding is also what changes the length of a quaternion
        let (q, v) = (&last.q[first..first + 4], &mut last.v[first..first + 4]);
        let along = dot(q, v) / dot(q, q);
        v.iter_mut().zip(q).for_each(|(v, q)| *v -= along * q);
    }
    last.v.iter_mut().filter(|v| v.abs() <= ROUNDED * speed).for_each(|v| *v = 0.0);
    again.start_at(&last);
    let name = again.derived().mechanism().states[0].name.clone();
    let options = AnalyzeOptions {
        set: again.sets(),
        without_next_step: true,
        without_no_slip: true,
        ..AnalyzeOptions::of_state(&name)
    };
    let Ok(analysis) = again.derived().analyze(&options) else { return false };
    let Some(state) = analysis.state(&name) else { return false };
    let prospect = &state.prospect;
    match status {
        Status::Inconsistent | Status::Jam => prospect.resolved.is_empty(),
        Status::Indeterminate => {
            prospect.resolved.len() > 1 || prospect.verdict == Some(Verdict::Indeterminate)
        }
        _ => false,
    }
}

fn reason(trajectory: &Trajectory) -> &str {
    trajectory.reason.as_deref().unwrap_or_default()
}

/// The kind of an end: its status, and how its reason begins.
fn words(trajectory: &Trajectory) -> String {
    let short: String = reason(trajectory).chars().filter(|c| !c.is_ascii_digit()).take(48).collect();
    format!("{}: {short}", trajectory.status.name())
}

/// What follows the last state, by the engine and by time-stepping of Moreau or of Schatzman and Paoli: they may differ by a few steps' way.
/// Newton's method of the first may fail where forces are not unique, and the second needs shorter steps on surfaces that move fast.
pub(crate) fn goes_on(case: &Case, last: &State, speed: f64) -> Vec<Fault> {
    let mut again = case.clone();
    again.start_at(last);
    again.t_end = SHORTLY * case.length / speed;
    // positions that are thrown back by a share of their steps, as Schatzman's and Paoli's, gain speed on a surface that moves
    again.put("e", 0.0);
    let derived = again.derived();
    let one = match derived.simulate(&again.options()) {
        Ok(one) => one,
        Err(failure) => return vec![fault("its last state is refused", format!("{failure:?}"))],
    };
    match one.status {
        Status::End => {}
        Status::Failed | Status::Budget => {
            let kind = format!("its last state does not go on: {}", one.status.name());
            return vec![fault(&kind, again.line())];
        }
        // what ends for a reason that is judged elsewhere
        _ => return Vec::new(),
    }
    let end = |t: &Trajectory| t.rows.last().expect("a row").iter().map(|x| x.0).collect::<Vec<f64>>();
    let apart = |other: &Trajectory| {
        let (one_end, other_end) = (end(&one), end(other));
        let unit = |i: usize| if is_angle(&one.columns[1 + i]) { 1.0 } else { case.length };
        let apart = (0..last.q.len()).map(|i| (one_end[1 + i] - other_end[1 + i]).abs() / unit(i));
        apart.fold(0.0, f64::max)
    };
    let mut least: Option<f64> = None;
    for (scheme, steps) in SCHEMES {
        let scheme = scheme.parse().expect("a scheme");
        let options = SimulateOptions { scheme, step: Some(again.t_end / steps), ..again.options() };
        let Ok(other) = derived.simulate(&options) else { continue };
        if other.status == Status::End {
            let apart = apart(&other);
            if apart <= ALLOWED * SHORTLY {
                return Vec::new();
            }
            least = Some(least.map_or(apart, |least| least.min(apart)));
        }
    }
    match least {
        None => vec![fault("no time-stepping goes on", again.line())],
        Some(apart) => {
            let text = format!("{apart:.1e} of the size apart after {:e} s: {}", again.t_end, again.line());
            vec![fault("goes on otherwise by time-stepping", text)]
        }
    }
}

/// Combinations that satisfy the contact laws clearly.
pub(crate) fn possible(equations: &mut Equations, scales: &Scales, t: f64, y: &[f64]) -> Vec<String> {
    equations.at(t, y);
    let m = equations.contacts.len();
    let closed: Vec<usize> = (0..m)
        .filter(|&c| {
            equations.gap(c).abs() <= 1e-8 * scales.length && equations.rate(c).abs() <= 1e-7 * scales.speed
        })
        .collect();
    let choices = if equations.layout.tangents == 1 {
        vec![Doing::Free, Doing::Stick, Doing::Slip(1.0), Doing::Slip(-1.0)]
    } else {
        vec![Doing::Free, Doing::Stick, Doing::Slides]
    };
    let mut found = Vec::new();
    for number in 0..choices.len().pow(closed.len() as u32) {
        let (mut doing, mut rest) = (vec![Doing::Free; m], number);
        for &c in &closed {
            doing[c] = choices[rest % choices.len()];
            rest /= choices.len();
        }
        if holds(equations, scales, &closed, &doing) {
            found.push(format!("{doing:?}"));
        }
    }
    found
}

fn holds(equations: &Equations, scales: &Scales, closed: &[usize], doing: &[Doing]) -> bool {
    let solved = equations.solve(doing);
    if solved.missed > CLEAR {
        return false;
    }
    // not on the border of a cone, where what is looked for along it ends
    let narrow: Vec<f64> = equations.friction.iter().map(|mu| mu * (1.0 - NARROWER)).collect();
    let forces = inside(&solved, doing, &narrow);
    let load = forces.iter().flatten().fold(scales.load, |m: f64, x| m.max(x.abs()));
    let push = scales.speed * scales.speed / scales.length;
    closed.iter().all(|&c| {
        let [N, T1, T2] = forces[c];
        let slip = equations.slip(c);
        let still = slip[0].hypot(slip[1]) <= 1e-7 * scales.speed;
        let gain = |row: &[f64], drift: f64| dot(row, &solved.vdot) + drift;
        let parting = gain(equations.normal(c), equations.block(mechan::Output::NormalDrift)[c]);
        let sliding = gain(
            equations.tangent(c, 0),
            equations.block(mechan::Output::TangentDrift)[c * equations.layout.tangents],
        );
        match doing[c] {
            Doing::Free => parting > CLEAR * push,
            Doing::Stick => {
                still && N > CLEAR * load && T1.hypot(T2) < equations.friction[c] * N * (1.0 - CLEAR)
            }
            Doing::Slip(s) if still => N > CLEAR * load && s * sliding > CLEAR * push,
            Doing::Slip(s) => N > CLEAR * load && s * slip[0] > 0.0,
            Doing::Slides => !still && N > CLEAR * load,
        }
    })
}
