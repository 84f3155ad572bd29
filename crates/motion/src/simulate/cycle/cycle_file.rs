//! A periodic motion in the shape of the machine-readable output.

use crate::analysis::{ByName, this_schema};
use crate::num::Number;
use crate::simulate::trajectory::Trajectory;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Version of the shape.
pub const CYCLE_SCHEMA: &str = "mechan.cycle/1";

/// A periodic motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cycle {
    /// [`CYCLE_SCHEMA`].
    #[serde(deserialize_with = "of_this_version")]
    pub schema: Cow<'static, str>,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Name of the state from which it was searched.
    pub state: String,
    /// Its time.
    pub period: Number,
    /// Returns to the section, or to one of its images under the symmetry, in a period.
    pub returns: usize,
    /// Whether a period is a step: the symmetry never leads back, and the motion is periodic modulo it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub step: bool,
    /// Coordinates on the section.
    pub q: ByName<Number>,
    /// Velocities there.
    pub v: ByName<Number>,
    /// Eigenvalues of the derivative of the map of one period along the section, as (real, imaginary), by falling modulus: all at which a
    /// small disturbance that contacts and constraints allow grows or decays.
    pub multipliers: Vec<[Number; 2]>,
    /// How far the return misses, relative to the sizes of the numbers.
    pub residual: Number,
    /// Newton steps.
    pub iterations: usize,
    /// One period.
    pub trajectory: Trajectory,
}

fn of_this_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    this_schema(CYCLE_SCHEMA, deserializer)
}
