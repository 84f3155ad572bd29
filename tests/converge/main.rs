//! Orders of accuracy: the conditions that tableaux satisfy, how errors are measured, and what schemes reach on motions that are
//! known.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]

mod captured;
mod exact;
mod held;
mod heuristic;
mod measured;
mod orders;
mod pictures;
mod recorded;
mod tableaux;

use mechan::Derived;
use mechan::pipeline::{
    ConvergeOptions, Deriver, Failure, Loaded, Scheme, SimulateOptions, converge, simulate,
};
use mechan::simulate::converge::{Convergence, Errors, SchemeStudy};
use mechan::simulate::trajectory::Trajectory;

/// A mechanism whose model is kept in a file.
pub(crate) struct Kept {
    pub(crate) loaded: Loaded,
    pub(crate) derived: Derived,
}

impl Kept {
    pub(crate) fn at(path: &str) -> Self {
        let loaded = mechan::load(path).unwrap();
        let derived = loaded.clone().derive(&Deriver::nobody()).unwrap();
        Self { loaded, derived }
    }

    pub(crate) fn ball() -> Self {
        Self::at("benches/models/bouncing_ball.json")
    }

    pub(crate) fn oscillator() -> Self {
        Self::at("tests/converge/models/linear_oscillator.json")
    }

    pub(crate) fn try_study(&self, options: &ConvergeOptions) -> Result<Convergence, Failure> {
        converge(&self.loaded, self.derived.model(), options)
    }

    /// A study with numbers of steps.
    pub(crate) fn study(&self, t_end: f64, schemes: &[&str], counts: &[u32]) -> Convergence {
        let steps = counts.iter().map(|&n| t_end / f64::from(n)).collect();
        let schemes = schemes.iter().map(ToString::to_string).collect();
        self.try_study(&ConvergeOptions { t_end: Some(t_end), schemes, steps, ..ConvergeOptions::default() })
            .unwrap()
    }

    pub(crate) fn run(&self, scheme: &str, state: &str, step: f64, t_end: f64) -> Trajectory {
        let scheme = scheme.parse::<Scheme>().unwrap();
        let is_event = scheme == Scheme::Event;
        let options = SimulateOptions {
            state: Some(state.to_string()),
            scheme,
            step: (!is_event).then_some(step),
            t_end,
            rtol: is_event.then_some(1e-13),
            ..SimulateOptions::default()
        };
        simulate(&self.loaded, self.derived.model(), &options).unwrap()
    }
}

/// Slopes of a scheme, by norm.
#[track_caller]
pub(crate) fn assert_slopes(study: &SchemeStudy, what: &str, slopes: &Errors, (least, most): (f64, f64)) {
    let named = [("hausdorff", slopes.hausdorff.0), ("l1", slopes.l1.0)];
    for (norm, slope) in named {
        assert!(
            (least..=most).contains(&slope),
            "{} {what} {norm}: {slope}, not in [{least}, {most}]: {:?}",
            study.scheme,
            study.runs
        );
    }
}
