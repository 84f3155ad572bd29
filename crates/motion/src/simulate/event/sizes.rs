//! What the numbers of a flow are made of: sums of the magnitudes of their terms, against which they count as zero.

use super::mechanics::{Clock, Mechanics};
use crate::model::{Block, Output};
use crate::num::dense::norm;
use crate::simulate::smooth::ContactMotion;

/// Share of the terms of a force that counts as a force where they are in balance: magnitudes bound rounding, and those of long
/// chains of bodies by far.
pub(super) const BALANCED: f64 = 1.0 / 32.0;

impl Mechanics<'_> {
    /// Sum of the magnitudes of the terms of a contact row's free acceleration.
    pub(in crate::simulate) fn acceleration_size(&self, row: usize) -> f64 {
        let terms = self.jacobian(row).iter().zip(self.block(Block::FreeAcceleration));
        let drift = self.explicit(row, Output::NormalDrift, Output::TangentDrift);
        terms.map(|(w, a)| (w * a).abs()).sum::<f64>() + drift.abs()
    }

    /// The largest of them at a contact.
    pub(in crate::simulate) fn contact_acceleration_size(&self, contact: usize) -> f64 {
        let rows = self.row(contact)..=self.row(contact) + self.layout().tangents;
        rows.map(|row| self.acceleration_size(row)).fold(0.0, f64::max)
    }

    /// The same of its acceleration under the contact forces.
    pub(in crate::simulate) fn driven_size(&self, row: usize) -> f64 {
        let rows = 0..self.work.forces().len();
        let largest = self.largest_force();
        let driven: f64 = rows.map(|j| self.delassus(row, j).abs() * self.force_size(j, largest)).sum();
        self.acceleration_size(row) + driven
    }

    /// The size of a contact force; of friction in space that of the whole, whose direction may turn; of forces that are not unique
    /// that of the largest, whose rounding is in all of them.
    fn force_size(&self, row: usize, largest: f64) -> f64 {
        let (forces, d) = (self.work.forces(), self.layout().tangents);
        let (contact, k) = (row / (1 + d), row % (1 + d));
        match self.motions[contact] {
            ContactMotion::Free => 0.0,
            _ if self.work.undetermined() > 0 => largest,
            ContactMotion::Turns { .. } if k > 0 => {
                norm(&forces[self.row(contact) + 1..=self.row(contact) + d])
            }
            ContactMotion::Sticks => forces[row].abs().max(self.balanced_force(row)),
            _ => forces[row].abs(),
        }
    }

    /// What counts as the force of a row that is held where it is nothing but the rounding of terms in balance.
    fn balanced_force(&self, row: usize) -> f64 {
        let own = self.delassus(row, row);
        if own > 0.0 { BALANCED * self.acceleration_size(row) / own } else { 0.0 }
    }

    /// The sums of the magnitudes of the terms of v̇ of each coordinate.
    pub(in crate::simulate) fn coordinate_sizes(&self, sizes: &mut [f64]) {
        sizes.fill(0.0);
        let largest = self.largest_force();
        let response = self.block(Block::Response).chunks_exact(sizes.len().max(1));
        for (row, response) in response.enumerate() {
            let force = self.force_size(row, largest);
            sizes.iter_mut().zip(response).for_each(|(size, x)| *size += x.abs() * force);
        }
        let free = self.block(Block::FreeAcceleration);
        sizes.iter_mut().zip(free).for_each(|(size, free)| *size += free.abs());
    }

    /// The sums of the magnitudes of the forces on each coordinate, as the clock has them.
    pub(in crate::simulate) fn force_sizes(&mut self, sizes: &mut Vec<f64>) {
        let (n, factor) = (self.layout().coordinates, if self.clock == Clock::Jam { self.gain } else { 1.0 });
        let own = [Output::Inertial, Output::Potential, Output::Applied].map(|block| self.block(block));
        sizes.clear();
        sizes.extend((0..n).map(|i| factor.abs() * own.iter().map(|block| block[i].abs()).sum::<f64>()));
        self.reactions();
        let contacts = self.work.forces().iter().zip(self.block(Block::ContactJacobian).chunks_exact(n));
        let constraints = self.reactions.iter().zip(self.block(Output::ConstraintJacobian).chunks_exact(n));
        for (force, row) in contacts.chain(constraints) {
            sizes.iter_mut().zip(row).for_each(|(size, w)| *size += (force * w).abs());
        }
    }

    /// What the force of a row is small against: its own terms, and the other forces, since its terms may vanish with it.
    pub(in crate::simulate) fn force_scale(&self, row: usize) -> f64 {
        (self.driven_size(row) / self.delassus(row, row)).max(self.largest_force())
    }

    fn largest_force(&self) -> f64 {
        self.work.forces().iter().fold(0.0, |size, force| force.abs().max(size))
    }

    /// The same of its velocity.
    pub(in crate::simulate) fn speed_size(&self, row: usize, v: &[f64]) -> f64 {
        let terms = self.jacobian(row).iter().zip(v);
        let rate = self.explicit(row, Output::GapRate, Output::SlipRate);
        terms.map(|(w, v)| (w * v).abs()).sum::<f64>() + rate.abs()
    }

    /// The size of the velocities of a contact, those that come and go within h included: a velocity that comes and goes within a
    /// step's rounding is none.
    pub(in crate::simulate) fn contact_speed(&self, contact: usize, v: &[f64], h: f64) -> f64 {
        let rows = self.row(contact)..=self.row(contact) + self.layout().tangents;
        rows.map(|row| self.speed_size(row, v) + h * self.acceleration_size(row)).fold(0.0, f64::max)
    }

    /// The largest speed of a contact that all of the kinetic energy could give it: √(2 T Dᵢᵢ).
    pub(in crate::simulate) fn whole_speed(&self, contact: usize) -> f64 {
        let rows = self.row(contact)..=self.row(contact) + self.layout().tangents;
        let mobility = rows.map(|row| self.delassus(row, row)).fold(0.0, f64::max);
        (2.0 * self.energy_size() * mobility).max(0.0).sqrt()
    }

    /// What a contact row has beside W times a vector.
    fn explicit(&self, row: usize, normal: Output, tangent: Output) -> f64 {
        let d = self.layout().tangents;
        match (row / (1 + d), row % (1 + d)) {
            (contact, 0) => self.block(normal)[contact],
            (contact, k) => self.block(tangent)[contact * d + k - 1],
        }
    }
}
