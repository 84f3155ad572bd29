//! Impact without collision at one of several contacts: the plane, and the analysis of one contact for what the other one does.

use crate::body::System;
use crate::plane::Pair;
use crate::random::{Dice, force, word};
use mechan::analysis::space::{Contact, ContactStatus, SpaceMode, modes};
use mechan::contact::Friction;
use mechan::contact::Hold;
use mechan::contact::space::Spatial;
use mechan::num::Tol;
use mechan::predict::{Consistency, ImpactsWithoutCollision, Mode, Possible};

/// A random mobility L Lᵀ + 0.02 of n rows.
fn mobility(dice: &mut Dice, n: usize) -> Vec<Vec<f64>> {
    let L: Vec<f64> = (0..n * n).map(|_| dice.roll()).collect();
    let entry = |i: usize, j: usize| {
        (0..n).map(|k| L[n * i + k] * L[n * j + k]).sum::<f64>() + if i == j { 0.02 } else { 0.0 }
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

fn system(D: Vec<Vec<f64>>, mu: [f64; 2], along: [Option<[f64; 2]>; 2]) -> System {
    System {
        D,
        free: vec![-1.0; 6],
        sizes: vec![1.0; 6],
        mu: mu.to_vec(),
        holds: vec![Hold::Unilateral; 2],
        along: along.to_vec(),
    }
}

/// Two contacts that slide in one plane: the survey's P_ii < 0 < P_ji, by the planar code.
#[test]
fn impacts_without_collision_of_the_plane_can_begin_in_space() {
    let (mut dice, tol) = (Dice(91), Tol::default());
    let mut seen = 0;
    for run in 0..400 {
        let flat = mobility(&mut dice, 4);
        let mu = [1.5 * (1.0 + dice.roll()), 1.5 * (1.0 + dice.roll())];
        let pair = Pair {
            D: flat.into_iter().flatten().collect(),
            free: [-1.0; 4],
            friction: mu.map(|mu| Friction::new(mu).unwrap()),
            holds: [Hold::Unilateral; 2],
            slides: [true; 2],
        };
        let (plane, space) = (pair.in_plane(), pair.in_space());
        let planar = plane.impacts_without_collision(&tol);
        let found = space.contacts().impacts_without_collision(&tol);
        assert!(found.undecided.is_empty());
        for contact in 0..2 {
            let is_yes =
                |contacts: &[usize], possible: Possible| contacts == [contact] && possible == Possible::Yes;
            let expected = planar.found.iter().any(|iwc| is_yes(&iwc.contacts, iwc.possible));
            let own = found.found.iter().any(|iwc| is_yes(&iwc.contacts, iwc.possible));
            assert_eq!(own, expected, "run {run}: {found:?}");
            seen += usize::from(expected);
        }
        let both = |found: &ImpactsWithoutCollision| {
            found.found.iter().find(|iwc| iwc.contacts.len() == 2).map(|iwc| iwc.possible)
        };
        assert_eq!(both(&found), both(&planar), "run {run}");
    }
    assert!(seen > 20, "{seen}");
}

/// One contact slides, the other rests: what the other does under unit impulses at the first is what the analysis of one contact says.
#[test]
fn the_part_of_a_contact_at_rest_is_that_of_the_contact_alone() {
    let (mut dice, tol) = (Dice(92), Tol::default());
    let mut seen = [0, 0];
    for run in 0..150 {
        let D = mobility(&mut dice, 6);
        let mu = [1.5 * (1.0 + dice.roll()), 1.5 * (1.0 + dice.roll())];
        let (s, c) = (3.0 * dice.roll()).sin_cos();
        let space = system(D.clone(), mu, [Some([c, s]), None]);
        let ray = [1.0, -mu[0] * c, -mu[0] * s];
        let driven = |row: usize| (0..3).map(|k| D[row][k] * ray[k]).sum::<f64>();
        let numbers = Spatial::new(
            [[D[4][4], D[4][5]], [D[5][4], D[5][5]]],
            [D[3][4], D[3][5]],
            D[3][3],
            [driven(4), driven(5)],
            driven(3),
        );
        let other = Contact {
            numbers,
            friction: Friction::new(mu[1]).unwrap(),
            hold: Hold::Unilateral,
            stands: ContactStatus::Resting,
        };
        let gain = |mode: &SpaceMode| {
            let force = force(mode);
            driven(0) + (0..3).map(|k| D[0][3 + k] * force[k]).sum::<f64>()
        };
        let (reports, _) = modes(&other, &tol);
        let mut expected: Vec<f64> = reports
            .iter()
            .filter(|m| m.judged.consistency == Consistency::Yes)
            .map(gain)
            .filter(|g| *g < 0.0)
            .collect();
        let found = space.contacts().impacts_without_collision(&tol);
        if !found.undecided.is_empty() {
            continue;
        }
        // by the force of the other contact in its mode
        let own_gain = |mode: Mode| {
            let near = |phi: f64| {
                mode.direction().is_some_and(|[c, s]| (0.5 * (s.atan2(c) - phi)).sin().abs() < 1e-8)
            };
            let same = |m: &&SpaceMode| word(m) == mode.name(2) && m.direction.is_none_or(near);
            gain(reports.iter().find(same).unwrap())
        };
        let mut own: Vec<f64> = found.found.iter().map(|iwc| own_gain(iwc.others[0].1)).collect();
        expected.sort_by(f64::total_cmp);
        own.sort_by(f64::total_cmp);
        assert_eq!(own.len(), expected.len(), "run {run}: {own:?} {expected:?}");
        assert!(own.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-8 * (1.0 + y.abs())), "run {run}");
        for iwc in &found.found {
            seen[usize::from(iwc.possible == Possible::Yes)] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 3), "{seen:?}");
}
