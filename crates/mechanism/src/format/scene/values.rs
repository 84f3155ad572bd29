//! Numbers of a scene: expressions in parameters, evaluated where they are read, with their bounds.

use crate::expression::{Expr, Names, Scope};
use crate::format::Space;
use crate::format::numbers::Bound;
use crate::format::reader::{Cursor, Fields, Reader};

/// A reader with the values of the parameters.
pub(super) struct SceneReader<'r> {
    pub(super) reader: &'r mut Reader,
    pub(super) names: Names,
    pub(super) parameters: Vec<f64>,
    pub(super) space: Space,
}

impl SceneReader<'_> {
    /// A number within bounds.
    pub(super) fn number(&mut self, cursor: &Cursor, bound: Bound) -> Option<f64> {
        let names = self.names.clone();
        let expr = self.reader.expression(cursor, &Scope::constant(&names, "a value of a scene"))?;
        self.valued(cursor, &expr, bound)
    }

    fn valued(&mut self, cursor: &Cursor, expr: &Expr, bound: Bound) -> Option<f64> {
        let x = expr.eval_parametric(&self.parameters);
        let what = cursor.path.rsplit('.').next().unwrap_or_default().to_owned();
        let fault = match bound.violated(x) {
            _ if !x.is_finite() => ("M213", format!("{what} is {x}, expected a finite number")),
            Some(range) => ("M012", format!("{what} is {x}, expected {range}")),
            None => return Some(x),
        };
        self.reader.push(cursor.fault(fault.0, fault.1));
        None
    }

    /// The number of a key that may be missing.
    pub(super) fn optional_number(&mut self, fields: &Fields, key: &str, bound: Bound) -> Option<f64> {
        let cursor = fields.get(key)?;
        self.number(&cursor, bound)
    }

    /// The number of a key that must be there.
    pub(super) fn required_number(&mut self, fields: &Fields, key: &str, bound: Bound) -> Option<f64> {
        let cursor = self.reader.required(fields, key)?;
        self.number(&cursor, bound)
    }

    /// A whole number.
    pub(super) fn whole(&mut self, cursor: &Cursor, most: f64) -> Option<u64> {
        let x = self.number(cursor, Bound::NotNegative)?;
        if x.fract() > 0.0 || x > most {
            let what = cursor.path.rsplit('.').next().unwrap_or_default();
            let message = format!("{what} is {x}, expected a whole number up to {most}");
            self.reader.push(cursor.fault("M012", message));
            return None;
        }
        Some(x as u64)
    }

    /// Numbers of a list.
    pub(super) fn numbers(
        &mut self,
        cursor: &Cursor,
        length: Option<usize>,
        bound: Bound,
    ) -> Option<Vec<f64>> {
        let items = self.reader.list(cursor);
        if !cursor.is_list() {
            return None;
        }
        let read: Vec<Option<f64>> = items.iter().map(|item| self.number(item, bound)).collect();
        if let Some(length) = length.filter(|length| *length != read.len()) {
            let message = format!("found {} components, expected {length}", read.len());
            self.reader.push(cursor.fault("M014", message));
            return None;
        }
        read.into_iter().collect()
    }

    /// A pair of numbers, the lower first.
    pub(super) fn range(&mut self, cursor: &Cursor, bound: Bound) -> Option<[f64; 2]> {
        let read = self.numbers(cursor, Some(2), bound)?;
        let range = [read[0], read[1]];
        if range[0] > range[1] {
            let message =
                format!("the range from {} to {} is empty, expected the lower end first", range[0], range[1]);
            self.reader.push(cursor.fault("M212", message));
            return None;
        }
        Some(range)
    }

    /// A vector of the scene's space.
    pub(super) fn vector(&mut self, cursor: &Cursor) -> Option<[f64; 3]> {
        let read = self.numbers(cursor, Some(self.space.dimension()), Bound::Finite)?;
        let mut out = [0.0; 3];
        out[..read.len()].copy_from_slice(&read);
        Some(out)
    }

    pub(super) fn optional_vector(&mut self, fields: &Fields, key: &str) -> Option<[f64; 3]> {
        let cursor = fields.get(key)?;
        self.vector(&cursor)
    }

    pub(super) fn required_vector(&mut self, fields: &Fields, key: &str) -> Option<[f64; 3]> {
        let cursor = self.reader.required(fields, key)?;
        self.vector(&cursor)
    }

    /// A vector of length 1 along the one that is given.
    pub(super) fn direction(&mut self, cursor: &Cursor) -> Option<[f64; 3]> {
        let vector = self.vector(cursor)?;
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 {
            return Some(vector.map(|x| x / length));
        }
        self.reader.push(cursor.fault("M211", "the vector is zero, expected a direction"));
        None
    }

    /// Two corners of a box, the lower first in every component.
    pub(super) fn corners(&mut self, fields: &Fields) -> Option<([f64; 3], [f64; 3])> {
        let (from, to) = (self.required_vector(fields, "from"), self.required_vector(fields, "to"));
        let (from, to) = (from?, to?);
        let last = self.space.dimension();
        if let Some(k) = (0..last).find(|&k| from[k] >= to[k]) {
            let message = format!("the box from {:?} to {:?} is empty", &from[..last], &to[..last]);
            let hint =
                format!("`from` is the corner with the smaller components; component {} is not", k + 1);
            self.reader.push(fields.fault("M212", message).with_hint(hint));
            return None;
        }
        Some((from, to))
    }

    /// An expression of t.
    pub(super) fn of_time(&mut self, cursor: &Cursor) -> Option<Expr> {
        let names = self.names.clone();
        let scope = Scope { time: crate::expression::Allow::All, ..Scope::constant(&names, "a motion") };
        self.reader.expression(cursor, &scope)
    }
}
