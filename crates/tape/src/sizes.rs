//! The sizes of a builder's values as values themselves: what [`Magnitude`](crate::num::Magnitude) computes beside each
//! number, by instructions of the same tape.
//!
//! A value that is a single product has the size of its own absolute value, so that only sums cost anything. Where
//! `Magnitude` looks at a singular point (√0, ln 0) the size is not a number.

use super::builder::{Builder, Value};
use super::op::{Op, Unary};
use std::collections::BTreeMap;

impl Builder {
    /// The sizes of `values`: the sums of the magnitudes of their terms, inputs being single terms.
    pub fn sizes(&mut self, values: &[Value]) -> Vec<Value> {
        self.sizes_given(values, &[])
    }

    /// The same with inputs whose size is `given` beside them.
    pub fn sizes_given(&mut self, values: &[Value], given: &[(Value, Value)]) -> Vec<Value> {
        let mut sizes = Sizes { builder: self, known: given.iter().copied().collect() };
        for (value, op, a, b) in sizes.builder.operations(values) {
            let size = sizes.of_operation(value, op, a, b);
            sizes.known.insert(value, size);
        }
        values.iter().map(|&value| sizes.of(value)).collect()
    }
}

struct Sizes<'b> {
    builder: &'b mut Builder,
    /// Of operations, and of inputs whose size is given.
    known: BTreeMap<Value, Value>,
}

impl Sizes<'_> {
    /// The size of a value whose operands are known: |x| of an input or a constant.
    fn of(&mut self, value: Value) -> Value {
        match self.known.get(&value) {
            Some(&size) => size,
            None => self.absolute(value),
        }
    }

    fn absolute(&mut self, value: Value) -> Value {
        self.builder.unary(Unary::Abs, value)
    }

    /// What a size exceeds its value by; none of a single term.
    fn excess(&mut self, value: Value) -> Option<Value> {
        let (size, own) = (self.of(value), self.absolute(value));
        (size != own).then(|| self.builder.sub(size, own))
    }

    fn of_operation(&mut self, value: Value, op: Op, a: Value, b: Value) -> Value {
        match op {
            Op::Add | Op::Sub => {
                let (a, b) = (self.of(a), self.of(b));
                self.builder.add(a, b)
            }
            Op::Mul => self.of_product(value, a, b),
            Op::Div => self.of_quotient(value, a, b),
            Op::Neg | Op::Abs => self.of(a),
            Op::Signum => self.absolute(value),
            Op::Sin => self.of_circular(Unary::Cos, a),
            Op::Cos => self.of_circular(Unary::Sin, a),
            Op::Min => {
                let (a, b) = (self.of(a), self.of(b));
                self.larger(a, b)
            }
            Op::Where => {
                let size = self.of(b);
                self.builder.where_positive(a, size)
            }
            Op::Powf | Op::Atan2 => self.of_two(value, op, a, b),
            Op::Sqrt => self.of_root(value, a),
            _ => self.of_function(value, op, a),
        }
    }

    /// (x ± δx)(y ± δy) − xy, and xy.
    fn of_product(&mut self, value: Value, a: Value, b: Value) -> Value {
        let (more, other) = (self.excess(a), self.excess(b));
        match (more, other) {
            (None, None) => self.absolute(value),
            (None, Some(_)) => self.times(b, a),
            (Some(_), None) => self.times(a, b),
            (Some(more), Some(_)) => {
                let (first, y) = (self.times(b, a), self.absolute(b));
                let second = self.builder.mul(y, more);
                self.builder.add(first, second)
            }
        }
    }

    /// The size of a value times the absolute value of a factor.
    fn times(&mut self, sized: Value, factor: Value) -> Value {
        let (size, factor) = (self.of(sized), self.absolute(factor));
        self.builder.mul(size, factor)
    }

    fn of_quotient(&mut self, value: Value, a: Value, b: Value) -> Value {
        let (size, own, below) = (self.of(a), self.absolute(a), self.absolute(b));
        match self.excess(b) {
            None if size == own => self.absolute(value),
            None => self.builder.div(size, below),
            Some(excess) => {
                let quotient = self.absolute(value);
                let moved = self.builder.mul(quotient, excess);
                let size = self.builder.add(size, moved);
                self.builder.div(size, below)
            }
        }
    }

    /// Sine and cosine are made of numbers of size 1.
    fn of_circular(&mut self, slope: Unary, a: Value) -> Value {
        let (slope, one) = (self.builder.unary(slope, a), self.builder.constant(1.0));
        let moved = self.times(a, slope);
        self.larger(moved, one)
    }

    /// max(|f|, |f′| times the size of the argument).
    fn of_function(&mut self, value: Value, op: Op, a: Value) -> Value {
        let slope = self.slope(value, op, a);
        let (moved, own) = (self.times(a, slope), self.absolute(value));
        self.larger(moved, own)
    }

    /// f′(a), where f(a) is `value`.
    fn slope(&mut self, value: Value, op: Op, a: Value) -> Value {
        let one = self.builder.constant(1.0);
        let square = |b: &mut Builder, x: Value| b.mul(x, x);
        match op {
            Op::Sinh => self.builder.unary(Unary::Cosh, a),
            Op::Cosh => self.builder.unary(Unary::Sinh, a),
            Op::Exp => value,
            Op::Ln => self.builder.div(one, a),
            Op::Tan => {
                let square = square(self.builder, value);
                self.builder.add(one, square)
            }
            Op::Tanh => {
                let square = square(self.builder, value);
                self.builder.sub(one, square)
            }
            Op::Atan => {
                let square = square(self.builder, a);
                let below = self.builder.add(one, square);
                self.builder.div(one, below)
            }
            // asin, acos: 1/√((1 − x)(1 + x))
            _ => {
                let (below, above) = (self.builder.sub(one, a), self.builder.add(one, a));
                let product = self.builder.mul(below, above);
                let root = self.builder.unary(Unary::Sqrt, product);
                self.builder.div(one, root)
            }
        }
    }

    /// min(s/(2√x), √s) = s/max(2√x, √s), at least √x.
    fn of_root(&mut self, value: Value, a: Value) -> Value {
        let size = self.of(a);
        let (twice, root) = (self.builder.add(value, value), self.builder.unary(Unary::Sqrt, size));
        let below = self.larger(twice, root);
        let moved = self.builder.div(size, below);
        self.larger(moved, value)
    }

    fn of_two(&mut self, value: Value, op: Op, a: Value, b: Value) -> Value {
        let own = self.absolute(value);
        let moved = match op {
            // (|x| δy + |y| δx)/(x² + y²)
            Op::Atan2 => {
                let (first, second) = (self.times(a, b), self.times(b, a));
                let above = self.builder.add(first, second);
                let (p, q) = (self.builder.mul(a, a), self.builder.mul(b, b));
                let radius = self.builder.add(p, q);
                self.builder.div(above, radius)
            }
            // |xʸ| max(|y| δx/|x|, |ln x| δy)
            _ => {
                let (base, log) = (self.times(a, b), self.builder.unary(Unary::Ln, a));
                let below = self.absolute(a);
                let base = self.builder.div(base, below);
                let exponent = self.times(b, log);
                let larger = self.larger(base, exponent);
                self.builder.mul(own, larger)
            }
        };
        self.larger(moved, own)
    }

    /// max(x, y) = (x + y + |x − y|)/2.
    fn larger(&mut self, x: Value, y: Value) -> Value {
        if x == y {
            return x;
        }
        let (sum, difference) = (self.builder.add(x, y), self.builder.sub(x, y));
        let (apart, half) = (self.absolute(difference), self.builder.constant(0.5));
        let twice = self.builder.add(sum, apart);
        self.builder.mul(half, twice)
    }
}
