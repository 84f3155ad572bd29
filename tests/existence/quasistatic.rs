//! Quasi-static steps [AC11 4.4.2]: a block on two springs over the ground.

use mechan::coulomb::Problem;
use mechan::enumerate::{Family, Limits, Mode, enumerate};
use mechan::existence::{Kinematics, assess};
use mechan::stepping::QuasiStatic;

/// q = (x, y), height y over the ground, springs K, dashpots C, load `force`.
fn block(force: [f64; 2], q: [f64; 2], step: f64) -> QuasiStatic {
    QuasiStatic {
        stiffness: vec![vec![3.0, 0.5], vec![0.5, 2.0]],
        viscosity: vec![vec![0.25, 0.0], vec![0.0, 0.5]],
        force: force.to_vec(),
        q: q.to_vec(),
        H: vec![vec![0.0, 1.0], vec![1.0, 0.0]],
        mu: vec![0.5],
        step,
    }
}

fn only(problem: &Problem) -> Family {
    assert!(assess(&Kinematics::of(problem)).no_wedging.holds());
    let all = enumerate(problem, Limits::default()).unwrap();
    assert!(all.complete && all.families.len() == 1);
    all.families[0].clone()
}

/// K q + C (q − q_k)/h − f − Hᵀ r at the end of the step.
fn imbalance(step: &QuasiStatic, q: [f64; 2], r: &[f64]) -> f64 {
    let row = |i: usize| {
        let elastic: f64 = (0..2).map(|j| step.stiffness[i][j] * q[j]).sum();
        let viscous: f64 = (0..2).map(|j| step.viscosity[i][j] * (q[j] - step.q[j]) / step.step).sum();
        elastic + viscous - step.force[i] - step.H[0][i] * r[0] - step.H[1][i] * r[1]
    };
    row(0).abs().max(row(1).abs())
}

#[test]
fn ac11_4_4_2_both_levels_balance_forces_and_agree_in_contact() {
    for (force, mode) in [
        ([0.0, -3.0], Mode::Stick),
        ([1.0, -3.0], Mode::Stick),
        ([4.0, -3.0], Mode::SlipPos),
        ([-4.0, -3.0], Mode::SlipNeg),
        ([0.5, 3.0], Mode::TakeOff),
    ] {
        let q = [0.0, 0.0];
        let step = block(force, q, 0.25);
        // Contact is closed: gap (y, x) = 0.
        let velocity = only(&step.velocity_level(vec![0.0, 0.0]).unwrap());
        let position = only(&step.position_level(&[0.0, 0.0], &[q[1], q[0]]).unwrap());
        assert_eq!((velocity.modes[0], position.modes[0]), (mode, mode), "{force:?}");
        let (a, b) = (&velocity.vertices[0], &position.vertices[0]);
        for k in 0..2 {
            assert!((a.r[k] - b.r[k]).abs() < 1e-12, "{a:?} {b:?}");
            assert!((0.25 * a.u[k] - b.u[k]).abs() < 1e-12, "{a:?} {b:?}");
        }
        assert!(imbalance(&step, [q[0] + b.u[1], q[1] + b.u[0]], &b.r) < 1e-12);
    }
}

#[test]
fn position_level_closes_a_gap_exactly_where_velocity_level_stops_at_once() {
    // y = 0.125 above the ground, pressed down: at position level the gap ends at zero with the push of the rest.
    let step = block([0.0, -3.0], [0.5, 0.125], 0.25);
    let position = only(&step.position_level(&[0.0, 0.0], &[0.125, 0.5]).unwrap());
    let point = &position.vertices[0];
    assert_eq!(point.u[0], 0.0);
    assert!(point.r[0] > 0.0);
    // Tangential part of g̃ is the displacement of the step.
    let q = [0.5 + point.u[1], 0.0];
    assert!(imbalance(&step, q, &point.r) < 1e-12);
    // A light load does not close it.
    let light = block([0.0, 1.0], [0.5, 0.125], 0.25);
    assert_eq!(only(&light.position_level(&[0.0, 0.0], &[0.125, 0.5]).unwrap()).modes, [Mode::TakeOff]);
}

#[test]
fn a_body_that_is_free_to_move_is_refused() {
    let mut free = block([0.0, -1.0], [0.0, 0.0], 0.25);
    free.stiffness = vec![vec![0.0, 0.0], vec![0.0, 2.0]];
    free.viscosity = vec![vec![0.0, 0.0], vec![0.0, 0.0]];
    assert!(free.velocity_level(vec![0.0, 0.0]).is_err());
    free.viscosity.pop();
    assert!(free.position_level(&[0.0, 0.0], &[0.0, 0.0]).is_err());
}
