//! Files that are wrong: a clear error, exit status 1, no panic, nothing lost.

use crate::run::mechan_on;

const GOOD: &str = "mechan: 1\nname: rod\nspace: plane\nparameters: {m: 1, mu: 0.5}\ncoordinates: [x, y]\n\
bodies:\n  ball: {mass: m, inertia: 0, position: [x, y]}\n\
contacts:\n  tip: {point: [x, y], surface: {point: [0, 0], normal: [0, 1]}, friction: mu}\n\
states:\n  rest: {q: {x: 0, y: 0}}\n";

fn refused(text: &[u8], expected: &[&str]) {
    let run = mechan_on(&["check", "-"], text).ends(1);
    assert!(run.out.is_empty(), "{}", run.out);
    mechan_on(&["analyze", "-"], text).ends(1);
    for word in expected {
        assert!(run.err.contains(word), "expected `{word}` in\n{}", run.err);
    }
    assert!(run.err.len() < 20_000, "an error of {} bytes", run.err.len());
}

fn replaced(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from));
    GOOD.replacen(from, to, 1)
}

#[cfg(feature = "derive")]
#[test]
fn the_base_of_these_cases_is_good() {
    mechan_on(&["analyze", "-"], GOOD.as_bytes()).ends(0);
}

#[test]
fn unknown_names_come_with_a_suggestion() {
    refused(replaced("position: [x, y]", "position: [x, yy]").as_bytes(), &["yy", "7:", "did you mean"]);
    refused(replaced("friction: mu", "frictoin: mu").as_bytes(), &["frictoin", "friction"]);
}

#[test]
fn wrong_arity_and_shapes_are_named() {
    refused(replaced("position: [x, y]", "position: [sin(x, y), y]").as_bytes(), &["sin"]);
    refused(replaced("position: [x, y]", "position: [x, y, 0]").as_bytes(), &["position"]);
}

#[test]
fn cyclic_parameters_are_explained() {
    refused(replaced("{m: 1, mu: 0.5}", "{m: mu, mu: m}").as_bytes(), &["mu"]);
}

#[test]
fn non_finite_numbers_are_refused() {
    for bad in [".inf", ".nan", "1/0", "1e999", "log(0)"] {
        refused(replaced("m: 1", &format!("m: {bad}")).as_bytes(), &["m"]);
    }
}

#[cfg(feature = "derive")]
#[test]
fn a_state_off_its_contact_is_refused_with_both_values() {
    refused(
        replaced("{q: {x: 0, y: 0}}", "{q: {y: 0.5}, closed: [tip]}").as_bytes(),
        &["tip", "gap", "velocity"],
    );
    refused(replaced("{q: {x: 0, y: 0}}", "{v: {y: 0.5}, closed: [tip]}").as_bytes(), &["separates"]);
}

#[cfg(feature = "derive")]
#[test]
fn a_singular_mass_matrix_names_the_state_and_the_eigenvalue() {
    let text = replaced("{mass: m, inertia: 0,", "{mass: 0, inertia: 0,");
    let run = mechan_on(&["analyze", "-"], text.as_bytes());
    assert!(run.status == 1 || run.status == 3, "{}", run.err);
    assert!(run.err.contains("mass"), "{}", run.err);
    let text = replaced("coordinates: [x, y]", "coordinates: [x, y, z]");
    let run = mechan_on(&["analyze", "-"], text.as_bytes()).ends(3);
    assert!(run.err.contains("rest") && run.err.contains("eigenvalue"), "{}", run.err);
}

#[test]
fn floods_are_refused_in_words() {
    let nested = format!("{}x{}", "(".repeat(10_000), ")".repeat(10_000));
    refused(replaced("position: [x, y]", &format!("position: [{nested}, y]")).as_bytes(), &["error"]);
    refused(&vec![b'['; 20_000], &["error"]);
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        bomb += &format!("a{i}: &a{i} [{}]\n", vec![format!("*a{}", i - 1); 10].join(", "));
    }
    refused(bomb.as_bytes(), &["error"]);
    let large = format!("{GOOD}description: \"{}\"\n", "a".repeat(10 << 20));
    let run = mechan_on(&["check", "-"], large.as_bytes());
    assert!(run.status <= 1 && run.err.len() < 20_000, "{}", run.status);
}

#[test]
fn bytes_that_are_not_text_are_refused() {
    refused(b"\xff\xfe\x00mechan: 1", &["UTF-8"]);
    refused(b"", &["error"]);
    refused(b"mechan: 1\nname: \0", &["error"]);
}

#[test]
fn every_problem_is_reported_at_once() {
    let text = GOOD
        .replace("mechan: 1", "mechan: 2")
        .replace("space: plane", "space: plain")
        .replace("friction: mu", "friction: nu");
    let run = mechan_on(&["check", "-"], text.as_bytes()).ends(1);
    assert!(run.err.matches("error").count() >= 3, "{}", run.err);
}
