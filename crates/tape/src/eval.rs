//! Interpreting a program over any [`Real`].
//!
//! The register file is a power of two long and register numbers are masked to it, so that the compiler needs no
//! bounds checks; the number of registers is known when a program is made, so the mask never changes a number.

use super::op::Op;
use super::program::{Code, Instr, Program, Tape};
use crate::num::Real;

/// Registers of the interpreter; grows to the largest tape it served, any tape may use it.
#[derive(Clone, Debug)]
pub struct Scratch<T> {
    slots: Vec<T>,
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<T: Real> Scratch<T> {
    /// Empty: the first evaluation allocates.
    pub fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Makes room for a program of `slots` registers.
    pub(super) fn fit(&mut self, slots: usize) {
        let size = size(slots);
        if self.slots.len() < size {
            self.slots.resize(size, T::from_f64(0.0));
        }
    }
}

/// Lengths of register files that have their own interpreter.
const SMALL: usize = 64;
const MEDIUM: usize = 512;
const LARGE: usize = 4096;

fn size(slots: usize) -> usize {
    [SMALL, MEDIUM, LARGE].into_iter().find(|&n| slots <= n).unwrap_or(slots)
}

impl Tape {
    /// Working memory for [`Tape::eval`].
    pub fn scratch<T: Real>(&self) -> Scratch<T> {
        let mut scratch = Scratch::new();
        self.fit(&mut scratch);
        scratch
    }

    /// Makes memory large enough for this tape.
    pub fn fit<T: Real>(&self, scratch: &mut Scratch<T>) {
        scratch.fit(self.program.slots);
    }

    /// The outputs at `inputs`. Allocates only if the scratch is too small for this tape.
    ///
    /// # Panics
    /// If `inputs` or `outputs` have another length than the tape says.
    pub fn eval<T: Real>(&self, inputs: &[T], outputs: &mut [T], scratch: &mut Scratch<T>) {
        assert_eq!(inputs.len(), self.inputs, "inputs of the tape");
        assert_eq!(outputs.len(), self.outputs.len(), "outputs of the tape");
        self.program.run(inputs, &self.constants, outputs, scratch);
    }
}

impl Program {
    pub(super) fn run<T: Real>(
        &self,
        inputs: &[T],
        constants: &[f64],
        outputs: &mut [T],
        scratch: &mut Scratch<T>,
    ) {
        scratch.fit(self.slots);
        let slots = &mut scratch.slots[..];
        let (head, tail) = slots.split_at_mut(inputs.len());
        head.copy_from_slice(inputs);
        for (slot, &x) in tail.iter_mut().zip(constants) {
            *slot = T::from_f64(x);
        }
        self.interpret(slots);
        for (y, &r) in outputs.iter_mut().zip(&self.outputs) {
            *y = slots[r as usize];
        }
    }

    /// Runs the code over registers whose inputs and constants are in place.
    fn interpret<T: Real>(&self, slots: &mut [T]) {
        match size(self.slots) {
            SMALL => masked::<T, SMALL>(&self.code, slots),
            MEDIUM => masked::<T, MEDIUM>(&self.code, slots),
            LARGE => masked::<T, LARGE>(&self.code, slots),
            _ => self.code.iter().for_each(|i| step(i, slots, |r| r as usize)),
        }
    }
}

fn masked<T: Real, const N: usize>(code: &[Instr], slots: &mut [T]) {
    if let Some(slots) = slots.first_chunk_mut::<N>() {
        for instr in code {
            step(instr, slots, |r| r as usize & (N - 1));
        }
    }
}

#[inline(always)]
fn step<T: Real, S>(i: &Instr, s: &mut S, at: impl Fn(u32) -> usize)
where
    S: std::ops::IndexMut<usize, Output = T> + ?Sized,
{
    let (a, b) = (s[at(i.a)], s[at(i.b)]);
    let value = match i.code {
        Code::Op(Op::Add) => a + b,
        Code::Op(Op::Sub) => a - b,
        Code::Op(Op::Mul) => a * b,
        Code::MulAdd => a * b + s[at(i.c)],
        Code::MulSub => a * b - s[at(i.c)],
        Code::SubMul => s[at(i.c)] - a * b,
        Code::SinCos => {
            let (sin, cos) = a.sin_cos();
            s[at(i.c)] = cos;
            sin
        }
        Code::Op(op) => op.apply(a, b),
    };
    s[at(i.d)] = value;
}
