//! Impact maps against an integration in impulse time that knows no transitions: each small step solves Coulomb's
//! law implicitly, λ_T = clamp(what would stop the slip, ±μ); and the laws of energy, symmetry and momentum.

use super::contacts::{friction, law, planar, restitution};
use mechan_contact::contact::{Planar, Restitution};
use mechan_engine::impact::{Impact, Velocity, impact, impact_without_collision};
use mechan_num::Tol;
use proptest::prelude::*;

const STEPS: f64 = 20_000.0;

/// What an integration in impulse time saw.
struct Trace {
    post: Velocity,
    /// Gap rate when the slip first left its direction, if it did.
    turned_at: Option<f64>,
}

/// An impact by steps `dP` of normal impulse.
fn integrate(planar: &Planar, mu: f64, restitution: Restitution, pre: Velocity, dP: f64) -> Option<Trace> {
    let (mut u, mut v, mut turned_at) = (pre.u, pre.v, None);
    let (mut P, mut P_c, mut work, mut work_c) = (0.0, f64::INFINITY, 0.0, 0.0_f64);
    for step in 0..(60.0 * STEPS) as usize {
        let friction = (-(u / dP + planar.B) / planar.A).clamp(-mu, mu);
        let dv = (planar.B * friction + planar.C) * dP;
        u += (planar.A * friction + planar.B) * dP;
        work += (v + 0.5 * dv) * dP;
        v += dv;
        P += dP;
        if turned_at.is_none() && u * pre.u <= 1e-12 * pre.u * pre.u {
            turned_at = Some(v);
        }
        if v < 0.0 || (step == 0 && dv <= 0.0) {
            (P_c, work_c) = (P, work);
            continue;
        }
        if P_c.is_infinite() {
            (P_c, work_c) = (P, work);
        }
        let done = match restitution {
            Restitution::Newton(e) => v >= -e * pre.v,
            Restitution::Poisson(e) => P >= (1.0 + e) * P_c,
            Restitution::Energetic(e) => work - work_c >= -e * e * work_c,
        };
        if done {
            return Some(Trace { post: Velocity { u, v }, turned_at });
        }
    }
    None
}

fn velocity() -> impl Strategy<Value = Velocity> {
    let u = prop_oneof![1 => Just(0.0), 6 => -3.0..3.0_f64];
    (u, -3.0..-0.02_f64).prop_map(|(u, v)| Velocity { u, v })
}

fn check(planar: &Planar, mu: f64, hit: &Impact) -> Result<(), TestCaseError> {
    let reference = integrate(planar, mu, hit.restitution, hit.pre, hit.impulse.N / STEPS);
    let Some(Trace { post: reference, .. }) = reference else {
        return Err(TestCaseError::fail(format!("the integration does not end: {hit:?}")));
    };
    let size = hit.pre.u.abs() + hit.pre.v.abs() + hit.post.v + (planar.A + planar.C) * hit.impulse.N;
    let close = |x: f64, y: f64| (x - y).abs() < 1e-3 * size;
    prop_assert!(close(hit.post.u, reference.u) && close(hit.post.v, reference.v), "{hit:?} {reference:?}");
    Ok(())
}

/// ∫ v dP_N + u dP_T along the phases, exact on straight pieces.
fn work(hit: &Impact) -> f64 {
    let mut start = hit.pre;
    [Some(hit.first), hit.second].into_iter().flatten().fold(0.0, |sum, phase| {
        let piece =
            0.5 * (start.v + phase.end.v) * phase.impulse.N + 0.5 * (start.u + phase.end.u) * phase.impulse.T;
        start = phase.end;
        sum + piece
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn maps_agree_with_integration(planar in planar(), mu in friction(), law_e in restitution(), pre in velocity()) {
        let Some(hit) = impact(&planar, law(mu), law_e, pre, &Tol::default()) else {
            return Err(TestCaseError::fail("an approaching contact must collide"));
        };
        check(&planar, mu, &hit)?;
    }

    #[test]
    fn iwc_agrees_with_integration(planar in planar(), mu in 0.5..6.0_f64, law_e in restitution(), u in 0.1..2.0_f64) {
        let u = u.copysign(planar.B);
        if let Some(hit) = impact_without_collision(&planar, law(mu), law_e, u, &Tol::default()) {
            prop_assert!(mu * planar.B.abs() > planar.C && !matches!(law_e, Restitution::Newton(_)));
            check(&planar, mu, &hit)?;
            prop_assert!(hit.post.u.abs() < 1e-12 * u.abs());
        } else {
            prop_assert!(mu * planar.B.abs() <= planar.C || matches!(law_e, Restitution::Newton(_)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn momentum_and_work_balance(planar in planar(), mu in friction(), law_e in restitution(), pre in velocity()) {
        let Some(hit) = impact(&planar, law(mu), law_e, pre, &Tol::default()) else {
            return Err(TestCaseError::fail("an approaching contact must collide"));
        };
        let du = planar.A * hit.impulse.T + planar.B * hit.impulse.N;
        let dv = planar.B * hit.impulse.T + planar.C * hit.impulse.N;
        let size = 1.0 + (planar.A + planar.C) * (hit.impulse.N + hit.impulse.T.abs());
        prop_assert!((hit.post.u - pre.u - du).abs() < 1e-10 * size, "{hit:?}");
        prop_assert!((hit.post.v - pre.v - dv).abs() < 1e-10 * size, "{hit:?}");
        let scale = (planar.C + planar.A) * size * size / planar.determinant();
        prop_assert!((work(&hit) + hit.energy_loss).abs() < 1e-10 * scale, "{hit:?}");
        prop_assert!(hit.impulse.T.abs() <= mu * hit.impulse.N * (1.0 + 1e-12));
        prop_assert!(hit.post.v >= 0.0 && hit.compression <= hit.impulse.N * (1.0 + 1e-12));
    }

    #[test]
    fn only_newton_gains_energy(planar in planar(), mu in friction(), law_e in restitution(), pre in velocity()) {
        let hit = impact(&planar, law(mu), law_e, pre, &Tol::default()).unwrap();
        prop_assert!(!hit.gains_energy || matches!(law_e, Restitution::Newton(_)), "{hit:?}");
    }

    #[test]
    fn each_law_keeps_its_definition(planar in planar(), mu in friction(), e in 0.0..1.0_f64, pre in velocity()) {
        let hit = |law_e| impact(&planar, law(mu), law_e, pre, &Tol::default()).unwrap();
        let newton = hit(Restitution::Newton(e));
        prop_assert!((newton.post.v + e * pre.v).abs() < 1e-12);
        let poisson = hit(Restitution::Poisson(e));
        prop_assert!((poisson.impulse.N - (1.0 + e) * poisson.compression).abs() < 1e-9 * (1.0 + poisson.impulse.N));
    }

    #[test]
    fn the_mirror_image_mirrors_the_impact(planar in planar(), mu in friction(), law_e in restitution(), pre in velocity()) {
        let tol = Tol::default();
        let hit = impact(&planar, law(mu), law_e, pre, &tol).unwrap();
        let image = impact(&planar.mirrored(), law(mu), law_e, Velocity { u: -pre.u, ..pre }, &tol).unwrap();
        prop_assert!((hit.post.u + image.post.u).abs() < 1e-14);
        prop_assert!(hit.post.v.to_bits() == image.post.v.to_bits());
        let even_odd = |region: u8| if region % 2 == 1 { region + 1 } else { region - 1 };
        prop_assert_eq!(hit.region.map(even_odd), image.region);
    }

    #[test]
    fn the_map_is_continuous(planar in planar(), mu in friction(), law_e in restitution(), pre in velocity()) {
        let tol = Tol::default();
        let at = |u: f64| impact(&planar, law(mu), law_e, Velocity { u, ..pre }, &tol).unwrap().post;
        let (here, near) = (at(pre.u), at(pre.u + 1e-9));
        // the map is Lipschitz up to the square root of the energetic law at v⁺ = 0
        let size = 1e3 / (1.0 - planar.B * planar.B / (planar.A * planar.C));
        prop_assert!((here.u - near.u).abs() < 1e-4 * size && (here.v - near.v).abs() < 1e-4 * size);
    }
}

/// The region of Fig. 10 as the integration saw it: whether and when the slip left its direction, and what it did then.
/// None on a boundary, as far as steps can tell, and without slip before.
fn region_seen(planar: &Planar, mu: f64, hit: &Impact) -> Option<u8> {
    let trace = integrate(planar, mu, hit.restitution, hit.pre, hit.impulse.N / STEPS)?;
    let speed = hit.pre.u.abs() + hit.pre.v.abs() + hit.post.v + (planar.A + planar.C) * hit.impulse.N;
    let odd = match trace.turned_at {
        None if trace.post.u.abs() < 1e-2 * speed => return None,
        None => 1,
        Some(v) if v.abs() < 1e-2 * speed || (v - trace.post.v).abs() < 1e-2 * speed => return None,
        Some(v) => {
            let sticks = trace.post.u.abs() < 1e-9 * speed;
            let reverses = trace.post.u.abs() > 1e-3 * speed;
            match (sticks, reverses) {
                (true, _) => {
                    if v < 0.0 {
                        5
                    } else {
                        3
                    }
                }
                (_, true) => {
                    if v < 0.0 {
                        9
                    } else {
                        7
                    }
                }
                _ => return None,
            }
        }
    };
    (hit.pre.u != 0.0).then(|| odd + u8::from(hit.pre.u < 0.0))
}

/// Every region is reached, and is what the integration sees.
#[test]
fn regions_are_what_the_integration_sees() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, TestRunner};
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let mut seen = std::collections::BTreeMap::<u8, usize>::new();
    for _ in 0..1500 {
        let drawn =
            (planar(), friction(), restitution(), velocity()).new_tree(&mut runner).unwrap().current();
        let (planar, mu, law_e, pre) = drawn;
        let hit = impact(&planar, law(mu), law_e, pre, &Tol::default()).unwrap();
        let Some(expected) = region_seen(&planar, mu, &hit) else { continue };
        assert_eq!(hit.region, Some(expected), "{planar:?} {mu} {hit:?}");
        *seen.entry(expected).or_default() += 1;
    }
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), (1..=10).collect::<Vec<u8>>(), "{seen:?}");
}
