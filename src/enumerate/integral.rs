//! Exact numbers as integers over one common denominator: the search computes with the integers, and divides what they have
//! in common only where a result is kept.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero, float::FloatCore};

use crate::num::gcd;

/// Numbers x/over with `over` > 0.
#[derive(Clone, Debug)]
pub(super) struct Integral {
    pub(super) x: Vec<BigInt>,
    pub(super) over: BigInt,
}

impl Integral {
    /// The numbers as the binary fractions they are; none if one is not finite.
    pub(super) fn of(x: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let low = x.clone().filter(|x| x.abs() > 0.0).map(lowest).min().unwrap_or(0).min(0);
        let shifted = |x: f64| {
            let (mantissa, exponent, sign) = FloatCore::integer_decode(x);
            let signed = BigInt::from(mantissa) * sign;
            let shift = i64::from(exponent) - i64::from(low);
            x.is_finite().then(|| match shift >= 0 {
                true => signed << shift,
                false => signed >> -shift,
            })
        };
        Some(Self { x: x.map(shifted).collect::<Option<_>>()?, over: BigInt::one() << low.unsigned_abs() })
    }

    /// The same numbers with the least denominator.
    pub(super) fn reduced(mut self) -> Self {
        let twos = BigInt::trailing_zeros;
        let power = self.x.iter().filter_map(twos).chain(twos(&self.over)).min().unwrap_or(0);
        if power > 0 {
            self.x.iter_mut().for_each(|x| *x >>= power);
            self.over >>= power;
        }
        // one of them is odd now
        let mut common = &self.over >> twos(&self.over).unwrap_or(0);
        for x in &self.x {
            if common.is_one() {
                return self;
            }
            common = gcd(&common, x);
        }
        if !common.is_one() {
            self.x.iter_mut().for_each(|x| *x /= &common);
            self.over /= &common;
        }
        self
    }

    /// The numbers one by one in lowest terms.
    pub(super) fn fractions(&self) -> Vec<BigRational> {
        let fraction = |x: &BigInt| {
            let common = gcd(x, &self.over);
            BigRational::new_raw(x / &common, &self.over / &common)
        };
        self.x.iter().map(fraction).collect()
    }

    /// The doubles nearest to them.
    pub(super) fn rounded(&self) -> Vec<f64> {
        self.x.iter().map(|x| quotient(x, &self.over)).collect()
    }
}

/// x/over, rounded once.
pub(super) fn quotient(x: &BigInt, over: &BigInt) -> f64 {
    // it need not be in lowest terms
    BigRational::new_raw(x.clone(), over.clone()).to_f64().unwrap_or(f64::NAN)
}

/// The power of two of the last binary digit that is not zero.
fn lowest(x: f64) -> i16 {
    let (mantissa, exponent, _) = FloatCore::integer_decode(x);
    exponent + mantissa.trailing_zeros() as i16
}

/// One step of elimination without fractions [Bareiss 1968]: `row` becomes a multiple of itself minus one of `lead`, zero in the
/// column of the pivot; divided by the pivot before it is still one of integers.
pub(super) fn eliminate(row: &mut [BigInt], lead: &[BigInt], column: usize, previous: &BigInt) {
    let factor = std::mem::take(&mut row[column]);
    let pivot = &lead[column];
    for (j, (x, l)) in row.iter_mut().zip(lead).enumerate() {
        if j == column || x.is_zero() && (l.is_zero() || factor.is_zero()) {
            continue;
        }
        let mut next = &*x * pivot;
        if !factor.is_zero() && !l.is_zero() {
            next -= &factor * l;
        }
        *x = if previous.is_one() { next } else { next / previous };
    }
}

/// The rank of integer rows.
pub(super) fn rank(mut rows: Vec<Vec<BigInt>>) -> usize {
    let (mut rank, mut previous) = (0, BigInt::one());
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (rank..rows.len()).find(|&i| !rows[i][column].is_zero()) else { continue };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        let lead = &done[rank];
        rest.iter_mut().for_each(|row| eliminate(row, lead, column, &previous));
        previous = lead[column].clone();
        rank += 1;
    }
    rank
}

/// The least common multiple of numbers > 0.
pub(super) fn common_multiple<'a>(x: impl Iterator<Item = &'a BigInt>) -> BigInt {
    x.fold(BigInt::one(), |common, x| if x.is_one() { common } else { &common / gcd(&common, x) * x })
}

/// Σ aᵢ bᵢ.
pub(super) fn dot(a: &[BigInt], b: &[BigInt]) -> BigInt {
    a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero()).map(|(a, b)| a * b).sum()
}

/// The largest of numbers without their signs, if it is not zero.
pub(super) fn largest(x: &[BigInt]) -> Option<BigInt> {
    x.iter().map(Signed::abs).max().filter(|x| !x.is_zero())
}
