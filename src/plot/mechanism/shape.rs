//! What bodies look like, in their own axes: what the file says, or what their contacts and the centre of mass suggest.

use super::place::{Instant, Vector, length, times};
use crate::expression::Expr;
use crate::format::{Body, Contact, Geometry, Kept, Mechanism, Outline, Placed, Round, Shape, Space};
use crate::plot::hull::hull;

/// Corners of a drawn circle.
const MERIDIANS: usize = 32;

/// Bands of a drawn ellipsoid.
const PARALLELS: usize = 16;

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
    /// A point mass.
    Point,
}

impl Part {
    /// Points that its convex hull is made of, in the body's axes.
    pub(in crate::plot) fn corners(&self) -> Vec<Vector> {
        match self {
            Self::Path(points) | Self::Face(points) => points.clone(),
            Self::Solid(faces) => faces.iter().flatten().copied().collect(),
            Self::Round(centre, radius) => (0..3)
                .flat_map(|k| {
                    [radius, &-radius]
                        .map(|r| std::array::from_fn(|i| centre[i] + if i == k { *r } else { 0.0 }))
                })
                .collect(),
            Self::Point => vec![[0.0; 3]],
        }
    }
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

/// Discs of contacts; the outline of contact points and their images in the centre of mass, which is the middle of what is
/// drawn; else a point.
fn suggested(mechanism: &Mechanism, b: usize, body: &Body, at: &Instant) -> Vec<Part> {
    let rounds = mechanism.contacts.iter().flat_map(rounds).filter(|r| r.body == Some(b));
    let pose = at.pose(body);
    let mut parts: Vec<Part> = rounds
        .map(|r| {
            let centre = r.centre.as_ref().map_or([0.0; 3], |c| pose.inside(at.point(c)));
            outline_of(&r.outline, centre, at)
        })
        .collect();
    parts.dedup();
    let points: Vec<Vector> = mechanism
        .contacts
        .iter()
        .filter_map(point)
        .filter_map(|p| carried(mechanism, body, p, at))
        .filter(|p| length(*p) > 0.0)
        .collect();
    let images = points.iter().map(|p| times(*p, -1.0));
    match (points.len(), mechanism.space) {
        (0, _) => {}
        (_, Space::Plane) => parts.extend(outline(&points.iter().copied().chain(images).collect::<Vec<_>>())),
        (_, Space::Space) => {
            parts.extend(points.iter().zip(images).map(|(p, image)| Part::Path(vec![*p, image])))
        }
    }
    if parts.is_empty() {
        parts.push(Part::Point);
    }
    parts
}

/// What a round body looks like.
fn outline_of(outline: &Outline, centre: Vector, at: &Instant) -> Part {
    if let Outline::Ball(radius) = outline {
        return Part::Round(centre, at.value(radius));
    }
    let axes = outline.semi_axes();
    let semi: Vec<(usize, f64)> = axes.iter().map(|(k, radius)| (*k, at.value(radius))).collect();
    let place = |along: &[f64]| {
        let mut point = centre;
        semi.iter().zip(along).for_each(|((k, radius), x)| point[*k] += radius * x);
        point
    };
    match semi.len() {
        2 => Part::Face(ring(1.0).map(|[x, y]| place(&[x, y])).collect()),
        _ => Part::Solid(globe().iter().map(|face| face.iter().map(|p| place(p)).collect()).collect()),
    }
}

/// Points of a circle, counter-clockwise.
fn ring(radius: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..MERIDIANS).map(move |i| {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / MERIDIANS as f64).sin_cos();
        [radius * cos, radius * sin]
    })
}

/// The faces of a polyhedron in the unit sphere, each counter-clockwise from outside.
fn globe() -> Vec<Vec<Vector>> {
    let circles: Vec<Vec<Vector>> = (0..=PARALLELS)
        .map(|j| {
            let (sin, cos) = (std::f64::consts::PI * j as f64 / PARALLELS as f64).sin_cos();
            ring(if j % PARALLELS == 0 { 0.0 } else { sin }).map(|[x, y]| [x, y, -cos]).collect()
        })
        .collect();
    let next = |i: usize| (i + 1) % MERIDIANS;
    let band = |pair: &[Vec<Vector>]| -> Vec<Vec<Vector>> {
        (0..MERIDIANS).map(|i| vec![pair[0][i], pair[0][next(i)], pair[1][next(i)], pair[1][i]]).collect()
    };
    let mut faces: Vec<Vec<Vector>> = circles.windows(2).flat_map(band).collect();
    // triangles at the poles
    faces.iter_mut().for_each(Vec::dedup);
    faces
}

pub(in crate::plot) fn rounds(contact: &Contact) -> Vec<&Round> {
    match &contact.geometry {
        Geometry::Round { round, .. } => vec![round],
        Geometry::RoundPair { round, other } => vec![round, other],
        Geometry::Point { .. } | Geometry::Direct { .. } => Vec::new(),
    }
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
    use super::{Part, cuboid, globe, outline};
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

    #[test]
    fn faces_of_a_globe_look_outwards_and_close() {
        let mut sum = [0.0; 3];
        for face in globe() {
            let normal = cross(minus(face[1], face[0]), minus(face[2], face[1]));
            assert!(dot(normal, face[0]) > 0.0);
            // twice the area of the face, by its diagonals
            let last = face[face.len() - 1];
            let area =
                if face.len() == 3 { normal } else { cross(minus(face[2], face[0]), minus(last, face[1])) };
            sum = std::array::from_fn(|k| sum[k] + area[k]);
        }
        assert!(dot(sum, sum) < 1e-24, "{sum:?}");
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
