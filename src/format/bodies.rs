//! Bodies, energies, applied forces and bilateral constraints.

use super::mechanism::{Body, Constraint, ElementaryRotation, Energy, Force, Inertia, Rotation, Space};
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
        let fields = self.fields(cursor, &["mass", "inertia", "position", "rotation", "shape"])?;
        let mass = self
            .required(&fields, "mass")
            .and_then(|c| self.expression(&c, &Scope::constant(&names, "a mass")));
        let inertia = match fields.get("inertia") {
            Some(c) => self.inertia(&c),
            None => Some(self.no_inertia()),
        };
        let scope = Scope::position(&names, "a position");
        let position = self.required(&fields, "position").and_then(|c| self.vector(&c, &scope));
        let rotation = match fields.get("rotation") {
            Some(c) => self.rotation(&c),
            None if self.space == Some(Space::Space) => Some(Rotation::Sequence(Vec::new())),
            None => Some(Rotation::Angle(Expr::zero())),
        };
        let shape = match fields.get("shape") {
            Some(c) => Some(self.shape(&c)?),
            None => None,
        };
        Some(Body {
            name: name.to_owned(),
            mass: mass?,
            inertia: inertia?,
            position: position?,
            rotation: rotation?,
            shape,
        })
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

    fn rotation(&mut self, cursor: &Cursor) -> Option<Rotation> {
        let names = self.names.clone();
        let scope = Scope::position(&names, "an angle");
        let in_space = self.space.map_or(cursor.is_list(), |s| s == Space::Space);
        if !in_space {
            return self.expression(cursor, &scope).map(Rotation::Angle);
        }
        let read: Vec<_> = self.list(cursor).iter().map(|c| self.elementary(c, &scope)).collect();
        read.into_iter().collect::<Option<Vec<_>>>().map(Rotation::Sequence)
    }

    fn elementary(&mut self, cursor: &Cursor, scope: &Scope) -> Option<ElementaryRotation> {
        let fields = self.fields(cursor, &["axis", "angle"])?;
        let axis =
            self.required(&fields, "axis").and_then(|c| self.one_of(&c, &[("x", 0), ("y", 1), ("z", 2)]));
        let angle = self.required(&fields, "angle").and_then(|c| self.expression(&c, scope));
        Some(ElementaryRotation { axis: axis?, angle: angle? })
    }

    pub(super) fn energy(&mut self, top: &Fields) -> Energy {
        let names = self.names.clone();
        let Some(fields) = top.get("energy").and_then(|c| self.fields(&c, &["kinetic", "potential"])) else {
            return Energy::default();
        };
        let kinetic = fields.get("kinetic").and_then(|c| {
            let expr = self.expression(&c, &Scope::velocity(&names, "a kinetic energy"))?;
            if !matches!(expr.rate_degree(), Some(0..=2)) {
                let found = c.fault("M209", "the kinetic energy is not quadratic in velocities");
                self.push(found.with_hint("write it as a polynomial of degree 2 in dot(x)"));
            }
            Some(expr)
        });
        let scope = Scope::position(&names, "a potential energy");
        let potential = fields.get("potential").and_then(|c| self.expression(&c, &scope));
        Energy { kinetic, potential }
    }

    pub(super) fn forces(&mut self, top: &Fields) -> Vec<Force> {
        let Some(cursor) = top.get("forces") else { return Vec::new() };
        self.list(&cursor).iter().filter_map(|c| self.force(c)).collect()
    }

    fn force(&mut self, cursor: &Cursor) -> Option<Force> {
        let names = self.names.clone();
        let fields = self.fields(cursor, &["point", "force", "body", "torque", "coordinate", "value"])?;
        let kinds = [("point", "force"), ("body", "torque"), ("coordinate", "value")];
        let given: Vec<_> = kinds.iter().filter(|(a, b)| fields.has(a) || fields.has(b)).collect();
        let [(target, value)] = given.as_slice() else {
            let message =
                "a force needs `point` and `force`, or `body` and `torque`, or `coordinate` and `value`";
            self.push(fields.fault("M019", message));
            return None;
        };
        let target = self.required(&fields, target);
        let at = self.required(&fields, value)?;
        let scope = Scope::velocity(&names, "a force");
        match *value {
            "force" => {
                let point = target.and_then(|c| self.vector(&c, &Scope::position(&names, "a point")));
                let force = self.vector(&at, &scope);
                Some(Force::Point { point: point?, force: force? })
            }
            "torque" => {
                let bodies = self.bodies.clone();
                let body = target.and_then(|c| self.index(&c, "body", &bodies));
                let torque = self.torque(&at, &scope);
                Some(Force::Torque { body: body?, torque: torque? })
            }
            _ => {
                let coordinate = target.and_then(|c| self.index(&c, "coordinate", &names.coordinates));
                let value = self.expression(&at, &scope);
                Some(Force::Coordinate { coordinate: coordinate?, value: value? })
            }
        }
    }

    fn torque(&mut self, cursor: &Cursor, scope: &Scope) -> Option<Vec<Expr>> {
        match self.space {
            Some(Space::Space) => self.vector(cursor, scope),
            None if cursor.is_list() => self.vector(cursor, scope),
            Some(Space::Plane) | None => self.expression(cursor, scope).map(|x| vec![x]),
        }
    }

    pub(super) fn constraints(&mut self, top: &Fields) -> Vec<Constraint> {
        let Some(cursor) = top.get("constraints") else { return Vec::new() };
        let mut read: Vec<Constraint> = Vec::new();
        for item in self.list(&cursor) {
            let Some(fields) = self.fields(&item, &["name", "value"]) else { continue };
            let names = self.names.clone();
            let name = self.required(&fields, "name").and_then(|c| self.text(&c).map(|n| (n, c)));
            let value = self.required(&fields, "value");
            let value = value.and_then(|c| self.expression(&c, &Scope::position(&names, "a constraint")));
            let (Some((name, at)), Some(value)) = (name, value) else { continue };
            self.check_label(&name, at.yaml.span, &at.path);
            if read.iter().any(|c| c.name == name) {
                self.push(at.fault("M203", format!("there are two constraints `{name}`")));
            }
            read.push(Constraint { name, value });
        }
        read
    }
}
