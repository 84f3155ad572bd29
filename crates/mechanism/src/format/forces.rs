//! Applied forces, springs, and bilateral constraints.

use super::frames::Sort;
use super::mechanism::{Constraint, ConstraintValue, Force, Space};
use super::placement::{Carrier, Placed};
use super::reader::{Cursor, Fields, Reader};
use crate::expression::{Expr, Scope};

/// The kinds of force: the key that says where it acts, and those that say how.
const KINDS: [(&str, &[&str]); 5] = [
    ("point", &["force"]),
    ("body", &["torque"]),
    ("coordinate", &["value"]),
    ("spring", &["stiffness", "length", "damping", "limit"]),
    ("torsion", &["stiffness", "angle", "damping", "limit"]),
];

/// All keys of a force.
#[rustfmt::skip]
const FORCE: [&str; 13] = [
    "point", "force", "body", "torque", "coordinate", "value", "spring", "torsion", "stiffness", "length", "angle", "damping", "limit",
];

impl Reader {
    pub(super) fn forces(&mut self, top: &Fields) -> Vec<Force> {
        let Some(cursor) = top.get("forces") else { return Vec::new() };
        self.list(&cursor).iter().filter_map(|c| self.force(c)).collect()
    }

    fn force(&mut self, cursor: &Cursor) -> Option<Force> {
        let fields = self.fields(cursor, &FORCE)?;
        let given: Vec<_> = KINDS.iter().filter(|(target, _)| fields.has(target)).collect();
        let [(target, values)] = given.as_slice() else {
            let message = "a force needs one of `point` (with `force`), `body` (with `torque`), `coordinate` (with \
                           `value`), `spring` and `torsion` (with `stiffness`)";
            self.push(fields.fault("M019", message));
            return None;
        };
        for key in FORCE.iter().filter(|key| *key != target && !values.contains(key)) {
            if let Some(c) = fields.get(key) {
                self.push(c.fault("M019", format!("`{key}` does not go with `{target}`")));
            }
        }
        let at = fields.get(target)?;
        match *target {
            "point" => self.point_force(&at, &fields),
            "body" => self.torque(&at, &fields),
            "coordinate" => self.generalised(&at, &fields),
            "spring" => self.spring(&at, &fields),
            _ => self.torsion(&at, &fields),
        }
    }

    fn point_force(&mut self, at: &Cursor, fields: &Fields) -> Option<Force> {
        let names = self.names.clone();
        let point = self.placed(at, Sort::Point, None, &Scope::position(&names, "a point"));
        let force = self
            .required(fields, "force")
            .and_then(|c| self.placed(&c, Sort::Vector, None, &Scope::velocity(&names, "a force")));
        Some(Force::Point { point: point?, force: force? })
    }

    fn torque(&mut self, at: &Cursor, fields: &Fields) -> Option<Force> {
        let (names, bodies) = (self.names.clone(), self.bodies.clone());
        let body = self.index(at, "body", &bodies);
        let scope = Scope::velocity(&names, "a torque");
        let torque = self.required(fields, "torque").and_then(|c| {
            let in_space = self.space.map_or(c.is_list(), |s| s == Space::Space);
            if in_space {
                self.placed(&c, Sort::Vector, None, &scope)
            } else {
                self.expression(&c, &scope).map(|x| Placed::inertial(vec![x]))
            }
        });
        Some(Force::Torque { body: body?, torque: torque? })
    }

    fn generalised(&mut self, at: &Cursor, fields: &Fields) -> Option<Force> {
        let names = self.names.clone();
        let coordinate = self.index(at, "coordinate", &names.coordinates);
        let value = self
            .required(fields, "value")
            .and_then(|c| self.expression(&c, &Scope::velocity(&names, "a force")));
        Some(Force::Coordinate { coordinate: coordinate?, value: value? })
    }

    fn spring(&mut self, at: &Cursor, fields: &Fields) -> Option<Force> {
        let ends = self.ends(at, "a spring");
        let [stiffness, damping] = self.strengths(fields);
        let (rest, limit) = (self.rest(fields, "length"), self.limit(fields));
        let ends = ends?;
        if same(&ends[0], &ends[1]) {
            let message = "the spring has no length: its ends are one point";
            self.push(at.fault("M218", message).with_hint("give its ends two points"));
        }
        Some(Force::Spring { ends, stiffness: stiffness?, rest: rest?, damping: damping?, limit: limit? })
    }

    fn torsion(&mut self, at: &Cursor, fields: &Fields) -> Option<Force> {
        let names = self.names.clone();
        let angle = self.expression(at, &Scope::position(&names, "the angle of a torsion spring"));
        let [stiffness, damping] = self.strengths(fields);
        let (rest, limit) = (self.rest(fields, "angle"), self.limit(fields));
        let (angle, stiffness, rest, damping) = (angle?, stiffness?, rest?, damping?);
        Some(Force::Torsion { angle, stiffness, rest, damping, limit: limit? })
    }

    /// Stiffness and damping; the one that is not given is zero.
    fn strengths(&mut self, fields: &Fields) -> [Option<Expr>; 2] {
        let names = self.names.clone();
        if !fields.has("stiffness") && !fields.has("damping") {
            self.push(fields.fault("M011", "`stiffness` is missing").with_hint("add `stiffness: ...`"));
        }
        ["stiffness", "damping"].map(|key| {
            let what = format!("a {key}");
            fields
                .get(key)
                .map_or_else(|| Some(Expr::zero()), |c| self.expression(&c, &Scope::constant(&names, &what)))
        })
    }

    /// The largest force of a spring and its damper together, if there is one.
    fn limit(&mut self, fields: &Fields) -> Option<Option<Expr>> {
        let names = self.names.clone();
        match fields.get("limit") {
            Some(c) => self.expression(&c, &Scope::constant(&names, "a limit")).map(Some),
            None => Some(None),
        }
    }

    /// The length or angle of a spring without force; default zero. That of a spring with energy is differentiated.
    fn rest(&mut self, fields: &Fields, key: &str) -> Option<Expr> {
        let names = self.names.clone();
        let scope = Scope { smooth: !fields.has("limit"), ..Scope::position(&names, "the rest of a spring") };
        fields.get(key).map_or_else(|| Some(Expr::zero()), |c| self.expression(&c, &scope))
    }

    /// Two points.
    fn ends(&mut self, cursor: &Cursor, what: &str) -> Option<[Placed; 2]> {
        let names = self.names.clone();
        let scope = Scope::position(&names, "a point");
        let read: Vec<_> =
            self.list(cursor).iter().map(|c| self.placed(c, Sort::Point, None, &scope)).collect();
        if cursor.is_list() && read.len() != 2 {
            let message = format!("found {} points, expected the 2 of {what}", read.len());
            self.push(cursor.fault("M014", message));
        }
        <[_; 2]>::try_from(read.into_iter().collect::<Option<Vec<_>>>()?).ok()
    }

    pub(super) fn constraints(&mut self, top: &Fields) -> Vec<Constraint> {
        let Some(cursor) = top.get("constraints") else { return Vec::new() };
        let mut read: Vec<Constraint> = Vec::new();
        for item in self.list(&cursor) {
            let Some(fields) = self.fields(&item, &["name", "value", "coincident"]) else { continue };
            let name = self.required(&fields, "name").and_then(|c| self.text(&c).map(|n| (n, c)));
            let values = self.constraint_values(&fields);
            let (Some((name, at)), Some(values)) = (name, values) else { continue };
            self.check_label(&name, at.yaml.span, &at.path);
            for (suffix, value) in values {
                let name = format!("{name}{suffix}");
                if read.iter().any(|c| c.name == name) {
                    self.push(at.fault("M203", format!("there are two constraints `{name}`")));
                }
                read.push(Constraint { name, value });
            }
        }
        read
    }

    /// The equations of a constraint, with what their names add to its own.
    fn constraint_values(&mut self, fields: &Fields) -> Option<Vec<(&'static str, ConstraintValue)>> {
        let names = self.names.clone();
        if let Some(cursor) = fields.get("coincident") {
            if let Some(c) = fields.get("value") {
                self.push(c.fault("M019", "`value` does not go with `coincident`"));
            }
            let points = self.ends(&cursor, "a joint")?;
            if fixed_to_one(&points) {
                let message = "both points belong to one frame: nothing can move to hold them together";
                self.push(cursor.fault("M218", message).with_hint("give points of two frames or bodies"));
            }
            let axes = ["_x", "_y", "_z"].into_iter().take(self.space.map_or(2, Space::dimension));
            let equation = |(axis, suffix)| {
                (suffix, ConstraintValue::Coincidence { points: Box::new(points.clone()), axis })
            };
            return Some(axes.enumerate().map(equation).collect());
        }
        let cursor = self.required(fields, "value")?;
        let value = self.expression(&cursor, &Scope::position(&names, "a constraint"))?;
        Some(vec![("", ConstraintValue::Expression(value))])
    }
}

/// Whether two points are written alike, wherever they stand.
fn same(a: &Placed, b: &Placed) -> bool {
    let plain = |p: &Placed| p.components.iter().map(Expr::without_places).collect::<Vec<_>>();
    a.carrier == b.carrier && plain(a) == plain(b)
}

/// Whether two points are fixed in the same frame.
fn fixed_to_one([a, b]: &[Placed; 2]) -> bool {
    let fixed = |p: &Placed| p.components.iter().all(Expr::is_parametric);
    let carrier: Option<Carrier> = a.carrier;
    carrier == b.carrier && fixed(a) && fixed(b)
}
