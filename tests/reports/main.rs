//! Snapshots of the reports of every planar mechanism with one contact: they say that a report has not changed
//! unnoticed. What the numbers of all mechanisms should be is computed by other routes beside them, from Newton's and
//! Euler's laws by hand and from differences; modes and impacts are checked against brute force in `crates/engine/tests/laws`.
//!
//! Without derivation the tests of shipped mechanisms are passed over, unless `--include-ignored` has them read the models that a deriving run
//! of them has left.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]
#![allow(non_snake_case, reason = "the papers' letters")]

mod bodies;
mod browser;
#[path = "../models/finite.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of the derivation")]
mod finite;
mod linear;
mod renderings;
mod rod_in_space;
mod routes;
mod sentences;
#[path = "../models/snapshots.rs"]
mod snapshots;
mod solutions;
mod states;

use mechan::format::Space;
use std::path::Path;
use std::process::Command;

fn analyze(file: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mechan"))
        .args(["analyze", "--quiet"])
        .args(arguments)
        .arg(file)
        .env("MECHAN_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("mechan runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn has_one_planar_contact(file: &Path) -> bool {
    let mechanism = states::mechanism(file);
    mechanism.space == Space::Plane && mechanism.contacts.len() == 1
}

#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn reports_of_planar_mechanisms_with_one_contact() {
    let mut files: Vec<_> =
        std::fs::read_dir("mechanisms").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut seen = 0;
    for file in files.iter().filter(|f| has_one_planar_contact(f)) {
        let name = format!("report_{}", file.file_stem().unwrap().to_string_lossy());
        snapshots::assert_report(&name, &analyze(file, &["--full"]));
        seen += 1;
    }
    assert!(seen >= 8, "{seen} mechanisms");
}

/// What is said about states with several contacts: modes, forces, stability, impacts.
#[test]
#[cfg_attr(not(feature = "derive"), ignore = "needs models that a deriving run has kept")]
fn reports_of_planar_mechanisms_with_several_contacts() {
    for name in [
        "brick_stack",
        "compass_biped",
        "ladder",
        "overhang_block",
        "painleve_klein",
        "rectangle_on_circles",
        "rimless_wheel",
        "slope_body",
        "square_on_ground",
        "standing_biped",
        "three_finger_grasp",
        "tumbling_body",
        "two_point_body",
    ] {
        let sections = ["modes", "impact", "rest", "jam", "motion"].map(|name| ["--section", name]);
        let text = analyze(Path::new(&format!("mechanisms/{name}.yaml")), sections.as_flattened());
        snapshots::assert_report(&format!("report_several_{name}"), &text);
    }
}

#[test]
fn tables_of_the_survey() {
    for table in ["1", "2", "3", "4"] {
        let output = Command::new(env!("CARGO_BIN_EXE_mechan")).args(["table", table]).output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        snapshots::settings().bind(|| insta::assert_snapshot!(format!("table_{table}"), text));
    }
}
