//! Exact numbers as integers over one common denominator: the search computes with the integers, and divides what they have
//! in common only where a result is kept.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero, float::FloatCore};

use crate::num::gcd;

/// Numbers x/over with `over` > 0.
#[derive(Clone, Debug)]
pub struct Integral {
    /// Their numerators.
    pub x: Vec<BigInt>,
    /// Their common denominator.
    pub over: BigInt,
}

impl Integral {
    /// The numbers as the binary fractions they are; none if one is not finite.
    pub fn of(x: impl Iterator<Item = f64> + Clone) -> Option<Self> {
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
    pub(crate) fn reduced(mut self) -> Self {
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
    pub(crate) fn fractions(&self) -> Vec<BigRational> {
        let fraction = |x: &BigInt| {
            let common = gcd(x, &self.over);
            BigRational::new_raw(x / &common, &self.over / &common)
        };
        self.x.iter().map(fraction).collect()
    }

    /// The doubles nearest to them.
    pub(crate) fn rounded(&self) -> Vec<f64> {
        self.x.iter().map(|x| quotient(x, &self.over)).collect()
    }
}

/// x/over, rounded once.
pub fn quotient(x: &BigInt, over: &BigInt) -> f64 {
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
pub fn eliminate(row: &mut [BigInt], lead: &[BigInt], column: usize, previous: &BigInt) {
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

/// Elimination of the first `k` columns by the first `k` rows, in all rows below each; the last pivot, none if they are singular.
pub(crate) fn triangular(rows: &mut [Vec<BigInt>], k: usize) -> Option<BigInt> {
    let mut previous = BigInt::one();
    for p in 0..k {
        let pivot = (p..k).find(|&i| !rows[i][p].is_zero())?;
        rows.swap(p, pivot);
        let (done, rest) = rows.split_at_mut(p + 1);
        rest.iter_mut().for_each(|row| eliminate(row, &done[p], p, &previous));
        previous = done[p][p].clone();
    }
    Some(previous)
}

/// The rank of integer rows.
pub(crate) fn rank(mut rows: Vec<Vec<BigInt>>) -> usize {
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
pub(crate) fn common_multiple<'a>(x: impl Iterator<Item = &'a BigInt>) -> BigInt {
    x.fold(BigInt::one(), |common, x| if x.is_one() { common } else { &common / gcd(&common, x) * x })
}

/// Σ aᵢ bᵢ.
pub(crate) fn dot(a: &[BigInt], b: &[BigInt]) -> BigInt {
    a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero()).map(|(a, b)| a * b).sum()
}

/// The largest of numbers without their signs, if it is not zero.
pub(crate) fn largest(x: &[BigInt]) -> Option<BigInt> {
    x.iter().map(Signed::abs).max().filter(|x| !x.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ScaledVector;

    fn fraction(x: i64, over: i64) -> BigRational {
        BigRational::new(x.into(), over.into())
    }

    /// The other route: fractions in lowest terms and their least common denominator.
    #[test]
    fn the_least_denominator_is_that_of_the_fractions() {
        for (x, over) in [
            ([6, -10, 0], 4),
            ([6, -10, 0], 9),
            ([7, 3, 5], 12),
            ([0, 0, 0], 24),
            ([-8, 16, 48], 3),
            ([30, 42, 70], 105),
        ] {
            let numbers = Integral { x: x.map(BigInt::from).to_vec(), over: over.into() };
            let fractions: Vec<BigRational> = x.iter().map(|&x| fraction(x, over)).collect();
            assert_eq!(numbers.fractions(), fractions);
            assert_eq!(numbers.rounded(), x.map(|x| x as f64 / over as f64));
            let (least, other) = (numbers.reduced(), ScaledVector::from_rationals(&fractions));
            let denominator = other.denominator.to_rational();
            let numerators = other.numerators.iter().map(|x| x.to_rational());
            assert_eq!(BigRational::from(least.over), denominator, "{x:?}/{over}");
            assert!(least.x.into_iter().map(BigRational::from).eq(numerators), "{x:?}/{over}");
        }
    }

    #[test]
    fn doubles_are_taken_as_they_are() {
        for numbers in [vec![0.1, -3.0, 0.0], vec![4.0, 1024.0], vec![5e-324, 1e300, 0.75], vec![]] {
            let found = Integral::of(numbers.iter().copied()).unwrap();
            let exact: Vec<BigRational> =
                numbers.iter().map(|&x| BigRational::from_float(x).unwrap()).collect();
            assert_eq!(found.fractions(), exact);
            assert_eq!(found.rounded(), numbers);
        }
        assert!(Integral::of([1.0, f64::NAN].into_iter()).is_none());
    }

    /// Of u vᵀ + w zᵀ the rank is two, one if w is a multiple of u, and with zero columns and rows likewise.
    #[test]
    fn the_rank_is_that_of_the_factors() {
        let outer = |u: [i64; 4], v: [i64; 5], w: [i64; 4], z: [i64; 5]| -> Vec<Vec<BigInt>> {
            (0..4).map(|i| (0..5).map(|j| BigInt::from(u[i] * v[j] + w[i] * z[j])).collect()).collect()
        };
        let (u, v, z) = ([0, 3, -2, 5], [0, 0, 7, 1, -4], [0, 2, 7, 3, 9]);
        assert_eq!(rank(outer(u, v, [4, 0, 1, -6], z)), 2);
        assert_eq!(rank(outer(u, v, u.map(|x| -2 * x), z)), 1);
        assert_eq!(rank(outer([0; 4], v, [0; 4], z)), 0);
        assert_eq!(rank(Vec::new()), 0);
    }

    /// The last entry is the determinant, here of a Hilbert matrix times 420, column by column without a remainder.
    #[test]
    fn elimination_ends_at_the_determinant() {
        let mut rows: Vec<Vec<BigInt>> =
            (1..=4).map(|i| (0..4).map(|j| BigInt::from(420 / (i + j))).collect()).collect();
        assert!(triangular(&mut rows, 3).is_some());
        // det H₄ = 1/6048000
        assert_eq!(rows[3][3], BigInt::from(420_i64.pow(4) / 6_048_000));
    }
}
