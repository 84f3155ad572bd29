//! Motions with regularised contacts, `--scheme compliant`: y = ε²Y, ẏ = εV and λ_N = max(0, −(kY + dV)) for Y < 0
//! [CV16 (30), (31)], Coulomb friction with true stick or with a tangential spring, several contacts, in the plane and in space.
//! Bilateral contacts have springs that pull too.
//!
//! Between events the equations are smooth and stiff, and are integrated by [`Radau`](super::integrate::Radau) with steps that do not
//! know ε but where a contact is not in its slow state; every change of a contact (touch, end of its force, end of slip, exit
//! from the cone) is an event. No rule about impacts or paradoxes enters: they are what the equations do.

mod decide;
mod fast;
mod field;
mod guard;
mod hold;
mod interior;
mod oscillator;
mod places;
mod portrait;
mod project;
mod record;
mod run;
mod sizes;
mod spring;
mod study;
mod tolerance;

pub use fast::{Divide, FastImpact, Side, divide, fast_impact};
pub use portrait::{Curve, CurvePoint, Equilibrium, FastPortrait, Fate, Scene};
pub use study::{Series, SeriesRun, Study, Trials, factor_grid};

use super::Beginning;
use super::drive::Drive;
use super::smooth::ContactMotion;
use super::trajectory::{RowFunction, Trajectory};
use crate::model::{Kernel, Model};
use serde::{Deserialize, Serialize};

/// The start of a closed contact in scaled variables, y = ε²Y, ẏ = εV.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preload {
    /// Index of the contact.
    pub contact: usize,
    /// Y.
    pub Y: f64,
    /// V.
    pub V: f64,
}

/// Where a motion ended, for one that goes on from there: gaps and slips of contacts are numbers of their own, and so are their springs.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// All numbers that are integrated.
    point: Vec<f64>,
    /// What the contacts do, and which of them pass through their surfaces.
    motions: Vec<ContactMotion>,
    pull: Vec<f64>,
    passing: Vec<bool>,
}

impl Carried {
    /// Coordinates and velocities of a mechanism with so many of each.
    pub fn state(&self, n: usize) -> (&[f64], &[f64]) {
        (&self.point[..n], &self.point[n..2 * n])
    }
}

/// How far and how well a motion is followed.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// ε > 0.
    pub eps: f64,
    /// Time at which the motion ends.
    pub end: f64,
    /// Error relative to the sizes that the motion shows.
    pub rtol: f64,
    /// Number of rows at equal times.
    pub samples: usize,
    /// Rows at these times instead, ascending.
    pub times: Option<&'a [f64]>,
    /// Most steps.
    pub steps: usize,
    /// Most events.
    pub events: usize,
    /// Whether it ends as soon as something has happened.
    pub pauses: bool,
    /// Ends the motion where it falls to zero: a function of a row.
    pub stop: Option<RowFunction<'a>>,
    /// Closed contacts that do not start at (0, 0); their rate is then not that of the state.
    pub preload: &'a [Preload],
    /// Where a motion before ended, whose contacts go on as they did.
    pub carried: Option<&'a Carried>,
}

impl Options<'_> {
    /// The usual tolerances and budgets.
    pub fn new(eps: f64, end: f64) -> Self {
        Self {
            eps,
            end,
            rtol: tolerance::RTOL,
            samples: 200,
            times: None,
            steps: 200_000,
            events: 10_000,
            pauses: false,
            stop: None,
            preload: &[],
            carried: None,
        }
    }
}

/// A motion with what only the compliant scheme can tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The motion.
    pub trajectory: Trajectory,
    /// Largest λ_N of each contact in each of its phases.
    pub peaks: Vec<Vec<f64>>,
    /// When and where it ended.
    pub end: (f64, Carried),
}

/// Why there is no motion.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompliantError {
    /// ε is not a positive number.
    #[error("eps is {0}, expected a number > 0")]
    Eps(f64),
    /// The tolerance is not in (0, 1).
    #[error("rtol is {0}, expected a number in (0, 1)")]
    Tolerance(f64),
    /// A stiffness or damping is not positive.
    #[error("stiffness and damping of contact {contact} must be positive")]
    Compliance {
        /// Of which contact.
        contact: usize,
    },
}

/// The compliant motions of a mechanism.
#[derive(Clone, Debug)]
pub struct Compliant {
    kernel: Kernel,
    drive: Option<Drive>,
}

impl Compliant {
    /// The motions of a model.
    pub fn new(model: &Model) -> Self {
        Self { kernel: model.kernel(&record::NEEDED), drive: Drive::of(model) }
    }

    /// The same as machine code, for long motions.
    #[must_use]
    pub fn compiled(self) -> Self {
        Self { kernel: self.kernel.compiled(), ..self }
    }

    /// The motion from a state.
    ///
    /// # Errors
    /// [`CompliantError`] for options or contacts that have no compliant motion; how a motion ended otherwise is its status.
    ///
    /// # Panics
    /// If names, laws or the state have other lengths than the model's.
    pub fn run(&self, begin: &Beginning<'_>, options: &Options<'_>) -> Result<Motion, CompliantError> {
        let layout = self.kernel.layout();
        assert!(begin.state.fits(layout), "coordinates and parameters of the model");
        assert_eq!(begin.laws.len(), layout.contacts, "laws of each contact");
        if !(options.eps > 0.0 && options.eps.is_finite()) {
            return Err(CompliantError::Eps(options.eps));
        }
        if !(options.rtol > 0.0 && options.rtol < 1.0) {
            return Err(CompliantError::Tolerance(options.rtol));
        }
        Ok(run::Run::new(self, begin, options).motion())
    }
}
