//! Sessions: the same answers as without, warm starts, what is refused, budgets.

use std::time::Duration;

use mechan::answer::{solve, solve_again, solve_in};
use mechan::coulomb::solver::{GaussSeidel, ProjectedGradient};
use mechan::coulomb::{
    Budget, Form, Global, Outcome, Problem, ProblemError, Request, Session, Solution, SolveMemory, Start,
    residual, solve_with,
};
use mechan::linear::{MatrixError, Sparse};

use crate::files::load;
use crate::stream::{Stream, gram};

const FILES: [&str; 9] = [
    "FC3D_Example1",
    "BoxesStack1-i100000-32",
    "GFC3D_OneContact",
    "FrictionContactProblem00071",
    "CubeH8",
    "OneObject-i1028-138",
    "LMGC_GlobalFrictionContactProblem00046",
    "FC2D_SliderCrankLagrangian00000",
    "Capsules-i101-404",
];

fn request() -> Request {
    Request::default()
}

fn cold(problem: &Problem) -> Solution {
    Session::new(problem, request()).unwrap().solve(Start::Cold).clone()
}

fn keys(contacts: usize) -> Vec<u64> {
    (0..contacts as u64).collect()
}

/// Every problem after every other kind of problem, and once more: local and global, plane and space, with and without units.
#[test]
fn a_used_session_gives_the_bits_of_a_fresh_one() {
    let mut session = Session::empty(request());
    for file in FILES.iter().chain(FILES.iter().rev()) {
        let problem = load(file);
        session.update_contacts(&problem, &keys(problem.contacts())).unwrap();
        assert_eq!(session.solve(Start::Cold), &cold(&problem), "{file}");
        assert_eq!(session.solve(Start::Cold), &cold(&problem), "{file}, again");
        session.solve(Start::Warm);
    }
}

/// A solve in the memory of whatever was solved before gives what a fresh session does.
#[test]
fn a_one_off_solve_gives_the_bits_of_a_fresh_session() {
    let mut spare = SolveMemory::default();
    for file in FILES.iter().chain(FILES.iter().rev()) {
        let problem = load(file);
        let mut fresh = Session::new(&problem, request()).unwrap();
        let again = solve_again(&problem, &request(), &mut spare).unwrap();
        assert_eq!(&again, solve_in(&mut fresh, Start::Cold), "{file}");
        let mut fresh = Session::new(&problem, request()).unwrap();
        let short = fresh.solve_with(&ProjectedGradient, 3, Start::Cold);
        assert_eq!(&solve_with(&problem, &request(), &ProjectedGradient, 3).unwrap(), short, "{file}");
    }
}

/// With entries of q changed by 10⁻³ of the largest.
fn shaken(problem: &Problem, stream: &mut Stream) -> Problem {
    let size = |q: &[f64]| q.iter().fold(0.0_f64, |m, q| m.max(q.abs()));
    match problem.form() {
        Form::Local(local) => {
            let scale = 1e-3 * size(&local.q);
            let q = local.q.iter().map(|q| q + scale * stream.next()).collect();
            Problem::local(problem.dim(), problem.mu().to_vec(), &local.W.to_sparse(), q).unwrap()
        }
        Form::Global(global) => {
            let scale = 1e-3 * size(&global.f);
            let f = global.f.iter().map(|f| f + scale * stream.next()).collect();
            let mu = problem.mu().to_vec();
            Problem::global(problem.dim(), mu, Global { f, ..global.clone() }).unwrap()
        }
    }
}

/// The answers are judged by the same residual, and cost fewer iterations.
#[test]
fn warm_answers_solve_the_problem_with_fewer_iterations() {
    for file in ["FrictionContactProblem00237", "FrictionContactProblem00071", "GFC3D_OneContact"] {
        let (recorded, mut stream) = (load(file), Stream::new(7));
        let mut session = Session::new(recorded.clone(), request()).unwrap();
        session.solve(Start::Cold);
        let (mut warm, mut fresh) = (0, 0);
        for _ in 0..10 {
            let problem = shaken(&recorded, &mut stream);
            session.update(&problem).unwrap();
            let found = session.solve(Start::Warm);
            assert_eq!(found.outcome, Outcome::Solved, "{file}");
            assert!(residual(&problem, &found.v, &found.r).0.relative <= 1e-8, "{file}");
            warm += found.iterations;
            fresh += cold(&problem).iterations;
        }
        assert!(warm <= fresh, "{file}: {warm} of {fresh}");
    }
}

/// Contacts whose normal forces push one another, and q for which these forces solve the problem.
fn pressed(forces: &[f64]) -> Problem {
    let n = 2 * forces.len();
    let entry = |i: usize, j: usize| match (i == j, i % 2 + j % 2) {
        (true, _) => 1.5,
        (false, 0) => 0.5,
        (false, _) => 0.0,
    };
    let W: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let all: f64 = forces.iter().sum();
    let q = forces.iter().flat_map(|r| [-r - 0.5 * all, 0.0]).collect();
    let mu = vec![0.5; forces.len()];
    Problem::local(2, mu, &Sparse::from_dense("W", &W, n).unwrap(), q).unwrap()
}

/// Those that stay keep theirs, in any order; a new one has none: without an iteration the forces of the problem before solve the
/// next one, if and only if they are given to the right contacts.
#[test]
fn forces_go_with_the_keys() {
    let mut session = Session::empty(request());
    session.update_contacts(&pressed(&[1.0, 2.0, 3.0]), &[10, 20, 30]).unwrap();
    session.solve(Start::Cold);
    let warm = |session: &mut Session| session.solve_with(&GaussSeidel, 0, Start::Warm).clone();
    for (forces, keys) in [([3.0, 0.0, 1.0, 0.0], [30, 5, 10, 40]), ([0.0, 1.0, 3.0, 0.0], [7, 10, 30, 5])] {
        session.update_contacts(&pressed(&forces), &keys).unwrap();
        let found = warm(&mut session);
        assert_eq!((found.outcome, found.iterations), (Outcome::Solved, 0));
        let normal = found.r.iter().step_by(2);
        assert!(normal.zip(forces).all(|(r, force)| (r - force).abs() < 1e-7), "{:?}", found.r);
    }
    session.update_contacts(&pressed(&[0.0, 1.0, 3.0, 0.0]), &[7, 30, 10, 5]).unwrap();
    assert_ne!(warm(&mut session).outcome, Outcome::Solved);
}

/// Where W is diagonal the lawful force beside any force is the solution: that is the answer then, not the force.
#[test]
fn what_is_called_solved_is_solved() {
    let W: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| if i == j { 2.0 } else { 0.0 }).collect()).collect();
    let W = Sparse::from_dense("W", &W, 3).unwrap();
    let problem = Problem::local(3, vec![0.3], &W, vec![-2.0, 3.0, 4.0]).unwrap();
    let found = Session::new(&problem, request()).unwrap().solve_with(&GaussSeidel, 0, Start::Cold).clone();
    assert_eq!(found.outcome, Outcome::Solved);
    assert!(residual(&problem, &[], &found.r).0.relative <= 1e-8, "{found:?}");
}

/// The numbers of a problem written into the session are those of the problem.
fn write(session: &mut Session, problem: &Problem) -> Result<(), ProblemError> {
    let Form::Global(global) = problem.form() else { panic!("a global problem") };
    session.write(|draft| {
        (draft.dim, draft.mu, draft.global) = (problem.dim(), problem.mu().to_vec(), global.clone());
        draft.keys = keys(problem.contacts());
    })
}

#[test]
fn a_written_problem_is_the_problem() {
    let mut session = Session::empty(request());
    for file in ["GFC3D_OneContact", "LMGC_GlobalFrictionContactProblem00046", "CubeH8"] {
        let problem = load(file);
        write(&mut session, &problem).unwrap();
        assert_eq!(session.solve(Start::Cold), &cold(&problem), "{file}");
    }
}

/// What is refused leaves the session as it was: the same problem, the same answer, warm or cold.
fn refused(
    session: &mut Session,
    try_it: impl FnOnce(&mut Session) -> Result<(), ProblemError>,
) -> ProblemError {
    let before = session.solve(Start::Cold).clone();
    let error = try_it(session).unwrap_err();
    assert_eq!(session.solve(Start::Cold), &before, "{error}");
    assert_eq!(session.solve(Start::Warm).outcome, before.outcome, "{error}");
    error
}

#[test]
fn bad_input_leaves_a_session_that_can_be_used_again() {
    let problem = load("GFC3D_OneContact");
    let mut session = Session::new(problem.clone(), request()).unwrap();
    let size = |error: ProblemError| matches!(error, ProblemError::Matrix(MatrixError::Size { .. }));
    assert!(size(refused(&mut session, |s| s.update(&load("FC3D_Example1")))));
    assert!(size(refused(&mut session, |s| s.update(&load("FC2D_SliderCrankLagrangian00000")))));
    assert!(size(refused(&mut session, |s| s.update_contacts(&problem, &[1, 2]))));
    let three = load("FC3D_Example1");
    let repeated = refused(&mut session, |s| s.update_contacts(&three, &[4, 5, 4]));
    assert_eq!(repeated, ProblemError::RepeatedKey { key: 4 });
    let changed = |change: fn(&mut Global)| {
        move |session: &mut Session| {
            let Form::Global(global) = session.problem().form() else { panic!("a global problem") };
            let (mut global, mu) = (global.clone(), session.problem().mu().to_vec());
            change(&mut global);
            session.write(|draft| (draft.dim, draft.mu, draft.global) = (3, mu, global))
        }
    };
    let not_finite = |error| matches!(error, ProblemError::Matrix(MatrixError::NotFinite { .. }));
    assert!(not_finite(refused(&mut session, changed(|g| g.f[0] = f64::NAN))));
    assert!(not_finite(refused(&mut session, changed(|g| g.w[1] = f64::INFINITY))));
    assert!(size(refused(&mut session, changed(|g| g.w.push(0.0)))));
    let negative = changed(|g| g.M = times(&g.M, -1.0));
    let indefinite = |error| matches!(error, ProblemError::Matrix(MatrixError::Indefinite { .. }));
    assert!(indefinite(refused(&mut session, negative)));
    let unsorted = |g: &mut Global| {
        g.Ht.clear(g.f.len());
        (0..3).for_each(|j| {
            [1, 0].iter().for_each(|&i| g.Ht.push(i, f64::from(j)));
            g.Ht.end_column();
        });
    };
    let unsorted = refused(&mut session, changed(unsorted));
    assert_eq!(unsorted, ProblemError::Matrix(MatrixError::Unsorted { matrix: "H", row: 0, col: 0 }));
    // and still takes what is right
    session.update_contacts(&three, &[4, 5, 6]).unwrap();
    assert_eq!(session.solve(Start::Cold), &cold(&three));
}

fn times(matrix: &Sparse, factor: f64) -> Sparse {
    let mut out = Sparse::default();
    out.clear(matrix.nrows());
    for j in 0..matrix.ncols() {
        matrix.column(j).for_each(|(i, x)| out.push(i, factor * x));
        out.end_column();
    }
    out
}

#[test]
fn a_budget_ends_the_search_and_says_so() {
    let problem = load("Capsules-i101-404");
    let with = |budget: Budget| {
        let mut session = Session::new(&problem, Request { budget, ..request() }).unwrap();
        let solution = session.solve(Start::Cold).clone();
        let spent: usize = session.attempts().iter().map(|attempt| attempt.iterations).sum();
        (solution.outcome, spent)
    };
    let needed = with(Budget::default()).1;
    for iterations in [0, 1, needed - 1] {
        let (outcome, spent) = with(Budget { iterations: Some(iterations), ..Budget::default() });
        assert_eq!(outcome, Outcome::Budget);
        assert!(spent <= iterations, "{spent} of {iterations}");
    }
    assert_eq!(with(Budget { iterations: Some(needed), ..Budget::default() }), (Outcome::Solved, needed));
    assert_eq!(with(Budget { time: Some(Duration::ZERO), ..Budget::default() }).0, Outcome::Budget);
    assert_eq!(
        with(Budget { time: Some(Duration::from_secs(3600)), ..Budget::default() }).0,
        Outcome::Solved
    );
    // a solver by name counts as well
    let budget = Budget { iterations: Some(3), ..Budget::default() };
    let mut session = Session::new(&problem, Request { budget, ..request() }).unwrap();
    assert_eq!(session.solve_with(&ProjectedGradient, 1000, Start::Cold).outcome, Outcome::Budget);
}

/// Each attempt with the residual of the point that it left; the last one is that of the answer.
#[test]
fn attempts_are_recorded() {
    let problem = load("BoxesStack1-i100000-32");
    let mut session = Session::new(&problem, request()).unwrap();
    let solution = session.solve(Start::Cold).clone();
    let attempts = session.attempts();
    let last = attempts.last().unwrap();
    assert_eq!((attempts[0].solver, last.solver), ("gauss-seidel", solution.solver));
    assert!(attempts[0].residual > 1e-8 && last.residual <= 1e-8);
    assert_eq!(attempts.iter().map(|attempt| attempt.iterations).sum::<usize>(), solution.iterations);
}

/// Without a single iteration of the solvers the list of all solutions answers; where it has one, so does the answer.
#[test]
fn where_a_list_has_solutions_the_answer_is_one_of_them() {
    let (mut stream, mut solved) = (Stream::new(11), 0);
    let idle = Request { effort: 0.0, ..request() };
    for seed in 0..60 {
        let contacts = 1 + seed % 3;
        let n = 2 * contacts;
        let W = gram(&mut stream, n, 1 + seed % (n + 1));
        let q: Vec<f64> = (0..n).map(|_| stream.next()).collect();
        let mu = (0..contacts).map(|_| 1.0 + stream.next()).collect();
        let problem = Problem::local(2, mu, &Sparse::from_dense("W", &W, n).unwrap(), q).unwrap();
        let all = mechan::enumerate::enumerate(&problem, mechan::enumerate::Limits::default()).unwrap();
        let mut session = Session::new(&problem, idle).unwrap();
        let answer = solve_in(&mut session, Start::Cold).clone();
        if all.families.is_empty() {
            continue;
        }
        solved += 1;
        assert!(matches!(answer.outcome, Outcome::Solved | Outcome::Undecided), "{seed}: {answer:?}");
        assert!(residual(&problem, &[], &answer.r).0.relative <= 1e-8, "{seed}");
        assert_ne!(solve(&problem, &request()).unwrap().outcome, Outcome::NotConverged, "{seed}");
    }
    assert!(solved > 30, "{solved}");
}
