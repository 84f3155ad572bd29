//! Impacts at several contacts of space that feel each other: Housner's rocking block, conservation of energy and momentum, the plane.

use crate::body::{Foot, System, standing};
use crate::random::Dice;
use mechan::contact::{Friction, Restitution};
use mechan::contact::{Hold, Laws};
use mechan::impact::{Group, JointImpact, JointLaw};
use mechan::{AnalyzeOptions, StateOutcome};

fn laws(mu: f64, e: f64) -> Laws {
    crate::plane::laws(Friction::new(mu).unwrap(), Restitution::Poisson(e), Hold::Unilateral)
}

/// N, T1, T2 velocities of feet on a floor of a body that moves with v and turns with w.
fn velocities(feet: &[Foot], v: [f64; 3], w: [f64; 3]) -> Vec<f64> {
    let at = |foot: &Foot| {
        let r = foot.at;
        let u = [0, 1, 2].map(|k| v[k] + w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3]);
        [u[2], u[0], u[1]]
    };
    feet.iter().flat_map(at).collect()
}

fn struck(system: &System, law: &Laws, before: &[f64], by: JointLaw) -> JointImpact {
    let D: Vec<f64> = system.D.iter().flatten().copied().collect();
    let each: Vec<&Laws> = system.mu.iter().map(|_| law).collect();
    (Group { D: &D, laws: &each, before }).impact(by).unwrap()
}

/// A block that rocks from two of its corners to the other two keeps 1 − (3/2) sin²α of its rate (Housner 1963), although the impulses
/// at the two corners are not unique.
#[test]
fn a_rocking_block_on_four_feet_keeps_housners_share() {
    for (w, h, turn) in [(0.2, 1.0, 0.0), (0.1, 0.9, 0.4), (0.3, 1.2, 2.0_f64)] {
        let depth = 0.5;
        let (s, c) = turn.sin_cos();
        let place = |x: f64, y: f64| Foot::on_floor([c * x - s * y, s * x + c * y, -h], 5.0);
        let feet = [place(-w, -depth), place(-w, depth), place(w, -depth), place(w, depth)];
        // about an axis across its width the block is Housner's; the other moments do not matter
        let inertia = (w * w + h * h) / 3.0;
        let system = standing(&feet, [inertia; 3], [0.0; 3], [0.0; 3]);
        // turning about the edge x = −w, so that x = w comes down
        let rate = 1.0;
        let (across, axis) = ([c, s, 0.0], [-s, c, 0.0]);
        let v = [rate * h * across[0], rate * h * across[1], -rate * w];
        let before = velocities(&feet, v, axis.map(|x| rate * x));
        assert!(before[..6].iter().all(|u| u.abs() < 1e-12) && before[6] < 0.0, "{before:?}");
        let law = laws(5.0, 0.0);
        let hit = struck(&system, &law, &before, JointLaw::Moreau);
        let share = 1.0 - 1.5 * w * w / (w * w + h * h);
        for k in [0, 1] {
            assert!((hit.after[3 * k] - 2.0 * w * share * rate).abs() < 1e-8, "{hit:?}");
        }
        assert!(hit.after[6..].iter().all(|u| u.abs() < 1e-8), "{hit:?}");
        let energy = |rate: f64| 0.5 * (inertia + w * w + h * h) * rate * rate;
        assert!((hit.energy_loss - energy(rate) + energy(share * rate)).abs() < 1e-8);
        let poisson = struck(&system, &law, &before, JointLaw::Poisson);
        assert!(poisson.after.iter().zip(&hit.after).all(|(a, b)| (a - b).abs() < 1e-8));
    }
}

#[test]
fn elastic_smooth_impacts_keep_energy_and_others_lose() {
    let mut dice = Dice(81);
    for run in 0..40 {
        let (mu, e) =
            if run % 2 == 0 { (0.0, 1.0) } else { (0.4 * (1.0 + dice.roll()), 0.45 * (1.0 + dice.roll())) };
        let feet: Vec<Foot> = (0..2 + run % 3)
            .map(|_| Foot::on_floor([dice.roll(), dice.roll(), -0.6 + 0.2 * dice.roll()], mu))
            .collect();
        let system = standing(&feet, [0.3, 0.4, 0.5], [0.0; 3], [0.0; 3]);
        let mut turn = || 0.5 * dice.roll();
        let (v, w) = ([turn(), turn(), -2.0], [turn(), turn(), turn()]);
        let before = velocities(&feet, v, w);
        for by in [JointLaw::Moreau, JointLaw::Poisson] {
            let hit = struck(&system, &laws(mu, e), &before, by);
            // the energy from the motion of the body instead of the impulses
            let mut after = (v, w);
            for (foot, impulse) in feet.iter().zip(hit.impulse.chunks(3)) {
                let p = [impulse[1], impulse[2], impulse[0]];
                let L = crate::body::cross(foot.at, p);
                let inertia = [0.3, 0.4, 0.5];
                (0..3).for_each(|k| {
                    after.0[k] += p[k];
                    after.1[k] += L[k] / inertia[k];
                });
            }
            let energy = |(v, w): ([f64; 3], [f64; 3])| {
                let inertia = [0.3, 0.4, 0.5];
                (0..3).map(|k| 0.5 * (v[k] * v[k] + inertia[k] * w[k] * w[k])).sum::<f64>()
            };
            let loss = energy((v, w)) - energy(after);
            assert!((hit.energy_loss - loss).abs() < 1e-9 * (1.0 + loss), "run {run}: {hit:?} {loss}");
            if mu == 0.0 && by == JointLaw::Poisson {
                assert!(loss.abs() < 1e-6, "run {run}: {loss}");
            }
            if by == JointLaw::Poisson {
                assert!(loss > -1e-6, "run {run}: {loss}");
            }
            for impulse in hit.impulse.chunks(3) {
                let size = hit.impulse.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                assert!(impulse[0] > -1e-7 * size);
                assert!(impulse[1].hypot(impulse[2]) <= mu * impulse[0] + 1e-6 * size, "run {run}");
            }
            assert!(hit.after.iter().step_by(3).all(|rate| *rate > -1e-6), "run {run}: {hit:?}");
        }
    }
}

/// Contacts in one plane, with a mobility of their own across: the impact stays in the plane.
#[test]
fn impacts_in_the_plane_are_impacts_in_space() {
    let mut dice = Dice(82);
    for run in 0..40 {
        let L: Vec<f64> = (0..16).map(|_| dice.roll()).collect();
        let D = |i: usize, j: usize| {
            (0..4).map(|k| L[4 * i + k] * L[4 * j + k]).sum::<f64>() + if i == j { 0.5 } else { 0.0 }
        };
        let flat: Vec<f64> = (0..16).map(|k| D(k / 4, k % 4)).collect();
        let before: Vec<f64> =
            (0..4).map(|i| if i % 2 == 0 { -0.5 - 0.4 * dice.roll() } else { dice.roll() }).collect();
        let law = laws(0.15, 0.4);
        let place = |i: usize| [Some(2 * (i / 3)), Some(2 * (i / 3) + 1), None][i % 3];
        let solid: Vec<f64> = (0..36)
            .map(|k| match (place(k / 6), place(k % 6)) {
                (Some(i), Some(j)) => flat[4 * i + j],
                _ => f64::from(u8::from(k / 6 == k % 6)),
            })
            .collect();
        let wide: Vec<f64> = (0..6).map(|i| place(i).map_or(0.0, |i| before[i])).collect();
        for by in [JointLaw::Moreau, JointLaw::Poisson] {
            let one = (Group { D: &flat, laws: &[&law, &law], before: &before }).impact(by).unwrap();
            let other = (Group { D: &solid, laws: &[&law, &law], before: &wide }).impact(by).unwrap();
            for i in 0..6 {
                let expected = place(i).map_or(0.0, |i| one.impulse[i]);
                assert!((other.impulse[i] - expected).abs() < 1e-7, "run {run} {by:?}: {one:?} {other:?}");
            }
            assert!((one.energy_loss - other.energy_loss).abs() < 1e-7, "run {run}");
        }
    }
}

fn number(of: &serde_json::Value) -> f64 {
    of.as_f64().unwrap()
}

/// A table of mass 1 that falls flat: all impulse is normal, its sum the momentum, the loss all its energy (the feet give nothing back).
#[test]
fn a_falling_table_is_reported_with_its_energy() {
    for (file, feet) in [("sledge", 2), ("tripod", 3), ("table", 4)] {
        let path = format!("tests/space/models/{file}.json");
        let options = AnalyzeOptions { without_next_step: true, ..AnalyzeOptions::of_state("falling") };
        let found = crate::library::model(&path).analyze(&options).unwrap();
        let state: &StateOutcome = found.state("falling").unwrap();
        let text = serde_json::to_value(state).unwrap();
        let impact = text["impact"].as_object().unwrap();
        assert_eq!((impact.len(), text["resolved"][0].as_str()), (feet, Some("impact")), "{file}");
        let normal: f64 = impact.values().map(|hit| number(&hit["impulse"]["N"])).sum();
        assert!((normal - 1.0).abs() < 1e-9, "{file}: {normal}");
        let loss: f64 = impact.values().map(|hit| number(&hit["energy_loss"])).sum();
        assert!((loss - 0.5).abs() < 1e-9, "{file}: {loss}");
        for hit in impact.values() {
            assert_eq!(hit["law"], "moreau");
            assert!(number(&hit["post"]["v"]).abs() < 1e-9);
        }
        for said in ["an impact takes place", "are not unique"] {
            assert!(state.warnings.iter().any(|w| w.contains(said)), "{file}: {:?}", state.warnings);
        }
    }
}
