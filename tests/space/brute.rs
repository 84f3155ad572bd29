//! Slip from rest by scanning directions: in each, λ_N, λ_T, the acceleration along the slip and v̇ = 0 are one linear system, solved
//! by elimination, and what is left over across the slip changes its sign where slip can set in.

use crate::random::{Dice, word};
use mechan::analysis::space::{Contact, SpaceMode, modes};
use mechan::num::Tol;
use mechan::predict::{Consistency, ModeName, Stability};
use nalgebra::{Matrix4, Vector4};
use std::f64::consts::TAU;

const DIRECTIONS: usize = 1500;

/// (λ_N, û·u̇, û⊥·u̇) of slip along φ, from the unknowns λ_N, λ_T1, λ_T2, û·u̇.
fn at(contact: &Contact, phi: f64) -> [f64; 3] {
    let (n, mu, (s, c)) = (&contact.numbers, contact.friction.mu(), phi.sin_cos());
    let along = |x: [f64; 2]| c * x[0] + s * x[1];
    let A = [along(n.A[0]), along(n.A[1])];
    let system = Matrix4::new(
        n.C,
        n.B[0],
        n.B[1],
        0.0, //
        mu * c,
        1.0,
        0.0,
        0.0, //
        mu * s,
        0.0,
        1.0,
        0.0, //
        along(n.B),
        A[0],
        A[1],
        -1.0,
    );
    // at a pole of λ_N there is no solution
    let none = Vector4::repeat(f64::NAN);
    let x = system.lu().solve(&Vector4::new(-n.b, 0.0, 0.0, -along(n.a))).unwrap_or(none);
    let u = [0, 1].map(|i| n.a[i] + n.B[i] * x[0] + n.A[i][0] * x[1] + n.A[i][1] * x[2]);
    [x[0], x[3], c * u[1] - s * u[0]]
}

/// Directions with λ_N > 0 and û·u̇ > 0.
fn scanned(contact: &Contact) -> Vec<f64> {
    let angle = |i: usize| TAU * (i as f64 + 0.37) / DIRECTIONS as f64;
    let across = |phi: f64| at(contact, phi)[2];
    let mut found = Vec::new();
    for i in 0..DIRECTIONS {
        let (mut low, mut high) = (angle(i), angle(i + 1));
        let rises = across(high) > 0.0;
        if (across(low) > 0.0) == rises {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if (across(middle) > 0.0) == rises { high = middle } else { low = middle }
        }
        let [N, rise, left] = at(contact, high);
        // a pole of λ_N changes the sign, too
        if left.abs() < 1e-6 * (1.0 + rise.abs()) && N > 0.0 && rise > 0.0 {
            found.push(high);
        }
    }
    found
}

fn holds(mode: &SpaceMode, name: ModeName) -> bool {
    word(mode) == name && mode.judged.consistency == Consistency::Yes
}

#[test]
fn no_direction_of_slip_is_missed_and_none_is_invented() {
    let (mut dice, tol) = (Dice(1), Tol::default());
    let mut seen = [0; 2];
    for run in 0..200 {
        let contact = dice.at_rest();
        let (reports, onset) = modes(&contact, &tol);
        assert!(onset.unwrap().complete, "run {run}");
        let found: Vec<f64> = reports
            .iter()
            .filter(|mode| holds(mode, ModeName::SLIP))
            .filter_map(|mode| mode.direction)
            .collect();
        let expected = scanned(&contact);
        assert_eq!(found.len(), expected.len(), "run {run}: {contact:?} {found:?} {expected:?}");
        for phi in &expected {
            assert!(found.iter().any(|x| (0.5 * (x - phi)).sin().abs() < 1e-8), "run {run}: {found:?} {phi}");
        }
        seen[found.len()] += 1;
    }
    // the sample has contacts that cannot slip and contacts that can; none has a choice of directions
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

/// Stick by the definition of the cone on a grid of forces: somewhere in its interior all accelerations vanish.
#[test]
fn sticking_forces_lie_in_the_cone() {
    let (mut dice, tol) = (Dice(2), Tol::default());
    let mut sticks = 0;
    for _ in 0..400 {
        let contact = dice.at_rest();
        let (reports, _) = modes(&contact, &tol);
        let n = &contact.numbers;
        let D = nalgebra::Matrix3::new(
            n.C, n.B[0], n.B[1], n.B[0], n.A[0][0], n.A[0][1], n.B[1], n.A[1][0], n.A[1][1],
        );
        let force = D.cholesky().unwrap().solve(&nalgebra::Vector3::new(-n.b, -n.a[0], -n.a[1]));
        let inside = force[0] > 0.0 && force[1].hypot(force[2]) < contact.friction.mu() * force[0];
        assert_eq!(reports.iter().any(|mode| holds(mode, ModeName::STICK)), inside);
        sticks += usize::from(inside);
    }
    assert!(sticks > 20);
}

/// A small slip at a contact that sticks, integrated: it stops if it is said to, and grows if it is said to.
#[test]
fn tangential_stability_is_that_of_small_slips() {
    let (mut dice, tol) = (Dice(3), Tol::default());
    let mut seen = [0, 0];
    for _ in 0..400 {
        let contact = dice.at_rest();
        let (reports, _) = modes(&contact, &tol);
        let Some(stick) = reports.iter().find(|mode| holds(mode, ModeName::STICK)) else { continue };
        let steady = match stick.tangential {
            Some(Stability::Stable) => true,
            Some(Stability::Unstable) => false,
            _ => continue,
        };
        seen[usize::from(steady)] += 1;
        let grows = (0..7).any(|k| grown(&contact, f64::from(k)));
        assert_eq!(grows, !steady, "{contact:?}");
    }
    assert!(seen[1] > 5, "{seen:?}");
}

/// Whether slip from a direction grows by e⁸ before it shrinks by e⁻⁴⁰, in the time dt/‖u‖ by RK4.
fn grown(contact: &Contact, start: f64) -> bool {
    let rate = |phi: f64| {
        let [_, along, across] = at(contact, phi);
        (across, along)
    };
    let (mut phi, mut growth) = (start, 0.0);
    for _ in 0..2_000_000 {
        let (turn, grow) = rate(phi);
        let h = 0.05 / (turn.abs() + grow.abs());
        let (k2, g2) = rate(phi + 0.5 * h * turn);
        let (k3, g3) = rate(phi + 0.5 * h * k2);
        let (k4, g4) = rate(phi + h * k3);
        phi += h / 6.0 * (turn + 2.0 * k2 + 2.0 * k3 + k4);
        growth += h / 6.0 * (grow + 2.0 * g2 + 2.0 * g3 + g4);
        if !(-40.0..8.0).contains(&growth) {
            return growth > 0.0;
        }
    }
    panic!("neither grown nor shrunk: {contact:?}")
}
