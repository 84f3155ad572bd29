//! Variations of recorded problems, made here: a method must not depend on the friction, the order of the contacts,
//! their number, the units or the tangential frames of the files it was tried on.

use mechan::answer::solve;
use mechan::coulomb::{Form, Outcome, Problem, Request};
use mechan::linear::Sparse;

use crate::files::load;

/// The local form by coordinates.
#[derive(Clone)]
struct Plain {
    dim: usize,
    mu: Vec<f64>,
    W: Vec<(usize, usize, f64)>,
    q: Vec<f64>,
}

impl Plain {
    fn of(name: &str) -> Self {
        let problem = load(name);
        let Form::Local(local) = problem.form() else { panic!("{name} is a local problem") };
        let W = local.W.to_sparse().coordinates().collect();
        Self { dim: problem.dim(), mu: problem.mu().to_vec(), W, q: local.q.clone() }
    }

    fn problem(&self) -> Problem {
        let n = self.q.len();
        let rows: Vec<usize> = self.W.iter().map(|e| e.0).collect();
        let cols: Vec<usize> = self.W.iter().map(|e| e.1).collect();
        let vals: Vec<f64> = self.W.iter().map(|e| e.2).collect();
        let W = Sparse::from_coordinates("W", (n, n), &rows, &cols, &vals).unwrap();
        Problem::local(self.dim, self.mu.clone(), &W, self.q.clone()).unwrap()
    }

    /// The contacts `keep` in that order.
    fn select(&self, keep: &[usize]) -> Self {
        let d = self.dim;
        let place = |i: usize| keep.iter().position(|&k| k == i / d).map(|k| k * d + i % d);
        Self {
            dim: d,
            mu: keep.iter().map(|&k| self.mu[k]).collect(),
            W: self.W.iter().filter_map(|&(i, j, a)| Some((place(i)?, place(j)?, a))).collect(),
            q: keep.iter().flat_map(|&k| self.q[k * d..(k + 1) * d].to_vec()).collect(),
        }
    }

    fn scaled(&self, W: f64, q: f64) -> Self {
        let mut out = self.clone();
        out.W.iter_mut().for_each(|e| e.2 *= W);
        out.q.iter_mut().for_each(|x| *x *= q);
        out
    }

    /// The same problem with the tangents of contact k turned by k radians.
    fn turned(&self) -> Self {
        assert_eq!(self.dim, 3);
        let turn = |k: usize| {
            let (s, c) = (k as f64).sin_cos();
            [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
        };
        let mut out = Self { W: Vec::new(), q: vec![0.0; self.q.len()], ..self.clone() };
        let mut dense = vec![vec![0.0; self.q.len()]; self.q.len()];
        for &(i, j, a) in &self.W {
            let (R, S) = (turn(i / 3), turn(j / 3));
            for x in 0..3 {
                for y in 0..3 {
                    dense[i / 3 * 3 + x][j / 3 * 3 + y] += R[x][i % 3] * a * S[y][j % 3];
                }
            }
        }
        for (i, row) in dense.iter().enumerate() {
            out.W.extend(row.iter().enumerate().filter(|e| e.1.abs() > 0.0).map(|(j, &a)| (i, j, a)));
            for x in 0..3 {
                out.q[i / 3 * 3 + x] += turn(i / 3)[x][i % 3] * self.q[i];
            }
        }
        out
    }

    /// Both problems side by side.
    fn beside(&self, other: &Self) -> Self {
        let n = self.q.len();
        let mut out = self.clone();
        out.mu.extend(&other.mu);
        out.q.extend(&other.q);
        out.W.extend(other.W.iter().map(|&(i, j, a)| (i + n, j + n, a)));
        out
    }
}

fn check(what: &str, plain: &Plain) {
    let solution = solve(&plain.problem(), &Request::default()).unwrap();
    assert_eq!(solution.outcome, Outcome::Solved, "{what}: {:.1e}", solution.residual.relative);
}

const NAMES: [&str; 9] = [
    "BoxesStack1-i100000-32",
    "Confeti-ex03-Fc3D-SBM",
    "FrictionContactProblem00071",
    "LMGC_100_PR_PerioBox-i00361-60-03000",
    "NESpheres_30_1",
    "OneObject-i100000-316",
    "OneObject-i1028-138",
    "Rover1040",
    "Rover3865",
];

#[test]
fn other_friction_is_solved() {
    for name in NAMES {
        for factor in [0.2, 0.5, 1.5, 2.0] {
            let mut plain = Plain::of(name);
            plain.mu.iter_mut().for_each(|mu| *mu *= factor);
            check(&format!("{name}, friction times {factor}"), &plain);
        }
    }
}

#[test]
fn other_orders_and_fewer_contacts_are_solved() {
    for name in NAMES {
        let plain = Plain::of(name);
        let nc = plain.mu.len();
        let backwards: Vec<usize> = (0..nc).rev().collect();
        check(&format!("{name}, backwards"), &plain.select(&backwards));
        let most: Vec<usize> = (0..nc).filter(|k| k % 4 != 1).collect();
        check(&format!("{name}, a quarter of the contacts removed"), &plain.select(&most));
    }
}

#[test]
fn other_units_are_solved() {
    for name in NAMES {
        for (W, q) in [(1e6, 1.0), (1e-6, 1.0), (1e-4, 1e-3), (1.0, 1e6), (1.0, 1e-6)] {
            check(&format!("{name}, W times {W:e}, q times {q:e}"), &Plain::of(name).scaled(W, q));
        }
    }
}

#[test]
fn other_frames_are_solved() {
    for name in NAMES.into_iter().filter(|n| !n.starts_with("FrictionContactProblem")) {
        check(&format!("{name}, tangents turned"), &Plain::of(name).turned());
    }
}

#[test]
fn independent_problems_side_by_side_are_solved() {
    let (a, b) = (Plain::of("LMGC_100_PR_PerioBox-i00361-60-03000"), Plain::of("OneObject-i1028-138"));
    check("two problems", &a.beside(&b.scaled(1.0, 0.1)));
}

/// A small force scale beside the velocities, or a large one, must not turn the tolerance into one that rounding
/// forbids: the work stays about that of the problem as recorded.
#[test]
fn units_do_not_multiply_the_work() {
    for name in ["Confeti-ex03-Fc3D-SBM", "Rover1040"] {
        let plain = Plain::of(name);
        let work = |p: &Plain| solve(&p.problem(), &Request::default()).unwrap().iterations;
        let usual = work(&plain);
        for (W, q) in [(1e-6, 1.0), (1e-4, 1e-3), (1e3, 1e-3)] {
            let other = work(&plain.scaled(W, q));
            assert!(other <= 20 * usual, "{name}: {other} iterations instead of {usual}");
        }
    }
}
