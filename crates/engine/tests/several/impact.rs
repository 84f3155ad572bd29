//! Impacts at contacts that feel each other, against Housner's rocking block and conservation of energy.

use crate::body::Spot;
use crate::body::{laws, problem, rows};
use mechan_contact::contact::Restitution;
use mechan_contact::contact::{Hold, Laws};
use mechan_engine::impact::{Group, JointLaw};
use mechan_engine::predict::Motion;
use mechan_num::Tol;
use mechan_num::random::Stream;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;

fn feet(half_width: f64, height: f64, mu: f64) -> [Spot; 2] {
    [-half_width, half_width].map(|x| Spot {
        at: [x, -height],
        normal: PI / 2.0,
        mu,
        motion: Motion::Resting,
    })
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
    let mut random = Stream(9);
    for case in 0..60 {
        let (mu, e) =
            if case % 2 == 0 { (0.0, 1.0) } else { (random.within(0.0, 1.0), random.within(0.0, 0.9)) };
        let spots: Vec<Spot> = (0..2 + case % 2)
            .map(|_| Spot {
                at: [random.within(-1.0, 1.0), random.within(-1.0, 0.0)],
                normal: PI / 2.0 + random.within(-0.3, 0.3),
                mu,
                motion: Motion::Resting,
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

/// Impulses in which a held contact and a struck one go on in one way each, by an equation a row: every one that obeys the laws.
fn by_ways(D: &[f64], [held, struck]: [f64; 2], e: f64, before: &[f64]) -> Vec<Vec<f64>> {
    let mut found = Vec::new();
    let ways = |mu: f64| [(0.0, 0.0), (1.0, -mu), (-1.0, mu)];
    for (slip, share) in ways(held) {
        for side in [1.0, -1.0] {
            for (struck_slip, struck_share) in ways(struck) {
                // unknowns N, T, N, T
                let mut a = DMatrix::<f64>::zeros(4, 4);
                let mut b = DVector::<f64>::zeros(4);
                let mut rate = |row: usize, i: usize, value: f64| {
                    (0..4).for_each(|j| a[(row, j)] = D[4 * i + j]);
                    b[row] = value - before[i];
                };
                rate(0, 0, 0.0);
                rate(2, 2, -e * before[2]);
                if slip == 0.0 {
                    rate(1, 1, 0.0);
                }
                if struck_slip == 0.0 {
                    rate(3, 3, 0.0);
                }
                let mut slides = |row: usize, share: f64| {
                    a[(row, row - 1)] = -share;
                    a[(row, row)] = 1.0;
                };
                if slip != 0.0 {
                    slides(1, side * share);
                }
                if struck_slip != 0.0 {
                    slides(3, struck_share);
                }
                let Some(r) = a.lu().solve(&b) else { continue };
                let after: Vec<f64> =
                    (0..4).map(|i| before[i] + (0..4).map(|j| D[4 * i + j] * r[j]).sum::<f64>()).collect();
                let obeys = |mu: f64, way: f64, N: f64, T: f64, u: f64| {
                    if way == 0.0 { T.abs() <= mu * N.abs() } else { u * way > 0.0 }
                };
                let sided = slip == 0.0 && side > 0.0 || slip != 0.0 && r[0] * side > 0.0;
                // where D is singular, rounding makes huge impulses of nothing
                if sided
                    && r.iter().all(|x| x.abs() < 1e6)
                    && r[2] > 0.0
                    && obeys(held, slip, r[0], r[1], after[1])
                    && obeys(struck, struck_slip, r[2], r[3], after[3])
                {
                    found.push(r.iter().copied().collect());
                }
            }
        }
    }
    found
}

/// A body in a guide with friction strikes a wall: the impulses are those of the one way in which both contacts can go on, and
/// they do not depend on which side of the guide is called its normal.
#[test]
fn a_guided_body_strikes_in_the_one_way_there_is() {
    let (mut random, mut seen, mut pulled) = (Stream(77), 0, 0);
    for _ in 0..200 {
        let mus = [random.within(0.0, 0.5), random.within(0.0, 0.5)];
        let mut spot = |mu: f64| Spot {
            at: [random.within(-1.0, 1.0), random.within(-1.0, 1.0)],
            normal: random.within(0.0, 2.0 * PI),
            mu,
            motion: Motion::Resting,
        };
        let spots = mus.map(&mut spot);
        let (D, _) = problem(&spots, 0.5, [0.0; 3]);
        let e = random.within(0.0, 1.0);
        let before = [0.0, random.within(-1.0, 1.0), -1.0, random.within(-1.0, 1.0)];
        let ways = by_ways(&D, mus, e, &before);
        let [expected] = &ways[..] else { continue };
        let guide = Laws { hold: Hold::Bilateral, ..laws(mus[0]) };
        let wall = Laws { restitution: Restitution::Newton(e), ..laws(mus[1]) };
        let hit =
            (Group { D: &D, laws: &[&guide, &wall], before: &before }).impact(JointLaw::Moreau).unwrap();
        let size = 1.0 + expected.iter().map(|x| x.abs()).sum::<f64>();
        assert!(
            hit.impulse.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9 * size),
            "{hit:?} {expected:?}"
        );
        assert!(hit.after[0].abs() < 1e-9 * size);
        seen += 1;
        pulled += usize::from(expected[0] < 0.0);

        let turned: Vec<f64> =
            (0..16).map(|k| if (k / 4 == 0) != (k % 4 == 0) { -D[k] } else { D[k] }).collect();
        let again =
            (Group { D: &turned, laws: &[&guide, &wall], before: &before }).impact(JointLaw::Moreau).unwrap();
        assert!(
            (again.impulse[0] + hit.impulse[0]).abs() < 1e-9 * size
                && (again.impulse[2] - hit.impulse[2]).abs() < 1e-9 * size
        );

        let back =
            (Group { D: &D, laws: &[&guide, &wall], before: &before }).impact(JointLaw::Poisson).unwrap();
        assert!(back.after[0].abs() < 1e-7 * size && back.after[2] > -1e-7 * size, "{back:?}");
        assert!(back.impulse[1].abs() <= mus[0] * back.impulse[0].abs() * (1.0 + 1e-9) + e * size);
    }
    assert!(seen > 150 && pulled > 30, "{seen} {pulled}");
}

/// Newton's law for several contacts gains energy in some impacts with friction: in which, the energy of the body's velocities says, and no unit of
/// length, mass or time.
#[test]
fn which_impacts_gain_energy_does_not_hang_on_units() {
    let (mut random, mut gained, mut lost, mut kept) = (Stream(31), 0, 0, 0);
    for case in 0..150 {
        let (mu, e) =
            if case % 3 == 0 { (0.0, 1.0) } else { (random.within(0.1, 1.0), random.within(0.9, 1.0)) };
        let spots = [(); 2].map(|()| Spot {
            at: [random.within(-1.0, 1.0), random.within(-1.0, 0.0)],
            normal: PI / 2.0 + random.within(-0.5, 0.5),
            mu,
            motion: Motion::Resting,
        });
        let v = [random.within(-1.0, 1.0), -2.0, random.within(-0.5, 0.5)];
        let (inertia, before) = (0.05, velocities(&spots, v));
        let (D, _) = problem(&spots, inertia, [0.0; 3]);
        let law = Laws { restitution: Restitution::Newton(e), ..laws(mu) };
        let gains = |[length, mass, time]: [f64; 3]| {
            let D: Vec<f64> = D.iter().map(|d| d / mass).collect();
            let before: Vec<f64> = before.iter().map(|u| u * length / time).collect();
            let hit = (Group { D: &D, laws: &[&law; 2], before: &before }).impact(JointLaw::Moreau).unwrap();
            (hit.gains_energy(&before, &Tol::default()), hit)
        };
        let (own, hit) = gains([1.0; 3]);
        // the velocities of the body after its impulses
        let after: Vec<f64> = (0..3)
            .map(|k| {
                let forces = spots.iter().flat_map(rows).zip(&hit.impulse).map(|(row, x)| row[k] * x);
                v[k] + forces.sum::<f64>() / [1.0, 1.0, inertia][k]
            })
            .collect();
        let energy = |v: &[f64]| 0.5 * (v[0] * v[0] + v[1] * v[1] + inertia * v[2] * v[2]);
        let gain = (energy(&after) - energy(&v)) / energy(&v);
        match () {
            () if gain > 1e-6 => gained += 1,
            () if gain < -1e-6 => lost += 1,
            () => kept += 1,
        }
        assert!(gain.abs() > 1e-6 || gain.abs() < 1e-12, "the sample has no case between: {gain}");
        assert_eq!(own, gain > 1e-6, "{gain} {hit:?}");
        for units in [
            [1e6, 1.0, 1.0],
            [1e-6, 1.0, 1.0],
            [1.0, 1e6, 1.0],
            [1.0, 1e-6, 1.0],
            [1.0, 1.0, 1e6],
            [1.0, 1.0, 1e-6],
        ] {
            assert_eq!(gains(units).0, own, "{units:?} {gain} {hit:?}");
        }
    }
    assert!(gained > 5 && lost > 20 && kept > 20, "{gained} {lost} {kept}");
}

/// A point between two plates that close: no impulses can part both contacts, and that is proven, also where one of them
/// holds and may push or pull.
#[test]
fn a_point_that_is_crushed_has_no_impulses() {
    let rows = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]];
    let D: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(|b| a[0] * b[0] + a[1] * b[1])).collect();
    let said = |first: &Laws, before: [f64; 4]| {
        (Group { D: &D, laws: &[first, &laws(0.3)], before: &before }).impact(JointLaw::Moreau)
    };
    let (free, holds) = (laws(0.3), Laws { hold: Hold::Bilateral, ..laws(0.3) });
    let (crushed, parted) = ([0.0, 0.0, -1.0, 0.0], [2.0, 0.0, -1.0, 0.0]);
    for first in [free, holds] {
        assert_eq!(
            said(&first, crushed).unwrap_err(),
            "no impulses satisfy the impact law of the contacts together"
        );
    }
    let hit = said(&free, parted).unwrap();
    assert!(hit.after[0] >= 1.0 - 1e-9 && hit.after[2].abs() < 1e-9, "{hit:?}");
}
