//! Values by number: inputs, constants, then nodes, each of which works on earlier values.

use crate::interval::Interval;
use crate::number::{Number, Range};
use serde::Deserialize;

/// An operation on one value.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unary {
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
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Where,
}

/// An operation and the earlier values that it works on.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "expected an operation, by name, and as many values as it works on, by number")]
pub(crate) enum Node {
    One(Unary, u32),
    Two(Binary, u32, u32),
}

impl Node {
    /// Its operands; twice the same if it has one.
    pub(crate) fn operands(self) -> [u32; 2] {
        match self {
            Self::One(_, a) => [a, a],
            Self::Two(_, a, b) => [a, b],
        }
    }
}

/// Inputs that vary, as bits; the highest bit stands for what does not vary.
pub(crate) type Inputs = u64;
const CONSTANT: Inputs = 1 << 63;

/// An input that varies.
#[derive(Clone, Debug)]
pub(crate) struct Varying {
    pub(crate) name: String,
    pub(crate) value: u32,
    pub(crate) range: Range,
    /// Which side of a box it varies along: of the shares of an input, that of the input.
    pub(crate) side: usize,
}

/// All values of a certificate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    /// Inputs and constants over their full ranges.
    pub(crate) given: Vec<Interval>,
    /// Those of them that are known, to the last digit.
    pub(crate) numbers: Vec<Option<Number>>,
    /// Inputs with ranges, then shares of such inputs, from 0 to 1.
    pub(crate) varying: Vec<Varying>,
    /// Number of inputs with ranges.
    pub(crate) sides: usize,
    nodes: Vec<Node>,
    /// The varying inputs that each value depends on.
    depends: Vec<Inputs>,
}

impl Tape {
    pub(crate) fn give(&mut self, range: &Range) {
        self.given.push(range.all());
        self.numbers.push(range.number().cloned());
    }

    /// Adds an input that varies along a side.
    pub(crate) fn vary(&mut self, name: &str, range: &Range, side: usize) {
        let value = self.given.len() as u32;
        self.varying.push(Varying { name: name.to_owned(), value, range: range.clone(), side });
        self.give(range);
    }

    /// Adds the nodes, which refer to earlier values.
    pub(crate) fn make(&mut self, nodes: &[Node]) {
        self.nodes = nodes.to_vec();
        self.depends = vec![CONSTANT; self.given.len()];
        for (bit, input) in self.varying.iter().enumerate() {
            self.depends[input.value as usize] |= 1 << bit;
        }
        for node in nodes {
            let [a, b] = node.operands().map(|v| self.depends[v as usize]);
            self.depends.push(a | b);
        }
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.given.len() + self.nodes.len()
    }

    pub(crate) fn is_varying(&self, value: u32) -> bool {
        self.depends[value as usize] != CONSTANT
    }

    /// The nodes that are needed for some values, in order, with the numbers of their values.
    pub(crate) fn steps(&self, wanted: &[u32]) -> Vec<(u32, Node)> {
        let mut is_wanted = vec![false; self.len()];
        wanted.iter().for_each(|&v| is_wanted[v as usize] = true);
        let mut steps = Vec::new();
        for value in (self.given.len()..self.len()).rev() {
            if is_wanted[value] {
                let node = self.nodes[value - self.given.len()];
                node.operands().iter().for_each(|&v| is_wanted[v as usize] = true);
                steps.push((value as u32, node));
            }
        }
        steps.reverse();
        steps
    }

    /// Values over the full ranges; those of nodes are not known yet.
    pub(crate) fn values(&self) -> Vec<Interval> {
        [self.given.clone(), vec![Interval::Whole; self.nodes.len()]].concat()
    }

    /// Evaluates the steps that depend on any of these inputs; all of them for all bits.
    pub(crate) fn evaluate(&self, values: &mut [Interval], steps: &[(u32, Node)], changed: Inputs) {
        for &(value, node) in steps {
            if self.depends[value as usize] & changed != 0 {
                values[value as usize] = apply(node, values);
            }
        }
    }
}

fn apply(node: Node, values: &[Interval]) -> Interval {
    let [a, b] = node.operands();
    let (x, y) = (values[a as usize], values[b as usize]);
    match node {
        Node::Two(op, ..) => match op {
            Binary::Add => x + y,
            Binary::Sub => x - y,
            Binary::Mul if a == b => x.square(),
            Binary::Mul => x * y,
            Binary::Div => x / y,
            Binary::Min => x.min(y),
            Binary::Where => x.where_positive(y),
        },
        Node::One(op, _) => match op {
            Unary::Neg => -x,
            Unary::Sin => x.sin(),
            Unary::Cos => x.cos(),
            Unary::Tan => x.tan(),
            Unary::Sqrt => x.sqrt(),
            Unary::Exp => x.exp(),
            Unary::Ln => x.ln(),
            Unary::Atan => x.atan(),
            Unary::Abs => x.abs(),
            Unary::Signum => x.signum(),
        },
    }
}
