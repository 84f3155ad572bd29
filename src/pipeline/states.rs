//! The states of a mechanism as numbers: which are asked for, what they are, and whether they lie where they
//! claim to lie.

use super::finite::undefined_output;
use super::{Failure, Loaded};
use crate::diag::Diagnostic;
use crate::format::{Override, ResolvedState, StateSpec};
use crate::model::{Kernel, Output, State, Values};
use crate::num::Tol;
use crate::report::significant;

/// A state that passed its checks, with the closed contacts decided.
#[derive(Clone, Debug)]
pub(super) struct PlacedState {
    pub(super) resolved: ResolvedState,
    pub(super) state: State,
    /// Indices of the closed contacts, ascending.
    pub(super) closed: Vec<usize>,
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

fn find_state<'l>(loaded: &'l Loaded, name: &str) -> Result<&'l StateSpec, Failure> {
    loaded.mechanism.states.iter().find(|s| s.name == name).ok_or_else(|| {
        Failure::Usage(format!(
            "{} has no state `{name}`; its states are {}",
            loaded.source.name,
            state_names(loaded).join(", ")
        ))
    })
}

/// Parses `--set` options against a mechanism.
pub(super) fn parse_overrides(loaded: &Loaded, set: &[String]) -> Result<Vec<Override>, Failure> {
    set.iter()
        .map(|text| Override::parse(&loaded.mechanism, text).map_err(|e| override_failure(text, &e)))
        .collect()
}

fn override_failure(text: &str, error: &Diagnostic) -> Failure {
    let hint = error.hint.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
    Failure::Usage(format!("--set {text}: {}{hint}", error.message))
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
pub(super) fn placed_state(
    loaded: &Loaded,
    kernel: &Kernel,
    spec: &StateSpec,
    overrides: &[Override],
) -> Result<(PlacedState, Values<f64>), Failure> {
    let resolved = resolve(loaded, spec, overrides)?;
    let mut values = kernel.values::<f64>();
    kernel.evaluate(&state_of(&resolved).inputs(), &mut values);
    if let Some(fault) = undefined_output(loaded, spec, &resolved, kernel, &values) {
        return Err(Failure::Input { source: loaded.source.clone(), diagnostics: vec![fault] });
    }
    let placed = place(loaded, spec, resolved, kernel, &values)?;
    Ok((placed, values))
}

/// Checks that a state lies on its constraints and its listed contacts, and decides which contacts are closed.
fn place(
    loaded: &Loaded,
    spec: &StateSpec,
    resolved: ResolvedState,
    kernel: &Kernel,
    values: &Values<f64>,
) -> Result<PlacedState, Failure> {
    let state = state_of(&resolved);
    let geometry = Geometry { kernel, values, state: &state, tol: Tol::default() };
    let mut faults = geometry.constraint_faults(loaded, spec);
    let closed = match &resolved.closed {
        Some(listed) => {
            faults.extend(listed.iter().filter_map(|&c| geometry.contact_fault(loaded, spec, c)));
            let mut listed = listed.clone();
            listed.sort_unstable();
            listed.dedup();
            listed
        }
        None => (0..kernel.layout().contacts).filter(|&c| geometry.is_closed(c)).collect(),
    };
    if faults.is_empty() {
        Ok(PlacedState { resolved, state, closed })
    } else {
        Err(Failure::Input { source: loaded.source.clone(), diagnostics: faults })
    }
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
pub(super) fn state_of(resolved: &ResolvedState) -> State {
    State {
        t: resolved.t,
        q: resolved.q.clone(),
        v: resolved.v.clone(),
        parameters: resolved.parameters.clone(),
    }
}

/// Gaps and constraints at a state, with the scales that make "zero" mean something.
struct Geometry<'g> {
    kernel: &'g Kernel,
    values: &'g Values<f64>,
    state: &'g State,
    tol: Tol,
}

/// Open contacts whose gap is negative, as warnings: no rigid mechanism has such a state.
pub(super) fn penetrations(
    loaded: &Loaded,
    spec: &StateSpec,
    placed: &PlacedState,
    (kernel, values): (&Kernel, &Values<f64>),
) -> Vec<Diagnostic> {
    let warned = |c: usize| {
        let gap = kernel.block(values, Output::Gap)[c];
        let name = &loaded.mechanism.contacts[c].name;
        let message = format!("contact `{name}` penetrates: gap {}", significant(gap));
        let found = Diagnostic::warning("M310", message).with_span(spec.span);
        (gap < 0.0 && !placed.closed.contains(&c)).then(|| {
            found.with_path(format!("states.{}", spec.name)).with_hint("choose q with a gap of 0 or more")
        })
    };
    (0..kernel.layout().contacts).filter_map(warned).collect()
}

impl Geometry<'_> {
    fn block(&self, output: Output) -> &[f64] {
        self.kernel.block(self.values, output)
    }

    fn row(&self, jacobian: Output, i: usize) -> &[f64] {
        let n = self.kernel.layout().coordinates;
        &self.block(jacobian)[i * n..(i + 1) * n]
    }

    /// max(1, Σ|w_j x_j|): the size of the terms that a gap or a velocity is made of.
    fn scale(&self, jacobian: Output, i: usize, x: &[f64]) -> f64 {
        self.row(jacobian, i).iter().zip(x).map(|(w, x)| (w * x).abs()).sum::<f64>().max(1.0)
    }

    fn rate(&self, jacobian: Output, explicit: Output, i: usize) -> f64 {
        crate::num::dense::dot(self.row(jacobian, i), &self.state.v) + self.block(explicit)[i]
    }

    fn is_closed(&self, contact: usize) -> bool {
        let scale = self.scale(Output::NormalJacobian, contact, &self.state.q);
        self.block(Output::Gap)[contact].abs() <= self.tol.closed * scale
    }

    /// A listed contact must touch and must not separate; it may approach (an impact).
    fn contact_fault(&self, loaded: &Loaded, spec: &StateSpec, contact: usize) -> Option<Diagnostic> {
        let gap = self.block(Output::Gap)[contact];
        let rate = self.rate(Output::NormalJacobian, Output::GapRate, contact);
        let rest = self.tol.rest * self.scale(Output::NormalJacobian, contact, &self.state.v);
        if self.is_closed(contact) && rate <= rest {
            return None;
        }
        let name = &loaded.mechanism.contacts[contact].name;
        let what = if self.is_closed(contact) { "separates" } else { "does not touch" };
        Some(fault(
            "M308",
            spec,
            format!(
                "contact `{name}` is listed as closed but {what}: gap {}, normal velocity {}",
                significant(gap),
                significant(rate)
            ),
            "a closed contact needs gap 0 and normal velocity 0, or negative for an impact; \
             mend q or v, or take the contact out of `closed`",
        ))
    }

    fn constraint_faults(&self, loaded: &Loaded, spec: &StateSpec) -> Vec<Diagnostic> {
        (0..self.kernel.layout().constraints).filter_map(|i| self.constraint_fault(loaded, spec, i)).collect()
    }

    fn constraint_fault(&self, loaded: &Loaded, spec: &StateSpec, i: usize) -> Option<Diagnostic> {
        let phi = self.block(Output::Constraint)[i];
        let rate = self.rate(Output::ConstraintJacobian, Output::ConstraintRate, i);
        let on = phi.abs() <= self.tol.closed * self.scale(Output::ConstraintJacobian, i, &self.state.q);
        let along = rate.abs() <= self.tol.rest * self.scale(Output::ConstraintJacobian, i, &self.state.v);
        if on && along {
            return None;
        }
        let name = &loaded.mechanism.constraints[i].name;
        Some(fault(
            "M309",
            spec,
            format!(
                "the state is off constraint `{name}`: value {}, rate {}, expected 0 and 0",
                significant(phi),
                significant(rate)
            ),
            "choose q and v on the constraint, with expressions in parameters where the values are not round",
        ))
    }
}

fn fault(code: &'static str, spec: &StateSpec, message: String, hint: &str) -> Diagnostic {
    Diagnostic::error(code, message)
        .with_span(spec.span)
        .with_path(format!("states.{}", spec.name))
        .with_hint(hint)
}
