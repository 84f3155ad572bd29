//! What the tolerances of a compliant motion are relative to: sizes that the motion itself shows, so that nothing depends on
//! units, and penetrations count by the forces that they make.

use super::field::Field;
use super::tolerance::ORIGIN;
use crate::model::{Block, Output};
use crate::num::dense;
use crate::simulate::smooth::ContactMotion;

/// Running sizes.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    /// Largest kinetic energy so far.
    energy: f64,
    /// Largest |b| of each contact so far.
    push: Vec<f64>,
    pub(super) tolerances: Vec<f64>,
}

impl Sizes {
    pub(super) fn new(contacts: usize, len: usize) -> Self {
        Self { energy: 0.0, push: vec![0.0; contacts], tolerances: vec![0.0; len] }
    }

    /// Largest kinetic energy so far, or that of a motion from rest over `h` with the acceleration of the point.
    fn energy(&mut self, field: &Field<'_>, h: f64) -> f64 {
        let of = |block: Block| field.kernel.block(&field.now.values, block);
        let (M, vdot) = (of(Block::Model(Output::MassMatrix)), &field.now.vdot);
        let n = vdot.len();
        let row = |i: usize| (0..n).map(|j| entry(M, i, j) * vdot[j]).sum::<f64>();
        let gained = 0.5 * h * h * (0..n).map(|i| vdot[i] * row(i)).sum::<f64>();
        self.energy = self.energy.max(of(Block::Model(Output::KineticEnergy))[0]);
        self.energy.max(gained)
    }

    /// Speed of a contact row if all of the energy were in it.
    pub(super) fn speed(&self, field: &Field<'_>, row: usize) -> f64 {
        (2.0 * self.energy * field.kernel.delassus(&field.now.values, row, row)).sqrt()
    }

    /// Circular frequency of a pressed contact's normal spring by itself, √(kC)/ε.
    pub(super) fn frequency(field: &Field<'_>, contact: usize) -> f64 {
        let row = field.places.rows(contact).start;
        let mobility = field.kernel.delassus(&field.now.values, row, row);
        let regime = &field.regime;
        (regime.laws[contact].compliance.stiffness * mobility).sqrt() / regime.eps
    }

    /// The same of both springs.
    pub(super) fn fastest(field: &Field<'_>, contact: usize) -> f64 {
        let mobility = |row: usize| field.kernel.delassus(&field.now.values, row, row);
        let tangents = field.places.rows(contact).skip(1);
        let along = |spring: f64| {
            tangents.map(|row| (spring * mobility(row)).sqrt() / field.regime.eps).fold(0.0, f64::max)
        };
        let normal = Self::frequency(field, contact);
        field.regime.spring(contact).map_or(normal, |spring| along(spring).max(normal))
    }

    /// Tolerances of a step from the point z, evaluated in `field`, of about the length h; `elapsed` is how long the motion
    /// has taken.
    pub(super) fn update(&mut self, field: &Field<'_>, z: &[f64], relative: f64, (elapsed, h): (f64, f64)) {
        let places = field.places;
        let energy = self.energy(field, h);
        let M = field.kernel.block(&field.now.values, Block::Model(Output::MassMatrix));
        for i in 0..places.n {
            let speed = (2.0 * energy / entry(M, i, i)).sqrt().max(z[places.n + i].abs());
            self.tolerances[i] = relative * ((elapsed + h) * speed).max(ORIGIN * z[i].abs());
            self.tolerances[places.n + i] = relative * speed;
        }
        for contact in 0..places.m {
            self.contact(field, z, relative, (contact, energy, h));
        }
    }

    fn contact(
        &mut self,
        field: &Field<'_>,
        z: &[f64],
        relative: f64,
        (contact, energy, h): (usize, f64, f64),
    ) {
        let (places, row) = (field.places, field.places.rows(contact).start);
        let of = |row: usize| field.kernel.delassus(&field.now.values, row, row);
        let free = field.kernel.block(&field.now.values, Block::FreeContactAcceleration)[row].abs();
        self.push[contact] = self.push[contact].max(free);
        let frequency = Self::frequency(field, contact);
        let (y, ydot) = (z[places.y(contact)].abs(), z[places.ydot(contact)].abs());
        // the penetration under the free push
        let least = self.push[contact] / (frequency * frequency);
        let open = field.regime.motions[contact] == ContactMotion::Free;
        let (gap, rate) = if open {
            let speed = ydot.max((2.0 * energy * of(row)).sqrt());
            (y.max(h * speed), speed)
        } else {
            (y.max(ydot / frequency), ydot.max(y * frequency))
        };
        self.tolerances[places.y(contact)] = relative * gap.max(least);
        self.tolerances[places.ydot(contact)] = relative * rate.max(least * frequency);
        for (k, place) in places.slip(contact).enumerate() {
            let speed = (2.0 * energy * of(row + 1 + k)).sqrt();
            // where nothing can move it at this instant, as at the lowest point of a pendulum, what a step makes of it
            let gained = h * field.now.rows[row + 1 + k].abs();
            self.tolerances[place] = relative * speed.max(z[place].abs()).max(gained);
        }
        if let Some(spring) = field.regime.spring(contact) {
            // to the force that the tolerance of y is, and to what the spring does by itself
            let stiffness = field.regime.laws[contact].compliance.stiffness;
            let least = stiffness / spring * self.tolerances[places.y(contact)];
            for (k, place) in places.stretch(contact).enumerate() {
                let frequency = (spring * of(row + 1 + k)).sqrt() / field.regime.eps;
                let swing = z[places.slip(contact).start + k].abs() / frequency;
                let held = field.regime.motions[contact] == ContactMotion::Sticks;
                let size = if held { z[place].abs().max(swing) } else { z[place].abs() };
                self.tolerances[place] = (relative * size).max(least);
            }
        }
    }
}

/// Entry of a packed symmetric matrix.
fn entry(packed: &[f64], i: usize, j: usize) -> f64 {
    packed[dense::packed_place(i, j)]
}
