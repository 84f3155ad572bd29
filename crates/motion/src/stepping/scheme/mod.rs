//! Schemes that follow a motion by steps of time. A scheme is a [`Scheme`]: it takes one step of a [`Mechanics`], and says in a
//! [`StepRecord`] what the contacts did; the loop that makes a trajectory of it is in `simulate::stepped`.
//!
//! | file | subject |
//! |---|---|
//! | `name` | names and numbers of the schemes |
//! | `mechanics` | the mechanism that is stepped |
//! | `increment` | one linearised step with contact as an incremental problem |
//! | `direct` | its solution by the contacts' modes |
//! | `linear` | what the steps of a linear mechanism have in common |
//! | `newton`, `tangent` | the implicit equations of a step |
//! | `moreau` | Moreau's scheme, in the middle and at the ends of the step |
//! | `projected` | the same with positions projected |
//! | `adaptive` | the same with adapted steps |
//! | `schatzman_paoli` | Schatzman and Paoli's scheme |
//! | `weak` | where M is nearly singular |

mod adaptive;
mod direct;
mod increment;
mod linear;
mod mechanics;
mod moreau;
mod name;
mod newton;
mod projected;
mod schatzman_paoli;
mod tangent;
mod tolerance;
mod weak;

pub use adaptive::Adaptive;
pub use mechanics::{Equations, Mechanics, MechanicsMemory, Point, PointFunction, StepLaw};
pub use moreau::Moreau;
pub use name::{Discretisation, SchemeName, UnknownScheme};
pub use projected::Projected;
pub use schatzman_paoli::SchatzmanPaoli;
pub use weak::Weak;

use crate::coulomb::{Outcome, ProblemError, Request};
use crate::linear::MatrixError;
use crate::model::{Layout, Singular};
use crate::num::dense::PivotError;

/// What a contact did in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepOutcome {
    /// It was not predicted to close.
    #[default]
    Open,
    /// It was, and separates without an impulse.
    TakesOff,
    /// An impulse, and no slip at the end.
    Sticks,
    /// An impulse on the border of the cone.
    Slips,
}

impl StepOutcome {
    /// Whether there was an impulse.
    pub fn presses(self) -> bool {
        matches!(self, Self::Sticks | Self::Slips)
    }
}

/// What happened in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// What each contact did.
    pub doing: Vec<StepOutcome>,
    /// U of each contact at the beginning, normal first.
    pub before: Vec<f64>,
    /// Impulse of each contact, normal first.
    pub impulses: Vec<f64>,
    /// Impulse of each bilateral constraint.
    pub reactions: Vec<f64>,
    /// Work of applied forces.
    pub work: f64,
    /// Weight of the end of the step in the mean velocity with which impulses do work.
    pub weight: f64,
}

impl StepRecord {
    /// Of a mechanism; nothing has happened yet.
    pub fn new(layout: &Layout) -> Self {
        let rows = layout.contacts * (1 + layout.tangents);
        Self {
            doing: vec![StepOutcome::Open; layout.contacts],
            before: vec![0.0; rows],
            impulses: vec![0.0; rows],
            reactions: vec![0.0; layout.constraints],
            work: 0.0,
            weight: 0.5,
        }
    }
}

/// Why a step could not be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// M cannot be factored.
    #[error("the equations of motion break down: {0}")]
    Model(#[from] Singular),
    /// The matrix of the step cannot, or its numbers are not finite.
    #[error("the step has no problem: {0}")]
    Problem(#[from] ProblemError),
    /// The matrix of the step is singular or indefinite.
    #[error("the matrix of the step cannot be factored: {0}")]
    Matrix(PivotError),
    /// The incremental problem of the step was not solved.
    #[error("the contact problem of the step is not solved: {outcome:?}")]
    Unsolved {
        /// How the solvers ended.
        outcome: Outcome,
    },
    /// Newton's method did not converge.
    #[error("Newton's method of the step ended with a residual of {residual:e}: a shorter step may help")]
    Newton {
        /// Relative residual that it came to.
        residual: f64,
    },
    /// No step is short enough for the tolerance.
    #[error("no step is short enough for the tolerance: {step:e} s")]
    TooShort {
        /// The step.
        step: f64,
    },
}

impl StepError {
    /// Whether the matrix of the step is not positive definite.
    pub fn is_of_matrix(&self) -> bool {
        match self {
            Self::Matrix(_) | Self::Problem(ProblemError::Matrix(MatrixError::Indefinite { .. })) => true,
            Self::Model(_)
            | Self::Problem(_)
            | Self::Unsolved { .. }
            | Self::Newton { .. }
            | Self::TooShort { .. } => false,
        }
    }
}

/// A scheme.
pub trait Scheme: Send + Sync {
    /// Takes a step of at most `longest` from a point at which the mechanics looked last: moves the point to its end (schemes of
    /// fixed steps: by `longest`) and fills `taken`. Where it fails, the point is where it was. Does not allocate once contacts and sizes are known.
    ///
    /// # Errors
    /// [`StepError`].
    fn step(
        &mut self,
        mechanics: &mut Mechanics<'_>,
        point: &mut Point,
        longest: f64,
        taken: &mut StepRecord,
    ) -> Result<(), StepError>;

    /// The same scheme with all that it remembers of the steps before.
    fn copy(&self) -> Box<dyn Scheme>;

    /// Forgets what it has computed of the mechanism, whose parameters or laws are others from now on; what the contacts did it remembers.
    fn forget_equations(&mut self);

    /// The problem that the last step could not solve.
    fn unsolved(&self) -> Option<&crate::coulomb::Problem> {
        None
    }
}

impl Discretisation {
    /// The scheme, ready to step.
    pub fn scheme(&self, layout: &Layout) -> Box<dyn Scheme> {
        let request = Request::default();
        match self.scheme {
            SchemeName::Moreau => Box::new(Moreau::new(layout, self, request)),
            SchemeName::MoreauJean => Box::new(Moreau::at_ends(layout, self, request)),
            SchemeName::MoreauProjected => Box::new(Projected::new(layout, self, request)),
            SchemeName::SchatzmanPaoli => Box::new(SchatzmanPaoli::new(layout, self, request)),
            SchemeName::MoreauHeuristic => Box::new(Adaptive::heuristic(layout, self, request)),
            SchemeName::MoreauAdaptive => Box::new(Adaptive::new(layout, self, request)),
        }
    }
}
