//! A state as the page shows it: its numbers as `analyze` has them, its picture, sentences that say why, and further pictures.

use super::engine::{Fault, set};
use super::question::{Depth, Situation};
use crate::analysis::StateOutcome;
use crate::pipeline::{AnalyzeOptions, Derived, analyze_states, panel};
use crate::plot::{PlotFault, StatePlot, Window, state_within};
use crate::report::why;
use serde_json::{Value, json};

/// What is wanted of a state.
pub(super) struct Wanted<'w> {
    pub(super) depth: Depth,
    pub(super) window: Option<Window>,
    pub(super) panels: &'w [String],
}

/// Numbers, picture and words of a state.
pub(super) fn state(derived: &Derived, at: &Situation, wanted: Wanted<'_>) -> Result<Value, Fault> {
    let is_quick = wanted.depth == Depth::Quick;
    let options = AnalyzeOptions {
        states: vec![at.state.clone()],
        set: set(at),
        without_next_step: is_quick,
        without_no_slip: is_quick,
        ..AnalyzeOptions::default()
    };
    let analysis = analyze_states(derived.loaded(), derived.model(), &options)?;
    if let Some(failure) = analysis.failures().next() {
        let source = derived.loaded().source.clone();
        return Err(crate::pipeline::Failure::Input { source, diagnostics: failure.faults.clone() }.into());
    }
    let Some(outcome) = analysis.outcomes().next() else {
        return Err(Fault::Question(format!("there is no state `{}`", at.state)));
    };
    let (picture, window, undrawn) = match pictured(derived, outcome, wanted.window) {
        Ok((picture, window)) => (Some(picture), Some(window), None),
        Err(fault) => (None, None, Some(fault.to_string())),
    };
    let mut panels = serde_json::Map::new();
    for name in wanted.panels {
        let Some(plot) = StatePlot::ALL.into_iter().find(|plot| plot.name() == name) else { continue };
        let drawn = panel(plot, (derived.loaded(), derived.model()), &analysis, outcome);
        panels.insert(name.clone(), drawn.map_or(Value::Null, |picture| picture.svg().into()));
    }
    Ok(json!({
        "state": outcome,
        "picture": picture,
        "window": window,
        "undrawn": undrawn,
        "why": why(outcome),
        "panels": panels,
    }))
}

fn pictured(
    derived: &Derived,
    outcome: &StateOutcome,
    window: Option<Window>,
) -> Result<(String, Window), PlotFault> {
    let mechanism = derived.mechanism();
    let title = format!("{}, state {}: the mechanism", mechanism.name, outcome.state);
    let window = window.filter(Window::is_sound);
    let (picture, window) = state_within(&title, mechanism, outcome, window)?;
    Ok((picture.svg().to_string(), window))
}
