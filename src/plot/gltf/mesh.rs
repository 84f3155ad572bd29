//! Triangles with normals: what bodies and surfaces are made of.

use super::outline::{signed_area, triangles};
use crate::plot::mechanism::place::{Vector, cross, dot, length, minus, plus, times, unit};
use std::f64::consts::{PI, TAU};

/// Sides of what is round.
const SIDES: usize = 48;
/// Rings of a ball, from pole to pole.
const RINGS: usize = 24;

/// Points, each with a normal, and triangles, counter-clockwise from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mesh {
    pub(super) points: Vec<Vector>,
    pub(super) normals: Vec<Vector>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Mesh {
    fn corner(&mut self, point: Vector, normal: Vector) -> u32 {
        self.points.push(point);
        self.normals.push(normal);
        self.points.len() as u32 - 1
    }

    /// A flat convex face, counter-clockwise from outside; one without area is left out.
    fn face(&mut self, corners: &[Vector]) {
        let [a, b, c, ..] = corners else { return };
        let normal = cross(minus(*b, *a), minus(*c, *b));
        if length(normal) > 0.0 {
            let own: Vec<u32> = corners.iter().map(|p| self.corner(*p, unit(normal))).collect();
            self.triangles.extend((2..own.len()).map(|k| [own[0], own[k - 1], own[k]]));
        }
    }

    /// Of flat convex faces.
    pub(super) fn of_faces(faces: &[Vec<Vector>]) -> Self {
        let mut mesh = Self::default();
        faces.iter().for_each(|face| mesh.face(face));
        mesh
    }

    /// A box around a point by the halves of its edges.
    pub(super) fn cuboid(centre: Vector, halves: [Vector; 3]) -> Self {
        let mut mesh = Self::default();
        for k in 0..3 {
            let (a, b) = (halves[(k + 1) % 3], halves[(k + 2) % 3]);
            for sign in [1.0, -1.0] {
                let middle = plus(centre, times(halves[k], sign));
                let corner = |s: f64, t: f64| plus(middle, plus(times(a, sign * s), times(b, t)));
                mesh.face(&[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]);
            }
        }
        mesh
    }

    /// A bar from point to point, this wide across and this deep, its depth along a direction that need not be square to it.
    pub(super) fn bar([from, to]: [Vector; 2], [wide, deep]: [f64; 2], depth: Vector) -> Self {
        let along = minus(to, from);
        let across = cross(depth, along);
        if length(across) <= f64::EPSILON.sqrt() * length(along) * length(depth) {
            let other = if depth[0].abs() < 0.9 * length(depth) { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            return if length(along) > 0.0 {
                Self::bar([from, to], [wide, deep], other)
            } else {
                Self::default()
            };
        }
        let (across, ahead) = (unit(across), unit(along));
        let halves = [times(along, 0.5), times(across, 0.5 * wide), times(cross(ahead, across), 0.5 * deep)];
        Self::cuboid(times(plus(from, to), 0.5), halves)
    }

    /// A flat outline, given a thickness half of which lies on either side.
    pub(super) fn plate(outline: &[Vector], thick: f64) -> Self {
        let sum = (1..outline.len().saturating_sub(1)).fold([0.0; 3], |sum, k| {
            plus(sum, cross(minus(outline[k], outline[0]), minus(outline[k + 1], outline[0])))
        });
        if length(sum) <= 0.0 {
            return Self::default();
        }
        let normal = unit(sum);
        let right =
            unit(cross(normal, if normal[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] }));
        let up = cross(normal, right);
        let flat: Vec<[f64; 2]> = outline.iter().map(|p| [dot(*p, right), dot(*p, up)]).collect();
        debug_assert!(signed_area(&flat) > 0.0);
        let (lift, mut mesh) = (times(normal, 0.5 * thick), Self::default());
        for triangle in triangles(&flat) {
            let [a, b, c] = triangle.map(|i| outline[i]);
            mesh.face(&[a, b, c].map(|p| plus(p, lift)));
            mesh.face(&[c, b, a].map(|p| minus(p, lift)));
        }
        for (k, from) in outline.iter().enumerate() {
            let to = outline[(k + 1) % outline.len()];
            mesh.face(&[minus(*from, lift), minus(to, lift), plus(to, lift), plus(*from, lift)]);
        }
        mesh
    }

    /// A disc about an axis through its centre.
    pub(super) fn disc(centre: Vector, radius: f64, thick: f64, axis: Vector) -> Self {
        let (right, up) = across(axis);
        let rim = (0..SIDES).map(|k| {
            let (sin, cos) = (TAU * k as f64 / SIDES as f64).sin_cos();
            plus(centre, plus(times(right, radius * cos), times(up, radius * sin)))
        });
        Self::plate(&rim.collect::<Vec<_>>(), thick)
    }

    /// Every other eighth of an ellipsoid along the axes: two of them, from `0` and from `1`, make it whole.
    pub(super) fn ellipsoid(centre: Vector, radii: [f64; 3], which: usize) -> Self {
        let mut mesh = Self::default();
        let normal = |ring: usize, side: usize| {
            let ((sin, cos), (s, c)) =
                ((PI * ring as f64 / RINGS as f64).sin_cos(), (TAU * side as f64 / SIDES as f64).sin_cos());
            [sin * c, sin * s, cos]
        };
        for ring in 0..RINGS {
            for side in (0..SIDES).filter(|side| (side / (SIDES / 4) + ring / (RINGS / 2)) % 2 == which) {
                let corners = [(ring, side), (ring + 1, side), (ring + 1, side + 1), (ring, side + 1)];
                let own = corners.map(|(ring, side)| {
                    let normal = normal(ring, side);
                    let place = std::array::from_fn(|k| centre[k] + normal[k] * radii[k]);
                    mesh.corner(place, unit(std::array::from_fn(|k| normal[k] / radii[k])))
                });
                // at a pole two corners are one
                if ring + 1 < RINGS {
                    mesh.triangles.push([own[0], own[1], own[2]]);
                }
                if ring > 0 {
                    mesh.triangles.push([own[0], own[2], own[3]]);
                }
            }
        }
        mesh
    }

    /// The surface of revolution of a line by (radius, height), seen from both sides.
    pub(super) fn shell(origin: Vector, axis: Vector, line: [[f64; 2]; 2]) -> Self {
        let (right, up) = across(axis);
        let place = |[radius, height]: [f64; 2], side: usize| {
            let (sin, cos) = (TAU * (side % SIDES) as f64 / SIDES as f64).sin_cos();
            let out = plus(times(right, radius * cos), times(up, radius * sin));
            plus(origin, plus(times(axis, height), out))
        };
        let mut mesh = Self::default();
        for side in 0..SIDES {
            let [a, b, c, d] = [
                place(line[0], side),
                place(line[0], side + 1),
                place(line[1], side + 1),
                place(line[1], side),
            ];
            // a cone has an end where two corners are one
            let face = if line[0][0] > 0.0 { vec![a, b, c, d] } else { vec![a, c, d] };
            mesh.face(&face);
        }
        mesh
    }

    /// Both in one.
    pub(super) fn with(mut self, other: Self) -> Self {
        let before = self.points.len() as u32;
        self.points.extend(other.points);
        self.normals.extend(other.normals);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|i| i + before)));
        self
    }
}

/// Two directions square to an axis and to each other.
fn across(axis: Vector) -> (Vector, Vector) {
    let axis = unit(axis);
    let right = unit(cross(if axis[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] }, axis));
    (right, cross(axis, right))
}

#[cfg(test)]
mod tests {
    use super::{Mesh, cross, dot, minus};
    use std::f64::consts::PI;

    /// The volume inside, by the divergence theorem: that of a closed surface whose triangles look outwards.
    fn volume(mesh: &Mesh) -> f64 {
        let corner = |i: u32| mesh.points[i as usize];
        mesh.triangles.iter().map(|t| dot(corner(t[0]), cross(corner(t[1]), corner(t[2]))) / 6.0).sum()
    }

    #[test]
    fn solids_are_closed_look_outwards_and_have_their_volume() {
        let at = [0.3, -0.2, 0.7];
        let edges = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
        let bar = Mesh::bar([[0.0; 3], [3.0, 4.0, 0.0]], [0.5, 0.2], [0.0, 0.0, 1.0]);
        let upright = Mesh::bar([[0.0; 3], [0.0, 0.0, 2.0]], [0.5, 0.2], [0.0, 0.0, 1.0]);
        let ell = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let ell = Mesh::plate(&ell.map(|[x, y]| [x, y, 0.0]), 0.1);
        let whole = |radii| Mesh::ellipsoid(at, radii, 0).with(Mesh::ellipsoid(at, radii, 1));
        for (mesh, exact, bound) in [
            (Mesh::cuboid(at, edges), 48.0, 1e-12),
            (bar, 0.5, 1e-12),
            (upright, 0.2, 1e-12),
            (ell, 0.4, 1e-12),
            (Mesh::disc(at, 2.0, 0.5, [0.0, 0.6, 0.8]), 2.0 * PI, 5e-3),
            (whole([1.0; 3]), 4.0 / 3.0 * PI, 1.5e-2),
            (whole([1.0, 0.5, 0.2]), 4.0 / 3.0 * PI * 0.1, 1.5e-2),
        ] {
            let found = volume(&mesh);
            assert!((found - exact).abs() <= bound * exact, "{found} for {exact}");
            for triangle in &mesh.triangles {
                let [a, b, c] = triangle.map(|i| mesh.points[i as usize]);
                let normal = cross(minus(b, a), minus(c, a));
                assert!(triangle.iter().all(|&i| dot(normal, mesh.normals[i as usize]) > 0.0));
            }
        }
    }
}
