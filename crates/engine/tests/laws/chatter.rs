//! Effective restitution against its closed forms, and the sequence of bounces against its own sum.

use super::contacts::{friction, law, planar, restitution};
use mechan_contact::contact::{Column, Mode, Planar, Restitution};
use mechan_engine::equilibrium::{ChatterKind, Sequence, Trigger, chatter, sequence, trigger};
use mechan_engine::impact::{Velocity, impact};
use mechan_engine::predict::{Consistency, Signs};
use mechan_num::Tol;
use proptest::prelude::*;

/// e_eff by the closed forms of [CV16 (29)], for stick after slip (a B > 0 not required).
fn closed_form(planar: &Planar, mu: f64, law: Restitution) -> Option<f64> {
    let planar = if planar.a < 0.0 { planar.mirrored() } else { *planar };
    let Planar { A, B, C, a, b, .. } = planar;
    let (p, k, s_T) = (C - mu * B, mu * A - B, (A * C - B * B) / A);
    if B.abs() >= mu * A || a == 0.0 {
        return None;
    }
    let rho = 2.0 * a / (b.abs() * k);
    let v_s = -1.0 + p * rho;
    let e = law.coefficient();
    match law {
        Restitution::Newton(e) => Some(e),
        Restitution::Poisson(e) if v_s < 0.0 => Some(e * (1.0 + (s_T - p) * rho)),
        Restitution::Poisson(e) if p * rho < 1.0 + e => Some(-1.0 + s_T * (1.0 + e) / p - (s_T - p) * rho),
        Restitution::Energetic(e) if v_s < 0.0 => {
            Some((e * e * (v_s * v_s + (s_T / p) * (1.0 - v_s * v_s))).sqrt())
        }
        Restitution::Energetic(e) if v_s < e => Some((v_s * v_s + (s_T / p) * (e * e - v_s * v_s)).sqrt()),
        Restitution::Poisson(_) | Restitution::Energetic(_) => Some(e),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn effective_restitution_has_its_closed_form(planar in planar(), mu in friction(), law_e in restitution()) {
        let found = chatter(&planar, law(mu), law_e, &Tol::default());
        prop_assert_eq!(found.is_some(), planar.b < 0.0);
        let p = if planar.a < 0.0 { planar.C + mu * planar.B } else { planar.C - mu * planar.B };
        prop_assume!(p.abs() > 1e-3);
        if let (Some(found), Some(expected)) = (found, closed_form(&planar, mu, law_e)) {
            prop_assert!((found.effective_restitution - expected).abs() < 1e-6 * (1.0 + expected), "{found:?} {expected}");
        }
    }

    #[test]
    fn elastic_chatter_grows_just_where_theory_says(planar in planar(), mu in friction()) {
        // e = 1: e_eff > 1 ⇔ b < 0, aB > 0, |B| < μA, σ+ < 0 < σ−
        let Planar { A, B, .. } = planar;
        let stick = Signs::of(&planar, law(mu), &Tol::default()).consistency(Mode::Stick, Column::II);
        let expected = planar.b < 0.0 && planar.a * B > 0.0 && B.abs() < mu * A && stick == Some(Consistency::Yes);
        for law_e in [Restitution::Poisson(1.0), Restitution::Energetic(1.0)] {
            let kind = chatter(&planar, law(mu), law_e, &Tol::default()).map(|found| found.kind);
            prop_assume!(kind != Some(ChatterKind::Marginal) || !expected);
            prop_assert_eq!(kind == Some(ChatterKind::Reverse), expected);
        }
    }

    #[test]
    fn growing_bounces_need_a_consistent_stick(planar in planar(), mu in friction(), law_e in restitution()) {
        let found = chatter(&planar, law(mu), law_e, &Tol::default());
        if found.is_some_and(|found| found.kind == ChatterKind::Reverse) {
            prop_assert_eq!(trigger(&planar, law(mu), law_e, &Tol::default()), Some(Trigger::Possible));
        }
    }

    #[test]
    fn zeno_time_is_the_sum_of_the_flights(
        planar in planar(), mu in friction(), law_e in restitution(), u in -9.0..9.0_f64
    ) {
        let (tol, pre) = (Tol::default(), Velocity { u, v: -0.3 });
        let Some(Sequence::Zeno { time, ratio, slip }) = sequence(&planar, law(mu), law_e, pre, &tol) else { return Ok(()) };
        prop_assume!(ratio < 0.99);
        let (mut w, mut sum, mut last) = (pre, 0.0, pre.u);
        for _ in 0..4000 {
            let post = impact(&planar, law(mu), law_e, w, &tol).unwrap().post;
            last = post.u;
            // what is left of the slip, too
            if post.v * (1.0 + (planar.a / planar.b).abs()) < 1e-9 {
                break;
            }
            let flight = 2.0 * post.v / planar.b.abs();
            sum += flight;
            w = Velocity { u: post.u + planar.a * flight, v: -post.v };
        }
        prop_assert!((time - sum).abs() < 1e-6 * (1.0 + sum), "{time} {sum}");
        prop_assert!((slip - last).abs() < 1e-6 * (1.0 + slip.abs()), "{slip} {last} {w:?}");
    }

    /// An impact that gives back next to nothing ends the slip: what is left of it before that impact is not what lasts.
    #[test]
    fn the_last_impact_may_end_the_slip(e in 1e-4..1e-3_f64) {
        let planar = Planar::new(5.142091064624554, 1.9381924307371767, 1.0, -2.457319536986544, -3.8774469437624286);
        let found = sequence(&planar, law(1.7984973304528524), Restitution::Energetic(e), Velocity { u: 8.52, v: -0.3 }, &Tol::default());
        prop_assert!(matches!(found, Some(Sequence::Zeno { slip, .. }) if slip.abs() < 1e-9), "{found:?}");
    }
}

#[test]
fn bouncing_ball_stops_at_the_known_time() {
    // drop with v = −1, b = −g: Σ 2 eⁿ/g = 2 e/(g (1 − e))
    let (g, e) = (9.81, 0.7);
    let ball = Planar::new(1.0, 0.0, 1.0, 0.0, -g);
    let found =
        sequence(&ball, law(0.3), Restitution::Newton(e), Velocity { u: 0.0, v: -1.0 }, &Tol::default());
    let Some(Sequence::Zeno { time, .. }) = found else { panic!("{found:?}") };
    assert!((time - 2.0 * e / (g * (1.0 - e))).abs() < 1e-12);
    let elastic =
        sequence(&ball, law(0.3), Restitution::Newton(1.0), Velocity { u: 0.0, v: -1.0 }, &Tol::default());
    assert_eq!(elastic, Some(Sequence::Persistent { ratio: 1.0 }));
}

#[test]
fn lifted_contact_has_no_chatter() {
    let lifted = Planar::new(1.0, 0.2, 1.0, 0.3, 0.5);
    assert_eq!(chatter(&lifted, law(0.5), Restitution::Poisson(0.5), &Tol::default()), None);
    assert_eq!(trigger(&lifted, law(0.5), Restitution::Poisson(0.5), &Tol::default()), None);
}
