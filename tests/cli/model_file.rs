//! Model files: what a build without derivation analyses, and what it says of other files.

use crate::run::mechan;

const MODEL: &str = "tests/cli/painleve_rod.model.json";

#[test]
fn a_model_file_is_analysed_checked_solved_and_turned_into_code_without_deriving() {
    let analysis = mechan(&["analyze", "--no-cache", MODEL, "--state", "inconsistent", "--format", "json"])
        .ends(0)
        .json();
    let state = &analysis["states"][0];
    assert_eq!((&state["verdict"], &state["resolved"][0]), (&"inconsistent".into(), &"iwc".into()));
    let tip = &state["contacts"]["tip"];
    let number = |key: &str| tip[key].as_f64().unwrap();
    assert!((number("p_plus") - (number("C") - number("friction") * number("B"))).abs() < 1e-15);
    assert_eq!(mechan(&["check", "--no-cache", MODEL]).ends(0).out, format!("{MODEL}: ok\n"));
    assert_eq!(
        mechan(&["solve", "--no-cache", MODEL, "--state", "upright", "--format", "json"]).ends(0).json()["status"],
        "solved"
    );
    for language in ["python", "sympy", "casadi", "c", "rust", "matlab", "octave", "julia", "jl"] {
        assert!(
            mechan(&["derive", MODEL, "--format", language]).ends(0).out.contains("painleve_rod_equations")
        );
    }
}

#[cfg(feature = "derive")]
#[test]
fn the_model_file_is_what_is_derived_today() {
    for (name, file) in [("painleve_rod", MODEL), ("falling_pencil", "examples/falling_pencil.model.json")] {
        let yaml = format!("mechanisms/{name}.yaml");
        let derived = mechan(&["derive", "--no-cache", "--format", "model", &yaml]).ends(0).out;
        assert_eq!(derived, std::fs::read_to_string(file).unwrap());
    }
}

#[cfg(not(feature = "derive"))]
#[test]
fn what_is_not_derived_is_named_with_the_remedy() {
    let run = mechan(&["analyze", "--no-cache", "mechanisms/painleve_rod.yaml"]).ends(3);
    assert!(run.err.contains("--format model"), "{}", run.err);
    let run = mechan(&["derive", "--no-cache", MODEL]).ends(3);
    assert!(run.err.contains("no equations to print"), "{}", run.err);
}
