//! Numbers as they stand in machine-readable output: finite ones as JSON numbers with all digits, an undefined
//! value as `null`, infinities as `"inf"` and `"-inf"` (CLI.md); −0 is 0.

use crate::num::Tol;
use serde::{Serialize, Serializer};

/// A number of an outcome; NaN stands for "undefined".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Number {
    /// A value that is not defined here.
    pub const UNDEFINED: Number = Number(f64::NAN);
}

impl From<f64> for Number {
    fn from(x: f64) -> Self {
        Number(x)
    }
}

impl From<Option<f64>> for Number {
    fn from(x: Option<f64>) -> Self {
        Number(x.unwrap_or(f64::NAN))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_nan() => serializer.serialize_none(),
            f64::INFINITY => serializer.serialize_str("inf"),
            f64::NEG_INFINITY => serializer.serialize_str("-inf"),
            // −0 + 0 = 0
            x => serializer.serialize_f64(x + 0.0),
        }
    }
}

/// A number that was computed, and how it reads: 0 where it is no more than the rounding of its terms. Machine-readable
/// output has the number itself.
#[derive(Clone, Copy, Debug, PartialEq)]
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

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number(self.value).serialize(serializer)
    }
}

/// A list of numbers.
pub fn numbers(values: &[f64]) -> Vec<Number> {
    values.iter().copied().map(Number).collect()
}

/// Values by name, in a fixed order; a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named(Vec::new())
    }
}

impl<T> Named<T> {
    /// Joins names and values.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>, values: impl IntoIterator<Item = T>) -> Self {
        Named(names.into_iter().map(String::from).zip(values).collect())
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value)
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_and_infinite_numbers_have_their_own_words() {
        let values = numbers(&[1.5, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        assert_eq!(serde_json::to_string(&values).unwrap(), r#"[1.5,0.0,null,"inf","-inf"]"#);
    }
}
