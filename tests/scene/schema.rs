//! The JSON Schema of scenes against a third-party validator.

use crate::shared::text;
use mechan::format::scene::{scene_schema, scene_starter};
use serde_json::Value;

fn json_of(yaml: &str) -> Value {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(yaml, options).unwrap_or_else(|e| panic!("{e}\n{yaml}"))
}

#[test]
fn the_shipped_scenes_and_the_starter_satisfy_it() {
    let schema = scene_schema();
    jsonschema::meta::validate(&schema).unwrap_or_else(|e| panic!("{e}"));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut files = vec![("starter".to_owned(), scene_starter("x"))];
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        files.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
    }
    assert!(files.len() > 3);
    for (name, text) in files {
        let file = json_of(&text);
        let complaints: Vec<String> =
            validator.iter_errors(&file).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(complaints.is_empty(), "{name}: {complaints:?}");
        let checked = mechan::format::scene::read_scene(&mechan::diag::Source::new(name.clone(), text));
        assert!(checked.is_ok(), "{name}: {checked:?}");
    }
}

#[test]
fn files_of_the_wrong_shape_do_not() {
    let validator = jsonschema::validator_for(&scene_schema()).unwrap();
    let good = text(
        "space",
        "friction: 0.3\nstep: 0.01\nsteps: 5\ngroups:\n  beads: {sphere: 0.1, mass: 1, place: {at: [[0, 0, 0]]}}\n",
    );
    assert!(validator.is_valid(&json_of(&good)));
    for (old, new) in [
        ("friction: 0.3\n", ""),
        ("friction", "frictoin"),
        ("steps: 5", "steps: 5\nduration: 1"),
        ("sphere: 0.1", "sphere: 0.1, box: [1, 1, 1]"),
        ("mass: 1", "mass: 1, density: 1"),
        ("at: [[0, 0, 0]]", "at: [[0, 0, 0]], column: {base: [0, 0, 0], direction: [0, 0, 1]}"),
        ("space: space", "space: room"),
        ("groups:", "mechanisms: {arm: {file: 3, stat: x}}\ngroups:"),
        ("groups:", "bodies:"),
        ("{at: [[0, 0, 0]]}", "5"),
    ] {
        assert!(good.contains(old));
        assert!(!validator.is_valid(&json_of(&good.replacen(old, new, 1))), "{new}");
    }
}

/// The whole scenes of a page.
fn examples() -> Vec<String> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scenes.md")).unwrap();
    let blocks = page.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

/// Keys of `properties`, however deep.
fn keys(schema: &Value, found: &mut std::collections::BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                found.extend(properties.keys().cloned());
            }
            map.values().for_each(|value| keys(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_examples_of_the_page_run_and_have_every_key() {
    let schema = scene_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let examples = examples();
    assert!(examples.len() > 1);
    for text in &examples {
        assert!(validator.is_valid(&json_of(text)), "{text}");
        // its mechanisms are those beside the shipped scenes
        let name = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/page.yaml");
        let loaded = mechan::pipeline::load_scene_bytes(name, text.clone().into_bytes());
        let loaded = loaded.unwrap_or_else(|e| panic!("{}", e.message()));
        crate::shared::run(&mut crate::shared::moving(&loaded), 3);
    }
    let mut known = std::collections::BTreeSet::new();
    keys(&schema, &mut known);
    let shown = examples.concat();
    // a value with its unit, as in mechanisms
    let elsewhere = ["value", "unit", "description"];
    let missing: Vec<_> = known
        .iter()
        .filter(|key| !elsewhere.contains(&key.as_str()) && !shown.contains(&format!("{key}:")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
