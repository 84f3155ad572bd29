//! The falling pencil of [UCD]: sticking motion, end of stick, and the separation paradox (4.14).
//! The pencil stands at angle φ from the vertical and falls towards −x; as a rod, θ = π/2 − φ with the tip at +x.

use crate::derived_rod;
use crate::rod::Rod;
use mechan::analysis::planar::{Point, Release};
use mechan::contact::{Friction, Slip};
use mechan::num::Tol;
use mechan::simulate::{NoSlip, Span, StickMotion, Sticking};
use std::f64::consts::FRAC_PI_2;

/// Sticking fall from φ₀ with the rate ω₀ at φ = 0.
fn fall(rod: Rod, friction: Friction, omega0: f64) -> StickMotion {
    let phi0 = 0.05_f64;
    let share = rod.m * rod.l * rod.l / (rod.I + rod.m * rod.l * rod.l);
    // φ̇² = ω₀² + 2α₄(g/l)(1 − cos φ)   [UCD (4.10)]
    let rate = (omega0 * omega0 + 2.0 * share * rod.g / rod.l * (1.0 - phi0.cos())).sqrt();
    let (q, v) = rod.slipping(FRAC_PI_2 - phi0, 0.0, -rate);
    let span = Span { duration: 8.0, samples: 400 };
    let motion = NoSlip::new(&derived_rod::model());
    let sticking = Sticking { contact: 0, friction, parameters: &[1.0 / rod.I] };
    motion.follow(sticking, Point { t: 0.0, q: &q, v: &v }, span, &Tol::default()).unwrap()
}

fn rod(alpha: f64) -> Rod {
    Rod { I: 1.0 / alpha, ..Rod::UNIFORM }
}

/// Larger root z = cos φ of −3α₄z² + (2α₄ + ω₀²l/g)z + (α₄ − 1) = 0.
fn separation_cosine(share: f64, omega0: f64) -> Option<f64> {
    let (a, b, c) = (-3.0 * share, 2.0 * share + omega0 * omega0, share - 1.0);
    let discriminant = b * b - 4.0 * a * c;
    (discriminant >= 0.0).then(|| (-b - discriminant.sqrt()) / (2.0 * a))
}

#[test]
fn forces_along_the_fall_are_those_of_4_11() {
    let motion = fall(rod(3.0), Friction::INFINITE, 0.3);
    let mut checked = 0;
    for sample in motion.samples.iter().filter(|sample| sample.q[2] > 0.0) {
        let (z, s) = ((FRAC_PI_2 - sample.q[2]).cos(), (FRAC_PI_2 - sample.q[2]).sin());
        let (share, omega2) = (0.75, 0.09);
        let normal = 1.0 - share * (1.0 + 2.0 * z - 3.0 * z * z) - omega2 * z;
        let tangential = share * s * (2.0 - 3.0 * z) + omega2 * s;
        assert!((sample.lambda_N - normal).abs() < 1e-10, "{sample:?} {normal}");
        assert!((sample.lambda_T - tangential).abs() < 1e-10, "{sample:?} {tangential}");
        checked += 1;
    }
    assert!(checked > 50);
}

#[test]
fn normal_force_vanishes_where_4_11_says_and_release_is_a_paradox() {
    // [UCD (4.12)-(4.14)]: for α₄ ≥ 3/4 and slow starts, and for any α₄ with enough ω₀
    for (alpha, omega0) in [(4.0, 0.0), (9.0, 0.0), (3.0, 0.5), (1.0, 0.95)] {
        let share = alpha / (1.0 + alpha);
        let motion = fall(rod(alpha), Friction::INFINITE, omega0);
        let separation = motion.separation.unwrap();
        let phi = FRAC_PI_2 - separation.state.q[2];
        let z = separation_cosine(share, omega0).unwrap();
        assert!((phi.cos() - z).abs() < 1e-9, "{alpha} {omega0} {} {z}", phi.cos());
        assert_eq!(separation.release, Release::Paradox);
        // ÿ(t_s+) = l φ̇² z − g   [UCD (4.13)]
        let rate2 = omega0 * omega0 + 2.0 * share * (1.0 - z);
        assert!((separation.state.free_gap_acceleration - (rate2 * z - 1.0)).abs() < 1e-9);
        assert!(motion.cone_exit.is_none());
    }
}

#[test]
fn light_ends_never_lift() {
    // α₄ = 1/2 < 3/4 from rest: λ_N > 0 down to the horizontal
    let motion = fall(rod(1.0), Friction::INFINITE, 0.0);
    let lying = motion.samples.iter().take_while(|sample| sample.q[2] > 0.0);
    assert!(lying.clone().count() > 50 && lying.clone().all(|sample| sample.lambda_N > 0.0));
}

#[test]
fn slip_direction_changes_at_the_critical_friction() {
    // uniform pencil from rest: slips away from the fall (+x) for μ < μ* = 0.3705794133, with it for larger μ
    let slip = |mu: f64| fall(rod(3.0), Friction::new(mu).unwrap(), 0.0).cone_exit.map(|exit| exit.slip);
    let (mut lo, mut hi) = (0.3, 0.4);
    assert_eq!((slip(lo), slip(hi)), (Some(Slip::Pos), Some(Slip::Neg)));
    for _ in 0..32 {
        let mu = 0.5 * (lo + hi);
        if slip(mu) == Some(Slip::Pos) { lo = mu } else { hi = mu }
    }
    assert!((lo - 0.370_579_413_3).abs() < 1e-9, "{lo}");
}

#[test]
fn cone_exit_lies_on_the_cone() {
    for mu in [0.1, 0.3, 0.6, 1.5] {
        let exit = fall(rod(3.0), Friction::new(mu).unwrap(), 0.0).cone_exit.unwrap();
        assert!((exit.state.lambda_T.abs() - mu * exit.state.lambda_N).abs() < 1e-11, "{mu} {exit:?}");
    }
}
