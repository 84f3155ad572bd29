//! Impacts of a point mass at two and three planes in space by Moreau's rule against a search of its own; and solutions that were made first and must
//! not be refuted.

use crate::corner::Corner;
use crate::random::Dice;
use mechan::contact::{Friction, Hold, Laws, Restitution};
use mechan::impact::{Group, JointImpacts};
use mechan::num::Tol;
use mechan::predict::{ClosedContact, Contacts, Motion, Sized, Verdict};
use nalgebra::{DMatrix, DVector, Vector3};

fn vector(dice: &mut Dice) -> Vector3<f64> {
    Vector3::from_fn(|_, _| dice.roll())
}

fn between(dice: &mut Dice, low: f64, high: f64) -> f64 {
    low + 0.5 * (1.0 + dice.roll()) * (high - low)
}

fn laws(mu: f64, e: f64) -> Laws {
    crate::plane::laws(Friction::new(mu).unwrap(), Restitution::Newton(e), Hold::Unilateral)
}

/// Planes at rest that the point approaches, the second one leaning over the first by up to 60 degrees.
fn corner(dice: &mut Dice, contacts: usize, friction: f64, back: f64) -> Corner {
    let v = vector(dice);
    let mut n: Vec<Vector3<f64>> = Vec::new();
    while n.len() < contacts {
        let normal = vector(dice).normalize();
        let narrow = n.len() != 1 || n[0].dot(&normal) < 0.5;
        if normal.dot(&v) < -0.05 * v.norm() && narrow {
            n.push(normal);
        }
    }
    let mu = (0..contacts).map(|_| friction * between(dice, 0.3, 1.0)).collect();
    let e = (0..contacts).map(|_| back * between(dice, 0.2, 1.0)).collect();
    Corner { s: vec![Vector3::zeros(); contacts], n, mu, e, v }
}

/// Rows N, T1 and T2 of each plane, its tangents turned at random, and the impacts that are found.
fn found(corner: &Corner, dice: &mut Dice) -> (DMatrix<f64>, JointImpacts) {
    let mut frame = |n: &Vector3<f64>| {
        let t = n.cross(&vector(dice)).normalize();
        [*n, t, n.cross(&t)]
    };
    let frames: Vec<[Vector3<f64>; 3]> = corner.n.iter().map(&mut frame).collect();
    let H = DMatrix::from_fn(3 * frames.len(), 3, |i, k| frames[i / 3][i % 3][k]);
    let found = impacts(&H, &corner.mu, &corner.e, &DVector::from_column_slice(corner.v.as_slice()));
    (H, found)
}

fn impacts(H: &DMatrix<f64>, mu: &[f64], e: &[f64], v: &DVector<f64>) -> JointImpacts {
    let D: Vec<f64> = (H * H.transpose()).iter().copied().collect();
    let laws: Vec<Laws> = mu.iter().zip(e).map(|(mu, e)| laws(*mu, *e)).collect();
    let before = H * v;
    let group = Group { D: &D, laws: &laws.iter().collect::<Vec<_>>(), before: before.as_slice() };
    group.impacts().unwrap()
}

/// Corners in which friction wedges and does not: an impact is found where there is one, and where there is none that is proven.
#[test]
fn where_no_impact_is_found_in_space_it_is_proven_that_there_is_none() {
    let mut dice = Dice(20_261_125);
    let (mut told, mut none) = (0, [0; 2]);
    for case in 0..32 {
        let contacts = 2 + usize::from(case % 4 == 3);
        let corner = corner(&mut dice, contacts, [0.5, 1.5, 3.0][case % 3], 1.0);
        let Some(expected) = corner.impacts() else { continue };
        let (H, listed) = found(&corner, &mut dice);
        told += 1;
        if expected.is_empty() {
            assert!(listed.found.is_empty() && listed.complete, "{case}: {:?}", listed.found);
            none[contacts - 2] += 1;
            continue;
        }
        assert!(!listed.found.is_empty(), "{case}: {expected:?} {}", listed.complete);
        let known: Vec<DVector<f64>> =
            expected.iter().map(|after| &H * DVector::from_column_slice(after.as_slice())).collect();
        for impact in &listed.found {
            let near =
                |after: &DVector<f64>| (DVector::from_column_slice(&impact.after) - after).amax() < 1e-5;
            assert!(known.iter().any(near), "{case}: {:?} {expected:?}", impact.after);
        }
    }
    assert!(told > 22 && none[0] > 2 && none[1] > 0, "{told} {none:?}");
}

/// What sticks everywhere satisfies the rule where nothing is given back, on surfaces at rest [AC11 Thm 1]: an impact is found, however steep the friction.
#[test]
fn without_restitution_an_impact_in_a_corner_at_rest_is_found() {
    let mut dice = Dice(20_261_126);
    for case in 0..120 {
        let corner = corner(&mut dice, 2 + case % 2, [0.5, 1.5, 3.0][case % 3], 0.0);
        let (_, listed) = found(&corner, &mut dice);
        assert!(!listed.found.is_empty(), "{case}: {}", listed.complete);
    }
}

/// Bodies with one, two and three times three coordinates: velocities after an impact and normal impulses first, then those before it and the
/// restitution that belongs to them. What is solved by construction is never refuted.
#[test]
fn impacts_that_were_made_are_not_refuted() {
    let (mut dice, tol) = (Dice(20_261_127), Tol::default());
    let (mut made, mut found) = (0, 0);
    while made < 60 {
        let (contacts, n) = (2 + made % 2, 3 * (1 + made % 3));
        let H = DMatrix::from_fn(3 * contacts, n, |_, _| dice.roll());
        let after = DVector::from_fn(n, |_, _| dice.roll());
        let u = &H * &after;
        let mu: Vec<f64> = (0..contacts).map(|_| between(&mut dice, 0.2, 3.0)).collect();
        let impulse = DVector::from_fn(3 * contacts, |i, _| {
            let (first, N) = (i - i % 3, 1.0 + i as f64 / 3.0);
            let slip = u[first + 1].hypot(u[first + 2]);
            if i == first { N } else { -mu[i / 3] * (1.0 + (first as f64) / 3.0) * u[i] / slip }
        });
        let impulse = impulse * between(&mut dice, 0.05, 1.0);
        let before = &u - &H * (H.transpose() * &impulse);
        let e: Vec<f64> = (0..contacts).map(|i| -u[3 * i] / before[3 * i]).collect();
        if (0..contacts).any(|i| before[3 * i] >= 0.0 || !(0.0..=1.0).contains(&e[i])) {
            continue;
        }
        made += 1;
        let v = &after - H.transpose() * &impulse;
        let listed = impacts(&H, &mu, &e, &v);
        assert!(!(listed.complete && listed.found.is_empty()), "{made}");
        found += usize::from(!listed.found.is_empty());
        let D: Vec<f64> = (&H * H.transpose()).iter().copied().collect();
        let c: Vec<f64> = (0..u.len())
            .map(|i| if i % 3 == 0 { before[i] + e[i / 3] * before[i] } else { before[i] })
            .collect();
        let closed =
            mu.iter().map(|mu| ClosedContact { laws: laws(*mu, 0.0), motion: Motion::Resting }).collect();
        let sized = |values| Sized { values, sizes: &[] };
        let decided = Contacts::new(closed, sized(&D), sized(&c)).decide(&tol);
        assert!(decided.verdict != Verdict::Inconsistent, "{made}: {:?}", decided.search);
    }
    assert!(found > 54, "{found}");
}
