//! What is asked in a way that cannot be answered is refused before the work, with what to type; nothing that is asked is ignored.

use crate::run::{Run, command, finish, mechan, mechan_on};
use std::path::Path;

/// The schemes by their names, as the help has them.
fn schemes() -> Vec<String> {
    let help = mechan(&["simulate", "--help"]).ends(0).out;
    let from = help.split("--scheme <NAME>").nth(1).unwrap();
    let list = from.split("--step <H>").next().unwrap();
    let lines = list.lines().filter_map(|line| line.trim().strip_prefix("- "));
    lines.map(|line| line.split(':').next().unwrap().to_string()).collect()
}

/// An option that a scheme takes makes a difference; one that it has not is refused, with a scheme that has it.
#[test]
fn no_option_of_a_scheme_is_ignored() {
    let options = [
        ("--step", ["0.02", "0.01"]),
        ("--theta", ["0.6", "0.9"]),
        ("--gamma", ["0.2", "0.9"]),
        ("--eps", ["1e-2", "2e-2"]),
        ("--rtol", ["1e-3", "1e-5"]),
        ("--atol", ["1e-2", "1e-6"]),
    ];
    let schemes = schemes();
    assert!(schemes.len() > 15, "{schemes:?}");
    for scheme in &schemes {
        let ask = |mechanism: &str, more: &[&str]| {
            let ask = ["simulate", mechanism, "--t-end", "1.2", "--quiet", "--format", "json"];
            mechan(&[&ask[..], &["--scheme", scheme], more].concat())
        };
        // what it needs in any case
        let needs: Vec<&str> = match scheme.as_str() {
            "event" => Vec::new(),
            "compliant" => vec!["--eps", "1e-2"],
            _ => vec!["--step", "0.02"],
        };
        for (option, values) in options {
            let both = |mechanism: &str| {
                values.map(|value| {
                    let needs = needs.chunks(2).filter(|words| words[0] != option).flatten().copied();
                    ask(mechanism, &needs.chain([option, value]).collect::<Vec<_>>())
                })
            };
            let found = both("double_pendulum_wall");
            let [one, two] = &found;
            if one.status == 2 {
                let words = format!(
                    "--scheme {scheme} has no {option}: leave it out, or choose a scheme that has it"
                );
                assert!(one.err.contains(&words) && two.status == 2, "{}", one.err);
                let example = one.err.split("--scheme ").nth(2).unwrap().split('`').next().unwrap();
                assert!(schemes.iter().any(|known| known == example), "{example}");
            } else {
                assert!(one.status != 2 && two.status != 2, "{scheme} {option}: {}{}", one.err, two.err);
                // what makes no difference to one motion makes one to another: parabolas need no tolerance, walls no prediction
                let differs = one.out != two.out
                    || ["bouncing_ball", "rimless_wheel"].into_iter().any(|mechanism| {
                        let [one, two] = both(mechanism);
                        one.out != two.out
                    });
                assert!(differs, "{scheme} takes {option}, and nothing follows from it");
            }
        }
    }
    let runs = ["ensemble", "bouncing_ball", "--t-end", "1", "--grid", "q=1:2:2", "--theta", "0.5"];
    assert!(mechan(&runs).ends(2).err.contains("--scheme event has no --theta"));
}

#[test]
fn numbers_that_make_no_sense_are_wrong_usage() {
    let simulate = ["simulate", "falling_pencil", "--quiet"];
    let cases: [&[&str]; 12] = [
        &["--t-end", "0.1", "--scheme", "compliant", "--eps", "0"],
        &["--t-end", "0.1", "--scheme", "compliant", "--eps=-1e-3"],
        &["--t-end", "0.1", "--eps", "1e-3,0"],
        &["--t-end", "0.1", "--scheme", "compliant"],
        &["--t-end", "0.1", "--rtol", "0"],
        &["--t-end", "0.1", "--atol", "0"],
        &["--t-end", "0.1", "--scheme", "moreau", "--step", "0"],
        &["--t-end", "0.1", "--scheme", "herk-2", "--step", "nan"],
        &["--t-end", "0.1", "--scheme", "moreau", "--step", "0.01", "--theta", "2"],
        &["--t-end", "-1"],
        &["--t-end", "0.1", "--samples", "100000000"],
        &["--t-end", "0.1", "--depth", "2"],
    ];
    for case in cases {
        let run = mechan(&[&simulate[..], case].concat());
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{case:?}: {}", run.err);
    }
    let cycle =
        ["cycle", "frictional_impact_oscillator", "--section", "dot(theta)", "--samples", "100000000"];
    let samples = mechan(&cycle).ends(2).err;
    assert!(samples.contains("are not kept in memory (2 GiB)"), "{samples}");
}

fn in_folder(folder: &Path, words: &[&str]) -> Run {
    finish(command(words).current_dir(folder), b"")
}

fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_file_of_an_unknown_ending_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [&[&str]; 8] = [
        &["analyze", "falling_pencil"],
        &["solve", "ladder", "--state", "standing"],
        // days of work: they are refused before
        &["simulate", "falling_pencil", "--t-end", "1e12"],
        &["simulate", "falling_pencil", "--t-end", "1e12", "--futures", "all"],
        &["ensemble", "falling_pencil", "--t-end", "1", "--grid", "mu=0.1:0.9:100000000"],
        &["cycle", "frictional_impact_oscillator", "--section", "dot(theta)"],
        &["converge", "bouncing_ball", "--steps", "1e-9"],
        &["list"],
    ];
    for case in cases {
        for ending in ["xlsx", "tx", "pdf", "tar.gz"] {
            let name = format!("answer.{ending}");
            let run = in_folder(folder.path(), &[case, &["-o", &name]].concat()).ends(2);
            let words =
                format!("--output {name}: nothing that is written here has this ending; there are .txt, ");
            assert!(run.err.contains(&words), "{case:?}: {}", run.err);
        }
    }
    let table = in_folder(folder.path(), &["analyze", "falling_pencil", "-o", "answer.csv"]).ends(2);
    assert!(table.err.contains("--output answer.csv: nothing"), "{}", table.err);
    assert_eq!(files(folder.path()), Vec::<String>::new());
    // --format says what a file of any name holds
    in_folder(folder.path(), &["analyze", "falling_pencil", "--format", "json", "-o", "answer.dat"]).ends(0);
    let text = std::fs::read_to_string(folder.path().join("answer.dat")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["schema"], "mechan.analysis/1");
}

/// What is asked for as JSON and goes to a file does not stand on standard output too.
#[test]
fn a_document_goes_to_one_place() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["analyze", "falling_pencil"], "mechan.analysis/1"),
        (&["simulate", "falling_pencil", "--t-end", "0.1"], "mechan.trajectory/1"),
        (
            &["simulate", "painleve_rod", "--state", "inconsistent", "--t-end", "0.01", "--futures", "all"],
            "mechan.futures/1",
        ),
        (&["ensemble", "falling_pencil", "--t-end", "0.1", "--grid", "mu=0.1:0.9:3"], "mechan.ensemble/1"),
        (&["map", "falling_pencil", "--x", "theta=0:1:3", "--y", "mu=0:1:3"], "mechan.map/1"),
        (
            &["converge", "bouncing_ball", "--t-end", "0.5", "--schemes", "event", "--steps", "0.1,0.05"],
            "mechan.convergence/1",
        ),
    ];
    for (case, schema) in cases {
        // a map takes the ending of its file for the form
        let names: &[&str] = if case[0] == "map" { &["a.json"] } else { &["a.json", "a"] };
        for name in names {
            let run = in_folder(folder.path(), &[case, &["--format", "json", "-o", name]].concat()).ends(0);
            assert_eq!(run.out, "", "{case:?} {name}");
            let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["schema"], schema);
        }
    }
    assert_eq!(files(folder.path()), ["a", "a.json"], "no picture that nobody asked for");
}

/// Every command that takes files says of one of another kind what it is, and which command takes it.
#[test]
fn files_of_another_kind_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let robot = std::fs::read_dir("tests/import/robots").unwrap().map(|entry| entry.unwrap().path());
    let robot = robot.filter(|path| path.extension().is_some_and(|e| e == "urdf")).min().unwrap();
    std::fs::copy(robot, folder.path().join("robot.urdf")).unwrap();
    std::fs::copy("scenes/beads.yaml", folder.path().join("scene.yaml")).unwrap();
    std::fs::copy("problems/square_on_ground.json", folder.path().join("problem.json")).unwrap();
    let text = mechan(&["show", "falling_pencil"]).ends(0).out;
    std::fs::write(folder.path().join("mechanism.yaml"), text).unwrap();
    let kinds = [
        ("mechanism.yaml", "is a mechanism: `mechan analyze mechanism.yaml`"),
        ("scene.yaml", "is a scene of many bodies: `mechan run scene.yaml`"),
        ("problem.json", "is an incremental problem in numbers: `mechan solve problem.json`"),
        ("robot.urdf", "is a robot description: `mechan import robot.urdf"),
    ];
    let commands: [(&[&str], &[&str]); 7] = [
        (&["analyze"], &["mechanism.yaml"]),
        (&["simulate", "--t-end", "0.1"], &["mechanism.yaml"]),
        (&["derive"], &["mechanism.yaml"]),
        (&["converge"], &["mechanism.yaml"]),
        (&["map", "--x", "theta=0:1:2", "--y", "mu=0:1:2"], &["mechanism.yaml"]),
        (&["ensemble", "--t-end", "0.1", "--grid", "mu=0:1:2"], &["mechanism.yaml"]),
        (&["run"], &["scene.yaml"]),
    ];
    for (command, takes) in commands {
        for (file, words) in kinds.iter().filter(|(file, _)| !takes.contains(file)) {
            let run = in_folder(folder.path(), &[command, &[file]].concat()).ends(2);
            assert!(run.err.contains(words), "{command:?} {file}: {}", run.err);
            assert!(run.err.trim_end().lines().count() == 1, "{}", run.err);
        }
    }
    let shipped = in_folder(folder.path(), &["run", "falling_pencil"]).ends(2);
    assert!(shipped.err.contains("falling_pencil is a mechanism"), "{}", shipped.err);
    let scene = std::fs::read("scenes/beads.yaml").unwrap();
    assert!(mechan_on(&["analyze", "-"], &scene).ends(2).err.contains("is a scene of many bodies"));
    let gone = mechan(&["merge", "nothing.csv"]).ends(1);
    assert!(
        gone.err.contains("nothing.csv cannot be read") && !gone.err.contains("question"),
        "{}",
        gone.err
    );
}

/// A part of the report that has nothing to say says that.
#[test]
fn a_section_without_words_is_no_empty_report() {
    for (name, state) in [("rest", "slipping"), ("motion", "slipping"), ("impact", "balanced")] {
        let ask = ["analyze", "falling_pencil", "--state", state, "--quiet", "--section", name];
        let run = mechan(&ask).ends(0);
        let words = format!("Nothing is said here under `{name}` (");
        let sections = run.out.lines().filter(|line| line.starts_with("---")).count();
        assert_eq!(run.out.contains(&words), sections == 0, "{name}: {}", run.out);
    }
    let rest = mechan(&["analyze", "falling_pencil", "--state", "slipping", "--section", "rest"]).ends(0);
    assert!(rest.out.contains("equilibria: what holds them and how they are lost"), "{}", rest.out);
}
