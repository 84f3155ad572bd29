//! Evaluation at many states: structure-of-arrays blocks of 64 lanes, in the widest vector instructions present.
//!
//! What depends on uniform inputs alone is computed once per batch. Each lane performs the operations of
//! [`Tape::eval`] in the same order with the same rounding, so the results are equal bit for bit.

use super::eval::Scratch;
use super::op::Op;
use super::program::{Code, Instr, Node, Tape};
use crate::num::lanes::{Arch, NullaryFnOnce};
use crate::num::{Real, sin_cos_lanes};
use std::collections::BTreeMap;

/// States per block.
pub(super) const LANES: usize = 64;
type Block = [f64; LANES];

/// One input of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// The same for all states.
    Uniform(f64),
    /// One number per state.
    Each(&'a [f64]),
}

/// Why a batch cannot be evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// Other inputs, states or outputs than expected.
    #[error("batch: {found} {what}, expected {expected}")]
    Length {
        /// What has the wrong length.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The right one.
        expected: usize,
    },
    /// The input was planned to be uniform.
    #[error("batch: input {input} varies, planned as uniform")]
    NotUniform {
        /// Which input.
        input: usize,
    },
}

/// A tape planned for batches in which some inputs are uniform.
#[derive(Clone, Debug)]
pub struct Batch {
    inputs: usize,
    /// Inputs that may vary, in the order of the first inputs of `varying`.
    moving: Vec<usize>,
    /// From all inputs to the uniform values that `varying` reads after its moving inputs.
    uniform: Tape,
    varying: Tape,
}

/// Working memory of a batch.
#[derive(Clone, Debug, Default)]
pub struct BatchScratch {
    blocks: Vec<Block>,
    inputs: Vec<f64>,
    shared: Vec<f64>,
    scalar: Scratch<f64>,
}

impl Batch {
    /// Plans `tape` for batches in which the inputs `uniform` are the same for all states.
    pub fn new(tape: &Tape, uniform: &[usize]) -> Self {
        let moving: Vec<usize> = (0..tape.inputs).filter(|i| !uniform.contains(i)).collect();
        let varies = varies(tape, &moving);
        let shared = shared_values(tape, &varies);
        let varying = varying_part(tape, &moving, &varies, &shared);
        Self { inputs: tape.inputs, moving, uniform: tape.pruned(&shared), varying }
    }

    /// Operations done once per batch, and once per state.
    pub fn operations(&self) -> (usize, usize) {
        (self.uniform.len(), self.varying.len())
    }

    /// Working memory, so that [`Batch::eval`] does not allocate.
    pub fn scratch(&self) -> BatchScratch {
        let mut scratch = BatchScratch { scalar: self.uniform.scratch(), ..BatchScratch::default() };
        self.fit(&mut scratch);
        scratch
    }

    fn fit(&self, scratch: &mut BatchScratch) {
        let blocks = scratch.blocks.len().max(self.varying.program.slots);
        scratch.blocks.resize(blocks, [0.0; LANES]);
        scratch.inputs.resize(self.inputs, 0.0);
        scratch.shared.resize(self.uniform.outputs(), 0.0);
    }

    /// The outputs at `states` states; output `o` of state `k` goes to `outputs[o·states + k]`.
    ///
    /// # Errors
    /// Lengths that do not fit, or an input that varies though it was planned as uniform.
    pub fn eval(
        &self,
        inputs: &[Input<'_>],
        states: usize,
        outputs: &mut [f64],
        scratch: &mut BatchScratch,
    ) -> Result<(), BatchError> {
        self.check(inputs, states, outputs.len())?;
        self.fit(scratch);
        self.share(inputs, scratch);
        let arch = Arch::new();
        for start in (0..states).step_by(LANES) {
            let lanes = LANES.min(states - start);
            self.load(inputs, start, lanes, &mut scratch.blocks);
            arch.dispatch(RunBlock { code: &self.varying.program.code, blocks: &mut scratch.blocks });
            for (o, &r) in self.varying.program.outputs.iter().enumerate() {
                let place = o * states + start;
                outputs[place..place + lanes].copy_from_slice(&scratch.blocks[r as usize][..lanes]);
            }
        }
        Ok(())
    }

    fn check(&self, inputs: &[Input<'_>], states: usize, outputs: usize) -> Result<(), BatchError> {
        expect_length("inputs", inputs.len(), self.inputs)?;
        expect_length("outputs", outputs, self.varying.outputs() * states)?;
        for (i, input) in inputs.iter().enumerate() {
            if let Input::Each(x) = input {
                expect_length("states of an input", x.len(), states)?;
                if !self.moving.contains(&i) {
                    return Err(BatchError::NotUniform { input: i });
                }
            }
        }
        Ok(())
    }

    /// Evaluates what is uniform and spreads it, and the constants, over the lanes.
    fn share(&self, inputs: &[Input<'_>], scratch: &mut BatchScratch) {
        for (slot, input) in scratch.inputs.iter_mut().zip(inputs) {
            *slot = match *input {
                Input::Uniform(x) => x,
                Input::Each(x) => x.first().copied().unwrap_or(0.0),
            };
        }
        self.uniform.eval(&scratch.inputs, &mut scratch.shared, &mut scratch.scalar);
        let spread = scratch.shared.iter().chain(&self.varying.constants);
        for (block, &x) in scratch.blocks[self.moving.len()..].iter_mut().zip(spread) {
            *block = [x; LANES];
        }
    }

    /// Lanes beyond the last state keep finite numbers of earlier blocks, or zeros.
    fn load(&self, inputs: &[Input<'_>], start: usize, lanes: usize, blocks: &mut [Block]) {
        for (block, &i) in blocks.iter_mut().zip(&self.moving) {
            match inputs[i] {
                Input::Uniform(x) => *block = [x; LANES],
                Input::Each(x) => block[..lanes].copy_from_slice(&x[start..start + lanes]),
            }
        }
    }
}

fn expect_length(what: &'static str, found: usize, expected: usize) -> Result<(), BatchError> {
    if found == expected { Ok(()) } else { Err(BatchError::Length { what, found, expected }) }
}

/// Which values depend on an input that may vary.
fn varies(tape: &Tape, moving: &[usize]) -> Vec<bool> {
    let mut varies = vec![false; tape.first_node()];
    moving.iter().for_each(|&i| varies[i] = true);
    for &Node(_, a, b) in &tape.nodes {
        varies.push(varies[a as usize] || varies[b as usize]);
    }
    varies
}

/// Uniform values, other than constants, that a varying node reads or that are outputs.
fn shared_values(tape: &Tape, varies: &[bool]) -> Vec<u32> {
    let constants = tape.inputs..tape.first_node();
    let mut read = vec![false; varies.len()];
    for (k, &Node(_, a, b)) in tape.nodes.iter().enumerate() {
        if varies[tape.first_node() + k] {
            read[a as usize] = true;
            read[b as usize] = true;
        }
    }
    tape.outputs.iter().for_each(|&v| read[v as usize] = true);
    let wanted = |&v: &u32| read[v as usize] && !varies[v as usize] && !constants.contains(&(v as usize));
    (0..varies.len() as u32).filter(wanted).collect()
}

/// The nodes that vary, as a tape of the moving inputs and the shared values.
fn varying_part(tape: &Tape, moving: &[usize], varies: &[bool], shared: &[u32]) -> Tape {
    let mut place: BTreeMap<u32, u32> = BTreeMap::new();
    let leaves = moving.iter().map(|&i| i as u32).chain(shared.iter().copied());
    let constants = tape.inputs as u32..tape.first_node() as u32;
    for (k, v) in leaves.chain(constants).enumerate() {
        place.insert(v, k as u32);
    }
    let mut nodes = Vec::new();
    for (k, &Node(op, a, b)) in tape.nodes.iter().enumerate() {
        let v = tape.first_node() + k;
        if varies[v] {
            place.insert(v as u32, place.len() as u32);
            nodes.push(Node(op, place[&a], place[&b]));
        }
    }
    let outputs: Vec<u32> = tape.outputs.iter().map(|v| place[v]).collect();
    Tape::new(moving.len() + shared.len(), tape.constants.clone(), nodes, outputs)
}

struct RunBlock<'a> {
    code: &'a [Instr],
    blocks: &'a mut [Block],
}

impl NullaryFnOnce for RunBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for instr in self.code {
            match instr.code {
                Code::SinCos => sines(instr, self.blocks),
                Code::Op(op) => operation(op, instr, self.blocks),
                Code::MulAdd => joint(instr, self.blocks, |a, b, c| a * b + c),
                Code::MulSub => joint(instr, self.blocks, |a, b, c| a * b - c),
                Code::SubMul => joint(instr, self.blocks, |a, b, c| c - a * b),
            }
        }
    }
}

#[inline(always)]
fn sines(i: &Instr, blocks: &mut [Block]) {
    let wanted = [i.a as usize, i.d as usize, i.c as usize];
    // the registers of one instruction differ, so this never fails
    if let Ok([a, sin, cos]) = blocks.get_disjoint_mut(wanted) {
        sin_cos_lanes(a, sin, cos);
    }
}

#[inline(always)]
fn operation(op: Op, i: &Instr, blocks: &mut [Block]) {
    match op {
        Op::Add => binary(i, blocks, |a, b| a + b),
        Op::Sub => binary(i, blocks, |a, b| a - b),
        Op::Mul => binary(i, blocks, |a, b| a * b),
        Op::Div => binary(i, blocks, |a, b| a / b),
        Op::Neg => binary(i, blocks, |a, _| -a),
        Op::Sqrt => binary(i, blocks, |a, _| Real::sqrt(a)),
        Op::Abs => binary(i, blocks, |a, _| Real::abs(a)),
        _ => binary(i, blocks, |a, b| op.apply(a, b)),
    }
}

#[inline(always)]
fn binary(i: &Instr, blocks: &mut [Block], f: impl Fn(f64, f64) -> f64) {
    let (d, rest) = split(blocks, i.d as usize);
    let (a, b) = (rest.get(i.a as usize), rest.get(i.b as usize));
    for k in 0..LANES {
        d[k] = f(a[k], b[k]);
    }
}

#[inline(always)]
fn joint(i: &Instr, blocks: &mut [Block], f: impl Fn(f64, f64, f64) -> f64) {
    let (d, rest) = split(blocks, i.d as usize);
    let (a, b, c) = (rest.get(i.a as usize), rest.get(i.b as usize), rest.get(i.c as usize));
    for k in 0..LANES {
        d[k] = f(a[k], b[k], c[k]);
    }
}

/// All blocks but one.
struct Rest<'a> {
    below: &'a [Block],
    above: &'a [Block],
}

impl<'a> Rest<'a> {
    #[inline(always)]
    fn get(&self, r: usize) -> &'a Block {
        let n = self.below.len();
        if r < n { &self.below[r] } else { &self.above[r - n - 1] }
    }
}

#[inline(always)]
fn split(blocks: &mut [Block], d: usize) -> (&mut Block, Rest<'_>) {
    let (below, from) = blocks.split_at_mut(d);
    let (one, above) = from.split_at_mut(1);
    (&mut one[0], Rest { below, above })
}
