//! Moreau's scheme with steps of adapted length: each is taken once as a whole and once in two halves, whose difference in the positions is the
//! estimate of the error   [A09 (63), (67)]. The motion goes on from the halves. There are two strategies:
//!
//! * the heuristic rule   [A09 5.2, Figure 4]: the estimate (67) is taken as of order 0, whatever happens;
//! * variable order   [A09 5.3, Figure 5]: the order by which the next length follows is guessed from what the contacts did (68)-(70).
//!
//! Where neither way predicts that a contact closes both run through it alike, and the difference says nothing, least of all where flight is
//! exact. The heuristic rule is left as it is: with γ = 1/2 and θ = 1/2 it does not control the error of a ball, with γ = 1 it does
//! (docs/studies/orders.md). With variable order the depth of a contact that closes in the step counts as an error too, which the paper does not
//! have.

use super::mechanics::{Mechanics, Point};
use super::moreau::Moreau;
use super::tolerance::{HEURISTIC, Rule, VARIABLE_ORDER};
use super::{Discretisation, Scheme, StepError, StepRecord};
use crate::coulomb::{Problem, Request};
use crate::model::Layout;

/// How the next length follows from the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strategy {
    /// With order 0   [A09 (67)].
    Heuristic,
    /// With the order that the contacts say   [A09 (68)-(70)].
    VariableOrder,
}

impl Strategy {
    fn rule(self) -> Rule {
        match self {
            Self::Heuristic => HEURISTIC,
            Self::VariableOrder => VARIABLE_ORDER,
        }
    }

    /// The order of a step in which a contact closes, or none does   [A09 (69), (70)].
    fn order(self, closes: bool) -> i32 {
        match self {
            Self::Heuristic => 0,
            Self::VariableOrder => i32::from(!closes),
        }
    }
}

/// Moreau's scheme with adapted steps.
#[derive(Clone, Debug)]
pub struct Adaptive {
    strategy: Strategy,
    whole: Moreau,
    half: Moreau,
    rtol: f64,
    atol: f64,
    first: f64,
    next: f64,
    /// The results of the whole step and of the halves.
    whole_end: (Point, StepRecord),
    half_end: (Point, StepRecord),
    second: StepRecord,
    /// Largest |q| so far.
    sizes: Vec<f64>,
    /// Largest |g| so far.
    gap_sizes: Vec<f64>,
    /// Which contacts had no positive gap at the beginning.
    closed: Vec<bool>,
}

impl Adaptive {
    /// With variable order, and with θ, γ, the first step and the tolerances of a discretisation.
    pub fn new(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        Self::with(Strategy::VariableOrder, layout, of, request)
    }

    /// The same by the heuristic rule alone.
    pub fn heuristic(layout: &Layout, of: &Discretisation, request: Request) -> Self {
        Self::with(Strategy::Heuristic, layout, of, request)
    }

    fn with(strategy: Strategy, layout: &Layout, of: &Discretisation, request: Request) -> Self {
        let end = || (Point::default(), StepRecord::new(layout));
        Self {
            strategy,
            whole: Moreau::new(layout, of, request),
            half: Moreau::new(layout, of, request),
            rtol: of.rtol,
            atol: of.atol,
            first: of.step,
            next: of.step,
            whole_end: end(),
            half_end: end(),
            second: StepRecord::new(layout),
            sizes: vec![0.0; layout.coordinates],
            gap_sizes: vec![0.0; layout.contacts],
            closed: vec![false; layout.contacts],
        }
    }

    /// Both ways over a step; the error relative to what is allowed   [A09 (65), (67)], and the order   [A09 (69), (70)].
    fn attempt(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        start: &Point,
        h: f64,
    ) -> Result<(f64, i32), StepError> {
        self.closed.clear();
        self.closed.extend(mechanics.gaps().iter().map(|gap| *gap <= 0.0));
        let (point, taken) = &mut self.whole_end;
        point.assign(start);
        self.whole.step_with(mechanics, (point, h), &[], taken)?;
        let (point, taken) = &mut self.half_end;
        point.assign(start);
        mechanics.look(point)?;
        self.half.step_with(mechanics, (point, 0.5 * h), &[], taken)?;
        mechanics.look(point)?;
        self.half.step_with(mechanics, (point, 0.5 * h), &[], &mut self.second)?;
        mechanics.look(point)?;
        taken.join(&self.second);
        let mut error = 0.0_f64;
        let mut count = |miss: f64, size: f64| {
            if miss > 0.0 {
                error = error.max(miss / (self.atol + self.rtol * size));
            }
        };
        for (i, size) in self.sizes.iter_mut().enumerate() {
            *size = size.max(start.q[i].abs()).max(point.q[i].abs());
            count((point.q[i] - self.whole_end.0.q[i]).abs(), *size);
        }
        let mut closes = false;
        for ((gap, closed), size) in mechanics.gaps().iter().zip(&self.closed).zip(&mut self.gap_sizes) {
            *size = size.max(gap.abs());
            if *gap <= 0.0 && !closed {
                closes = true;
                count(if self.strategy == Strategy::VariableOrder { -gap } else { 0.0 }, *size);
            }
        }
        Ok((error, self.strategy.order(closes)))
    }
}

impl Scheme for Adaptive {
    fn step(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        point: &mut Point,
        longest: f64,
        taken: &mut StepRecord,
    ) -> Result<(), StepError> {
        let rule = self.strategy.rule();
        loop {
            let h = self.next.min(longest);
            let (error, order) = self.attempt(mechanics, point, h)?;
            // [A09 (64), (66)]
            let optimal = rule.safety * (1.0 / error).powf(1.0 / f64::from(order + 1));
            self.next = h * optimal.clamp(rule.least, rule.most);
            if error <= 1.0 {
                point.assign(&self.half_end.0);
                taken.assign(&self.half_end.1);
                return Ok(());
            }
            if self.next < rule.shortest * self.first || error.is_nan() {
                return Err(StepError::TooShort { step: h });
            }
            mechanics.look(point)?;
        }
    }

    fn copy(&self) -> Box<dyn Scheme> {
        Box::new(self.clone())
    }

    fn forget_equations(&mut self) {
        self.whole.forget_equations();
        self.half.forget_equations();
    }

    fn unsolved(&self) -> Option<&Problem> {
        self.half.unsolved()
    }
}

impl StepRecord {
    /// Goes on with a step that follows.
    fn join(&mut self, next: &Self) {
        for (doing, next) in self.doing.iter_mut().zip(&next.doing) {
            if next.presses() || !doing.presses() {
                *doing = *next;
            }
        }
        self.impulses.iter_mut().zip(&next.impulses).for_each(|(sum, next)| *sum += next);
        self.reactions.iter_mut().zip(&next.reactions).for_each(|(sum, next)| *sum += next);
        self.work += next.work;
    }

    fn assign(&mut self, other: &Self) {
        self.doing.clone_from(&other.doing);
        self.before.clone_from(&other.before);
        self.impulses.clone_from(&other.impulses);
        self.reactions.clone_from(&other.reactions);
        self.work = other.work;
    }
}
