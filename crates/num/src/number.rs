//! Numbers as they stand in machine-readable output: finite ones as JSON numbers with all digits, an undefined
//! value as `null`, infinities as `"inf"` and `"-inf"` (CLI.md); −0 is 0. They are read back to the last bit.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of an outcome; NaN stands for "undefined", which equals itself.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.0.is_nan() && other.0.is_nan())
    }
}

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

/// What a number is written as.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Finite(f64),
    Word(Infinity),
}

#[derive(Deserialize)]
enum Infinity {
    #[serde(rename = "inf")]
    Positive,
    #[serde(rename = "-inf")]
    Negative,
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Number(match Option::<Written>::deserialize(deserializer)? {
            None => f64::NAN,
            Some(Written::Finite(x)) => x,
            Some(Written::Word(Infinity::Positive)) => f64::INFINITY,
            Some(Written::Word(Infinity::Negative)) => f64::NEG_INFINITY,
        }))
    }
}

/// A list of numbers.
pub fn numbers(values: &[f64]) -> Vec<Number> {
    values.iter().copied().map(Number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_and_infinite_numbers_have_their_own_words() {
        let values = numbers(&[1.5, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        let text = serde_json::to_string(&values).unwrap();
        assert_eq!(text, r#"[1.5,0.0,null,"inf","-inf"]"#);
        assert_eq!(serde_json::from_str::<Vec<Number>>(&text).unwrap(), values);
    }

    #[test]
    fn numbers_are_read_back_to_the_last_bit() {
        for x in [0.1 + 0.2, 5e-324, f64::MAX, 1.0 / 3.0, 123_456_789.123_456_78, 2.0] {
            let text = serde_json::to_string(&Number(x)).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&text).unwrap().0.to_bits(), x.to_bits());
        }
        assert!(serde_json::from_str::<Number>(r#""infinite""#).is_err());
        assert_ne!(Number(1.0), Number(1.0 + f64::EPSILON));
    }
}
