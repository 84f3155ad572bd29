//! One linearised step with contact: M x + f = Hᵀ r + Jᵀν, u = H x + w, J x + j = 0, Coulomb's law between u and r, and
//! what solves it.

use super::direct::{Direct, Mode};
use super::linear::Linear;
use super::{StepError, StepOutcome};
use crate::answer::solve_in;
use crate::coulomb::{Outcome, Problem, Request, Session, Start, Status};
use crate::model::Layout;
use crate::num::{Tol, dense};
use crate::stepping::constraints::{Constraints, Motions};
use crate::stepping::dense::{DenseProblem, Halves};

/// A contact of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Closing {
    /// Which of the mechanism's contacts.
    pub(super) contact: usize,
    /// Whether it can pull.
    pub(super) bilateral: bool,
    /// μ.
    pub(super) friction: f64,
    /// Slip at the beginning of the step, in the plane.
    pub(super) slip: f64,
}

/// The linearised step, in memory that stays.
#[derive(Clone, Debug)]
pub(super) struct Increment {
    /// M, f, H, w and the friction of the contacts; what is there after a solution is of no use.
    pub(super) dense: DenseProblem,
    /// J and j.
    pub(super) constraints: Constraints,
    /// The contacts of the step.
    pub(super) closing: Vec<Closing>,
    /// The solution: x, and r by contact rows.
    pub(super) x: Vec<f64>,
    pub(super) r: Vec<f64>,
    /// What the contacts do at it.
    pub(super) doing: Vec<StepOutcome>,
    motions: Motions,
    halves: Halves,
    session: Session,
    factor: Vec<f64>,
    independent: Vec<f64>,
    /// On which side each contact of the mechanism was pressed last, if it can be on both.
    sides: Vec<f64>,
    direct: Direct,
    /// The mode of each contact of the mechanism in the step before, if it was in that.
    modes: Vec<Option<Mode>>,
}

impl Increment {
    pub(super) fn new(contacts: usize, request: Request) -> Self {
        Self {
            dense: DenseProblem::default(),
            constraints: Constraints::default(),
            closing: Vec::with_capacity(contacts),
            x: Vec::new(),
            r: Vec::new(),
            doing: Vec::with_capacity(contacts),
            motions: Motions::default(),
            halves: Halves::default(),
            session: Session::empty(request),
            factor: Vec::new(),
            independent: Vec::new(),
            sides: vec![1.0; contacts],
            direct: Direct::default(),
            modes: vec![None; contacts],
        }
    }

    /// A contact that is not in this step begins anew when it is in one.
    pub(super) fn forget(&mut self, contact: usize) {
        self.modes[contact] = None;
    }

    /// The problem that was solved last, or could not be.
    pub(super) fn problem(&self) -> &Problem {
        self.session.problem()
    }

    /// Solves the step of these contacts.
    pub(super) fn solve(&mut self) -> Result<(), StepError> {
        let constrained = !self.constraints.rows.is_empty();
        if constrained {
            self.motions.set(self.dense.f.len(), &mut self.constraints);
            self.dense.restrict(&self.motions, &mut self.halves);
        }
        if self.closing.is_empty() {
            self.solve_constrained()?;
        } else {
            self.solve_pressed()?;
        }
        self.x.clear();
        match constrained {
            true => self.x.extend(self.motions.all(&self.independent)),
            false => self.x.extend_from_slice(&self.independent),
        }
        Ok(())
    }

    /// The step without contacts and constraints: x − M⁻¹R from the packed M and R.
    pub(super) fn solve_free(
        &mut self,
        matrix: &[f64],
        residual: &[f64],
        x: &mut [f64],
    ) -> Result<(), StepError> {
        let Self { factor, independent, .. } = self;
        factor.clear();
        factor.extend_from_slice(matrix);
        dense::cholesky(factor, x.len(), Tol::default().singular).map_err(StepError::Matrix)?;
        independent.clear();
        independent.extend_from_slice(residual);
        dense::solve(factor, independent);
        x.iter_mut().zip(independent).for_each(|(x, change)| *x -= *change);
        self.r.clear();
        self.doing.clear();
        Ok(())
    }

    /// −M⁻¹R from the packed M and R.
    pub(super) fn free_motion(
        &mut self,
        matrix: &[f64],
        residual: &[f64],
        out: &mut [f64],
    ) -> Result<(), StepError> {
        let Self { factor, .. } = self;
        factor.clear();
        factor.extend_from_slice(matrix);
        dense::cholesky(factor, out.len(), Tol::default().singular).map_err(StepError::Matrix)?;
        out.iter_mut().zip(residual).for_each(|(out, residual)| *out = -residual);
        dense::solve(factor, out);
        Ok(())
    }

    /// Without contacts: M x = −f.
    fn solve_constrained(&mut self) -> Result<(), StepError> {
        let Self { dense: DenseProblem { M, f, .. }, factor, independent, .. } = self;
        factor.clear();
        M.rows().enumerate().for_each(|(i, row)| factor.extend_from_slice(&row[..=i]));
        dense::cholesky(factor, f.len(), Tol::default().singular).map_err(StepError::Matrix)?;
        independent.clear();
        independent.extend(f.iter().map(|f| -f));
        dense::solve(factor, independent);
        self.r.clear();
        self.doing.clear();
        Ok(())
    }

    /// With contacts, on each side of those that have two.
    fn solve_pressed(&mut self) -> Result<(), StepError> {
        let two_sided = self.closing.iter().filter(|closing| closing.bilateral).count();
        let mut failure = None;
        for trial in 0..1_usize << two_sided.min(usize::BITS as usize - 1) {
            if trial > 0 {
                self.turn(trial.trailing_zeros() as usize);
            }
            match self.solve_sided() {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or(StepError::Unsolved { outcome: Outcome::NotConverged }))
    }

    /// Puts the k-th contact with two sides on its other side.
    fn turn(&mut self, k: usize) {
        let two_sided = self.closing.iter().filter(|closing| closing.bilateral);
        if let Some(closing) = two_sided.clone().nth(k) {
            self.sides[closing.contact] *= -1.0;
        }
    }

    /// Solves it with each contact on its side; whether contacts with two sides are closed then.
    fn solve_sided(&mut self) -> Result<bool, StepError> {
        self.flip();
        let solved = if self.solve_directly() { Ok(()) } else { self.solve_by_session() };
        self.flip();
        solved?;
        let dim = self.dense.dim;
        let mut closed = true;
        for (k, closing) in self.closing.iter().enumerate().filter(|(_, closing)| closing.bilateral) {
            closed &= self.doing[k].presses();
            self.r[k * dim] *= self.sides[closing.contact];
        }
        Ok(closed)
    }

    /// Adds to x what the contacts of a linear step do to its free motion, with U before it. False if their modes do not show it.
    pub(super) fn press(
        &mut self,
        (linear, layout): (&Linear, &Layout),
        x: &mut [f64],
        before: &[f64],
    ) -> bool {
        if self.press_alone((linear, layout), x, before) {
            return true;
        }
        self.begin_modes();
        let Self { direct, dense, closing, .. } = self;
        let (n, dim) = (x.len(), 1 + layout.tangents);
        dense.mu.clear();
        direct.clear();
        for one in &*closing {
            dense.mu.push(one.friction);
            for row in one.contact * dim..(one.contact + 1) * dim {
                for other in &*closing {
                    direct.delassus.extend_from_slice(&linear.delassus(row, other.contact * dim)[..dim]);
                }
                let (mut sum, mut size) = (0.0, 0.0);
                for (h, x) in linear.row(row, n)[0].iter().zip(&*x) {
                    sum += h * x;
                    size += (h * x).abs();
                }
                let offset = linear.offset(row, before);
                direct.free.push(sum + offset);
                direct.free_size.push(size + offset.abs());
            }
        }
        if !direct.search(dim, &dense.mu) {
            return false;
        }
        let mut impulses = direct.r.iter();
        for one in &*closing {
            for (row, r) in (one.contact * dim..(one.contact + 1) * dim).zip(impulses.by_ref()) {
                x.iter_mut().zip(linear.row(row, n)[1]).for_each(|(x, z)| *x += r * z);
            }
        }
        self.keep_modes();
        true
    }

    /// The same of one contact in the plane, without the memory of several; false if it takes that.
    #[inline]
    fn press_alone(&mut self, (linear, layout): (&Linear, &Layout), x: &mut [f64], before: &[f64]) -> bool {
        let Self { closing, modes, r, doing, .. } = self;
        let (&[one], 1) = (&closing[..], layout.tangents) else { return false };
        let (n, row) = (x.len(), 2 * one.contact);
        let [[h_N, z_N], [h_T, z_T]] = [row, row + 1].map(|row| linear.row(row, n));
        let (mut free, mut sizes) = ([0.0; 2], [0.0; 2]);
        for ((h_N, h_T), x) in h_N.iter().zip(h_T).zip(&*x) {
            let terms = [h_N * x, h_T * x];
            free = [free[0] + terms[0], free[1] + terms[1]];
            sizes = [sizes[0] + terms[0].abs(), sizes[1] + terms[1].abs()];
        }
        for i in 0..2 {
            let offset = linear.offset(row + i, before);
            free[i] += offset;
            sizes[i] += offset.abs();
        }
        let (normal, tangent) = (linear.delassus(row, row), linear.delassus(row + 1, row));
        let W = [normal[0], normal[1], tangent[0], tangent[1]];
        let mode = first_mode(modes, &one);
        let Some((mode, [N, T])) = mode.alone(one.friction, W, (free, sizes)) else { return false };
        for ((x, z_N), z_T) in x.iter_mut().zip(z_N).zip(z_T) {
            *x = *x + N * z_N + T * z_T;
        }
        modes[one.contact] = Some(mode);
        r.clear();
        r.extend([N, T]);
        doing.clear();
        doing.push(mode.doing());
        true
    }

    /// A step in which no contact closes.
    pub(super) fn leave_open(&mut self) {
        self.r.clear();
        self.doing.clear();
    }

    /// The modes with which the search begins.
    fn begin_modes(&mut self) {
        let Self { direct, closing, modes, .. } = self;
        direct.modes.clear();
        direct.modes.extend(closing.iter().map(|closing| first_mode(modes, closing)));
    }

    /// The modes and impulses that the search found.
    fn keep_modes(&mut self) {
        let Self { direct, closing, modes, r, doing, .. } = self;
        closing.iter().zip(&direct.modes).for_each(|(closing, mode)| modes[closing.contact] = Some(*mode));
        std::mem::swap(r, &mut direct.r);
        doing.clear();
        direct.modes.iter().for_each(|mode| doing.push(mode.doing()));
    }

    /// By the modes of the contacts.
    fn solve_directly(&mut self) -> bool {
        self.begin_modes();
        if !self.direct.solve(&self.dense) {
            return false;
        }
        self.independent.clone_from(&self.direct.x);
        self.keep_modes();
        true
    }

    /// By the solvers, from the impulses that the contacts had last.
    fn solve_by_session(&mut self) -> Result<(), StepError> {
        let Self { session, dense, closing, modes, independent, r, doing, .. } = self;
        session.write(|draft| {
            dense.write(draft);
            draft.keys.clear();
            draft.keys.extend(closing.iter().map(|closing| closing.contact as u64));
        })?;
        let solution = solve_in(session, Start::Warm);
        if solution.outcome != Outcome::Solved {
            return Err(StepError::Unsolved { outcome: solution.outcome });
        }
        independent.clone_from(&solution.v);
        r.clone_from(&solution.r);
        doing.clear();
        doing.extend(solution.statuses.iter().map(|status| outcome(*status)));
        for ((k, closing), doing) in closing.iter().enumerate().zip(doing) {
            modes[closing.contact] = Some(Mode::of(*doing, solution.u[k * dense.dim + 1]));
        }
        Ok(())
    }

    /// Turns the normals of contacts with two sides towards the side on which they are pressed, and back.
    fn flip(&mut self) {
        let Self { dense, closing, sides, .. } = self;
        for (k, closing) in closing.iter().enumerate().filter(|(_, closing)| closing.bilateral) {
            let (row, side) = (k * dense.dim, sides[closing.contact]);
            dense.H.row_mut(row).iter_mut().for_each(|x| *x *= side);
            dense.w[row] *= side;
        }
    }
}

impl Increment {
    /// What a left over force is in each direction that the constraints of the last solution leave, with the size of its terms.
    pub(super) fn project(&self, force: &[f64], sizes: &[f64], mut visit: impl FnMut(f64, f64)) {
        if self.constraints.rows.is_empty() {
            force.iter().zip(sizes).for_each(|(force, size)| visit(*force, *size));
            return;
        }
        for k in 0..self.motions.basis.columns() {
            let along = |x: &[f64], f: fn(f64) -> f64| {
                x.iter().zip(self.motions.basis.rows()).map(|(x, row)| x * f(row[k])).sum::<f64>()
            };
            visit(along(force, |x| x), along(sizes, f64::abs));
        }
    }

    /// ν of Jᵀν = the left over force; none is a number if constraints are dependent.
    pub(super) fn reactions<'r>(
        &mut self,
        jacobian: impl Iterator<Item = &'r [f64]> + Clone,
        force: &[f64],
        out: &mut [f64],
    ) {
        if out.is_empty() {
            return;
        }
        self.factor.clear();
        for (i, row) in jacobian.clone().enumerate() {
            out[i] = dense::dot(row, force);
            self.factor.extend(jacobian.clone().take(i + 1).map(|other| dense::dot(row, other)));
        }
        match dense::cholesky(&mut self.factor, out.len(), Tol::default().singular) {
            Ok(()) => dense::solve(&self.factor, out),
            Err(_) => out.fill(f64::NAN),
        }
    }
}

/// The mode with which the search begins.
fn first_mode(modes: &[Option<Mode>], closing: &Closing) -> Mode {
    match modes[closing.contact] {
        Some(mode) => mode,
        None if closing.friction.is_infinite() => Mode::Stick,
        None => Mode::going(closing.slip),
    }
}

fn outcome(status: Status) -> StepOutcome {
    match status {
        Status::TakeOff => StepOutcome::TakesOff,
        Status::Stick => StepOutcome::Sticks,
        Status::Slip => StepOutcome::Slips,
    }
}
