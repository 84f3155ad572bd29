//! The least friction with a paradox, and that with dynamic jam, over the mechanism's `domain`: which of its ranges
//! matter, and the searches.

use super::states::{resolve, state_of};
use super::{Failure, Loaded};
use crate::analysis::{
    ContactFamily, ContactView, CriticalFriction, DomainView, JamFriction, Named, global_least_friction,
    jam_friction,
};
use crate::expression::Symbol;
use crate::format::{Override, ResolvedState};
use crate::model::{Layout, Model, Output};
use crate::num::{Interval, Tol};
use crate::tape::View;

/// The contact of a planar mechanism with one, its first state, and the ranges of the domain that can matter to it.
struct Scope {
    resolved: ResolvedState,
    searched: Vec<(Symbol, f64, f64)>,
}

impl Scope {
    fn new(loaded: &Loaded, model: &Model, overrides: &[Override]) -> Result<Option<Self>, Failure> {
        let mechanism = &loaded.mechanism;
        let one_planar = model.layout().tangents == 1 && mechanism.contacts.len() == 1;
        let unilateral = mechanism.contacts.iter().all(|c| !c.bilateral);
        let Some(first) = mechanism.states.first().filter(|_| one_planar && unilateral) else {
            return Ok(None);
        };
        let resolved = resolve(loaded, first, overrides)?;
        let ranges = mechanism
            .domain_values(&resolved.parameters)
            .map_err(|diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics })?;
        let searched: Vec<_> = ranges
            .into_iter()
            .filter(|(symbol, ..)| matters(model, place(model.layout(), *symbol)))
            .collect();
        Ok((!searched.is_empty()).then_some(Scope { resolved, searched }))
    }
}

/// The critical friction over the domain; empty without a domain. Variables that the domain does not mention are
/// those of the first state.
pub(super) fn critical_friction(
    loaded: &Loaded,
    model: &Model,
    overrides: &[Override],
) -> Result<Named<CriticalFriction>, Failure> {
    let Some(Scope { resolved, searched }) = Scope::new(loaded, model, overrides)? else {
        return Ok(Named::default());
    };
    let kernel = model.kernel(&ContactView::NEEDED);
    let ranges: Vec<Interval> = searched.iter().map(|&(_, lo, hi)| Interval::new(lo, hi)).collect();
    let names: Vec<String> = searched.iter().map(|(symbol, ..)| symbol_name(loaded, *symbol)).collect();
    let view = ContactView { kernel: &kernel, parameters: &resolved.parameters, contact: 0 };
    let slots = searched.iter().map(|(symbol, ..)| place(model.layout(), *symbol)).collect();
    let domain = DomainView { view, inputs: state_of(&resolved).inputs(), slots };
    let tol = Tol { search_boxes: BOXES, ..Tol::default() };
    // a configuration with a singular M inside the box leaves the question open: nothing is reported
    let least = global_least_friction(&domain, &ranges, &tol).ok().flatten();
    Ok(Named(least.iter().map(|l| (contact_name(loaded), CriticalFriction::new(l, &names))).collect()))
}

/// The least friction at which dynamic jam attracts, along the one coordinate of the domain that matters.
pub(super) fn critical_jam(
    loaded: &Loaded,
    model: &Model,
    overrides: &[Override],
) -> Result<Named<JamFriction>, Failure> {
    let Some(Scope { resolved, searched }) = Scope::new(loaded, model, overrides)? else {
        return Ok(Named::default());
    };
    let [(Symbol::Coordinate(varied), lo, hi)] = searched[..] else { return Ok(Named::default()) };
    let kernel = model.kernel(&ContactView::NEEDED);
    let view = ContactView { kernel: &kernel, parameters: &resolved.parameters, contact: 0 };
    let point = ContactFamily::new(view, &resolved.q, &resolved.v, varied)
        .and_then(|family| jam_friction(&family, (lo, hi), &Tol::default()).ok().flatten());
    let name = &loaded.mechanism.coordinates[varied].name;
    Ok(Named(point.iter().map(|p| (contact_name(loaded), JamFriction::new(p, name))).collect()))
}

fn contact_name(loaded: &Loaded) -> String {
    loaded.mechanism.contacts.first().map(|c| c.name.clone()).unwrap_or_default()
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
