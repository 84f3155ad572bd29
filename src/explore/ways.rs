//! A situation as numbers that may be moved: coordinates and velocities that are given, while what the state's expressions make of them follows.

use super::engine::Fault;
use super::question::Situation;
use crate::expression::{Expr, Symbol};
use crate::format::{Override, ResolvedState, StateSpec};
use crate::model::{Block, Kernel, Output, State, Values};
use crate::pipeline::{Derived, Failure, state_of};

/// A state as its expressions give it, wherever it lies.
pub(super) fn resolved(derived: &Derived, spec: &StateSpec, at: &Situation) -> Result<ResolvedState, Fault> {
    let mechanism = derived.mechanism();
    let set = |(name, value): &(String, f64)| match Override::target(mechanism, name) {
        Ok(target) if value.is_finite() => Ok(Override::number((target, name), *value)),
        Ok(_) => Err(Fault::Question(format!("`{name}` is to be a finite number"))),
        Err(fault) => Err(Fault::Question(fault.message)),
    };
    let overrides = at.set.iter().map(set).collect::<Result<Vec<_>, _>>()?;
    mechanism.resolve(spec, &overrides).map_err(|diagnostics| {
        Fault::Failure(Failure::Input { source: derived.loaded().source.clone(), diagnostics })
    })
}

/// The state of a situation.
pub(super) fn spec<'d>(derived: &'d Derived, at: &Situation) -> Result<&'d StateSpec, Fault> {
    let found = derived.mechanism().states.iter().find(|spec| spec.name == at.state);
    found.ok_or_else(|| Fault::Question(format!("there is no state `{}`", at.state)))
}

/// The numbers of a situation: where its equations and contacts put it, or wherever its expressions do.
pub(super) fn placed(derived: &Derived, at: &Situation) -> Result<State, Fault> {
    match derived.state(&at.state, &super::engine::set(at)) {
        Ok(state) => Ok(state),
        Err(_) => Ok(state_of(&resolved(derived, spec(derived, at)?, at)?)),
    }
}

/// The same situation with all coordinates and velocities set, in which those contacts are closed that touch.
pub(super) fn explicit(derived: &Derived, at: &Situation) -> Result<Situation, Fault> {
    let mechanism = derived.mechanism();
    let State { q, v, .. } = placed(derived, at)?;
    let is_parameter =
        |name: &str| matches!(Override::target(mechanism, name), Ok(Symbol::Parameter(_) | Symbol::Time));
    let mut set: Vec<(String, f64)> = at.set.iter().filter(|(name, _)| is_parameter(name)).cloned().collect();
    let names = || mechanism.coordinates.iter().map(|c| c.name.clone());
    set.extend(names().zip(q));
    set.extend(names().map(|name| format!("dot({name})")).zip(v));
    Ok(Situation { state: at.state.clone(), set, free: true })
}

/// A situation whose numbers are moved.
pub(super) struct Ways<'d> {
    pub(super) derived: &'d Derived,
    spec: &'d StateSpec,
    at: Situation,
    kernel: Kernel,
    values: Values<f64>,
}

/// What gaps and constraints are at some numbers, each with its rate.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) gaps: Vec<f64>,
    pub(super) gap_rates: Vec<f64>,
    pub(super) constraints: Vec<f64>,
    pub(super) constraint_rates: Vec<f64>,
    /// The diagonal of M.
    pub(super) masses: Vec<f64>,
}

impl<'d> Ways<'d> {
    pub(super) fn new(derived: &'d Derived, at: &Situation) -> Result<Self, Fault> {
        let spec = spec(derived, at)?;
        let wanted = [
            Block::Model(Output::MassMatrix),
            Block::Model(Output::Gap),
            Block::Model(Output::Constraint),
            Block::GapVelocity,
            Block::ConstraintVelocity,
        ];
        let kernel = derived.model().kernel(&wanted);
        let values = kernel.values();
        Ok(Self { derived, spec, at: at.clone(), kernel, values })
    }

    /// The situation with some numbers set.
    pub(super) fn with(&self, moved: &[(String, f64)]) -> Situation {
        let mut at = self.at.clone();
        for (name, value) in moved {
            match at.set.iter_mut().find(|(known, _)| known == name) {
                Some(entry) => entry.1 = *value,
                None => at.set.push((name.clone(), *value)),
            }
        }
        at
    }

    /// The numbers there.
    pub(super) fn numbers(&self, moved: &[(String, f64)]) -> Result<ResolvedState, Fault> {
        resolved(self.derived, self.spec, &self.with(moved))
    }

    /// Gaps and constraints there.
    pub(super) fn rows(&mut self, numbers: &ResolvedState) -> Rows {
        self.kernel.evaluate(&state_of(numbers).inputs(), &mut self.values);
        let block = |block: Block| self.kernel.block(&self.values, block).to_vec();
        let masses = block(Block::Model(Output::MassMatrix));
        Rows {
            gaps: block(Block::Model(Output::Gap)),
            gap_rates: block(Block::GapVelocity),
            constraints: block(Block::Model(Output::Constraint)),
            constraint_rates: block(Block::ConstraintVelocity),
            masses: (0..numbers.q.len()).map(|i| masses[i * (i + 3) / 2]).collect(),
        }
    }

    /// Coordinates that are given, by index and name, but for one.
    pub(super) fn coordinates(&self, but: Option<&str>) -> Vec<(usize, String)> {
        let names = self.derived.mechanism().coordinates.iter().map(|c| c.name.clone());
        self.given(names, &self.spec.q, but)
    }

    /// Velocities that are given, by index and name, but for one.
    pub(super) fn rates(&self, but: Option<&str>) -> Vec<(usize, String)> {
        let names = self.derived.mechanism().coordinates.iter().map(|c| format!("dot({})", c.name));
        self.given(names, &self.spec.v, but)
    }

    fn given(
        &self,
        names: impl Iterator<Item = String>,
        written: &[(usize, Expr)],
        but: Option<&str>,
    ) -> Vec<(usize, String)> {
        let follows = |i: usize| written.iter().any(|(k, expr)| *k == i && depends(expr));
        let is_set = |name: &str| self.at.set.iter().any(|(known, _)| known == name);
        let is_free =
            |(i, name): &(usize, String)| Some(name.as_str()) != but && (is_set(name) || !follows(*i));
        names.enumerate().filter(is_free).collect()
    }
}

/// Whether an expression reads coordinates or velocities.
fn depends(expr: &Expr) -> bool {
    let mut found = false;
    expr.for_each_symbol(&mut |symbol, _| {
        found |= matches!(symbol, Symbol::Coordinate(_) | Symbol::Rate(_));
    });
    found
}
