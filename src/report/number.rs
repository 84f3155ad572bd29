//! Numbers for people: 6 significant digits, no −0, no noise.

use crate::num::Tol;
use std::f64::consts::TAU;

/// Significant digits of every number in a report.
const DIGITS: i32 = 6;

/// Below this exponent, or at or above [`DIGITS`], numbers are written as `1.5e-7`.
const SMALLEST_EXPONENT: i32 = -5;

/// A number with 6 significant digits; trailing zeros dropped, infinities as `inf`, undefined as `-`.
pub fn significant(x: f64) -> String {
    digits(x, DIGITS)
}

/// A number beside others of its unit: 0 where it is no more than their rounding.
pub(super) fn beside(x: f64, others: impl IntoIterator<Item = f64>) -> f64 {
    let largest = others.into_iter().fold(0.0, |largest: f64, other| largest.max(other.abs()));
    if x.abs() <= Tol::default().noise * largest { 0.0 } else { x }
}

/// An angle with 6 significant digits; one that is no more than the rounding of a turn is 0.
pub(super) fn angle(x: f64) -> String {
    significant(beside(x, [TAU]))
}

/// The same with another number of digits.
pub(super) fn digits(x: f64, count: i32) -> String {
    if x.is_nan() {
        return "-".to_string();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    if x == 0.0 {
        return "0".to_string();
    }
    let scientific = format!("{:.*e}", (count - 1) as usize, x);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (SMALLEST_EXPONENT..DIGITS).contains(&exponent) {
        let decimals = (count - 1 - exponent).max(0) as usize;
        trim_zeros(&format!("{x:.decimals$}"))
    } else {
        format!("{}e{exponent}", trim_zeros(mantissa))
    }
}

fn trim_zeros(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::{angle, beside, significant};

    #[test]
    fn rounding_beside_numbers_of_its_unit_is_zero() {
        for size in [1e-6, 1.0, 1e6] {
            let shown = |x: f64| significant(beside(x * size, [3.0 * size, f64::NAN]));
            assert_eq!((shown(1e-16).as_str(), shown(-2e-14).as_str()), ("0", "0"), "{size}");
            assert_ne!(shown(1e-9), "0", "{size}");
        }
        assert_eq!((angle(-1.5e-16).as_str(), angle(1e-9).as_str()), ("0", "1e-9"));
        assert_eq!(significant(beside(f64::NAN, [1.0])), "-");
    }

    #[test]
    fn six_digits_and_no_noise() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (1.0 / 3.0, "0.333333"),
            (-2.5e-7, "-2.5e-7"),
            (1234567.0, "1.23457e6"),
            (123456.0, "123456"),
            (999999.6, "1e6"),
            (0.00012345678, "0.000123457"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "-"),
        ];
        for (x, expected) in cases {
            assert_eq!(significant(x), expected);
        }
    }
}
