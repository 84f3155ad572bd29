//! Motions from event to event against closed forms, conservation laws, symmetries, independent integrations and the other
//! schemes.

mod against;
mod bodies;
mod bounds;
mod ends;
mod equilibria;
mod flat;
mod hyperstatic;
mod jam;
mod landing;
mod overlooked;
mod pencil;
mod point;
mod poles;
mod rolling;
mod space;
mod standing_biped;
mod statics;
mod tolerances;
mod tutorial;

use mechan::Derived;
use mechan::pipeline::{Deriver, Failure, Loaded, SimulateOptions, simulate};
use mechan::simulate::trajectory::{Event, EventDetail, EventKind, JamDetail, Status, Trajectory};

/// A mechanism whose model is kept in a file, ready to move.
pub(crate) struct Mover {
    loaded: Loaded,
    derived: Derived,
}

impl Mover {
    pub(crate) fn kept(name: &str) -> Self {
        Self::of(&format!("benches/models/{name}.json"))
    }

    pub(crate) fn of(file: &str) -> Self {
        let loaded = mechan::load(file).unwrap();
        let derived = loaded.clone().derive(&Deriver::nobody()).unwrap();
        Self { loaded, derived }
    }

    pub(crate) fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    pub(crate) fn derived(&self) -> &Derived {
        &self.derived
    }

    /// The motion from a state, its numbers changed by `name=expr`, if there is one.
    pub(crate) fn try_run(&self, options: &SimulateOptions) -> Result<Trajectory, Failure> {
        simulate(&self.loaded, self.derived.model(), options)
    }

    pub(crate) fn run(&self, state: &str, set: &[&str], t_end: f64) -> Trajectory {
        self.try_run(&asked(state, set, t_end)).unwrap()
    }
}

/// What is asked of a motion to a time, all else as usual.
pub(crate) fn asked(state: &str, set: &[&str], t_end: f64) -> SimulateOptions {
    SimulateOptions {
        state: Some(state.to_string()),
        set: set.iter().map(ToString::to_string).collect(),
        t_end,
        ..SimulateOptions::default()
    }
}

/// What happened, in order.
pub(crate) fn kinds(trajectory: &Trajectory) -> Vec<EventKind> {
    trajectory.events.iter().map(|event| event.kind).collect()
}

/// The events of a kind.
pub(crate) fn events(trajectory: &Trajectory, kind: EventKind) -> Vec<&Event> {
    trajectory.events.iter().filter(|event| event.kind == kind).collect()
}

/// Times of the events of a kind.
pub(crate) fn times(trajectory: &Trajectory, kind: EventKind) -> Vec<f64> {
    events(trajectory, kind).iter().map(|event| event.t.0).collect()
}

/// A coordinate at an event, and its velocity after it.
pub(crate) fn at(event: &Event, coordinate: &str) -> [f64; 2] {
    let find =
        |all: &[(String, mechan::Number)]| all.iter().find(|(name, _)| name == coordinate).unwrap().1.0;
    [find(&event.q.0), find(&event.v.0)]
}

/// The last state of a motion.
pub(crate) fn last(trajectory: &Trajectory, coordinate: &str) -> [f64; 2] {
    at(trajectory.events.last().unwrap(), coordinate)
}

/// A column of the samples.
pub(crate) fn column(trajectory: &Trajectory, name: &str) -> Vec<f64> {
    let i = trajectory.columns.iter().position(|column| column == name).unwrap();
    trajectory.rows.iter().map(|row| row[i].0).collect()
}

/// The numbers of the first jam.
pub(crate) fn jam_of(trajectory: &Trajectory) -> (f64, &JamDetail) {
    let jam = events(trajectory, EventKind::Jam)[0];
    let EventDetail::Jam(detail) = &jam.detail else { panic!("{jam:?}") };
    (jam.t.0, detail)
}

#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64, allowed: f64) {
    assert!((found - expected).abs() <= allowed, "{found} is not {expected} to {allowed}");
}

/// That a motion went on to the end of its time with its books in order.
#[track_caller]
pub(crate) fn assert_sound(trajectory: &Trajectory) {
    assert_eq!(trajectory.status, Status::End, "{:?} {:?}", trajectory.reason, kinds(trajectory));
    let energy = &trajectory.energy;
    let size = [energy.initial, energy.last, energy.work, energy.friction]
        .iter()
        .fold(1.0, |s: f64, e| s.max(e.0.abs()));
    assert!(energy.defect.0.abs() <= 1e-8 * size, "{energy:?}");
}
