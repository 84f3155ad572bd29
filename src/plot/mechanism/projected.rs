//! Parts of bodies as the viewer sees them, and how they are painted.

use super::place::{Pose, Vector, cross, dot, minus, plus, times};
use super::shape::{Part, circle};
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
    /// A line on a surface.
    Line(Vec<[f64; 2]>),
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
        Part::Ellipsoid(centre, radii) => ellipsoid(view, pose, (pose.outside(*centre), *radii)),
        Part::Point => vec![Projected::Point(view.of(pose.centre))],
    }
}

/// The outline of an ellipsoid, {Σ x_k p_k : |x| = 1} with the projections p_k of its semi-axes, and what is seen of its three principal
/// sections.
fn ellipsoid(view: &View, pose: &Pose, (centre, radii): (Vector, [f64; 3])) -> Vec<Projected> {
    let middle = view.of(centre);
    let semi: [Vector; 3] = std::array::from_fn(|k| times(pose.axes[k], radii[k]));
    let flat = semi.map(|s| view.of(s));
    let rim = circle().map(|[x, y]| {
        let along = flat.map(|p| p[0] * x + p[1] * y);
        let reach = along.iter().map(|a| a * a).sum::<f64>().sqrt();
        std::array::from_fn(|i| middle[i] + (0..3).map(|k| along[k] * flat[k][i]).sum::<f64>() / reach)
    });
    let mut seen = vec![Projected::Face(rim.collect(), 1.0)];
    for [j, k] in [[0, 1], [1, 2], [2, 0]] {
        let point = |[x, y]: [f64; 2]| plus(times(semi[j], x), times(semi[k], y));
        let faces = |[x, y]: [f64; 2]| {
            let normal = plus(times(pose.axes[j], x / radii[j]), times(pose.axes[k], y / radii[k]));
            dot(normal, view.eye) > 0.0
        };
        let mut ring: Vec<[f64; 2]> = circle().collect();
        // from where it comes into sight
        let first =
            (0..ring.len()).find(|&i| faces(ring[i]) && !faces(ring[(i + ring.len() - 1) % ring.len()]));
        ring.rotate_left(first.unwrap_or(0));
        let arc = ring.into_iter().take_while(|at| faces(*at)).map(|at| view.of(plus(centre, point(at))));
        seen.push(Projected::Line(arc.collect()));
    }
    seen
}

impl Projected {
    /// Points that contain it.
    pub(in crate::plot) fn extent(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Path(list) | Self::Face(list, _) | Self::Line(list) => list.clone(),
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
        Projected::Line(points) => {
            let points: Vec<[f64; 2]> = points.iter().map(|p| panel.at(*p)).collect();
            canvas.path(&points, Look::line(colour, outline * HAIR * 1.6 / DATA).at_opacity(0.6));
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

#[cfg(test)]
mod tests {
    use super::{Pose, Projected, View, ellipsoid};
    use crate::format::{Axes, Space};

    /// No point of an ellipsoid is seen outside its outline, and some are seen on it.
    #[test]
    fn the_outline_of_an_ellipsoid_bounds_it() {
        let view = View::new(Space::Space, [0.0, 0.0, -9.8]);
        let axes = Axes::inertial().about(2, 0.4).about(0, 1.1).about(1, -0.7).axes;
        let pose = Pose { centre: [0.3, -0.2, 0.5], axes };
        let radii = [0.5, 0.2, 0.3];
        let seen = ellipsoid(&view, &pose, (pose.centre, radii));
        let Projected::Face(outline, _) = &seen[0] else { panic!("an outline") };
        let middle = view.of(pose.centre);
        let mut closest = f64::INFINITY;
        for i in 0..outline.len() {
            // beyond the tangent at a corner of the outline lies nothing
            let turn = std::f64::consts::TAU * i as f64 / outline.len() as f64;
            let along = |p: [f64; 2]| (p[0] - middle[0]) * turn.cos() + (p[1] - middle[1]) * turn.sin();
            for k in 0..400 {
                let (z, angle) = (f64::from(k) / 199.5 - 1.0, f64::from(k) * 2.4);
                let flat = (1.0 - z * z).max(0.0).sqrt();
                let point = [radii[0] * flat * angle.cos(), radii[1] * flat * angle.sin(), radii[2] * z];
                let within = along(outline[i]) - along(view.of(pose.outside(point)));
                assert!(within > -1e-12, "{i} {k}");
                closest = closest.min(within);
            }
        }
        assert!(closest < 1e-3, "{closest}");
    }
}
