//! What people type who know another language, and what they are told.

use crate::run::{mechan, mechan_on};

const GOOD: &str = "mechan: 1\nname: rod\nspace: plane\nparameters: {m: 1, mu: 0.5}\ncoordinates: [x, theta]\n\
bodies:\n  rod: {mass: m, inertia: m, position: [x, sin(theta)]}\n\
contacts:\n  tip: {point: [x, 0], surface: {point: [0, 0], normal: [0, 1]}, friction: mu}\n\
states:\n  rest: {q: {x: 0, theta: 0}, v: {x: 1}}\n";

/// One fault, with these words and a hint with those.
fn told(from: &str, to: &str, message: &str, hint: &str) {
    assert!(GOOD.contains(from), "{from}");
    let run = mechan_on(&["check", "--no-derive", "-"], GOOD.replacen(from, to, 1).as_bytes()).ends(1);
    assert_eq!(run.err.matches("error[").count(), 1, "{}", run.err);
    assert!(run.err.contains(message), "expected `{message}` in\n{}", run.err);
    let hints: String = run.err.split("= hint: ").skip(1).collect();
    assert!(hints.contains(hint), "expected `{hint}` in\n{}", run.err);
}

#[test]
fn the_base_of_these_cases_is_good() {
    mechan_on(&["check", "--no-derive", "-"], GOOD.as_bytes()).ends(0);
}

#[test]
fn degrees_and_units_beside_a_number() {
    told("theta: 0}", "theta: 60 deg}", "between `60` and `deg`", "write `60*pi/180`");
    told("theta: 0}", "theta: 60deg}", "between `60` and `deg`", "write `60*pi/180`");
    told("theta: 0}", "theta: 60\u{b0}}", "unexpected character", "write `60*pi/180`");
    told("{m: 1,", "{m: 1 kg,", "between `1` and `kg`", "{value: 1, unit: kg}");
    told("inertia: m", "inertia: 2 m", "between `2` and `m`", "a product is written `2*m`");
}

#[test]
fn decimal_commas() {
    told("inertia: m", "inertia: '1,5'", "found `,`", "write `1.5`");
    let block = GOOD.replace("parameters: {m: 1, mu: 0.5}", "parameters:\n  m: 1,1\n  mu: 0.5");
    let run = mechan_on(&["check", "--no-derive", "-"], block.as_bytes()).ends(1);
    assert!(run.err.contains("write `1.1`"), "{}", run.err);
    let run =
        mechan_on(&["check", "--no-derive", "-"], GOOD.replace("{m: 1,", "{m: 1,1,").as_bytes()).ends(1);
    assert!(run.err.contains("the decimal sign is a point"), "{}", run.err);
    told("{x: 0,", "{x: 0, 5,", "found `0,5`", "the decimal sign is a point: write `0.5`");
    told("{x: 0,", "{x: -12,75,", "found `-12,75`", "write `-12.75`");
    told("{m: 1,", "{m: {value: 9,81},", "found `9,81`", "write `9.81`");
}

#[test]
fn velocities() {
    for name in ["xdot", "x_dot", "dx", "vx", "v_x"] {
        let hint = "the velocity of `x` is written `dot(x)`";
        told(
            "states:",
            &format!("forces: [{{coordinate: x, value: -{name}}}]\nstates:"),
            "is not defined",
            hint,
        );
    }
    told("v: {x: 1}", "v: {dot(x): 1}", "there is no coordinate `dot(x)`", "`v: {x: ...}`");
    told("q: {x: 0,", "q: {dot(x): 0,", "there is no coordinate `dot(x)`", "`v: {x: ...}`");
}

#[test]
fn shapes() {
    told("q: {x: 0, theta: 0}", "q: [0, 2]", "found a list", "write `q: {x: 0, theta: 2}`");
    told("friction: mu}", "friction: mu, restitution: 0.7}", "found `0.7`", "{law: poisson, value: 0.7}");
    told("sin(theta)", "sin theta", "`sin` is a function", "write `sin(theta)`");
    told("{x: 0, theta: 0}", "{x: 0, mu: 0}", "there is no coordinate `mu`", "stands under `parameters`");
}

#[test]
fn a_parameter_with_the_name_of_a_coordinate_is_one_fault() {
    let force = "forces: [{coordinate: x, value: -dot(x)}]\nstates:";
    let text = GOOD.replace("{m: 1,", "{m: 1, x: 2,").replace("states:", force);
    let run = mechan_on(&["check", "--no-derive", "-"], text.as_bytes()).ends(1);
    assert_eq!(run.err.matches("error[").count(), 1, "{}", run.err);
    assert!(run.err.contains("coordinate `x` has the same name as a parameter"), "{}", run.err);
}

#[test]
fn negative_values_of_options_and_short_names_of_forms() {
    let run = mechan(&["solve", "mechanisms/painleve_rod.yaml", "--step", "-1", "--quiet"]);
    assert!(!run.err.contains("-- -1"), "{}", run.err);
    let run = mechan(&["solve", "problems/ball_on_table.json", "--tolerance", "-1"]).ends(2);
    assert!(run.err.contains("--tolerance is -1, expected a number > 0"), "{}", run.err);
    let run = mechan(&["solve", "problems/ball_on_table.json", "--format", "md"]).ends(0);
    assert!(run.out.starts_with("# "), "{}", run.out);
}
