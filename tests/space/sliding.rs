//! Bodies that slide on many feet: what is refuted together against each combination by itself.

use crate::body::{Foot, System, gravity, standing, stool};
use crate::random::Dice;
use mechan::num::Tol;
use mechan::predict::{Consistency, Judgement, Mode, Verdict};

/// A body that moves along a floor and turns on it on feet at random places, some of which it presses down, under a load that may tip it.
fn sliding(dice: &mut Dice, feet: usize) -> System {
    let mu = 0.4 * (1.0 + dice.roll());
    let mut at = |_: usize| [dice.roll(), dice.roll(), -0.5];
    let places: Vec<[f64; 3]> = (0..feet).map(&mut at).collect();
    let bodies: Vec<Foot> = places.iter().map(|&at| Foot::on_floor(at, mu)).collect();
    let load = [0.8 * dice.roll(), 0.8 * dice.roll(), -1.0];
    let mut system = standing(&bodies, [0.3, 0.4, 0.5], load, [0.0; 3]);
    let (along, spin) = ([dice.roll(), dice.roll()], if dice.roll() > 0.0 { dice.roll() } else { 0.0 });
    let slip = |at: &[f64; 3]| {
        // the second tangent is y
        let [u, w] = [along[0] - spin * at[1], along[1] + spin * at[0]];
        Some([u / u.hypot(w), w / u.hypot(w)])
    };
    system.along = places.iter().map(slip).collect();
    system
}

/// All combinations, each by itself.
fn each(system: &System, tol: &Tol) -> Vec<Judgement> {
    let contacts = system.contacts();
    let modes = |number: usize| -> Vec<Mode> {
        let slips = |i: usize| Mode::Slip { along: system.along[i].unwrap(), side: 1.0 };
        (0..system.mu.len()).map(|i| if number >> i & 1 == 1 { slips(i) } else { Mode::Free }).collect()
    };
    let all = (0..1_usize << system.mu.len()).map(|number| contacts.judge(&modes(number), tol));
    all.filter(|judged| judged.consistency != Consistency::No).collect()
}

#[test]
fn refuted_together_is_what_none_has_by_itself() {
    let (mut dice, tol, mut counts) = (Dice(20_261_129), Tol::default(), [0; 3]);
    for case in 0..60 {
        let system = sliding(&mut dice, 5 + case % 4);
        let (decision, all) = (system.contacts().decide(&tol), each(&system, &tol));
        let mut motions: Vec<&Judgement> = Vec::new();
        for judged in &all {
            if !motions.iter().any(|other| other.has_motion_of(judged, &tol)) {
                motions.push(judged);
            }
        }
        let several = motions.len() > 1 || all.iter().any(|judged| !judged.moving.is_empty());
        match decision.verdict {
            Verdict::Consistent => assert!(!several && motions.len() == 1, "{case}: {motions:?}"),
            Verdict::Inconsistent => assert!(all.is_empty(), "{case}: {all:?}"),
            _ => assert!(
                several || all.iter().all(|judged| judged.consistency != Consistency::Yes),
                "{case}: {all:?}"
            ),
        }
        counts[usize::from(several)] += 1;
        counts[2] += usize::from(decision.search.partial > 0);
    }
    assert!(counts.iter().all(|count| *count >= 8), "{counts:?}");
}

/// Without torque on its feet's plane a body on any number of them slides as one point does.
#[test]
fn a_plate_on_a_hundred_feet_has_one_motion() {
    for feet in [12, 30, 100] {
        let (mu, tol) = (0.3, Tol::default());
        let at = |k: usize| {
            [
                (2.4 * k as f64).cos() * (k as f64 / 99.0).sqrt(),
                (2.4 * k as f64).sin() * (k as f64 / 99.0).sqrt(),
                -0.3,
            ]
        };
        let feet: Vec<Foot> = (0..feet).map(|k| Foot::on_floor(at(k), mu)).collect();
        let mut system = standing(&feet, [0.3, 0.3, 0.5], [0.0, 0.0, -10.0], [0.0; 3]);
        system.along = vec![Some([0.6, 0.8]); feet.len()];
        let decision = system.contacts().decide_to_go_on(&tol);
        assert_eq!((decision.verdict, decision.is_open()), (Verdict::Consistent, false));
        let slip = &decision.modes[0].accelerations;
        assert!(
            (slip[1].value + 0.6 * mu * 10.0).abs() < 1e-9 && (slip[2].value + 0.8 * mu * 10.0).abs() < 1e-9
        );
    }
}

/// A plate that leaves rest on a slope does so along it, with g (sin χ − μ cos χ), or stays: its only motion, whether friction just holds it or just
/// does not, although none of its forces is unique.
#[test]
fn a_plate_on_a_slope_has_one_motion() {
    let tol = Tol::default();
    for feet in [4, 8, 40, 100] {
        for (mu, chi) in [(0.3, 0.5), (0.3, 0.31), (0.3, 0.28), (0.7, 0.3), (0.8, 1.1)] {
            let stool = stool(feet, 1.0, 0.3, mu);
            let system = standing(&stool, [0.3, 0.35, 0.6], gravity(chi, 0.4), [0.0; 3]);
            let decision = system.contacts().decide(&tol);
            assert_eq!(decision.verdict, Verdict::Consistent, "{feet} {mu} {chi}: {decision:?}");
            assert!(!decision.is_open());
            let expected = (chi.sin() - mu * chi.cos()).max(0.0);
            let slip = &decision.modes[0].accelerations;
            for foot in 0..feet {
                let [u, w] = [1, 2].map(|k| slip[3 * foot + k].value);
                let [c, s] = [0.4_f64.cos(), 0.4_f64.sin()];
                assert!((u - expected * c).abs() < 1e-9 && (w - expected * s).abs() < 1e-9);
            }
            assert_eq!(decision.rest.unwrap().only, Some(expected <= 0.0));
        }
    }
}
