//! Outcomes of motions over two ranges: closed forms, single motions one by one, nothing that is lost, and maps that go on where they were.

use super::{asked, map, options};
use mechan::analysis::map::{Cell, Lack, MapOutcome};
use mechan::pipeline::{
    Failure, MapOptions, MapStudy, OutcomeOptions, Recorded, SimulateOptions, load, merge_maps, part_into,
    recorded_into, simulate,
};
use mechan::simulate::event::Limits;
use mechan::simulate::trajectory::{EventKind, Status, Trajectory};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

fn outcome(state: &str, [x, y]: [&str; 2], text: &str, t_end: f64) -> MapOptions {
    let outcome = OutcomeOptions { text: text.to_string(), t_end: Some(t_end), ..OutcomeOptions::default() };
    MapOptions { outcome: Some(outcome), ..options(state, x, y, "") }
}

/// The same with an expression that ends the motions.
fn stopped(options: MapOptions, stop: &str) -> MapOptions {
    let outcome = options.outcome.map(|own| {
        let motion = SimulateOptions { stop: Some(stop.to_string()), ..own.motion };
        OutcomeOptions { motion, ..own }
    });
    MapOptions { outcome, ..options }
}

/// That each cell is a function of x and y, relative to its size.
fn is(map: &MapOutcome, bound: f64, exact: impl Fn(f64, f64) -> f64) {
    for (y, row) in map.y.values.iter().zip(&map.cells) {
        for (x, cell) in map.x.values.iter().zip(row) {
            let (found, exact) = (cell.value().unwrap(), exact(x.0, y.0));
            assert!((found - exact).abs() <= bound * exact.abs(), "{found} for {exact} at {x:?}, {y:?}");
        }
    }
}

/// A ball falls from a height q for √(2 q/|f|), and its bounces, each half as long as the one before, end after three times that.
#[test]
fn a_ball_falls_and_comes_to_rest_when_it_should() {
    let ranges = ["q=0.25:4:4", "f=-4:-0.5:3"];
    let fall = |q: f64, f: f64| (2.0 * q / -f).sqrt();
    is(&map("bouncing_ball", &outcome("dropped", ranges, "first(impact)", 40.0)), 1e-9, fall);
    let rests = map("bouncing_ball", &outcome("dropped", ranges, "first( chatter-end , floor)", 40.0));
    is(&rests, 1e-6, |q, f| 3.0 * fall(q, f));
    is(&map("bouncing_ball", &outcome("dropped", ranges, "t - first(impact)/2", 40.0)), 1e-9, |q, f| {
        40.0 - fall(q, f) / 2.0
    });
    // the energy just before the first impact is that of the fall
    let struck = stopped(outcome("dropped", ranges, "dot(q)^2/2", 40.0), "q - 1/1000");
    is(&map("bouncing_ball", &struck), 1e-9, |q, f| -(q - 1e-3) * f);
}

/// A solid disc that slides with v slips until v/(3 μ g), over v²/(6 μ g): its rim loses slip at 3 μ g.
#[test]
fn a_wheel_slips_as_far_as_it_should() {
    let ranges = ["dot(x)=0.5:3:4", "mu=log:0.1:1:3"];
    let slipped = map("wheel_on_ground", &outcome("locked", ranges, "x + R*theta", 4.0));
    is(&slipped, 1e-9, |v, mu| v * v / (6.0 * mu * 9.81));
    is(&map("wheel_on_ground", &outcome("locked", ranges, "first(stick)", 4.0)), 1e-9, |v, mu| {
        v / (3.0 * mu * 9.81)
    });
    // a column of the contact: friction is what it was until the wheel rolls
    let held = stopped(outcome("locked", ranges, "ground.T/ground.N", 4.0), "1/100 - t");
    is(&map("wheel_on_ground", &held), 1e-9, |_, mu| -mu);
}

/// A pencil on its tip, leaning to the right and pushed to the left, falls to the side that its energy decides: the boundary is the separatrix
/// θ'² = 3 g (1 − cos θ)/(2 l).
#[test]
fn what_topples_is_parted_by_the_separatrix() {
    let ranges = ["theta=-0.3:-0.1:3", "dot(theta)=0.1:1.3:4"];
    let sides = stopped(outcome("balanced", ranges, "sign(theta)", 30.0), "1/4 - theta^2");
    let found = map("falling_pencil", &sides);
    assert_eq!(found.missing.count, 0, "{:?}", found.missing);
    assert_eq!(found.boundaries.len(), 1);
    let points: Vec<[f64; 2]> = found.boundaries[0].lines.iter().flatten().map(|p| p.map(|x| x.0)).collect();
    // where it passes the edges of the grid; between them it is followed to the tolerance of a corner
    let on_an_edge = |[theta, rate]: &&[f64; 2]| {
        [-0.3, -0.2, -0.1].iter().any(|x: &f64| (theta - x).abs() < 1e-12)
            || [0.1, 0.5, 0.9, 1.3].iter().any(|y: &f64| (rate - y).abs() < 1e-12)
    };
    let edges: Vec<&[f64; 2]> = points.iter().filter(on_an_edge).collect();
    assert!(edges.len() >= 4, "{points:?}");
    for [theta, rate] in edges {
        let exact = (1.5 * 9.81 * (1.0 - theta.cos())).sqrt();
        assert!((rate - exact).abs() < 1e-7 * exact, "{rate} for {exact} at {theta}");
    }
}

/// A ball thrown at a floor that pushes it back turns at 1 − v²/(2 f), or comes there.
#[test]
fn the_least_gap_of_a_ball_is_where_it_turns() {
    let ranges = ["dot(q)=-2:1:4", "f=0.5:3:6"];
    let turns = |v: f64, f: f64| if v < 0.0 { (1.0 - v * v / (2.0 * f)).max(0.0) } else { 1.0 };
    let near = |options: &MapOptions, bound: f64| {
        let found = map("bouncing_ball", options);
        assert_eq!(found.missing.count, 0);
        for (y, row) in found.y.values.iter().zip(&found.cells) {
            for (x, cell) in found.x.values.iter().zip(row) {
                let (least, exact) = (cell.value().unwrap(), turns(x.0, y.0));
                assert!((least - exact).abs() <= bound, "{least} for {exact} at {x:?}, {y:?}");
            }
        }
        found
    };
    let asked = outcome("dropped", ranges, "least( floor.gap )", 10.0);
    let found = near(&asked, 1e-12);
    // no part of it is where the ball just misses: v² = 2 f
    let points: Vec<[f64; 2]> =
        found.boundaries.iter().flat_map(|b| &b.lines).flatten().map(|p| p.map(|x| x.0)).collect();
    assert!(points.len() > 2);
    for [v, f] in points {
        assert!((v * v - 2.0 * f).abs() < 0.2, "{v} {f}");
    }
    // by steps of 1/1000 it is the least at their ends; a step may end below the floor
    let own = asked.outcome.clone().unwrap();
    let motion =
        SimulateOptions { scheme: "moreau".parse().unwrap(), step: Some(1e-3), ..own.motion.clone() };
    near(&MapOptions { outcome: Some(OutcomeOptions { motion, ..own }), ..asked.clone() }, 3e-3);
}

/// By another route: many samples of single motions, with impacts of another contact on the way.
#[test]
fn the_least_gap_is_that_of_many_samples() {
    let ranges = ["phi_S=-0.3:-0.25:3", "dot(phi_S)=-9:-5:3"];
    for contact in ["beak", "upper_edge"] {
        let asked = outcome("start", ranges, &format!("least({contact}.gap)"), 0.02);
        let found = map("woodpecker", &asked);
        for (y, row) in found.y.values.iter().zip(&found.cells) {
            for (x, cell) in found.x.values.iter().zip(row) {
                let mut fine = asked.clone();
                fine.outcome.as_mut().unwrap().motion.samples = Some(20_001);
                let motion = alone("woodpecker", &fine, [("phi_S", x.0), ("dot(phi_S)", y.0)]);
                let column =
                    motion.columns.iter().position(|name| *name == format!("{contact}.gap")).unwrap();
                let least =
                    motion.rows.iter().map(|row| row[column].0).fold(f64::INFINITY, f64::min).max(0.0);
                let value = cell.value().unwrap();
                assert!((value - least).abs() < 1e-8, "{contact} {x:?} {y:?}: {value} {least}");
            }
        }
    }
}

#[test]
fn what_is_no_gap_is_told_with_those_that_there_are() {
    for text in ["least(floor)", "least(ceiling.gap)", "least(floor.N)", "least()"] {
        let fault =
            asked("bouncing_ball", &outcome("dropped", ["q=1:2:3", "f=-2:-1:3"], text, 1.0)).unwrap_err();
        let said = fault.to_string();
        assert!(said.contains("is no gap of a contact") && said.contains("least(floor.gap)"), "{said}");
    }
}

/// The motion of one point by itself.
fn alone(name: &str, options: &MapOptions, at: [(&str, f64); 2]) -> Trajectory {
    let loaded = load(&format!("src/pipeline/models/{name}.json")).unwrap();
    let own = options.outcome.clone().unwrap();
    let options = SimulateOptions {
        state: options.state.clone(),
        set: at.iter().map(|(name, x)| format!("{name}={x:?}")).collect(),
        t_end: own.t_end.unwrap(),
        ..own.motion
    };
    simulate(&loaded, loaded.model.as_ref().unwrap(), &options).unwrap()
}

/// Of every point, by another route: the motion that `simulate` finds, its last row and its events read by hand.
#[test]
fn cells_are_what_single_motions_say() {
    let time = |motion: &Trajectory, kind| motion.events.iter().find(|e| e.kind == kind).map(|e| e.t.0);
    let mut seen = std::collections::BTreeSet::new();
    for state in ["inconsistent", "indeterminate", "slipping_with_the_lean"] {
        let ranges = ["theta=0.2:1.2:4", "mu=0.3:1.8:4"];
        let first = outcome(state, ranges, "first(lift-off)", 0.3);
        let count = outcome(state, ranges, "count(lift-off)", 0.3);
        let place = outcome(state, ranges, "theta*x", 0.3);
        let maps = [&first, &count, &place].map(|options| map("falling_pencil", options));
        for (j, mu) in maps[0].y.values.iter().enumerate() {
            for (i, theta) in maps[0].x.values.iter().enumerate() {
                let motion = alone("falling_pencil", &first, [("theta", theta.0), ("mu", mu.0)]);
                let whole = matches!(motion.status, Status::End | Status::Stopped);
                let last = motion.rows.last().unwrap();
                let lifts = motion.events.iter().filter(|e| e.kind == EventKind::LiftOff).count() as f64;
                let expected = [
                    time(&motion, EventKind::LiftOff),
                    whole.then_some(lifts),
                    whole.then_some(last[3].0 * last[1].0),
                ];
                for (map, expected) in maps.iter().zip(expected) {
                    let found = map.cells[j][i].value();
                    let near = |(a, b): (f64, f64)| (a - b).abs() <= 1e-12 * b.abs();
                    assert_eq!(found.is_some(), expected.is_some(), "{state} {theta:?} {mu:?}");
                    assert!(
                        found.zip(expected).is_none_or(near),
                        "{state} {theta:?} {mu:?}: {found:?} {expected:?}"
                    );
                }
                seen.insert(motion.status);
            }
        }
        for map in &maps {
            assert_eq!(map.missing.reasons.values().sum::<u64>(), map.missing.count);
        }
    }
    assert!(seen.contains(&Status::End) && seen.contains(&Status::Indeterminate), "{seen:?}");
}

#[test]
fn outcomes_are_the_same_on_any_number_of_threads() {
    let one = outcome("inconsistent", ["theta=0.2:1.2:9", "mu=0.3:1.8:8"], "theta", 0.3);
    let text = |threads| {
        let options = MapOptions { threads: Some(threads), ..one.clone() };
        serde_json::to_string(&map("falling_pencil", &options)).unwrap()
    };
    assert_eq!(text(1), text(3));
    assert!(text(1).contains(r#""motion":{"scheme":"event","t_end":0.3}"#));
}

/// An event that never happens, and motions that are cut short: nulls, counted by reason.
#[test]
fn what_is_not_there_is_counted() {
    let ranges = ["q=0.25:4:3", "f=-4:-0.5:2"];
    let never = map("bouncing_ball", &outcome("dropped", ranges, "first(jam)", 1.0));
    assert!(never.cells.concat().iter().all(|cell| *cell == Cell::Lacking(Lack::NoEvent)));
    assert_eq!((never.missing.count, never.missing.reasons["no event"]), (6, 6));
    assert_eq!(never.missing.reason.as_deref(), Some("the motion has no such event"));
    assert!(serde_json::to_string(&never).unwrap().contains("[[null,null,null],[null,null,null]]"));
    let mut short = outcome("dropped", ranges, "q", 40.0);
    short.outcome.as_mut().unwrap().motion.limits = Limits { events: 1, ..Limits::default() };
    let cut = map("bouncing_ball", &short);
    assert_eq!(cut.missing.reasons, [("budget", 6)].into());
    assert!(cut.missing.reason.unwrap().starts_with("the motion ended `budget` at t = "));
    // what happened before is known
    short.outcome.as_mut().unwrap().text = "first(impact)".to_string();
    assert_eq!(map("bouncing_ball", &short).missing.count, 0);
    // a state below the floor is none to begin at
    let below = map("bouncing_ball", &outcome("dropped", ["q=-1:1:3", "f=-4:-0.5:2"], "count(impact)", 0.1));
    assert_eq!(below.missing.reasons, [("refused", 2)].into());
    let undefined = map("bouncing_ball", &outcome("dropped", ranges, "sqrt(-q)", 0.1));
    assert_eq!(undefined.missing.reasons, [("no number", 6)].into());
}

#[test]
fn outcomes_that_make_no_sense_say_what_would() {
    let ranges = ["q=0.25:4:3", "f=-4:-0.5:2"];
    let told = |text: &str, t_end: f64| {
        let failure = asked("bouncing_ball", &outcome("dropped", ranges, text, t_end)).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)), "{failure}");
        failure.to_string()
    };
    for (text, expected) in [
        ("first(jamm)", "did you mean `first(jam)`?"),
        ("count(bang)", "the kinds are touch, lift-off"),
        ("first(impact, flor)", "there is no contact `flor`"),
        ("heigth", "heigth"),
        ("first(impact", "--outcome first(impact"),
        ("floor.n", "did you mean `floor.N`?"),
        ("", "--outcome"),
        ("q > 1", "--outcome q > 1"),
    ] {
        let told = told(text, 1.0);
        assert!(told.contains(expected), "{text}: {told}");
    }
    assert!(told("q", -1.0).contains("--t-end is -1"));
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outcomes").join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Computes into a file, and stops once so many points are done.
fn into(options: &MapOptions, path: &Path, recorded: Recorded, most: u64) -> Result<MapOutcome, Failure> {
    let loaded = load("src/pipeline/models/falling_pencil.json").unwrap();
    let study = MapStudy::new(&loaded, loaded.model.as_ref().unwrap(), options).unwrap();
    let stop = AtomicBool::new(false);
    let mut progress = |p: mechan::pipeline::MapProgress| {
        if p.done >= most {
            stop.store(true, Ordering::Relaxed);
        }
    };
    match options.chunk {
        Some(_) => part_into(&study, path, (&stop, recorded), &mut progress),
        None => recorded_into(&study, path, (&stop, true, recorded), &mut progress).map(|(map, _)| map),
    }
}

/// A map that is interrupted goes on where it was, in any kind of file, and is the same to the last byte; so are parts of it.
#[test]
fn interrupted_maps_go_on() {
    let folder = folder("resumed");
    let own = MapOptions {
        threads: Some(1),
        ..outcome("inconsistent", ["theta=0.2:1.2:17", "mu=0.3:1.8:8"], "theta", 0.3)
    };
    for ending in ["csv", "json", "svg"] {
        let [once, twice] = ["once", "twice"].map(|name| folder.join(format!("{name}.{ending}")));
        let whole = into(&own, &once, Recorded::Anew, u64::MAX).unwrap();
        let cut = into(&own, &twice, Recorded::Anew, 60).unwrap();
        let done = cut.interrupted.unwrap().rows;
        assert!((1..8).contains(&done), "{done}");
        // what a killed run was writing
        let record = folder.join(format!("twice.{ending}.rows.jsonl"));
        let mut text = std::fs::read_to_string(&record).unwrap();
        text.push_str(r#"{"cells":[[0.1,"#);
        std::fs::write(&record, text).unwrap();
        let gone_on = into(&own, &twice, Recorded::Resumed, u64::MAX).unwrap();
        assert_eq!(gone_on, whole);
        assert_eq!(std::fs::read(&once).unwrap(), std::fs::read(&twice).unwrap(), "{ending}");
        // nothing is left to be done
        assert_eq!(into(&own, &twice, Recorded::Resumed, u64::MAX).unwrap(), whole);
        let other = MapOptions { set: vec!["l=2".to_string()], ..own.clone() };
        let refused = into(&other, &twice, Recorded::Resumed, u64::MAX).unwrap_err().to_string();
        assert!(refused.contains("another question: set"), "{refused}");
    }
    let whole = map("falling_pencil", &own);
    let parts: Vec<PathBuf> = (1..=3)
        .map(|i| {
            let options = MapOptions { chunk: Some(format!("{i}/3")), ..own.clone() };
            let path = folder.join(format!("part{i}.json"));
            into(&options, &path, Recorded::Anew, 20).unwrap();
            into(&options, &path, Recorded::Resumed, u64::MAX).unwrap();
            path
        })
        .collect();
    assert_eq!(merge_maps(&parts).unwrap(), whole);
    std::fs::write(folder.join("part1.json.rows.jsonl"), "nonsense\n").unwrap();
    let options = MapOptions { chunk: Some("1/3".to_string()), ..own };
    let refused = into(&options, &parts[0], Recorded::Resumed, u64::MAX).unwrap_err().to_string();
    assert!(refused.contains("no question of a map"), "{refused}");
}
