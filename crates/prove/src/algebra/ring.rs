//! Polynomials over ℚ(i) in the inputs that vary and in the exponentials zⱼ = e^(i xⱼ/2) of half of them, with powers of either sign. Two
//! expressions of sines and cosines are the same function if, and only if, they are the same polynomial.

use super::gauss::Gauss;
use crate::num::halt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Powers: of the inputs, then of their exponentials.
pub(super) type Powers = Vec<i16>;

/// Products of terms that may still be computed.
pub(super) struct Effort {
    left: Cell<usize>,
}

impl Effort {
    pub(super) fn new(products: usize) -> Self {
        Effort { left: Cell::new(products) }
    }

    /// None if it is too much, or nobody waits any more.
    fn spend(&self, products: usize) -> Option<()> {
        let left = self.left.get().checked_sub(products).filter(|_| !halt::is_wanted())?;
        self.left.set(left);
        Some(())
    }
}

/// Σ c xᵃ zᵇ, no c zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polynomial {
    /// Inputs that vary.
    pub(super) inputs: usize,
    pub(super) terms: BTreeMap<Powers, Gauss>,
}

impl Polynomial {
    pub(super) fn zero(inputs: usize) -> Self {
        Polynomial { inputs, terms: BTreeMap::new() }
    }

    pub(super) fn constant(inputs: usize, c: Gauss) -> Self {
        Self::monomial(inputs, vec![0; 2 * inputs], c)
    }

    pub(super) fn monomial(inputs: usize, powers: Powers, c: Gauss) -> Self {
        let mut found = Self::zero(inputs);
        found.add_term(powers, &c);
        found
    }

    /// xⱼ.
    pub(super) fn input(inputs: usize, j: usize) -> Self {
        let mut powers = vec![0; 2 * inputs];
        powers[j] = 1;
        Self::monomial(inputs, powers, Gauss::one())
    }

    /// cos and sin of Σ kⱼ xⱼ/2.
    pub(super) fn cos_sin(k: &[i16]) -> [Self; 2] {
        let n = k.len();
        let power = |sign: i16| {
            let exponents = k.iter().map(|&k| sign * k);
            std::iter::repeat_n(0, n).chain(exponents).collect::<Powers>()
        };
        let half = BigRational::new(1.into(), 2.into());
        let sum = |plus: Gauss, minus: Gauss| {
            let mut found = Self::monomial(n, power(1), plus);
            found.add_term(power(-1), &minus);
            found
        };
        // (z − 1/z)/(2 i)
        let against = Gauss::imaginary(-half.clone());
        [sum(half.clone().into(), half.into()), sum(against.clone(), -&against)]
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number that it is.
    pub(super) fn as_constant(&self) -> Option<Gauss> {
        match self.terms.iter().next() {
            None => Some(Gauss::zero()),
            Some((powers, c)) if self.terms.len() == 1 && powers.iter().all(|&p| p == 0) => Some(c.clone()),
            Some(_) => None,
        }
    }

    pub(super) fn add_term(&mut self, powers: Powers, c: &Gauss) {
        match self.terms.entry(powers) {
            Entry::Vacant(place) if !c.is_zero() => {
                place.insert(c.clone());
            }
            Entry::Vacant(_) => {}
            Entry::Occupied(mut place) => {
                let sum = place.get() + c;
                if sum.is_zero() {
                    place.remove();
                } else {
                    place.insert(sum);
                }
            }
        }
    }

    pub(super) fn plus(&self, o: &Self) -> Self {
        let mut sum = self.clone();
        o.terms.iter().for_each(|(powers, c)| sum.add_term(powers.clone(), c));
        sum
    }

    pub(super) fn scaled(&self, factor: &Gauss) -> Self {
        if factor.is_zero() {
            return Self::zero(self.inputs);
        }
        let terms = self.terms.iter().map(|(powers, c)| (powers.clone(), c * factor)).collect();
        Polynomial { inputs: self.inputs, terms }
    }

    pub(super) fn negated(&self) -> Self {
        self.scaled(&-&Gauss::one())
    }

    /// The product, unless it is too large.
    pub(super) fn times(&self, o: &Self, effort: &Effort) -> Option<Self> {
        effort.spend(self.terms.len() * o.terms.len())?;
        let mut terms: BTreeMap<Powers, Gauss> = BTreeMap::new();
        for (a, x) in &self.terms {
            for (b, y) in &o.terms {
                let place = terms.entry(sum(a, b)).or_insert_with(Gauss::zero);
                *place = &*place + &(x * y);
            }
        }
        terms.retain(|_, c| !c.is_zero());
        Some(Polynomial { inputs: self.inputs, terms })
    }

    /// The quotient, if the other divides it.
    pub(super) fn divided(&self, by: &Self, effort: &Effort) -> Option<Self> {
        let lead = by.terms.last_key_value()?;
        let inverse = lead.1.inverse();
        // greatest and least powers of a product are sums; of inputs none is below 0
        let extremes = |of: fn(i16, i16) -> i16| difference(&self.powers(of), &by.powers(of));
        let (mut least, greatest) = (extremes(i16::min), extremes(i16::max));
        least[..self.inputs].iter_mut().for_each(|power| *power = (*power).max(0));
        let (mut rest, mut quotient) = (self.clone(), Self::zero(self.inputs));
        while let Some((powers, c)) = rest.terms.last_key_value() {
            let (powers, c) = (difference(powers, lead.0), c * &inverse);
            let within = |((p, lo), hi): ((&i16, &i16), &i16)| lo <= p && p <= hi;
            let possible = powers.iter().zip(&least).zip(&greatest).all(within);
            if !possible {
                return None;
            }
            effort.spend(by.terms.len())?;
            for (b, y) in &by.terms {
                rest.add_term(sum(&powers, b), &-&(&c * y));
            }
            quotient.terms.insert(powers, c);
        }
        Some(quotient)
    }

    /// The fraction s and Q with real values of P = s Q², if it is that: term by term from the greatest on.
    pub(super) fn as_square(&self, effort: &Effort) -> Option<(BigRational, Self)> {
        let (first, lead) = self.terms.last_key_value()?;
        let half =
            |powers: &[i16]| powers.iter().map(|p| (p % 2 == 0).then_some(p / 2)).collect::<Option<Powers>>();
        let (first, least) = (half(first)?, self.powers(i16::min));
        let two = Gauss::from(BigRational::from_integer(2.into()));
        let mut root = Self::monomial(self.inputs, first.clone(), Gauss::one());
        let mut rest = self.scaled(&lead.inverse()).plus(&root.times(&root, effort)?.negated());
        while let Some((powers, c)) = rest.terms.last_key_value() {
            let powers = difference(powers, &first);
            if powers.iter().zip(&least).any(|(p, least)| 2 * p < *least) {
                return None;
            }
            let next = c * &two.inverse();
            effort.spend(root.terms.len() + 1)?;
            for (of_root, c) in &root.terms {
                rest.add_term(sum(of_root, &powers), &-&(&(c * &next) * &two));
            }
            rest.add_term(sum(&powers, &powers), &-&(&next * &next));
            root.terms.insert(powers, next);
        }
        let turn = root.turn_to_real(&first);
        let factor = lead * &(&turn * &turn).inverse();
        Some((factor.re, root.scaled(&turn)))
    }

    /// A number whose product with this, of first coefficient 1, has real values, if any has: the coefficient of the opposite wave is then
    /// conjugate to the first.
    fn turn_to_real(&self, first: &Powers) -> Gauss {
        let mut opposite = first.clone();
        opposite[self.inputs..].iter_mut().for_each(|power| *power = -*power);
        let against =
            self.terms.get(&opposite).map_or_else(Gauss::zero, |c| Gauss { re: c.re.clone(), im: -&c.im });
        let sum = &Gauss::one() + &against;
        if sum.is_zero() { Gauss::imaginary(BigRational::one()) } else { sum }
    }

    /// The least or greatest powers of its terms, each by itself.
    fn powers(&self, of: fn(i16, i16) -> i16) -> Powers {
        let each = |all: Powers, powers: &Powers| all.iter().zip(powers).map(|(&a, &b)| of(a, b)).collect();
        let mut powers = self.terms.keys();
        powers.next().map_or_else(|| vec![0; 2 * self.inputs], |first| powers.fold(first.clone(), each))
    }

    /// The powers of inputs that all terms have, and what is left without them.
    pub(super) fn without_common(&self) -> (Vec<i16>, Self) {
        let least = |j: usize| self.terms.keys().map(|powers| powers[j]).min().unwrap_or(0);
        let common: Vec<i16> = (0..self.inputs).map(least).collect();
        let left = |powers: &Powers| {
            let shift = common.iter().copied().chain(std::iter::repeat_n(0, self.inputs));
            powers.iter().zip(shift).map(|(p, c)| p - c).collect()
        };
        let terms = self.terms.iter().map(|(powers, c)| (left(powers), c.clone())).collect();
        (common, Polynomial { inputs: self.inputs, terms })
    }

    /// Greatest power of an input.
    pub(super) fn degree(&self, j: usize) -> i16 {
        self.terms.keys().map(|powers| powers[j]).max().unwrap_or(0)
    }

    /// The inputs that are in it, themselves or as angles.
    pub(super) fn sides(&self) -> Vec<usize> {
        let is_in =
            |j: &usize| self.terms.keys().any(|powers| powers[*j] != 0 || powers[self.inputs + j] != 0);
        (0..self.inputs).filter(is_in).collect()
    }

    /// Halves of the angles that it is a sum of, if it is one of multiples of inputs by halves, without a constant.
    pub(super) fn as_angle(&self) -> Option<Vec<i16>> {
        let mut halves = vec![0; self.inputs];
        for (powers, c) in &self.terms {
            let twice = &c.re * BigRational::from_integer(2.into());
            let whole =
                twice.is_integer() && c.im.is_zero() && twice.abs() < BigRational::from_integer(64.into());
            let one = powers.iter().filter(|&&p| p != 0).count() == 1;
            let j = powers[..self.inputs].iter().position(|&p| p == 1).filter(|_| whole && one)?;
            halves[j] = i16::try_from(twice.to_integer()).ok()?;
        }
        Some(halves)
    }

    /// The first part that is not zero of its first coefficient, and what it is that multiple of.
    pub(super) fn normalised(&self) -> (BigRational, Self) {
        let first = self.terms.last_key_value().map(|(_, c)| if c.re.is_zero() { &c.im } else { &c.re });
        let first = first.cloned().unwrap_or_else(BigRational::one);
        let scaled = self.scaled(&first.recip().into());
        (first, scaled)
    }

    /// In place of xⱼ, lo + (hi − lo) xⱼ.
    pub(super) fn over(&self, j: usize, [lo, hi]: [&BigRational; 2]) -> Self {
        let width = hi - lo;
        let mut found = Self::zero(self.inputs);
        for (powers, c) in &self.terms {
            let d = powers[j];
            let mut choose = BigRational::one();
            for k in 0..=d {
                let mut shifted = powers.clone();
                shifted[j] = k;
                let factor = &choose * width.pow(i32::from(k)) * lo.pow(i32::from(d - k));
                if !factor.is_zero() {
                    found.add_term(shifted, &(c * &factor.into()));
                }
                choose *= BigRational::new((d - k).into(), (k + 1).into());
            }
        }
        found
    }
}

fn sum(a: &[i16], b: &[i16]) -> Powers {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn difference(a: &[i16], b: &[i16]) -> Powers {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[cfg(test)]
mod tests {
    use super::{Effort, Polynomial};
    use crate::algebra::gauss::Gauss;
    use crate::num::random::Stream;
    use num_rational::BigRational;

    /// Random sums of waves of two angles, times powers of two inputs, with real values.
    fn drawn(random: &mut Stream, terms: usize) -> Polynomial {
        let mut whole = |from: i64, to: i64| from + (random.draw() * (to - from + 1) as f64) as i64;
        let mut found = Polynomial::zero(2);
        for _ in 0..terms {
            let [cos, sin] = Polynomial::cos_sin(&[whole(-2, 2) as i16, whole(-2, 2) as i16]);
            let factor = Polynomial::monomial(
                2,
                vec![whole(0, 2) as i16, whole(0, 1) as i16, 0, 0],
                BigRational::from_integer(whole(-5, 5).into()).into(),
            );
            let wave = if whole(0, 1) == 0 { cos } else { sin };
            found = found.plus(&wave.times(&factor, &Effort::new(1000)).unwrap());
        }
        found
    }

    /// Coefficients of opposite waves are conjugate.
    fn is_real(p: &Polynomial) -> bool {
        p.terms.iter().all(|(powers, c)| {
            let opposite = vec![powers[0], powers[1], -powers[2], -powers[3]];
            p.terms.get(&opposite).is_some_and(|other| *other == Gauss { re: c.re.clone(), im: -&c.im })
        })
    }

    #[test]
    fn squares_are_found_and_nothing_else() {
        let mut random = Stream(7);
        let effort = || Effort::new(100_000);
        for _ in 0..200 {
            let root = drawn(&mut random, 4);
            if root.is_zero() {
                continue;
            }
            let factor =
                Gauss::from(BigRational::new((1 + (9.0 * random.draw()) as i64).into(), (-3).into()));
            let square = root.times(&root, &effort()).unwrap().scaled(&factor);
            let (s, found) = square.as_square(&effort()).expect("a square");
            assert!(is_real(&found), "{found:?}");
            assert_eq!(found.times(&found, &effort()).unwrap().scaled(&s.into()), square);
            // one more term, and it is none
            let more = square.plus(&Polynomial::monomial(2, vec![1, 0, 0, 0], Gauss::one()));
            if let Some((s, found)) = more.as_square(&effort()) {
                assert_eq!(found.times(&found, &effort()).unwrap().scaled(&s.into()), more);
            }
        }
    }
}
