//! Numbers that a state is to have from its closed contacts, its constraints and equations of its own: `solve: [y]`.
//!
//! Newton's method on gaps, constraints and equations, each against the size of its terms, with steps halved while they lead
//! away; then the velocities of these coordinates from the rates, which are linear in them. Where an equation has velocities
//! or a velocity is solved for, rates and velocities are part of the search. What the equations leave free, or cannot reach,
//! is said instead of chosen; so is another solution, where a search from other starts finds one.

mod equations;
mod words;

use super::{Failure, Loaded};
use crate::analysis::Sizes;
use crate::diag::Diagnostic;
use crate::format::{Override, ResolvedState, StateSpec};
use crate::model::Kernel;
use crate::num::Tol;
use equations::{Equations, Unknown};

/// Starts from which another solution is looked for.
const STARTS: usize = 24;

/// What is asked of a state.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) kernel: &'a Kernel,
    pub(super) spec: &'a StateSpec,
    pub(super) overrides: &'a [Override],
    pub(super) tol: &'a Tol,
    /// The mechanism's own.
    pub(super) length: f64,
}

/// A state with the numbers that it lists under `solve` as its contacts, constraints and equations have them.
///
/// # Errors
/// [`Failure::Input`] if the equations do not determine them, or the start leads nowhere.
pub(super) fn solved_onto(asked: Asked<'_>, resolved: ResolvedState) -> Result<ResolvedState, Failure> {
    if asked.spec.solve.is_empty() {
        return Ok(resolved);
    }
    let refused =
        |found: Diagnostic| Failure::Input { source: asked.loaded.source.clone(), diagnostics: vec![found] };
    let mut equations = Equations::new(asked, &resolved);
    if equations.rows() < asked.spec.solve.unknowns() {
        return Err(refused(equations.undetermined(equations.rows())));
    }
    let mut solved = resolved;
    equations.solve(&mut solved).map_err(refused)?;
    Ok(solved)
}

/// Another state that the same equations have, if a search from other starts finds one, as a warning.
pub(super) fn another_solution(asked: Asked<'_>, solved: &ResolvedState) -> Option<Diagnostic> {
    if asked.spec.solve.is_empty() {
        return None;
    }
    let mut equations = Equations::new(asked, solved);
    let unknowns = equations.required().to_vec();
    (1..=STARTS).find_map(|k| {
        let mut other = solved.clone();
        for (i, unknown) in unknowns.iter().enumerate() {
            // fractional parts of multiples of the golden ratio, over the mechanism's own length or half a turn to either side
            let share = ((k * unknowns.len() + i) as f64 * 0.618_033_988_749_894_9).fract() * 2.0 - 1.0;
            let reach = if k % 2 == 0 { std::f64::consts::PI } else { 4.0 * asked.length };
            *unknown.of_mut(&mut other) += share * reach;
        }
        equations.solve(&mut other).ok()?;
        let differs = |u: &Unknown| differs(u.of(&other), u.of(solved), asked.length);
        unknowns.iter().any(differs).then(|| equations.another(&other))
    })
}

/// Whether two solutions differ in a number, and not by whole turns.
fn differs(one: f64, other: f64, length: f64) -> bool {
    let turns = (one - other) / std::f64::consts::TAU;
    let close =
        |difference: f64| difference.abs() <= f64::EPSILON.cbrt() * (length + one.abs() + other.abs());
    !close(one - other)
        && (turns.round().abs() < 1.0 || !close((turns - turns.round()) * std::f64::consts::TAU))
}

impl Equations<'_> {
    /// The search from a state, and what follows.
    fn solve(&mut self, state: &mut ResolvedState) -> Result<(), Diagnostic> {
        let scales = self.scales(state);
        self.search(state, &scales);
        let sizes = Sizes::at(self.kernel(), &state.magnitudes, self.length());
        if let Some(found) = self.unreached(state, &sizes) {
            return Err(found);
        }
        drop(sizes);
        let rank = self.rank(state);
        if rank < self.required().len() {
            return Err(self.undetermined(rank));
        }
        self.note_sizes(state, &scales);
        self.velocities(state);
        Ok(())
    }
}
