//! `mechan simulate`: exit statuses, messages and files.

use crate::run::{command, finish, mechan};

const PENCIL: &str = "benches/models/falling_pencil.json";
const BALL: &str = "benches/models/bouncing_ball.json";
const GROWING: &str = "benches/models/growing.json";

#[test]
fn a_motion_that_ends_is_an_answer_and_one_that_breaks_down_is_not() {
    let json = mechan(&["simulate", PENCIL, "--state", "falling", "--t-end", "0.5", "--format", "json"])
        .ends(0)
        .json();
    assert_eq!(
        (json["schema"].as_str(), json["status"].as_str()),
        (Some("mechan.trajectory/1"), Some("end"))
    );
    assert_eq!(json["rows"].as_array().unwrap().len(), 200);
    assert_eq!(json["rows"][0].as_array().unwrap().len(), json["columns"].as_array().unwrap().len());
    let forked = mechan(&["simulate", PENCIL, "--state", "indeterminate", "--t-end", "1"]).ends(0);
    assert!(forked.err.contains("several motions are possible"), "{}", forked.err);
    let grown = mechan(&["simulate", GROWING, "--state", "grows", "--t-end", "2"]).ends(3);
    assert!(grown.err.contains("status failed") && grown.err.contains("t = 1.0000"), "{}", grown.err);
    assert!(grown.out.contains("status failed"));
    let storm = ["simulate", BALL, "--set", "rho=1", "--t-end", "1e4", "--max-events", "50"];
    assert!(mechan(&storm).ends(3).err.contains("status budget: 50 events"));
    let steps = ["simulate", PENCIL, "--state", "falling", "--t-end", "1e4", "--max-steps", "50"];
    assert!(mechan(&steps).ends(3).err.contains("status budget: 50 steps"));
}

#[test]
fn what_is_unknown_is_named() {
    for (option, value, said) in [
        ("--state", "nowhere", "no state `nowhere`"),
        ("--stop", "heel.N", "heel.N"),
        ("--future", "slide", "iwc or iwc(CONTACT), or impact(MODES)"),
        ("--plot", "heel.N", "no column `heel.N`"),
        ("--t-end", "-1", "--t-end is -1"),
        ("--rtol", "0", "--rtol is 0"),
    ] {
        let mut args = vec!["simulate", PENCIL, option, value];
        if option != "--t-end" {
            args.extend(["--t-end", "1"]);
        }
        let run = mechan(&args).ends(2);
        assert!(run.err.contains(said), "{option} {value}: {}", run.err);
    }
}

/// The motion goes on, and the reader is told.
#[test]
fn a_stop_expression_that_is_not_a_number_is_told() {
    let stopped = |stop: &str| {
        let json =
            ["simulate", PENCIL, "--state", "falling", "--t-end", "0.1", "--stop", stop, "--format", "json"];
        mechan(&json).ends(0).json()["warnings"].clone()
    };
    let warnings = stopped("log(-theta)");
    let told = warnings[0].as_str().unwrap();
    assert!(
        told.contains("stop expression is not a number at t = 0,") && warnings.as_array().unwrap().len() == 1
    );
    assert!(stopped("log(0.3 + theta)").is_null());
}

#[test]
fn samples_and_pictures_are_files() {
    let folder = tempfile::tempdir().unwrap();
    let [csv, svg] = ["motion.csv", "motion.svg"].map(|name| folder.path().join(name));
    let plot = format!("theta,tip.N={}", svg.display());
    let output = csv.display().to_string();
    let args =
        ["simulate", PENCIL, "--state", "falling", "--t-end", "0.5", "--samples", "11", "--plot", &plot];
    mechan(&[&args[..], &["--output", &output]].concat()).ends(0);
    let text = std::fs::read_to_string(csv).unwrap();
    assert!(text.starts_with("t,x,y,theta,"), "{text}");
    assert_eq!(text.lines().count(), 12);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
}

#[cfg(target_os = "linux")]
/// A state with one closed contact has a portrait, one without has none, and a study has no other picture.
#[test]
fn portraits_are_of_one_closed_contact() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.svg");
    let plot = format!("portrait={}", file.display());
    let compliant = ["simulate", PENCIL, "--t-end", "1e-3", "--scheme", "compliant"];
    let with = |more: &[&str]| mechan(&[&compliant[..], more].concat());
    with(&["--eps", "1e-3,1e-4", "--state", "falling", "--plot", &plot]).ends(0);
    assert!(std::fs::read_to_string(&file).unwrap().contains("fast dynamics"));
    let other = with(&["--eps", "1e-3,1e-4", "--state", "falling", "--plot", "theta"]).ends(2);
    assert!(other.err.contains("ask for `portrait`"), "{}", other.err);
    let open = ["simulate", BALL, "--t-end", "1e-3", "--plot", &plot];
    assert!(mechan(&open).ends(2).err.contains("one closed contact"));
}

#[test]
fn a_full_disk_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("full.csv");
    std::os::unix::fs::symlink("/dev/full", &link).unwrap();
    let output = link.display().to_string();
    let args = ["simulate", PENCIL, "--state", "falling", "--t-end", "0.5"];
    let run = mechan(&[&args[..], &["--output", &output]].concat()).ends(1);
    assert!(run.err.contains("cannot be written") && run.err.contains("No space left"), "{}", run.err);
    let mut shell = std::process::Command::new("sh");
    let line = format!("{} {} > /dev/full", env!("CARGO_BIN_EXE_mechan"), args.join(" "));
    shell.args(["-c", &line]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let run = finish(&mut shell, b"").ends(1);
    assert!(run.err.contains("No space left"), "{}", run.err);
}

/// Pages of motions, trees, maps and studies have their pictures in them; other forms have none.
#[test]
fn pages_have_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let figures = |arguments: &[&str]| {
        let mut asked = command(arguments);
        let run = finish(asked.current_dir(folder.path()), b"").ends(0);
        run.out.matches("<figure ").count()
    };
    let motion = ["simulate", "painleve_rod", "--state", "before_jam", "--t-end", "0.5"];
    let tree = ["simulate", "painleve_rod", "--state", "indeterminate", "--t-end", "0.1", "--futures", "all"];
    let map = ["map", "falling_pencil", "--x", "theta=0:pi/2:20", "--y", "mu=0:3:20"];
    let study = ["converge", "linear_oscillator", "--schemes", "moreau,event", "--steps", "0.02,0.01"];
    let html = ["--format", "html"];
    assert_eq!(figures(&[&motion[..], &html].concat()), 4);
    assert!(figures(&[&tree[..], &html].concat()) >= 3);
    assert_eq!(figures(&[&map[..], &html].concat()), 1);
    assert_eq!(figures(&[&study[..], &html].concat()), 2);
    assert_eq!(figures(&[&motion[..], &["--format", "markdown"]].concat()), 0);
    // nothing was written beside the pages
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// An animated picture: frames at equal times, events marked, the pace stated, as a picture and as a page.
#[test]
fn a_motion_is_drawn_in_motion() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("animation");
    std::fs::create_dir_all(&folder).unwrap();
    let own = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let draw = |file: &str| {
        let plot = format!("animation={file}");
        let asked = ["simulate", "bouncing_ball", "--t-end", "2.5", "--samples", "40", "--plot", &plot];
        super::run::mechan(&asked)
    };
    let [svg, html] = [own("ball.svg"), own("ball.html")];
    draw(&svg).ends(0);
    draw(&html).ends(0);
    let [svg, html] = [svg, html].map(|path| std::fs::read_to_string(path).unwrap());
    assert!(html.contains(&svg) && html.contains("<button") && !html.contains("http-equiv"));
    assert!(!svg.contains("<script") && svg.len() < 400_000, "{}", svg.len());
    let frames: Vec<&str> = svg.split("data-frame=").skip(1).collect();
    assert_eq!(frames.len(), 150);
    // the ball falls from 1 as 1 - t^2, strikes at 1 and 2, and its frames are equally far in time
    assert!(svg.contains("impact floor at t = 1<") && svg.contains("impact floor at t = 2<"), "{svg}");
    assert!(frames[62].contains("impact floor</text>") && !frames[50].contains("impact floor</text>"));
    assert!(
        frames[0].contains("t = 0, as fast as it is") && frames[149].contains("t = 2.5, as fast as it is")
    );
    let height = |frame: &str| {
        let circle = frame.split("<circle cx=").nth(1).unwrap();
        circle.split("cy=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap()
    };
    let at = |t: f64| height(frames[(t / 2.5 * 149.0).round() as usize]);
    // y is down on the page: from 1 at the beginning to 0 at the first impact, and back to a quarter
    let share = (at(1.0) - at(1.5)) / (at(1.0) - at(0.0));
    assert!((share - 0.25).abs() < 0.01, "{share}");
    let run = draw(&own("ball.png")).ends(1);
    assert!(run.err.contains("it should end in .svg or .html"), "{}", run.err);
}

#[test]
fn a_table_says_where_and_how_much_it_leaves_out() {
    let storm = ["simulate", BALL, "--set", "rho=1", "--t-end", "1e4", "--max-events", "100"];
    let text = mechan(&storm).ends(3).out;
    let table = text.split("Events\n").nth(1).unwrap().split("\n\n").nth(1).unwrap();
    let rows: Vec<&str> = table.lines().skip(2).map(str::trim).collect();
    assert_eq!(rows.len(), 61, "{table}");
    assert_eq!(rows[30], "...  40 more", "{table}");
    assert!(rows.iter().filter(|row| row.contains("impact")).count() == 60, "{table}");
    assert!(text.contains("40 of 100 events are left out here: --format json has them all"), "{text}");
    let json = mechan(&[&storm[..], &["--format", "json"]].concat()).ends(3).json();
    assert_eq!(json["events"].as_array().unwrap().len(), 100);
    let few = ["simulate", BALL, "--set", "rho=1", "--t-end", "1e4", "--max-events", "60"];
    assert!(!mechan(&few).ends(3).out.contains("more"));
}

/// The last impact of infinitely many gives nothing back, by the law that the contact has.
#[test]
fn the_last_impact_of_a_chatter_has_the_name_of_its_law() {
    let asked = ["simulate", "bouncing_ball", "--t-end", "5", "--format", "json"];
    let events = mechan(&asked).ends(0).json()["events"].clone();
    let laws: Vec<&str> =
        events.as_array().unwrap().iter().filter_map(|e| e["detail"]["law"].as_str()).collect();
    assert!(laws.len() > 10 && laws.iter().all(|law| *law == "newton"), "{laws:?}");
}
