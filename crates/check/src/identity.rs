//! Whether two values are the same function: both as quotients of polynomials, which are multiplied out.
//!
//! The variables are the inputs and the exponentials zⱼ = e^(i xⱼ/2) of half of them, with powers of either sign: cos xⱼ = (zⱼ² + zⱼ⁻²)/2. These are
//! independent, so that two such polynomials are the same function of real inputs only if they have the same coefficients. Coefficients are
//! integers a + b i; fractions are quotients of two of them.

use crate::number::Number;
use crate::tape::{Node, Op, Tape};
use num_bigint::{BigInt, BigUint};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Powers of the inputs, then of the exponentials.
type Powers = Vec<i32>;
/// a + b i.
type Gauss = [BigInt; 2];
/// Products of terms at most, for all values together.
const PRODUCTS: usize = 4_000_000;

/// Products that may still be computed.
struct Effort(Cell<usize>);

#[derive(Clone, PartialEq, Eq)]
struct Polynomial(BTreeMap<Powers, Gauss>);

#[derive(Clone)]
struct Quotient {
    over: Polynomial,
    under: Polynomial,
}

impl Polynomial {
    fn constant(inputs: usize, c: BigInt) -> Self {
        Self::of(vec![0; 2 * inputs], [c, BigInt::ZERO])
    }

    fn of(powers: Powers, c: Gauss) -> Self {
        let mut found = Self(BTreeMap::new());
        found.add(powers, c);
        found.without_zeros()
    }

    /// The integer that it is.
    fn as_constant(&self, inputs: usize) -> Option<BigInt> {
        match self.0.len() {
            0 => Some(BigInt::ZERO),
            1 => self.0.get(&vec![0; 2 * inputs]).filter(|[_, b]| *b == BigInt::ZERO).map(|[a, _]| a.clone()),
            _ => None,
        }
    }

    fn add(&mut self, powers: Powers, [a, b]: Gauss) {
        let place = self.0.entry(powers).or_default();
        place[0] += a;
        place[1] += b;
    }

    fn without_zeros(mut self) -> Self {
        self.0.retain(|_, [a, b]| *a != BigInt::ZERO || *b != BigInt::ZERO);
        self
    }

    fn plus(mut self, other: &Self) -> Self {
        other.0.iter().for_each(|(powers, c)| self.add(powers.clone(), c.clone()));
        self.without_zeros()
    }

    /// `None` if it is too large.
    fn times(&self, other: &Self, effort: &Effort) -> Option<Self> {
        effort.0.set(effort.0.get().checked_sub(self.0.len() * other.0.len())?);
        let mut found = Self(BTreeMap::new());
        for (p, [a, b]) in &self.0 {
            for (q, [c, d]) in &other.0 {
                let powers = p.iter().zip(q).map(|(p, q)| p + q).collect();
                found.add(powers, [a * c - b * d, a * d + b * c]);
            }
        }
        Some(found.without_zeros())
    }
}

impl Quotient {
    fn number(inputs: usize, number: &Number) -> Option<Self> {
        let (over, under) = number.fraction()?;
        Some(Self { over: Polynomial::constant(inputs, over), under: Polynomial::constant(inputs, under) })
    }

    fn plus(&self, other: &Self, effort: &Effort) -> Option<Self> {
        if self.under == other.under {
            return Some(Self { over: self.over.clone().plus(&other.over), under: self.under.clone() });
        }
        let over = self.over.times(&other.under, effort)?.plus(&other.over.times(&self.under, effort)?);
        Some(Self { over, under: self.under.times(&other.under, effort)? }.reduced())
    }

    fn times(&self, other: &Self, effort: &Effort) -> Option<Self> {
        let (over, under) = (self.over.times(&other.over, effort)?, self.under.times(&other.under, effort)?);
        Some(Self { over, under }.reduced())
    }

    /// Without the integer that divides all coefficients: products would have ever longer ones.
    fn reduced(mut self) -> Self {
        let of_all = |p: &Polynomial, divisor: BigUint| {
            let coefficients = p.0.values().flatten().map(BigInt::magnitude);
            coefficients.fold(
                divisor,
                |divisor, c| if divisor.bits() == 1 { divisor } else { common(divisor, c.clone()) },
            )
        };
        let divisor = of_all(&self.over, of_all(&self.under, BigUint::ZERO));
        if divisor.bits() > 1 {
            let divisor = BigInt::from(divisor);
            let all = [&mut self.over, &mut self.under].into_iter().flat_map(|p| p.0.values_mut()).flatten();
            all.for_each(|c| *c /= &divisor);
        }
        self
    }

    /// `None` of what is 0 everywhere.
    fn inverse(&self) -> Option<Self> {
        (!self.over.0.is_empty()).then(|| Self { over: self.under.clone(), under: self.over.clone() })
    }

    /// The root of p/q where p q is a square of an integer.
    fn root(&self, inputs: usize) -> Option<Self> {
        let [over, under] = [&self.over, &self.under].map(|p| p.as_constant(inputs));
        let (over, under) = (over?, under?);
        let product = &over * &under;
        let root = (product >= BigInt::ZERO).then(|| product.sqrt()).filter(|root| root * root == product)?;
        // under has either sign
        let under = BigInt::from(under.magnitude().clone());
        Some(Self { over: Polynomial::constant(inputs, root), under: Polynomial::constant(inputs, under) })
    }

    fn negated(&self) -> Self {
        let mut found = self.clone();
        found.over.0.values_mut().for_each(|c| c.iter_mut().for_each(|c| *c = -&*c));
        found
    }

    /// Cosine and sine of a sum of halves of inputs.
    fn turned(&self, inputs: usize) -> Option<[Self; 2]> {
        let unit = self.under.as_constant(inputs)?;
        let mut power = vec![0; 2 * inputs];
        for (powers, [a, b]) in &self.over.0 {
            let j = powers[..inputs].iter().position(|&p| p == 1)?;
            let (twice, is_alone) = (2 * a, powers.iter().filter(|&&p| p != 0).count() == 1);
            let is_half = is_alone && *b == BigInt::ZERO && &twice % &unit == BigInt::ZERO;
            power[inputs + j] = i32::try_from(twice / &unit).ok().filter(|k| is_half && k.abs() < 64)?;
        }
        let opposite: Powers = power.iter().map(|p| -p).collect();
        let wave = |c: [i32; 2], d: [i32; 2]| {
            let mut over = Polynomial::of(power.clone(), c.map(BigInt::from));
            over.add(opposite.clone(), d.map(BigInt::from));
            Self { over: over.without_zeros(), under: Polynomial::constant(inputs, 2.into()) }
        };
        // (z − 1/z)/(2 i)
        Some([wave([1, 0], [1, 0]), wave([0, -1], [0, 1])])
    }
}

/// The greatest integer that divides both.
fn common(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b.bits() > 0 {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// Values of a tape as quotients, as far as they are.
pub(crate) struct Quotients<'a> {
    tape: &'a Tape,
    known: BTreeMap<u32, Quotient>,
    effort: Effort,
}

impl<'a> Quotients<'a> {
    pub(crate) fn new(tape: &'a Tape) -> Self {
        Self { tape, known: BTreeMap::new(), effort: Effort(Cell::new(PRODUCTS)) }
    }

    /// Whether two values are the same wherever both are defined; not if that is not seen. From then on the first stands for what the second is made of,
    /// which a writer of certificates chooses to be short.
    pub(crate) fn are_same(&mut self, a: u32, b: u32) -> bool {
        let (Some(first), Some(second)) = (self.quotient(a), self.quotient(b)) else { return false };
        let product = |a: &Polynomial, b: &Polynomial| a.times(b, &self.effort);
        let (left, right) = (product(&first.over, &second.under), product(&second.over, &first.under));
        let are_same = left.is_some() && left == right;
        if are_same && self.tape.node(a).is_some() {
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

    fn value(&self, v: u32) -> Option<Quotient> {
        if self.tape.node(v).is_some() {
            return self.known.get(&v).cloned();
        }
        let inputs = self.tape.varying.len();
        let Some(j) = self.tape.varying.iter().position(|input| input.value == v) else {
            return Quotient::number(inputs, self.tape.numbers[v as usize].as_ref()?);
        };
        let variable = |j: usize| {
            let powers = (0..2 * inputs).map(|k| i32::from(k == j)).collect();
            let over = Polynomial::of(powers, [1.into(), BigInt::ZERO]);
            Quotient { over, under: Polynomial::constant(inputs, 1.into()) }
        };
        let side = self.tape.varying[j].side;
        if side == j {
            return Some(variable(j));
        }
        // (x − lo)/(hi − lo)
        let effort = &self.effort;
        let range = &self.tape.varying[side].range;
        let low = Quotient::number(inputs, &range.lo)?.negated();
        let width = Quotient::number(inputs, &range.hi)?.plus(&low, effort)?;
        variable(side).plus(&low, effort)?.times(&width.inverse()?, effort)
    }

    fn operation(&self, node: Node) -> Option<Quotient> {
        let (a, b, inputs) = (self.value(node.a)?, self.value(node.b)?, self.tape.varying.len());
        let effort = &self.effort;
        match node.op {
            Op::Add => a.plus(&b, effort),
            Op::Sub => a.plus(&b.negated(), effort),
            Op::Mul => a.times(&b, effort),
            Op::Div => a.times(&b.inverse()?, effort),
            Op::Neg => Some(a.negated()),
            Op::Cos => a.turned(inputs).map(|[cos, _]| cos),
            Op::Sin => a.turned(inputs).map(|[_, sin]| sin),
            Op::Sqrt => a.root(inputs),
            _ => None,
        }
    }
}
