//! Second forms as values of the statement's tape.

use super::super::exact::Exact;
use super::super::statement::{Input, Square, Statement, is_short};
use super::Restated;
use super::form::{Form, Product, Shape, Waves, Weight};
use crate::num::Dyadic;
use crate::tape::{Builder, Unary, Value};
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

/// Inputs of a tape in the making.
struct Writer<'k> {
    builder: Builder,
    /// Those that vary.
    sides: Vec<Value>,
    /// Their shares.
    shares: Vec<Value>,
    /// Constants that are inputs, from this one on.
    first: usize,
    known: &'k mut Vec<BigRational>,
}

/// A form that is written: its value, and for each square in it the root and what remains without it.
struct Written {
    value: Value,
    squares: Vec<(usize, Value, Value)>,
}

/// The statement with the forms; constants that are no doubles are inputs, for which there is `room`, of which those in `known` have their place
/// already and the others are added.
pub(super) fn write(
    statement: &Statement,
    forms: &[Restated],
    room: usize,
    known: &mut Vec<BigRational>,
) -> Statement {
    let (own, sides) = (statement.inputs.len(), statement.varying());
    let first = own + sides.len();
    let mut builder = Builder::new(first + room);
    let inputs: Vec<Value> = (0..own).map(|i| builder.input(i)).collect();
    let shares = (own..first).map(|i| builder.input(i)).collect();
    let values = builder.append_all(&statement.tape, &inputs);
    let mut outputs: Vec<Value> = statement.tape.output_values().map(|v| values[v]).collect();
    let sides = sides.iter().map(|&i| inputs[i]).collect();
    let mut writer = Writer { builder, sides, shares, first, known };
    let (mut same, mut squares, mut divisors) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |value: Value| {
        outputs.push(value);
        outputs.len() - 1
    };
    for Restated { output, form, divisors: divided } in forms {
        let written = writer.form(form);
        let whole = add(written.value);
        same.push((*output, whole));
        for (side, root, rest) in written.squares {
            squares.push(Square { root: add(root), side, whole: *output, rest: add(rest) });
        }
        for (value, form) in divided {
            let (value, form) = (values[*value], writer.form(form).value);
            let pair = [add(value), add(form)];
            same.extend((value != form).then_some((pair[0], pair[1])));
            divisors.push((*output, pair));
        }
    }
    let places = statement.varying();
    let shares = places.into_iter().map(Input::Share);
    let constants = writer.known.iter().map(|c| Input::Value(Exact::rational(c.clone())));
    let inputs = statement.inputs.iter().cloned().chain(shares).chain(constants).collect();
    Statement { tape: writer.builder.finish(&outputs), inputs, same, squares, divisors, ..statement.clone() }
}

impl Writer<'_> {
    fn form(&mut self, form: &Form) -> Written {
        let one = self.builder.constant(1.0);
        let under = form.under.iter().fold(one, |product, (factor, power)| {
            let (factor, _) = self.product(factor, None);
            let raised = self.builder.powi(factor, power.cast_signed());
            self.builder.mul(product, raised)
        });
        let (over, roots) = self.product(&form.over, None);
        let value = self.builder.div(over, under);
        let squares = roots
            .into_iter()
            .map(|(side, root)| {
                let (rest, _) = self.product(&form.over, Some(root));
                (side, root, self.builder.div(rest, under))
            })
            .collect();
        Written { value, squares }
    }

    /// A product, with the sides and values that are squared in it; those that are `gone` are 0.
    fn product(&mut self, product: &Product, gone: Option<Value>) -> (Value, Vec<(usize, Value)>) {
        let mut roots: Vec<(usize, Value)> = Vec::new();
        let mut sum = self.builder.constant(0.0);
        for (weights, shape) in &product.sum {
            let value = match shape {
                Shape::Waves(waves) => self.waves(waves),
                Shape::Square { side, root, rest } => {
                    let (root, rest) = (self.waves(root), self.waves(rest));
                    if gone == Some(root) {
                        continue;
                    }
                    if !roots.contains(&(*side, root)) {
                        roots.push((*side, root));
                    }
                    let square = self.builder.mul(root, root);
                    self.builder.mul(square, rest)
                }
            };
            let weight = self.weights(weights);
            let term = self.builder.mul(weight, value);
            sum = self.builder.add(sum, term);
        }
        if let Some((root, sides)) = &product.square {
            let (root, _) = self.product(root, None);
            roots.extend(sides.iter().map(|&side| (side, root)));
            let factor =
                if gone == Some(root) { self.builder.constant(0.0) } else { self.builder.mul(root, root) };
            sum = self.builder.mul(sum, factor);
        }
        for &(side, power) in &product.inputs {
            let power = self.builder.powi(self.sides[side], power.into());
            sum = self.builder.mul(sum, power);
        }
        (sum, roots)
    }

    fn weights(&mut self, weights: &[Weight]) -> Value {
        let one = self.builder.constant(1.0);
        let mut sum = self.builder.constant(0.0);
        for Weight { factor, powers } in weights {
            let mut product = self.constant(factor);
            for &(side, degree, k) in powers {
                let share = self.shares[side];
                let factors = match degree {
                    Some(degree) => vec![(share, k), (self.builder.sub(one, share), degree - k)],
                    None => {
                        let twice = self.builder.add(share, share);
                        vec![(self.builder.sub(twice, one), k)]
                    }
                };
                for (base, power) in factors {
                    let power = self.builder.powi(base, power.into());
                    product = self.builder.mul(product, power);
                }
            }
            sum = self.builder.add(sum, product);
        }
        sum
    }

    fn waves(&mut self, waves: &Waves) -> Value {
        let mut sum = self.builder.constant(0.0);
        for (halves, cos, sin) in waves {
            let mut angle = self.builder.constant(0.0);
            for (side, &k) in halves.iter().enumerate().filter(|(_, k)| **k != 0) {
                let half = self.builder.constant(0.5 * f64::from(k));
                let part = self.builder.mul(half, self.sides[side]);
                angle = self.builder.add(angle, part);
            }
            for (function, factor) in [(Unary::Cos, cos), (Unary::Sin, sin)] {
                if !factor.is_zero() {
                    let (value, factor) = (self.builder.unary(function, angle), self.constant(factor));
                    let part = self.builder.mul(factor, value);
                    sum = self.builder.add(sum, part);
                }
            }
        }
        sum
    }

    /// A number to its last digit: one of few binary digits is a constant of the tape, others are inputs.
    fn constant(&mut self, x: &BigRational) -> Value {
        if let Some(double) = short(x) {
            return self.builder.constant(double);
        }
        let place = self.known.iter().position(|known| known == x).unwrap_or_else(|| {
            self.known.push(x.clone());
            self.known.len() - 1
        });
        self.builder.input(self.first + place)
    }
}

/// The double of few digits that a fraction is.
fn short(x: &BigRational) -> Option<f64> {
    let double = x.to_f64().filter(|double| is_short(*double))?;
    (Dyadic::from_f64(double)?.to_rational() == *x).then_some(double)
}
