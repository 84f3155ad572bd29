//! The tape itself: values in the order of their computation, and the program that computes them in registers.
//!
//! Value numbers: inputs, then constants, then one per node. A node reads only values before its own, so a
//! tape has no cycles by construction.

use super::op::Op;
use super::wire::{TapeError, Wire};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One operation and the values it reads; operations of one argument repeat it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Node(pub(crate) Op, pub(crate) u32, pub(crate) u32);

/// A function of several numbers with several results, as straight-line code. See the [module](super).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "Wire", try_from = "Wire")]
pub struct Tape {
    pub(super) inputs: usize,
    pub(super) constants: Vec<f64>,
    pub(super) nodes: Vec<Node>,
    pub(super) outputs: Vec<u32>,
    pub(super) program: Program,
}

impl PartialEq for Tape {
    fn eq(&self, o: &Self) -> bool {
        let bits = |c: &[f64]| c.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        self.inputs == o.inputs
            && self.nodes == o.nodes
            && self.outputs == o.outputs
            && bits(&self.constants) == bits(&o.constants)
    }
}

/// A value of a tape, for printers and translators.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum View {
    /// Input number.
    Input(usize),
    /// A constant.
    Constant(f64),
    /// An operation on two earlier values; the second is to be ignored if the operation has one argument.
    Node(Op, usize, usize),
}

impl Tape {
    /// From parts that are known to be well formed: the builder's, or validated ones.
    pub(super) fn new(inputs: usize, constants: Vec<f64>, nodes: Vec<Node>, outputs: Vec<u32>) -> Self {
        let program = Program::new(inputs, constants.len(), &nodes, &outputs);
        Self { inputs, constants, nodes, outputs, program }
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Number of operations.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether every output is an input or a constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of operations of each kind.
    pub fn counts(&self) -> BTreeMap<Op, usize> {
        let mut counts = BTreeMap::new();
        for node in &self.nodes {
            *counts.entry(node.0).or_insert(0) += 1;
        }
        counts
    }

    /// Number of instructions of the program: sine and cosine of one argument count once, as does a·b ± c.
    pub fn instructions(&self) -> usize {
        self.program.code.len()
    }

    /// Number of registers of the program, inputs and constants included.
    pub fn registers(&self) -> usize {
        self.program.slots
    }

    /// All values in order; operands of a node are indices of earlier values.
    pub fn values(&self) -> impl Iterator<Item = View> + '_ {
        let inputs = (0..self.inputs).map(View::Input);
        let constants = self.constants.iter().map(|&x| View::Constant(x));
        let nodes = self.nodes.iter().map(|&Node(op, a, b)| View::Node(op, a as usize, b as usize));
        inputs.chain(constants).chain(nodes)
    }

    /// The value that each output is, as an index into [`Tape::values`].
    pub fn output_values(&self) -> impl Iterator<Item = usize> + '_ {
        self.outputs.iter().map(|&v| v as usize)
    }

    /// The tape of some outputs only, in the order given; same inputs.
    ///
    /// # Panics
    /// If there is no such output.
    pub fn select(&self, outputs: &[usize]) -> Tape {
        let roots: Vec<u32> = outputs.iter().map(|&o| self.outputs[o]).collect();
        self.pruned(&roots)
    }

    /// The tape whose outputs are the values `roots`.
    pub(super) fn pruned(&self, roots: &[u32]) -> Tape {
        let needed = self.needed(roots.iter().map(|&v| v as usize));
        let mut place: Vec<u32> = (0..needed.len() as u32).collect();
        let mut constants = Vec::new();
        for (k, &x) in self.constants.iter().enumerate() {
            let v = self.inputs + k;
            if needed[v] {
                place[v] = (self.inputs + constants.len()) as u32;
                constants.push(x);
            }
        }
        let first = (self.inputs + constants.len()) as u32;
        let mut nodes = Vec::new();
        for (k, &Node(op, a, b)) in self.nodes.iter().enumerate() {
            let v = self.first_node() + k;
            if needed[v] {
                place[v] = first + nodes.len() as u32;
                nodes.push(Node(op, place[a as usize], place[b as usize]));
            }
        }
        let outputs = roots.iter().map(|&v| place[v as usize]).collect();
        Tape::new(self.inputs, constants, nodes, outputs)
    }

    /// The number of the first node's value.
    pub(super) fn first_node(&self) -> usize {
        self.inputs + self.constants.len()
    }

    /// Whether each value is needed for some of them, as indices into [`Tape::values`].
    ///
    /// # Panics
    /// If there is no such value.
    pub fn needed(&self, values: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut needed = vec![false; self.first_node() + self.nodes.len()];
        for v in values {
            needed[v] = true;
        }
        for (k, &Node(_, a, b)) in self.nodes.iter().enumerate().rev() {
            if needed[self.first_node() + k] {
                needed[a as usize] = true;
                needed[b as usize] = true;
            }
        }
        needed
    }

    /// Whether every operand and output exists and every constant is finite. Always so for a tape that a
    /// builder or a file made, as reading a file checks it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), TapeError> {
        Wire::from(self.clone()).check()
    }
}

/// What an instruction of the program does with the registers a, b, c, and writes to d.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code {
    /// d = op(a, b).
    Op(Op),
    /// d = a·b + c, rounded twice.
    MulAdd,
    /// d = a·b − c.
    MulSub,
    /// d = c − a·b.
    SubMul,
    /// d = sin a, c = cos a.
    SinCos,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    pub(super) code: Code,
    pub(super) d: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) c: u32,
}

impl Instr {
    /// Registers read.
    fn reads(&self) -> [u32; 3] {
        match self.code {
            Code::Op(_) | Code::SinCos => [self.a, self.b, self.a],
            Code::MulAdd | Code::MulSub | Code::SubMul => [self.a, self.b, self.c],
        }
    }
}

/// Straight-line code over registers: inputs first, then constants, then those reused as values die.
/// The register written is never one that the same instruction reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) code: Vec<Instr>,
    pub(super) slots: usize,
    pub(super) outputs: Vec<u32>,
}

impl Program {
    fn new(inputs: usize, constants: usize, nodes: &[Node], outputs: &[u32]) -> Self {
        let first = inputs + constants;
        let code = fuse(first, nodes, outputs);
        allocate(first, first + nodes.len(), code, outputs)
    }
}

/// Joins products with the sum that alone reads them, and sines with cosines. Registers are value numbers here.
fn fuse(first: usize, nodes: &[Node], outputs: &[u32]) -> Vec<Instr> {
    let mut uses = vec![0u32; first + nodes.len()];
    outputs.iter().for_each(|&v| uses[v as usize] += 2);
    for &Node(op, a, b) in nodes {
        uses[a as usize] += 1;
        uses[b as usize] += u32::from(op.is_binary());
    }
    let product = |v: u32| match (v as usize).checked_sub(first).map(|k| nodes[k]) {
        Some(Node(Op::Mul, a, b)) if uses[v as usize] == 1 => Some((a, b)),
        _ => None,
    };
    let mut code: Vec<Instr> = Vec::with_capacity(nodes.len());
    let mut trig: BTreeMap<u32, usize> = BTreeMap::new();
    let mut absorbed = vec![false; first + nodes.len()];
    for (k, &Node(op, a, b)) in nodes.iter().enumerate() {
        let d = (first + k) as u32;
        let joined = match (op, product(a), product(b)) {
            (Op::Add, Some((x, y)), _) => Some((Code::MulAdd, x, y, b, a)),
            (Op::Add, None, Some((x, y))) => Some((Code::MulAdd, x, y, a, b)),
            (Op::Sub, Some((x, y)), _) => Some((Code::MulSub, x, y, b, a)),
            (Op::Sub, None, Some((x, y))) => Some((Code::SubMul, x, y, a, b)),
            _ => None,
        };
        match (op, joined) {
            (_, Some((joint, x, y, c, gone))) => {
                absorbed[gone as usize] = true;
                code.push(Instr { code: joint, d, a: x, b: y, c });
            }
            (Op::Sin | Op::Cos, None) => sine_or_cosine(&mut code, &mut trig, op, a, d),
            (_, None) => code.push(Instr { code: Code::Op(op), d, a, b, c: NONE }),
        }
    }
    code.retain(|i| i.d == NONE || !absorbed[i.d as usize]);
    code
}

/// No value: the half of a sine and cosine that nobody wants.
const NONE: u32 = u32::MAX;

fn sine_or_cosine(code: &mut Vec<Instr>, trig: &mut BTreeMap<u32, usize>, op: Op, a: u32, value: u32) {
    let at = *trig.entry(a).or_insert_with(|| {
        code.push(Instr { code: Code::SinCos, d: NONE, a, b: a, c: NONE });
        code.len() - 1
    });
    if op == Op::Sin { code[at].d = value } else { code[at].c = value }
}

/// Gives values registers; a register is free again after the last instruction that reads it.
fn allocate(first: usize, values: usize, mut code: Vec<Instr>, outputs: &[u32]) -> Program {
    let mut last = vec![0usize; values];
    for (k, instr) in code.iter().enumerate() {
        instr.reads().iter().for_each(|&v| last[v as usize] = k);
    }
    outputs.iter().for_each(|&v| last[v as usize] = usize::MAX);
    let mut registers = Registers { place: (0..values as u32).collect(), free: Vec::new(), slots: first };
    for (k, instr) in code.iter_mut().enumerate() {
        let read = *instr;
        instr.a = registers.place[read.a as usize];
        instr.b = registers.place[read.b as usize];
        instr.d = registers.take(read.d);
        instr.c = match read.code {
            Code::Op(_) => 0,
            Code::SinCos => registers.take(read.c),
            Code::MulAdd | Code::MulSub | Code::SubMul => registers.place[read.c as usize],
        };
        registers.release(&read, k, first, &last);
        if read.code == Code::SinCos {
            [(read.d, instr.d), (read.c, instr.c)]
                .iter()
                .filter(|p| p.0 == NONE)
                .for_each(|p| registers.free.push(p.1));
        }
    }
    let outputs = outputs.iter().map(|&v| registers.place[v as usize]).collect();
    Program { code, slots: registers.slots, outputs }
}

struct Registers {
    place: Vec<u32>,
    free: Vec<u32>,
    slots: usize,
}

impl Registers {
    fn take(&mut self, value: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots as u32 - 1
        });
        if value != NONE {
            self.place[value as usize] = slot;
        }
        slot
    }

    /// Frees the registers of values that instruction `k` was the last to read; inputs and constants stay.
    fn release(&mut self, instr: &Instr, k: usize, first: usize, last: &[usize]) {
        let mut dead = instr.reads();
        dead.sort_unstable();
        let ends = |v: u32| v as usize >= first && last[v as usize] == k;
        for (i, &v) in dead.iter().enumerate() {
            if ends(v) && !dead[..i].contains(&v) {
                self.free.push(self.place[v as usize]);
            }
        }
    }
}
