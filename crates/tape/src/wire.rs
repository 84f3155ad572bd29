//! The serialised form of a tape, and the checks that make one from a file safe to evaluate.

use super::program::{Node, Tape};
use serde::{Deserialize, Serialize};

/// Why a serialised tape is not one.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// A node reads a value that is not before it.
    #[error("tape: operation {node} reads value {operand}, which is not before it")]
    Operand {
        /// Which node.
        node: usize,
        /// The value it asks for.
        operand: u32,
    },
    /// An output is a value that does not exist.
    #[error("tape: output {output} is value {value}, which does not exist")]
    Output {
        /// Which output.
        output: usize,
        /// The value it asks for.
        value: u32,
    },
    /// A constant is infinite or not a number.
    #[error("tape: constant {constant} is not finite")]
    Constant {
        /// Which constant.
        constant: usize,
    },
    /// More values than the format can number.
    #[error("tape: {inputs} inputs, more than {MAX_INPUTS}")]
    TooLong {
        /// Inputs declared.
        inputs: usize,
    },
}

/// Inputs are stored nowhere, so a short file could ask for a register file of any size.
const MAX_INPUTS: usize = 1 << 16;

/// What is written: plain lists, nothing that can be computed from the rest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wire {
    inputs: usize,
    constants: Vec<f64>,
    nodes: Vec<Node>,
    outputs: Vec<u32>,
}

impl From<Tape> for Wire {
    fn from(t: Tape) -> Self {
        Self { inputs: t.inputs, constants: t.constants, nodes: t.nodes, outputs: t.outputs }
    }
}

impl TryFrom<Wire> for Tape {
    type Error = TapeError;

    fn try_from(mut wire: Wire) -> Result<Self, TapeError> {
        wire.check()?;
        for node in wire.nodes.iter_mut().filter(|n| !n.0.is_binary()) {
            node.2 = node.1;
        }
        let roots: Vec<u32> = wire.outputs.clone();
        let tape = Tape::new(wire.inputs, wire.constants, wire.nodes, wire.outputs);
        Ok(tape.pruned(&roots))
    }
}

impl Wire {
    pub(super) fn check(&self) -> Result<(), TapeError> {
        if self.inputs > MAX_INPUTS {
            return Err(TapeError::TooLong { inputs: self.inputs });
        }
        if let Some(constant) = self.constants.iter().position(|x| !x.is_finite()) {
            return Err(TapeError::Constant { constant });
        }
        let first = self.inputs + self.constants.len();
        for (node, &Node(_, a, b)) in self.nodes.iter().enumerate() {
            let bad = |v: &u32| *v as usize >= first + node;
            if let Some(operand) = [a, b].into_iter().find(bad) {
                return Err(TapeError::Operand { node, operand });
            }
        }
        let values = first + self.nodes.len();
        let bad = |&(_, v): &(usize, &u32)| *v as usize >= values;
        match self.outputs.iter().enumerate().find(bad) {
            Some((output, &value)) => Err(TapeError::Output { output, value }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Op;

    #[test]
    fn operations_are_written_as_lower_case_words() {
        let words: Vec<String> = [Op::Add, Op::Atan2, Op::Powf, Op::Ln]
            .iter()
            .map(|o| serde_json::to_string(o).unwrap())
            .collect();
        assert_eq!(words, ["\"add\"", "\"atan2\"", "\"powf\"", "\"ln\""]);
    }
}
