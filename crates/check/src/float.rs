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

    /// m·2^e, exactly, with |e| up to 2²⁸.
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
        let (wide, exponent) = (wide << zeros, e + 64 - zeros as i32);
        Self::of_first(negative, wide, lost, exponent, to)
    }

    /// ±(wide + less than 1 if `lost`)·2^(e − 64), where the highest bit of wide is set. Nothing here branches.
    #[inline]
    fn of_first(negative: bool, wide: u128, lost: bool, e: i32, to: Toward) -> Self {
        let is_inexact = lost | (wide as u64 != 0);
        let is_away = is_inexact & ((to == Toward::Up) != negative);
        let (mantissa, carry) = ((wide >> 64) as u64).overflowing_add(u64::from(is_away));
        Self { mantissa: mantissa | u64::from(carry) << 63, exponent: e + i32::from(carry), negative }
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
        // the smaller one in units of the last bit of the greater: whole ones, and 2⁻⁶⁴ of it or, far below, anything
        let (whole, part) = match (big.exponent - small.exponent) as u32 {
            shift @ 0..64 => (small.mantissa >> shift, small.mantissa << 1 << (63 - shift)),
            64 => (0, small.mantissa),
            _ => (0, 1),
        };
        if big.negative == small.negative {
            let (sum, carry) = big.mantissa.overflowing_add(whole);
            let wide = u128::from(sum) << 64 | u128::from(part);
            // with a carry, the last bit of what is shifted is 0: there is a whole, and no shift or a part with zeros
            let wide = if carry { 1 << 127 | wide >> 1 } else { wide };
            Self::of_first(big.negative, wide, false, big.exponent + i32::from(carry), to)
        } else {
            let wide = (u128::from(big.mantissa) << 64) - (u128::from(whole) << 64 | u128::from(part));
            Self::rounded(big.negative, wide, false, big.exponent - 64, to)
        }
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
        if wide == 0 {
            return Self::ZERO;
        }
        // a product of two such numbers has 127 or 128 bits
        let is_short = wide >> 127 == 0;
        let exponent = self.exponent + y.exponent + 64 - i32::from(is_short);
        let wide = wide + if is_short { wide } else { 0 };
        Self::of_first(self.negative != y.negative, wide, false, exponent, to)
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

    /// A number that grows as this one does.
    #[inline]
    fn place(self) -> i128 {
        if self.is_zero() {
            return 0;
        }
        // exponents between −2³¹ and 2³¹ in front of the mantissa
        let size = i128::from(i64::from(self.exponent) + (1 << 31)) << 64 | i128::from(self.mantissa);
        if self.negative { -size } else { size }
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
        self.place().cmp(&other.place())
    }
}
