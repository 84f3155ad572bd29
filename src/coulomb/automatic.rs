//! The attempts of the automatic sequence, in order: a few Gauss-Seidel sweeps and Newton's method, the proximal method, and
//! where they do not reach the tolerance, long turns of them with other parameters.

use super::order::Order;
use super::ready::Round;
use super::residual::local_residual;
use super::scaling::has_lost;
use super::solver::gauss_seidel::{GaussSeidel, sweeps};
use super::solver::{
    AlartCurnier, FischerBurmeister, Options, ProjectedGradient, ProximalPoint, Solver, Task,
};
use super::tolerance::SolverTol;

/// Solver, iterations and start of one attempt.
type Attempt<'a> = (&'a dyn Solver, usize, Start);

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
    accuracy: (f64, f64),
    round: Round,
    r: &mut [f64],
) -> (&'static str, usize) {
    if round != Round::Again {
        return attempts(task, accuracy, ATTEMPTS, r);
    }
    let order = Order::strided(task.mu.len());
    let (local, mu) = (order.local(task.local), order.of_contacts(task.mu));
    let mut point = vec![0.0; r.len()];
    let found = attempts(&Task { local: &local, mu: &mu }, accuracy, ATTEMPTS, &mut point);
    order.restore(&point, r);
    found
}

/// Those that solve most problems that have a solution.
pub(crate) fn first_attempts(
    task: &Task<'_>,
    accuracy: (f64, f64),
    _: Round,
    r: &mut [f64],
) -> (&'static str, usize) {
    attempts(task, accuracy, FIRST_ATTEMPTS, r)
}

/// The first `count` attempts in order, most from the best point so far.
fn attempts(task: &Task<'_>, accuracy: (f64, f64), count: usize, r: &mut [f64]) -> (&'static str, usize) {
    let small = if task.mu.len() <= SMALL { SMALL_STEPS } else { 0 };
    let proximal = |start: f64, factor: f64, rho: f64| ProximalPoint { start, factor, rho };
    let attempts: [Attempt<'_>; ATTEMPTS] = [
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
        |(k, _): &(usize, &Attempt<'_>)| *k != FIRST_ATTEMPTS || !has_lost(task.local, &SolverTol::default());
    let attempts = attempts.iter().take(count).enumerate().take_while(hopeful).map(|(_, attempt)| attempt);
    in_turn(task, accuracy, attempts, r)
}

/// Attempt after attempt, until the plain residual is within the tolerance.
fn in_turn<'a>(
    task: &Task<'_>,
    (tolerance, effort): (f64, f64),
    attempts: impl Iterator<Item = &'a Attempt<'a>>,
    r: &mut [f64],
) -> (&'static str, usize) {
    let steps = |n: usize| (n as f64 * effort) as usize;
    let first = Options { tolerance, iterations: FIRST_SWEEPS };
    let (mut total, mut best) = sweeps(task, &first, r);
    let mut name = GaussSeidel.name();
    if best <= tolerance {
        return (name, total);
    }
    let (mut point, mut u) = (r.to_vec(), vec![0.0; r.len()]);
    for (solver, iterations, start) in attempts.filter(|a| a.1 > 0) {
        match start {
            Start::Best => point.copy_from_slice(r),
            Start::Zero => point.fill(0.0),
        }
        total += solver.solve(task, &Options { tolerance, iterations: steps(*iterations) }, &mut point);
        let residual = local_residual(task.local, task.mu, &point, &mut u).relative;
        if residual < best {
            best = residual;
            name = solver.name();
            r.copy_from_slice(&point);
        }
        if best <= tolerance {
            break;
        }
    }
    (name, total)
}

/// How many there are.
const ATTEMPTS: usize = 23;
/// One of each kind.
const FIRST_ATTEMPTS: usize = 5;

/// Gauss-Seidel sweeps before anything else: they solve loosely coupled problems and find most contacts that take
/// off in the others.
const FIRST_SWEEPS: usize = 2;

/// Up to this many contacts plain Newton steps come first: they mostly suffice, and cost less than the proximal
/// sequence.
const SMALL: usize = 100;
/// As many as most small problems need.
const SMALL_STEPS: usize = 20;
