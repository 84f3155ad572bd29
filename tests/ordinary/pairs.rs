//! A motion does not depend on what is asked about it: samples, a stop that does not fire, another end, and going on from one of
//! its own states.

use super::case::Case;
use super::retrace::{Fault, fault};
use mechan::pipeline::SimulateOptions;
use mechan::simulate::trajectory::{Event, EventKind, Trajectory};

/// How far two motions may be apart that are the same but for rounding and the tolerance of steps, relative to times.
const SAME: f64 = 1e-7;
/// By how much an event may magnify what two motions differ by.
const MAGNIFIED: f64 = 1e3;
/// Motions that have come apart this far are no longer compared.
const APART: f64 = 1e-5;

pub(crate) fn judge(case: &Case, one: &Trajectory, which: usize) -> Vec<Fault> {
    match which % 4 {
        0 => asked(case, one, "samples", &SimulateOptions { samples: Some(37), ..case.options() }),
        1 => asked(case, one, "a stop that does not fire", &SimulateOptions { stop: Some("t + 1".into()), ..case.options() }),
        2 => another_end(case, one),
        _ => from_within(case, one),
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
    let mut faults = compare(&one.events, &other.events, 0.0, (case, what));
    if faults.is_empty() {
        faults.push(fault(&format!("the last bits depend on {what}"), String::new()));
    }
    faults
}

fn another_end(case: &Case, one: &Trajectory) -> Vec<Fault> {
    let t_end = 0.6180339887 * case.t_end;
    let other = match case.derived().simulate(&SimulateOptions { t_end, ..case.options() }) {
        Ok(other) => other,
        Err(failure) => return vec![fault("refused", format!("{failure:?}"))],
    };
    let before = |events: &[Event]| -> Vec<Event> {
        let early = |e: &&Event| e.t.0 < t_end * (1.0 - SAME) && e.kind != EventKind::End;
        events.iter().filter(early).cloned().collect()
    };
    compare(&before(&one.events), &before(&other.events), 0.0, (case, "t-end"))
}

/// From the state after an event in the middle.
fn from_within(case: &Case, one: &Trajectory) -> Vec<Fault> {
    let events = &one.events;
    if events.len() < 3 {
        return Vec::new();
    }
    let middle = events.len() / 2;
    let t = events[middle].t.0;
    let last = events.iter().rposition(|e| e.t.0 == t).unwrap();
    let at = &events[last];
    if t >= case.t_end {
        return Vec::new();
    }
    let mut again = case.clone();
    let phase = case.value("ph").unwrap_or(0.0) + case.value("w").unwrap_or(0.0) * t;
    if case.value("w").is_some() {
        again.put("ph", phase);
    }
    for ((name, q), (_, v)) in at.q.0.iter().zip(&at.v.0) {
        again.put(name, q.0);
        again.put(&format!("dot({name})"), v.0);
    }
    again.t_end = case.t_end - t;
    let other = match again.derived().simulate(&again.options()) {
        Ok(other) => other,
        Err(failure) => return vec![fault("its own state is refused", format!("{failure:?}"))],
    };
    let later: Vec<Event> = events[last + 1..].to_vec();
    compare(&later, &other.events, t, (case, "where it is started"))
}

/// Two sequences of events, the second later by a time. Motions come apart as they are sensitive: what differs may grow from event to
/// event, and once it is large nothing more is compared.
fn compare(one: &[Event], other: &[Event], later: f64, (case, what): (&Case, &str)) -> Vec<Fault> {
    let mut apart = SAME * case.t_end;
    // the order of what happens at one instant is not compared
    let sort = |events: &[Event]| -> Vec<Event> {
        let mut sorted = events.to_vec();
        sorted.sort_by(|a, b| a.t.0.total_cmp(&b.t.0));
        sorted
    };
    let (one, other) = (sort(one), sort(other));
    for (k, a) in one.iter().enumerate() {
        let t = other.get(k).map(|b| b.t.0 + later);
        let same = other.get(k).is_some_and(|b| a.kind == b.kind && a.contact == b.contact);
        let miss = t.map_or(f64::INFINITY, |t| (t - a.t.0).abs());
        if !same || miss > MAGNIFIED * apart {
            let swapped = other.get(k).is_some() && miss <= MAGNIFIED * apart && one.get(k + 1).is_some_and(|n| n.t.0 - a.t.0 <= MAGNIFIED * apart);
            if swapped {
                return Vec::new();
            }
            let b = other.get(k).map(|b| (b.kind, b.contact.clone(), b.t.0 + later));
            let text = format!("event {k}: {:?} {:?} at {}, then {b:?}", a.kind, a.contact, a.t.0);
            return vec![fault(&format!("events depend on {what}"), text)];
        }
        apart = apart.max(miss);
        if apart > APART * case.t_end {
            return Vec::new();
        }
    }
    if other.len() > one.len() {
        let b = &other[one.len()];
        return vec![fault(&format!("events depend on {what}"), format!("one more: {:?} {:?} at {}", b.kind, b.contact, b.t.0 + later))];
    }
    Vec::new()
}
