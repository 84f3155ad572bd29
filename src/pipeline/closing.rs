//! Coordinates that a state is to have from its closed contacts and constraints: `solve: [y]`.
//!
//! Newton's method on gaps and constraints, each against the size of its terms, with steps halved while they lead away; then
//! the velocities of these coordinates from the rates, which are linear in them. What the equations leave free, or cannot
//! reach, is said instead of chosen.

use super::states::{fault, state_of};
use super::{Failure, Loaded};
use crate::analysis::Sizes;
use crate::contact::{Scaled, Sign};
use crate::diag::Diagnostic;
use crate::expression::Symbol;
use crate::format::{Override, ResolvedState, StateSpec};
use crate::model::{Kernel, Output, Values};
use crate::num::{Magnitude, Tol};
use crate::report::significant;
use nalgebra::{DMatrix, DVector};

/// Newton steps, and halvings of each.
const STEPS: usize = 60;
const HALVINGS: usize = 30;

/// A state with the coordinates that it lists under `solve` on its contacts and constraints.
///
/// # Errors
/// [`Failure::Input`] if the equations do not determine them, or the start leads nowhere.
pub(super) fn solved_onto(
    loaded: &Loaded,
    kernel: &Kernel,
    (spec, overrides): (&StateSpec, &[Override]),
    resolved: ResolvedState,
    (tol, length): (&Tol, f64),
) -> Result<ResolvedState, Failure> {
    if spec.solve.is_empty() {
        return Ok(resolved);
    }
    let mut equations = Equations::new(loaded, kernel, spec, &resolved);
    let refused =
        |found: Diagnostic| Failure::Input { source: loaded.source.clone(), diagnostics: vec![found] };
    if equations.rows.len() < spec.solve.len() {
        return Err(refused(equations.undetermined(equations.rows.len())));
    }
    let mut solved = resolved;
    let scales = equations.scales(&solved, length);
    equations.positions(&mut solved, &scales);
    let sizes = Sizes::at(kernel, &solved.magnitudes, length);
    if let Some(found) = equations.unreached(&solved, &sizes, tol) {
        return Err(refused(found));
    }
    let rank = equations.rank(&solved, tol);
    if rank < spec.solve.len() {
        return Err(refused(equations.undetermined(rank)));
    }
    equations.note_sizes(&mut solved, &scales);
    equations.velocities(&mut solved, overrides, length);
    Ok(solved)
}

/// One equation.
#[derive(Clone, Copy)]
enum Row {
    Gap(usize),
    Constraint(usize),
}

struct Equations<'a> {
    loaded: &'a Loaded,
    kernel: &'a Kernel,
    spec: &'a StateSpec,
    rows: Vec<Row>,
    values: Values<f64>,
}

impl<'a> Equations<'a> {
    fn new(loaded: &'a Loaded, kernel: &'a Kernel, spec: &'a StateSpec, resolved: &ResolvedState) -> Self {
        let contacts = &loaded.mechanism.contacts;
        let listed =
            |c: &usize| resolved.closed.as_ref().map_or(contacts[*c].bilateral, |all| all.contains(c));
        let gaps = (0..contacts.len()).filter(listed).map(Row::Gap);
        let constraints = (0..loaded.mechanism.constraints.len()).map(Row::Constraint);
        Equations { loaded, kernel, spec, rows: gaps.chain(constraints).collect(), values: kernel.values() }
    }

    fn evaluate(&mut self, state: &ResolvedState) {
        self.kernel.evaluate(&state_of(state).inputs(), &mut self.values);
    }

    /// The equations' values.
    fn residual(&mut self, state: &ResolvedState) -> DVector<f64> {
        self.evaluate(state);
        let value = |row: &Row| match *row {
            Row::Gap(c) => self.kernel.block(&self.values, Output::Gap)[c],
            Row::Constraint(c) => self.kernel.block(&self.values, Output::Constraint)[c],
        };
        DVector::from_iterator(self.rows.len(), self.rows.iter().map(value))
    }

    /// Their derivatives by the coordinates `columns`.
    fn jacobian(&mut self, state: &ResolvedState, columns: &[usize]) -> DMatrix<f64> {
        self.evaluate(state);
        let n = state.q.len();
        DMatrix::from_fn(self.rows.len(), columns.len(), |i, j| match self.rows[i] {
            Row::Gap(c) => self.kernel.block(&self.values, Output::NormalJacobian)[c * n + columns[j]],
            Row::Constraint(c) => {
                self.kernel.block(&self.values, Output::ConstraintJacobian)[c * n + columns[j]]
            }
        })
    }

    /// What each equation is small against.
    fn scales(&self, state: &ResolvedState, length: f64) -> Vec<f64> {
        let sizes = Sizes::at(self.kernel, &state.magnitudes, length);
        let scale = |row: &Row| match *row {
            Row::Gap(c) => sizes.gap(c).scale,
            Row::Constraint(c) => sizes.constraint(c).scale,
        };
        self.rows.iter().map(|row| Some(scale(row)).filter(|s| *s > 0.0).unwrap_or(1.0)).collect()
    }

    /// Newton's method, down to where no step makes the equations smaller.
    fn positions(&mut self, state: &mut ResolvedState, scales: &[f64]) {
        let size = |r: &DVector<f64>| r.iter().zip(scales).map(|(r, s)| (r / s).powi(2)).sum::<f64>();
        let columns = self.spec.solve.clone();
        let mut residual = self.residual(state);
        for _ in 0..STEPS {
            let mut jacobian = self.jacobian(state, &columns);
            let mut right = -residual.clone();
            for (i, scale) in scales.iter().enumerate() {
                jacobian.row_mut(i).scale_mut(1.0 / scale);
                right[i] /= scale;
            }
            let Some(step) = least(jacobian, &right) else { break };
            let before = size(&residual);
            let start: Vec<f64> = columns.iter().map(|&k| state.q[k]).collect();
            let mut share = 1.0;
            let mut nearer = false;
            for _ in 0..HALVINGS {
                columns
                    .iter()
                    .zip(&start)
                    .zip(step.iter())
                    .for_each(|((&k, q), d)| state.q[k] = q + share * d);
                let trial = self.residual(state);
                if size(&trial) < before {
                    (residual, nearer) = (trial, true);
                    break;
                }
                share /= 2.0;
            }
            if !nearer {
                columns.iter().zip(&start).for_each(|(&k, q)| state.q[k] = *q);
                break;
            }
        }
        for &k in &columns {
            state.magnitudes[1 + k] = Magnitude::new(state.q[k], state.magnitudes[1 + k].size);
        }
    }

    /// How many of the equations are independent in the coordinates that are solved for.
    fn rank(&mut self, state: &ResolvedState, tol: &Tol) -> usize {
        let mut jacobian = self.jacobian(state, &self.spec.solve.clone());
        // a coordinate's unit is no matter
        for mut column in jacobian.column_iter_mut() {
            let size = column.norm();
            if size > 0.0 {
                column.scale_mut(1.0 / size);
            }
        }
        for mut row in jacobian.row_iter_mut() {
            let size = row.norm();
            if size > 0.0 {
                row.scale_mut(1.0 / size);
            }
        }
        jacobian.rank(tol.closed)
    }

    /// A solved coordinate is known as well as the equations are: up to the size of their terms.
    fn note_sizes(&mut self, state: &mut ResolvedState, scales: &[f64]) {
        let columns = self.spec.solve.clone();
        let jacobian = self.jacobian(state, &columns);
        let Ok(inverse) = jacobian.pseudo_inverse(0.0) else { return };
        for (j, &k) in columns.iter().enumerate() {
            let size: f64 = scales.iter().enumerate().map(|(i, s)| inverse[(j, i)].abs() * s).sum();
            state.magnitudes[1 + k] = Magnitude::new(state.q[k], size);
        }
    }

    /// Velocities that are not given, from the rates.
    fn velocities(&mut self, state: &mut ResolvedState, overrides: &[Override], length: f64) {
        let given = |k: &usize| {
            self.spec.v.iter().any(|(i, _)| i == k) || overrides.iter().any(|o| o.target == Symbol::Rate(*k))
        };
        let columns: Vec<usize> = self.spec.solve.iter().copied().filter(|k| !given(k)).collect();
        if columns.is_empty() {
            return;
        }
        columns.iter().for_each(|&k| state.v[k] = 0.0);
        let n = state.q.len();
        columns.iter().for_each(|&k| state.magnitudes[1 + n + k] = Magnitude::new(0.0, 0.0));
        let sizes = Sizes::at(self.kernel, &state.magnitudes, length);
        let rate = |row: &Row| match *row {
            Row::Gap(c) => sizes.gap_rate(c),
            Row::Constraint(c) => sizes.constraint_rate(c),
        };
        let rates: Vec<Scaled> = self.rows.iter().map(rate).collect();
        let jacobian = self.jacobian(state, &columns);
        let right = DVector::from_iterator(rates.len(), rates.iter().map(|rate| -rate.value));
        let Ok(inverse) = jacobian.pseudo_inverse(0.0) else { return };
        let found = &inverse * right;
        for (j, &k) in columns.iter().enumerate() {
            let size: f64 =
                rates.iter().enumerate().map(|(i, rate)| inverse[(j, i)].abs() * rate.scale).sum();
            state.v[k] = found[j];
            state.magnitudes[1 + n + k] = Magnitude::new(found[j], size);
        }
    }

    /// That the search ended off an equation.
    fn unreached(&self, state: &ResolvedState, sizes: &Sizes<'_>, tol: &Tol) -> Option<Diagnostic> {
        let mechanism = &self.loaded.mechanism;
        let (row, left) = self
            .rows
            .iter()
            .map(|row| match *row {
                Row::Gap(c) => (row, sizes.gap(c)),
                Row::Constraint(c) => (row, sizes.constraint(c)),
            })
            .filter(|(_, left)| left.sign(tol.closed) != Sign::Marginal)
            .max_by(|(_, a), (_, b)| (a.value / a.scale).abs().total_cmp(&(b.value / b.scale).abs()))?;
        let what = match *row {
            Row::Gap(c) => format!(
                "the gap of contact `{}` stays {}",
                mechanism.contacts[c].name,
                significant(left.value)
            ),
            Row::Constraint(c) => {
                format!("constraint `{}` stays {}", mechanism.constraints[c].name, significant(left.value))
            }
        };
        let at = |&k: &usize| format!("{} = {}", mechanism.coordinates[k].name, significant(state.q[k]));
        let at: Vec<String> = self.spec.solve.iter().map(at).collect();
        let message = format!("the start leads nowhere: {what}, nearest at {}", at.join(", "));
        let hint = "begin elsewhere: give these coordinates other values under `q`; or solve for others, that change it";
        Some(fault("M311", self.spec, message, hint))
    }

    /// That the equations do not determine what they are to.
    fn undetermined(&self, rank: usize) -> Diagnostic {
        let names =
            self.spec.solve.iter().map(|&k| format!("`{}`", self.loaded.mechanism.coordinates[k].name));
        let names: Vec<String> = names.collect();
        let equations = match rank {
            0 => "no closed contact and no constraint".to_string(),
            1 => "one independent equation".to_string(),
            n => format!("{n} independent equations"),
        };
        let message =
            format!("{equations} cannot determine {} coordinates: {}", names.len(), names.join(", "));
        let hint =
            "list under `closed` the contacts that they are to close, or take coordinates out of `solve`";
        fault("M312", self.spec, message, hint)
    }
}

/// The least step that solves the equations as well as can be.
fn least(jacobian: DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    if !jacobian.iter().chain(right.iter()).all(|x| x.is_finite()) {
        return None;
    }
    let svd = jacobian.try_svd(true, true, f64::EPSILON, 10_000)?;
    let least = svd.singular_values.max() * f64::EPSILON;
    svd.solve(right, least).ok()
}
