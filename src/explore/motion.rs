//! Motions from a situation with all their futures, and the bodies along them.

use super::engine::{Fault, set};
use super::question::Situation;
use super::ways::{resolved, spec};
use crate::pipeline::{Derived, SimulateOptions, Usage, default_parameters, draw_motion, futures};
use crate::plot::{PlotRequest, Posture, Window, tree};
use serde_json::{Value, json};

/// Most samples of a motion, forks on a way, and rows of one answer.
const MOST_SAMPLES: usize = 5000;
const MOST_FORKS: usize = 8;
const MOST_ROWS: usize = 2000;

/// How long a motion is followed, and how often it is looked at.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) t_end: f64,
    pub(super) samples: usize,
}

/// All motions, with the picture of their tree.
pub(super) fn motion(derived: &Derived, at: &Situation, span: Span, depth: usize) -> Result<Value, Fault> {
    let all = futures(derived.loaded(), derived.model(), &asked(at, span)?, depth.min(MOST_FORKS))?;
    let tree = tree(&all).ok().map(|picture| picture.svg().to_string());
    Ok(json!({ "futures": all, "tree": tree }))
}

/// A picture of the first motion, by the name that `simulate --plot` has for it.
pub(super) fn plot(derived: &Derived, at: &Situation, span: Span, which: &str) -> Result<Value, Fault> {
    let options = asked(at, span)?;
    let refused = |fault| Fault::Failure(Usage::Plot(fault).into());
    let request = PlotRequest { plot: which.parse().map_err(refused)?, file: None };
    let motion = derived.simulate(&options)?;
    let mechanism = (derived.loaded(), derived.model());
    Ok(draw_motion(&request, mechanism, &options, &motion)?.svg().into())
}

fn asked(at: &Situation, span: Span) -> Result<SimulateOptions, Fault> {
    if !(2..=MOST_SAMPLES).contains(&span.samples) {
        return Err(Fault::Question(format!("a motion has from 2 to {MOST_SAMPLES} samples")));
    }
    Ok(SimulateOptions {
        state: Some(at.state.clone()),
        set: set(at),
        t_end: span.t_end,
        samples: Some(span.samples),
        ..SimulateOptions::default()
    })
}

/// The bodies at some coordinates, a path for each.
pub(super) fn outline(
    derived: &Derived,
    at: &Situation,
    window: &Window,
    rows: &[(f64, Vec<f64>)],
) -> Result<Value, Fault> {
    let mechanism = derived.mechanism();
    if !window.is_sound() || rows.len() > MOST_ROWS {
        return Err(Fault::Question(format!("a window that shows something, and {MOST_ROWS} rows at most")));
    }
    let parameters = match spec(derived, at).and_then(|spec| resolved(derived, spec, at)) {
        Ok(numbers) => numbers.parameters,
        Err(_) => default_parameters(derived.loaded())?,
    };
    let path = |(t, q): &(f64, Vec<f64>)| {
        if q.len() != mechanism.coordinates.len() {
            return String::new();
        }
        Posture { mechanism, t: *t, q, parameters: &parameters }.outline(window)
    };
    Ok(rows.iter().map(path).collect::<Vec<String>>().into())
}
