//! Sums of products and linear systems in floating point, within bounds of their rounding.
//!
//! Some sums have twice the digits of a double: each product and each sum is taken apart without rounding, and what they are rounded by is summed
//! beside [Ogita, Rump, Oishi: Accurate sum and dot product, SIAM Journal on Scientific Computing 26, 2005, Dot2].
//!
//! With an approximate inverse R of B and ‖1 − R B‖∞ ≤ 1/2, B is regular and ‖(R B)⁻¹‖∞ ≤ 2, so that B⁻¹ = (R B)⁻¹R shows of any x̃ and ỹ
//!
//! > ‖B⁻¹b − x̃‖∞ ≤ 2 ‖R (b − B x̃)‖∞,   |c B⁻¹ − ỹ|ₗ ≤ 2 ‖c − ỹ B‖₁ maxᵢ |Rᵢₗ|.
//!
//! Steps of x̃ + R (b − B x̃), with the differences to twice the digits, make these bounds as narrow as is asked.

/// More than the rounding of some sums of up to a thousand positive numbers, half an ε each.
pub const UP: f64 = 1.0 + 4096.0 * f64::EPSILON;
/// The norm of 1 − R B up to which the bounds hold.
const REGULAR: f64 = 0.5;
/// Steps after which the bounds are as narrow as they become.
pub const NARROW: usize = 6;

/// A sum of products, and at most what rounding of it and of its data's products makes.
#[derive(Clone, Copy, Default)]
pub struct Sum {
    /// The sum.
    pub value: f64,
    size: f64,
    terms: usize,
}

impl Sum {
    /// The sum of these products.
    pub fn of(terms: impl Iterator<Item = (f64, f64)>) -> Self {
        terms.fold(Self::default(), |sum, (a, b)| sum.plus(a * b))
    }

    /// One term more.
    #[must_use]
    pub fn plus(self, term: f64) -> Self {
        Self { value: self.value + term, size: self.size + term.abs(), terms: self.terms + 1 }
    }

    /// Each product and sum is rounded to half an ε of at most the sum of sizes, itself rounded, or to the least number.
    pub fn error(self) -> f64 {
        (self.terms + 2) as f64 * (f64::EPSILON * self.size + f64::MIN_POSITIVE)
    }

    /// The most that the sum without rounding may be, without sign.
    pub fn most(self) -> f64 {
        above(self.value.abs(), self.error())
    }
}

/// A sum, and what bounds its error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twofold {
    high: f64,
    low: f64,
    /// Σ |terms of `low`|.
    size: f64,
    terms: usize,
}

/// a + b as its double and what that is rounded by.
pub fn apart(a: f64, b: f64) -> [f64; 2] {
    let sum = a + b;
    let part = sum - a;
    [sum, (a - (sum - part)) + (b - part)]
}

impl Twofold {
    /// The same and a b more.
    #[must_use]
    pub fn plus(self, a: f64, b: f64) -> Self {
        let product = a * b;
        let [high, rest] = apart(self.high, product);
        let off = a.mul_add(b, -product);
        Self {
            high,
            low: self.low + (rest + off),
            size: self.size + (rest.abs() + off.abs()),
            terms: self.terms + 1,
        }
    }

    /// The double nearest to what was summed.
    pub fn value(self) -> f64 {
        self.high + self.low
    }

    /// The most that the sum may be, without sign: only the sums of what was left are rounded, and products near the least number.
    pub fn most(self) -> f64 {
        let rounded = (2 * self.terms + 4) as f64 * (f64::EPSILON * self.size + f64::MIN_POSITIVE);
        (self.value().abs() + rounded) * (1.0 + 8.0 * f64::EPSILON)
    }
}

/// Whether an approximate inverse is near enough to that of a matrix for the bounds.
pub fn is_inverse(
    m: usize,
    inverse: impl Fn(usize, usize) -> f64,
    matrix: impl Fn(usize, usize) -> f64,
) -> bool {
    let entry = |i: usize, k: usize| {
        let terms = (0..m).map(|l| (inverse(i, l), matrix(l, k)));
        Sum::of(terms).plus(if i == k { -1.0 } else { 0.0 }).most()
    };
    let rows = (0..m).map(|i| (0..m).map(|k| entry(i, k)).sum::<f64>() * UP);
    rows.fold(0.0, larger) <= REGULAR
}

/// An approximate solution of B x = b by an approximate inverse, each number a sum of two, and bounds of |b − B x|.
pub fn solved(
    right: &[f64],
    matrix: impl Fn(usize, usize) -> f64,
    inverse: impl Fn(usize, usize) -> f64,
    steps: usize,
) -> (Vec<[f64; 2]>, Vec<f64>) {
    let m = right.len();
    let mut x = vec![[0.0; 2]; m];
    let mut left: Vec<Twofold> = right.iter().map(|&right| Twofold::default().plus(1.0, right)).collect();
    let mut before = f64::INFINITY;
    for _ in 0..=steps {
        let step = |i: usize| (0..m).map(|l| inverse(i, l) * left[l].value()).sum::<f64>();
        let steps: Vec<f64> = (0..m).map(step).collect();
        let size = steps.iter().fold(0.0, |size, step| larger(size, step.abs()));
        // what rounding makes of the steps at last does not get less
        if size.is_nan() || size >= 0.5 * before {
            break;
        }
        before = size;
        x.iter_mut().zip(steps).for_each(|(x, step)| *x = apart(x[0], x[1] + step));
        for (l, (left, &right)) in left.iter_mut().zip(right).enumerate() {
            let parts = x.iter().enumerate().flat_map(|(k, x)| x.map(|x| (k, x)));
            let sum = Twofold::default().plus(1.0, right);
            *left = parts.fold(sum, |sum, (k, x)| sum.plus(-matrix(l, k), x));
        }
    }
    (x, left.into_iter().map(Twofold::most).collect())
}

/// How far a solution may be from an approximate one, by |b − B x̃|.
pub fn distance(left: &[f64], inverse: impl Fn(usize, usize) -> f64) -> f64 {
    let m = left.len();
    let off = (0..m).map(|i| (0..m).map(|l| inverse(i, l).abs() * left[l]).sum::<f64>());
    2.0 * UP * off.fold(0.0, larger) + f64::MIN_POSITIVE
}

/// Not less than the sum.
pub fn above(value: f64, room: f64) -> f64 {
    (value + room).next_up()
}

/// The larger one, not a number if one is none.
pub fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::{Twofold, apart};

    #[test]
    fn what_cancels_in_doubles_is_left() {
        let [sum, rest] = apart(1.0, 1e-17);
        assert!(sum.total_cmp(&1.0).is_eq() && rest.total_cmp(&1e-17).is_eq());
        // (1 + ε)(1 − ε) − 1 = −ε²
        let sum = Twofold::default().plus(1.0 + f64::EPSILON, 1.0 - f64::EPSILON).plus(-1.0, 1.0);
        let expected = -f64::EPSILON * f64::EPSILON;
        assert!(
            sum.value().total_cmp(&expected).is_eq()
                && sum.most() >= f64::EPSILON * f64::EPSILON
                && sum.most() < 1.1 * f64::EPSILON * f64::EPSILON
        );
    }
}
