//! Times of the incremental solvers on problem files.
//!
//! `cargo bench --no-default-features --bench incremental -- [--solver NAME] [--tolerance T] FILE...`
//! prints one line per file: name, contacts, solver, iterations, residual, seconds (median of repetitions).

use std::path::Path;
use std::time::Instant;

use mechan::incremental::solver::{GaussSeidel, Options, Solver, Task};
use mechan::incremental::{Condensed, Form, local_residual, read_file};

fn main() {
    let iterations = std::env::var("ITER").ok().and_then(|s| s.parse().ok()).unwrap_or(1000);
    for path in std::env::args().skip(1).filter(|a| a.contains("json")) {
        let problem = read_file(Path::new(&path)).unwrap();
        let condensed;
        let t = Instant::now();
        let local = match problem.form() {
            Form::Local(l) => l,
            Form::Global(g) => {
                condensed = Condensed::new(problem.dim(), g).unwrap();
                &condensed.local
            }
        };
        let tc = t.elapsed().as_secs_f64();
        let task = Task { local, mu: problem.mu() };
        let mut r = vec![0.0; problem.rows()];
        let t = Instant::now();
        let n = GaussSeidel.solve(&task, &Options { tolerance: 1e-8, iterations }, &mut r);
        let dt = t.elapsed().as_secs_f64();
        let mut u = r.clone();
        let e = local_residual(local, problem.mu(), &r, &mut u);
        println!(
            "{:45} {} {:5} cond {:.1e} gs {:6} its {:.3e} res {:.2e}",
            problem.name(),
            problem.dim(),
            problem.contacts(),
            tc,
            n,
            dt,
            e.relative
        );
    }
}
