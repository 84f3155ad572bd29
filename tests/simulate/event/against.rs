//! The rigid motion as the limit of others: compliant contacts as ε → 0, the incremental step as h → 0.

use super::{Mover, asked, last};
use mechan::coulomb::{Outcome, Request, Start};
use mechan::model::Block;
use mechan::pipeline::{Scheme, SimulateOptions};
use mechan::stepping::{StepInput, StepModel, Stepper};

/// The pencil that slides away from its lean, sticks and slides again.
const END: f64 = 0.4;

fn rigid() -> [f64; 4] {
    let trajectory = Mover::kept("falling_pencil").run("slipping", &[], END);
    let ([x, u], [theta, omega]) = (last(&trajectory, "x"), last(&trajectory, "theta"));
    [x, u, theta, omega]
}

fn distance(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn compliant_motions_tend_to_the_rigid_one() {
    let (pencil, rigid) = (Mover::kept("falling_pencil"), rigid());
    let miss = |eps: f64| {
        let usual = asked("slipping", &[], END);
        let options = SimulateOptions { scheme: Scheme::Compliant, eps: vec![eps], ..usual };
        let trajectory = pencil.try_run(&options).unwrap();
        let ([x, u], [theta, omega]) = (last(&trajectory, "x"), last(&trajectory, "theta"));
        distance(rigid, [x, u, theta, omega])
    };
    let misses = [1e-2, 1e-3, 1e-4].map(miss);
    assert!(misses[1] < 0.2 * misses[0] && misses[2] < 0.2 * misses[1], "{misses:?}");
    assert!(misses[2] < 1e-3, "{misses:?}");
}

/// Moreau's step with the forces at its begin: of order 1.
fn by_steps(pencil: &Mover, steps: usize) -> [f64; 4] {
    let kernel = pencil.derived().model().kernel(&Block::all());
    let mut state = pencil.derived().state("slipping", &[]).unwrap();
    let (mut values, mut stepper) = (kernel.values(), Stepper::new(Request::default()));
    let step = END / steps as f64;
    for _ in 0..steps {
        kernel.evaluate(&state.inputs(), &mut values);
        let input = StepInput {
            kernel: &kernel,
            values: &values,
            state: &state,
            closed: &[0],
            friction: &[0.9],
            step,
        };
        stepper.set(StepModel::Dynamics, &input).unwrap();
        assert_eq!(stepper.session().solve(Start::Warm).outcome, Outcome::Solved);
        let v = stepper.velocity().to_vec();
        state.q.iter_mut().zip(&v).for_each(|(q, v)| *q += step * v);
        state.v = v;
    }
    [state.q[0], state.v[0], state.q[2], state.v[2]]
}

#[test]
fn incremental_steps_tend_to_the_rigid_motion() {
    let (pencil, rigid) = (Mover::kept("falling_pencil"), rigid());
    let misses = [500, 1000, 2000, 4000].map(|steps| distance(rigid, by_steps(&pencil, steps)));
    for pair in misses.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.7..2.4).contains(&ratio), "{misses:?}");
    }
    assert!(misses[3] < 5e-3, "{misses:?}");
}
