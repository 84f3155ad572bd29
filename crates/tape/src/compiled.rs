//! Machine code for a tape at one state, by `symjit`, with the interpreter where there is none for the platform, or
//! in a build without the feature `machine-code`.
//!
//! Machine code does only arithmetic. Sines and all other library functions are called from here between two
//! pieces of machine code, so that they are the functions of [`Tape::eval`] and the results equal bit for bit:
//! stage k computes the arguments of the functions of nesting depth k + 1 from the inputs and the functions
//! of depth ≤ k; the last stage computes the outputs. Fused multiply-add is switched off for the same reason.

#[cfg(feature = "machine-code")]
mod machine;

#[cfg(feature = "machine-code")]
use machine::MachineCode;

use super::eval::Scratch;
use super::op::Op;
use super::program::{Node, Tape};
use crate::num::lanes::Arch;
use crate::num::{sin_cos, sin_cos_many};
use std::collections::BTreeMap;

/// A tape compiled for this machine.
#[derive(Clone)]
pub struct Compiled {
    inputs: usize,
    /// Inputs and results of functions.
    leaves: usize,
    /// Most arguments of a stage.
    arguments: usize,
    stages: Vec<Stage>,
    last: Piece,
    arch: Arch,
}

impl std::fmt::Debug for Compiled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compiled").field("inputs", &self.inputs).field("native", &self.is_native()).finish()
    }
}

/// Working memory of a [`Compiled`]; grows to the largest that used it.
#[derive(Clone, Debug, Default)]
pub struct CompiledScratch {
    /// Inputs, then the results of all functions.
    leaves: Vec<f64>,
    arguments: Vec<f64>,
    interpreter: Scratch<f64>,
}

/// Functions whose arguments need no other functions than those of the stages before.
#[derive(Clone)]
struct Stage {
    arguments: Piece,
    /// The first arguments are angles: their sines, then their cosines are the first results.
    angles: usize,
    /// The functions after them, in the order of their results; two arguments each.
    functions: Vec<Op>,
}

/// Arithmetic on leaves.
#[derive(Clone)]
enum Piece {
    /// Leaves, copied.
    Copies(Vec<usize>),
    /// Machine code.
    Machine(MachineCode),
    /// What could not be compiled.
    Interpreted(Box<Tape>),
}

impl Compiled {
    /// Compiles `tape`.
    pub fn new(tape: &Tape) -> Self {
        Plan::new(tape).compile()
    }

    /// Whether there is machine code for all of it.
    pub fn is_native(&self) -> bool {
        let pieces = self.stages.iter().map(|s| &s.arguments).chain([&self.last]);
        pieces.into_iter().all(|p| !matches!(p, Piece::Interpreted(_)))
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.last.len()
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Working memory, so that [`Compiled::eval`] does not allocate.
    pub fn scratch(&self) -> CompiledScratch {
        let mut scratch = CompiledScratch::default();
        self.fit(&mut scratch);
        for piece in self.stages.iter().map(|s| &s.arguments).chain([&self.last]) {
            if let Piece::Interpreted(tape) = piece {
                scratch.interpreter.fit(tape.registers());
            }
        }
        scratch
    }

    #[cold]
    fn fit(&self, scratch: &mut CompiledScratch) {
        scratch.leaves.resize(scratch.leaves.len().max(self.leaves), 0.0);
        scratch.arguments.resize(scratch.arguments.len().max(self.arguments), 0.0);
    }

    /// The outputs at `inputs`; the same bits as [`Tape::eval`].
    ///
    /// # Panics
    /// If `inputs` or `outputs` have another length than the tape says.
    pub fn eval(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut CompiledScratch) {
        assert_eq!(inputs.len(), self.inputs, "inputs of the tape");
        self.inputs_mut(scratch).copy_from_slice(inputs);
        self.eval_in_place(outputs, scratch);
    }

    /// Where the inputs of [`Compiled::eval_in_place`] are to stand; evaluation leaves them as they are.
    #[inline]
    pub fn inputs_mut<'s>(&self, scratch: &'s mut CompiledScratch) -> &'s mut [f64] {
        if scratch.leaves.len() < self.leaves || scratch.arguments.len() < self.arguments {
            self.fit(scratch);
        }
        &mut scratch.leaves[..self.inputs]
    }

    /// The inputs that stand there.
    #[inline]
    pub fn inputs_in<'s>(&self, scratch: &'s CompiledScratch) -> &'s [f64] {
        &scratch.leaves[..self.inputs]
    }

    /// The outputs at the inputs that stand in the memory.
    ///
    /// # Panics
    /// If `outputs` have another length than the tape says, or the memory is too small for it.
    #[inline]
    pub fn eval_in_place(&self, outputs: &mut [f64], scratch: &mut CompiledScratch) {
        assert_eq!(outputs.len(), self.last.len(), "outputs of the tape");
        let mut known = self.inputs;
        for stage in &self.stages {
            known = stage.run(self.arch, known, scratch);
        }
        self.last.run(&scratch.leaves, outputs, &mut scratch.interpreter);
    }
}

impl Stage {
    fn results(&self) -> usize {
        2 * self.angles + self.functions.len()
    }

    /// Appends this stage's results to the `known` leaves.
    #[inline]
    fn run(&self, arch: Arch, known: usize, scratch: &mut CompiledScratch) -> usize {
        match &self.arguments {
            Piece::Copies(from) if self.functions.is_empty() && from.len() <= FEW => {
                for (k, &i) in from.iter().enumerate() {
                    let (sin, cos) = sin_cos(scratch.leaves[i]);
                    scratch.leaves[known + k] = sin;
                    scratch.leaves[known + from.len() + k] = cos;
                }
            }
            _ => self.run_many(arch, known, scratch),
        }
        known + self.results()
    }

    fn run_many(&self, arch: Arch, known: usize, scratch: &mut CompiledScratch) {
        let CompiledScratch { leaves, arguments, interpreter } = scratch;
        let arguments = &mut arguments[..self.arguments.len()];
        self.arguments.run(leaves, arguments, interpreter);
        let (angles, pairs) = arguments.split_at(self.angles);
        let results = &mut leaves[known..known + self.results()];
        let (sines, rest) = results.split_at_mut(self.angles);
        let (cosines, values) = rest.split_at_mut(self.angles);
        sin_cos_many(arch, angles, sines, cosines);
        for ((value, op), pair) in values.iter_mut().zip(&self.functions).zip(pairs.chunks_exact(2)) {
            *value = op.apply(pair[0], pair[1]);
        }
    }
}

/// So many angles are faster one by one than in vector instructions.
const FEW: usize = 2;

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Copies(from) => from.len(),
            Piece::Machine(code) => code.outputs(),
            Piece::Interpreted(tape) => tape.outputs(),
        }
    }

    #[inline]
    fn run(&self, leaves: &[f64], results: &mut [f64], scratch: &mut Scratch<f64>) {
        match self {
            Piece::Copies(from) => {
                for (y, &i) in results.iter_mut().zip(from) {
                    *y = leaves[i];
                }
            }
            Piece::Machine(code) => code.eval(leaves, results),
            Piece::Interpreted(tape) => tape.eval(&leaves[..tape.inputs()], results, scratch),
        }
    }
}

/// A tape cut at its functions.
struct Plan<'a> {
    tape: &'a Tape,
    /// Nesting depth of functions, per value.
    depth: Vec<usize>,
    /// The leaf that a function's value is, as far as planned.
    leaf: BTreeMap<u32, u32>,
    leaves: usize,
}

impl<'a> Plan<'a> {
    fn new(tape: &'a Tape) -> Self {
        let mut depth = vec![0; tape.first_node()];
        for &Node(op, a, b) in &tape.nodes {
            let deepest = depth[a as usize].max(depth[b as usize]);
            depth.push(deepest + usize::from(!is_arithmetic(op)));
        }
        let leaf = (0..tape.inputs as u32).map(|i| (i, i)).collect();
        Self { tape, depth, leaf, leaves: tape.inputs }
    }

    fn compile(mut self) -> Compiled {
        let deepest = self.depth.iter().copied().max().unwrap_or(0);
        let stages: Vec<Stage> = (1..=deepest).map(|k| self.stage(k)).collect();
        let last = self.piece(&self.tape.outputs);
        let arguments = |s: &Stage| s.arguments.len();
        Compiled {
            inputs: self.tape.inputs,
            leaves: self.leaves,
            arguments: stages.iter().map(arguments).max().unwrap_or(0),
            stages,
            last,
            arch: Arch::new(),
        }
    }

    /// The functions of depth `k`.
    fn stage(&mut self, k: usize) -> Stage {
        let mut angles: Vec<u32> = Vec::new();
        let (mut turns, mut others) = (Vec::new(), Vec::new());
        for (n, &Node(op, a, b)) in self.tape.nodes.iter().enumerate() {
            let value = self.tape.first_node() + n;
            match op {
                _ if is_arithmetic(op) || self.depth[value] != k => {}
                Op::Sin | Op::Cos => {
                    angles.push(a);
                    turns.push((value as u32, op, a));
                }
                _ => others.push((value as u32, op, a, b)),
            }
        }
        angles.sort_unstable();
        angles.dedup();
        let arguments: Vec<u32> =
            angles.iter().copied().chain(others.iter().flat_map(|o| [o.2, o.3])).collect();
        let stage = Stage {
            arguments: self.piece(&arguments),
            angles: angles.len(),
            functions: others.iter().map(|o| o.1).collect(),
        };
        for (value, op, a) in turns {
            let place = self.leaves + angles.partition_point(|&x| x < a);
            let offset = if op == Op::Cos { angles.len() } else { 0 };
            self.leaf.insert(value, (place + offset) as u32);
        }
        for (n, other) in others.iter().enumerate() {
            self.leaf.insert(other.0, (self.leaves + 2 * angles.len() + n) as u32);
        }
        self.leaves += stage.results();
        stage
    }

    /// The arithmetic from the leaves known so far to the values `roots`.
    fn piece(&self, roots: &[u32]) -> Piece {
        let leaf = |v: &u32| self.leaf.get(v).map(|&l| l as usize);
        if let Some(copies) = roots.iter().map(leaf).collect() {
            return Piece::Copies(copies);
        }
        let tape = self.arithmetic(roots);
        match MachineCode::of(&tape) {
            Some(code) => Piece::Machine(code),
            None => Piece::Interpreted(Box::new(tape)),
        }
    }

    /// A tape of arithmetic whose inputs are the leaves.
    fn arithmetic(&self, roots: &[u32]) -> Tape {
        let t = self.tape;
        let mut place: BTreeMap<u32, u32> = self.leaf.clone();
        for k in 0..t.constants.len() {
            place.insert((t.inputs + k) as u32, (self.leaves + k) as u32);
        }
        let first = self.leaves + t.constants.len();
        let mut nodes = Vec::new();
        for (k, &Node(op, a, b)) in t.nodes.iter().enumerate() {
            let value = (t.first_node() + k) as u32;
            if let (true, Some(&a), Some(&b)) = (is_arithmetic(op), place.get(&a), place.get(&b)) {
                place.insert(value, (first + nodes.len()) as u32);
                nodes.push(Node(op, a, b));
            }
        }
        let roots: Vec<u32> = roots.iter().map(|v| place[v]).collect();
        Tape::new(self.leaves, t.constants.clone(), nodes, roots.clone()).pruned(&roots)
    }
}

/// What machine code does by itself; correctly rounded on every machine.
fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Neg | Op::Sqrt | Op::Abs)
}

/// Machine code, of which a build without the feature `machine-code` has none.
#[cfg(not(feature = "machine-code"))]
#[derive(Clone)]
enum MachineCode {}

#[cfg(not(feature = "machine-code"))]
impl MachineCode {
    fn of(_: &Tape) -> Option<Self> {
        None
    }

    fn outputs(&self) -> usize {
        match *self {}
    }

    fn eval(&self, _: &[f64], _: &mut [f64]) {
        match *self {}
    }
}
