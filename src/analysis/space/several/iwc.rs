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
use crate::analysis::several::{Possible, both_pushed_in};
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
    /// Pairs of sliding contacts of which the necessary condition of an impact at both holds, or is marginal.
    pub double: Vec<([usize; 2], Possible)>,
    /// Contacts at which the others' part is not decided.
    pub undecided: Vec<usize>,
}

/// The impacts without collision that can begin at given contacts, those that slide are considered.
pub fn impacts_without_collision(system: &System, contacts: &[usize], tol: &Tol) -> SpaceIwcs {
    let mut all = SpaceIwcs::default();
    let sliding: Vec<usize> =
        contacts.iter().copied().filter(|&i| system.along[i].is_some() && system.mu[i].is_finite()).collect();
    let gain = |i: usize, j: usize| driven(system, j, 3 * i);
    for (k, &i) in sliding.iter().enumerate() {
        for &j in &sliding[k + 1..] {
            let P = [[gain(i, i), gain(i, j)], [gain(j, i), gain(j, j)]];
            all.double.extend(both_pushed_in(P, tol).map(|possible| ([i, j], possible)));
        }
    }
    for contact in sliding {
        let driven = |row: usize| driven(system, contact, row);
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

/// Acceleration of a row per unit normal force at a sliding contact, with its friction.
fn driven(system: &System, contact: usize, row: usize) -> Scaled {
    let ([c, s], mu) = (system.along[contact].unwrap_or_default(), system.mu[contact]);
    let terms = [1.0, -mu * c, -mu * s].into_iter().zip(&system.D[row][3 * contact..]).map(|(x, d)| d * x);
    let (value, scale) = terms.fold((0.0, 0.0), |(sum, size), x| (sum + x, size + x.abs()));
    Scaled { value, scale }
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
