//! Several claims, of which at most one holds at a state: where in the box each of them does.
//!
//! The box is halved as for one claim, but that a claim fails somewhere ends nothing: its parts are those of another one. What stays open is a
//! strip along the boundaries between the claims, which becomes thinner with every layer.

use super::judge::{Judge, Judged};
use super::search::{Budget, Proof, on_all};
use super::statement::Statement;
use super::tree::{Part, Region, Tree};
use crate::num::halt;

/// Where each of several claims holds.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Of each claim: the parts in which it holds; everything else is open in it.
    pub proofs: Vec<Proof>,
    /// All parts, as shares of the sides.
    pub regions: Vec<(Region, Vec<[f64; 2]>)>,
    /// Share of the box that is open for all of them.
    pub open: f64,
    /// Parts that were looked at.
    pub parts: usize,
}

/// Looks where each of some statements over the same box holds, until no more than a share `enough` of it is open, or the budget ends.
pub fn survey(statements: &[Statement], budget: &Budget, enough: f64) -> Survey {
    let sides = statements.first().map_or(0, |statement| statement.ranges().len());
    let (mut tree, mut layer) = Tree::new(sides);
    let all: Vec<Judge<'_>> = statements.iter().map(Judge::wholly).collect();
    let mut open = 1.0;
    while open > enough && !layer.is_empty() && tree.parts < budget.parts && !halt::is_wanted() {
        let rest = layer.split_off(layer.len().min(budget.parts - tree.parts));
        let judged = on_all(&layer, budget.threads, || all.clone(), |judges, part| first(judges, part));
        let mut next: Vec<Part> = Vec::new();
        for (part, (claim, judged)) in layer.iter().zip(judged) {
            if matches!(judged, Judged::Holds(_) | Judged::Empty(_)) {
                open -= share(&part.shares);
            }
            next.extend(tree.note(part, claim, judged).into_iter().flatten());
        }
        next.extend(rest);
        layer = next;
    }
    let proofs = (0..statements.len()).map(|claim| tree.proof(claim)).collect();
    let regions = tree.regions();
    let open = regions.iter().filter(|part| part.0 == Region::Open).map(|part| share(&part.1)).sum();
    Survey { proofs, regions, open, parts: tree.parts }
}

/// The claim that decides a part; where none does, one that is open in it, or the last one, which fails as all others do.
fn first(judges: &mut [Judge<'_>], part: &Part) -> (usize, Judged) {
    let mut found = (0, Judged::Fails);
    if halt::is_wanted() {
        return found;
    }
    for (claim, judge) in judges.iter_mut().enumerate() {
        match judge.judge(&part.shares) {
            Judged::Fails => {}
            Judged::Open(j) if found.1 == Judged::Fails => found = (claim, Judged::Open(j)),
            Judged::Open(_) => {}
            decided => return (claim, decided),
        }
    }
    found
}

/// The share of the box that a part is.
fn share(sides: &[[f64; 2]]) -> f64 {
    sides.iter().map(|[lo, hi]| hi - lo).product()
}
