//! `mechan ensemble` and `mechan merge` on a model file: the same rows however they are made, files that go on, refusals.

use super::run::mechan;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const PENCIL: &str = "benches/models/falling_pencil.json";

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ensemble_{name}"));
    drop(fs::remove_dir_all(&path));
    fs::create_dir_all(&path).unwrap();
    path
}

/// Pencils that begin near the top, followed until they are flat.
fn ensemble(more: &[&str]) -> super::run::Run {
    let usual = ["ensemble", PENCIL, "--state", "balanced", "--t-end", "10", "--stop", "pi/2-theta"];
    let drawn = ["--random", "dot(theta)=log:1e-4:1e-1", "--random", "mu=0.1:l/l"];
    mechan(&[&usual[..], &drawn, more].concat())
}

fn written(path: &Path, more: &[&str]) -> String {
    let run = ensemble(&[&["--runs", "40", "--output", path.to_str().unwrap()], more].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    fs::read_to_string(path).unwrap()
}

/// The columns of one row of a file by name, the last of those with the same name.
fn cell<'l>(text: &'l str, row: usize, name: &str) -> &'l str {
    let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let place = columns.iter().rposition(|column| *column == name).unwrap();
    text.lines().nth(row + 1).unwrap().split(',').nth(place).unwrap()
}

#[test]
fn rows_do_not_depend_on_threads_on_chunks_or_on_what_else_is_drawn() {
    let folder = folder("same");
    let whole = written(&folder.join("whole.csv"), &["--threads", "1"]);
    assert_eq!(whole.lines().count(), 41);
    assert_eq!(written(&folder.join("three.csv"), &["--threads", "3"]), whole);
    let other = written(&folder.join("other.csv"), &["--random", "e=0:0.5"]);
    for row in [0, 7, 39] {
        // drawn columns stand before those at the end
        assert_eq!(
            other.lines().nth(row + 1).unwrap().split(',').nth(1),
            whole.lines().nth(row + 1).unwrap().split(',').nth(1)
        );
        assert_eq!(cell(&whole, row, "status"), "stopped");
        assert_eq!(cell(&whole, row, "n_stop"), "1");
    }
    assert_ne!(written(&folder.join("seed.csv"), &["--seed", "1"]), whole);

    let parts: Vec<String> = (1..=3)
        .map(|part| {
            let path = folder.join(format!("{part}.csv"));
            written(&path, &["--chunk", &format!("{part}/3")]);
            path.to_str().unwrap().to_string()
        })
        .collect();
    let merged = folder.join("merged.csv");
    let merge = |parts: &[&str]| mechan(&[&["merge", "-o", merged.to_str().unwrap()], parts].concat());
    let run = merge(&[&parts[2], &parts[0], &parts[1]]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(fs::read_to_string(&merged).unwrap(), whole);

    for (parts, words) in [
        (vec![&parts[0][..], &parts[2]], "part 2 of 3 is missing"),
        (vec![&parts[0], &parts[1]], "part 3 of 3 is missing"),
        (vec![&parts[0], &parts[1], &parts[1], &parts[2]], "part 2 is there twice"),
    ] {
        let run = merge(&parts);
        assert_eq!(run.status, 1);
        assert!(run.err.contains(words), "{}", run.err);
    }
    let other = folder.join("other2.csv");
    written(&other, &["--chunk", "2/3", "--seed", "5"]);
    let run = merge(&[&parts[0], other.to_str().unwrap(), &parts[2]]);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("seed is 5, expected 0"), "{}", run.err);
}

#[test]
fn a_run_is_that_of_simulate_with_the_same_numbers() {
    let folder = folder("simulate");
    let text = written(&folder.join("x.csv"), &[]);
    let row: Vec<&str> = text.lines().nth(12).unwrap().split(',').collect();
    let (omega, mu) = (format!("dot(theta)={}", row[1]), format!("mu={}", row[2]));
    let usual = ["simulate", PENCIL, "--state", "balanced", "--t-end", "10", "--stop", "pi/2-theta"];
    let run = mechan(&[&usual[..], &["--set", &omega, "--set", &mu, "--format", "json"]].concat());
    let motion: Value = serde_json::from_str(&run.out).unwrap();
    let last = motion["events"].as_array().unwrap().last().unwrap();
    let number = |name: &str| cell(&text, 11, name).parse::<f64>().ok();
    assert_eq!(number("t_end"), last["t"].as_f64());
    assert_eq!(number("x"), last["q"]["x"].as_f64());
    assert_eq!(number("dot(theta)"), last["v"]["theta"].as_f64());
    let slips = motion["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "slip").count();
    assert_eq!(cell(&text, 11, "n_slip"), slips.to_string());
}

/// Parts of either kind make a whole of either kind, and a folder of Parquet goes on.
#[cfg(feature = "parquet")]
#[test]
fn parquet_is_read_back() {
    let folder = folder("parquet");
    let whole = written(&folder.join("whole.csv"), &[]);
    let at = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let parts: Vec<String> = ["1.csv", "2.parquet", "3.parquet"].map(at).to_vec();
    for (i, part) in parts.iter().enumerate() {
        let run = ensemble(&["--runs", "40", "--chunk", &format!("{}/3", i + 1), "--output", part]);
        assert_eq!(run.status, 0, "{}", run.err);
    }
    let merge = |output: &str, parts: &[String]| {
        let mut asked = vec!["merge", "-o", output];
        asked.extend(parts.iter().map(String::as_str));
        mechan(&asked)
    };
    let (text, table) = (at("merged.csv"), at("merged.parquet"));
    assert_eq!(merge(&text, &parts).status, 0);
    assert_eq!(fs::read_to_string(&text).unwrap(), whole);
    assert_eq!(merge(&table, &parts).status, 0);
    let again = at("again.csv");
    assert_eq!(merge(&again, std::slice::from_ref(&table)).status, 0);
    assert_eq!(fs::read_to_string(&again).unwrap(), whole);
    // a complete folder goes on with nothing, and says the same of all its rows
    let resumed = ensemble(&["--runs", "40", "--resume", "--output", &table]);
    let fresh = ensemble(&["--runs", "40", "--output", &at("fresh.parquet")]);
    assert_eq!((resumed.status, resumed.out), (0, fresh.out));
    fs::write(Path::new(&parts[1]).join("part-00000.parquet"), "PAR1").unwrap();
    let run = merge(&text, &parts);
    assert!(run.status == 1 && run.err.contains("its columns are others"), "{}", run.err);
}

#[test]
fn a_killed_file_goes_on_and_one_of_another_question_is_refused() {
    let folder = folder("resume");
    let path = folder.join("x.csv");
    let whole = written(&path, &[]);
    // what a kill may leave: whole lines, and half a line
    let cut = whole.match_indices('\n').nth(17).unwrap().0 + 9;
    fs::write(&path, &whole[..cut]).unwrap();
    assert_eq!(written(&path, &["--resume"]), whole);
    assert_eq!(written(&path, &["--resume", "--threads", "1"]), whole);

    let refused = |more: &[&str]| {
        let usual = ["--runs", "40", "--resume", "--output", path.to_str().unwrap()];
        let run = ensemble(&[&usual[..], more].concat());
        assert_eq!(run.status, 1, "{}", run.err);
        run.err
    };
    assert!(refused(&["--rtol", "1e-8"]).contains("rtol is null, expected 1e-8"));
    assert!(refused(&["--chunk", "1/2"]).contains("chunk is [1,1], expected [1,2]"));
    fs::remove_file(folder.join("x.csv.question.json")).unwrap();
    assert!(refused(&[]).contains("x.csv.question.json cannot be read"));
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}

#[test]
fn grids_stand_in_order_and_a_state_that_cannot_be_is_a_row() {
    let usual = ["ensemble", PENCIL, "--state", "balanced", "--t-end", "0.01", "--format", "json"];
    let run = mechan(&[&usual[..], &["--grid", "mu=-0.5:0.5:3", "--grid", "theta=0:pi/2:2"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(found["schema"], "mechan.ensemble/1");
    let rows = found["rows"].as_array().unwrap();
    let grid: Vec<[f64; 2]> = rows.iter().map(|row| [1, 2].map(|i| row[i].as_f64().unwrap())).collect();
    let pi = std::f64::consts::FRAC_PI_2;
    assert_eq!(grid, [[-0.5, 0.0], [-0.5, pi], [0.0, 0.0], [0.0, pi], [0.5, 0.0], [0.5, pi]]);
    // friction cannot be negative
    let status: Vec<&str> = rows.iter().map(|row| row[3].as_str().unwrap()).collect();
    assert_eq!(status[..2], ["refused"; 2]);
    assert!(status[2..].iter().all(|status| *status != "refused" && *status != "failed"), "{status:?}");
    assert!(rows[0][4].is_null() && rows[0][5] == 0);
    assert!(run.err.contains("run 0 could not begin") && run.err.contains("friction is -0.5"), "{}", run.err);
    let columns = found["columns"].as_array().unwrap();
    assert_eq!(columns.len(), rows[0].as_array().unwrap().len());
    assert_eq!(columns.last().unwrap(), "defect");
}

#[test]
fn what_makes_no_sense_is_refused_with_what_would() {
    for (more, words) in [
        (vec!["--random", "thet=0:1", "--runs", "3"], "did you mean `theta`?"),
        (vec!["--random", "theta=1:0", "--runs", "3"], "from 1 to 0"),
        (vec!["--random", "theta=log:0:1", "--runs", "3"], "expected one > 0"),
        (vec!["--random", "theta=0", "--runs", "3"], "expected NAME=LO:HI"),
        (vec!["--random", "theta=0:x", "--runs", "3"], "theta=0:x"),
        (vec!["--random", "theta=0:1", "--runs", "0"], "--runs is 0"),
        (vec!["--random", "theta=0:1"], "--runs N"),
        (vec!["--grid", "theta=0:1:0"], "at least one point"),
        (vec!["--grid", "theta=0:1:2", "--runs", "3"], "--runs 3"),
        (vec!["--grid", "theta=0:1:2", "--random", "theta=0:1", "--runs", "3"], "`theta` varies twice"),
        (vec!["--grid", "theta=0:1:2", "--chunk", "0/3"], "--chunk 0/3"),
        (vec!["--grid", "theta=0:1:2", "--chunk", "4/3"], "--chunk 4/3"),
        (vec!["--grid", "theta=0:1:2", "--resume"], "name it with --output"),
        (vec![], "nothing varies"),
    ] {
        let run = mechan(&[&["ensemble", PENCIL, "--t-end", "1"], &more[..]].concat());
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{more:?}: {}", run.err);
        assert!(run.err.contains(words), "{more:?}: {}", run.err);
    }
}

/// Every state of the library, those that begin with an impact among them, is one that runs begin at.
#[test]
fn every_state_of_the_library_is_a_start() {
    let list = mechan(&["list", "--format", "json"]).ends(0).json();
    for line in list["mechanisms"].as_array().unwrap() {
        for state in line["states"].as_array().unwrap() {
            let (name, state) = (line["name"].as_str().unwrap(), state.as_str().unwrap());
            let asked = [
                "ensemble", name, "--state", state, "--t-end", "0.02", "--runs", "2", "--random", "t=0:1e-3",
            ];
            mechan(&[&asked[..], &["--format", "json", "--max-steps", "300"]].concat()).ends(0);
        }
    }
}

/// Values from a normal distribution and from a file of samples: the columns of what varies say what was drawn.
#[test]
fn values_come_from_other_distributions() {
    let folder = folder("distributions");
    let file = folder.join("samples.csv");
    fs::write(&file, "mu,\"dot(theta)\",note\n0.5,1e-3,a\n 0.25 , 2e-3,b\n0.125,0.1,c\n").unwrap();
    let from = |name: &str| format!("{name}=file:{}", file.display());
    let pencil = |more: &[&str]| {
        let usual = ["ensemble", PENCIL, "--state", "balanced", "--t-end", "0.01"];
        mechan(&[&usual[..], &["--format", "json"], more].concat())
    };
    let column = |found: &Value, name: &str| -> Vec<f64> {
        let place = found["columns"].as_array().unwrap().iter().position(|c| c == name).unwrap();
        found["rows"].as_array().unwrap().iter().map(|row| row[place].as_f64().unwrap()).collect()
    };
    let is = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{found:?}");
    };
    let both = [from("mu"), from("dot(theta)")];
    let listed = pencil(&["--random", &both[0], "--random", &both[1]]).ends(0).json();
    is(column(&listed, "mu"), &[0.5, 0.25, 0.125]);
    is(column(&listed, "dot(theta)"), &[1e-3, 2e-3, 0.1]);
    let again = pencil(&["--random", &both[0], "--runs", "5"]).ends(0).json();
    is(column(&again, "mu"), &[0.5, 0.25, 0.125, 0.5, 0.25]);
    let normal = pencil(&["--random", "mu=normal:0.4:0.1*l:0.3:inf", "--runs", "200"]);
    assert!(normal.err.contains("inf"), "{}", normal.err);
    let normal = pencil(&["--random", "mu=normal:0.4:0.1*l:0.3:1", "--runs", "200"]).ends(0).json();
    let mu = column(&normal, "mu");
    // of a normal distribution cut off at one deviation below, the mean is above by φ(1)/Φ(1) deviations, and the deviation 0.794
    let mean = mu.iter().sum::<f64>() / 200.0;
    assert!(mu.iter().all(|x| *x >= 0.3) && (mean - 0.4288).abs() < 5.0 * 0.0794 / 200_f64.sqrt(), "{mean}");
    let resumed = folder.join("rows.csv");
    let output = ["--output", resumed.to_str().unwrap()];
    pencil(&[&["--random", &both[0]][..], &output].concat()).ends(0);
    fs::write(&file, "mu\n0.5\n0.375\n0.125\n").unwrap();
    let other = pencil(&[&["--random", &both[0], "--resume"][..], &output].concat()).ends(1);
    assert!(other.err.contains("another question: lists"), "{}", other.err);
    for (random, told) in [
        ("mu=normal:0.4", "NAME=normal:MEAN:DEVIATION"),
        ("mu=normal:0.4:-1", "a deviation >= 0"),
        ("mu=normal:0.4:1:2:1", "the range is from 2 to 1"),
        (&from("e")[..], "has no column `e`; its first line is `mu`"),
        ("mu=file:no_such.csv", "no_such.csv cannot be read"),
    ] {
        let run = pencil(&["--random", random, "--runs", "2"]).ends(2);
        assert!(run.err.contains(told), "{}", run.err);
    }
    fs::write(&file, "mu\n0.5\nhalf\n").unwrap();
    let run = pencil(&["--random", &both[0]]).ends(2);
    assert!(run.err.contains("line 3") && run.err.contains("`half`"), "{}", run.err);
}
