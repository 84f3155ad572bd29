//! The energy of a motion, and what changed it: what was set from outside beside works, friction and impacts.

use super::Stepper;
use crate::model::Output;
use crate::simulate::trajectory::{Drift, EnergyBalance};

/// The energy of a motion and what changed it: final − initial = work + friction + impacts + defect, where the work is that of all that is
/// applied or moves by prescription, and of what was set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Books {
    /// The balance.
    pub energy: EnergyBalance,
    /// The part of the work that came with settings of parameters and of the state, at once.
    pub set: f64,
}

/// Sums over a motion, or over a part of one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// T + V at the start.
    pub(super) initial: f64,
    /// Works of applied forces, friction and impacts.
    pub(super) works: [f64; 3],
    /// What settings changed.
    pub(super) set: f64,
    /// What the springs of compliant contacts hold.
    pub(super) springs: f64,
    pub(super) drift: Drift,
}

impl Sums {
    /// Takes a part into account.
    pub(super) fn include(&mut self, part: &Self) {
        self.works.iter_mut().zip(part.works).for_each(|(sum, work)| *sum += work);
        self.drift.include(part.drift.gap, part.drift.rate);
    }
}

impl Stepper {
    /// T + V of the present state.
    pub fn energy(&mut self) -> f64 {
        let (state, kernel) = (&self.start.state, &self.shared.energies);
        kernel.set_parameters(&state.parameters, &mut self.energies);
        // energies need no M
        let _ = kernel.solve_at(state.t, &state.q, &state.v, &mut self.energies);
        [Output::KineticEnergy, Output::PotentialEnergy]
            .map(|of| kernel.block(&self.energies, of)[0])
            .iter()
            .sum()
    }

    /// The energy of the motion so far, and what changed it.
    pub fn books(&mut self) -> Books {
        let Sums { initial, works: [work, friction, impacts], set, springs, .. } = self.sums;
        let last = self.energy() + springs;
        Books { energy: EnergyBalance::new([initial, last], work + set, friction, impacts), set }
    }

    /// Changes something from outside, with its energy; where that fails, nothing is changed.
    pub(super) fn setting<E>(&mut self, change: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let before = self.energy();
        change(self)?;
        self.sums.set += self.energy() - before;
        Ok(())
    }
}
