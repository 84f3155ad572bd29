//! The greatest common divisor of long integers: Euclid's algorithm on their leading digits, whose quotients are those of the
//! numbers themselves for many steps [Knuth 1997, 4.5.2 L, with the condition of Collins and Jebelean], so that the numbers
//! are touched once for all of these steps.

use num_bigint::{BigInt, BigUint};

/// Greatest common divisor, ≥ 0.
pub fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut x, mut y) = (a.magnitude().to_u64_digits(), b.magnitude().to_u64_digits());
    if is_less(&x, &y) {
        std::mem::swap(&mut x, &mut y);
    }
    while y.len() > 1 {
        let steps = Steps::of(leading(&x, &y));
        if steps.count > 0 {
            steps.apply(&mut x, &mut y);
        } else {
            let rest = &integer(&x) % &integer(&y);
            x = std::mem::replace(&mut y, rest.to_u64_digits());
        }
    }
    match (y.first(), x.as_slice()) {
        (None, _) => integer(&x).into(),
        (Some(y), [x]) => word(*x, *y).into(),
        (Some(y), long) => word(*y, remainder(long, *y)).into(),
    }
}

/// Digits by rising place, the last not zero.
type Digits = Vec<u64>;

fn integer(digits: &[u64]) -> BigUint {
    BigUint::new(digits.iter().flat_map(|d| [*d as u32, (*d >> u32::BITS) as u32]).collect())
}

fn is_less(x: &[u64], y: &[u64]) -> bool {
    x.len().cmp(&y.len()).then_with(|| x.iter().rev().cmp(y.iter().rev())).is_lt()
}

/// The 64 leading bits of x, and the bits of y at the same places.
fn leading(x: &[u64], y: &[u64]) -> (u64, u64) {
    let top = x.len() - 1;
    let shift = x[top].leading_zeros();
    let at = |z: &[u64]| {
        let (high, low) = (z.get(top).copied().unwrap_or(0), z.get(top - 1).copied().unwrap_or(0));
        ((u128::from(high) << u64::BITS | u128::from(low)) << shift >> u64::BITS) as u64
    };
    (at(x), at(y))
}

/// Steps of Euclid's algorithm as a matrix: x and y become a x − b y and d y − c x, with exchanged signs after an odd number.
struct Steps {
    count: u32,
    x: [u64; 2],
    y: [u64; 2],
}

impl Steps {
    /// Those that the leading bits of two numbers decide.
    fn of((mut p, mut q): (u64, u64)) -> Self {
        let (mut x, mut y, mut count) = ([1, 0], [0, 1], 0);
        while q > 0 {
            let (quotient, rest) = (p / q, p % q);
            let Some(next) = combined(x, quotient, y) else { break };
            // the quotient of the numbers is that of their leading bits
            let (down, up) = if count % 2 == 0 { (1, 0) } else { (0, 1) };
            if rest < next[down] || q - rest < next[up] + y[up] {
                break;
            }
            (p, q, x, y) = (q, rest, y, next);
            count += 1;
        }
        Self { count, x, y }
    }

    fn apply(&self, x: &mut Digits, y: &mut Digits) {
        let even = self.count.is_multiple_of(2);
        let of = |[a, b]: [u64; 2], positive: bool| {
            if positive { difference(a, x, b, y) } else { difference(b, y, a, x) }
        };
        (*x, *y) = (of(self.x, even), of(self.y, !even));
    }
}

/// x + quotient·y, as long as its entries have half a word.
fn combined(x: [u64; 2], quotient: u64, y: [u64; 2]) -> Option<[u64; 2]> {
    let entry =
        |k: usize| quotient.checked_mul(y[k])?.checked_add(x[k]).filter(|z| *z <= u64::from(u32::MAX));
    Some([entry(0)?, entry(1)?])
}

/// a x − b y, which is not negative.
fn difference(a: u64, x: &[u64], b: u64, y: &[u64]) -> Digits {
    let (mut carry, mut borrow, mut out) = (0_u64, 0_u64, Vec::with_capacity(x.len()));
    for k in 0..x.len().max(y.len()) {
        let digit = |z: &[u64]| u128::from(z.get(k).copied().unwrap_or(0));
        let plus = u128::from(a) * digit(x) + u128::from(carry);
        let minus = u128::from(b) * digit(y) + u128::from(borrow);
        let (value, less) = (plus as u64).overflowing_sub(minus as u64);
        out.push(value);
        carry = (plus >> u64::BITS) as u64;
        borrow = (minus >> u64::BITS) as u64 + u64::from(less);
    }
    while out.last() == Some(&0) {
        out.pop();
    }
    out
}

fn remainder(x: &[u64], y: u64) -> u64 {
    let next = |rest: u64, digit: &u64| {
        ((u128::from(rest) << u64::BITS | u128::from(*digit)) % u128::from(y)) as u64
    };
    x.iter().rev().fold(0, next)
}

fn word(mut x: u64, mut y: u64) -> u64 {
    while y > 0 {
        (x, y) = (y, x % y);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::{One, Signed, Zero};

    fn by_remainders(a: &BigInt, b: &BigInt) -> BigInt {
        let (mut x, mut y) = (a.abs(), b.abs());
        while !y.is_zero() {
            (x, y) = (y.clone(), &x % &y);
        }
        x
    }

    /// Random lengths and common factors, and neighbours in Fibonacci's sequence, whose quotients are all one.
    #[test]
    fn it_is_that_of_the_remainders() {
        let mut state = 7_u64;
        let mut random = |bits: u64| {
            let mut x = BigInt::one();
            for _ in 0..bits {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                x = (x << 1_u32) + (state >> 63);
            }
            x
        };
        for k in 0..2000 {
            let (a, b) = (random(k * 7 % 501), random(k * 11 % 407));
            let common = random(k % 130);
            let (a, b) = (&a * &common, -&b * &common);
            assert_eq!(gcd(&a, &b), by_remainders(&a, &b), "{a} {b}");
            assert_eq!(gcd(&b, &(&a * &b)), b.abs());
        }
        let (mut a, mut b) = (BigInt::one(), BigInt::one());
        for _ in 0..600 {
            (a, b) = (&a + &b, a);
            assert_eq!(gcd(&a, &b), BigInt::one());
            assert_eq!(gcd(&(&a * &b), &(&a * &a)), a);
        }
    }

    #[test]
    fn nothing_divides_like_zero() {
        let (zero, six) = (BigInt::zero(), BigInt::from(-6));
        assert_eq!(gcd(&zero, &zero), zero);
        assert_eq!([gcd(&zero, &six), gcd(&six, &zero)], [BigInt::from(6), BigInt::from(6)]);
        let power = BigInt::one() << 200_u32;
        assert_eq!([gcd(&power, &six), gcd(&six, &power)], [BigInt::from(2), BigInt::from(2)]);
        assert_eq!(gcd(&power, &zero), power);
    }
}
