//! The speeds that a mechanism itself knows: that of a coordinate if all of the energy were in it, √(2 E (M⁻¹)ᵢᵢ). What is far
//! below them is the rounding of other numbers, and has no size of its own that an error could be relative to.

use super::mechanics::Mechanics;
use super::sizes::BALANCED;
use crate::model::{Output, Values};
use crate::num::{Magnitude, Tol, dense};

/// Those speeds, and the memory to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    mass: Vec<f64>,
    column: Vec<f64>,
    /// (M⁻¹)ᵢᵢ.
    mobilities: Vec<f64>,
    /// What the forces on the coordinates are made of, and the step in which that was looked up last.
    terms: Vec<f64>,
    looked: Option<usize>,
    inputs: Vec<Magnitude>,
    values: Values<Magnitude>,
    /// Sizes of the forces on the coordinates.
    forces: Vec<f64>,
    speeds: Vec<f64>,
}

/// Steps for which the sizes of the terms of forces are those of one state: they cost some tens of evaluations.
const LOOKED_UP: usize = 256;

impl Reach {
    /// Another motion begins.
    pub(super) fn begin(&mut self) {
        self.looked = None;
    }

    /// At the state that was evaluated last, with the kinetic energy given and what the terms of forces could add to it within h; none
    /// where M is singular; and (M⁻¹)ᵢᵢ. `steps` says how far the motion has come.
    pub(super) fn speeds(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        (energy, h): (f64, f64),
        steps: usize,
    ) -> Option<(&[f64], &[f64])> {
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
        if self.looked.is_none_or(|looked| steps >= looked + LOOKED_UP) {
            self.look_up(mechanics);
            self.looked = Some(steps);
        }
        mechanics.force_sizes(&mut self.forces);
        self.forces
            .iter_mut()
            .zip(&self.terms)
            .for_each(|(force, terms)| *force = force.max(BALANCED * terms));
        let gained = |(force, mobility): (&f64, &f64)| force * force * mobility;
        let driven: f64 = self.forces.iter().zip(&self.mobilities).map(gained).sum();
        let energy = energy + 0.5 * h * h * driven;
        self.speeds.clear();
        self.speeds.extend(self.mobilities.iter().map(|mobility| (2.0 * energy * mobility).sqrt()));
        Some((&self.speeds, &self.mobilities))
    }

    /// Sums of the magnitudes of the terms of inertial, potential and applied forces: weight and spring may be in balance.
    #[cold]
    fn look_up(&mut self, mechanics: &Mechanics<'_>) {
        let kernel = mechanics.motion.kernel();
        let given = kernel.given(mechanics.work.values());
        self.inputs.clear();
        self.inputs.extend(given.iter().map(|&x| Magnitude::new(x, 0.0)));
        kernel.evaluate(&self.inputs, &mut self.values);
        let own = [Output::Inertial, Output::Potential, Output::Applied];
        let size = |i: usize| own.iter().map(|&block| kernel.block(&self.values, block)[i].size).sum::<f64>();
        self.terms.clear();
        self.terms.extend((0..mechanics.layout().coordinates).map(size));
    }
}
