//! Numbers m·2^e with 63 bits of m, whose operations round where they are told to, down or up.
//!
//! Each operation makes an integer of more bits, exact but for its last one, and rounds once. That last bit is 1 if what is lost behind it is
//! not 0, which is enough to round by. Exponents are not looked after here: [`Interval`](crate::Interval) keeps them within [`LIMIT`], with which
//! no operation leaves the range of `i32`.

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

/// m·2^e with 2⁶² ≤ |m| < 2⁶³; 0 has the least exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    m: i64,
    e: i32,
}

impl Float {
    /// 0.
    pub const ZERO: Self = Self { m: 0, e: -LIMIT };
    /// 1.
    pub const ONE: Self = Self::of_bits(1 << 62, -62);
    /// −1.
    pub const MINUS_ONE: Self = Self::of_bits(-1 << 62, -62);

    /// m·2^e of an m of 63 bits.
    pub(crate) const fn of_bits(m: i64, e: i32) -> Self {
        Self { m, e }
    }

    /// m·2^e, with |e| up to 2²⁸. It is exact.
    pub fn new(m: i64, e: i32) -> Self {
        Self::rounded(m.into(), e, Toward::Down)
    }

    /// Whether it is below 0, |m| and e.
    pub fn parts(self) -> (bool, u64, i32) {
        (self.m < 0, self.m.unsigned_abs(), if self.m == 0 { 0 } else { self.e })
    }

    /// −1, 0 or 1.
    pub fn sign(self) -> i64 {
        self.m.signum()
    }

    /// −x.
    pub fn negated(self) -> Self {
        Self { m: -self.m, ..self }
    }

    /// wide·2^e.
    pub(crate) fn rounded(wide: i128, e: i32, to: Toward) -> Self {
        if wide == 0 {
            return Self::ZERO;
        }
        let surplus = 65 - wide.unsigned_abs().leading_zeros() as i32;
        if surplus <= 0 {
            return Self { m: (wide << -surplus) as i64, e: e + surplus };
        }
        let m = shifted(wide, surplus, to);
        // rounding may make a 64th bit, behind which all are 0
        let carry = i32::from(m.unsigned_abs() >> 63 != 0);
        Self { m: (m >> carry) as i64, e: e + surplus + carry }
    }

    /// x + y as wide·2^e, which has its sign and rounds as it does.
    #[inline]
    fn sum(self, y: Self) -> (i128, i32) {
        let (big, small) = if self.e < y.e { (y, self) } else { (self, y) };
        let (a, b, shift) = (i128::from(big.m), i128::from(small.m), big.e - small.e);
        // a smaller one that is less than half of the last bit of the greater is as good as any such number
        if shift < 64 { ((a << shift) + b, small.e) } else { ((a << 2) + b.signum(), big.e - 2) }
    }

    /// x + y.
    #[inline]
    pub fn add(self, y: Self, to: Toward) -> Self {
        let (wide, e) = self.sum(y);
        Self::rounded(wide, e, to)
    }

    /// x − y.
    pub fn sub(self, y: Self, to: Toward) -> Self {
        self.add(y.negated(), to)
    }

    /// x·y.
    pub fn mul(self, y: Self, to: Toward) -> Self {
        Self::rounded(i128::from(self.m) * i128::from(y.m), self.e + y.e, to)
    }

    /// x/y, where y is not 0.
    pub fn div(self, y: Self, to: Toward) -> Self {
        // a quotient of 64 or 65 bits, and the sign of what is left
        let (over, under) = (i128::from(self.m) << 64, i128::from(y.m));
        let quotient = over / under;
        let rest = (over - quotient * under).signum() * under.signum();
        Self::rounded(2 * quotient + rest, self.e - y.e - 65, to)
    }

    /// √x, where x is not below 0.
    pub fn sqrt(self, to: Toward) -> Self {
        // with the shift, the exponent is even and the root has 63 or 64 bits
        let shift = 64 - self.e.rem_euclid(2);
        let wide = i128::from(self.m) << shift;
        let root = wide.isqrt();
        let rest = i128::from(root * root != wide);
        Self::rounded(2 * root + rest, (self.e - shift) / 2 - 1, to)
    }

    /// ⌊x·2^k⌋ or ⌈x·2^k⌉, unless it is far from 0.
    pub(crate) fn units(self, k: i32, to: Toward) -> Option<i64> {
        let shift = -(self.e + k);
        (shift >= 0).then(|| shifted(self.m.into(), shift.min(127), to) as i64)
    }
}

/// A shift to the right rounds down, whatever the sign.
fn shifted(wide: i128, by: i32, to: Toward) -> i128 {
    match to {
        Toward::Down => wide >> by,
        Toward::Up => -(-wide >> by),
    }
}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sum(other.negated()).0.cmp(&0)
    }
}
