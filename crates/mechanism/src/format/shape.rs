//! What a body looks like: a shape in its own axes.

use super::mechanism::{Shape, Space};
use super::numbers::Bound;
use super::reader::{Cursor, Reader};
use crate::expression::{Expr, Scope};

/// The kinds of shape.
const SHAPES: [&str; 6] = ["segment", "polyline", "polygon", "disc", "ball", "box"];

impl Reader {
    pub(super) fn shape(&mut self, cursor: &Cursor) -> Option<Shape> {
        let fields = self.fields(cursor, &SHAPES)?;
        let given: Vec<&str> = SHAPES.into_iter().filter(|k| fields.has(k)).collect();
        let [kind] = given.as_slice() else {
            let message = format!("found {} shapes, expected one of {}", given.len(), SHAPES.join(", "));
            self.push(fields.fault("M019", message));
            return None;
        };
        let value = fields.get(kind)?;
        let names = self.names.clone();
        let scope = Scope::constant(&names, "a shape");
        match *kind {
            "segment" => self.points(&value, 2..=2, &scope).map(Shape::Segment),
            "polyline" => self.points(&value, 2..=usize::MAX, &scope).map(Shape::Polyline),
            "polygon" => self.points(&value, 3..=usize::MAX, &scope).map(Shape::Polygon),
            "box" => self.vector(&value, &scope).map(Shape::Box),
            _ => self.expression(&value, &scope).map(Shape::Round),
        }
    }

    fn points(
        &mut self,
        cursor: &Cursor,
        count: std::ops::RangeInclusive<usize>,
        scope: &Scope,
    ) -> Option<Vec<Vec<Expr>>> {
        let read: Vec<_> = self.list(cursor).iter().map(|c| self.vector(c, scope)).collect();
        if cursor.is_list() && !count.contains(&read.len()) {
            let least = if count.start() == count.end() { "" } else { "at least " };
            let message = format!("found {} points, expected {least}{}", read.len(), count.start());
            self.push(cursor.fault("M014", message));
        }
        read.into_iter().collect::<Option<Vec<_>>>().filter(|points| count.contains(&points.len()))
    }
}

impl Shape {
    /// Its key in the file.
    pub(super) fn key(&self, space: Space) -> &'static str {
        match self {
            Self::Segment(_) => "segment",
            Self::Polyline(_) => "polyline",
            Self::Polygon(_) => "polygon",
            Self::Round(_) if space == Space::Space => "ball",
            Self::Round(_) => "disc",
            Self::Box(_) => "box",
        }
    }

    /// All its numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &Expr> {
        let (points, sizes): (&[Vec<Expr>], &[Expr]) = match self {
            Self::Segment(points) | Self::Polyline(points) | Self::Polygon(points) => (points, &[]),
            Self::Round(radius) => (&[], std::slice::from_ref(radius)),
            Self::Box(sizes) => (&[], sizes),
        };
        points.iter().flatten().chain(sizes)
    }

    /// What they may be.
    pub(super) fn bound(&self) -> Bound {
        match self {
            Self::Segment(_) | Self::Polyline(_) | Self::Polygon(_) => Bound::Finite,
            Self::Round(_) | Self::Box(_) => Bound::Positive,
        }
    }
}
