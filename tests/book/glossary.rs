//! The types that the glossary names are there, under that name and no other.

use super::pages::Page;
use std::collections::BTreeSet;
use std::path::Path;

/// Words in code whose first letter is a capital, of the columns of types.
fn types(text: &str) -> BTreeSet<&str> {
    let rows = text.lines().filter(|line| line.starts_with('|'));
    rows.filter_map(|line| line.split('|').nth(3))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

fn defined(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            defined(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            let names = words.windows(2).filter(|pair| matches!(pair[0], "struct" | "enum" | "trait"));
            found.extend(names.map(|pair| pair[1].to_string()));
        }
    }
}

#[test]
fn types_of_the_glossary_exist() {
    let page = Page::of("docs/glossary.md");
    let named = types(&page.text);
    assert!(named.len() > 40, "{named:?}");
    let mut there = BTreeSet::new();
    ["src", "crates"].iter().for_each(|folder| defined(Path::new(folder), &mut there));
    let missing: Vec<_> = named.iter().filter(|name| !there.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
