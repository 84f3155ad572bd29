//! Derivation: a mechanism to its tape, in this process and on one thread, as the worker does it.
//! `cargo bench --bench derive`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]

use divan::Bencher;
use mechan::derive::derive;
use mechan::diag::Source;
use mechan::format::{Mechanism, read};

fn main() {
    // without a licence only the first thread may use Symbolica
    divan::Divan::from_args().threads([1]).main();
}

fn mechanism(name: &str, text: &str) -> Mechanism {
    match read(&Source::new(name, text)) {
        Ok(checked) => checked.mechanism,
        Err(problems) => panic!("{name}: {problems:?}"),
    }
}

/// A cart with n links and point masses at their ends.
fn cart(n: usize) -> String {
    let list = |f: &dyn Fn(usize) -> String, between: &str| (1..=n).map(f).collect::<Vec<_>>().join(between);
    let x = |k: usize| (1..=k).fold("x".to_string(), |s, i| format!("{s} + l{i}*sin(a{i})"));
    let y = |k: usize| (1..=k).fold("0".to_string(), |s, i| format!("{s} - l{i}*cos(a{i})"));
    let parameters =
        list(&|k| format!("m{k}: {}, l{k}: {}", 1.0 + 0.1 * k as f64, 0.5 + 0.05 * k as f64), ", ");
    let bodies =
        list(&|k| format!("  b{k}: {{mass: m{k}, inertia: 0, position: [{}, {}]}}", x(k), y(k)), "\n");
    format!(
        "mechan: 1\nname: cart{n}\nspace: plane\nparameters: {{m0: 2, g: 9.81, F: 0.7, {parameters}}}\n\
         coordinates: [x, {}]\ngravity: [0, -g]\nbodies:\n  cart: {{mass: m0, inertia: 0, position: [x, 0]}}\n{bodies}\n\
         forces: [{{coordinate: x, value: F}}]\n\
         contacts:\n  tip: {{point: [{}, {}], surface: {{point: [0, -9], normal: [0, 1]}}, friction: 0.5}}\n",
        list(&|k| format!("a{k}"), ", "),
        x(n),
        y(n)
    )
}

#[divan::bench]
fn falling_pencil(bencher: Bencher) {
    let m = mechanism("falling_pencil", include_str!("../mechanisms/falling_pencil.yaml"));
    bencher.bench_local(|| derive(&m).map(|model| model.tape().outputs()));
}

#[divan::bench(args = [2, 4, 8])]
fn cart_n(bencher: Bencher, n: usize) {
    let m = mechanism("cart", &cart(n));
    bencher.bench_local(|| derive(&m).map(|model| model.tape().outputs()));
}
