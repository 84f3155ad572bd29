//! Problems recorded by simulations of the field (their origin is in each file's `source`): every one is solved by
//! the automatic sequence, and judged here by a residual written a second time from its definition.

use std::path::PathBuf;

use mechan::answer::solve;
use mechan::coulomb::solver::by_name;
use mechan::coulomb::{Form, Outcome, Problem, Request, Warning, read_file, solve_with, write_file};

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/incremental/problems")
}

pub(crate) fn load(name: &str) -> Problem {
    let plain = folder().join(format!("{name}.json"));
    let path = if plain.exists() { plain } else { folder().join(format!("{name}.json.gz")) };
    read_file(&path).unwrap()
}

fn every_file() -> Vec<PathBuf> {
    let mut out: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    out.sort();
    assert!(out.len() >= 30);
    out
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Distance of r to the projection of r − ũ on the cone, found by bisection on the multiplier of the cone
/// constraint instead of the closed form.
fn coulomb_defect(problem: &Problem, u: &[f64], r: &[f64]) -> f64 {
    let d = problem.dim();
    let mut sum = 0.0;
    for (c, &mu) in problem.mu().iter().enumerate() {
        let (u, r) = (&u[c * d..(c + 1) * d], &r[c * d..(c + 1) * d]);
        let mut x: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
        x[0] -= mu * norm(&u[1..]);
        let t = norm(&x[1..]);
        // nearest point (n, s) with s ≤ μ n in the half plane n = normal, s = length of the tangential part
        let distance = |n: f64| (n - x[0]).powi(2) + (t - t.min(mu * n)).powi(2);
        let (mut low, mut high) = (0.0, x[0].abs() + t + 1.0);
        for _ in 0..300 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if distance(a) < distance(b) { high = b } else { low = a }
        }
        let n = 0.5 * (low + high);
        let s = t.min(mu * n);
        let p: Vec<f64> =
            std::iter::once(n).chain(x[1..].iter().map(|x| if t > 0.0 { x / t * s } else { 0.0 })).collect();
        sum += r.iter().zip(&p).map(|(r, p)| (r - p).powi(2)).sum::<f64>();
    }
    sum.sqrt()
}

/// The relative residual, without the crate's sparse kernels.
fn independent_residual(problem: &Problem, v: &[f64], r: &[f64]) -> f64 {
    let mut u = vec![0.0; r.len()];
    match problem.form() {
        Form::Local(local) => {
            u.copy_from_slice(&local.q);
            local.W.to_sparse().coordinates().for_each(|(i, j, w)| u[i] += w * r[j]);
            coulomb_defect(problem, &u, r) / norm(&local.q).max(norm(r)).max(norm(&u))
        }
        Form::Global(g) => {
            u.copy_from_slice(&g.w);
            let (mut force, mut momentum) = (vec![0.0; v.len()], vec![0.0; v.len()]);
            for (i, j, h) in g.Ht.coordinates() {
                u[j] += h * v[i];
                force[i] += h * r[j];
            }
            g.M.coordinates().for_each(|(i, j, m)| momentum[i] += m * v[j]);
            let rest: Vec<f64> = (0..v.len()).map(|i| momentum[i] + g.f[i] - force[i]).collect();
            let contact = norm(&u).max(norm(r));
            norm(&rest) / norm(&g.f).max(norm(&momentum)).max(norm(&force))
                + if contact > 0.0 { coulomb_defect(problem, &u, r) / contact } else { 0.0 }
        }
    }
}

#[test]
fn the_automatic_sequence_solves_every_file() {
    for path in every_file() {
        let problem = read_file(&path).unwrap();
        let solution = solve(&problem, &Request::default()).unwrap();
        assert_eq!(solution.outcome, Outcome::Solved, "{} {:?}", problem.name(), solution.residual);
        let independent = independent_residual(&problem, &solution.v, &solution.r);
        // the ternary search of the independent projection is good to the square root of rounding
        assert!(independent <= 2e-8, "{}: {independent}", problem.name());
        assert_eq!(solution.statuses.len(), problem.contacts());
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let problem = load("OneObject-i1028-138");
    let first = solve(&problem, &Request::default()).unwrap();
    let second = solve(&problem, &Request::default()).unwrap();
    assert!(first.r.iter().zip(&second.r).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn every_solver_solves_what_it_is_meant_for() {
    let easy = [
        "Rover4516",
        "Rover1039",
        "FrictionContactProblem00071",
        "Confeti-ex03-Fc3D-SBM",
        "GFC3D_OneContact",
    ];
    let hyperstatic = ["Capsules-i101-404", "OneObject-i1028-138", "BoxesStack1-i100000-32"];
    let table: [(&str, &[&str]); 5] = [
        ("gauss-seidel", &easy),
        ("alart-curnier", &easy),
        ("fischer-burmeister", &hyperstatic),
        ("proximal", &hyperstatic),
        ("gradient", &easy),
    ];
    for (name, problems) in table {
        let solver = by_name(name).unwrap();
        for file in problems {
            let problem = load(file);
            let s = solve_with(&problem, &Request::default(), solver.as_ref(), 3000).unwrap();
            assert_eq!(s.outcome, Outcome::Solved, "{name} on {file}: {:?}", s.residual);
        }
    }
}

#[test]
fn unsymmetric_matrices_are_used_as_given_and_reported() {
    let problem = load("OneObject-i1028-138");
    let relative = problem.warnings().iter().find_map(|w| match w {
        Warning::AsymmetricDelassus { relative } => Some(*relative),
        Warning::AsymmetricMass { .. } => None,
    });
    assert!(relative.unwrap() > 1e-5, "{relative:?}");
    // the solution of the symmetrised problem does not solve the problem
    let Form::Local(local) = problem.form() else { panic!("a local problem") };
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for (i, j, _) in local.W.to_sparse().coordinates() {
        rows.push(i);
        cols.push(j);
        vals.push(0.5 * (local.W.get(i, j) + local.W.get(j, i)));
    }
    let n = problem.rows();
    let W = mechan::linear::Sparse::from_coordinates("W", (n, n), &rows, &cols, &vals).unwrap();
    let symmetric = Problem::local(3, problem.mu().to_vec(), &W, local.q.clone()).unwrap();
    let other = solve(&symmetric, &Request::default()).unwrap();
    assert!(independent_residual(&problem, &[], &other.r) > 1e-8);
}

#[test]
fn the_recorded_mass_matrix_is_used_with_a_warning() {
    let problem = load("LMGC_GlobalFrictionContactProblem00046");
    assert!(matches!(problem.warnings(), [Warning::AsymmetricMass { relative }] if *relative < 1e-6));
}

#[test]
fn written_files_read_back_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [("Rover4396", "a.json"), ("GFC3D_Example1", "b.json.gz"), ("CubeH8", "c.json")] {
        let problem = load(name);
        let path = folder.path().join(file);
        write_file(&problem, &path).unwrap();
        assert_eq!(read_file(&path).unwrap(), problem);
    }
}
