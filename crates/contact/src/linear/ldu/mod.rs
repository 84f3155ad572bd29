//! Sparse factorisation of the mass matrix, P M Pᵀ = L D Lᵀ, with a fill-reducing order.
//!
//! Recorded matrices may be slightly unsymmetric; they are factored as given, P M Pᵀ = L D U, on the pattern of
//! M + Mᵀ. Pivots stay on the diagonal: M is positive definite up to that asymmetry. Of a matrix with one triangle alone that
//! triangle is the factor. New numbers on the same pattern are factored in the same memory, without another symbolic analysis.

mod analysis;
mod solve;

pub(crate) use solve::{HalfSolve, Triangle};

use super::MatrixError;
use super::elimination::ROOT;
use super::sparse::Sparse;
use crate::num::Tol;
use analysis::{Analysis, Shape};

/// L D U of a positive definite sparse matrix, U = Lᵀ when it is symmetric.
#[derive(Clone, Debug, Default)]
pub struct Ldu {
    analysis: Analysis,
    /// That of the pattern before, and memory for the next.
    other: Analysis,
    factors: Factors,
    /// Those of the next factorisation, which take the place of the others if it succeeds.
    next: Factors,
    work: Work,
}

/// The factors' numbers.
#[derive(Clone, Debug, Default)]
struct Factors {
    /// Rows of the entries of L, by columns.
    rows: Vec<usize>,
    /// Columns of L, and of Uᵀ; the latter empty when M is symmetric, and either when M is triangular without it.
    lower: Vec<f64>,
    upper: Vec<f64>,
    pivots: Vec<f64>,
    /// Whether Uᵀ is L.
    symmetric: bool,
}

/// Memory of the numerical phase.
#[derive(Clone, Debug, Default)]
struct Work {
    /// The upper triangles of P M Pᵀ and of its transpose, on one pattern.
    above: Vec<f64>,
    below: Vec<f64>,
    filled: Vec<usize>,
    row: Vec<f64>,
    column: Vec<f64>,
    mark: Vec<usize>,
    pattern: Vec<usize>,
}

impl Ldu {
    /// Factors `M`.
    ///
    /// # Errors
    /// `Indefinite` with the coordinate whose pivot is not positive.
    pub fn new(M: &Sparse) -> Result<Self, MatrixError> {
        let mut out = Self::default();
        out.refactor(M, f64::INFINITY)?;
        Ok(out)
    }

    /// Factors `M` in the place of the matrix before, whose factors stay if it cannot be factored; the symbolic analysis is
    /// kept if the pattern is the same. Returns the relative asymmetry max |Mᵢⱼ − Mⱼᵢ| / max |Mᵢⱼ|.
    ///
    /// # Errors
    /// `Asymmetric` if that is more than `allowed`, `Indefinite` as [`Ldu::new`].
    pub fn refactor(&mut self, M: &Sparse, allowed: f64) -> Result<f64, MatrixError> {
        if self.analysis.fits(M) && self.size() == M.ncols() {
            return self.renew(M, allowed);
        }
        std::mem::swap(&mut self.analysis, &mut self.other);
        self.analysis.set(M);
        let done = self.renew(M, allowed);
        if done.is_err() {
            std::mem::swap(&mut self.analysis, &mut self.other);
        }
        done
    }

    /// Forgets the order of elimination: the next matrix is analysed, whatever its pattern. The memory stays.
    pub(crate) fn forget_order(&mut self) {
        self.analysis.forget();
        self.other.forget();
    }

    fn renew(&mut self, M: &Sparse, allowed: f64) -> Result<f64, MatrixError> {
        let relative = match self.analysis.shape {
            Shape::Full => self.work.assemble(&self.analysis, M),
            Shape::Diagonal => 0.0,
            Shape::Upper | Shape::Lower => one_sided(M),
        };
        if relative > allowed {
            return Err(MatrixError::Asymmetric { relative, allowed });
        }
        match self.analysis.shape {
            Shape::Full => {
                self.next.symmetric = relative <= Tol::default().asymmetry_noise;
                self.next.numeric(&self.analysis, &mut self.work)?;
            }
            Shape::Diagonal | Shape::Upper | Shape::Lower => self.next.take(&self.analysis, M)?,
        }
        std::mem::swap(&mut self.factors, &mut self.next);
        Ok(relative)
    }

    /// Size of the matrix.
    pub fn size(&self) -> usize {
        self.factors.pivots.len()
    }
}

impl Work {
    /// Puts the entries of M where they go; its relative asymmetry.
    fn assemble(&mut self, analysis: &Analysis, M: &Sparse) -> f64 {
        for values in [&mut self.above, &mut self.below] {
            values.clear();
            values.resize(analysis.above.len(), 0.0);
        }
        for ((i, j, a), &place) in M.coordinates().zip(&analysis.place) {
            let (i, j) = (analysis.inverse[i], analysis.inverse[j]);
            if i <= j {
                self.above[place] = a;
            }
            if j <= i {
                self.below[place] = a;
            }
        }
        let pairs = self.above.iter().zip(&self.below);
        let (worst, scale) = pairs.fold((0.0_f64, 0.0_f64), |(worst, scale), (a, b)| {
            (worst.max((a - b).abs()), scale.max(a.abs().max(b.abs())))
        });
        if scale > 0.0 { worst / scale } else { 0.0 }
    }
}

impl Factors {
    /// Those of a diagonal or triangular M, which are its entries.
    fn take(&mut self, analysis: &Analysis, M: &Sparse) -> Result<(), MatrixError> {
        let (n, fill) = (M.ncols(), analysis.fill());
        self.symmetric = analysis.shape == Shape::Diagonal;
        self.pivots.clear();
        self.pivots.resize(n, 0.0);
        [&mut self.lower, &mut self.upper].into_iter().for_each(Vec::clear);
        self.rows.clear();
        if analysis.shape == Shape::Diagonal {
            M.coordinates().for_each(|(_, j, a)| self.pivots[j] = a);
            return self.check_pivots();
        }
        self.rows.extend_from_slice(&analysis.above.rows);
        let values = if analysis.shape == Shape::Upper { &mut self.upper } else { &mut self.lower };
        values.resize(fill, 0.0);
        for ((i, j, a), &place) in M.coordinates().zip(&analysis.place) {
            *(if i == j { &mut self.pivots[j] } else { &mut values[place] }) = a;
        }
        for (ends, pivot) in analysis.columns.windows(2).zip(&self.pivots) {
            values[ends[0]..ends[1]].iter_mut().for_each(|x| *x /= pivot);
        }
        self.check_pivots()
    }

    fn check_pivots(&self) -> Result<(), MatrixError> {
        match self.pivots.iter().position(|pivot| pivot.is_nan() || *pivot <= 0.0) {
            Some(row) => Err(MatrixError::Indefinite { row, pivot: self.pivots[row] }),
            None => Ok(()),
        }
    }

    /// Up-looking factorisation: row k of L and column k of U from those before (Davis, Direct Methods for Sparse
    /// Linear Systems, section 4.7, without square roots).
    fn numeric(&mut self, analysis: &Analysis, work: &mut Work) -> Result<(), MatrixError> {
        let (n, fill) = (analysis.order.len(), analysis.fill());
        self.rows.resize(fill, 0);
        self.lower.resize(fill, 0.0);
        self.upper.resize(if self.symmetric { 0 } else { fill }, 0.0);
        self.pivots.resize(n, 0.0);
        let Work { above, below, filled, row, column, mark, pattern } = work;
        filled.clone_from(&analysis.columns);
        for vector in [&mut *row, &mut *column] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        mark.clear();
        mark.resize(n, ROOT);
        for k in 0..n {
            pattern.clear();
            mark[k] = k;
            for place in analysis.above.range(k) {
                let i = analysis.above.row(place);
                column[i] = above[place];
                row[i] = below[place];
                reach(i, k, analysis.parent(), mark, pattern);
            }
            let diagonal = std::mem::take(&mut column[k]);
            row[k] = 0.0;
            let mut pivot = diagonal;
            for &i in pattern.iter().rev() {
                pivot -= self.eliminate(analysis.columns[i]..filled[i], i, row, column);
                self.rows[filled[i]] = k;
                filled[i] += 1;
            }
            if pivot.is_nan() || pivot <= diagonal.abs() * Tol::default().singular {
                let pivot = if diagonal > 0.0 { pivot / diagonal } else { diagonal };
                return Err(MatrixError::Indefinite { row: analysis.order[k], pivot });
            }
            self.pivots[k] = pivot;
        }
        Ok(())
    }

    /// Entry i of the current row of L and column of U, stored after those `before` it; what it takes from the pivot.
    fn eliminate(
        &mut self,
        before: std::ops::Range<usize>,
        i: usize,
        row: &mut [f64],
        column: &mut [f64],
    ) -> f64 {
        let (y, z, at) = (std::mem::take(&mut row[i]), std::mem::take(&mut column[i]), before.end);
        if self.symmetric {
            for (&k, l) in self.rows[before.clone()].iter().zip(&self.lower[before]) {
                column[k] -= l * z;
            }
            let l = z / self.pivots[i];
            self.lower[at] = l;
            return l * z;
        }
        for p in before {
            column[self.rows[p]] -= self.lower[p] * z;
            row[self.rows[p]] -= self.upper[p] * y;
        }
        self.lower[at] = y / self.pivots[i];
        self.upper[at] = z / self.pivots[i];
        self.lower[at] * z
    }
}

/// max |Mᵢⱼ − Mⱼᵢ| / max |Mᵢⱼ| of a triangular matrix.
fn one_sided(M: &Sparse) -> f64 {
    let (worst, scale) = M.coordinates().fold((0.0_f64, 0.0_f64), |(worst, scale), (i, j, a)| {
        (if i == j { worst } else { worst.max(a.abs()) }, scale.max(a.abs()))
    });
    if scale > 0.0 { worst / scale } else { 0.0 }
}

/// Adds to `pattern` the columns between `i` and the part of the tree already marked for row `k`, from the top down,
/// so that the whole pattern read backwards has every column before its parent.
fn reach(mut i: usize, k: usize, parent: &[usize], mark: &mut [usize], pattern: &mut Vec<usize>) {
    let begin = pattern.len();
    while i != ROOT && i < k && mark[i] != k {
        mark[i] = k;
        pattern.push(i);
        i = parent[i];
    }
    pattern[begin..].reverse();
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;

    fn matrix(diagonal: f64, skew: f64) -> Sparse {
        let row = |i: usize| {
            let entry = |j: usize| match i.abs_diff(j) {
                0 => diagonal + i as f64,
                1 => 1.0 + if i < j { skew } else { 0.0 },
                _ => 0.0,
            };
            (0..5).map(entry).collect()
        };
        Sparse::from_dense("M", &(0..5).map(row).collect::<Vec<Vec<f64>>>(), 5).unwrap()
    }

    fn solution(ldu: &Ldu) -> Vec<f64> {
        let mut x = vec![1.0, -2.0, 3.0, 0.5, -1.0];
        ldu.solve(&mut x);
        x
    }

    #[test]
    fn new_numbers_give_what_a_new_factorisation_gives() {
        let mut ldu = Ldu::new(&matrix(3.0, 0.0)).unwrap();
        for (diagonal, skew) in [(4.0, 0.0), (3.0, 0.2), (5.0, 0.0)] {
            let M = matrix(diagonal, skew);
            let relative = ldu.refactor(&M, 1.0).unwrap();
            assert!((relative - M.asymmetry()).abs() < 1e-15);
            assert_eq!(solution(&ldu), solution(&Ldu::new(&M).unwrap()));
        }
    }

    /// Upper and lower triangles and diagonals, beside dense elimination; the same matrix with the memory of another.
    #[test]
    fn triangles_are_their_own_factors() {
        let n = 6;
        let entry = |i: usize, j: usize| ((3 * i + 5 * j) % 7) as f64 / 10.0;
        let mut used = Ldu::default();
        for (below, above) in [(0, 2), (3, 0), (0, 0), (1, 1), (0, 4)] {
            let dense = |i: usize, j: usize| match (i == j, i > j) {
                (true, _) => 2.0 + i as f64,
                (_, true) if i - j <= below => entry(i, j) + 0.1,
                (_, false) if j > i && j - i <= above => entry(i, j) + 0.1,
                _ => 0.0,
            };
            let rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| dense(i, j)).collect()).collect();
            let M = Sparse::from_dense("M", &rows, n).unwrap();
            let b: Vec<f64> = (0..n).map(|i| 1.0 - 0.7 * i as f64).collect();
            let expected = nalgebra::DMatrix::from_fn(n, n, dense).lu();
            let expected = expected.solve(&nalgebra::DVector::from_vec(b.clone())).unwrap();
            let relative = used.refactor(&M, 1.0).unwrap();
            assert!((relative - M.asymmetry()).abs() < 1e-15);
            let mut x = b.clone();
            used.solve(&mut x);
            assert!(x.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-14), "{below} {above}: {x:?}");
            // Bᵀ M⁻¹ B = Zᵀ D⁻¹ Y of the column b and a sparse one
            let B = Sparse::from_coordinates("B", (n, 2), &[0, 1, 2, 3, 4, 5, 1], &[0, 0, 0, 0, 0, 0, 1], &{
                let mut values = b.clone();
                values.push(2.0);
                values
            })
            .unwrap();
            let (mut Y, mut Z, mut work) = (Sparse::default(), Sparse::default(), HalfSolve::default());
            used.half_solve(&B, Triangle::Lower, &mut work, &mut Y);
            used.half_solve(&B, Triangle::Upper, &mut work, &mut Z);
            for column in 0..2 {
                let mut y = vec![0.0; n];
                Y.column(0).for_each(|(k, v)| y[k] = v / used.pivots()[k]);
                let product: f64 = Z.column(column).map(|(k, z)| z * y[k]).sum();
                let wanted: f64 = B.column(column).map(|(i, v)| v * expected[i]).sum();
                assert!((product - wanted).abs() < 1e-13, "{below} {above}: {product} {wanted}");
            }
        }
    }

    #[test]
    fn what_cannot_be_factored_leaves_the_factors_as_they_were() {
        let mut ldu = Ldu::new(&matrix(3.0, 0.0)).unwrap();
        let before = solution(&ldu);
        let smaller = Sparse::from_dense("M", &[vec![-1.0]], 1).unwrap();
        assert!(matches!(ldu.refactor(&matrix(-3.0, 0.0), 1.0), Err(MatrixError::Indefinite { .. })));
        assert!(matches!(ldu.refactor(&smaller, 1.0), Err(MatrixError::Indefinite { row: 0, .. })));
        assert!(matches!(ldu.refactor(&matrix(3.0, 0.5), 0.01), Err(MatrixError::Asymmetric { .. })));
        assert_eq!(solution(&ldu), before);
    }
}
