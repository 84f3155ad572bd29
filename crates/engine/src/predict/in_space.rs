//! Motions in space: one that is known, and what small friction, multipliers and boxes of directions leave of the others.

use super::contacts::Contacts;
use super::decide::{Decision, Effort, FEW, TRIED, drop_repeats, motions};
use super::directions::{Boxes, circle};
use super::judge::Judgement;
use super::leaving::Known;
use super::mode::Mode;
use super::refute::{Target, Unrefuted, refuted};
use super::rest::RestProof;
use super::verdict::{Consistency, Verdict};
use super::walk::{combinations, count};
use crate::num::{InOrder, Tol};

/// Boxes of angles that are examined at most, of so many contacts; fewer of more, as each takes longer.
const BOXES: usize = 20_000;
const OF_CONTACTS: usize = 4;
/// Bilateral contacts, or contacts of infinite friction, whose modes are tried in all combinations in space.
const MOST: usize = 6;

/// What is known before anything is searched.
#[derive(Debug)]
pub(super) struct First {
    /// A motion.
    pub(super) motion: Option<Judgement>,
    /// Whether it is rest of all contacts.
    stands: bool,
    /// Normal forces that prove rest to be the only motion.
    held_by: Option<Vec<f64>>,
}

/// Of which nothing is decided yet.
fn nothing() -> Decision {
    let search = Effort { pruned: Some(0), ..Effort::default() };
    Decision::of(Vec::new(), Verdict::Undecided, search)
}

impl Contacts {
    /// Why there are more combinations in space than are tried.
    fn too_much(&self) -> Option<String> {
        let held = (0..self.len()).filter(|&i| !self.is_unilateral(i)).count();
        let infinite = (0..self.len()).filter(|&i| self.friction(i).is_infinite()).count();
        let more = |count: usize, what: &str| (count > MOST).then(|| format!("more than {MOST} {what}"));
        more(held, "contacts are bilateral").or_else(|| more(infinite, "contacts have infinite friction"))
    }

    pub(super) fn decide_in_space(&self, options: &[Vec<Mode>], tol: &Tol) -> Decision {
        if let Some(reason) = self.too_much() {
            return Decision { undecided: Some(reason), ..nothing() };
        }
        let first = self.first(options, tol);
        let moves = first.held_by.is_none() && options.iter().any(|modes| modes.len() > 1);
        if moves && let Some(only) = self.only_motion(first.motion.as_ref(), options, tol) {
            return self.decided(only, options);
        }
        self.decide_by_refutation(options, first, tol)
    }

    /// A motion that is found at once: rest, or one in which no contact begins to slip.
    pub(super) fn first(&self, options: &[Vec<Mode>], tol: &Tol) -> First {
        let several = options.iter().any(|modes| modes.len() > 1);
        let at_rest = !self.is_empty() && self.is_at_rest();
        let held_by = if at_rest && several { self.only_rest(tol) } else { None };
        let sure = |judged: &Judgement| judged.consistency == Consistency::Yes;
        let rest = self.resting(options, tol).into_iter().find(sure);
        let stands = at_rest && rest.is_some();
        let unbegun = || if held_by.is_none() { self.unbegun(options, tol) } else { None };
        First { motion: rest.or_else(unbegun), stands, held_by }
    }

    /// One motion, beside which small friction permits no other.
    fn decided(&self, only: Judgement, options: &[Vec<Mode>]) -> Decision {
        let pruned = count(options).map(|count| count - 1);
        let proof = only.stays().then_some(RestProof::Refutation);
        let search = Effort { examined: 1, pruned, ..Effort::default() };
        let mut found = Decision::of(vec![only], Verdict::Consistent, search);
        found.rest = self.is_at_rest().then(|| found.rest_from(proof));
        found
    }

    /// The same where all other motions have to be refuted or looked for.
    pub(super) fn decide_by_refutation(&self, options: &[Vec<Mode>], first: First, tol: &Tol) -> Decision {
        let First { motion: known, stands, held_by: proof } = first;
        let at_rest = !self.is_empty() && self.is_at_rest();
        let rest_is_known = proof.is_some() || stands;
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
        let mut found = nothing();
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
}
