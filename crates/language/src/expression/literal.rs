//! Decimal literals as exact rationals: digits × 10^exponent, without loss. Bounded, so that `1e999999999` is
//! an error and not an afternoon.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// Longest literal, in characters.
const LONGEST: usize = 200;

/// The exact value of a literal, or what is wrong with it.
pub(super) fn exact(text: &str) -> Result<BigRational, String> {
    if text.len() > LONGEST {
        return Err(format!("the number has {} characters, expected at most {LONGEST}", text.len()));
    }
    let rounded: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.parse::<BigInt>().map_err(|_| format!("`{text}` is not a number"))?;
    if digits.is_zero() {
        return Ok(BigRational::from_integer(digits));
    }
    // the double bounds the exponent before any power of ten is formed
    if !rounded.is_finite() {
        return Err(format!("`{text}` is too large for a double-precision number"));
    }
    if rounded <= 0.0 {
        return Err(format!("`{text}` is too small for a double-precision number"));
    }
    let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.len());
    let exponent: i64 = exponent.parse().map_err(|_| format!("`{text}` is not a number"))?;
    let exponent = exponent - i64::try_from(decimals).unwrap_or_default();
    let power = num_traits::pow(BigInt::from(10), usize::try_from(exponent.unsigned_abs()).unwrap_or(0));
    Ok(if exponent < 0 { BigRational::new(digits, power) } else { BigRational::from_integer(digits * power) })
}

/// A decimal literal of a nonnegative rational, if it has one; `None` for fractions such as 1/3.
pub(super) fn decimal(value: &BigRational) -> Option<String> {
    let (mut two, mut five, mut rest) = (0, 0, value.denom().clone());
    for (prime, count) in [(2_u32, &mut two), (5_u32, &mut five)] {
        while (&rest % prime) == BigInt::zero() {
            rest /= prime;
            *count += 1;
        }
    }
    let places = if rest.is_one() { two.max(five) } else { return None };
    let scaled = value.numer() * num_traits::pow(BigInt::from(10), places) / value.denom();
    Some(shortest(&scaled.to_string(), places))
}

/// `digits` × 10^−places without needless zeros.
fn shortest(digits: &str, places: usize) -> String {
    let kept = digits.trim_end_matches('0');
    let zeros = digits.len() - kept.len();
    if places == 0 && zeros > 6 && !kept.is_empty() {
        format!("{kept}e{zeros}")
    } else if places == 0 {
        digits.to_owned()
    } else if digits.len() > places {
        let (whole, part) = digits.split_at(digits.len() - places);
        format!("{whole}.{part}")
    } else if places <= 6 {
        format!("0.{}{digits}", "0".repeat(places - digits.len()))
    } else {
        format!("{digits}e-{places}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_exact() {
        let half = BigRational::new(1.into(), 2.into());
        assert_eq!(exact("0.5").unwrap(), half);
        assert_eq!(exact(".5").unwrap(), half);
        assert_eq!(exact("5e-1").unwrap(), half);
        assert_eq!(exact("0.1").unwrap(), BigRational::new(1.into(), 10.into()));
        assert_eq!(exact("12E+2").unwrap(), BigRational::from_integer(1200.into()));
        assert!(exact("0e999999999").unwrap().is_zero());
    }

    #[test]
    fn numbers_no_double_can_hold_are_refused_at_once() {
        assert!(exact("1e999999999").unwrap_err().contains("too large"));
        assert!(exact("1e-999999999").unwrap_err().contains("too small"));
        assert!(exact(&"1".repeat(1000)).unwrap_err().contains("1000 characters"));
    }

    #[test]
    fn printed_decimals_read_back() {
        for text in ["0.5", "1e-300", "123.456", "1e300", "0.000001", "1200", "0", "0.1e-8", "1000000000"] {
            let value = exact(text).unwrap();
            assert_eq!(exact(&decimal(&value).unwrap()).unwrap(), value, "{text}");
        }
        assert_eq!(decimal(&BigRational::new(1.into(), 3.into())), None);
    }
}
