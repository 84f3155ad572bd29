//! The mechanisms that travel with the program: from any folder, without derivation.

use crate::run::{Run, command, finish, mechan, mechan_on};
use mechan::pipeline::{LIBRARY, Topic};
use std::path::Path;

/// Runs `mechan` in another folder.
fn away(folder: &Path, args: &[&str]) -> Run {
    finish(command(args).current_dir(folder), b"")
}

#[test]
fn every_mechanism_of_the_folder_travels_word_for_word() {
    let mut files: Vec<String> = Vec::new();
    for entry in std::fs::read_dir("mechanisms").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "yaml") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            assert_eq!(
                mechan(&["show", &name]).ends(0).out,
                std::fs::read_to_string(&path).unwrap(),
                "{name}"
            );
            files.push(name);
        }
    }
    let mut names: Vec<&str> = LIBRARY.iter().map(|shipped| shipped.name).collect();
    names.sort_unstable();
    files.sort_unstable();
    assert_eq!(names, files);
    assert!(LIBRARY.is_sorted_by_key(|shipped| shipped.topic), "topic by topic");
}

#[test]
fn a_name_is_analysed_moved_and_stepped_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["falling_pencil", "falling_pencil.yaml"] {
        let run = away(folder.path(), &["analyze", name, "--format", "json"]).ends(0);
        assert_eq!(run.json()["mechanism"], "falling_pencil");
        assert_eq!(run.json()["library"], true);
        assert!(run.err.contains("library"), "{}", run.err);
    }
    let run = away(folder.path(), &["simulate", "bouncing_ball", "--t-end", "1"]).ends(0);
    assert!(run.out.contains("impact"), "{}", run.out);
    away(folder.path(), &["solve", "square_on_ground", "--state", "resting"]).ends(0);
    away(folder.path(), &["check", "rod_3d"]).ends(0);
    assert!(away(folder.path(), &["analyze", "falling_pencil"]).out.contains("no file of that name"));
}

#[test]
fn a_file_of_that_name_wins() {
    let folder = tempfile::tempdir().unwrap();
    let text = mechan(&["show", "falling_pencil"]).out.replace("name: falling_pencil", "name: mine");
    std::fs::write(folder.path().join("falling_pencil.yaml"), text).unwrap();
    for name in ["falling_pencil", "falling_pencil.yaml"] {
        let run = away(folder.path(), &["check", "--no-derive", name]).ends(0);
        assert!(!run.err.contains("library"), "{}", run.err);
    }
    let broken = folder.path().join("painleve_rod.yaml");
    std::fs::write(&broken, "mechan: 1\n").unwrap();
    let run = away(folder.path(), &["check", "painleve_rod"]).ends(1);
    assert!(run.err.contains("painleve_rod.yaml:1"), "{}", run.err);
}

#[test]
fn a_start_from_the_library_has_the_new_name_and_nothing_else_changed() {
    for shipped in LIBRARY {
        let mine = mechan(&["new", "mine", "--from", shipped.name]).ends(0).out;
        let theirs = mechan(&["show", shipped.name]).ends(0).out;
        assert_eq!(mine.replace("\nname: mine\n", &format!("\nname: {}\n", shipped.name)), theirs);
        assert_ne!(mine, theirs);
    }
    let mine = mechan(&["new", "mine", "--from", "painleve_rod"]).out;
    mechan_on(&["check", "--no-derive", "-"], mine.as_bytes()).ends(0);
}

#[test]
fn the_list_names_all_by_topic() {
    let text = mechan(&["list"]).ends(0).out;
    let list = mechan(&["list", "--format", "json"]).ends(0).json();
    assert_eq!(list["schema"], "mechan.library/1");
    for (shipped, line) in LIBRARY.iter().zip(list["mechanisms"].as_array().unwrap()) {
        assert_eq!(line["name"], shipped.name);
        assert!(!line["title"].as_str().unwrap().is_empty() && text.contains(shipped.name));
    }
    assert!(text.contains(Topic::Walking.words()));
}

#[test]
fn a_misspelt_name_is_told_what_may_have_been_meant() {
    for args in [
        &["analyze", "faling_pencil"][..],
        &["analyze", "faling_pencil.yaml"],
        &["simulate", "faling_pencil", "--t-end", "1"],
    ] {
        assert!(mechan(args).ends(1).err.contains("falling_pencil"), "{args:?}");
    }
    for args in [&["show", "faling_pencil"][..], &["new", "mine", "--from", "faling_pencil"]] {
        assert!(mechan(args).ends(2).err.contains("did you mean `falling_pencil`"), "{args:?}");
    }
    assert!(mechan(&["show", "no_such_thing"]).ends(2).err.contains("mechan list"));
    assert!(mechan(&["analyze", "no_such_thing"]).ends(1).err.contains("cannot be read"));
}
