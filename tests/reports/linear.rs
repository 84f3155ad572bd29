//! A dense elimination, so that no number of a report is checked by the crate's own linear algebra.

/// The solution of a square system, by Gauss's elimination with the largest pivot of each column.
pub(crate) fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| matrix[i][k].abs().total_cmp(&matrix[j][k].abs())).unwrap();
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        for i in k + 1..n {
            let factor = matrix[i][k] / matrix[k][k];
            for j in k..n {
                matrix[i][j] -= factor * matrix[k][j];
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k][k];
    }
    right
}

/// The columns of a matrix that is given by its rows.
pub(crate) fn columns(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..rows[0].len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

#[test]
fn a_system_that_needs_a_pivot() {
    let x =
        solved(vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.0], vec![3.0, 0.0, 5.0]], vec![7.0, -1.0, 18.0]);
    for (x, expected) in x.iter().zip([1.0, 2.0, 3.0]) {
        assert!((x - expected).abs() < 1e-14);
    }
}
