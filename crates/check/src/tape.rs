//! Values by number: inputs, constants, then nodes, each of which works on earlier values.

use crate::float::Float;
use crate::interval::Interval;
use crate::number::{Number, PARTS, Range};

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Sin,
    Cos,
    Tan,
    Sqrt,
    Exp,
    Ln,
    Atan,
    Abs,
    Signum,
    Min,
    Where,
}

impl Op {
    /// By its name in certificates, with the number of its operands.
    pub(crate) fn named(name: &str) -> Option<(Self, usize)> {
        Some(match name {
            "add" => (Self::Add, 2),
            "sub" => (Self::Sub, 2),
            "mul" => (Self::Mul, 2),
            "div" => (Self::Div, 2),
            "neg" => (Self::Neg, 1),
            "sin" => (Self::Sin, 1),
            "cos" => (Self::Cos, 1),
            "tan" => (Self::Tan, 1),
            "sqrt" => (Self::Sqrt, 1),
            "exp" => (Self::Exp, 1),
            "ln" => (Self::Ln, 1),
            "atan" => (Self::Atan, 1),
            "abs" => (Self::Abs, 1),
            "signum" => (Self::Signum, 1),
            "min" => (Self::Min, 2),
            "where" => (Self::Where, 2),
            _ => return None,
        })
    }
}

/// An operation on earlier values; both are the same if it has one operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// Inputs that vary, as bits.
pub(crate) type Inputs = u64;

/// A node that is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) node: Node,
    pub(crate) value: u32,
    /// What it depends on.
    depends: Inputs,
}

/// Values that are given.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) given: Vec<Interval>,
    pub(crate) numbers: Vec<Option<Number>>,
    pub(crate) varying: Vec<(u32, Range)>,
    pub(crate) shares: Vec<usize>,
}

/// All values of a certificate.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    /// Values of inputs and constants, over the full ranges of inputs that vary.
    pub(crate) given: Vec<Interval>,
    /// Inputs that vary: which value each is, and its range; then shares of such inputs, from 0 to 1.
    pub(crate) varying: Vec<(u32, Range)>,
    /// The input that varies of which each share is one.
    pub(crate) shares: Vec<usize>,
    /// Inputs and constants that are known, to the last digit.
    pub(crate) numbers: Vec<Option<Number>>,
    pub(crate) nodes: Vec<Node>,
    /// The varying inputs that each value depends on.
    pub(crate) depends: Vec<Inputs>,
}

impl Tape {
    /// A tape whose nodes refer to earlier values.
    pub(crate) fn new(given: Given, nodes: Vec<Node>) -> Self {
        let Given { given, numbers, varying, shares } = given;
        let mut depends = vec![0; given.len()];
        for (bit, &(value, _)) in varying.iter().enumerate() {
            depends[value as usize] = 1 << bit;
        }
        for node in &nodes {
            depends.push(depends[node.a as usize] | depends[node.b as usize]);
        }
        Self { given, varying, shares, numbers, nodes, depends }
    }

    /// Inputs of which a part can be halved.
    pub(crate) fn sides(&self) -> usize {
        self.varying.len() - self.shares.len()
    }

    /// What an input that varies is the share of.
    pub(crate) fn shared(&self, j: usize) -> Option<usize> {
        self.shares.get(j.checked_sub(self.sides())?).copied()
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.depends.len()
    }

    /// What makes a value, unless it is given.
    pub(crate) fn node(&self, value: u32) -> Option<&Node> {
        self.nodes.get((value as usize).checked_sub(self.given.len())?)
    }

    /// The nodes that are needed for some values, in order.
    pub(crate) fn steps(&self, wanted: &[u32]) -> Vec<Step> {
        let mut is_wanted = vec![false; self.len()];
        wanted.iter().for_each(|&v| is_wanted[v as usize] = true);
        let mut steps = Vec::new();
        for value in (0..self.len() as u32).rev().filter(|&v| self.node(v).is_some()) {
            if let Some(&node) = self.node(value).filter(|_| is_wanted[value as usize]) {
                is_wanted[node.a as usize] = true;
                is_wanted[node.b as usize] = true;
                steps.push(Step { node, value, depends: self.depends[value as usize] });
            }
        }
        steps.reverse();
        steps
    }

    /// Values over the full ranges; those of nodes are not known yet.
    pub(crate) fn values(&self) -> Vec<Interval> {
        let mut values = self.given.clone();
        values.resize(self.len(), Interval::Whole);
        values
    }
}

/// Evaluates the steps that depend on any of these inputs.
pub(crate) fn evaluate(values: &mut [Interval], steps: &[Step], changed: Inputs) {
    for step in steps.iter().filter(|step| step.depends & changed != 0) {
        values[step.value as usize] = apply(step.node, values);
    }
}

/// Evaluates all steps.
pub(crate) fn evaluate_all(values: &mut [Interval], steps: &[Step]) {
    for step in steps {
        values[step.value as usize] = apply(step.node, values);
    }
}

#[inline]
fn apply(node: Node, values: &[Interval]) -> Interval {
    let (a, b) = (values[node.a as usize], values[node.b as usize]);
    match node.op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul if node.a == node.b => a.square(),
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::Neg => -a,
        Op::Sin => a.sin(),
        Op::Cos => a.cos(),
        Op::Tan => a.tan(),
        Op::Sqrt => a.sqrt(),
        Op::Exp => a.exp(),
        Op::Ln => a.ln(),
        Op::Atan => a.atan(),
        Op::Abs => a.abs(),
        Op::Signum => a.signum(),
        Op::Min => a.min(b),
        Op::Where => a.where_positive(b),
    }
}

/// A side of a box: parts of the way at its ends, and the numbers there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) parts: [u64; 2],
    pub(crate) ends: [Interval; 2],
}

impl Side {
    /// From one number to another, which is not halved.
    pub(crate) fn between(lo: Interval, hi: Interval) -> Self {
        Self { parts: [0, PARTS], ends: [lo, hi] }
    }

    /// All of a range.
    pub(crate) fn whole(range: &Range) -> Self {
        Self::between(range.at(0), range.at(PARTS))
    }

    /// Both halves; `None` if it is too short to be halved.
    pub(crate) fn halves(&self, range: &Range) -> Option<[Self; 2]> {
        let [a, b] = self.parts;
        let m = a + (b - a) / 2;
        let at_m = range.at(m);
        let lower = Self { parts: [a, m], ends: [self.ends[0], at_m] };
        let upper = Self { parts: [m, b], ends: [at_m, self.ends[1]] };
        (m > a).then_some([lower, upper])
    }

    /// The same part of another range.
    pub(crate) fn of(&self, range: &Range) -> Self {
        Self { parts: self.parts, ends: self.parts.map(|u| range.at(u)) }
    }

    /// The number in its middle.
    pub(crate) fn middle(&self) -> Interval {
        (self.ends[0] + self.ends[1]) * Interval::point(Float::new(1, -1))
    }

    /// All its numbers.
    pub(crate) fn interval(&self) -> Interval {
        self.ends[0].hull(self.ends[1])
    }
}
