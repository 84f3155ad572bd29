//! A certificate of every answer is accepted, and with every other answer rejected.

use crate::models;
use mechan_check::{Answer, Fault, check};
use serde_json::{Value, json};

fn checked(certificate: &Value) -> mechan_check::Checked {
    check(&certificate.to_string()).unwrap_or_else(|fault| panic!("{fault}\n{certificate}"))
}

fn fault(certificate: &Value) -> Fault {
    check(&certificate.to_string()).unwrap_err()
}

fn with(certificate: &Value, key: &str, value: Value) -> Value {
    let mut changed = certificate.clone();
    changed[key] = value;
    changed
}

#[test]
fn every_answer_is_established_and_no_other() {
    for certificate in models::all() {
        checked(&certificate);
        for answer in ["proven", "refuted", "undecided", "vacuous"] {
            if certificate["answer"] != answer {
                let fault = fault(&with(&certificate, "answer", json!(answer)));
                assert!(matches!(fault, Fault::Answer { .. }), "{fault}");
            }
        }
    }
}

#[test]
fn the_rod_has_no_paradox_below_four_thirds() {
    let rod = models::grown(models::rod("1.3"), 30);
    let found = checked(&rod);
    let leaves = found.leaves.clone().unwrap();
    assert_eq!((found.answer, leaves.open, leaves.excluded), (Answer::Proven, 0, 0));
    let sentence = found.to_string();
    let beginning = "proven: no-paradox(tip) of slender_rod, given mu <= 1.3, with tip closed, for theta in [0, pi/2], mu in [0, 1.3] (boxes: ";
    assert!(sentence.starts_with(beginning), "{sentence}");
    // 1.35 > 4/3: the same boxes do not show it, and no boxes do
    let mut wider = rod.clone();
    wider["inputs"][1]["range"][1] = json!("1.35");
    assert!(matches!(fault(&wider), Fault::Leaf { .. }));
    assert!(models::grown(models::rod("1.35"), 14)["tree"].as_str().unwrap().contains('?'));
}

/// What the claim hangs on and has one value is said, what it does not is not.
#[test]
fn values_that_count_are_named() {
    let inputs = json!([
        {"name": "x", "range": ["1", "2"]},
        {"name": "k", "value": "-1/3"},
        {"name": "c", "value": "7"}
    ]);
    let product = with(&models::rod("1"), "nodes", json!([["mul", 0, 1], ["neg", 3]]));
    let mut product = with(&product, "inputs", inputs);
    for (key, value) in
        [("constants", json!([])), ("assumed", json!({"all": []})), ("claimed", json!({"positive": 4}))]
    {
        product = with(&product, key, value);
    }
    let sentence = check(&with(&product, "tree", json!(".")).to_string()).unwrap().to_string();
    assert!(sentence.contains("for x in [1, 2], at k = -1/3 (boxes"), "{sentence}");
    product["inputs"][1]["value"] = json!(["-1/2", "-1/3"]);
    let sentence = check(&with(&product, "tree", json!(".")).to_string()).unwrap().to_string();
    assert!(sentence.contains("for x in [1, 2], at k in [-1/2, -1/3] (boxes"), "{sentence}");
}

#[test]
fn a_leaf_that_does_not_show_its_mark_is_named() {
    let rod = with(&models::rod("1.3"), "tree", json!("01.?:"));
    assert_eq!(
        fault(&rod).to_string(),
        "leaf 3 of the tree does not show by slopes that the claim holds, theta from 1/2^1 to 2/2^1 of its range"
    );
}

#[test]
fn slopes_show_what_enclosures_do_not() {
    let sine = models::grown(models::sine(), 30);
    assert!(sine["tree"].as_str().unwrap().contains(':'));
    let enclosures = sine["tree"].as_str().unwrap().replace(':', ".");
    assert!(matches!(fault(&with(&sine, "tree", json!(enclosures))), Fault::Leaf { mark: '.', .. }));
}

#[test]
fn the_open_share_is_told_exactly() {
    let rod = models::rod("1.3");
    let undecided = with(&rod, "answer", json!("undecided"));
    let found = checked(&with(&undecided, "tree", json!("01?0?1??0??")));
    let (m, e) = found.leaves.clone().unwrap().open_share();
    assert_eq!((m, e), (1u32.into(), 0));
    assert!(found.to_string().contains("1/2^0 of the volume is open (at most 1.000)"), "{found}");
    let small = models::grown(models::rod("1.5"), 8);
    let found = checked(&with(&small, "answer", json!("undecided")));
    let leaves = found.leaves.unwrap();
    let (m, e) = leaves.open_share();
    assert_eq!(m.to_string(), (leaves.open >> (8 - e)).to_string());
}

#[test]
fn slopes_fail_where_there_is_a_jump_or_a_pole() {
    // signum x, where x 1, and 1/x do not fall along x, yet are not monotone either
    for nodes in
        [json!([["signum", 0]]), json!([["where", 0, 1]]), json!([["div", 1, 0]]), json!([["sqrt", 0]])]
    {
        let mut jump = with(&models::rod("1"), "nodes", nodes);
        jump["inputs"] = json!([{"name": "x", "range": ["-1", "1"]}]);
        jump["constants"] = json!(["1"]);
        jump["claimed"] = json!({"nonnegative": 2});
        for mark in [".", ":", "-", "="] {
            if jump["nodes"][0][0] == "where" && (mark == "." || mark == ":") {
                continue;
            }
            assert!(matches!(fault(&with(&jump, "tree", json!(mark))), Fault::Leaf { .. }), "{jump} {mark}");
        }
    }
}

#[test]
fn jumps_have_no_zeros_between_their_sides() {
    // signum x + 1/2 changes its sign, and is never 0
    let mut jump = with(&models::refuted_rod(), "nodes", json!([["signum", 0], ["add", 2, 1]]));
    jump["inputs"] = json!([{"name": "x", "range": ["-1", "1"]}]);
    jump["constants"] = json!(["1/2"]);
    jump["zero"] = json!([3]);
    jump["claimed"] = json!({"positive": 1});
    jump["witness"] = json!([["-1", "1"]]);
    assert!(matches!(fault(&jump), Fault::Witness { .. }));
    jump["claimed"] = json!({"any": []});
    let why = fault(&jump).to_string();
    assert!(why.contains("defined and continuous"), "{why}");
    jump["nodes"] = json!([["neg", 0], ["add", 2, 1]]);
    assert_eq!(checked(&jump).answer, Answer::Refuted);
}

#[test]
fn a_witness_is_in_its_ranges_and_solves_its_equations() {
    let circle = models::refuted_circle();
    let wrong = [
        json!(["0.7", ["0.7", "0.71"]]),
        json!(["0.7", "0.71"]),
        json!([["0.69", "0.7"], ["0.7", "0.75"]]),
        json!(["0.7"]),
        json!(["0.7", ["0.7", "2.1"]]),
        json!(["0.1", ["0.9", "1"]]),
        json!(["0.6", ["0.8", "0.8"]]),
    ];
    for witness in wrong {
        assert!(matches!(fault(&with(&circle, "witness", witness)), Fault::Witness { .. }));
    }
    // in either order, but not one equation twice
    let line = models::refuted_line();
    checked(&line);
    checked(&with(&line, "zero", json!([7, 9])));
    assert!(matches!(fault(&with(&line, "zero", json!([7, 7]))), Fault::Witness { .. }));
    // all over the faces, not at a corner
    let long = json!([["-1.2", "-0.94"], ["-0.325", "-0.305"]]);
    assert!(matches!(fault(&with(&line, "witness", long)), Fault::Witness { .. }));
    // the gaps themselves change both along both inputs
    assert!(matches!(fault(&with(&models::refuted_plank(), "zero", json!([4, 5]))), Fault::Witness { .. }));
}

#[test]
fn ends_of_ranges_that_are_multiples_of_pi_are_compared() {
    let mut rod = models::refuted_rod();
    for (theta, is_inside) in
        [("pi/3", true), ("1.5707963267948966", true), ("1.5707963267948967", false), ("2*pi/3", false)]
    {
        rod["witness"] = json!([theta, "2"]);
        rod["claimed"] = json!({"any": []});
        assert_eq!(check(&rod.to_string()).is_ok(), is_inside, "{theta}");
    }
}

#[test]
fn the_example_of_the_format_is_what_it_says() {
    let page = include_str!("../../FORMAT.md");
    let (_, example) = page.split_once("```json\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let sentence = check(example).unwrap().to_string();
    assert!(page.contains(&sentence), "{sentence}");
}

#[test]
fn the_command_of_the_readme_says_so() {
    let sentence = checked(&models::grown(models::rod("1.3"), 30)).to_string();
    assert!(include_str!("../../README.md").contains(&sentence), "{sentence}");
}

#[test]
fn what_no_point_satisfies_is_asked_of_each_box() {
    // −(−x) > 0 is false in the lower half alone
    let mut half = with(&models::rod("1"), "nodes", json!([["neg", 0], ["neg", 2]]));
    half["inputs"] = json!([{"name": "x", "range": ["-1", "1"]}]);
    half["constants"] = json!(["1"]);
    half["assumed"] = json!({"positive": 3});
    half["claimed"] = json!({"nonnegative": 0});
    let is_shown = |tree: &str| check(&with(&half, "tree", json!(tree)).to_string()).is_ok();
    assert!(is_shown("0-.") && is_shown("0=:") && is_shown("00-0--."));
    assert!(!is_shown("0--") && !is_shown("0.-") && !is_shown("0-0.-"));
}

#[test]
fn equations_without_solutions_are_seen_by_slopes() {
    // θ + 1/1000 − sin θ is not 0, the steps above 1/1000 of which no enclosure shows
    let mut sine = models::sine();
    sine["constants"] = json!(["1/1000"]);
    sine["nodes"] = json!([["sin", 0], ["sub", 0, 3], ["add", 2, 4]]);
    sine["zero"] = json!([5]);
    sine["claimed"] = json!({"positive": 1});
    sine["answer"] = json!("vacuous");
    assert!(matches!(fault(&with(&sine, "tree", json!("-"))), Fault::Leaf { mark: '-', .. }));
    checked(&with(&sine, "tree", json!("=")));
    // nor are the values below 0
    sine["nodes"] = json!([["sin", 0], ["sub", 3, 0], ["sub", 4, 2]]);
    checked(&with(&sine, "tree", json!("=")));
}

#[test]
fn zero_is_nonnegative_and_not_positive() {
    let mut ends = models::rod("1");
    ends["inputs"] = json!([{"name": "x", "range": ["0", "1"]}]);
    ends["constants"] = json!(["1", "3"]);
    ends["nodes"] = json!([["neg", 0]]);
    ends["claimed"] = json!({"any": []});
    for (key, sign, value, is_shown) in [
        ("claimed", "nonnegative", 0, true),
        ("claimed", "positive", 0, false),
        ("assumed", "positive", 3, true),
        ("assumed", "nonnegative", 3, false),
    ] {
        let mut ends = with(&ends, key, json!({ sign: value }));
        for mark in if key == "claimed" { [".", ":"] } else { ["-", "="] } {
            ends["answer"] = json!(if key == "claimed" { "proven" } else { "vacuous" });
            ends["tree"] = json!(mark);
            assert_eq!(check(&ends.to_string()).is_ok(), is_shown, "{key} {sign} {mark}");
        }
    }
}

#[test]
fn bends_are_not_passed_over() {
    // min(x, 1/2) − x/2 is 0 at both ends, and 1/4 between them
    let mut bend = models::rod("1");
    bend["inputs"] = json!([{"name": "x", "range": ["0", "1"]}]);
    bend["constants"] = json!(["1/2", "1/8"]);
    bend["claimed"] = json!({"any": []});
    bend["nodes"] = json!([["min", 0, 1], ["mul", 0, 1], ["sub", 3, 4], ["sub", 5, 2], ["sub", 2, 5]]);
    for (key, mark) in [("assumed", "="), ("claimed", ":")] {
        let value = if key == "assumed" { 6 } else { 7 };
        let bend = with(&with(&bend, key, json!({ "positive": value })), "tree", json!(mark));
        assert!(matches!(fault(&bend), Fault::Leaf { .. }), "{key}");
    }
}

#[test]
fn a_product_of_a_value_by_itself_is_a_square() {
    let mut square = models::rod("1");
    square["inputs"] = json!([{"name": "x", "range": ["-1", "1"]}, {"name": "y", "range": ["-1", "1"]}]);
    square["nodes"] = json!([["mul", 0, 0], ["mul", 0, 1]]);
    square["tree"] = json!(".");
    assert!(check(&with(&square, "claimed", json!({"nonnegative": 4})).to_string()).is_ok());
    assert!(check(&with(&square, "claimed", json!({"nonnegative": 5})).to_string()).is_err());
}

#[test]
fn a_check_stops_before_the_next_box() {
    let rod = models::grown(models::rod("1.3"), 30).to_string();
    let boxes = check(&rod).unwrap().leaves.unwrap().claimed as usize;
    let asked = std::cell::Cell::new(0);
    let checked_up_to = |most: usize| {
        asked.set(0);
        mechan_check::check_while(&rod, &|| asked.replace(asked.get() + 1) < most)
    };
    let characters = 2 * boxes - 1;
    assert_eq!(checked_up_to(characters).unwrap().answer, Answer::Proven);
    assert_eq!(asked.get(), characters);
    assert_eq!(checked_up_to(characters - 1), Err(Fault::Stopped));
    assert_eq!(checked_up_to(0), Err(Fault::Stopped));
}
