//! A state as the page shows it: its numbers as `analyze` has them, its picture, sentences that say why, and further pictures.

use super::engine::{Fault, set};
use super::question::{Depth, Situation};
use crate::analysis::StateOutcome;
use crate::pipeline::{AnalyzeOptions, Derived, draw_state};
use crate::plot::{StatePlot, Window, state_within};
use crate::report::{Block, Choice, Document, analysis_document};
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
        without_domain: true,
        ..AnalyzeOptions::default()
    };
    let analysis = derived.analyze(&options)?;
    if let Some(failure) = analysis.failures().next() {
        let source = derived.loaded().source.clone();
        return Err(crate::pipeline::Failure::Input { source, diagnostics: failure.faults.clone() }.into());
    }
    let Some(outcome) = analysis.outcomes().next() else {
        return Err(Fault::Question(format!("there is no state `{}`", at.state)));
    };
    let (picture, window) = pictured(derived, outcome, wanted.window);
    let mut panels = serde_json::Map::new();
    for name in wanted.panels {
        let Some(plot) = StatePlot::ALL.into_iter().find(|plot| plot.name() == name) else { continue };
        let drawn = draw_state(plot, (derived.loaded(), derived.model()), (&analysis, &options.set));
        panels.insert(name.clone(), drawn.map_or(Value::Null, |picture| picture.svg().into()));
    }
    Ok(json!({
        "state": outcome,
        "picture": picture,
        "window": window,
        "why": sentences(&analysis_document(&analysis)),
        "panels": panels,
    }))
}

fn pictured(
    derived: &Derived,
    outcome: &StateOutcome,
    window: Option<Window>,
) -> (Option<String>, Option<Window>) {
    let mechanism = derived.mechanism();
    let title = format!("{}, state {}: the mechanism", mechanism.name, outcome.state);
    let window = window.filter(Window::is_sound);
    match state_within(&title, mechanism, outcome, window) {
        Ok((picture, window)) => (Some(picture.svg().to_string()), Some(window)),
        Err(_) => (None, None),
    }
}

/// The sentences of the sections that say why.
fn sentences(document: &Document) -> Vec<String> {
    let Ok(choice) = Choice::only(&["why".to_string()]) else { return Vec::new() };
    let (chosen, _) = document.chosen(&choice);
    let mut found = Vec::new();
    collect(&chosen, &mut found);
    found
}

fn collect(document: &Document, found: &mut Vec<String>) {
    for block in &document.blocks {
        match block {
            Block::Paragraph(text) | Block::Warning(text) | Block::Quote(text) => found.push(text.clone()),
            Block::Section(section) => collect(&section.content, found),
            _ => {}
        }
    }
}
