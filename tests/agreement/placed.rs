//! Which contacts a state closes.

use crate::draw::Draw;
use crate::families::sliding;
use mechan::pipeline::{AnalyzeOptions, Deriver};

/// At the start of a motion the closed contacts are those with a zero gap that does not open (FORMAT.md, States): the others are not struck
/// with them.
#[test]
fn a_contact_that_opens_is_not_closed() {
    let loaded = mechan::load("tests/agreement/models/loose_plane.json").unwrap();
    let derived = loaded.derive(&Deriver::nobody()).unwrap();
    let mut opening = 0;
    for case in 0..60 {
        let loose = sliding(&mut Draw::new(7, 0, case), 2 + case % 3);
        let options =
            AnalyzeOptions { set: loose.sets(), without_next_step: true, ..AnalyzeOptions::of_state("s") };
        let analysis = derived.analyze(&options).unwrap();
        let state = analysis.states[0].outcome().unwrap();
        let rate = |name: &str| state.contacts.get(name).unwrap().gap_rate.value;
        let touching: Vec<&String> =
            state.contacts.0.iter().filter(|c| c.1.gap.value == 0.0).map(|c| &c.0).collect();
        let expected: Vec<&String> = touching.iter().copied().filter(|name| rate(name) <= 0.0).collect();
        assert_eq!(state.closed.iter().collect::<Vec<_>>(), expected, "{case}");
        opening += usize::from(touching.len() > expected.len());
        let mut struck = state.prospect.impact.0.iter().map(|(name, _)| name);
        assert!(struck.all(|name| expected.contains(&name)), "{case}: {expected:?}");
    }
    assert!(opening > 20, "{opening}");
}
