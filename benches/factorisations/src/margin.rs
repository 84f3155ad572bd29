//! The matrices of the margin program, Gᵀ D G over the bodies of a heap, symmetric and positive definite.

use super::heaps::{Sides, ball_lattice, brick_wall};
use super::linear::cholesky::{Cholesky, Symbolic};
use super::theirs::{columns, ldlt, llt};
use super::{Matrix, Times, error, known, shortest};
use mechan::existence::Kinematics;

pub(crate) fn compare() {
    of_problem("wall of 1000 contacts", &brick_wall(16, 10, 0.6, Sides::Walls(0.0)));
    of_problem("wall of 10 000 contacts", &brick_wall(50, 34, 0.6, Sides::Walls(0.0)));
    of_problem("wall of 100 000 contacts", &brick_wall(140, 120, 0.6, Sides::Walls(0.0)));
    of_problem("lattice of 1000 contacts", &ball_lattice(7, 0.5, Sides::Walls(0.0)));
    of_problem("lattice of 10 000 contacts", &ball_lattice(15, 0.5, Sides::Walls(0.0)));
}

fn of_problem(name: &str, problem: &Kinematics) {
    let n = problem.velocities();
    let cliques: Vec<Vec<u32>> = (0..problem.contacts())
        .map(|i| {
            let rows = i * problem.dim..(i + 1) * problem.dim;
            let mut columns: Vec<u32> = rows.flat_map(|k| problem.H.row(k).map(|(j, _)| j as u32)).collect();
            columns.sort_unstable();
            columns.dedup();
            columns
        })
        .collect();
    let cliques: Vec<&[u32]> = cliques.iter().map(Vec::as_slice).collect();
    let symbolic = Symbolic::new(n, &cliques);
    let mut entries = lower(problem);
    entries.sort_unstable_by_key(|&(i, j, _)| (j, i));
    let matrix = Matrix { name, unknowns: n, entries: symbolic.lower.rows.len() };
    let mut values = vec![0.0; symbolic.lower.rows.len()];
    for &(i, j, a) in &entries {
        let (i, j) = (symbolic.place[i], symbolic.place[j]);
        values[symbolic.lower.position(i.max(j), i.min(j))] += a;
    }
    println!("# {name}: {:.3e} multiplications", symbolic.work());
    let order = shortest(|| Symbolic::new(n, &cliques));
    let numbers = shortest(|| Cholesky::new(&symbolic, &values, 1e-15));
    let (factor, exact) = (Cholesky::new(&symbolic, &values, 1e-15), known(n));
    let mut b = vec![0.0; n];
    for &(i, j, a) in &entries {
        b[i] += a * exact[j];
        if i != j {
            b[j] += a * exact[i];
        }
    }
    let mut x = b.clone();
    let solve = shortest(|| {
        x.copy_from_slice(&b);
        factor.solve(&symbolic, &mut x);
    });
    matrix.print("ours: Cholesky", Some(Times { order, numbers, solve, error: error(&x, &exact) }));
    let A = columns(n, entries.into_iter());
    matrix.print("faer: LLT", llt(&A));
    matrix.print("faer: LDLT", ldlt(&A));
}

/// The lower triangle of Hᵀ D H + δ, D different for every row.
fn lower(problem: &Kinematics) -> Vec<(usize, usize, f64)> {
    let mut out: Vec<(usize, usize, f64)> = (0..problem.velocities()).map(|j| (j, j, 1e-3)).collect();
    for k in 0..problem.H.count() {
        let weight = 1.0 + ((7 * k) % 13) as f64;
        for (i, a) in problem.H.row(k) {
            out.extend(problem.H.row(k).filter(|&(j, _)| j <= i).map(|(j, b)| (i, j, weight * a * b)));
        }
    }
    out
}
