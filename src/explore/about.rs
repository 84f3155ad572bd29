//! What a page has to know of a mechanism before it asks about a state: names, words, units, states, and sensible ranges.

use super::engine::Fault;
use crate::expression::Symbol;
use crate::format::{Mechanism, Override};
use crate::pipeline::{Derived, default_parameters, symbol_name};
use serde::Serialize;
use serde_json::Value;
use std::f64::consts::PI;

/// A number that may be moved.
#[derive(Serialize)]
struct Slider {
    name: String,
    /// `coordinate`, `velocity` or `parameter`.
    kind: &'static str,
    unit: String,
    description: String,
    /// Where its slider ends.
    range: [f64; 2],
}

/// A state of the file.
#[derive(Serialize)]
struct Named {
    name: String,
    description: Option<String>,
}

#[derive(Serialize)]
struct About {
    schema: &'static str,
    name: String,
    title: Option<String>,
    description: Option<String>,
    space: &'static str,
    states: Vec<Named>,
    sliders: Vec<Slider>,
    contacts: Vec<String>,
    /// The axes of the map at first.
    axes: Vec<(String, f64, f64)>,
    text: String,
}

/// Version of the page's questions and answers.
const SCHEMA: &str = "mechan.explorer/1";

/// Names, words, units, states and ranges.
pub(super) fn about(derived: &Derived) -> Result<Value, Fault> {
    let mechanism = derived.mechanism();
    let values = default_parameters(derived.loaded())?;
    let domain: Vec<(String, f64, f64)> = mechanism
        .domain_values(&values)
        .unwrap_or_default()
        .into_iter()
        .map(|(symbol, lo, hi)| (symbol_name(mechanism, symbol), lo, hi))
        .collect();
    let named = |name: &str| domain.iter().find(|range| range.0 == name).map(|range| [range.1, range.2]);
    let mut sliders = Vec::new();
    for c in &mechanism.coordinates {
        let is_angle = c.unit.as_deref() == Some("rad");
        let usual = if is_angle { [-PI, PI] } else { [-2.0, 2.0] };
        let unit = c.unit.clone().unwrap_or_default();
        let description = c.description.clone().unwrap_or_default();
        let range = named(&c.name).map_or(usual, |range| if is_angle { within(range, usual) } else { range });
        sliders.push(Slider { name: c.name.clone(), kind: "coordinate", unit, description, range });
    }
    let rates = crate::format::Units::of(mechanism).map(|units| units.velocities).unwrap_or_default();
    for (i, c) in mechanism.coordinates.iter().enumerate() {
        let name = format!("dot({})", c.name);
        let range = named(&name).unwrap_or([-10.0, 10.0]);
        let unit = rates.get(i).cloned().unwrap_or_default();
        let description = format!("rate of {}", c.name);
        sliders.push(Slider { name, kind: "velocity", unit, description, range });
    }
    for (p, value) in mechanism.parameters.iter().zip(&values) {
        let range = named(&p.name).unwrap_or_else(|| around(*value, is_share(mechanism, &p.name)));
        let unit = p.unit.clone().unwrap_or_default();
        let description = p.description.clone().unwrap_or_default();
        sliders.push(Slider { name: p.name.clone(), kind: "parameter", unit, description, range });
    }
    let axes = axes(mechanism, &domain, &sliders);
    let states = mechanism.states.iter();
    let about = About {
        schema: SCHEMA,
        name: mechanism.name.clone(),
        title: mechanism.title.clone(),
        description: mechanism.description.clone(),
        space: mechanism.space.word(),
        states: states.map(|s| Named { name: s.name.clone(), description: s.description.clone() }).collect(),
        sliders,
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
        axes,
        text: derived.loaded().source.text.clone(),
    };
    Ok(serde_json::to_value(about)?)
}

/// The wider of two ranges.
fn within(range: [f64; 2], usual: [f64; 2]) -> [f64; 2] {
    [range[0].min(usual[0]), range[1].max(usual[1])]
}

/// A range for a number: up to twice of it, to both sides if it is zero.
fn around(value: f64, is_share: bool) -> [f64; 2] {
    match value {
        _ if is_share => [0.0, 1.0],
        0.0 => [-10.0, 10.0],
        x if x.is_finite() => [(2.0 * x).min(0.0), (2.0 * x).max(0.0)],
        _ => [0.0, 1.0],
    }
}

/// Whether a parameter is a coefficient of restitution.
fn is_share(mechanism: &Mechanism, name: &str) -> bool {
    let Ok(Symbol::Parameter(i)) = Override::target(mechanism, name) else { return false };
    let is_it = |expr: &crate::expression::Expr| matches!(expr.node, crate::expression::Node::Symbol(Symbol::Parameter(k)) if k == i);
    mechanism.contacts.iter().any(|c| is_it(&c.restitution.value))
}

/// The domain's ranges first, friction upwards; else the first two sliders.
fn axes(mechanism: &Mechanism, domain: &[(String, f64, f64)], sliders: &[Slider]) -> Vec<(String, f64, f64)> {
    let is_friction = |name: &str| {
        let Ok(symbol) = Override::target(mechanism, name) else { return false };
        let own = |c: &crate::format::Contact| matches!(c.friction.node, crate::expression::Node::Symbol(s) if s == symbol);
        mechanism.contacts.iter().any(own)
    };
    let mut axes: Vec<(String, f64, f64)> =
        domain.iter().filter(|a| !is_friction(&a.0)).take(1).cloned().collect();
    axes.extend(domain.iter().filter(|a| is_friction(&a.0)).take(1).cloned());
    let others =
        domain.iter().cloned().chain(sliders.iter().map(|s| (s.name.clone(), s.range[0], s.range[1])));
    // an angle and friction say most where the file has no ranges
    let others: Vec<_> = others.collect();
    let friction = others.iter().find(|a| is_friction(&a.0)).cloned();
    for other in friction.into_iter().chain(others) {
        if axes.len() < 2 && axes.iter().all(|a| a.0 != other.0) {
            axes.push(other);
        }
    }
    if axes.len() == 2 && is_friction(&axes[0].0) {
        axes.swap(0, 1);
    }
    axes
}
