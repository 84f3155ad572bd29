//! Enumeration, Lemke, the fixed point and the certificates look at the same random problems.

use mechan::coulomb::Cones;
use mechan::coulomb::solver::fixed_point::Acceleration;
use mechan::coulomb::solver::fixed_point::FixedPoint;
use mechan::coulomb::solver::lemke::Ending;
use mechan::coulomb::solver::lemke::Lemke;
use mechan::coulomb::solver::{Options, Task};
use mechan::coulomb::{Condensed, Form, Problem, local_residual, residual};
use mechan::enumerate::{Limits, enumerate};
use mechan::existence::{Assumption, Claim, Conclusion, Kinematics, assess};

/// A deterministic stream of numbers in [−1, 1).
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// With few values, so that degenerate cases are not rare.
    pub(crate) fn coarse(&mut self) -> f64 {
        (4.0 * self.next()).round() / 4.0
    }
}

/// A random problem: n contacts on m velocities, M = I + B Bᵀ.
pub(crate) fn random_problem(seed: u64, dim: usize, contacts: usize, m: usize) -> Problem {
    let mut s = Stream::new(seed);
    let B: Vec<Vec<f64>> = (0..m).map(|_| (0..m).map(|_| s.coarse()).collect()).collect();
    let dot = |i: usize, j: usize| (0..m).map(|k| B[i][k] * B[j][k]).sum::<f64>();
    let M: Vec<Vec<f64>> =
        (0..m).map(|i| (0..m).map(|j| dot(i, j) + if i == j { 1.0 } else { 0.0 }).collect()).collect();
    let f = (0..m).map(|_| s.coarse()).collect();
    let H: Vec<Vec<f64>> = (0..dim * contacts).map(|_| (0..m).map(|_| s.coarse()).collect()).collect();
    let w = (0..dim * contacts).map(|_| s.coarse()).collect();
    let mu = (0..contacts).map(|_| s.coarse().abs()).collect();
    Problem::from_dense(mu, &M, f, &H, w).unwrap()
}

fn condensed(problem: &Problem) -> Condensed {
    match problem.form() {
        Form::Global(global) => Condensed::new(problem.dim(), global).unwrap(),
        Form::Local(_) => panic!("a global problem was expected"),
    }
}

#[test]
fn enumeration_certificates_and_lemke_agree_on_random_planar_problems() {
    let (mut solvable, mut impossible, mut proven, mut rays) = (0, 0, 0, 0);
    for seed in 0..400 {
        let contacts = 1 + seed as usize % 3;
        let problem = random_problem(seed, 2, contacts, 1 + seed as usize / 3 % 3);
        let local = condensed(&problem).local;
        let all = enumerate(&problem, Limits::default()).unwrap();
        assert!(all.complete, "seed {seed}");
        let existence = assess(&Kinematics::of(&problem));
        match existence.conclusion() {
            Conclusion::Stable | Conclusion::Exists => {
                assert!(!all.families.is_empty(), "seed {seed}: {existence:?}");
                proven += 1;
            }
            Conclusion::Impossible => {
                assert!(all.families.is_empty(), "seed {seed}: {existence:?}");
                impossible += 1;
            }
            Conclusion::Open => {}
        }
        solvable += usize::from(!all.families.is_empty());
        for family in &all.families {
            for r in family.vertices.iter().map(|p| p.r.clone()).chain([family.centre().r]) {
                let defect = local_residual(&local, problem.mu(), &r, &mut vec![0.0; r.len()]);
                assert!(defect.relative < 1e-12, "seed {seed}: {family:?} {defect:?}");
            }
        }
        match Lemke.pivot(&Task { local: &local, mu: problem.mu() }, 1000).0 {
            Ending::Solution(r) => {
                let defect = local_residual(&local, problem.mu(), &r, &mut vec![0.0; r.len()]);
                assert!(defect.relative < 1e-9, "seed {seed}: {r:?} {defect:?}");
                assert!(!all.families.is_empty(), "seed {seed}");
            }
            Ending::Ray => rays += 1,
            ending => panic!("seed {seed}: {ending:?}"),
        }
    }
    // The sample has all kinds of problems, most of them solvable.
    assert!(
        solvable > 200 && impossible > 10 && proven > 150 && rays > 10,
        "{solvable} {impossible} {proven} {rays}"
    );
}

#[test]
fn every_verdict_of_a_random_problem_is_verified_and_ordered() {
    let mut undecided = 0;
    for seed in 0..150 {
        let dim = 2 + seed as usize % 2;
        let problem =
            Kinematics::of(&random_problem(seed, dim, 1 + seed as usize % 4, 1 + seed as usize / 3 % 4));
        let e = assess(&problem);
        let verdicts = [
            (Assumption::NoWedging, &e.no_wedging),
            (Assumption::Strong, &e.strong),
            (Assumption::Weak, &e.weak),
            (Assumption::KlarbringPang, &e.klarbring_pang),
            (Assumption::NonPenetration, &e.non_penetration),
        ];
        for (assumption, verdict) in verdicts {
            match verdict.certificate() {
                Some(proof) => {
                    let claim =
                        if verdict.holds() { Claim::Holds(assumption) } else { Claim::Fails(assumption) };
                    assert_eq!(proof.verify(&problem, claim), Ok(()), "seed {seed} {assumption:?}");
                }
                None => {
                    undecided += 1;
                    println!("{seed} dim {dim} {assumption:?} {:?}", e.margin);
                }
            }
        }
        for pair in verdicts.windows(2) {
            assert!(
                !(pair[0].1.holds() && pair[1].1.fails()),
                "seed {seed}: {:?} without {:?}",
                pair[0].0,
                pair[1].0
            );
        }
    }
    assert_eq!(undecided, 0);
}

#[test]
fn the_fixed_point_solves_problems_in_space_in_both_forms() {
    let options = Options::new(1e-8, 200);
    let mut solved = [0, 0, 0];
    let total = 40;
    for seed in 0..total {
        let problem = random_problem(seed, 3, 2, 6);
        let local = condensed(&problem).local;
        let local = Problem::local(3, problem.mu().to_vec(), &local.W.to_sparse(), local.q).unwrap();
        for acceleration in [Acceleration::Plain, Acceleration::Anderson(4)] {
            let solver = FixedPoint { cones: Cones::SecondOrder, acceleration };
            let path = solver.solve_problem(&problem, &options).unwrap();
            let defect = residual(&problem, &path.v, &path.r).0.relative;
            let count = if acceleration == Acceleration::Plain { 0 } else { 1 };
            solved[count] += usize::from(defect <= 1e-8);
        }
        let path = FixedPoint::default().solve_problem(&local, &options).unwrap();
        solved[2] += usize::from(residual(&local, &[], &path.r).0.relative <= 1e-8);
    }
    assert!(solved.iter().all(|&s| s >= 35), "{solved:?} of {total}");
}

#[test]
fn faceted_cones_come_closer_with_more_facets() {
    // A puck pushed at 30° over the ground: W = I, so that r_N = 1 and r_T opposes the slip.
    let H: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    let angle = 30f64.to_radians();
    let f = vec![1.0, -2.0 * angle.cos(), -2.0 * angle.sin()];
    let problem = Problem::from_dense(vec![0.5], &H.clone(), f, &H, vec![0.0; 3]).unwrap();
    let options = Options::new(1e-9, 100);
    let force = |cones| {
        let solver = FixedPoint { cones, acceleration: Acceleration::Plain };
        solver.solve_problem(&problem, &options).unwrap().r
    };
    let exact = [1.0, -0.5 * angle.cos(), -0.5 * angle.sin()];
    let error = |cones| force(cones).iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error(Cones::SecondOrder) < 1e-8);
    let errors = [4, 8, 32].map(|n| error(Cones::Faceted(n)));
    // The pyramid answers with one of its edges: 30° off for four, 15° for eight, 7.5° for thirty-two.
    let expected = [30f64, 15.0, 7.5].map(|off| (0.5 * off.to_radians()).sin());
    for (error, off) in errors.iter().zip(expected) {
        assert!(*error < 1.01 * off && *error > 0.1 * off, "{errors:?}");
    }
}

/// All isolated solutions by solving each mode's linear system in floating point and checking its signs.
fn brute_force(W: &nalgebra::DMatrix<f64>, q: &[f64], mu: &[f64]) -> usize {
    let n = mu.len();
    let word = |mut k: usize| -> Vec<usize> {
        (0..n)
            .map(|_| {
                let mode = k % 4;
                k /= 4;
                mode
            })
            .collect()
    };
    (0..4usize.pow(n as u32)).filter(|&k| is_solution(W, q, mu, &word(k))).count()
}

/// Modes: 0 take-off, 1 stick, 2 slip+, 3 slip−; unknown r with two equations per contact.
fn is_solution(W: &nalgebra::DMatrix<f64>, q: &[f64], mu: &[f64], word: &[usize]) -> bool {
    let size = q.len();
    let (mut A, mut b) = (nalgebra::DMatrix::zeros(size, size), nalgebra::DVector::zeros(size));
    for (i, &mode) in word.iter().enumerate() {
        let (N, T) = (2 * i, 2 * i + 1);
        for (row, k) in [(N, mode >= 1), (T, mode == 1)] {
            if k {
                A.row_mut(row).copy_from(&W.row(row));
                b[row] = -q[row];
            } else {
                A[(row, row)] = 1.0;
            }
        }
        match mode {
            2 => A[(T, N)] = mu[i],
            3 => A[(T, N)] = -mu[i],
            _ => {}
        }
    }
    let Some(r) = A.lu().solve(&b) else { return false };
    let u = W * &r + nalgebra::DVector::from_column_slice(q);
    word.iter().enumerate().all(|(i, mode)| match mode {
        0 => u[2 * i] > 0.0,
        1 => r[2 * i + 1].abs() < mu[i] * r[2 * i],
        2 => r[2 * i] > 0.0 && u[2 * i + 1] > 0.0,
        _ => r[2 * i] > 0.0 && u[2 * i + 1] < 0.0,
    })
}

#[test]
fn enumeration_counts_as_many_isolated_solutions_as_brute_force() {
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..300 {
        let n = 1 + seed as usize % 2;
        let mut s = Stream::new(seed + 1000);
        // W = B Bᵀ with tangential rows larger than normal ones: several solutions are not rare.
        let B =
            nalgebra::DMatrix::from_fn(2 * n, 2 * n, |i, _| s.next() * if i % 2 == 0 { 0.5 } else { 1.0 });
        let W = &B * B.transpose();
        let q: Vec<f64> = (0..2 * n).map(|_| s.next()).collect();
        let mu: Vec<f64> = (0..n).map(|_| 2.0 + 2.0 * s.next()).collect();
        let rows: Vec<Vec<f64>> = (0..2 * n).map(|i| (0..2 * n).map(|j| W[(i, j)]).collect()).collect();
        let rows = mechan::linear::Sparse::from_dense("W", &rows, 2 * n).unwrap();
        let problem = Problem::local(2, mu.clone(), &rows, q.clone()).unwrap();
        let all = enumerate(&problem, Limits::default()).unwrap();
        let count = brute_force(&W, &q, &mu);
        assert!(all.complete && all.families.iter().all(|family| family.dimension == 0), "seed {seed}");
        assert_eq!(all.families.len(), count, "seed {seed}: {all:?}");
        *counts.entry(count).or_insert(0) += 1;
    }
    // W is regular: a solution always exists, often more than one [ACLM11 5.7].
    assert!(!counts.contains_key(&0) && counts.keys().any(|&k| k >= 3), "{counts:?}");
}
