//! Certificates that are changed at random: what is still accepted is true at random points.

use crate::models;
use crate::oracle::{Oracle, Random};
use mechan_check::check;
use serde_json::{Value, json};

const MUTATIONS: usize = 10_000;
const POINTS: usize = 200;

const OPERATIONS: [&str; 17] = [
    "add", "sub", "mul", "div", "neg", "sin", "cos", "tan", "sqrt", "exp", "ln", "atan", "abs", "signum",
    "min", "where", "sinh",
];
const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1/2",
    "2",
    "pi",
    "-pi/3",
    "1e-3",
    "100",
    "3*2^-4",
    "1.3",
    "4/3",
    "0.7",
    "1e30",
    "1/0",
    "",
    "-17*pi/36",
];

/// Calls `f` with the places of all values within, the value itself among them.
fn places(value: &Value, path: &mut Vec<String>, all: &mut Vec<String>) {
    all.push(path.iter().map(|key| format!("/{key}")).collect());
    let children: Vec<(String, &Value)> = match value {
        Value::Array(list) => list.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect(),
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), v)).collect(),
        _ => Vec::new(),
    };
    for (key, child) in children {
        path.push(key);
        places(child, path, all);
        path.pop();
    }
}

fn mutate_tree(tree: &str, random: &mut Random) -> String {
    let mut marks: Vec<char> = tree.chars().collect();
    let marks_of_trees = ['0', '1', '2', '.', ':', '-', '=', '?', 'Z', 'x'];
    let at = random.below(marks.len().max(1));
    match random.below(4) {
        0 => marks.insert(at, marks_of_trees[random.below(marks_of_trees.len())]),
        1 if !marks.is_empty() => drop(marks.remove(at)),
        // a leaf becomes two, which keeps a tree
        2 if at < marks.len() && !marks[at].is_ascii_alphanumeric() => {
            let input = marks_of_trees[random.below(2)];
            let mark = marks[at];
            marks.splice(at..=at, [input, mark, mark]);
        }
        _ if at < marks.len() => marks[at] = marks_of_trees[random.below(marks_of_trees.len())],
        _ => {}
    }
    marks.into_iter().collect()
}

fn mutate_text(text: &str, key: &str, random: &mut Random) -> Value {
    match key {
        "tree" => json!(mutate_tree(text, random)),
        "answer" => json!(["proven", "refuted", "undecided", "vacuous"][random.below(4)]),
        _ if OPERATIONS.contains(&text) => json!(OPERATIONS[random.below(OPERATIONS.len())]),
        _ => json!(NUMBERS[random.below(NUMBERS.len())]),
    }
}

/// One change: of a text, an index or a key, or something is deleted or repeated.
fn mutate(certificate: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    places(certificate, &mut Vec::new(), &mut all);
    // the tree is one text of hundreds of characters
    let at = if random.below(5) == 0 { "/tree" } else { &all[random.below(all.len())] };
    let (parent, key) = at.rsplit_once('/').unwrap_or(("", ""));
    let is_deleted = random.below(12) == 0;
    match certificate.pointer_mut(parent) {
        Some(Value::Object(map)) if is_deleted => drop(map.remove(key)),
        Some(Value::Array(list)) if is_deleted => drop(list.remove(key.parse().unwrap())),
        _ => {}
    }
    let Some(value) = certificate.pointer_mut(at).filter(|_| !is_deleted) else { return };
    match value {
        Value::String(text) => *value = mutate_text(&text.clone(), key, random),
        Value::Number(_) => *value = json!(random.below(26)),
        Value::Array(list) if random.below(3) == 0 => {
            if let Some(last) = list.last().cloned() {
                list.push(last);
            }
        }
        Value::Array(list) => list.reverse(),
        Value::Object(map) => {
            let swapped = |key: &String| match key.as_str() {
                "positive" => "nonnegative".to_owned(),
                "nonnegative" => "positive".to_owned(),
                "all" => "any".to_owned(),
                "any" => "all".to_owned(),
                other => other.to_owned(),
            };
            *map = map.iter().map(|(key, value)| (swapped(key), value.clone())).collect();
        }
        Value::Null | Value::Bool(_) => *value = json!(["1", "1.2"]),
    }
}

#[test]
fn what_is_accepted_is_true() {
    let originals = models::all();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut changed) = (0, 0);
    for i in 0..MUTATIONS {
        let mut certificate = originals[i % originals.len()].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut certificate, &mut random);
        }
        changed += usize::from(certificate != originals[i % originals.len()]);
        let mut text = certificate.to_string().into_bytes();
        if random.below(5) == 0 {
            let at = random.below(text.len());
            text[at] = 32 + random.below(96) as u8;
        }
        let text = String::from_utf8(text).unwrap();
        let Ok(checked) = check(&text) else { continue };
        let certificate = serde_json::from_str(&text).unwrap();
        accepted += 1;
        let oracle = Oracle::new(&certificate);
        if checked.leaves.is_some() {
            let contradiction = oracle.contradiction(&mut random, POINTS);
            assert_eq!(contradiction, None, "{certificate}");
        } else {
            assert!(!oracle.is_wrong_witness(&mut random), "{certificate}");
        }
    }
    // neither nothing nor everything is accepted
    assert!(accepted > MUTATIONS / 50 && accepted < MUTATIONS / 2, "{accepted} of {changed}");
}

#[test]
fn the_oracle_contradicts_what_is_false() {
    let mut random = Random(77);
    let mut rod = models::rod("2");
    rod["tree"] = json!(".");
    assert!(Oracle::new(&rod).contradiction(&mut random, POINTS).is_some());
    let mut circle = models::circle();
    circle["tree"] = json!("0-.");
    assert!(Oracle::new(&circle).contradiction(&mut random, POINTS).is_some());
    let mut witness = models::refuted_circle();
    witness["witness"] = json!(["-0.7", ["0.7", "0.75"]]);
    assert!(Oracle::new(&witness).is_wrong_witness(&mut random));
}
