//! Cells and boundaries by other routes: `analyze` at single states, closed forms, and bisection on what `analyze` says.

use super::{map, near, options};
use mechan::analysis::map::{Cell, Level, MapOutcome};
use mechan::pipeline::{AnalyzeOptions, Loaded, MapOptions, analyze, load};
use serde_json::Value;

/// What `analyze` says of a state without its search, by its machine-readable form; none if it cannot be analysed.
fn said(loaded: &Loaded, state: &str, set: Vec<String>) -> Option<Value> {
    let options = AnalyzeOptions {
        set,
        without_next_step: true,
        without_no_slip: true,
        ..AnalyzeOptions::of_state(state)
    };
    let report = analyze(loaded, loaded.model.as_ref().unwrap(), &options).unwrap();
    let value = serde_json::to_value(&report.states[0]).unwrap();
    value.get("error").is_none().then_some(value)
}

fn searchless(name: &str) -> Loaded {
    let mut loaded = load(&format!("src/pipeline/models/{name}.json")).unwrap();
    loaded.mechanism.domain.clear();
    loaded
}

/// The quantity in a report.
fn read(report: Option<&Value>, quantity: &str, contact: &str) -> Value {
    let Some(report) = report else { return Value::Null };
    match quantity {
        "verdict" => report["verdict"].clone(),
        "effective_restitution" => report["impact"][contact]["effective_restitution"].clone(),
        "p" => report["contacts"][contact]["p_slip"].clone(),
        name => report["contacts"][contact][name].clone(),
    }
}

fn agrees(cell: Cell, value: &Value) -> bool {
    match (cell, value) {
        (Cell::Word(word), Value::String(found)) => word == found,
        // a map shows what is no more than rounding as 0
        (Cell::Number(x), Value::Number(y)) => {
            let y = y.as_f64().unwrap();
            near(x.0, y, 1e-9 * y.abs().max(1e-3))
        }
        (Cell::Number(x), Value::String(word)) => word.trim_start_matches('-') == "inf" && x.0.is_infinite(),
        (Cell::Undefined, Value::Null) => true,
        _ => false,
    }
}

/// Mechanism, state, axes, contact.
#[rustfmt::skip]
const CASES: [[&str; 5]; 15] = [
    ["falling_pencil", "inconsistent", "theta=-1.5:1.5:9", "mu=log:0.1:30:8", "tip"],
    ["falling_pencil", "impact", "dot(y)=-1:1:9", "mu=0:2:8", "tip"],
    ["falling_pencil", "no_slip_separation", "l=log:1e-6:1e6:9", "g=0:20:5", "tip"],
    ["painleve_rod", "slipping", "dot(theta)=-2:2:9", "theta=0:pi:8", "tip"],
    ["painleve_rod", "stick_or_lift_off", "F_x=-9:9:9", "F_y=-1:1:8", "tip"],
    ["painleve_rod", "reverse_chatter", "e=0:1.2:7", "mu=0:2:8", "tip"],
    ["painleve_rod", "indeterminate", "m=0:2:5", "alpha=log:0.1:10:5", "tip"],
    ["painleve_rod", "slipping", "y=0:1.5:7", "dot(x)=-1:1:5", "tip"],
    ["pendulum_on_slider", "sliding", "mu=0:3:7", "dot(x)=-1:1:5", ""],
    ["two_link_manipulator", "inconsistent", "mu=0:3:7", "theta_1=-1.4:0:6", ""],
    ["box_on_incline", "sliding", "mu=0:2:7", "g=0:20:5", ""],
    ["swinging_bar", "dragged", "mu=0:2:7", "t=-1:1:5", ""],
    ["painleve_klein", "sliding", "mu_1=0:4:6", "theta_0=0.1:1.5:6", ""],
    ["ladder", "standing", "y=0:1:5", "mu=0.1:1:4", "foot"],
    ["linear_oscillator", "stretched", "q=-1:1:7", "dot(q)=-1:1:5", ""],
];

/// Random cells of maps, of those mechanisms in which these axes have a meaning: their words and numbers are those of single reports.
#[test]
fn cells_are_what_analyze_says() {
    let (mut seed, mut compared, mut words) = (7_u64, 0, std::collections::BTreeSet::new());
    let mut draw = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for [name, state, x, y, contact] in CASES {
        let loaded = searchless(name);
        let first = loaded.mechanism.contacts[0].name.clone();
        let contact = if contact.is_empty() { first } else { contact.to_string() };
        for quantity in ["verdict", "p", "p_plus", "p_minus", "a", "b", "mu_min", "effective_restitution"] {
            let asked = MapOptions { contact: Some(contact.clone()), ..options(state, x, y, quantity) };
            let found = map(name, &asked);
            for _ in 0..6 {
                let (i, j) = (draw(found.x.values.len()), draw(found.y.values.len()));
                let place = [(&found.x, i), (&found.y, j)];
                let set = place.map(|(axis, k)| format!("{}={}", axis.name, axis.values[k].0)).to_vec();
                let report = said(&loaded, state, set.clone());
                let (cell, expected) = (found.cells[j][i], read(report.as_ref(), quantity, &contact));
                // a contact that can move along one direction only has no verdict in maps
                let rail = name == "swinging_bar" && quantity == "verdict" && cell == Cell::Undefined;
                assert!(
                    rail || agrees(cell, &expected),
                    "{name} {state} {quantity} {set:?}: {cell:?}, {expected}"
                );
                compared += 1;
                if let Cell::Word(word) = cell {
                    words.insert(word);
                }
            }
        }
    }
    assert_eq!(compared, CASES.len() * 8 * 6);
    assert!(words.len() >= 3, "{words:?}");
}

/// The points of the boundaries whose sides have these words, in any order.
fn parted(map: &MapOutcome, words: [&str; 2]) -> Vec<[f64; 2]> {
    let own = |level: &Level| match level {
        Level::Words([Some(a), Some(b)]) => words.contains(a) && words.contains(b),
        Level::Words(_) | Level::Number(_) | Level::Edge => false,
    };
    let lines = map.boundaries.iter().filter(|boundary| own(&boundary.level)).flat_map(|b| &b.lines);
    lines.flatten().map(|p| p.map(|x| x.0)).collect()
}

/// The paradox of the rod needs μ = 4/3, at tan θ = 2 from the ground, 1/2 from the vertical; on a logarithmic axis as well as on a linear one, and
/// on a coarse grid.
#[test]
fn the_critical_friction_of_the_rod_is_four_thirds() {
    let cases = [
        ("painleve_rod", "theta=atan(2):1.5:11", "mu=log:0.5:4:9", 0.0),
        ("falling_pencil", "theta=0.05:atan(1/2):11", "mu=0.5:4:9", std::f64::consts::FRAC_PI_2),
    ];
    for (name, x, y, from) in cases {
        let line =
            parted(&map(name, &options("inconsistent", x, y, "verdict")), ["consistent", "inconsistent"]);
        assert!(line.len() > 10, "{}", line.len());
        for [angle, mu] in &line {
            let (s, c) = (angle - from).abs().sin_cos();
            assert!(near(*mu, (1.0 + 3.0 * c * c) / (3.0 * s * c), 1e-7), "{name} {angle} {mu}");
        }
        let least = line.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        assert!(near(least, 4.0 / 3.0, 1e-7), "{name} {least}");
    }
}

/// On a line of the grid a boundary is where bisection on single reports has it.
#[test]
fn boundaries_are_where_bisection_finds_them() {
    let cases = [
        ("two_link_manipulator", "inconsistent", "theta_1=-1.4:-0.2:5", "mu=0.2:3:5"),
        ("box_on_incline", "inconsistent", "g=2:20:4", "mu=0.1:4:6"),
        ("painleve_rod", "inconsistent", "mu=0.5:3:4", "F_y=0.2:3:5"),
    ];
    let mut compared = 0;
    for (name, state, x, y) in cases {
        let (loaded, found) = (searchless(name), map(name, &options(state, x, y, "verdict")));
        for i in 0..found.x.values.len() {
            let at = found.x.values[i].0;
            let word = |y: f64| {
                let set = vec![format!("{}={at}", found.x.name), format!("{}={y}", found.y.name)];
                said(&loaded, state, set).map(|report| report["verdict"].clone())
            };
            for j in 1..found.y.values.len() {
                let [mut lo, mut hi] = [j - 1, j].map(|j| found.y.values[j].0);
                if found.cells[j - 1][i] == found.cells[j][i] {
                    continue;
                }
                let below = word(lo);
                for _ in 0..34 {
                    let middle = 0.5 * (lo + hi);
                    if word(middle) == below { lo = middle } else { hi = middle }
                }
                let points = found.boundaries.iter().flat_map(|b| &b.lines).flatten();
                let on_line = points.filter(|p| p[0].0.to_bits() == at.to_bits());
                let closest = on_line.map(|p| (p[1].0 - lo).abs()).fold(f64::INFINITY, f64::min);
                assert!(closest < 1e-7, "{name} {} = {at}: {lo}, off by {closest}", found.x.name);
                compared += 1;
            }
        }
    }
    assert!(compared >= 5, "{compared}");
}
