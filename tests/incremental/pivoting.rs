//! Lemke's method against the exact enumeration: regular, rank-deficient, unsymmetric and frictionless problems.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

use mechan::coulomb::solver::lemke::{CONTACTS, Ending, Lemke};
use mechan::coulomb::solver::{Options, Solver, Task, Workspace};
use mechan::coulomb::{Form, Local, Problem, local_residual};
use mechan::enumerate::{Enumeration, Family, Limits, enumerate};
use mechan::linear::Sparse;

use crate::stream::{Stream, gram};

pub(crate) fn planar(W: &[Vec<f64>], q: Vec<f64>, mu: Vec<f64>) -> Problem {
    Problem::local(2, mu, &Sparse::from_dense("W", W, q.len()).unwrap(), q).unwrap()
}

fn form(problem: &Problem) -> &Local {
    match problem.form() {
        Form::Local(local) => local,
        Form::Global(_) => panic!("a local problem was made"),
    }
}

fn pivot(problem: &Problem) -> Ending {
    Lemke.pivot(&Task { local: form(problem), mu: problem.mu() }, 10_000).0
}

/// Distance of x, by its largest component, to the convex hull of `points` plus the cone of `rays`: the linear program
/// min z, |Σ λ p + Σ ρ d − x| ≤ z, Σ λ = 1, λ, ρ ≥ 0.
pub(crate) fn distance(points: &[Vec<f64>], rays: &[Vec<f64>], x: &[f64]) -> f64 {
    let (n, m) = (points.len(), points.len() + rays.len());
    let unit = |j: usize, k: usize, x: f64| if j == k { x } else { 0.0 };
    let mut rows: Vec<Vec<f64>> = vec![(0..=m).map(|j| if j < n { 1.0 } else { 0.0 }).collect()];
    let mut b = vec![1.0];
    for sign in [1.0, -1.0] {
        for k in 0..x.len() {
            rows.push(points.iter().chain(rays).map(|p| sign * p[k]).chain([-1.0]).collect());
            b.push(sign * x[k]);
        }
    }
    rows.extend((0..m).map(|i| (0..=m).map(|j| unit(i, j, -1.0)).collect()));
    b.extend(vec![0.0; m]);
    let cones = [SupportedConeT::ZeroConeT(1), SupportedConeT::NonnegativeConeT(rows.len() - 1)];
    let objective: Vec<f64> = (0..=m).map(|j| unit(j, m, 1.0)).collect();
    program(&objective, &rows, &b, &cones).expect("weights exist")[m]
}

/// min qᵀx with b − A x in the cones, as good as it gets; none if that is impossible.
pub(crate) fn program(
    q: &[f64],
    A: &[Vec<f64>],
    b: &[f64],
    cones: &[SupportedConeT<f64>],
) -> Option<Vec<f64>> {
    let settings = DefaultSettings { verbose: false, presolve_enable: false, ..DefaultSettings::default() };
    let P = CscMatrix::zeros((q.len(), q.len()));
    let mut solver = DefaultSolver::new(&P, q, &CscMatrix::from(A), b, cones, settings).unwrap();
    solver.solve();
    let impossible = [SolverStatus::PrimalInfeasible, SolverStatus::AlmostPrimalInfeasible];
    (!impossible.contains(&solver.solution.status)).then(|| solver.solution.x.clone())
}

pub(crate) fn contains(all: &Enumeration, r: &[f64]) -> bool {
    let size = r.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let forces = |points: &[mechan::enumerate::Point]| -> Vec<Vec<f64>> {
        points.iter().map(|p| p.r.clone()).collect()
    };
    let near = |f: &Family| distance(&forces(&f.vertices), &forces(&f.rays), r) <= 1e-6 * size;
    all.families.iter().any(near)
}

/// What happened to a sample of problems.
#[derive(Debug, Default)]
struct Counts {
    solved: usize,
    rays: usize,
    impossible: usize,
}

/// Every point that Lemke's method returns is one of the enumerated solutions.
fn compare(problems: impl Iterator<Item = Problem>) -> Counts {
    let mut counts = Counts::default();
    for (k, problem) in problems.enumerate() {
        let all = enumerate(&problem, Limits::default()).unwrap();
        assert!(all.complete);
        counts.impossible += usize::from(all.families.is_empty());
        match pivot(&problem) {
            Ending::Solution(r) => {
                counts.solved += 1;
                let defect = local_residual(form(&problem), problem.mu(), &r, &mut vec![0.0; r.len()]);
                assert!(defect.relative < 1e-9, "{k}: {defect:?}");
                assert!(contains(&all, &r), "{k}: {r:?} {all:?}");
            }
            Ending::Ray => counts.rays += 1,
            ending => panic!("{k}: {ending:?}"),
        }
    }
    counts
}

#[test]
fn the_distance_to_a_hull_is_the_distance() {
    let square = [vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0], vec![0.0, 1.0]];
    assert!(distance(&square, &[], &[0.3, 0.9]) < 1e-6);
    assert!((distance(&square, &[], &[1.0, 3.0]) - 2.0).abs() < 1e-6);
    assert!(distance(&square, &[vec![0.0, 2.0]], &[0.5, 9.0]) < 1e-6);
    assert!(distance(&square[..1], &[vec![0.0, 2.0]], &[1.0, 9.0]) > 0.9);
}

#[test]
fn regular_problems_are_solved_or_end_on_a_ray() {
    let problem = |seed: u64| {
        let mut s = Stream::new(seed);
        let n = 1 + seed as usize % 4;
        let W = gram(&mut s, 2 * n, 2 * n);
        planar(&W, (0..2 * n).map(|_| s.next()).collect(), (0..n).map(|_| 1.0 + s.next()).collect())
    };
    let counts = compare((0..200).map(problem));
    // W is positive definite: a solution exists, and the matrix of the complementarity problem is copositive.
    assert_eq!((counts.impossible, counts.solved), (0, 200), "{counts:?}");
}

#[test]
fn rank_deficient_and_degenerate_problems_do_not_cycle() {
    // Numbers of few values: ties in every ratio test.
    let problem = |seed: u64| {
        let mut s = Stream::new(seed);
        let (n, rank) = (2 + seed as usize % 3, 1 + seed as usize % 3);
        let G: Vec<Vec<f64>> = (0..2 * n).map(|_| (0..rank).map(|_| s.coarse()).collect()).collect();
        let dot = |i: usize, j: usize| (0..rank).map(|k| G[i][k] * G[j][k]).sum();
        let W: Vec<Vec<f64>> = (0..2 * n).map(|i| (0..2 * n).map(|j| dot(i, j)).collect()).collect();
        // Every second load can be balanced, the others may be unsolvable.
        let load: Vec<f64> = (0..rank).map(|_| s.coarse()).collect();
        let balanced = |i: usize| -> f64 { G[i].iter().zip(&load).map(|(g, l)| g * l).sum() };
        let q = (0..2 * n).map(|i| if seed.is_multiple_of(2) { balanced(i) } else { s.coarse() }).collect();
        planar(&W, q, (0..n).map(|_| 2.0 * s.coarse().abs()).collect())
    };
    let counts = compare((0..300).map(problem));
    assert!(counts.solved > 150 && counts.impossible > 30 && counts.rays >= counts.impossible, "{counts:?}");
}

#[test]
fn unsymmetric_problems_are_used_as_given() {
    let problem = |seed: u64| {
        let mut s = Stream::new(seed + 500);
        let n = 1 + seed as usize % 3;
        let mut W = gram(&mut s, 2 * n, 2 * n);
        for i in 0..2 * n {
            for j in 0..i {
                let skew = s.next();
                W[i][j] += skew;
                W[j][i] -= skew;
            }
        }
        planar(&W, (0..2 * n).map(|_| s.next()).collect(), (0..n).map(|_| 1.0 + s.next()).collect())
    };
    let counts = compare((0..150).map(problem));
    assert!(counts.solved > 120, "{counts:?}");
}

#[test]
fn frictionless_problems_of_any_rank_are_solved() {
    // Without friction and with q in the range of W the quadratic program is bounded, and Lemke's method ends at its
    // solution [Cottle, Pang & Stone, theorem 4.4.13].
    let problem = |seed: u64| {
        let mut s = Stream::new(seed + 900);
        let n = 1 + seed as usize % 5;
        let W = gram(&mut s, 2 * n, n);
        let load: Vec<f64> = (0..2 * n).map(|_| s.next()).collect();
        let q = W.iter().map(|row| row.iter().zip(&load).map(|(w, l)| w * l).sum()).collect();
        planar(&W, q, vec![0.0; n])
    };
    let counts = compare((0..150).map(problem));
    assert_eq!((counts.solved, counts.rays), (150, 0), "{counts:?}");
}

#[test]
fn a_ray_leaves_the_start_as_it_was() {
    // Painlevé's paradox without solution: W = (1, 2)(1, 2)ᵀ, μ = 1.
    let problem = planar(&[vec![1.0, 2.0], vec![2.0, 4.0]], vec![-1.0, 1.0], vec![1.0]);
    assert_eq!(pivot(&problem), Ending::Ray);
    let mut r = [0.25, 0.125];
    Lemke.solve(
        &Task { local: form(&problem), mu: problem.mu() },
        &Options::new(1e-8, 100),
        &mut Workspace::default(),
        &mut r,
    );
    assert!(r.iter().zip([0.25_f64, 0.125]).all(|(a, b)| a.to_bits() == b.to_bits()), "{r:?}");
}

#[test]
fn space_and_size_are_refused_before_any_work() {
    assert!(Lemke.refusal(2, CONTACTS).is_none());
    assert!(Lemke.refusal(2, CONTACTS + 1).unwrap().contains("1001"));
    assert!(Lemke.refusal(3, 1).unwrap().contains("plane"));
}
