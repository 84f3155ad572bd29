//! A wall of bricks that a ball strikes: contacts by faces, whose forces are not unique and which hardly resist each other.

use crate::shared::scene;
use mechan::scene::{Options, Simulation};

/// Four courses of four bricks, staggered, and a ball that flies into them at 8 m/s.
fn wall(step: f64) -> Simulation {
    let places: Vec<String> = (0..16)
        .map(|i| (f64::from(i / 4), f64::from(i % 4)))
        .map(|(course, k)| format!("[0, {}, {}]", 0.201 * k + 0.1 * (course % 2.0), 0.04 + 0.08 * course))
        .collect();
    let lines = format!(
        "gravity: [0, 0, -9.81]\nfriction: 0.5\nstep: {step}\nsteps: 1\nsurfaces: {{ground: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}\ngroups:\n  \
         bricks: {{box: [0.1, 0.2, 0.08], density: 1800, place: {{at: [{}]}}}}\n  \
         ball: {{sphere: 0.12, mass: 8, place: {{at: [[-0.25, 0.4, 0.2]]}}, velocity: [8, 0, 0]}}\n",
        places.join(", ")
    );
    Simulation::new(&scene("space", &lines), &Options::default()).unwrap()
}

/// Sweeps alone take thousands a step. What bodies overlap is what the fastest of them goes in a step, before it is seen.
#[test]
fn steps_of_a_wall_are_solved_without_thousands_of_sweeps() {
    for step in [0.002, 0.0005] {
        let mut simulation = wall(step);
        let steps = (0.1 / step).round() as u64;
        let records: Vec<_> = (0..steps).map(|_| simulation.advance().unwrap()).collect();
        assert_eq!(simulation.unsolved(), 0, "{step}");
        let all: usize = records.iter().map(|record| record.iterations).sum();
        assert!(all < 500 * records.len(), "{step}: {all} iterations of {steps} steps");
        let overlap = records.iter().map(|record| record.penetration).fold(0.0, f64::max);
        assert!(overlap < 8.0 * step, "{step}: {overlap}");
        assert!(overlap > 0.0, "the ball strikes");
    }
}
