//! Statements of one report checked against each other: verdict, modes, cell, what follows, impacts, equilibrium, chatter,
//! the least friction, the next step for a short step, and the text against the data. On all shipped states, and on random
//! ones: random slip, turning, friction, restitution and law at the contacts of four mechanisms.

use super::library::{Derived, texts};
use mechan::pipeline::{AnalyzeOptions, analyze};
use mechan::report::{analysis_document, render_text};
use serde_json::Value;

/// A statement that another one denies.
type Faults = Vec<String>;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What is said about one state.
struct Report<'a> {
    state: &'a Value,
    faults: Faults,
}

impl Report<'_> {
    fn check(&mut self, holds: bool, statement: impl FnOnce() -> String) {
        if !holds {
            self.faults.push(statement());
        }
    }

    fn modes(&self) -> Vec<(&str, &Value)> {
        let word = |mode: &Value| mode["mode"].as_object().and_then(|m| m.values().next().cloned());
        let name = |mode: &Value| match word(mode).as_ref().and_then(Value::as_str) {
            // no contact is closed
            None | Some("free") => "free",
            Some("slip+") => "slip+",
            Some("slip-") => "slip-",
            // in space
            Some("slip") => "slip",
            _ => "stick",
        };
        self.state["modes"].as_array().into_iter().flatten().map(|mode| (name(mode), mode)).collect()
    }

    /// The contact that the prospect is about.
    fn contact(&self) -> Option<(&String, &Value)> {
        let (name, _) = self.state["impact"].as_object()?.iter().next()?;
        Some((name, &self.state["contacts"][name]))
    }

    fn is_bilateral(&self) -> bool {
        self.modes().iter().any(|(_, m)| m["reason"].as_str().is_some_and(|r| r.contains("either sign")))
    }

    fn everything(&mut self) {
        self.contact_numbers();
        let closed = self.state["closed"].as_array().map_or(0, Vec::len);
        if self.state["verdict"].is_null() || self.contact().is_none() || closed > 1 {
            return;
        }
        self.verdict_and_modes();
        self.cell();
        self.what_follows();
        self.impact();
        self.equilibrium();
    }

    /// p in the direction of slip is that of the sign; the least friction is C/|B| and separates paradox from none.
    fn contact_numbers(&mut self) {
        for (name, contact) in self.state["contacts"].as_object().unwrap().clone() {
            if contact["B"].is_array() {
                continue;
            }
            let [B, C, mu, slip] =
                ["B", "C", "friction", "slip"].map(|k| number(contact[k].get(0).unwrap_or(&contact[k])));
            let p = number(&contact["p_slip"]);
            let expected = if slip > 0.0 { C - mu * B } else { C + mu * B };
            self.check(p.is_nan() || (p - expected).abs() <= 1e-12 * (C + mu * B.abs()), || {
                format!("{name}: p_slip {p}")
            });
            let least = number(&contact["mu_min"]);
            let paradox = number(&contact["p_plus"]).min(number(&contact["p_minus"]));
            let agree =
                if least.is_nan() { paradox > 0.0 } else { (mu - least) * paradox <= 1e-9 * least * C };
            self.check(agree, || format!("{name}: mu {mu}, mu_min {least}, p {paradox}"));
        }
    }

    /// One consistent mode, none, or several; marginal ones leave it open.
    fn verdict_and_modes(&mut self) {
        let verdict = self.state["verdict"].as_str().unwrap_or_default().to_string();
        let modes = self.modes();
        let strict = modes.iter().filter(|(_, m)| m["consistent"] == true && m["marginal"] == false).count();
        let marginal = modes.iter().filter(|(_, m)| m["marginal"] == true).count();
        let approaches = words(&self.state["resolved"]) == ["impact"];
        let agree = match verdict.as_str() {
            "consistent" => approaches || strict == 1 || (strict == 0 && marginal > 0),
            "inconsistent" => strict == 0,
            "indeterminate" => strict > 1 || strict + marginal > 1,
            "marginal" => marginal > 0,
            _ => false,
        };
        self.check(agree, || format!("{verdict} with {strict} consistent and {marginal} marginal modes"));
    }

    /// The cell is that of the signs of b, p+, p− and of the slip.
    fn cell(&mut self) {
        let (table, Some((_, contact))) = (self.state["table"].clone(), self.contact()) else { return };
        if table.is_null() {
            return;
        }
        let signs = ["b", "p_plus", "p_minus"].map(|key| number(&contact[key]) > 0.0);
        let row = match signs {
            [true, true, true] => "i",
            [true, true, false] => "ii",
            [true, false, true] => "iii",
            [false, true, true] => "iv",
            [false, true, false] => "v",
            [false, false, true] => "vi",
            _ => "none",
        };
        let slip = number(&contact["slip"][0]);
        let column = match (contact["p_slip"].is_null(), slip > 0.0) {
            (true, _) => "II",
            (false, true) => "I",
            (false, false) => "III",
        };
        self.check(table["row"] == row && table["column"] == column, || {
            format!("cell {table} for {column}({row})")
        });
    }

    /// What follows: the consistent modes that compliance leaves stable, impact where there is one, impact without
    /// collision where it is possible. Modes that hold with an equality may fail in the time that follows; a contact without friction at rest
    /// slips in no direction.
    fn what_follows(&mut self) {
        let Some((name, _)) = self.contact() else { return };
        let (impact, resolved) = (self.state["impact"][name].clone(), words(&self.state["resolved"]));
        let (has, bilateral) = (|word: &str| resolved.contains(&word), self.is_bilateral());
        let (iwc, hit) = (impact["iwc_possible"] == true, !impact["post"].is_null());
        let mut faults = Vec::new();
        if has("iwc") != iwc || iwc != impact["iwc_post"].is_object() {
            faults.push(format!("resolved {resolved:?}, iwc_possible {iwc}"));
        }
        if iwc && impact["law"] == "newton" {
            faults.push("impact without collision with Newton's law".to_string());
        }
        if has("impact") != hit {
            faults.push(format!("resolved {resolved:?}, impact {hit}"));
        }
        for (word, mode) in self.modes() {
            let stays = mode["consistent"] == true && (bilateral || mode["normal_stability"] == "stable");
            let slips = has("slip") && word != "free";
            let may_fail = !has(word) && mode["marginal"] == true;
            if has(word) != stays && !slips && !may_fail {
                faults.push(format!(
                    "resolved {resolved:?}, mode {word}: {} {}",
                    mode["consistent"], mode["normal_stability"]
                ));
            }
        }
        self.faults.extend(faults);
    }

    fn impact(&mut self) {
        let Some((name, contact)) = self.contact() else { return };
        let (impact, b) = (self.state["impact"][name].clone(), number(&contact["b"]));
        let effective = number(&impact["effective_restitution"]);
        if impact["post"].is_object() {
            let (pre, post) = (&impact["pre"], &impact["post"]);
            let ratio = -number(&post["v"]) / number(&pre["v"]);
            self.check((ratio - effective).abs() < 1e-12 * (1.0 + ratio), || {
                format!("ratio {ratio} for {effective}")
            });
            let newton = impact["law"] == "newton";
            self.check(newton || number(&impact["energy_loss"]) > -1e-9, || {
                format!("energy gained: {impact}")
            });
        } else if impact["reverse_chatter"] == true {
            self.check(effective > 1.0 && b < 0.0, || {
                format!("reverse chatter at ratio {effective}, b = {b}")
            });
        } else {
            self.check(effective.is_nan() || effective <= 1.0 + 1e-9, || {
                format!("ratio {effective} without reverse chatter")
            });
        }
        let triggered = impact["reverse_chatter_trigger"] == "possible";
        self.check(!triggered || impact["reverse_chatter"] == true, || {
            "trigger without reverse chatter".to_string()
        });
    }

    /// An equilibrium sticks; it is unambiguous exactly where stick is the only mode; it is Lyapunov stable only if so, and
    /// if chatter dies out.
    fn equilibrium(&mut self) {
        let found = self.state["equilibrium"].clone();
        if found.is_null() {
            return;
        }
        let modes: Vec<(String, bool, bool)> = self
            .modes()
            .iter()
            .map(|(w, m)| (w.to_string(), m["consistent"] == true, m["marginal"] == true))
            .collect();
        let sticks = modes.iter().any(|(word, consistent, _)| word == "stick" && *consistent);
        self.check(sticks, || "an equilibrium that cannot stick".to_string());
        let alone =
            modes.iter().all(|(word, consistent, marginal)| (word == "stick") == *consistent && !marginal);
        self.check((found["unambiguous"] == "holds") == alone, || {
            format!("unambiguous {}: {modes:?}", found["unambiguous"])
        });
        let stable = found["lyapunov_stable"] == "holds";
        self.check(!stable || self.state["verdict"] == "consistent", || "stable but not unique".to_string());
        let name = self.contact().map(|(name, _)| name.clone()).unwrap_or_default();
        let reverse = self.state["impact"][&name]["reverse_chatter"] == true;
        self.check((found["chatter_decays"] == "fails") == reverse, || {
            format!("chatter {}", found["chatter_decays"])
        });
    }
}

fn contradictions(state: &Value) -> Faults {
    let mut report = Report { state, faults: Vec::new() };
    report.everything();
    report.faults
}

/// A word of the data as a reader is told it.
fn told(word: &str) -> String {
    match word.strip_prefix("iwc") {
        Some("") => "impact without collision".to_string(),
        Some(place) => format!("impact without collision at {}", place.trim_matches(['(', ')'])),
        None if word == "free" => "lift-off".to_string(),
        None => word.replace(',', ", "),
    }
}

/// The text says what the data say.
fn text_faults(text: &str, states: &[Value]) -> Faults {
    let sections: Vec<&str> = text.split("\nState ").skip(1).collect();
    assert_eq!(sections.len(), states.len());
    let mut faults = Vec::new();
    for (section, state) in sections.iter().zip(states) {
        let flat = section.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut say = |part: &str| {
            if !flat.contains(part) {
                faults.push(format!("{}: no `{part}` in the text", state["state"]));
            }
        };
        if let Some(verdict) = state["verdict"].as_str() {
            say(&format!("Verdict: {verdict}"));
            let follows = words(&state["resolved"]).into_iter().map(told).collect::<Vec<_>>().join(" or ");
            match follows.as_str() {
                "" => say("impact without collision: nothing"),
                "impact" => say("a contact approaches, an impact takes place."),
                _ => say(&format!("impact without collision: {follows}")),
            }
        }
        if state["equilibrium"].is_object() {
            say(&format!("Lyapunov stable {}", state["equilibrium"]["lyapunov_stable"].as_str().unwrap()));
        }
        words(&state["warnings"]).into_iter().for_each(|warning| say(&format!("warning: {warning}")));
    }
    faults
}

#[test]
fn no_shipped_report_contradicts_itself() {
    let (mut faults, mut states) = (Vec::new(), 0);
    for (name, text) in texts() {
        let derived = Derived::of(&name, &text);
        let analysis = analyze(&derived.loaded, &derived.model, &AnalyzeOptions::default()).unwrap();
        let data = serde_json::to_value(&analysis).unwrap()["states"].as_array().unwrap().clone();
        for state in &data {
            faults
                .extend(contradictions(state).into_iter().map(|f| format!("{name} {}: {f}", state["state"])));
            states += 1;
        }
        faults.extend(text_faults(&render_text(&analysis_document(&analysis)), &data));
    }
    assert!(states > 100, "{states} states");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A fixed sequence of numbers in (-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Mechanisms whose coordinates are those of their contact point, which stays at y = 0.
const AT_THE_TIP: [&str; 3] = ["falling_pencil", "pendulum_on_slider", "frictional_impact_oscillator"];

fn random_state(name: &str, draw: &mut Numbers) -> AnalyzeOptions {
    let rest = draw.next() < -0.4;
    let (slip, turn) = if rest { (0.0, 0.0) } else { (2.0 * draw.next(), 3.0 * draw.next()) };
    let approach = if draw.next() < -0.7 { -draw.next().abs() } else { 0.0 };
    let theta = 1.5 * draw.next();
    let belt = if name == "frictional_impact_oscillator" { -1.0 } else { 0.0 };
    let set = [
        format!("theta={theta:e}"),
        format!("mu={:e}", 1.5 * (1.0 + draw.next())),
        format!("e={:e}", 0.5 * (1.0 + draw.next())),
        format!("dot(x)={:e}", slip + belt),
        format!("dot(theta)={turn:e}"),
        format!("dot(y)={approach:e}"),
        "y=0".to_string(),
    ];
    AnalyzeOptions { set: set.to_vec(), without_next_step: true, ..AnalyzeOptions::default() }
}

#[test]
fn no_random_report_contradicts_itself() {
    let (mut faults, mut seen) = (Vec::new(), std::collections::BTreeMap::<String, usize>::new());
    for (name, text) in texts().into_iter().filter(|(name, _)| AT_THE_TIP.contains(&name.as_str())) {
        for law in ["newton", "poisson", "energetic"] {
            let own = if name == "frictional_impact_oscillator" { "poisson" } else { "energetic" };
            let derived = Derived::of(&name, &text.replace(&format!("law: {own}"), &format!("law: {law}")));
            let mut draw = Numbers(17);
            let first = derived.loaded.mechanism.states[0].name.clone();
            for _ in 0..150 {
                let options =
                    AnalyzeOptions { states: vec![first.clone()], ..random_state(&name, &mut draw) };
                let state = derived.states(&options).remove(0);
                *seen.entry(format!("{} {}", state["verdict"], state["resolved"])).or_default() += 1;
                let found = contradictions(&state).into_iter();
                faults.extend(found.map(|f| format!("{name} {law} {:?}: {f}", options.set)));
            }
        }
    }
    assert!(seen.len() >= 9, "{seen:?}");
    assert!(faults.is_empty(), "{} of {seen:?}\n{}", faults.len(), faults[..faults.len().min(40)].join("\n"));
}

/// A short step is the motion itself where that is unique and has no paradox near it: the same mode, and impulses that are
/// forces times the step. Where the contact's own rows turn (a, b are not W v' of the free motion) a step sees less than the
/// motion, docs/incremental.md.
#[test]
fn short_steps_are_the_motion_where_it_is_unique() {
    let mut compared = 0;
    for (name, text) in texts() {
        let derived = Derived::of(&name, &text);
        let h = 1e-7;
        for state in derived.states(&AnalyzeOptions { step: Some(h), ..AnalyzeOptions::default() }) {
            let report = Report { state: &state, faults: Vec::new() };
            let Some((contact_name, contact)) = report.contact() else { continue };
            let modes = report.modes();
            let only: Vec<_> = modes.iter().filter(|(_, m)| m["consistent"] == true).collect();
            let [(word, mode)] = only[..] else { continue };
            let steady = ["p_plus", "p_minus"].iter().all(|key| number(&contact[*key]) > 0.0);
            if mode["marginal"] == true
                || !steady
                || state["existence"].is_null()
                || state["closed"] == serde_json::json!([])
            {
                continue;
            }
            let along = |row: &Value| -> f64 {
                let free = state["model"]["free_acceleration"].as_array().unwrap();
                row.as_array().unwrap().iter().zip(free).map(|(w, a)| number(w) * number(a)).sum()
            };
            let [a, b] = ["a", "b"].map(|key| number(&contact[key]));
            let turns = (along(&contact["W_N"]) - b).abs().max((along(&contact["W_T"][0]) - a).abs());
            if turns > 1e-9 * (a.abs() + b.abs()) {
                continue;
            }
            let place = format!("{name} {}", state["state"]);
            let [family] = &state["existence"]["solutions"].as_array().unwrap()[..] else {
                panic!("{place}")
            };
            let solution = &family["contacts"][contact_name];
            let status = if *word == "free" { "take-off" } else { *word };
            let (force, impulse) = (&mode["forces"][contact_name], &solution["r"]);
            assert_eq!(solution["status"], status, "{place}");
            let expected = [number(&force["N"]), number(&force["T"][0])];
            let size = expected[0].abs().max(expected[1].abs()).max(b.abs() / number(&contact["C"]));
            for (i, force) in expected.into_iter().enumerate() {
                let found = number(&impulse[i]) / h;
                assert!((found - force).abs() < 1e-4 * size, "{place}: {found} for {force}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared} states");
}
