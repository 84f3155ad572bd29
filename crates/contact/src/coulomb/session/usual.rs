//! What a problem is solved by if nobody says otherwise: a few sweeps where little is asked, the way of heaps where a Newton step is dear,
//! and the plan.

use super::{Session, Start};
use crate::coulomb::plan::{FEW, HeapSearch, Plan, is_dear};
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
        if self.search_heap(&HeapSearch::default(), start).outcome == Outcome::Solved {
            return &self.search.best;
        }
        let heap = self.search.best.clone();
        if heap.is_better(self.solve_by(&Plan::default(), start)) {
            self.search.best = heap;
        }
        &self.search.best
    }

    /// Few sweeps and no more, before a plan.
    pub fn solve_swept(&mut self, start: Start) -> &Solution {
        self.search_heap(&HeapSearch::brief(), start)
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
        let Solution { outcome, residual, .. } = self.solve_swept(Start::Cold);
        *outcome == Outcome::Solved && residual.relative <= tolerance
    }

    /// Whether it is a problem in space whose Newton steps, which the plan tries between its sweeps, are dear.
    fn is_crowd(&mut self) -> bool {
        let Self { problem, forms, search, .. } = self;
        let task = forms.task((*problem).borrow());
        task.local.W.block_size() > 2 && is_dear(&task, &mut search.run)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use crate::linear::Sparse;

    /// Contacts on a lattice of n³ places, each coupled to its neighbours, that are pressed together while they slide.
    fn lattice(n: usize) -> Problem {
        let contacts = n.pow(3);
        let place = |i: usize| [i % n, i / n % n, i / n.pow(2)];
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (i, j) in (0..contacts).flat_map(|i| (0..contacts).map(move |j| (i, j))) {
            let steps: usize = place(i).iter().zip(place(j)).map(|(a, b)| a.abs_diff(b)).sum();
            for a in (0..3).filter(|_| steps < 2) {
                rows.push(3 * i + a);
                columns.push(3 * j + a);
                values.push(if steps == 0 { 2.0 } else { -0.3 });
            }
        }
        let W =
            Sparse::from_coordinates("W", (3 * contacts, 3 * contacts), &rows, &columns, &values).unwrap();
        let q = (0..contacts).flat_map(|i| [-1.0, (i as f64).sin(), (i as f64).cos()]).collect();
        Problem::local(3, vec![0.3; contacts], &W, q).unwrap()
    }

    /// Rows of the plan are numbered from one, and what comes without it is of none.
    #[test]
    fn crowds_go_the_way_of_heaps_and_others_by_the_plan() {
        let request = Request { tolerance: 1e-6, ..Request::default() };
        for (n, crowd) in [(5, false), (10, true)] {
            let mut session = Session::new(lattice(n), request).unwrap();
            assert_eq!(session.is_crowd(), crowd, "{n}");
            assert_eq!(session.solve(Start::Cold).outcome, Outcome::Solved);
            assert!(session.attempts().iter().all(|attempt| (attempt.row == 0) == crowd), "{n}");
        }
    }
}
