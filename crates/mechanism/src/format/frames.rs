//! Frames, and points and vectors that are given in them.

use super::mechanism::Space;
use super::placement::{Carrier, ElementaryRotation, Frame, Placed, Pose, Rotation};
use super::reader::{Cursor, Fields, Reader};
use crate::diag::Diagnostic;
use crate::expression::{Expr, Scope};

/// The axes by their names.
pub(super) const AXES: [(&str, usize); 3] = [("x", 0), ("y", 1), ("z", 2)];

/// What three or two components are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// A place: in a frame it is seen from the frame's origin.
    Point,
    /// A direction or a force: in a frame it is turned with the axes.
    Vector,
}

impl Sort {
    /// The key of the components beside `frame` or `body`.
    fn key(self) -> &'static str {
        match self {
            Sort::Point => "at",
            Sort::Vector => "vector",
        }
    }
}

impl Reader {
    pub(super) fn frames(&mut self, top: &Fields) -> Vec<Frame> {
        let Some(map) = top.get("frames").and_then(|c| self.map(&c)) else { return Vec::new() };
        let read: Vec<Option<Frame>> = map.all().map(|(e, c)| self.frame(&e.key, &c)).collect();
        let parents: Vec<Option<usize>> =
            read.iter().map(|f| f.as_ref().and_then(|f| f.pose.parent)).collect();
        for (i, (entry, cursor)) in map.all().enumerate() {
            if let Some(circle) = circle(i, &parents) {
                let words: Vec<String> = circle.iter().map(|&k| format!("`{}`", self.frames[k])).collect();
                let message = format!("frames carry each other in a circle: {}", words.join(" is in "));
                let found = Diagnostic::error("M217", message).with_span(entry.key_span);
                self.push(found.with_path(cursor.path).with_hint("take `parent` out of one of them"));
                return Vec::new();
            }
        }
        read.into_iter().flatten().collect()
    }

    fn frame(&mut self, name: &str, cursor: &Cursor) -> Option<Frame> {
        let fields = self.fields(cursor, &["parent", "origin", "rotation"])?;
        let parent = match fields.get("parent") {
            Some(c) => Some(self.frame_index(&c)?),
            None => None,
        };
        let names = self.names.clone();
        let origin = match fields.get("origin") {
            Some(c) => self.vector(&c, &Scope::position(&names, "an origin"))?,
            None => vec![Expr::zero(); self.space.map_or(2, Space::dimension)],
        };
        let rotation = self.optional_rotation(&fields)?;
        Some(Frame { name: name.to_owned(), pose: Pose { parent, origin, rotation } })
    }

    /// The place of a frame in the file, by its name.
    pub(super) fn frame_index(&mut self, cursor: &Cursor) -> Option<usize> {
        let frames = self.frames.clone();
        let body =
            cursor.word().filter(|w| !frames.iter().any(|f| f == w) && self.bodies.iter().any(|b| b == w));
        if let Some(name) = body {
            let message = format!("`{name}` is a body, expected the name of a frame");
            let hint = "give the body a `frame`, and name that frame here";
            self.push(cursor.fault("M208", message).with_hint(hint));
            return None;
        }
        self.index(cursor, "frame", &frames)
    }

    pub(super) fn optional_rotation(&mut self, fields: &Fields) -> Option<Rotation> {
        match fields.get("rotation") {
            Some(c) => self.rotation(&c),
            None if self.space == Some(Space::Space) => Some(Rotation::Sequence(Vec::new())),
            None => Some(Rotation::Angle(Expr::zero())),
        }
    }

    fn rotation(&mut self, cursor: &Cursor) -> Option<Rotation> {
        let names = self.names.clone();
        let scope = Scope::position(&names, "an angle");
        let in_space = self.space.map_or(cursor.is_list() || cursor.is_map(), |s| s == Space::Space);
        if !in_space {
            if cursor.is_list() || cursor.is_map() {
                let message = "a rotation in the plane is one angle, counter-clockwise";
                let hint = "write `rotation: theta`, or `space: space`";
                self.push(cursor.fault("M013", message).with_hint(hint));
                return None;
            }
            return self.expression(cursor, &scope).map(Rotation::Angle);
        }
        if cursor.is_map() {
            let fields = self.fields(cursor, &["quaternion"])?;
            let parts = self.required(&fields, "quaternion")?;
            let scope = Scope::position(&names, "a quaternion");
            let parts = self.expressions(&parts, 4, &scope)?;
            return <[Expr; 4]>::try_from(parts).ok().map(|parts| Rotation::Quaternion(Box::new(parts)));
        }
        let read: Vec<_> = self.list(cursor).iter().map(|c| self.elementary(c, &scope)).collect();
        read.into_iter().collect::<Option<Vec<_>>>().map(Rotation::Sequence)
    }

    fn elementary(&mut self, cursor: &Cursor, scope: &Scope) -> Option<ElementaryRotation> {
        let fields = self.fields(cursor, &["axis", "angle"])?;
        let axis = self.required(&fields, "axis").and_then(|c| self.one_of(&c, &AXES));
        let angle = self.required(&fields, "angle").and_then(|c| self.expression(&c, scope));
        Some(ElementaryRotation { axis: axis?, angle: angle? })
    }

    /// A point or a vector: its inertial components, or a map with a frame or body and the components there. Plain
    /// components are those of `within`, if something is given that all around them is seen in.
    pub(super) fn placed(
        &mut self,
        cursor: &Cursor,
        sort: Sort,
        within: Option<Carrier>,
        scope: &Scope,
    ) -> Option<Placed> {
        if sort == Sort::Point && cursor.word().is_some() && !self.points.is_empty() {
            return self.named_point(cursor).map(|point| point.place);
        }
        if !cursor.is_map() {
            return Some(Placed { carrier: within, components: self.vector(cursor, scope)? });
        }
        let fields = self.fields(cursor, &["frame", "body", sort.key()])?;
        let carrier = self.carrier(&fields);
        if !fields.has("frame") && !fields.has("body") {
            self.push(fields.fault("M019", "expected a list of components, or a map with `frame` or `body`"));
        }
        let components = self.required(&fields, sort.key()).and_then(|c| self.vector(&c, scope));
        Some(Placed { carrier: Some(carrier??), components: components? })
    }

    /// What carries something: `frame` or `body`; none if neither is given.
    #[expect(clippy::option_option, reason = "absent, unreadable and read are three cases")]
    pub(super) fn carrier(&mut self, fields: &Fields) -> Option<Option<Carrier>> {
        match (fields.get("frame"), fields.get("body")) {
            (Some(_), Some(_)) => {
                self.push(fields.fault("M019", "`frame` and `body` exclude each other, expected one"));
                None
            }
            (Some(c), None) => Some(Some(Carrier::Frame(self.frame_index(&c)?))),
            (None, Some(c)) => {
                let bodies = self.bodies.clone();
                Some(Some(Carrier::Body(self.index(&c, "body", &bodies)?)))
            }
            (None, None) => Some(None),
        }
    }
}

/// The way from a frame up to itself, if there is one.
fn circle(start: usize, parents: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut way = vec![start];
    let mut at = parents[start]?;
    while at != start {
        if way.contains(&at) {
            return None;
        }
        way.push(at);
        at = parents[at]?;
    }
    way.push(start);
    Some(way)
}
