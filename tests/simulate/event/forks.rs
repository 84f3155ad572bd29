//! What may follow a state, by the analysis of the state and by the motions that are followed from it: random states of contacts whose rows are
//! numbers, and states of the library.

use super::{Mover, asked};
use crate::Numbers;
use mechan::analysis::planar::Prospect;
use mechan::pipeline::{AnalyzeOptions, analyze, futures};
use mechan::simulate::trajectory::{EventDetail, EventKind, Futures, Trajectory};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;

const NAMES: [&str; 3] = ["a", "b", "c"];
const COORDINATES: usize = 4;

/// Numbers of a state in which some contacts are closed: of `resting` ones the slip is zero, and all gap rates are, unless they approach.
fn random(numbers: &mut Numbers, closed: usize, resting: usize, approach: bool) -> Vec<String> {
    let H = DMatrix::from_fn(2 * closed, COORDINATES, |_, _| numbers.next());
    let mut v = DVector::from_fn(COORDINATES, |_, _| numbers.next());
    let normal = (0..closed).map(|i| 2 * i);
    let held: Vec<_> = normal.chain((0..resting).map(|i| 2 * i + 1)).map(|i| H.row(i).into_owned()).collect();
    let R = DMatrix::from_rows(&held);
    let rates = DVector::from_fn(held.len(), |_, _| if approach { -numbers.next().abs() } else { 0.0 });
    // twice, so that what is left is the rounding of what was left
    for _ in 0..2 {
        let x = (&R * R.transpose()).lu().solve(&(&R * &v - &rates)).unwrap();
        v -= R.transpose() * x;
    }
    let mut set = Vec::new();
    for (i, name) in NAMES.iter().enumerate() {
        set.push(format!("open_{name}={}", u8::from(i >= closed)));
        for j in 0..COORDINATES {
            let entry = |k: usize| if i < closed { H[(2 * i + k, j)] } else { f64::from(u8::from(j == k)) };
            set.push(format!("{name}n{}={:e}", j + 1, entry(0)));
            set.push(format!("{name}t{}={:e}", j + 1, entry(1)));
        }
        set.push(format!("mu_{name}={:e}", 2.5 * numbers.next().abs()));
        set.push(format!("e_{name}={:e}", 0.9 * numbers.next().abs()));
    }
    for j in 0..COORDINATES {
        set.push(format!("f{}={:e}", j + 1, 3.0 * numbers.next()));
        set.push(format!("dot(q{})={:e}", j + 1, v[j]));
    }
    set
}

/// The closed contacts of a state, and what the analysis says may follow.
fn analysed(mover: &Mover, set: &[String]) -> (Vec<String>, Prospect) {
    let options = AnalyzeOptions {
        set: set.to_vec(),
        jam: false,
        without_next_step: true,
        ..AnalyzeOptions::of_state("s")
    };
    let analysis = analyze(mover.loaded(), mover.derived().model(), &options).unwrap();
    let state = analysis.states[0].outcome().unwrap();
    (state.closed.clone(), state.prospect.plane().unwrap().clone())
}

fn followed(mover: &Mover, state: &str, set: &[String]) -> Futures {
    let set: Vec<&str> = set.iter().map(String::as_str).collect();
    futures(mover.loaded(), mover.derived().model(), &asked(state, &set, 1e-4), 1).unwrap()
}

/// What was followed from the start; none if nothing is said.
fn first(tree: &Futures, closed: &[String]) -> Option<BTreeSet<String>> {
    let root = &tree.nodes[0].trajectory;
    // what comes after an impact is another question
    let event = root.events.first().filter(|event| event.t.0 == 0.0);
    match event.map(|event| (event.kind, &event.detail)) {
        Some((_, EventDetail::Futures { futures, .. })) => {
            let children: BTreeSet<String> =
                tree.children(0).map(|node| node.choice.clone().unwrap()).collect();
            assert_eq!(children, futures.iter().cloned().collect(), "every future is followed");
            Some(children)
        }
        Some((EventKind::Iwc, _)) => {
            let contact = event.and_then(|event| event.contact.clone()).unwrap();
            Some(BTreeSet::from([format!("iwc({contact})")]))
        }
        Some((EventKind::Impact, _)) => Some(BTreeSet::from(["impact".to_string()])),
        _ => root.phases.first().map(|_| BTreeSet::from([word(root, closed)])),
    }
}

/// The modes of the first phase at closed contacts.
fn word(trajectory: &Trajectory, closed: &[String]) -> String {
    let modes = &trajectory.phases[0].mode.0;
    let here = modes.iter().filter(|(name, _)| closed.contains(name));
    here.map(|(_, mode)| mode.to_string()).collect::<Vec<_>>().join(",")
}

/// Hundreds of random states of two and three contacts that slide, rest and are struck: what the analysis says may follow is followed, and
/// nothing else, impacts without collision at one of several contacts and all impacts of Moreau's rule included.
#[test]
fn what_may_follow_is_what_is_followed() {
    let (mover, mut numbers) = (Mover::of("tests/simulate/models/loose_contacts.json"), Numbers(20_260_706));
    let (mut told, mut several, mut jumps, mut struck, mut none, mut silent) = (0, 0, 0, 0, 0, 0);
    for case in 0..400 {
        let (touching, approach) = (2 + usize::from(case % 5 == 0), case % 3 == 0);
        // some velocity is left
        let resting = usize::from(touching == 2 && case % 4 == 1);
        let set = random(&mut numbers, touching, resting, approach);
        let (closed, prospect) = analysed(&mover, &set);
        let open = prospect.modes.iter().any(|mode| mode.accelerations_range.is_some() || mode.marginal);
        if open || prospect.verdict.is_none_or(|verdict| matches!(verdict.name(), "marginal" | "undecided")) {
            continue;
        }
        let tree = followed(&mover, "s", &set);
        let expected: BTreeSet<String> = prospect.resolved.iter().map(ToString::to_string).collect();
        let Some(found) = first(&tree, &closed) else {
            assert!(!tree.complete, "{case}: {set:?}");
            silent += 1;
            continue;
        };
        assert_eq!(found, expected, "{case}: {set:?} {:?}", tree.nodes[0].trajectory.warnings);
        told += 1;
        several += usize::from(expected.len() > 1);
        none += usize::from(expected.is_empty());
        jumps += usize::from(expected.iter().any(|name| name.starts_with("iwc")));
        struck += usize::from(expected.len() > 1 && approach);
    }
    // of 400: 381 are told, of which 18 have several ways on, 18 impacts without collision, 5 several impacts, 9 nothing
    assert!(told > 360 && silent < 40, "{told} {silent}");
    assert!(several > 12 && jumps > 12 && struck > 2 && none > 5, "{several} {jumps} {struck} {none}");
}

/// At the start of a motion the closed contacts are those with a zero gap that does not open (FORMAT.md, States): the others are not struck
/// with them, in the analysis and in the motion.
#[test]
fn a_contact_that_opens_is_not_closed() {
    let (mover, mut numbers) = (Mover::of("tests/simulate/models/loose_contacts.json"), Numbers(20_260_707));
    let mut opening = 0;
    for case in 0..60 {
        let mut set = random(&mut numbers, 2 + case % 2, 0, false);
        let moving = (0..COORDINATES).map(|j| format!("dot(q{})={:e}", j + 1, numbers.next()));
        set.truncate(set.len() - 2 * COORDINATES);
        set.extend(moving);
        let options = AnalyzeOptions {
            set: set.clone(),
            jam: false,
            without_next_step: true,
            ..AnalyzeOptions::of_state("s")
        };
        let analysis = analyze(mover.loaded(), mover.derived().model(), &options).unwrap();
        let state = analysis.states[0].outcome().unwrap();
        let rate = |name: &str| state.contacts.get(name).unwrap().gap_rate.value;
        let zero = |name: &&str| state.contacts.get(name).unwrap().gap.value == 0.0;
        let expected: Vec<&str> =
            NAMES.iter().copied().filter(zero).filter(|name| rate(name) <= 0.0).collect();
        assert_eq!(state.closed, expected, "{case}");
        opening += usize::from(NAMES.iter().filter(|name| zero(name)).count() > expected.len());
        let struck: BTreeSet<&str> =
            state.prospect.plane().unwrap().impact.0.iter().map(|(name, _)| name.as_str()).collect();
        assert!(struck.iter().all(|name| expected.contains(name)), "{case}: {struck:?} {expected:?}");
    }
    assert!(opening > 20, "{opening}");
}
