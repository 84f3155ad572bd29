//! Numbers a + b i with fractions a and b.

use num_rational::BigRational;
use num_traits::{One, Zero};
use std::ops::{Add, Mul, Neg, Sub};

/// re + im·i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gauss {
    pub(super) re: BigRational,
    pub(super) im: BigRational,
}

impl Gauss {
    pub(super) fn zero() -> Self {
        BigRational::zero().into()
    }

    pub(super) fn one() -> Self {
        BigRational::one().into()
    }

    /// i times a fraction.
    pub(super) fn imaginary(im: BigRational) -> Self {
        Gauss { re: BigRational::zero(), im }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }

    /// 1/x of what is not zero.
    pub(super) fn inverse(&self) -> Self {
        let square = &self.re * &self.re + &self.im * &self.im;
        Gauss { re: &self.re / &square, im: -(&self.im / &square) }
    }
}

impl From<BigRational> for Gauss {
    fn from(re: BigRational) -> Self {
        Gauss { re, im: BigRational::zero() }
    }
}

impl Add for &Gauss {
    type Output = Gauss;

    fn add(self, o: &Gauss) -> Gauss {
        Gauss { re: &self.re + &o.re, im: &self.im + &o.im }
    }
}

impl Sub for &Gauss {
    type Output = Gauss;

    fn sub(self, o: &Gauss) -> Gauss {
        Gauss { re: &self.re - &o.re, im: &self.im - &o.im }
    }
}

impl Mul for &Gauss {
    type Output = Gauss;

    fn mul(self, o: &Gauss) -> Gauss {
        if self.im.is_zero() && o.im.is_zero() {
            return (&self.re * &o.re).into();
        }
        Gauss { re: &self.re * &o.re - &self.im * &o.im, im: &self.re * &o.im + &self.im * &o.re }
    }
}

impl Neg for &Gauss {
    type Output = Gauss;

    fn neg(self) -> Gauss {
        Gauss { re: -&self.re, im: -&self.im }
    }
}
