//! M and h of what is written, evaluated from its text, beside Pinocchio for URDF and MuJoCo for MJCF. Skipped with a notice where
//! these are not installed.

use crate::{imported, json, robot};
use mechan::import::{Base, ImportOptions};
use std::process::Command;

fn has(package: &str) -> bool {
    let found = Command::new("python3").args(["-c", &format!("import {package}, numpy")]).output();
    let found = found.is_ok_and(|o| o.status.success());
    if !found {
        eprintln!("skipped: there is no Python with {package} and NumPy");
    }
    found
}

/// The largest relative deviations of M and h at random states.
fn deviations(file: &str, options: &ImportOptions) -> [f64; 2] {
    let folder = tempfile::tempdir().unwrap();
    let mechanism = folder.path().join("mechanism.json");
    std::fs::write(&mechanism, json(&imported(&robot(file), options).text).to_string()).unwrap();
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/import");
    let mut python = Command::new("python3");
    python.current_dir(folder.path());
    python.arg(format!("{tests}/evaluate.py")).arg(&mechanism).arg(format!("{tests}/robots/{file}"));
    let output = python.output().expect("python is there");
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = printed.lines().last().expect("two numbers").split_whitespace();
    last.map(|w| w.parse().expect("a number")).collect::<Vec<f64>>().try_into().expect("two numbers")
}

/// M is exact to rounding; h has the error of differences of fourth order over 1e-3.
fn agrees(file: &str, options: &ImportOptions) {
    let [mass, bias] = deviations(file, options);
    assert!(mass < 1e-12 && bias < 1e-9, "{file}: {mass} {bias}");
}

#[test]
fn urdf_has_the_dynamics_of_pinocchio() {
    if !has("pinocchio") {
        return;
    }
    for file in ["finger_edu.urdf", "panda.urdf", "solo12.urdf"] {
        for base in [Base::Fixed, Base::Free] {
            agrees(file, &ImportOptions { base: Some(base), ..ImportOptions::default() });
        }
    }
}

#[test]
fn mjcf_has_the_dynamics_of_mujoco() {
    if !has("mujoco") {
        return;
    }
    ["ant.xml", "walker2d_v5.xml", "humanoid.xml"]
        .iter()
        .for_each(|file| agrees(file, &ImportOptions::default()));
}
