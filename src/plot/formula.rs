//! Words with subscripts and superscripts: `_` and `^` raise and lower the next letter, or what stands in braces after them.

use super::style::text_width;
use crate::report::symbol;

/// Where words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Line,
    Sub,
    Super,
}

impl Script {
    /// Size of raised and lowered letters over that of the line.
    pub(super) const SHARE: f64 = 0.72;
}

/// Words that stand at one height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'w> {
    pub(super) script: Script,
    pub(super) words: &'w str,
}

/// The pieces of a formula.
pub(super) fn pieces(formula: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = formula;
    while let Some(at) = rest.find(['_', '^']) {
        let script = if rest[at..].starts_with('_') { Script::Sub } else { Script::Super };
        push(&mut found, Script::Line, &rest[..at]);
        let after = &rest[at + 1..];
        let (words, left) = match after.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some(parts) => parts,
            None => after.split_at(after.chars().next().map_or(0, char::len_utf8)),
        };
        push(&mut found, script, words);
        rest = left;
    }
    push(&mut found, Script::Line, rest);
    found
}

fn push<'w>(found: &mut Vec<Piece<'w>>, script: Script, words: &'w str) {
    if !words.is_empty() {
        found.push(Piece { script, words });
    }
}

/// The width of a formula.
pub(super) fn formula_width(formula: &str, size: f64) -> f64 {
    let width = |piece: &Piece| match piece.script {
        Script::Line => text_width(piece.words, size),
        Script::Sub | Script::Super => text_width(piece.words, Script::SHARE * size),
    };
    pieces(formula).iter().map(width).sum()
}

/// Marks of names, and letters that stand for them in a formula.
const KEPT: [(&str, &str); 2] = [("_", "\u{e000}"), ("^", "\u{e001}")];

/// A name as part of a formula: its marks lower and raise nothing.
pub(super) fn plain(name: &str) -> String {
    KEPT.iter().fold(name.to_owned(), |name, (mark, letter)| name.replace(mark, letter))
}

/// A quantity of a mechanism as a formula: letters of mechanics as letters, rates as derivatives, other names as they are.
pub(super) fn quantity(name: &str) -> String {
    let set = |name: &str| match symbol(name) {
        Some((letter, "")) => letter.to_owned(),
        Some((letter, below)) => format!("{letter}_{{{below}}}"),
        None => plain(name),
    };
    match name.strip_prefix("dot(").and_then(|rest| rest.strip_suffix(')')) {
        Some(rate) => format!("d{}/dt", set(rate)),
        None => set(name),
    }
}

/// The words of a piece as they are to be seen.
pub(super) fn seen(words: &str) -> String {
    KEPT.iter().fold(words.to_owned(), |words, (mark, letter)| words.replace(letter, mark))
}

#[cfg(test)]
mod tests {
    use super::{Piece, Script, formula_width, pieces, plain, quantity, seen};

    #[test]
    fn marks_lower_and_raise_one_letter_or_braces() {
        let found: Vec<(Script, &str)> =
            pieces("λ_N = v^{−}_max").into_iter().map(|Piece { script, words }| (script, words)).collect();
        let expected = [
            (Script::Line, "λ"),
            (Script::Sub, "N"),
            (Script::Line, " = v"),
            (Script::Super, "−"),
            (Script::Sub, "m"),
            (Script::Line, "ax"),
        ];
        assert_eq!(found, expected);
        assert_eq!(pieces("a_"), [Piece { script: Script::Line, words: "a" }]);
        assert_eq!(pieces(&plain("tip_left")).len(), 1);
        assert_eq!(seen(&plain("tip_left^")), "tip_left^");
        for (name, formula) in
            [("mu", "μ"), ("dot(phi_M)", "dφ_{M}/dt"), ("x", "x"), ("tip.N", "tip.N"), ("mu1", "mu1")]
        {
            assert_eq!(quantity(name), formula);
        }
        assert!(formula_width("λ_N", 10.0) < formula_width("λN", 10.0));
    }
}
