//! Gravity, bodies, and energies that are given directly.

use super::mechanism::{Body, Energy, Inertia, Space};
use super::placement::{Pose, Rotation};
use super::reader::{Cursor, Fields, Reader};
use crate::expression::{Expr, Scope};

impl Reader {
    pub(super) fn gravity(&mut self, top: &Fields) -> Vec<Expr> {
        let names = self.names.clone();
        let zero = vec![Expr::zero(); self.space.map_or(2, Space::dimension)];
        match top.get("gravity") {
            Some(cursor) => self.vector(&cursor, &Scope::constant(&names, "gravity")).unwrap_or(zero),
            None => zero,
        }
    }

    pub(super) fn bodies(&mut self, top: &Fields) -> Vec<Body> {
        let Some(map) = top.get("bodies").and_then(|c| self.map(&c)) else { return Vec::new() };
        map.all().filter_map(|(e, c)| self.body(&e.key, &c)).collect()
    }

    fn body(&mut self, name: &str, cursor: &Cursor) -> Option<Body> {
        let names = self.names.clone();
        let fields =
            self.fields(cursor, &["mass", "inertia", "position", "rotation", "frame", "centre", "shape"])?;
        let mass = self
            .required(&fields, "mass")
            .and_then(|c| self.expression(&c, &Scope::constant(&names, "a mass")));
        let inertia = match fields.get("inertia") {
            Some(c) => self.inertia(&c),
            None => Some(self.no_inertia()),
        };
        let pose = self.body_pose(&fields);
        let shape = match fields.get("shape") {
            Some(c) => Some(self.shape(&c)?),
            None => None,
        };
        Some(Body { name: name.to_owned(), mass: mass?, inertia: inertia?, pose: pose?, shape })
    }

    /// Where a body is: `position` and `rotation` in the inertial frame, or `centre` in a `frame` whose axes are its own.
    fn body_pose(&mut self, fields: &Fields) -> Option<Pose> {
        let names = self.names.clone();
        let Some(frame) = fields.get("frame") else {
            if let Some(c) = fields.get("centre") {
                let found = c.fault("M019", "`centre` needs `frame` beside it");
                self.push(found.with_hint("add `frame: NAME`, or write `position` in the inertial frame"));
            }
            let scope = Scope::position(&names, "a position");
            let origin = self.required(fields, "position").and_then(|c| self.vector(&c, &scope));
            let rotation = self.optional_rotation(fields);
            return Some(Pose { parent: None, origin: origin?, rotation: rotation? });
        };
        for key in ["position", "rotation"] {
            if let Some(c) = fields.get(key) {
                let found = c.fault("M019", format!("`{key}` and `frame` exclude each other"));
                self.push(
                    found.with_hint("a body in a frame has its axes, and its centre of mass at `centre`"),
                );
            }
        }
        let parent = self.frame_index(&frame);
        let origin = match fields.get("centre") {
            Some(c) => self.vector(&c, &Scope::position(&names, "a centre"))?,
            None => vec![Expr::zero(); self.space.map_or(2, Space::dimension)],
        };
        let rotation = match self.space {
            Some(Space::Space) => Rotation::Sequence(Vec::new()),
            Some(Space::Plane) | None => Rotation::Angle(Expr::zero()),
        };
        Some(Pose { parent: Some(parent?), origin, rotation })
    }

    fn no_inertia(&self) -> Inertia {
        match self.space {
            Some(Space::Space) => Inertia::Diagonal([Expr::zero(), Expr::zero(), Expr::zero()]),
            Some(Space::Plane) | None => Inertia::Scalar(Expr::zero()),
        }
    }

    fn inertia(&mut self, cursor: &Cursor) -> Option<Inertia> {
        let names = self.names.clone();
        let scope = Scope::constant(&names, "an inertia");
        match self.space {
            Some(Space::Space) => self.inertia_in_space(cursor, &scope),
            None if cursor.is_list() => self.inertia_in_space(cursor, &scope),
            Some(Space::Plane) | None => self.expression(cursor, &scope).map(Inertia::Scalar),
        }
    }

    fn inertia_in_space(&mut self, cursor: &Cursor, scope: &Scope) -> Option<Inertia> {
        let full = cursor.is_list() && self.list(cursor).iter().any(Cursor::is_list);
        if !full {
            return self.triple(cursor, scope).map(Inertia::Diagonal);
        }
        let rows: Vec<_> = self.list(cursor).iter().map(|row| self.triple(row, scope)).collect();
        if rows.len() != 3 {
            self.push(cursor.fault("M014", format!("found {} rows, expected 3", rows.len())));
        }
        <[_; 3]>::try_from(rows.into_iter().collect::<Option<Vec<_>>>()?).ok().map(Inertia::Full)
    }

    fn triple(&mut self, cursor: &Cursor, scope: &Scope) -> Option<[Expr; 3]> {
        self.expressions(cursor, 3, scope).and_then(|v| <[Expr; 3]>::try_from(v).ok())
    }

    pub(super) fn energy(&mut self, top: &Fields) -> Energy {
        let names = self.names.clone();
        let Some(fields) = top.get("energy").and_then(|c| self.fields(&c, &["kinetic", "potential"])) else {
            return Energy::default();
        };
        let kinetic = fields.get("kinetic").and_then(|c| {
            let expr = self.expression(&c, &Scope::velocity(&names, "a kinetic energy").differentiated())?;
            if !matches!(expr.rate_degree(&self.definitions.values), Some(0..=2)) {
                let found = c.fault("M209", "the kinetic energy is not quadratic in velocities");
                self.push(found.with_hint("write it as a polynomial of degree 2 in dot(x)"));
            }
            Some(expr)
        });
        let scope = Scope::position(&names, "a potential energy");
        let potential = fields.get("potential").and_then(|c| self.expression(&c, &scope));
        Energy { kinetic, potential }
    }
}
