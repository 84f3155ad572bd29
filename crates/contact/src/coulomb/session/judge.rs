//! The judgement of a force by the problem as given.

use super::forms::Forms;
use crate::coulomb::backward::{Backward, BackwardError, Terms, Verdict};
use crate::coulomb::problem::Problem;
use crate::coulomb::pyramid::Cones;
use crate::coulomb::request::Request;
use crate::coulomb::residual::{Products, residual_at, residual_in};
use crate::coulomb::rows::{Point, RowErrors};
use crate::coulomb::solution::{Outcome, Solution};
use crate::coulomb::solver::Task;

/// The part of what is allowed from which on a contact is one of them.
const NEARLY: f64 = 0.7;

/// What a judgement needs, in memory that stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Judge {
    /// The velocities and terms of the force that was looked at, as the solvers see them.
    u: Vec<f64>,
    pub(super) terms: Terms,
    given: Option<Box<Given>>,
}

/// What only the judgement by other numbers than those of the solvers needs.
#[derive(Clone, Debug, Default)]
struct Given {
    rows: RowErrors,
    products: Products,
    refined: Vec<f64>,
}

/// A problem, its local forms, and what is asked for.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) problem: &'a Problem,
    pub(super) forms: &'a Forms,
    pub(super) request: &'a Request,
}

impl<'a> Case<'a> {
    /// The problem as the solvers see it.
    pub(super) fn task(&self) -> Task<'a> {
        self.forms.task(self.problem)
    }
}

/// What was found about a force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judgement {
    pub(super) verdict: Verdict,
    /// By how much the point misses what is asked for, more than 1 if it does.
    pub(super) excess: f64,
    /// The plain residual of the problem as given.
    relative: f64,
}

impl Judgement {
    /// Whether nothing is left to improve.
    pub(super) fn is_good(&self) -> bool {
        match self.verdict {
            Verdict::Within => self.excess <= 1.0,
            Verdict::Beyond => false,
            Verdict::Hidden => true,
        }
    }
}

impl Judge {
    /// Looks at a force of the solvers' units.
    pub(super) fn look(&mut self, task: &Task<'_>, r: &[f64]) {
        self.turn(task, r);
        self.terms.set(task.local, task.mu, &self.u, r);
    }

    /// Looks at another one, of which the terms are known.
    pub(super) fn turn(&mut self, task: &Task<'_>, r: &[f64]) {
        self.u.resize(r.len(), 0.0);
        task.local.W.apply(r, &task.local.q, &mut self.u);
    }

    /// The plain residual, as the solvers see it, of the force that was looked at and judged.
    pub(super) fn reached(&self, case: &Case<'_>, judgement: &Judgement, r: &[f64]) -> f64 {
        if case.forms.are_as_given(case.problem) { judgement.relative } else { self.seen(&case.task(), r) }
    }

    /// The same of one that was looked at.
    pub(super) fn seen(&self, task: &Task<'_>, r: &[f64]) -> f64 {
        residual_at(Cones::SecondOrder, task.local, task.mu, r, &self.u).relative
    }

    /// By how much the contacts alone miss what is asked for: the whole judgement finds no less.
    pub(super) fn excess(&self, request: &Request) -> f64 {
        self.terms.error().excess(request.tolerance, &request.tol)
    }

    /// The contacts that miss what is asked for, or nearly do, where the whole does not; of the force that was looked at, or judged, with
    /// this error.
    pub(super) fn missing(&self, case: &Case<'_>, judged: Option<BackwardError>, out: &mut Vec<usize>) {
        let Request { tolerance, tol, .. } = case.request;
        let error = judged.unwrap_or_else(|| self.terms.error());
        out.clear();
        if error.whole > *tolerance {
            return;
        }
        let allowed = NEARLY * tolerance * tol.single;
        out.extend(self.terms.beyond(allowed));
        if let (Some(given), Some(_), Some(_)) = (&self.given, judged, case.forms.global(case.problem)) {
            out.extend(given.rows.beyond(allowed));
        }
    }

    /// Judges the force that was looked at, and puts all that is known about it into `out`.
    pub(super) fn judge(&mut self, case: &Case<'_>, r: &[f64], out: &mut Solution) -> Judgement {
        let Case { problem, forms, request } = *case;
        let (task, tolerance, tol) = (case.task(), request.tolerance, &request.tol);
        let mut backward = self.terms.judge(task.local, tolerance, tol);
        self.terms.statuses(task.local, tolerance, tol, &mut out.statuses);
        forms.own_force(r, &mut out.r);
        out.v.clear();
        if forms.are_as_given(problem) {
            out.u.clone_from(&self.u);
            out.residual = residual_at(Cones::SecondOrder, task.local, task.mu, r, &self.u);
        } else {
            backward = self.judge_given(case, backward, out);
        }
        out.outcome = Outcome::of(backward.verdict);
        out.backward_error = backward.error;
        let relative = out.residual.relative;
        let excess = backward.excess.max(relative / tolerance);
        Judgement { verdict: backward.verdict, excess, relative }
    }

    /// The part of the judgement that is about other numbers than those of the solvers.
    fn judge_given(&mut self, case: &Case<'_>, mut backward: Backward, out: &mut Solution) -> Backward {
        let Case { problem, forms, request } = *case;
        let Given { rows, products, refined } = &mut **self.given.get_or_insert_default();
        let global = forms.global(problem);
        if let Some((global, condensed)) = global {
            condensed.velocity_in(global, &out.r, &mut out.v, refined);
        }
        out.residual = residual_in(Cones::SecondOrder, problem, (&out.v, &out.r), &mut out.u, products);
        if let Some((global, condensed)) = global {
            let point = Point { v: &out.v, u: &out.u, r: &out.r };
            let errors = rows.of(global, &condensed.local, problem.mu(), point);
            backward = backward.and_rows(errors, request.tolerance, &request.tol);
        }
        if !out.u.iter().chain(&out.r).all(|x| x.is_finite()) {
            // a number of balanced units that is none in the problem's own
            backward.verdict = Verdict::Hidden;
        }
        backward
    }
}
