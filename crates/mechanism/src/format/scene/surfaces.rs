//! External surfaces and their prescribed motion.

use super::data::{Surface, SurfaceMotion, SurfaceShape};
use super::values::SceneReader;
use crate::format::Space;
use crate::format::numbers::Bound;
use crate::format::reader::{Cursor, Fields};

/// The kinds of surface.
pub(super) const SHAPES: [&str; 7] = ["plane", "box", "walls", "plate", "revolved", "funnel", "drum"];
/// The sides of a box.
pub(super) const SIDES: [&str; 6] = ["x-", "x+", "y-", "y+", "z-", "z+"];
/// The keys of a motion.
pub(super) const MOTION: [&str; 6] = ["velocity", "displacement", "centre", "axis", "angle", "rate"];

impl SceneReader<'_> {
    pub(super) fn surfaces(&mut self, top: &Fields) -> Vec<Surface> {
        let Some(map) = top.get("surfaces").and_then(|c| self.reader.map(&c)) else { return Vec::new() };
        let mut read = Vec::new();
        for (entry, cursor) in map.all() {
            self.reader.check_label(&entry.key, entry.key_span, &cursor.path);
            let known: Vec<&str> = SHAPES.into_iter().chain(["motion"]).collect();
            let Some(fields) = self.reader.fields(&cursor, &known) else { continue };
            let motion = fields.get("motion").map(|c| self.motion(&c));
            let Some(shape) = self.surface_shape(&cursor, &fields) else { continue };
            let motion = match motion {
                Some(None) => continue,
                Some(motion) => motion,
                None => None,
            };
            read.push(Surface { name: entry.key.clone(), span: entry.key_span, shape, motion });
        }
        read
    }

    fn surface_shape(&mut self, cursor: &Cursor, fields: &Fields) -> Option<SurfaceShape> {
        let given: Vec<&str> = SHAPES.into_iter().filter(|key| fields.has(key)).collect();
        let [kind] = given.as_slice() else {
            let message = format!("found {} shapes, expected one of {}", given.len(), SHAPES.join(", "));
            self.reader.push(cursor.fault("M019", message));
            return None;
        };
        let at = fields.get(kind)?;
        match (*kind, self.space) {
            ("plane", _) => self.plane(&at),
            ("box", _) => self.container(&at),
            ("funnel", _) => self.funnel(&at),
            ("drum", _) => self.drum(&at),
            ("walls", Space::Plane) => self.points(&at).map(SurfaceShape::Walls),
            ("plate", Space::Space) => self.plate(&at),
            ("revolved", Space::Space) => self.revolved(&at),
            (kind, Space::Plane) => self.elsewhere(&at, kind, "walls"),
            (kind, Space::Space) => self.elsewhere(&at, kind, "plate` or `revolved"),
        }
    }

    fn elsewhere(&mut self, at: &Cursor, kind: &str, instead: &str) -> Option<SurfaceShape> {
        let place = if self.space == Space::Plane { "the plane" } else { "space" };
        let found = at.fault("M019", format!("a scene in {place} has no `{kind}`"));
        self.reader.push(found.with_hint(format!("write `{instead}`")));
        None
    }

    fn plane(&mut self, at: &Cursor) -> Option<SurfaceShape> {
        let fields = self.reader.fields(at, &["point", "normal"])?;
        let point = self.required_vector(&fields, "point");
        let normal = self.reader.required(&fields, "normal").and_then(|c| self.direction(&c));
        Some(SurfaceShape::Plane { point: point?, normal: normal? })
    }

    /// The inside of a box, but for its open sides.
    fn container(&mut self, at: &Cursor) -> Option<SurfaceShape> {
        let fields = self.reader.fields(at, &["from", "to", "open"])?;
        let sides = &SIDES[..2 * self.space.dimension()];
        let words: Vec<(&str, usize)> = sides.iter().enumerate().map(|(k, side)| (*side, k)).collect();
        let items = fields.get("open").map(|c| self.reader.list(&c)).unwrap_or_default();
        let open: Vec<Option<usize>> = items.iter().map(|item| self.reader.one_of(item, &words)).collect();
        let (from, to) = self.corners(&fields)?;
        let open: Vec<usize> = open.into_iter().collect::<Option<_>>()?;
        let closed = (0..sides.len()).filter(|side| !open.contains(side));
        let wall = |side: usize| {
            let mut normal = [0.0; 3];
            normal[side / 2] = if side.is_multiple_of(2) { 1.0 } else { -1.0 };
            (if side.is_multiple_of(2) { from } else { to }, normal)
        };
        Some(SurfaceShape::Inside(closed.map(wall).collect()))
    }

    /// A line from point to point.
    fn points(&mut self, at: &Cursor) -> Option<Vec<[f64; 3]>> {
        let items = self.reader.list(at);
        let read: Vec<Option<[f64; 3]>> = items.iter().map(|item| self.vector(item)).collect();
        if at.is_list() && read.len() < 2 {
            self.reader.push(at.fault("M014", format!("found {} points, expected at least 2", read.len())));
            return None;
        }
        read.into_iter().collect::<Option<Vec<_>>>().filter(|points| points.len() > 1)
    }

    fn plate(&mut self, at: &Cursor) -> Option<SurfaceShape> {
        let fields = self.reader.fields(at, &["centre", "edges"])?;
        let centre = self.required_vector(&fields, "centre");
        let cursor = self.reader.required(&fields, "edges")?;
        let items = self.reader.list(&cursor);
        let edges: Vec<Option<[f64; 3]>> = items.iter().map(|item| self.vector(item)).collect();
        let [a, b] = edges.as_slice() else {
            self.reader.push(cursor.fault("M014", format!("found {} edges, expected 2", edges.len())));
            return None;
        };
        let (centre, a, b) = (centre?, (*a)?, (*b)?);
        let dot = |x: [f64; 3], y: [f64; 3]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
        if !(aa > 0.0 && bb > 0.0) || ab.abs() > crate::num::Tol::default().frame * (aa * bb).sqrt() {
            let found = cursor.fault("M211", "the edges of a plate are not at a right angle, or one is zero");
            self.reader.push(found);
            return None;
        }
        Some(SurfaceShape::Plate { centre, halves: [a, b].map(|edge| edge.map(|x| 0.5 * x)) })
    }

    fn revolved(&mut self, at: &Cursor) -> Option<SurfaceShape> {
        let fields = self.reader.fields(at, &["origin", "axis", "profile"])?;
        let (origin, axis) = self.axis(&fields, "origin");
        let cursor = self.reader.required(&fields, "profile")?;
        let items = self.reader.list(&cursor);
        let read: Vec<Option<Vec<f64>>> =
            items.iter().map(|item| self.numbers(item, Some(2), Bound::Finite)).collect();
        let mut profile = Vec::new();
        for (item, point) in items.iter().zip(read) {
            let point = point?;
            if point[0] < 0.0 {
                let message = format!("the radius of a profile is {}, expected a number >= 0", point[0]);
                self.reader.push(item.fault("M012", message));
                return None;
            }
            profile.push([point[0], point[1]]);
        }
        if profile.len() < 2 {
            self.reader
                .push(cursor.fault("M014", format!("found {} points, expected at least 2", profile.len())));
            return None;
        }
        Some(SurfaceShape::Revolved { origin: origin?, axis: axis?, profile })
    }

    /// A point and a direction, the last axis by default.
    fn axis(&mut self, fields: &Fields, point: &str) -> (Option<[f64; 3]>, Option<[f64; 3]>) {
        let origin = self.required_vector(fields, point);
        let mut up = [0.0; 3];
        up[self.space.dimension() - 1] = 1.0;
        (origin, fields.get("axis").map_or(Some(up), |c| self.direction(&c)))
    }

    /// A cone that is open at both ends; two walls in the plane.
    fn funnel(&mut self, at: &Cursor) -> Option<SurfaceShape> {
        let fields = self.reader.fields(at, &["centre", "axis", "radii", "height"])?;
        let (centre, axis) = self.axis(&fields, "centre");
        let radii = self.reader.required(&fields, "radii").and_then(|c| self.range(&c, Bound::NotNegative));
        let height = self.required_number(&fields, "height", Bound::Positive);
        let (origin, axis, [low, high], height) = (centre?, axis?, radii?, height?);
        if self.space == Space::Space {
            return Some(SurfaceShape::Revolved { origin, axis, profile: vec![[low, 0.0], [high, height]] });
        }
        let across = [axis[1], -axis[0], 0.0];
        let point = |x: f64, y: f64| std::array::from_fn(|k| origin[k] + x * across[k] + y * axis[k]);
        // the way from one wall to the other leads through nothing
        Some(SurfaceShape::Walls(vec![
            point(-high, height),
            point(-low, 0.0),
            [f64::NAN; 3],
            point(low, 0.0),
            point(high, height),
        ]))
    }

    /// The inside of a cylinder with its ends; of a circle in the plane.
    fn drum(&mut self, at: &Cursor) -> Option<SurfaceShape> {
        if self.space == Space::Plane {
            let fields = self.reader.fields(at, &["centre", "radius"])?;
            let centre = self.required_vector(&fields, "centre");
            let radius = self.required_number(&fields, "radius", Bound::Positive);
            return Some(SurfaceShape::Circle { centre: centre?, radius: radius? });
        }
        let fields = self.reader.fields(at, &["centre", "axis", "radius", "length"])?;
        let centre = self.required_vector(&fields, "centre");
        let axis = self.reader.required(&fields, "axis").and_then(|c| self.direction(&c));
        let radius = self.required_number(&fields, "radius", Bound::Positive);
        let length = self.required_number(&fields, "length", Bound::Positive);
        let (origin, axis, radius, half) = (centre?, axis?, radius?, 0.5 * length?);
        let profile = vec![[0.0, -half], [radius, -half], [radius, half], [0.0, half]];
        Some(SurfaceShape::Revolved { origin, axis, profile })
    }

    fn motion(&mut self, cursor: &Cursor) -> Option<SurfaceMotion> {
        let fields = self.reader.fields(cursor, &MOTION)?;
        let velocity = self.optional_vector(&fields, "velocity").unwrap_or_default();
        let rate = self.optional_number(&fields, "rate", Bound::Finite).unwrap_or_default();
        let angle = fields.get("angle").map(|c| self.of_time(&c));
        let centre = self.optional_vector(&fields, "centre").unwrap_or_default();
        let mut displacement = [const { None }; 3];
        if let Some(at) = fields.get("displacement") {
            let items = self.reader.list(&at);
            if items.len() != self.space.dimension() {
                let message =
                    format!("found {} components, expected {}", items.len(), self.space.dimension());
                self.reader.push(at.fault("M014", message));
                return None;
            }
            for (own, item) in displacement.iter_mut().zip(&items) {
                *own = Some(self.of_time(item)?);
            }
        }
        let axis = match (self.space, fields.get("axis")) {
            (Space::Plane, _) => Some([0.0, 0.0, 1.0]),
            (Space::Space, Some(axis)) => self.direction(&axis),
            (Space::Space, None) if fields.has("rate") || fields.has("angle") => {
                self.reader.required(&fields, "axis");
                None
            }
            (Space::Space, None) => Some([0.0, 0.0, 1.0]),
        };
        let angle = match angle {
            Some(None) => return None,
            Some(angle) => angle,
            None => None,
        };
        Some(SurfaceMotion { displacement, centre, axis: axis?, angle, velocity, rate })
    }
}
