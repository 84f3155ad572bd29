//! `mechan solve`: what it prints about problem files, in every form, with its exit status.

use crate::run::{Run, command, finish, mechan};
use serde_json::{Value, json};
use std::process::Stdio;

mod faults;
mod forms;
mod numbers;
mod saved;

const NONE: &str = "problems/painleve_bar.json";
const TWO: &str = "problems/painleve_bar_lifted.json";
const FAMILY: &str = "problems/square_on_ground.json";
const SPACE: &str = "problems/ball_on_table.json";

/// A problem file as a value, to be changed.
fn problem(path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A matrix in the form of the files.
fn matrix(rows: &[&[f64]]) -> Value {
    let (mut i, mut j, mut x) = (Vec::new(), Vec::new(), Vec::new());
    let ncols = rows.first().map_or(0, |row| row.len());
    for c in 0..ncols {
        for (r, row) in rows.iter().enumerate().filter(|(_, row)| row[c] != 0.0) {
            i.push(r);
            j.push(c);
            x.push(row[c]);
        }
    }
    json!({ "nrows": rows.len(), "ncols": ncols, "nnz": x.len(), "rows": i, "cols": j, "vals": x })
}

/// Runs `mechan solve` on a text in a file of this name, in a folder of its own.
fn solve_text(name: &str, text: &[u8], options: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    let mut run = command(&[&["solve", name], options].concat());
    finish(run.current_dir(folder.path()), b"")
}

fn solve_value(value: &Value, options: &[&str]) -> Run {
    solve_text("problem.json", value.to_string().as_bytes(), options)
}

fn json_of(value: &Value, options: &[&str]) -> Value {
    solve_value(value, &[&["--format", "json"], options].concat()).ends(0).json()
}

#[test]
fn repetitions_for_the_time_change_nothing_else() {
    let solved = |options: &[&str]| {
        let mut found = mechan(&[&["solve", FAMILY, "--format", "json"], options].concat()).ends(0).json();
        let time = found.as_object_mut().unwrap().remove("time_seconds").unwrap().as_f64().unwrap();
        assert!(time > 0.0, "{time}");
        found
    };
    assert_eq!(solved(&[]), solved(&["--timing"]));
}

#[test]
fn a_solution_is_found_and_printed() {
    let run = mechan(&["solve", SPACE]).ends(0);
    assert!(run.err.is_empty(), "{}", run.err);
    for words in ["ball_on_table: solved", "in space; local form", "holds (certified)", "slip"] {
        assert!(run.out.contains(words), "{words} in\n{}", run.out);
    }
    // r = (2, −μ·2·(3, 4)/5), u = r + q
    let solution = mechan(&["solve", SPACE, "--format", "json"]).ends(0).json();
    close(&solution["r"], &[2.0, -0.6, -0.8]);
    close(&solution["u"], &[0.0, 2.4, 3.2]);
    assert_eq!(solution["contacts"], json!(["slip"]));
}

/// Equal up to the tolerance of the solvers.
fn close(found: &Value, expected: &[f64]) {
    let found: Vec<f64> = found.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= 1e-7, "{found:?} is not {expected:?}");
    }
}

#[test]
fn a_proof_that_there_is_no_solution_is_an_answer() {
    let run = mechan(&["solve", NONE]).ends(0);
    for words in ["painleve_bar: no solution", "There is no solution", "Best point found, not a solution"] {
        assert!(run.out.contains(words), "{words} in\n{}", run.out);
    }
    let solution = mechan(&["solve", NONE, "--all", "--format", "json"]).ends(0).json();
    assert_eq!(solution["status"], "no_solution");
    assert!(solution["no_solution_because"].as_str().unwrap().contains("exact arithmetic"));
    assert_eq!((&solution["solutions"], &solution["complete"]), (&json!([]), &json!(true)));
    // the theory cannot tell: non-penetration is possible, (4.6) is not
    assert_eq!(solution["existence"]["non_penetration"], true);
    assert_eq!(solution["existence"]["klarbring_pang"], false);
    assert_eq!(solution["existence"]["conclusion"], "open");
    let certificate = &solution["existence"]["certificate"];
    assert_eq!(
        (&certificate["assumption"], &certificate["holds"]),
        (&json!("klarbring-pang"), &json!(false))
    );
    // opposite to each other: r = (4, −3) moves nothing, and lies in the cone
    assert_eq!(certificate["r"]["exact"], json!(["4", "-3"]));
    // s = −u0 tan θ [AC11 4.5.6]
    assert!((solution["existence"]["margin"].as_f64().unwrap() + 0.75).abs() < 1e-6);
}

#[test]
fn penetration_that_nothing_prevents_is_certified() {
    // no force moves a contact without mobility
    let mut file = problem(SPACE);
    file["W"] = json!({ "nrows": 3, "ncols": 3, "nnz": 0, "rows": [], "cols": [], "vals": [] });
    let solution = json_of(&file, &[]);
    assert_eq!(solution["status"], "no_solution");
    assert!(solution["no_solution_because"].as_str().unwrap().contains("penetrated"));
    let certificate = &solution["existence"]["certificate"];
    assert_eq!(certificate["assumption"], "non-penetration");
    assert_eq!((&certificate["holds"], &certificate["kind"]), (&json!(false), &json!("multiplier")));
}

#[test]
fn a_force_that_hides_the_velocities_in_its_rounding_is_no_solution() {
    // without any velocity of its own the contact approaches with 1, whatever the force: r = 1e300 has no residual
    let mut file = problem(TWO);
    file["M"] = json!({ "nrows": 0, "ncols": 0, "nnz": 0, "rows": [], "cols": [], "vals": [] });
    file["H"] = json!({ "nrows": 0, "ncols": 2, "nnz": 0, "rows": [], "cols": [], "vals": [] });
    (file["n_dof"], file["q"], file["b"]) = (json!(0), json!([]), json!([-1.0, 0.0]));
    assert_eq!(json_of(&file, &[])["status"], "no_solution");
}

#[test]
fn all_solutions_of_the_bar_that_can_lift_off_or_jam() {
    let solution = mechan(&["solve", TWO, "--all", "--format", "json"]).ends(0).json();
    let solutions = solution["solutions"].as_array().unwrap();
    assert_eq!((solutions.len(), &solution["complete"]), (2, &json!(true)));
    // take-off: 25 v = 3, u = (3 v, 4 v + 1)
    assert_eq!(solutions[0]["contacts"], json!(["take-off"]));
    close(&solutions[0]["u"], &[0.36, 1.48]);
    close(&solutions[0]["v"], &[0.12]);
    close(&solutions[0]["r"], &[0.0, 0.0]);
    // slip with v = 0: 0 = 3 + 3 r_N + 4 r_T, r_T = −r_N
    assert_eq!(solutions[1]["contacts"], json!(["slip+"]));
    close(&solutions[1]["u"], &[0.0, 1.0]);
    close(&solutions[1]["v"], &[0.0]);
    close(&solutions[1]["r"], &[3.0, -3.0]);
}

/// The hand of the chalk is a bilateral constraint: the problem has two unknowns, the mechanism three velocities.
#[cfg(feature = "derive")]
#[test]
fn all_solutions_of_a_step_have_the_velocities_of_the_mechanism() {
    let args = ["solve", "mechanisms/pushed_chalk.yaml", "--state", "dragged", "--all", "--format", "json"];
    let solution = mechan(&args).ends(0).json();
    let v: Vec<f64> = solution["v"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(v.len(), 3);
    let [only] = solution["solutions"].as_array().unwrap().as_slice() else { panic!("{solution}") };
    close(&only["v"], &v);
}

#[test]
fn forces_that_are_not_unique_are_a_family() {
    let solution = mechan(&["solve", FAMILY, "--all", "--format", "json"]).ends(0).json();
    assert_eq!(solution["contacts"], json!(["stick", "stick"]));
    let [family] = solution["solutions"].as_array().unwrap().as_slice() else { panic!("{solution}") };
    assert_eq!((&family["dimension"], &family["motion_dimension"]), (&json!(1), &json!(0)));
    // r_N = 1 at both corners, opposite r_T up to μ r_N
    close(&family["vertices"][0]["r"], &[1.0, -0.5, 1.0, 0.5]);
    close(&family["vertices"][1]["r"], &[1.0, 0.5, 1.0, -0.5]);
    assert_eq!(family["rays"], json!([]));
    let text = mechan(&["solve", FAMILY, "--all"]).ends(0).out;
    assert!(text.contains("the forces form a polytope of dimension 1"), "{text}");
}

#[test]
fn all_is_refused_where_solutions_cannot_be_listed() {
    let run = mechan(&["solve", SPACE, "--all"]).ends(2);
    assert!(run.err.contains("only planar problems"), "{}", run.err);
}

#[test]
fn no_contact_is_no_difficulty() {
    let mut file = problem(FAMILY);
    for key in ["mu", "b"] {
        file[key] = json!([]);
    }
    (file["n_contacts"], file["n_rows"]) = (json!(0), json!(0));
    file["H"] = json!({ "nrows": 3, "ncols": 0, "nnz": 0, "rows": [], "cols": [], "vals": [] });
    let solution = json_of(&file, &["--all"]);
    assert_eq!((&solution["status"], &solution["r"]), (&json!("solved"), &json!([])));
    close(&solution["v"], &[0.0, -2.0, 0.0]);
    assert_eq!(solution["solutions"].as_array().unwrap().len(), 1);
}

#[test]
fn dependent_contacts_are_solved_and_repeated_ones_named() {
    // the second corner on the first: H of rank 2 of 4
    let mut file = problem(FAMILY);
    file["H"] = matrix(&[&[0.0, 1.0, 0.0, 1.0], &[1.0, 0.0, 1.0, 0.0], &[0.0; 4]]);
    let run = solve_value(&file, &["--format", "json"]).ends(0);
    let solution = run.json();
    assert_eq!(solution["status"], "solved");
    let r: Vec<f64> = solution["r"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!((r[0] + r[2] - 2.0).abs() < 1e-8, "{r:?}");
    let warning = solution["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("contact 1 repeats contact 0"), "{warning}");
    assert!(run.err.contains(warning), "{}", run.err);
    let quiet = solve_value(&file, &["--quiet"]).ends(0);
    assert!(quiet.err.is_empty() && quiet.out.contains("warning: contact 1 repeats contact 0"));
}

#[test]
fn asymmetry_is_used_as_given_with_a_warning() {
    let mut file = problem(FAMILY);
    file["M"] = matrix(&[&[1.0, 1e-7, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]);
    let run = solve_value(&file, &["--format", "json"]).ends(0);
    let solution = run.json();
    let expected = "M is not symmetric (relative asymmetry 1.0e-7); it is used as given";
    assert_eq!(solution["warnings"], json!([expected]));
    assert!(run.err.contains(expected), "{}", run.err);
    let text = solve_value(&file, &[]).ends(0).out;
    assert!(text.contains("Proven for a symmetric M (this one is not)"), "{text}");
    let mut file = problem(SPACE);
    file["W"] = matrix(&[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.25], &[0.0, 0.0, 1.0]]);
    let solution = json_of(&file, &[]);
    assert!(solution["warnings"][0].as_str().unwrap().starts_with("W is not symmetric"));
    assert_eq!(json_of(&problem(SPACE), &[])["warnings"], json!([]));
}

#[test]
fn a_file_without_a_name_is_called_by_its_own() {
    let mut file = problem(SPACE);
    file.as_object_mut().unwrap().remove("name");
    let text = file.to_string();
    let run = solve_text("thrown.json", text.as_bytes(), &["--format", "json"]).ends(0);
    assert_eq!(run.json()["problem"], "thrown");
    let run = solve_text("packed.json.gz", &packed(text.as_bytes()), &["--format", "json"]).ends(0);
    assert_eq!(run.json()["problem"], "packed");
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}
