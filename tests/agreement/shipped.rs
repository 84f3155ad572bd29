//! Every state of the library, of the models of other tests and of some mechanisms of this one.

use crate::compare::disagreement;
use crate::followed::Followed;
use crate::said::Said;
use crate::table::Table;
use mechan::Derived;
use mechan::pipeline::{AnalyzeOptions, Deriver, SimulateOptions, futures};
use mechan::simulate::event::Limits;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where other models are kept than those of the library.
const FOLDERS: [&str; 6] = [
    "benches/models",
    "tests/agreement/models",
    "tests/simulate/models",
    "tests/space/models",
    "tests/converge/models",
    "tests/stepping/models",
];

/// How far a motion is followed, in the unit of time.
pub(crate) const SHORT: f64 = 1e-6;

/// Steps and events that a motion may take here.
pub(crate) const LIMITS: Limits = Limits { steps: 20_000, events: 200 };

/// The mechanisms of some folders by name, each text once.
fn mechanisms(folders: &[&str]) -> Vec<(String, Derived)> {
    let files = |folder: &&str| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> =
            entries.filter(|file| file.extension().is_some_and(|e| e == "json")).collect();
        files.sort();
        files
    };
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for file in folders.iter().flat_map(files) {
        let mut loaded = mechan::load(&file.to_string_lossy()).unwrap();
        // no search of the domain
        loaded.mechanism.domain.clear();
        if known.insert(loaded.source.text.clone()) {
            let derived = loaded.derive(&Deriver::nobody()).unwrap();
            found.push((derived.mechanism().name.clone(), derived));
        }
    }
    found
}

/// Those of `mechanisms/`.
pub(crate) fn library() -> Vec<(String, Derived)> {
    mechanisms(&["src/pipeline/models"])
}

/// What the analysis says of a state and what follows; none where the state is refused.
fn both(derived: &Derived, state: &str, set: &[String]) -> Option<(Said, Followed)> {
    let options = AnalyzeOptions {
        set: set.to_vec(),
        without_next_step: true,
        without_no_slip: true,
        ..AnalyzeOptions::of_state(state)
    };
    let analysis = derived.analyze(&options).unwrap();
    let outcome = analysis.states[0].outcome()?;
    let options = SimulateOptions {
        state: Some(state.to_string()),
        set: set.to_vec(),
        t_end: outcome.t.0 + SHORT,
        samples: Some(2),
        limits: LIMITS,
        ..SimulateOptions::default()
    };
    let tree = futures(derived.loaded(), derived.model(), &options, 1).unwrap();
    let followed = Followed::of(&tree.nodes[0].trajectory, &outcome.closed, tree.complete);
    Some((Said::of(&outcome.prospect, &outcome.warnings), followed))
}

/// States of kept models with other numbers: a wedge in three contacts of different friction, on which accelerations depend on forces that are not unique;
/// feet without friction; velocities that are rounding; a table that is to slide off.
#[rustfmt::skip]
const VARIED: [(&str, &str, &[&str]); 6] = [
    ("block_on_three_feet", "sliding", &["chi=0.75", "mu_a=0.2", "mu_b=0.3", "mu_c=0.5", "dot(x)=-1"]),
    ("block_on_three_feet", "sliding", &["chi=0.3", "mu_a=0.2", "mu_b=0.3", "mu_c=0.5", "dot(x)=-1"]),
    ("block_on_three_feet", "resting", &["mu_a=0", "mu_b=0", "mu_c=0"]),
    ("block_on_three_feet", "resting", &["dot(y)=-1e-20"]),
    ("block_on_feet",       "resting", &["mu_a=0", "mu_b=0"]),
    ("tripod",              "standing", &["mu=0"]),
];

#[test]
fn what_is_possible_at_every_kept_state_is_followed() {
    let mut table = Table::default();
    let (mut states, mut varied) = (0, 0);
    for (name, derived) in library().into_iter().chain(mechanisms(&FOLDERS)) {
        let own = derived.mechanism().states.iter().map(|state| (state.name.as_str(), &[][..]));
        let others =
            VARIED.iter().filter(|(mechanism, ..)| *mechanism == name).map(|(_, state, set)| (*state, *set));
        for (state, set) in
            own.chain(others.filter(|(state, _)| derived.mechanism().states.iter().any(|s| s.name == *state)))
        {
            let set: Vec<String> = set.iter().map(ToString::to_string).collect();
            let Some((said, followed)) = both(&derived, state, &set) else { continue };
            states += 1;
            varied += usize::from(!set.is_empty());
            let found = disagreement(&said, &followed);
            let place = [&[name.clone(), state.to_string()][..], &set].concat().join(" ");
            table.enter(&place, &place, found.map(|kind| (kind, format!("{said:?}\n    {followed:?}"))));
        }
    }
    assert!(states > 230 && varied >= VARIED.len(), "{states} {varied}");
    table.conclude("kept states");
}
