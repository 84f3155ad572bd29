//! What good tools do: examples that run, manual pages, quiet pipes, suggestions, an end when asked for one.

use crate::interrupt::{begun, interrupt};
use crate::run::{Run, command, finish, mechan};
use std::path::Path;
use std::process::Stdio;

/// Every command, as the program lists them.
fn commands() -> Vec<String> {
    let help = mechan(&["--help"]).ends(0).out;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_string())
        .filter(|name| name != "help")
        .collect()
}

/// The words of a line of a shell with quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(k, part)| match k % 2 {
            0 => part.split_whitespace().map(str::to_string).collect(),
            _ => vec![part.to_string()],
        })
        .collect()
}

/// Examples of every command's help, in the order in which they build on each other.
fn examples() -> Vec<String> {
    let first = ["list", "show", "new", "check", "analyze"];
    let mut all = commands();
    all.sort_by_key(|name| first.iter().position(|known| known == name).unwrap_or(first.len()));
    // parts are made before they are merged
    all.sort_by_key(|name| name == "merge");
    let mut found = Vec::new();
    for name in all {
        let help = mechan(&[&name, "--help"]).ends(0).out;
        let (_, rest) =
            help.split_once("Examples:\n").unwrap_or_else(|| panic!("{name} has no examples:\n{help}"));
        assert!(rest.contains("Exit status: 0 the question was answered"), "{help}");
        let own: Vec<&str> = rest.lines().map_while(|line| line.strip_prefix("  mechan ")).collect();
        assert!(!own.is_empty() && own.iter().all(|line| line.starts_with(&name)), "{name}: {own:?}");
        found.extend(own.into_iter().map(String::from));
    }
    found
}

fn in_folder(folder: &Path, words: &[String]) -> Run {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // of the explorer's module no more is read than that it is one
    let module = folder.join("core.wasm");
    std::fs::write(&module, b"\0asm\x01\0\0\0").unwrap();
    finish(command(&words).current_dir(folder).env("MECHAN_EXPLORER_CORE", module), b"")
}

#[test]
fn every_example_of_every_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    let robot = std::fs::read_dir("tests/import/robots").unwrap().map(|entry| entry.unwrap().path());
    let robot = robot.filter(|path| path.extension().is_some_and(|e| e == "urdf")).min().unwrap();
    std::fs::copy(robot, folder.path().join("robot.urdf")).unwrap();
    let all = examples();
    assert!(all.len() > 30, "{}", all.len());
    for example in all {
        let run = in_folder(folder.path(), &words(&example));
        assert_eq!(run.status, 0, "mechan {example}\n{}", run.err);
    }
    for file in ["map.svg", "b.csv", "b.boundaries.csv", "all.csv", "ladder.json", "mechan.1", "mechan-map.1"]
    {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn the_commands_of_the_page_on_maps_run() {
    let folder = tempfile::tempdir().unwrap();
    let page = std::fs::read_to_string("docs/maps.md").unwrap();
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("$ mechan ")).collect();
    for line in &lines {
        let run = in_folder(folder.path(), &words(line));
        assert_eq!(run.status, 0, "mechan {line}\n{}", run.err);
    }
    assert!(lines.len() > 1 && folder.path().join("pencil.svg").exists());
}

#[test]
fn manual_pages_have_every_command() {
    let folder = tempfile::tempdir().unwrap();
    mechan(&["man", folder.path().to_str().unwrap()]).ends(0);
    for name in commands() {
        let page = std::fs::read_to_string(folder.path().join(format!("mechan-{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && page.contains("Examples:"), "{name}");
    }
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), commands().len() + 1, "{names:?}");
    let run = mechan(&["man", "/nowhere/at/all"]).ends(1);
    assert!(run.err.contains("/nowhere/at/all cannot be written"), "{}", run.err);
}

/// Nobody reads what is written: the answer was given all the same, and nothing is said.
#[test]
fn broken_pipes_end_quietly() {
    let map = ["map", "falling_pencil", "--x", "theta=0:1:9", "--y", "mu=0:1:9", "--format", "json"];
    let motion = ["simulate", "bouncing_ball", "--t-end", "1"];
    let runs = ["ensemble", "falling_pencil", "--t-end", "0.2", "--grid", "mu=0.1:0.9:3"];
    let orders = ["converge", "bouncing_ball", "--t-end", "0.5", "--schemes", "event", "--steps", "0.1,0.05"];
    let cycle =
        ["cycle", "frictional_impact_oscillator", "--state", "inconsistent", "--section", "dot(theta)"];
    let cases: [&[&str]; 18] = [
        &["--help"],
        &["--version"],
        &["map", "--help"],
        &["list"],
        &["show", "ladder"],
        &["new", "rod"],
        &["check", "falling_pencil", "ladder"],
        &["analyze", "falling_pencil"],
        &["schema"],
        &["table", "2"],
        &["derive", "ladder", "--format", "model"],
        &["completions", "bash"],
        &["solve", "ladder", "--state", "standing"],
        &map,
        &motion,
        &runs,
        &orders,
        &cycle,
    ];
    let folder = tempfile::tempdir().unwrap();
    for case in cases {
        let mut child = command(case)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let found = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&found.stderr).into_owned();
        assert_eq!(found.status.code(), Some(0), "{case:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("error"), "{case:?}: {err}");
    }
}

#[test]
fn misspelt_words_are_recognised() {
    let map = |more: [&'static str; 2]| {
        [&["map", "ladder", "--state", "standing", "--x", "theta=0.4:1.4:5", "--y", "mu=0.1:1:5"][..], &more]
            .concat()
    };
    let cases: [(&[&str], &str); 16] = [
        (&["analize", "falling_pencil"], "'analyze'"),
        (&["analyze", "falling_pencil", "--stat", "x"], "'--state'"),
        (&["analyze", "falling_pencil", "--state", "fallng"], "did you mean `falling`?"),
        (&["analyze", "falling_pencil", "--set", "nu=1"], "did you mean `mu`?"),
        (&["show", "faling_pencil"], "did you mean `falling_pencil`?"),
        (&["new", "a", "--from", "faling_pencil"], "did you mean `falling_pencil`?"),
        (&["new", "a", "--like", "arn"], "'arm'"),
        (&["derive", "ladder", "--format", "latx"], "'latex'"),
        (&["solve", "ladder", "--solver", "lemk"], "did you mean `lemke`?"),
        (&["simulate", "ladder", "--t-end", "1", "--scheme", "moro"], "'moreau"),
        (&["simulate", "ladder", "--t-end", "1", "--plot", "motoin"], "did you mean `motion`?"),
        (&["converge", "bouncing_ball", "--t-end", "1", "--schemes", "morau"], "did you mean `moreau`?"),
        (&["ensemble", "falling_pencil", "--t-end", "1", "--grid", "mo=0:1:3"], "did you mean `mu`?"),
        (&["analyze", "ladder", "--plot", "force"], "did you mean `forces`?"),
        (&map(["--quantity", "equilibrum"]), "did you mean `equilibrium`?"),
        (&map(["--contact", "fot"]), "did you mean `foot`?"),
    ];
    for (case, expected) in cases {
        let run = mechan(case);
        assert_eq!(run.status, 2, "{case:?}: {}", run.err);
        assert!(run.err.contains(expected), "{case:?}: {}\nexpected {expected}", run.err);
    }
    let run = mechan(&["analyze", "fallingpencil"]).ends(1);
    assert!(run.err.contains("did you mean `falling_pencil`"), "{}", run.err);
}

#[test]
fn quiet_says_nothing_and_verbose_no_less_than_usual() {
    let ask = ["map", "falling_pencil", "--x", "theta=0:1:9", "--y", "mu=0:1:9"];
    let [quiet, usual, verbose] =
        [&["--quiet"][..], &[], &["--verbose"]].map(|more| mechan(&[&ask[..], more].concat()).ends(0));
    assert_eq!(quiet.err, "");
    assert!(usual.err.contains("of mechan's library"), "{}", usual.err);
    assert!(verbose.err.contains(&usual.err), "{}", verbose.err);
    assert_eq!((&quiet.out, &verbose.out), (&usual.out, &usual.out));
    mechan(&["list", "--quiet", "--verbose"]).ends(2);
}

/// Ctrl-C: whole rows stand in the file, the boundaries beside it, and the exit status says what happened.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_map_leaves_what_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.csv");
    let ask = [
        "map",
        "falling_pencil",
        "--state",
        "inconsistent",
        "--x",
        "theta=0:pi/2:500",
        "--y",
        "mu=0:3:400000",
    ];
    let mut child = begun(&[&ask[..], &["--output", path.to_str().unwrap()]].concat());
    let size = || std::fs::metadata(&path).map_or(0, |file| file.len());
    while size() < 200_000 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was asked to");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    interrupt(&child);
    while child.try_wait().unwrap().is_none() {
        if size() > 500_000_000 {
            child.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let found = child.wait_with_output().unwrap();
    let [out, err] = [&found.stdout, &found.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(found.status.code(), Some(130), "{err}");
    assert!(err.contains("interrupted: ") && err.contains(" of 400000 rows of the map are done"), "{err}");
    assert!(out.contains("Interrupted: "), "{out}");
    let cells = std::fs::read_to_string(&path).unwrap();
    let lines = cells.lines().count() - 1;
    assert!(cells.ends_with('\n') && lines > 0 && lines.is_multiple_of(500), "{lines}");
    assert!(err.contains(&format!("interrupted: {} of", lines / 500)), "{lines}: {err}");
    assert!(folder.path().join("long.boundaries.csv").exists());
}

#[test]
fn an_output_that_cannot_be_written_is_said_before_the_work() {
    let vast = ["map", "falling_pencil", "--x", "theta=0:1:1000", "--y", "mu=0:1:1000"];
    let run = mechan(&[&vast[..], &["--output", "/nowhere/at/all/map.csv"]].concat()).ends(1);
    assert!(run.err.contains("/nowhere/at/all/map.csv cannot be written"), "{}", run.err);
}

#[cfg(feature = "parquet")]
#[test]
fn a_map_is_parquet_as_one_file_or_as_a_folder_of_parts() {
    let folder = tempfile::tempdir().unwrap();
    for (points, parts) in [("300", false), ("400", true)] {
        let path = folder.path().join(format!("{points}.parquet"));
        let y = format!("mu=0:3:{points}");
        let ask = ["map", "falling_pencil", "--state", "inconsistent", "--x", "theta=0:1:300", "--y", &y];
        mechan(&[&ask[..], &["--output", path.to_str().unwrap()]].concat()).ends(0);
        assert_eq!(path.is_dir(), parts, "{points}");
        assert!(path.with_extension("boundaries.parquet").is_file());
    }
}
