//! Motion with a sticking contact (seed of the idea: [UCD (4.5)]): q̈ = M⁻¹f + M⁻¹c λ_T + M⁻¹d λ_N with the forces
//! (21) that keep u̇ = v̇ = 0, integrated from a state at rest at the contact until λ_N vanishes; where on the way the
//! friction cone is left, to which side, and whether separation is possible at all: at λ_N = 0 a free gap acceleration
//! b < 0 contradicts it, the separation paradox of the falling pencil [UCD (4.14)].

mod flow;

use super::smooth::{ContactMotion, SmoothError, SmoothMotion};
use crate::analysis::planar::{ConeExit, Point, Separation, StickState};
use crate::analysis::{ContactView, PlanarModel};
use crate::contact::Friction;
use crate::model::{Model, Singular};
use crate::num::Tol;
use flow::{Flow, Units};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// A sticking motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickMotion {
    /// Samples at equal times, up to the end.
    pub samples: Vec<StickState>,
    /// Where the friction cone is left first; none if not on the way, or with infinite friction.
    pub cone_exit: Option<ConeExit>,
    /// Where λ_N vanishes first, friction being ignored.
    pub separation: Option<Separation>,
    /// Where another contact closes, which ends the motion.
    pub strike: Option<(usize, StickState)>,
}

/// Why the motion cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StickError {
    /// The equations have no solution on the way.
    #[error(transparent)]
    Motion(#[from] SmoothError),
    /// The integrator gave up.
    #[error("the sticking motion cannot be integrated: {0}")]
    Integration(String),
}

impl From<Singular> for StickError {
    fn from(error: Singular) -> Self {
        Self::Motion(error.into())
    }
}

/// Motions of a planar mechanism with one contact that sticks; the other contacts have no force, until one of them closes.
#[derive(Clone, Debug)]
pub struct NoSlip {
    motion: SmoothMotion,
}

/// The contact that sticks.
#[derive(Clone, Copy, Debug)]
pub struct Sticking<'a> {
    /// Which.
    pub contact: usize,
    /// Its friction, which the motion may leave the cone of.
    pub friction: Friction,
    /// Parameters of the mechanism.
    pub parameters: &'a [f64],
}

impl NoSlip {
    /// The motions of a model, as machine code.
    pub fn new(model: &Model) -> Self {
        Self { motion: SmoothMotion::new(model, &ContactView::NEEDED).compiled() }
    }

    /// The sticking motion from `start` for at most `span.duration`, sampled `span.samples` times; ends where λ_N vanishes,
    /// or another contact closes that is open at the start or parts there.
    ///
    /// # Errors
    /// [`StickError`] if the equations have no solution on the way or the integrator gives up.
    ///
    /// # Panics
    /// If the model has no such contact, or other numbers of parameters or coordinates.
    pub fn follow(
        &self,
        sticking: Sticking<'_>,
        start: Point<'_>,
        span: Span,
        tol: &Tol,
    ) -> Result<StickMotion, StickError> {
        let friction = sticking.friction;
        let step = span.duration / span.samples.max(1) as f64;
        let flow = self.flow(sticking, start, step, tol)?;
        let mut samples = vec![flow.state(0.0, start.q.to_vec(), start.v.to_vec())?];
        let mut motion = StickMotion { samples: Vec::new(), cone_exit: None, separation: None, strike: None };
        let open = |state: &StickState| -> Vec<usize> {
            let others = (0..flow.contacts.len()).filter(|&c| c != sticking.contact);
            others.filter(|&c| flow.gap(c, state) > 0.0).collect()
        };
        let mut others = open(&samples[0]);
        for i in 0..span.samples {
            let before = &samples[i];
            let earlier = i.checked_sub(1).map(|i| &samples[i]);
            let mut after = flow.advance(before, step)?;
            motion.strike = flow.first_strike((earlier, before, &after), &others)?;
            if let Some((_, state)) = &motion.strike {
                if state.t < before.t {
                    // the span before holds neither an exit nor a separation
                    samples[i] = state.clone();
                    break;
                }
                after = state.clone();
            }
            if motion.cone_exit.is_none()
                && let Some(earlier) = earlier
            {
                motion.cone_exit = flow.grazing_exit([earlier, before, &after], friction)?;
            }
            if motion.cone_exit.is_none() {
                motion.cone_exit = flow.cone_exit(before, &after, friction)?;
            }
            if before.lambda_N > 0.0 && after.lambda_N <= 0.0 {
                let state = flow.locate(before, after.t - before.t, |state| state.lambda_N)?;
                motion.separation = Some(Separation { release: flow.release(&state)?, state });
                motion.strike = None;
                break;
            }
            samples.push(after);
            if motion.strike.is_some() {
                break;
            }
            if i == 0 {
                // what parts from its surface at the start can come back to it
                others = open(&samples[1]);
            }
        }
        motion.samples = samples;
        Ok(motion)
    }

    /// The mechanism's own time at a state: that of a fall through its own `length`, √(L/b), or of the first of its
    /// velocities to be reversed, if that is longer. None if it has neither.
    ///
    /// # Errors
    /// [`Singular`] if M cannot be factored.
    pub fn own_time(
        &self,
        sticking: Sticking<'_>,
        start: Point<'_>,
        length: f64,
    ) -> Result<Option<f64>, Singular> {
        let local = self.view(sticking).local(start.t, start.q, start.v)?;
        let fall = (length / local.scales.b).sqrt();
        let accelerations = local.sticking_sizes().into_iter();
        let reversals = start.v.iter().zip(accelerations).map(|(v, a)| v.abs() / a);
        let first = reversals.filter(|t| t.is_finite() && *t > 0.0).fold(f64::INFINITY, f64::min);
        let times = [fall, first].into_iter().filter(|t| t.is_finite() && *t > 0.0);
        Ok(times.reduce(f64::max))
    }

    fn view<'a>(&'a self, sticking: Sticking<'a>) -> ContactView<'a> {
        let Sticking { contact, parameters, .. } = sticking;
        ContactView { kernel: self.motion.kernel(), parameters, contact }
    }

    fn flow<'a>(
        &'a self,
        sticking: Sticking<'a>,
        start: Point<'_>,
        step: f64,
        tol: &'a Tol,
    ) -> Result<Flow<'a>, Singular> {
        let view = self.view(sticking);
        let units = Units::at(&view.local(start.t, start.q, start.v)?, start, step);
        let mut contacts = vec![ContactMotion::Free; self.motion.kernel().layout().contacts];
        contacts[sticking.contact] = ContactMotion::Sticks;
        let work = RefCell::new(self.motion.work(sticking.parameters));
        Ok(Flow { motion: &self.motion, view, contacts, work, start: start.t, tol, units })
    }
}

/// How long and how finely to follow the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Longest time.
    pub duration: f64,
    /// Number of spans, each of which is searched for events.
    pub samples: usize,
}
