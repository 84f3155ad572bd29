//! `mechan import` as a command.

use std::process::{Command, Output};

const FINGER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/import/robots/finger_edu.urdf");

fn run(folder: &std::path::Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mechan"))
        .arg("import")
        .args(args)
        .current_dir(folder)
        .output()
        .expect("mechan starts")
}

#[test]
fn a_file_appears_complete_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let names =
        || std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect::<Vec<_>>();
    let done = run(folder.path(), &[FINGER, "--base", "fixed", "-o", "finger.yaml"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(names(), ["finger.yaml"]);
    assert!(String::from_utf8_lossy(&done.stderr).contains("3 joints"));
    let text = std::fs::read_to_string(folder.path().join("finger.yaml")).unwrap();
    let printed = run(folder.path(), &[FINGER, "--base", "fixed"]).stdout;
    assert_eq!(text, String::from_utf8_lossy(&printed));
    assert_eq!(run(folder.path(), &[FINGER, "-o", "finger.yaml"]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.path().join("finger.yaml")).unwrap(), text);
    assert!(run(folder.path(), &[FINGER, "-o", "finger.yaml", "--force"]).status.success());
    // a fault leaves nothing behind
    std::fs::write(folder.path().join("bad.urdf"), "<robot>").unwrap();
    assert_eq!(run(folder.path(), &["bad.urdf", "-o", "bad.yaml"]).status.code(), Some(1));
    assert_eq!(names().len(), 2);
    assert_eq!(run(folder.path(), &[FINGER, "-o", "no/such/folder.yaml"]).status.code(), Some(1));
}

#[test]
fn wrong_words_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        ["--contact", "foot"],
        ["--contact", "foot:point:1,2"],
        ["--friction", "-1"],
        ["--home", "joint"],
        ["--fix", "joint=x"],
        ["--name", "1a"],
        ["--base", "loose"],
    ] {
        let run = run(folder.path(), &[&[FINGER][..], &args[..]].concat());
        assert_eq!(run.status.code(), Some(2), "{args:?}");
    }
}
