//! A state with its closed contacts: as the engine takes them ([`predict`](crate::predict)), and what follows.

use super::by_name::ByName;
use super::state::StateInput;
use crate::contact::{Hold, Laws, Scaled, Sign};
use crate::model::{Block, Kernel, Values};
use crate::num::Quantity;
use crate::num::dense::norm;
use crate::predict::{ClosedContact, Contacts, Decision, Following, JointReason, Mode, Motion, Sized};
use std::convert::Infallible;

/// A state with its closed contacts, about which questions are asked.
#[derive(Clone, Copy)]
pub(crate) struct AnalysedState<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) values: &'a Values<f64>,
    pub(crate) input: &'a StateInput<'a>,
}

impl<'a> AnalysedState<'a> {
    /// Directions along the surface of each contact.
    pub(crate) fn tangents(&self) -> usize {
        self.kernel.layout().tangents
    }

    /// Rows of a contact: one normal, one or two tangents.
    pub(crate) fn rows(&self) -> usize {
        1 + self.tangents()
    }

    /// The rows of closed contacts.
    pub(crate) fn rows_of(&self, contacts: &[usize]) -> Vec<usize> {
        let first = |i: usize| self.rows() * self.input.closed[i];
        contacts.iter().flat_map(|&i| first(i)..first(i) + self.rows()).collect()
    }

    pub(crate) fn is_plane(&self) -> bool {
        self.tangents() == 1
    }

    pub(crate) fn delassus(&self, i: usize, j: usize) -> f64 {
        self.kernel.delassus(self.values, i, j)
    }

    pub(crate) fn laws(&self, contact: usize) -> &'a Laws {
        &self.input.laws[contact]
    }

    /// A number that is made of terms of a size.
    pub(crate) fn quantity(&self, x: Scaled) -> Quantity {
        Quantity::of_size(x.value, x.scale, &self.input.tol)
    }

    /// The name of one of the closed contacts.
    pub(crate) fn name(&self, i: usize) -> &'a str {
        &self.input.names.contacts[self.input.closed[i]]
    }

    /// Values by the names of the closed contacts.
    pub(crate) fn by_name<T>(&self, value: impl Fn(usize) -> T) -> ByName<T> {
        ByName((0..self.input.closed.len()).map(|i| (self.name(i).to_string(), value(i))).collect())
    }

    /// Gap rate and slip of a contact.
    pub(crate) fn velocity(&self, contact: usize) -> Vec<f64> {
        let sizes = self.input.sizes;
        let slip = (0..self.tangents()).map(|k| sizes.slip(contact, k).value);
        std::iter::once(sizes.gap_rate(contact).value).chain(slip).collect()
    }

    /// The same; what is zero to rounding is zero.
    pub(crate) fn cleared_velocity(&self, contact: usize) -> Vec<f64> {
        let small = self.input.tol.rest * self.input.sizes.contact(contact).speed;
        let held = self.laws(contact).hold == Hold::Bilateral;
        let cleared = |u: f64| if u.abs() <= small && !held { 0.0 } else { u };
        self.velocity(contact).into_iter().map(cleared).collect()
    }

    /// What a contact with a zero gap is doing; none if it approaches.
    pub(crate) fn motion(&self, contact: usize) -> Option<Motion> {
        let rate = self.input.sizes.gap_rate(contact);
        match rate.sign(self.input.tol.rest) {
            Sign::Negative => None,
            Sign::Positive => Some(Motion::Parting),
            Sign::Marginal => {
                let slip = &self.velocity(contact)[1..];
                let rests = norm(slip) <= self.input.tol.rest * rate.scale;
                Some(if rests { Motion::Resting } else { Motion::along(slip) })
            }
        }
    }

    /// The closed contacts; none if one of them approaches.
    pub(crate) fn contacts(&self) -> Option<Contacts> {
        let (sizes, closed) = (self.input.sizes, self.input.closed);
        let contact = |&c: &usize| Some(ClosedContact { laws: *self.laws(c), motion: self.motion(c)? });
        let moving = closed.iter().map(contact).collect::<Option<Vec<_>>>()?;
        let all: Vec<usize> = (0..closed.len()).collect();
        let rows = self.rows_of(&all);
        let pairs = || rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
        let D: Vec<f64> = pairs().map(|(i, j)| self.delassus(i, j)).collect();
        let D_sizes: Vec<f64> = pairs().map(|(i, j)| sizes.delassus(i, j)).collect();
        let free = self.kernel.block(self.values, Block::FreeContactAcceleration);
        let size = |row: usize| sizes.block(Block::FreeContactAcceleration).get(row).map_or(0.0, |x| x.size);
        let c: Vec<f64> = rows.iter().map(|&row| free[row]).collect();
        let c_sizes: Vec<f64> = rows.iter().map(|&row| size(row)).collect();
        let sized = Sized { values: &c, sizes: &c_sizes };
        Some(Contacts::new(moving, Sized { values: &D, sizes: &D_sizes }, sized))
    }

    /// Whether the point of a contact can move in every direction: not on a rail.
    pub(crate) fn moves_freely(&self, contact: usize) -> bool {
        if !self.is_plane() {
            return self.numbers(contact).is_ok();
        }
        let D = |i: usize, j: usize| self.delassus(2 * contact + i, 2 * contact + j);
        D(0, 0) * D(1, 1) - D(0, 1) * D(1, 0) > self.input.tol.noise * D(0, 0) * D(1, 1)
    }

    /// What follows; of what holds with an equality all, if nobody looks ahead. Nor does anybody where the forces of a motion have no bounds: which side
    /// of such a border a state is on is rounding.
    pub(crate) fn following(&self, contacts: &Contacts, decision: &Decision) -> Following {
        let names: Vec<&str> = (0..self.input.closed.len()).map(|i| self.name(i)).collect();
        let singular = decision.modes.iter().any(|judged| judged.why == JointReason::Singular);
        let ahead = self.input.ahead.filter(|_| !singular);
        let ahead = |modes: &[Mode]| Ok::<bool, Infallible>(ahead.is_none_or(|ahead| ahead(modes)));
        let Ok(found) = contacts.following(decision, &names, ahead, &self.input.tol);
        found
    }
}
