//! Motions in steps of time account for what moves by prescription.

use super::event::{Mover, asked};
use mechan::pipeline::{Scheme, SimulateOptions};

fn moreau(name: &str, (state, set): (&str, &[&str]), step: f64, t_end: f64) -> mechan::Trajectory {
    let scheme: Scheme = "moreau".parse().unwrap();
    let options = SimulateOptions { scheme, step: Some(step), ..asked(state, set, t_end) };
    Mover::of(&format!("tests/simulate/models/{name}.json")).try_run(&options).unwrap()
}

/// The spring that pulls two blocks is moved at its other end: its work is that of the event-driven motion, and nothing is left over.
#[test]
fn a_spring_whose_end_is_moved_works() {
    let exact = Mover::of("tests/simulate/models/two_blocks.json").run("go", &[], 2.0).energy.work.0;
    for step in [4e-3, 1e-3] {
        let energy = moreau("two_blocks", ("go", &[]), step, 2.0).energy;
        assert!(energy.defect.0.abs() < 1e-12, "{energy:?}");
        assert!((energy.work.0 - exact).abs() < 20.0 * step * step, "{energy:?} {exact}");
    }
}

/// A pendulum whose hinge is moved, high above the floor: what is left over falls with the square of the step.
#[test]
fn a_hinge_that_is_moved_works() {
    let left = |step: f64| moreau("moved_pendulum", ("swinging", &["d=1"]), step, 1.0).energy.defect.0.abs();
    let (coarse, fine) = (left(1e-2), left(5e-3));
    assert!(fine < 0.3 * coarse && coarse < 1e-2, "{coarse} {fine}");
}
