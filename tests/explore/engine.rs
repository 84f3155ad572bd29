//! Questions and answers.

use mechan::explore::Engine;
use mechan::pipeline::{LIBRARY, load_shipped};
use mechan::{AnalyzeOptions, Derived, Deriver};
use serde_json::{Value, json};

fn derived(name: &str) -> Derived {
    let shipped = LIBRARY.iter().find(|shipped| shipped.name == name).unwrap();
    load_shipped(shipped).unwrap().derive(&Deriver::nobody()).unwrap()
}

fn asked(engine: &mut Engine, question: &Value) -> Value {
    let answer: Value = serde_json::from_str(&engine.ask(&question.to_string())).unwrap();
    assert!(answer.get("ok").is_some(), "{question}: {answer}");
    answer["ok"].clone()
}

fn fault(engine: &mut Engine, question: &str) -> String {
    let answer: Value = serde_json::from_str(&engine.ask(question)).unwrap();
    answer["fault"]["message"].as_str().unwrap_or_else(|| panic!("{question}: {answer}")).to_string()
}

/// What an answer has beside the library's is nothing, and what both have is the same.
fn agree(part: &Value, whole: &Value, path: &str) {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            for (key, value) in part {
                let other = whole.get(key).unwrap_or_else(|| panic!("{path}.{key} is not said"));
                agree(value, other, &format!("{path}.{key}"));
            }
        }
        _ => assert_eq!(part, whole, "{path}"),
    }
}

#[test]
fn states_are_those_of_the_library() {
    for shipped in LIBRARY {
        let derived = derived(shipped.name);
        let options = AnalyzeOptions { without_domain: true, ..AnalyzeOptions::default() };
        let analysis = derived.analyze(&options).unwrap();
        let mut engine = Engine::of(derived);
        for outcome in analysis.outcomes() {
            let at = json!({ "state": outcome.state });
            let whole = serde_json::to_value(outcome).unwrap();
            let full = asked(&mut engine, &json!({ "ask": "state", "at": at, "depth": "full" }));
            assert_eq!(full["state"], whole);
            let quick = asked(&mut engine, &json!({ "ask": "state", "at": at }));
            for part in ["q", "v", "parameters", "contacts", "verdict", "resolved", "closed", "model"] {
                let told = quick["state"].get(part).unwrap_or(&Value::Null);
                agree(told, whole.get(part).unwrap_or(&Value::Null), &format!("{}.{part}", outcome.state));
            }
            assert!(quick["picture"].is_string(), "{}", shipped.name);
        }
    }
}

/// Every body of every mechanism is drawn about, along contacts and away from them.
#[test]
fn drags_keep_contacts_and_pass_through_none() {
    for shipped in LIBRARY {
        let derived = derived(shipped.name);
        let names: Vec<String> = derived.mechanism().states.iter().map(|s| s.name.clone()).collect();
        let mut engine = Engine::of(derived);
        for name in &names {
            let at = json!({ "state": name });
            let before = asked(&mut engine, &json!({ "ask": "state", "at": at }));
            let Some((grip, place)) = taken(&mut engine, &at, &before["window"]) else { continue };
            for (lift, way) in [(false, [25.0, 10.0]), (true, [-10.0, -40.0]), (true, [10.0, 60.0])] {
                let place = [place[0] + way[0], place[1] + way[1]];
                let moved = asked(
                    &mut engine,
                    &json!({ "ask": "drag", "at": at, "window": before["window"], "grip": grip, "place": place, "lift": lift }),
                );
                let label = format!("{}, {name}, {way:?}: {moved}", shipped.name);
                let raw = engine.ask(&json!({ "ask": "state", "at": moved["at"] }).to_string());
                let after: Value = serde_json::from_str(&raw).unwrap();
                assert!(after.get("ok").is_some(), "{label}: {after}");
                if !lift {
                    let own = |state: &Value| state["closed"].as_array().unwrap().clone();
                    let (was, is) = (own(&before["state"]), own(&after["ok"]["state"]));
                    assert!(was.iter().all(|c| is.contains(c)), "{label}: {was:?}, then {is:?}");
                }
            }
        }
    }
}

/// A grip somewhere in the picture, with its place.
fn taken(engine: &mut Engine, at: &Value, window: &Value) -> Option<(Value, [f64; 2])> {
    let size = [0, 1].map(|k| window["size"][k].as_f64().unwrap());
    for k in 0..400 {
        let place = [size[0] * f64::from(k % 20) / 20.0, size[1] * f64::from(k / 20) / 20.0];
        let grip = asked(engine, &json!({ "ask": "grip", "at": at, "window": window, "place": place }));
        if !grip.is_null() {
            return Some((grip, place));
        }
    }
    None
}

#[test]
fn ranges_are_of_the_mechanism_s_own_size() {
    // centimetres, bricks, sqrt(g l), sqrt(g/l), speeds of the states, friction that is zero
    let known = [
        ("woodpecker", "y", 0.05),
        ("woodpecker", "dot(y)", 0.9),
        ("brick_stack", "x_1", 0.3),
        ("double_pendulum_wall", "dot(theta_1)", 7.0),
        ("bouncing_ball", "dot(q)", 4.0),
        ("double_pendulum_wall", "mu", 1.0),
    ];
    for shipped in LIBRARY {
        let about = asked(&mut Engine::of(derived(shipped.name)), &json!({ "ask": "about" }));
        for slider in about["sliders"].as_array().unwrap() {
            let [lo, hi] = [0, 1].map(|k| slider["range"][k].as_f64().unwrap());
            let label = format!("{}: {slider}", shipped.name);
            assert!(lo < hi && (lo..=hi).contains(&0.0) || slider["kind"] == "parameter", "{label}");
            let own = known.iter().find(|one| one.0 == shipped.name && slider["name"] == one.1);
            assert!(own.is_none_or(|one| (hi - one.2).abs() <= f64::EPSILON), "{label}");
        }
    }
}

#[test]
fn what_is_set_by_hand_keeps_contacts_closed() {
    let mut engine = Engine::of(derived("painleve_rod"));
    for (name, value) in [("theta", 0.4), ("dot(theta)", 1.5), ("l", 0.7), ("y", 0.3)] {
        let moved = asked(
            &mut engine,
            &json!({ "ask": "keep", "at": { "state": "slipping" }, "name": name, "value": value }),
        );
        let after = asked(&mut engine, &json!({ "ask": "state", "at": moved["at"] }));
        assert_eq!(after["state"]["closed"], json!(["tip"]), "{name}: {moved}");
        assert_ne!(after["state"]["resolved"], json!(["impact"]), "{name}");
    }
}

#[test]
fn maps_are_those_of_the_library_where_they_look() {
    let mut engine = Engine::of(derived("falling_pencil"));
    let ask = |count: usize| json!({ "ask": "map", "at": { "state": "inconsistent" }, "x": ["theta", 0.0, 1.5], "y": ["mu", 0.0, 3.0], "count": count });
    let map = asked(&mut engine, &ask(40));
    let letters = map["letters"].as_str().unwrap().to_string();
    for (column, row) in [(0, 0), (12, 20), (13, 39), (39, 39), (20, 5)] {
        let set = json!([["theta", 1.5 * f64::from(column) / 39.0], ["mu", 3.0 * f64::from(row) / 39.0]]);
        let here =
            asked(&mut engine, &json!({ "ask": "state", "at": { "state": "inconsistent", "set": set } }));
        let letter = letters.as_bytes()[row as usize * 40 + column as usize] - b'0';
        assert_eq!(map["words"][usize::from(letter)], here["state"]["verdict"], "{column}, {row}");
    }
    // a fine map has on the points of a coarse one what that has
    let fine = asked(&mut engine, &ask(157));
    let fine = fine["letters"].as_str().unwrap().as_bytes();
    let differ =
        (0..40 * 40).filter(|k| fine[4 * (k / 40) * 157 + 4 * (k % 40)] != letters.as_bytes()[*k]).count();
    assert_eq!(differ, 0);
}

#[test]
fn all_futures_are_followed_and_drawn() {
    let mut engine = Engine::of(derived("falling_pencil"));
    let at = json!({ "state": "indeterminate" });
    let motion =
        asked(&mut engine, &json!({ "ask": "motion", "at": at, "t_end": 0.2, "samples": 50, "depth": 2 }));
    assert!(motion["futures"]["nodes"].as_array().unwrap().len() >= 3);
    assert!(motion["tree"].as_str().unwrap().starts_with("<svg"));
    let window = asked(&mut engine, &json!({ "ask": "state", "at": at }))["window"].clone();
    let paths = asked(
        &mut engine,
        &json!({ "ask": "outline", "at": at, "window": window, "rows": [[0.0, [0.0, 0.0, 0.4]], [0.0, []]] }),
    );
    assert!(paths[0].as_str().unwrap().starts_with('M') && paths[1] == "");
}

#[test]
fn texts_are_judged_and_taken_over_where_the_equations_are_the_same() {
    let mut engine = Engine::of(derived("falling_pencil"));
    let text = asked(&mut engine, &json!({ "ask": "about" }))["text"].as_str().unwrap().to_string();
    let judge = |engine: &mut Engine, text: &str| asked(engine, &json!({ "ask": "check", "text": text }));
    let wrong = judge(&mut engine, &text.replace("friction: mu", "friction: nu"));
    assert!(wrong["sound"] == false && wrong["findings"][0]["place"][0][0].as_u64() > Some(30), "{wrong}");
    let other = text.replace("inertia: I", "inertia: 2*I");
    assert_eq!(judge(&mut engine, &other)["same"], false);
    assert!(fault(&mut engine, &json!({ "ask": "adopt", "text": other }).to_string()).contains("anew"));
    let changed = text.replace("mu: 3/2", "mu: 1.25");
    assert_eq!(judge(&mut engine, &changed)["same"], true);
    asked(&mut engine, &json!({ "ask": "adopt", "text": changed }));
    let state = asked(&mut engine, &json!({ "ask": "state", "at": { "state": "inconsistent" } }));
    assert_eq!(state["state"]["parameters"]["mu"], 1.25);
}

#[test]
fn a_state_is_saved_in_the_file_and_is_the_same_there() {
    for (mechanism, state) in
        [("falling_pencil", "inconsistent"), ("painleve_rod", "impact"), ("ladder", "standing")]
    {
        let mut engine = Engine::of(derived(mechanism));
        let at = json!({ "state": state });
        let before = asked(&mut engine, &json!({ "ask": "state", "at": at }));
        let saved = asked(&mut engine, &json!({ "ask": "yaml", "at": at }));
        asked(&mut engine, &json!({ "ask": "adopt", "text": saved["text"] }));
        let after = asked(&mut engine, &json!({ "ask": "state", "at": { "state": saved["state"] } }));
        assert_eq!(after["state"]["verdict"], before["state"]["verdict"]);
        assert_eq!(after["state"]["closed"], before["state"]["closed"]);
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let mut engine = Engine::of(derived("falling_pencil"));
    let window = json!({ "centre": [0.0, 0.0], "unit": 0.0, "size": [1.0, 1.0] });
    let at = json!({ "state": "inconsistent" });
    for question in [
        json!({}),
        json!({ "ask": "nothing" }),
        json!({ "ask": "state", "at": { "state": "nowhere" } }),
        json!({ "ask": "state", "at": { "state": "nowhere", "free": true } }),
        json!({ "ask": "state", "at": { "state": "inconsistent", "set": [["thetta", 1.0]] } }),
        json!({ "ask": "state", "at": { "state": "inconsistent", "set": [["mu", -1.0]] } }),
        json!({ "ask": "state", "at": { "state": "inconsistent", "set": [["mu", null]] } }),
        json!({ "ask": "map", "at": at, "x": ["theta", 0.0, 1.0], "y": ["theta", 0.0, 1.0], "count": 10 }),
        json!({ "ask": "map", "at": at, "x": ["theta", 0.0, 1.0], "y": ["mu", 0.0, 1.0], "count": 1_000_000 }),
        json!({ "ask": "map", "at": at, "x": ["theta", 1.0, 0.0], "y": ["mu", 0.0, 1.0], "count": 10 }),
        json!({ "ask": "motion", "at": at, "t_end": -1.0, "samples": 10, "depth": 1 }),
        json!({ "ask": "motion", "at": at, "t_end": 1.0, "samples": 1_000_000, "depth": 1 }),
        json!({ "ask": "grip", "at": at, "window": window, "place": [0.0, 0.0] }),
        json!({ "ask": "plot", "at": at, "t_end": 0.1, "samples": 10, "plot": "nothing" }),
    ] {
        assert!(!fault(&mut engine, &question.to_string()).is_empty());
    }
    for text in [
        "",
        "{",
        "null",
        "[1]",
        "{\"ask\":\"state\",\"at\":{\"state\":\"inconsistent\",\"set\":[[\"mu\",1e999]]}}",
    ] {
        assert!(!fault(&mut engine, text).is_empty(), "{text}");
    }
}

#[test]
fn broken_files_are_not_opened() {
    let file = derived("falling_pencil").model_file().write().unwrap();
    assert!(Engine::open("model", file.as_bytes()).is_ok());
    for broken in
        ["", "{", "mechan: 1\n", &file[..file.len() / 2], &file.replace("mechan.model/", "mechan.model/9")]
    {
        let failure = Engine::open("model", broken.as_bytes()).unwrap_err();
        assert!(Engine::refusal(&failure).starts_with("{\"fault\":{"), "{failure}");
    }
}

/// Where nothing would be seen, the picture follows, or it is said why there is none.
#[test]
fn a_mechanism_is_found_again_or_said_to_be_too_far_away() {
    let mut engine = Engine::of(derived("falling_pencil"));
    let mut state = |set: &Value, window: &Value| {
        let at = json!({ "state": "falling", "set": set });
        asked(&mut engine, &json!({ "ask": "state", "at": at, "window": window }))
    };
    let first = state(&json!([]), &Value::Null);
    let near = state(&json!([["x", 0.5]]), &first["window"]);
    let centre = |answer: &Value| answer["window"]["centre"][0].as_f64().unwrap();
    assert!((centre(&near) - centre(&first)).abs() < 1e-9, "{near}");
    let gone = state(&json!([["x", 1000.0]]), &first["window"]);
    assert!((centre(&gone) - 1000.0).abs() < 2.0 && gone["undrawn"].is_null(), "{}", gone["window"]);
    for x in [1e300, -1e300, 1e17] {
        let afar = state(&json!([["x", x]]), &first["window"]);
        assert!(afar["picture"].is_null() && afar["window"].is_null());
        assert!(afar["undrawn"].as_str().unwrap().contains("so far away"), "{afar}");
    }
}
