//! Maps over two ranges: boundaries against closed forms, words against single reports, the same map on any number of threads, and questions that make no sense.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]

mod outcomes;
mod parts;
mod pictures;
mod routes;
mod rows;

use mechan::analysis::map::{Boundary, Cell, Level, MapOutcome};
use mechan::pipeline::{AnalyzeOptions, Failure, MapOptions, MapStudy, analyze, load, write_map};
use std::f64::consts::FRAC_PI_4;

fn options(state: &str, x: &str, y: &str, quantity: &str) -> MapOptions {
    let own = |text: &str| text.to_string();
    MapOptions {
        state: Some(own(state)),
        x: own(x),
        y: own(y),
        quantity: own(quantity),
        ..MapOptions::default()
    }
}

fn asked(name: &str, options: &MapOptions) -> Result<MapOutcome, Failure> {
    let loaded = load(&format!("src/pipeline/models/{name}.json")).unwrap();
    MapStudy::new(&loaded, loaded.model.as_ref().unwrap(), options)?.collect(|_| {})
}

fn map(name: &str, options: &MapOptions) -> MapOutcome {
    asked(name, options).unwrap()
}

/// The points of the boundary between two words.
fn between(map: &MapOutcome, words: [&str; 2]) -> Vec<[f64; 2]> {
    let sought = Level::Words(words.map(Some).map(|word| word.map(leaked)));
    let found: Vec<&Boundary> = map.boundaries.iter().filter(|boundary| boundary.level == sought).collect();
    assert_eq!(
        found.len(),
        1,
        "{words:?} in {:?}",
        map.boundaries.iter().map(|b| &b.level).collect::<Vec<_>>()
    );
    found[0].lines.iter().flatten().map(|p| p.map(|x| x.0)).collect()
}

fn leaked(word: &str) -> &'static str {
    ["ambiguous", "consistent", "inconsistent", "indeterminate", "none", "stable", "strong", "unstable"]
        .into_iter()
        .find(|known| *known == word)
        .unwrap()
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

/// p± of the rod: p vanishes at μ = (1 + 3 cos²θ)/(3 sin θ cos θ); the height of the centre follows the angle at every point.
#[test]
fn the_line_of_vanishing_p_is_painleves() {
    let found = map("painleve_rod", &options("slipping", "theta=0.3:1.5:25", "mu=0.5:3:21", "p"));
    assert_eq!((found.cells.len(), found.cells[0].len(), found.missing.count), (21, 25, 0));
    let [Boundary { level, lines, .. }] = &found.boundaries[..] else {
        panic!("{:?}", found.boundaries.len())
    };
    assert_eq!(*level, Level::Number(0.0.into()));
    let points: Vec<[f64; 2]> = lines.iter().flatten().map(|p| p.map(|x| x.0)).collect();
    assert!(points.len() > 30 && lines.len() == 1, "{} {}", points.len(), lines.len());
    for [theta, mu] in points {
        let (s, c) = theta.sin_cos();
        assert!(near(mu, (1.0 + 3.0 * c * c) / (3.0 * s * c), 1e-7), "{theta} {mu}");
    }
    // values on the grid
    let (theta, mu) = (found.x.values[7].0, found.y.values[4].0);
    let (s, c) = theta.sin_cos();
    let Cell::Number(p) = found.cells[4][7] else { panic!("{:?}", found.cells[4][7]) };
    assert!(near(p.0, 1.0 + 3.0 * c * (c - mu * s), 1e-12));
}

/// A ladder stands for μ ≥ tan(π/4 − θ/2), and an expression of that has the same line as its zero.
#[test]
fn a_ladder_stands_above_its_line() {
    let found = map("ladder", &options("standing", "theta=0.4:1.4:12", "mu=0.05:1:9", "equilibrium"));
    let line = between(&found, ["none", "strong"]);
    assert!(line.len() > 15);
    assert!(line.iter().all(|[theta, mu]| near(*mu, (FRAC_PI_4 - 0.5 * theta).tan(), 1e-8)), "{line:?}");
    let words = options("standing", "theta=0.4:1.4:12", "mu=0.05:1:9", "mu - tan(pi/4 - theta/2)");
    let same = map("ladder", &words);
    let zero: Vec<[f64; 2]> = same.boundaries[0].lines.iter().flatten().map(|p| p.map(|x| x.0)).collect();
    assert!(zero.iter().all(|[theta, mu]| near(*mu, (FRAC_PI_4 - 0.5 * theta).tan(), 1e-8)));
    // each point as the report has it
    for (j, i) in [(0, 0), (3, 5), (8, 11), (5, 2)] {
        let loaded = load("src/pipeline/models/ladder.json").unwrap();
        let set = vec![format!("theta={}", found.x.values[i].0), format!("mu={}", found.y.values[j].0)];
        let options = AnalyzeOptions { set, without_next_step: true, ..AnalyzeOptions::of_state("standing") };
        let report = analyze(&loaded, loaded.model.as_ref().unwrap(), &options).unwrap();
        let rest = report.states[0].outcome().unwrap().prospect.rest.clone();
        assert_eq!(found.cells[j][i], Cell::Word(if rest.is_some() { "strong" } else { "none" }));
    }
}

/// A biped stands on slopes up to atan(w/h), where it tips, and atan μ, where it slides; the corner of the region is found to a fraction of a square.
#[test]
fn a_biped_slides_on_smooth_slopes_and_tips_on_rough_ones() {
    let found = map("standing_biped", &options("on_slope", "chi=0:0.3:7", "mu=0:0.4:9", "equilibrium"));
    let line = between(&found, ["none", "strong"]);
    let corner = [0.15_f64.atan(), 0.15];
    let [dx, dy] = [0.3 / 6.0, 0.4 / 8.0];
    for [chi, mu] in &line {
        let in_corner =
            (chi - corner[0]).abs() < 1.01 * dx / 32.0 && (mu - corner[1]).abs() < 1.01 * dy / 32.0;
        let on_edge = near(*mu, chi.tan(), 1e-8) && *chi <= corner[0] + 1e-8
            || near(*chi, corner[0], 1e-8) && *mu >= 0.15 - 1e-8;
        assert!(on_edge || in_corner, "{chi} {mu}");
    }
    assert!(
        line.iter().any(|[chi, mu]| near(*chi, corner[0], 2e-3) && near(*mu, corner[1], 2e-3)),
        "{line:?}"
    );
}

/// The body of Fig. 16: ambiguous for h mu1 < x1 < h tan chi, and stable above the line on which the growth is one (docs/studies/tumbling_body.md).
#[test]
fn the_tumbling_body_has_the_regions_of_its_study() {
    let quantity = options("resting", "chi=0.34:0.36:2", "mu1=0.24:0.4:2", "equilibrium");
    let line = between(&map("tumbling_body", &quantity), ["ambiguous", "strong"]);
    assert!(line.iter().all(|[_, mu]| near(*mu, 0.25, 1e-8)), "{line:?}");
    let quantity = options("resting", "chi=pi/9:0.352:2", "mu1=0.29:0.33:2", "lyapunov");
    let line = between(&map("tumbling_body", &quantity), ["stable", "unstable"]);
    assert!(
        near(line[0][0], 20.0_f64.to_radians(), 1e-12)
            || near(line[line.len() - 1][0], 20.0_f64.to_radians(), 1e-12)
    );
    let at_20 = line.iter().find(|[chi, _]| near(*chi, 20.0_f64.to_radians(), 1e-12)).unwrap()[1];
    assert!(near(at_20, MU_AT_20_DEGREES, 1e-6), "{at_20}");
}

/// Of the study, where `crates/engine/tests/several/lyapunov.rs` has the verdict on both sides.
const MU_AT_20_DEGREES: f64 = 0.303_059_6;

#[test]
fn it_is_the_same_map_on_any_number_of_threads() {
    let one =
        MapOptions { threads: Some(1), ..options("standing", "theta=0.3:1.5:8", "mu=0.1:1:7", "verdict") };
    let three = MapOptions { threads: Some(3), ..one.clone() };
    let text = |options| serde_json::to_string(&map("ladder", options)).unwrap();
    assert_eq!(text(&one), text(&three));
}

/// A state that lists its closed contacts has no value where they do not touch; what is undefined has a boundary, too.
#[test]
fn where_nothing_is_said_there_is_nothing() {
    let found = map("tumbling_body", &options("lower_leg_strikes", "y=0.9:1.1:5", "mu1=0.1:1:3", "verdict"));
    assert_eq!(found.missing.count, 12);
    assert!(found.missing.reason.as_ref().unwrap().contains("below its surface"), "{:?}", found.missing);
    assert_eq!((found.cells[0][0], found.cells[0][2]), (Cell::Undefined, Cell::Word("consistent")));
    let json = serde_json::to_value(&found).unwrap();
    assert!(json["cells"][0][0].is_null() && json["cells"][0][2] == "consistent");
    // 1/(theta - 1) jumps at 1, and is not zero there
    let pole = map("ladder", &options("standing", "theta=0.5:1.4:4", "mu=0.1:1:3", "1/(theta - 1)"));
    assert!(pole.boundaries.iter().all(|boundary| boundary.level == Level::Edge), "{:?}", pole.boundaries);
    let lines = &pole.boundaries[0].lines;
    assert!(lines.iter().flatten().all(|[x, _]| near(x.0, 1.0, 1e-8)));
}

#[test]
fn tables_and_pictures_are_written() {
    let found = map("ladder", &options("standing", "theta=0.4:1.4:6", "mu=0.05:1:5", "equilibrium"));
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("maps");
    std::fs::create_dir_all(&folder).unwrap();
    let written = write_map(&found, &folder.join("ladder.csv")).unwrap();
    assert_eq!(written.len(), 2);
    let cells = std::fs::read_to_string(&written[0]).unwrap();
    assert_eq!((cells.lines().next(), cells.lines().count()), (Some("theta,mu,equilibrium"), 31));
    let lines = std::fs::read_to_string(&written[1]).unwrap();
    assert!(lines.starts_with("level,line,theta,mu\nnone|strong,1,"), "{lines}");
    let picture = write_map(&found, &folder.join("ladder.svg")).unwrap();
    let svg = std::fs::read_to_string(&picture[0]).unwrap();
    assert!(
        svg.contains("ladder, state standing: equilibrium")
            && svg.contains(">strong<")
            && svg.contains(">none<")
    );
    assert!(write_map(&found, &folder.join("ladder.pdf")).unwrap_err().to_string().contains("should end in"));
}

fn refused(name: &str, options: &MapOptions) -> String {
    asked(name, options).unwrap_err().to_string()
}

#[test]
fn questions_that_make_no_sense_are_told_so() {
    let ladder = |x: &str, y: &str, quantity: &str| refused("ladder", &options("standing", x, y, quantity));
    let (x, y) = ("theta=0.4:1.4:6", "mu=0.05:1:5");
    let cases = [
        (ladder("thet=0.4:1.4:6", y, "verdict"), "theta"),
        (ladder("theta=1.4:0.4:6", y, "verdict"), "the range is from 1.4 to 0.4"),
        (ladder("theta=0.4:0.4:6", y, "verdict"), "both ends of the range are 0.4"),
        (ladder("theta=0.4:1.4:1", y, "verdict"), "at least two points"),
        (ladder("theta=0.4:1.4:x", y, "verdict"), "expected NAME=LO:HI:N"),
        (ladder("theta=log:0:1.4:5", y, "verdict"), "expected one > 0 for a logarithmic range"),
        (ladder("theta=log:-1:1.4:5", y, "verdict"), "expected one > 0 for a logarithmic range"),
        (ladder("theta=log:0.4:1.4:1", y, "verdict"), "at least two points"),
        (ladder("theta=0:1:5000000", y, "verdict"), "at most 1000000 values"),
        (ladder("theta=0:inf:5", y, "verdict"), "inf"),
        (ladder("theta=0.4:nowhere:5", y, "verdict"), "nowhere"),
        (ladder(x, "theta=0:1:4", "verdict"), "on both axes"),
        (ladder(x, y, "verdct"), "`verdict`"),
        (ladder(x, y, "p"), "name it with --contact, one of foot, head"),
        (refused("rod_3d", &options("inconsistent", "mu=0:1:3", "theta=0.1:1:3", "p_plus")), "in space"),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message}\nexpected {expected}");
    }
    let contact = MapOptions { contact: Some("hand".to_string()), ..options("standing", x, y, "p") };
    assert!(refused("ladder", &contact).contains("the contacts are foot, head"));
    let level = MapOptions { levels: vec![1.0], ..options("standing", x, y, "verdict") };
    assert!(refused("ladder", &level).contains("--level is for numbers"));
    assert!(refused("ladder", &options("nowhere", x, y, "verdict")).contains("standing"));
}
