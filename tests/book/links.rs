//! Every link within the repository leads somewhere, and every page is in the summary.

use crate::pages::{Page, all, book};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// `a/b/../c` as `a/c`.
fn plain(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(parts.pop(), "{} leaves the repository", path.display()),
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts
}

/// Targets of `[..](target)`, `![..](target)` and `src="target"`, with code left out.
fn targets(page: &Page) -> Vec<String> {
    let text: String = page.prose().iter().map(|line| without_code(line) + "\n").collect();
    let after = |mark: &'static str, end: char| {
        let rests: Vec<String> = text.split(mark).skip(1).map(str::to_owned).collect();
        rests.into_iter().filter_map(move |rest| rest.split(end).next().map(str::to_owned))
    };
    after("](", ')').chain(after("src=\"", '"')).chain(after("href=\"", '"')).collect()
}

fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The anchor that GitHub and mdBook give a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(page: &Page) -> BTreeSet<String> {
    let headings = page.prose().into_iter().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn fault(page: &Page, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let own = page.path.clone();
    let path = if file.is_empty() { own } else { plain(&page.path.parent().unwrap().join(file)) };
    if !path.exists() {
        return Some(format!("{}: {target} does not exist", page.name()));
    }
    if page.path.starts_with("docs") && !path.starts_with("docs") {
        return Some(format!("{}: {target} is not part of the book", page.name()));
    }
    let missing = !heading.is_empty() && !anchors(&Page::of(&path.to_string_lossy())).contains(heading);
    missing.then(|| format!("{}: {target} has no such heading", page.name()))
}

#[test]
fn no_link_is_dead() {
    let pages = all();
    let links: Vec<(&Page, String)> =
        pages.iter().flat_map(|page| targets(page).into_iter().map(move |t| (page, t))).collect();
    assert!(links.len() > 100, "{}", links.len());
    let faults: Vec<String> = links.iter().filter_map(|(page, target)| fault(page, target)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn links_that_lead_nowhere_are_seen() {
    let page = Page::of("docs/README.md");
    assert!(fault(&page, "no_such_page.md").is_some());
    assert!(fault(&page, "tutorial.md#no-such-heading").is_some());
    assert!(fault(&page, "../Cargo.toml").is_some());
    assert!(fault(&page, "tutorial.md#1-write-it-down").is_none());
}

#[test]
fn every_page_is_in_the_summary_and_once() {
    let summary = Page::of("docs/SUMMARY.md");
    let listed: Vec<PathBuf> = targets(&summary).iter().map(|t| Path::new("docs").join(t)).collect();
    let set: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(set.len(), listed.len(), "a page is listed twice");
    let pages = book();
    let present: BTreeSet<&PathBuf> = pages.iter().map(|p| &p.path).filter(|p| **p != summary.path).collect();
    assert_eq!(set, present);
}

/// Names of files that a page mentions as code, `docs/maps.md` or `tests/book/main.rs`, exist.
#[test]
fn files_that_are_named_exist() {
    for page in all() {
        let text = page.prose().join("\n");
        for word in text.split('`').skip(1).step_by(2) {
            let named = [
                "docs/",
                "tests/",
                "src/",
                "crates/",
                "benches/",
                "conformance/",
                "examples/",
                "snapshots/",
                "mechanisms/",
                "scenes/",
                "theorems/",
            ];
            let plain = word.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
            if plain && named.iter().any(|folder| word.starts_with(folder)) {
                assert!(Path::new(word).exists(), "{}: {word} does not exist", page.name());
            }
        }
    }
}
