//! Polynomials in one variable over ℚ: which factors they have more than once. D. Y. Y. Yun, On square-free decomposition algorithms,
//! SYMSAC 1976.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// Coefficients, the constant first; the last is not zero.
pub(super) type Univariate = Vec<BigRational>;

/// q and r of p = q² r, where r has no factor twice and both have integer coefficients without common divisor, but for r a fraction before
/// them. None of zero.
pub(super) fn square_and_rest(p: &Univariate) -> Option<(Univariate, Univariate)> {
    p.last()?;
    let (mut square, mut power) = (vec![BigRational::one()], 0_usize);
    // Yun's: c has the factors of p once, of those that are left
    let derivative = derived(p);
    let common = gcd(p, &derivative);
    let (mut c, mut d) = (quotient(p, &common)?, quotient(&derivative, &common)?);
    loop {
        d = minus(&d, &derived(&c));
        power += 1;
        if c.len() <= 1 {
            break;
        }
        let factor = gcd(&c, &d);
        for _ in 0..power / 2 {
            square = product(&square, &factor);
        }
        (c, d) = (quotient(&c, &factor)?, quotient(&d, &factor)?);
    }
    let rest = quotient(p, &product(&square, &square))?;
    Some((square, rest))
}

fn derived(p: &Univariate) -> Univariate {
    p.iter().enumerate().skip(1).map(|(k, c)| c * BigRational::from_integer(k.into())).collect()
}

fn minus(a: &Univariate, b: &Univariate) -> Univariate {
    let at = |p: &Univariate, k: usize| p.get(k).cloned().unwrap_or_else(BigRational::zero);
    trimmed((0..a.len().max(b.len())).map(|k| at(a, k) - at(b, k)).collect())
}

fn product(a: &Univariate, b: &Univariate) -> Univariate {
    let mut found = vec![BigRational::zero(); (a.len() + b.len()).saturating_sub(1)];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            found[i + j] += x * y;
        }
    }
    found
}

/// a/b, if b divides a.
fn quotient(a: &Univariate, b: &Univariate) -> Option<Univariate> {
    let (mut rest, lead) = (a.clone(), b.last()?);
    let mut found = vec![BigRational::zero(); (a.len() + 1).saturating_sub(b.len())];
    while rest.len() >= b.len() {
        let (shift, factor) = (rest.len() - b.len(), rest.last()? / lead);
        b.iter().enumerate().for_each(|(k, c)| rest[shift + k] -= c * &factor);
        found[shift] = factor;
        rest.pop();
        rest = trimmed(rest);
    }
    rest.is_empty().then_some(found)
}

fn trimmed(mut p: Univariate) -> Univariate {
    while p.last().is_some_and(Zero::is_zero) {
        p.pop();
    }
    p
}

/// The greatest common divisor, with integer coefficients that have none in common: remainders without content.
fn gcd(a: &Univariate, b: &Univariate) -> Univariate {
    let (mut a, mut b) = (primitive(a), primitive(b));
    while !b.is_empty() {
        let mut rest = a;
        while rest.len() >= b.len() {
            let (shift, factor) = (rest.len() - b.len(), &rest[rest.len() - 1] / &b[b.len() - 1]);
            b.iter().enumerate().for_each(|(k, c)| rest[shift + k] -= c * &factor);
            rest.pop();
            rest = trimmed(rest);
        }
        (a, b) = (b, primitive(&rest));
    }
    a
}

/// The multiple with integer coefficients without a common divisor, the last positive.
fn primitive(p: &Univariate) -> Univariate {
    let Some(last) = p.last() else { return Vec::new() };
    let multiple = p.iter().fold(BigInt::one(), |all, c| all.lcm(c.denom()));
    let whole: Vec<BigInt> = p.iter().map(|c| c.numer() * (&multiple / c.denom())).collect();
    let divisor = whole.iter().fold(BigInt::zero(), |all, c| all.gcd(c));
    let divisor = if *last < BigRational::zero() { -divisor } else { divisor };
    whole.into_iter().map(|c| BigRational::from_integer(c / &divisor)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Univariate, product, square_and_rest};
    use crate::num::random::Stream;
    use num_rational::BigRational;

    fn of(coefficients: &[i64]) -> Univariate {
        coefficients.iter().map(|&c| BigRational::from_integer(c.into())).collect()
    }

    #[test]
    fn what_stands_twice_is_found() {
        // (t² + t − 1)² of the rod at 4/3, a cube, none, and −5 (t − 2)⁴ (3 t + 1)
        let golden = of(&[-1, 1, 1]);
        let cases = [
            (product(&golden, &golden), golden.clone(), of(&[1])),
            (of(&[-1, 3, -3, 1]), of(&[-1, 1]), of(&[-1, 1])),
            (of(&[2, 0, 3]), of(&[1]), of(&[2, 0, 3])),
        ];
        for (p, q, r) in cases {
            assert_eq!(square_and_rest(&p), Some((q, r)));
        }
        let square = product(&of(&[-2, 1]), &of(&[-2, 1]));
        let p = product(&product(&square, &square), &of(&[-5, -15]));
        assert_eq!(square_and_rest(&p), Some((square, of(&[-5, -15]))));
        assert_eq!(square_and_rest(&Vec::new()), None);
    }

    #[test]
    fn products_of_random_factors_come_apart() {
        let mut random = Stream(1);
        for _ in 0..200 {
            let mut draw = |degree: usize| -> Univariate {
                let mut p: Vec<i64> = (0..degree).map(|_| (9.0 * random.draw()) as i64 - 4).collect();
                p.push(1 + (4.0 * random.draw()) as i64);
                of(&p)
            };
            let (a, b, c) = (draw(2), draw(1), draw(3));
            let p = product(&product(&product(&a, &a), &product(&b, &b)), &product(&b, &c));
            let (q, r) = square_and_rest(&p).expect("no zero");
            assert_eq!(product(&product(&q, &q), &r), p);
            // what stands twice in p stands in q
            assert!(q.len() >= 4, "{q:?}");
        }
    }
}
