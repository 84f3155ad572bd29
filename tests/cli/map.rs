//! `mechan map` on a model file: its forms, its files, and the exit status of questions that make no sense.

use super::run::mechan;
use std::path::Path;

const LADDER: &str = "src/pipeline/models/ladder.json";

fn map(more: &[&str]) -> super::run::Run {
    let usual = ["map", LADDER, "--state", "standing", "--x", "theta=0.4:1.4:5", "--y", "mu=0.05:1:4"];
    mechan(&[&usual[..], more].concat())
}

#[test]
fn a_map_is_json_with_rows_along_y() {
    let found = map(&["--quantity", "equilibrium", "--format", "json"]).ends(0).json();
    assert_eq!(found["schema"], "mechan.map/1");
    assert_eq!((&found["x"]["name"], &found["y"]["name"]), (&"theta".into(), &"mu".into()));
    let rows = found["cells"].as_array().unwrap();
    assert_eq!((rows.len(), rows[0].as_array().unwrap().len()), (4, 5));
    // rough and steep it stands, smooth and flat it does not
    assert_eq!((&rows[3][4], &rows[0][0]), (&"strong".into(), &"none".into()));
    assert_eq!(found["boundaries"][0]["level"], serde_json::json!(["none", "strong"]));
    assert!(found["boundaries"][0]["lines"][0].as_array().unwrap().len() > 4);
}

#[test]
fn the_report_counts_regions_and_files_are_written() {
    let text = map(&[]).ends(0).out;
    assert!(text.contains("20 points, theta from 0.4 to 1.4 to the right"), "{text}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("map");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("ladder.csv");
    let run = map(&["--quantity", "b", "--contact", "foot", "--output", path.to_str().unwrap()]).ends(0);
    assert!(
        run.err.contains("ladder.csv written") && run.err.contains("ladder.boundaries.csv written"),
        "{}",
        run.err
    );
    assert!(run.out.contains("b"), "the report goes to standard output: {}", run.out);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().next(), Some("theta,mu,b"));
}

#[test]
fn nonsense_is_wrong_usage() {
    for (more, told) in [
        (&["--quantity", "verdct"][..], "did you mean `verdict`?"),
        (&["--quantity", "p"][..], "name it with --contact, one of foot, head"),
        (&["--output", "map.pdf"][..], "it should end in .csv, .parquet, .json, .svg or .png"),
        (&["--set", "mu"][..], "expected name=value"),
    ] {
        let run = map(more).ends(2);
        assert!(run.err.contains(told), "{}", run.err);
    }
}

/// Parts from several runs become the whole in any form; parts go nowhere else than to a file of their own.
#[test]
fn parts_are_merged_into_what_one_run_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("map_parts");
    std::fs::create_dir_all(&folder).unwrap();
    let own = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let parts = [own("1.json"), own("2.json")];
    for (k, part) in parts.iter().enumerate() {
        let chunk = format!("{}/2", k + 1);
        let run = map(&["--chunk", &chunk, "--output", part]).ends(0);
        assert!(run.err.contains("written"), "{}", run.err);
    }
    let whole = mechan(&["merge", &parts[1], &parts[0], "--format", "json"]).ends(0);
    assert_eq!(whole.out, map(&["--format", "json"]).ends(0).out);
    let svg = [own("whole.svg"), own("once.svg")];
    mechan(&["merge", &parts[0], &parts[1], "--output", &svg[0]]).ends(0);
    map(&["--output", &svg[1]]).ends(0);
    let [merged, once] = svg.map(|path| std::fs::read(path).unwrap());
    assert_eq!(merged, once);
    let alone = mechan(&["merge", &parts[1]]).ends(1);
    assert!(alone.err.contains("part 1 of 2 is missing"), "{}", alone.err);
    for more in [
        &["--chunk", "1/2"][..],
        &["--chunk", "1/2", "--output", "x.csv"],
        &["--chunk", "3/2", "--output", "x.json"],
    ] {
        let run = map(more).ends(2);
        assert!(run.err.contains("PART.json") || run.err.contains("expected I/N"), "{}", run.err);
    }
}

/// The outcome of the motion from each point: how it is followed stands in the report and in the JSON, nothing is lost, and it goes on.
#[test]
fn outcomes_of_motions_are_mapped() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("map_outcomes");
    std::fs::create_dir_all(&folder).unwrap();
    let own = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let ball = |more: &[&str]| {
        let usual =
            ["map", "src/pipeline/models/bouncing_ball.json", "--x", "q=0.25:4:3", "--y", "f=-4:-0.5:2"];
        mechan(&[&usual[..], more].concat())
    };
    let fall = ["--outcome", "first(impact)", "--t-end", "1.1"];
    let text = ball(&fall).ends(0).out;
    assert!(text.contains("by scheme event to t = 1.1"), "{text}");
    assert!(text.contains("nothing is said (3 no event); the first: the motion has no such event"), "{text}");
    let json = ball(&[&fall[..], &["--format", "json"]].concat()).ends(0).json();
    assert_eq!(json["quantity"], "first(impact)");
    assert_eq!(json["motion"], serde_json::json!({"scheme": "event", "t_end": 1.1}));
    assert_eq!(json["missing"]["reasons"], serde_json::json!({"no event": 3}));
    let first = json["cells"][0][0].as_f64().unwrap();
    assert!((first - 0.125_f64.sqrt()).abs() < 1e-12, "{first}");
    assert!(json["cells"][1][2].is_null());
    // a file goes on, with its boundaries beside it
    let path = own("falls.csv");
    let run = ball(&[&fall[..], &["--output", &path]].concat()).ends(0);
    assert!(run.err.contains("falls.boundaries.csv written"), "{}", run.err);
    let written = std::fs::read_to_string(&path).unwrap();
    ball(&[&fall[..], &["--output", &path, "--resume"]].concat()).ends(0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
    let other = ball(&["--outcome", "q", "--output", &path, "--resume"]).ends(1);
    assert!(other.err.contains("belongs to another question"), "{}", other.err);
    // by other schemes, too
    let moreau = ["--scheme", "moreau", "--step", "0.01", "--outcome", "q", "--t-end", "0.3"];
    let text = ball(&moreau).ends(0).out;
    assert!(text.contains("by scheme moreau to t = 0.3"), "{text}");
    for (more, told) in [
        (&["--outcome", "first(bang)"][..], "there is no kind of event `bang`"),
        (&["--outcome", "q", "--quantity", "b"], "cannot be used with"),
        (&["--t-end", "3"], "--t-end is one of --outcome"),
        (&["--stop", "q"], "--stop is one of --outcome"),
        (&["--outcome", "q", "--step", "0.1"], "--scheme event has no --step"),
        (&["--outcome", "q", "--resume"], "--output"),
        (&["--outcome", "q", "--t-end", "0"], "--t-end is 0"),
    ] {
        let run = ball(more).ends(2);
        assert!(run.err.contains(told), "{}", run.err);
    }
}

/// What is open lies along boundaries only where the search went on until little was.
#[test]
fn a_search_that_ended_before_says_so() {
    let asked = |boxes: &str| {
        let axes = ["--x", "theta=0.05:1.5:5", "--y", "mu=0:3:5", "--certified", "--boxes", boxes];
        let text =
            mechan(&[&["map", "falling_pencil", "--state", "slipping_with_the_lean"], &axes[..]].concat());
        text.ends(0).out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let few = asked("100");
    assert!(few.contains("of the area after 100 boxes: the search ended before"), "{few}");
    assert!(few.contains("more --boxes leave less") && !few.contains(", along the boundaries,"), "{few}");
    let many = asked("1000000");
    assert!(many.contains("of the area, along the boundaries, after") && !many.contains("--boxes"), "{many}");
}
