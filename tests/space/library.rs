//! Mechanisms: the rod in space, and bodies on two, three and four point feet.

use super::snapshots::{assert_report, settings};
use mechan::analysis::several::RestBy;
use mechan::equilibrium::Condition;
use mechan::num::circle::principal;
use mechan::{Analysis, AnalyzeOptions, Derived, Deriver, ModeOutcome, StateOutcome, Verdict};

pub(crate) fn model(path: &str) -> Derived {
    mechan::load(path).unwrap().derive(&Deriver::nobody()).unwrap()
}

fn analysis(path: &str, set: &[&str]) -> Analysis {
    let set = set.iter().map(|x| (*x).to_string()).collect();
    let options = AnalyzeOptions { set, step: Some(1e-6), ..AnalyzeOptions::default() };
    model(path).analyze(&options).unwrap()
}

/// One state only: those that stay undecided take all boxes.
fn at(path: &str, state: &str) -> Analysis {
    model(path).analyze(&AnalyzeOptions { step: Some(1e-6), ..AnalyzeOptions::of_state(state) }).unwrap()
}

const ROD: &str = "benches/models/rod_3d.json";

#[test]
fn the_rod_has_its_verdicts() {
    let rod = analysis(ROD, &[]);
    let said = |name: &str| {
        let prospect = &rod.state(name).unwrap().prospect;
        (prospect.verdict.unwrap(), prospect.resolved.join(" "))
    };
    // [CV16 section 7.1] and the file's own words
    assert_eq!(said("inconsistent"), (Verdict::Inconsistent, "iwc".into()));
    assert_eq!(said("indeterminate"), (Verdict::Indeterminate, "free iwc".into()));
    assert_eq!(said("across"), (Verdict::Consistent, "slip".into()));
    assert_eq!(said("oblique"), (Verdict::Consistent, "slip".into()));
    assert_eq!(said("crossing"), (Verdict::Marginal, "iwc".into()));
    assert_eq!(said("sticking"), (Verdict::Consistent, "stick".into()));
    assert_eq!(said("impact"), (Verdict::Consistent, "impact".into()));
    assert!(rod.state("crossing").unwrap().warnings.iter().any(|w| w.contains("p = 0")));
    let crossing = rod.state("crossing").unwrap().prospect.space().unwrap().crossing.get("tip").unwrap();
    assert!(crossing.crosses && crossing.rate.0 < 0.0 && crossing.time.0 == 0.0);
}

/// [CV16 (51)]: cos(φ − ψ) > (1 + 3 cos²θ)/(3 μ sin θ cos θ).
#[test]
fn the_forbidden_directions_of_the_rod_are_those_of_the_survey() {
    for mu in [1.2, 1.5, 3.0] {
        let rod = analysis(ROD, &[&format!("mu={mu}")]);
        let json: serde_json::Value = serde_json::to_value(&rod).unwrap();
        // less friction than the state `crossing` is defined for: no such state
        let states = json["states"].as_array().unwrap().iter().filter(|state| state["error"].is_null());
        for state in states {
            let number = |of: &str, name: &str| state[of][name].as_f64().unwrap();
            let (psi, (s, c)) = (number("q", "psi"), number("q", "theta").sin_cos());
            let tip = &state["contacts"]["tip"];
            let (bound, arcs) =
                ((1.0 + 3.0 * c * c) / (3.0 * mu * s * c), tip["forbidden"].as_array().unwrap());
            let least = 1.0 + 3.0 * c * c - 3.0 * mu * s * c;
            assert!((tip["p_min"]["value"].as_f64().unwrap() - least).abs() < 1e-12);
            assert!(principal(tip["p_min"]["phi"].as_f64().unwrap() - psi).abs() < 1e-12);
            assert_eq!(arcs.len(), usize::from(bound < 1.0));
            for arc in arcs {
                let [from, to] = [0, 1].map(|k| arc[k].as_f64().unwrap());
                assert!((to - from - 2.0 * bound.acos()).abs() < 1e-12, "{mu}");
                assert!(principal(from + bound.acos() - psi).abs() < 1e-12, "{mu}");
            }
        }
    }
}

/// What was written is read back, in space as in the plane.
#[test]
fn an_analysis_in_space_is_read_back() {
    for path in [ROD, "tests/space/models/sledge.json", "benches/models/painleve_rod.json"] {
        let found = analysis(path, &[]);
        let text = serde_json::to_string(&found).unwrap();
        let back: Analysis = serde_json::from_str(&text).unwrap();
        assert_eq!(back, found, "{path}");
        assert_eq!(serde_json::to_string(&back).unwrap(), text, "{path}");
    }
}

fn only(state: &StateOutcome) -> &ModeOutcome {
    let prospect = &state.prospect;
    assert_eq!(prospect.modes.len(), 1, "{prospect:?}");
    &prospect.modes[0]
}

fn words(mode: &ModeOutcome) -> String {
    mode.mode.0.iter().map(|(_, word)| word.name()).collect::<Vec<_>>().join(",")
}

/// A body of weight 1 at height H = ½ on two feet at ±1 along the first tangent, gravity tilted by χ: by statics
/// N = ½ cos χ ± ¼ sin χ, and T₁ + T₂ = −sin χ with |Tᵢ| ≤ μ Nᵢ is all that is known of the friction along the line of the feet.
#[test]
fn statics_bounds_the_forces_of_a_sledge() {
    let sledge = analysis("tests/space/models/sledge.json", &[]);
    let state = sledge.state("tilted").unwrap();
    let (mode, (s, c)) = (only(state), 0.2f64.sin_cos());
    assert_eq!(words(mode), "stick,stick");
    assert_eq!(state.prospect.verdict, Some(Verdict::Consistent));
    let N = [0.5 * c + 0.25 * s, 0.5 * c - 0.25 * s];
    for (i, name) in ["one", "two"].iter().enumerate() {
        let found = mode.hyperstatic.get(name).unwrap();
        let (own, other) = (0.5 * N[i], 0.5 * N[1 - i]);
        let expected = [[N[i], N[i]], [(-own).max(-s - other), own.min(-s + other)], [0.0, 0.0]];
        for (range, [low, high]) in
            [found.normal, found.tangential.as_slice()[0], found.tangential.as_slice()[1]]
                .iter()
                .zip(expected)
        {
            // proven bounds lie outside, and not far
            assert!(range[0].0 <= low + 1e-15 && range[0].0 > low - 1e-9, "{name} {range:?} {low}");
            assert!(range[1].0 >= high - 1e-15 && range[1].0 < high + 1e-9, "{name} {range:?} {high}");
        }
    }
}

/// The weight can rest on any three of four feet, or on two across: by statics N in [0, ½] each, whatever the friction.
#[test]
fn a_table_has_one_motion_and_many_forces() {
    let table = at("tests/space/models/table.json", "standing");
    let state = table.state("standing").unwrap();
    let mode = only(state);
    assert_eq!(
        (words(mode).as_str(), state.prospect.verdict),
        ("stick,stick,stick,stick", Some(Verdict::Consistent))
    );
    for (_, range) in &mode.hyperstatic.0 {
        assert!(range.normal[0].0.abs() < 1e-9 && (range.normal[1].0 - 0.5).abs() < 1e-9, "{range:?}");
    }
    let several = state.prospect.several.as_ref().and_then(|several| several.directions.as_ref()).unwrap();
    let normal: f64 = several.only_rest.as_ref().unwrap().0.iter().map(|(_, N)| N.0).sum();
    assert!((normal - 1.0).abs() < 1e-9 && several.undecided.is_empty());
}

/// A tilted tripod and a tilted table must stay where they are, which multipliers prove; with less friction than tan χ they slide, and the report
/// says so.
#[test]
fn what_stands_on_a_slope_must_stay_there() {
    for (file, feet) in [("tripod", 3), ("table", 4)] {
        let path = format!("tests/space/models/{file}.json");
        let found = at(&path, "tilted");
        let state = found.state("tilted").unwrap();
        let rest = state.prospect.rest.clone().unwrap();
        assert_eq!(
            (rest.weak, rest.strong, rest.by),
            (Condition::Holds, Condition::Holds, Some(Some(RestBy::Refutation))),
            "{file}"
        );
        assert_eq!(state.prospect.verdict, Some(Verdict::Consistent), "{file}");
        assert_eq!(words(only(state)), vec!["stick"; feet].join(","));
        // the next step stays at rest, too
        let text = serde_json::to_value(state).unwrap();
        for (_, next) in text["existence"]["solution"]["contacts"].as_object().unwrap() {
            assert!((0..3).all(|k| next["u"][k].as_f64().unwrap().abs() < 1e-9), "{file}");
        }
    }
}

/// The normal forces of a tilted table by statics: of the feet's moments only their sums along and across the slope are known, so that each foot
/// carries between what the others cannot and what they leave.
#[test]
fn statics_bounds_the_forces_of_a_tilted_table() {
    let table = at("tests/space/models/table.json", "tilted");
    let mode = only(table.state("tilted").unwrap());
    let (s, c) = 0.2f64.sin_cos();
    // feet at x = ±1: the pairs carry c/2 ± s H/2, and moments across share each pair so that both have the same left and right
    let (downhill, uphill) = (0.5 * c + 0.25 * s, 0.5 * c - 0.25 * s);
    for (name, most) in [("one", downhill), ("four", downhill), ("two", uphill), ("three", uphill)] {
        let range = mode.hyperstatic.get(name).unwrap().normal;
        // N_one + N_four = downhill, N_two + N_three = uphill, N_one + N_two = c/2
        let (low, high) = if most > 0.5 * c { (most - 0.5 * c, 0.5 * c) } else { (0.0, most) };
        assert!(range[0].0 <= low + 1e-12 && range[0].0 > low - 1e-8, "{name} {range:?} {low}");
        assert!(range[1].0 >= high - 1e-12 && range[1].0 < high + 1e-8, "{name} {range:?} {high}");
    }
}

/// Newton's: all feet down the slope with g (sin χ − μ cos χ).
fn assert_slides_off(state: &StateOutcome, tolerance: f64) {
    let (s, c) = 0.6f64.sin_cos();
    for (_, acceleration) in &only(state).accelerations.0 {
        let [down, across] = [0, 1].map(|k| acceleration.u.as_slice()[k].value);
        assert!((down - (s - 0.5 * c)).abs() < tolerance && across.abs() < tolerance);
    }
}

/// Slip of a table is proven to be its only motion, although its forces are not unique; of one with less inertia, which friction turns more easily, what
/// is not proven is undecided, and the warning says how much is known.
#[test]
fn what_is_not_proven_is_undecided() {
    let sliding_off = |inertia: &str| {
        let set = vec!["H=1".to_string(), format!("J={inertia}")];
        let options = AnalyzeOptions { set, ..AnalyzeOptions::of_state("sliding_off") };
        model("tests/space/models/table.json").analyze(&options).unwrap()
    };
    let (large, small) = (sliding_off("0.4"), sliding_off("0.05"));
    let state = large.state("sliding_off").unwrap();
    assert_eq!(state.prospect.verdict, Some(Verdict::Consistent));
    assert_slides_off(state, 1e-12);
    let state = small.state("sliding_off").unwrap();
    assert_eq!(state.prospect.verdict, Some(Verdict::Undecided));
    let several = state.prospect.several.as_ref().and_then(|several| several.directions.as_ref()).unwrap();
    assert_eq!(several.undecided.len(), 1);
    let rest = state.prospect.rest.as_ref().unwrap();
    assert_eq!((rest.weak, rest.strong), (Condition::Fails, Condition::Fails));
    assert!(state.warnings.iter().any(|w| w.contains("slip within")), "{:?}", state.warnings);
    assert_slides_off(state, 1e-6);
}

/// A body that hangs from two held feet: statics as for one that stands on them, with the normal forces turned round.
#[test]
fn held_feet_carry_what_hangs_from_them() {
    let runner = at("tests/space/models/runner.json", "hanging");
    let state = runner.state("hanging").unwrap();
    let (mode, (s, c)) = (only(state), 0.2f64.sin_cos());
    assert_eq!((words(mode).as_str(), state.prospect.verdict), ("stick,stick", Some(Verdict::Consistent)));
    let N = [-0.5 * c - 0.25 * s, -0.5 * c + 0.25 * s];
    for (i, name) in ["one", "two"].iter().enumerate() {
        let found = mode.hyperstatic.get(name).unwrap();
        let (own, other) = (0.5 * N[i].abs(), 0.5 * N[1 - i].abs());
        let expected = [[N[i], N[i]], [(-own).max(s - other), own.min(s + other)], [0.0, 0.0]];
        for (range, [low, high]) in
            [found.normal, found.tangential.as_slice()[0], found.tangential.as_slice()[1]]
                .iter()
                .zip(expected)
        {
            assert!(range[0].0 <= low + 1e-14 && range[0].0 > low - 1e-9, "{name} {range:?} {low}");
            assert!(range[1].0 >= high - 1e-14 && range[1].0 < high + 1e-9, "{name} {range:?} {high}");
        }
    }
    // sliding: decelerated by μ g whichever side presses
    let sliding = at("tests/space/models/runner.json", "sliding");
    let mode = only(sliding.state("sliding").unwrap());
    for (_, acceleration) in &mode.accelerations.0 {
        assert!((acceleration.u.as_slice()[0].value + 0.5).abs() < 1e-12, "{acceleration:?}");
    }
}

/// Bodies that slide without turning decelerate by μ g, with N from statics of moments about the centre of mass; the next step tends to it.
#[test]
fn sliding_feet_agree_with_newton_and_with_the_next_step() {
    for (file, feet) in [("sledge", 2), ("tripod", 3)] {
        let found = at(&format!("tests/space/models/{file}.json"), "sliding");
        let state = found.state("sliding").unwrap();
        let (mode, text) = (only(state), serde_json::to_value(state).unwrap());
        let N: f64 = mode.forces.0.iter().map(|(_, f)| f.normal.value).sum();
        assert!((N - 1.0).abs() < 1e-12 && mode.forces.0.len() == feet);
        let h = text["existence"]["h"].as_f64().unwrap();
        for (name, acceleration) in &mode.accelerations.0 {
            let next = &text["existence"]["solution"]["contacts"][name];
            let slip = &text["contacts"][name]["slip"];
            for k in 0..2 {
                let rate = (next["u"][k + 1].as_f64().unwrap() - slip[k].as_f64().unwrap()) / h;
                let expected = acceleration.u.as_slice()[k].value;
                assert!((rate - expected).abs() < 1e-4, "{file} {name}: {rate} {expected}");
            }
        }
    }
}

/// Approaching, parting, and sliding off: each with its own answer.
#[test]
fn several_contacts_strike_part_and_slide() {
    let tripod = analysis("tests/space/models/sledge.json", &[]);
    let said = |name: &str| {
        let prospect = &tripod.state(name).unwrap().prospect;
        (prospect.verdict.unwrap(), prospect.resolved.join(" "))
    };
    assert_eq!(said("falling"), (Verdict::Consistent, "impact".into()));
    // what parts is not closed (FORMAT.md, States)
    assert_eq!(said("lifted"), (Verdict::Consistent, "free".into()));
    assert_eq!(said("sliding_off"), (Verdict::Consistent, "slip,slip".into()));
    assert_slides_off(tripod.state("sliding_off").unwrap(), 1e-12);
}

/// The report of a tilted table: its numbers are those that the tests above and `rest` reach by other routes.
#[test]
fn the_report_of_several_contacts_has_not_changed_unnoticed() {
    let options = AnalyzeOptions { without_next_step: true, ..AnalyzeOptions::of_state("tilted") };
    let found = model("tests/space/models/table.json").analyze(&options).unwrap();
    let text = mechan::report::render_text(&mechan::report::analysis_document(&found));
    let from = text.find("What can happen next").unwrap();
    let to = text.find("Delassus matrix").unwrap_or(text.len());
    settings().bind(|| insta::assert_snapshot!("report_tilted_table", &text[from..to]));
}

/// The report as text: its numbers are those that the tests above reach by other routes.
#[test]
fn the_report_of_the_rod_has_not_changed_unnoticed() {
    let options = AnalyzeOptions { without_next_step: true, ..AnalyzeOptions::default() };
    let mut found = model(ROD).analyze(&options).unwrap();
    // the search over the domain has tests of its own
    found.critical_friction = mechan::ByName::default();
    let text = mechan::report::render_text(&mechan::report::analysis_document(&found));
    assert_report("report_rod_3d", &text);
}
