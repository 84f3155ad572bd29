//! A step of a mechanism without contact, as others put it into a problem of theirs: its velocity at the end, v_free, and the matrix M̂ of
//! the step, M and what forces that depend on that velocity add to it \[J99\], with M̂(v − v_free) = Hᵀ P for what contacts do to it, up
//! to terms of the order h. Under bilateral constraints the unknowns are the independent velocities, v = N y + p.

use super::constraints::{Constraints, Motions};
use super::table::Table;
use crate::num::dense;

/// A step without contact.
#[derive(Clone, Debug, Default)]
pub struct Flight {
    /// The matrix for the unknowns, by rows.
    pub matrix: Table,
    /// The unknowns at the end of the step without contact.
    pub free: Vec<f64>,
    motions: Option<Motions>,
}

impl Flight {
    /// From all velocities, the packed matrix, and [J | j] of the constraints.
    pub(super) fn set(&mut self, velocity: &[f64], packed: &[f64], constraints: &Table) {
        let n = velocity.len();
        self.matrix.clear(n);
        (0..n).for_each(|i| self.matrix.push((0..n).map(|j| packed[dense::packed_place(i, j)])));
        self.free.clear();
        self.motions = None;
        if constraints.is_empty() {
            self.free.extend_from_slice(velocity);
            return;
        }
        let motions = Motions::new(n, &Constraints { rows: constraints.clone() });
        let mut half = Table::default();
        let mut turned = Table::default();
        half.product(&self.matrix, &motions.basis);
        turned.transpose(&half);
        half.product(&turned, &motions.basis);
        self.matrix = half;
        self.free.extend(motions.independent(velocity));
        self.motions = Some(motions);
    }

    /// A row of H for the unknowns; what it has beside them comes back.
    pub fn row(&self, h: &[f64], out: &mut Vec<f64>) -> f64 {
        out.clear();
        let Some(motions) = &self.motions else {
            out.extend_from_slice(h);
            return 0.0;
        };
        let column = |k: usize| h.iter().zip(motions.basis.rows()).map(|(x, row)| x * row[k]).sum::<f64>();
        out.extend((0..motions.basis.columns()).map(column));
        dense::dot(h, &motions.offset)
    }

    /// All velocities from the unknowns.
    pub fn velocity(&self, y: &[f64]) -> Vec<f64> {
        self.motions.as_ref().map_or_else(|| y.to_vec(), |motions| motions.expand(y))
    }
}
