//! Which motions several closed contacts permit: all words where they are few, those that the search leaves where they
//! are many; and the verdict, which counts motions. Forces that differ without moving anything are one motion.

use super::border::all_ways_alike;
use super::contacts::Contacts;
use super::iwc::Iwc;
use super::judge::{Judged, Why};
use super::search::Search;
use super::stability::WordStability;
use super::two_contacts::TwoContacts;
use super::word::Choice;
use crate::analysis::planar::{Consistency, Verdict};
use crate::num::Tol;

/// Words up to which all are judged and told.
pub const LISTED: u64 = 256;
/// Words up to which each is looked at alone.
const FEW: u64 = 16;
/// Branches of the search times n³ up to which it goes, what a branch costs growing as n³: a few seconds.
const WORK: usize = 2_000_000;

/// What several closed contacts can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The words: all of up to [`LISTED`], otherwise those that are consistent or marginal.
    pub words: Vec<Judged>,
    /// The verdict.
    pub verdict: Verdict,
    /// Words judged one by one.
    pub examined: u64,
    /// Words excluded without, or none if the contacts have more than 2⁶⁴.
    pub pruned: Option<u64>,
    /// What forbids a statement, if anything does.
    pub undecided: Option<String>,
}

/// All that is said of several closed contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Everything {
    /// Motions.
    pub decision: Decision,
    /// Normal stability of each of its words that holds, in their order.
    pub stability: Vec<Option<WordStability>>,
    /// Impacts without collision.
    pub impacts: Vec<Iwc>,
    /// P, b and their class.
    pub two: Option<TwoContacts>,
}

impl Contacts {
    /// All motions.
    pub fn decide(&self, tol: &Tol) -> Decision {
        let count = self.words();
        let (words, complete) = match count {
            Some(count) if count <= LISTED => (self.all_words(), true),
            _ => match Search::new(self) {
                Some(search) => {
                    let left = search.run(branches(self.len()));
                    (left.words, left.complete)
                }
                None => (Vec::new(), false),
            },
        };
        let examined = words.len() as u64;
        let search = if self.is_dependent(tol) && examined > FEW { Search::new(self) } else { None };
        let mut judged: Vec<Judged> =
            words.iter().map(|word| self.judge_after(search.as_ref(), word, tol)).collect();
        let undecided = undecided(self, &judged, complete);
        drop_repeats(&mut judged, tol);
        if count.is_none_or(|count| count > LISTED) {
            judged.retain(|word| word.consistency != Consistency::No);
        }
        let verdict = match &undecided {
            Some(_) if motions(&judged, Consistency::Yes, tol) < 2 => Verdict::Undecided,
            _ => self.verdict(&judged, tol),
        };
        let pruned = count.map(|count| count - examined);
        Decision { words: judged, verdict, examined, pruned, undecided }
    }

    /// All that is said of these numbers: motions with their normal stability, impacts without collision, and P of two
    /// sliding contacts.
    pub fn everything(&self, tol: &Tol) -> Everything {
        let decision = self.decide(tol);
        Everything {
            stability: decision.words.iter().map(|word| self.stability(word, tol)).collect(),
            impacts: self.impacts_without_collision(tol),
            two: self.two_contacts(tol),
            decision,
        }
    }

    /// Every combination of choices, the first contact changing last.
    pub(super) fn all_words(&self) -> Vec<Vec<Choice>> {
        let mut words = vec![Vec::new()];
        for contact in 0..self.len() {
            let choices = self.choices(contact);
            let longer = |word: &Vec<Choice>| {
                choices.iter().map(|&choice| [&word[..], &[choice]].concat()).collect::<Vec<_>>()
            };
            words = words.iter().flat_map(longer).collect();
        }
        words
    }

    /// One motion, none, or several; at a border of the laws the verdict of all states nearby, if they have the same.
    fn verdict(&self, judged: &[Judged], tol: &Tol) -> Verdict {
        let certain = motions(judged, Consistency::Yes, tol);
        let at_border: Vec<&Judged> =
            judged.iter().filter(|word| word.consistency == Consistency::Marginal).collect();
        match (certain, &at_border[..]) {
            (0, []) => Verdict::Inconsistent,
            (1, []) => Verdict::Consistent,
            (0, [first, rest @ ..])
                if rest.iter().all(|word| same_motion(first, word, tol))
                    && all_ways_alike(self, first, tol) =>
            {
                Verdict::Consistent
            }
            (0 | 1, _) => Verdict::Marginal,
            _ => Verdict::Indeterminate,
        }
    }

    /// Whether some rows follow from others.
    fn is_dependent(&self, tol: &Tol) -> bool {
        let rows: Vec<usize> = (0..2 * self.len()).collect();
        !self.basis(&rows, tol.dependent).others.is_empty()
    }
}

/// A word that holds with an equality only, and has the motion of one that holds without, is no motion of its own.
fn drop_repeats(judged: &mut [Judged], tol: &Tol) {
    let certain: Vec<Judged> =
        judged.iter().filter(|word| word.consistency == Consistency::Yes).cloned().collect();
    for word in judged.iter_mut().filter(|word| word.consistency == Consistency::Marginal) {
        if let Some(other) = certain.iter().find(|other| same_motion(word, other, tol)) {
            word.consistency = Consistency::No;
            word.why = Why::Repeats { word: other.word.clone() };
        }
    }
}

/// Motions among the words of a kind; a word whose motion depends on its forces counts as several.
fn motions(judged: &[Judged], consistency: Consistency, tol: &Tol) -> usize {
    let mut found: Vec<&Judged> = Vec::new();
    let mut several = 0;
    for word in judged.iter().filter(|word| word.consistency == consistency) {
        if !word.moving.is_empty() {
            several += 2;
        } else if !found.iter().any(|other| same_motion(other, word, tol)) {
            found.push(word);
        }
    }
    found.len() + several
}

/// Whether all accelerations agree; where there are none they do not.
pub(super) fn same_motion(a: &Judged, b: &Judged, tol: &Tol) -> bool {
    a.accelerations.iter().zip(&b.accelerations).all(|(x, y)| {
        let size = x.scale.max(y.scale);
        (x.value - y.value).abs() <= 2.0 * tol.marginal * size
    })
}

/// Branches after which the search for this many contacts is given up.
fn branches(contacts: usize) -> usize {
    WORK / contacts.pow(3).max(1)
}

fn undecided(contacts: &Contacts, judged: &[Judged], complete: bool) -> Option<String> {
    if !complete {
        return Some(format!(
            "the search through the modes of {} closed contacts was given up after {} branches",
            contacts.len(),
            branches(contacts.len())
        ));
    }
    let open = judged.iter().filter(|word| word.open).count();
    (open > 0).then(|| format!("the forces of {open} modes could not be decided"))
}
