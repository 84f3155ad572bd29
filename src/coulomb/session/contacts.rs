//! Which contact of a problem is which contact of the one before: by keys that the caller gives, or by their places.

use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::check_size;

/// The keys of the contacts, in the problem's order; none if the contacts are known by their places.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    keys: Vec<u64>,
    /// Keys and places, sorted by keys.
    sorted: Vec<(u64, usize)>,
}

impl Contacts {
    /// Takes other keys.
    ///
    /// # Errors
    /// `Size` if they are not one for each contact, `RepeatedKey` if two are equal; there are none then.
    pub(super) fn set(&mut self, keys: &[u64], contacts: usize) -> Result<(), ProblemError> {
        check_size("keys of the contacts", keys.len(), contacts)?;
        if keys == self.keys {
            return Ok(());
        }
        self.clear();
        self.sorted.extend(keys.iter().enumerate().map(|(place, key)| (*key, place)));
        self.sorted.sort_unstable();
        if let Some(pair) = self.sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let key = pair[0].0;
            self.clear();
            return Err(ProblemError::RepeatedKey { key });
        }
        self.keys.extend_from_slice(keys);
        Ok(())
    }

    /// Known by their places from now on.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.sorted.clear();
    }

    /// Becomes equal to others.
    pub(super) fn assign(&mut self, other: &Self) {
        if self.keys != other.keys {
            self.keys.clone_from(&other.keys);
            self.sorted.clone_from(&other.sorted);
        }
    }

    /// Replaces forces of these contacts, `dim` numbers each, by those of others: what they share stays, new ones have none.
    pub(super) fn carry(&self, dim: usize, to: &Self, forces: &mut Vec<f64>, memory: &mut Vec<f64>) {
        if self.keys == to.keys {
            return;
        }
        std::mem::swap(forces, memory);
        forces.clear();
        for key in &to.keys {
            match self.sorted.binary_search_by_key(key, |(key, _)| *key) {
                Ok(at) => {
                    let place = self.sorted[at].1 * dim;
                    forces.extend_from_slice(&memory[place..place + dim]);
                }
                Err(_) => forces.resize(forces.len() + dim, 0.0),
            }
        }
    }
}
