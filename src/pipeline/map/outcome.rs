//! The outcome of a motion at a point of the ranges: the state evaluated anew, the motion followed, and one number of it.

use crate::analysis::map::{Cell, Lack, MapMotion};
use crate::format::{Override, StateSpec};
use crate::model::{Kernel, Model};
use crate::num::{Number, Tol};
use crate::pipeline::simulate::{
    DEFAULT_SPAN, Kept, Motions, NoOutcome, OutcomeExpression, SimulateOptions, Start,
};
use crate::pipeline::states::{place_kernel, resolve};
use crate::pipeline::{Failure, Loaded, MapFault, Usage};
use crate::simulate::event::Memory;
use crate::simulate::trajectory::Status;

/// What is asked of motions.
#[derive(Clone, Debug, Default)]
pub struct OutcomeOptions {
    /// The number: an expression at the end, with `first(KIND)` and `count(KIND)` of events.
    pub text: String,
    /// When the motions end, s; [`DEFAULT_SPAN`] after the state if absent.
    pub t_end: Option<f64>,
    /// How they are followed; `state`, `set`, `t_end` and `samples` are those of the map.
    pub motion: SimulateOptions,
}

/// The number of a motion as a function of where it begins.
pub(super) struct OutcomeField<'l> {
    loaded: &'l Loaded,
    spec: &'l StateSpec,
    kernel: Kernel,
    motions: Motions<'l>,
    number: OutcomeExpression,
    options: SimulateOptions,
}

impl<'l> OutcomeField<'l> {
    pub(super) fn new(
        (loaded, model): (&'l Loaded, &Model),
        (spec, set): (&'l StateSpec, &[Override]),
        asked: &OutcomeOptions,
    ) -> Result<Self, Failure> {
        let begin = resolve(loaded, spec, set)?.t;
        let t_end = asked.t_end.unwrap_or(begin + DEFAULT_SPAN);
        let options = SimulateOptions { t_end, ..asked.motion.clone() };
        if !(t_end.is_finite() && t_end > begin) {
            return Err(Usage::End { t_end, start: begin }.into());
        }
        let motions = |kept| Motions::new(loaded, model, &options, kept);
        let least = motions(Kept::Nothing)?;
        let number = OutcomeExpression::parse((&loaded.mechanism, model), &least.subject, &asked.text)
            .map_err(|fault| {
                let text = asked.text.clone();
                Failure::from(Usage::from(MapFault::Outcome { text, fault: Box::new(fault) }))
            })?;
        let motions = match number.needs() {
            Kept::Nothing => least,
            kept => motions(kept)?,
        };
        let kernel = place_kernel(model, &Tol::default()).compiled();
        Ok(Self { loaded, spec, kernel, motions, number, options })
    }

    /// What is said of the motions.
    pub(super) fn motion(&self) -> MapMotion {
        let SimulateOptions { scheme, t_end, stop, .. } = &self.options;
        MapMotion { scheme: scheme.word(), t_end: Number(*t_end), stop: stop.clone() }
    }

    /// How they are followed.
    pub(super) fn options(&self) -> &SimulateOptions {
        &self.options
    }

    /// The number of the motion from the state under some overrides, and why there is none.
    ///
    /// # Errors
    /// Those that are the same everywhere, and that it was asked to end.
    pub(super) fn value(
        &self,
        overrides: &[Override],
        memory: &mut Memory,
    ) -> Result<(Cell, Option<String>), Failure> {
        let start = match Start::at(self.loaded, &self.kernel, self.spec, overrides) {
            Ok(start) => start,
            Err(failure @ (Failure::Input { .. } | Failure::File { .. })) => {
                return Ok((Cell::Lacking(Lack::Refused), Some(failure.message())));
            }
            Err(other) => return Err(other),
        };
        let (motion, end) = self.motions.follow(&start, memory)?;
        let lack = match self.number.value(&motion, &end) {
            Ok(number) => return Ok((Cell::number(number), None)),
            Err(NoOutcome::NoEvent) => Lack::NoEvent,
            Err(NoOutcome::NoNumber) => Lack::NoNumber,
            Err(NoOutcome::Early(status)) => {
                early(status).ok_or(Failure::Interrupted { what: "a whole motion" })?
            }
        };
        let why = match (lack, motion.reason) {
            (Lack::NoEvent, _) => "the motion has no such event".to_string(),
            (Lack::NoNumber, _) => "what is asked for is no number at the end of the motion".to_string(),
            (_, reason) => {
                let reason = reason.map(|why| format!(": {why}")).unwrap_or_default();
                format!("the motion ended `{}` at t = {}{reason}", lack.name(), end.t)
            }
        };
        Ok((Cell::Lacking(lack), Some(why)))
    }
}

/// Why a motion that ended early has no number; none of one that was asked to end.
fn early(status: Status) -> Option<Lack> {
    match status {
        Status::Jam => Some(Lack::Jam),
        Status::Inconsistent => Some(Lack::Inconsistent),
        Status::Indeterminate => Some(Lack::Indeterminate),
        Status::Undecided => Some(Lack::Undecided),
        Status::Budget => Some(Lack::Budget),
        Status::End | Status::Stopped | Status::Failed => Some(Lack::Failed),
        Status::Interrupted => None,
    }
}
