//! Other tangents and other units: the same motions.

use crate::random::{Dice, word};
use mechan::analysis::space::{Contact, ContactStatus, SpaceMode, modes, verdict};
use mechan::contact::Restitution;
use mechan::contact::space::{Approach, Spatial};
use mechan::num::Tol;
use mechan::num::circle::principal;

/// The same contact with its tangents turned by an angle.
fn turned(n: &Spatial, by: f64) -> Spatial {
    let (s, c) = by.sin_cos();
    let R = [[c, s], [-s, c]];
    let vector = |x: [f64; 2]| [0, 1].map(|i| R[i][0] * x[0] + R[i][1] * x[1]);
    let entry = |i: usize, j: usize| {
        (0..2).map(|k| (0..2).map(|l| R[i][k] * n.A[k][l] * R[j][l]).sum::<f64>()).sum::<f64>()
    };
    Spatial::new([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]], vector(n.B), n.C, vector(n.a), n.b)
}

/// The same contact in units in which a mass, a length and a time measure `m`, `l`, `t` times as much.
fn scaled(n: &Spatial, [m, l, t]: [f64; 3]) -> Spatial {
    let acceleration = l / (t * t);
    let A = n.A.map(|row| row.map(|x| x / m));
    Spatial::new(A, n.B.map(|x| x / m), n.C / m, n.a.map(|x| x * acceleration), n.b * acceleration)
}

fn assert_same(run: usize, one: &[SpaceMode], other: &[SpaceMode], by: f64, force: f64) {
    let normal = |mode: &SpaceMode| mode.judged.forces[0].value;
    let yes = |all: &[SpaceMode]| {
        let mut kept: Vec<SpaceMode> = all.iter().filter(|m| m.judged.is_consistent()).cloned().collect();
        kept.sort_by(|x, y| normal(x).total_cmp(&normal(y)));
        kept
    };
    let (one, other) = (yes(one), yes(other));
    assert_eq!(one.len(), other.len(), "run {run}");
    for (x, y) in one.iter().zip(&other) {
        let told = |mode: &SpaceMode| (word(mode), mode.normal, mode.tangential);
        assert_eq!(told(x), told(y), "run {run}");
        assert!((normal(x) * force - normal(y)).abs() < 1e-8 * normal(y).abs().max(force), "run {run}");
        if let (Some(phi), Some(other)) = (x.direction, y.direction) {
            assert!(principal(phi - by - other).abs() < 1e-9, "run {run}: {phi} {other}");
        }
    }
}

#[test]
fn another_first_tangent_turns_every_direction() {
    let (mut dice, tol) = (Dice(21), Tol::default());
    for run in 0..300 {
        let contact = dice.at_rest();
        let by = 4.0 * dice.roll();
        let other = Contact { numbers: turned(&contact.numbers, by), ..contact };
        let (a, b) = (modes(&contact, &tol), modes(&other, &tol));
        assert_same(run, &a.0, &b.0, by, 1.0);
        assert_eq!(verdict(&contact, &a.0, true, &tol), verdict(&other, &b.0, true, &tol));
        let arcs = [&contact, &other].map(|c| c.numbers.forbidden(c.friction));
        assert_eq!(arcs[0].is_some(), arcs[1].is_some());
        if let [Some(one), Some(other)] = arcs {
            assert!(principal(one.from - by - other.from).abs() < 1e-7);
            assert!((one.to - one.from - other.to + other.from).abs() < 1e-7);
        }
    }
}

#[test]
fn another_first_tangent_turns_an_impact() {
    let (mut dice, tol) = (Dice(22), Tol::default());
    for run in 0..200 {
        let (n, friction) = (dice.numbers(), dice.friction());
        let (by, u) = (4.0 * dice.roll(), [dice.roll(), dice.roll()]);
        let (s, c) = by.sin_cos();
        let turn = |x: [f64; 2]| [c * x[0] + s * x[1], c * x[1] - s * x[0]];
        for law in [Restitution::Newton(0.4), Restitution::Poisson(0.4), Restitution::Energetic(0.4)] {
            let hit = |n: &Spatial, u| n.impact(friction, law, u, Approach::Rate(-0.8), &tol).unwrap();
            let (one, other) = (hit(&n, u), hit(&turned(&n, by), turn(u)));
            let slip = turn(one.slip);
            let size = 1.0 + one.normal;
            let off = [slip[0] - other.slip[0], slip[1] - other.slip[1], one.normal - other.normal];
            assert!(off.iter().all(|x| x.abs() < 1e-9 * size), "run {run} {law:?}: {one:?} {other:?}");
        }
    }
}

#[test]
fn units_change_no_answer() {
    let (mut dice, tol) = (Dice(23), Tol::default());
    for run in 0..300 {
        let contact = dice.at_rest();
        let units @ [m, l, t] = [1e-6, 1e3, 1e-2];
        let other = Contact { numbers: scaled(&contact.numbers, units), ..contact };
        let (a, b) = (modes(&contact, &tol).0, modes(&other, &tol).0);
        assert_same(run, &a, &b, 0.0, m * l / (t * t));
        assert_eq!(verdict(&contact, &a, true, &tol), verdict(&other, &b, true, &tol), "run {run}");
        let u = [dice.roll(), dice.roll()];
        let law = Restitution::Energetic(0.5);
        let hit = contact.numbers.impact(contact.friction, law, u, Approach::Rate(-1.0), &tol).unwrap();
        let speed = l / t;
        let same =
            other.numbers.impact(contact.friction, law, u.map(|x| x * speed), Approach::Rate(-speed), &tol);
        assert!(
            (same.unwrap().normal - hit.normal * m * speed).abs() < 1e-10 * hit.normal * m * speed,
            "run {run}"
        );
    }
}

#[test]
fn slipping_contacts_are_judged_by_their_direction() {
    let (mut dice, tol) = (Dice(24), Tol::default());
    let mut paradox = 0;
    for _ in 0..300 {
        let contact =
            Contact { stands: ContactStatus::Slipping([dice.roll(), dice.roll()]), ..dice.at_rest() };
        let ContactStatus::Slipping(u) = contact.stands else { unreachable!() };
        let phi = u[1].atan2(u[0]);
        let (reports, _) = modes(&contact, &tol);
        let arc = contact.numbers.forbidden(contact.friction);
        let inside = arc.is_some_and(|arc| {
            [phi, phi + std::f64::consts::TAU].iter().any(|phi| arc.from < *phi && *phi < arc.to)
        });
        let gain = contact.numbers.normal_gain(contact.friction, contact.stands.direction().unwrap()).value;
        assert_eq!(gain < 0.0, inside);
        let yes = reports.iter().filter(|mode| mode.judged.is_consistent()).count();
        // [CV16 section 7.1]: one motion for p > 0, both or none for p < 0
        let expected = match (inside, contact.numbers.b > 0.0) {
            (false, _) => 1,
            (true, true) => 2,
            (true, false) => 0,
        };
        assert_eq!(yes, expected);
        paradox += usize::from(inside);
    }
    assert!(paradox > 10);
}
