//! Newton's method for the equations of a step, R(x) = Hᵀ(x) r + Jᵀ(x) ν, with the contact law between r and u(x) and with
//! constraints j(x) = 0, where H = ∂u/∂x, J = ∂j/∂x: the contact law is part of every linear problem, whose matrix is the symmetric part of
//! dR/dx, kept from step to step as long as it serves. Of a linear mechanism with a symmetric matrix one iteration is exact; otherwise they
//! converge linearly, by a factor O(h).

use super::increment::{Closing, Increment};
use super::mechanics::Mechanics;
use super::tolerance::ITERATIONS;
use super::{StepError, StepOutcome, StepRecord};
use crate::coulomb::Request;
use crate::model::{Layout, Output};
use crate::num::dense;
use crate::stepping::table::Table;

/// The equations about x.
#[derive(Clone, Debug, Default)]
pub(super) struct Linearised {
    /// The symmetric matrix that stands for dR/dx, packed lower triangle.
    pub(super) matrix: Vec<f64>,
    /// R, and the size of its terms.
    pub(super) residual: Vec<f64>,
    pub(super) size: Vec<f64>,
    /// [H | u − H x] of the contacts of the step, then [J | j − J x].
    pub(super) rows: Table,
}

impl Linearised {
    /// Begins R with M c, where c is a difference of numbers of these sizes and the matrix stands for M.
    pub(super) fn begin(&mut self, mass: &[f64], change: &[f64], size: impl Fn(usize) -> f64) {
        let Self { matrix, residual, size: sizes, .. } = self;
        residual.clear();
        sizes.clear();
        for i in 0..change.len() {
            let place = |j: usize| dense::packed_place(i, j);
            residual.push((0..change.len()).map(|j| mass[place(j)] * change[j]).sum());
            sizes.push((0..change.len()).map(|j| matrix[place(j)].abs() * size(j)).sum());
        }
    }

    /// Adds forces to R.
    pub(super) fn add(&mut self, forces: impl Iterator<Item = f64>) {
        for ((residual, size), force) in self.residual.iter_mut().zip(&mut self.size).zip(forces) {
            *residual += force;
            *size += force.abs();
        }
    }

    /// Adds the rows of the constraints where the forces were evaluated last; `offset` is j − J x of a row.
    pub(super) fn hold(&mut self, mechanics: &Mechanics<'_>, offset: impl Fn(usize, &[f64]) -> f64) {
        let n = mechanics.layout().coordinates;
        for (k, row) in mechanics.force(Output::ConstraintJacobian).chunks_exact(n).enumerate() {
            self.rows.push(row.iter().copied().chain([offset(k, row)]));
        }
    }

    /// The same of constraints at position level.
    pub(super) fn hold_positions(&mut self, mechanics: &Mechanics<'_>, x: &[f64]) {
        self.hold(mechanics, |k, row| mechanics.force(Output::Constraint)[k] - dense::dot(row, x));
    }
}

/// The equations of a step.
pub(super) trait Equations {
    /// Puts down the equations about x; their matrix may be that of another x.
    fn linearise(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        contacts: &[Closing],
        x: &[f64],
        out: &mut Linearised,
    ) -> Result<(), StepError>;

    /// Makes the matrix that of the x where the equations were put down last; false if they have no other.
    fn differentiate(&mut self, _: &Mechanics<'_>) -> bool {
        false
    }

    /// Leaves all but M out of the matrix; false if there is nothing else in it.
    fn simplify(&mut self) -> bool {
        false
    }

    /// Whether R, u and j are linear with that matrix.
    fn are_linear(&self, _: &Mechanics<'_>) -> bool {
        false
    }
}

/// Newton's method, in memory that stays.
#[derive(Clone, Debug)]
pub(super) struct Newton {
    /// The contacts of the step, and its solution.
    pub(super) increment: Increment,
    /// x; before, where the search begins.
    pub(super) x: Vec<f64>,
    /// The equations about the last x; R has Hᵀr taken from it at the solution.
    pub(super) about: Linearised,
    moved: Vec<f64>,
    /// R − Hᵀr, and the size of its terms.
    left: Vec<f64>,
    left_size: Vec<f64>,
    /// √M of each coordinate.
    roots: Vec<f64>,
    /// x before the last linear problem.
    origin: Vec<f64>,
    /// How far the step would go without contact, which is the scale of what it does where it rests.
    free: Vec<f64>,
}

impl Newton {
    pub(super) fn new(layout: &Layout, request: Request) -> Self {
        Self {
            increment: Increment::new(layout.contacts, request),
            x: vec![0.0; layout.coordinates],
            about: Linearised::default(),
            moved: Vec::new(),
            left: Vec::new(),
            left_size: Vec::new(),
            roots: Vec::new(),
            origin: vec![0.0; layout.coordinates],
            free: vec![0.0; layout.coordinates],
        }
    }

    /// Solves the equations for the contacts of the increment. Leaves R − Hᵀr in `about`.
    pub(super) fn solve(
        &mut self,
        equations: &mut impl Equations,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<(), StepError> {
        self.linearise(equations, mechanics)?;
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS.most {
            self.step_mended(equations, mechanics)?;
            if equations.are_linear(mechanics) {
                self.leave(mechanics);
                return Ok(());
            }
            self.note();
            if last.is_infinite() {
                self.scale()?;
            }
            self.linearise(equations, mechanics)?;
            let error = self.error();
            if error <= ITERATIONS.done || (error >= last && self.is_rounding(error)) {
                self.about.residual.clone_from(&self.left);
                return Ok(());
            }
            if error.is_nan() {
                return Err(StepError::Newton { residual: last });
            }
            if error > ITERATIONS.kept * last && equations.differentiate(mechanics) {
                self.linearise(equations, mechanics)?;
            }
            last = error;
        }
        // it falls slowly, and has fallen as far as it has to
        if last <= ITERATIONS.accepted {
            self.about.residual.clone_from(&self.left);
            return Ok(());
        }
        Err(StepError::Newton { residual: last })
    }

    /// What contacts and constraints did at the solution, whose forces are impulses times `per`.
    pub(super) fn tell(&mut self, layout: &Layout, per: f64, taken: &mut StepRecord) {
        let Self { increment, about, x, .. } = self;
        let dim = 1 + layout.tangents;
        taken.doing.fill(StepOutcome::Open);
        taken.impulses.fill(0.0);
        for (k, closing) in increment.closing.iter().enumerate() {
            taken.doing[closing.contact] = increment.doing[k];
            let told = &mut taken.impulses[closing.contact * dim..(closing.contact + 1) * dim];
            told.iter_mut().zip(&increment.r[k * dim..]).for_each(|(told, r)| *told = r / per);
        }
        if layout.constraints > 0 {
            let rows = about.rows.rows().skip(increment.closing.len() * dim);
            let constraints = rows.map(|row| &row[..x.len()]);
            increment.reactions(constraints, &about.residual, &mut taken.reactions);
            taken.reactions.iter_mut().for_each(|reaction| *reaction /= per);
        }
    }

    fn linearise(
        &mut self,
        equations: &mut impl Equations,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<(), StepError> {
        equations.linearise(mechanics, &self.increment.closing, &self.x, &mut self.about)
    }

    /// The linear problem about x, solved: where the matrix is indefinite, since the derivative in it is that of another x, with its own; where
    /// that does not do, since M is nearly singular (Euler angles near a pole: terms of the order h prevail), with M alone.
    fn step_mended(
        &mut self,
        equations: &mut impl Equations,
        mechanics: &mut Mechanics<'_>,
    ) -> Result<(), StepError> {
        match self.step(mechanics) {
            Err(error) if error.is_of_matrix() && equations.differentiate(mechanics) => {
                self.linearise(equations, mechanics)?;
            }
            done => return done,
        }
        match self.step(mechanics) {
            Err(error) if error.is_of_matrix() && equations.simplify() => {
                self.linearise(equations, mechanics)?;
                self.step(mechanics)
            }
            done => done,
        }
    }

    /// The linear problem about x, solved.
    fn step(&mut self, mechanics: &Mechanics<'_>) -> Result<(), StepError> {
        let Self { increment, x, about, origin, .. } = self;
        origin.copy_from_slice(x);
        let Linearised { matrix, residual, rows, .. } = about;
        if rows.is_empty() {
            return increment.solve_free(matrix, residual, x);
        }
        let n = x.len();
        let entry = |i: usize, j: usize| matrix[dense::packed_place(i, j)];
        let Increment { dense: problem, constraints, closing, .. } = &mut *increment;
        problem.dim = 1 + mechanics.layout().tangents;
        problem.M.clear(n);
        problem.f.clear();
        for i in 0..n {
            problem.M.push((0..n).map(|j| entry(i, j)));
            problem.f.push(residual[i] - dense::dot(problem.M.row(i), x));
        }
        problem.mu.clear();
        problem.mu.extend(closing.iter().map(|closing| closing.friction));
        problem.H.clear(n);
        problem.w.clear();
        let contact_rows = closing.len() * problem.dim;
        for row in rows.rows().take(contact_rows) {
            problem.H.push(row[..n].iter().copied());
            problem.w.push(row[n]);
        }
        constraints.rows.clear(n + 1);
        rows.rows().skip(contact_rows).for_each(|row| constraints.rows.push(row.iter().copied()));
        increment.solve()?;
        x.copy_from_slice(&increment.x);
        Ok(())
    }

    /// Keeps u and j of the solution of the linear problem.
    fn note(&mut self) {
        let Self { moved, about, x, .. } = self;
        moved.clear();
        moved.extend(about.rows.rows().map(|row| value(row, x)));
    }

    /// The free motion of the first linear problem.
    fn scale(&mut self) -> Result<(), StepError> {
        let Self { about: Linearised { matrix, residual, rows, .. }, increment, free, .. } = self;
        if rows.is_empty() { Ok(()) } else { increment.free_motion(matrix, residual, free) }
    }

    /// What is left of the equations at x, each relative to its own terms.
    fn error(&mut self) -> f64 {
        let Self { about: Linearised { residual, size, rows, .. }, increment, x, moved, free, .. } = self;
        let (left, left_size) = (&mut self.left, &mut self.left_size);
        left.clone_from(residual);
        left_size.clone_from(size);
        let (n, dim, pressed) = (x.len(), increment.dense.dim, increment.r.len());
        let terms = |i: usize| {
            let sizes = x.iter().zip(&*free).map(|(x, free)| x.abs() + free.abs());
            rows.row(i).iter().zip(sizes).map(|(a, x)| a.abs() * x).sum::<f64>() + rows.row(i)[n].abs()
        };
        let mut largest = 0.0_f64;
        for (i, (row, moved)) in rows.rows().zip(&*moved).enumerate() {
            // one rate of a contact, or one component of its impulse, may be made of rounding alone: it is as exact as they are together
            let together = if i < pressed { i - i % dim..i - i % dim + dim } else { i..i + 1 };
            if let Some(&r) = increment.r.get(i) {
                let most = increment.r[together.clone()].iter().fold(0.0_f64, |most, r| most.max(r.abs()));
                push_back((&mut *left, &mut *left_size), &row[..n], (r, most));
            }
            let terms = together.map(terms).fold(0.0, f64::max);
            largest = worse(largest, relative(value(row, x) - moved, terms));
        }
        increment.project(left, left_size, |left, terms| largest = worse(largest, relative(left, terms)));
        largest
    }

    /// Whether an error that falls no more may be what rounding leaves.
    fn is_rounding(&mut self, error: f64) -> bool {
        error <= ITERATIONS.accepted || self.error_in_all() <= ITERATIONS.done
    }

    /// What is left of the equations, each relative to what the largest terms of all would be in it: √M of the coordinates makes of impulses and velocities
    /// roots of energies. Terms of an equation in balance may be numbers that are rounding themselves, as what is left of the weight of a
    /// body by the force of the spring that holds it.
    fn error_in_all(&mut self) -> f64 {
        let Self { about, increment, x, moved, free, left, left_size, roots, .. } = self;
        let Linearised { matrix, rows, .. } = about;
        roots.clear();
        roots.extend((0..x.len()).map(|i| matrix[dense::packed_place(i, i)].abs().sqrt()));
        let terms = x.iter().zip(&*free).map(|(x, free)| x.abs() + free.abs());
        let sizes = roots.iter().zip(terms).zip(&*left_size);
        let all = sizes.fold(0.0, |all: f64, ((root, x), size)| all.max(root * x).max(size / root));
        let mut largest = 0.0_f64;
        for (row, moved) in rows.rows().zip(&*moved) {
            let reach = row.iter().zip(&*roots).map(|(a, root)| a.abs() / root).sum::<f64>();
            largest = worse(largest, relative(value(row, x) - moved, reach * all));
        }
        roots.iter_mut().for_each(|root| *root *= all);
        increment.project(left, roots, |left, size| largest = worse(largest, relative(left, size)));
        largest
    }

    /// R − Hᵀr at the solution of linear equations, as far as constraints ask for it.
    fn leave(&mut self, mechanics: &Mechanics<'_>) {
        if mechanics.layout().constraints == 0 {
            return;
        }
        let Self { about: Linearised { matrix, residual, size, rows }, increment, x, origin, .. } = self;
        let n = x.len();
        for (i, residual) in residual.iter_mut().enumerate() {
            let entry = |j: usize| matrix[dense::packed_place(i, j)];
            *residual += (0..n).map(|j| entry(j) * (x[j] - origin[j])).sum::<f64>();
        }
        for (row, r) in rows.rows().zip(&increment.r) {
            push_back((residual, size), &row[..n], (*r, r.abs()));
        }
    }
}

/// u of a row at x.
fn value(row: &[f64], x: &[f64]) -> f64 {
    dense::dot(&row[..x.len()], x) + row[x.len()]
}

/// Takes a row's force, known as well as one of the size `most`, from the residual.
fn push_back((residual, size): (&mut [f64], &mut [f64]), row: &[f64], (r, most): (f64, f64)) {
    for ((residual, size), h) in residual.iter_mut().zip(size).zip(row) {
        *residual -= h * r;
        *size += (h * most).abs();
    }
}

/// The larger one, or what is not a number.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// A number relative to its terms; 0 if there are none.
fn relative(x: f64, terms: f64) -> f64 {
    if terms > 0.0 { x.abs() / terms } else { x.abs() }
}
