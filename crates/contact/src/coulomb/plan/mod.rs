//! Which solver works on a problem, when, and for how long: a plan is data, which can be printed, and given by the caller.
//!
//! A plan has an opening, whose rows are tried once, and rounds, whose rows are tried in turn again and again, each round with
//! a multiple of the work of the one before. Work is counted in Gauss-Seidel sweeps: a Newton row is given as many steps as
//! cost as much, by the operations of its factorisation and not by a clock, so that the same problem is always solved in the
//! same way. Sweeps that will be done before Newton's method could be go on.
//!
//! Two ways that share the work evenly take at most twice as long as the better one alone, whichever it is, and less where one
//! begins where the other has come to.

mod cost;
mod default;
mod heap;
mod mending;
mod run;

pub(crate) use cost::is_dear;
pub(crate) use default::FEW;
pub(crate) use heap::HeapSearch;

use super::attempt::{Goal, Round, Run};
use super::order::Order;
use super::solver::{
    Accelerated, AlartCurnier, FischerBurmeister, GaussSeidel, Multipliers, ProjectedGradient, ProximalPoint,
    Smoothed, Solver, Task,
};
use std::borrow::Cow;
use std::fmt;

/// A solver with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Plain Gauss-Seidel sweeps.
    GaussSeidel,
    /// Sweeps with momentum, which go on as long as they promise to be done within this multiple of the round's work, or of what a
    /// path of smoothed problems costs where one comes after them and a Newton step is dear.
    Accelerated(f64),
    /// Newton's method on the function of Alart and Curnier.
    AlartCurnier,
    /// Newton's method on the function of Fischer and Burmeister.
    FischerBurmeister,
    /// Newton's method along the path of smoothed problems.
    Smoothed,
    /// The proximal point method around Newton's.
    Proximal(ProximalPoint),
    /// The method of multipliers in the velocities of the bodies; nothing where the problem does not tell what bodies there are, or
    /// where they are no fewer than the contacts.
    Multipliers,
    /// Accelerated projected gradient.
    Gradient,
}

/// How long a row works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Work {
    /// So many iterations of its own.
    Iterations(usize),
    /// This part of the round's work, at most so many iterations; nothing if that makes too few to get anywhere. A row that goes on in the
    /// next round where it was interrupted takes up to twice as many where it promises to be done with them.
    Share(f64, usize),
}

/// Where a row starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// The best point so far.
    Best,
    /// No force: a Newton method that is stuck elsewhere often gets through from here.
    Zero,
}

/// The problems for which a row is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Only {
    /// All.
    Always,
    /// Those with up to so many contacts.
    Contacts(usize),
    /// Those with more contacts than so many.
    Beyond(usize),
    /// Those of which a Newton step costs at most so many sweeps, and the tolerance is less than this.
    Step(f64, f64),
}

/// One solver of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub method: Method,
    /// How long.
    pub work: Work,
    /// From where.
    pub begin: Begin,
    /// For what.
    pub only: Only,
}

/// The solvers of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Tried once, in this order.
    pub opening: Cow<'static, [Row]>,
    /// Tried in this order in every round.
    pub rounds: Cow<'static, [Row]>,
    /// Work of the first round, in sweeps, at least.
    pub sweeps: usize,
    /// The share of a path of smoothed problems that it is worth at least, where one is to be tried and a Newton step is dear.
    pub of_path: f64,
    /// A Newton step that costs more sweeps than this is dear.
    pub dear: f64,
    /// The multiple of it in every later round.
    pub growth: usize,
    /// Number of rounds.
    pub count: usize,
}

impl Row {
    /// A row for all problems, from the best point.
    #[must_use]
    pub const fn new(method: Method, work: Work) -> Self {
        Self { method, work, begin: Begin::Best, only: Only::Always }
    }
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => GaussSeidel.name(),
            Self::Accelerated(_) => Accelerated::default().name(),
            Self::AlartCurnier => AlartCurnier.name(),
            Self::FischerBurmeister => FischerBurmeister.name(),
            Self::Smoothed => Smoothed::default().name(),
            Self::Proximal(method) => method.name(),
            Self::Multipliers => Multipliers::NAME,
            Self::Gradient => ProjectedGradient.name(),
        }
    }

    /// Whether it is followed from round to round, whatever the others find meanwhile.
    fn goes_on(self, begin: Begin) -> bool {
        match self {
            Self::Smoothed | Self::Multipliers => true,
            Self::FischerBurmeister => begin == Begin::Zero,
            _ => false,
        }
    }

    /// Whether its iterations are sweeps, or cost about as much.
    fn sweeps(self) -> bool {
        matches!(self, Self::GaussSeidel | Self::Accelerated(_) | Self::Gradient)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "opening")?;
        self.opening.iter().enumerate().try_for_each(|(k, row)| writeln!(f, "  {}. {row}", k + 1))?;
        let Self { count, sweeps, of_path, dear, growth, .. } = self;
        writeln!(
            f,
            "up to {count} rounds, the first worth {sweeps} sweeps, each next one {growth} times more;"
        )?;
        writeln!(
            f,
            "the first at least {of_path} of a path where a Newton step costs more than {dear} sweeps"
        )?;
        let first = self.opening.len() + 1;
        self.rounds.iter().enumerate().try_for_each(|(k, row)| writeln!(f, "  {}. {row}", k + first))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.method)?;
        match self.work {
            Work::Iterations(n) => write!(f, ", {n} iterations")?,
            Work::Share(share, usize::MAX) => write!(f, ", {share} of the work")?,
            Work::Share(share, most) => write!(f, ", {share} of the work, up to {most} iterations")?,
        }
        if self.begin == Begin::Zero {
            write!(f, ", from no force")?;
        }
        match self.only {
            Only::Always => Ok(()),
            Only::Contacts(n) => write!(f, ", up to {n} contacts"),
            Only::Beyond(n) => write!(f, ", beyond {n} contacts"),
            Only::Step(sweeps, tolerance) => {
                write!(
                    f,
                    ", where a Newton step costs at most {sweeps} sweeps and the tolerance is less than {tolerance:e}"
                )
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        match self {
            Self::Proximal(ProximalPoint { start, factor, rho, patience: usize::MAX }) => {
                write!(f, " (alpha {start:e} / {factor}, rho {rho})")
            }
            Self::Proximal(ProximalPoint { start, factor, rho, patience }) => {
                write!(f, " (alpha {start:e} / {factor}, rho {rho}, patience {patience})")
            }
            Self::Accelerated(patience) => write!(f, " (patience {patience})"),
            _ => Ok(()),
        }
    }
}

impl Plan {
    /// The plan at work.
    pub(crate) fn sequence(
        &self,
    ) -> impl Fn(&Task<'_>, &Goal, Round, &mut Run, &mut [f64]) -> &'static str + '_ {
        |task, goal, round, run, r| self.search(task, goal, round, run, r)
    }

    /// A better force by this plan. What begins again does so with the contacts in another order, for it is the order on which
    /// it hangs whether the Newton methods lose their way.
    pub(crate) fn search(
        &self,
        task: &Task<'_>,
        goal: &Goal,
        round: Round,
        run: &mut Run,
        r: &mut [f64],
    ) -> &'static str {
        if round != Round::Continued {
            run.workspace.forget_ways();
        }
        match round {
            Round::Warm => run::in_turn(&Self::near(task), task, goal, run, r),
            Round::First | Round::Continued => run::in_turn(self, task, goal, run, r),
            Round::Again => {
                let order = Order::strided(task.mu.len());
                let (local, mu) = (order.local(task.local), order.of_contacts(task.mu));
                let mut point = vec![0.0; r.len()];
                let found = run::in_turn(self, &Task { local: &local, mu: &mu }, goal, run, &mut point);
                run.workspace.forget_ways();
                order.restore(&point, r);
                found
            }
        }
    }
}
