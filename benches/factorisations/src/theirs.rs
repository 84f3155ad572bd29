//! faer's factorisations of a matrix by compressed columns, in memory that is there already.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, LltRef, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::lu::{LuRef, NumericLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par, Side};

use super::{Times, error, known, shortest};

type Columns = SparseColMat<usize, f64>;

pub(crate) fn columns(n: usize, entries: impl Iterator<Item = (usize, usize, f64)>) -> Columns {
    let triplets: Vec<_> = entries.map(|(i, j, a)| Triplet::new(i, j, a)).collect();
    Columns::try_new_from_triplets(n, n, &triplets).unwrap()
}

/// A times the known solution.
fn right_hand_side(A: &Columns) -> Vec<f64> {
    let x = known(A.ncols());
    let mut b = vec![0.0; A.nrows()];
    for j in 0..A.ncols() {
        A.row_idx_of_col(j).zip(A.val_of_col(j)).for_each(|(i, a)| b[i] += a * x[j]);
    }
    b
}

/// Unsymmetric LU with exchanges of rows, columns ordered by COLAMD.
pub(crate) fn lu(A: &Columns) -> Option<Times> {
    let order = shortest(|| factorize_symbolic_lu(A.symbolic(), Default::default()));
    let symbolic = factorize_symbolic_lu(A.symbolic(), Default::default()).ok()?;
    let mut memory =
        MemBuffer::new(symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()));
    let mut numeric = NumericLu::<usize, f64>::new();
    let mut factor = || {
        let stack = MemStack::new(&mut memory);
        symbolic.factorize_numeric_lu(&mut numeric, A.as_ref(), Par::Seq, stack, Default::default()).is_ok()
    };
    if !factor() {
        return None;
    }
    let numbers = shortest(factor);
    let factor = view(&symbolic, &numeric);
    let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
    let (b, exact) = (right_hand_side(A), known(A.ncols()));
    let mut x = b.clone();
    let mut solve = || {
        x.copy_from_slice(&b);
        let right = MatMut::from_column_major_slice_mut(&mut x, b.len(), 1);
        factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, MemStack::new(&mut memory));
    };
    let solve = shortest(&mut solve);
    Some(Times { order, numbers, solve, error: error(&x, &exact) })
}

fn view<'a>(
    symbolic: &'a faer::sparse::linalg::lu::SymbolicLu<usize>,
    numeric: &'a NumericLu<usize, f64>,
) -> LuRef<'a, usize, f64> {
    LuRef::new_unchecked(symbolic, numeric)
}

/// L Lᵀ of a symmetric positive definite matrix, of which the lower triangle is read; ordered by AMD.
pub(crate) fn llt(A: &Columns) -> Option<Times> {
    let symbolic = || {
        let params = CholeskySymbolicParams::default();
        factorize_symbolic_cholesky(A.symbolic(), Side::Lower, SymmetricOrdering::Amd, params)
    };
    let order = shortest(symbolic);
    let symbolic = symbolic().ok()?;
    let mut memory =
        MemBuffer::new(symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()));
    let mut values = vec![0.0; symbolic.len_val()];
    let mut factor = || {
        let stack = MemStack::new(&mut memory);
        let (none, params) = (Default::default(), Default::default());
        symbolic
            .factorize_numeric_llt(&mut values, A.as_ref(), Side::Lower, none, Par::Seq, stack, params)
            .is_ok()
    };
    if !factor() {
        return None;
    }
    let numbers = shortest(factor);
    let factor = LltRef::<usize, f64>::new(&symbolic, &values);
    let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
    let (b, exact) = (right_hand_side(&full(A)), known(A.ncols()));
    let mut x = b.clone();
    let solve = shortest(|| {
        x.copy_from_slice(&b);
        let right = MatMut::from_column_major_slice_mut(&mut x, b.len(), 1);
        factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, MemStack::new(&mut memory));
    });
    Some(Times { order, numbers, solve, error: error(&x, &exact) })
}

/// L D Lᵀ of a symmetric matrix, of which the lower triangle is read; ordered by AMD.
pub(crate) fn ldlt(A: &Columns) -> Option<Times> {
    let symbolic = || {
        let params = CholeskySymbolicParams::default();
        factorize_symbolic_cholesky(A.symbolic(), Side::Lower, SymmetricOrdering::Amd, params)
    };
    let order = shortest(symbolic);
    let symbolic = symbolic().ok()?;
    let mut memory =
        MemBuffer::new(symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default()));
    let mut values = vec![0.0; symbolic.len_val()];
    let mut factor = || {
        let stack = MemStack::new(&mut memory);
        let (none, params) = (LdltRegularization::default(), Default::default());
        symbolic
            .factorize_numeric_ldlt(&mut values, A.as_ref(), Side::Lower, none, Par::Seq, stack, params)
            .is_ok()
    };
    if !factor() {
        return None;
    }
    let numbers = shortest(factor);
    let factor = LdltRef::<usize, f64>::new(&symbolic, &values);
    let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
    let (b, exact) = (right_hand_side(&full(A)), known(A.ncols()));
    let mut x = b.clone();
    let solve = shortest(|| {
        x.copy_from_slice(&b);
        let right = MatMut::from_column_major_slice_mut(&mut x, b.len(), 1);
        factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, MemStack::new(&mut memory));
    });
    Some(Times { order, numbers, solve, error: error(&x, &exact) })
}

/// Both triangles from the lower one.
fn full(A: &Columns) -> Columns {
    let lower = A.triplet_iter().filter(|t| t.row >= t.col);
    let entries: Vec<_> = lower
        .flat_map(|t| {
            let mirrored = (t.row != t.col).then_some((t.col, t.row, *t.val));
            std::iter::once((t.row, t.col, *t.val)).chain(mirrored)
        })
        .collect();
    columns(A.ncols(), entries.into_iter())
}
