//! Models with known answers, hand-made files.

use crate::models;
use mechan::num::{Dual, Tol, dense};
use mechan::tape::{Batch, BatchError, Builder, Compiled, Input, Op, Tape, TapeError, Unary};

fn outputs(tape: &Tape, inputs: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; tape.outputs()];
    tape.eval(inputs, &mut out, &mut tape.scratch());
    out
}

/// q̈ = M⁻¹ f of the cart with two links, against the value computed with a computer algebra system.
#[test]
fn cart_with_two_links_accelerates_as_published() {
    let tape = models::cart(2);
    let mut out = outputs(&tape, &models::cart_state(2));
    let (mass, rest) = out.split_at_mut(6);
    dense::cholesky(mass, 3, Tol::default().singular).unwrap();
    dense::solve(mass, &mut rest[..3]);
    for (found, known) in rest.iter().zip([2.3572491308, -4.3464820297, -6.0825731238]) {
        assert!((found - known).abs() < 1e-9, "{found} {known}");
    }
}

/// W of cart-8 against dual numbers of the last mass's position, its rate against a second pass.
#[test]
fn cart_contact_rows_are_derivatives() {
    let n = 8;
    let (tape, state) = (models::cart(n), models::cart_state(n));
    let out = outputs(&tape, &state);
    let rows = (n + 1) * (n + 2) / 2 + n + 1;
    let lengths = &state[2 * (n + 1) + 1 + n..][..n];
    for j in 0..=n {
        let q = |k: usize| Dual::new(state[k], if k == j { 1.0 } else { 0.0 });
        let zero = Dual::fixed(0.0);
        let (x, y) = (0..n).fold((q(0), zero), |(x, y), k| {
            let (s, c) = mechan::num::Real::sin_cos(q(1 + k));
            (x + Dual::fixed(lengths[k]) * s, y - Dual::fixed(lengths[k]) * c)
        });
        assert!((x.eps - out[rows + j]).abs() < 1e-14);
        assert!((y.eps - out[rows + n + 1 + j]).abs() < 1e-14);
    }
}

#[test]
fn rod_tape_is_the_rod_by_hand() {
    let mut by_hand = [0.0; 17];
    models::rod_by_hand(&models::ROD, &mut by_hand);
    let found = outputs(&models::rod(), &models::ROD);
    assert!(found.iter().zip(&by_hand).all(|(a, b)| (a - b).abs() < 1e-15));
}

#[test]
fn cart_8_needs_eight_sines_and_compiles() {
    let tape = models::cart(8);
    assert_eq!((tape.counts()[&Op::Sin], tape.counts()[&Op::Cos]), (8, 8));
    let compiled = Compiled::new(&tape);
    assert_eq!(
        compiled.is_native(),
        cfg!(all(feature = "machine-code", any(target_arch = "x86_64", target_arch = "aarch64")))
    );
    let mut out = vec![0.0; tape.outputs()];
    compiled.eval(&models::cart_state(8), &mut out, &mut compiled.scratch());
    assert_eq!(out, outputs(&tape, &models::cart_state(8)));
}

#[test]
fn identities_leave_nothing_to_compute() {
    let mut b = Builder::new(2);
    let (x, y) = (b.input(0), b.input(1));
    let (zero, one) = (b.constant(0.0), b.constant(1.0));
    let (minus_x, minus_y) = (b.neg(x), b.neg(y));
    let same = [b.mul(x, one), b.add(x, zero), b.neg(minus_x), b.powi(x, 1), b.div(x, one), b.sub(x, zero)];
    assert_eq!(same, [x; 6]);
    let nothing = [b.sub(x, x), b.mul(zero, y), b.mul(x, zero)];
    assert_eq!(nothing, [zero; 3]);
    assert_eq!(b.mul(x, y), b.mul(y, x));
    assert_eq!(b.add(x, minus_y), b.sub(x, y));
    assert_eq!(b.mul(minus_x, minus_y), b.mul(x, y));
    let (sine, of_minus) = (b.unary(Unary::Sin, x), b.unary(Unary::Sin, minus_x));
    assert_eq!(b.neg(sine), of_minus);
    let two = b.constant(2.0);
    let half = b.div(x, two);
    let tape = b.finish(&[half]);
    assert_eq!(tape.counts().into_iter().collect::<Vec<_>>(), [(Op::Mul, 1)]);
}

#[test]
fn registers_are_reused() {
    let mut b = Builder::new(1);
    let x = b.input(0);
    let mut y = x;
    for _ in 0..1000 {
        let s = b.unary(Unary::Exp, y);
        y = b.sub(s, x);
    }
    let tape = b.finish(&[y]);
    assert_eq!(tape.len(), 2000);
    assert!(tape.registers() <= 4, "{}", tape.registers());
}

#[test]
fn select_keeps_what_is_asked_for() {
    let tape = models::cart(4);
    let wanted = [17, 3, 3, 0];
    let part = tape.select(&wanted);
    let all = outputs(&tape, &models::cart_state(4));
    assert!(part.len() < tape.len() / 2);
    assert_eq!(outputs(&part, &models::cart_state(4)), wanted.map(|o| all[o]));
}

#[test]
fn infinite_constants_survive_a_file() {
    let mut b = Builder::new(0);
    let values = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(|x| b.constant(x));
    let text = serde_json::to_string(&b.finish(&values)).unwrap();
    let out = outputs(&serde_json::from_str(&text).unwrap(), &[]);
    assert!(out[0] == f64::INFINITY && out[1] == f64::NEG_INFINITY && out[2].is_nan());
}

#[test]
fn a_file_is_compact_and_readable() {
    let mut b = Builder::new(2);
    let (x, y) = (b.input(0), b.input(1));
    let s = b.unary(Unary::Sin, x);
    let p = b.mul(s, y);
    let text = serde_json::to_string(&b.finish(&[p])).unwrap();
    assert_eq!(text, r#"{"inputs":2,"constants":[],"nodes":[["sin",0,0],["mul",1,2]],"outputs":[3]}"#);
}

#[test]
fn malformed_files_are_refused() {
    let cases = [
        (r#"{"inputs":1,"constants":[],"nodes":[["add",0,1]],"outputs":[0]}"#, "reads value 1"),
        (r#"{"inputs":1,"constants":[],"nodes":[["sin",0,7]],"outputs":[0]}"#, "reads value 7"),
        (
            r#"{"inputs":1,"constants":[],"nodes":[["add",0,4294967295]],"outputs":[0]}"#,
            "reads value 4294967295",
        ),
        (r#"{"inputs":1,"constants":[2],"nodes":[],"outputs":[2]}"#, "output 0 is value 2"),
        (r#"{"inputs":100000000000,"constants":[],"nodes":[],"outputs":[]}"#, "100000000000 inputs"),
        (r#"{"inputs":1,"constants":[null],"nodes":[],"outputs":[]}"#, "null"),
        (r#"{"inputs":1,"constants":[],"nodes":[["jump",0,0]],"outputs":[]}"#, "jump"),
        (r#"{"inputs":1,"constants":[],"nodes":[["add",0,-1]],"outputs":[]}"#, "-1"),
        (r#"{"inputs":1,"constants":[],"nodes":[],"outputs":[],"more":1}"#, "more"),
    ];
    for (text, reason) in cases {
        let error = serde_json::from_str::<Tape>(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert_eq!(models::cart(3).validate(), Ok::<(), TapeError>(()));
}

/// A function of one argument whose unused operand is a product that nothing else keeps.
#[test]
fn unused_operands_of_a_file_are_ignored() {
    let text = r#"{"inputs":2,"constants":[],"nodes":[["mul",0,1],["add",0,2],["neg",0,2],["sin",3,2]],"outputs":[4,5]}"#;
    let tape: Tape = serde_json::from_str(text).unwrap();
    assert_eq!(outputs(&tape, &[2.0, 3.0]), [-2.0, mechan::num::sin_cos(8.0).0]);
}

#[test]
fn batches_say_what_does_not_fit() {
    let tape = models::rod();
    let batch = Batch::new(&tape, &[6, 7, 8]);
    let mut inputs = models::ROD.map(Input::Uniform);
    let (mut out, mut scratch) = (vec![0.0; 34], batch.scratch());
    assert_eq!(batch.eval(&inputs, 2, &mut out, &mut scratch), Ok(()));
    inputs[2] = Input::Each(&[1.0, 2.0, 3.0]);
    assert!(matches!(
        batch.eval(&inputs, 2, &mut out, &mut scratch),
        Err(BatchError::Length { found: 3, .. })
    ));
    inputs[2] = Input::Uniform(0.0);
    inputs[7] = Input::Each(&[1.0, 2.0]);
    let refused = batch.eval(&inputs, 2, &mut out, &mut scratch);
    assert_eq!(refused, Err(BatchError::NotUniform { input: 7 }));
}

#[test]
fn parameters_are_hoisted_out_of_a_batch() {
    let (once, each) = Batch::new(&models::rod(), &[6, 7, 8]).operations();
    assert_eq!((once, each), (4, 8)); // l², m l², /3, m g; sin, cos, l s, l c, −l c, ω², two drifts
}

/// The solve on the tape against the solve on numbers and the closed form of the uniform rod.
#[test]
fn a_solve_on_the_tape_is_the_closed_form() {
    let [_, _, theta, _, _, omega, m, l, g] = models::ROD;
    let tape = models::rod_contact();
    let found = outputs(&tape, &models::ROD);
    let (s, c) = theta.sin_cos();
    let known = [
        (1.0 + 3.0 * s * s) / m,
        -3.0 * s * c / m,
        (1.0 + 3.0 * c * c) / m,
        l * c * omega * omega,
        l * s * omega * omega - g,
        m,
        m,
        m * l * l / 3.0,
    ];
    for (a, b) in found.iter().zip(known) {
        assert!((a - b).abs() < 1e-14 * (1.0 + b.abs()), "{a} {b}");
    }
    assert!(tape.len() < 32, "zeros of M should vanish: {} operations", tape.len());
}

/// On a full matrix the two factorisations perform the same operations.
#[test]
fn a_factor_on_the_tape_solves_as_numbers_do() {
    let n = 4;
    let mut b = Builder::new(10 + n);
    let m: Vec<_> = (0..10).map(|i| b.input(i)).collect();
    let w: Vec<_> = (10..10 + n).map(|i| b.input(i)).collect();
    let factor = b.factor(&m, n);
    let y = b.forward(&factor, &w);
    let energy = b.inner(&factor, &y, &y);
    let tape = b.finish(&[energy]);
    let x = [4.0, 0.3, 5.0, -0.7, 0.2, 6.0, 1.1, 0.4, -0.9, 7.0, 0.5, -1.5, 2.5, 3.5];
    let mut numbers = x;
    let (mass, rhs) = numbers.split_at_mut(10);
    dense::cholesky(mass, n, Tol::default().singular).unwrap();
    dense::solve(mass, rhs);
    let known: f64 = rhs.iter().zip(&x[10..]).map(|(a, b)| a * b).sum();
    assert!((outputs(&tape, &x)[0] - known).abs() < 1e-14 * known);
}

/// Many values alive at once: beyond the register files with their own interpreter, and a large machine function.
#[test]
fn large_tapes_agree_in_every_way() {
    let n = 6000;
    let mut b = Builder::new(2);
    let (x, y) = (b.input(0), b.input(1));
    let mut values = vec![x, y];
    for k in 2..n {
        let scaled = b.constant(1.0 / k as f64);
        let product = b.mul(values[k - 1], scaled);
        values.push(if k % 3 == 0 { b.sub(y, product) } else { b.add(product, values[k / 2]) });
    }
    let tape = b.finish(&values);
    assert!(tape.registers() > 4096);
    let state = [0.3, -1.7];
    let (known, compiled, batch) = (outputs(&tape, &state), Compiled::new(&tape), Batch::new(&tape, &[1]));
    let (mut machine, mut lanes) = (vec![0.0; n], vec![0.0; n]);
    compiled.eval(&state, &mut machine, &mut compiled.scratch());
    batch.eval(&[Input::Each(&[0.3]), Input::Uniform(-1.7)], 1, &mut lanes, &mut batch.scratch()).unwrap();
    assert_eq!(known, machine);
    assert_eq!(known, lanes);
}

/// A sum of many terms that are read once each, and towers of differences and quotients: what a compiler that descends
/// expressions would run out of stack on, or of patience.
#[test]
fn tall_expressions_become_machine_code() {
    let n = 20_000;
    let mut b = Builder::new(2);
    let (x, y) = (b.input(0), b.input(1));
    let (mut sum, mut tower) = (x, y);
    for k in 1..n {
        let weight = b.constant(1.0 + 1.0 / (1 + k % 7) as f64);
        let term = b.mul(weight, y);
        sum = b.add(sum, term);
        let below = b.add(tower, weight);
        tower = if k % 2 == 0 { b.sub(x, below) } else { b.div(y, below) };
    }
    let tape = b.finish(&[sum, tower]);
    let (state, compiled) = ([0.3, 1.7], Compiled::new(&tape));
    let mut machine = [0.0; 2];
    compiled.eval(&state, &mut machine, &mut compiled.scratch());
    assert_eq!(outputs(&tape, &state), machine);
    assert!(machine.iter().all(|x| x.is_finite()));
}

/// Files may hold both zeros, whose inverses differ.
#[test]
fn both_zeros_of_a_file_are_kept() {
    let file = r#"{"inputs":1,"constants":[0.0,-0.0],"nodes":[["div",0,1],["div",0,2]],"outputs":[3,4]}"#;
    let tape: Tape = serde_json::from_str(file).unwrap();
    let (compiled, mut machine) = (Compiled::new(&tape), [0.0; 2]);
    compiled.eval(&[1.0], &mut machine, &mut compiled.scratch());
    assert_eq!(machine.map(|x| x.is_infinite() && x > 0.0), [true, false]);
    assert_eq!(machine.map(|x| x.is_infinite() && x < 0.0), [false, true]);
    assert_eq!(outputs(&tape, &[1.0]), machine);
}

/// One compiled model may serve all threads; each has its own scratch.
#[test]
fn threads_share_machine_code() {
    let tape = models::cart(8);
    let (compiled, state) = (Compiled::new(&tape), models::cart_state(8));
    let known = outputs(&tape, &state);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let (mut out, mut scratch) = (vec![0.0; tape.outputs()], compiled.scratch());
                for _ in 0..100 {
                    compiled.eval(&state, &mut out, &mut scratch);
                    assert_eq!(out, known);
                }
            });
        }
    });
}
