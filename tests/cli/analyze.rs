//! `mechan analyze`: what it prints, in every form.

use crate::run::{command, finish, mechan};

const PENCIL: &str = "mechanisms/falling_pencil.yaml";

#[test]
fn json_is_one_document_with_the_promised_keys() {
    let run = mechan(&["analyze", PENCIL, "--format", "json"]).ends(0);
    let analysis = run.json();
    assert_eq!(analysis["schema"], "mechan.analysis/1");
    assert_eq!(analysis["mechanism"], "falling_pencil");
    assert_eq!(analysis["space"], "plane");
    let state = &analysis["states"][0];
    for key in ["state", "t", "q", "v", "parameters", "closed", "model", "contacts", "delassus", "warnings"] {
        assert!(!state[key].is_null(), "{key}");
    }
    for key in ["M", "h", "kinetic_energy", "potential_energy"] {
        assert!(!state["model"][key].is_null(), "{key}");
    }
    let contacts = state["contacts"].as_object().unwrap();
    let contact = contacts.values().next().unwrap().as_object().unwrap();
    let keys = "gap gap_rate slip friction W_N W_T A B C a b p_plus p_minus k_plus k_minus p_slip mu_min";
    for key in keys.split(' ') {
        assert!(contact.contains_key(key), "{key}");
    }
}

#[test]
fn space_has_vectors_and_a_matrix() {
    let analysis = mechan(&["analyze", "mechanisms/rod_3d.yaml", "--format", "json"]).ends(0).json();
    let contacts = analysis["states"][0]["contacts"].as_object().unwrap();
    let contact = contacts.values().next().unwrap();
    assert_eq!(contact["A"].as_array().unwrap().len(), 2);
    assert_eq!(contact["A"][0].as_array().unwrap().len(), 2);
    assert_eq!(contact["B"].as_array().unwrap().len(), 2);
    assert_eq!(contact["a"].as_array().unwrap().len(), 2);
    assert_eq!(contact["W_T"].as_array().unwrap().len(), 2);
    assert!(contact["C"].is_number());
}

#[test]
fn one_state_can_be_picked_and_a_wrong_one_is_named() {
    let all = mechan(&["analyze", PENCIL, "--format", "json"]).ends(0).json();
    let name = all["states"][1]["state"].as_str().unwrap();
    let one = mechan(&["analyze", PENCIL, "--state", name, "--format", "json"]).ends(0).json();
    assert_eq!(one["states"].as_array().unwrap().len(), 1);
    assert_eq!(one["states"][0], all["states"][1]);
    let run = mechan(&["analyze", PENCIL, "--state", "nowhere"]).ends(2);
    assert!(run.err.contains("nowhere") && run.err.contains(name), "{}", run.err);
}

#[test]
fn set_overrides_parameters_and_what_depends_on_them() {
    let run = mechan(&["analyze", PENCIL, "--set", "mu=0.123", "--format", "json"]).ends(0).json();
    let contacts = run["states"][0]["contacts"].as_object().unwrap();
    assert_eq!(contacts.values().next().unwrap()["friction"], 0.123);
    let run = mechan(&["analyze", PENCIL, "--set", "nothing=1"]).ends(2);
    assert!(run.err.contains("nothing"));
    mechan(&["analyze", PENCIL, "--set", "mu"]).ends(2);
}

#[test]
fn every_form_says_the_same_mass() {
    for format in ["text", "markdown", "html"] {
        let run = mechan(&["analyze", PENCIL, "--format", format]).ends(0);
        assert!(run.out.contains("falling"), "{format}");
        assert!(run.err.is_empty(), "{format}: {}", run.err);
    }
    assert!(mechan(&["analyze", PENCIL, "--format", "html"]).out.starts_with("<!doctype html>"));
}

#[test]
fn output_goes_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.md");
    let run =
        mechan(&["analyze", PENCIL, "--format", "markdown", "--output", path.to_str().unwrap()]).ends(0);
    assert!(run.out.is_empty());
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("# "));
    let run = mechan(&["analyze", PENCIL, "--output", "no/such/folder/x"]).ends(1);
    assert!(run.err.contains("no/such/folder/x"));
}

#[test]
fn the_answer_does_not_depend_on_the_cache() {
    let cold = tempfile::tempdir().unwrap();
    let mut first = command(&["analyze", PENCIL, "--format", "json"]);
    let first = finish(first.env("MECHAN_CACHE_DIR", cold.path()), b"").ends(0);
    let mut second = command(&["analyze", PENCIL, "--format", "json"]);
    let second = finish(second.env("MECHAN_CACHE_DIR", cold.path()), b"").ends(0);
    let fresh = mechan(&["analyze", PENCIL, "--format", "json", "--no-cache"]).ends(0);
    assert_eq!(first.out, second.out);
    assert_eq!(first.out, fresh.out);
    assert!(std::fs::read_dir(cold.path().join("derived")).unwrap().count() > 0);
}

#[test]
fn one_bad_file_does_not_take_the_others_with_it() {
    let run = mechan(&["analyze", "nowhere.yaml", PENCIL, "--format", "json"]).ends(1);
    let list = run.json();
    assert_eq!((list.as_array().unwrap().len(), &list[1]["mechanism"]), (2, &"falling_pencil".into()));
    assert!(run.err.contains("nowhere.yaml"));
}

#[test]
fn a_model_file_gives_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pencil.json");
    let path = path.to_str().unwrap();
    mechan(&["derive", PENCIL, "--format", "model", "--output", path]).ends(0);
    let direct = mechan(&["analyze", PENCIL, "--format", "json"]).ends(0);
    assert_eq!(mechan(&["analyze", path, "--format", "json"]).ends(0).out, direct.out);
    let damaged = std::fs::read_to_string(path).unwrap().replacen("\"inputs\":", "\"inputs\":9", 1);
    std::fs::write(path, damaged).unwrap();
    mechan(&["analyze", path]).ends(1);
}

/// [CV16 (5)]: least friction of the uniform rod 4/3 at tan θ = 2; [GB99]: dynamic jam from μ = 8/(3√3) on.
#[test]
fn the_tool_finds_the_critical_frictions_of_the_uniform_rod() {
    let analysis =
        mechan(&["analyze", "mechanisms/painleve_rod.yaml", "--jam", "--format", "json"]).ends(0).json();
    let near = |value: &serde_json::Value, expected: f64, tolerance: f64| {
        let value = value.as_f64().expect("a number");
        assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
    };
    let least = &analysis["critical_friction"]["tip"];
    near(&least["mu"], 4.0 / 3.0, 1e-8);
    near(&least["at"]["theta"], 2.0_f64.atan(), 1e-6);
    assert!(least["certified_lower"].as_f64().unwrap() <= 4.0 / 3.0);
    near(&analysis["jam_friction"]["tip"]["mu"], 8.0 / (3.0 * 3.0_f64.sqrt()), 1e-8);
}
