//! How long steps are: what error is allowed, and what is short for a mechanism.

use super::jam;
use super::mechanics::{Clock, EXTRA};
use super::phase::{Accuracy, Ended, Phases};
use super::stiff::Stiff;
use super::stuck::Refused;
use crate::model::Output;
use crate::num::dense;
use crate::predict::Mode;
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::SmoothError;

/// Share of a step in which a mode is tried.
const SHORT: f64 = 1.0 / 1024.0;
/// A step shorter than this share of the time it stands at makes no progress.
const SHORTEST: f64 = 4.0 * f64::EPSILON;
/// First steps are at least this many of those, so that a few may be refused.
const FIRST: f64 = 1024.0;

/// Rounding of forces that cancel, over their terms.
const ROUNDING: f64 = 512.0 * f64::EPSILON;

impl Phases<'_> {
    /// A short time for this mechanism: that in which its numbers change by a hundredth of themselves, by their own rates.
    pub(super) fn first_length(&self) -> f64 {
        let (n, rate) = (self.n(), self.step.begin_rate());
        let changes = (0..2 * n).map(|i| (self.y[i] / rate[i]).abs());
        let falls = (0..n).map(|i| (self.y[i] / rate[n + i]).abs().sqrt());
        let shortest =
            changes.chain(falls).filter(|t| t.is_finite() && *t > 0.0).fold(f64::INFINITY, f64::min);
        let left = self.time_end().min(self.accuracy.t_end) - self.t;
        // a number that is zero but for rounding says nothing of the time it takes to change
        (0.01 * shortest.min(left)).max(FIRST * SHORTEST * self.t.abs().max(left))
    }

    /// Sizes of the accelerations at the state that was evaluated last, the begin of the step; T, and over h² what it becomes
    /// within h from rest.
    fn measure_driven(&mut self) {
        let Self { driven, mechanics, .. } = self;
        mechanics.coordinate_sizes(driven);
        let (mass, vdot) = (mechanics.block(Output::MassMatrix), mechanics.work.acceleration());
        let mut rise = 0.0;
        for (i, own) in vdot.iter().enumerate() {
            let start = dense::packed_len(i);
            rise += own * (dense::dot(&mass[start..start + i], &vdot[..i]) + 0.5 * mass[start + i] * own);
        }
        if mechanics.work.undetermined() > 0 {
            // accelerations that are nothing but the rounding of forces: as large as any one of these would make them
            let own = (0..driven.len()).map(|i| mass[dense::packed_len(i) + i] * driven[i] * driven[i]);
            rise = 0.5 * own.sum::<f64>();
        }
        self.energies = [mechanics.energy_size(), rise];
    }

    /// Errors that are allowed: relative to the largest that each number was, and to what it changes by within the step.
    fn fill_scale(&mut self, h: f64) {
        let n = self.n();
        let Accuracy { rtol, atol, .. } = self.accuracy;
        let (rtol, atol) = (self.care() * rtol, self.care() * atol);
        let rate = self.step.begin_rate();
        for i in 0..n {
            let driven = h * self.driven[i];
            let speed = self.sizes[n + i].min(self.inertias.bounds[i]).max(driven);
            self.scale[n + i] = atol + rtol * speed;
            self.scale[i] = atol + rtol * self.sizes[i].max(h * self.y[n + i].abs().max(driven));
        }
        // the works are as accurate as the energy that they change
        let [own, rise] = self.energies;
        let energy = own + h * h * rise;
        for extra in 2 * n + 1..2 * n + EXTRA {
            self.scale[extra] = rtol * (energy + self.y[extra].abs() + h * rate[extra].abs());
        }
        // p is the rate of the time, and has to keep its digits while it vanishes
        let time = 2 * n;
        self.scale[time] = match self.mechanics.clock {
            Clock::Real => f64::INFINITY,
            Clock::Jam => {
                let rounding =
                    self.slipping().map_or(0.0, |slips| jam::rounding(slips, &self.mechanics, self.v()));
                h * (rtol.max(jam::DIGITS) * rate[time].abs()).max(rounding)
            }
        };
    }

    /// The error of the step that was attempted, if works need only be as accurate as what they come to in it, and rounding is none.
    fn error_with_rounding(&mut self, h: f64) -> f64 {
        let (n, rtol) = (self.n(), self.accuracy.rtol);
        self.include_rounding(h);
        for extra in 2 * n + 1..2 * n + EXTRA {
            self.scale[extra] += rtol * (self.step.end()[extra] - self.y[extra]).abs();
        }
        self.step.error(&self.scale)
    }

    /// Allows errors of works that are the rounding of what the forces of the begin could do within the step, as from rest the energy that they
    /// change is nothing yet, and the energy of velocities that are nothing but their allowed errors, near which slips end.
    fn include_rounding(&mut self, h: f64) {
        let n = self.n();
        let mass = self.mechanics.block(Output::MassMatrix);
        let own = |i: usize| mass[dense::packed_len(i) + i] * self.driven[i] * self.driven[i];
        let driven = 0.5 * h * h * (0..n).map(own).sum::<f64>();
        let missed = |i: usize| mass[dense::packed_len(i) + i] * self.scale[n + i] * self.scale[n + i];
        let missed = 0.5 * (0..n).map(missed).sum::<f64>();
        for extra in 2 * n + 1..2 * n + EXTRA {
            self.scale[extra] += ROUNDING * driven + missed;
        }
        self.allow_rounding(h);
    }

    /// Allows errors that are rounding against the speeds that the energy could give the coordinates.
    fn allow_rounding(&mut self, h: f64) {
        let n = self.n();
        let (rtol, Self { reach, inertias, mechanics, scale, energies: [energy, _], steps, .. }) =
            (self.accuracy.rtol, self);
        let pace = if mechanics.clock == Clock::Jam { mechanics.gain.abs() } else { 1.0 };
        let Some((speeds, mobilities)) = reach.speeds(mechanics, (*energy, h), *steps) else { return };
        inertias.near = false;
        for (i, speed) in speeds.iter().enumerate() {
            let weak = inertias.is_weak(i, mobilities[i]);
            inertias.near |= weak;
            let share = if weak { rtol.max(ROUNDING) } else { ROUNDING };
            scale[n + i] = scale[n + i].max(share * speed);
            scale[i] = scale[i].max(share * h * pace * speed);
        }
    }

    /// dt/dτ of the clock.
    pub(super) fn pace(&self) -> f64 {
        match self.mechanics.clock {
            Clock::Real => 1.0,
            Clock::Jam => self.step.begin_rate()[2 * self.n()],
        }
    }

    /// A step whose error is allowed, with the rate at its end. Returns its length in the clock's time, or what there is instead.
    pub(super) fn good_step(&mut self) -> Result<f64, Ended> {
        let pace = self.pace();
        // in the time of a jam, steps in τ go on growing while their real time vanishes
        let mut h = if self.mechanics.clock == Clock::Jam { self.tau_step(pace) } else { self.h };
        self.measure_driven();
        if let Some(refused) = self.sound_out() {
            return Err(Ended::Stuck(refused));
        }
        // a step that is cut at the end of the time says nothing of the next
        let (left, wanted) = (self.time_left(), h);
        let cut = self.mechanics.clock == Clock::Real && left < h;
        if cut {
            h = left;
        }
        // two that are weak by each other would take turns
        let mut dropped = false;
        loop {
            self.steps += 1;
            let refused = match self.try_step(h) {
                Ok(error) => {
                    self.grow(h, error, pace);
                    self.arrives = cut && h >= left;
                    if self.arrives {
                        self.h = self.h.max(wanted);
                    }
                    return Ok(h);
                }
                Err(Refused::Error(_)) if !dropped && self.drop_weak() => {
                    dropped = true;
                    continue;
                }
                Err(refused) => refused,
            };
            h = match refused {
                Refused::Error(error) => self.next_length(h, error).min(0.9 * h),
                Refused::Energy(_) | Refused::Dependence(_) => 0.5 * h,
                Refused::Evaluation(_) => 0.25 * h,
            };
            let progress = h.abs() * pace.abs().max(f64::MIN_POSITIVE);
            let stuck = self.mechanics.clock == Clock::Real && progress <= SHORTEST * self.t.abs();
            if stuck || h < f64::MIN_POSITIVE {
                return Err(Ended::Stuck(refused));
            }
            if self.steps >= self.accuracy.steps {
                return Err(Ended::Budget);
            }
        }
    }

    /// The error of a step, with the rate at its end.
    fn try_step(&mut self, h: f64) -> Result<f64, Refused> {
        self.fill_scale(h);
        self.mechanics.left = [self.sound.left; 2];
        if self.stiff.is_found() {
            self.step.start(&mut self.mechanics, 0.0, &self.y).map_err(Refused::Evaluation)?;
            self.include_rounding(h);
        }
        let error = self.attempt(h).map_err(Refused::Evaluation)?;
        let error = if error <= 1.0 || self.stiff.is_found() {
            error
        } else {
            // rounding is that of the begin: a step that is far too long ends at a state whose forces would explain any error
            self.step.start(&mut self.mechanics, 0.0, &self.y).map_err(Refused::Evaluation)?;
            self.error_with_rounding(h)
        };
        if error > 1.0 {
            return Err(Refused::Error(error));
        }
        if let Some(constraint) = self.nearly_dependent() {
            return Err(Refused::Dependence(constraint));
        }
        self.step.arrive(&mut self.mechanics, 0.0).map_err(Refused::Evaluation)?;
        if !self.stiff.is_found() && self.mechanics.clock == Clock::Real {
            self.stiff.note(self.step.stiffness(&self.scale));
        }
        self.lost_energy().map_or(Ok(error), |lost| Err(Refused::Energy(lost)))
    }

    /// A step of a length, by the method of the phase; its error in units of what is allowed.
    pub(super) fn attempt(&mut self, h: f64) -> Result<f64, SmoothError> {
        let Self { step, mechanics, scale, stiff, .. } = self;
        match stiff.is_found() {
            true => stiff.attempt(step, mechanics, h, scale),
            false => step.attempt(mechanics, 0.0, h, scale),
        }
    }

    /// The length to try next after an error.
    fn next_length(&self, h: f64, error: f64) -> f64 {
        if self.stiff.is_found() { Stiff::next_length(h, error) } else { Dop853::next_length(h, error) }
    }

    fn tau_step(&self, pace: f64) -> f64 {
        if self.tau > 0.0 { self.tau } else { self.h / pace.abs() }
    }

    /// The lengths of the next steps.
    fn grow(&mut self, h: f64, error: f64, pace: f64) {
        let next = self.next_length(h, error);
        match self.mechanics.clock {
            Clock::Real => self.h = next,
            Clock::Jam => {
                self.tau = next;
                self.h = next * pace.abs();
            }
        }
    }

    /// A time that is short against a step, in which a mode shows what it is.
    pub(super) fn short(&mut self) -> f64 {
        if self.h <= 0.0 {
            let free = vec![Mode::Free; self.doing.len()];
            self.mechanics.set(&free);
            self.mechanics.base = self.t;
            let started = self.step.start(&mut self.mechanics, 0.0, &self.y);
            self.h = if started.is_ok() { self.first_length() } else { 0.0 };
        }
        self.h * SHORT
    }
}
