//! Blocks of a model over boxes of states, with their rates along a motion: the model's tape over dual numbers of balls, written as a
//! tape and compiled.

use crate::model::{Block, Kernel, Model};
use crate::num::{Ball, Dual, Interval};
use crate::tape::{Compiled, CompiledScratch, Symbol, Tape};

/// A number over a box, and its rate along the motion.
pub(super) type Moving = Dual<Ball>;

/// Numbers of a moving one: middle and radius, and those of its rate.
const PARTS: usize = 4;

/// The blocks that are evaluated together.
#[derive(Clone, Debug)]
pub(super) struct BoxKernel {
    /// Of the same blocks at a state.
    plain: Kernel,
    code: Compiled,
}

/// Numbers of a box.
#[derive(Clone, Debug)]
pub(super) struct BoxValues {
    numbers: Vec<f64>,
    scratch: CompiledScratch,
    outputs: Vec<Moving>,
}

/// A range of times and states, with the rates in it.
#[derive(Clone, Copy)]
pub(super) struct Sides<'s> {
    pub(super) t: Interval,
    pub(super) pace: Interval,
    pub(super) q: &'s [Interval],
    pub(super) v: &'s [Interval],
    /// dq and dv.
    pub(super) rates: [&'s [Interval]; 2],
}

impl BoxKernel {
    pub(super) fn new(model: &Model, blocks: &[Block]) -> Self {
        let plain = Kernel::new(model, blocks);
        let tape = over_boxes(plain.tape(), 1 + 2 * plain.layout().coordinates);
        Self { plain, code: Compiled::new(&tape) }
    }

    /// The kernel of the same blocks at a state.
    pub(super) fn plain(&self) -> &Kernel {
        &self.plain
    }

    pub(super) fn values(&self, parameters: &[f64]) -> BoxValues {
        let mut scratch = self.code.scratch();
        let states = self.code.inputs() - parameters.len();
        self.code.inputs_mut(&mut scratch)[states..].copy_from_slice(parameters);
        let outputs = self.code.outputs();
        let zero = Dual::fixed(Ball::new(0.0, 0.0));
        BoxValues { numbers: vec![0.0; outputs], scratch, outputs: vec![zero; outputs / PARTS] }
    }

    /// Evaluates a box.
    pub(super) fn evaluate(&self, sides: &Sides<'_>, values: &mut BoxValues) {
        let BoxValues { numbers, scratch, outputs } = values;
        let states = sides.q.iter().zip(sides.rates[0]).chain(sides.v.iter().zip(sides.rates[1]));
        let all = std::iter::once((&sides.t, &sides.pace)).chain(states);
        for (place, (&x, &rate)) in self.code.inputs_mut(scratch).chunks_exact_mut(PARTS).zip(all) {
            let (x, rate) = (Ball::around(x), Ball::around(rate));
            place.copy_from_slice(&[x.mid, x.rad, rate.mid, rate.rad]);
        }
        self.code.eval_in_place(numbers, scratch);
        for (output, parts) in outputs.iter_mut().zip(numbers.chunks_exact(PARTS)) {
            *output = Dual::new(Ball::new(parts[0], parts[1]), Ball::new(parts[2], parts[3]));
        }
    }

    pub(super) fn block<'v>(&self, values: &'v BoxValues, block: impl Into<Block>) -> &'v [Moving] {
        &values.outputs[self.plain.range(block)]
    }
}

/// The tape over boxes of its first inputs, which move; the others are numbers.
fn over_boxes(tape: &Tape, moving: usize) -> Tape {
    let given = tape.inputs() - moving;
    Tape::written(PARTS * moving + given, |symbols| {
        let (boxes, rest) = symbols.split_at(PARTS * moving);
        let known = Ball::new(Symbol::Known(0.0), Symbol::Known(0.0));
        let inputs: Vec<_> = boxes
            .chunks_exact(PARTS)
            .map(|parts| Dual::new(Ball::new(parts[0], parts[1]), Ball::new(parts[2], parts[3])))
            .chain(rest.iter().map(|&x| Dual::fixed(Ball::new(x, Symbol::Known(0.0)))))
            .collect();
        let mut outputs = vec![Dual::fixed(known); tape.outputs()];
        tape.eval(&inputs, &mut outputs, &mut tape.scratch());
        outputs.into_iter().flat_map(|x| [x.re.mid, x.re.rad, x.eps.mid, x.eps.rad]).collect()
    })
}
