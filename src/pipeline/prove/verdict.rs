//! How many motions can follow, over sets of states: of one contact by the signs of p and b, of several by all combinations of modes.
#![allow(non_snake_case)]

use super::modes::{Follows, Pattern};
use super::terms::{Beyond, Stand, Terms};
use crate::format::Motions;
use crate::predict::Mode;
use crate::prove::Formula;

/// A combination of modes, and when it follows.
type Possible = (Vec<Mode>, Follows);

impl Terms<'_> {
    /// By the signs of p and b   [CV16 Table 2]: p > 0 slips on or lifts off, p < 0 does neither or both.
    pub(super) fn verdict(&mut self, contact: usize, verdict: Motions) -> Formula {
        let b = self.free(contact, 0);
        let (lifts, pressed) = (self.positive(b), self.negative(b));
        self.by_direction(contact, |terms, p| {
            let paradox = terms.negative(p);
            match verdict {
                Motions::None => Formula::All(vec![paradox, pressed.clone()]),
                Motions::Several => Formula::All(vec![paradox, lifts.clone()]),
                Motions::One => {
                    let either = Formula::Any(vec![lifts.clone(), pressed.clone()]);
                    Formula::All(vec![terms.positive(p), either])
                }
            }
        })
    }

    /// What is assumed, and that so many motions follow; in which way rails slip does not matter.
    pub(super) fn counted(
        &mut self,
        contacts: &[usize],
        stand: &Stand,
        verdict: Motions,
    ) -> Result<(Vec<Formula>, Formula), Beyond> {
        let others: Vec<usize> = contacts.iter().copied().filter(|&c| !self.is_rail(c)).collect();
        let (assumed, patterns) = self.patterns(&others, stand)?;
        let mut parts = Vec::new();
        for Pattern { mut otherwise, possible } in patterns {
            otherwise.push(self.count(&possible, verdict));
            parts.push(Formula::Any(otherwise));
        }
        Ok((assumed, Formula::All(parts)))
    }

    fn count(&mut self, possible: &[Possible], verdict: Motions) -> Formula {
        let pairs = || (0..possible.len()).flat_map(|i| (0..i).map(move |j| (&possible[i], &possible[j])));
        let happens = || possible.iter().map(|(_, follows)| follows.happens.clone());
        match verdict {
            Motions::None => {
                Formula::All(possible.iter().map(|(_, follows)| follows.cannot.clone()).collect())
            }
            Motions::Several => {
                let both = |(one, other): (&Possible, &Possible)| {
                    let differ = self.differ(one, other);
                    Formula::All(vec![one.1.happens.clone(), other.1.happens.clone(), differ])
                };
                Formula::Any(pairs().map(both).collect())
            }
            Motions::One => {
                let not_both = |(one, other): (&Possible, &Possible)| {
                    let differ = self.differ(one, other);
                    Formula::Any(vec![one.1.cannot.clone(), other.1.cannot.clone(), self.not(&differ)])
                };
                let rest: Vec<Formula> = pairs().map(not_both).collect();
                Formula::All([vec![Formula::Any(happens().collect())], rest].concat())
            }
        }
    }

    /// That two combinations move differently. Those with other words do; those that press on other sides may be the same motion, unless some slip
    /// has another acceleration.
    fn differ(&mut self, one: &Possible, other: &Possible) -> Formula {
        let called = |modes: &[Mode]| modes.iter().map(|mode| mode.name(1).name()).collect::<Vec<_>>();
        if called(&one.0) != called(&other.0) {
            return Formula::All(Vec::new());
        }
        let mut ways = Vec::new();
        for (&a, &b) in one.1.slips.iter().zip(&other.1.slips) {
            let builder = self.quantities.builder();
            let (first, second) = (builder.mul(a, other.1.determinant), builder.mul(b, one.1.determinant));
            let difference = builder.sub(first, second);
            ways.extend([self.positive(difference), self.negative(difference)]);
        }
        Formula::Any(ways)
    }
}
