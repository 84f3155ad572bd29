//! Solvers by name, and the laws of pyramids that `facets-N` solves for comparison.

use mechan::answer::{Answer, solve};
use mechan::coulomb::solver::{NAMES, SolverName, UnknownSolver, by_name};
use mechan::coulomb::{Cones, Outcome, Problem, Request, residual, residual_of, solve_with};
use mechan::linear::Sparse;
use mechan::pipeline::{Failure, SolveOptions, Usage, solve_problem};

use crate::analytic::local;
use crate::files::load;
use crate::stream::{Stream, gram};

/// Contacts in space with a regular W, pressed and pushed.
fn pile(seed: u64, contacts: usize) -> Problem {
    let mut s = Stream::new(seed);
    let mut W = gram(&mut s, 3 * contacts, 3 * contacts);
    (0..3 * contacts).for_each(|i| W[i][i] += 1.0);
    let q: Vec<f64> = (0..3 * contacts).map(|k| if k % 3 == 0 { -1.0 } else { 2.0 * s.next() }).collect();
    let mu = (0..contacts).map(|_| 0.3 + 0.2 * s.next()).collect();
    Problem::local(3, mu, &Sparse::from_dense("W", &W, q.len()).unwrap(), q).unwrap()
}

fn request() -> Request {
    Request { tolerance: 1e-10, ..Request::default() }
}

#[test]
fn every_name_of_the_list_is_a_solver_that_solves() {
    let problem = pile(1, 3);
    let planar = local(2, &[0.5], &[vec![1.0, 0.2], vec![0.2, 1.0]], &[-1.0, 2.0]);
    for name in NAMES.map(|name| name.replace("facets-N", "facets-8")) {
        let solver = by_name(&name).unwrap();
        let problem = if name == "lemke" { &planar } else { &problem };
        let found = solve_with(problem, &request(), solver.as_ref(), 2000).unwrap();
        let own = residual_of(solver.cones(), problem, &found.v, &found.r).0;
        assert!(own.relative <= 1e-10, "{name}: {own:?}");
        assert_eq!(found.outcome == Outcome::Solved, name != "facets-8", "{name}");
        assert!(name.starts_with(found.solver), "{name} {}", found.solver);
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_list_and_the_nearest() {
    let refused = |name: &str| by_name(name).err().unwrap();
    let text = refused("gaus-seidel").to_string();
    assert!(text.contains("did you mean `gauss-seidel`?"), "{text}");
    assert!(NAMES.iter().all(|name| text.contains(name)), "{text}");
    assert!(!refused("xyz").to_string().contains("did you mean"));
    assert_eq!(refused(""), UnknownSolver::Name(String::new()));
    for facets in ["2", "0", "-4", "65", "4.5", "", "many", "99999999999999999999"] {
        assert_eq!(refused(&format!("facets-{facets}")), UnknownSolver::Facets(facets.to_string()));
    }
    assert!(refused("facets-65").to_string().contains("from 3 to 64"));
    let failure = Failure::from(Usage::Solver(refused("lemk")));
    assert!(failure.to_string().contains("`lemke`"), "{failure}");
    assert_eq!(failure.exit_status(), 2);
}

#[test]
fn lemke_refuses_what_it_cannot_pivot() {
    let options = SolveOptions { solver: Some(SolverName::Lemke), ..SolveOptions::default() };
    let failure = solve_problem(pile(1, 2), &options).err().unwrap();
    let Failure::Usage(Usage::Refuses { solver, reason, .. }) = &failure else { panic!("{failure:?}") };
    assert!(*solver == SolverName::Lemke && reason.contains("plane"), "{failure}");
}

/// The law of a pyramid from its definition: u_N ≥ 0, r_N ≥ 0, u_N r_N = 0, and r_T is, of all points of the polygon
/// with vertices μ r_N dₖ, one that dissipates most.
fn law_defect(problem: &Problem, n: usize, u: &[f64], r: &[f64]) -> f64 {
    let mut worst = 0.0_f64;
    for ((u, r), mu) in u.chunks(3).zip(r.chunks(3)).zip(problem.mu()) {
        let vertex = |k: usize| {
            let angle = k as f64 * std::f64::consts::TAU / n as f64;
            [mu * r[0] * angle.cos(), mu * r[0] * angle.sin()]
        };
        let work = |t: [f64; 2]| t[0] * u[1] + t[1] * u[2];
        let most = (0..n).map(|k| work(vertex(k))).fold(f64::INFINITY, f64::min);
        // To the left of every side of the polygon.
        let outside = (0..n).map(|k| {
            let (a, b) = (vertex(k), vertex(k + 1));
            (b[1] - a[1]) * (r[1] - a[0]) - (b[0] - a[0]) * (r[2] - a[1])
        });
        let outside = outside.fold(0.0, f64::max);
        let defects = [-u[0], -r[0], (u[0] * r[0]).abs(), (work([r[1], r[2]]) - most).abs(), outside];
        worst = defects.into_iter().fold(worst, f64::max);
    }
    worst
}

#[test]
fn facets_solve_the_law_of_their_pyramid_even_or_odd() {
    for n in [3, 4, 5, 8, 13] {
        for seed in 0..10 {
            let problem = pile(seed, 4);
            let solver = by_name(&format!("facets-{n}")).unwrap();
            let found = solve_with(&problem, &request(), solver.as_ref(), 1000).unwrap();
            assert_eq!(solver.cones(), Cones::Faceted(n));
            let own = residual_of(Cones::Faceted(n), &problem, &found.v, &found.r).0.relative;
            assert!(own <= 1e-10, "facets-{n}, {seed}: {own}");
            let defect = law_defect(&problem, n, &found.u, &found.r);
            assert!(defect < 1e-8, "facets-{n}, {seed}: {defect}");
            // Coulomb's solution does not solve that law.
            let exact = solve(&problem, &request()).unwrap();
            assert!(law_defect(&problem, n, &exact.u, &exact.r) > 1e-4);
            assert!(residual_of(Cones::Faceted(n), &problem, &exact.v, &exact.r).0.relative > 1e-4);
        }
    }
}

#[test]
fn the_residual_of_a_pyramid_sees_every_component_of_the_force() {
    let problem = pile(3, 2);
    let solver = by_name("facets-4").unwrap();
    let found = solve_with(&problem, &request(), solver.as_ref(), 1000).unwrap();
    for k in 0..6 {
        let mut r = found.r.clone();
        r[k] += 1e-3;
        assert!(residual_of(Cones::Faceted(4), &problem, &[], &r).0.relative > 1e-5, "{k}");
    }
}

#[test]
fn more_facets_come_closer_to_coulombs_solution() {
    let problem = load("Rover4396");
    let exact = solve(&problem, &request()).unwrap();
    let distance = |n: usize| {
        let solver = by_name(&format!("facets-{n}")).unwrap();
        let found = solve_with(&problem, &Request::default(), solver.as_ref(), 1000).unwrap();
        // By Coulomb's law none of them is a solution, and the residual says so.
        assert_eq!(found.outcome, Outcome::NotConverged);
        assert_eq!(found.residual, residual(&problem, &found.v, &found.r).0);
        found.r.iter().zip(&exact.r).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let distances = [4, 16, 64].map(distance);
    assert!(distances[1] < 0.5 * distances[0] && distances[2] < 0.5 * distances[1], "{distances:?}");
}

#[test]
fn the_answer_names_both_laws() {
    let options = SolveOptions { solver: Some(SolverName::Facets(6)), ..SolveOptions::default() };
    let solved = solve_problem(pile(5, 3), &options).unwrap();
    let law = solved.faceted.unwrap();
    assert_eq!((law.facets, law.is_solved(), solved.study.answer()), (6, true, Answer::NotConverged));
    assert!(solved.is_answered() && solved.study.solution.residual.relative > 1e-4);
    // In the plane the cone has two edges as it is.
    let planar = local(2, &[0.5], &[vec![1.0, 0.2], vec![0.2, 1.0]], &[-1.0, 2.0]);
    let solved = solve_problem(planar, &options).unwrap();
    assert!(solved.faceted.is_none() && solved.study.answer() == Answer::Solved);
}

#[test]
fn the_fixed_point_reaches_the_tolerance_of_the_others() {
    for name in ["fixed-point", "fixed-point-plain"] {
        let solver = by_name(name).unwrap();
        for file in
            ["Rover4396", "Confeti-ex03-Fc3D-SBM", "FrictionContactProblem00394", "OneObject-i1028-138"]
        {
            let found = solve_with(&load(file), &Request::default(), solver.as_ref(), 100).unwrap();
            assert_eq!(found.outcome, Outcome::Solved, "{name} on {file}: {:?}", found.residual);
        }
    }
    // Loads of a picometre per second are loads too: the program is solved in its own units.
    let mut problem = pile(2, 3);
    for _ in 0..2 {
        let solver = by_name("fixed-point").unwrap();
        assert_eq!(solve_with(&problem, &request(), solver.as_ref(), 200).unwrap().outcome, Outcome::Solved);
        let mechan::coulomb::Form::Local(form) = problem.form() else { panic!("a local problem") };
        let q = form.q.iter().map(|q| 1e-12 * q).collect();
        problem = Problem::local(3, problem.mu().to_vec(), &form.W.to_sparse(), q).unwrap();
    }
}
