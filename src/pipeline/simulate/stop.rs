//! Expressions of a row of a trajectory: `--stop theta - pi/2`, `--stop tip.N - 0.1`, and when a contact is active.

use crate::diag::{Diagnostic, nearest};
use crate::expression::{Allow, BinaryOp, Env, Expr, Names, Node, Scope, SourceMap, Symbol, parse};
use crate::format::Mechanism;
use crate::num::{Ball, Dual, Real, Strip};
use crate::simulate::trajectory::OfRow;
use std::collections::BTreeSet;

/// An expression of t, coordinates, velocities, parameters and columns such as `tip.N`.
#[derive(Clone, Debug)]
pub(super) struct RowExpression {
    expr: Expr,
    coordinates: usize,
    definitions: Vec<Expr>,
}

impl RowExpression {
    /// From a text in which columns are written as in the trajectory.
    ///
    /// # Errors
    /// What is wrong with it; places are bytes of the text.
    pub(super) fn parse(mechanism: &Mechanism, columns: &[String], text: &str) -> Result<Self, Diagnostic> {
        Self::parse_with(mechanism, (columns, &[]), text, "a stop expression")
    }

    /// The same with further names, whose numbers stand behind the columns of a row.
    pub(super) fn parse_with(
        mechanism: &Mechanism,
        (columns, further): (&[String], &[String]),
        text: &str,
        what: &'static str,
    ) -> Result<Self, Diagnostic> {
        let mechanism = &*mechanism.with_motion_for(text);
        let names = mechanism.names();
        let n = names.coordinates.len();
        let dotted = &columns[1 + 2 * n..];
        let rewritten = rewrite(text, dotted);
        if let Some(fault) = unknown_column(&rewritten, dotted) {
            return Err(fault);
        }
        // in a row, columns stand after the coordinates and their velocities: those places have no name
        let hidden = (0..n).map(|_| String::new());
        let plain = dotted.iter().map(|name| name.replace('.', "_")).chain(further.iter().cloned());
        let coordinates = names.coordinates.iter().cloned().chain(hidden).chain(plain).collect();
        let all = Names { coordinates, ..names };
        let scope =
            Scope { rates: Allow::Only((0..n).collect()), smooth: false, ..Scope::position(&all, what) };
        let expr = parse(&rewritten, &scope, &SourceMap::From(0)).map_err(|faults| {
            faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M304", "no value"))
        })?;
        Ok(Self { expr, coordinates: n, definitions: mechanism.definitions.values.clone() })
    }

    /// The places in a row of what it reads; parameters have none.
    pub(super) fn places(&self) -> BTreeSet<usize> {
        let mut places = BTreeSet::new();
        self.expr.for_each_symbol(&mut |symbol, _| places.extend(place(symbol, self.coordinates)));
        // a definition may be made of all coordinates and velocities
        self.expr.for_each_definition(&mut |_, _| places.extend(0..=2 * self.coordinates));
        places
    }

    /// From an expression of the mechanism.
    pub(super) fn of(expr: &Expr, mechanism: &Mechanism) -> Self {
        Self {
            expr: expr.clone(),
            coordinates: mechanism.coordinates.len(),
            definitions: mechanism.definitions.values.clone(),
        }
    }

    /// Its values at rows, for many of them.
    pub(super) fn at<'s>(&'s self, parameters: &'s [f64]) -> AtParameters<'s> {
        let sum = Sum::of(&self.expr, self.coordinates, parameters);
        AtParameters { expression: self, parameters, sum, reads: self.reads() }
    }

    /// How many numbers of a row it reads, from the first on.
    pub(super) fn reads(&self) -> usize {
        self.places().last().map_or(0, |last| last + 1)
    }

    /// Its value at a row.
    pub(super) fn value(&self, parameters: &[f64], row: &[f64]) -> f64 {
        self.eval(parameters, row)
    }

    fn eval<T: Real>(&self, parameters: &[T], row: &[T]) -> T {
        let n = self.coordinates;
        self.expr.eval(&Env {
            t: row[0],
            q: &row[1..],
            v: &row[1 + n..1 + 2 * n],
            parameters,
            definitions: &self.definitions,
        })
    }
}

/// An expression at parameters, for many rows.
pub(super) struct AtParameters<'s> {
    expression: &'s RowExpression,
    parameters: &'s [f64],
    sum: Option<Sum>,
    reads: usize,
}

impl AtParameters<'_> {
    fn enclosed<T: Real>(&self, row: &[T]) -> Option<T> {
        let Self { expression, parameters, sum, reads } = self;
        if row.len() < *reads {
            return None;
        }
        Some(match sum {
            Some(sum) => sum.value(row),
            None => {
                let parameters: Vec<T> = parameters.iter().map(|&x| T::from_f64(x)).collect();
                expression.eval(&parameters, row)
            }
        })
    }
}

impl OfRow for AtParameters<'_> {
    fn at(&self, row: &[f64]) -> f64 {
        match &self.sum {
            Some(sum) => sum.value(row),
            None => self.expression.value(self.parameters, row),
        }
    }

    fn moving(&self, row: &[Dual<Ball>]) -> Option<Dual<Ball>> {
        self.enclosed(row)
    }

    fn along(&self, row: &[Strip]) -> Option<Strip> {
        self.enclosed(row)
    }
}

/// Where a symbol stands in a row; parameters do not.
fn place(symbol: Symbol, coordinates: usize) -> Option<usize> {
    match symbol {
        Symbol::Time => Some(0),
        Symbol::Coordinate(i) => Some(1 + i),
        Symbol::Rate(i) => Some(1 + coordinates + i),
        Symbol::Parameter(_) => None,
    }
}

/// A sum of numbers of a row with factors, as most stop expressions are: it is looked at five times a step.
struct Sum {
    constant: f64,
    terms: Vec<(usize, f64)>,
}

impl Sum {
    fn of(expr: &Expr, coordinates: usize, parameters: &[f64]) -> Option<Self> {
        let mut sum = Self { constant: 0.0, terms: Vec::new() };
        sum.add(expr, 1.0, (coordinates, parameters)).then_some(sum)
    }

    /// Adds an expression with a sign; false if it is no such sum.
    fn add(&mut self, expr: &Expr, sign: f64, (coordinates, parameters): (usize, &[f64])) -> bool {
        if let Some(constant) = constant(expr, parameters) {
            self.constant += sign * constant;
            return constant.is_finite();
        }
        let mut term = |expr: &Expr, factor: f64| {
            let Node::Symbol(symbol) = &expr.node else { return false };
            self.terms.extend(place(*symbol, coordinates).map(|place| (place, sign * factor)));
            true
        };
        match &expr.node {
            Node::Symbol(_) => term(expr, 1.0),
            Node::Negate(x) => self.add(x, -sign, (coordinates, parameters)),
            Node::Binary(BinaryOp::Add, x, y) => {
                self.add(x, sign, (coordinates, parameters)) && self.add(y, sign, (coordinates, parameters))
            }
            Node::Binary(BinaryOp::Subtract, x, y) => {
                self.add(x, sign, (coordinates, parameters)) && self.add(y, -sign, (coordinates, parameters))
            }
            Node::Binary(BinaryOp::Multiply, x, y) => {
                match (constant(x, parameters), constant(y, parameters)) {
                    (Some(factor), None) => term(y, factor),
                    (None, Some(factor)) => term(x, factor),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn value<T: Real>(&self, row: &[T]) -> T {
        let terms = self.terms.iter();
        terms.fold(T::from_f64(self.constant), |sum, &(place, factor)| sum + T::from_f64(factor) * row[place])
    }
}

/// The value of an expression of parameters alone.
fn constant(expr: &Expr, parameters: &[f64]) -> Option<f64> {
    let mut alone = true;
    expr.for_each_symbol(&mut |symbol, _| alone &= matches!(symbol, Symbol::Parameter(_)));
    expr.for_each_definition(&mut |_, _| alone = false);
    alone.then(|| expr.eval_parametric(parameters))
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
    use super::{RowExpression, Sum, rewrite, unknown_column};
    use crate::expression::{Names, Scope, SourceMap, parse};
    use crate::simulate::trajectory::OfRow;

    /// The sum and the expression itself, to the last bit.
    #[test]
    fn sums_are_read_off_rows() {
        let names = Names {
            coordinates: vec!["x".into(), "y".into()],
            parameters: vec!["a".into()],
            definitions: vec![],
        };
        let row = [0.1, 0.7, -1.3, 0.4, 5.0];
        let of = |text: &str| {
            let scope = Scope::velocity(&names, "a test");
            RowExpression {
                expr: parse(text, &scope, &SourceMap::From(0)).unwrap(),
                coordinates: 2,
                definitions: vec![],
            }
        };
        let sums = [
            ("pi/2 - x", 2),
            ("x", 2),
            ("-(y - 2*x)", 3),
            ("a^2*dot(y) - t", 5),
            ("a", 0),
            ("y/3 - 1", 3),
            ("x*y", 3),
            ("2*(x + 1)", 2),
        ];
        for (k, (text, reads)) in sums.into_iter().enumerate() {
            let found = of(text);
            let value = found.value(&[3.0], &row);
            assert_eq!(found.at(&[3.0]).at(&row).to_bits(), value.to_bits(), "{text}");
            assert_eq!(found.reads(), reads, "{text}");
            assert_eq!(Sum::of(&found.expr, 2, &[3.0]).is_some(), k < 5, "{text}");
        }
        assert!(Sum::of(&of("1/0*x").expr, 2, &[3.0]).is_none_or(|sum| sum.terms[0].1.is_infinite()));
    }

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
