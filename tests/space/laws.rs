//! Contacts that are held on both sides, and contacts of infinite friction, among several: planar states in space, where the list of the plane is known.

use crate::random::Dice;
use mechan::analysis::planar::{Compliance, Consistency, Hold, Laws};
use mechan::analysis::several::{Contacts, Going, Judged, Sized, Touch};
use mechan::analysis::space::SpaceWord;
use mechan::analysis::space::several::{Answer, Decided, System, Ways, answer};
use mechan::contact::{Friction, Mode, Restitution, Slip};
use mechan::num::Tol;
use std::f64::consts::PI;

fn word(mode: Mode) -> (SpaceWord, Option<f64>) {
    match mode {
        Mode::Free => (SpaceWord::Free, None),
        Mode::SlipPos => (SpaceWord::Slip, Some(0.0)),
        Mode::SlipNeg => (SpaceWord::Slip, Some(PI)),
        Mode::Stick => (SpaceWord::Stick, None),
    }
}

/// Two contacts in the plane, coupled at random, and the same in space with a mobility of their own across.
fn pair(dice: &mut Dice, holds: [Hold; 2], rough: [bool; 2], slides: [bool; 2]) -> (Contacts, System) {
    let L: Vec<f64> = (0..16).map(|_| dice.roll()).collect();
    let D = |i: usize, j: usize| {
        (0..4).map(|k| L[4 * i + k] * L[4 * j + k]).sum::<f64>() + if i == j { 0.05 } else { 0.0 }
    };
    let flat: Vec<f64> = (0..16).map(|k| D(k / 4, k % 4)).collect();
    let c: Vec<f64> = (0..4).map(|_| dice.roll()).collect();
    let friction =
        rough.map(
            |rough| {
                if rough { Friction::INFINITE } else { Friction::new(0.7 * (1.0 + dice.roll())).unwrap() }
            },
        );
    let touch = |i: usize| Touch {
        laws: Laws {
            friction: friction[i],
            restitution: Restitution::Poisson(0.0),
            tangential: 0.0,
            compliance: Compliance::new(1.0, 1.0).unwrap(),
            hold: holds[i],
        },
        going: if slides[i] { Going::Sliding(Slip::Pos) } else { Going::Resting },
    };
    let plane = Contacts::new(
        vec![touch(0), touch(1)],
        Sized { values: &flat, sizes: &[] },
        Sized { values: &c, sizes: &[] },
    );
    let place = |i: usize| [Some(2 * (i / 3)), Some(2 * (i / 3) + 1), None][i % 3];
    let entry = |i: usize, j: usize| match (place(i), place(j)) {
        (Some(i), Some(j)) => flat[4 * i + j],
        _ => f64::from(u8::from(i == j)),
    };
    let free: Vec<f64> = (0..6).map(|i| place(i).map_or(0.0, |i| c[i])).collect();
    let space = System {
        D: (0..6).map(|i| (0..6).map(|j| entry(i, j)).collect()).collect(),
        sizes: free.iter().map(|x| x.abs()).collect(),
        free,
        mu: friction.map(|f| f.mu()).to_vec(),
        ways: holds
            .map(|hold| if hold == Hold::Bilateral { Ways::Bilateral } else { Ways::Unilateral })
            .to_vec(),
        along: slides.map(|slides| slides.then_some([1.0, 0.0])).to_vec(),
        parting: vec![false; 2],
        assumed: vec![false; 2],
    };
    (plane, space)
}

fn in_plane(mode: &Decided) -> bool {
    mode.solved.directions.iter().flatten().all(|phi| phi.sin().abs() < 1e-9)
}

fn is(mode: &Decided, flat: &Judged) -> bool {
    let same = |(i, choice): (usize, &mechan::analysis::several::Choice)| {
        let (expected, phi) = word(choice.mode());
        let along = match (mode.solved.directions[i], phi) {
            (Some(x), Some(phi)) => (0.5 * (x - phi)).sin().abs() < 1e-9,
            (x, phi) => x.is_none() && phi.is_none(),
        };
        mode.solved.word[i] == expected && along
    };
    flat.word.iter().enumerate().all(same)
}

fn firm(found: &Answer) -> impl Iterator<Item = &Decided> {
    found.modes.iter().filter(|mode| mode.solved.consistency == Consistency::Yes)
}

/// Every word of the plane is one of space, with its forces; what space adds leaves the plane.
#[test]
fn held_and_rough_contacts_do_in_space_what_they_do_in_the_plane() {
    let (mut dice, tol) = (Dice(71), Tol::default());
    let (one, both) = (Hold::Unilateral, Hold::Bilateral);
    let mut seen = [0; 3];
    for run in 0..36 {
        let holds = [[both, one], [both, both], [one, one]][run % 3];
        let rough = [[false, false], [true, false], [false, true], [true, true]][run / 3 % 4];
        let slides = [[false; 2], [true, false], [false, true]][run / 12 % 3];
        let (plane, space) = pair(&mut dice, holds, rough, slides);
        let decision = plane.decide(&tol);
        let found = answer(&space, &tol);
        let flat: Vec<&Judged> =
            decision.words.iter().filter(|word| word.consistency == Consistency::Yes).collect();
        for expected in &flat {
            let undecided = found.undecided.iter().any(|word| {
                expected.word.iter().zip(word).all(|(choice, own)| self::word(choice.mode()).0 == *own)
            });
            let twin = firm(&found).find(|mode| is(mode, expected));
            assert!(twin.is_some() || undecided, "run {run}: {expected:?} {found:?}");
            let Some(twin) = twin else { continue };
            for (i, force) in expected.forces.chunks(2).enumerate() {
                let (N, T) = (force[0].value, force[1].value);
                let own = &twin.solved.forces[3 * i..3 * i + 3];
                let size = 1.0 + N.abs() + T.abs();
                let off = [own[0] - N, own[1] - T, own[2]];
                assert!(off.iter().all(|x| x.abs() < 1e-8 * size), "run {run}: {own:?} {force:?}");
            }
            seen[run % 3] += 1;
        }
        for mode in firm(&found).filter(|mode| in_plane(mode)) {
            assert!(flat.iter().any(|flat| is(mode, flat)), "run {run}: {mode:?} {flat:?}");
        }
    }
    assert!(seen.iter().all(|&n| n > 5), "{seen:?}");
}
