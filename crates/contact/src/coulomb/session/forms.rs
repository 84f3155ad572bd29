//! The local form of a problem: condensed if the problem is global, and in balanced units if its own are not.

use crate::coulomb::condense::Condensed;
use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::{Form, Global, Local, Problem};
use crate::coulomb::scaling::Scaling;
use crate::coulomb::solver::Task;
use crate::coulomb::tolerance::SolverTol;

/// The local forms of one problem after the other, in memory that stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Forms {
    /// W, q and the factored M of a global problem.
    condensed: Option<Box<Condensed>>,
    balanced: Option<Box<Balanced>>,
    is_balanced: bool,
    /// That of no problem.
    none: Local,
}

/// Balanced units, and the problem in them, if its own are not balanced.
#[derive(Clone, Debug, Default)]
struct Balanced {
    scaling: Scaling,
    local: Local,
}

impl Forms {
    /// Factors M; if that fails, what was there stays. Its relative asymmetry, 0 for a local problem.
    ///
    /// # Errors
    /// `Asymmetric` or `Indefinite`.
    pub(super) fn factor(&mut self, form: &Form) -> Result<f64, ProblemError> {
        match form {
            Form::Local(_) => Ok(0.0),
            Form::Global(global) => self.factor_global(global),
        }
    }

    pub(super) fn factor_global(&mut self, global: &Global) -> Result<f64, ProblemError> {
        self.condensed.get_or_insert_default().factor(&global.M)
    }

    /// Forgets the order of elimination of M; the memory stays.
    pub(super) fn forget_orders(&mut self) {
        self.condensed.iter_mut().for_each(|condensed| condensed.forget_order());
    }

    /// The local forms of a problem whose M is factored.
    pub(super) fn prepare(&mut self, problem: &Problem, tol: &SolverTol) {
        let Self { condensed, balanced, is_balanced, .. } = self;
        let own = match (problem.form(), condensed) {
            (Form::Global(global), Some(condensed)) => {
                condensed.condense(problem.dim(), global);
                &condensed.local
            }
            (Form::Local(local), _) => local,
            (Form::Global(_), None) => return,
        };
        *is_balanced = Scaling::is_needed(own, tol);
        if *is_balanced {
            let Balanced { scaling, local } = &mut **balanced.get_or_insert_default();
            scaling.set(own);
            scaling.balance(own, local);
        }
    }

    /// In the problem's own units.
    pub(super) fn own<'a>(&'a self, problem: &'a Problem) -> &'a Local {
        match (problem.form(), &self.condensed) {
            (Form::Local(local), _) => local,
            (Form::Global(_), Some(condensed)) => &condensed.local,
            (Form::Global(_), None) => &self.none,
        }
    }

    /// A global problem, condensed.
    pub(super) fn global<'a>(&'a self, problem: &'a Problem) -> Option<(&'a Global, &'a Condensed)> {
        match (problem.form(), &self.condensed) {
            (Form::Global(global), Some(condensed)) => Some((global, condensed)),
            _ => None,
        }
    }

    /// As the solvers see it.
    pub(super) fn task<'a>(&'a self, problem: &'a Problem) -> Task<'a> {
        let local = self.balanced().map_or_else(|| self.own(problem), |balanced| &balanced.local);
        Task { local, mu: problem.mu() }
    }

    fn balanced(&self) -> Option<&Balanced> {
        self.balanced.as_deref().filter(|_| self.is_balanced)
    }

    /// Whether the solvers see the problem as it is given.
    pub(super) fn are_as_given(&self, problem: &Problem) -> bool {
        !self.is_balanced && matches!(problem.form(), Form::Local(_))
    }

    /// A force of the solvers in the problem's own units.
    pub(super) fn own_force(&self, r: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(r);
        if let Some(balanced) = self.balanced() {
            balanced.scaling.force(out);
        }
    }

    /// A force of the problem's own units as the solvers see it.
    pub(super) fn solvers_force(&self, r: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(r);
        if let Some(balanced) = self.balanced() {
            balanced.scaling.balanced_force(out);
        }
    }
}
