//! Ctrl-C: what is done is written, with a status that says that it is not all, and the exit status is 130.

use crate::run::{Run, command, mechan};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Begins with signals as a terminal gives them: a job in the background of a shell has learnt to ignore Ctrl-C.
pub(crate) fn begun(words: &[&str]) -> Child {
    let asked = command(words);
    Command::new("env")
        .arg("--default-signal=INT")
        .arg(asked.get_program())
        .args(asked.get_args())
        .envs(asked.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Ctrl-C.
pub(crate) fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// Whether a process has its own answer to Ctrl-C, which programs learn when they begin to compute.
fn listens(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    // bits are counted from signal 1, and SIGINT is 2
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
}

/// What is said by a computation that is interrupted once it `has` begun.
fn interrupted(words: &[&str], has: impl Fn() -> bool) -> Run {
    let mut child = begun(words);
    let until = Instant::now() + Duration::from_secs(120);
    while !(listens(&child) && has()) {
        assert!(child.try_wait().unwrap().is_none(), "{words:?} ended before it was asked to");
        assert!(Instant::now() < until, "{words:?} does not listen");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let found = child.wait_with_output().unwrap();
    let [out, err] = [&found.stdout, &found.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    Run { status: found.status.code().unwrap_or(-1), out, err }.ends(130)
}

/// Motions that would take days.
const FOR_EVER: [&str; 6] =
    ["--t-end", "1e6", "--max-steps", "1000000000000000", "--max-events", "1000000000000000"];

/// Row by row and to the rounding of a text.
fn near(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    let row = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
    };
    let (a, b) = (row(a), row(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.is_nan() || (a - b).abs() <= 1e-6 * (1.0 + b.abs()))
}

#[test]
fn a_motion_is_written_as_far_as_it_went() {
    let stepped = [
        &["--scheme", "moreau", "--step", "0.001"][..],
        &["--scheme", "herk-2", "--step", "0.1"],
        &["--scheme", "radau-3", "--step", "0.1"],
    ];
    let ask = ["simulate", "double_pendulum_wall", "--quiet", "--format", "json"];
    for more in [&[&[][..]], &stepped[..]].concat() {
        let run = interrupted(&[&ask[..], &FOR_EVER, more].concat(), || true);
        let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(found["status"], "interrupted", "{more:?}");
        assert!(run.err.contains("interrupted: what was followed until then is written"), "{}", run.err);
        // the rows are those of a motion that is asked for as far only
        let rows = found["rows"].as_array().unwrap();
        let t = rows.last().unwrap()[0].as_f64().unwrap();
        assert!(t > 0.0 && rows.len() > 1, "{more:?}: {t}");
        // critical steps of event capturing know the whole time
        if more.contains(&"moreau") {
            let first = rows.iter().take(200).collect::<Vec<_>>();
            let end = first.last().unwrap()[0].to_string();
            let short = mechan(&[&ask[..], &["--t-end", &end], more].concat()).ends(0);
            let short: serde_json::Value = serde_json::from_str(&short.out).unwrap();
            let short = short["rows"].as_array().unwrap();
            assert!(first.iter().zip(short).all(|(a, b)| near(a, b)), "{more:?}");
        }
    }
}

#[test]
fn a_file_of_samples_and_every_future_are_written_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.csv");
    let ask = ["simulate", "double_pendulum_wall", "--output", path.to_str().unwrap()];
    let run = interrupted(&[&ask[..], &FOR_EVER].concat(), || true);
    assert!(run.out.contains("interrupted"), "{}", run.out);
    assert!(std::fs::read_to_string(&path).unwrap().lines().count() > 2);
    let ask = ["simulate", "double_pendulum_wall", "--futures", "all", "--format", "json"];
    let run = interrupted(&[&ask[..], &FOR_EVER].concat(), || true);
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["complete"], false);
    assert_eq!(found["nodes"][0]["trajectory"]["status"], "interrupted");
}

#[test]
fn an_ensemble_leaves_whole_rows_and_goes_on_from_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let file = path.to_str().unwrap();
    let ask = |runs: &'static str| {
        ["ensemble", "falling_pencil", "--t-end", "0.2", "--random", "theta=0.1:1", "--runs", runs]
    };
    let size = || std::fs::metadata(&path).map_or(0, |file| file.len());
    let run = interrupted(&[&ask("100000000")[..], &["--output", file]].concat(), || size() > 10_000);
    let done = std::fs::read_to_string(&path).unwrap();
    let rows = done.lines().count() - 1;
    assert!(done.ends_with('\n') && rows > 0);
    assert!(run.err.contains(&format!("interrupted: {rows} of 100000000 runs are done")), "{}", run.err);
    assert!(!done.contains("interrupted"), "a run that was cut short is no row");
    let few = mechan(&[&ask("20")[..], &["--format", "json"]].concat()).ends(0);
    let few: serde_json::Value = serde_json::from_str(&few.out).unwrap();
    for (line, row) in done.lines().skip(1).zip(few["rows"].as_array().unwrap()) {
        let theta: f64 = line.split(',').nth(1).unwrap().parse().unwrap();
        assert_eq!(Some(theta), row[1].as_f64());
    }
    // what was not done can be done later
    let more = [&ask("100000000")[..], &["--output", file, "--resume"]].concat();
    let again = interrupted(&more, || size() > done.len() as u64 + 10_000);
    assert!(again.err.contains("of 100000000 runs are done"), "{}", again.err);
    assert!(std::fs::read_to_string(&path).unwrap().starts_with(&done));
}

#[test]
fn what_has_no_part_to_show_says_so() {
    let cycle = [
        "cycle",
        "double_pendulum_wall",
        "--section",
        "t + 1e9",
        "--t-end",
        "1e6",
        "--max-steps",
        "1000000000000000",
    ];
    let cycle = interrupted(&[&cycle[..], &["--max-events", "1000000000000000"]].concat(), || true);
    assert!(cycle.err.contains("interrupted before there was a periodic motion"), "{}", cycle.err);
    let study = ["converge", "bouncing_ball", "--t-end", "0.5", "--schemes", "event,moreau", "--steps"];
    let study = [&study[..], &["0.01,0.005,1e-8", "--format", "json"]].concat();
    let run = interrupted(&study, || true);
    if !run.out.is_empty() {
        let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let done = found["studies"].as_array().unwrap().len();
        assert_eq!(found["interrupted"], serde_json::json!({"schemes": done, "of": 2}));
        assert!(run.err.contains(&format!("interrupted: {done} of 2 schemes are done")), "{}", run.err);
    }
}
