//! Series in integers: numbers of [0, 2) in units of 2⁻⁶³, by what they are at least and at most.
//!
//! A series is summed from its end, c₀ ± z (c₁ ± z (c₂ ± …)), each step rounded outward. Its rest after the last coefficient c that is summed
//! lies between 0 and c if terms alternate, which fall as 0 ≤ z < 1 and coefficients do; else it is at most c/(1 − z).

use crate::float::{Float, Toward};
use crate::interval::Interval::{self, Ends};

/// 1 and 3/4; arguments of series are at most this.
const ONE: u64 = 1 << 63;
const MOST: u64 = 3 << 61;

/// At least `lo` and at most `hi` units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    lo: u64,
    hi: u64,
}

type Series<const N: usize> = [Fixed; N];

/// 1/n.
const fn reciprocal(n: u128) -> Fixed {
    let one = ONE as u128;
    Fixed { lo: (one / n) as u64, hi: one.div_ceil(n) as u64 }
}

/// 1/k! for k = first, first + step, …
const fn factorials<const N: usize>(first: u128, step: u128) -> Series<N> {
    let mut series = [Fixed { lo: 0, hi: 0 }; N];
    let (mut i, mut k, mut product) = (0, 0, 1);
    while i < N {
        while k < first + step * i as u128 {
            k += 1;
            product *= k;
        }
        series[i] = reciprocal(product);
        i += 1;
    }
    series
}

/// 1/k for k = 1, 3, 5, …
const fn odd<const N: usize>() -> Series<N> {
    let mut series = [Fixed { lo: 0, hi: 0 }; N];
    let mut i = 0;
    while i < N {
        series[i] = reciprocal(2 * i as u128 + 1);
        i += 1;
    }
    series
}

// so many terms that the rest is a unit or less for the arguments that occur
const SIN: Series<11> = factorials(1, 2);
const COS: Series<11> = factorials(0, 2);
const EXP: Series<20> = factorials(1, 1);
const ATAN: Series<25> = odd();
const ARTANH: Series<13> = odd();

impl Fixed {
    /// Of an interval in [0, 3/4].
    #[inline]
    pub(crate) fn of(x: Interval) -> Option<Self> {
        let Ends(lo, hi) = x else { return None };
        let fixed = Self { lo: lo.integer(63, Toward::Down)?, hi: hi.integer(63, Toward::Up)? };
        (fixed.hi <= MOST).then_some(fixed)
    }

    #[inline]
    pub(crate) fn interval(self) -> Interval {
        Interval::new(Float::of_parts(self.lo, -63), Float::of_parts(self.hi, -63))
    }

    #[inline]
    fn mul(self, o: Self) -> Self {
        let product = |x: u64, y: u64| u128::from(x) * u128::from(y);
        let hi = (product(self.hi, o.hi) + u128::from(ONE - 1)) >> 63;
        Self { lo: (product(self.lo, o.lo) >> 63) as u64, hi: hi as u64 }
    }

    /// c₀ − c₁ z + c₂ z² − …
    #[inline]
    fn alternating<const N: usize>(self, series: &Series<N>) -> Self {
        let rest = Self { lo: 0, hi: series[N - 1].hi };
        series[..N - 1].iter().rev().fold(rest, |sum, c| {
            let term = self.mul(sum);
            Self { lo: c.lo - term.hi, hi: c.hi - term.lo }
        })
    }

    /// c₀ + c₁ z + c₂ z² + …, where 1/(1 − z) ≤ 4.
    #[inline]
    fn growing<const N: usize>(self, series: &Series<N>) -> Self {
        let rest = Self { lo: 0, hi: 4 * series[N - 1].hi };
        series[..N - 1].iter().rev().fold(rest, |sum, c| {
            let term = self.mul(sum);
            Self { lo: c.lo + term.lo, hi: c.hi + term.hi }
        })
    }

    /// sin(x)/x of z = x².
    pub(crate) fn sin_ratio(self) -> Self {
        self.alternating(&SIN)
    }

    /// cos x of z = x².
    pub(crate) fn cos_root(self) -> Self {
        self.alternating(&COS)
    }

    /// (eᶻ − 1)/z.
    pub(crate) fn exp_slope(self) -> Self {
        self.growing(&EXP)
    }

    /// atan(x)/x of z = x².
    pub(crate) fn atan_ratio(self) -> Self {
        self.alternating(&ATAN)
    }

    /// artanh(x)/x of z = x².
    pub(crate) fn artanh_ratio(self) -> Self {
        self.growing(&ARTANH)
    }
}

#[cfg(test)]
mod tests {
    use super::{ATAN, EXP, Fixed, MOST, Series, factorials, odd};

    fn contains(wide: Fixed, narrow: Fixed) {
        assert!(wide.lo < narrow.lo && narrow.hi < wide.hi, "{wide:?} {narrow:?}");
    }

    #[test]
    fn the_rest_of_a_short_series_is_enclosed() {
        let (arc, growth): (Series<4>, Series<4>) = (odd(), factorials(1, 1));
        // a series with one term less turns to the other side
        let less: Series<3> = odd();
        for units in [MOST / 1000, MOST / 7, MOST / 2] {
            let z = Fixed { lo: units, hi: units };
            contains(z.alternating(&arc), z.alternating(&ATAN));
            contains(z.alternating(&less), z.alternating(&ATAN));
            contains(z.growing(&growth), z.growing(&EXP));
            contains(z.growing(&arc), z.growing(&odd::<60>()));
        }
    }
}
