//! The mechanism library against reference numbers that another program made: every state of every file of
//! `mechanisms/`, number by number (`tests/models/README.md` says how the references were computed).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test or benchmark that cannot go on should say where"
)]
#![allow(non_snake_case)]
#![cfg(feature = "derive")]

mod critical;
mod steps;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

/// Relative to max(1, |reference|): both routes round some hundred times.
const TOLERANCE: f64 = 1e-10;

fn mechanisms() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("mechanisms").expect("the library is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "yaml"));
    files.sort();
    files
}

/// What the program says of each mechanism: asked once for all tests.
static ANALYSES: LazyLock<BTreeMap<PathBuf, OnceLock<Value>>> =
    LazyLock::new(|| mechanisms().into_iter().map(|file| (file, OnceLock::new())).collect());

fn analysis(file: &Path) -> &'static Value {
    ANALYSES[file].get_or_init(|| asked(file))
}

fn asked(file: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_mechan"))
        .args(["analyze", "--format", "json"])
        .arg(file)
        .env("MECHAN_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("mechan runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn reference(file: &Path) -> Value {
    let name = file.file_stem().expect("a file name").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(format!("tests/models/{name}.json"));
    serde_json::from_str(&text.unwrap_or_else(|_| panic!("{name} has reference numbers"))).expect("JSON")
}

/// Collects where a value differs from its reference; keys that only the analysis has are not compared.
fn compare(found: &Value, expected: &Value, path: &str, faults: &mut Vec<String>) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (key, value) in expected {
                compare(found.get(key).unwrap_or(&Value::Null), value, &format!("{path}.{key}"), faults);
            }
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            for (i, (f, e)) in found.iter().zip(expected).enumerate() {
                compare(f, e, &format!("{path}[{i}]"), faults);
            }
        }
        (Value::Number(f), Value::Number(e)) => {
            let (f, e) = (f.as_f64().expect("a number"), e.as_f64().expect("a number"));
            if (f - e).abs() > TOLERANCE * e.abs().max(1.0) {
                faults.push(format!("{path}: {f} instead of {e}"));
            }
        }
        (found, expected) if found == expected => {}
        _ => faults.push(format!("{path}: {found} instead of {expected}")),
    }
}

/// The reference has M, h and the energies beside the rest of the state.
fn flattened(state: &Value) -> Value {
    let mut flat = state.as_object().expect("a state").clone();
    let model = flat.remove("model").expect("a model");
    flat.extend(model.as_object().expect("a model").clone());
    Value::Object(flat)
}

#[test]
fn every_state_of_the_library_has_its_reference_numbers() {
    let (mut faults, mut states) = (Vec::new(), 0);
    for file in mechanisms() {
        let (analysis, reference) = (analysis(&file), reference(&file));
        let expected = reference["states"].as_object().expect("states");
        let found = analysis["states"].as_array().expect("states");
        assert_eq!(found.len(), expected.len(), "{}", file.display());
        for state in found {
            let name = state["state"].as_str().expect("a name");
            compare(&flattened(state), &expected[name], &format!("{} {name}", file.display()), &mut faults);
            states += 1;
        }
    }
    assert!(states > 100, "{states} states");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_mechanism_is_introduced() {
    for file in mechanisms() {
        let analysis = analysis(&file);
        for key in ["title", "description"] {
            assert!(analysis[key].as_str().is_some_and(|t| !t.is_empty()), "{}: {key}", file.display());
        }
        let states = analysis["states"].as_array().expect("states");
        assert!(states.len() >= 2, "{} has {} states", file.display(), states.len());
        assert!(states.iter().all(|s| s["description"].is_string()), "{}", file.display());
    }
}
