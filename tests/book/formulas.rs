//! Formulas are LaTeX, and written so that GitHub and mdBook, which reads Markdown first, both leave them alone.

use crate::pages::{Page, all};
use pulldown_latex::{Parser, Storage};

/// The formulas of a page: between `$$`, or between `$` on one line.
fn formulas(page: &Page) -> Vec<String> {
    let mut found = Vec::new();
    let text = page.prose().join("\n");
    for (k, piece) in text.split("$$").enumerate() {
        if k % 2 == 1 {
            found.push(piece.to_owned());
            continue;
        }
        for line in piece.lines() {
            let outside: String = line.split('`').step_by(2).collect();
            let parts: Vec<&str> = outside.split('$').collect();
            assert!(parts.len() % 2 == 1, "{}: a formula does not end: {line}", page.name());
            found.extend(parts.iter().skip(1).step_by(2).map(|part| (*part).to_owned()));
        }
    }
    found
}

fn fault(formula: &str) -> Option<&'static str> {
    let bytes = formula.as_bytes();
    for (k, byte) in bytes.iter().enumerate() {
        let next = bytes.get(k + 1).copied().unwrap_or(b' ');
        let before = if k == 0 { b' ' } else { bytes[k - 1] };
        match byte {
            b'\\' if next.is_ascii_punctuation() => {
                return Some("a backslash before punctuation is an escape");
            }
            b'_' if !before.is_ascii_alphanumeric() => return Some("an underscore here may begin emphasis"),
            b'*' if before != b'^' => return Some("an asterisk may begin emphasis"),
            b'<' | b'|' => return Some("use \\lt, \\lvert"),
            _ => {}
        }
    }
    let storage = Storage::new();
    Parser::new(formula, &storage).any(|event| event.is_err()).then_some("this is not LaTeX")
}

#[test]
fn formulas_survive_markdown() {
    let mut count = 0;
    for page in all() {
        for formula in formulas(&page) {
            count += 1;
            assert!(fault(&formula).is_none(), "{}: {formula}: {:?}", page.name(), fault(&formula));
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn formulas_that_markdown_would_change_are_seen() {
    for formula in [r"a \{ b", r"\dot{q}_N", "a*b*c", "a < b", "{a", r"\unknown"] {
        assert!(fault(formula).is_some(), "{formula}");
    }
    assert!(fault(r"\lambda_N = -b/p_+ \lt K^*").is_none());
}
