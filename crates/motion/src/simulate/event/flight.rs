//! Motion without closed contacts: within its steps only accelerations and gaps are asked for, which a kernel has that is small beside
//! the one of everything.

use super::mechanics::{EXTRA, Mechanics};
use super::watch::Watch;
use crate::model::{Block, Kernel, Model, Output, Values};
use crate::simulate::smooth::SmoothError;
use std::sync::{Arc, OnceLock};

/// Contacts from which on it is worth its making.
const WORTH: usize = 4;

/// That kernel, made when it is asked for.
#[derive(Clone, Debug)]
pub(super) struct FlightKernel {
    model: Arc<Model>,
    made: OnceLock<Kernel>,
}

/// The numbers of a flight.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight {
    values: Values<f64>,
    /// Whether the phase is one, and contacts do nothing else by now.
    pub(super) goes: bool,
    /// Whether what was evaluated last is in these numbers.
    is_latest: bool,
}

impl FlightKernel {
    pub(super) fn new(model: Arc<Model>) -> Self {
        Self { model, made: OnceLock::new() }
    }

    fn get(&self) -> &Kernel {
        self.made.get_or_init(|| {
            let blocks = [Block::FreeAcceleration, Block::Model(Output::Gap)];
            self.model.kernel(&blocks).compiled_beside()
        })
    }
}

impl Mechanics<'_> {
    /// Takes a phase for a flight if it is one: no contact has a force, nothing from outside does work, and no watch reads more than gaps.
    pub(super) fn begin_flight(&mut self) {
        let is_open = |watch: &Watch| matches!(watch, Watch::Gap(_) | Watch::Rise(_) | Watch::Time(_));
        let alone = !self.worked && self.layout().constraints == 0;
        let worth = self.layout().contacts >= WORTH;
        self.flight.goes = worth && alone && self.is_free() && self.watches.iter().all(is_open);
        if self.flight.goes {
            let (given, states) =
                (self.motion.kernel().given(self.work.values()), 1 + 2 * self.layout().coordinates);
            self.flight_kernel.get().set_parameters(&given[states..], &mut self.flight.values);
        }
    }

    /// What is evaluated next is in the numbers of everything.
    pub(super) fn leave_flight(&mut self) {
        self.flight.is_latest = false;
    }

    /// The rate in flight; none outside.
    pub(super) fn rate_in_flight(&mut self, y: &[f64], rate: &mut [f64]) -> Option<Result<(), SmoothError>> {
        self.flight.goes.then(|| {
            self.evaluations += 1;
            let (n, kernel, values) =
                (self.layout().coordinates, self.flight_kernel.get(), &mut self.flight.values);
            kernel.solve_at_point(self.base + y[2 * n], &y[..2 * n], values)?;
            rate[..n].copy_from_slice(&y[n..2 * n]);
            rate[n..2 * n].copy_from_slice(kernel.block(values, Block::FreeAcceleration));
            // time passes, and no force does work
            rate[2 * n..2 * n + EXTRA].copy_from_slice(&[1.0, 0.0, 0.0]);
            self.flight.is_latest = true;
            Ok(())
        })
    }

    /// The time and the gaps in flight, if they were evaluated last.
    pub(super) fn seen_in_flight(&self) -> Option<(f64, &[f64])> {
        let (kernel, values) =
            (self.flight.is_latest.then(|| self.flight_kernel.get())?, &self.flight.values);
        Some((kernel.state(values)[0], kernel.block(values, Output::Gap)))
    }
}
