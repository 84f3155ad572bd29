//! Motions past the poles of their angles: of a rod that flies, whose axis follows a great circle, and of one whose motion is that of the plane.

use super::{Mover, assert_near, column, last};
use mechan::simulate::trajectory::Status;

/// The axis of the rod at angles.
fn axis(psi: f64, theta: f64) -> [f64; 3] {
    [psi.cos() * theta.cos(), psi.sin() * theta.cos(), -theta.sin()]
}

/// Without forces the axis of a rod turns about a fixed direction: u(t) = u₀ cos ωt + u̇₀/ω sin ωt, however near to the pole it passes.
#[test]
fn the_axis_of_a_rod_that_flies_follows_a_great_circle() {
    let rod = Mover::kept("rod_3d");
    let (start, spin, end) = (0.3_f64, 2.0, 3.0);
    for turn in [0.0, 1e-16, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-3, 0.1] {
        let set = [
            "z=1000",
            &format!("theta={start}"),
            "psi=0",
            &format!("dot(psi)={turn:e}"),
            &format!("dot(theta)={spin}"),
            "dot(x)=0",
            "dot(y)=0",
            "dot(z)=0",
        ];
        let trajectory = rod.run("across", &set, end);
        assert_eq!(trajectory.status, Status::End, "{turn:e}: {:?}", trajectory.reason);
        let found = axis(last(&trajectory, "psi")[0], last(&trajectory, "theta")[0]);
        let rate = [-spin * start.sin(), turn * start.cos(), -spin * start.cos()];
        let omega = (spin * spin + (turn * start.cos()).powi(2)).sqrt();
        let from = axis(0.0, start);
        for k in 0..3 {
            let expected = from[k] * (omega * end).cos() + rate[k] / omega * (omega * end).sin();
            // what rounding leaves of a passage at 1e-8
            assert!((found[k] - expected).abs() < 1e-6, "{turn:e}: {found:?} at {k}, not {expected}");
        }
        assert!(trajectory.energy.defect.0.abs() < 1e-6, "{turn:e}: {:?}", trajectory.energy);
        assert!(trajectory.work.steps < 2000, "{turn:e}: {}", trajectory.work.steps);
    }
}

/// The rod of the shipped file falls, strikes, comes to rest, slips, sticks and hangs over in its plane, whose heading has no meaning at the
/// vertical: past it the motion is that of the rod of the plane.
#[test]
fn a_rod_that_stays_in_its_plane_passes_the_vertical() {
    let trajectory = Mover::kept("rod_3d").run("inconsistent", &[], 4.6);
    assert_eq!(trajectory.status, Status::End, "{:?}", trajectory.reason);
    assert!(trajectory.energy.defect.0.abs() < 1e-8, "{:?}", trajectory.energy);
    let (psi, theta) = (column(&trajectory, "psi"), column(&trajectory, "theta"));
    assert!(theta.iter().zip(&theta[1..]).all(|(one, next)| next > one), "the rod turns on");
    assert!(psi.iter().all(|psi| psi.abs() < 1e-6), "and does not leave its plane");
    assert!(theta[theta.len() - 1] > 1.5 * std::f64::consts::PI + 0.5);
    // the same by the equations of the plane
    let flat = Mover::of("tests/simulate/models/rod_of_the_plane.json");
    let (theta, z) = (format!("theta={}", 2.0_f64.atan()), format!("z={}", 2.0_f64.atan().sin()));
    let set = ["mu=3/2", &theta, &z, "dot(x)=1", "dot(theta)=0"];
    let plane = flat.run("thrown", &set, 0.9);
    let early = Mover::kept("rod_3d").run("inconsistent", &[], 0.9);
    for name in ["x", "z", "theta"] {
        assert_near(last(&early, name)[0], last(&plane, name)[0], 1e-9);
    }
}
