//! Random expression graphs: every way to evaluate a tape against plain recursion over the graph.
//!
//! The builder's identities are exact, so results agree to the last bit (up to the sign of a zero) as long as
//! nothing on the way is infinite or undefined.

use mechan::num::{Dual, Magnitude, Real};
use mechan::tape::{Batch, Builder, Compiled, Input, Tape, Unary, Value};
use proptest::prelude::{
    ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, prop_assume, proptest,
};

const INPUTS: usize = 4;
const UNARY: [Unary; 14] = [
    Unary::Sin,
    Unary::Cos,
    Unary::Tan,
    Unary::Asin,
    Unary::Acos,
    Unary::Atan,
    Unary::Sinh,
    Unary::Cosh,
    Unary::Tanh,
    Unary::Sqrt,
    Unary::Exp,
    Unary::Ln,
    Unary::Abs,
    Unary::Signum,
];

/// A step of a random graph; operands count back from the step.
#[derive(Clone, Copy, Debug)]
enum Step {
    Constant(f64),
    Binary(u8, usize, usize),
    Neg(usize),
    Powi(usize, i32),
    Call(usize, usize),
}

fn step() -> impl Strategy<Value = Step> {
    let constants = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -0.3, 0.1, -0.0];
    (0u8..12, any::<[usize; 2]>(), 0usize..10, -4i32..6).prop_map(move |(kind, [a, b], c, n)| match kind {
        0 => Step::Constant(constants[c]),
        1..=7 => Step::Binary(kind, a, b),
        8 => Step::Neg(a),
        9 => Step::Powi(a, n),
        _ => Step::Call(if kind == 10 { c % 2 } else { b % UNARY.len() }, a),
    })
}

fn graph() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..60)
}

fn build(steps: &[Step]) -> Tape {
    let (builder, outputs) = graph_values(steps);
    builder.finish(&outputs)
}

/// The graph in a builder, and the values that are outputs.
fn graph_values(steps: &[Step]) -> (Builder, Vec<Value>) {
    let mut b = Builder::new(INPUTS);
    let mut values: Vec<Value> = (0..INPUTS).map(|i| b.input(i)).collect();
    for &step in steps {
        let at = |k: usize| values[k % values.len()];
        let value = match step {
            Step::Constant(x) => b.constant(x),
            Step::Binary(1 | 2, x, y) => b.add(at(x), at(y)),
            Step::Binary(3 | 4, x, y) => b.sub(at(x), at(y)),
            Step::Binary(5 | 6, x, y) => b.mul(at(x), at(y)),
            Step::Binary(_, x, y) if y % 3 == 0 => b.atan2(at(x), at(y)),
            Step::Binary(_, x, y) => b.div(at(x), at(y)),
            Step::Neg(x) => b.neg(at(x)),
            Step::Powi(x, n) => b.powi(at(x), n),
            Step::Call(f, x) => b.unary(UNARY[f], at(x)),
        };
        values.push(value);
    }
    let outputs = picked(steps).map(|k| values[k]).collect();
    (b, outputs)
}

/// The values of a graph that are outputs: not all, or nothing could be fused or reuse a register.
fn picked(steps: &[Step]) -> impl Iterator<Item = usize> {
    let last = INPUTS + steps.len() - 1;
    (0..=last).filter(move |k| k % 5 == 0 || *k == last)
}

/// Every value of the graph, operation by operation as written.
fn naive<T: Real>(steps: &[Step], inputs: &[T]) -> Vec<T> {
    let mut values = inputs.to_vec();
    for &step in steps {
        let at = |k: usize| values[k % values.len()];
        let value = match step {
            Step::Constant(x) => T::from_f64(x),
            Step::Binary(1 | 2, x, y) => at(x) + at(y),
            Step::Binary(3 | 4, x, y) => at(x) - at(y),
            Step::Binary(5 | 6, x, y) => at(x) * at(y),
            Step::Binary(_, x, y) if y % 3 == 0 => at(x).atan2(at(y)),
            Step::Binary(_, x, y) => at(x) / at(y),
            Step::Neg(x) => -at(x),
            Step::Powi(x, n) => at(x).powi(n),
            Step::Call(f, x) => call(UNARY[f], at(x)),
        };
        values.push(value);
    }
    values
}

fn call<T: Real>(f: Unary, x: T) -> T {
    match f {
        Unary::Sin => x.sin_cos().0,
        Unary::Cos => x.sin_cos().1,
        Unary::Tan => x.tan(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => x.exp(),
        Unary::Ln => x.ln(),
        Unary::Abs => x.abs(),
        Unary::Signum => x.signum(),
    }
}

/// How many first values of the graph are free of what the identities do not hold for: infinities, undefined
/// values, and angles of points on the axis y = 0, which hang on the sign of a zero.
fn regular(steps: &[Step], values: &[f64]) -> usize {
    let angle_of_zero = |s: &Step, k: usize| matches!(s, Step::Binary(7, x, y) if y % 3 == 0 && values[x % (INPUTS + k)] == 0.0);
    let bad =
        steps.iter().enumerate().position(|(k, s)| !values[INPUTS + k].is_finite() || angle_of_zero(s, k));
    INPUTS + bad.unwrap_or(steps.len())
}

fn eval<T: Real>(tape: &Tape, inputs: &[T]) -> Vec<T> {
    let mut out = vec![T::from_f64(0.0); tape.outputs()];
    tape.eval(inputs, &mut out, &mut tape.scratch());
    out
}

/// Equal, both zero, or both not a number.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a - b).abs() == 0.0 || (a.is_nan() && b.is_nan())
}

fn inputs() -> impl Strategy<Value = [f64; INPUTS]> {
    let number = prop::sample::select(vec![0.0, 1.0, -1.0, 0.5, -0.7, 0.3, 1.9, -2.6, 12.5, 2e5]);
    [number.clone(), number.clone(), number.clone(), number]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Sizes by instructions are those of magnitudes sent through the same tape.
    #[test]
    fn sizes_are_those_of_magnitudes(steps in graph(), inputs in prop::array::uniform4(-2.0f64..2.0)) {
        let (mut builder, outputs) = graph_values(&steps);
        let sizes = builder.sizes(&outputs);
        let (plain, sized) = (build(&steps), builder.finish(&sizes));
        let magnitudes = eval(&plain, &inputs.map(Magnitude::from_f64));
        // beyond a singular point (the root of 0, the logarithm of 0) and out of range there is nothing to compare
        let regular = regular(&steps, &naive(&steps, &inputs));
        let within = |x: f64| x.is_finite() && x < 1e100;
        prop_assume!(steps.iter().all(|s| !matches!(s, Step::Call(9..=11, _))) || regular == INPUTS + steps.len());
        for ((k, found), expected) in picked(&steps).zip(eval(&sized, &inputs)).zip(magnitudes) {
            if k < regular && within(expected.size) && !found.is_nan() {
                prop_assert!((found - expected.size).abs() <= 1e-9 * expected.size, "{found} {expected:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn interpreter_is_recursion(steps in graph(), x in inputs()) {
        let known = naive(&steps, &x);
        let good = regular(&steps, &known);
        let steps = &steps[..good - INPUTS];
        for (a, k) in eval(&build(steps), &x).into_iter().zip(picked(steps)) {
            prop_assert!(same(a, known[k]), "value {}: {} {}", k, a, known[k]);
        }
    }

    #[test]
    fn duals_are_recursion_over_duals(steps in graph(), x in inputs(), d in [-1.0f64..1.0, -1.0f64..1.0, -1.0f64..1.0, -1.0f64..1.0]) {
        let x: Vec<Dual> = x.iter().zip(d).map(|(&x, d)| Dual::new(x, d)).collect();
        let known = naive(&steps, &x);
        let values: Vec<f64> = known.iter().map(|v| if v.eps.is_finite() { v.re } else { f64::NAN }).collect();
        let steps = &steps[..regular(&steps, &values) - INPUTS];
        for (a, k) in eval(&build(steps), &x).into_iter().zip(picked(steps)) {
            let b = known[k];
            prop_assert!(same(a.re, b.re), "{:?} {:?}", a, b);
            prop_assert!((a.eps - b.eps).abs() <= 1e-9 * b.eps.abs() + 1e-300 || a.eps.abs() < 1e-9, "{:?} {:?}", a, b);
        }
    }

    #[test]
    fn a_file_keeps_every_bit(steps in graph(), x in inputs()) {
        let tape = build(&steps);
        let text = serde_json::to_string(&tape).unwrap();
        let read: Tape = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(read.validate(), Ok(()));
        prop_assert_eq!(&read, &tape);
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), text);
        for (a, b) in eval(&tape, &x).into_iter().zip(eval(&read, &x)) {
            prop_assert!(same(a, b));
        }
    }

    #[test]
    fn selected_outputs_are_the_outputs(steps in graph(), x in inputs(), picks in prop::collection::vec(any::<usize>(), 0..6)) {
        let tape = build(&steps);
        let picks: Vec<usize> = picks.iter().map(|p| p % tape.outputs()).collect();
        let all = eval(&tape, &x);
        let part = tape.select(&picks);
        prop_assert!(part.len() <= tape.len());
        for (a, p) in eval(&part, &x).into_iter().zip(picks) {
            prop_assert!(same(a, all[p]));
        }
    }

    #[test]
    fn machine_code_has_the_interpreters_bits(steps in graph(), x in inputs()) {
        let tape = build(&steps);
        let compiled = Compiled::new(&tape);
        let mut out = vec![0.0; tape.outputs()];
        compiled.eval(&x, &mut out, &mut compiled.scratch());
        for (k, (a, b)) in out.into_iter().zip(eval(&tape, &x)).enumerate() {
            prop_assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), "value {}: {} {}", k, a, b);
        }
    }

    #[test]
    fn batches_have_the_interpreters_bits(
        steps in graph(),
        states in prop::collection::vec(inputs(), 1..150),
        moving in any::<[bool; INPUTS]>(),
    ) {
        prop_assume!(!states.is_empty());
        let tape = build(&steps);
        let uniform: Vec<usize> = (0..INPUTS).filter(|&i| !moving[i]).collect();
        let batch = Batch::new(&tape, &uniform);
        let n = states.len();
        let columns: Vec<Vec<f64>> = (0..INPUTS).map(|i| states.iter().map(|s| s[if moving[i] { i } else { 0 }]).collect()).collect();
        let given: Vec<Input> = (0..INPUTS).map(|i| if moving[i] { Input::Each(&columns[i]) } else { Input::Uniform(states[0][i]) }).collect();
        let mut out = vec![0.0; n * tape.outputs()];
        batch.eval(&given, n, &mut out, &mut batch.scratch()).unwrap();
        for (k, s) in states.iter().enumerate() {
            let x: Vec<f64> = (0..INPUTS).map(|i| if moving[i] { s[i] } else { states[0][i] }).collect();
            for (o, y) in eval(&tape, &x).into_iter().enumerate() {
                let z = out[o * n + k];
                prop_assert!(y.to_bits() == z.to_bits() || (y.is_nan() && z.is_nan()), "output {} of state {}: {} {}", o, k, y, z);
            }
        }
    }
}
