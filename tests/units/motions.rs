//! Every shipped planar mechanism turned, shifted and mirrored: positions, normals, forces and gravity are rewritten, the
//! equations derived anew, and the reports compared.

use super::library::{Derived, texts};
use mechan::num::Tol;
use mechan::pipeline::AnalyzeOptions;
use serde_json::{Value, json};

/// Relative to the number or to one: the shipped planar mechanisms are of order one to a thousand.
const TOLERANCE: f64 = 1e-8;

/// What is done to the plane.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Motion {
    /// A turn about the origin, then a shift.
    Displaced,
    /// x to −x.
    Mirrored,
}

impl Motion {
    /// The image of a vector, or of a point.
    fn vector(self, value: &mut Value, is_point: bool) {
        let [x, y] = [0, 1].map(|i| text(&value[i]));
        let (dx, dy) = if is_point { (" + 13/7", " - 5/3") } else { ("", "") };
        *value = match self {
            Self::Displaced => json!([
                format!("cos(7/10)*({x}) - sin(7/10)*({y}){dx}"),
                format!("sin(7/10)*({x}) + cos(7/10)*({y}){dy}"),
            ]),
            Self::Mirrored => json!([format!("-({x})"), y]),
        };
    }

    fn angle(self, value: &mut Value) {
        let angle = text(value);
        *value = match self {
            Self::Displaced => json!(format!("{angle} + 7/10")),
            Self::Mirrored => json!(format!("-({angle})")),
        };
    }

    fn apply(self, mechanism: &mut Value) {
        let at = |value: &mut Value, key: &str, is_point: bool| {
            if let Some(inner) = value.get_mut(key) {
                self.vector(inner, is_point);
            }
        };
        // shifts are bare numbers, which do not go with units
        for parameter in entries(mechanism, "parameters") {
            parameter.as_object_mut().map(|parameter| parameter.remove("unit"));
        }
        for coordinate in mechanism.get_mut("coordinates").and_then(Value::as_array_mut).into_iter().flatten()
        {
            coordinate.as_object_mut().map(|coordinate| coordinate.remove("unit"));
        }
        at(mechanism, "gravity", false);
        for body in entries(mechanism, "bodies") {
            at(body, "position", true);
            if self == Self::Displaced || body.get("rotation").is_some() {
                body.as_object_mut().unwrap().entry("rotation").or_insert(json!(0));
                self.angle(&mut body["rotation"]);
            }
        }
        for contact in entries(mechanism, "contacts") {
            at(contact, "point", true);
            if let Some(disc) = contact.get_mut("disc") {
                at(disc, "centre", true);
            }
            if let Some(surface) = contact.get_mut("surface") {
                at(surface, "point", true);
                at(surface, "normal", false);
                at(surface, "velocity", false);
            }
        }
        for force in mechanism.get_mut("forces").and_then(Value::as_array_mut).into_iter().flatten() {
            at(force, "point", true);
            at(force, "force", false);
            if let (Some(torque), Self::Mirrored) = (force.get_mut("torque"), self) {
                self.angle(torque);
            }
        }
    }
}

fn entries<'v>(value: &'v mut Value, key: &str) -> Vec<&'v mut Value> {
    value.get_mut(key).and_then(Value::as_object_mut).into_iter().flatten().map(|(_, entry)| entry).collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// The report of the mirror image in the words of the original: slips change sign, and what belongs to them its place.
fn mirrored(state: &mut Value) {
    let negate = |value: &mut Value| {
        let negative = |x: &mut Value| *x = json!(-x.as_f64().unwrap());
        match value {
            Value::Array(list) => {
                list.iter_mut().flat_map(|x| x.as_array_mut().into_iter().flatten()).for_each(negative)
            }
            x => negative(x),
        }
    };
    for contact in entries(state, "contacts") {
        contact["slip"] = json!([-contact["slip"][0].as_f64().unwrap()]);
        ["B", "a", "W_T"].iter().for_each(|key| negate(&mut contact[*key]));
        for pair in [["p_plus", "p_minus"], ["k_plus", "k_minus"]] {
            let [first, second] = pair.map(|key| contact[key].clone());
            (contact[pair[0]], contact[pair[1]]) = (second, first);
        }
    }
}

/// The words that must be the same whatever the axes, with slips as the mirror shows them.
fn words(state: &Value, motion: Motion) -> Vec<String> {
    let swapped = |word: &str| match (motion, word.strip_prefix("slip+"), word.strip_prefix("slip-")) {
        (Motion::Mirrored, Some(rest), _) => format!("slip-{rest}"),
        (Motion::Mirrored, _, Some(rest)) => format!("slip+{rest}"),
        _ => word.to_string(),
    };
    // those of several contacts are joined by commas
    let swap = |words: &str| words.split(',').map(swapped).collect::<Vec<_>>().join(",");
    let list = |key: &str| state[key].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut resolved: Vec<String> = list("resolved").map(swap).collect();
    resolved.sort();
    let modes = state["modes"].as_array().into_iter().flatten().map(|mode| {
        let word =
            mode["mode"].as_object().unwrap().values().map(|w| swap(w.as_str().unwrap())).collect::<Vec<_>>();
        format!("{word:?} {} {} {}", mode["consistent"], mode["marginal"], mode["normal_stability"])
    });
    let mut modes: Vec<String> = modes.collect();
    modes.sort();
    let closed = list("closed").map(String::from);
    [
        vec![state["verdict"].to_string(), state["equilibrium"].is_null().to_string()],
        resolved,
        modes,
        closed.collect(),
    ]
    .concat()
}

/// The numbers of the model and of the contacts; the potential energy has another zero.
fn numbers(state: &Value) -> Vec<(String, f64)> {
    fn collect(path: &str, value: &Value, found: &mut Vec<(String, f64)>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(k, v)| collect(&format!("{path}.{k}"), v, found)),
            Value::Array(list) => {
                list.iter().enumerate().for_each(|(i, v)| collect(&format!("{path}.{i}"), v, found))
            }
            x => found.extend(x.as_f64().map(|x| (path.to_string(), x))),
        }
    }
    let mut found = Vec::new();
    ["model", "contacts"].iter().for_each(|key| collect(key, &state[*key], &mut found));
    found.retain(|(path, _)| path != "model.potential_energy");
    found
}

fn compare(name: &str, mechanism: &Value, motion: Motion) -> usize {
    let tolerances = Tol { look_ahead: 1.0, look_ahead_spans: 4, ..Tol::default() };
    let options = AnalyzeOptions { without_next_step: true, tolerances, ..AnalyzeOptions::default() };
    let here = Derived::of(name, &mechanism.to_string()).states(&options);
    let mut image = mechanism.clone();
    motion.apply(&mut image);
    let there = Derived::of(name, &image.to_string()).states(&options);
    for (base, mut found) in here.iter().zip(there) {
        let place = format!("{name} {motion:?} {}", base["state"]);
        assert_eq!(words(base, Motion::Displaced), words(&found, motion), "{place}");
        if motion == Motion::Mirrored {
            mirrored(&mut found);
        }
        let (expected, found) = (numbers(base), numbers(&found));
        assert_eq!(expected.len(), found.len(), "{place}");
        for ((path, x), (_, y)) in expected.iter().zip(&found) {
            assert!((x - y).abs() <= TOLERANCE * x.abs().max(1.0), "{place} {path}: {y} for {x}");
        }
    }
    here.len()
}

/// The planar mechanisms as data.
fn planar() -> Vec<(String, Value)> {
    let read = |(name, text): (String, String)| {
        let options = serde_saphyr::options! { strict_booleans: true };
        (name, serde_saphyr::from_str_with_options::<Value>(&text, options).unwrap())
    };
    texts().into_iter().map(read).filter(|(_, m)| m["space"] == "plane").collect()
}

#[test]
fn turned_and_shifted_mechanisms_say_the_same() {
    let states: usize = planar().iter().map(|(name, m)| compare(name, m, Motion::Displaced)).sum();
    assert!(states > 80, "{states} states");
}

/// A contact given by gap and slip has no axes to mirror.
#[test]
fn mirrored_mechanisms_say_the_same_of_the_other_slip() {
    let given = |m: &Value| m["contacts"].as_object().unwrap().values().any(|c| c.get("gap").is_some());
    let mechanisms = planar().into_iter().filter(|(_, m)| !given(m));
    let states: usize = mechanisms.map(|(name, m)| compare(&name, &m, Motion::Mirrored)).sum();
    assert!(states > 70, "{states} states");
}
