//! Motions by the schemes that do not go from event to event.

use super::ask::{SimulateOptions, begin};
use super::scheme::Scheme;
use super::subject::{Start, Subject};
use super::{captured, compliant, stepped};
use crate::model::Model;
use crate::pipeline::{Failure, Loaded, Usage};
use crate::simulate::compliant::Compliant;
use crate::simulate::event::EventDriven;
use crate::simulate::integrate::Exact;
use crate::simulate::stepped::Stepped;
use crate::simulate::trajectory::Trajectory;
use crate::stepping::SchemeName;

/// What follows motions by one of them, compiled once.
pub(super) enum Other {
    Compliant(Box<Compliant>),
    Stepped(Box<Stepped>, SchemeName),
    Captured(Box<EventDriven>, &'static Exact),
}

/// The motion from a state by one of them.
///
/// # Errors
/// As [`simulate`](super::simulate).
pub(super) fn motion(
    loaded: &Loaded,
    model: &Model,
    scheme: Scheme,
    options: &SimulateOptions,
) -> Result<Trajectory, Failure> {
    let (subject, start) = begin(loaded, model, options)?;
    Other::new(model, scheme)?.run(loaded, &subject, &start, options)
}

impl Other {
    /// Of a mechanism.
    ///
    /// # Errors
    /// [`Usage::NotBuilt`] for `event`.
    pub(super) fn new(model: &Model, scheme: Scheme) -> Result<Self, Failure> {
        match scheme {
            Scheme::Event => Err(Usage::NotBuilt { scheme: scheme.word() }.into()),
            Scheme::Compliant => Ok(Self::Compliant(Box::new(Compliant::new(model).compiled()))),
            Scheme::Stepped(name) => Ok(Self::Stepped(Box::new(Stepped::new(model)), name)),
            Scheme::Captured(method) => Ok(Self::Captured(Box::new(EventDriven::new(model)), method)),
        }
    }

    /// The motion from a start.
    ///
    /// # Errors
    /// [`Failure`] if an option makes no sense.
    pub(super) fn run(
        &self,
        loaded: &Loaded,
        subject: &Subject,
        start: &Start,
        options: &SimulateOptions,
    ) -> Result<Trajectory, Failure> {
        match self {
            Self::Compliant(motions) => compliant::run(loaded, subject, motions, start, options),
            Self::Stepped(motions, name) => stepped::run(subject, motions, start, *name, options),
            Self::Captured(motions, method) => {
                Ok(captured::run(subject, motions, start, method, options)?.trajectory)
            }
        }
    }
}
