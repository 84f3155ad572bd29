//! The equations of a state and their solution.

use super::Asked;
use crate::analysis::Sizes;
use crate::contact::Scaled;
use crate::expression::{Env, Expr, Symbol};
use crate::format::ResolvedState;
use crate::model::{Kernel, Output, Values};
use crate::num::{Dual, Magnitude, Real};
use crate::pipeline::states::state_of;
use nalgebra::{DMatrix, DVector};

/// Newton steps, and halvings of each.
const STEPS: usize = 60;
const HALVINGS: usize = 30;

/// One equation.
#[derive(Clone, Copy)]
pub(super) enum Row {
    Gap(usize),
    Constraint(usize),
    GapRate(usize),
    ConstraintRate(usize),
    /// One of the state's own.
    Own(usize),
}

/// A number that is solved for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    Coordinate(usize),
    Velocity(usize),
}

impl Unknown {
    pub(super) fn of(self, state: &ResolvedState) -> f64 {
        match self {
            Self::Coordinate(k) => state.q[k],
            Self::Velocity(k) => state.v[k],
        }
    }

    pub(super) fn of_mut(self, state: &mut ResolvedState) -> &mut f64 {
        match self {
            Self::Coordinate(k) => &mut state.q[k],
            Self::Velocity(k) => &mut state.v[k],
        }
    }

    /// Its place among t, q and v.
    fn place(self, coordinates: usize) -> usize {
        match self {
            Self::Coordinate(k) => 1 + k,
            Self::Velocity(k) => 1 + coordinates + k,
        }
    }
}

/// The equations of a state.
pub(super) struct Equations<'a> {
    pub(super) asked: Asked<'a>,
    pub(super) rows: Vec<Row>,
    /// Those that must be determined, and then velocities that the search may choose.
    unknowns: Vec<Unknown>,
    required: usize,
    values: Values<f64>,
}

impl<'a> Equations<'a> {
    pub(super) fn new(asked: Asked<'a>, resolved: &ResolvedState) -> Self {
        let mechanism = &asked.loaded.mechanism;
        let (contacts, solve) = (&mechanism.contacts, &asked.spec.solve);
        let listed =
            |c: &usize| resolved.closed.as_ref().map_or(contacts[*c].bilateral, |all| all.contains(c));
        let closed: Vec<usize> = (0..contacts.len()).filter(listed).collect();
        let constraints = 0..mechanism.constraints.len();
        let gaps = closed.iter().copied().map(Row::Gap);
        let mut rows: Vec<Row> = gaps.chain(constraints.clone().map(Row::Constraint)).collect();
        rows.extend((0..solve.equations.len()).map(Row::Own));
        let mut unknowns: Vec<Unknown> = solve.coordinates.iter().copied().map(Unknown::Coordinate).collect();
        unknowns.extend(solve.velocities.iter().copied().map(Unknown::Velocity));
        let required = unknowns.len();
        let mut equations = Equations { asked, rows, unknowns, required, values: asked.kernel.values() };
        let definitions = &mechanism.definitions.values;
        let in_motion = |x: &Expr| x.rate_degree(definitions) != Some(0);
        if !solve.velocities.is_empty() || solve.equations.iter().any(in_motion) {
            equations.rows.extend(closed.into_iter().map(Row::GapRate));
            equations.rows.extend(constraints.map(Row::ConstraintRate));
            let free = equations.free_velocities().into_iter().map(Unknown::Velocity);
            let free: Vec<Unknown> = free.filter(|free| !equations.unknowns.contains(free)).collect();
            equations.unknowns.extend(free);
        }
        equations
    }

    pub(super) fn kernel(&self) -> &'a Kernel {
        self.asked.kernel
    }

    pub(super) fn length(&self) -> f64 {
        self.asked.length
    }

    /// Equations of places alone, where no velocity is looked for.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// What must be determined.
    pub(super) fn required(&self) -> &[Unknown] {
        &self.unknowns[..self.required]
    }

    /// The velocities of coordinates that are solved for which nothing gives.
    fn free_velocities(&self) -> Vec<usize> {
        let Asked { spec, overrides, .. } = self.asked;
        let given = |k: &usize| {
            spec.v.iter().any(|(i, _)| i == k) || overrides.iter().any(|o| o.target == Symbol::Rate(*k))
        };
        spec.solve.coordinates.iter().copied().filter(|k| !given(k)).collect()
    }

    fn evaluate(&mut self, state: &ResolvedState) {
        self.asked.kernel.evaluate(&state_of(state).inputs(), &mut self.values);
    }

    fn own(&self, i: usize) -> &'a Expr {
        &self.asked.spec.solve.equations[i]
    }

    /// An equation of its own with numbers that know more than their value, given by their place among t, q and v.
    fn own_value<T: Real>(&self, i: usize, state: &ResolvedState, seed: impl Fn(usize, f64) -> T) -> T {
        let n = state.q.len();
        let q: Vec<T> = state.q.iter().enumerate().map(|(k, x)| seed(1 + k, *x)).collect();
        let v: Vec<T> = state.v.iter().enumerate().map(|(k, x)| seed(1 + n + k, *x)).collect();
        let p: Vec<T> = state.parameters.iter().enumerate().map(|(k, x)| seed(1 + 2 * n + k, *x)).collect();
        let definitions = &self.asked.loaded.mechanism.definitions.values;
        self.own(i).eval(&Env { t: seed(0, state.t), q: &q, v: &v, parameters: &p, definitions })
    }

    /// The rate of a gap or constraint.
    fn rate(&self, (jacobian, explicit): (Output, Output), i: usize, state: &ResolvedState) -> f64 {
        let n = state.q.len();
        let row = &self.asked.kernel.block(&self.values, jacobian)[i * n..][..n];
        let moved: f64 = row.iter().zip(&state.v).map(|(w, v)| w * v).sum();
        moved + self.asked.kernel.block(&self.values, explicit)[i]
    }

    /// The equations' values.
    fn residual(&mut self, state: &ResolvedState) -> DVector<f64> {
        self.evaluate(state);
        let kernel = self.asked.kernel;
        let value = |row: &Row| match *row {
            Row::Gap(c) => kernel.block(&self.values, Output::Gap)[c],
            Row::Constraint(c) => kernel.block(&self.values, Output::Constraint)[c],
            Row::GapRate(c) => self.rate((Output::NormalJacobian, Output::GapRate), c, state),
            Row::ConstraintRate(c) => {
                self.rate((Output::ConstraintJacobian, Output::ConstraintRate), c, state)
            }
            Row::Own(i) => self.own_value(i, state, |_, x| x),
        };
        DVector::from_iterator(self.rows.len(), self.rows.iter().map(value))
    }

    /// Their derivatives by some numbers; those of rates by coordinates are differences, which Newton's method may have.
    fn jacobian(&mut self, state: &ResolvedState, unknowns: &[Unknown]) -> DMatrix<f64> {
        let n = state.q.len();
        let has_rates = self.rows.iter().any(|row| matches!(row, Row::GapRate(_) | Row::ConstraintRate(_)));
        let bent: Vec<DVector<f64>> = if has_rates {
            unknowns.iter().map(|unknown| self.difference(state, *unknown)).collect()
        } else {
            Vec::new()
        };
        self.evaluate(state);
        let kernel = self.asked.kernel;
        let first = |output: Output, i: usize, k: usize| kernel.block(&self.values, output)[i * n + k];
        DMatrix::from_fn(self.rows.len(), unknowns.len(), |i, j| match (self.rows[i], unknowns[j]) {
            (Row::Gap(c), Unknown::Coordinate(k)) | (Row::GapRate(c), Unknown::Velocity(k)) => {
                first(Output::NormalJacobian, c, k)
            }
            (Row::Constraint(c), Unknown::Coordinate(k)) | (Row::ConstraintRate(c), Unknown::Velocity(k)) => {
                first(Output::ConstraintJacobian, c, k)
            }
            (Row::Gap(_) | Row::Constraint(_), Unknown::Velocity(_)) => 0.0,
            (Row::GapRate(_) | Row::ConstraintRate(_), Unknown::Coordinate(_)) => bent[j][i],
            (Row::Own(own), unknown) => {
                let place = unknown.place(n);
                self.own_value(own, state, |k, x| Dual::new(x, f64::from(u8::from(k == place)))).eps
            }
        })
    }

    /// Differences of all equations by a number.
    fn difference(&mut self, state: &ResolvedState, unknown: Unknown) -> DVector<f64> {
        let step = f64::EPSILON.cbrt() * unknown.of(state).abs().max(self.asked.length).max(f64::EPSILON);
        let mut moved = state.clone();
        *unknown.of_mut(&mut moved) += step;
        let above = self.residual(&moved);
        *unknown.of_mut(&mut moved) -= 2.0 * step;
        (above - self.residual(&moved)) / (2.0 * step)
    }

    /// An equation's value against what it is small against.
    pub(super) fn scaled(&self, row: Row, state: &ResolvedState, sizes: &Sizes<'_>) -> Scaled {
        match row {
            Row::Gap(c) => sizes.gap(c),
            Row::Constraint(c) => sizes.constraint(c),
            Row::GapRate(c) => sizes.gap_rate(c),
            Row::ConstraintRate(c) => sizes.constraint_rate(c),
            Row::Own(i) => {
                self.own_value(i, state, |k, x| Magnitude::new(x, state.magnitudes[k].size)).into()
            }
        }
    }

    /// What each equation is small against.
    pub(super) fn scales(&self, state: &ResolvedState) -> Vec<f64> {
        let sizes = Sizes::at(self.asked.kernel, &state.magnitudes, self.asked.length);
        let scale =
            |row: &Row| Some(self.scaled(*row, state, &sizes).scale).filter(|s| *s > 0.0).unwrap_or(1.0);
        self.rows.iter().map(scale).collect()
    }

    /// Newton's method, down to where no step makes the equations smaller.
    pub(super) fn search(&mut self, state: &mut ResolvedState, scales: &[f64]) {
        let size = |r: &DVector<f64>| r.iter().zip(scales).map(|(r, s)| (r / s).powi(2)).sum::<f64>();
        let unknowns = self.unknowns.clone();
        let mut residual = self.residual(state);
        for _ in 0..STEPS {
            let mut jacobian = self.jacobian(state, &unknowns);
            let mut right = -residual.clone();
            for (i, scale) in scales.iter().enumerate() {
                jacobian.row_mut(i).scale_mut(1.0 / scale);
                right[i] /= scale;
            }
            let Some(step) = least(jacobian, &right) else { break };
            let before = size(&residual);
            let start: Vec<f64> = unknowns.iter().map(|u| u.of(state)).collect();
            let mut share = 1.0;
            let mut nearer = false;
            for _ in 0..HALVINGS {
                for ((unknown, x), d) in unknowns.iter().zip(&start).zip(step.iter()) {
                    *unknown.of_mut(state) = x + share * d;
                }
                let trial = self.residual(state);
                if size(&trial) < before {
                    (residual, nearer) = (trial, true);
                    break;
                }
                share /= 2.0;
            }
            if !nearer {
                unknowns.iter().zip(&start).for_each(|(unknown, x)| *unknown.of_mut(state) = *x);
                break;
            }
        }
        let n = state.q.len();
        for unknown in unknowns {
            let place = unknown.place(n);
            state.magnitudes[place] = Magnitude::new(unknown.of(state), state.magnitudes[place].size);
        }
    }

    /// How many of the numbers that must be determined are: what all equations determine less what they would without them.
    pub(super) fn rank(&mut self, state: &ResolvedState) -> usize {
        let unknowns = self.unknowns.clone();
        let all = self.independent(state, &unknowns);
        all - self.independent(state, &unknowns[self.required..])
    }

    /// How many of the equations are independent in some numbers, whose units are no matter.
    fn independent(&mut self, state: &ResolvedState, unknowns: &[Unknown]) -> usize {
        if unknowns.is_empty() {
            return 0;
        }
        let mut jacobian = self.jacobian(state, unknowns);
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
        jacobian.rank(self.asked.tol.closed)
    }

    /// A solved number is known as well as the equations are: up to the size of their terms.
    pub(super) fn note_sizes(&mut self, state: &mut ResolvedState, scales: &[f64]) {
        let (n, unknowns) = (state.q.len(), self.unknowns.clone());
        let Ok(inverse) = self.jacobian(state, &unknowns).pseudo_inverse(0.0) else { return };
        for (j, unknown) in unknowns.iter().enumerate() {
            let size: f64 = scales.iter().enumerate().map(|(i, s)| inverse[(j, i)].abs() * s).sum();
            state.magnitudes[unknown.place(n)] = Magnitude::new(unknown.of(state), size);
        }
    }

    /// Velocities that are not given, from the rates, where the search has not found them.
    pub(super) fn velocities(&mut self, state: &mut ResolvedState) {
        if self.unknowns.iter().any(|u| matches!(u, Unknown::Velocity(_))) {
            return;
        }
        let columns = self.free_velocities();
        columns.iter().for_each(|&k| state.v[k] = 0.0);
        let n = state.q.len();
        columns.iter().for_each(|&k| state.magnitudes[1 + n + k] = Magnitude::new(0.0, 0.0));
        let sizes = Sizes::at(self.asked.kernel, &state.magnitudes, self.asked.length);
        // each rate with the block and the place of its derivatives by the velocities
        let (rates, slopes): (Vec<Scaled>, Vec<(Output, usize)>) = self
            .rows
            .iter()
            .filter_map(|row| match *row {
                Row::Gap(c) => Some((sizes.gap_rate(c), (Output::NormalJacobian, c))),
                Row::Constraint(c) => Some((sizes.constraint_rate(c), (Output::ConstraintJacobian, c))),
                Row::GapRate(_) | Row::ConstraintRate(_) | Row::Own(_) => None,
            })
            .unzip();
        if columns.is_empty() || slopes.is_empty() {
            return;
        }
        self.evaluate(state);
        let jacobian = DMatrix::from_fn(slopes.len(), columns.len(), |i, j| {
            let (output, place) = slopes[i];
            self.asked.kernel.block(&self.values, output)[place * n + columns[j]]
        });
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
