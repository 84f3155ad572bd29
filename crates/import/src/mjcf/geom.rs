//! Geometry of MJCF: what touches, and what mass is computed from where a body has no `<inertial>`.

use super::Reader;
use super::defaults::Attributes;
use super::orientation::{pose, upright};
use crate::diag::Diagnostic;
use crate::inertia::{Inertial, Solid};
use crate::pose::{Pose, minus, norm, plus, scaled};
use crate::robot::{Note, Shape};

/// Water, as in MuJoCo.
const DENSITY: f64 = 1000.0;

/// A geom of a body.
pub(super) struct Geom {
    pub(super) shape: Shape,
    pub(super) touches: bool,
    /// None where it is not known without the mesh.
    pub(super) inertial: Option<Inertial>,
    pub(super) group: f64,
}

/// Reads a geom; none for planes and height fields, which have neither mass nor an end.
pub(super) fn read(reader: &mut Reader<'_>, of: &Attributes<'_>, body: &str) -> Option<Geom> {
    let kind = of.word("type").unwrap_or(if of.word("mesh").is_some() { "mesh" } else { "sphere" });
    let faults = &mut reader.faults;
    let size = of.numbers("size", faults).unwrap_or_default();
    let [a, b, c] = [0, 1, 2].map(|k: usize| size.get(k).copied().unwrap_or(0.0));
    let mut place = pose(of, &reader.angles, faults);
    let mut length = None;
    if let Some([x, y, z, u, v, w]) = of.exactly::<6>("fromto", faults) {
        let (from, to) = ([x, y, z], [u, v, w]);
        let way = minus(to, from);
        if norm(way) == 0.0 {
            let fault = Diagnostic::error("M504", "`fromto` of <geom> has no length");
            faults.push(fault.with_span(of.element().span_of("fromto")));
            return None;
        }
        place = Pose { origin: scaled(plus(from, to), 0.5), rotation: upright(minus(from, to)) };
        length = Some(norm(way) / 2.0);
    }
    let solid = match kind {
        "sphere" => Solid::Sphere { radius: a },
        "capsule" => Solid::Capsule { radius: a, half: length.unwrap_or(b) },
        "cylinder" => Solid::Cylinder { radius: a, half: length.unwrap_or(b) },
        "box" => Solid::Box { half: length.map_or([a, b, c], |half| [a, a, half]) },
        "ellipsoid" => Solid::Ellipsoid { half: length.map_or([a, b, c], |half| [a, a, half]) },
        "plane" | "hfield" => return None,
        other => {
            let (kind, name) = (format!("{other} geometry, not looked at"), body.to_string());
            reader.omitted.push(Note { span: of.element().span(), kind, name });
            Solid::Mesh
        }
    };
    let touches =
        ["contype", "conaffinity"].iter().any(|w| of.number(w, &mut reader.faults).unwrap_or(1.0) != 0.0);
    let inertial = inertial(reader, of, solid, &place);
    let friction = of.number("friction", &mut reader.faults);
    let group = of.number("group", &mut reader.faults).unwrap_or(0.0);
    let shape = Shape { of: body.to_string(), pose: place, solid, friction };
    Some(Geom { shape, touches, inertial, group })
}

fn inertial(reader: &mut Reader<'_>, of: &Attributes<'_>, solid: Solid, place: &Pose) -> Option<Inertial> {
    let mass = match of.number("mass", &mut reader.faults) {
        Some(mass) => Some(mass),
        None => {
            let density = of.number("density", &mut reader.faults).unwrap_or(DENSITY);
            if density == 0.0 { Some(0.0) } else { solid.volume().map(|v| v * density) }
        }
    };
    let nothing = Inertial { mass: 0.0, centre: [0.0; 3], inertia: [[0.0; 3]; 3] };
    match mass {
        Some(0.0) => Some(nothing),
        Some(mass) => {
            let [x, y, z] = solid.inertia(mass)?;
            let inertia = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
            Some(Inertial { mass, centre: [0.0; 3], inertia }.seen_from(place))
        }
        None => None,
    }
}
