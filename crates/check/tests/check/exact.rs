//! Exact fractions with powers of two, and functions by their series with an explicit remainder: nothing of the checker's own arithmetic.

use mechan_check::Float;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// Bits behind the point of numbers that are summed.
pub(crate) const BITS: u32 = 400;

/// A number within `error` units of `value` units of 2^−BITS.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    pub(crate) value: BigInt,
    pub(crate) error: BigInt,
}

/// over/under, under > 0.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    pub(crate) over: BigInt,
    pub(crate) under: BigInt,
}

impl Fraction {
    pub(crate) fn of(x: Float) -> Self {
        let (negative, m, e) = x.parts();
        let over = if negative { -BigInt::from(m) } else { BigInt::from(m) };
        let power = BigInt::from(1) << e.unsigned_abs();
        if e >= 0 { Self { over: over * power, under: BigInt::from(1) } } else { Self { over, under: power } }
    }

    pub(crate) fn add(&self, o: &Self) -> Self {
        Self { over: &self.over * &o.under + &o.over * &self.under, under: &self.under * &o.under }
    }

    pub(crate) fn sub(&self, o: &Self) -> Self {
        self.add(&Self { over: -&o.over, under: o.under.clone() })
    }

    pub(crate) fn mul(&self, o: &Self) -> Self {
        Self { over: &self.over * &o.over, under: &self.under * &o.under }
    }

    pub(crate) fn div(&self, o: &Self) -> Self {
        let sign = if o.over < BigInt::ZERO { -1 } else { 1 };
        Self { over: &self.over * &o.under * sign, under: &self.under * &o.over * sign }
    }

    pub(crate) fn compare(&self, o: &Self) -> Ordering {
        (&self.over * &o.under).cmp(&(&o.over * &self.under))
    }

    /// Rounded to units.
    pub(crate) fn near(&self) -> Near {
        Near { value: (&self.over << BITS) / &self.under, error: BigInt::from(1) }
    }
}

fn one() -> BigInt {
    BigInt::from(1) << BITS
}

impl Near {
    /// Whether it may be at least x, and may be at most x.
    pub(crate) fn compare(&self, x: Float) -> (bool, bool) {
        let Fraction { over, under } = Fraction::of(x);
        let scaled = over << BITS;
        ((&self.value + &self.error) * &under >= scaled, (&self.value - &self.error) * &under <= scaled)
    }

    pub(crate) fn mul(&self, o: &Self) -> Self {
        let error = &self.error * magnitude(&o.value) + &o.error * magnitude(&self.value);
        Self {
            value: (&self.value * &o.value) >> BITS,
            error: (error >> BITS) + &self.error * &o.error + BigInt::from(2),
        }
    }

    fn negated(&self) -> Self {
        Self { value: -&self.value, error: self.error.clone() }
    }
}

fn magnitude(x: &BigInt) -> BigInt {
    BigInt::from(x.magnitude().clone())
}

/// atan(1/n) of Gregory's series: the first term that is left out is below a unit.
fn arc(n: i32) -> BigInt {
    let (mut sum, mut power): (BigInt, BigInt) = (BigInt::ZERO, one() / n);
    for k in 0i32.. {
        if power == BigInt::ZERO {
            return sum;
        }
        let term: BigInt = &power / (2 * k + 1);
        sum += if k % 2 == 0 { term } else { -term };
        power /= n * n;
    }
    sum
}

/// Σ xᵏ/k! of k = first, first + step, …, with signs; the remainder is at most twice the first term that is left out, once k > 2|x|.
fn sum(x: &Near, first: u32, step: u32, is_alternating: bool) -> Near {
    let unit = Near { value: one(), error: BigInt::ZERO };
    let (mut term, mut total) = (unit, Near { value: BigInt::ZERO, error: BigInt::ZERO });
    let size: BigInt = magnitude(&x.value) >> BITS;
    let (mut k, mut is_negative) = (0u32, false);
    loop {
        if k >= first && (k - first).is_multiple_of(step) {
            total.value += if is_negative { -&term.value } else { term.value.clone() };
            total.error += &term.error;
            is_negative ^= is_alternating;
        }
        k += 1;
        term = term.mul(x);
        term = Near { value: term.value / k, error: term.error / k + BigInt::from(1) };
        if magnitude(&term.value) <= BigInt::from(1) && BigInt::from(k) > &size * 2 + BigInt::from(4) {
            total.error += BigInt::from(4) + &term.error * 2;
            return total;
        }
    }
}

/// 2π.
fn turn() -> Near {
    Near { value: (arc(5) * 16 - arc(239) * 4) * 2, error: BigInt::from(20_000) }
}

/// x less whole turns.
fn reduced(x: &Near) -> Near {
    let turn = turn();
    let n = &x.value / &turn.value;
    Near { value: &x.value - &n * turn.value, error: &x.error + magnitude(&n) * turn.error }
}

pub(crate) fn sin(x: &Near) -> Near {
    sum(&reduced(x), 1, 2, true)
}

pub(crate) fn cos(x: &Near) -> Near {
    sum(&reduced(x), 0, 2, true)
}

/// For |x| up to a hundred.
pub(crate) fn exp(x: &Near) -> Near {
    if x.value >= BigInt::ZERO {
        return sum(x, 0, 1, false);
    }
    // 1/(v ± d) is within 2d/v² of 1/v
    let inverse = sum(&x.negated(), 0, 1, false);
    let value = (one() << BITS) / &inverse.value;
    let error = ((&inverse.error * 2 * &value * &value) >> (2 * BITS)) + BigInt::from(2);
    Near { value, error }
}

/// Whether root ≤ √x, exactly, of positive numbers.
pub(crate) fn is_at_most_root(root: &Fraction, x: &Fraction) -> bool {
    root.mul(root).compare(x) != Ordering::Greater
}
