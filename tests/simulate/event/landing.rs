//! Random bodies that land, rock, slide and come to rest: blocks on their corners, discs between two walls, chains among stops, a
//! pencil in the middle of an impact. None sinks, none ends without a reason of mechanics, energy is accounted for, and a motion
//! that starts from any of its own states goes on as it did.
//!
//! `MECHAN_MOTIONS` says how many motions of each kind are followed, `MECHAN_SEED` which.

use super::Mover;
use crate::Numbers;
use mechan::pipeline::{Deriver, SimulateOptions, load_bytes};
use mechan::simulate::trajectory::{Event, EventKind, Status, Trajectory};
use serde_json::Value;

/// Motions of each kind if nobody says.
const MOTIONS: usize = 60;
/// Depth below a surface, in lengths of about one, that no sample has.
const DEEPEST: f64 = 1e-9;

/// A motion that is asked for.
struct Ask {
    mover: usize,
    state: &'static str,
    set: Vec<String>,
    t_end: f64,
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|x| x.parse().ok()).unwrap_or(otherwise)
}

/// A mechanism with each of the laws of restitution.
fn with_laws(file: &str, law: &str) -> Vec<Mover> {
    let mut model: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    // the equations of motion know nothing of restitution
    model.as_object_mut().unwrap().remove("derived_from");
    let text = model.to_string();
    ["newton", "poisson", "energetic"]
        .map(|other| {
            let text = text.replace(&format!("law: {law}"), &format!("law: {other}"));
            let loaded = load_bytes(file, text.into_bytes()).unwrap();
            let derived = loaded.clone().derive(&Deriver::nobody()).unwrap();
            Mover { loaded, derived }
        })
        .into()
}

/// Numbers of a motion, drawn one by one.
struct Draw {
    numbers: Numbers,
    set: Vec<String>,
}

impl Draw {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.numbers.next() + 1.0)
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.between(0.0, list.len() as f64) as usize).min(list.len() - 1)]
    }

    fn set(&mut self, name: &str, value: f64) -> f64 {
        self.set.push(format!("{name}={value:e}"));
        value
    }

    fn any(&mut self, name: &str, low: f64, high: f64) -> f64 {
        let value = self.between(low, high);
        self.set(name, value)
    }

    /// A number that is often one of its extremes.
    fn extreme(&mut self, name: &str, low: f64, high: f64) -> f64 {
        let inner = self.between(low, high);
        let value = self.one_of(&[low, high, inner, inner]);
        self.set(name, value)
    }
}

/// Blocks thrown, dropped flat, and let go on one foot.
fn blocks(draw: &mut Draw) -> (&'static str, f64) {
    let (w, H) = (draw.any("w", 0.2, 1.0), draw.any("H", 0.1, 1.0));
    let (wt, Ht) = (draw.one_of(&[1.0, 0.4]) * w, draw.one_of(&[1.0, 0.7]) * H);
    draw.set("wt", wt);
    draw.set("Ht", Ht);
    let share = draw.between(0.3, 1.5);
    draw.set("I", share * (w * w + H * H) / 3.0);
    draw.extreme("mu", 0.0, 2.0);
    draw.extreme("e", 0.0, 1.0);
    let slope = draw.between(-0.6, 0.6);
    let chi = draw.one_of(&[0.0, 0.0, slope]);
    draw.set("chi", chi);
    match draw.one_of(&[0, 1, 2]) {
        0 => {
            draw.any("theta", -3.1, 3.1);
            draw.any("y", 1.5, 2.0);
            draw.any("dot(theta)", -5.0, 5.0);
            draw.any("dot(x)", -2.0, 2.0);
            draw.any("dot(y)", -2.0, 2.0);
        }
        1 => {
            let drop = draw.between(0.1, 1.0);
            draw.set("y", H + drop);
            let slide = draw.between(-2.0, 2.0);
            let slide = draw.one_of(&[0.0, slide]);
            draw.set("dot(x)", slide);
        }
        _ => {
            let theta = draw.any("theta", -0.3, 0.3);
            draw.set("y", H * theta.cos() + w * theta.sin().abs());
        }
    }
    ("thrown", 2.0)
}

/// Discs spun in the corner of two walls, and thrown between them.
fn discs(draw: &mut Draw) -> (&'static str, f64) {
    let R = draw.any("R", 0.1, 0.3);
    let share = draw.between(0.3, 1.0);
    draw.set("I", share * R * R);
    let (a1, a2) = (draw.extreme("a1", 0.0, 0.8), draw.extreme("a2", 0.3, std::f64::consts::FRAC_PI_2));
    draw.extreme("mu1", 0.0, 1.5);
    draw.extreme("mu2", 0.0, 1.5);
    draw.extreme("e", 0.0, 0.9);
    draw.any("dot(theta)", -40.0, 40.0);
    if draw.one_of(&[true, false]) {
        // as far from one wall as from the other
        draw.set("x", R * (a1.cos() - a2.cos()) / (a1 + a2).sin());
        draw.set("y", R * (a1.sin() + a2.sin()) / (a1 + a2).sin());
        return ("thrown", 2.0);
    }
    draw.any("dot(x)", -1.0, 1.0);
    ("thrown", 2.0)
}

/// Two links that swing among walls and a floor.
fn chains(draw: &mut Draw) -> (&'static str, f64) {
    // links of 0.5 m between their stops, above the floor
    let [d1, d2] = [(0.1, 0.4), (0.1, 0.6)].map(|(low, high)| draw.between(low, high));
    let knee = d1 * draw.between(-0.9, 0.9);
    let end = (knee + draw.between(-0.45, 0.45)).clamp(-0.9 * d2, 0.9 * d2);
    let [q1, q2] = [knee, end - knee].map(|across| (across / 0.5).asin());
    let f = 0.5 * (q1.cos() + q2.cos()) + draw.between(0.005, 0.1);
    for (name, value) in [("d1", d1), ("d2", d2), ("q1", q1), ("q2", q2), ("f", f)] {
        draw.set(name, value);
    }
    draw.extreme("mu", 0.0, 0.6);
    draw.extreme("e", 0.0, 0.9);
    draw.any("dot(q1)", -5.0, 5.0);
    draw.any("dot(q2)", -5.0, 5.0);
    ("hanging", 2.0)
}

/// Pencils whose tip strikes the floor at the start.
fn pencils(draw: &mut Draw) -> (&'static str, f64) {
    draw.any("theta", -1.4, 1.4);
    draw.any("dot(theta)", -3.0, 3.0);
    draw.any("dot(x)", -2.0, 2.0);
    let size = draw.between(-15.0, 0.5);
    draw.set("dot(y)", -(10f64.powf(size)));
    draw.extreme("mu", 0.0, 1.2);
    draw.extreme("e", 0.0, 0.9);
    ("slipping", 0.3)
}

type Kind = fn(&mut Draw) -> (&'static str, f64);

fn asks(kind: Kind, seed: u64) -> impl Iterator<Item = Ask> {
    let mut draw = Draw { numbers: Numbers(seed + number("MECHAN_SEED", 0)), set: Vec::new() };
    let count = number("MECHAN_MOTIONS", MOTIONS as u64) as usize;
    (0..count).map(move |_| {
        let (state, t_end) = kind(&mut draw);
        let mover = draw.one_of(&[0, 1, 2]);
        Ask { mover, state, set: std::mem::take(&mut draw.set), t_end }
    })
}

fn run(mover: &Mover, ask: &Ask) -> Trajectory {
    let set = ask.set.clone();
    let options = SimulateOptions {
        state: Some(ask.state.into()),
        set,
        t_end: ask.t_end,
        ..SimulateOptions::default()
    };
    mover.try_run(&options).unwrap()
}

/// The least gap of any sample.
fn lowest(trajectory: &Trajectory) -> f64 {
    let gaps = (0..trajectory.columns.len()).filter(|&i| trajectory.columns[i].ends_with(".gap"));
    let gaps: Vec<usize> = gaps.collect();
    trajectory.rows.iter().flat_map(|row| gaps.iter().map(|&i| row[i].0)).fold(f64::INFINITY, f64::min)
}

/// Whether a motion ended where Coulomb's law or the law of impacts has several answers, or none.
fn is_of_mechanics(trajectory: &Trajectory) -> bool {
    let reason = trajectory.reason.as_deref().unwrap_or_default();
    let none = ["the impact law of the contacts together", "Newton's law says nothing"];
    trajectory.status == Status::Indeterminate || none.iter().any(|text| reason.contains(text))
}

/// What is wrong with a motion, if anything.
fn fault(trajectory: &Trajectory) -> Option<String> {
    let energy = &trajectory.energy;
    let size = [energy.initial, energy.last, energy.work, energy.friction, energy.impacts]
        .iter()
        .fold(1.0, |s: f64, e| s.max(e.0.abs()));
    if lowest(trajectory) < -DEEPEST {
        return Some(format!("sinks to {}", lowest(trajectory)));
    }
    if trajectory.status != Status::End && !is_of_mechanics(trajectory) {
        return Some(format!("{:?} {:?}", trajectory.status, trajectory.reason));
    }
    (energy.defect.0.abs() > 1e-8 * size).then(|| format!("{energy:?}"))
}

/// The motion from a sample of another, which should go on as that does.
fn again(ask: &Ask, trajectory: &Trajectory, row: usize) -> Ask {
    let time = trajectory.rows.iter().nth(row).unwrap()[0].0;
    let numbers = trajectory.rows.iter().nth(row).unwrap();
    let n = trajectory.columns.iter().filter(|name| name.starts_with("dot(")).count();
    let numbers = (1..=2 * n).map(|i| format!("{}={:e}", trajectory.columns[i], numbers[i].0));
    let kept = ask
        .set
        .iter()
        .filter(|text| !trajectory.columns[1..=2 * n].iter().any(|c| text.starts_with(&format!("{c}="))));
    Ask {
        mover: ask.mover,
        state: ask.state,
        set: kept.cloned().chain(numbers).collect(),
        t_end: ask.t_end - time,
    }
}

/// What the next events after a time are.
fn next(trajectory: &Trajectory, after: f64) -> Vec<&Event> {
    trajectory.events.iter().filter(|event| event.t.0 > after).take(2).collect()
}

fn differs(trajectory: &Trajectory, other: &Trajectory, time: f64) -> Option<String> {
    let (one, two) = (next(trajectory, time + 1e-6), next(other, 1e-6));
    let words = |list: &[&Event]| -> Vec<(EventKind, Option<String>)> {
        list.iter().map(|event| (event.kind, event.contact.clone())).collect()
    };
    let late = one.iter().zip(&two).any(|(one, two)| (one.t.0 - time - two.t.0).abs() > 1e-6);
    (words(&one) != words(&two) || late).then(|| {
        let list = |of: &[&Event], from: f64| -> Vec<String> {
            of.iter().map(|e| format!("{:?} {:?} {}", e.kind, e.contact, e.t.0 - from)).collect()
        };
        format!("from {time}: {:?} but {:?} ({:?})", list(&one, time), list(&two, 0.0), other.status)
    })
}

#[track_caller]
fn check(movers: &[Mover], kind: Kind, seed: u64) {
    let (mut faults, mut count, mut failed) = (Vec::new(), 0, 0);
    for ask in asks(kind, seed) {
        count += 1;
        let trajectory = run(&movers[ask.mover], &ask);
        let rows = trajectory.rows.len();
        let found = fault(&trajectory).or_else(|| {
            [rows / 5, rows / 2, rows.saturating_sub(2)].into_iter().filter(|row| row + 1 < rows).find_map(
                |row| {
                    let once_more = again(&ask, &trajectory, row);
                    let other = run(&movers[ask.mover], &once_more);
                    differs(&trajectory, &other, ask.t_end - once_more.t_end)
                },
            )
        });
        if let Some(fault) = found {
            failed += 1;
            let law = ["newton", "poisson", "energetic"][ask.mover];
            faults.push(format!("{law} {} {} to {}: {fault}", ask.state, ask.set.join(" --set "), ask.t_end));
        }
    }
    assert!(faults.is_empty(), "{failed} of {count}\n{}", faults.join("\n"));
}

#[test]
fn blocks_land_and_come_to_rest() {
    check(&with_laws("tests/simulate/models/thrown_block.json", "poisson"), blocks, 11);
}

#[test]
fn discs_come_to_rest_between_walls() {
    check(&with_laws("tests/simulate/models/disc_in_wedge.json", "poisson"), discs, 12);
}

#[test]
fn chains_come_to_rest_among_stops() {
    check(&with_laws("tests/simulate/models/chain_among_stops.json", "poisson"), chains, 13);
}

#[test]
fn pencils_start_in_the_middle_of_an_impact() {
    check(&with_laws("benches/models/falling_pencil.json", "energetic"), pencils, 14);
}
