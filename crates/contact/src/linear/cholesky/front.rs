//! The dense part of the multifrontal method: some columns of a symmetric block are eliminated, the rest is what they leave.

use std::ops::Range;

use nalgebra::{DMatrix, DMatrixViewMut};

/// Columns that are eliminated together before the rest of the block is updated.
const PANEL: usize = 48;

/// Columns of the rest that are updated by one product.
const STRIP: usize = 96;

/// Rows of a block from which products pay for their set-up.
const SMALL: usize = 32;

/// The pivot of an unknown that is held at zero.
const HELD: f64 = 1e64;

/// A symmetric block, lower triangle by columns.
#[derive(Debug, Default)]
pub(crate) struct Front {
    pub(crate) size: usize,
    pub(crate) values: Vec<f64>,
    transposed: DMatrix<f64>,
}

impl Front {
    /// Zero, of this size.
    pub(crate) fn clear(&mut self, size: usize) {
        self.size = size;
        self.values.clear();
        self.values.resize(size * size, 0.0);
    }

    /// Eliminates the first `width` columns: they become those of L, the others what is left. Pivots of at most the part
    /// `negligible` of their diagonal entry are rounding: the unknown does not matter and is held.
    pub(crate) fn eliminate(&mut self, width: usize, negligible: f64) {
        let diagonal: Vec<f64> = (0..width).map(|k| self.values[k * self.size + k]).collect();
        for first in (0..width).step_by(PANEL) {
            let end = width.min(first + PANEL);
            self.eliminate_panel(first..end, &diagonal, negligible);
            match self.size - end < SMALL {
                true => self.update_small(first, end),
                false => self.update(first, end),
            }
        }
    }

    fn eliminate_panel(&mut self, panel: Range<usize>, diagonal: &[f64], negligible: f64) {
        let n = self.size;
        for k in panel.clone() {
            let (before, after) = self.values.split_at_mut((k + 1) * n);
            let column = &mut before[k * n + k..];
            let pivot = if column[0] > negligible * diagonal[k] { column[0].sqrt() } else { HELD };
            column[0] = pivot;
            column[1..].iter_mut().for_each(|x| *x /= pivot);
            for (c, target) in after.chunks_exact_mut(n).take(panel.end - k - 1).enumerate() {
                subtract_multiple(&mut target[k + 1 + c..], column[1 + c], &column[1 + c..]);
            }
        }
    }

    /// The rest −= P Pᵀ for the panel P, column by column.
    fn update_small(&mut self, first: usize, end: usize) {
        let n = self.size;
        let (panel, rest) = self.values.split_at_mut(end * n);
        for (c, target) in rest.chunks_exact_mut(n).enumerate() {
            for k in first..end {
                let column = &panel[k * n + end + c..(k + 1) * n];
                subtract_multiple(&mut target[end + c..], column[0], column);
            }
        }
    }

    /// The same by products of matrices, strip by strip of the lower triangle.
    fn update(&mut self, first: usize, end: usize) {
        let n = self.size;
        let (panel, rest) = self.values.split_at_mut(end * n);
        let panel =
            DMatrixViewMut::from_slice_with_strides_mut(&mut panel[first * n..], n, end - first, 1, n);
        let below = panel.rows(end, n - end);
        self.transposed = below.transpose();
        for strip in (0..n - end).step_by(STRIP) {
            let width = STRIP.min(n - end - strip);
            let height = n - end - strip;
            let block = &mut rest[strip * n + end + strip..];
            let mut target = DMatrixViewMut::from_slice_with_strides_mut(block, height, width, 1, n);
            target.gemm(-1.0, &below.rows(strip, height), &self.transposed.columns(strip, width), 1.0);
        }
    }
}

/// y −= a x.
pub(crate) fn subtract_multiple(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y -= a * x);
}
