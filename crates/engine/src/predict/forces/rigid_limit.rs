//! The forces of contacts that give a little, in the limit of rigidity: λ = k δ, where the deflections δ of the contacts are those of one small
//! displacement ξ of the mechanism, δ = W ξ, and a contact is pressed or has no force. Of the forces that keep what is held they are one set:
//! with a slip at each contact, λ_T = −μ λ_N û, they satisfy
//!
//! > A K D z = −c,   D z = W ξ
//!
//! in the independent rows, A being what the forces do to these. Without friction they are those of the least Σ λ²/k.

use crate::contact::Hold;
use crate::num::Tol;
use crate::num::dense::norm;
use crate::predict::contacts::{Basis, Contacts};
use crate::predict::mode::Mode;
use nalgebra::{DMatrix, DVector};

/// Of contacts that give a little: how often one is taken from those that are pressed, or put back, at most, over their number.
pub const CHANGES: usize = 4;

/// The contact that is furthest from what its spring can do: pressed, but pulled by its force, or without force, but with one that would push. `room`
/// is that force, positive for what it can do; up to `small` it is rounding.
pub fn wrongly_pressed(
    contacts: impl Iterator<Item = usize>,
    room: impl Fn(usize) -> f64,
    small: f64,
) -> Option<usize> {
    let worst = contacts.min_by(|&a, &b| room(a).total_cmp(&room(b)));
    worst.filter(|&contact| room(contact) < -small)
}

impl Contacts {
    /// These forces by row, in the units of the rows; none where the stiffnesses do not determine them, or no choice of pressed contacts is right.
    pub(crate) fn rigid_limit(&self, modes: &[Mode], basis: &Basis, tol: &Tol) -> Option<Vec<f64>> {
        let (mut pressed, mut gripping) = (vec![true; self.len()], vec![true; self.len()]);
        for _ in 0..=CHANGES * self.len() {
            let (forces, deflections) = self.of_springs(modes, basis, (&pressed, &gripping))?;
            let wrong = |i: usize| {
                let (row, side) = (self.normal(i), modes[i].side());
                let (size, value) = if pressed[i] {
                    (self.load, self.held_margin(i, modes[i], &forces, tol))
                } else {
                    (self.load / self.stiffness(row), -side * deflections[row])
                };
                value / size
            };
            let given = |i: &usize| modes[*i].is_closed() && self.laws_of(*i).hold == Hold::Unilateral;
            if let Some(i) = wrongly_pressed((0..self.len()).filter(given), wrong, tol.marginal) {
                pressed[i] = !pressed[i];
                continue;
            }
            let lacks = |i: usize| self.cone_margin(i, &forces) / self.load;
            let grips = |i: &usize| pressed[*i] && gripping[*i] && matches!(modes[*i], Mode::Stick { .. });
            match wrongly_pressed((0..self.len()).filter(grips).filter(given), lacks, tol.marginal) {
                Some(i) => gripping[i] = false,
                None => return Some(forces),
            }
        }
        None
    }

    /// The normal force of a contact that is pressed, or what friction along the surface lacks of one where that is rounding: a foot that only
    /// touches has no force at all.
    fn held_margin(&self, contact: usize, mode: Mode, forces: &[f64], tol: &Tol) -> f64 {
        let row = self.normal(contact);
        let normal = mode.side() * forces[row];
        let touches = matches!(mode, Mode::Stick { .. }) && normal.abs() <= tol.marginal * self.load;
        if touches && !self.friction(contact).is_infinite() {
            normal - norm(&forces[row + 1..row + self.dim()])
        } else {
            normal
        }
    }

    /// How far the force of a contact that sticks is inside its cone.
    fn cone_margin(&self, contact: usize, forces: &[f64]) -> f64 {
        let (row, [n, t]) = (self.normal(contact), self.cone(contact));
        t * forces[row] - n * norm(&forces[row + 1..row + self.dim()])
    }

    /// Stiffness of a row in the units of the rows.
    fn stiffness(&self, row: usize) -> f64 {
        let compliance = self.laws_of(self.contact_of(row)).compliance;
        compliance.stiffness_along(row % self.dim()) * self.unit[row] * self.unit[row]
    }

    /// Forces by row and deflections D z of all rows, where some contacts are pressed and the others have no force, and of the pressed some grip and
    /// the others have no friction.
    fn of_springs(
        &self,
        modes: &[Mode],
        basis: &Basis,
        (pressed, gripping): (&[bool], &[bool]),
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let columns = self.unknowns(modes);
        let own = |k: usize| {
            // the row whose deflection makes the force of a column, and the force per unit there
            let (contact, force) = columns[k];
            let part = (0..self.dim()).find(|&i| force[i].abs() > 0.0)?;
            Some((self.normal(contact) + part, force[part]))
        };
        let rows: Vec<(usize, f64)> = (0..columns.len()).map(own).collect::<Option<_>>()?;
        let give = DMatrix::from_fn(columns.len(), basis.rows.len(), |k, j| {
            let (row, force) = rows[k];
            let contact = columns[k].0;
            let acts = pressed[contact] && (gripping[contact] || row == self.normal(contact));
            let stiffness = if acts { self.stiffness(row) } else { 0.0 };
            stiffness * self.D[(row, basis.rows[j])] / force
        });
        let right = DVector::from_fn(basis.rows.len(), |i, _| -self.c[basis.rows[i]]);
        let system = self.system(&basis.rows, &columns) * &give;
        // of no rows there is nothing to solve, which the factorisation does not know
        let z = if right.is_empty() { right.clone() } else { system.clone().lu().solve(&right)? };
        let left = (&system * &z - &right).amax();
        if !z.iter().all(|x| x.is_finite()) || left > Tol::default().marginal * self.load {
            return None;
        }
        let y = give * &z;
        let mut forces = vec![0.0; self.c.len()];
        for (k, (contact, parts)) in columns.iter().enumerate() {
            let place = &mut forces[self.normal(*contact)..][..self.dim()];
            place.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part * y[k]);
        }
        let deflection = |i: usize| (0..z.len()).map(|j| self.D[(i, basis.rows[j])] * z[j]).sum();
        Some((forces, (0..self.c.len()).map(deflection).collect()))
    }
}
