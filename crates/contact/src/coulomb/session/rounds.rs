//! The search for a force: solvers, judgement by the problem as given, and stricter tolerances where that asks for them.

use super::judge::{Case, Judge};
use crate::coulomb::attempt::{Goal, Round, Run};
use crate::coulomb::backward::Verdict;
use crate::coulomb::problem::Local;
use crate::coulomb::request::Request;
use crate::coulomb::solution::{Outcome, Solution};
use crate::coulomb::solver::Task;
use crate::coulomb::solver::polish::polish;

/// A sequence of solvers, from a start to a better force; the name of the solver that found it.
type Sequence<'a> = dyn Fn(&Task<'_>, &Goal, Round, &mut Run, &mut [f64]) -> &'static str + 'a;

/// How a force is looked for.
pub struct Method<'a> {
    /// The solvers.
    pub(crate) sequence: &'a Sequence<'a>,
    /// Whether a few Newton steps may follow them.
    pub(crate) polished: bool,
    /// How often they begin again.
    pub(crate) starts: usize,
    /// How they go from one tolerance to the next.
    pub(crate) pace: Tightening,
}

/// How rounds go from one tolerance to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tightening {
    /// At once to the one that should just do, in few rounds; from no force where a start leads nowhere.
    Leap,
    /// Step by step, so that no more is done than the judgement asks for: the plain residual of a heap says little about a single
    /// contact. A warm start is the only one.
    Steps,
}

/// Rounds that go step by step, and the least factor from one tolerance to the next.
const STEPS: (usize, f64) = (60, 0.2);
/// The part of what is allowed that they aim at: the backward error of a heap follows its plain residual within a sixth.
const AIM: f64 = 0.8;

/// What that estimate is multiplied by. On beads 2 to 3 would do; a look too many costs less than sweeps too many.
const GUESS: f64 = 10.0;

/// The memory of a search, which stays for the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) run: Run,
    pub(super) judge: Judge,
    /// The force in the solvers' units, a start at first.
    pub(super) force: Vec<f64>,
    /// The last point that was judged, and the best one.
    found: Solution,
    pub(super) best: Solution,
    /// Points that were judged, and steps of polishing.
    judged: usize,
    polished: usize,
}

/// How the rounds from one start ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Nothing is left to improve.
    Good,
    /// Better than the solvers can see, and not good enough.
    Improvable,
    /// The solvers do not reach their tolerance.
    Stuck,
}

impl Search {
    /// Looks for a force from the start that stands in `force` if `warm`, then from none; the best point stands in `best`.
    pub(super) fn search(&mut self, case: &Case<'_>, method: &Method<'_>, warm: bool) {
        self.run.attempts.clear();
        self.run.missing.clear();
        (self.run.mended, self.run.brief) = (false, false);
        (self.judged, self.polished) = (0, 0);
        let goal = goal(case.request);
        let mut ending = if warm { self.rounds(case, method, (&goal, Round::Warm)) } else { Ending::Stuck };
        let starts = if warm && method.pace == Tightening::Steps { 0 } else { method.starts };
        for start in 0..starts {
            if ending == Ending::Good || start > 0 && ending == Ending::Stuck {
                break;
            }
            let round = if start == 0 { Round::First } else { Round::Again };
            if round == Round::First {
                self.force.clear();
                self.force.resize(case.problem.rows(), 0.0);
            }
            ending = self.rounds(case, method, (&goal, round));
        }
        if self.judged == 0 {
            self.best = Solution::zero(case.problem);
        }
        self.keep_to_the_law(case);
        if self.best.outcome == Outcome::NotConverged && self.run.is_over(&goal) {
            self.best.outcome = Outcome::Budget;
        }
        self.best.iterations = self.run.iterations() + self.polished;
    }

    /// Rounds with stricter tolerances, from one start.
    fn rounds(&mut self, case: &Case<'_>, method: &Method<'_>, (goal, start): (&Goal, Round)) -> Ending {
        let (task, tol) = (case.task(), &case.request.tol);
        let (mut goal, mut round) = (*goal, start);
        let steps = method.pace == Tightening::Steps;
        let (rounds, least) = if steps { STEPS } else { (tol.rounds, 0.0) };
        if steps {
            goal.tolerance *= gauge(task.local);
        }
        for left in (0..rounds).rev() {
            let Self { run, judge, force, found, .. } = self;
            found.solver = (method.sequence)(&task, &goal, round, run, force);
            judge.look(&task, force);
            // the first tolerance of steps is a guess, and need not be reached
            let first = round != Round::Continued;
            let bound = if steps && (first || run.brief) { f64::INFINITY } else { goal.tolerance };
            let next = |excess: f64, reached: f64| {
                let factor = match steps {
                    true => (AIM / excess).clamp(least, AIM),
                    false => tol.tighter * excess.recip().min(1.0),
                };
                factor * reached.min(bound)
            };
            if steps && left > 0 && judge.excess(case.request) > 1.0 {
                // as much of a judgement as is needed to go on
                let (reached, excess) = (judge.seen(&task, force), judge.excess(case.request));
                if reached <= bound {
                    judge.missing(case, None, &mut run.missing);
                    (goal.tolerance, round) = (next(excess, reached), Round::Continued);
                    continue;
                }
            }
            let (mut judgement, mut reached) = (judge.judge(case, force, found), 0.0);
            if !judgement.is_good() {
                reached = judge.reached(case, &judgement, force);
                if method.polished && reached <= goal.tolerance && judgement.verdict == Verdict::Beyond {
                    let memory = (&mut judge.terms, &mut run.workspace);
                    self.polished += polish(&task, (goal.tolerance, tol), memory, force);
                    judge.turn(&task, force);
                    judgement = judge.judge(case, force, found);
                }
                if steps {
                    judge.missing(case, Some(found.backward_error), &mut run.missing);
                }
            }
            self.judged += 1;
            if self.judged == 1 || self.found.is_better(&self.best) {
                std::mem::swap(&mut self.best, &mut self.found);
            }
            if judgement.is_good() {
                return Ending::Good;
            }
            // what a first round does not reach, later ones will not
            if reached > bound && (first || steps) {
                return Ending::Stuck;
            }
            (goal.tolerance, round) = (next(judgement.excess, reached), Round::Continued);
        }
        Ending::Improvable
    }

    /// The backward error is that of the lawful r̂ beside the force. Where the blocks of W are nearly all of it, r̂ can solve the
    /// problem though the force is far from it: then the answer is r̂.
    fn keep_to_the_law(&mut self, case: &Case<'_>) {
        if self.best.outcome != Outcome::Solved || self.best.residual.relative <= case.request.tolerance {
            return;
        }
        let (task, Self { judge, force, found, best, .. }) = (case.task(), self);
        case.forms.solvers_force(&best.r, force);
        judge.look(&task, force);
        judge.terms.lawful_force(case.problem.dim(), force);
        judge.look(&task, force);
        judge.judge(case, force, found);
        found.solver = best.solver;
        if found.outcome == Outcome::Solved && found.residual.relative < best.residual.relative {
            std::mem::swap(found, best);
        }
    }

    /// A force of the problem's own units, judged.
    pub(super) fn point(&mut self, case: &Case<'_>, r: &[f64]) -> &Solution {
        let mut force = std::mem::take(&mut self.force);
        case.forms.solvers_force(r, &mut force);
        self.judge.look(&case.task(), &force);
        self.judge.judge(case, &force, &mut self.found);
        self.force = force;
        &self.found
    }
}

/// The plain residual at which a force may be judged for the first time, over the tolerance. It adds forces to velocities as if W were of size one:
/// where it is not, the same backward error makes it smaller by that size.
fn gauge(local: &Local) -> f64 {
    let size = local.W.size();
    if size > 0.0 { (GUESS * size.min(size.recip())).min(1.0) } else { 1.0 }
}

fn goal(request: &Request) -> Goal {
    Goal {
        tolerance: request.tolerance,
        effort: request.effort,
        iterations: request.budget.iterations.unwrap_or(usize::MAX),
        deadline: request.budget.deadline(),
        tol: request.tol,
        threads: request.threads,
    }
}
