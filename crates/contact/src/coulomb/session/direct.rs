//! Small problems without what a search needs: contacts whose forces do not meet, above all a single one, of which each is solved by
//! itself, once; and few contacts whose forces meet. The answer is judged as that of a search is.

use super::spare::SolveMemory;
use crate::coulomb::backward::{Terms, Verdict};
use crate::coulomb::problem::{Form, Local, Problem};
use crate::coulomb::pyramid::Cones;
use crate::coulomb::request::{Budget, Request};
use crate::coulomb::residual::residual_at;
use crate::coulomb::scaling::Scaling;
use crate::coulomb::solution::{Outcome, Solution};
use crate::coulomb::solver::few::{FEW, solve_few};
use crate::coulomb::solver::gauss_seidel::others;
use crate::coulomb::solver::{Contact, GaussSeidel, Solver, Task};

/// Most contacts of such a problem, and of one whose memory is small.
const MOST: usize = 64;
const SMALL: usize = 16;

/// The solution; none if a search is needed. Of contacts whose forces do not meet it is to the last bit that of the plan's first sweep.
pub fn solve_directly(problem: &Problem, request: &Request, spare: &mut SolveMemory) -> Option<Solution> {
    solve_in(problem, request, &mut spare.terms)
}

/// The same in the memory of a judgement.
pub(super) fn solve_in(problem: &Problem, request: &Request, terms: &mut Terms) -> Option<Solution> {
    let usual = request.budget == Budget::default() && request.effort >= 1.0;
    match problem.form() {
        Form::Local(local) if usual && problem.contacts() <= SMALL => match local.W.block_size() {
            2 => solve_sized::<2, 4, SMALL>(local, problem.mu(), request, terms),
            _ => solve_sized::<3, 9, SMALL>(local, problem.mu(), request, terms),
        },
        Form::Local(local) if usual && problem.contacts() <= MOST => match local.W.block_size() {
            2 => solve_sized::<2, 4, MOST>(local, problem.mu(), request, terms),
            _ => solve_sized::<3, 9, MOST>(local, problem.mu(), request, terms),
        },
        Form::Local(_) | Form::Global(_) => None,
    }
}

fn solve_sized<const D: usize, const DD: usize, const MEMORY: usize>(
    local: &Local,
    mu: &[f64],
    Request { tolerance, tol, .. }: &Request,
    terms: &mut Terms,
) -> Option<Solution> {
    let mut memory = [[[0.0; D]; MEMORY]; 2];
    let [r, u] = &mut memory;
    let (r, u) = (&mut r[..mu.len()], &mut u[..mu.len()]);
    let apart = pass::<D, DD>(local, mu, r);
    if apart.is_none() && mu.len() > FEW || Scaling::is_needed(local, tol) {
        return None;
    }
    let (solver, iterations) = match apart {
        Some(()) => (GaussSeidel.name(), 1),
        None => {
            r.fill([0.0; D]);
            solve_few::<D, DD>(&Task { local, mu }, *tolerance, r)?
        }
    };
    let (r, u) = (r.as_flattened(), u.as_flattened_mut());
    local.W.apply(r, &local.q, u);
    let residual = residual_at(Cones::SecondOrder, local, mu, r, u);
    if residual.relative > *tolerance {
        return None;
    }
    terms.set(local, mu, u, r);
    let backward = terms.judge(local, *tolerance, tol);
    let good = backward.verdict == Verdict::Within && backward.excess <= 1.0;
    good.then(|| {
        let mut statuses = Vec::with_capacity(mu.len());
        terms.statuses(local, *tolerance, tol, &mut statuses);
        Solution {
            outcome: Outcome::Solved,
            solver,
            iterations,
            residual,
            backward_error: backward.error,
            u: u.to_vec(),
            v: Vec::new(),
            r: r.to_vec(),
            statuses,
        }
    })
}

/// One contact after the other; none as soon as two that meet have a force, which they do if they approach.
fn pass<const D: usize, const DD: usize>(local: &Local, mu: &[f64], r: &mut [[f64; D]]) -> Option<()> {
    let (W, free) = (&local.W, local.q.as_chunks::<D>().0);
    let meets =
        |i: usize, pushes: &dyn Fn(usize) -> bool| W.beside::<DD>(i).0.1.iter().any(|j| pushes(*j as usize));
    if (1..free.len()).any(|i| free[i][0] < 0.0 && meets(i, &|j| free[j][0] < 0.0)) {
        return None;
    }
    for i in 0..r.len() {
        let q = others::<D, DD>(W, i, r, &free[i]);
        if q[0] < 0.0 {
            if meets(i, &|j| r[j][0] > 0.0) {
                return None;
            }
            r[i] = Contact::<D, DD>::new(&W.chunks()[W.diagonal(i)], mu[i]).solve(&q, &mut 0.0)?;
        }
    }
    Some(())
}
