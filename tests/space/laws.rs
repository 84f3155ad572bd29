//! Contacts that are held on both sides, and contacts of infinite friction, among several: planar states in space, where the list of the plane is known.

use crate::body::{Answer, Seen, answer};
use crate::plane::Pair;
use crate::random::Dice;
use mechan::contact::{Friction, Hold};
use mechan::num::Tol;
use mechan::predict::{Consistency, Judgement, Mode, ModeName};
use std::f64::consts::PI;

fn word(mode: Mode) -> (ModeName, Option<f64>) {
    let angle = |[along, _]: [f64; 2]| if along > 0.0 { 0.0 } else { PI };
    (mode.name(2), mode.direction().map(angle))
}

/// Two contacts in the plane, coupled at random.
fn pair(dice: &mut Dice, holds: [Hold; 2], rough: [bool; 2], slides: [bool; 2]) -> Pair {
    let L: Vec<f64> = (0..16).map(|_| dice.roll()).collect();
    let D = |i: usize, j: usize| {
        (0..4).map(|k| L[4 * i + k] * L[4 * j + k]).sum::<f64>() + if i == j { 0.05 } else { 0.0 }
    };
    let free = [0; 4].map(|_| dice.roll());
    let friction =
        rough.map(
            |rough| {
                if rough { Friction::INFINITE } else { Friction::new(0.7 * (1.0 + dice.roll())).unwrap() }
            },
        );
    Pair { D: (0..16).map(|k| D(k / 4, k % 4)).collect(), free, friction, holds, slides }
}

fn in_plane(mode: &Seen) -> bool {
    mode.directions.iter().flatten().all(|phi| phi.sin().abs() < 1e-9)
}

fn is(mode: &Seen, flat: &Judgement) -> bool {
    let same = |(i, &mode_in_plane): (usize, &Mode)| {
        let (expected, phi) = word(mode_in_plane);
        let along = match (mode.directions[i], phi) {
            (Some(x), Some(phi)) => (0.5 * (x - phi)).sin().abs() < 1e-9,
            (x, phi) => x.is_none() && phi.is_none(),
        };
        mode.word[i] == expected && along
    };
    flat.modes.iter().enumerate().all(same)
}

fn firm(found: &Answer) -> impl Iterator<Item = &Seen> {
    found.modes.iter().filter(|mode| mode.consistency == Consistency::Yes)
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
        let both = pair(&mut dice, holds, rough, slides);
        let decision = both.in_plane().decide(&tol);
        let found = answer(&both.in_space(), &tol);
        let flat: Vec<&Judgement> =
            decision.modes.iter().filter(|judged| judged.consistency == Consistency::Yes).collect();
        for expected in &flat {
            let undecided = found
                .undecided
                .iter()
                .any(|word| expected.modes.iter().zip(word).all(|(mode, own)| self::word(*mode).0 == *own));
            let twin = firm(&found).find(|mode| is(mode, expected));
            assert!(twin.is_some() || undecided, "run {run}: {expected:?} {found:?}");
            let Some(twin) = twin else { continue };
            for (i, force) in expected.forces.chunks(2).enumerate() {
                let (N, T) = (force[0].value, force[1].value);
                let own = &twin.forces[3 * i..3 * i + 3];
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
