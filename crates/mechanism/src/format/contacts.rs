//! Contacts, in the three ways that a gap and a slip can be given.

use super::frames::{AXES, Sort};
use super::geometry::{Geometry, Outline, Round, Slip, Surface};
use super::mechanism::{Compliance, Contact, Restitution, RestitutionLaw, Space};
use super::placement::{Carrier, Placed};
use super::reader::{Cursor, Fields, Reader};
use crate::expression::{Expr, Scope};

/// The keys of a contact.
#[rustfmt::skip]
pub(super) const CONTACT: [&str; 14] = [
    "point", "disc", "rim", "ellipsoid", "surface", "gap", "slip", "slip_velocity", "tangents", "friction", "restitution",
    "active", "bilateral", "compliance",
];

/// What tells how the gap of a contact is given.
const GIVEN_BY: [&str; 5] = ["point", "disc", "rim", "ellipsoid", "gap"];

/// The restitution laws.
pub(super) const LAWS: [(&str, RestitutionLaw); 3] = [
    ("newton", RestitutionLaw::Newton),
    ("poisson", RestitutionLaw::Poisson),
    ("energetic", RestitutionLaw::Energetic),
];

impl Reader {
    pub(super) fn contacts(&mut self, top: &Fields) -> Vec<Contact> {
        let Some(map) = top.get("contacts").and_then(|c| self.map(&c)) else { return Vec::new() };
        map.all().filter_map(|(e, c)| self.contact(&e.key, &c)).collect()
    }

    fn contact(&mut self, name: &str, cursor: &Cursor) -> Option<Contact> {
        let fields = self.fields(cursor, &CONTACT)?;
        let geometry = self.geometry(&fields);
        let tangents = fields.get("tangents").map(|c| self.tangents(&c));
        let names = self.names.clone();
        let scope = Scope::constant(&names, "a friction coefficient");
        let friction = self.required(&fields, "friction").and_then(|c| self.expression(&c, &scope));
        let restitution = self.restitution(&fields);
        let active = fields.get("active").map(|c| {
            self.expression(&c, &Scope::velocity(&names, "the condition under which a contact is active"))
        });
        let bilateral = fields.get("bilateral").map_or(Some(false), |c| self.truth(&c));
        let compliance = self.compliance(&fields);
        Some(Contact {
            name: name.to_owned(),
            geometry: geometry?,
            tangents: tangents.flatten(),
            friction: friction?,
            restitution: restitution?,
            active: given(active)?,
            bilateral: bilateral?,
            compliance: compliance?,
        })
    }

    fn geometry(&mut self, fields: &Fields) -> Option<Geometry> {
        let given: Vec<&str> = GIVEN_BY.into_iter().filter(|k| fields.has(k)).collect();
        match given.as_slice() {
            ["point"] => self.point(fields),
            ["disc"] => self.disc(fields),
            [key @ ("rim" | "ellipsoid")] => self.of_axes(fields, key),
            ["gap"] => self.direct(fields),
            [] => {
                let message = "the contact has no gap: expected `point`, `disc`, `rim` or `ellipsoid` with `surface`, or `gap`";
                self.push(fields.fault("M019", message));
                None
            }
            more => {
                self.push(fields.fault("M019", format!("{} exclude each other, expected one", quoted(more))));
                None
            }
        }
    }

    fn exclude(&mut self, fields: &Fields, with: &str, others: &[&str]) {
        for key in others {
            if let Some(c) = fields.get(key) {
                self.push(c.fault("M019", format!("`{key}` does not go with `{with}`")));
            }
        }
    }

    fn point(&mut self, fields: &Fields) -> Option<Geometry> {
        self.exclude(fields, "point", &["slip", "slip_velocity"]);
        let names = self.names.clone();
        let point = fields
            .get("point")
            .and_then(|c| self.placed(&c, Sort::Point, None, &Scope::position(&names, "a point")));
        let surface = self.required(fields, "surface").and_then(|c| self.surface(&c));
        Some(Geometry::Point { point: point?, surface: surface? })
    }

    fn disc(&mut self, fields: &Fields) -> Option<Geometry> {
        self.exclude(fields, "disc", &["slip", "slip_velocity"]);
        let round = fields.get("disc").and_then(|c| self.round(&c));
        let at = self.required(fields, "surface")?;
        let is_round = at.is_map() && self.map(&at).is_some_and(|f| f.has("disc"));
        if !is_round {
            let surface = self.surface(&at);
            return Some(Geometry::Round { round: round?, surface: surface? });
        }
        let other = self.fields(&at, &["disc"])?.get("disc").and_then(|c| self.round(&c));
        Some(Geometry::RoundPair { round: round?, other: other? })
    }

    /// The edge of a disc or an ellipsoid, whose shape is seen in a body's axes, on a flat surface.
    fn of_axes(&mut self, fields: &Fields, key: &str) -> Option<Geometry> {
        self.exclude(fields, key, &["slip", "slip_velocity"]);
        let cursor = fields.get(key)?;
        if self.space == Some(Space::Plane) {
            let message = format!("`{key}` is given in the plane, where what is round is a disc");
            let hint = "write `disc: {body: NAME, radius: R}`, or `space: space`";
            self.push(cursor.fault("M019", message).with_hint(hint));
            return None;
        }
        let names = self.names.clone();
        let scope = Scope::constant(&names, "a radius");
        let round = match key {
            "rim" => self.fields(&cursor, &["body", "centre", "radius", "axis"]).and_then(|f| {
                let axis = self.required(&f, "axis").and_then(|c| self.one_of(&c, &AXES));
                let radius = self.required(&f, "radius").and_then(|c| self.expression(&c, &scope));
                let (body, centre) = self.body_and_centre(&f, true)?;
                Some(Round { body, centre, outline: Outline::Rim { axis: axis?, radius: radius? } })
            }),
            _ => self.fields(&cursor, &["body", "centre", "radii"]).and_then(|f| {
                let radii = self.required(&f, "radii").and_then(|c| self.expressions(&c, 3, &scope));
                let (body, centre) = self.body_and_centre(&f, true)?;
                let radii = <[Expr; 3]>::try_from(radii?).ok()?;
                Some(Round { body, centre, outline: Outline::Ellipsoid(radii) })
            }),
        };
        let at = self.required(fields, "surface")?;
        if at.is_map() && self.map(&at).is_some_and(|f| f.has("disc")) {
            let message = format!("`{key}` touches flat surfaces only");
            self.push(at.fault("M019", message).with_hint("write `surface: {point: [..], normal: [..]}`"));
            return None;
        }
        let surface = self.surface(&at);
        Some(Geometry::Round { round: round?, surface: surface? })
    }

    /// The body that something round turns with, and its centre if that is another than the body's.
    fn body_and_centre(
        &mut self,
        fields: &Fields,
        needs_body: bool,
    ) -> Option<(Option<usize>, Option<Placed>)> {
        let (names, bodies) = (self.names.clone(), self.bodies.clone());
        let body = if needs_body { self.required(fields, "body") } else { fields.get("body") };
        let body = body.map(|c| self.index(&c, "body", &bodies));
        let centre = fields
            .get("centre")
            .map(|c| self.placed(&c, Sort::Point, None, &Scope::position(&names, "a centre")));
        Some((given(body)?, given(centre)?))
    }

    fn round(&mut self, cursor: &Cursor) -> Option<Round> {
        let names = self.names.clone();
        let fields = self.fields(cursor, &["body", "centre", "radius"])?;
        let scope = Scope::constant(&names, "a radius");
        let radius = self.required(&fields, "radius").and_then(|c| self.expression(&c, &scope));
        if !fields.has("body") && !fields.has("centre") {
            self.push(fields.fault("M019", "a disc needs `body` or `centre`, or both"));
            return None;
        }
        let (body, centre) = self.body_and_centre(&fields, false)?;
        Some(Round { body, centre, outline: Outline::Ball(radius?) })
    }

    fn surface(&mut self, cursor: &Cursor) -> Option<Surface> {
        let names = self.names.clone();
        let scope = Scope::position(&names, "a surface");
        let fields = self.fields(cursor, &["point", "normal", "body", "frame", "velocity"])?;
        let carrier = self.carrier(&fields)?;
        // a surface in a frame is seen in it; one of a body is given in inertial components
        let within = carrier.filter(|c| matches!(c, Carrier::Frame(_)));
        let point =
            self.required(&fields, "point").and_then(|c| self.placed(&c, Sort::Point, within, &scope));
        let normal =
            self.required(&fields, "normal").and_then(|c| self.placed(&c, Sort::Vector, within, &scope));
        let velocity = fields.get("velocity").map(|c| self.placed(&c, Sort::Vector, within, &scope));
        Some(Surface { point: point?, normal: normal?, carrier, velocity: given(velocity)? })
    }

    fn direct(&mut self, fields: &Fields) -> Option<Geometry> {
        self.exclude(fields, "gap", &["surface", "tangents"]);
        let names = self.names.clone();
        let scope = Scope::position(&names, "a gap or slip");
        let gap = fields.get("gap").and_then(|c| self.expression(&c, &scope));
        let slip = match (fields.get("slip"), fields.get("slip_velocity")) {
            (Some(c), None) => self.tangential(&c, &scope).map(Slip::Displacement),
            (None, Some(c)) => self.slip_velocity(&c).map(Slip::Velocity),
            (Some(_), Some(_)) => {
                self.push(
                    fields.fault("M019", "`slip` and `slip_velocity` exclude each other, expected one"),
                );
                None
            }
            (None, None) => {
                self.push(fields.fault("M019", "`gap` needs `slip` or `slip_velocity` beside it"));
                None
            }
        };
        Some(Geometry::Direct { gap: gap?, slip: slip? })
    }

    fn slip_velocity(&mut self, cursor: &Cursor) -> Option<Vec<Expr>> {
        let names = self.names.clone();
        let velocity =
            self.tangential(cursor, &Scope::velocity(&names, "a slip velocity").differentiated())?;
        if velocity.iter().any(|x| !matches!(x.rate_degree(&self.definitions.values), Some(0 | 1))) {
            let found = cursor.fault("M210", "the slip velocity is not linear in velocities");
            self.push(found.with_hint("write it as a sum of terms with one dot(x) each"));
        }
        Some(velocity)
    }

    fn tangential(&mut self, cursor: &Cursor, scope: &Scope) -> Option<Vec<Expr>> {
        match self.space {
            Some(Space::Space) => self.expressions(cursor, 2, scope),
            None if cursor.is_list() => self.expressions(cursor, 2, scope),
            Some(Space::Plane) | None => self.expression(cursor, scope).map(|x| vec![x]),
        }
    }

    fn tangents(&mut self, cursor: &Cursor) -> Option<[Placed; 2]> {
        if self.space == Some(Space::Plane) {
            let message = "tangents are given in the plane, where the normal determines the tangent";
            self.push(cursor.fault("M019", message).with_hint("remove them, or write `space: space`"));
            return None;
        }
        let names = self.names.clone();
        let scope = Scope::position(&names, "a tangent");
        let read: Vec<_> =
            self.list(cursor).iter().map(|c| self.placed(c, Sort::Vector, None, &scope)).collect();
        if read.len() != 2 {
            self.push(cursor.fault("M014", format!("found {} tangents, expected 2", read.len())));
        }
        <[_; 2]>::try_from(read.into_iter().collect::<Option<Vec<_>>>()?).ok()
    }

    fn restitution(&mut self, contact: &Fields) -> Option<Restitution> {
        let mut read =
            Restitution { law: RestitutionLaw::Poisson, value: Expr::zero(), tangential: Expr::zero() };
        let Some(cursor) = contact.get("restitution") else { return Some(read) };
        if let Some(text) = cursor.word() {
            let found =
                cursor.fault("M013", format!("found `{text}`, expected a map, `{{law: ..., value: ...}}`"));
            let value = if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') { text } else { "0.5" };
            self.push(found.with_hint(format!("write `restitution: {{law: poisson, value: {value}}}`; the laws are newton, poisson, energetic")));
            return None;
        }
        let fields = self.fields(&cursor, &["law", "value", "tangential"])?;
        if let Some(c) = fields.get("law") {
            read.law = self.one_of(&c, &LAWS)?;
        }
        let names = self.names.clone();
        let scope = Scope::constant(&names, "a restitution coefficient");
        if let Some(c) = fields.get("value") {
            read.value = self.expression(&c, &scope)?;
        }
        if let Some(c) = fields.get("tangential") {
            read.tangential = self.expression(&c, &scope)?;
        }
        Some(read)
    }

    fn compliance(&mut self, contact: &Fields) -> Option<Compliance> {
        let one = || Expr::integer(1);
        let mut read = Compliance { stiffness: one(), damping: one(), tangential_stiffness: None };
        let Some(cursor) = contact.get("compliance") else { return Some(read) };
        let fields = self.fields(&cursor, &["stiffness", "damping", "tangential_stiffness"])?;
        let names = self.names.clone();
        let stiffness = Scope::constant(&names, "a stiffness");
        if let Some(c) = fields.get("stiffness") {
            read.stiffness = self.expression(&c, &stiffness)?;
        }
        if let Some(c) = fields.get("tangential_stiffness") {
            read.tangential_stiffness = Some(self.expression(&c, &stiffness)?);
        }
        if let Some(c) = fields.get("damping") {
            read.damping = self.expression(&c, &Scope::constant(&names, "a damping"))?;
        }
        Some(read)
    }
}

/// `None` if it was given and could not be read.
#[expect(clippy::option_option, reason = "absent, unreadable and read are three cases")]
fn given<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        None => Some(None),
        Some(inner) => inner.map(Some),
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" and ")
}
