//! M and h of what is written, evaluated from its text, beside Pinocchio for URDF and MuJoCo for MJCF. Skipped with a notice where
//! these are not installed.

use crate::interpreter::has;
use crate::{imported, json, robot};
use mechan::import::{Base, ImportOptions};
use std::process::Command;

/// The largest relative deviations of M and h at random states; `derived`: of the equations that mechan derives, not of the text.
fn deviations(file: &str, options: &ImportOptions, derived: bool) -> [f64; 2] {
    let folder = tempfile::tempdir().unwrap();
    let mechanism = folder.path().join("mechanism.json");
    std::fs::write(&mechanism, json(&imported(&robot(file), options).text).to_string()).unwrap();
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/import");
    let mut python = Command::new("python3");
    python.current_dir(folder.path());
    python.arg(format!("{tests}/evaluate.py")).arg(&mechanism).arg(format!("{tests}/robots/{file}"));
    #[cfg(feature = "derive")]
    if derived {
        python.arg(equations(folder.path(), &imported(&robot(file), options).text));
    }
    #[cfg(not(feature = "derive"))]
    assert!(!derived);
    let output = python.output().expect("python is there");
    assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = printed.lines().last().expect("two numbers").split_whitespace();
    last.map(|w| w.parse().expect("a number")).collect::<Vec<f64>>().try_into().expect("two numbers")
}

/// M is exact to rounding; h has the error of differences of fourth order over 1e-3.
fn agrees(file: &str, options: &ImportOptions) {
    let [mass, bias] = deviations(file, options, false);
    assert!(mass < 1e-12 && bias < 1e-9, "{file}: {mass} {bias}");
}

/// What `mechan derive --format python` writes.
#[cfg(feature = "derive")]
fn equations(folder: &std::path::Path, text: &str) -> std::path::PathBuf {
    let (mechanism, module) = (folder.join("mechanism.yaml"), folder.join("equations.py"));
    std::fs::write(&mechanism, text).unwrap();
    let mut derive = Command::new(env!("CARGO_BIN_EXE_mechan"));
    derive.args(["derive", "--no-cache", "--format", "python"]).arg(&mechanism).arg("-o").arg(&module);
    let output = derive.output().expect("mechan starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    module
}

/// The whole way: description, mechanism file, derivation, generated code; M and h along E of dot(q) = E v.
#[cfg(feature = "derive")]
#[test]
fn derived_equations_are_those_of_the_other_programs() {
    for (package, files) in [
        ("pinocchio", &["finger_edu.urdf", "panda.urdf", "solo12.urdf", "all_of_urdf.urdf"][..]),
        ("mujoco", &["ant.xml", "walker2d_v5.xml", "humanoid.xml", "all_of_mjcf.xml", "servos.xml"]),
    ] {
        if has(package) {
            for file in files {
                let [mass, bias] = deviations(file, &ImportOptions::default(), true);
                assert!(mass < 1e-12 && bias < 1e-12, "{file}: {mass} {bias}");
            }
        }
    }
    if has("pinocchio") {
        for file in ["panda.urdf", "solo12.urdf"] {
            let [mass, bias] =
                deviations(file, &ImportOptions { hold: true, ..ImportOptions::default() }, true);
            assert!(mass < 1e-12 && bias < 1e-12, "{file}, held: {mass} {bias}");
        }
    }
}

#[test]
fn urdf_has_the_dynamics_of_pinocchio() {
    if !has("pinocchio") {
        return;
    }
    for file in ["finger_edu.urdf", "panda.urdf", "solo12.urdf", "all_of_urdf.urdf"] {
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
    ["ant.xml", "walker2d_v5.xml", "humanoid.xml", "servos.xml"]
        .iter()
        .for_each(|file| agrees(file, &ImportOptions::default()));
}
