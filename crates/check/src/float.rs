//! Numbers ±m·2^e with 64 bits of m, whose operations round where they are told to, down or up.
//!
//! Each operation makes the exact result, or its first bits and whether any are lost, and rounds once. Exponents are not looked after here:
//! [`Interval`](crate::Interval) keeps them within [`LIMIT`], with which no operation leaves the range of `i32`.

use std::cmp::Ordering;

/// Greatest |e| of an end of an interval.
pub(crate) const LIMIT: i32 = 1 << 28;

/// Where an operation rounds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// To the greatest number that is not above.
    Down,
    /// To the least number that is not below.
    Up,
}

/// ±m·2^e, where the highest bit of m is set; 0 has m = 0, e = 0 and no sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    mantissa: u64,
    exponent: i32,
    negative: bool,
}

impl Float {
    /// 0.
    pub const ZERO: Self = Self { mantissa: 0, exponent: 0, negative: false };
    /// 1.
    pub const ONE: Self = Self::of_bits(1 << 63, -63);

    /// −1.
    pub const MINUS_ONE: Self = Self { negative: true, ..Self::ONE };

    /// m·2^e of an m whose highest bit is set.
    pub(crate) const fn of_bits(mantissa: u64, exponent: i32) -> Self {
        Self { mantissa, exponent, negative: false }
    }

    /// m·2^e, exactly.
    pub fn new(m: i64, e: i32) -> Self {
        Self { negative: m < 0, ..Self::of_parts(m.unsigned_abs(), e) }
    }

    /// m·2^e, exactly.
    pub(crate) fn of_parts(m: u64, e: i32) -> Self {
        Self::rounded(false, u128::from(m), false, e, Toward::Down)
    }

    /// Sign, m and e.
    pub fn parts(self) -> (bool, u64, i32) {
        (self.negative, self.mantissa, self.exponent)
    }

    /// Whether it is below 0.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.negative
    }

    /// Whether it is above 0.
    #[inline]
    pub fn is_positive(self) -> bool {
        !self.negative && self.mantissa != 0
    }

    /// Whether it is 0.
    #[inline]
    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// −x.
    #[inline]
    #[must_use]
    pub fn negated(self) -> Self {
        Self { negative: !self.negative && self.mantissa != 0, ..self }
    }

    /// |x|.
    #[inline]
    #[must_use]
    pub(crate) fn magnitude(self) -> Self {
        Self { negative: false, ..self }
    }

    /// x·2^k.
    #[inline]
    #[must_use]
    pub(crate) fn scaled(self, k: i32) -> Self {
        if self.is_zero() { self } else { Self { exponent: self.exponent + k, ..self } }
    }

    /// ±(wide + less than 1 if `lost`)·2^e. What is lost is below 64 bits that are known.
    #[inline]
    pub(crate) fn rounded(negative: bool, wide: u128, lost: bool, e: i32, to: Toward) -> Self {
        if wide == 0 {
            return Self::ZERO;
        }
        let zeros = wide.leading_zeros();
        let wide = wide << zeros;
        let (mantissa, exponent) = ((wide >> 64) as u64, e + 64 - zeros as i32);
        let inexact = lost || wide as u64 != 0;
        if !inexact || (to == Toward::Up) == negative {
            return Self { mantissa, exponent, negative };
        }
        match mantissa.checked_add(1) {
            Some(mantissa) => Self { mantissa, exponent, negative },
            None => Self { mantissa: 1 << 63, exponent: exponent + 1, negative },
        }
    }

    /// x + y.
    #[inline]
    #[must_use]
    pub fn add(self, y: Self, to: Toward) -> Self {
        if self.is_zero() || y.is_zero() {
            return if y.is_zero() { self } else { y };
        }
        let swap = (self.exponent, self.mantissa) < (y.exponent, y.mantissa);
        let (big, small) = if swap { (y, self) } else { (self, y) };
        let shift = (big.exponent - small.exponent) as u32;
        let (wide, other) = (u128::from(big.mantissa) << 63, u128::from(small.mantissa) << 63);
        // bits are lost beyond a shift of 63 alone, where what is left has 126 of them
        let (other, lost) = match shift {
            0..=63 => (other >> shift, false),
            64..=126 => (other >> shift, other & ((1 << shift) - 1) != 0),
            _ => (0, true),
        };
        let sum = if big.negative == small.negative { wide + other } else { wide - other - u128::from(lost) };
        Self::rounded(big.negative, sum, lost, big.exponent - 63, to)
    }

    /// x − y.
    #[inline]
    #[must_use]
    pub fn sub(self, y: Self, to: Toward) -> Self {
        self.add(y.negated(), to)
    }

    /// x·y.
    #[inline]
    #[must_use]
    pub fn mul(self, y: Self, to: Toward) -> Self {
        let wide = u128::from(self.mantissa) * u128::from(y.mantissa);
        Self::rounded(self.negative != y.negative, wide, false, self.exponent + y.exponent, to)
    }

    /// x/y, where y is not 0.
    #[inline]
    #[must_use]
    pub fn div(self, y: Self, to: Toward) -> Self {
        // the shift makes a quotient of 64 bits
        let shift = 63 + u32::from(self.mantissa < y.mantissa);
        let (wide, by) = (u128::from(self.mantissa) << shift, u128::from(y.mantissa));
        let quotient = wide / by;
        let lost = quotient * by != wide;
        let exponent = self.exponent - y.exponent - shift as i32;
        Self::rounded(self.negative != y.negative, quotient, lost, exponent, to)
    }

    /// √x, where x is not below 0.
    #[must_use]
    pub fn sqrt(self, to: Toward) -> Self {
        // with the shift, the exponent is even and the root has 64 bits
        let shift = 64 - self.exponent.rem_euclid(2);
        let wide = u128::from(self.mantissa) << shift;
        let root = wide.isqrt();
        Self::rounded(false, root, root * root != wide, (self.exponent - shift) / 2, to)
    }

    /// ⌊x·2^k⌋ or ⌈x·2^k⌉ of a number that is not below 0, if it is below 2^64.
    #[inline]
    pub(crate) fn integer(self, k: i32, to: Toward) -> Option<u64> {
        if self.negative {
            return None;
        }
        let shift = self.exponent + k;
        match shift {
            0 => Some(self.mantissa),
            1.. => (self.is_zero()).then_some(0),
            -63..=-1 => {
                let floor = self.mantissa >> -shift;
                let lost = floor << -shift != self.mantissa;
                Some(floor + u64::from(lost && to == Toward::Up))
            }
            _ => Some(u64::from(!self.is_zero() && to == Toward::Up)),
        }
    }

    /// Whether an interval may have it as an end.
    #[inline]
    pub(crate) fn is_within_limit(self) -> bool {
        self.exponent.unsigned_abs() <= LIMIT as u32
    }
}

impl PartialOrd for Float {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |x: &Self| i8::from(x.is_positive()) - i8::from(x.is_negative());
        let size = |x: &Self| (x.exponent, x.mantissa);
        match (sign(self), sign(other)) {
            (1, 1) => size(self).cmp(&size(other)),
            (-1, -1) => size(other).cmp(&size(self)),
            (a, b) => a.cmp(&b),
        }
    }
}
