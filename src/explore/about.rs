//! What a page has to know of a mechanism before it asks about a state: names, words, units, states, and sensible ranges.

use super::engine::Fault;
use super::ranges::Sizes;
use crate::expression::{Expr, Node};
use crate::format::{Contact, Mechanism, Override, Parameter};
use crate::pipeline::{Derived, default_parameters, symbol_name};
use serde::Serialize;
use serde_json::Value;

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
    let sizes = Sizes::of(mechanism, &values);
    for (i, c) in mechanism.coordinates.iter().enumerate() {
        let usual = sizes.coordinate(i);
        let unit = c.unit.clone().unwrap_or_default();
        let description = c.description.clone().unwrap_or_default();
        let range = named(&c.name)
            .map_or(usual, |range| if sizes.is_angle(i) { within(range, usual) } else { range });
        sliders.push(Slider { name: c.name.clone(), kind: "coordinate", unit, description, range });
    }
    let rates = crate::format::Units::of(mechanism).map(|units| units.velocities).unwrap_or_default();
    for (i, c) in mechanism.coordinates.iter().enumerate() {
        let name = format!("dot({})", c.name);
        let range = named(&name).unwrap_or_else(|| sizes.rate(i));
        let unit = rates.get(i).cloned().unwrap_or_default();
        let description = format!("rate of {}", c.name);
        sliders.push(Slider { name, kind: "velocity", unit, description, range });
    }
    for (p, value) in mechanism.parameters.iter().zip(&values) {
        let range = named(&p.name).unwrap_or_else(|| parameter(mechanism, p, *value, &sizes));
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

/// Of a parameter: restitution goes from 0 to 1, friction upwards from 0.
fn parameter(mechanism: &Mechanism, p: &Parameter, value: f64, sizes: &Sizes<'_>) -> [f64; 2] {
    if is_used(mechanism, &p.name, |contact| &contact.restitution.value) {
        return [0.0, 1.0];
    }
    if value == 0.0 && is_used(mechanism, &p.name, |contact| &contact.friction) {
        return [0.0, 1.0];
    }
    sizes.parameter(value, p.unit.as_deref())
}

/// Whether a parameter is such a number of a contact, as it is.
fn is_used(mechanism: &Mechanism, name: &str, of: impl Fn(&Contact) -> &Expr) -> bool {
    let Ok(symbol) = Override::target(mechanism, name) else { return false };
    mechanism.contacts.iter().any(|c| matches!(of(c).node, Node::Symbol(own) if own == symbol))
}

/// The domain's ranges first, friction upwards; else the first two sliders.
fn axes(mechanism: &Mechanism, domain: &[(String, f64, f64)], sliders: &[Slider]) -> Vec<(String, f64, f64)> {
    let is_friction = |name: &str| is_used(mechanism, name, |contact| &contact.friction);
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
