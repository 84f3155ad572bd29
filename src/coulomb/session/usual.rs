//! What a problem is solved by if nobody says otherwise: a few sweeps where little is asked, the way of heaps where a Newton step is dear,
//! and the plan.

use super::{Session, Start};
use crate::coulomb::plan::{FEW, Heap, Plan, is_dear};
use crate::coulomb::problem::Problem;
use crate::coulomb::request::{Budget, Request};
use crate::coulomb::solution::{Outcome, Solution};
use std::borrow::Borrow;

impl<P: Borrow<Problem>> Session<P> {
    /// Solves the problem by the usual plan. Not reaching the tolerance is an outcome, not an error.
    pub fn solve(&mut self, start: Start) -> &Solution {
        if start == Start::Warm || !self.is_large() {
            return self.solve_by(&Plan::default(), start);
        }
        if self.is_coarse() && self.solve_briefly() {
            return &self.search.best;
        }
        if !self.is_crowd() {
            return self.solve_by(&Plan::default(), start);
        }
        if self.search_heap(&Heap::default(), start).outcome == Outcome::Solved {
            return &self.search.best;
        }
        let heap = self.search.best.clone();
        if heap.is_better(self.solve_by(&Plan::default(), start)) {
            self.search.best = heap;
        }
        &self.search.best
    }

    /// Whether there are many contacts, and as much work as it takes.
    fn is_large(&self) -> bool {
        let Request { effort, budget, .. } = &self.request;
        self.problem().contacts() > FEW && *budget == Budget::default() && *effort >= 1.0
    }

    /// Whether so little is asked that a few sweeps mostly do.
    fn is_coarse(&self) -> bool {
        self.request.tolerance >= self.request.tol.coarse
    }

    /// A few sweeps from no force; whether they sufficed, for the plain residual as well.
    fn solve_briefly(&mut self) -> bool {
        let tolerance = self.request.tolerance;
        let Solution { outcome, residual, .. } = self.search_heap(&Heap::brief(), Start::Cold);
        *outcome == Outcome::Solved && residual.relative <= tolerance
    }

    /// Whether it is a problem in space whose Newton steps, which the plan tries between its sweeps, are dear.
    fn is_crowd(&mut self) -> bool {
        let Self { problem, forms, search, .. } = self;
        let task = forms.task((*problem).borrow());
        task.local.W.block_size() > 2 && is_dear(&task, &mut search.run)
    }
}
