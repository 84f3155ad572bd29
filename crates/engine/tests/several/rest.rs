//! The set of forces that hold an equilibrium, against closed forms and the ranges of the mode.

use crate::body::{Spot, of_body};
use mechan_engine::equilibrium::Condition;
use mechan_engine::predict::{Consistency, Motion};
use mechan_num::Tol;
use std::f64::consts::PI;

#[test]
fn a_block_on_two_feet_is_held_by_a_segment_of_forces() {
    let tol = Tol::default();
    let spots =
        [-1.0, 1.0].map(|x| Spot { at: [x, -0.5], normal: PI / 2.0, mu: 0.5, motion: Motion::Resting });
    let block = of_body(&spots, 0.4, [0.1, -1.0, 0.0]);
    let decision = block.decide(&tol);
    let rest = block.resting_forces(&decision, &tol).unwrap();
    assert_eq!((rest.weak, rest.strong, rest.dimension), (Condition::Holds, Condition::Holds, 1));
    let corners = rest.corners.unwrap();
    assert_eq!((corners.points.len(), corners.rays.len()), (2, 0));
    let word = decision.modes.iter().find(|word| word.consistency == Consistency::Yes).unwrap();
    for (row, [low, high]) in word.ranges.as_ref().unwrap().iter().enumerate() {
        let ends: Vec<f64> = corners.points.iter().map(|point| point[row]).collect();
        let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        assert!((least - low).abs() < 1e-9 && (most - high).abs() < 1e-9, "{ends:?} {low} {high}");
    }
}

#[test]
fn a_wedged_block_can_be_held_by_any_large_force_and_may_fall() {
    let tol = Tol::default();
    let spots = [(-0.5, -0.2), (0.5, PI + 0.2)].map(|(x, normal)| Spot {
        at: [x, 0.3],
        normal,
        mu: 0.5,
        motion: Motion::Resting,
    });
    let block = of_body(&spots, 0.1, [0.0, -1.0, 0.0]);
    let rest = block.resting_forces(&block.decide(&tol), &tol).unwrap();
    assert_eq!((rest.weak, rest.strong), (Condition::Holds, Condition::Fails));
    assert!(!rest.others.is_empty());
    assert!(!rest.corners.unwrap().rays.is_empty());
}
