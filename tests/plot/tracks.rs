//! The paths of many contacts: which is which.

use crate::motions::along;
use crate::read_off::attribute;
use mechan::diag::Source;
use mechan::format::{Mechanism, read};
use mechan::plot::motion;
use std::collections::BTreeSet;

/// A body on so many points.
fn millipede(feet: usize) -> Mechanism {
    let foot = |k: usize| {
        format!(
            "  foot_{k}: {{point: {{body: b, at: [{k}, 0]}}, surface: {{point: [0, 0], normal: [0, 1]}}, friction: 0.5}}\n"
        )
    };
    let text = format!(
        "mechan: 1\nname: millipede\nspace: plane\ncoordinates: [x, y]\nbodies:\n  b: {{mass: 1, inertia: 1, position: [x, y], rotation: 0}}\ncontacts:\n{}",
        (1..=feet).map(foot).collect::<String>()
    );
    read(&Source::new("millipede", text)).unwrap().mechanism
}

/// The legend's lines and words, and the paths, of a body that hops.
fn drawn(feet: usize) -> (Vec<String>, Vec<String>, BTreeSet<(String, String)>) {
    let mechanism = millipede(feet);
    let picture = motion(&mechanism, &[], &along(&mechanism, 1.0, |t| vec![t, t * (1.0 - t)])).unwrap();
    let svg = picture.svg();
    let words = svg.lines().filter(|line| line.starts_with("<text"));
    let words = words.filter_map(|line| line.split_once('>')?.1.split_once('<').map(|w| w.0.to_string()));
    let words: Vec<String> = words.filter(|w| w.starts_with("foot") || w.starts_with("and ")).collect();
    let look = |line: &&str| {
        let of = |name| attribute(line, name).unwrap_or_default().to_string();
        (of("stroke"), of("stroke-dasharray"))
    };
    let tracks: Vec<&str> =
        svg.lines().filter(|line| attribute(line, "stroke-width") == Some("0.91")).collect();
    (words, tracks.iter().map(|line| line.to_string()).collect(), tracks.iter().map(look).collect())
}

#[test]
fn lines_of_many_contacts_are_told_apart() {
    for feet in [4, 8, 16] {
        let (_, tracks, looks) = drawn(feet);
        assert_eq!((tracks.len(), looks.len()), (feet, feet));
    }
}

#[test]
fn a_legend_says_what_it_has_no_room_for() {
    let (few, ..) = drawn(4);
    assert_eq!(few, ["foot_1", "foot_2", "foot_3", "foot_4"]);
    let (many, ..) = drawn(16);
    let named = many.len() - 1;
    assert!(named > 1 && many[named] == format!("and {} more", 16 - named), "{many:?}");
}
