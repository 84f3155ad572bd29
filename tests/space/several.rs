//! Several contacts at once: contacts that do not feel each other, solutions of the incremental solvers, relabelling.

use crate::body::{Answer, Seen, System, answer};
use crate::random::{Dice, force, word};
use mechan::analysis::space::{Contact, modes};
use mechan::answer::solve;
use mechan::contact::Hold;
use mechan::contact::space::Spatial;
use mechan::coulomb::{Outcome, Problem, Request};
use mechan::num::Tol;
use mechan::predict::{Consistency, ModeName, Verdict};

/// Contacts at rest from their numbers, uncoupled.
fn apart(contacts: &[Contact]) -> System {
    let n = 3 * contacts.len();
    let mut D = vec![vec![0.0; n]; n];
    let mut free = Vec::new();
    for (i, contact) in contacts.iter().enumerate() {
        let Spatial { A, B, C, a, b, .. } = contact.numbers;
        let own = [[C, B[0], B[1]], [B[0], A[0][0], A[0][1]], [B[1], A[1][0], A[1][1]]];
        for (k, row) in own.iter().enumerate() {
            D[3 * i + k][3 * i..3 * i + 3].copy_from_slice(row);
        }
        free.extend([b, a[0], a[1]]);
    }
    of(D, free, contacts.iter().map(|c| c.friction.mu()).collect())
}

fn of(D: Vec<Vec<f64>>, free: Vec<f64>, mu: Vec<f64>) -> System {
    let (sizes, k) = (free.iter().map(|x| x.abs()).collect(), mu.len());
    System { D, free, sizes, mu, holds: vec![Hold::Unilateral; k], along: vec![None; k] }
}

fn firm(found: &Answer) -> Vec<&Seen> {
    found.modes.iter().filter(|mode| mode.consistency == Consistency::Yes).collect()
}

/// The modes of two contacts that do not feel each other are all pairs of theirs.
#[test]
fn uncoupled_contacts_do_what_each_does_alone() {
    let (mut dice, tol) = (Dice(51), Tol::default());
    let mut decided = 0;
    for run in 0..12 {
        let pair = [dice.at_rest(), dice.at_rest()];
        let alone = pair.map(|contact| {
            let (reports, _) = modes(&contact, &tol);
            reports.into_iter().filter(|mode| mode.judged.consistency == Consistency::Yes).collect::<Vec<_>>()
        });
        let found = answer(&apart(&pair), &tol);
        let all = alone[0].len() * alone[1].len();
        // where p has a zero at one of them, the boxes there may stay undecided; nothing is then claimed
        if found.undecided.is_empty() {
            assert_eq!(firm(&found).len(), all, "run {run}");
            decided += 1;
        } else {
            assert!(
                firm(&found).len() <= all
                    && [Verdict::Undecided, Verdict::Indeterminate].contains(&found.verdict)
            );
        }
        for mode in firm(&found) {
            for i in 0..2 {
                let own = alone[i].iter().find(|own| word(own) == mode.word[i]).unwrap();
                let own = force(own);
                let off = [0, 1, 2].map(|k| mode.forces[3 * i + k] - own[k]);
                assert!(off.iter().all(|x| x.abs() < 1e-9 * (1.0 + own[0])), "run {run}: {off:?}");
            }
        }
    }
    assert!(decided >= 9, "{decided} of 12");
}

/// A random mobility of two contacts, L Lᵀ + 0.1.
fn coupled(dice: &mut Dice) -> System {
    let L: Vec<Vec<f64>> = (0..6).map(|_| (0..6).map(|_| dice.roll()).collect()).collect();
    let entry =
        |i: usize, j: usize| (0..6).map(|k| L[i][k] * L[j][k]).sum::<f64>() + if i == j { 0.1 } else { 0.0 };
    let D = (0..6).map(|i| (0..6).map(|j| entry(i, j)).collect()).collect();
    let free = (0..6).map(|_| dice.roll()).collect();
    of(D, free, vec![0.6 * (1.0 + dice.roll()), 0.6 * (1.0 + dice.roll())])
}

fn solved(system: &System) -> Option<Vec<f64>> {
    let n = system.free.len();
    let identity: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let problem =
        Problem::from_dense_inverse(system.mu.clone(), &system.D, &vec![0.0; n], &identity, &system.free)
            .unwrap();
    let found = solve(&problem, &Request::default()).unwrap();
    (found.outcome == Outcome::Solved).then_some(found.r)
}

#[test]
fn what_the_solvers_find_is_in_the_list() {
    let (mut dice, tol) = (Dice(52), Tol::default());
    let (mut seen, mut unique) = (0, 0);
    for run in 0..20 {
        let system = coupled(&mut dice);
        let found = answer(&system, &tol);
        let Some(r) = solved(&system) else { continue };
        if !found.undecided.is_empty() {
            continue;
        }
        seen += 1;
        unique += usize::from(found.verdict == Verdict::Consistent);
        let near = |mode: &&Seen| {
            let size = 1.0 + r.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            mode.forces.iter().zip(&r).all(|(x, y)| (x - y).abs() < 1e-5 * size)
        };
        assert!(firm(&found).into_iter().any(|mode| near(&mode)), "run {run}: {r:?} {found:?}");
    }
    assert!(seen > 10 && unique > 5, "{seen} {unique}");
}

/// The other order of the contacts has the same modes in the other order.
#[test]
fn names_do_not_matter() {
    let (mut dice, tol) = (Dice(53), Tol::default());
    for run in 0..6 {
        let system = coupled(&mut dice);
        let place = |i: usize| (i + 3) % 6;
        let swapped = of(
            (0..6).map(|i| (0..6).map(|j| system.D[place(i)][place(j)]).collect()).collect(),
            (0..6).map(|i| system.free[place(i)]).collect(),
            vec![system.mu[1], system.mu[0]],
        );
        let (one, other) = (answer(&system, &tol), answer(&swapped, &tol));
        assert_eq!(one.verdict, other.verdict, "run {run}");
        for mode in firm(&one) {
            let word: Vec<ModeName> = mode.word.iter().rev().copied().collect();
            let same = |twin: &&Seen| {
                twin.word == word && (0..6).all(|i| (twin.forces[i] - mode.forces[place(i)]).abs() < 1e-8)
            };
            assert!(firm(&other).into_iter().any(|twin| same(&twin)), "run {run}");
        }
    }
}
