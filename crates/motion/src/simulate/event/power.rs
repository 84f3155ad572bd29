//! The power of what acts on a mechanism from outside, and that of friction.

use super::mechanics::Mechanics;
use crate::model::{Block, Kernel, Output};
use crate::num::dense;
use crate::simulate::drive::Moving;
use crate::simulate::smooth::ContactMotion;
use crate::tape::View;

impl Mechanics<'_> {
    /// Power of applied forces and of what moves by prescription, and that of friction, as the clock has them.
    pub(super) fn powers(&mut self, v: &[f64], factor: f64) -> [f64; 2] {
        let work = if self.worked { self.outer_power(v, factor) } else { 0.0 };
        let (d, forces) = (self.layout().tangents, self.work.forces());
        let slips = self.block(Block::Slip);
        let mut friction = 0.0;
        for (contact, motion) in self.motions.iter().enumerate() {
            // λ_T does work on the slip only where there is some
            if let ContactMotion::Slips { .. } | ContactMotion::Turns { .. } = motion {
                let row = self.row(contact);
                friction += (0..d).map(|k| forces[row + 1 + k] * slips[contact * d + k]).sum::<f64>();
            }
        }
        [work, friction]
    }

    /// Power of applied forces, and of surfaces, constraints and bodies that move by prescription.
    fn outer_power(&mut self, v: &[f64], factor: f64) -> f64 {
        let d = self.layout().tangents;
        let mut work = factor * dense::dot(self.block(Output::Applied), v);
        let forces = self.work.forces();
        for contact in 0..self.layout().contacts {
            let row = self.row(contact);
            work -= forces[row] * self.block(Output::GapRate)[contact];
            for k in 0..d {
                work -= forces[row + 1 + k] * self.block(Output::SlipRate)[contact * d + k];
            }
        }
        if self.layout().constraints > 0 {
            self.reactions();
            work -= dense::dot(self.block(Output::ConstraintRate), &self.reactions);
        }
        work + self.driven_power(factor)
    }

    /// Power of what moves by prescription inside the bodies' positions.
    fn driven_power(&mut self, factor: f64) -> f64 {
        let Some((drive, mut memory)) = self.drive.take() else { return 0.0 };
        let (t, state) = (self.state()[0], &self.state()[1..]);
        let (q, v) = state.split_at(self.layout().coordinates);
        let moving = Moving { t, q, v, vdot: self.work.acceleration(), factor };
        let blocks = [Output::MassMatrix, Output::Inertial, Output::Potential].map(|block| self.block(block));
        let power = drive.power(&moving, blocks, &mut memory);
        self.drive = Some((drive, memory));
        power
    }
}

/// Whether applied forces, surfaces or constraints can do work: whether one of their numbers is other than zero by construction.
pub(super) fn is_worked_on(kernel: &Kernel) -> bool {
    let views: Vec<View> = kernel.tape().values().collect();
    let is_zero = |view: View| matches!(view, View::Constant(x) if x.abs() <= 0.0);
    let outer = [Output::Applied, Output::GapRate, Output::SlipRate, Output::ConstraintRate];
    let places: Vec<usize> = outer.into_iter().flat_map(|block| kernel.range(block)).collect();
    let outputs: Vec<usize> = kernel.tape().output_values().collect();
    places.into_iter().any(|place| !is_zero(views[outputs[place]]))
}
