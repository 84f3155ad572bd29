//! Contacts whose forces do not meet, above all a single one: each is solved by itself, once, without what a search needs.

use super::spare::Spare;
use crate::coulomb::backward::Verdict;
use crate::coulomb::problem::{Form, Local, Problem};
use crate::coulomb::pyramid::Cones;
use crate::coulomb::request::{Budget, Request};
use crate::coulomb::residual::residual_at;
use crate::coulomb::scaling::Scaling;
use crate::coulomb::solution::{Outcome, Solution};
use crate::coulomb::solver::gauss_seidel::others;
use crate::coulomb::solver::{Contact, GaussSeidel, Solver};

/// Most contacts of such a problem.
const MOST: usize = 16;

/// The solution, to the last bit that of the plan's first sweep; none if a search is needed.
pub(crate) fn solve_apart(problem: &Problem, request: &Request, spare: &mut Spare) -> Option<Solution> {
    let usual = request.budget == Budget::default() && request.effort >= 1.0;
    match problem.form() {
        Form::Local(local) if usual && problem.contacts() <= MOST => match local.W.block_size() {
            2 => solve_sized::<2, 4>(local, problem.mu(), request, spare),
            _ => solve_sized::<3, 9>(local, problem.mu(), request, spare),
        },
        Form::Local(_) | Form::Global(_) => None,
    }
}

fn solve_sized<const D: usize, const DD: usize>(
    local: &Local,
    mu: &[f64],
    Request { tolerance, tol, .. }: &Request,
    Spare { terms, .. }: &mut Spare,
) -> Option<Solution> {
    let mut memory = [[[0.0; D]; MOST]; 2];
    let [r, u] = &mut memory;
    let (r, u) = (&mut r[..mu.len()], &mut u[..mu.len()]);
    pass::<D, DD>(local, mu, r)?;
    if Scaling::is_needed(local, tol) {
        return None;
    }
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
            solver: GaussSeidel.name(),
            iterations: 1,
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
