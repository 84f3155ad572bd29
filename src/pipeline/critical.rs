//! The least friction with a paradox over the mechanism's `domain`: which of its ranges matter, and the search.

use super::states::{resolve, state_of};
use super::{Failure, Loaded};
use crate::analysis::{ContactView, CriticalFriction, DomainView, Named, global_least_friction};
use crate::expression::Symbol;
use crate::format::Override;
use crate::model::{Layout, Model, Output};
use crate::num::{Interval, Tol};
use crate::tape::View;

/// The critical friction of the contact of a planar mechanism with one, over the domain; empty without a domain.
/// Variables that the domain does not mention are those of the first state.
pub(super) fn critical_friction(
    loaded: &Loaded,
    model: &Model,
    overrides: &[Override],
) -> Result<Named<CriticalFriction>, Failure> {
    let mechanism = &loaded.mechanism;
    let one_planar = model.layout().tangents == 1 && mechanism.contacts.len() == 1;
    let Some(first) = mechanism.states.first().filter(|_| one_planar) else {
        return Ok(Named::default());
    };
    let resolved = resolve(loaded, first, overrides)?;
    let ranges = mechanism
        .domain_values(&resolved.parameters)
        .map_err(|diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics })?;
    let searched: Vec<(Symbol, f64, f64)> =
        ranges.into_iter().filter(|(symbol, ..)| matters(model, place(model.layout(), *symbol))).collect();
    if searched.is_empty() {
        return Ok(Named::default());
    }
    let kernel = model.kernel(&ContactView::NEEDED);
    let box_: Vec<Interval> = searched.iter().map(|&(_, lo, hi)| Interval::new(lo, hi)).collect();
    let names: Vec<String> = searched.iter().map(|(symbol, ..)| symbol_name(loaded, *symbol)).collect();
    let tol = Tol { search_boxes: BOXES, ..Tol::default() };
    let found =
        mechanism.contacts.iter().enumerate().filter(|(_, c)| !c.bilateral).filter_map(|(i, contact)| {
            let view = ContactView { kernel: &kernel, parameters: &resolved.parameters, contact: i };
            let slots = searched.iter().map(|(symbol, ..)| place(model.layout(), *symbol)).collect();
            let domain = DomainView { view, inputs: state_of(&resolved).inputs(), slots };
            // a configuration with a singular M inside the box leaves the question open: nothing is reported
            let least = global_least_friction(&domain, &box_, &tol).ok().flatten()?;
            Some((contact.name.clone(), CriticalFriction::new(&least, &names)))
        });
    Ok(Named(found.collect()))
}

/// Boxes that `analyze` spends on the proof: one or two variables need some hundred; with more, the certified bound
/// may stay below the attained value, and both are reported.
const BOXES: usize = 1000;

/// Place of a symbol among the tape inputs.
fn place(layout: &Layout, symbol: Symbol) -> usize {
    match symbol {
        Symbol::Time => 0,
        Symbol::Coordinate(i) => 1 + i,
        Symbol::Rate(i) => 1 + layout.coordinates + i,
        Symbol::Parameter(i) => 1 + 2 * layout.coordinates + i,
    }
}

fn symbol_name(loaded: &Loaded, symbol: Symbol) -> String {
    let mechanism = &loaded.mechanism;
    match symbol {
        Symbol::Time => "t".to_string(),
        Symbol::Coordinate(i) => mechanism.coordinates[i].name.clone(),
        Symbol::Rate(i) => format!("dot({})", mechanism.coordinates[i].name),
        Symbol::Parameter(i) => mechanism.parameters[i].name.clone(),
    }
}

/// Whether A, B or C can depend on a tape input.
fn matters(model: &Model, input: usize) -> bool {
    let blocks =
        [Output::MassMatrix, Output::NormalJacobian, Output::TangentJacobian, Output::ConstraintJacobian];
    let kernel = model.kernel(&blocks);
    let used = |view: View| matches!(view, View::Node(_, a, b) if a == input || b == input);
    kernel.tape().values().any(used) || kernel.tape().output_values().any(|v| v == input)
}
