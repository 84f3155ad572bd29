//! Impacts against 25 digits (`reference.py`, mpmath), and against what no law may break.

use crate::random::Dice;
use mechan::contact::space::{Approach, Spatial};
use mechan::contact::{Friction, Restitution};
use mechan::num::Tol;

fn law(name: &str) -> Restitution {
    match name {
        "newton" => Restitution::Newton(0.5),
        "poisson" => Restitution::Poisson(0.5),
        _ => Restitution::Energetic(0.5),
    }
}

#[test]
fn impacts_agree_with_25_digits() {
    let mut cases = 0;
    for line in include_str!("impacts.csv").lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let x: Vec<f64> = cells[2..].iter().map(|cell| cell.parse().unwrap()).collect();
        let [mu, Axx, Axy, Ayy, B1, B2, C, u1, u2, v] = x[..10].try_into().unwrap();
        let contact = Spatial::new([[Axx, Axy], [Axy, Ayy]], [B1, B2], C, [0.0; 2], -1.0);
        let friction = Friction::new(mu).unwrap();
        let hit = contact.impact(friction, law(cells[1]), [u1, u2], Approach::Rate(v), &Tol::default());
        let hit = hit.unwrap_or_else(|| panic!("{line}"));
        let found = [hit.slip[0], hit.slip[1], hit.rebound, hit.normal];
        for (found, expected) in found.iter().zip(&x[10..]) {
            assert!((found - expected).abs() < 1e-13, "{line}: {found} instead of {expected}");
        }
        cases += 1;
    }
    assert!(cases > 20);
}

/// The laws at their word, by the definition of compression and restitution; friction takes energy; Newton alone may add some.
#[test]
fn laws_hold_on_random_contacts() {
    let mut dice = Dice(31);
    for run in 0..500 {
        let (contact, friction) = (dice.numbers(), dice.friction());
        let (u, v, e) = ([dice.roll(), dice.roll()], -0.05 - dice.roll().abs(), 0.5 + 0.5 * dice.roll());
        let hit = |law| contact.impact(friction, law, u, Approach::Rate(v), &Tol::default()).unwrap();
        let newton = hit(Restitution::Newton(e));
        assert!((newton.rebound + e * v).abs() < 1e-12, "run {run}");
        let dead = hit(Restitution::Poisson(0.0));
        assert!(dead.rebound.abs() < 1e-12);
        let poisson = hit(Restitution::Poisson(e));
        if poisson.compressions == 1 {
            assert!(
                (poisson.normal - (1.0 + e) * dead.normal).abs() < 1e-12 * (1.0 + dead.normal),
                "run {run}"
            );
        }
        for hit in [&poisson, &hit(Restitution::Energetic(e))] {
            assert!(hit.rebound >= 0.0 && hit.energy_loss > -1e-12, "run {run}: {hit:?}");
            let held = hit.tangential[0].hypot(hit.tangential[1]);
            assert!(held <= friction.mu() * hit.normal * (1.0 + 1e-12), "run {run}");
        }
        // T of the velocities before and after
        let kinetic = |u: [f64; 2], v: f64| {
            let D = nalgebra::Matrix3::new(
                contact.A[0][0],
                contact.A[0][1],
                contact.B[0],
                contact.A[1][0],
                contact.A[1][1],
                contact.B[1],
                contact.B[0],
                contact.B[1],
                contact.C,
            );
            let w = nalgebra::Vector3::new(u[0], u[1], v);
            0.5 * w.dot(&D.cholesky().unwrap().solve(&w))
        };
        let loss = kinetic(u, v) - kinetic(poisson.slip, poisson.rebound);
        assert!((loss - poisson.energy_loss).abs() < 1e-10 * (1.0 + kinetic(u, v)), "run {run}");
    }
}
