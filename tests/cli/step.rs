//! The next time step of a mechanism: `solve` on YAML files, `analyze --step`.

use super::run::{mechan, mechan_on};
use serde_json::Value;
use std::path::PathBuf;

/// Writes a mechanism into a folder of this test's own.
fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("steps");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

fn solved(args: &[&str]) -> Value {
    let value = mechan(&[&["solve", "--quiet", "--format", "json"], args].concat()).ends(0).json();
    assert_eq!(value["status"], "solved");
    value
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn assert_near(found: &Value, expected: &[f64]) {
    let found = numbers(found);
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() < 1e-9, "{found:?} instead of {expected:?}");
    }
}

/// A block on coupled springs K = [[3, 1/2], [1/2, 2]] and dashpots diag(1/4, 1/2), loaded by (4, -3).
const SPRINGS: &str = "
mechan: 1
name: block_on_springs
space: plane
coordinates: [x, y]
energy:
  kinetic: dot(x)^2/2 + dot(y)^2/2
  potential: 3*x^2/2 + x*y/2 + y^2 - 4*x + 3*y
forces:
  - {coordinate: x, value: -dot(x)/4}
  - {coordinate: y, value: -dot(y)/2}
contacts:
  ground: {gap: y, slip_velocity: dot(x), friction: 1/2}
states:
  closed: {closed: [ground]}
  above: {q: {y: 1/8}, closed: []}
";

#[test]
fn quasi_static_steps_are_those_computed_by_hand() {
    let path = file("springs.yaml", SPRINGS);
    let args = ["--state", "closed", "--step", "0.25", "--step-model"];
    // M = C + hK = [[1, 1/8], [1/8, 1]], slip: v_x - 4 = -r_N/2, v_x/8 + 3 = r_N
    let (v, r) = (2.5 / 1.0625, 2.5 / 1.0625 / 8.0 + 3.0);
    let velocity = solved(&[&[path.as_str()], &args[..], &["quasi-static"]].concat());
    assert_near(&velocity["u"], &[0.0, v]);
    assert_near(&velocity["r"], &[r, -r / 2.0]);
    assert_near(&velocity["v"], &[v, 0.0]);
    assert_eq!(velocity["contacts"][0], "slip");
    assert_eq!(velocity["existence"]["h"], 0.25);
    // at position level the unknowns are gap and displacement, and v holds the coordinates
    let position = solved(&[&[path.as_str()], &args[..], &["quasi-static-position"]].concat());
    assert_near(&position["u"], &[0.0, v / 4.0]);
    assert_near(&position["r"], &[r, -r / 2.0]);
    assert_near(&position["v"], &[v / 4.0, 0.0]);
}

#[test]
fn the_position_level_sees_open_contacts_and_the_velocity_level_does_not() {
    let path = file("springs_above.yaml", SPRINGS);
    let args = [path.as_str(), "--state", "above", "--step", "0.25", "--step-model"];
    let velocity = solved(&[&args[..], &["quasi-static"]].concat());
    assert_eq!(velocity["contacts"].as_array().unwrap().len(), 0);
    // free: M v = force - K q = (4 - 1/16, -3 - 1/4): v_y pushes through the ground
    let v_y = (-3.25 - (4.0 - 0.0625) / 8.0) / (1.0 - 1.0 / 64.0);
    assert!((numbers(&velocity["v"])[1] - v_y).abs() < 1e-12);
    let position = solved(&[&args[..], &["quasi-static-position"]].concat());
    assert_near(&Value::from(vec![position["u"][0].clone()]), &[0.0]);
    assert!(numbers(&position["r"])[0] > 0.0 && numbers(&position["v"])[1].abs() < 1e-12);
}

#[test]
fn dynamics_push_with_weight_times_step() {
    let impulse = |step: &str| {
        let upright = solved(&["mechanisms/painleve_rod.yaml", "--state", "upright", "--step", step]);
        assert_eq!(upright["contacts"][0], "stick");
        numbers(&upright["r"])[0]
    };
    // m = g = 1
    assert!((impulse("0.001") - 1e-3).abs() < 1e-15 && (impulse("0.5") - 0.5).abs() < 1e-12);
}

/// Two unit masses at (x, y) and at height z, whose constraint z = x + y carries inertia from one to the other.
const COUPLED: &str = "
mechan: 1
name: coupled
space: plane
coordinates: [x, y, z]
energy:
  kinetic: dot(x)^2/2 + dot(y)^2/2 + dot(z)^2
  potential: y + z
constraints:
  - {name: rope, value: z - x - y}
contacts:
  ground: {gap: y, slip_velocity: dot(x), friction: 3/10}
states:
  sliding: {v: {x: 1, z: 1}}
  falling: {v: {x: 1, y: -1}}
";

/// The same with z eliminated.
const ELIMINATED: &str = "
mechan: 1
name: eliminated
space: plane
coordinates: [x, y]
energy:
  kinetic: dot(x)^2/2 + dot(y)^2/2 + (dot(x) + dot(y))^2
  potential: 2*y + x
contacts:
  ground: {gap: y, slip_velocity: dot(x), friction: 3/10}
states:
  sliding: {v: {x: 1}}
  falling: {v: {x: 1, y: -1}}
";

#[test]
fn constraints_are_eliminated_and_v_is_that_of_all_coordinates() {
    let (coupled, eliminated) = (file("coupled.yaml", COUPLED), file("eliminated.yaml", ELIMINATED));
    for state in ["sliding", "falling"] {
        let with = solved(&[&coupled, "--state", state, "--step", "0.1"]);
        let without = solved(&[&eliminated, "--state", state, "--step", "0.1"]);
        assert_near(&with["u"], &numbers(&without["u"]));
        assert_near(&with["r"], &numbers(&without["r"]));
        let (v, y) = (numbers(&with["v"]), numbers(&without["v"]));
        assert_near(&with["v"], &[y[0], y[1], y[0] + y[1]]);
        assert_eq!(v.len(), 3);
    }
}

#[test]
fn a_saved_problem_is_the_problem() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved_step.json");
    let path = path.to_string_lossy();
    let rod = ["mechanisms/painleve_rod.yaml", "--state", "inconsistent", "--all"];
    let direct = solved(&[&rod[..], &["--save-problem", &path]].concat());
    let saved = solved(&[&path, "--all"]);
    for key in ["u", "v", "r", "contacts", "solutions", "complete"] {
        assert_eq!(direct[key], saved[key], "{key}");
    }
    assert_eq!(saved["problem"], "painleve_rod/inconsistent");
}

#[test]
fn analyze_takes_the_step_and_says_what_is_proven() {
    let run = mechan(&[
        "analyze",
        "--quiet",
        "--format",
        "json",
        "mechanisms/swinging_bar.yaml",
        "--step",
        "0.01",
        "--state",
        "jammed",
    ]);
    let section = run.ends(0).json()["states"][0]["existence"].clone();
    assert_eq!((&section["h"], &section["strong"]), (&Value::from(0.01), &Value::from(false)));
    assert_eq!(section["solution"]["status"], "no_solution");
    assert_eq!(
        (section["solutions"].as_array().unwrap().len(), &section["complete"]),
        (0, &Value::from(true))
    );
}

#[test]
fn wrong_questions_are_refused_with_a_reason() {
    let saved = "problems/ball_on_table.json";
    let rod = "mechanisms/painleve_rod.yaml";
    for (args, status, words) in [
        (vec!["solve", rod, "--step", "0"], 2, "--step is 0, expected a number of seconds > 0"),
        (vec!["solve", rod, "--step=-1"], 2, "--step is -1"),
        (vec!["solve", rod, "--step", "nan"], 2, "--step is NaN"),
        (vec!["analyze", rod, "--step", "inf"], 2, "--step is inf"),
        (vec!["solve", rod, "--state", "missing"], 2, "has no state `missing`"),
        (vec!["solve", rod, "--save-problem", "x.json"], 2, "choose one with --state"),
        (vec!["solve", saved, "--step", "0.1"], 2, "are about mechanisms"),
        (
            vec!["solve", rod, "--step-model", "quasi-static"],
            1,
            "every motion needs a stiffness or a damping",
        ),
        (vec!["solve", "mechanisms/painleve_klein.yaml"], 1, "is bilateral"),
    ] {
        let run = mechan(&args).ends(status);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}

#[test]
fn standard_input_is_a_problem_or_a_mechanism() {
    let args = ["solve", "-", "--quiet", "--format", "json"];
    let problem = std::fs::read("problems/ball_on_table.json").unwrap();
    assert_eq!(mechan_on(&args, &problem).ends(0).json()["problem"], "ball_on_table");
    let rod = std::fs::read("mechanisms/painleve_rod.yaml").unwrap();
    let state = [&args[..], &["--state", "upright"]].concat();
    assert_eq!(mechan_on(&state, &rod).ends(0).json()["problem"], "painleve_rod/upright");
    let run = mechan_on(&args, b"{\"format\": \"fcp-1\"").ends(1);
    assert!(run.err.contains("-: line 1"), "{}", run.err);
    mechan_on(&args, b"").ends(1);
}
