//! The speeds that a mechanism itself knows: that of a coordinate if all of the energy were in it, √(2 E (M⁻¹)ᵢᵢ). What is far
//! below them is the rounding of other numbers, and has no size of its own that an error could be relative to.

use super::mechanics::Mechanics;
use crate::model::Output;
use crate::num::{Tol, dense};

/// Those speeds, and the memory to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    mass: Vec<f64>,
    column: Vec<f64>,
    /// (M⁻¹)ᵢᵢ.
    mobilities: Vec<f64>,
    /// Sums of the magnitudes of the forces on the coordinates.
    forces: Vec<f64>,
    speeds: Vec<f64>,
}

impl Reach {
    /// At the state that was evaluated last, with the kinetic energy given and what forces can add to it within h; none where M is
    /// singular.
    pub(super) fn speeds(&mut self, mechanics: &mut Mechanics<'_>, energy: f64, h: f64) -> Option<&[f64]> {
        let n = mechanics.layout().coordinates;
        self.mass.clear();
        self.mass.extend_from_slice(mechanics.block(Output::MassMatrix));
        dense::cholesky(&mut self.mass, n, Tol::default().singular).ok()?;
        self.mobilities.clear();
        for i in 0..n {
            self.column.clear();
            self.column.resize(n, 0.0);
            self.column[i] = 1.0;
            dense::solve(&self.mass, &mut self.column);
            self.mobilities.push(self.column[i]);
        }
        mechanics.force_sizes(&mut self.forces);
        let gained = |(force, mobility): (&f64, &f64)| force * force * mobility;
        let driven: f64 = self.forces.iter().zip(&self.mobilities).map(gained).sum();
        let energy = energy + 0.5 * h * h * driven;
        self.speeds.clear();
        self.speeds.extend(self.mobilities.iter().map(|mobility| (2.0 * energy * mobility).sqrt()));
        Some(&self.speeds)
    }
}
