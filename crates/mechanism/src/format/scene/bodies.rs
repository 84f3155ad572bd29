//! Groups of bodies.

use super::data::{BodyShape, Group, Matter, Placement, Sizes};
use super::values::SceneReader;
use crate::format::Space;
use crate::format::numbers::Bound;
use crate::format::reader::{Cursor, Fields};

/// More bodies than these are a slip of the pen.
const MOST_BODIES: f64 = 1e7;

/// The keys of a group.
pub(super) const GROUP: [&str; 10] =
    ["sphere", "disc", "box", "scale", "count", "density", "mass", "place", "velocity", "spin"];

impl SceneReader<'_> {
    pub(super) fn groups(&mut self, top: &Fields) -> Vec<Group> {
        let given = match top.get("groups") {
            None if top.has("mechanisms") => return Vec::new(),
            given => given.or_else(|| self.reader.required(top, "groups")),
        };
        let Some(map) = given.and_then(|c| self.reader.map(&c)) else { return Vec::new() };
        let mut read = Vec::new();
        for (entry, cursor) in map.all() {
            self.reader.check_label(&entry.key, entry.key_span, &cursor.path);
            read.extend(self.group(&entry.key, entry.key_span, &cursor));
        }
        read
    }

    fn group(&mut self, name: &str, span: crate::diag::Span, cursor: &Cursor) -> Option<Group> {
        let known: Vec<&str> = GROUP.into_iter().chain(["turn"]).collect();
        let fields = self.reader.fields(cursor, &known)?;
        let shape = self.shape(&fields);
        let matter = self.matter(&fields);
        let place = self.reader.required(&fields, "place").and_then(|c| self.place(&c));
        let velocity = self.optional_vector(&fields, "velocity").unwrap_or_default();
        let spin = self.turning(&fields, "spin");
        let turn = self.turning(&fields, "turn");
        let count = self.count(&fields, place.as_ref());
        Some(Group {
            name: name.to_owned(),
            span,
            shape: shape?,
            count: count?,
            matter: matter?,
            place: place?,
            velocity,
            spin,
            turn,
        })
    }

    /// A rotation vector; in the plane the one number about the third axis.
    fn turning(&mut self, fields: &Fields, key: &str) -> [f64; 3] {
        let Some(cursor) = fields.get(key) else { return [0.0; 3] };
        match self.space {
            Space::Plane => [0.0, 0.0, self.number(&cursor, Bound::Finite).unwrap_or_default()],
            Space::Space => self.vector(&cursor).unwrap_or_default(),
        }
    }

    fn count(&mut self, fields: &Fields, place: Option<&Placement>) -> Option<usize> {
        match (fields.get("count"), place) {
            (Some(cursor), Some(Placement::At(centres))) => {
                let count = self.whole(&cursor, MOST_BODIES)? as usize;
                if count != centres.len() {
                    let message = format!("count is {count}, but `at` has {} centres", centres.len());
                    let found = cursor.fault("M014", message);
                    self.reader.push(found.with_hint("leave `count` out: the list says how many"));
                    return None;
                }
                Some(count)
            }
            (Some(cursor), _) => self.whole(&cursor, MOST_BODIES).map(|n| n as usize),
            (None, Some(Placement::At(centres))) => Some(centres.len()),
            (None, Some(_)) => {
                self.reader.required(fields, "count");
                None
            }
            (None, None) => None,
        }
    }

    fn shape(&mut self, fields: &Fields) -> Option<BodyShape> {
        let (round, other) = match self.space {
            Space::Plane => ("disc", "sphere"),
            Space::Space => ("sphere", "disc"),
        };
        if let Some(wrong) = fields.get(other) {
            let message = format!("a scene in the {} has no `{other}`", self.reader_space());
            self.reader.push(wrong.fault("M019", message).with_hint(format!("write `{round}: RADIUS`")));
            return None;
        }
        match (fields.get(round), fields.get("box")) {
            (Some(radius), None) => self.sizes(&radius).map(BodyShape::Round),
            (None, Some(edges)) => {
                let read = self.numbers(&edges, Some(self.space.dimension()), Bound::Positive);
                let scale = fields.get("scale").map_or(Some(Sizes::Constant(1.0)), |c| self.sizes(&c));
                let mut edges = [0.0; 3];
                edges.iter_mut().zip(read?).for_each(|(edge, x)| *edge = x);
                Some(BodyShape::Box { edges, scale: scale? })
            }
            (Some(_), Some(both)) => {
                let message = format!("`{round}` and `box` are both given, expected one of them");
                self.reader.push(both.fault("M019", message));
                None
            }
            (None, None) => {
                let found = fields.fault("M019", format!("neither `{round}` nor `box` is given"));
                self.reader.push(found.with_hint(format!("add `{round}: 0.01`, a radius in metres")));
                None
            }
        }
    }

    fn reader_space(&self) -> &'static str {
        match self.space {
            Space::Plane => "plane",
            Space::Space => "space",
        }
    }

    /// A number, or a distribution of numbers.
    fn sizes(&mut self, cursor: &Cursor) -> Option<Sizes> {
        if cursor.is_list() {
            let list = self.numbers(cursor, None, Bound::Positive)?;
            if list.is_empty() {
                self.reader.push(cursor.fault("M014", "the list of sizes is empty"));
                return None;
            }
            return Some(Sizes::List(list));
        }
        if !cursor.is_map() {
            return self.number(cursor, Bound::Positive).map(Sizes::Constant);
        }
        let fields = self.reader.fields(cursor, &["uniform", "normal"])?;
        match (fields.get("uniform"), fields.get("normal")) {
            (Some(range), None) => self.range(&range, Bound::Positive).map(Sizes::Uniform),
            (None, Some(normal)) => self.normal(&normal),
            (Some(_), Some(_)) | (None, None) => {
                let found = cursor.fault("M019", "expected one of `uniform` and `normal`");
                self.reader
                    .push(found.with_hint("`{uniform: [0.009, 0.011]}`, or a number where all are alike"));
                None
            }
        }
    }

    fn normal(&mut self, cursor: &Cursor) -> Option<Sizes> {
        let fields = self.reader.fields(cursor, &["mean", "deviation", "range"])?;
        let mean = self.required_number(&fields, "mean", Bound::Positive);
        let deviation = self.required_number(&fields, "deviation", Bound::NotNegative);
        let at = self.reader.required(&fields, "range");
        let range = at.as_ref().and_then(|c| self.range(c, Bound::Positive));
        let (mean, deviation, range, at) = (mean?, deviation?, range?, at?);
        if !(range[0]..=range[1]).contains(&mean) {
            let message = format!("the mean {mean} is outside the range from {} to {}", range[0], range[1]);
            self.reader.push(at.fault("M012", message));
            return None;
        }
        Some(Sizes::Normal { mean, deviation, range })
    }

    fn matter(&mut self, fields: &Fields) -> Option<Matter> {
        match (fields.get("density"), fields.get("mass")) {
            (Some(density), None) => self.number(&density, Bound::Positive).map(Matter::Density),
            (None, Some(mass)) => self.number(&mass, Bound::Positive).map(Matter::Mass),
            (Some(_), Some(both)) => {
                self.reader
                    .push(both.fault("M019", "`density` and `mass` are both given, expected one of them"));
                None
            }
            (None, None) => {
                let found = fields.fault("M019", "neither `density` nor `mass` is given");
                self.reader.push(found.with_hint("add `density: 2500`"));
                None
            }
        }
    }
}
