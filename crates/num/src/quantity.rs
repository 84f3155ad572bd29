//! Numbers that were computed, with how they read.

use crate::{Number, Tol};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number that was computed, and how it reads: 0 where it is no more than the rounding of its terms. Machine-readable
/// output has the number itself, which is all that comes back from there and all that two of them are compared by.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// The number; NaN stands for "undefined".
    pub value: f64,
    /// The number as a report shows it.
    pub shown: f64,
}

impl Quantity {
    /// A number made of terms whose magnitudes add up to `size`.
    pub fn of_size(value: f64, size: f64, tol: &Tol) -> Self {
        Self { value, shown: if value.abs() <= tol.noise * size { 0.0 } else { value } }
    }
}

impl From<f64> for Quantity {
    fn from(value: f64) -> Self {
        Self { value, shown: value }
    }
}

impl From<Option<f64>> for Quantity {
    fn from(x: Option<f64>) -> Self {
        x.unwrap_or(f64::NAN).into()
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        Number(self.value) == Number(other.value)
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number(self.value).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Number::deserialize(deserializer).map(|number| number.0.into())
    }
}
