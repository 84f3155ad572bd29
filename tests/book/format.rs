//! The two pages of the format have every key of the schema, and their examples are right.

use crate::pages::{Page, all};
use crate::run::{mechan, mechan_on};
use serde_json::Value;
use std::collections::BTreeSet;

const PAGES: [&str; 2] = ["docs/contacts.md", "docs/format.md"];

fn reference() -> [Page; 2] {
    PAGES.map(Page::of)
}

/// Keys of `properties`, however deep.
fn keys(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                found.extend(properties.keys().cloned());
            }
            map.values().for_each(|value| keys(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Words of a text that are followed by a colon, or stand as code.
fn words(text: &str) -> BTreeSet<&str> {
    let code = text.split('`').skip(1).step_by(2);
    let keyed = text.match_indices(':').map(|(at, _)| &text[..at]);
    let last = |s: &'_ str| s.len() - s.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    code.chain(keyed.map(|before| &before[before.len() - last(before)..])).collect()
}

#[test]
fn every_key_of_the_schema_has_an_example() {
    let mut schema = BTreeSet::new();
    keys(&mechan(&["schema"]).ends(0).json(), &mut schema);
    assert!(schema.len() > 60, "{schema:?}");
    let pages = reference();
    let examples: String = pages.iter().flat_map(Page::mechanisms).map(|(_, text)| text).collect();
    let text = pages.map(|page| page.text).join("\n");
    let (shown, told) = (words(&examples), words(&text));
    let without: Vec<&String> = schema.iter().filter(|key| !shown.contains(key.as_str())).collect();
    assert!(without.is_empty(), "without an example: {without:?}");
    let untold: Vec<&String> = schema.iter().filter(|key| !told.contains(key.as_str())).collect();
    assert!(untold.is_empty(), "not in {PAGES:?}: {untold:?}");
}

/// States are evaluated, too.
#[test]
fn examples_of_the_format_are_valid() {
    let mechanisms: Vec<_> = reference().iter().flat_map(Page::mechanisms).collect();
    assert!(mechanisms.len() >= 10, "{}", mechanisms.len());
    for (name, text) in &mechanisms {
        let run = mechan_on(&["check", "-"], text.as_bytes()).ends(0);
        assert!(run.err.is_empty(), "{name}: {}", run.err);
    }
}

/// Whole mechanisms elsewhere are valid files, too.
#[test]
fn mechanisms_of_other_pages_are_read() {
    let others = all().into_iter().filter(|page| !PAGES.contains(&page.name().as_str()));
    let elsewhere: Vec<_> = others.flat_map(|page| page.mechanisms()).collect();
    assert!(!elsewhere.is_empty());
    for (_, text) in elsewhere {
        mechan_on(&["check", "-", "--no-derive"], text.as_bytes()).ends(0);
    }
}
