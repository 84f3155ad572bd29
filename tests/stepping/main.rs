//! Time-stepping schemes against closed forms, hand-written steps, the trajectories of another program, and each other.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod attitudes;
mod ball;
mod equations;
mod faults;
mod flat;
mod heuristic;

mod paradoxes;
mod point;
mod reference;
mod words;

use mechan::pipeline::{Deriver, Failure, Scheme, SimulateOptions, simulate};
use mechan::simulate::trajectory::Trajectory;
use mechan::stepping::SchemeName;

/// A motion that is asked for.
#[derive(Clone)]
pub(crate) struct Asked<'a> {
    pub(crate) file: &'a str,
    pub(crate) state: &'a str,
    pub(crate) set: &'a [&'a str],
    pub(crate) scheme: SchemeName,
    pub(crate) step: f64,
    pub(crate) t_end: f64,
    pub(crate) theta: f64,
}

impl Asked<'_> {
    pub(crate) fn options(&self) -> SimulateOptions {
        SimulateOptions {
            state: Some(self.state.to_string()),
            set: self.set.iter().map(ToString::to_string).collect(),
            scheme: Scheme::Stepped(self.scheme),
            step: Some(self.step),
            theta: Some(self.theta),
            t_end: self.t_end,
            ..SimulateOptions::default()
        }
    }

    pub(crate) fn run(&self) -> Trajectory {
        try_run(self.file, &self.options()).unwrap()
    }
}

pub(crate) fn try_run(file: &str, options: &SimulateOptions) -> Result<Trajectory, Failure> {
    let loaded = mechan::load(file).unwrap();
    let model = loaded.clone().derive(&Deriver::nobody()).unwrap().model().clone();
    simulate(&loaded, &model, options)
}

/// A column of the rows.
pub(crate) fn column(trajectory: &Trajectory, name: &str) -> Vec<f64> {
    let at = trajectory.columns.iter().position(|column| column == name).unwrap();
    trajectory.rows.iter().map(|row| row[at].0).collect()
}

/// The last value of a column.
pub(crate) fn last(trajectory: &Trajectory, name: &str) -> f64 {
    *column(trajectory, name).last().unwrap()
}

pub(crate) fn assert_near(found: f64, expected: f64, allowed: f64, what: &str) {
    assert!(
        (found - expected).abs() <= allowed,
        "{what}: {found:e} instead of {expected:e}, allowed {allowed:e}"
    );
}
