//! Which motions closed contacts permit: all combinations of modes where they are few, those that a search leaves where they are many; and
//! the verdict, which counts motions. Forces that differ without moving anything are one motion.

use super::border::all_ways_alike;
use super::contacts::{Contacts, Motion};
use super::forces::ForceSet;
use super::judge::Judgement;
use super::mode::Mode;
use super::reason::JointReason;
use super::rest::Rest;
use super::search::{Excluded, Search};
use super::verdict::{Consistency, Verdict};
use super::walk::{combinations, count};
use crate::num::Tol;

/// Combinations up to which all are judged and told, in the plane.
pub const LISTED: u64 = 256;
/// Combinations up to which each is looked at alone.
pub(super) const FEW: u64 = 16;
/// Branches of the search times n³ up to which it goes, what a branch costs growing as n³: a few seconds.
const WORK: usize = 2_000_000;
/// Combinations that are tried at most in space.
pub(super) const TRIED: usize = 729;
/// What closed contacts can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Combinations: of few contacts in the plane all, otherwise those that are consistent or marginal.
    pub modes: Vec<Judgement>,
    /// The verdict.
    pub verdict: Verdict,
    /// How it was found.
    pub search: Effort,
    /// Combinations that are neither found nor refuted.
    pub open: Vec<Vec<Mode>>,
    /// What forbids a statement, if anything does.
    pub undecided: Option<String>,
    /// Of contacts in space that are all at rest: whether they can stay there, and whether they must.
    pub rest: Option<Rest>,
    /// If only the combination of a motion that the solvers found is undecided: all its motions slip within this angle of that one.
    pub spread: Option<f64>,
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Combinations judged one by one.
    pub examined: u64,
    /// Combinations excluded without, or none if the contacts have more than 2⁶⁴.
    pub pruned: Option<u64>,
    /// Boxes of directions of slip.
    pub boxes: usize,
    /// Partial decisions in search of refutations.
    pub partial: usize,
}

impl Contacts {
    /// All motions.
    pub fn decide(&self, tol: &Tol) -> Decision {
        self.decide_one(|_| true, tol).unwrap_or_else(|| self.decide_several(tol))
    }

    /// The same; of one contact without modes that do not hold, which a motion does not ask for.
    pub fn decide_to_go_on(&self, tol: &Tol) -> Decision {
        let holds = |consistency| consistency != Consistency::No;
        self.decide_one(holds, tol).unwrap_or_else(|| self.decide_several(tol))
    }

    fn decide_several(&self, tol: &Tol) -> Decision {
        let options: Vec<Vec<Mode>> = (0..self.len()).map(|c| self.modes(c)).collect();
        if self.tangents == 1 {
            self.decide_in_plane(&options, tol)
        } else {
            self.decide_in_space(&options, tol)
        }
    }

    fn decide_in_plane(&self, options: &[Vec<Mode>], tol: &Tol) -> Decision {
        let count = count(options);
        let listed = count.is_some_and(|count| count <= LISTED);
        let (found, complete) = match Search::new(self).filter(|_| !listed) {
            _ if listed => (combinations(options).collect(), true),
            Some(search) => {
                let left = search.run(branches(self.len()));
                (left.combinations, left.complete)
            }
            None => (Vec::new(), false),
        };
        let examined = found.len() as u64;
        let mut search = if self.is_dependent(tol) && examined > FEW { Search::new(self) } else { None };
        let mut excluded = |modes: &[Mode]| match search.as_mut()?.excludes(modes)? {
            Excluded::NoForces => Some(ForceSet::Empty),
            Excluded::Still(row) => Some(ForceSet::Still(self.contact_of(row))),
        };
        let judge = |modes: &Vec<Mode>| self.judge_unless(modes, || excluded(modes), tol);
        let mut judged: Vec<Judgement> = found.iter().map(judge).collect();
        let undecided = undecided(self, &judged, complete);
        drop_repeats(&mut judged, tol);
        if !listed {
            judged.retain(|judged| judged.consistency != Consistency::No);
        }
        let verdict = match &undecided {
            Some(_) if motions(&judged, Consistency::Yes, tol) < 2 => Verdict::Undecided,
            _ => self.verdict(&judged, tol),
        };
        let pruned = count.map(|count| count - examined);
        let search = Effort { examined, pruned, ..Effort::default() };
        Decision { undecided, ..Decision::of(judged, verdict, search) }
    }

    /// Combinations whose accelerations are zero where they must be positive, so that their motion is, now, that of others.
    pub(super) fn at_border(&self, decision: &Decision, tol: &Tol) -> Vec<Vec<Mode>> {
        let still = |judged: &&Judgement| {
            matches!(judged.why, JointReason::Still { .. } | JointReason::Repeats { .. })
        };
        let listed = decision.modes.iter().filter(still).map(|judged| judged.modes.clone());
        let options: Vec<Vec<Mode>> = (0..self.len()).map(|c| self.modes(c)).collect();
        if self.tangents > 1 {
            let known = |modes: &Vec<Mode>| {
                self.leaving(modes).is_empty() && self.judge(modes, tol).consistency != Consistency::No
            };
            return combinations(&options).take(TRIED).filter(known).collect();
        }
        if count(&options).is_some_and(|count| count <= LISTED) {
            return listed.collect();
        }
        let Some(search) = Search::new(self) else { return Vec::new() };
        let mut left = search.at_border().run(branches(self.len())).combinations;
        left.retain(|modes| {
            let judged = self.judge(modes, tol);
            judged.consistency == Consistency::Marginal || still(&&judged)
        });
        left
    }

    /// One motion, none, or several; at a border of the laws the verdict of all states nearby, if they have the same.
    pub(super) fn verdict(&self, judged: &[Judgement], tol: &Tol) -> Verdict {
        let certain = motions(judged, Consistency::Yes, tol);
        let at_border: Vec<&Judgement> =
            judged.iter().filter(|judged| judged.consistency == Consistency::Marginal).collect();
        match (certain, &at_border[..]) {
            (0, []) => Verdict::Inconsistent,
            (1, []) => Verdict::Consistent,
            (0, [first, rest @ ..])
                if self.tangents == 1
                    && rest.iter().all(|other| first.has_motion_of(other, tol))
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
        let rows: Vec<usize> = (0..self.c.len()).collect();
        !self.basis(&rows, tol.dependent).others.is_empty()
    }

    /// Whether no contact slips or parts.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.contacts.iter().all(|contact| contact.motion == Motion::Resting)
    }
}

impl Decision {
    /// Of which nothing is left open.
    pub(super) fn of(modes: Vec<Judgement>, verdict: Verdict, search: Effort) -> Self {
        Self { modes, verdict, search, open: Vec::new(), undecided: None, rest: None, spread: None }
    }

    /// What is not decided, if anything is.
    pub(super) fn open_reason(&self) -> Option<String> {
        let open = || format!("{} combinations of modes are neither found nor refuted", self.open.len());
        self.undecided.clone().or_else(|| (!self.open.is_empty()).then(open))
    }

    /// Whether something is not decided.
    pub fn is_open(&self) -> bool {
        !self.open.is_empty() || self.undecided.is_some()
    }
}

/// A combination that holds with an equality only, and has the motion of one that holds without, is no motion of its own.
pub(super) fn drop_repeats(judged: &mut [Judgement], tol: &Tol) {
    let certain: Vec<Judgement> =
        judged.iter().filter(|judged| judged.consistency == Consistency::Yes).cloned().collect();
    for own in judged.iter_mut().filter(|judged| judged.consistency == Consistency::Marginal) {
        if let Some(other) = certain.iter().find(|other| own.has_motion_of(other, tol)) {
            own.consistency = Consistency::No;
            own.why = JointReason::Repeats { modes: other.modes.clone() };
        }
    }
}

/// Motions among the combinations of a kind; one whose motion depends on its forces counts as several.
pub(super) fn motions(judged: &[Judgement], consistency: Consistency, tol: &Tol) -> usize {
    let mut found: Vec<&Judgement> = Vec::new();
    let mut several = 0;
    for own in judged.iter().filter(|judged| judged.consistency == consistency) {
        if !own.moving.is_empty() {
            several += 2;
        } else if !found.iter().any(|other| other.has_motion_of(own, tol)) {
            found.push(own);
        }
    }
    found.len() + several
}

/// Branches after which the search for this many contacts is given up.
fn branches(contacts: usize) -> usize {
    WORK / contacts.pow(3).max(1)
}

fn undecided(contacts: &Contacts, judged: &[Judgement], complete: bool) -> Option<String> {
    if !complete {
        return Some(format!(
            "the search through the modes of {} closed contacts was given up after {} branches",
            contacts.len(),
            branches(contacts.len())
        ));
    }
    let open = judged.iter().filter(|judged| judged.open).count();
    (open > 0).then(|| format!("the forces of {open} modes could not be decided"))
}
