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
        ("{at: [[0, 0, 0]]}", "5"),
    ] {
        assert!(good.contains(old));
        assert!(!validator.is_valid(&json_of(&good.replacen(old, new, 1))), "{new}");
    }
}
