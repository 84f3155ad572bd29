//! The forms of the report, several files, options, streams and exit statuses.

use super::*;

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // times differ from run to run, and so do the columns that hold them
    settings.add_filter(r"(time +)\S+ s", "$1[time] s");
    settings.add_filter(r#"("time_seconds": )[^,]+"#, "$1[time]");
    settings.add_filter(r"(?m)(\S) {2,}", "$1  ");
    settings.add_filter(r"-{3,}", "---");
    // the rounding of a machine, and what a cone program gives beyond six digits
    settings.add_filter(r"(\d\.\d{6})\d{6,}", "$1~");
    settings.add_filter(r"-?\d(\.\d+)?e-\d+", "~0");
    settings
}

#[test]
fn reports_of_small_problems() {
    for (name, file) in [("two", TWO), ("family", FAMILY)] {
        let text = mechan(&["solve", file, "--all"]).ends(0).out;
        settings().bind(|| insta::assert_snapshot!(format!("solve_{name}"), text));
    }
    let text = mechan(&["solve", TWO, "--all", "--format", "json"]).ends(0).out;
    settings().bind(|| insta::assert_snapshot!("solve_two_json", text));
}

#[test]
fn the_keys_of_the_machine_readable_form() {
    let keys = "schema problem status solver iterations residual residual_absolute backward_error contact_error \
                time_seconds u v r contacts \
                existence no_solution_because warnings";
    let promised: Vec<&str> = keys.split_whitespace().collect();
    for (file, options, more) in [
        (SPACE, &[][..], &[][..]),
        (NONE, &[], &["refutation"]),
        (TWO, &["--all"], &["solutions", "complete", "proof"]),
    ] {
        let run = mechan(&[&["solve", file, "--format", "json"], options].concat()).ends(0);
        assert!(run.err.is_empty(), "{}", run.err);
        let solution = run.json();
        let found: Vec<&str> = solution.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(found, [&promised[..], more].concat());
        assert_eq!(solution["schema"], "mechan.solution/1");
        let existence = "h strong weak klarbring_pang non_penetration no_wedging margin margin_bound conclusion examined certificate";
        let found: Vec<&str> =
            solution["existence"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(found.join(" "), existence);
    }
}

#[test]
fn infinite_numbers_have_their_own_word() {
    let mut file = problem(SPACE);
    file["q"] = json!([-1e300, 1e300, 0.0]);
    let run = solve_value(&file, &["--format", "json"]);
    assert!([0, 3].contains(&run.status), "{}", run.err);
    let solution = run.json();
    // unbounded margin
    assert_eq!(solution["existence"]["margin"], "inf");
    assert!(solution["residual"] == "inf" || solution["residual"].is_number());
}

#[test]
fn several_files_make_a_table_and_a_list() {
    let run = mechan(&["solve", NONE, SPACE, FAMILY]).ends(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 5, "{}", run.out);
    let columns = "problem dim contacts status solver iterations residual seconds";
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>().join(" "), columns);
    for (line, expected) in lines[2..].iter().zip([
        "painleve_bar 2 1 no_solution ",
        "ball_on_table 3 1 solved ",
        "square_on_ground 2 2 solved ",
    ]) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.starts_with(expected), "{line}");
    }
    let list = mechan(&["solve", NONE, SPACE, "--format", "json"]).ends(0).json();
    let problems: Vec<_> = list.as_array().unwrap().iter().map(|s| s["problem"].clone()).collect();
    assert_eq!(problems, [json!("painleve_bar"), json!("ball_on_table")]);
    let all = mechan(&["solve", NONE, TWO, "--all"]).ends(0).out;
    let counts: Vec<_> = all.lines().skip(2).filter_map(|l| l.split_whitespace().last()).collect();
    assert_eq!(counts, ["0", "2"]);
}

#[test]
fn one_bad_file_does_not_silence_the_others() {
    let run = mechan(&["solve", SPACE, "no/such/file.json", TWO]).ends(1);
    assert!(run.err.contains("no/such/file.json: cannot be read"), "{}", run.err);
    assert!(run.out.contains("ball_on_table") && run.out.contains("painleve_bar_lifted"), "{}", run.out);
    let list = mechan(&["solve", "no/such/file.json", SPACE, "--format", "json"]).ends(1).json();
    let [failed, solved] = list.as_array().unwrap().as_slice() else { panic!("{list}") };
    assert_eq!((&failed["problem"], &failed["error"]["code"]), (&json!("no/such/file.json"), &json!("file")));
    assert!(failed["error"]["message"].as_str().unwrap().contains("cannot be read"), "{failed}");
    assert!(failed.get("status").is_none() && solved["status"] == "solved", "{solved}");
}

#[test]
fn markdown_and_html_are_what_they_say() {
    let mut file = problem(TWO);
    file["name"] = json!("<b>a|b");
    let markdown = solve_value(&file, &["--all", "--format", "markdown"]).ends(0).out;
    assert!(markdown.starts_with("# &lt;b>a\\|b: solved\n"), "{markdown}");
    assert!(markdown.contains("| 0 | slip+ | 0 | 1 | 3 | -3 |"), "{markdown}");
    let html = solve_value(&file, &["--all", "--format", "html"]).ends(0).out;
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(html.contains("<h1>&lt;b&gt;a|b: solved</h1>") && !html.contains("<b>"), "{html}");
}

#[test]
fn output_goes_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let run = mechan(&["solve", SPACE, "--format", "json", "--output", path.to_str().unwrap()]).ends(0);
    assert!(run.out.is_empty());
    let solution: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(solution["problem"], "ball_on_table");
    let nowhere = folder.path().join("nowhere/report.json");
    let run = mechan(&["solve", SPACE, "--output", nowhere.to_str().unwrap()]).ends(1);
    assert!(run.err.contains("cannot be written"), "{}", run.err);
}

#[test]
fn progress_is_said_only_when_asked_for() {
    let run = mechan(&["solve", SPACE, "--verbose"]).ends(0);
    assert!(run.err.contains("solving problems/ball_on_table.json"), "{}", run.err);
    assert!(!run.out.contains("solving"));
    assert!(mechan(&["solve", SPACE]).ends(0).err.is_empty());
}

#[test]
fn a_tolerance_out_of_reach_ends_with_3_and_the_best_point() {
    let run =
        mechan(&["solve", FAMILY, "--tolerance", "1e-30", "--solver", "gauss-seidel", "--iterations", "2"]);
    let run = run.ends(3);
    assert!(run.err.contains("not every problem was solved to the tolerance"), "{}", run.err);
    assert!(run.out.contains("square_on_ground: not converged"), "{}", run.out);
    assert!(run.out.contains("Best point found, not a solution"), "{}", run.out);
}

#[test]
fn threads_change_nothing_of_an_answer() {
    let answer = |threads| {
        let run = mechan(&["solve", FAMILY, "--threads", threads, "--format", "json"]).ends(0);
        let mut answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        answer["time_seconds"] = serde_json::Value::Null;
        answer
    };
    assert_eq!(answer("1"), answer("3"));
    assert!(mechan(&["solve", FAMILY, "--threads", "0"]).ends(2).err.contains("--threads"));
}

#[test]
fn a_budget_that_is_used_up_ends_with_3_and_says_so() {
    let run = mechan(&["solve", FAMILY, "--budget", "0", "--format", "json"]).ends(3);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&answer["status"], &answer["iterations"]), (&"budget".into(), &0.into()));
    let run = mechan(&["solve", FAMILY, "--budget", "0"]).ends(3);
    assert!(run.out.contains(": budget"), "{}", run.out);
    assert!(mechan(&["solve", FAMILY, "--budget", "1000"]).ends(0).out.contains(": solved"));
}

#[test]
fn wrong_usage_ends_with_2() {
    for (options, expected) in [
        (&["--solver", "newton"][..], "newton"),
        (&["--tolerance=0"], "--tolerance is 0, expected a number > 0"),
        (&["--tolerance=-1"], "--tolerance is -1"),
        (&["--tolerance=nan"], "--tolerance is NaN"),
        (&["--tolerance=inf"], "--tolerance is inf"),
        (&["--tolerance", "small"], "small"),
        (&["--iterations", "3"], "--solver"),
        (&["--solver", "lemke", "--iterations", "many"], "many"),
        (&["--format", "xml"], "xml"),
        (&["--quiet", "--verbose"], "cannot be used with"),
    ] {
        let run = mechan(&[&["solve", SPACE], options].concat()).ends(2);
        assert!(run.out.is_empty() && run.err.contains(expected), "{expected} in\n{}", run.err);
    }
    mechan(&["solve"]).ends(2);
}

#[test]
fn every_solver_can_be_named() {
    for name in ["gauss-seidel", "alart-curnier", "fischer-burmeister", "proximal", "gradient", "fixed-point"]
    {
        let run = mechan(&["solve", SPACE, "--solver", name, "--format", "json"]).ends(0);
        assert_eq!(run.json()["solver"], name);
        close(&run.json()["r"], &[2.0, -0.6, -0.8]);
    }
    let run = mechan(&["solve", FAMILY, "--solver", "lemke", "--format", "json"]).ends(0);
    assert_eq!(run.json()["solver"], "lemke");
}

#[test]
fn help_names_the_options() {
    let help = mechan(&["solve", "--help"]).ends(0).out;
    for option in ["--tolerance", "--solver", "--iterations", "--all", "--format", "--output", "fcp-1"] {
        assert!(help.contains(option), "{option} in\n{help}");
    }
    let (general, of_mechanisms) = help.split_once("Mechanisms:").unwrap();
    assert!(general.contains("--format") && general.contains("--all"), "{help}");
    assert!(of_mechanisms.contains("--step") && !of_mechanisms.contains("--format"), "{help}");
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let missing = ["solve", "no/such/file.json"];
    assert!(!mechan(&missing).ends(1).err.contains('\u{1b}'));
    let always = mechan(&[&missing[..], &["--color", "always"]].concat()).ends(1);
    assert!(always.err.contains("\u{1b}[1;31merror\u{1b}[0m"), "{}", always.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["solve", FAMILY, "--all", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_same_file_gives_the_same_bytes() {
    let run = || {
        let mut solution = mechan(&["solve", FAMILY, "--all", "--format", "json"]).ends(0).json();
        solution["time_seconds"] = json!(0);
        solution.to_string()
    };
    assert_eq!(run(), run());
}
