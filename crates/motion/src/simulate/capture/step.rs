//! A smooth step, and the numbers that end it.

use super::run::Run;
use crate::contact::Hold;
use crate::model::{Block, Output};
use crate::predict::Mode;
use crate::simulate::event::watch::Watch;
use crate::simulate::integrate::FixedError;
use crate::simulate::smooth::SmoothError;
use crate::simulate::trajectory::{Status, StopReason};

/// Values of a watch below this share of the size of their terms are zero at the begin of a step.
const ZERO: f64 = 4096.0 * f64::EPSILON;

impl Run<'_> {
    /// A smooth motion begins at the state that was reached.
    pub(super) fn set_out(&mut self, doing: Vec<Mode>) -> Result<(), StopReason> {
        self.doing = doing;
        self.mechanics.set(&self.doing);
        self.step.forget();
        self.y[2 * self.mechanics.layout().coordinates..].fill(0.0);
        self.mechanics.base = self.t;
        self.start_step().map_err(|error| self.failed(&error))?;
        self.arm();
        Ok(())
    }

    fn start_step(&mut self) -> Result<(), SmoothError> {
        let Self { step, mechanics, y, .. } = self;
        step.start(mechanics, 0.0, y)?;
        if mechanics.take_springs()? {
            step.start(mechanics, 0.0, y)?;
        }
        Ok(())
    }

    /// The watches and sizes of the step that begins at the state evaluated last.
    fn arm(&mut self) {
        let (n, h) = (self.n(), self.h);
        let Self { step, mechanics, .. } = self;
        let mut sizes = vec![0.0; n];
        mechanics.coordinate_sizes(&mut sizes);
        let driven = |i: usize| h * sizes[i];
        step.measure((0..n).map(|i| h * driven(i)).chain((0..n).map(driven)));
        let mut watches = std::mem::take(&mut self.mechanics.watches);
        watches.clear();
        (0..self.doing.len()).for_each(|contact| self.watch(contact, &mut watches));
        self.mechanics.watches = watches;
        self.mechanics.watch_cone_margin();
        let Self { mechanics, values, .. } = self;
        mechanics.watched(values);
        self.floors.clear();
        self.armed.clear();
        self.bands.clear();
        self.leads.clear();
        self.begins.clone_from(&self.values);
        let n = self.n();
        for (watch, &value) in self.mechanics.watches.iter().zip(&self.values) {
            let band = ZERO * watch.size(&self.mechanics, (&self.y[..n], &self.y[n..2 * n]), self.h);
            // a gap that opens falls from above what it is now
            let opens = matches!(*watch, Watch::Gap(contact) if self.mechanics.gap_rate(contact) > 0.0);
            let armed = value > band;
            self.armed.push(armed);
            self.bands.push(band);
            self.leads.push(if armed { 0 } else { watch.leads(&self.mechanics, &self.y[n..2 * n]) });
            self.floors.push(match armed {
                true => 0.0,
                false => value.min(0.0) - if opens { 0.0 } else { band },
            });
        }
    }

    fn watch(&mut self, contact: usize, watches: &mut Vec<Watch>) {
        let laws = &self.begin.laws[contact];
        match self.doing[contact] {
            Mode::Free => {
                if self.is_active(contact) {
                    watches.push(Watch::Gap(contact));
                }
            }
            Mode::Stick { .. } => {
                if laws.hold == Hold::Unilateral {
                    watches.push(Watch::Force(contact, 1.0));
                }
                if !laws.friction.is_infinite() {
                    watches.push(Watch::Cone(contact));
                }
            }
            Mode::Slip { along, side } => {
                watches.push(Watch::Force(contact, side));
                if !laws.friction.is_zero() {
                    watches.push(match self.mechanics.layout().tangents {
                        1 => Watch::Slip(contact, along[0]),
                        _ => Watch::Speed(contact, self.slow(contact)),
                    });
                }
            }
        }
    }

    /// Whether a contact may close, at the state evaluated last.
    pub(super) fn is_active(&mut self, contact: usize) -> bool {
        let Some(active) = self.begin.active.get(contact).copied().flatten() else { return true };
        let mut row = Vec::new();
        self.mechanics.row_into(&mut row);
        active(&row) > 0.0
    }

    /// A step of length s, whose end and watches are left in `end` and `values`.
    pub(super) fn attempt(&mut self, s: f64) -> Result<(), StopReason> {
        self.steps += 1;
        let Self { step, mechanics, y, end, values, .. } = self;
        let done = step.step(mechanics, (0.0, y), s, end);
        match done {
            Ok(()) => {}
            Err(FixedError::Flow(error)) => return Err(self.failed(&error)),
            Err(FixedError::Stages) => {
                let reason = format!(
                    "the stages of a step of {s} are not found at t = {}: take a shorter one",
                    self.t
                );
                return Err((Status::Failed, Some(reason)));
            }
        }
        let arrived = step.arrive(mechanics, 0.0, end);
        if let Err(error) = arrived {
            return Err(self.failed(&error));
        }
        mechanics.watched(values);
        Ok(())
    }

    /// The watches that have fallen at the end of the attempted step.
    pub(super) fn fallen(&self) -> impl Iterator<Item = usize> + '_ {
        let below = |(value, floor): (&f64, &f64)| *value <= *floor || value.is_nan();
        self.values.iter().zip(&self.floors).enumerate().filter(move |(_, pair)| below(*pair)).map(|(i, _)| i)
    }

    /// Takes the step that was attempted.
    pub(super) fn accept(&mut self, s: f64) {
        let n = self.n();
        let before = self.t;
        self.note(before + s);
        self.t += s;
        self.y.copy_from_slice(&self.end);
        self.works[0] += self.y[2 * n + 1];
        self.works[1] += self.y[2 * n + 2];
        self.y[2 * n..].fill(0.0);
        self.mechanics.base = self.t;
        self.step.accept();
        self.mechanics.forget_rest(&self.doing);
        let tangents = self.mechanics.layout().tangents;
        self.record.phase([before, self.t], &self.doing, tangents, self.mechanics.ambiguity());
        self.arm();
    }

    /// Notes what closed contacts and constraints miss at the end of the attempted step.
    fn note(&mut self, t: f64) {
        let Self { mechanics, doing, drift, deepest, begin, .. } = self;
        for contact in 0..doing.len() {
            deepest.include(begin, contact, (mechanics.gap(contact), t));
        }
        for contact in (0..doing.len()).filter(|&c| doing[c].is_closed()) {
            drift.include(mechanics.gap(contact), mechanics.gap_rate(contact));
            if matches!(doing[contact], Mode::Stick { .. }) {
                mechanics.slip(contact).iter().for_each(|u| drift.include(0.0, *u));
            }
        }
        let rates = mechanics.block(Block::ConstraintVelocity);
        for (value, rate) in mechanics.block(Output::Constraint).iter().zip(rates) {
            drift.include(*value, *rate);
        }
    }

    /// Speed of a contact up to which it is at rest: what the critical step could make of it.
    pub(super) fn slow(&self, contact: usize) -> f64 {
        let (row, n) = (self.mechanics.row(contact), self.n());
        let v = &self.y[n..2 * n];
        let tol = &self.options.tol;
        let size = |row: usize| {
            tol.noise.max(f64::EPSILON) * self.mechanics.speed_size(row, v)
                + self.critical * self.mechanics.acceleration_size(row)
        };
        (0..=self.mechanics.layout().tangents).map(|k| size(row + k)).fold(0.0, f64::max)
    }
}
