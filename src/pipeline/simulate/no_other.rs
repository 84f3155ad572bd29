//! In a build without the feature `schemes`, motions go from event to event or not at all.

use super::ask::SimulateOptions;
use super::scheme::Scheme;
use super::subject::{Start, Subject};
use crate::model::Model;
use crate::pipeline::{Failure, Loaded, Usage};
use crate::simulate::trajectory::Trajectory;

/// There is none.
pub(super) enum Other {}

/// That there is no such motion.
///
/// # Errors
/// [`Usage::NotBuilt`].
pub(super) fn motion(
    _: &Loaded,
    _: &Model,
    scheme: Scheme,
    _: &SimulateOptions,
) -> Result<Trajectory, Failure> {
    Err(Usage::NotBuilt { scheme: scheme.word() }.into())
}

impl Other {
    /// That there is none.
    ///
    /// # Errors
    /// [`Usage::NotBuilt`].
    pub(super) fn new(_: &Model, scheme: Scheme) -> Result<Self, Failure> {
        Err(Usage::NotBuilt { scheme: scheme.word() }.into())
    }

    /// Never called.
    ///
    /// # Errors
    /// None.
    pub(super) fn run(
        &self,
        _: &Loaded,
        _: &Subject,
        _: &Start,
        _: &SimulateOptions,
    ) -> Result<Trajectory, Failure> {
        match *self {}
    }
}
