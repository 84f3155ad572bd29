//! All words of several contacts in space, each decided or not, and the verdict.

use super::boxes::{Boxes, everywhere};
use super::decide::{Decision, decide};
use super::forces::ForceRange;
use super::judge::Solved;
use super::proof::{About, Remains, refuted};
use super::rest::{Rest, RestProof, only_rest};
use super::scale::Scale;
use super::stability::stability;
use super::step::solved_step;
use super::system::System;
use crate::analysis::planar::{Consistency, Stability, Verdict};
use crate::analysis::space::SpaceWord;
use crate::num::Tol;

/// Words that are tried at most.
const WORDS: usize = 729;
/// Boxes of angles that are examined at most.
const BOXES: usize = 20_000;

/// A word that was decided, or found by a solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// Forces and accelerations.
    pub solved: Solved,
    /// Verified bounds of each force component where the forces are not unique, 3 a contact.
    pub ranges: Option<Vec<ForceRange>>,
    /// Under normal compliance.
    pub stability: Stability,
    /// Whether it stands on a solver's residual alone.
    pub by_solver: bool,
}

/// Everything said about several contacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Consistent and marginal words.
    pub modes: Vec<Decided>,
    /// Words that are neither found nor refuted.
    pub undecided: Vec<Vec<SpaceWord>>,
    /// Words that were examined.
    pub examined: usize,
    /// Words that were left out with a proof: what is held already stops them, or multipliers refute them.
    pub pruned: usize,
    /// Boxes of angles that were examined.
    pub boxes: usize,
    /// Partial decisions that were examined in the search for refutations.
    pub nodes: usize,
    /// Of contacts that are all at rest: whether they can stay there, and whether they must.
    pub rest: Option<Rest>,
    /// If only the word of a motion that the solvers found is undecided: all its motions slip within this angle of that one.
    pub spread: Option<f64>,
    /// Whether there are more words than are tried.
    pub too_many: bool,
}

/// Examines all words; of contacts that are held closed on each side of their surface.
pub fn answer(system: &System, tol: &Tol) -> Answer {
    let scale = Scale::of(system);
    let mut found = in_relative_units(&scale.applied(system), tol);
    scale.undone(&mut found);
    found
}

fn in_relative_units(system: &System, tol: &Tol) -> Answer {
    let sides = system.sides();
    let words = sides.first().map_or(0, |side| side.words().fold(1_usize, usize::saturating_mul));
    let at_rest = !system.mu.is_empty() && system.is_at_rest();
    let proof = if at_rest && words.max(sides.len()) > 1 { only_rest(system, &sides, tol) } else { None };
    let stands = at_rest && sides.iter().any(|side| rests(side, tol) == Consistency::Yes);
    let mut all = Answer { too_many: words > WORDS, ..Answer::default() };
    let mut proven = proof.is_some() || stands;
    for (k, side) in sides.iter().enumerate() {
        let remains = match (&proof, stands) {
            (Some(_), _) => None,
            (None, true) => Some(refuted(side, About::Leaving, tol)),
            (None, false) => leaving_words(side).then(|| refuted(side, About::Everything, tol)),
        };
        proven &= remains.as_ref().is_none_or(Remains::is_empty);
        let mut own = one_side(side, remains.as_ref(), (at_rest && proof.is_some()) || stands, tol);
        own.turn_back(&system.turned_on(k));
        all.join(own, tol);
    }
    if let Some(forces) = &proof {
        all.rest_by(system, forces, tol);
    }
    all.drop_twins(tol);
    all.rest = at_rest.then(|| {
        let proof = proof.map(RestProof::NormalForces);
        all.rest_from(if proven { proof.or(Some(RestProof::Refutation)) } else { None })
    });
    all
}

/// Whether a contact can leave rest.
fn leaving_words(system: &System) -> bool {
    (0..system.contacts()).any(|i| system.along[i].is_none() && system.options(i).contains(&SpaceWord::Slip))
}

/// Whether forces in the cones keep all contacts at rest.
fn rests(system: &System, tol: &Tol) -> Consistency {
    let sticks = vec![SpaceWord::Stick; system.contacts()];
    match decide(system, &sticks, Boxes { from: Vec::new(), budget: &mut 0 }, tol) {
        Decision::Modes { found, .. } => {
            found.first().map_or(Consistency::No, |decided| decided.solved.consistency)
        }
        Decision::Pruned | Decision::Undecided => Consistency::No,
    }
}

/// All words of contacts that cannot pull; of an equilibrium only those that stick or are not refuted.
fn one_side(system: &System, remains: Option<&Remains>, stands: bool, tol: &Tol) -> Answer {
    let options: Vec<&[SpaceWord]> = (0..system.contacts()).map(|i| system.options(i)).collect();
    let count = system.words().fold(1_usize, usize::saturating_mul);
    let mut out = Answer { nodes: remains.map_or(0, |remains| remains.examined), ..Answer::default() };
    let mut budget = BOXES;
    let mut words: Vec<Vec<SpaceWord>> = (0..count.min(WORDS)).map(|number| nth(number, &options)).collect();
    // few angles first: each more takes many more boxes
    words.sort_by_key(|word| system.leaving(word).len());
    for word in words {
        let sticks = word.iter().all(|word| *word == SpaceWord::Stick);
        let may_hold = match remains {
            _ if stands && sticks => true,
            None => !stands,
            Some(remains) if stands || !system.leaving(&word).is_empty() => remains.permits(&word),
            Some(_) => true,
        };
        let leaving = system.leaving(&word);
        let from = match remains {
            Some(remains) => remains.boxes(&word, &leaving),
            None => vec![everywhere(leaving.len())],
        };
        let within = Boxes { from, budget: &mut budget };
        let decision = if may_hold { decide(system, &word, within, tol) } else { Decision::Pruned };
        out.take(word, decision);
    }
    out.boxes = BOXES - budget;
    out.too_many = count > WORDS && remains.is_none_or(|remains| !remains.is_empty());
    out.add_solution(system, remains, tol);
    out
}

/// The word of a number, in mixed digits.
fn nth(mut number: usize, options: &[&[SpaceWord]]) -> Vec<SpaceWord> {
    let digit = |options: &&[SpaceWord]| {
        let word = options[number % options.len()];
        number /= options.len();
        word
    };
    options.iter().map(digit).collect()
}

impl Answer {
    fn take(&mut self, word: Vec<SpaceWord>, decision: Decision) {
        match decision {
            Decision::Modes { found, complete } => {
                self.examined += 1;
                self.modes.extend(found.into_iter().filter(|m| m.solved.consistency != Consistency::No));
                if !complete {
                    self.undecided.push(word);
                }
            }
            Decision::Pruned => self.pruned += 1,
            Decision::Undecided => {
                self.examined += 1;
                self.undecided.push(word);
            }
        }
    }

    /// Forces and accelerations with the normals as they were.
    fn turn_back(&mut self, turned: &[usize]) {
        for mode in &mut self.modes {
            for &i in turned {
                for values in [&mut mode.solved.forces, &mut mode.solved.accelerations] {
                    values[3 * i] = 0.0 - values[3 * i];
                }
                if let Some(ranges) = &mut mode.ranges {
                    let ForceRange { low, high } = ranges[3 * i];
                    ranges[3 * i] = ForceRange { low: -high, high: -low };
                }
            }
        }
    }

    /// That all contacts stick under forces that prove it to be the only motion: whatever words the search left open, they have no other.
    fn rest_by(&mut self, system: &System, forces: &[f64], tol: &Tol) {
        let sticks = vec![SpaceWord::Stick; system.contacts()];
        self.undecided.clear();
        self.too_many = false;
        let holds =
            |mode: &Decided| mode.solved.consistency == Consistency::Yes && mode.solved.word == sticks;
        if self.modes.iter().any(holds) {
            self.modes.retain(holds);
            return;
        }
        let solved = Solved {
            directions: vec![None; sticks.len()],
            forces: forces.to_vec(),
            accelerations: vec![0.0; forces.len()],
            consistency: Consistency::Yes,
            fault: None,
            word: sticks,
        };
        let stability = stability(system, &solved.word, &solved, tol);
        let ranges = Some(vec![ForceRange { low: f64::NEG_INFINITY, high: f64::INFINITY }; forces.len()]);
        self.modes = vec![Decided { solved, ranges, stability, by_solver: false }];
    }

    /// Another side's answer; a motion of both is one, with all its forces.
    fn join(&mut self, other: Self, tol: &Tol) {
        for mode in other.modes {
            let twin = self.modes.iter_mut().find(|own| {
                own.solved.word == mode.solved.word && own.solved.has_motion_of(&mode.solved, tol)
            });
            match twin {
                None => self.modes.push(mode),
                Some(own) => own.unite(mode),
            }
        }
        let new = other.undecided.into_iter().filter(|word| !self.undecided.contains(word));
        let new: Vec<Vec<SpaceWord>> = new.collect();
        self.undecided.extend(new);
        self.examined += other.examined;
        self.pruned += other.pruned;
        self.boxes += other.boxes;
        self.nodes += other.nodes;
        self.spread = self.spread.or(other.spread);
        self.too_many |= other.too_many;
    }

    /// What is said about rest, with the proof that nothing else can happen if there is one.
    fn rest_from(&self, proof: Option<RestProof>) -> Rest {
        let sticks = |mode: &&Decided| mode.solved.word.iter().all(|word| *word == SpaceWord::Stick);
        let unknown = self.undecided.iter().any(|word| word.iter().all(|word| *word == SpaceWord::Stick));
        let refuted = (!unknown && !self.too_many).then_some(Consistency::No);
        let possible = self.modes.iter().find(sticks).map(|m| m.solved.consistency).or(refuted);
        let others = self.modes.iter().filter(|mode| !sticks(mode));
        let moves = others.clone().any(|mode| mode.solved.consistency == Consistency::Yes);
        let open = !self.undecided.is_empty() || self.too_many;
        let listed = possible == Some(Consistency::Yes) && others.count() == 0 && !open;
        let proof = proof.or(listed.then_some(RestProof::Enumeration));
        let only = match proof {
            Some(_) => Some(true),
            None => (moves || possible == Some(Consistency::No)).then_some(false),
        };
        Rest { possible, only, proof }
    }

    /// The verdict, as far as it is proven.
    pub fn verdict(&self) -> Verdict {
        let count = |wanted| self.modes.iter().filter(|m| m.solved.consistency == wanted).count();
        let (yes, marginal) = (count(Consistency::Yes), count(Consistency::Marginal));
        let open = !self.undecided.is_empty() || self.too_many;
        match (yes, marginal, open) {
            (2.., _, _) => Verdict::Indeterminate,
            (_, _, true) => Verdict::Undecided,
            (_, 1.., false) => Verdict::Marginal,
            (1, 0, false) => Verdict::Consistent,
            (0, 0, false) => Verdict::Inconsistent,
        }
    }

    /// What the incremental solvers find for contacts at rest, where its word is not decided: a motion, and how near to it all
    /// others of that word are.
    fn add_solution(&mut self, system: &System, remains: Option<&Remains>, tol: &Tol) {
        let open = !self.undecided.is_empty() || self.too_many;
        if !open || !system.is_plain() {
            return;
        }
        let Some(solved) = solved_step(system) else { return };
        let known = |mode: &Decided| {
            let own = &mode.solved;
            let same = own.consistency == Consistency::Yes && own.has_motion_of(&solved, tol);
            own.word == solved.word || same
        };
        if self.modes.iter().any(known) {
            return;
        }
        let spread = remains.map(|remains| remains.spread(&solved.word, &solved.directions));
        self.spread = spread.filter(|_| self.undecided == [solved.word.clone()]);
        let stability = stability(system, &solved.word, &solved, tol);
        self.modes.push(Decided { solved, ranges: None, stability, by_solver: true });
    }

    /// Leaves out marginal words whose motion is that of a consistent one: the same rest with a force at zero.
    fn drop_twins(&mut self, tol: &Tol) {
        let firm: Vec<Solved> = self
            .modes
            .iter()
            .filter(|mode| mode.solved.consistency == Consistency::Yes)
            .map(|mode| mode.solved.clone())
            .collect();
        let before = self.modes.len();
        self.modes.retain(|mode| {
            mode.solved.consistency == Consistency::Yes
                || !firm.iter().any(|other| mode.solved.has_motion_of(other, tol))
        });
        self.pruned += before - self.modes.len();
        self.examined -= before - self.modes.len();
    }
}

impl Decided {
    /// The same motion with other forces.
    fn unite(&mut self, other: Self) {
        let better =
            other.solved.consistency == Consistency::Yes && self.solved.consistency != Consistency::Yes;
        if let (Some(own), Some(more)) = (&mut self.ranges, &other.ranges) {
            own.iter_mut().zip(more).for_each(|(own, more)| {
                *own = ForceRange { low: own.low.min(more.low), high: own.high.max(more.high) };
            });
            if better {
                self.solved = other.solved;
            }
        } else if better {
            *self = other;
        }
    }
}
