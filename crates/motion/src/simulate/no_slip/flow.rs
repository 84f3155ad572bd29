//! The sticking motion as a flow: from a state to the state some time later, and to events on the way.
//!
//! The integrator is Dop853 of `ode_solvers` over short spans; an event is located by integrating again from the
//! start of its span to a trial time, so that its accuracy is that of the motion and not of an interpolant.

use super::StickError;
use crate::analysis::planar::{ConeExit, Point, Release, StickState};
use crate::analysis::{ContactView, Local, PlanarModel};
use crate::contact::{Friction, Slip};
use crate::model::{Block, Output};
use crate::num::{Bracket, Tol};
use crate::simulate::smooth::{ContactMotion, SmoothError, SmoothMotion, SmoothWork};
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{DVector, Dop853, System};
use std::cell::RefCell;

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
pub(super) struct Flow<'m> {
    pub(super) motion: &'m SmoothMotion,
    pub(super) view: ContactView<'m>,
    pub(super) contacts: Vec<ContactMotion>,
    pub(super) work: RefCell<SmoothWork>,
    pub(super) start: f64,
    pub(super) tol: &'m Tol,
    pub(super) units: Units,
}

/// What time and each coordinate and velocity are measured in while they are integrated: sizes of their own, so that one
/// tolerance serves metres, micrometres and radians, and the integrator's own constants mean something.
pub(super) struct Units {
    time: f64,
    each: Vec<f64>,
}

impl Units {
    /// At the start of the motion, which is then looked at after times `step`.
    pub(super) fn at(local: &Local<f64>, start: Point<'_>, step: f64) -> Self {
        let speeds: Vec<f64> =
            start.v.iter().zip(local.sticking_sizes()).map(|(v, a)| v.abs().max(step * a)).collect();
        let lengths = start.q.iter().zip(&speeds).map(|(q, speed)| q.abs().max(step * speed));
        // what neither moves nor is accelerated may be measured in anything
        let unit = |x: f64| if x > 0.0 && x.is_finite() { x } else { 1.0 };
        Self { time: unit(step), each: lengths.chain(speeds.iter().copied()).map(unit).collect() }
    }

    /// (q, v) from its measures.
    fn actual(&self, y: &[f64], actual: &mut [f64]) {
        actual.iter_mut().zip(y).zip(&self.each).for_each(|((x, y), unit)| *x = y * unit);
    }
}

impl Flow<'_> {
    pub(super) fn state(&self, t: f64, q: Vec<f64>, v: Vec<f64>) -> Result<StickState, SmoothError> {
        let mut work = self.work.borrow_mut();
        self.motion.solve(self.start + t, (&q, &v), &self.contacts, &mut work)?;
        let (row, forces) = (2 * self.view.contact, work.forces());
        let free = self.motion.kernel().block(work.values(), Block::FreeContactAcceleration);
        let (lambda_N, lambda_T, free_gap_acceleration) = (forces[row], forces[row + 1], free[row]);
        Ok(StickState { t, q, v, lambda_N, lambda_T, free_gap_acceleration })
    }

    /// The state `dt` later.
    pub(super) fn advance(&self, from: &StickState, dt: f64) -> Result<StickState, StickError> {
        if dt <= 0.0 {
            return Ok(from.clone());
        }
        let n = from.q.len();
        let equations = Equations::after(self, from.t, n);
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
            return Err(error.into());
        }
        outcome.map_err(|error| StickError::Integration(error.to_string()))?;
        let Some(last) = stepper.y_out().last() else {
            return Err(StickError::Integration("no output".to_string()));
        };
        let mut actual = vec![0.0; 2 * n];
        self.units.actual(last.as_slice(), &mut actual);
        let (q, v) = actual.split_at(n);
        Ok(self.state(from.t + dt, q.to_vec(), v.to_vec())?)
    }

    /// The state within `step` of `from` at which `event` falls to zero.
    pub(super) fn locate(
        &self,
        from: &StickState,
        step: f64,
        event: impl Fn(&StickState) -> f64,
    ) -> Result<StickState, StickError> {
        let value = |dt: f64| Ok::<_, StickError>(event(&self.advance(from, dt)?));
        let mut bracket = Bracket::new((0.0, event(from)), (step, value(step)?));
        while let Some(dt) = bracket.trial(0.0) {
            bracket.narrow(dt, value(dt)?);
        }
        self.advance(from, bracket.high())
    }

    /// Leaves the cone where |λ_T| − μ λ_N turns positive.
    pub(super) fn cone_exit(
        &self,
        before: &StickState,
        after: &StickState,
        friction: Friction,
    ) -> Result<Option<ConeExit>, StickError> {
        if margin(before, friction) < 0.0 {
            return Ok(Some(exit_at(before.clone())));
        }
        if margin(after, friction) >= 0.0 {
            return Ok(None);
        }
        let state = self.locate(before, after.t - before.t, |state| margin(state, friction))?;
        Ok(Some(exit_at(state)))
    }

    /// A dip of the margin in the cone below zero between samples that are all inside: the minimum is sought first.
    pub(super) fn grazing_exit(
        &self,
        samples: [&StickState; 3],
        friction: Friction,
    ) -> Result<Option<ConeExit>, StickError> {
        if friction.is_infinite() {
            return Ok(None);
        }
        Ok(self.dip(samples, |state| margin(state, friction))?.map(exit_at))
    }

    /// Where a value that is positive at three samples falls to zero between them.
    fn dip(
        &self,
        samples: [&StickState; 3],
        value: impl Fn(&StickState) -> f64,
    ) -> Result<Option<StickState>, StickError> {
        let [first, middle, last] = samples.map(&value);
        if !(0.0 <= middle && middle <= first && middle <= last) {
            return Ok(None);
        }
        let from = samples[0];
        let at = |dt: f64| self.advance(from, dt);
        let (mut lo, mut hi) = (0.0, samples[2].t - from.t);
        while hi - lo > f64::EPSILON.sqrt() * samples[2].t {
            let (left, right) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
            let (x, y) = (value(&at(left)?), value(&at(right)?));
            if x.min(y) < 0.0 {
                let dip = if x < 0.0 { left } else { right };
                return self.locate(from, dip, value).map(Some);
            }
            if x <= y { hi = right } else { lo = left }
        }
        Ok(None)
    }

    /// g_N of a contact.
    pub(super) fn gap(&self, contact: usize, state: &StickState) -> f64 {
        let kernel = self.motion.kernel();
        let mut values = kernel.values();
        let time = [self.start + state.t];
        let inputs: Vec<f64> =
            time.iter().chain(&state.q).chain(&state.v).chain(self.view.parameters).copied().collect();
        kernel.evaluate(&inputs, &mut values);
        kernel.block(&values, Output::Gap)[contact]
    }

    /// Which of the given contacts closes first between two samples, or dips between three.
    pub(super) fn first_strike(
        &self,
        (earlier, before, after): (Option<&StickState>, &StickState, &StickState),
        contacts: &[usize],
    ) -> Result<Option<(usize, StickState)>, StickError> {
        let mut first: Option<(usize, StickState)> = None;
        for &contact in contacts {
            let gap = |state: &StickState| self.gap(contact, state);
            let found = match earlier {
                _ if gap(after) <= 0.0 => Some(self.locate(before, after.t - before.t, gap)?),
                Some(earlier) => self.dip([earlier, before, after], gap)?,
                None => None,
            };
            let sooner = |state: &StickState| first.as_ref().is_none_or(|(_, other)| state.t < other.t);
            if let Some(state) = found.filter(sooner) {
                first = Some((contact, state));
            }
        }
        Ok(first)
    }

    pub(super) fn release(&self, state: &StickState) -> Result<Release, StickError> {
        let local = self.view.local(self.start + state.t, &state.q, &state.v)?;
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
fn margin(state: &StickState, friction: Friction) -> f64 {
    if friction.is_infinite() {
        return f64::INFINITY;
    }
    friction.tangential() * state.lambda_N - state.lambda_T.abs()
}

/// Slip sets in against the friction force.
fn exit_at(state: StickState) -> ConeExit {
    let slip = if state.lambda_T < 0.0 { Slip::Pos } else { Slip::Neg };
    ConeExit { state, slip }
}

/// (q̇, q̈) of the sticking motion in the flow's units; the first failure is kept aside.
struct Equations<'f, 'm> {
    flow: &'f Flow<'m>,
    t: f64,
    state: RefCell<State>,
    failure: RefCell<Option<SmoothError>>,
}

/// (q, q̇) and its rate in the mechanism's own units.
struct State {
    actual: Vec<f64>,
    rate: Vec<f64>,
}

impl<'f, 'm> Equations<'f, 'm> {
    /// From the time `t` on, for n coordinates.
    fn after(flow: &'f Flow<'m>, t: f64, n: usize) -> Self {
        let state = State { actual: vec![0.0; 2 * n], rate: vec![0.0; 2 * n] };
        Self { flow, t, state: RefCell::new(state), failure: RefCell::new(None) }
    }

    fn by_ref(&self) -> &Self {
        self
    }
}

impl System<f64, DVector<f64>> for &Equations<'_, '_> {
    fn system(&self, x: f64, y: &DVector<f64>, dy: &mut DVector<f64>) {
        let (flow, units) = (self.flow, &self.flow.units);
        let (mut state, mut work) = (self.state.borrow_mut(), flow.work.borrow_mut());
        let State { actual, rate } = &mut *state;
        units.actual(y.as_slice(), actual);
        let t = flow.start + self.t + x * units.time;
        match flow.motion.rate(t, actual, &flow.contacts, rate, &mut work) {
            Ok(()) => {
                let measured = dy.iter_mut().zip(rate.iter()).zip(&units.each);
                measured.for_each(|((dy, rate), unit)| *dy = units.time * rate / unit);
            }
            Err(error) => {
                dy.fill(0.0);
                self.failure.borrow_mut().get_or_insert(error);
            }
        }
    }
}
