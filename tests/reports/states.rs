//! The states of the shipped mechanisms with what is said of them, from a report or from the reference numbers.

use super::finite::At;
use mechan::diag::Source as Text;
use mechan::format::{Mechanism, read};
use serde_json::Value;
use std::path::Path;

/// Where the numbers come from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Source {
    /// `tests/models`, made by another program.
    Reference,
    /// `mechan analyze`.
    Report,
}

/// A state as a point, and as numbers.
pub(crate) struct Said {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) numbers: Value,
}

/// Names of all shipped mechanisms.
pub(crate) fn named() -> Vec<String> {
    let files = std::fs::read_dir("mechanisms").unwrap().map(|entry| entry.unwrap().path());
    let yaml = files.filter(|p| p.extension().is_some_and(|e| e == "yaml"));
    let mut names: Vec<String> =
        yaml.map(|p| p.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The members of an object.
pub(crate) fn entries(object: &Value) -> Vec<(&str, &Value)> {
    object.as_object().unwrap().iter().map(|(key, value)| (key.as_str(), value)).collect()
}

/// A mechanism as its file has it.
pub(crate) fn mechanism(file: &Path) -> Mechanism {
    let (name, text) = (file.display().to_string(), std::fs::read_to_string(file).unwrap());
    read(&Text::new(&name, &text)).unwrap_or_else(|d| panic!("{name}: {d:?}")).mechanism
}

/// A mechanism and its states in the order of its file, with the numbers of a source.
pub(crate) fn states(name: &str, source: Source) -> (Mechanism, Vec<Said>) {
    let mechanism = mechanism(Path::new(&format!("mechanisms/{name}.yaml")));
    let numbers = said(name, source);
    assert_eq!(numbers.len(), mechanism.states.len(), "{name}");
    let state = |(spec, (state, numbers)): (_, (String, Value))| {
        let spec: &mechan::format::StateSpec = spec;
        assert_eq!(spec.name, state, "{name}");
        let resolved = mechanism.resolve(spec, &[]).unwrap();
        let d = mechanism.definitions.values.clone();
        let at = At { t: resolved.t, q: resolved.q, v: resolved.v, p: resolved.parameters, d };
        Said { name: state, at, numbers }
    };
    let states = mechanism.states.iter().zip(numbers).map(state).collect();
    (mechanism, states)
}

fn said(name: &str, source: Source) -> Vec<(String, Value)> {
    match source {
        Source::Reference => {
            let text = std::fs::read_to_string(format!("tests/models/{name}.json")).unwrap();
            let reference: Value = serde_json::from_str(&text).unwrap();
            entries(&reference["states"]).into_iter().map(|(k, v)| (k.to_string(), v.clone())).collect()
        }
        Source::Report => {
            let file = format!("mechanisms/{name}.yaml");
            // the critical friction is no number of a state
            let text = super::analyze(Path::new(&file), &["--format", "json", "--boxes", "1"]);
            let report: Value = serde_json::from_str(&text).unwrap();
            let states = report["states"].as_array().unwrap().iter();
            states.map(|s| (s["state"].as_str().unwrap().to_string(), s.clone())).collect()
        }
    }
}
