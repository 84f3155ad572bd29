//! Expressions of a row of a trajectory: `--stop theta - pi/2`, `--stop tip.N - 0.1`, and when a contact is active.

use crate::diag::{Diagnostic, nearest};
use crate::expression::{Allow, Env, Expr, Names, Place, Scope, parse};
use crate::format::Mechanism;

/// An expression of t, coordinates, velocities, parameters and columns such as `tip.N`.
#[derive(Clone, Debug)]
pub(super) struct RowExpression {
    expr: Expr,
    coordinates: usize,
}

impl RowExpression {
    /// From a text in which columns are written as in the trajectory.
    ///
    /// # Errors
    /// What is wrong with it; places are bytes of the text.
    pub(super) fn parse(mechanism: &Mechanism, columns: &[String], text: &str) -> Result<Self, Diagnostic> {
        let names = mechanism.names();
        let n = names.coordinates.len();
        let dotted = &columns[1 + 2 * n..];
        let rewritten = rewrite(text, dotted);
        if let Some(fault) = unknown_column(&rewritten, dotted) {
            return Err(fault);
        }
        // in a row, columns stand after the coordinates and their velocities: those places have no name
        let hidden = (0..n).map(|_| String::new());
        let plain = dotted.iter().map(|name| name.replace('.', "_"));
        let coordinates = names.coordinates.iter().cloned().chain(hidden).chain(plain).collect();
        let all = Names { coordinates, parameters: names.parameters.clone() };
        let scope =
            Scope { rates: Allow::Only((0..n).collect()), ..Scope::position(&all, "a stop expression") };
        let expr = parse(&rewritten, &scope, &Place::From(0)).map_err(|faults| {
            faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M304", "no value"))
        })?;
        Ok(Self { expr, coordinates: n })
    }

    /// From an expression of the mechanism.
    pub(super) fn of(expr: &Expr, mechanism: &Mechanism) -> Self {
        Self { expr: expr.clone(), coordinates: mechanism.coordinates.len() }
    }

    /// Its value at a row.
    pub(super) fn value(&self, parameters: &[f64], row: &[f64]) -> f64 {
        let n = self.coordinates;
        self.expr.eval(&Env { t: row[0], q: &row[1..], v: &row[1 + n..1 + 2 * n], parameters })
    }
}

/// Whether a character can stand in a name or in a column.
fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// The text with the dot of every column's name replaced, so that its names are those of the expression language; the
/// length stays.
fn rewrite(text: &str, columns: &[String]) -> String {
    let mut rewritten = text.to_string();
    for column in columns {
        let mut start = 0;
        while let Some(found) = rewritten[start..].find(column.as_str()) {
            let (begin, end) = (start + found, start + found + column.len());
            let inside = rewritten[..begin].ends_with(is_part) || rewritten[end..].starts_with(is_part);
            if !inside {
                rewritten.replace_range(begin..end, &column.replace('.', "_"));
            }
            start = end;
        }
    }
    rewritten
}

/// A word with a dot that is neither a number nor a column.
fn unknown_column(text: &str, columns: &[String]) -> Option<Diagnostic> {
    let starts_a_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let mut words = text.split(|c| !is_part(c));
    let word = words.find(|word| starts_a_name(word) && word.contains('.'))?;
    let found = Diagnostic::error("M106", format!("there is no column `{word}`"));
    Some(match nearest(word, columns.iter().map(String::as_str)) {
        Some(close) => found.with_hint(format!("did you mean `{close}`?")),
        None => found.with_hint(format!("the columns are {}", columns.join(", "))),
    })
}

#[cfg(test)]
mod tests {
    use super::{rewrite, unknown_column};

    #[test]
    fn only_whole_columns_are_rewritten() {
        let columns = ["tip.N".to_string(), "tip.slip".to_string()];
        assert_eq!(
            rewrite("2*tip.N - atip.N + tip.slip1 + 0.5", &columns),
            "2*tip_N - atip.N + tip.slip1 + 0.5"
        );
        let fault = unknown_column("tip.M - 0.5", &columns).unwrap();
        assert_eq!(fault.hint.as_deref(), Some("did you mean `tip.N`?"));
        assert!(unknown_column("2.5*x - .5", &columns).is_none());
    }
}
