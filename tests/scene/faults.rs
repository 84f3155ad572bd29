//! Bad input: every fault is told, with its code.

use crate::shared::{faults, text};

const GOOD: &str = "gravity: [0, 0, -10]\nfriction: 0.3\nstep: 0.01\nsteps: 5\ngroups:\n  beads: {sphere: 0.1, count: 2, mass: 1, place: {at: [[0, 0, 0.2], [1, 0, 0.2]]}}\nsurfaces: {ground: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n";

/// What is replaced, by what, and the codes of the faults.
#[rustfmt::skip]
const WRONG: [(&str, &str, &[&str]); 24] = [
    ("friction: 0.3", "friction: -0.3", &["M012"]),
    ("friction: 0.3\n", "", &["M011"]),
    ("friction: 0.3", "frictoin: 0.3", &["M010"]),
    ("friction: 0.3", "friction: 0.3\nrestitution: 1.5", &["M012"]),
    ("sphere: 0.1", "sphere: 0", &["M012"]),
    ("sphere: 0.1", "disc: 0.1", &["M019"]),
    ("sphere: 0.1", "sphere: {uniform: [0.2, 0.1]}", &["M212"]),
    ("sphere: 0.1, ", "", &["M019"]),
    ("mass: 1", "mass: 1, density: 2", &["M019"]),
    ("mass: 1, ", "", &["M019"]),
    ("count: 2", "count: 3", &["M014"]),
    ("count: 2", "count: 1.5", &["M012"]),
    ("[1, 0, 0.2]", "[0.15, 0, 0.2]", &["M601"]),
    ("[1, 0, 0.2]", "[1, 0, 0.05]", &["M602"]),
    ("[1, 0, 0.2]", "[1, 0]", &["M014"]),
    ("{at: [[0, 0, 0.2], [1, 0, 0.2]]}", "{random: {from: [0, 0, 0], to: [0.3, 0.3, 0.3]}}", &["M603"]),
    ("normal: [0, 0, 1]", "normal: [0, 0, 0]", &["M211"]),
    ("steps: 5", "steps: 5\nduration: 1", &["M019"]),
    ("steps: 5\n", "", &["M019"]),
    ("step: 0.01", "step: -0.01", &["M012"]),
    ("steps: 5", "steps: 5\npairs: [{between: [beads, grund], friction: 1}]", &["M208"]),
    ("scene: 1", "scene: 2", &["M015"]),
    ("space: space", "space: room", &["M016"]),
    ("beads: {sphere: 0.1, count: 2, mass: 1, place: {at: [[0, 0, 0.2], [1, 0, 0.2]]}}", "{}", &["M604"]),
];

#[test]
fn every_fault_has_its_code() {
    let good = text("space", GOOD);
    for (old, new, codes) in WRONG {
        assert!(good.contains(old), "{old}");
        let found = faults(&good.replacen(old, new, 1));
        let mut found: Vec<&str> = found.iter().map(|f| f.code).collect();
        let mut expected = codes.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{new}");
    }
}

#[test]
fn several_faults_are_all_told() {
    let bad = text("space", GOOD)
        .replace("friction: 0.3", "friction: -1")
        .replace("sphere: 0.1", "sphere: -0.1")
        .replace("mass: 1", "mass: 0");
    assert_eq!(faults(&bad).iter().filter(|f| f.code == "M012").count(), 3);
}

/// A body that flies farther than its own radius in a step is told of.
#[test]
fn bodies_too_fast_for_the_step_are_told() {
    let lines = GOOD.replace("mass: 1,", "mass: 1, velocity: [15, 0, 0],");
    let mut simulation = crate::shared::simulation(&crate::shared::scene("space", &lines));
    simulation.advance().unwrap();
    let fast = simulation.fast().unwrap();
    assert!(fast.body == "beads 1" && (fast.moved - 0.15).abs() < 1e-3 && fast.step == 1, "{fast:?}");
}
