//! What a contact gives to a reduced system: its rows, its columns and its own block.

use crate::linear::block::mul_add;

/// What is known of the rows and columns of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Nothing.
    Any,
    /// R = C = 1, all of them.
    Whole,
    /// The rows (1, 0) and (0, t), the columns (1, c) and (0, t), the second ones in space alone.
    Slip,
}

/// Rows, columns and own block of one contact in the reduced system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Maps<const D: usize> {
    pub(crate) shape: Shape,
    /// Unknowns of this contact: 0 to D.
    pub(crate) size: usize,
    /// Rᵢ: the rows of W that count, `size` of them.
    pub(crate) rows: [[f64; D]; D],
    /// Cᵢ by columns: the directions in which the force may change, `size` of them.
    pub(crate) columns: [[f64; D]; D],
    /// Bᵢ by rows.
    pub(crate) own: [[f64; D]; D],
}

impl<const D: usize> Maps<D> {
    /// No unknowns.
    pub(crate) const NONE: Self =
        Self { shape: Shape::Any, size: 0, rows: [[0.0; D]; D], columns: [[0.0; D]; D], own: [[0.0; D]; D] };

    /// Rᵢ = Cᵢ = 1 for the first `size` coordinates, Bᵢ = `own`.
    pub(crate) fn unit(size: usize, own: f64) -> Self {
        let shape = if size == D { Shape::Whole } else { Shape::Any };
        let mut out = Self { shape, size, ..Self::NONE };
        for k in 0..size {
            (out.rows[k][k], out.columns[k][k], out.own[k][k]) = (1.0, 1.0, own);
        }
        out
    }

    /// Whether Rᵢ = Cᵢ = 1 with all rows, and Bᵢ = 0.
    pub(crate) fn is_unit(&self) -> bool {
        *self == Self::unit(D, 0.0)
    }

    /// Whether Rᵢ = Cᵢ = 1 for the first `size` coordinates.
    pub(crate) fn is_plain(&self) -> bool {
        let unit = Self::unit(self.size, 0.0);
        self.rows == unit.rows && self.columns == unit.columns
    }

    /// The force Cᵢ x of the unknowns x.
    #[inline]
    pub(crate) fn force(&self, x: &[f64]) -> [f64; D] {
        let mut out = [0.0; D];
        for (column, x) in self.columns.iter().zip(x).take(self.size) {
            for a in 0..D {
                out[a] += column[a] * x;
            }
        }
        out
    }

    /// Row `k` of Rᵢ times `u`.
    #[inline]
    pub(crate) fn row(&self, k: usize, u: &[f64; D]) -> f64 {
        (0..D).map(|a| self.rows[k][a] * u[a]).sum()
    }
}

/// Rᵢ W_ij Cⱼ, by rows; entries beyond the sizes are 0, because unused rows and columns are.
#[inline]
pub(crate) fn reduce<const D: usize, const DD: usize>(
    w: &[f64; DD],
    left: &Maps<D>,
    right: &Maps<D>,
) -> [[f64; D]; D] {
    // columns W_ij Cⱼ
    let mut wc = [[0.0; D]; D];
    match right.shape {
        Shape::Whole => (0..D).for_each(|a| (0..D).for_each(|b| wc[b][a] = w[a * D + b])),
        Shape::Slip => {
            let [c, t] = [&right.columns[0], &right.columns[1]];
            for a in 0..D {
                wc[0][a] = (1..D).fold(w[a * D], |sum, b| sum + w[a * D + b] * c[b]);
                if D > 2 {
                    wc[1][a] = (1..D).map(|b| w[a * D + b] * t[b]).sum();
                }
            }
        }
        Shape::Any => wc.iter_mut().zip(&right.columns).for_each(|(x, c)| mul_add::<D, DD>(w, c, x)),
    }
    let mut out = [[0.0; D]; D];
    match left.shape {
        Shape::Whole => (0..D).for_each(|i| (0..D).for_each(|b| out[i][b] = wc[b][i])),
        Shape::Slip => {
            for b in 0..D {
                out[0][b] = wc[b][0];
                if D > 2 {
                    out[1][b] = (1..D).map(|i| left.rows[1][i] * wc[b][i]).sum();
                }
            }
        }
        Shape::Any => {
            for (row, r) in out.iter_mut().zip(&left.rows) {
                for (x, column) in row.iter_mut().zip(&wc) {
                    *x = (0..D).map(|i| r[i] * column[i]).sum();
                }
            }
        }
    }
    out
}
