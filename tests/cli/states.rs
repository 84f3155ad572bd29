//! States that cannot be analysed: each says why at its place, and the others are answered.

use crate::run::{command, finish, mechan, mechan_on};
use serde_json::Value;

/// A point mass on a table; what stands for `{force}` pushes it.
fn pushed(force: &str) -> String {
    format!(
        "mechan: 1\nname: pushed\nspace: plane\nparameters: {{m: 1, c: 1, mu: 0.5}}\ncoordinates: [x, y]\n\
         gravity: [0, -9.81]\nbodies: {{b: {{mass: m, position: [x, y]}}}}\n\
         forces: [{{coordinate: x, value: {force}}}]\n\
         contacts: {{c: {{point: [x, y], surface: {{point: [0, 0], normal: [0, 1]}}, friction: mu}}}}\n\
         states:\n  good: {{q: {{x: 2}}, v: {{x: 1}}}}\n  bad: {{q: {{x: -1}}, v: {{x: 1}}}}\n"
    )
}

/// The analysis of a text whose state `bad` fails with this code, and what was said about it.
fn one_bad(text: &str, args: &[&str], status: i32, code: &str) -> (Value, String) {
    let run =
        mechan_on(&[&["analyze", "-", "--format", "json"], args].concat(), text.as_bytes()).ends(status);
    let analysis = run.json();
    let [good, bad] = analysis["states"].as_array().unwrap().as_slice() else { panic!("{analysis}") };
    assert!(good["error"].is_null() && good["model"].is_object(), "{good}");
    let keys: Vec<&String> = bad.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["state", "error"]);
    assert_eq!((&bad["state"], &bad["error"]["code"]), (&Value::from("bad"), &Value::from(code)));
    assert!(!bad["error"]["message"].as_str().unwrap().is_empty());
    (analysis, run.err)
}

#[test]
fn an_expression_without_a_value_is_named_with_its_place_and_state() {
    let text = pushed("sqrt(x)");
    let (_, err) = one_bad(&text, &[], 3, "M401");
    assert!(err.contains("`sqrt(x)` is not finite in state `bad`") && err.contains("-:8:33"), "{err}");
    let report = mechan_on(&["analyze", "-"], text.as_bytes()).ends(3).out;
    assert!(report.contains("State good") && report.contains("Verdict"), "{report}");
    assert!(report.contains("no analysis: `sqrt(x)` is not finite in state `bad` [M401]"), "{report}");
    assert!(!report.contains("NaN") && !report.contains("inf"), "{report}");
}

#[test]
fn a_division_by_zero_is_the_smallest_expression() {
    let (_, err) = one_bad(&pushed("2 + c/(x + 1)^2"), &[], 3, "M401");
    assert!(err.contains("`c/(x + 1)^2` is not finite in state `bad`"), "{err}");
}

#[test]
fn a_derivative_without_a_value_is_called_one() {
    let text = pushed("0").replace("point: [x, y], surface", "point: [x, y*sqrt(abs(x + 1))], surface");
    let (_, err) = one_bad(&text, &[], 3, "M401");
    assert!(err.contains("the derivative of `sqrt(abs(x + 1))` is not finite"), "{err}");
}

#[test]
fn numbers_beyond_double_precision_name_the_parameter() {
    let text = pushed("0")
        .replace("v: {x: 1}}\n  bad: {q: {x: -1}", "v: {x: 1}}\n  bad: {parameters: {m: 1e308}, q: {x: -1}");
    let (_, err) = one_bad(&text, &[], 3, "M401");
    assert!(err.contains("double precision") && err.contains("`m` is 1e308"), "{err}");
    // W = 1e200 is finite, W M^-1 W^T = 1e400 is not
    let text = pushed("0").replace("point: [x, y]", "point: [x, c*y]");
    let text = text.replace("bad: {q", "bad: {parameters: {c: 1e200}, q");
    let (_, err) = one_bad(&text, &[], 3, "M401");
    assert!(err.contains("C of contact `c` is inf in state `bad`") && err.contains("`c` is 1e200"), "{err}");
}

#[test]
fn a_state_off_its_contact_leaves_the_others_their_answers() {
    let text = pushed("0").replace("q: {x: -1},", "q: {x: -1, y: 1/3}, closed: [c],");
    let (_, err) = one_bad(&text, &[], 1, "M308");
    assert!(err.contains("gap 0.333333, normal velocity 0\n"), "{err}");
}

/// A top with Euler angles z, x, z: the first and the last axis coincide where the middle angle is 0.
const TOP: &str = "
mechan: 1
name: top
space: space
parameters: {m: 0.1, l: 0.05, A: 2e-4, C: 1e-4, g: 9.81}
coordinates: [psi, th, phi]
gravity: [0, 0, -g]
bodies:
  top:
    mass: m
    inertia: [A, A, C]
    position: [l*sin(psi)*sin(th), -l*cos(psi)*sin(th), l*cos(th)]
    rotation: [{axis: z, angle: psi}, {axis: x, angle: th}, {axis: z, angle: phi}]
states:
  good: {q: {th: 0.2}, v: {phi: 200}}
  bad: {q: {th: 0}, v: {phi: 200}}
";

#[test]
fn a_singularity_of_euler_angles_is_told_from_a_lack_of_mass() {
    let (_, err) = one_bad(TOP, &[], 3, "M402");
    assert!(err.contains("-:16:3") && err.contains("Euler angles") && !err.contains("give every"), "{err}");
    let text = pushed("0").replace("coordinates: [x, y]", "coordinates: [x, y, z]");
    let run = mechan_on(&["analyze", "-"], text.as_bytes()).ends(3);
    assert!(run.err.contains("`z` moves none of its own") && !run.err.contains("Euler"), "{}", run.err);
}

#[test]
fn constraints_that_say_the_same_twice_are_named() {
    let rods = "constraints: [{name: rod, value: x - 2}, {name: again, value: 3*x - 6}]\nstates:\n  on: {q: {x: 2}}\n";
    let text = pushed("0");
    let (head, _) = text.split_once("states:").unwrap();
    let run = mechan_on(&["analyze", "-"], format!("{head}{rods}").as_bytes()).ends(3);
    assert!(run.err.contains("M403") && run.err.contains("remove `again`"), "{}", run.err);
}

#[test]
fn a_file_that_fails_stands_in_the_list() {
    let files = ["nowhere.yaml", "mechanisms/falling_pencil.yaml"];
    let run = mechan(&["analyze", files[0], files[1], "--format", "json"]).ends(1);
    let list = run.json();
    let [failed, good] = list.as_array().unwrap().as_slice() else { panic!("{list}") };
    assert_eq!(
        (&failed["file"], &failed["error"]["code"]),
        (&Value::from(files[0]), &Value::from("unreadable"))
    );
    assert_eq!(good["mechanism"], "falling_pencil");
    let report = mechan(&["analyze", files[0], files[1]]).ends(1).out;
    assert!(report.contains("no analysis: nowhere.yaml cannot be read"), "{report}");
}

#[test]
fn check_places_the_states_unless_told_not_to_derive() {
    for (text, status, code) in [
        (pushed("sqrt(x)"), 3, "M401"),
        (pushed("0").replace("q: {x: -1},", "q: {y: 1}, closed: [c],"), 1, "M308"),
        (TOP.to_string(), 3, "M402"),
    ] {
        let run = mechan_on(&["check", "-"], text.as_bytes()).ends(status);
        assert!(run.err.contains(code) && run.out.is_empty(), "{}", run.err);
        mechan_on(&["check", "-", "--no-derive"], text.as_bytes()).ends(0);
    }
    let below = pushed("0").replace("q: {x: -1},", "q: {y: -1/2},");
    let run = mechan_on(&["check", "-"], below.as_bytes()).ends(1);
    assert!(
        run.err.contains("error[M314]: contact `c` is 0.5 below its surface in state `bad`"),
        "{}",
        run.err
    );
    assert!(run.err.contains("`closed: [c]` and `solve: [y]`"), "{}", run.err);
    // what passed through while it was not active is legal, and odd
    let passed = below.replace("friction: mu}}", "friction: mu, active: x + 1}}");
    let run = mechan_on(&["check", "-"], passed.as_bytes()).ends(0);
    assert!(run.err.contains("warning[M310]: contact `c` penetrates: gap -0.5"), "{}", run.err);
    let idle = below.replace("friction: mu}}", "friction: mu, active: x - 1}}");
    assert!(!mechan_on(&["check", "-"], idle.as_bytes()).ends(0).err.contains("M310"));
}

#[test]
fn solve_answers_the_other_states_too() {
    let text = pushed("sqrt(x)");
    let list = mechan_on(&["solve", "-", "--format", "json"], text.as_bytes()).ends(3).json();
    let [good, bad] = list.as_array().unwrap().as_slice() else { panic!("{list}") };
    assert_eq!((&good["problem"], &good["status"]), (&Value::from("pushed/good"), &Value::from("solved")));
    assert_eq!((&bad["problem"], &bad["error"]["code"]), (&Value::from("pushed/bad"), &Value::from("M401")));
}

#[test]
fn huge_exponents_are_answered_with_a_cold_and_a_warm_cache() {
    let cache = tempfile::tempdir().unwrap();
    let text = pushed("0")
        .replace("{m: 1, c: 1,", "{m: 1, c: m^99999999999/3,")
        .replace("value: 0", "value: c*sin(x)^3000000000");
    let mut outputs = Vec::new();
    for _ in 0..2 {
        let mut run = command(&["analyze", "-", "--format", "json"]);
        let run = finish(run.env("MECHAN_CACHE_DIR", cache.path()), text.as_bytes()).ends(0);
        assert_eq!(run.json()["states"][0]["parameters"]["c"], 1.0 / 3.0);
        outputs.push(run.out);
    }
    assert_eq!(outputs[0], outputs[1]);
    let run = mechan_on(&["analyze", "-"], pushed("c^9^9^9^9*x").as_bytes()).ends(1);
    assert!(run.err.contains("M213") && run.err.contains("9^9^9"), "{}", run.err);
}

/// The message is said once, and the answer is given all the same.
#[test]
fn a_cache_that_cannot_be_used_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no_folder");
    std::fs::write(&file, "").unwrap();
    let files = ["mechanisms/painleve_rod.yaml", "mechanisms/falling_pencil.yaml"];
    let mut run = command(&["analyze", files[0], files[1]]);
    let run = finish(run.env("MECHAN_CACHE_DIR", &file), b"").ends(0);
    assert_eq!(run.err.matches("the cache cannot be used").count(), 1, "{}", run.err);
    let mut run = command(&["analyze", "--quiet", files[0]]);
    assert!(finish(run.env("MECHAN_CACHE_DIR", &file), b"").ends(0).err.is_empty());
}

/// A ladder that leans on a wall by a hinge, and a foot that is to stand on the ground.
const FOOT: &str = "
mechan: 1
name: leg
space: plane
parameters: {m: 1, l: 1, g: 9.81, mu: 0.5}
coordinates: [x, y, hip, knee]
gravity: [0, -g]
frames:
  thigh: {origin: [x, y], rotation: hip}
  shank: {parent: thigh, origin: [l, 0], rotation: knee}
bodies:
  thigh: {mass: m, inertia: m*l^2/12, frame: thigh, centre: [l/2, 0]}
  shank: {mass: m, inertia: m*l^2/12, frame: shank, centre: [l/2, 0]}
contacts:
  foot: {point: {frame: shank, at: [l, 0]}, surface: {point: [0, 0], normal: [0, 1]}, friction: mu}
states:
";

/// The first state's coordinates and velocities.
fn solved(state: &str) -> (Vec<f64>, Vec<f64>) {
    let run =
        mechan_on(&["analyze", "-", "--format", "json"], format!("{FOOT}  s: {state}\n").as_bytes()).ends(0);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let state = &report["states"][0];
    let of = |key: &str| {
        let all = state[key].as_object().unwrap_or_else(|| panic!("{state}"));
        ["x", "y", "hip", "knee"].map(|name| all[name].as_f64().unwrap()).to_vec()
    };
    (of("q"), of("v"))
}

#[test]
fn a_state_is_solved_onto_its_contacts() {
    let (q, v) =
        solved("{q: {hip: -pi/3, knee: -pi/6}, v: {x: 1, hip: 0.7, knee: -0.2}, closed: [foot], solve: [y]}");
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-15, "{a} and {b}");
    // y + sin(hip) + sin(hip + knee) = 0 and its rate, by hand
    near(q[1], (std::f64::consts::PI / 3.0).sin() + 1.0);
    near(v[1], -(0.7 * (std::f64::consts::PI / 3.0).cos()));
    // an angle instead, to the last bits of a root that is found by bisection
    let (q, _) = solved("{q: {y: 1.5, hip: -pi/3, knee: -0.1}, closed: [foot], solve: [knee]}");
    let height =
        |knee: f64| 1.5 - (std::f64::consts::PI / 3.0).sin() + (knee - std::f64::consts::PI / 3.0).sin();
    let (mut a, mut b) = (-0.5_f64, 0.5_f64);
    for _ in 0..60 {
        let middle = 0.5 * (a + b);
        if height(middle) * height(a) > 0.0 { a = middle } else { b = middle }
    }
    assert!((q[3] - a).abs() < 1e-14, "{} and {a}", q[3]);
    // a velocity that is given stays: the foot strikes the ground
    let (_, v) = solved("{q: {hip: -pi/3}, v: {y: -1}, closed: [foot], solve: [y]}");
    near(v[1], -1.0);
}

#[test]
fn a_state_that_cannot_be_solved_says_how_far_it_is() {
    let refused = |state: &str, code: &str| {
        let text = format!("{FOOT}  s: {state}\n");
        let run = mechan_on(&["analyze", "-"], text.as_bytes()).ends(1);
        assert!(run.err.contains(code), "{}", run.err);
        run.err
    };
    let err = refused("{q: {y: 3}, closed: [foot], solve: [hip, knee]}", "M312");
    assert!(err.contains("one independent equation cannot determine 2 coordinates: `hip`, `knee`"), "{err}");
    let err = refused("{q: {y: 3, hip: -1}, closed: [foot], solve: [knee]}", "M311");
    assert!(
        err.contains("the gap of contact `foot` stays 1.15853") && err.contains("knee = -0.5708"),
        "{err}"
    );
    let err = refused("{solve: [y]}", "M312");
    assert!(err.contains("no closed contact and no constraint"), "{err}");
}

const PENDULUM: &str = "
mechan: 1
name: conical_pendulum
space: space
parameters: {m: 1, l: 0.5, g: 9.81}
coordinates: [psi, theta]
gravity: [0, 0, -g]
bodies:
  bob: {mass: m, position: [l*sin(theta)*cos(psi), l*sin(theta)*sin(psi), -l*cos(theta)]}
states:
";

/// The lean of a conical pendulum from its speed, its speed from its lean, and the other solution.
#[test]
fn a_state_is_solved_by_equations_of_its_own() {
    let asked = |state: &str| {
        let text = format!("{PENDULUM}  s: {state}\n");
        mechan_on(&["analyze", "-", "--format", "json"], text.as_bytes())
    };
    let number = |run: &str, key: &str, name: &str| -> f64 {
        let report: serde_json::Value = serde_json::from_str(run).unwrap();
        report["states"][0][key][name].as_f64().unwrap()
    };
    let balance = "l*cos(theta)*dot(psi)^2 - g";
    let run = asked(&format!(
        "{{q: {{theta: 1}}, v: {{psi: 6}}, solve: {{unknowns: [theta], equations: [\"{balance}\"]}}}}"
    ))
    .ends(0);
    let lean = (9.81_f64 / (0.5 * 36.0)).acos();
    assert!((number(&run.out, "q", "theta") - lean).abs() < 1e-14, "{}", run.out);
    assert!(run.out.contains("have another solution: theta = -0.9"), "{}", run.out);
    // in steady motion nothing accelerates but along the circle
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let acceleration = report["states"][0]["model"]["free_acceleration"].as_array().unwrap();
    assert!(acceleration.iter().all(|a| a.as_f64().unwrap().abs() < 1e-12), "{acceleration:?}");
    let run = asked(&format!(
        "{{q: {{theta: 1}}, v: {{psi: 6}}, solve: {{unknowns: [dot(psi)], equations: [\"{balance}\"]}}}}"
    ))
    .ends(0);
    let speed = (9.81_f64 / (0.5 * 1.0_f64.cos())).sqrt();
    assert!((number(&run.out, "v", "psi") - speed).abs() < 1e-13, "{}", run.out);
    let refused = |state: &str, code: &str, words: &str| {
        let run = asked(state).ends(1);
        assert!(run.err.contains(code) && run.err.contains(words), "{}", run.err);
    };
    refused(
        &format!(
            "{{q: {{theta: 1}}, v: {{psi: 3}}, solve: {{unknowns: [theta], equations: [\"{balance}\"]}}}}"
        ),
        "M311",
        "equation 1 (`l*cos(theta)*dot(psi)^2 - g`) stays",
    );
    refused(
        "{solve: {unknowns: [theta, psi], equations: [theta - 1]}}",
        "M312",
        "cannot determine 2 coordinates",
    );
    refused("{solve: {unknowns: [lean], equations: [theta - 1]}}", "M208", "lean");
    refused("{solve: {unknowns: [theta], equations: [theta - lean]}}", "M106", "lean");
    refused("{solve: {unknowns: [theta, theta], equations: [theta - 1]}}", "M307", "listed twice");
    refused("{solve: {unknowns: [theta]}}", "M011", "equations");
}

#[test]
fn a_rim_that_lies_flat_is_named() {
    let coin = "mechan: 1\nname: a\nspace: space\ncoordinates: [x, y, z, a, b, c]\nbodies: {coin: {mass: 1, inertia: [1, 1, 2], \
                position: [x, y, z], rotation: [{axis: x, angle: a}, {axis: y, angle: b}, {axis: z, angle: c}]}}\n\
                contacts: {edge: {rim: {body: coin, radius: 1, axis: z}, surface: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.3}}\n\
                states:\n  good: {q: {z: 1, a: 0.3}}\n  bad: {q: {z: 1}}\n";
    let (_, err) = one_bad(coin, &[], 3, "M401");
    assert!(err.contains("the rim of contact `edge` lies flat in state `bad`"), "{err}");
}

#[test]
fn what_has_no_direction_is_named() {
    let spring = "mechan: 1\nname: a\nspace: plane\ncoordinates: [x, y]\nbodies: {ball: {mass: 1, position: [x, y]}}\n\
                  forces: [{spring: [{body: ball, at: [0, 0]}, [1, 2]], stiffness: 3, length: 0.5}]\n\
                  states:\n  good: {q: {x: 2}}\n  bad: {q: {x: 1, y: 2}}\n";
    let (_, err) = one_bad(spring, &[], 3, "M401");
    assert!(err.contains("the ends of the spring meet in state `bad`") && err.contains("-:6:"), "{err}");
    let turned = "mechan: 1\nname: a\nspace: space\ncoordinates: [a, b, c, d]\nbodies: {top: {mass: 1, inertia: [1, 2, 3], \
                  position: [0, 0, 0], rotation: {quaternion: [a, b, c, d]}}}\nstates:\n  good: {}\n  bad: {q: {a: 0}}\n";
    let (_, err) = one_bad(turned, &[], 3, "M401");
    assert!(
        err.contains("the quaternion (a, b, c, d) is zero") && err.contains("no turn is `a: 1`"),
        "{err}"
    );
}
