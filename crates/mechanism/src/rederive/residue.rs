//! Numbers modulo a prime, in which equations between rational functions hold or fail exactly.
//!
//! What is drawn at random is a point of the field for each number, and one more for e^(ix/2) of each angle x: of rational functions of numbers, sines
//! and cosines of their integer combinations, which is what most equations of mechanisms are, two that differ agree at such a point with a chance of at
//! most their degree over the prime (Schwartz and Zippel). Roots exist for half of the points; other functions have no residue.

use crate::num::Real;
use std::f64::consts::PI;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A prime below 2^61 that is 1 modulo 34560, so that sines of multiples of π/720 and of parts of these have residues.
const PRIME: u64 = 0x1fff_ffff_fffa_c701;
/// Of this order in the field: e^(iπ/1440) in parts.
const ROOT: u64 = 1_511_685_439_017_890_094;
const ORDER: i64 = 2880 * FINE as i64;
/// An angle x is known by e^(ix/2/FINE), so that it can be divided by what divides FINE.
const FINE: u32 = 12;
/// A number that is no square, and 2^8 · ODD = PRIME − 1.
const NO_SQUARE: u64 = 7;
const TWOS: u32 = 8;
const ODD: u64 = (PRIME - 1) >> TWOS;
/// π as a number, and e^(i/2/FINE/PARTS): anything does.
const CIRCLE: u64 = 0x0123_4567_89ab_cdef;
const UNIT: u64 = 0x0fed_cba9_8765_4321;
/// Denominators that angles without π may have divide this.
const PARTS: i64 = 72_072_000;
/// e^(i/2/FINE).
const OF_ONE: u64 = power(UNIT, PARTS.unsigned_abs());
/// i, 1/2, and π in parts of a half turn as numbers.
const IMAGINARY: u64 = power(ROOT, ORDER.unsigned_abs() / 4);
const HALF: u64 = PRIME.div_ceil(2);
const OF_HALF_TURN: u64 = times(CIRCLE, power(HALF_TURN as u64, PRIME - 2));
/// Largest denominator of fractions that doubles are taken for, and of π in parts of a half turn.
const DENOMINATOR: u32 = 1000;
const HALF_TURN: f64 = 720.0;
/// How far a double may be from the number that it stands for, in units of its last place.
const ROUNDED: f64 = 4.0;
/// Bits of a double up to which it is taken at its word.
const SHORT: u32 = 26;

/// How much a residue says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// It is that of a rational function.
    Sure,
    /// By rules that hold for some forms of a number and not for all: of roots, absolute values, doubles with many digits.
    Unsure,
    /// There is none.
    Missing,
}

/// A number modulo [`PRIME`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Residue {
    value: u64,
    /// e^(ix/2/fine) of it as an angle.
    turn: u64,
    /// How fine that is; 0 if it is not known.
    fine: u32,
    /// The integer that it is, if it is a small one.
    whole: Option<i32>,
    trust: Trust,
}

/// The prime is 2^61 − BELOW, so that 2^61 may be replaced by BELOW: twice, and what is left is below twice the prime.
const BITS: u32 = 61;
const BELOW: u64 = (1 << BITS) - PRIME;

const fn times(a: u64, b: u64) -> u64 {
    let rest = folded(folded(a as u128 * b as u128)) as u64;
    if rest >= PRIME { rest - PRIME } else { rest }
}

const fn folded(x: u128) -> u128 {
    (x >> BITS) * BELOW as u128 + (x & ((1 << BITS) - 1))
}

fn plus(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn minus(a: u64) -> u64 {
    if a == 0 { 0 } else { PRIME - a }
}

const fn power(mut a: u64, mut n: u64) -> u64 {
    let mut found = 1;
    while n > 0 {
        if n & 1 == 1 {
            found = times(found, a);
        }
        (a, n) = (times(a, a), n >> 1);
    }
    found
}

/// 1/a; of 0 it is 0.
fn inverse(a: u64) -> u64 {
    if a <= 1 { a } else { power(a, PRIME - 2) }
}

/// aⁿ with n of either sign.
fn turned(a: u64, n: i64) -> u64 {
    if n < 0 { power(inverse(a), n.unsigned_abs()) } else { power(a, n.unsigned_abs()) }
}

/// A turn that is not known.
const UNKNOWN: (u64, u32) = (0, 0);

/// The finest that two turns both have; 0 if one is not known.
fn common(a: u32, b: u32) -> u32 {
    if a == 0 || b == 0 { 0 } else { gcd(a, b) }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn integer(n: i64) -> u64 {
    let size = n.unsigned_abs() % PRIME;
    if n < 0 { minus(size) } else { size }
}

/// The root that is below half of the prime, by Tonelli and Shanks.
fn root(a: u64) -> Option<u64> {
    if a == 0 {
        return Some(0);
    }
    if power(a, (PRIME - 1) / 2) != 1 {
        return None;
    }
    let (mut m, mut c) = (TWOS, power(NO_SQUARE, ODD));
    let (mut t, mut r) = (power(a, ODD), power(a, ODD.div_ceil(2)));
    while t != 1 {
        let mut i = 0;
        let mut square = t;
        while square != 1 {
            square = times(square, square);
            i += 1;
        }
        let b = power(c, 1 << (m - i - 1));
        (m, c) = (i, times(b, b));
        (t, r) = (times(t, c), times(r, b));
    }
    Some(r.min(PRIME - r))
}

impl Residue {
    /// A number with the turn of it as an angle, both drawn at random.
    pub(super) fn drawn(value: u64, turn: u64) -> Self {
        Residue {
            value: value % PRIME,
            turn: 1 + turn % (PRIME - 1),
            fine: FINE,
            whole: None,
            trust: Trust::Sure,
        }
    }

    const MISSING: Self = Residue { value: 0, turn: 0, fine: 0, whole: None, trust: Trust::Missing };

    /// Whether two numbers are the same; none where that does not follow.
    pub(super) fn agrees(self, other: Self) -> Option<bool> {
        match self.trust.max(other.trust) {
            Trust::Missing => None,
            _ if self.value == other.value => Some(true),
            Trust::Sure => Some(false),
            Trust::Unsure => None,
        }
    }

    fn of(value: u64, (turn, fine): (u64, u32), trust: Trust) -> Self {
        match trust {
            Trust::Missing => Self::MISSING,
            trust => Residue { value, turn, fine, whole: None, trust },
        }
    }

    /// A fraction.
    fn fraction(p: i64, q: i64) -> Self {
        let value = times(integer(p), inverse(integer(q)));
        let (turn, fine) = match q {
            1 => (turned(OF_ONE, p), FINE),
            q if PARTS % q == 0 => (turned(UNIT, p * (PARTS / q)), FINE),
            _ => UNKNOWN,
        };
        let whole = (q == 1).then(|| i32::try_from(p).ok()).flatten();
        Residue { value, turn, fine, whole, trust: Trust::Sure }
    }

    /// So many parts of a half turn.
    fn angle(part: i64) -> Self {
        let value = times(integer(part), OF_HALF_TURN);
        Self::of(value, (turned(ROOT, part % ORDER), FINE), Trust::Sure)
    }

    /// Its turn as fine as a number says that divides its own.
    fn turn_at(self, fine: u32) -> u64 {
        turned(self.turn, i64::from(self.fine / fine.max(1)))
    }

    fn positive(self) -> bool {
        0 < self.value && self.value <= PRIME / 2
    }

    fn unsure(self) -> Self {
        Residue { trust: self.trust.max(Trust::Unsure), ..self }
    }
}

/// The integer that a double is.
fn integral(x: f64) -> Option<i64> {
    (x.fract().abs() <= 0.0 && x.abs() * f64::EPSILON < 1.0).then_some(x as i64)
}

/// The fraction near a double.
fn near(x: f64) -> Option<(i64, i64)> {
    let slack = ROUNDED * f64::EPSILON * x.abs();
    let found = |q: u32| {
        let p = (x * f64::from(q)).round();
        let fits = p.abs() < f64::from(1 << SHORT) && (p / f64::from(q) - x).abs() <= slack;
        fits.then_some((p as i64, i64::from(q)))
    };
    (1..=DENOMINATOR).find_map(found)
}

/// The value of a double as it is.
fn dyadic(x: f64) -> u64 {
    let bits = x.to_bits();
    let (exponent, mantissa) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let (whole, shift) = match exponent {
        0 => (mantissa, -1074),
        e => (mantissa | 1 << 52, e as i64 - 1075),
    };
    let value = times(whole % PRIME, turned(2, shift));
    if x < 0.0 { minus(value) } else { value }
}

impl Add for Residue {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let turn = match common(self.fine, o.fine) {
            0 => UNKNOWN,
            fine => (times(self.turn_at(fine), o.turn_at(fine)), fine),
        };
        let sum = Self::of(plus(self.value, o.value), turn, self.trust.max(o.trust));
        Residue { whole: self.whole.zip(o.whole).and_then(|(a, b)| a.checked_add(b)), ..sum }
    }
}

impl Neg for Residue {
    type Output = Self;
    fn neg(self) -> Self {
        let turn = if self.fine == 0 { UNKNOWN } else { (inverse(self.turn), self.fine) };
        Residue {
            whole: self.whole.and_then(i32::checked_neg),
            ..Self::of(minus(self.value), turn, self.trust)
        }
    }
}

impl Sub for Residue {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Residue {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let turn = match (self.whole, o.whole) {
            (Some(n), _) if o.fine > 0 => (turned(o.turn, i64::from(n)), o.fine),
            (_, Some(n)) if self.fine > 0 => (turned(self.turn, i64::from(n)), self.fine),
            _ => UNKNOWN,
        };
        let product = Self::of(times(self.value, o.value), turn, self.trust.max(o.trust));
        Residue { whole: self.whole.zip(o.whole).and_then(|(a, b)| a.checked_mul(b)), ..product }
    }
}

impl Div for Residue {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        match o.value {
            0 => Self::MISSING,
            y => {
                let part = o.whole.filter(|&n| n != 0 && self.fine.is_multiple_of(n.unsigned_abs()));
                let turn = part.map_or(UNKNOWN, |n| {
                    let turn = if n < 0 { inverse(self.turn) } else { self.turn };
                    (turn, self.fine / n.unsigned_abs())
                });
                Self::of(times(self.value, inverse(y)), turn, self.trust.max(o.trust))
            }
        }
    }
}

impl Real for Residue {
    fn from_f64(x: f64) -> Self {
        if !x.is_finite() {
            return Self::MISSING;
        }
        if let Some(p) = integral(x) {
            return Self::fraction(p, 1);
        }
        let is_near = |y: f64| (y - x).abs() <= ROUNDED * f64::EPSILON * x.abs();
        let part = (x / PI * HALF_TURN).round();
        if is_near(part * PI / HALF_TURN) {
            return Self::angle(part as i64);
        }
        if let Some((p, q)) = near(x) {
            return Self::fraction(p, q);
        }
        let part = (x.asin() / PI * HALF_TURN).round();
        if is_near((part * PI / HALF_TURN).sin()) {
            return Self::angle(part as i64).sin_cos().0;
        }
        Self::of(dyadic(x), UNKNOWN, Trust::Unsure)
    }
    fn value(self) -> f64 {
        self.value as f64
    }
    fn sin_cos(self) -> (Self, Self) {
        // of an angle of which nothing else is known, some turn that is always the same
        let (half, trust) = match self.fine {
            0 => (1 + times(self.value, UNIT) % (PRIME - 1), self.trust.max(Trust::Unsure)),
            _ => (self.turn_at(1), self.trust),
        };
        let around = times(half, half);
        let back = inverse(around);
        // 1/(2 i) is −i/2
        let sin = times(times(plus(back, minus(around)), IMAGINARY), HALF);
        let cos = times(plus(around, back), HALF);
        (Self::of(sin, UNKNOWN, trust), Self::of(cos, UNKNOWN, trust))
    }
    fn tan(self) -> Self {
        let (sin, cos) = self.sin_cos();
        sin / cos
    }
    fn asin(self) -> Self {
        Self::MISSING
    }
    fn acos(self) -> Self {
        Self::MISSING
    }
    fn atan(self) -> Self {
        Self::MISSING
    }
    fn atan2(self, _: Self) -> Self {
        Self::MISSING
    }
    fn sinh(self) -> Self {
        Self::MISSING
    }
    fn cosh(self) -> Self {
        Self::MISSING
    }
    fn tanh(self) -> Self {
        Self::MISSING
    }
    fn sqrt(self) -> Self {
        match (root(self.value), self.whole) {
            // of the square of an integer it is this integer, by the choice of the smaller root
            (Some(root), Some(_)) => Self::of(root, UNKNOWN, self.trust),
            (Some(root), None) => Self::of(root, UNKNOWN, self.trust).unsure(),
            (None, _) => Self::MISSING,
        }
    }
    fn exp(self) -> Self {
        Self::MISSING
    }
    fn ln(self) -> Self {
        Self::MISSING
    }
    fn abs(self) -> Self {
        if self.positive() { self.unsure() } else { -self.unsure() }
    }
    fn signum(self) -> Self {
        let sign = Self::fraction(i64::from(self.positive()) - i64::from(self.value > PRIME / 2), 1);
        Residue { trust: self.trust, ..sign }.unsure()
    }
    fn lesser(self, other: Self) -> Self {
        if (other - self).positive() { self.unsure() } else { other.unsure() }
    }
    fn where_positive(self, c: Self) -> Self {
        let found = if c.positive() { self } else { Self::fraction(0, 1) };
        Residue { trust: found.trust.max(c.trust), ..found }.unsure()
    }
    fn powi(self, n: i32) -> Self {
        if n < 0 && self.value == 0 {
            return Self::MISSING;
        }
        Self::of(turned(self.value, i64::from(n)), UNKNOWN, self.trust)
    }
    fn powf(self, _: Self) -> Self {
        Self::MISSING
    }
}

#[cfg(test)]
mod tests {
    use super::{CIRCLE, PRIME, Residue, Trust, root, times};
    use crate::num::Real;

    fn same(a: Residue, b: Residue) -> bool {
        a.agrees(b) == Some(true)
    }

    #[test]
    fn identities_of_numbers_and_angles_hold() {
        let (a, b) = (Residue::drawn(17, 12_345_678_901), Residue::drawn(1 << 60, 99_999_999_977));
        let number = Residue::from_f64;
        let ((sa, ca), (sb, cb)) = (a.sin_cos(), b.sin_cos());
        assert!(same(sa * sa + ca * ca, number(1.0)));
        assert!(same((a + b).sin_cos().0, sa * cb + ca * sb));
        assert!(same((a - b).sin_cos().1, ca * cb + sa * sb));
        assert!(same((number(3.0) * a).sin_cos().0, number(3.0) * sa - number(4.0) * sa * sa * sa));
        assert!(same((number(std::f64::consts::FRAC_PI_2) - a).sin_cos().0, ca));
        assert!(same(number(std::f64::consts::PI / 6.0).sin_cos().0, number(0.5)));
        assert!(same((number(std::f64::consts::PI) / number(6.0)).sin_cos().0, number(0.5)));
        assert!(same(number(3.0_f64.sqrt() / 2.0), number(std::f64::consts::PI / 3.0).sin_cos().0));
        assert!(same((number(0.3) + number(0.6)).sin_cos().0, number(0.9).sin_cos().0));
        assert!(
            same(number(9.81) * number(100.0), number(981.0))
                && same(number(1.0 / 3.0) * number(3.0), number(1.0))
        );
        assert!(same(a / b * b, a) && same(a.powi(-2) * a * a, number(1.0)));
        assert_eq!(number(std::f64::consts::PI).value, CIRCLE);
        // what differs is told apart, and what does not follow is not
        assert_eq!(sa.agrees(ca), Some(false));
        let (half, _) = (a / number(2.0)).sin_cos();
        assert!(same(number(2.0) * half * half, number(1.0) - ca));
        assert_eq!((a * b).sin_cos().0.agrees(sa), None);
        assert!(same((a * b).sin_cos().0, (b * a).sin_cos().0));
        assert_eq!(a.exp().agrees(a), None);
    }

    #[test]
    fn products_are_those_of_a_division() {
        let mut drawn = 1_u64;
        for _ in 0..1000 {
            let a = drawn % PRIME;
            drawn = drawn.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let b = drawn % PRIME;
            for (a, b) in [(a, b), (PRIME - 1, b), (PRIME - 1, PRIME - 1 - a % 3), (a, 0), (a, 1)] {
                assert_eq!(u128::from(times(a, b)), u128::from(a) * u128::from(b) % u128::from(PRIME));
            }
        }
    }

    #[test]
    fn roots_are_roots() {
        for x in [2_u64, 3, 4, 9, 1 << 40, 123_456_789_012_345] {
            let square = times(x, x);
            let found = root(square).unwrap();
            assert!(found == x || found == PRIME - x);
        }
        assert_eq!(root(7), None);
        let nine = Residue::from_f64(9.0).sqrt();
        assert!(same(nine, Residue::from_f64(3.0)) && nine.trust == Trust::Sure);
    }
}
