//! A tape over boxes: values, derivatives and contractions in interval arithmetic.
//!
//! What does not depend on the varying inputs is enclosed once. Over a box X, [`Enclosure::enclose`] gives for every
//! output an interval that contains all its values; [`Enclosure::gradient`], a sweep backwards, an interval for every
//! ∂(Σ wᵢ yᵢ)/∂xⱼ that contains all its values on X, so that the mean value theorem may be used with it. Where the theorem
//! does not hold on all of X (a jump, a pole, an argument outside a function's domain) the derivative is the whole line.
//! [`Enclosure::contract`] narrows a box to what can make outputs zero.

use super::op::Op;
use super::program::{Tape, View};
use crate::num::{Interval, Real};

/// An operation on values that vary.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: Op,
    value: u32,
    a: u32,
    b: u32,
}

/// A tape of which some inputs vary over boxes.
#[derive(Clone, Debug)]
pub struct Enclosure {
    steps: Vec<Step>,
    /// Place of each varying input among the values.
    varying: Vec<u32>,
    outputs: Vec<u32>,
    /// Operations with a domain, of those that certificates do not know, and their arguments.
    guarded: Vec<(Op, u32)>,
    /// Whether a value depends on a varying input.
    depends: Vec<bool>,
    values: Vec<Interval>,
    adjoints: Vec<Interval>,
}

/// The operations that some outputs need.
#[derive(Clone, Debug)]
pub struct Cone {
    steps: Vec<Step>,
}

const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
const ONE: Interval = Interval { lo: 1.0, hi: 1.0 };

impl Enclosure {
    /// The tape at `inputs`, of which those at the places `varying` vary.
    ///
    /// # Panics
    /// If there are fewer inputs than the tape has.
    pub fn new(tape: &Tape, inputs: &[f64], varying: &[usize]) -> Self {
        let inputs: Vec<Interval> = inputs.iter().map(|&x| Interval::from_f64(x)).collect();
        Self::within(tape, &inputs, varying, Interval::from_f64)
    }

    /// The same where inputs that do not vary, and constants, are known to within intervals.
    ///
    /// # Panics
    /// If there are fewer inputs than the tape has.
    pub fn within(
        tape: &Tape,
        inputs: &[Interval],
        varying: &[usize],
        constant: impl Fn(f64) -> Interval,
    ) -> Self {
        let (mut values, mut depends, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        let mut guarded = Vec::new();
        for view in tape.values() {
            let (value, varies) = match view {
                View::Input(i) => (inputs[i], varying.contains(&i)),
                View::Constant(x) => (constant(x), false),
                View::Node(op, a, b) => {
                    let step = Step { op, value: values.len() as u32, a: a as u32, b: b as u32 };
                    let varies = depends[a] || (op.is_binary() && depends[b]);
                    if varies {
                        steps.push(step);
                    }
                    if matches!(op, Op::Asin | Op::Acos | Op::Powf) {
                        guarded.push((op, step.a));
                    }
                    (forward(step, &values), varies)
                }
            };
            values.push(value);
            depends.push(varies);
        }
        Enclosure {
            steps,
            guarded,
            varying: varying.iter().map(|&i| i as u32).collect(),
            outputs: tape.output_values().map(|v| v as u32).collect(),
            depends,
            adjoints: vec![ZERO; values.len()],
            values,
        }
    }

    /// Number of varying inputs.
    pub fn variables(&self) -> usize {
        self.varying.len()
    }

    /// Evaluates over a box, one side per varying input.
    pub fn enclose(&mut self, sides: &[Interval]) {
        self.place(sides);
        for &step in &self.steps {
            self.values[step.value as usize] = forward(step, &self.values);
        }
    }

    /// The same of nothing but what some outputs need; others keep what they were.
    pub fn enclose_in(&mut self, cone: &Cone, sides: &[Interval]) {
        self.place(sides);
        for &step in &cone.steps {
            self.values[step.value as usize] = forward(step, &self.values);
        }
    }

    fn place(&mut self, sides: &[Interval]) {
        for (&v, &side) in self.varying.iter().zip(sides) {
            self.values[v as usize] = side;
        }
    }

    /// What some outputs need.
    ///
    /// # Panics
    /// If there is no such output.
    pub fn cone(&self, outputs: &[usize]) -> Cone {
        let mut needed = vec![false; self.values.len()];
        outputs.iter().for_each(|&i| needed[self.outputs[i] as usize] = true);
        let mut steps = Vec::new();
        for &step in self.steps.iter().rev() {
            if needed[step.value as usize] {
                needed[step.a as usize] = true;
                // what has one operand names it twice, or another one that it does not read
                needed[step.b as usize] |= step.op.is_binary();
                steps.push(step);
            }
        }
        steps.reverse();
        Cone { steps }
    }

    /// An output over the box that was last evaluated.
    ///
    /// # Panics
    /// If there is no such output.
    pub fn output(&self, i: usize) -> Interval {
        self.values[self.outputs[i] as usize]
    }

    /// Whether it has no such operation as [`Enclosure::is_inside_domains`] looks at.
    pub fn is_total(&self) -> bool {
        self.guarded.is_empty()
    }

    /// Whether the arguments of inverse sines and cosines, and what powers that are no integers are of, are inside their domains all over the box
    /// that was last evaluated. What is beyond a domain is left out of enclosures.
    pub fn is_inside_domains(&self) -> bool {
        self.guarded.iter().all(|&(op, a)| {
            let a = self.values[a as usize];
            match op {
                Op::Powf => a.lo > 0.0,
                _ => a.lo >= -1.0 && a.hi <= 1.0,
            }
        })
    }

    /// ∂(Σ wᵢ yᵢ)/∂xⱼ over the box that was last evaluated, for the outputs i and weights given; of every weight in
    /// its interval.
    ///
    /// # Panics
    /// If there is no such output.
    pub fn gradient(&mut self, weights: &[(usize, Interval)]) -> Vec<Interval> {
        self.adjoints.fill(ZERO);
        for &(i, w) in weights {
            let place = self.outputs[i] as usize;
            self.adjoints[place] = self.adjoints[place] + w;
        }
        for k in (0..self.steps.len()).rev() {
            self.descend(self.steps[k]);
        }
        self.varying.iter().map(|&v| self.adjoints[v as usize]).collect()
    }

    /// ∂y/∂xⱼ of one output whose cone this is, over the box in which it was last evaluated.
    ///
    /// # Panics
    /// If there is no such output.
    pub fn slopes_in(&mut self, cone: &Cone, output: usize) -> Vec<Interval> {
        for step in &cone.steps {
            [step.value, step.a, step.b].into_iter().for_each(|v| self.adjoints[v as usize] = ZERO);
        }
        self.varying.iter().for_each(|&v| self.adjoints[v as usize] = ZERO);
        self.adjoints[self.outputs[output] as usize] = ONE;
        cone.steps.iter().rev().for_each(|&step| self.descend(step));
        self.varying.iter().map(|&v| self.adjoints[v as usize]).collect()
    }

    /// Adds what a step's slope makes of those of its operands.
    fn descend(&mut self, step: Step) {
        let adjoint = self.adjoints[step.value as usize];
        if adjoint == ZERO {
            return;
        }
        let (first, second) = self.partials(step);
        for (operand, partial) in [(step.a, first), (step.b, second)] {
            let operand = operand as usize;
            if self.depends[operand] && partial != ZERO {
                self.adjoints[operand] = self.adjoints[operand] + adjoint * partial;
            }
        }
    }

    /// Derivatives of an operation by its operands, over the box; that of a repeated operand stands first.
    fn partials(&self, step: Step) -> (Interval, Interval) {
        let (a, b) = (self.values[step.a as usize], self.values[step.b as usize]);
        let value = self.values[step.value as usize];
        match step.op {
            Op::Mul if step.a == step.b => (a + a, ZERO),
            Op::Add => (ONE, ONE),
            Op::Sub => (ONE, -ONE),
            Op::Mul => (b, a),
            Op::Div => (ONE / b, -(value / b)),
            Op::Powf => power_partials(a, b, value, self.depends[step.b as usize]),
            Op::Atan2 => angle_partials(a, b),
            Op::Min => lesser_partials(a, b),
            Op::Where => where_partials(a),
            op => (slope(op, a, value), ZERO),
        }
    }

    /// Narrows the box to what can make the outputs `zeros` zero, by the inverses of sums, products and roots; `None` if nothing
    /// can. Sides may be unbounded.
    pub fn contract(&mut self, zeros: &[usize], sides: &[Interval]) -> Option<Vec<Interval>> {
        self.enclose(sides);
        for &i in zeros {
            self.narrow(self.outputs[i], ZERO)?;
        }
        for k in (0..self.steps.len()).rev() {
            self.invert(self.steps[k])?;
        }
        Some(self.varying.iter().map(|&v| self.values[v as usize]).collect())
    }

    /// Narrows the operands of a step to what its value allows.
    fn invert(&mut self, step: Step) -> Option<()> {
        let (a, b) = (self.values[step.a as usize], self.values[step.b as usize]);
        let value = self.values[step.value as usize];
        let (first, second) = match step.op {
            Op::Mul if step.a == step.b => {
                let root = Interval::new(0.0, value.hi.max(0.0)).sqrt().hi;
                (Interval::new(-root, root), Interval::WHOLE)
            }
            Op::Add => (value - b, value - a),
            Op::Sub => (value + b, a - value),
            Op::Mul => (value / b, value / a),
            Op::Div => (value * b, a / value),
            Op::Neg => (-value, Interval::WHOLE),
            Op::Sqrt => (Interval::new(value.lo.max(0.0), value.hi.max(0.0)).square(), Interval::WHOLE),
            _ => return Some(()),
        };
        self.narrow(step.a, first)?;
        if step.op.is_binary() { self.narrow(step.b, second) } else { Some(()) }
    }

    fn narrow(&mut self, value: u32, to: Interval) -> Option<()> {
        let value = value as usize;
        let common = self.values[value].meet(to)?;
        if self.depends[value] {
            self.values[value] = common;
        }
        Some(())
    }
}

fn forward(step: Step, values: &[Interval]) -> Interval {
    let a = values[step.a as usize];
    if step.op == Op::Mul && step.a == step.b {
        a.square()
    } else {
        step.op.apply(a, values[step.b as usize])
    }
}

/// f′ over an interval.
fn slope(op: Op, x: Interval, value: Interval) -> Interval {
    match op {
        Op::Neg => -ONE,
        Op::Sin => x.sin_cos().1,
        Op::Cos => -x.sin_cos().0,
        // across a pole the theorem does not hold
        Op::Tan if value.is_bounded() => ONE + value.square(),
        Op::Asin => ONE / ((ONE - x) * (ONE + x)).sqrt(),
        Op::Acos => -(ONE / ((ONE - x) * (ONE + x)).sqrt()),
        Op::Atan => ONE / (ONE + x.square()),
        Op::Sinh => x.cosh(),
        Op::Cosh => x.sinh(),
        Op::Tanh => ONE - value.square(),
        Op::Sqrt => Interval::from_f64(0.5) / value,
        Op::Exp => value,
        Op::Ln if x.lo > 0.0 => ONE / x,
        // the generalised derivative of a function that is continuous everywhere
        Op::Abs => Interval::new(if x.lo > 0.0 { 1.0 } else { -1.0 }, if x.hi < 0.0 { -1.0 } else { 1.0 }),
        Op::Signum if !x.contains(0.0) => ZERO,
        _ => Interval::WHOLE,
    }
}

/// Derivatives of xʸ; by y only if it varies.
fn power_partials(x: Interval, y: Interval, value: Interval, exponent_varies: bool) -> (Interval, Interval) {
    if x.lo <= 0.0 {
        return (Interval::WHOLE, Interval::WHOLE);
    }
    (y * x.powf(y - ONE), if exponent_varies { value * x.ln() } else { ZERO })
}

/// Derivatives of the angle of the point (x, y), which jumps across the negative x-axis.
fn angle_partials(y: Interval, x: Interval) -> (Interval, Interval) {
    if x.lo <= 0.0 && y.contains(0.0) {
        return (Interval::WHOLE, Interval::WHOLE);
    }
    let square = x.square() + y.square();
    (x / square, -(y / square))
}

/// Derivatives of the smaller of two numbers, generalised where they meet.
fn lesser_partials(a: Interval, b: Interval) -> (Interval, Interval) {
    if a.hi < b.lo {
        (ONE, ZERO)
    } else if b.hi < a.lo {
        (ZERO, ONE)
    } else {
        (Interval::new(0.0, 1.0), Interval::new(0.0, 1.0))
    }
}

/// Derivatives of what is 0 unless a condition is positive, which jumps where the condition changes.
fn where_partials(condition: Interval) -> (Interval, Interval) {
    if condition.lo > 0.0 {
        (ZERO, ONE)
    } else if condition.hi <= 0.0 {
        (ZERO, ZERO)
    } else {
        (Interval::WHOLE, Interval::new(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests;
