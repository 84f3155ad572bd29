//! The program: exit codes, and one sentence.

use crate::models;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mechan-check")).args(arguments).output().unwrap()
}

/// A file of its own, by name.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn run_on(name: &str, bytes: &[u8]) -> (Option<i32>, String, String) {
    let path = file(name, bytes);
    let output = run(&[path.to_str().unwrap()]);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn what_is_established_is_said_in_one_sentence() {
    let (code, out, err) = run_on("refuted.json", models::refuted_rod().to_string().as_bytes());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(
        out,
        "refuted: no-paradox(tip) of slender_rod, given mu <= 2, with tip closed, for theta in [0, pi/2], mu in [0, 2]: it fails at a \
         point that satisfies the assumptions\n"
    );
}

#[test]
fn what_is_not_is_said_elsewhere() {
    let mut rod = models::rod("1.3");
    rod["tree"] = ".".into();
    let (code, out, err) = run_on("false.json", rod.to_string().as_bytes());
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.ends_with("false.json: leaf 1 of the tree does not show that the claim holds\n"), "{err}");
    let (code, _, err) = run_on("bytes.json", b"\xff\xfe");
    assert!(code == Some(1) && err.contains("UTF-8"), "{err}");
    let (code, _, err) = run_on("empty.json", b"");
    assert!(code == Some(1) && err.contains("not JSON"), "{err}");
}

#[test]
fn usage() {
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&["a", "b"]).status.code(), Some(2));
    assert_eq!(run(&["--help"]).status.code(), Some(0));
    assert_eq!(run(&["no such file"]).status.code(), Some(1));
}

#[test]
fn a_huge_file_is_refused() {
    let path = file("huge.json", b"");
    std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    let output = run(&[path.to_str().unwrap()]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("at most 67108864 are read"));
}
