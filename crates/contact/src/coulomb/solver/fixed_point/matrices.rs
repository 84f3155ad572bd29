//! The matrices of the inner programs.

use std::collections::BTreeMap;

use clarabel::algebra::CscMatrix;

use super::gauges::Chart;
use crate::linear::Sparse;

/// Upper triangle of the symmetric part of a square matrix.
pub(super) fn upper(n: usize, entries: impl Iterator<Item = (usize, usize, f64)>) -> CscMatrix<f64> {
    let half = |(i, j, x): (usize, usize, f64)| (i.min(j), i.max(j), if i == j { x } else { 0.5 * x });
    csc(n, n, entries.map(half).collect())
}

pub(super) fn csc(m: usize, n: usize, entries: Vec<(usize, usize, f64)>) -> CscMatrix<f64> {
    let (mut rows, mut cols, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for (i, j, x) in entries {
        rows.push(i);
        cols.push(j);
        vals.push(x);
    }
    CscMatrix::new_from_triplets(m, n, rows, cols, vals)
}

/// The entries of B W Bᵀ.
pub(super) fn reduced(W: &Sparse, dim: usize, charts: &[Chart]) -> Vec<(usize, usize, f64)> {
    let mut first = vec![0];
    charts.iter().for_each(|c| first.push(first[first.len() - 1] + c.basis.len()));
    let mut entries = Vec::new();
    for (i, j, w) in W.coordinates() {
        for (a, left) in charts[i / dim].basis.iter().enumerate() {
            for (b, right) in charts[j / dim].basis.iter().enumerate() {
                entries.push((first[i / dim] + a, first[j / dim] + b, left[i % dim] * w * right[j % dim]));
            }
        }
    }
    entries
}

/// ½(W − Wᵀ), none if W is symmetric to the last bit.
pub(super) fn skew(W: &Sparse) -> Option<Sparse> {
    let mut parts: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (i, j, w) in W.coordinates() {
        *parts.entry((i, j)).or_default() += 0.5 * w;
        *parts.entry((j, i)).or_default() -= 0.5 * w;
    }
    parts.retain(|_, x| x.abs() > 0.0);
    let (places, vals): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (rows, cols): (Vec<_>, Vec<_>) = places.into_iter().unzip();
    (!vals.is_empty())
        .then(|| Sparse::from_coordinates("W", (W.nrows(), W.ncols()), &rows, &cols, &vals).ok())?
}
