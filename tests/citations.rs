//! Every paper that the code cites is in docs/references.md, and every entry there is cited.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]

use std::collections::BTreeSet;
use std::path::Path;

const PAGE: &str = "docs/references.md";

/// Letters, then two digits, in brackets: `[CV16 (13)]`, `\[AC11\]`; `[UCD]` is the one key without a year.
fn keys(text: &str) -> BTreeSet<String> {
    let starts = text.match_indices('[').map(|(at, _)| &text[at + 1..]);
    let keys = starts.map(|rest| rest.chars().take_while(|c| c.is_ascii_alphanumeric()).collect::<String>());
    keys.filter(|key| is_key(key)).collect()
}

fn is_key(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let year = &word[letters.len()..];
    word == "UCD"
        || (year.len() == 2
            && (1..=5).contains(&letters.len())
            && letters.chars().all(|c| c.is_ascii_uppercase()))
}

fn cited(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            cited(&path, found);
        } else if path != Path::new(PAGE) && path.extension().is_some_and(|e| e == "rs" || e == "md") {
            found.append(&mut keys(&std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn citations_and_references_agree() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let references: String =
        page.lines().filter(|l| l.starts_with("- [")).map(|l| format!("{l}\n")).collect();
    let defined = keys(&references);
    let mut used = BTreeSet::new();
    for folder in ["src", "crates", "tests", "docs"] {
        cited(Path::new(folder), &mut used);
    }
    let undefined: Vec<_> = used.difference(&defined).collect();
    let unused: Vec<_> = defined.difference(&used).collect();
    assert!(undefined.is_empty(), "cited but not in {PAGE}: {undefined:?}");
    assert!(unused.is_empty(), "in {PAGE} but not cited: {unused:?}");
}

#[test]
fn keys_are_recognised() {
    let expected: BTreeSet<String> = ["CV16", "AC11", "UCD"].map(String::from).into();
    assert_eq!(keys("[CV16 (13)] \\[AC11\\] [UCD] x[10] [0, 1] [Model]"), expected);
}
