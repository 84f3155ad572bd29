//! The plan of the solvers: printed, traced, the caller's own, and on heaps that it was not made for.

use std::path::Path;

use mechan::coulomb::plan::{Begin, Method, Row, Work};
use mechan::coulomb::solver::Smoothed;
use mechan::coulomb::{Condensed, Form, Outcome, Plan, Problem, Request, Session, Start, residual};

use crate::files::load;
use families::families;

#[path = "../../benches/heaps/families.rs"]
mod families;
#[path = "../../benches/heaps/granular.rs"]
mod granular;
#[path = "../../benches/heaps/masonry.rs"]
mod masonry;
#[path = "../../benches/heaps/packing.rs"]
mod packing;
#[path = "../../benches/heaps/random.rs"]
mod random;

fn solve(problem: &Problem, plan: &Plan, tolerance: f64) -> Session<Problem> {
    let mut session = Session::new(problem.clone(), Request { tolerance, ..Request::default() }).unwrap();
    session.solve_by(plan, Start::Cold);
    session
}

#[test]
fn a_plan_prints_one_numbered_line_a_row() {
    let plan = Plan::default();
    let text = plan.to_string();
    for (k, row) in plan.opening.iter().chain(plan.rounds.iter()).enumerate() {
        assert!(text.contains(&format!("  {}. {row}\n", k + 1)), "{text}");
    }
    let own = Row::new(Method::AlartCurnier, Work::Share(0.5, 12));
    assert_eq!(own.to_string(), "alart-curnier, 0.5 of the work, up to 12 iterations");
}

/// The one in benches/README.md.
#[test]
fn the_plan_in_docs_is_the_plan() {
    let docs =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/README.md")).unwrap();
    let printed: String = Plan::default().to_string().lines().map(|line| format!("    {line}\n")).collect();
    assert!(docs.contains(&printed), "not in benches/README.md:\n{printed}");
}

/// In many short parts the path has the same steps and ends at the same force as in one, to the last bit.
#[test]
fn a_path_goes_on_from_round_to_round() {
    let path = Row { begin: Begin::Zero, ..Row::new(Method::Smoothed, Work::Share(0.3, usize::MAX)) };
    let one = Plan {
        opening: Vec::new().into(),
        rounds: vec![path].into(),
        sweeps: 120_000,
        growth: 1,
        count: 20,
        ..Plan::default()
    };
    let parts = Plan { sweeps: 800, ..one.clone() };
    let steps = |session: &Session<Problem>| session.attempts().iter().map(|a| a.iterations).sum::<usize>();
    let mut interrupted = 0;
    for family in families(90) {
        let problem = family.member(3);
        let (parts, whole) = (solve(&problem, &parts, 1e-8), solve(&problem, &one, 1e-8));
        if parts.attempts().len() > whole.attempts().len() && parts.solution().outcome == Outcome::Solved {
            assert_eq!(steps(&parts), steps(&whole), "{}", family.name);
            assert_eq!(parts.solution().r, whole.solution().r, "{}", family.name);
            interrupted += 1;
        }
    }
    assert!(interrupted >= 2, "{interrupted} paths");
}

/// Where the path turns back, its sweeps are iterations, too, and fewer of its steps are left.
#[test]
fn sweeps_along_the_path_are_work() {
    let family = families(160).into_iter().find(|family| family.name == "discs pile").unwrap();
    let problem = family.member(304);
    let steps = |step: f64| {
        let mut session = Session::new(&problem, Request::default()).unwrap();
        session.solve_with(&Smoothed { step }, 60, Start::Cold).iterations
    };
    assert!((2..steps(f64::INFINITY)).contains(&steps(5.0)), "{} steps", steps(5.0));
}

#[test]
fn what_ran_is_recorded() {
    let problem = load("FrictionContactProblem00237");
    let session = solve(&problem, &Plan::default(), 1e-8);
    let (attempts, solution) = (session.attempts(), session.solution());
    assert_eq!(solution.outcome, Outcome::Solved);
    assert_eq!(attempts[0].row, 1);
    assert!(attempts[0].before.is_infinite());
    let (mut best, mut iterations) = (f64::INFINITY, 0);
    for attempt in attempts {
        assert_eq!(attempt.before.to_bits(), best.to_bits(), "{attempt:?}");
        best = best.min(attempt.residual);
        iterations += attempt.iterations;
    }
    assert!(best <= 1e-8 && iterations <= solution.iterations);
    assert_eq!(attempts.last().unwrap().residual.to_bits(), best.to_bits());
}

/// A crowd at a coarse tolerance is left to a few sweeps, whose answer is judged as any other and near the fine one; at a fine tolerance, and
/// where the sweeps do not suffice, it goes by the plan.
#[test]
fn a_crowd_at_a_coarse_tolerance_takes_a_few_sweeps() {
    let problem = load("spheres-in-a-box-98-i10000-256-10");
    let found = |tolerance: f64| {
        let request = Request { tolerance, ..Request::default() };
        let mut session = Session::new(problem.clone(), request).unwrap();
        let solution = session.solve(Start::Cold).clone();
        assert_eq!(solution.outcome, Outcome::Solved);
        assert!(residual(&problem, &solution.v, &solution.r).0.relative <= tolerance);
        assert!(solution.backward_error.whole <= tolerance);
        let rows: Vec<_> = session.attempts().iter().map(|attempt| (attempt.row, attempt.solver)).collect();
        (rows, solution)
    };
    let (rows, fine) = found(1e-8);
    assert!(rows.iter().all(|(row, _)| *row > 0), "{rows:?}");
    let size = fine.v.iter().map(|v| v * v).sum::<f64>().sqrt();
    for tolerance in [1e-3, 1e-4] {
        let (rows, coarse) = found(tolerance);
        let sweeps = rows.iter().all(|row| *row == (0, "accelerated"));
        assert!(sweeps || tolerance < 1e-3 && rows.iter().all(|(row, _)| *row > 0), "{rows:?}");
        assert!(!sweeps || coarse.iterations <= 200, "{}", coarse.iterations);
        let off = fine.v.iter().zip(&coarse.v).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        assert!(off < 100.0 * tolerance * size, "{tolerance}: {off} of {size}");
    }
}

#[test]
fn the_caller_may_bring_a_plan() {
    let problem = load("FrictionContactProblem00071");
    let newton = Row::new(Method::AlartCurnier, Work::Iterations(200));
    let own = Plan {
        opening: vec![newton].into(),
        rounds: vec![Row::new(Method::Accelerated(1.0), Work::Share(1.0, usize::MAX))].into(),
        sweeps: 500,
        of_path: 0.0,
        dear: f64::INFINITY,
        growth: 3,
        count: 2,
    };
    let session = solve(&problem, &own, 1e-8);
    assert_eq!(session.solution().outcome, Outcome::Solved);
    assert!(session.attempts().iter().all(|a| ["alart-curnier", "accelerated"].contains(&a.solver)));
    let nothing = Plan { opening: Vec::new().into(), count: 0, ..own };
    let session = solve(&problem, &nothing, 1e-8);
    assert_eq!(session.solution().outcome, Outcome::NotConverged);
    assert!(session.attempts().is_empty());
}

fn local(problem: &Problem) -> Problem {
    let Form::Global(global) = problem.form() else { panic!("heaps are global") };
    let local = Condensed::new(problem.dim(), global).unwrap().local;
    Problem::local(problem.dim(), problem.mu().to_vec(), &local.W.to_sparse(), local.q).unwrap()
}

/// Also those that no plan was tuned on; judged by the backward error of the global problem.
#[test]
fn small_heaps_of_all_families_are_solved() {
    assert!(families(30).iter().any(|family| family.held_out));
    for family in families(30) {
        for (seed, tolerance) in [(101, 1e-8), (102, 1e-3)] {
            let problem = family.member(seed);
            let session = solve(&problem, &Plan::default(), tolerance);
            let found = session.solution();
            assert_eq!(found.outcome, Outcome::Solved, "{} {seed}: {:?}", family.name, found.residual);
            assert!(found.backward_error.whole <= tolerance, "{} {seed}", family.name);
        }
    }
}

/// Sweeps leave these far from their forces, and the method of multipliers ends where the residual of the problem as given, with
/// velocities of its own, is within the tolerance. A local problem does not tell what bodies there are.
#[test]
fn crowds_are_solved_in_the_velocities_of_their_bodies() {
    let sweeps = Row::new(Method::Accelerated(0.0), Work::Iterations(100));
    let own = Plan {
        opening: vec![sweeps, Row::new(Method::Multipliers, Work::Iterations(400))].into(),
        rounds: Vec::new().into(),
        ..Plan::default()
    };
    for family in families(90).iter().filter(|f| ["spheres silo", "spheres pile"].contains(&f.name)) {
        let problem = family.member(11);
        let session = solve(&problem, &own, 1e-9);
        let (attempts, found) = (session.attempts(), session.solution());
        assert!(attempts[0].residual > 1e-5 && attempts[1].solver == "multipliers", "{attempts:?}");
        assert!((5..=100).contains(&attempts[1].iterations), "{attempts:?}");
        assert_eq!(found.outcome, Outcome::Solved, "{}", family.name);
        let v = problem.generalized_velocity(&found.r).unwrap();
        let judged = residual(&problem, &v, &found.r).0;
        assert!(judged.relative <= 1e-8, "{}: {judged:?}", family.name);
        let without = solve(&local(&problem), &own, 1e-9);
        assert_eq!(without.attempts().len(), 1, "{:?}", without.attempts());
    }
}

/// A session that solved other problems meanwhile, with other bodies and with none, goes the same way again.
#[test]
fn a_crowd_has_the_same_trace_after_other_problems() {
    let families = families(90);
    let member = |name: &str, seed| families.iter().find(|f| f.name == name).unwrap().member(seed);
    let problem = member("spheres silo", 11);
    let mut session = solve(&problem, &Plan::default(), 1e-8);
    let (attempts, r) = (session.attempts().to_vec(), session.solution().r.clone());
    assert!(attempts.iter().any(|a| a.solver == "multipliers"), "{attempts:?}");
    for other in [member("spheres", 12), local(&problem)] {
        session.update_contacts(&other, &(0..other.contacts() as u64).collect::<Vec<_>>()).unwrap();
        session.solve(Start::Cold);
    }
    session.update_contacts(&problem, &(0..problem.contacts() as u64).collect::<Vec<_>>()).unwrap();
    session.solve(Start::Cold);
    assert_eq!(session.attempts(), attempts);
    assert_eq!(session.solution().r, r);
}

/// Twice the same, to the last bit, whatever the session did before.
#[test]
fn the_same_problem_has_the_same_trace() {
    for family in families(40).iter().take(4) {
        let problem = local(&family.member(7));
        let mut session = solve(&problem, &Plan::default(), 1e-8);
        let (attempts, r) = (session.attempts().to_vec(), session.solution().r.clone());
        session.solve_by(&Plan::default(), Start::Cold);
        assert_eq!(session.attempts(), attempts, "{}", family.name);
        assert_eq!(session.solution().r, r, "{}", family.name);
    }
}
