//! Parts of bodies as the viewer sees them, and how they are painted.

use super::place::{Pose, Vector, cross, dot, minus};
use super::shape::Part;
use super::view::View;
use crate::format::Space;
use crate::plot::canvas::{Canvas, Look};
use crate::plot::panel::Panel;
use crate::plot::style::{Colour, DATA, HAIR};

/// A part as the viewer sees it.
pub(in crate::plot) enum Projected {
    Path(Vec<[f64; 2]>),
    /// An outline, and how much light falls on it.
    Face(Vec<[f64; 2]>, f64),
    /// Centre, radius, and the direction of the body's first axis.
    Round([f64; 2], f64, Option<[f64; 2]>),
    Point([f64; 2]),
}

/// How parts are painted.
#[derive(Clone, Copy, Debug)]
pub(in crate::plot) struct Skin {
    pub(in crate::plot) colour: Colour,
    /// Weight of the lines that bodies are.
    pub(in crate::plot) bar: f64,
    /// Weight of outlines.
    pub(in crate::plot) outline: f64,
    /// Radius of a point mass.
    pub(in crate::plot) point: f64,
}

impl Skin {
    /// Thin lines, of which many may lie over each other.
    pub(in crate::plot) fn line(colour: Colour) -> Self {
        Self { colour, bar: DATA * 1.4, outline: DATA, point: 2.6 }
    }
}

/// A part of a body at a pose; faces that look away are not seen.
pub(in crate::plot) fn projected(view: &View, pose: &Pose, part: &Part) -> Vec<Projected> {
    let points = |points: &[Vector]| points.iter().map(|p| view.of(pose.outside(*p))).collect();
    match part {
        Part::Path(path) => vec![Projected::Path(points(path))],
        Part::Face(outline) => vec![Projected::Face(points(outline), 1.0)],
        Part::Solid(faces) => faces
            .iter()
            .filter_map(|face| {
                let outside: Vec<Vector> = face.iter().map(|p| pose.outside(*p)).collect();
                let light = light(&outside, view);
                (light > 0.0).then(|| Projected::Face(points(face), light))
            })
            .collect(),
        Part::Round(centre, radius) => {
            let axis = (view.space == Space::Plane).then(|| view.of(pose.axes[0]));
            vec![Projected::Round(view.of(pose.outside(*centre)), *radius, axis)]
        }
        Part::Point => vec![Projected::Point(view.of(pose.centre))],
    }
}

impl Projected {
    /// Points that contain it.
    pub(in crate::plot) fn extent(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Path(list) | Self::Face(list, _) => list.clone(),
            Self::Round([x, y], r, _) => vec![[x - r, y - r], [x + r, y + r]],
            Self::Point(at) => vec![*at],
        }
    }
}

/// How squarely a face is seen; not at all from behind.
fn light(face: &[Vector], view: &View) -> f64 {
    let [a, b, c, ..] = face else { return 0.0 };
    let normal = cross(minus(*b, *a), minus(*c, *b));
    dot(normal, view.eye) / dot(normal, normal).sqrt()
}

/// Paints a part.
pub(in crate::plot) fn paint(canvas: &mut Canvas, panel: &Panel, seen: &Projected, skin: Skin) {
    let Skin { colour, bar, outline, point } = skin;
    let line = Look::line(colour, outline);
    let inside = |light: f64| colour.towards(Colour::PAPER, 0.45 + 0.4 * light);
    match seen {
        Projected::Path(points) => {
            let points: Vec<[f64; 2]> = points.iter().map(|p| panel.at(*p)).collect();
            canvas.path(&points, Look::line(colour, bar));
        }
        Projected::Face(points, light) => {
            let points: Vec<[f64; 2]> = points.iter().map(|p| panel.at(*p)).collect();
            canvas.polygon(&points, line.with_fill(inside(*light)).at_opacity(0.85));
        }
        Projected::Round(centre, radius, axis) => {
            let [x, y] = panel.at(*centre);
            let radius = radius * panel.size()[0] / panel.x.data.width();
            canvas.circle([x, y], radius, line.with_fill(inside(1.0)).at_opacity(0.85));
            if let Some([right, up]) = axis {
                let look = Look::line(colour, outline * HAIR * 1.6 / DATA);
                canvas.line([x, y], [x + radius * right, y - radius * up], look);
            }
        }
        Projected::Point(at) => canvas.circle(panel.at(*at), point, Look::filled(colour)),
    }
}
