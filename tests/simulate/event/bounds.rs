//! Books in order at every state that is kept: energy to 1e-8, closed contacts and constraints to 1e-12.

use super::{Mover, asked};
use mechan::simulate::trajectory::Trajectory;

const TIMES: [(&str, f64); 8] = [
    ("bouncing_ball", 5.0),
    ("falling_pencil", 2.0),
    ("frictional_impact_oscillator", 1.0),
    ("painleve_rod", 1.5),
    ("pendulum_on_slider", 2.0),
    ("pushed_chalk", 0.05),
    ("rod_3d", 1.0),
    ("wheel_on_ground", 2.0),
];

fn is_in_order(trajectory: &Trajectory, place: &str) {
    let energy = &trajectory.energy;
    let parts = [energy.initial, energy.last, energy.work, energy.friction, energy.impacts];
    let size = parts.iter().map(|part| part.0.abs()).fold(0.0, f64::max);
    let speeds = trajectory.events.iter().flat_map(|event| event.v.0.iter().map(|v| v.1.0.abs()));
    let speed = speeds.fold(1.0, f64::max);
    assert!(energy.defect.0.abs() <= 1e-8 * size, "{place}: {energy:?}");
    assert!(trajectory.drift.gap <= 1e-12, "{place}: {:?}", trajectory.drift);
    assert!(trajectory.drift.rate <= 1e-12 * speed, "{place}: {:?}", trajectory.drift);
}

#[test]
fn energy_is_accounted_for_and_contacts_are_kept() {
    for (name, t_end) in TIMES {
        let mover = Mover::kept(name);
        for state in mover.derived().mechanism().states.iter() {
            let options = asked(&state.name, &[], state_time(name, &state.name) + t_end);
            is_in_order(&mover.try_run(&options).unwrap(), &format!("{name}, {}", state.name));
        }
    }
}

/// The states of the ball do not begin at 0.
fn state_time(name: &str, state: &str) -> f64 {
    match (name, state) {
        ("bouncing_ball", "first_impact") => 1.0,
        ("bouncing_ball", "at_rest") => 3.0,
        _ => 0.0,
    }
}
