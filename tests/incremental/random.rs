//! Problems with known solutions by construction: choose u and r in Coulomb's law, then q = u − W r.

use mechan::answer::solve;
use mechan::coulomb::solver::by_name;
use mechan::coulomb::{Outcome, Problem, Request, residual, solve_with};
use mechan::linear::Sparse;
use proptest::prelude::{ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, proptest};
use proptest::strategy::ValueTree;

/// A pair (u, r) of one contact in Coulomb's law: take-off, stick or slip by `kind`.
fn pair(dim: usize, kind: u8, mu: f64, x: [f64; 4]) -> (Vec<f64>, Vec<f64>) {
    let normal = 0.1 + x[0].abs();
    let t = if dim == 2 { vec![x[1].signum()] } else { vec![x[1].cos(), x[1].sin()] };
    let scaled = |a: f64, b: f64| std::iter::once(a).chain(t.iter().map(|t| t * b)).collect::<Vec<_>>();
    match kind % 3 {
        0 => (scaled(normal, x[2]), scaled(0.0, 0.0)),
        1 => (scaled(0.0, 0.0), scaled(normal, mu * normal * x[3].sin())),
        _ => (scaled(0.0, 0.1 + x[2].abs()), scaled(normal, -mu * normal)),
    }
}

#[derive(Clone, Debug)]
struct Case {
    problem: Problem,
    r: Vec<f64>,
}

/// W = G Gᵀ (rank `rank`) plus `gyro` times a skew matrix, nc contacts.
fn case(dim: usize, nc: usize, rank: usize, gyro: f64) -> impl Strategy<Value = Case> {
    let n = dim * nc;
    let contacts = prop::collection::vec((0u8..3, 0.0..1.2, prop::array::uniform4(-2.0..2.0f64)), nc);
    let numbers = prop::collection::vec(-1.0..1.0f64, n * rank + n * n);
    (contacts, numbers).prop_map(move |(contacts, x)| {
        let (G, K) = x.split_at(n * rank);
        let entry = |i: usize, j: usize| {
            let w: f64 = (0..rank).map(|k| G[i * rank + k] * G[j * rank + k]).sum();
            w + gyro * (K[i * n + j] - K[j * n + i])
        };
        let W: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let (mut u, mut r, mut mu) = (vec![], vec![], vec![]);
        for (kind, m, x) in contacts {
            let (a, b) = pair(dim, kind, m, x);
            u.extend(a);
            r.extend(b);
            mu.push(m);
        }
        let q = (0..n).map(|i| u[i] - W[i].iter().zip(&r).map(|(w, r)| w * r).sum::<f64>()).collect();
        let problem = Problem::local(dim, mu, &Sparse::from_dense("W", &W, n).unwrap(), q).unwrap();
        Case { problem, r }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn constructed_solutions_have_no_residual(case in case(3, 4, 15, 0.0)) {
        prop_assert!(residual(&case.problem, &[], &case.r).0.relative < 1e-13);
    }

    #[test]
    fn a_force_off_the_solution_has_a_residual(case in case(2, 3, 8, 0.0), k in 0usize..6, d in 0.01..0.5f64) {
        let mut r = case.r.clone();
        r[k] -= d + 10.0 * r[k].abs();
        prop_assert!(residual(&case.problem, &[], &r).0.relative > 1e-6);
    }

    #[test]
    fn single_contacts_in_space_are_solved(case in case(3, 1, 5, 0.0)) {
        prop_assert_eq!(solve(&case.problem, &Request::default()).unwrap().outcome, Outcome::Solved);
    }

    #[test]
    fn single_contacts_with_gyroscopic_terms_are_solved(case in case(3, 1, 6, 0.02)) {
        prop_assert_eq!(solve(&case.problem, &Request::default()).unwrap().outcome, Outcome::Solved);
    }

    #[test]
    fn regular_planar_problems_are_solved(case in case(2, 5, 14, 0.0)) {
        prop_assert_eq!(solve(&case.problem, &Request::default()).unwrap().outcome, Outcome::Solved);
    }

    #[test]
    fn regular_spatial_problems_are_solved(case in case(3, 5, 20, 0.001)) {
        prop_assert_eq!(solve(&case.problem, &Request::default()).unwrap().outcome, Outcome::Solved);
    }
}

/// Weak coupling makes the solution unique: every solver must find the same one.
#[test]
fn solvers_agree_where_the_solution_is_unique() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = case(3, 3, 9, 0.0);
    for _ in 0..40 {
        let case = strategy.new_tree(&mut runner).unwrap().current();
        let mu: Vec<f64> = case.problem.mu().iter().map(|m| 0.1 * m).collect();
        let mechan::coulomb::Form::Local(local) = case.problem.form() else { unreachable!() };
        let W = local.W.to_sparse();
        let (mut rows, mut cols, mut vals) = (vec![], vec![], vec![]);
        for (i, j, w) in W.coordinates() {
            rows.push(i);
            cols.push(j);
            vals.push(if i == j { w + 3.0 } else { 0.3 * w });
        }
        let n = case.problem.rows();
        let W = Sparse::from_coordinates("W", (n, n), &rows, &cols, &vals).unwrap();
        let problem = Problem::local(3, mu, &W, local.q.clone()).unwrap();
        let request = Request { tolerance: 1e-12, ..Request::default() };
        let reference = solve(&problem, &request).unwrap();
        for name in ["gauss-seidel", "alart-curnier", "fischer-burmeister", "proximal", "gradient"] {
            let s = solve_with(&problem, &request, by_name(name).unwrap().as_ref(), 5000).unwrap();
            let distance = s.r.iter().zip(&reference.r).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(distance < 1e-10, "{name}: {distance} {:?}", s.residual);
        }
    }
}
