//! Halving: the parts of one size are judged together, on all cores, then the halves of those that stay open. So the answer does not
//! depend on who judges what, and what is left when the budget ends is a thin layer.

use super::algebra::restated;
use super::certificate::MOST_VARYING;
use super::formula::Formula;
use super::judge::{Judge, Judged};
use super::statement::Statement;
use super::witness::{Refutation, Seeker};
use crate::num::{halt, team::cores};
use std::thread;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Parts to look at.
    pub parts: usize,
    /// Threads.
    pub threads: usize,
    /// Whether quantities may be written in another form, whose identity with the first is a part of the proof.
    pub restated: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { parts: 1_000_000, threads: cores(), restated: true }
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds in the whole box.
    Proven,
    /// It fails at a state of the box.
    Refuted(Box<Refutation>),
    /// No state of the box is meant.
    Vacuous,
    /// Parts of the box stay open.
    Undecided,
}

/// A verdict, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The answer.
    pub verdict: Verdict,
    /// Halvings and leaves, as a certificate has them.
    pub tree: String,
    /// Parts that were looked at.
    pub parts: usize,
    /// Share of the box that stays open.
    pub open: f64,
    /// Parts that stay open, as shares of the sides: the first of them.
    pub left: Vec<Vec<[f64; 2]>>,
    /// The statement with other forms of its quantities, if it is shown by these.
    pub restated: Option<Statement>,
    /// Whether a state is known that is meant: without one, what is proven may be about nothing.
    pub inhabited: bool,
}

/// Parts after which a statement is tried in another form.
const FIRST: usize = 500;
/// Parts in which a state is looked for that is meant.
const INHABITED: usize = 200;
/// How many times more parts are looked at in each further turn.
const MORE: usize = 8;
/// Open parts that are told.
const TOLD: usize = 1000;
/// Least parts that a thread is begun for.
const SHARE: usize = 64;
/// Halvings of one side: below that its ends are no longer exact.
const DEEPEST: i32 = 48;

/// A part of the box, and what became of it.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    Done(char),
    /// Halved along an input; the first of its two parts in the list.
    Halved(usize, usize),
}

struct Part {
    leaf: usize,
    shares: Vec<[f64; 2]>,
}

/// Decides a statement, as far as the budget goes. What holds, or is open, in all of a box without a state that is meant is vacuous.
pub fn prove(statement: &Statement, budget: &Budget) -> Proof {
    let found = decide(statement, budget);
    let meant = !statement.zero.is_empty() || statement.assumed != Formula::always();
    match found.verdict {
        Verdict::Refuted(_) | Verdict::Vacuous => found,
        Verdict::Proven | Verdict::Undecided if !meant => Proof { inhabited: true, ..found },
        Verdict::Proven | Verdict::Undecided => {
            let nothing = Statement { claimed: Formula::Any(Vec::new()), ..statement.clone() };
            let state = halve(&nothing, &Budget { parts: budget.parts.min(INHABITED), ..*budget });
            match state.verdict {
                Verdict::Vacuous => state,
                verdict => Proof { inhabited: matches!(verdict, Verdict::Refuted(_)), ..found },
            }
        }
    }
}

/// Decides a statement, as far as the budget goes: as it is, and where that does not end soon, in another form, in turns with more and more
/// parts; of two that stay undecided, the one of which less is left.
fn decide(statement: &Statement, budget: &Budget) -> Proof {
    let mut parts = FIRST.min(budget.parts);
    let mut plain = halve(statement, &Budget { parts, ..*budget });
    let wanted = |proof: &Proof| proof.verdict == Verdict::Undecided && !halt::is_wanted();
    let other = if budget.restated && wanted(&plain) { restated(statement) } else { None };
    let Some(other) = other else {
        return if parts < budget.parts && wanted(&plain) { halve(statement, budget) } else { plain };
    };
    loop {
        let found = halve(&other, &Budget { parts, ..*budget });
        let less = found.open <= plain.open;
        if found.verdict != Verdict::Undecided || (less && (parts == budget.parts || halt::is_wanted())) {
            return Proof { restated: Some(other), ..found };
        }
        if parts == budget.parts || halt::is_wanted() {
            return plain;
        }
        parts = parts.saturating_mul(MORE).min(budget.parts);
        plain = halve(statement, &Budget { parts, ..*budget });
        if plain.verdict != Verdict::Undecided {
            return plain;
        }
    }
}

fn halve(statement: &Statement, budget: &Budget) -> Proof {
    let seeker = Seeker::new(statement);
    let sides = statement.ranges().len();
    let mut search = Search { sides, leaves: vec![Leaf::Done('?')], parts: 0 };
    let mut layer = vec![Part { leaf: 0, shares: vec![[0.0, 1.0]; sides] }];
    while !layer.is_empty() && search.parts < budget.parts && !halt::is_wanted() {
        let rest = layer.split_off(layer.len().min(budget.parts - search.parts));
        let judged = judge_all(statement, &seeker, &layer, budget.threads);
        search.parts += layer.len();
        if let Some(refutation) = judged.iter().find_map(|found| found.1.clone()) {
            return Proof { inhabited: true, ..search.finish(Verdict::Refuted(Box::new(refutation))) };
        }
        let mut next: Vec<Part> = Vec::new();
        for (part, (judged, _)) in layer.into_iter().zip(judged) {
            search.note(part, judged, &mut next);
        }
        next.extend(rest);
        layer = next;
    }
    search.decide()
}

struct Search {
    /// Inputs that vary.
    sides: usize,
    leaves: Vec<Leaf>,
    parts: usize,
}

impl Search {
    /// Keeps what became of a part, and its halves.
    fn note(&mut self, part: Part, judged: Judged, next: &mut Vec<Part>) {
        self.leaves[part.leaf] = match judged {
            Judged::Holds(by_slopes) => Leaf::Done(if by_slopes { ':' } else { '.' }),
            Judged::Empty(by_slopes) => Leaf::Done(if by_slopes { '=' } else { '-' }),
            Judged::Open(j) if halves(part.shares.get(j)) => {
                let first = self.leaves.len();
                for (k, shares) in halved(&part.shares, j).into_iter().enumerate() {
                    self.leaves.push(Leaf::Done('?'));
                    next.push(Part { leaf: first + k, shares });
                }
                Leaf::Halved(j, first)
            }
            Judged::Open(_) | Judged::Fails => Leaf::Done('?'),
        };
    }

    fn decide(self) -> Proof {
        let any = |wanted: &str| {
            self.leaves.iter().any(|leaf| matches!(leaf, Leaf::Done(c) if wanted.contains(*c)))
        };
        let verdict = match (any("?"), any(".:")) {
            (true, _) => Verdict::Undecided,
            (false, true) => Verdict::Proven,
            (false, false) => Verdict::Vacuous,
        };
        self.finish(verdict)
    }

    fn finish(self, verdict: Verdict) -> Proof {
        let (mut tree, mut open, mut left) = (String::new(), 0.0, Vec::new());
        let mut stack = vec![(0, 1.0, vec![[0.0, 1.0]; self.sides])];
        while let Some((leaf, share, sides)) = stack.pop() {
            match self.leaves[leaf] {
                Leaf::Done(c) => {
                    tree.push(c);
                    if c == '?' {
                        open += share;
                        if left.len() < TOLD {
                            left.push(sides);
                        }
                    }
                }
                Leaf::Halved(j, first) => {
                    tree.push(letter(j));
                    let [lower, upper] = halved(&sides, j);
                    stack.extend([(first + 1, 0.5 * share, upper), (first, 0.5 * share, lower)]);
                }
            }
        }
        Proof { verdict, tree, parts: self.parts, open, left, restated: None, inhabited: false }
    }
}

/// The halves of a part along a side.
pub(super) fn halved(sides: &[[f64; 2]], j: usize) -> [Vec<[f64; 2]>; 2] {
    let [lo, hi] = sides[j];
    let middle = 0.5 * (lo + hi);
    [[lo, middle], [middle, hi]].map(|half| {
        let mut sides = sides.to_vec();
        sides[j] = half;
        sides
    })
}

/// Whether a side can be halved further.
fn halves(side: Option<&[f64; 2]>) -> bool {
    side.is_some_and(|[lo, hi]| hi - lo > f64::powi(2.0, -DEEPEST))
}

/// 0 to 9, A to Z: most inputs that a certificate can halve.
fn letter(j: usize) -> char {
    let digit = u32::try_from(j).ok().and_then(|j| char::from_digit(j, MOST_VARYING as u32));
    digit.map_or('?', |c| c.to_ascii_uppercase())
}

type Found = (Judged, Option<Refutation>);

fn judge_all(statement: &Statement, seeker: &Seeker<'_>, parts: &[Part], threads: usize) -> Vec<Found> {
    let threads = threads.min(parts.len().div_ceil(SHARE)).max(1);
    let work = |parts: &[Part]| -> Vec<Found> {
        let mut judge = Judge::new(statement);
        let one = |part: &Part| {
            let judged = judge.judge(&part.shares);
            let fails = matches!(judged, Judged::Open(_) | Judged::Fails);
            (judged, if fails { seeker.near(&mut judge, &part.shares) } else { None })
        };
        parts.iter().map(one).collect()
    };
    if threads == 1 {
        return work(parts);
    }
    let pieces = parts.chunks(parts.len().div_ceil(threads));
    thread::scope(|scope| {
        let running: Vec<_> = pieces.map(|piece| (piece, scope.spawn(|| work(piece)))).collect();
        running
            .into_iter()
            .flat_map(|(piece, thread)| thread.join().unwrap_or_else(|_| work(piece)))
            .collect()
    })
}
