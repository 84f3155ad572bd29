//! Linear algebra on a builder's values: M = L D Lᵀ as instructions, in which the zeros and constants of M vanish.
//!
//! The formulas and their order are those of [`num::dense`](crate::num::dense), which works on numbers.

use super::builder::{Builder, Value};
use super::op::Op;
use super::program::{Tape, View};
use crate::num::dense::packed_len;

/// L and D of a symmetric matrix, as values of a builder.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Below the diagonal L, on it 1/D; packed lower triangle.
    entries: Vec<Value>,
    /// D; the matrix is positive definite where all of them are positive.
    pub pivots: Vec<Value>,
}

impl Builder {
    /// The outputs of `tape` at `inputs`, as values of this builder.
    ///
    /// # Panics
    /// If there are fewer inputs than the tape has.
    pub fn append(&mut self, tape: &Tape, inputs: &[Value]) -> Vec<Value> {
        let values = self.append_all(tape, inputs);
        tape.output_values().map(|v| values[v]).collect()
    }

    /// All values of `tape` at `inputs`.
    ///
    /// # Panics
    /// If there are fewer inputs than the tape has.
    pub fn append_all(&mut self, tape: &Tape, inputs: &[Value]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for view in tape.values() {
            let value = match view {
                View::Input(i) => inputs[i],
                View::Constant(x) => self.constant(x),
                View::Node(op, a, b) => self.apply(op, values[a], values[b]),
            };
            values.push(value);
        }
        values
    }

    /// op(a, b); `b` is ignored by operations of one argument.
    pub fn apply(&mut self, op: Op, a: Value, b: Value) -> Value {
        match (op, op.unary()) {
            (_, Some(f)) => self.unary(f, a),
            (Op::Add, _) => self.add(a, b),
            (Op::Sub, _) => self.sub(a, b),
            (Op::Mul, _) => self.mul(a, b),
            (Op::Div, _) => self.div(a, b),
            (Op::Powf, _) => self.powf(a, b),
            (Op::Atan2, _) => self.atan2(a, b),
            (Op::Min, _) => self.min(a, b),
            (Op::Where, _) => self.where_positive(a, b),
            (_, None) => self.neg(a),
        }
    }

    /// Factors the symmetric matrix whose packed lower triangle is `m`.
    ///
    /// # Panics
    /// If `m` is shorter than n(n + 1)/2.
    pub fn factor(&mut self, m: &[Value], n: usize) -> Factor {
        let one = self.constant(1.0);
        let (mut entries, mut pivots) = (m[..packed_len(n)].to_vec(), Vec::new());
        for i in 0..n {
            let start = packed_len(i);
            for j in 0..i {
                let sum = self.dot(&entries[start..start + j], &entries[packed_len(j)..packed_len(j) + j]);
                entries[start + j] = self.sub(entries[start + j], sum);
            }
            let mut pivot = entries[start + i];
            for j in 0..i {
                let scaled = entries[start + j];
                entries[start + j] = self.mul(scaled, entries[packed_len(j) + j]);
                let part = self.mul(scaled, entries[start + j]);
                pivot = self.sub(pivot, part);
            }
            entries[start + i] = self.div(one, pivot);
            pivots.push(pivot);
        }
        Factor { entries, pivots }
    }

    /// L⁻¹ b.
    pub fn forward(&mut self, factor: &Factor, b: &[Value]) -> Vec<Value> {
        let mut x = b.to_vec();
        for i in 1..b.len() {
            let sum = self.dot(&factor.entries[packed_len(i)..packed_len(i) + i], &x[..i]);
            x[i] = self.sub(x[i], sum);
        }
        x
    }

    /// Σ yᵢ zᵢ/Dᵢ: the product y₀ᵀ M⁻¹ z₀, if y = L⁻¹ y₀ and z = L⁻¹ z₀.
    pub fn inner(&mut self, factor: &Factor, y: &[Value], z: &[Value]) -> Value {
        let weighted: Vec<Value> =
            y.iter().enumerate().map(|(i, &y)| self.mul(y, factor.entries[packed_len(i) + i])).collect();
        self.dot(&weighted, z)
    }

    /// L⁻ᵀ D⁻¹ y: the solution M⁻¹ y₀, if y = L⁻¹ y₀.
    pub fn backward(&mut self, factor: &Factor, y: &[Value]) -> Vec<Value> {
        let weight = |i: usize| factor.entries[packed_len(i) + i];
        let mut x: Vec<Value> = y.iter().enumerate().map(|(i, &y)| self.mul(y, weight(i))).collect();
        for i in (1..x.len()).rev() {
            for j in 0..i {
                let part = self.mul(factor.entries[packed_len(i) + j], x[i]);
                x[j] = self.sub(x[j], part);
            }
        }
        x
    }

    /// aᵀ b.
    pub fn dot(&mut self, a: &[Value], b: &[Value]) -> Value {
        let zero = self.constant(0.0);
        a.iter().zip(b).fold(zero, |sum, (&a, &b)| {
            let term = self.mul(a, b);
            self.add(sum, term)
        })
    }
}
