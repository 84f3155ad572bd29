//! Evaluation of M, h, W and drift at one state and over batches, and everything about a pencil at one state.
//! Allocations are counted: evaluation makes none.
//!
//! `cargo bench --no-default-features --bench tape`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

mod models;

use divan::{AllocProfiler, Bencher, black_box, counter::ItemsCount};
use mechan::num::{Tol, dense};
use mechan::tape::{Batch, Compiled, Input, Tape};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const MODELS: [&str; 3] = ["rod", "cart-2", "cart-8"];
const STATES: usize = 4096;

fn model(name: &str) -> (Tape, Vec<f64>) {
    match name {
        "rod" => (models::rod(), models::ROD.to_vec()),
        "cart-2" => (models::cart(2), models::cart_state(2)),
        _ => (models::cart(8), models::cart_state(8)),
    }
}

#[divan::bench(args = MODELS)]
fn interpreter(bencher: Bencher, name: &str) {
    let (tape, state) = model(name);
    let (mut out, mut scratch) = (vec![0.0; tape.outputs()], tape.scratch());
    bencher.bench_local(|| tape.eval(black_box(&state), black_box(&mut out), &mut scratch));
}

#[divan::bench(args = MODELS)]
fn compiled(bencher: Bencher, name: &str) {
    let (tape, state) = model(name);
    let compiled = Compiled::new(&tape);
    let (mut out, mut scratch) = (vec![0.0; tape.outputs()], compiled.scratch());
    bencher.bench_local(|| compiled.eval(black_box(&state), black_box(&mut out), &mut scratch));
}

#[divan::bench]
fn rod_by_hand(bencher: Bencher) {
    let mut out = [0.0; 17];
    bencher.bench_local(|| models::rod_by_hand(black_box(&models::ROD), black_box(&mut out)));
}

/// Parameters uniform, coordinates and velocities one per state; the time of one state is this over 4096.
#[divan::bench(args = MODELS)]
fn batch(bencher: Bencher, name: &str) {
    let (tape, state) = model(name);
    let moving = if name == "rod" { 6 } else { 2 * (name[5..].parse::<usize>().unwrap_or(0) + 1) };
    let batch = Batch::new(&tape, &(moving..tape.inputs()).collect::<Vec<_>>());
    let column = |x: f64| (0..STATES).map(|k| x + 1e-4 * k as f64).collect::<Vec<_>>();
    let columns: Vec<Vec<f64>> = state[..moving].iter().map(|&x| column(x)).collect();
    let inputs: Vec<Input> = (0..tape.inputs())
        .map(|i| columns.get(i).map_or(Input::Uniform(state[i]), |c| Input::Each(c)))
        .collect();
    let (mut out, mut scratch) = (vec![0.0; STATES * tape.outputs()], batch.scratch());
    bencher
        .counter(ItemsCount::new(STATES))
        .bench_local(|| batch.eval(black_box(&inputs), STATES, black_box(&mut out), &mut scratch));
}

#[divan::bench(args = MODELS)]
fn compile(bencher: Bencher, name: &str) {
    let (tape, _) = model(name);
    bencher.bench_local(|| Compiled::new(black_box(&tape)));
}

/// A, B, C, a, b, p±, k± of one planar contact, from the outputs of a tape of the rod's form.
#[inline(always)]
fn contact(out: &mut [f64], mu: f64, found: &mut [f64; 9]) {
    let singular = Tol::default().singular;
    let (mass, rest) = out.split_at_mut(6);
    if dense::cholesky(mass, 3, singular).is_err() {
        return;
    }
    let (h, rows) = rest.split_at_mut(3);
    let (normal, tail) = rows.split_at_mut(3);
    let (tangent, drift) = tail.split_at_mut(3);
    dense::forward(mass, h);
    dense::forward(mass, normal);
    dense::forward(mass, tangent);
    let inner = |y: &[f64], z: &[f64]| dense::inner(mass, y, z);
    let (a_tt, b_tn, c_nn) = (inner(tangent, tangent), inner(tangent, normal), inner(normal, normal));
    let (b, a) = (drift[0] - inner(normal, h), drift[1] - inner(tangent, h));
    let (p, k) = ([c_nn - mu * b_tn, c_nn + mu * b_tn], [mu * a_tt - b_tn, mu * a_tt + b_tn]);
    *found = [a_tt, b_tn, c_nn, a, b, p[0], p[1], k[0], k[1]];
}

/// The same for the rod by hand, with M diagonal as a person would use it.
#[inline(never)]
fn rod_contact_by_hand(x: &[f64; 9], mu: f64, found: &mut [f64; 9]) {
    let [_, _, theta, _, _, omega, m, l, g] = *x;
    let (s, c) = theta.sin_cos();
    let (inverse, inertia) = (1.0 / m, 3.0 / (m * l * l));
    let (ls, lc, w2) = (l * s, l * c, omega * omega);
    let a_tt = inverse + ls * ls * inertia;
    let b_tn = -ls * lc * inertia;
    let c_nn = inverse + lc * lc * inertia;
    let (a, b) = (lc * w2, ls * w2 - g);
    let (p, k) = ([c_nn - mu * b_tn, c_nn + mu * b_tn], [mu * a_tt - b_tn, mu * a_tt + b_tn]);
    *found = [a_tt, b_tn, c_nn, a, b, p[0], p[1], k[0], k[1]];
}

/// The same by hand, M factored as if it were full: the work the general route has.
#[inline(never)]
fn rod_contact_by_hand_factored(x: &[f64; 9], mu: f64, found: &mut [f64; 9]) {
    let mut out = [0.0; 17];
    models::rod_by_hand(x, &mut out);
    contact(&mut out, mu, found);
}

#[divan::bench]
fn contact_compiled(bencher: Bencher) {
    let compiled = Compiled::new(&models::rod());
    let (mut out, mut scratch, mut found) = ([0.0; 17], compiled.scratch(), [0.0; 9]);
    bencher.bench_local(|| {
        compiled.eval(black_box(&models::ROD), &mut out, &mut scratch);
        contact(&mut out, black_box(0.5), black_box(&mut found));
    });
}

/// The solve is part of the tape, where the zeros of M vanish.
#[divan::bench]
fn contact_compiled_with_solve(bencher: Bencher) {
    let compiled = Compiled::new(&models::rod_contact());
    let (mut out, mut scratch, mut found) = ([0.0; 8], compiled.scratch(), [0.0; 9]);
    bencher.bench_local(|| {
        compiled.eval(black_box(&models::ROD), &mut out, &mut scratch);
        gains(&out, black_box(0.5), black_box(&mut found));
    });
}

#[inline(always)]
fn gains(out: &[f64; 8], mu: f64, found: &mut [f64; 9]) {
    let [a_tt, b_tn, c_nn, a, b, pivots @ ..] = *out;
    if pivots.iter().all(|&d| d > 0.0) {
        let (p, k) = ([c_nn - mu * b_tn, c_nn + mu * b_tn], [mu * a_tt - b_tn, mu * a_tt + b_tn]);
        *found = [a_tt, b_tn, c_nn, a, b, p[0], p[1], k[0], k[1]];
    }
}

#[divan::bench]
fn contact_interpreted(bencher: Bencher) {
    let tape = models::rod();
    let (mut out, mut scratch, mut found) = ([0.0; 17], tape.scratch(), [0.0; 9]);
    bencher.bench_local(|| {
        tape.eval(black_box(&models::ROD), &mut out, &mut scratch);
        contact(&mut out, black_box(0.5), black_box(&mut found));
    });
}

/// The functions that evaluation waits for.
#[divan::bench]
fn sine_and_cosine(bencher: Bencher) {
    bencher.bench_local(|| mechan::num::sin_cos(black_box(1.1)));
}

#[divan::bench]
fn sine_and_cosine_of_std(bencher: Bencher) {
    bencher.bench_local(|| black_box(1.1_f64).sin_cos());
}

#[divan::bench(sample_size = 64)]
fn contact_by_hand(bencher: Bencher) {
    let mut found = [0.0; 9];
    bencher
        .bench_local(|| rod_contact_by_hand(black_box(&models::ROD), black_box(0.5), black_box(&mut found)));
}

#[divan::bench]
fn contact_by_hand_factored(bencher: Bencher) {
    let mut found = [0.0; 9];
    bencher.bench_local(|| {
        rod_contact_by_hand_factored(black_box(&models::ROD), black_box(0.5), black_box(&mut found))
    });
}
