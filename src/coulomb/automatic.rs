//! The attempts of the automatic sequence, in order: a few Gauss-Seidel sweeps and Newton's method, the proximal method, and
//! where they do not reach the tolerance, long turns of them with other parameters.

use super::attempt::{Attempt, Goal, Round, Run};
use super::order::Order;
use super::residual::local_residual;
use super::scaling::has_lost;
use super::solver::gauss_seidel::{GaussSeidel, sweeps};
use super::solver::{
    AlartCurnier, FischerBurmeister, ProjectedGradient, ProximalPoint, Solver, Task, assign, zeros,
};
use super::tolerance::SolverTol;

/// Solver, iterations and start of one attempt.
type Row<'a> = (&'a dyn Solver, usize, Start);

/// Where an attempt starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// The best point so far.
    Best,
    /// No force: a Newton method that is stuck elsewhere often gets through from here.
    Zero,
}

/// All attempts, or a few that go on with a stricter tolerance. What begins again does so with the contacts in another
/// order, for it is the order on which it hangs whether the Newton methods lose their way.
pub(crate) fn automatic(
    task: &Task<'_>,
    goal: &Goal,
    round: Round,
    run: &mut Run,
    r: &mut [f64],
) -> &'static str {
    if round == Round::Warm {
        return near(task, goal, run, r);
    }
    if round != Round::Again {
        return attempts(task, goal, ATTEMPTS, run, r);
    }
    let order = Order::strided(task.mu.len());
    let (local, mu) = (order.local(task.local), order.of_contacts(task.mu));
    let mut point = vec![0.0; r.len()];
    let found = attempts(&Task { local: &local, mu: &mu }, goal, ATTEMPTS, run, &mut point);
    order.restore(&point, r);
    found
}

/// From a force that is near: in the plane and for few contacts mostly a few Newton steps suffice; many contacts in space, whose
/// forces are not unique, need the proximal method.
fn near(task: &Task<'_>, goal: &Goal, run: &mut Run, r: &mut [f64]) -> &'static str {
    let few = task.mu.len() <= SMALL;
    let (newton, smooth, proximal) = if few || task.local.W.block_size() == 2 {
        (NEAR_STEPS, NEAR_SMOOTH, 0)
    } else {
        (0, 0, NEAR_PROXIMAL)
    };
    let rows: [Row<'_>; 3] = [
        (&AlartCurnier, newton, Start::Best),
        (&FischerBurmeister, smooth, Start::Best),
        (&ProximalPoint::default(), proximal, Start::Best),
    ];
    in_turn(task, goal, (usize::from(few), rows.iter()), run, r)
}

/// Those that solve most problems that have a solution.
pub(crate) fn first_attempts(
    task: &Task<'_>,
    goal: &Goal,
    round: Round,
    run: &mut Run,
    r: &mut [f64],
) -> &'static str {
    if round == Round::Warm {
        return near(task, goal, run, r);
    }
    attempts(task, goal, FIRST_ATTEMPTS, run, r)
}

/// The first `count` attempts in order, most from the best point so far.
fn attempts(task: &Task<'_>, goal: &Goal, count: usize, run: &mut Run, r: &mut [f64]) -> &'static str {
    let small = if task.mu.len() <= SMALL { SMALL_STEPS } else { 0 };
    let proximal = |start: f64, factor: f64, rho: f64| ProximalPoint { start, factor, rho };
    let attempts: [Row<'_>; ATTEMPTS] = [
        (&AlartCurnier, small, Start::Best),
        (&ProximalPoint::default(), 100, Start::Best),
        (&FischerBurmeister, 150, Start::Zero),
        (&AlartCurnier, 60, Start::Zero),
        (&FischerBurmeister, 150, Start::Best),
        (&proximal(1e-4, 4.0, 1.0), 300, Start::Best),
        (&GaussSeidel, 300, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
        (&proximal(1e-3, 3.0, 0.3), 1000, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
        (&proximal(1e-4, 4.0, 0.1), 1000, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
        (&ProjectedGradient, 5000, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
        (&proximal(1e-2, 3.0, 3.0), 1000, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
        (&GaussSeidel, 3000, Start::Best),
        (&proximal(1e-5, 10.0, 1.0), 1000, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
        (&ProjectedGradient, 20000, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
        (&proximal(1e-3, 3.0, 0.03), 1000, Start::Best),
        (&FischerBurmeister, 500, Start::Best),
    ];
    // looked at where the first attempts fail: nothing will help then
    let hopeful =
        |(k, _): &(usize, &Row<'_>)| *k != FIRST_ATTEMPTS || !has_lost(task.local, &SolverTol::default());
    let attempts = attempts.iter().take(count).enumerate().take_while(hopeful).map(|(_, attempt)| attempt);
    in_turn(task, goal, (FIRST_SWEEPS, attempts), run, r)
}

/// Sweeps, then attempt after attempt, until the plain residual is within the tolerance.
fn in_turn<'a>(
    task: &Task<'_>,
    goal: &Goal,
    (sweeps_first, attempts): (usize, impl Iterator<Item = &'a Row<'a>>),
    run: &mut Run,
    r: &mut [f64],
) -> &'static str {
    let steps = |n: usize| (n as f64 * goal.effort) as usize;
    let (iterations, mut best) = sweeps(task, &run.options(goal, sweeps_first), &mut run.workspace, r);
    let mut name = GaussSeidel.name();
    if sweeps_first > 0 {
        run.attempts.push(Attempt { solver: name, iterations, residual: best });
    }
    if best <= goal.tolerance {
        return name;
    }
    let (mut point, mut u) = (std::mem::take(&mut run.point), std::mem::take(&mut run.velocity));
    zeros(&mut u, r.len());
    for (solver, iterations, start) in attempts.filter(|a| a.1 > 0) {
        if run.is_over(goal) {
            break;
        }
        assign(&mut point, r);
        if *start == Start::Zero {
            point.fill(0.0);
        }
        let options = run.options(goal, steps(*iterations));
        let iterations = solver.solve(task, &options, &mut run.workspace, &mut point);
        let residual = local_residual(task.local, task.mu, &point, &mut u).relative;
        run.attempts.push(Attempt { solver: solver.name(), iterations, residual });
        if residual < best {
            best = residual;
            name = solver.name();
            r.copy_from_slice(&point);
        }
        if best <= goal.tolerance {
            break;
        }
    }
    (run.point, run.velocity) = (point, u);
    name
}

/// How many there are.
const ATTEMPTS: usize = 23;
/// One of each kind.
const FIRST_ATTEMPTS: usize = 5;

/// Gauss-Seidel sweeps before anything else: they solve loosely coupled problems and find most contacts that take
/// off in the others.
const FIRST_SWEEPS: usize = 2;

/// Newton steps from a force that is near; where they do not suffice it is not.
const NEAR_STEPS: usize = 8;
const NEAR_SMOOTH: usize = 30;
const NEAR_PROXIMAL: usize = 40;

/// Up to this many contacts plain Newton steps come first: they mostly suffice, and cost less than the proximal
/// sequence.
const SMALL: usize = 100;
/// As many as most small problems need.
const SMALL_STEPS: usize = 20;
