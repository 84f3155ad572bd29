//! Impacts in the limit against the rigid energetic law, the recorded numbers, and energy.

use super::{FastImpact, Side, divide, fast_impact};
use crate::contact::{Compliance, Friction, Mode, Planar, Restitution, Slip};
use crate::impact::{Velocity, impact, impact_without_collision, kinetic_energy};
use crate::num::Tol;

/// The uniform rod with m = l = g = 1.
fn rod(theta: f64, omega: f64) -> Planar {
    let (s, c) = theta.sin_cos();
    let turn = omega * omega;
    Planar::new(1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c, -turn * c, turn * s - 1.0)
}

fn after(planar: &Planar, mu: f64, damping: f64, (u, v): (f64, f64)) -> FastImpact {
    let compliance = Compliance::new(1.0, damping).unwrap();
    fast_impact(planar, Friction::new(mu).unwrap(), compliance, Velocity { u, v }).unwrap()
}

#[test]
fn the_recorded_impact_without_collision_is_met() {
    let found = after(&rod(1.0, 0.0), 1.6, 0.5, (1.0, 0.0));
    assert!((found.post.v - 0.115_565_665).abs() < 5e-10, "{found:?}");
    assert_eq!((found.last, found.post.u), (Mode::Stick, 0.0));
}

/// Nearly without damping the compliant contact is the energetic law with e = 1.
#[test]
fn without_damping_the_energetic_law_with_e_1_follows() {
    let (tol, law) = (Tol::default(), Restitution::Energetic(1.0));
    for theta in [0.3, 0.8, 1.0, 1.3] {
        for mu in [0.0, 0.2, 1.0, 1.6, 3.0] {
            for (u, v) in [(1.0, 0.0), (1.0, -0.3), (0.2, -1.0), (-0.5, -1.0), (0.0, -1.0)] {
                let (planar, friction) = (rod(theta, 0.0), Friction::new(mu).unwrap());
                let rigid = match v {
                    0.0 => impact_without_collision(&planar, friction, law, u, &tol),
                    _ => impact(&planar, friction, law, Velocity { u, v }, &tol),
                };
                let compliance = Compliance::new(1.0, 1e-9).unwrap();
                let fast = fast_impact(&planar, friction, compliance, Velocity { u, v });
                let (Some(rigid), Some(fast)) = (rigid, fast) else {
                    assert!(rigid.is_none() && fast.is_none(), "{theta} {mu} {u} {v}");
                    continue;
                };
                let miss = (rigid.post.v - fast.post.v).abs() + (rigid.post.u - fast.post.u).abs();
                assert!(miss < 1e-7, "{theta} {mu} {u} {v}: {rigid:?} {fast:?}");
            }
        }
    }
}

#[test]
fn more_damping_rebounds_more_slowly_and_no_energy_is_gained() {
    let planar = rod(1.0, 0.0);
    for (u, v) in [(1.0, 0.0), (1.0, -1.0), (0.1, -1.0), (-1.0, -0.5)] {
        let start = kinetic_energy(&planar, Velocity { u, v });
        let mut before = f64::INFINITY;
        for damping in [1e-6, 0.1, 0.5, 1.0, 2.0, 10.0] {
            let post = after(&planar, 1.6, damping, (u, v)).post;
            assert!(kinetic_energy(&planar, post) <= start * (1.0 + 1e-14), "{u} {v} {damping}");
            assert!(0.0 <= post.v && post.v < before, "{u} {v} {damping}");
            before = post.v;
        }
    }
}

#[test]
fn the_mirror_image_of_an_impact_is_the_impact_of_the_mirror_image() {
    let planar = rod(0.9, 0.0);
    for (u, v) in [(1.0, 0.0), (0.3, -0.7), (-0.3, -0.7)] {
        let friction = Friction::new(1.7).unwrap();
        let compliance = Compliance::new(2.0, 0.7).unwrap();
        let found = fast_impact(&planar, friction, compliance, Velocity { u, v });
        let mirrored = fast_impact(&planar.mirrored(), friction, compliance, Velocity { u: -u, v });
        let velocity = |found: Option<FastImpact>| found.map(|found| found.post);
        let expected = velocity(found).map(|post| Velocity { u: 0.0 - post.u, v: post.v });
        assert_eq!(velocity(mirrored).map(|post| Velocity { u: post.u + 0.0, ..post }), expected);
    }
}

/// From velocities in between, slip ends in the impulse where the rigid line says.
#[test]
fn slip_ends_at_the_rigid_impulse() {
    let (planar, mu) = (rod(1.0, 0.0), 0.4);
    let friction = Friction::new(mu).unwrap();
    let (p, k) = (planar.normal_gain(friction, Slip::Pos), planar.slip_gain(friction, Slip::Pos));
    let found = after(&planar, mu, 0.5, (0.05, -1.0));
    assert!(k < 0.0 || (found.rest.unwrap() - (-1.0 + p * 0.05 / k)).abs() < 1e-15);
}

#[test]
fn the_divide_is_the_stable_manifold() {
    // θ = 1, θ̇ = 2: b > 0 and p₊ < 0 at μ = 1.6
    let planar = rod(1.0, 2.0);
    let (friction, compliance) = (Friction::new(1.6).unwrap(), Compliance::new(2.0, 0.5).unwrap());
    let line = divide(&planar, friction, Slip::Pos, compliance).unwrap();
    let p = planar.normal_gain(friction, Slip::Pos);
    // the saddle carries b, and the line is invariant: V′ = Λ₂ V on it
    assert!((planar.b - p * 2.0 * line.equilibrium).abs() < 1e-14);
    let Y = 0.5 * line.equilibrium;
    let V = line.eigenvalues[1] * (Y - line.equilibrium);
    let rate = planar.b - p * (2.0 * Y + 0.5 * V);
    assert!((rate - line.eigenvalues[1] * V).abs() < 1e-13);
    assert!(line.above([Y, V]).abs() < 1e-15);
    assert!(line.above([0.0, line.approach()]).abs() < 1e-15 && line.approach() < 0.0);
    assert_eq!(line.side([0.0, 0.0]), Side::LiftOff);
    assert_eq!(line.side([2.0 * line.equilibrium, 0.0]), Side::Impact);
    assert_eq!(line.side([1.0, 0.9 * line.approach()]), Side::LiftOff);
    assert!(divide(&planar, friction, Slip::Neg, compliance).is_none());
}
