use super::{Velocity, impact, impact_without_collision};
use crate::contact::{Friction, Planar, Restitution};
use crate::num::Tol;

/// Uniform rod (m = l = 1) at angle θ from the horizontal.
fn rod(theta: f64) -> Planar {
    let (s, c) = theta.sin_cos();
    Planar::new(1.0 + 3.0 * s * s, 3.0 * s * c, 1.0 + 3.0 * c * c, 0.0, -1.0)
}

fn friction(mu: f64) -> Friction {
    Friction::new(mu).unwrap()
}

#[test]
fn frictionless_laws_agree() {
    for law in [Restitution::Newton(0.6), Restitution::Poisson(0.6), Restitution::Energetic(0.6)] {
        let pre = Velocity { u: 0.3, v: -2.0 };
        let hit = impact(&rod(1.0), friction(0.0), law, pre, &Tol::default()).unwrap();
        assert!((hit.post.v - 1.2).abs() < 1e-14, "{law:?} {hit:?}");
    }
}

#[test]
fn separating_contact_has_no_impact() {
    let pre = Velocity { u: 0.3, v: 2.0 };
    assert!(impact(&rod(1.0), friction(0.5), Restitution::Newton(0.5), pre, &Tol::default()).is_none());
}

#[test]
fn iwc_of_the_rod_ends_in_stick_with_the_closed_form() {
    // v_s = p+ u/k+, Poisson v⁺ = e (u/k+)(s_T + |p+|)
    let (planar, mu, u, e) = (rod(std::f64::consts::FRAC_PI_4), 2.5, 0.7, 0.4);
    let iwc =
        impact_without_collision(&planar, friction(mu), Restitution::Poisson(e), u, &Tol::default()).unwrap();
    let (p, k, s_T) = (2.5 - mu * 1.5, mu * 2.5 - 1.5, 4.0 / 2.5);
    assert!((iwc.post.v - e * (u / k) * (s_T - p)).abs() < 1e-14);
    assert!(iwc.post.u.abs() < 1e-15 && iwc.region == Some(5));
    // energetic: v⁺ = e |v_s| √(1 + s_T/|p+|)
    let iwc = impact_without_collision(&planar, friction(mu), Restitution::Energetic(e), u, &Tol::default())
        .unwrap();
    assert!((iwc.post.v - e * (p * u / k).abs() * (1.0 - s_T / p).sqrt()).abs() < 1e-14);
}

#[test]
fn no_iwc_without_paradox_or_with_newton() {
    let tol = Tol::default();
    let planar = rod(std::f64::consts::FRAC_PI_4);
    assert!(impact_without_collision(&planar, friction(1.0), Restitution::Poisson(0.5), 1.0, &tol).is_none());
    assert!(
        impact_without_collision(&planar, friction(2.5), Restitution::Poisson(0.5), -1.0, &tol).is_none()
    );
    assert!(impact_without_collision(&planar, friction(2.5), Restitution::Newton(0.5), 1.0, &tol).is_none());
}

#[test]
fn infinite_friction_is_the_limit_of_large_friction() {
    let tol = Tol::default();
    for law in [Restitution::Newton(0.7), Restitution::Poisson(0.7), Restitution::Energetic(0.7)] {
        for u in [-0.8, -0.1, 0.0, 0.4, 1.5] {
            let pre = Velocity { u, v: -1.0 };
            let limit = impact(&rod(0.9), Friction::INFINITE, law, pre, &tol).unwrap();
            let large = impact(&rod(0.9), friction(1e9), law, pre, &tol).unwrap();
            assert!((limit.post.v - large.post.v).abs() < 1e-7 && (limit.post.u - large.post.u).abs() < 1e-7);
        }
    }
}

#[test]
fn newton_can_gain_energy_and_says_so() {
    let pre = Velocity { u: 5.0, v: -0.1 };
    let tol = Tol::default();
    // a stopped slip drives the gap: Newton's v⁺ = −v⁻ takes no notice
    let planar = Planar::new(1.0, -0.9, 1.0, 0.0, 0.0);
    let gaining = (1..100).map(|i| Velocity { u: 0.01 * f64::from(i), v: -1.0 }).chain([pre]).any(|pre| {
        impact(&planar, friction(0.3), Restitution::Newton(1.0), pre, &tol)
            .is_some_and(|hit| hit.gains_energy)
    });
    assert!(gaining);
}
