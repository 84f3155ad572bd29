//! Blocks of a model over many states at once: the model's tape over numbers that enclose, written as a tape and compiled.

use crate::model::{Block, Kernel, Model};
use crate::num::{Ball, Dual, Interval, Real, Strip};
use crate::simulate::trajectory::RowFunction;
use crate::tape::{Compilation, Compiled, CompiledScratch, Scratch, Symbol, Tape};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number over a box of states, and its rate along the motion.
pub(super) type Moving = Dual<Ball>;

/// A number that encloses.
pub(super) trait Enclosing: Real {
    /// How many numbers it is made of.
    const PARTS: usize;
    /// From these.
    fn of_parts(parts: &[f64]) -> Self;
    /// Into these.
    fn write_parts(self, parts: &mut [f64]);
    /// What it encloses.
    fn range(self) -> Interval;
    /// What only contains it all.
    fn unbounded() -> Self;
    /// What is of size one at most, and changes at any rate.
    fn up_to_one() -> Self;
    /// The same tape for the parts of these numbers, of its first inputs; the others are plain.
    fn tape(of: &Tape, first: usize) -> Tape;
    /// A function of a row.
    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self>;
    /// √(x² + y²), which may reach zero.
    fn length(x: Self, y: Self) -> Self;
    /// The product, where one of the two is often the same everywhere.
    #[inline]
    fn times(self, o: Self) -> Self {
        self * o
    }
}

/// From 0 to a bound.
fn up_to(most: f64) -> Ball {
    Ball::new(0.5 * most, 0.5 * most)
}

impl Enclosing for Moving {
    const PARTS: usize = 4;

    #[inline]
    fn of_parts(parts: &[f64]) -> Self {
        moving(parts)
    }

    #[inline]
    fn write_parts(self, parts: &mut [f64]) {
        parts.copy_from_slice(&[self.re.mid, self.re.rad, self.eps.mid, self.eps.rad]);
    }

    #[inline]
    fn range(self) -> Interval {
        self.re.range()
    }

    fn unbounded() -> Self {
        Dual::fixed(Ball::around(Interval::WHOLE))
    }

    fn up_to_one() -> Self {
        Dual::new(Ball::new(0.0, 1.0), Ball::around(Interval::WHOLE))
    }

    fn tape(of: &Tape, first: usize) -> Tape {
        Tape::written(Self::PARTS * first + of.inputs() - first, |symbols| {
            let outputs = evaluated(of, (symbols, first, Self::PARTS), moving);
            outputs.into_iter().flat_map(|x| [x.re.mid, x.re.rad, x.eps.mid, x.eps.rad]).collect()
        })
    }

    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self> {
        function.moving(row)
    }

    fn length(x: Self, y: Self) -> Self {
        let exact = (x * x + y * y).sqrt();
        if exact.eps.range().is_bounded() {
            return exact;
        }
        let size = |of: fn(Self) -> Ball| of(x).range().magnitude().hypot(of(y).range().magnitude());
        let rate = size(|x| x.eps);
        Dual::new(up_to(size(|x| x.re)), Ball::new(0.0, rate))
    }
}

impl Enclosing for Strip {
    const PARTS: usize = 5;

    #[inline]
    fn of_parts(parts: &[f64]) -> Self {
        strip(parts)
    }

    #[inline]
    fn write_parts(self, parts: &mut [f64]) {
        parts[..4].copy_from_slice(&self.curve);
        parts[4] = self.rad;
    }

    #[inline]
    fn range(self) -> Interval {
        Strip::range(self)
    }

    fn unbounded() -> Self {
        Strip::of([0.0; 6], f64::INFINITY)
    }

    fn up_to_one() -> Self {
        Strip::of_ball(Ball::new(0.0, 1.0))
    }

    fn tape(of: &Tape, first: usize) -> Tape {
        Tape::written(Self::PARTS * first + of.inputs() - first, |symbols| {
            let outputs = evaluated(of, (symbols, first, Self::PARTS), strip);
            outputs.into_iter().flat_map(|x| x.curve.into_iter().chain([x.rad])).collect()
        })
    }

    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self> {
        function.along(row)
    }

    #[inline]
    fn times(self, o: Self) -> Self {
        Strip::times(self, o)
    }

    fn length(x: Self, y: Self) -> Self {
        let exact = (x * x + y * y).sqrt();
        let most = || Strip::range(x).magnitude().hypot(Strip::range(y).magnitude());
        if Strip::range(exact).is_bounded() { exact } else { Strip::of_ball(up_to(most())) }
    }
}

#[inline]
fn moving<T: Real>(x: &[T]) -> Dual<Ball<T>> {
    Dual::new(Ball::new(x[0], x[1]), Ball::new(x[2], x[3]))
}

#[inline]
fn strip<T: Real>(x: &[T]) -> Strip<T> {
    Strip { curve: [x[0], x[1], x[2], x[3]], rad: x[4] }
}

/// A tape over numbers made of symbols.
fn evaluated<'s, N: Real>(
    tape: &Tape,
    (symbols, first, parts): (&[Symbol<'s>], usize, usize),
    number: impl Fn(&[Symbol<'s>]) -> N,
) -> Vec<N> {
    let (moving, plain) = symbols.split_at(parts * first);
    let fixed = |x: &Symbol<'s>| {
        let mut all = vec![Symbol::Known(0.0); parts];
        all[0] = *x;
        number(&all)
    };
    let inputs: Vec<N> = moving.chunks_exact(parts).map(&number).chain(plain.iter().map(fixed)).collect();
    let mut outputs = vec![N::from_f64(0.0); tape.outputs()];
    tape.eval(&inputs, &mut outputs, &mut tape.scratch());
    outputs
}

/// The blocks that are evaluated together.
#[derive(Debug)]
pub(super) struct WideKernel {
    /// Of the same blocks at a state.
    plain: Kernel,
    tape: Tape,
    /// Machine code, for kernels that serve long.
    code: OnceLock<Compilation>,
    uses: AtomicUsize,
}

/// After how many evaluations machine code is worth its making.
const WORTH: usize = 300;

/// Their numbers.
#[derive(Clone, Debug)]
pub(super) struct WideValues<T> {
    inputs: Vec<f64>,
    numbers: Vec<f64>,
    scratch: Scratch<f64>,
    registers: CompiledScratch,
    outputs: Vec<T>,
}

impl<T> WideValues<T> {
    pub(super) fn set_parameters(&mut self, parameters: &[f64]) {
        let first = self.inputs.len() - parameters.len();
        self.inputs[first..].copy_from_slice(parameters);
    }
}

impl WideKernel {
    pub(super) fn new<T: Enclosing>(model: &Model, blocks: &[Block]) -> Self {
        let plain = Kernel::new(model, blocks);
        let tape = T::tape(plain.tape(), 1 + 2 * plain.layout().coordinates);
        Self { plain, tape, code: OnceLock::new(), uses: AtomicUsize::new(0) }
    }

    pub(super) fn values<T: Enclosing>(&self, parameters: &[f64]) -> WideValues<T> {
        let mut inputs = vec![0.0; self.tape.inputs() - parameters.len()];
        inputs.extend_from_slice(parameters);
        let numbers = vec![0.0; self.tape.outputs()];
        let outputs = vec![T::from_f64(0.0); numbers.len() / T::PARTS];
        WideValues {
            inputs,
            numbers,
            scratch: Scratch::default(),
            registers: CompiledScratch::default(),
            outputs,
        }
    }

    /// Evaluates (t, q, v).
    pub(super) fn evaluate<T: Enclosing>(&self, states: &[T], values: &mut WideValues<T>) {
        let WideValues { inputs, numbers, scratch, registers, outputs } = values;
        for (place, x) in inputs.chunks_exact_mut(T::PARTS).zip(states) {
            x.write_parts(place);
        }
        match self.code() {
            Some(code) => code.eval(inputs, numbers, registers),
            None => self.tape.eval(inputs, numbers, scratch),
        }
        for (output, parts) in outputs.iter_mut().zip(numbers.chunks_exact(T::PARTS)) {
            *output = T::of_parts(parts);
        }
    }

    /// Machine code once it is worth it: the same bits.
    fn code(&self) -> Option<&Compiled> {
        let few = self.code.get().is_none() && self.uses.fetch_add(1, Ordering::Relaxed) < WORTH;
        if few { None } else { self.code.get_or_init(|| Compilation::coming(&self.tape)).ready() }
    }

    #[inline]
    pub(super) fn block<'v, T>(&self, values: &'v WideValues<T>, block: impl Into<Block>) -> &'v [T] {
        &values.outputs[self.plain.range(block)]
    }
}
