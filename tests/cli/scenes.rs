//! `mechan run` and `check` of scenes with mechanisms.

use crate::run::{Run, command, finish, mechan};
use std::path::Path;

const SCENE: &str = "scenes/digger.yaml";

/// Runs in a folder.
fn inside(folder: &Path, args: &[&str]) -> Run {
    finish(command(args).current_dir(folder), b"")
}

#[test]
fn everything_that_a_run_writes_knows_the_links() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (pile, page) = (format!("pile={}", at("pile.svg")), format!("animation={}", at("page.html")));
    let export = format!("80:{}", at("step.json"));
    #[rustfmt::skip]
    let all = [
        "run", SCENE, "--steps", "80", "--bodies", &at("bodies.csv"), "--contacts", &at("contacts.csv"), "--plot", &pile, "--plot", &page,
        "--export-problem", &export, "--output", &at("rows.csv"),
    ];
    mechan(&all).ends(0);
    let read = |name: &str| std::fs::read_to_string(at(name)).unwrap();
    assert_eq!(read("bodies.csv").lines().filter(|line| line.contains("arm.stick")).count(), 81);
    assert!(read("contacts.csv").lines().count() > 1 && read("pile.svg").matches("<circle").count() == 64);
    assert!(read("page.html").contains("const film"));
    mechan(&["solve", &at("step.json")]).ends(0);
    mechan(&["run", SCENE, "--steps", "5", "--output", &at("film.glb")]).ends(0);
    assert!(String::from_utf8_lossy(&std::fs::read(at("film.glb")).unwrap()).contains("arm.blade"));
    mechan(&["check", SCENE]).ends(0);
}

/// A run that is cut goes on with the same rows, times aside; not with another mechanism in the file of the same name.
#[test]
fn a_run_goes_on_with_its_mechanism_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let arm = std::fs::read_to_string("tests/scene/mechanisms/bob.json").unwrap();
    let scene = "scene: 1\nname: s\nspace: plane\nfriction: 0.3\nstep: 0.01\nsteps: 40\ngroups:\n  balls: {disc: 0.1, mass: 1, place: {at: [[0.21, -1]]}}\nmechanisms:\n  arm: {file: bob, state: raised}\n";
    std::fs::write(folder.path().join("bob.json"), &arm).unwrap();
    std::fs::write(folder.path().join("s.yaml"), scene.replace("bob,", "bob.json,")).unwrap();
    let run = |more: &[&str]| inside(folder.path(), &[&["run", "s.yaml"], more].concat());
    run(&["--output", "whole.csv"]).ends(0);
    run(&["--output", "cut.csv", "--steps", "15", "--checkpoint", "state.json"]).ends(0);
    run(&["--output", "cut.csv", "--resume", "state.json"]).ends(0);
    let rows = |name: &str| -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let cells = |line: &str| {
            line.split(',').enumerate().filter(|(k, _)| *k != 6).map(|(_, x)| x.to_owned()).collect()
        };
        text.lines().map(cells).collect()
    };
    assert_eq!(rows("whole.csv"), rows("cut.csv"));
    std::fs::copy("tests/scene/mechanisms/loop.json", folder.path().join("bob.json")).unwrap();
    let other = run(&["--resume", "state.json"]).ends(1);
    assert!(other.err.contains("another scene"), "{}", other.err);
    std::fs::remove_file(folder.path().join("bob.json")).unwrap();
    let missing = run(&[]).ends(1);
    assert!(missing.err.contains("M605") && missing.err.contains("mechanism `arm`"), "{}", missing.err);
    inside(folder.path(), &["check", "s.yaml"]).ends(1);
}
