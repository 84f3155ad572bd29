//! Impacts at contacts that feel each other, against Housner's rocking block and conservation of energy.

use crate::body::Spot;
use crate::body::{Random, laws, problem, rows};
use mechan::analysis::planar::Laws;
use mechan::analysis::several::{Going, Group, JointLaw};
use mechan::contact::Restitution;
use std::f64::consts::PI;

fn feet(half_width: f64, height: f64, mu: f64) -> [Spot; 2] {
    [-half_width, half_width].map(|x| Spot { at: [x, -height], normal: PI / 2.0, mu, going: Going::Resting })
}

/// Relative velocities of the contacts for the motion (x', y', theta').
fn velocities(spots: &[Spot], v: [f64; 3]) -> Vec<f64> {
    spots.iter().flat_map(rows).map(|row| row.iter().zip(v).map(|(w, v)| w * v).sum()).collect()
}

/// A block that rocks from its left corner to its right one keeps 1 − (3/2) sin²α of its rate (Housner 1963).
#[test]
fn a_rocking_block_keeps_housners_share() {
    for (w, h) in [(0.2, 1.0), (0.1, 0.9), (0.3, 1.2)] {
        let (spots, inertia) = (feet(w, h, 5.0), (w * w + h * h) / 3.0);
        let rate = -1.0;
        // about the left corner: velocity of the centre is rate x (w, h)
        let v = [-rate * h, rate * w, rate];
        let before = velocities(&spots, v);
        assert!(before[0].abs() < 1e-15 && before[2] < 0.0);
        let (D, _) = problem(&spots, inertia, [0.0; 3]);
        let law = laws(5.0);
        let group = Group { D: &D, laws: &[&law, &law], before: &before };
        let hit = group.impact(JointLaw::Moreau).unwrap();
        let share = 1.0 - 1.5 * w * w / (w * w + h * h);
        // afterwards it turns about the right corner: the left one rises with 2 w |rate|
        assert!((hit.after[0] + 2.0 * w * share * rate).abs() < 1e-9, "{:?}", hit.after);
        assert!(hit.after[2].abs() < 1e-9 && hit.after[3].abs() < 1e-9);
        let energy = |rate: f64| 0.5 * (inertia + w * w + h * h) * rate * rate;
        assert!((hit.energy_loss - energy(rate) + energy(share * rate)).abs() < 1e-9);
        let poisson = group.impact(JointLaw::Poisson).unwrap();
        assert!(
            poisson.after.iter().zip(&hit.after).all(|(a, b)| (a - b).abs() < 1e-9),
            "e = 0: both laws agree"
        );
    }
}

fn elastic(mu: f64, e: f64) -> Laws {
    Laws { restitution: Restitution::Poisson(e), ..laws(mu) }
}

#[test]
fn smooth_elastic_impacts_keep_energy_and_others_lose() {
    let mut random = Random(9);
    for case in 0..60 {
        let (mu, e) =
            if case % 2 == 0 { (0.0, 1.0) } else { (random.within(0.0, 1.0), random.within(0.0, 0.9)) };
        let spots: Vec<Spot> = (0..2 + case % 2)
            .map(|_| Spot {
                at: [random.within(-1.0, 1.0), random.within(-1.0, 0.0)],
                normal: PI / 2.0 + random.within(-0.3, 0.3),
                mu,
                going: Going::Resting,
            })
            .collect();
        let before = velocities(&spots, [random.within(-1.0, 1.0), -2.0, random.within(-0.5, 0.5)]);
        let (D, _) = problem(&spots, 0.6, [0.0; 3]);
        let law = elastic(mu, e);
        let each: Vec<&Laws> = spots.iter().map(|_| &law).collect();
        let hit = (Group { D: &D, laws: &each, before: &before }).impact(JointLaw::Poisson).unwrap();
        let size: f64 = hit.impulse.iter().map(|x| x.abs()).sum();
        if mu == 0.0 {
            assert!(hit.energy_loss.abs() < 1e-7 * (1.0 + size), "{case}: {hit:?}");
        } else {
            assert!(hit.energy_loss > -1e-7, "{case}: {hit:?}");
        }
        assert!(hit.after.iter().step_by(2).all(|rate| *rate > -1e-7), "nothing penetrates: {hit:?}");
        for (k, spot) in spots.iter().enumerate() {
            let (N, T) = (hit.impulse[2 * k], hit.impulse[2 * k + 1]);
            assert!(N > -1e-9 && T.abs() <= spot.mu * N + 1e-7, "{hit:?}");
        }
    }
}
