//! Impact without collision at one of several contacts: at its beginning normal impulse at a sliding contact, with its friction, presses this very
//! contact   [CV16 6.3, with p(φ) of section 7 in the place of P_ii].
//!
//! Rates of impulse obey the laws of contact that forces obey: the others take none and open, or stick, or slip. With the first contact's normal impulse as
//! time their velocities are driven by D of its ray, so that they are a problem of the same kind with one contact less, and the
//! impact can begin if in one of its solutions the gap of the first contact closes. If all others open (P_ji > 0 > P_ii) nothing else takes part: the survey's
//! condition. If others take impulses, what follows depends on the compliances of all of them, and the condition is only necessary.

use super::answer::answer;
use super::system::System;
use crate::analysis::planar::Consistency;
use crate::analysis::several::Possible;
use crate::analysis::space::SpaceWord;
use crate::contact::{Scaled, Sign};
use crate::num::Tol;

/// An impact without collision at one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceIwc {
    /// Where.
    pub contact: usize,
    /// Whether it can begin.
    pub possible: Possible,
    /// What the others do: the words of all contacts, the first one slipping.
    pub word: Vec<SpaceWord>,
    /// Gap acceleration of this contact per unit normal force of its own.
    pub gain: Scaled,
}

/// Those that can begin at a sliding contact, and whether all are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpaceIwcs {
    /// Found.
    pub found: Vec<SpaceIwc>,
    /// Contacts at which the others' part is not decided.
    pub undecided: Vec<usize>,
}

/// The impacts without collision that can begin at given contacts, those that slide are considered.
pub fn impacts_without_collision(system: &System, contacts: &[usize], tol: &Tol) -> SpaceIwcs {
    let mut all = SpaceIwcs::default();
    for &contact in contacts {
        let Some(along) = system.along[contact].filter(|_| system.mu[contact].is_finite()) else { continue };
        let mu = system.mu[contact];
        let ray = [(3 * contact, 1.0), (3 * contact + 1, -mu * along[0]), (3 * contact + 2, -mu * along[1])];
        let driven = |row: usize| {
            let terms = ray.map(|(j, x)| system.D[row][j] * x);
            Scaled { value: terms.iter().sum(), scale: terms.iter().map(|x| x.abs()).sum() }
        };
        let others: Vec<usize> = (0..system.contacts()).filter(|&i| i != contact).collect();
        let rest = answer(&system.among(&others, driven), tol);
        if !rest.undecided.is_empty() || rest.too_many {
            all.undecided.push(contact);
        }
        for mode in &rest.modes {
            let rows = others.iter().flat_map(|&i| 3 * i..3 * i + 3);
            let own = driven(3 * contact);
            let gain = rows.zip(&mode.solved.forces).fold(own, |gain, (row, x)| {
                let term = system.D[3 * contact][row] * x;
                Scaled { value: gain.value + term, scale: gain.scale + term.abs() }
            });
            let sign = gain.sign(tol.marginal);
            let open = mode.solved.word.iter().all(|word| *word == SpaceWord::Free);
            let possible = match (sign, mode.solved.consistency, open) {
                (Sign::Positive, _, _) | (_, Consistency::No, _) => continue,
                (Sign::Marginal, _, _) | (_, Consistency::Marginal, _) => Possible::Marginal,
                (Sign::Negative, Consistency::Yes, true) => Possible::Yes,
                (Sign::Negative, Consistency::Yes, false) => Possible::Necessary,
            };
            let mut word = vec![SpaceWord::Slip; system.contacts()];
            others.iter().zip(&mode.solved.word).for_each(|(&i, own)| word[i] = *own);
            all.found.push(SpaceIwc { contact, possible, word, gain });
        }
    }
    all
}

impl System {
    /// Some of the contacts under other accelerations.
    fn among(&self, contacts: &[usize], free: impl Fn(usize) -> Scaled) -> Self {
        let rows: Vec<usize> = contacts.iter().flat_map(|&i| 3 * i..3 * i + 3).collect();
        let driven: Vec<Scaled> = rows.iter().map(|&row| free(row)).collect();
        Self {
            D: rows.iter().map(|&i| rows.iter().map(|&j| self.D[i][j]).collect()).collect(),
            free: driven.iter().map(|x| x.value).collect(),
            sizes: driven.iter().map(|x| x.scale).collect(),
            mu: contacts.iter().map(|&i| self.mu[i]).collect(),
            ways: contacts.iter().map(|&i| self.ways[i]).collect(),
            along: contacts.iter().map(|&i| self.along[i]).collect(),
            parting: contacts.iter().map(|&i| self.parting[i]).collect(),
            assumed: contacts.iter().map(|&i| self.assumed[i]).collect(),
        }
    }
}
