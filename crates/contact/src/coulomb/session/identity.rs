//! Which contact of a problem is which contact of the one before: by keys that the caller gives, or by their places.

use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::check_size;

/// The keys of some contacts, in the problem's order; none if the contacts are known by their places.
#[derive(Clone, Debug, Default)]
struct Keys {
    keys: Vec<u64>,
    /// Keys and places, sorted by keys.
    sorted: Vec<(u64, usize)>,
}

/// The contacts of the present problem, of the last solution, and of the next problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Identities {
    present: Keys,
    solved: Keys,
    next: Keys,
    /// Whether the next ones differ from the present ones.
    changed: bool,
    memory: Vec<f64>,
}

impl Identities {
    /// The keys of the present contacts.
    pub(super) fn keys(&self) -> &[u64] {
        &self.present.keys
    }

    /// The keys of the next contacts, which stay without effect until they are accepted.
    ///
    /// # Errors
    /// `Size` if they are not one for each contact, `RepeatedKey` if two are equal.
    pub(super) fn propose(&mut self, keys: &[u64], contacts: usize) -> Result<(), ProblemError> {
        self.changed = false;
        if !keys.is_empty() {
            check_size("keys of the contacts", keys.len(), contacts)?;
        }
        if keys != self.present.keys {
            self.next.set(keys)?;
            self.changed = true;
        }
        Ok(())
    }

    /// The next contacts are the present ones.
    pub(super) fn accept(&mut self) {
        if std::mem::take(&mut self.changed) {
            std::mem::swap(&mut self.present, &mut self.next);
        }
    }

    /// The present contacts are those of the last solution.
    pub(super) fn solved(&mut self) {
        let Self { present, solved, .. } = self;
        if solved.keys != present.keys {
            solved.keys.clone_from(&present.keys);
            solved.sorted.clone_from(&present.sorted);
        }
    }

    /// Makes the forces of the last solution, `dim` numbers per contact, those of the present contacts: what stays keeps its own,
    /// new ones have none.
    pub(super) fn carry(&mut self, dim: usize, forces: &mut Vec<f64>) {
        let Self { present, solved, memory, .. } = self;
        if solved.keys == present.keys {
            return;
        }
        if forces.len() != dim * solved.keys.len() {
            // they were known by their places, or are of another dimension
            forces.clear();
            return;
        }
        std::mem::swap(forces, memory);
        forces.clear();
        for key in &present.keys {
            match solved.sorted.binary_search_by_key(key, |(key, _)| *key) {
                Ok(at) => {
                    let place = solved.sorted[at].1 * dim;
                    forces.extend_from_slice(&memory[place..place + dim]);
                }
                Err(_) => forces.resize(forces.len() + dim, 0.0),
            }
        }
    }
}

impl Keys {
    fn set(&mut self, keys: &[u64]) -> Result<(), ProblemError> {
        self.keys.clear();
        self.sorted.clear();
        self.sorted.extend(keys.iter().enumerate().map(|(place, key)| (*key, place)));
        self.sorted.sort_unstable();
        if let Some(pair) = self.sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(ProblemError::RepeatedKey { key: pair[0].0 });
        }
        self.keys.extend_from_slice(keys);
        Ok(())
    }
}
