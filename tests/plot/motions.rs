//! Motions made by hand from closed forms.

use mechan::ByName;
use mechan::num::Number;
use mechan::simulate::trajectory::{
    Drift, Effort, EnergyBalance, Event, EventDetail, EventKind, PhaseSpan, Status, TRAJECTORY_SCHEMA,
    Trajectory,
};

pub(crate) fn trajectory(mechanism: &str, columns: &[&str], rows: &[Vec<f64>]) -> Trajectory {
    Trajectory {
        schema: TRAJECTORY_SCHEMA.into(),
        mechanism: mechanism.to_owned(),
        state: "start".to_owned(),
        scheme: "event".to_owned(),
        status: Status::End,
        reason: None,
        events: Vec::new(),
        phases: Vec::new(),
        columns: columns.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>().into(),
        rows: rows.iter().collect(),
        energy: EnergyBalance::new([1.0, 1.0], 0.0, 0.0, 0.0),
        drift: Drift::default(),
        penetration: None,
        hyperstatic: None,
        work: Effort::default(),
        warnings: Vec::new(),
    }
}

pub(crate) fn event(
    t: f64,
    kind: EventKind,
    contact: Option<&str>,
    q: &[(&str, f64)],
    v: &[(&str, f64)],
) -> Event {
    let by_name =
        |list: &[(&str, f64)]| ByName(list.iter().map(|(n, x)| ((*n).to_owned(), Number(*x))).collect());
    let contact = contact.map(String::from);
    Event { t: Number(t), kind, contact, q: by_name(q), v: by_name(v), detail: EventDetail::None {} }
}

pub(crate) fn span(t0: f64, t1: f64, modes: &[(&str, &'static str)]) -> PhaseSpan {
    let mode = ByName(modes.iter().map(|(c, m)| ((*c).to_owned(), (*m).into())).collect());
    PhaseSpan { t0: Number(t0), t1: Number(t1), mode, forces: None }
}

/// A ball of radius 0.1 dropped from rest at height h over the ground, g = 10, restitution e, drifting and turning: after `bounces`
/// impacts it rests until `end`.
pub(crate) fn bouncing_ball(h: f64, e: f64, bounces: usize, end: f64, samples: usize) -> Trajectory {
    let g = 10.0;
    let mut times = vec![(2.0 * h / g).sqrt()];
    let mut speeds = vec![e * (2.0 * g * h).sqrt()];
    while times.len() < bounces {
        let speed = speeds[speeds.len() - 1];
        times.push(times[times.len() - 1] + 2.0 * speed / g);
        speeds.push(e * speed);
    }
    let height = |t: f64| -> (f64, f64) {
        match times.iter().rposition(|impact| *impact <= t) {
            None => (h - g * t * t / 2.0, -g * t),
            Some(i) if i + 1 == times.len() => (0.0, 0.0),
            Some(i) => {
                let s = t - times[i];
                (speeds[i] * s - g * s * s / 2.0, speeds[i] - g * s)
            }
        }
    };
    let rows: Vec<Vec<f64>> = (0..samples)
        .map(|k| end * k as f64 / (samples - 1).max(1) as f64)
        .map(|t| {
            let (gap, rate) = height(t);
            let force = if times.last().is_some_and(|last| t > *last) { g } else { 0.0 };
            vec![t, 0.3 * t, gap + 0.1, -3.0 * t, 0.3, rate, -3.0, gap, 0.0, force, 0.0]
        })
        .collect();
    let columns = [
        "t",
        "x",
        "y",
        "phi",
        "dot(x)",
        "dot(y)",
        "dot(phi)",
        "ground.gap",
        "ground.slip",
        "ground.N",
        "ground.T",
    ];
    let mut ball = trajectory("bouncing_ball", &columns, &rows);
    let q = |t: f64| [("x", 0.3 * t), ("y", 0.1), ("phi", -3.0 * t)];
    let last = times[times.len() - 1];
    for (t, speed) in times.iter().zip(&speeds) {
        let (kind, rate) = if *t < last { (EventKind::Impact, *speed) } else { (EventKind::ChatterEnd, 0.0) };
        let v = [("x", 0.3), ("y", rate), ("phi", -3.0)];
        ball.events.push(event(*t, kind, Some("ground"), &q(*t), &v));
    }
    ball.events.push(event(end, EventKind::End, None, &q(end), &[("x", 0.3), ("y", 0.0), ("phi", -3.0)]));
    ball.phases = vec![span(0.0, last, &[("ground", "free")]), span(last, end, &[("ground", "slip+")])];
    ball
}

/// A mechanism of the library with its default parameters.
pub(crate) fn library(name: &str) -> (mechan::format::Mechanism, Vec<f64>) {
    let mechanism = mechan::load(&format!("mechanisms/{name}.yaml")).unwrap().mechanism;
    let parameters = mechanism.default_parameters().unwrap();
    (mechanism, parameters)
}

/// A trajectory of coordinates alone: each as a function of time, on equal times until `end`.
pub(crate) fn along(
    mechanism: &mechan::format::Mechanism,
    end: f64,
    q: impl Fn(f64) -> Vec<f64>,
) -> Trajectory {
    let mut columns = vec!["t"];
    columns.extend(mechanism.coordinates.iter().map(|c| c.name.as_str()));
    let rows: Vec<Vec<f64>> =
        (0..=110).map(|k| end * f64::from(k) / 110.0).map(|t| [vec![t], q(t)].concat()).collect();
    trajectory(&mechanism.name, &columns, &rows)
}
