//! The JSON Schema against a third-party validator: it accepts what the reader accepts, and refuses what is wrong
//! in shape.

use crate::samples;
use crate::shared::{PLANE, SPACE, edited, faults};
use jsonschema::Validator;
use mechan::format::{Starter, schema};
use serde_json::{Value, json};

fn validator() -> Validator {
    let schema = schema();
    jsonschema::meta::validate(&schema).unwrap_or_else(|e| panic!("{e}"));
    jsonschema::validator_for(&schema).unwrap()
}

/// By YAML 1.2, where `y` is a name.
fn json_of(yaml: &str) -> Value {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(yaml, options).unwrap_or_else(|e| panic!("{e}\n{yaml}"))
}

fn complaints(validator: &Validator, file: &Value) -> Vec<String> {
    validator.iter_errors(file).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

fn shipped() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("mechanisms");
    let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    files
        .filter(|p| p.extension().is_some_and(|e| e == "yaml"))
        .map(|p| (p.display().to_string(), std::fs::read_to_string(&p).unwrap()))
        .collect()
}

#[test]
fn the_shipped_mechanisms_and_the_starters_satisfy_it() {
    let validator = validator();
    let own = [("plane", samples::PLANE), ("space", samples::SPACE), ("small", PLANE), ("ball", SPACE)];
    let mut files = shipped();
    assert!(files.len() >= 3);
    files.extend(own.map(|(n, t)| (n.to_owned(), t.to_owned())));
    files.extend(Starter::ALL.map(|kind| (format!("starter {kind:?}"), kind.text("new"))));
    for (name, text) in files {
        let complaints = complaints(&validator, &json_of(&text));
        assert!(complaints.is_empty(), "{name}: {complaints:?}");
    }
}

/// What is replaced in the small file in the plane, and by what.
const WRONG: [(&str, &str); 26] = [
    ("mechan: 1", "mechan: 2"),
    ("name: particle", "name: a particle"),
    ("name: particle\n", ""),
    ("space: plane", "space: plain"),
    ("space: plane", "plane: space"),
    ("coordinates: [x, y]", "coordinates: []"),
    ("coordinates: [x, y]", "coordinates: x"),
    ("coordinates: [x, y]", "coordinates: [x, sin]"),
    ("mu: 0.5", "2mu: 0.5"),
    ("mu: 0.5", "mu: {unit: \"1\"}"),
    ("mass: m, position", "position"),
    ("position: [x, y]", "position: x"),
    ("position: [x, y]", "position: [x]"),
    ("  ball: {mass: m, position: [x, y]}", "  {}"),
    ("friction: mu", "frictoin: mu"),
    ("friction: mu", "friction: [mu]"),
    ("friction: mu", "friction: mu, gap: y"),
    ("friction: mu", "friction: mu, restitution: {law: hooke}"),
    ("friction: mu", "friction: mu, bilateral: maybe"),
    ("friction: mu", "friction: mu, active: [x]"),
    ("friction: mu", "friction: mu, restitution: {tangental: 1}"),
    ("friction: mu", "friction: mu, compliance: {tangential_stiffness: [1]}"),
    ("position: [x, y]", "position: [x, y], shape: {disc: 1, box: [1, 1]}"),
    ("position: [x, y]", "position: [x, y], shape: {polygon: [[0, 0], [1, 0]]}"),
    ("position: [x, y]", "position: [x, y], shape: {segment: [0, 1]}"),
    ("{x: 0, y: 0}", "{x: [0], y: 0}"),
];

#[test]
fn files_of_the_wrong_shape_do_not() {
    let validator = validator();
    for (from, to) in WRONG {
        let text = edited(PLANE, from, to);
        assert!(!complaints(&validator, &json_of(&text)).is_empty(), "accepted: {to}");
        assert!(faults(text.as_bytes()).1.iter().any(mechan::diag::Diagnostic::is_error), "read: {to}");
    }
}

/// Every place in a tree.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), found));
        }
        Value::Object(map) => map.iter().for_each(|(k, v)| places(v, &format!("{at}/{k}"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The file with the value at a place removed, or with another value there.
fn changed(file: &Value, at: &str, to: Option<&Value>) -> Option<Value> {
    let mut file = file.clone();
    let (parent, key) = at.rsplit_once('/')?;
    match (file.pointer_mut(parent)?, to) {
        (Value::Object(map), None) => map.shift_remove(key).map(drop)?,
        (Value::Array(items), None) => drop(items.remove(key.parse::<usize>().ok()?)),
        (parent, Some(to)) => *parent.pointer_mut(&format!("/{key}"))? = to.clone(),
        _ => return None,
    }
    Some(file)
}

/// The faults that are of shape alone, and of which the schema knows everything.
const SHAPE: [&str; 4] = ["M010", "M011", "M015", "M018"];

#[test]
fn what_the_reader_accepts_it_accepts_and_faults_of_shape_it_sees() {
    let validator = validator();
    let values = [
        json!(null),
        json!(1),
        json!("1"),
        json!("x"),
        json!("true"),
        json!(true),
        json!([]),
        json!({}),
        json!(["0", 1]),
        json!({"x": 1}),
        json!(""),
    ];
    let (mut accepted, mut refused) = (0, 0);
    for sample in [samples::PLANE, samples::SPACE] {
        let file = json_of(sample);
        let mut all = Vec::new();
        places(&file, "", &mut all);
        let changes = std::iter::once(None).chain(values.iter().map(Some));
        for (at, to) in changes.flat_map(|to| all.iter().map(move |at| (at, to))) {
            let Some(changed) = changed(&file, at, to) else { continue };
            // JSON is YAML, so our reader takes it as it is
            let found = faults(changed.to_string().as_bytes()).1;
            let errors: Vec<&str> = found.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
            let valid = validator.is_valid(&changed);
            if errors.is_empty() {
                accepted += 1;
                assert!(valid, "{at} = {to:?}: {:?}", complaints(&validator, &changed));
            } else if errors.iter().any(|c| SHAPE.contains(c)) {
                refused += 1;
                assert!(!valid, "{at} = {to:?}: the reader found {errors:?}");
            }
        }
    }
    assert!(accepted > 500 && refused > 200, "{accepted} {refused}");
}
