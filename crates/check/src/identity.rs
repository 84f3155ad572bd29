//! Whether two values are the same function: both as quotients of polynomials, which are multiplied out.
//!
//! The variables are the inputs and the exponentials zⱼ = e^(i xⱼ/2) of half of them, with powers of either sign: cos xⱼ = (zⱼ² + zⱼ⁻²)/2. These are
//! independent, so that two such polynomials are the same function of real inputs only if they have the same coefficients. Coefficients are
//! integers; fractions are quotients of two of them, and i is one more variable, of which i² = −1 leaves the powers 0 and 1.

use crate::number::Number;
use crate::tape::{Binary, Node, Tape, Unary};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Powers of the inputs, then of the exponentials, then of i.
type Powers = Vec<i32>;
/// What may be spent on all values together, in products of terms. Coefficients of more than 512 bits and powers above 512 count more.
const EFFORT: usize = 4_000_000;

#[derive(Clone, PartialEq, Eq)]
struct Polynomial(BTreeMap<Powers, BigInt>);

impl Polynomial {
    fn sum(terms: impl IntoIterator<Item = (Powers, BigInt)>) -> Self {
        let mut found = BTreeMap::<Powers, BigInt>::new();
        for (mut powers, c) in terms {
            let is_turned = powers.last() == Some(&2);
            powers.last_mut().filter(|_| is_turned).into_iter().for_each(|i| *i = 0);
            *found.entry(powers).or_default() += if is_turned { -c } else { c };
        }
        found.retain(|_, c| *c != BigInt::ZERO);
        Self(found)
    }

    /// The integer that it is.
    fn as_constant(&self) -> Option<BigInt> {
        let has_no_powers = self.0.keys().flatten().all(|&p| p == 0);
        has_no_powers.then(|| self.0.values().sum())
    }

    /// Number of terms, more of long ones. A product has powers of at most 512 times what is spent on it more than its factors have: they stay
    /// below 2³¹.
    fn size(&self) -> usize {
        let highest = |powers: &Powers| powers.iter().map(|p| p.unsigned_abs() as usize).max();
        let size = |(p, c): (&Powers, &BigInt)| 1 + c.bits() as usize / 512 + highest(p).unwrap_or(0) / 512;
        self.0.iter().map(size).sum()
    }

    fn plus(self, other: Self) -> Self {
        Self::sum(self.0.into_iter().chain(other.0))
    }

    fn times(&self, other: &Self) -> Self {
        let product = |(p, c): (&Powers, &BigInt), (q, d): (&Powers, &BigInt)| {
            (p.iter().zip(q).map(|(p, q)| p + q).collect(), c * d)
        };
        Self::sum(self.0.iter().flat_map(|a| other.0.iter().map(move |b| product(a, b))))
    }
}

#[derive(Clone)]
struct Quotient {
    over: Polynomial,
    under: Polynomial,
}

impl Quotient {
    fn negated(mut self) -> Self {
        self.over.0.values_mut().for_each(|c| *c = -&*c);
        self
    }

    /// `None` of what is 0 everywhere.
    fn inverse(self) -> Option<Self> {
        (!self.over.0.is_empty()).then_some(Self { over: self.under, under: self.over })
    }
}

/// Values of a tape as quotients, as far as they are.
pub(crate) struct Quotients<'a> {
    tape: &'a Tape,
    known: BTreeMap<u32, Quotient>,
    effort: usize,
}

impl<'a> Quotients<'a> {
    pub(crate) fn new(tape: &'a Tape) -> Self {
        Self { tape, known: BTreeMap::new(), effort: EFFORT }
    }

    /// Whether two values are the same wherever both are defined; not if that is not seen. From then on the first stands for what the second is made of,
    /// which a writer of certificates chooses to be short.
    pub(crate) fn are_same(&mut self, a: u32, b: u32) -> bool {
        let (Some(first), Some(second)) = (self.quotient(a), self.quotient(b)) else { return false };
        let left = self.product(&first.over, &second.under);
        let are_same = left.is_some() && left == self.product(&second.over, &first.under);
        if are_same && a as usize >= self.tape.given.len() {
            self.known.insert(a, second);
        }
        are_same
    }

    fn quotient(&mut self, v: u32) -> Option<Quotient> {
        for (value, node) in self.tape.steps(&[v]) {
            if !self.known.contains_key(&value) {
                let quotient = self.operation(node)?;
                self.known.insert(value, quotient);
            }
        }
        self.value(v)
    }

    /// A value that is given or known.
    fn value(&mut self, v: u32) -> Option<Quotient> {
        if let Some(known) = self.known.get(&v) {
            return Some(known.clone());
        }
        let Some(input) = self.tape.varying.iter().find(|input| input.value == v) else {
            return self.number(self.tape.numbers[v as usize].as_ref()?);
        };
        let side = &self.tape.varying[input.side];
        let variable = Polynomial::sum([(self.power(input.side, 1), 1.into())]);
        let variable = Quotient { over: variable, under: self.constant(1.into()) };
        if side.value == v {
            return Some(variable);
        }
        // a share: (x − lo)/(hi − lo)
        let low = self.number(&side.range.lo)?.negated();
        let width = self.sum(self.number(&side.range.hi)?, low.clone())?;
        let from_low = self.sum(variable, low)?;
        self.times(&from_low, &width.inverse()?)
    }

    fn operation(&mut self, node: Node) -> Option<Quotient> {
        let [Some(a), Some(b)] = node.operands().map(|v| self.value(v)) else { return None };
        self.spend([&a.over, &a.under, &b.over, &b.under].map(Polynomial::size).iter().sum())?;
        match node {
            Node::Two(Binary::Add, ..) => self.sum(a, b),
            Node::Two(Binary::Sub, ..) => self.sum(a, b.negated()),
            Node::Two(Binary::Mul, ..) => self.times(&a, &b),
            Node::Two(Binary::Div, ..) => self.times(&a, &b.inverse()?),
            Node::One(Unary::Neg, _) => Some(a.negated()),
            Node::One(Unary::Cos, _) => self.wave(&a, false),
            Node::One(Unary::Sin, _) => self.wave(&a, true),
            Node::One(Unary::Sqrt, _) => self.root(&a),
            _ => None,
        }
    }

    fn spend(&mut self, effort: usize) -> Option<()> {
        self.effort = self.effort.checked_sub(effort)?;
        Some(())
    }

    fn product(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        self.spend(a.size() * b.size())?;
        Some(a.times(b))
    }

    fn sum(&mut self, a: Quotient, b: Quotient) -> Option<Quotient> {
        if a.under == b.under {
            return Some(Quotient { over: a.over.plus(b.over), under: a.under });
        }
        let over = self.product(&a.over, &b.under)?.plus(self.product(&b.over, &a.under)?);
        Some(Quotient { over, under: self.product(&a.under, &b.under)? })
    }

    fn times(&mut self, a: &Quotient, b: &Quotient) -> Option<Quotient> {
        Some(Quotient { over: self.product(&a.over, &b.over)?, under: self.product(&a.under, &b.under)? })
    }

    /// No powers but one: of an input, of an exponential or of i.
    fn power(&self, variable: usize, power: i32) -> Powers {
        (0..=2 * self.tape.sides).map(|k| if k == variable { power } else { 0 }).collect()
    }

    fn constant(&self, c: BigInt) -> Polynomial {
        Polynomial::sum([(self.power(0, 0), c)])
    }

    fn number(&self, number: &Number) -> Option<Quotient> {
        let (over, under) = number.fraction()?;
        Some(Quotient { over: self.constant(over), under: self.constant(under) })
    }

    /// The root of p/q where p q is a square of an integer.
    fn root(&self, a: &Quotient) -> Option<Quotient> {
        let (over, under) = (a.over.as_constant()?, a.under.as_constant()?);
        let product = &over * &under;
        let root = (product >= BigInt::ZERO).then(|| product.sqrt()).filter(|root| root * root == product)?;
        // q has either sign
        let under = BigInt::from(under.magnitude().clone());
        Some(Quotient { over: self.constant(root), under: self.constant(under) })
    }

    /// Cosine or sine of a sum of halves of inputs: (z + 1/z)/2 or (z − 1/z)/(2 i), z being a product of powers.
    fn wave(&self, a: &Quotient, is_sine: bool) -> Option<Quotient> {
        let (unit, inputs) = (a.under.as_constant()?, self.tape.sides);
        let mut up = self.power(0, 0);
        for (powers, c) in &a.over.0 {
            let j = powers[..inputs].iter().position(|&p| p == 1)?;
            let twice = 2 * c;
            let is_half = *powers == self.power(j, 1) && &twice % &unit == BigInt::ZERO;
            up[inputs + j] = i32::try_from(twice / &unit).ok().filter(|k| is_half && k.abs() < 64)?;
        }
        let mut down: Powers = up.iter().map(|p| -p).collect();
        // 1/i = −i
        (up[2 * inputs], down[2 * inputs]) = (i32::from(is_sine), i32::from(is_sine));
        let sign = if is_sine { -1 } else { 1 };
        let over = Polynomial::sum([(up, sign.into()), (down, 1.into())]);
        Some(Quotient { over, under: self.constant(2.into()) })
    }
}
