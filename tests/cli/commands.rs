//! Every command's plain use.

use crate::run::{mechan, mechan_on};

#[test]
fn help_names_every_command() {
    let run = mechan(&["--help"]).ends(0);
    for command in ["analyze", "derive", "check", "list", "show", "new", "schema", "completions"] {
        assert!(run.out.contains(command), "{command}");
    }
    assert!(!run.out.contains("__derive"));
}

#[test]
fn version_is_the_crates() {
    assert_eq!(mechan(&["--version"]).ends(0).out.trim(), concat!("mechan ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_ends_with_2() {
    mechan(&[]).ends(2);
    mechan(&["frobnicate"]).ends(2);
    mechan(&["analyze"]).ends(2);
    mechan(&["analyze", "--format", "pdf", "mechanisms/falling_pencil.yaml"]).ends(2);
}

#[test]
fn every_kind_of_starter_passes_check() {
    for kind in ["rod", "arm", "walker", "linkage", "space"] {
        let text = mechan(&["new", "mine", "--like", kind]).ends(0).out;
        assert_eq!(mechan_on(&["check", "-"], text.as_bytes()).ends(0).err, "", "{kind}");
    }
    let run = mechan(&["new", "mine", "--like", "leg"]).ends(2);
    assert!(run.err.contains("walker"), "{}", run.err);
}

#[test]
fn the_starter_passes_check() {
    let starter = mechan(&["new", "my_rod"]).ends(0).out;
    assert!(starter.contains("name: my_rod"));
    mechan_on(&["check", "-"], starter.as_bytes()).ends(0);
}

#[test]
fn new_refuses_what_is_not_a_name() {
    let run = mechan(&["new", "my rod"]).ends(2);
    assert!(run.err.contains("is not a name"));
}

#[test]
fn new_does_not_overwrite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rod.yaml");
    let path = path.to_str().unwrap();
    mechan(&["new", "rod", "--output", path]).ends(0);
    assert!(mechan(&["new", "rod", "--output", path]).ends(2).err.contains("exists already"));
}

#[test]
fn the_schema_is_json_with_a_dialect() {
    let schema = mechan(&["schema"]).ends(0).json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(mechan(&["completions", shell]).ends(0).out.contains("analyze"), "{shell}");
    }
}

#[test]
fn check_accepts_the_whole_library() {
    let files: Vec<String> = std::fs::read_dir("mechanisms")
        .unwrap()
        .map(|e| e.unwrap().path().display().to_string())
        .filter(|p| p.ends_with(".yaml"))
        .collect();
    let mut args = vec!["check"];
    args.extend(files.iter().map(String::as_str));
    let run = mechan(&args).ends(0);
    assert_eq!(run.out.lines().filter(|l| l.ends_with(": ok")).count(), files.len());
}

#[test]
fn bench_and_run_refuse_what_makes_no_sense() {
    for wrong in [
        &["bench"][..],
        &["bench", "chess"],
        &["bench", "granular", "--beads", "0"],
        &["bench", "granular", "--beads", "-3"],
        &["bench", "granular", "--steps", "0"],
        &["bench", "granular", "--tolerance", "-1"],
        &["bench", "granular", "--methods", "newton"],
        &["bench", "granular", "--plot", "pile"],
        &["bench", "granular", "--only", "figures"],
        &["run", "scenes/drum.yaml", "--plot", "animation=film.svg"],
        &["run", "scenes/drum.yaml", "--plot", "film"],
    ] {
        let run = mechan(wrong).ends(2);
        assert!(run.out.is_empty() && !run.err.is_empty(), "{wrong:?}");
    }
}

#[test]
fn bench_granular_is_json_with_the_papers_rows() {
    let run = mechan(&[
        "bench",
        "granular",
        "--beads",
        "8",
        "--steps",
        "30",
        "--format",
        "json",
        "--methods",
        "automatic,gradient",
    ])
    .ends(0);
    let study = run.json();
    assert_eq!((&study["schema"], &study["complete"]), (&"mechan.granular/1".into(), &true.into()));
    assert_eq!(study["printed"][5]["time_ms"], 949.0);
    assert_eq!(
        (study["runs"].as_array().unwrap().len(), study["runs"][1]["steps"].as_array().unwrap().len()),
        (2, 30)
    );
    assert_eq!(study["friction"]["logs"].as_array().unwrap().len(), 9);
}
