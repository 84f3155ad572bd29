//! Expressions of a row of a trajectory: `--stop theta - pi/2`, `--stop tip.N - 0.1`, and when a contact is active.

use crate::diag::Diagnostic;
use crate::expression::{Env, Expr, Names, Place, Scope, Symbol, parse};
use crate::format::Mechanism;

/// An expression of t, coordinates, velocities, parameters and columns such as `tip.N`.
#[derive(Clone, Debug)]
pub(super) struct RowExpression {
    expr: Expr,
    coordinates: usize,
    /// Number of columns after t, coordinates and velocities that stand after the parameters; 0 where it uses none of them.
    columns: usize,
}

impl RowExpression {
    /// From a text in which columns are written as in the trajectory.
    ///
    /// # Errors
    /// What is wrong with it; places are bytes of the text.
    pub(super) fn parse(
        mechanism: &Mechanism,
        columns: &[String],
        text: &str,
    ) -> Result<Self, Diagnostic> {
        let names = mechanism.names();
        let known = 1 + 2 * names.coordinates.len();
        let dotted = &columns[known..];
        let plain = |name: &String| name.replace('.', "_");
        let mut all = Names { coordinates: names.coordinates.clone(), parameters: names.parameters.clone() };
        all.parameters.extend(dotted.iter().map(plain));
        let rewritten = rewrite(text, dotted);
        let expr = parse(&rewritten, &Scope::velocity(&all, "a stop expression"), &Place::From(0)).map_err(
            |faults| faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M304", "no value")),
        )?;
        let beyond = |symbol: &Symbol| matches!(symbol, Symbol::Parameter(i) if *i >= names.parameters.len());
        let columns = if expr.symbols().iter().any(beyond) { dotted.len() } else { 0 };
        Ok(Self { expr, coordinates: names.coordinates.len(), columns })
    }

    /// From an expression of the mechanism.
    pub(super) fn of(expr: &Expr, mechanism: &Mechanism) -> Self {
        Self { expr: expr.clone(), coordinates: mechanism.coordinates.len(), columns: 0 }
    }

    /// Its value at a row; allocates only where it uses columns.
    pub(super) fn value(&self, parameters: &[f64], row: &[f64]) -> f64 {
        let n = self.coordinates;
        let at = |parameters: &[f64]| {
            let (q, v) = (&row[1..=n], &row[1 + n..1 + 2 * n]);
            self.expr.eval(&Env { t: row[0], q, v, parameters })
        };
        match &row[1 + 2 * n..][..self.columns] {
            [] => at(parameters),
            columns => at(&[parameters, columns].concat()),
        }
    }
}

/// The text with the dot of every column's name replaced, so that its names are those of the expression language; the
/// length stays.
fn rewrite(text: &str, columns: &[String]) -> String {
    let mut rewritten = text.to_string();
    for column in columns {
        let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let mut start = 0;
        while let Some(found) = rewritten[start..].find(column.as_str()) {
            let (begin, end) = (start + found, start + found + column.len());
            let inside =
                rewritten[..begin].ends_with(part_of_name) || rewritten[end..].starts_with(part_of_name);
            if !inside {
                rewritten.replace_range(begin..end, &column.replace('.', "_"));
            }
            start = end;
        }
    }
    rewritten
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    #[test]
    fn only_whole_columns_are_rewritten() {
        let columns = ["tip.N".to_string(), "tip.slip".to_string()];
        assert_eq!(
            rewrite("2*tip.N - atip.N + tip.slip1 + 0.5", &columns),
            "2*tip_N - atip.N + tip.slip1 + 0.5"
        );
    }
}
