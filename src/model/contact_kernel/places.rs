//! The quantities of the contacts among the outputs of their tape: gaps, gap rates, slips, free accelerations, and
//! the packed lower triangle of D. Contact rows are N, T (N, T1, T2 in space) of each contact in turn.

use super::super::Layout;
use crate::num::{Real, dense::packed_len};

/// One number about the contacts of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContactQuantity {
    /// g_N of a contact.
    Gap(usize),
    /// ġ_N of a contact.
    GapRate(usize),
    /// γ_T of a contact, along one of its tangents.
    Slip(usize, usize),
    /// Acceleration of a contact row without contact forces: b of a contact in its row N, a in its rows T.
    FreeAcceleration(usize),
    /// Entry of D = W M⁻¹ Wᵀ at two contact rows.
    Delassus(usize, usize),
}

/// Where the quantities stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Places {
    contacts: usize,
    tangents: usize,
    slip: usize,
    free: usize,
    delassus: usize,
}

impl Places {
    pub(super) fn new(layout: &Layout) -> Self {
        let (contacts, tangents) = (layout.contacts, layout.tangents);
        let slip = 2 * contacts;
        let free = slip + contacts * tangents;
        Places { contacts, tangents, slip, free, delassus: free + contacts * (1 + tangents) }
    }

    pub(super) fn rows(&self) -> usize {
        self.delassus - self.free
    }

    /// The output that a quantity is.
    ///
    /// # Panics
    /// If there is no such contact, tangent or row.
    #[inline]
    pub(super) fn of(&self, quantity: ContactQuantity) -> usize {
        let within = |i: usize, n: usize| {
            assert!(i < n, "{i} of {n} contacts, tangents or contact rows");
            i
        };
        match quantity {
            ContactQuantity::Gap(i) => within(i, self.contacts),
            ContactQuantity::GapRate(i) => self.contacts + within(i, self.contacts),
            ContactQuantity::Slip(i, k) => {
                self.slip + within(i, self.contacts) * self.tangents + within(k, self.tangents)
            }
            ContactQuantity::FreeAcceleration(row) => self.free + within(row, self.rows()),
            ContactQuantity::Delassus(i, j) => {
                self.delassus + packed_len(within(i.max(j), self.rows())) + i.min(j)
            }
        }
    }
}

/// The quantities of the contacts at one state.
#[derive(Clone, Debug)]
pub struct ContactValues<T> {
    places: Places,
    outputs: Vec<T>,
}

impl<T: Real> ContactValues<T> {
    pub(super) fn new(places: Places, outputs: usize) -> Self {
        ContactValues { places, outputs: vec![T::from_f64(0.0); outputs] }
    }

    #[inline]
    pub(super) fn outputs(&self) -> &[T] {
        &self.outputs
    }

    #[inline]
    pub(super) fn outputs_mut(&mut self) -> &mut [T] {
        &mut self.outputs
    }

    /// One quantity.
    ///
    /// # Panics
    /// If there is no such contact, tangent or row.
    #[inline]
    pub fn get(&self, quantity: ContactQuantity) -> T {
        self.outputs[self.places.of(quantity)]
    }

    /// Contact rows: contacts × (1 + tangents).
    pub fn rows(&self) -> usize {
        self.places.rows()
    }

    /// g_N of each contact.
    #[inline]
    pub fn gaps(&self) -> &[T] {
        &self.outputs[..self.places.contacts]
    }

    /// ġ_N of each contact.
    #[inline]
    pub fn gap_rates(&self) -> &[T] {
        &self.outputs[self.places.contacts..self.places.slip]
    }

    /// γ_T of a contact, along its tangents.
    ///
    /// # Panics
    /// If there is no such contact.
    #[inline]
    pub fn slip(&self, contact: usize) -> &[T] {
        let d = self.places.tangents;
        &self.outputs[self.places.slip..self.places.free][contact * d..(contact + 1) * d]
    }

    /// Accelerations of the contact rows without contact forces: b, then a, of each contact.
    #[inline]
    pub fn free_contact_acceleration(&self) -> &[T] {
        &self.outputs[self.places.free..self.places.delassus]
    }

    /// Entry of D = W M⁻¹ Wᵀ at two contact rows.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn delassus_entry(&self, i: usize, j: usize) -> T {
        self.get(ContactQuantity::Delassus(i, j))
    }
}
