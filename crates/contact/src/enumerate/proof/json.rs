//! A record in the machine-readable output.

use num_rational::BigRational;
use serde_json::{Map, Value, json};

use super::{Branch, Combination, Proof, SolutionSet};

/// Branches above which the tree is left out: some megabytes of text.
const WRITTEN: usize = 2000;

impl Proof {
    /// The tree (null where it is too long to be written), its branches, and the solutions without rounding.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let branches = self.branches();
        json!({
            "branches": branches,
            "tree": (branches <= WRITTEN).then(|| branch(&self.root)),
            "sets": self.sets.iter().map(set).collect::<Vec<_>>(),
        })
    }
}

fn branch(node: &Branch) -> Value {
    match node {
        Branch::Split { contact, children } => {
            let children: Map<String, Value> =
                children.iter().map(|(mode, child)| (mode.word().to_owned(), branch(child))).collect();
            json!({ "split": contact, "into": children })
        }
        Branch::Refuted(y) => json!({ "refuted": combination(y) }),
        Branch::Border { contact, bounds } => {
            json!({ "border": contact, "bounds": bounds.iter().map(combination).collect::<Vec<_>>() })
        }
        Branch::Word(Some(set)) => json!({ "solutions": set }),
        Branch::Word(None) => json!({ "solutions": null }),
        Branch::Cut => Value::Null,
    }
}

/// [row, multiplier] pairs; a multiplier that no double holds is a text.
fn combination(y: &Combination) -> Value {
    let entry = |(row, y): &(usize, super::Dyadic)| {
        let near = y.to_f64();
        let exact = super::Dyadic::from_f64(near).is_some_and(|again| again == *y);
        if exact { json!([row, near]) } else { json!([row, y.to_text()]) }
    };
    y.iter().map(entry).collect()
}

fn set(set: &SolutionSet) -> Value {
    let texts = |points: &[Vec<BigRational>]| {
        points.iter().map(|r| r.iter().map(ToString::to_string).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    json!({
        "word": set.word.iter().map(|mode| mode.word()).collect::<Vec<_>>(),
        "points": texts(&set.points),
        "rays": texts(&set.rays),
    })
}
