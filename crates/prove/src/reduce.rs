//! Equations with fewer unknowns: multiples of one are taken from others, so that a coordinate is left in one of them, and factors that are
//! never zero are left out. Of the gaps y − h cos θ ± w sin θ of two feet, one is y = .. and the other becomes sin θ.
//!
//! Equations are expanded to sums of products of values that are no sums or products themselves. What they become holds where they all do, and
//! the other way round; an equation that nothing is taken from stays as it is written.

use super::statement::{Constant, constant, meant};
use crate::num::{Dyadic, Interval};
use crate::tape::{Builder, Enclosure, Op, Tape, Value, View};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// Products of one equation at most.
const MOST: usize = 60;

/// Values of a tape that are multiplied, in order, and the bits of a constant that is no fraction, or of 1.
type Product = (Vec<usize>, u64);
/// Products with their coefficients.
type Sum = BTreeMap<Product, BigRational>;

const NO_CONSTANT: u64 = 1.0_f64.to_bits();

/// The tape with its first outputs, the `equations`, reduced, if something can be taken from one; over these `ranges` of all inputs, of which
/// those at the places `free` are determined by equations.
pub fn reduced(tape: &Tape, equations: usize, free: &[usize], ranges: &[Interval]) -> Option<Tape> {
    let outputs: Vec<usize> = tape.output_values().collect();
    let needed = tape.needed(outputs[..equations].iter().copied());
    let mut builder = Builder::new(tape.inputs());
    let inputs: Vec<Value> = (0..tape.inputs()).map(|i| builder.input(i)).collect();
    let values = builder.append_all(tape, &inputs);
    let mut writer = Writer { builder, values, ranges };
    let own = writer.enclosed(&writer.values);
    if !tape.values().enumerate().all(|(v, view)| !needed[v] || is_total(view, own[v])) {
        return None;
    }
    let sums = expanded(tape, &needed);
    let mut rows: Vec<Sum> = outputs[..equations].iter().map(|&v| sums[v].clone()).collect();
    let is_apart = |v: usize| own[v].is_bounded() && !own[v].contains(0.0);
    let changed = eliminate(&mut rows, free, &is_apart);
    if !changed.contains(&true) {
        return None;
    }
    let mut written: Vec<Value> = outputs.iter().map(|&v| writer.values[v]).collect();
    for row in (0..equations).filter(|&row| changed[row]) {
        written[row] = writer.equation(&rows[row], &is_apart)?;
    }
    Some(writer.builder.finish(&written))
}

/// Whether an operation is defined all over the ranges.
fn is_total(view: View, value: Interval) -> bool {
    match view {
        View::Input(_) | View::Constant(_) => true,
        View::Node(op, ..) => match op {
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Sin | Op::Cos => true,
            Op::Div => value.is_bounded(),
            _ => false,
        },
    }
}

/// Takes multiples of an equation from all others that have the same product with an unknown in it, where no other product has that unknown;
/// an unknown and an equation after the other. Which equations are changed.
fn eliminate(rows: &mut [Sum], free: &[usize], is_apart: &impl Fn(usize) -> bool) -> Vec<bool> {
    let (mut used, mut changed) = (vec![false; rows.len()], vec![false; rows.len()]);
    for &unknown in free {
        let with: Vec<usize> =
            (0..rows.len()).filter(|&row| !used[row] && has(&rows[row], unknown)).collect();
        let mut products: Vec<&Product> = with
            .iter()
            .flat_map(|&row| rows[row].keys())
            .filter(|product| product.0.contains(&unknown))
            .collect();
        products.sort_unstable();
        products.dedup();
        let [product] = products[..] else { continue };
        let is_pivot = product.0.iter().all(|&v| v == unknown || is_apart(v));
        let (Some(&pivot), true) = (with.first(), is_pivot && power(product, unknown) == 1) else { continue };
        let (product, from) = (product.clone(), rows[pivot].clone());
        used[pivot] = true;
        for &row in &with[1..] {
            let factor = -(&rows[row][&product] / &from[&product]);
            from.iter().for_each(|(product, c)| add(&mut rows[row], product.clone(), c * &factor));
            changed[row] = true;
        }
    }
    changed
}

fn has(sum: &Sum, v: usize) -> bool {
    sum.keys().any(|product| product.0.contains(&v))
}

fn power(product: &Product, v: usize) -> usize {
    product.0.iter().filter(|&&factor| factor == v).count()
}

fn add(sum: &mut Sum, product: Product, coefficient: BigRational) {
    let found = sum.remove(&product).unwrap_or_else(BigRational::zero) + coefficient;
    if !found.is_zero() {
        sum.insert(product, found);
    }
}

/// The needed values as sums of products; what would be too long is a value of its own.
fn expanded(tape: &Tape, needed: &[bool]) -> Vec<Sum> {
    let mut sums: Vec<Sum> = Vec::with_capacity(needed.len());
    for (v, view) in tape.values().enumerate() {
        let own = || Sum::from([((vec![v], NO_CONSTANT), BigRational::one())]);
        let found = match view {
            _ if !needed[v] => Some(Sum::new()),
            View::Constant(x) => Some(number(x)),
            View::Node(Op::Add, a, b) => Some(plus(&sums[a], &sums[b], &BigRational::one())),
            View::Node(Op::Sub, a, b) => Some(plus(&sums[a], &sums[b], &-BigRational::one())),
            View::Node(Op::Neg, a, _) => Some(plus(&Sum::new(), &sums[a], &-BigRational::one())),
            View::Node(Op::Mul, a, b) => times(&sums[a], &sums[b]),
            View::Input(_) | View::Node(..) => None,
        };
        sums.push(found.filter(|sum| sum.len() <= MOST).unwrap_or_else(own));
    }
    sums
}

fn number(x: f64) -> Sum {
    let (constant, coefficient) = match meant(x) {
        Constant::Exact(exact) => match exact.as_rational() {
            Some(rational) => (NO_CONSTANT, rational.clone()),
            None => (x.to_bits(), BigRational::one()),
        },
        Constant::Within(_) => (x.to_bits(), BigRational::one()),
    };
    let mut sum = Sum::new();
    add(&mut sum, (Vec::new(), constant), coefficient);
    sum
}

fn plus(a: &Sum, b: &Sum, factor: &BigRational) -> Sum {
    let mut sum = a.clone();
    b.iter().for_each(|(product, c)| add(&mut sum, product.clone(), c * factor));
    sum
}

/// Products of constants are folded as a tape folds them.
fn times(a: &Sum, b: &Sum) -> Option<Sum> {
    let mut sum = Sum::new();
    if a.len() * b.len() > MOST {
        return None;
    }
    for ((left, first), c) in a {
        for ((right, second), d) in b {
            let mut values = [&left[..], right].concat();
            values.sort_unstable();
            let constants = number(f64::from_bits(*first) * f64::from_bits(*second));
            for ((_, constant), e) in constants {
                add(&mut sum, (values.clone(), constant), c * d * e);
            }
        }
    }
    Some(sum)
}

/// A tape in the making, with the values of the one that it is made from.
struct Writer<'r> {
    builder: Builder,
    values: Vec<Value>,
    ranges: &'r [Interval],
}

impl Writer<'_> {
    fn enclosed(&self, values: &[Value]) -> Vec<Interval> {
        let tape = self.builder.clone().finish(values);
        let enclosure = Enclosure::within(&tape, self.ranges, &[], constant);
        (0..values.len()).map(|i| enclosure.output(i)).collect()
    }

    /// A sum that is zero where the given one is, without factors that are never zero. None if a coefficient is no constant of a tape.
    fn equation(&mut self, sum: &Sum, is_apart: &impl Fn(usize) -> bool) -> Option<Value> {
        let Some(((first, constant), leading)) = sum.first_key_value() else {
            return Some(self.builder.constant(0.0));
        };
        let in_all = |v: usize| sum.keys().map(|product| power(product, v)).min().unwrap_or(0);
        let mut common: Vec<usize> = first.clone();
        common.dedup();
        let common: Vec<usize> = common.into_iter().flat_map(|v| vec![v; in_all(v)]).collect();
        let is_scaled = sum.keys().all(|product| product.1 == *constant);
        let mut rest = self.builder.constant(0.0);
        for ((values, constant), c) in sum {
            let mut left = values.clone();
            for v in &common {
                if let Some(place) = left.iter().position(|l| l == v) {
                    left.remove(place);
                }
            }
            let constant = if is_scaled { NO_CONSTANT } else { *constant };
            let term = self.product(&left, constant);
            let scale = self.coefficient(&(c / leading))?;
            let term = self.builder.mul(scale, term);
            rest = self.builder.add(rest, term);
        }
        let kept: Vec<usize> = common.into_iter().filter(|&v| !is_apart(v)).collect();
        let range = self.enclosed(&[rest])[0];
        let is_never_zero = range.is_bounded() && !range.contains(0.0);
        let factor = self.product(&kept, NO_CONSTANT);
        let whole = kept.is_empty() || !is_never_zero;
        Some(if whole { self.builder.mul(factor, rest) } else { factor })
    }

    fn product(&mut self, values: &[usize], constant: u64) -> Value {
        let mut product = self.builder.constant(f64::from_bits(constant));
        for &v in values {
            product = self.builder.mul(product, self.values[v]);
        }
        product
    }

    /// A fraction as the constant that means it.
    fn coefficient(&mut self, c: &BigRational) -> Option<Value> {
        let double = c.to_f64().filter(|x| x.is_finite())?;
        let is_meant =
            Dyadic::from_f64(double)?.to_rational() == *c || meant(double).as_rational() == Some(c);
        is_meant.then(|| self.builder.constant(double))
    }
}

#[cfg(test)]
mod tests;
