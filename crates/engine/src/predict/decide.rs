//! Which motions closed contacts permit: all combinations of modes where they are few, those that a search leaves where they are many; and
//! the verdict, which counts motions. Forces that differ without moving anything are one motion.

use super::border::all_ways_alike;
use super::contacts::{Contacts, Motion};
use super::directions::{Boxes, circle};
use super::forces::ForceSet;
use super::judge::Judgement;
use super::leaving::Known;
use super::mode::Mode;
use super::reason::JointReason;
use super::refute::{Target, Unrefuted, refuted};
use super::rest::{Rest, RestProof};
use super::search::{Excluded, Search};
use super::verdict::{Consistency, Verdict};
use super::walk::{combinations, count};
use crate::num::{InOrder, Tol};

/// Combinations up to which all are judged and told, in the plane.
pub const LISTED: u64 = 256;
/// Combinations up to which each is looked at alone.
const FEW: u64 = 16;
/// Branches of the search times n³ up to which it goes, what a branch costs growing as n³: a few seconds.
const WORK: usize = 2_000_000;
/// Combinations that are tried at most in space.
const TRIED: usize = 729;
/// Boxes of angles that are examined at most, of so many contacts; fewer of more, as each takes longer.
const BOXES: usize = 20_000;
const OF_CONTACTS: usize = 4;
/// Bilateral contacts, or contacts of infinite friction, whose modes are tried in all combinations in space.
const MOST: usize = 6;

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
    fn verdict(&self, judged: &[Judgement], tol: &Tol) -> Verdict {
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

    /// Why there are more combinations in space than are tried.
    fn too_much(&self) -> Option<String> {
        let held = (0..self.len()).filter(|&i| !self.is_unilateral(i)).count();
        let infinite = (0..self.len()).filter(|&i| self.friction(i).is_infinite()).count();
        let more = |count: usize, what: &str| (count > MOST).then(|| format!("more than {MOST} {what}"));
        more(held, "contacts are bilateral").or_else(|| more(infinite, "contacts have infinite friction"))
    }

    fn decide_in_space(&self, options: &[Vec<Mode>], tol: &Tol) -> Decision {
        let search = Effort { pruned: Some(0), ..Effort::default() };
        let nothing = Decision::of(Vec::new(), Verdict::Undecided, search);
        if let Some(reason) = self.too_much() {
            return Decision { undecided: Some(reason), ..nothing };
        }
        let several = options.iter().any(|modes| modes.len() > 1);
        let at_rest = !self.is_empty() && self.is_at_rest();
        let proof = if at_rest && several { self.only_rest(tol) } else { None };
        let sticking = self.resting(options, tol);
        let sure = |judged: &Judgement| judged.consistency == Consistency::Yes;
        let stands = at_rest && sticking.iter().any(sure);
        let rest_is_known = proof.is_some() || stands;
        let unbegun = || if proof.is_none() { self.unbegun(options, tol) } else { None };
        let known = sticking.into_iter().find(sure).or_else(unbegun);
        let leaves = (0..self.len()).any(|i| options[i].iter().any(|&mode| self.leaves(i, mode)));
        // of many that slip, too, what else could happen is refuted sooner than looked through
        let many = count(options).is_none_or(|count| count > FEW);
        let is_left = |known: &&Judgement| {
            let one = leaves || many && known.moving.is_empty();
            stands || one && self.sticks_where_it_rests(&known.modes)
        };
        let left = known.as_ref().filter(is_left).map(|known| Target::Beside(&known.modes));
        let about = left.or(leaves.then_some(Target::Everything)).filter(|_| proof.is_none());
        let remains = about.map(|about| refuted(self, options, about, tol));
        let mut found = nothing;
        found.search.partial = remains.as_ref().map_or(0, |remains| remains.examined);
        let left = (remains.as_ref(), left.is_some());
        self.try_all(options, left, (rest_is_known, known.as_ref()), &mut found, tol);
        let proven = rest_is_known && remains.as_ref().is_none_or(Unrefuted::is_empty);
        if let Some(forces) = &proof {
            self.rest_by(forces, &mut found, tol);
        }
        drop_repeats(&mut found.modes, tol);
        found.modes.retain(|judged| judged.consistency != Consistency::No);
        found.rest = at_rest.then(|| {
            let proof = proof.map(RestProof::NormalForces);
            found.rest_from(if proven { proof.or(Some(RestProof::Refutation)) } else { None })
        });
        found.verdict = match motions(&found.modes, Consistency::Yes, tol) {
            2.. => Verdict::Indeterminate,
            // whatever the forces, nothing accelerates
            _ if proven && at_rest => Verdict::Consistent,
            _ if found.is_open() => Verdict::Undecided,
            _ => self.verdict(&found.modes, tol),
        };
        found
    }

    /// The combinations in which no contact moves.
    fn resting(&self, options: &[Vec<Mode>], tol: &Tol) -> Vec<Judgement> {
        let stays = |(i, modes): (usize, &Vec<Mode>)| {
            modes.iter().filter(|mode| self.may_stay(i, **mode)).copied().collect::<Vec<Mode>>()
        };
        let staying: Vec<Vec<Mode>> = options.iter().enumerate().map(stays).collect();
        if !self.is_at_rest() {
            return Vec::new();
        }
        combinations(&staying).map(|modes| self.judge(&modes, tol)).filter(Judgement::stays).collect()
    }

    /// A motion in which no contact begins to slip: the first in which none opens, if there is one; of many contacts only those are looked at.
    fn unbegun(&self, options: &[Vec<Mode>], tol: &Tol) -> Option<Judgement> {
        let closed = |modes: &Vec<Mode>| modes.iter().filter(|mode| mode.is_closed()).copied().collect();
        let closed: Vec<Vec<Mode>> = options.iter().map(closed).collect();
        let few = count(options).is_some_and(|count| count <= TRIED as u64);
        let all =
            combinations(&closed).take(TRIED).chain(combinations(options).take(if few { TRIED } else { 0 }));
        let mut judged =
            all.filter(|modes| self.leaving(modes).is_empty()).map(|modes| self.judge(&modes, tol));
        judged.find(|judged| judged.consistency == Consistency::Yes)
    }

    /// Whether contacts at rest stay where they are in modes that hold them closed.
    fn sticks_where_it_rests(&self, modes: &[Mode]) -> bool {
        let plain = |i: usize| self.is_unilateral(i) && !self.friction(i).is_infinite();
        let stays = |(i, mode): (usize, &Mode)| !(self.rests(i) && matches!(mode, Mode::Slip { .. }));
        (0..self.len()).all(plain) && modes.iter().enumerate().all(stays)
    }

    /// Whether a contact at rest may stay where it is in a mode: without friction it is one of slip.
    fn may_stay(&self, contact: usize, mode: Mode) -> bool {
        match mode {
            Mode::Stick { .. } => true,
            Mode::Slip { .. } => mode.direction().is_none() && self.friction(contact).is_zero(),
            Mode::Free => false,
        }
    }

    /// All combinations; beside a motion that is known only those that are not refuted. Of too many that motion, or what the incremental solvers find.
    fn try_all(
        &self,
        options: &[Vec<Mode>],
        (remains, beside): (Option<&Unrefuted>, bool),
        (rest_is_known, known): (bool, Option<&Judgement>),
        found: &mut Decision,
        tol: &Tol,
    ) {
        let too_many = count(options).is_none_or(|count| count > TRIED as u64);
        if too_many && let Some(judged) = known.cloned().or_else(|| self.solved_step(tol)) {
            found.search.examined += 1;
            found.modes.push(judged);
            if remains.is_none_or(|remains| !remains.is_empty()) {
                found.undecided =
                    Some(format!("of {} contacts one motion was looked for, not all", self.len()));
            }
            return;
        }
        let mut all: Vec<Vec<Mode>> = combinations(options).take(TRIED).collect();
        // few angles first: each more takes many more boxes
        all.put_in_order_of(|modes| self.leaving(modes).len());
        let boxes = BOXES * OF_CONTACTS.pow(3) / self.len().max(OF_CONTACTS).pow(3);
        let mut budget = boxes;
        for modes in all {
            let leaving = self.leaving(&modes);
            let stays = (0..modes.len()).all(|i| self.may_stay(i, modes[i]));
            let may_hold = match remains {
                _ if rest_is_known && stays || known.is_some_and(|known| known.modes == modes) => true,
                None => !rest_is_known,
                Some(remains) if beside || !leaving.is_empty() => remains.permits(&modes),
                Some(_) => true,
            };
            let from = match remains {
                Some(remains) => remains.boxes(&modes, &leaving),
                None => vec![vec![circle(); leaving.len()]],
            };
            let within = Boxes { from, budget: &mut budget };
            let mut known = if may_hold { self.known(&modes, within, tol) } else { Known::Pruned };
            if let Known::Solutions(solved, _) = &mut known {
                let at_edge = |judged: &&Judgement| match judged.consistency {
                    Consistency::Yes => {
                        judged.by_stiffness && self.laws(judged, tol).0 == Consistency::Marginal
                    }
                    consistency => consistency == Consistency::Marginal,
                };
                let edges = solved.iter().filter(at_edge);
                let begun: Vec<Judgement> =
                    edges.filter_map(|judged| self.against_held_forces(judged, tol)).collect();
                solved.extend(begun);
            }
            found.take(modes, known);
        }
        found.search.boxes = boxes - budget;
        if too_many && remains.is_none_or(|remains| !remains.is_empty()) {
            let examined = found.search.examined + found.search.pruned.unwrap_or_default();
            found.undecided = Some(format!("only {examined} combinations of modes were examined"));
        }
        self.add_solution(remains, found, tol);
    }
}

impl Decision {
    /// Of which nothing is left open.
    pub(super) fn of(modes: Vec<Judgement>, verdict: Verdict, search: Effort) -> Self {
        Self { modes, verdict, search, open: Vec::new(), undecided: None, rest: None, spread: None }
    }

    fn take(&mut self, modes: Vec<Mode>, known: Known) {
        match known {
            Known::Solutions(found, complete) => {
                self.search.examined += 1;
                self.modes.extend(found.into_iter().filter(|judged| judged.consistency != Consistency::No));
                if !complete {
                    self.open.push(modes);
                }
            }
            Known::Pruned => self.search.pruned = self.search.pruned.map(|pruned| pruned + 1),
            Known::Undecided => {
                self.search.examined += 1;
                self.open.push(modes);
            }
        }
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
fn drop_repeats(judged: &mut [Judgement], tol: &Tol) {
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
fn motions(judged: &[Judgement], consistency: Consistency, tol: &Tol) -> usize {
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
