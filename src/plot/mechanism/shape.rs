//! What bodies look like, in their own axes: what the file says, or what their contacts and the centre of mass suggest.

use super::place::{Instant, Vector, length, minus, times};
use crate::expression::Expr;
use crate::format::{
    Body, Carrier, ConstraintValue, Contact, Geometry, Kept, Mechanism, Outline, Placed, Shape, Space,
};
use crate::plot::hull::hull;

/// Corners of a circle that is drawn as a polygon.
const CORNERS: usize = 48;

/// A part of a body, in its axes.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::plot) enum Part {
    /// Lines from point to point.
    Path(Vec<Vector>),
    /// An outline with an inside.
    Face(Vec<Vector>),
    /// Faces of a convex solid, each counter-clockwise from outside.
    Solid(Vec<Vec<Vector>>),
    /// A disc or ball.
    Round(Vector, f64),
    /// An ellipsoid along the body's axes: its centre and its semi-axes.
    Ellipsoid(Vector, [f64; 3]),
    /// A point mass.
    Point,
}

impl Part {
    /// Points that its convex hull is made of, in the body's axes.
    pub(in crate::plot) fn corners(&self) -> Vec<Vector> {
        match self {
            Self::Path(points) | Self::Face(points) => points.clone(),
            Self::Solid(faces) => faces.iter().flatten().copied().collect(),
            Self::Round(centre, radius) => around(*centre, [*radius; 3]),
            Self::Ellipsoid(centre, radii) => around(*centre, *radii),
            Self::Point => vec![[0.0; 3]],
        }
    }
}

/// The ends of the semi-axes of an ellipsoid.
fn around(centre: Vector, radii: [f64; 3]) -> Vec<Vector> {
    let end = |k: usize, r: f64| std::array::from_fn(|i| centre[i] + if i == k { r } else { 0.0 });
    (0..3).flat_map(|k| [end(k, radii[k]), end(k, -radii[k])]).collect()
}

/// The parts of each body.
pub(in crate::plot) fn shapes(mechanism: &Mechanism, at: &Instant) -> Vec<Vec<Part>> {
    mechanism.bodies.iter().enumerate().map(|(b, body)| shape(mechanism, b, body, at)).collect()
}

fn shape(mechanism: &Mechanism, b: usize, body: &Body, at: &Instant) -> Vec<Part> {
    match &body.shape {
        Some(shape) => vec![given(shape, mechanism.space, at)],
        None => suggested(mechanism, b, body, at),
    }
}

/// The shape that the file gives.
fn given(shape: &Shape, space: Space, at: &Instant) -> Part {
    let points = |list: &[Vec<Expr>]| list.iter().map(|p| at.vector(p)).collect();
    match shape {
        Shape::Segment(list) | Shape::Polyline(list) => Part::Path(points(list)),
        Shape::Polygon(list) => Part::Face(points(list)),
        Shape::Round(radius) => Part::Round([0.0; 3], at.value(radius)),
        Shape::Box(sizes) => {
            let half = times(at.vector(sizes), 0.5);
            match space {
                Space::Plane => Part::Face(rectangle([half[0], 0.0, 0.0], [0.0, half[1], 0.0], [0.0; 3])),
                Space::Space => Part::Solid(cuboid(half)),
            }
        }
    }
}

/// The rectangle centre ± a ± b.
fn rectangle(a: Vector, b: Vector, centre: Vector) -> Vec<Vector> {
    let corner = |s: f64, t: f64| std::array::from_fn(|k| centre[k] + s * a[k] + t * b[k]);
    vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
}

fn cuboid(half: Vector) -> Vec<Vec<Vector>> {
    let axis = |k: usize, sign: f64| -> Vector {
        std::array::from_fn(|i| if i == k { sign * half[k] } else { 0.0 })
    };
    let face = |k: usize, sign: f64| {
        let (a, b) = (axis((k + 1) % 3, sign), axis((k + 2) % 3, 1.0));
        rectangle(a, b, axis(k, sign))
    };
    (0..3).flat_map(|k| [face(k, 1.0), face(k, -1.0)]).collect()
}

/// Discs of contacts; a link between its hinges and contact points; where there is one such point, or none is a hinge, the outline of these
/// points and their images in the centre of mass, which is the middle of what is drawn; else a point.
fn suggested(mechanism: &Mechanism, b: usize, body: &Body, at: &Instant) -> Vec<Part> {
    let rounds = mechanism.rounds().filter(|r| r.body == Some(b));
    let pose = at.pose(body);
    let mut parts: Vec<Part> = rounds
        .map(|r| {
            let centre = r.centre.as_ref().map_or([0.0; 3], |c| pose.inside(at.point(c)));
            outline_of(&r.outline, centre, at)
        })
        .collect();
    parts.dedup();
    let mut points = hinges(mechanism, body, at);
    let is_link = !points.is_empty();
    let touching = mechanism.contacts.iter().filter_map(point);
    points.extend(touching.filter_map(|p| carried(mechanism, body, p, at)).filter(|p| length(*p) > 0.0));
    let images = points.iter().map(|p| times(*p, -1.0));
    match (mechanism.space, &points[..]) {
        (_, []) => {}
        (Space::Plane, [_, _, ..]) if is_link => parts.extend(outline(&points)),
        (Space::Space, [first, others @ ..]) if is_link && !others.is_empty() => {
            parts.extend(others.iter().map(|p| Part::Path(vec![*first, *p])));
        }
        (Space::Plane, _) => parts.extend(outline(&points.iter().copied().chain(images).collect::<Vec<_>>())),
        (Space::Space, _) => {
            parts.extend(points.iter().zip(images).map(|(p, image)| Part::Path(vec![*p, image])));
        }
    }
    if parts.is_empty() {
        parts.push(Part::Point);
    }
    parts
}

/// Where a body hangs on others, or on what stands: points that constraints hold together and origins of the frames that bodies ride, if they
/// keep their place in the body and in another one, or never move.
fn hinges(mechanism: &Mechanism, body: &Body, at: &Instant) -> Vec<Vector> {
    let nothing = || vec![Expr::zero(); mechanism.space.dimension()];
    let ridden = |frame: usize| mechanism.bodies.iter().any(|body| body.pose.parent == Some(frame));
    let origins = (0..mechanism.frames.len())
        .filter(|frame| ridden(*frame))
        .map(|frame| Placed { carrier: Some(Carrier::Frame(frame)), components: nothing() });
    let joined = mechanism.constraints.iter().filter_map(|constraint| match &constraint.value {
        ConstraintValue::Coincidence { points, axis: 0 } => Some(points.iter().cloned()),
        ConstraintValue::Coincidence { .. } | ConstraintValue::Expression(_) => None,
    });
    let held = joined.flatten().map(|point| (point, true));
    let mut found: Vec<Vector> = Vec::new();
    for (point, is_held) in held.chain(origins.map(|point| (point, false))) {
        let Some(place) = carried(mechanism, body, &point, at) else { continue };
        let others = || mechanism.bodies.iter().filter(|other| other.name != body.name);
        let hangs = is_held
            || others().any(|other| carried(mechanism, other, &point, at).is_some())
            || matches!(mechanism.stands(&point, (at.t, at.q, at.parameters)), Kept::At(_));
        // a joint of three axes has three frames in one place
        let size = length(place);
        if hangs && found.iter().all(|known| length(minus(*known, place)) > f64::EPSILON.sqrt() * size) {
            found.push(place);
        }
    }
    found
}

/// What a round body looks like.
fn outline_of(outline: &Outline, centre: Vector, at: &Instant) -> Part {
    match outline {
        Outline::Ball(radius) => Part::Round(centre, at.value(radius)),
        Outline::Ellipsoid(radii) => Part::Ellipsoid(centre, radii.each_ref().map(|radius| at.value(radius))),
        Outline::Rim { axis, radius } => {
            let (radius, [j, k]) = (at.value(radius), [(axis + 1) % 3, (axis + 2) % 3]);
            let point = |[x, y]: [f64; 2]| {
                let mut point = centre;
                (point[j], point[k]) = (point[j] + radius * x, point[k] + radius * y);
                point
            };
            Part::Face(circle().map(point).collect())
        }
    }
}

/// Points of the unit circle, counter-clockwise.
pub(super) fn circle() -> impl Iterator<Item = [f64; 2]> {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / CORNERS as f64;
    (0..CORNERS).map(move |i| [angle(i).cos(), angle(i).sin()])
}

fn point(contact: &Contact) -> Option<&Placed> {
    match &contact.geometry {
        Geometry::Point { point, .. } => Some(point),
        Geometry::Round { .. } | Geometry::RoundPair { .. } | Geometry::Direct { .. } => None,
    }
}

/// The place of a point in a body's axes, if it stays there whatever the coordinates are.
fn carried(mechanism: &Mechanism, body: &Body, point: &Placed, at: &Instant) -> Option<Vector> {
    match mechanism.kept(body, point, (at.t, at.q, at.parameters)) {
        Kept::At(place) => Some(place),
        Kept::No | Kept::Unknown => None,
    }
}

/// The convex outline of points of the plane; on a line, the line.
fn outline(points: &[Vector]) -> Option<Part> {
    let size = points.iter().map(|p| length(*p)).fold(0.0, f64::max);
    let hull = hull(points, f64::EPSILON.sqrt() * size * size);
    match hull.len() {
        0 | 1 => None,
        2 => Some(Part::Path(hull)),
        _ => Some(Part::Face(hull)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, cuboid, outline};
    use crate::plot::mechanism::place::{cross, dot, minus};

    #[test]
    fn points_and_their_images_make_rods_and_boxes() {
        let rod = outline(&[[-1.0, 0.5, 0.0], [1.0, -0.5, 0.0]]);
        assert_eq!(rod, Some(Part::Path(vec![[-1.0, 0.5, 0.0], [1.0, -0.5, 0.0]])));
        let corners = [[-1.0, -2.0, 0.0], [1.0, -2.0, 0.0], [1.0, 2.0, 0.0], [-1.0, 2.0, 0.0]];
        let mut given = corners.to_vec();
        given.push([0.3, -0.2, 0.0]);
        given.reverse();
        assert_eq!(outline(&given), Some(Part::Face(corners.to_vec())));
    }

    /// An arm of two links on a pivot, whose hand is held to a third body by a constraint.
    const ARM: &str = "mechan: 1\nname: arm\nspace: plane\ncoordinates: [a, b, x, y, c]\nframes:\n  upper: {origin: [0.1, 0.2], rotation: a}\n  \
        lower: {parent: upper, origin: [1, 0], rotation: b}\nbodies:\n  upper_arm: {mass: 1, inertia: 1, frame: upper, centre: [0.4, 0]}\n  \
        forearm: {mass: 1, inertia: 1, frame: lower, centre: [0.5, 0.1]}\n  tool: {mass: 1, inertia: 1, position: [x, y], rotation: c}\n\
        constraints:\n  - {name: hand, coincident: [{frame: lower, at: [0.8, 0]}, {body: tool, at: [0.3, 0]}]}\n";

    #[test]
    fn links_go_from_hinge_to_hinge() {
        let mechanism = crate::format::read(&crate::diag::Source::new("arm.yaml", ARM)).unwrap().mechanism;
        let q = [0.3, -0.7, 2.0, 1.0, 0.4];
        let at = super::Instant { mechanism: &mechanism, t: 0.0, q: &q, parameters: &[] };
        let near = |part: &Part, expected: [[f64; 2]; 2]| {
            let Part::Path(points) = part else { panic!("{part:?}") };
            let is = |p: &[f64; 3], e: [f64; 2]| (p[0] - e[0]).abs() < 1e-12 && (p[1] - e[1]).abs() < 1e-12;
            let [a, b] = expected;
            let ends = [&points[0], &points[points.len() - 1]];
            assert!(is(ends[0], a) && is(ends[1], b) || is(ends[0], b) && is(ends[1], a), "{points:?}");
        };
        let found = super::shapes(&mechanism, &at);
        // in their own axes, from their centres
        near(&found[0][0], [[-0.4, 0.0], [0.6, 0.0]]);
        near(&found[1][0], [[-0.5, -0.1], [0.3, -0.1]]);
        // one hinge alone: the centre is the middle
        near(&found[2][0], [[0.3, 0.0], [-0.3, 0.0]]);
    }

    #[test]
    fn faces_of_a_box_look_outwards_and_have_its_area() {
        let half = [1.0, 2.0, 3.0];
        let mut area = 0.0;
        for face in cuboid(half) {
            let normal = cross(minus(face[1], face[0]), minus(face[2], face[1]));
            assert!(dot(normal, face[0]) > 0.0);
            area += dot(normal, normal).sqrt();
        }
        assert!((area - 8.0 * (2.0 + 6.0 + 3.0)).abs() < 1e-12);
    }
}
