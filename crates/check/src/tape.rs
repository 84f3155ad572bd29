//! Values by number: inputs, constants, then nodes, each of which works on earlier values.

use crate::interval::Interval;
use crate::number::{Number, Range};
use serde::Deserialize;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    fn has_two_operands(self) -> bool {
        matches!(self, Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Min | Self::Where)
    }
}

/// An operation on earlier values; both are the same if it has one operand.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// A node as it is written.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an operation, by name, and the numbers of one or two values")]
enum Written {
    One(Op, u32),
    Two(Op, u32, u32),
}

impl TryFrom<Written> for Node {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written::One(op, a) if !op.has_two_operands() => Ok(Self { op, a, b: a }),
            Written::Two(op, a, b) if op.has_two_operands() => Ok(Self { op, a, b }),
            _ => Err("expected as many operands as the operation has"),
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
            self.depends.push(self.depends[node.a as usize] | self.depends[node.b as usize]);
        }
    }

    /// Number of values.
    pub(crate) fn len(&self) -> usize {
        self.given.len() + self.nodes.len()
    }

    pub(crate) fn is_varying(&self, value: u32) -> bool {
        self.depends[value as usize] != CONSTANT
    }

    /// What makes a value, unless it is given.
    pub(crate) fn node(&self, value: u32) -> Option<Node> {
        self.nodes.get((value as usize).checked_sub(self.given.len())?).copied()
    }

    /// The nodes that are needed for some values, in order, with the numbers of their values.
    pub(crate) fn steps(&self, wanted: &[u32]) -> Vec<(u32, Node)> {
        let mut is_wanted = vec![false; self.len()];
        wanted.iter().for_each(|&v| is_wanted[v as usize] = true);
        let mut steps = Vec::new();
        for value in (self.given.len()..self.len()).rev() {
            if is_wanted[value] {
                let node = self.nodes[value - self.given.len()];
                is_wanted[node.a as usize] = true;
                is_wanted[node.b as usize] = true;
                steps.push((value as u32, node));
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

    /// Evaluates the steps that depend on any of these inputs; all of them for all bits.
    pub(crate) fn evaluate(&self, values: &mut [Interval], steps: &[(u32, Node)], changed: Inputs) {
        for &(value, node) in steps {
            if self.depends[value as usize] & changed != 0 {
                values[value as usize] = apply(node, values);
            }
        }
    }
}

#[inline]
pub(crate) fn apply(node: Node, values: &[Interval]) -> Interval {
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
