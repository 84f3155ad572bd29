//! The ways in which MJCF gives a constant rotation.

use super::defaults::Attributes;
use crate::diag::Diagnostic;
use crate::pose::{
    IDENTITY, List, Matrix, Pose, Vector, align, elementary, inverse, matrix, norm, of_quaternion, product,
    scaled, transpose,
};
use crate::xml::Element;

/// Units and order of angles, from `<compiler>`.
pub(super) struct Angles {
    /// What an angle of the file is in radians.
    pub(super) unit: f64,
    /// Axes of Euler angles, and whether each turns about the axes that the earlier ones have turned.
    sequence: Vec<(usize, bool)>,
}

impl Angles {
    pub(super) fn read(compiler: Option<Element<'_>>, faults: &mut Vec<Diagnostic>) -> Angles {
        let word = |attribute: &str| compiler.and_then(|c| c.word(attribute));
        let unit = if word("angle") == Some("radian") { 1.0 } else { std::f64::consts::PI / 180.0 };
        let text = word("eulerseq").unwrap_or("xyz");
        let axis = |c: char| Some(("xyz".find(c.to_ascii_lowercase())?, c.is_ascii_lowercase()));
        let sequence: Option<Vec<(usize, bool)>> = text.chars().map(axis).collect();
        let sequence = sequence.filter(|s| s.len() == 3).unwrap_or_else(|| {
            let fault =
                Diagnostic::error("M504", format!("`eulerseq` is `{text}`, expected three of xyzXYZ"));
            faults.push(match compiler {
                Some(c) => fault.with_span(c.span_of("eulerseq")),
                None => fault,
            });
            vec![(0, true), (1, true), (2, true)]
        });
        Angles { unit, sequence }
    }

    /// Rotations that turn about fixed axes come in front of those before.
    fn euler(&self, angles: Vector) -> Matrix {
        self.sequence.iter().zip(angles).fold(IDENTITY, |r, (&(axis, turned), angle)| {
            let next = elementary(axis, self.unit * angle);
            if turned { product(&r, &next) } else { product(&next, &r) }
        })
    }
}

const WAYS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// The place that `pos` and one of the orientations give.
pub(super) fn pose(of: &Attributes<'_>, angles: &Angles, faults: &mut Vec<Diagnostic>) -> Pose {
    let origin = of.exactly("pos", faults).unwrap_or_default();
    Pose { origin, rotation: rotation(of, angles, faults) }
}

fn rotation(of: &Attributes<'_>, angles: &Angles, faults: &mut Vec<Diagnostic>) -> Matrix {
    let Some(element) = of.source(&WAYS) else { return IDENTITY };
    let way = WAYS.into_iter().find(|w| element.word(w).is_some()).unwrap_or_default();
    let found = match way {
        "quat" => element.exactly::<4>(way, faults).and_then(|q| nonzero(&q).then(|| of_quaternion(q))),
        "axisangle" => element.exactly::<4>(way, faults).and_then(|[x, y, z, angle]| {
            let axis = [x, y, z];
            nonzero(&axis).then(|| about(axis, angles.unit * angle))
        }),
        "xyaxes" => {
            element.exactly::<6>(way, faults).and_then(|[a, b, c, d, e, f]| frame([a, b, c], [d, e, f]))
        }
        "zaxis" => element.exactly::<3>(way, faults).and_then(|z| nonzero(&z).then(|| upright(z))),
        _ => element.exactly::<3>(way, faults).map(|e| angles.euler(e)),
    };
    found.unwrap_or_else(|| {
        if element.numbers(way, &mut vec![]).is_some() {
            let message = format!("`{way}` of <{}> is no orientation: it has no direction", element.tag());
            faults.push(Diagnostic::error("M504", message).with_span(element.span_of(way)));
        }
        IDENTITY
    })
}

fn nonzero(x: &[f64]) -> bool {
    x.iter().any(|c| *c != 0.0)
}

fn about(axis: Vector, angle: f64) -> Matrix {
    let (k, sign, to): (usize, f64, List) = align(axis);
    matrix(&[to.clone(), vec![(k, sign * angle)], inverse(&to)].concat())
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The axes x and, made orthogonal to it, y.
fn frame(x: Vector, y: Vector) -> Option<Matrix> {
    let z = cross(x, y);
    if !nonzero(&z) {
        return None;
    }
    let [x, z] = [x, z].map(|a| scaled(a, 1.0 / norm(a)));
    Some(transpose(&[x, cross(z, x), z]))
}

/// The smallest rotation that takes z to a direction.
pub(super) fn upright(direction: Vector) -> Matrix {
    let d = scaled(direction, 1.0 / norm(direction));
    let axis = cross([0.0, 0.0, 1.0], d);
    if nonzero(&axis) {
        about(axis, norm(axis).atan2(d[2]))
    } else if d[2] < 0.0 {
        elementary(0, std::f64::consts::PI)
    } else {
        IDENTITY
    }
}
