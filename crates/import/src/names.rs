//! Names of the description as identifiers of the format, each once.

use crate::expression::RESERVED;
use std::collections::BTreeSet;

/// Words that YAML takes for something else than text.
const YAML_WORDS: [&str; 3] = ["true", "false", "null"];

/// Identifiers that are taken.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// An identifier for a name, with a number behind it where that is taken.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let wanted = identifier(name);
        let numbered = (2..).map(|k| format!("{wanted}_{k}"));
        let free =
            [wanted.clone()].into_iter().chain(numbered).find(|n| !self.0.contains(n)).unwrap_or(wanted);
        self.0.insert(free.clone());
        free
    }
}

/// A name with letters, digits and `_` alone, a letter first, that means nothing else.
pub(super) fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = name.trim().chars().map(plain).collect();
    let text = text.trim_start_matches('_');
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let text = if begins { text.to_string() } else { format!("n{text}") };
    let special =
        RESERVED.contains(&text.as_str()) || YAML_WORDS.contains(&text.to_ascii_lowercase().as_str());
    if special { text + "_" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_once() {
        let mut names = Names::default();
        let all = ["left foot", "left-foot", "1st", "sin", "true", "_a", "ä"].map(|n| names.unique(n));
        assert_eq!(all, ["left_foot", "left_foot_2", "n1st", "sin_", "true_", "a", "n"]);
    }
}
