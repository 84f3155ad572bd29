//! The states of a mechanism as numbers: which are asked for, what they are, and whether they lie where they
//! claim to lie.

use super::closing::{Asked, another_solution, solved_onto};
use super::finite::undefined_output;
use super::flat_rim::flat_rim;
use super::length::own_length;
use super::surface::{Put, put_onto, remedy};
use super::{Failure, Loaded, Usage};
use crate::analysis::Sizes;
use crate::contact::Sign;
use crate::diag::Diagnostic;
use crate::expression::Env;
use crate::format::{Contact, Override, ResolvedState, StateSpec};
use crate::model::{Block, Kernel, Model, Output, State, Values};
use crate::num::Tol;
use crate::report::significant;

/// A state that passed its checks, with the closed contacts decided.
#[derive(Clone, Debug)]
pub(super) struct PlacedState {
    pub(super) resolved: ResolvedState,
    pub(super) state: State,
    /// Indices of the closed contacts, ascending.
    pub(super) closed: Vec<usize>,
    /// What the reader should know of it.
    pub(super) notes: Vec<Diagnostic>,
}

/// A state with its evaluated outputs and the sizes of what they are made of.
pub(super) struct Evaluated<'k> {
    pub(super) placed: PlacedState,
    pub(super) values: Values<f64>,
    pub(super) sizes: Sizes<'k>,
}

/// Everything about a state: all blocks of a model and the equations of motion solved.
pub(super) fn state_kernel(model: &Model, tol: &Tol) -> Kernel {
    model.kernel(&Block::all()).with_tolerance(tol.singular)
}

/// What it takes to see where a state lies: the outputs of a model, without the equations of motion solved.
pub(super) fn place_kernel(model: &Model, tol: &Tol) -> Kernel {
    let outputs = Output::ALL.iter().map(|&output| Block::Model(output));
    let blocks: Vec<Block> =
        outputs.chain([Block::GapVelocity, Block::Slip, Block::ConstraintVelocity]).collect();
    model.kernel(&blocks).with_tolerance(tol.singular)
}

/// Names of all states, in file order.
pub fn state_names(loaded: &Loaded) -> Vec<&str> {
    loaded.mechanism.states.iter().map(|s| s.name.as_str()).collect()
}

/// The states asked for: the named ones, or all.
///
/// # Errors
/// [`Failure::Usage`] if a name is not that of a state.
pub fn select_states<'l>(loaded: &'l Loaded, names: &[String]) -> Result<Vec<&'l StateSpec>, Failure> {
    if names.is_empty() {
        return Ok(loaded.mechanism.states.iter().collect());
    }
    names.iter().map(|name| find_state(loaded, name)).collect()
}

pub(super) fn find_state<'l>(loaded: &'l Loaded, name: &str) -> Result<&'l StateSpec, Failure> {
    let found = loaded.mechanism.states.iter().find(|s| s.name == name);
    Ok(found.ok_or_else(|| unknown_state(loaded, name))?)
}

/// That a mechanism has no such state.
pub(super) fn unknown_state(loaded: &Loaded, name: &str) -> Usage {
    let states = state_names(loaded).into_iter().map(String::from).collect();
    Usage::State { file: loaded.source.name.clone(), name: name.to_string(), states }
}

/// Parses `--set` options against a mechanism.
pub(super) fn parse_overrides(loaded: &Loaded, set: &[String]) -> Result<Vec<Override>, Failure> {
    set.iter()
        .map(|text| {
            let refused = |fault| Usage::Override { text: text.clone(), fault: Box::new(fault) }.into();
            Override::parse(&loaded.mechanism, text).map_err(refused)
        })
        .collect()
}

/// The numbers of a state.
pub(super) fn resolve(
    loaded: &Loaded,
    spec: &StateSpec,
    overrides: &[Override],
) -> Result<ResolvedState, Failure> {
    loaded
        .mechanism
        .resolve(spec, overrides)
        .map_err(|diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics })
}

/// Resolves, evaluates and places a state.
pub(super) fn placed_state<'k>(
    loaded: &Loaded,
    kernel: &'k Kernel,
    spec: &StateSpec,
    overrides: &[Override],
    tol: &Tol,
) -> Result<Evaluated<'k>, Failure> {
    let resolved = resolve(loaded, spec, overrides)?;
    let length = own_length(&loaded.mechanism, &resolved);
    let asked = Asked { loaded, kernel, spec, overrides, tol, length };
    let resolved = solved_onto(asked, resolved)?;
    let (values, sizes) = evaluated(loaded, kernel, spec, &resolved)?;
    match put_onto(loaded, kernel, spec, (&resolved, &sizes), tol)? {
        None => {
            let placed = place(loaded, spec, (resolved, &[]), Geometry { sizes: &sizes, tol })?;
            Ok(Evaluated { placed, values, sizes })
        }
        Some(Put { resolved, contacts, note }) => {
            let (values, sizes) = evaluated(loaded, kernel, spec, &resolved)?;
            let mut placed = place(loaded, spec, (resolved, &contacts), Geometry { sizes: &sizes, tol })?;
            placed.notes.insert(0, note);
            Ok(Evaluated { placed, values, sizes })
        }
    }
}

/// Another state that a state's equations have, as a warning.
pub(super) fn ambiguous(
    loaded: &Loaded,
    kernel: &Kernel,
    (spec, overrides): (&StateSpec, &[Override]),
    placed: &PlacedState,
) -> Option<Diagnostic> {
    let (tol, length) = (&Tol::default(), own_length(&loaded.mechanism, &placed.resolved));
    another_solution(Asked { loaded, kernel, spec, overrides, tol, length }, &placed.resolved)
}

/// A state as it is given, wherever it lies: contacts are closed that do not separate at gaps which are not positive. Also the mechanism's length.
pub(super) fn as_given(
    loaded: &Loaded,
    kernel: &Kernel,
    spec: &StateSpec,
    overrides: &[Override],
    tol: &Tol,
) -> Result<(PlacedState, f64), Failure> {
    let resolved = resolve(loaded, spec, overrides)?;
    let (_, sizes) = evaluated(loaded, kernel, spec, &resolved)?;
    let geometry = Geometry { sizes: &sizes, tol };
    let touches = |c: &usize| sizes.gap(*c).sign(tol.closed) != Sign::Positive && !geometry.separates(*c);
    let closed = (0..loaded.mechanism.contacts.len()).filter(touches).collect();
    let (state, length) = (state_of(&resolved), sizes.length());
    Ok((PlacedState { resolved, state, closed, notes: Vec::new() }, length))
}

/// The numbers at a state, and their sizes.
fn evaluated<'k>(
    loaded: &Loaded,
    kernel: &'k Kernel,
    spec: &StateSpec,
    resolved: &ResolvedState,
) -> Result<(Values<f64>, Sizes<'k>), Failure> {
    let mut values = kernel.values::<f64>();
    kernel.evaluate(&state_of(resolved).inputs(), &mut values);
    let fault = flat_rim(loaded, spec, resolved)
        .or_else(|| undefined_output(loaded, spec, resolved, kernel, &values));
    if let Some(fault) = fault {
        return Err(Failure::Input { source: loaded.source.clone(), diagnostics: vec![fault] });
    }
    let length = own_length(&loaded.mechanism, resolved);
    Ok((values, Sizes::at(kernel, &resolved.magnitudes, length)))
}

/// The numbers of a state, changed by overrides, that lies where it claims to.
pub(super) fn numbers_of(
    loaded: &Loaded,
    model: &Model,
    name: &str,
    set: &[String],
) -> Result<State, Failure> {
    Ok(placed_of(loaded, model, find_state(loaded, name)?, &parse_overrides(loaded, set)?)?.state)
}

/// A state of a model, put where its equations and contacts ask it to be.
pub(super) fn placed_of(
    loaded: &Loaded,
    model: &Model,
    spec: &StateSpec,
    overrides: &[Override],
) -> Result<PlacedState, Failure> {
    let tol = Tol::default();
    Ok(placed_state(loaded, &state_kernel(model, &tol), spec, overrides, &tol)?.placed)
}

/// Checks that a state lies on its constraints and its listed contacts, and decides which contacts are closed; those that it was `put`
/// onto are, unless they separate.
fn place(
    loaded: &Loaded,
    spec: &StateSpec,
    (resolved, put): (ResolvedState, &[usize]),
    geometry: Geometry<'_>,
) -> Result<PlacedState, Failure> {
    let state = state_of(&resolved);
    let mut faults = geometry.constraint_faults(loaded, spec);
    let closed = match &resolved.closed {
        Some(listed) => {
            faults.extend(listed.iter().filter_map(|&c| geometry.contact_fault(loaded, spec, c)));
            let put = put.iter().filter(|&&c| geometry.is_closed(c) && !geometry.separates(c));
            let mut closed: Vec<usize> = listed.iter().chain(put).copied().collect();
            closed.sort_unstable();
            closed.dedup();
            closed
        }
        None => (0..loaded.mechanism.contacts.len()).filter(|&c| geometry.stays_closed(loaded, c)).collect(),
    };
    if !faults.is_empty() {
        return Err(Failure::Input { source: loaded.source.clone(), diagnostics: faults });
    }
    let notes = passing(loaded, spec, &resolved, &geometry);
    Ok(PlacedState { resolved, state, closed, notes })
}

/// The parameters of a mechanism without any state's overrides.
///
/// # Errors
/// [`Failure::Input`] if one is not finite.
pub fn default_parameters(loaded: &Loaded) -> Result<Vec<f64>, Failure> {
    loaded
        .mechanism
        .default_parameters()
        .map_err(|diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics })
}

/// The tape inputs of a resolved state.
pub(crate) fn state_of(resolved: &ResolvedState) -> State {
    State {
        t: resolved.t,
        q: resolved.q.clone(),
        v: resolved.v.clone(),
        parameters: resolved.parameters.clone(),
    }
}

/// Gaps and constraints at a state, each against the size of its terms.
struct Geometry<'g> {
    sizes: &'g Sizes<'g>,
    tol: &'g Tol,
}

/// Contacts below their surface that are active, as warnings: they passed through it while they were not.
fn passing(
    loaded: &Loaded,
    spec: &StateSpec,
    resolved: &ResolvedState,
    geometry: &Geometry<'_>,
) -> Vec<Diagnostic> {
    let ResolvedState { t, q, v, parameters, .. } = resolved;
    let env = Env { t: *t, q, v, parameters, definitions: &loaded.mechanism.definitions.values };
    let warned = |(c, contact): (usize, &Contact)| {
        let active = contact.active.as_ref()?.eval(&env) > 0.0;
        let gap = geometry.sizes.gap(c);
        let message = format!("contact `{}` penetrates: gap {}", contact.name, significant(gap.value));
        let found = Diagnostic::warning("M310", message).with_span(spec.span);
        (active && gap.sign(geometry.tol.closed) == Sign::Negative).then(|| {
            found
                .with_path(format!("states.{}", spec.name))
                .with_hint("it closes once it has risen; or choose q with a gap of 0 or more")
        })
    };
    loaded.mechanism.contacts.iter().enumerate().filter_map(warned).collect()
}

impl Geometry<'_> {
    fn is_closed(&self, contact: usize) -> bool {
        self.sizes.gap(contact).sign(self.tol.closed) == Sign::Marginal
    }

    fn separates(&self, contact: usize) -> bool {
        self.sizes.gap_rate(contact).sign(self.tol.rest) == Sign::Positive
    }

    /// A zero gap that does not separate; one that is held cannot (FORMAT.md, States).
    fn stays_closed(&self, loaded: &Loaded, contact: usize) -> bool {
        let held = loaded.mechanism.contacts[contact].bilateral;
        self.is_closed(contact) && (held || !self.separates(contact))
    }

    /// A listed contact must touch and must not separate; it may approach (an impact).
    fn contact_fault(&self, loaded: &Loaded, spec: &StateSpec, contact: usize) -> Option<Diagnostic> {
        let rate = self.sizes.gap_rate(contact);
        if self.is_closed(contact) && !self.separates(contact) {
            return None;
        }
        let name = &loaded.mechanism.contacts[contact].name;
        let what = if self.is_closed(contact) { "separates" } else { "does not touch" };
        let (gap, rate) = (self.sizes.gap(contact).value, rate.value);
        Some(fault(
            "M308",
            spec,
            format!(
                "contact `{name}` is listed as closed but {what}: gap {}, normal velocity {}",
                significant(gap),
                significant(rate)
            ),
            &format!(
                "a closed contact needs gap 0 and normal velocity 0, or negative for an impact; \
                 mend q or v{}, or take the contact out of `closed`",
                self.remedy(loaded, &[contact])
            ),
        ))
    }

    fn constraint_faults(&self, loaded: &Loaded, spec: &StateSpec) -> Vec<Diagnostic> {
        (0..loaded.mechanism.constraints.len())
            .filter_map(|i| self.constraint_fault(loaded, spec, i))
            .collect()
    }

    fn constraint_fault(&self, loaded: &Loaded, spec: &StateSpec, i: usize) -> Option<Diagnostic> {
        let (phi, rate) = (self.sizes.constraint(i), self.sizes.constraint_rate(i));
        if phi.sign(self.tol.closed) == Sign::Marginal && rate.sign(self.tol.rest) == Sign::Marginal {
            return None;
        }
        let name = &loaded.mechanism.constraints[i].name;
        let (phi, rate) = (phi.value, rate.value);
        Some(fault(
            "M309",
            spec,
            format!(
                "the state is off constraint `{name}`: value {}, rate {}, expected 0 and 0",
                significant(phi),
                significant(rate)
            ),
            &format!(
                "choose q and v on the constraint, with expressions in parameters where the values are not round{}",
                self.remedy(loaded, &[])
            ),
        ))
    }

    /// What else helps a state that is off contacts or constraints.
    fn remedy(&self, loaded: &Loaded, contacts: &[usize]) -> String {
        let solve = remedy(loaded, (self.sizes, contacts));
        solve.map(|solve| format!(", or let {solve} find them")).unwrap_or_default()
    }
}

pub(super) fn fault(code: &'static str, spec: &StateSpec, message: String, hint: &str) -> Diagnostic {
    Diagnostic::error(code, message)
        .with_span(spec.span)
        .with_path(format!("states.{}", spec.name))
        .with_hint(hint)
}
