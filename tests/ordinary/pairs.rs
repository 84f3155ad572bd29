//! A motion does not depend on what is asked about it: samples, a stop that does not fire, another end, and going on from one of
//! its own states.

use super::case::Case;
use super::retrace::{Fault, fault};
use super::scales::is_angle;
use mechan::model::State;
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{Event, EventDetail, EventKind, Trajectory};

/// How far two motions may be apart that are the same but for rounding and the tolerance of steps, relative to times.
const SAME: f64 = 1e-7;
/// By how much an event may magnify what two motions differ by.
const MAGNIFIED: f64 = 1e3;
/// Motions that have come apart this far are no longer compared.
const APART: f64 = 1e-5;
/// Ends that are one, relative to sizes and speeds.
const TOGETHER: f64 = 1e-4;
/// Approaches that are weak, relative to the motion's speeds.
const WEAK: f64 = 1e-3;
/// Approaches that are rounding, relative to the motion's speeds.
const ROUNDING: f64 = 1e-11;

pub(crate) fn judge(case: &Case, one: &Trajectory, speed: f64) -> Vec<Fault> {
    match case.drawn.1 % 4 {
        0 => asked(case, one, "samples", &SimulateOptions { samples: Some(37), ..case.options() }),
        1 => asked(
            case,
            one,
            "a stop that does not fire",
            &SimulateOptions { stop: Some("t + 1".into()), ..case.options() },
        ),
        2 => another_end(case, one, speed),
        _ => from_within(case, one, speed),
    }
}

/// To the last bit, as nothing of the motion is asked to change.
fn asked(case: &Case, one: &Trajectory, what: &str, options: &SimulateOptions) -> Vec<Fault> {
    let other = match case.derived().simulate(options) {
        Ok(other) => other,
        Err(failure) => return vec![fault("refused", format!("{failure:?}"))],
    };
    if other.events == one.events {
        return Vec::new();
    }
    let faults = compare(&one.events, &other.events, 0.0, (case, what));
    if faults.is_empty() {
        vec![fault(&format!("the last bits depend on {what}"), String::new())]
    } else {
        faults
    }
}

fn another_end(case: &Case, one: &Trajectory, speed: f64) -> Vec<Fault> {
    let t_end = 0.6180339887 * case.t_end;
    let other = match case.derived().simulate(&SimulateOptions { t_end, ..case.options() }) {
        Ok(other) => other,
        Err(failure) => return vec![fault("refused", format!("{failure:?}"))],
    };
    let before = |events: &[Event]| -> Vec<Event> {
        let early = |e: &&Event| e.t.0 < t_end * (1.0 - SAME) && e.kind != EventKind::End;
        telling(&events.iter().filter(early).cloned().collect::<Vec<_>>(), speed, APART * case.t_end)
    };
    compare(&before(&one.events), &before(&other.events), 0.0, (case, "t-end"))
}

/// From the state after an event in the middle.
fn from_within(case: &Case, one: &Trajectory, speed: f64) -> Vec<Fault> {
    let events = &one.events;
    if events.len() < 3 {
        return Vec::new();
    }
    let middle = events.len() / 2;
    // what happens within a moment is one: in between, contacts that come to meet would meet at once
    let follows = |k: &usize| events[*k].t.0 - events[*k - 1].t.0 > SAME * case.t_end;
    let last = (middle + 1..events.len()).find(follows).unwrap_or(events.len()) - 1;
    let at = &events[last];
    let t = at.t.0;
    if t >= case.t_end {
        return Vec::new();
    }
    let mut again = case.clone();
    let numbers = |all: &mechan::ByName<mechan::Number>| all.0.iter().map(|x| x.1.0).collect();
    again.start_at(&State { t, q: numbers(&at.q), v: numbers(&at.v), parameters: Vec::new() });
    again.t_end = case.t_end - t;
    let other = match again.derived().simulate(&again.options()) {
        Ok(other) => other,
        Err(failure) => return vec![fault("its own state is refused", format!("{failure:?}"))],
    };
    let line = again.line();
    let approach = |e: &Event| match &e.detail {
        EventDetail::Impact(impact) if e.t.0 == 0.0 => Some(impact.pre.v.0.abs() / speed),
        _ => None,
    };
    // one that is struck together with others may rest before
    let hardest = other.events.iter().filter_map(approach).reduce(f64::max);
    if hardest.is_some_and(|hardest| hardest <= ROUNDING) {
        return vec![fault("started again, an impact of rounding", format!("after event {last}: {line}"))];
    }
    let later = telling(&events[last + 1..], speed, APART * case.t_end);
    // what contacts do from there on may be told once more, or that they come to it from velocities that are rounding
    let early = |e: &Event| e.t.0 <= SAME * case.t_end && e.kind != EventKind::Impact;
    let others: Vec<Event> = other.events.iter().filter(|e| !early(e)).cloned().collect();
    let again = telling(&others, speed, APART * case.t_end);
    let mut faults = compare(&later, &again, t, (case, "where it is started"));
    let hops = |events: &[Event]| events.iter().any(|event| is_weak(event, speed));
    if hops(&events[last + 1..]) && hops(&other.events) && arrive_together(case, [one, &other], speed) {
        // of hops that follow each other faster and faster more or fewer are told
        return Vec::new();
    }
    faults.iter_mut().for_each(|fault| fault.text += &format!(" ({:?}); again: {}", other.status, line));
    faults
}

/// Whether an event is an impact too weak to matter, or the end of a series of such.
fn is_weak(event: &Event, speed: f64) -> bool {
    match &event.detail {
        EventDetail::Impact(impact) => -impact.pre.v.0 <= WEAK * speed,
        // an impact whose approach is rounding
        _ => matches!(event.kind, EventKind::Touch | EventKind::ChatterEnd),
    }
}

/// Whether two motions end in one state.
fn arrive_together(case: &Case, both: [&Trajectory; 2], speed: f64) -> bool {
    let [one, other] = both.map(|trajectory| trajectory.rows.last().unwrap());
    let names: Vec<String> =
        case.derived().mechanism().coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
    let near = |(i, name): (usize, &String)| {
        let unit = if is_angle(name) { 1.0 } else { case.length };
        let apart = |k: usize| (one[k].0 - other[k].0).abs() / unit;
        apart(1 + i) <= TOGETHER && apart(1 + names.len() + i) <= TOGETHER * speed / case.length
    };
    both[0].status == both[1].status && names.iter().enumerate().all(near)
}

/// Events in the order of times, but for impacts too weak to matter, of which more or fewer are followed before a series is summed up, the
/// ends of series, and what happens between such.
fn telling(events: &[Event], speed: f64, moment: f64) -> Vec<Event> {
    let weak = |e: &Event| is_weak(e, speed);
    let among = |e: &Event| {
        e.kind != EventKind::Impact && events.iter().any(|o| weak(o) && (o.t.0 - e.t.0).abs() <= moment)
    };
    let tells = |e: &&Event| !weak(e) && !among(e);
    let mut kept: Vec<Event> = events.iter().filter(tells).cloned().collect();
    kept.sort_by(|a, b| a.t.0.total_cmp(&b.t.0));
    kept
}

/// Two sequences of events, the second later by a time. Motions come apart as they are sensitive: what differs may grow from event to
/// event, and once it is large nothing more is compared.
fn compare(one: &[Event], other: &[Event], later: f64, (case, what): (&Case, &str)) -> Vec<Fault> {
    let mut apart = SAME * case.t_end;
    let differs = |text: String| vec![fault(&format!("events depend on {what}"), text)];
    let told = |e: &Event, t: f64| format!("{} {:?} at {t}", e.kind.name(), e.contact);
    for (k, a) in one.iter().enumerate() {
        let Some(b) = other.get(k) else {
            return differs(format!("event {k}: {}, then none", told(a, a.t.0)));
        };
        let (t, miss) = (b.t.0 + later, (b.t.0 + later - a.t.0).abs());
        if a.kind != b.kind || a.contact != b.contact || miss > MAGNIFIED * apart {
            // what happens within a moment may change places
            let next = one.get(k + 1).map_or(f64::INFINITY, |next| next.t.0 - a.t.0);
            if miss <= MAGNIFIED * apart && next <= MAGNIFIED * apart {
                return Vec::new();
            }
            return differs(format!("event {k}: {}, then {}", told(a, a.t.0), told(b, t)));
        }
        apart = apart.max(miss);
        if apart > APART * case.t_end {
            return Vec::new();
        }
    }
    match other.get(one.len()) {
        Some(b) => differs(format!("one more: {}", told(b, b.t.0 + later))),
        None => Vec::new(),
    }
}
