//! How fast the fixed point converges for one friction after the other, at the first step with so many contacts [ACLM11 Fig. 9].

use super::beads::{Beads, beads};
use super::method::approximate;
use crate::coulomb::Start;
use crate::coulomb::solver::fixed_point::{ConvexMethod, Stopping};
use crate::num::Tol;
use crate::scene::simulation::{Options, SceneError, Simulation, automatic};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// The fixed point's iterations for one friction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrictionLog {
    /// Coulomb's coefficient.
    pub friction: f64,
    /// The step whose problem it was.
    pub step: u64,
    /// Its contacts.
    pub contacts: usize,
    /// ‖F(s) − s‖ / (‖s‖ + 1), n times the left-hand side of [ACLM11 (6.1)], after each convex program.
    pub criteria: Vec<f64>,
    /// Convex programs until it was at most ε, if it was.
    pub programs: Option<usize>,
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrictionStudy {
    /// Number of beads.
    pub beads: usize,
    /// The step is the first with so many contacts, or the last.
    pub contacts: usize,
    /// ε.
    pub epsilon: f64,
    /// One after the other.
    pub logs: Vec<FrictionLog>,
}

impl FrictionStudy {
    /// ε of [ACLM11 Fig. 9].
    pub const DEFAULT_EPSILON: f64 = 1e-4;
}

/// Friction coefficients of [ACLM11 Fig. 9].
pub(super) const FRICTIONS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/// Beads and contacts of [ACLM11 6].
pub(super) const PAPER: [usize; 2] = [300, 250];
/// Convex programs at most, there.
const PROGRAMS: usize = 50;

/// The fixed point for one friction, at the first of some steps with so many contacts or at the last; none if it was asked to stop, or if
/// that step has no contacts.
pub(super) fn log(
    of: &Beads,
    (contacts, steps): (usize, u64),
    stop: &AtomicBool,
) -> Result<Option<FrictionLog>, SceneError> {
    let scene = beads(of, steps, Tol::default().scene);
    let stopping =
        Stopping { epsilon: FrictionStudy::DEFAULT_EPSILON, programs: PROGRAMS, ..Stopping::default() };
    let Ok(mut simulation) = Simulation::new(&scene, &Options::default()) else { return Ok(None) };
    for step in 1..=steps {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut found = None;
        simulation.advance_by(&mut |session| {
            let contacts_now = session.problem().contacts();
            if contacts_now < contacts && step < steps {
                return automatic(session, Start::Warm);
            }
            let (outcome, done) = approximate(session, Start::Warm, ConvexMethod::Gradient, stopping);
            found = Some((contacts_now, done.criteria));
            outcome
        })?;
        if let Some((contacts, criteria)) = found {
            let met = criteria.last().is_some_and(|last| *last <= FrictionStudy::DEFAULT_EPSILON);
            let programs = met.then_some(criteria.len());
            return Ok(Some(FrictionLog { friction: of.friction, step, contacts, criteria, programs }));
        }
    }
    Ok(None)
}

impl FrictionLog {
    /// The mean factor by which a program makes the criterion smaller; none if there are less than two.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let (first, last) = (self.criteria.first()?, self.criteria.last()?);
        let ratio = last / first;
        let programs = self.criteria.len() - 1;
        (programs > 0 && ratio.is_finite()).then(|| ratio.powf(1.0 / programs as f64))
    }
}
