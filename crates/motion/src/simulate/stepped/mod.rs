//! Motions by time-stepping schemes: the schemes themselves are in [`crate::stepping`], here their steps become a trajectory.

mod contact;
mod driven;
mod onward;
mod record;
mod refused;
mod row;
mod run;
mod tally;

use super::Beginning;
use super::trajectory::{RowFunction, Trajectory};
use crate::contact::{Hold, Laws};
use crate::model::Model;
use crate::num::Tol;
use crate::stepping::{Discretisation, Equations, StepLaw};
use driven::Driven;

pub use onward::Onward;

/// How a motion is followed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// By which scheme.
    pub discretisation: Discretisation,
    /// Time at which the motion ends.
    pub end: f64,
    /// Number of rows at equal times; every step if absent.
    pub samples: Option<usize>,
    /// Rows at these times instead, ascending.
    pub times: Option<&'a [f64]>,
    /// Most steps.
    pub steps: usize,
    /// Most events.
    pub events: usize,
    /// Ends the motion where it falls to zero: a function of a row.
    pub stop: Option<RowFunction<'a>>,
}

/// A number of a discretisation that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SteppedError {
    /// h is not positive.
    #[error("--step is {0}, expected a number of seconds > 0")]
    Step(f64),
    /// h is longer than the time that is asked for.
    #[error("--step is {step}, longer than the {span} s that are asked for")]
    Long {
        /// h.
        step: f64,
        /// The time.
        span: f64,
    },
    /// θ is not in [0, 1].
    #[error("--theta is {0}, expected a number in [0, 1]")]
    Theta(f64),
    /// γ is not in [0, 1].
    #[error("--gamma is {0}, expected a number in [0, 1]")]
    Gamma(f64),
    /// The relative tolerance is not in (0, 1), or below what doubles can give.
    #[error("--rtol is {0}, expected a number from {least} up to 1", least = Tol::default().noise)]
    Tolerance(f64),
    /// The absolute tolerance is negative.
    #[error("--atol is {0}, expected a number >= 0")]
    AbsoluteTolerance(f64),
}

/// The motions of a mechanism by time-stepping.
#[derive(Clone, Debug)]
pub struct Stepped {
    equations: Equations,
    driven: Option<Driven>,
}

impl Stepped {
    /// The motions of a model.
    pub fn new(model: &Model) -> Self {
        Self { equations: Equations::new(model), driven: Driven::of(model) }
    }

    /// The motion from a state.
    ///
    /// # Errors
    /// [`SteppedError`] for a discretisation that makes no sense; how a motion ended otherwise is its status.
    ///
    /// # Panics
    /// If names, laws or the state have other lengths than the model's.
    pub fn run(&self, begin: &Beginning<'_>, options: &Options<'_>) -> Result<Trajectory, SteppedError> {
        assert!(begin.state.fits(self.equations.layout()), "coordinates and parameters of the model");
        check(&options.discretisation, options.end - begin.state.t)?;
        let laws = step_laws(begin.laws);
        Ok(run::Run::new((&self.equations, self.driven.as_ref()), begin, &laws, options).motion())
    }
}

/// The laws of all contacts in discrete time.
fn step_laws(laws: &[Laws]) -> Vec<StepLaw> {
    laws.iter().map(step_law).collect()
}

/// The laws of a contact in discrete time.
fn step_law(laws: &Laws) -> StepLaw {
    StepLaw {
        friction: laws.friction.mu(),
        restitution: laws.restitution.coefficient(),
        tangential: laws.tangential,
        bilateral: laws.hold == Hold::Bilateral,
    }
}

fn check(of: &Discretisation, span: f64) -> Result<(), SteppedError> {
    let fraction = 0.0..=1.0;
    if !(of.step > 0.0 && of.step.is_finite()) {
        return Err(SteppedError::Step(of.step));
    }
    if of.step > span {
        return Err(SteppedError::Long { step: of.step, span });
    }
    if !fraction.contains(&of.theta) {
        return Err(SteppedError::Theta(of.theta));
    }
    if !fraction.contains(&of.gamma) {
        return Err(SteppedError::Gamma(of.gamma));
    }
    if !(of.rtol >= Tol::default().noise && of.rtol < 1.0) {
        return Err(SteppedError::Tolerance(of.rtol));
    }
    if !(of.atol >= 0.0 && of.atol.is_finite()) {
        return Err(SteppedError::AbsoluteTolerance(of.atol));
    }
    Ok(())
}
