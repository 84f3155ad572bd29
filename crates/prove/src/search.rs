//! Halving: the parts of one size are judged together, on all cores, then the halves of those that stay open. So the answer does not
//! depend on who judges what, and what is left when the budget ends is a thin layer.

use super::algebra::restated;
use super::formula::Formula;
use super::judge::{Judge, Judged};
use super::statement::Statement;
use super::tree::{Part, Tree};
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

impl Verdict {
    /// Whether a state is known at which it fails.
    pub fn is_refuted(&self) -> bool {
        matches!(self, Verdict::Refuted(_))
    }
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
    /// The statement with other forms of its quantities, if it is shown by these.
    pub restated: Option<Statement>,
    /// Whether a state is known that is meant: without one, what is proven may be about nothing.
    pub inhabited: bool,
}

impl Proof {
    /// Parts that stay open, as shares of so many sides.
    pub fn open_parts(&self, sides: usize) -> Vec<Vec<[f64; 2]>> {
        let parts = Tree::read(sides, &self.tree).map(|(_, open)| open).unwrap_or_default();
        parts.into_iter().map(|part| part.shares).collect()
    }
}

/// Parts after which a statement is tried in another form.
const FIRST: usize = 500;
/// Parts in which a state is looked for that is meant.
const INHABITED: usize = 200;
/// How many times more parts are looked at in each further turn.
const MORE: usize = 8;
/// How many times as much as the best form another one may leave open, and is tried further.
const BEHIND: f64 = 2.0;
/// Least parts that a thread is begun for.
const SHARE: usize = 64;
/// Decides a statement, as far as the budget goes. What holds, or is open, in all of a box without a state that is meant is vacuous.
pub fn prove(statement: &Statement, budget: &Budget) -> Proof {
    concluded(statement, budget, decide(statement, budget))
}

/// Goes on from the tree of a certificate, if it is one of this statement or of its other form, which `is_of` says; the budget is of further parts.
pub fn resume(
    statement: &Statement,
    budget: &Budget,
    tree: &str,
    is_of: impl Fn(&Proof) -> bool,
) -> Option<Proof> {
    let (begun, _) = Tree::read(statement.ranges().len(), tree)?;
    let own = begun.proof(0);
    let others = if is_of(&own) { Vec::new() } else { restated(statement) };
    let forms = std::iter::once(None).chain(others.into_iter().map(Some));
    let known = forms.map(|restated| Proof { restated, ..own.clone() }).find(|known| is_of(known))?;
    let stated = known.restated.as_ref().unwrap_or(statement);
    let budget = Budget { parts: budget.parts.saturating_add(known.parts), ..*budget };
    let found = halve_from(stated, &budget, Tree::read(statement.ranges().len(), tree)?);
    Some(concluded(statement, &budget, Proof { restated: known.restated, ..found }))
}

fn concluded(statement: &Statement, budget: &Budget, found: Proof) -> Proof {
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

/// Decides a statement, as far as the budget goes: as it is, and where that does not end soon, in other forms, in turns with more and more
/// parts. A form that leaves much more than the best one takes no further turn; of those that stay undecided, the one counts of which least is left.
fn decide(statement: &Statement, budget: &Budget) -> Proof {
    let mut parts = FIRST.min(budget.parts);
    let mut forms: Vec<Option<Statement>> = vec![None];
    let mut best = halve(statement, &Budget { parts, ..*budget });
    let is_over = |best: &Proof| best.verdict != Verdict::Undecided || halt::is_wanted();
    if budget.restated && !is_over(&best) {
        forms.extend(restated(statement).into_iter().map(Some));
    }
    let mut left = vec![best.open];
    loop {
        // what is new is tried with as many parts as the others had
        for form in &forms[left.len()..] {
            if is_over(&best) {
                return best;
            }
            let found = halve(form.as_ref().unwrap_or(statement), &Budget { parts, ..*budget });
            left.push(found.open);
            let found = Proof { restated: form.clone(), ..found };
            best = better(best, if form.is_some() { plainly(statement, found) } else { found });
        }
        if is_over(&best) || parts == budget.parts {
            return best;
        }
        let keeps: Vec<bool> = left.drain(..).map(|open| open <= BEHIND * best.open).collect();
        let mut keeps = keeps.into_iter();
        forms.retain(|_| keeps.next().unwrap_or(true));
        let alone = forms.len() == 1;
        parts = if alone { budget.parts } else { parts.saturating_mul(MORE).min(budget.parts) };
    }
}

/// A refutation that was found in another form without that form, if the state alone is enough: then nobody has to compare the two.
fn plainly(statement: &Statement, found: Proof) -> Proof {
    let Verdict::Refuted(refutation) = &found.verdict else { return found };
    match Seeker::new(statement).again(&refutation.witness) {
        Some(plain) => Proof { verdict: Verdict::Refuted(Box::new(plain)), restated: None, ..found },
        None => found,
    }
}

/// What decides, or leaves less; of two alike the second.
fn better(best: Proof, found: Proof) -> Proof {
    if found.verdict != Verdict::Undecided || found.open <= best.open { found } else { best }
}

fn halve(statement: &Statement, budget: &Budget) -> Proof {
    halve_from(statement, budget, Tree::new(statement.ranges().len()))
}

fn halve_from(statement: &Statement, budget: &Budget, (mut tree, mut layer): (Tree, Vec<Part>)) -> Proof {
    let (seeker, first) = (Seeker::new(statement), Judge::new(statement));
    while !layer.is_empty() && tree.parts < budget.parts && !halt::is_wanted() {
        let rest = layer.split_off(layer.len().min(budget.parts - tree.parts));
        let look = |judge: &mut Judge<'_>, part: &Part| {
            if halt::is_wanted() {
                return (Judged::Fails, None);
            }
            let judged = judge.judge(&part.shares);
            let fails = matches!(judged, Judged::Open(_) | Judged::Fails);
            (judged, if fails { seeker.near(judge, &part.shares) } else { None })
        };
        let judged = on_all(&layer, budget.threads, || first.clone(), look);
        let mut next: Vec<Part> = Vec::new();
        for (part, (judged, _)) in layer.iter().zip(&judged) {
            next.extend(tree.note(part, 0, *judged).into_iter().flatten());
        }
        if let Some(refutation) = judged.into_iter().find_map(|found| found.1) {
            return Proof {
                verdict: Verdict::Refuted(Box::new(refutation)),
                inhabited: true,
                ..tree.proof(0)
            };
        }
        next.extend(rest);
        layer = next;
    }
    tree.proof(0)
}

/// What is found of each part, in pieces on several threads.
pub(super) fn on_all<W, T: Send>(
    parts: &[Part],
    threads: usize,
    worker: impl Fn() -> W + Sync,
    look: impl Fn(&mut W, &Part) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(parts.len().div_ceil(SHARE)).max(1);
    let work = |parts: &[Part]| -> Vec<T> {
        let mut worker = worker();
        parts.iter().map(|part| look(&mut worker, part)).collect()
    };
    if threads == 1 {
        return work(parts);
    }
    let (work, pieces) = (&work, parts.chunks(parts.len().div_ceil(threads)));
    thread::scope(|scope| {
        let running: Vec<_> = pieces.map(|piece| (piece, scope.spawn(move || work(piece)))).collect();
        running
            .into_iter()
            .flat_map(|(piece, thread)| thread.join().unwrap_or_else(|_| work(piece)))
            .collect()
    })
}
