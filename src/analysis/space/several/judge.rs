//! The numbers of a word that have to be positive, with their sizes.

use super::system::{Response, System};
use crate::analysis::planar::Consistency;
use crate::analysis::space::SpaceWord;
use crate::contact::{Scaled, Sign};
use crate::num::{Real, Tol};

/// Forces and accelerations that a word leads to, and whether the contact laws hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// What each contact does.
    pub word: Vec<SpaceWord>,
    /// Directions of the contacts that slip.
    pub directions: Vec<Option<f64>>,
    /// λ, 3 a contact; undefined where not unique.
    pub forces: Vec<f64>,
    /// D λ + q, 3 a contact.
    pub accelerations: Vec<f64>,
    /// Whether the laws hold.
    pub consistency: Consistency,
    /// What fails, or what is zero to rounding: contact, and what is wrong with it.
    pub fault: Option<(usize, &'static str)>,
}

impl Solved {
    /// Whether two words have the same accelerations.
    pub(super) fn has_motion_of(&self, other: &Self, tol: &Tol) -> bool {
        let size = |x: &Self| x.accelerations.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        let band = tol.marginal.sqrt() * size(self).max(size(other));
        let rounding = self.forces.iter().fold(0.0, |m: f64, x| m.max(x.abs())) * tol.solved;
        let pairs = self.accelerations.iter().zip(&other.accelerations);
        pairs.into_iter().all(|(x, y)| (x - y).abs() <= band.max(rounding))
    }
}

/// A condition of a contact: what has to be positive, and what it means if it is not.
pub(super) struct Condition<T> {
    pub(super) contact: usize,
    pub(super) value: T,
    pub(super) size: f64,
    pub(super) fault: &'static str,
}

/// All conditions of a word but those that u̇ is parallel to û.
pub(super) fn conditions<T: Real>(
    system: &System,
    word: &[SpaceWord],
    angles: &[T],
    response: &Response<T>,
) -> Vec<Condition<T>> {
    let mut next = angles.iter();
    let mut found = Vec::new();
    let force_size = |i: usize| {
        let size: f64 = (0..3).map(|k| system.sizes[3 * i + k] / system.D[3 * i + k][3 * i + k]).sum();
        size + response.forces[3 * i].value().abs()
    };
    let acceleration_size = |row: usize| {
        let each = response.forces.iter().enumerate().map(|(j, x)| (system.D[row][j] * x.value()).abs());
        system.sizes[row] + each.sum::<f64>()
    };
    for (contact, word) in word.iter().enumerate() {
        let row = 3 * contact;
        let [N, T1, T2] = [0, 1, 2].map(|k| response.forces[row + k]);
        let [v, u1, u2] = [0, 1, 2].map(|k| response.accelerations[row + k]);
        let mut ask = |value: T, size: f64, fault: &'static str| {
            found.push(Condition { contact, value, size, fault });
        };
        match word {
            SpaceWord::Free if system.parting[contact] => {}
            SpaceWord::Free => ask(v, acceleration_size(row), "would penetrate"),
            SpaceWord::Slip => {
                let leaves = match system.along[contact] {
                    Some(along) => system.assumed[contact].then(|| along.map(T::from_f64)),
                    None => next.next().map(|phi| {
                        let (s, c) = phi.sin_cos();
                        [c, s]
                    }),
                };
                if system.mu[contact].is_infinite() {
                    let along = system.along[contact].map(|along| along.map(T::from_f64)).or(leaves);
                    let [c, s] = along.unwrap_or([T::from_f64(0.0); 2]);
                    ask(-(c * T1 + s * T2), force_size(contact), "would be pushed along its slip");
                } else {
                    ask(N, force_size(contact), "would pull");
                }
                if let Some([c, s]) = leaves {
                    let size = acceleration_size(row + 1) + acceleration_size(row + 2);
                    ask(c * u1 + s * u2, size, "would slip against its slip acceleration");
                }
            }
            SpaceWord::Stick => {
                let size = force_size(contact);
                ask(N, size, "would pull");
                if system.mu[contact].is_infinite() {
                    continue;
                }
                let room = T::from_f64(system.mu[contact]) * N - (T1 * T1 + T2 * T2).sqrt();
                ask(room, (1.0 + system.mu[contact]) * size, "would leave its friction cone");
            }
        }
    }
    found
}

/// A word without slip from rest whose forces are unique.
pub(super) fn judged(system: &System, word: &[SpaceWord], tol: &Tol) -> Solved {
    at_angles(system, word, &[], tol)
}

/// A word at angles at which u̇ is parallel to û.
pub(super) fn at_angles(system: &System, word: &[SpaceWord], angles: &[f64], tol: &Tol) -> Solved {
    let response = system.respond(word, angles);
    let conditions = conditions(system, word, angles, &response);
    let sign = |c: &Condition<f64>| Scaled { value: c.value, scale: c.size }.sign(tol.marginal);
    let failing = conditions.iter().find(|c| sign(c) == Sign::Negative);
    let doubtful = conditions.iter().find(|c| sign(c) == Sign::Marginal);
    let consistency = match (failing, doubtful) {
        (Some(_), _) => Consistency::No,
        (None, Some(_)) => Consistency::Marginal,
        (None, None) => Consistency::Yes,
    };
    let mut next = angles.iter().copied();
    let mut direction = |i: usize| match (word[i], system.along[i]) {
        (SpaceWord::Slip, Some([c, s])) => Some(s.atan2(c)),
        (SpaceWord::Slip, None) => next.next(),
        (SpaceWord::Free | SpaceWord::Stick, _) => None,
    };
    Solved {
        word: word.to_vec(),
        directions: (0..word.len()).map(&mut direction).collect(),
        forces: response.forces,
        accelerations: response.accelerations,
        consistency,
        fault: failing.or(doubtful).map(|c| (c.contact, c.fault)),
    }
}
