//! Motion with a sticking contact (seed of the idea: [UCD (4.5)]): q̈ = M⁻¹f + M⁻¹c λ_T + M⁻¹d λ_N with the forces
//! (21) that keep u̇ = v̇ = 0, integrated from a state at rest at the contact until λ_N vanishes; where on the way the
//! friction cone is left, to which side, and whether separation is possible at all: at λ_N = 0 a free gap acceleration
//! b < 0 contradicts it, the separation paradox of the falling pencil [UCD (4.14)].
//!
//! The integrator is Dop853 of `ode_solvers` over short spans; an event is located by integrating again from the
//! start of its span to a trial time, so that its accuracy is that of the motion and not of an interpolant.

use super::local::{Local, PlanarModel};
use super::planar::Point;
use crate::contact::{Friction, Slip};
use crate::model::Singular;
use crate::num::Tol;
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{DVector, Dop853, System};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::fmt;

/// A state of the sticking motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickState {
    /// Time since the start.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// λ_N that keeps the contact sticking.
    pub lambda_N: f64,
    /// λ_T that keeps the contact sticking.
    pub lambda_T: f64,
    /// b: gap acceleration if the contact were released.
    pub free_gap_acceleration: f64,
}

/// Where the friction cone is left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConeExit {
    /// The state.
    pub state: StickState,
    /// Direction in which the contact starts to slip.
    pub slip: Slip,
}

/// Where λ_N vanishes in a contact that never slips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Separation {
    /// The state.
    pub state: StickState,
    /// Whether release contradicts it: b < 0 there.
    pub release: Release,
}

/// What the released contact does where λ_N vanishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Release {
    /// b > 0: the gap opens.
    Separates,
    /// b < 0: neither contact nor separation: a paradox of unlimited friction.
    Paradox,
    /// b = 0 within the tolerance.
    Marginal,
}

/// A sticking motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickMotion {
    /// Samples at equal times, up to the end.
    pub samples: Vec<StickState>,
    /// Where the friction cone is left first; none if not on the way, or with infinite friction.
    pub cone_exit: Option<ConeExit>,
    /// Where λ_N vanishes first, friction being ignored.
    pub separation: Option<Separation>,
}

/// Why the motion cannot be computed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StickError {
    /// M cannot be factored.
    Model(Singular),
    /// The integrator gave up.
    Integration(String),
}

impl From<Singular> for StickError {
    fn from(error: Singular) -> Self {
        Self::Model(error)
    }
}

impl fmt::Display for StickError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => write!(f, "the equations of motion break down: {error:?}"),
            Self::Integration(reason) => write!(f, "the sticking motion cannot be integrated: {reason}"),
        }
    }
}

impl std::error::Error for StickError {}

/// The sticking motion from `start` for at most `duration`, sampled `count` times; ends where λ_N vanishes.
///
/// # Errors
/// [`StickError`] if M cannot be factored or the integrator gives up.
pub fn stick_motion<M: PlanarModel>(
    model: &M,
    friction: Friction,
    start: Point<'_>,
    span: Span,
    tol: &Tol,
) -> Result<StickMotion, StickError> {
    let step = span.duration / span.samples.max(1) as f64;
    let flow = Flow { model, start: start.t, tol, units: Units::at(model, start, step)? };
    let mut samples = vec![flow.state(0.0, start.q.to_vec(), start.v.to_vec())?];
    let mut motion = StickMotion { samples: Vec::new(), cone_exit: None, separation: None };
    for i in 0..span.samples {
        let before = &samples[i];
        let after = flow.advance(before, step)?;
        if motion.cone_exit.is_none() && i > 0 {
            motion.cone_exit = flow.grazing_exit([&samples[i - 1], before, &after], friction)?;
        }
        if motion.cone_exit.is_none() {
            motion.cone_exit = flow.cone_exit(before, &after, friction)?;
        }
        if before.lambda_N > 0.0 && after.lambda_N <= 0.0 {
            let state = flow.locate(before, step, |state| state.lambda_N)?;
            motion.separation = Some(Separation { release: flow.release(&state)?, state });
            break;
        }
        samples.push(after);
    }
    motion.samples = samples;
    Ok(motion)
}

/// How long and how finely to follow the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Longest time.
    pub duration: f64,
    /// Number of spans, each of which is searched for events.
    pub samples: usize,
}

/// Step size control of the integrator, with its own usual numbers.
struct Control {
    safety: f64,
    beta: f64,
    shrink: f64,
    grow: f64,
    steps: u32,
    stiff: u32,
}

impl Control {
    const USUAL: Self =
        Self { safety: 0.9, beta: 0.0, shrink: 0.333, grow: 6.0, steps: 100_000, stiff: 1000 };
}

/// The sticking motion as a flow.
struct Flow<'m, M> {
    model: &'m M,
    start: f64,
    tol: &'m Tol,
    units: Units,
}

/// What time and each coordinate and velocity are measured in while they are integrated: sizes of their own, so that one
/// tolerance serves metres, micrometres and radians, and the integrator's own constants mean something.
struct Units {
    time: f64,
    each: Vec<f64>,
}

impl Units {
    /// At the start of the motion, which is then looked at after times `step`.
    fn at<M: PlanarModel>(model: &M, start: Point<'_>, step: f64) -> Result<Self, Singular> {
        let local = model.local(start.t, start.q, start.v)?;
        let speeds: Vec<f64> =
            start.v.iter().zip(local.sticking_sizes()).map(|(v, a)| v.abs().max(step * a)).collect();
        let lengths = start.q.iter().zip(&speeds).map(|(q, speed)| q.abs().max(step * speed));
        // what neither moves nor is accelerated may be measured in anything
        let unit = |x: f64| if x > 0.0 && x.is_finite() { x } else { 1.0 };
        Ok(Self { time: unit(step), each: lengths.chain(speeds.iter().copied()).map(unit).collect() })
    }

    /// (q, v) from its measures.
    fn actual(&self, y: &[f64]) -> Vec<f64> {
        y.iter().zip(&self.each).map(|(y, unit)| y * unit).collect()
    }
}

impl<M: PlanarModel> Flow<'_, M> {
    fn local(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Local<f64>, Singular> {
        self.model.local(self.start + t, q, v)
    }

    fn state(&self, t: f64, q: Vec<f64>, v: Vec<f64>) -> Result<StickState, Singular> {
        let local = self.local(t, &q, &v)?;
        let (lambda_N, lambda_T) = local.planar().stick_force();
        Ok(StickState { t, q, v, lambda_N, lambda_T, free_gap_acceleration: local.b })
    }

    /// The state `dt` later.
    fn advance(&self, from: &StickState, dt: f64) -> Result<StickState, StickError> {
        if dt <= 0.0 {
            return Ok(from.clone());
        }
        let n = from.q.len();
        let equations = Equations { flow: self, t: from.t, failure: RefCell::new(None) };
        let measured = from.q.iter().chain(&from.v).zip(&self.units.each).map(|(x, unit)| x / unit);
        let initial = DVector::from_iterator(2 * n, measured);
        let rtol = self.tol.motion;
        let end = dt / self.units.time;
        let Control { safety, beta, shrink, grow, steps, stiff } = Control::USUAL;
        // the end as a step reaches it: dense output extrapolates to an end that later steps would reach
        let (sparse, guessed) = (OutputType::Sparse, 0.0);
        let mut stepper = Dop853::from_param(
            equations.by_ref(),
            0.0,
            end,
            end,
            initial,
            rtol,
            rtol,
            safety,
            beta,
            shrink,
            grow,
            end,
            guessed,
            steps,
            stiff,
            sparse,
        );
        let outcome = stepper.integrate();
        if let Some(error) = equations.failure.borrow_mut().take() {
            return Err(StickError::Model(error));
        }
        outcome.map_err(|error| StickError::Integration(error.to_string()))?;
        let Some(last) = stepper.y_out().last() else {
            return Err(StickError::Integration("no output".to_string()));
        };
        let last = self.units.actual(last.as_slice());
        let (q, v) = last.split_at(n);
        Ok(self.state(from.t + dt, q.to_vec(), v.to_vec())?)
    }

    /// The state within `step` of `from` at which `event` falls to zero, by bisection and secants (Illinois).
    fn locate(
        &self,
        from: &StickState,
        step: f64,
        event: impl Fn(&StickState) -> f64,
    ) -> Result<StickState, StickError> {
        let (mut lo, mut hi) = ((0.0, event(from)), (step, event(&self.advance(from, step)?)));
        let mut found = self.advance(from, step)?;
        for _ in 0..self.tol.root_steps {
            let dt = (lo.0 * hi.1 - hi.0 * lo.1) / (hi.1 - lo.1);
            if !(lo.0 < dt && dt < hi.0) {
                break;
            }
            found = self.advance(from, dt)?;
            let value = event(&found);
            if value == 0.0 {
                break;
            }
            if value < 0.0 {
                (hi, lo.1) = ((dt, value), if hi.1 < 0.0 { 0.5 * lo.1 } else { lo.1 });
            } else {
                (lo, hi.1) = ((dt, value), 0.5 * hi.1);
            }
        }
        Ok(found)
    }

    /// Leaves the cone where |λ_T| − μ λ_N turns positive.
    fn cone_exit(
        &self,
        before: &StickState,
        after: &StickState,
        friction: Friction,
    ) -> Result<Option<ConeExit>, StickError> {
        if room(before, friction) < 0.0 {
            return Ok(Some(ConeExit::at(before.clone())));
        }
        if room(after, friction) >= 0.0 {
            return Ok(None);
        }
        let state = self.locate(before, after.t - before.t, |state| room(state, friction))?;
        Ok(Some(ConeExit::at(state)))
    }

    /// A dip of the room in the cone below zero between samples that are all inside: the minimum is sought first.
    fn grazing_exit(
        &self,
        samples: [&StickState; 3],
        friction: Friction,
    ) -> Result<Option<ConeExit>, StickError> {
        let [first, middle, last] = samples.map(|state| room(state, friction));
        if friction.is_infinite() || !(0.0 <= middle && middle <= first && middle <= last) {
            return Ok(None);
        }
        let from = samples[0];
        let at = |dt: f64| self.advance(from, dt);
        let (mut lo, mut hi) = (0.0, samples[2].t - from.t);
        while hi - lo > f64::EPSILON.sqrt() * samples[2].t {
            let (left, right) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
            let (x, y) = (room(&at(left)?, friction), room(&at(right)?, friction));
            if x.min(y) < 0.0 {
                let dip = if x < 0.0 { left } else { right };
                let state = self.locate(from, dip, |state| room(state, friction))?;
                return Ok(Some(ConeExit::at(state)));
            }
            if x <= y { hi = right } else { lo = left }
        }
        Ok(None)
    }

    fn release(&self, state: &StickState) -> Result<Release, StickError> {
        let local = self.local(state.t, &state.q, &state.v)?;
        let band = self.tol.marginal * local.scales.b;
        Ok(if local.b > band {
            Release::Separates
        } else if local.b < -band {
            Release::Paradox
        } else {
            Release::Marginal
        })
    }
}

/// t λ_N − n|λ_T|: positive inside the friction cone; with infinite friction there is no outside.
fn room(state: &StickState, friction: Friction) -> f64 {
    if friction.is_infinite() {
        return f64::INFINITY;
    }
    friction.tangential * state.lambda_N - state.lambda_T.abs()
}

impl ConeExit {
    /// Slip sets in against the friction force.
    fn at(state: StickState) -> Self {
        let slip = if state.lambda_T < 0.0 { Slip::Pos } else { Slip::Neg };
        Self { state, slip }
    }
}

/// (q̇, q̈) of the sticking motion; the first failure of the model is kept aside.
struct Equations<'f, 'm, M> {
    flow: &'f Flow<'m, M>,
    t: f64,
    failure: RefCell<Option<Singular>>,
}

impl<'f, 'm, M> Equations<'f, 'm, M> {
    fn by_ref(&self) -> &Self {
        self
    }
}

impl<M: PlanarModel> System<f64, DVector<f64>> for &Equations<'_, '_, M> {
    fn system(&self, x: f64, y: &DVector<f64>, dy: &mut DVector<f64>) {
        let (n, units) = (y.len() / 2, &self.flow.units);
        let actual = units.actual(y.as_slice());
        let (q, v) = actual.split_at(n);
        match self.flow.local(self.t + x * units.time, q, v) {
            Ok(local) => {
                let (N, T) = local.planar().stick_force();
                for i in 0..n {
                    let acceleration = local.free[i] + local.tangent[i] * T + local.normal[i] * N;
                    dy[i] = units.time * v[i] / units.each[i];
                    dy[n + i] = units.time * acceleration / units.each[n + i];
                }
            }
            Err(error) => {
                dy.fill(0.0);
                self.failure.borrow_mut().get_or_insert(error);
            }
        }
    }
}
