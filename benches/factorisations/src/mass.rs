//! The mass matrix, factored once a step: ours up-looking without square roots ([`Ldu`]).

use mechan::coulomb::{Form, read_file};

use super::linear::{Ldu, Sparse};
use super::theirs::{columns, ldlt, llt};
use super::{Matrix, Times, error, known, shortest};

pub(crate) fn compare(files: &[String]) {
    for file in files {
        let problem = read_file(std::path::Path::new(file)).unwrap();
        if let Form::Global(global) = problem.form() {
            of_matrix(&format!("M of {}", problem.name()), &copied(&global.M));
        }
    }
    for size in [4, 8, 12] {
        of_matrix(&format!("M of an elastic cube {size}"), &elastic_cube(size));
    }
}

/// The same matrix as one of this program's own types.
pub(crate) fn copied(A: &mechan::linear::Sparse) -> Sparse {
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for (i, j, a) in A.coordinates() {
        rows.push(i);
        cols.push(j);
        vals.push(a);
    }
    Sparse::from_coordinates("A", (A.nrows(), A.ncols()), &rows, &cols, &vals).unwrap()
}

fn of_matrix(name: &str, M: &Sparse) {
    let n = M.ncols();
    let matrix = Matrix { name, unknowns: n, entries: M.nnz() };
    let (mut factor, exact) = (Ldu::new(M).unwrap(), known(n));
    let numbers = shortest(|| factor.refactor(M, f64::INFINITY));
    let order = shortest(|| Ldu::new(M)) - numbers;
    let mut b = vec![0.0; n];
    M.mul_add(&exact, &mut b);
    let mut x = b.clone();
    let solve = shortest(|| {
        x.copy_from_slice(&b);
        factor.solve(&mut x);
    });
    matrix.print("ours: Ldu", Some(Times { order, numbers, solve, error: error(&x, &exact) }));
    let A = columns(n, M.coordinates());
    matrix.print("faer: LDLT", ldlt(&A));
    matrix.print("faer: LLT", llt(&A));
}

/// Mass and stiffness of a cube of size³ nodes with three velocities each, joined to all their neighbours.
fn elastic_cube(size: usize) -> Sparse {
    let node = |p: [usize; 3]| (p[0] * size + p[1]) * size + p[2];
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    let mut push = |i: usize, j: usize, a: f64| {
        rows.push(i);
        cols.push(j);
        vals.push(a);
    };
    for k in 0..size.pow(3) {
        let p = [k / (size * size), k / size % size, k % size];
        for d in 0..27 {
            let step = [d / 9, d / 3 % 3, d % 3];
            let q: Vec<usize> = p.iter().zip(step).map(|(p, s)| (p + s).wrapping_sub(1)).collect();
            if q.iter().any(|&q| q >= size) {
                continue;
            }
            let j = node([q[0], q[1], q[2]]);
            for (a, b) in (0..9).map(|e| (e / 3, e % 3)) {
                let coupling =
                    if a == b { -1.0 } else { -0.1 * (step[a] as f64 - 1.0) * (step[b] as f64 - 1.0) };
                push(3 * k + a, 3 * j + b, if k == j { if a == b { 60.0 } else { 0.0 } } else { coupling });
            }
        }
    }
    Sparse::from_coordinates("M", (3 * size.pow(3), 3 * size.pow(3)), &rows, &cols, &vals).unwrap()
}
