//! The list of codes, its page in the documentation and the code that emits them agree.

use mechan::diag::CODES;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/diagnostics.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The codes that the code outside tests and outside the list itself names, as `"M012"`.
fn emitted() -> BTreeSet<String> {
    let mut files = Vec::new();
    ["src", "crates"].iter().for_each(|folder| rust_files(&root().join(folder), &mut files));
    files.retain(|f| !f.ends_with("diag/codes.rs") && !f.ends_with("tests.rs"));
    let text: String = files
        .iter()
        .map(|f| std::fs::read_to_string(f).unwrap())
        .map(|t| t.split("#[cfg(test)]").next().unwrap_or_default().to_owned())
        .collect();
    text.split("\"M")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|c| is_number(c))
        .map(|c| format!("M{c}"))
        .collect()
}

fn is_number(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|b| b.is_ascii_digit())
}

/// The items of the page: code and meaning.
fn documented() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root().join(PAGE)).unwrap();
    page.lines()
        .filter_map(|l| l.strip_prefix("- `M"))
        .map(|l| {
            let (code, meaning) = l.split_once("`: ").unwrap_or_else(|| panic!("{l}"));
            (format!("M{code}"), meaning.to_owned())
        })
        .collect()
}

#[test]
fn the_page_of_diagnostics_lists_the_codes_in_order() {
    let listed: Vec<(String, String)> =
        CODES.iter().map(|(c, m)| ((*c).to_owned(), (*m).to_owned())).collect();
    let expected: String = listed.iter().map(|(c, m)| format!("- `{c}`: {m}\n")).collect();
    assert_eq!(documented(), listed, "the lists of {PAGE} must hold these lines:\n{expected}");
}

#[test]
fn codes_are_ascending_and_each_has_a_meaning() {
    assert!(CODES.windows(2).all(|w| w[0].0 < w[1].0));
    let meanings: BTreeSet<&str> = CODES.iter().map(|(_, m)| *m).collect();
    assert_eq!(meanings.len(), CODES.len());
}

#[test]
fn every_code_is_emitted_and_every_emitted_code_is_listed() {
    let listed: BTreeSet<String> = CODES.iter().map(|(c, _)| (*c).to_owned()).collect();
    assert_eq!(emitted(), listed);
}
