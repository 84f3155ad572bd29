//! Boxes: their corners, the nearest point to a ball, and the contacts of two of them by separating axes and clipped faces.

use super::body::{Posed, Solid};
use super::vector::{Axes, Vector, along, cross, dot, inside, length, minus, outside, times};
use crate::num::Tol;

/// The corners with their numbers.
pub(super) fn corners(posed: &Posed, halves: Vector, dim: usize) -> impl Iterator<Item = (u32, Vector)> + '_ {
    (0..1_u32 << dim).map(move |corner| {
        let sign = |k: usize| if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
        let own = std::array::from_fn(|k| if k < dim { sign(k) * halves[k] } else { 0.0 });
        (corner, along(posed.centre, 1.0, outside(&posed.axes, own)))
    })
}

/// A ball near a box: the normal towards the ball's centre, the nearest point of the box, the gap.
pub(super) fn ball(posed: &Posed, centre: Vector, radius: f64, dim: usize) -> Option<(Vector, Vector, f64)> {
    let Solid::Box(halves) = posed.solid else { return None };
    let own = inside(&posed.axes, minus(centre, posed.centre));
    let near: Vector = std::array::from_fn(|k| own[k].clamp(-halves[k], halves[k]));
    let off = minus(own, near);
    let distance = length(off);
    let (near, normal, distance) = if distance > 0.0 {
        (near, times(off, 1.0 / distance), distance)
    } else {
        // the centre is inside: out by the nearest face
        let face =
            (0..dim).min_by(|&i, &j| (halves[i] - own[i].abs()).total_cmp(&(halves[j] - own[j].abs())))?;
        let side = if own[face] < 0.0 { -1.0 } else { 1.0 };
        let normal = std::array::from_fn(|k| if k == face { side } else { 0.0 });
        let depth = halves[face] - own[face].abs();
        (along(own, depth, normal), normal, -depth)
    };
    let point = along(posed.centre, 1.0, outside(&posed.axes, near));
    Some((outside(&posed.axes, normal), point, distance - radius))
}

/// A point in a box or at most `reach` away from it, not deeper than halfway to its centre: the normal towards the box, where that is allowed, of the
/// face that it is least deep behind, and the gap.
pub(super) fn point(
    posed: &Posed,
    x: Vector,
    (dim, reach): (usize, f64),
    allowed: &dyn Fn(Vector) -> bool,
) -> Option<(Vector, f64)> {
    let Solid::Box(halves) = posed.solid else { return None };
    let own = inside(&posed.axes, minus(x, posed.centre));
    if (0..dim).any(|k| own[k].abs() - halves[k] > reach) {
        return None;
    }
    let faces = (0..dim).flat_map(|k| [(k, 1.0), (k, -1.0)]);
    let ways = faces.map(|(k, side)| (times(posed.axes[k], -side), side * own[k] - halves[k]));
    let deep = 0.5 * posed.solid.core();
    ways.filter(|(normal, gap)| *gap > -deep && allowed(*normal)).max_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// The axis along which two boxes are farthest apart.
#[derive(Clone, Copy)]
enum Axis {
    /// A face of the first or of the second box: which box, which axis.
    Face(usize, usize),
    /// An edge of each.
    Edges(usize, usize),
}

/// Features of contacts by corners of a face; those of edges follow.
const EDGE_FEATURES: u32 = 1024;

/// The contacts of two boxes with gaps of at most `reach`: number, point, normal towards the first, gap.
pub(super) fn pair(
    p: &Posed,
    q: &Posed,
    (dim, reach): (usize, f64),
    add: &mut dyn FnMut(u32, Vector, Vector, f64),
) {
    let (Solid::Box(a), Solid::Box(b)) = (p.solid, q.solid) else { return };
    let off = minus(p.centre, q.centre);
    let span = |axes: &Axes, halves: Vector, n: Vector| {
        (0..dim).map(|k| halves[k] * dot(axes[k], n).abs()).sum::<f64>()
    };
    let apart = |n: Vector| dot(off, n).abs() - span(&p.axes, a, n) - span(&q.axes, b, n);
    let mut best = (f64::NEG_INFINITY, Axis::Face(0, 0), p.axes[0]);
    for (body, axes) in [p.axes, q.axes].iter().enumerate() {
        for k in 0..dim {
            let gap = apart(axes[k]);
            if gap > best.0 {
                best = (gap, Axis::Face(body, k), axes[k]);
            }
        }
    }
    if dim == 3 {
        let faces_first = Tol::default().faces_first;
        let size = p.solid.core().min(q.solid.core());
        for i in 0..3 {
            for j in 0..3 {
                let n = cross(p.axes[i], q.axes[j]);
                let long = length(n);
                // parallel edges have no axis of their own
                if long > faces_first {
                    let n = times(n, 1.0 / long);
                    let gap = apart(n);
                    if gap > best.0 + faces_first * size {
                        best = (gap, Axis::Edges(i, j), n);
                    }
                }
            }
        }
    }
    let (gap, axis, n) = best;
    if gap > reach {
        return;
    }
    let normal = if dot(off, n) < 0.0 { times(n, -1.0) } else { n };
    match axis {
        Axis::Edges(i, j) => {
            let point = between_edges((p, a, i), (q, b, j), normal);
            add(EDGE_FEATURES + (3 * i + j) as u32, point, normal, gap);
        }
        Axis::Face(0, k) => {
            faces((p, a, k), (q, b), times(normal, -1.0), (dim, reach), &mut |f, x, g| add(f, x, normal, g))
        }
        Axis::Face(_, k) => {
            faces((q, b, k), (p, a), normal, (dim, reach), &mut |f, x, g| add(512 + f, x, normal, g));
        }
    }
}

/// The middle of the shortest way between two edges.
fn between_edges(
    (p, a, i): (&Posed, Vector, usize),
    (q, b, j): (&Posed, Vector, usize),
    normal: Vector,
) -> Vector {
    let middle = |posed: &Posed, halves: Vector, edge: usize, towards: Vector| {
        (0..3).filter(|&k| k != edge).fold(posed.centre, |x, k| {
            let side = if dot(posed.axes[k], towards) < 0.0 { -1.0 } else { 1.0 };
            along(x, side * halves[k], posed.axes[k])
        })
    };
    let (x, y) = (middle(p, a, i, times(normal, -1.0)), middle(q, b, j, normal));
    let (u, v) = (p.axes[i], q.axes[j]);
    let (off, uv) = (minus(y, x), dot(u, v));
    let scale = 1.0 - uv * uv;
    let s = (dot(off, u) - uv * dot(off, v)) / scale;
    let t = (uv * dot(off, u) - dot(off, v)) / scale;
    let (on_first, on_second) = (along(x, s, u), along(y, t, v));
    times(along(on_first, 1.0, on_second), 0.5)
}

/// A face of one box, with outward normal, and the face of the other that looks most towards it, clipped to the sides of the first.
fn faces(
    (p, a, k): (&Posed, Vector, usize),
    (q, b): (&Posed, Vector),
    outward: Vector,
    (dim, reach): (usize, f64),
    add: &mut dyn FnMut(u32, Vector, f64),
) {
    let face =
        (0..dim).max_by(|&i, &j| dot(q.axes[i], outward).abs().total_cmp(&dot(q.axes[j], outward).abs()));
    let face = face.unwrap_or(0);
    let side = if dot(q.axes[face], outward) > 0.0 { -1.0 } else { 1.0 };
    let middle = along(q.centre, side * b[face], q.axes[face]);
    let others: Vec<usize> = (0..dim).filter(|&i| i != face).collect();
    let corner = |s: f64, t: f64| {
        let x = along(middle, s * b[others[0]], q.axes[others[0]]);
        if dim == 3 { along(x, t * b[others[1]], q.axes[others[1]]) } else { x }
    };
    let mut outline: Vec<Vector> = match dim {
        2 => vec![corner(-1.0, 0.0), corner(1.0, 0.0)],
        _ => vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
    };
    for i in (0..dim).filter(|&i| i != k) {
        for sign in [-1.0, 1.0] {
            let n = times(p.axes[i], sign);
            outline = clipped(&outline, n, dot(n, p.centre) + a[i], dim == 3);
        }
    }
    for (feature, x) in (0..).zip(outline) {
        let gap = dot(outward, minus(x, p.centre)) - a[k];
        if gap <= reach {
            // halfway between the two faces
            add(feature, along(x, -0.5 * gap, outward), gap);
        }
    }
}

/// The part of an outline with n·x ≤ d.
fn clipped(outline: &[Vector], n: Vector, d: f64, closed: bool) -> Vec<Vector> {
    let mut out = Vec::with_capacity(outline.len() + 1);
    let ends = if closed { outline.len() } else { outline.len().saturating_sub(1) };
    for (i, &x) in outline.iter().enumerate() {
        let here = dot(n, x) - d;
        if here <= 0.0 {
            out.push(x);
        }
        if i < ends {
            let y = outline[(i + 1) % outline.len()];
            let there = dot(n, y) - d;
            if (here <= 0.0) != (there <= 0.0) {
                out.push(along(x, here / (here - there), minus(y, x)));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::vector::{UPRIGHT, axes, rotation};
    use super::*;

    fn cube(centre: Vector, turn: Vector) -> Posed {
        Posed { solid: Solid::Box([0.5; 3]), centre, axes: axes(rotation(turn)) }
    }

    fn contacts(p: &Posed, q: &Posed, dim: usize) -> Vec<(Vector, Vector, f64)> {
        let mut found = Vec::new();
        pair(p, q, (dim, 0.01), &mut |_, x, n, g| found.push((x, n, g)));
        found
    }

    #[test]
    fn a_cube_on_a_cube_has_four_contacts_at_the_common_corners() {
        let found = contacts(&cube([0.25, 0.0, 0.99], [0.0; 3]), &cube([0.0; 3], [0.0; 3]), 3);
        assert_eq!(found.len(), 4);
        for (x, n, g) in found {
            assert!((g + 0.01).abs() < 1e-15 && length(minus(n, UPRIGHT[2])) < 1e-15);
            assert!((x[2] - 0.495).abs() < 1e-15 && (x[1].abs() - 0.5).abs() < 1e-15, "{x:?}");
            assert!((x[0] - 0.5).abs() < 1e-15 || (x[0] + 0.25).abs() < 1e-15, "{x:?}");
        }
    }

    #[test]
    fn two_crossed_edges_have_one_contact_between_them() {
        let quarter = std::f64::consts::FRAC_PI_4;
        let high = 0.5 * 2.0_f64.sqrt();
        let below = cube([0.0; 3], [quarter, 0.0, 0.0]);
        let above = cube([0.0, 0.0, 2.0 * high - 0.002], [0.0, quarter, 0.0]);
        let found = contacts(&above, &below, 3);
        assert_eq!(found.len(), 1);
        let (x, n, g) = found[0];
        assert!((g + 0.002).abs() < 1e-12 && length(minus(n, UPRIGHT[2])) < 1e-12);
        assert!(length(minus(x, [0.0, 0.0, high - 0.001])) < 1e-12, "{x:?}");
    }

    #[test]
    fn squares_in_the_plane_meet_at_two_points_or_one() {
        let square = |x: f64, y: f64, turn: f64| Posed {
            solid: Solid::Box([0.5, 0.5, 0.0]),
            centre: [x, y, 0.0],
            axes: axes(rotation([0.0, 0.0, turn])),
        };
        assert_eq!(contacts(&square(0.1, 1.0, 0.0), &square(0.0, 0.0, 0.0), 2).len(), 2);
        let corner = contacts(
            &square(0.0, 0.5 + 0.5 * 2.0_f64.sqrt(), std::f64::consts::FRAC_PI_4),
            &square(0.0, 0.0, 0.0),
            2,
        );
        assert_eq!(corner.len(), 1);
        assert!(length(minus(corner[0].0, [0.0, 0.5, 0.0])) < 1e-12, "{corner:?}");
        assert!(contacts(&square(1.5, 0.0, 0.0), &square(0.0, 0.0, 0.0), 2).is_empty());
    }

    #[test]
    fn a_ball_meets_face_edge_and_corner_of_a_box() {
        let posed = cube([0.0; 3], [0.0; 3]);
        for (centre, distance) in
            [([0.0, 0.0, 1.0], 0.5), ([1.0, 0.0, 1.0], 0.5_f64.sqrt()), ([1.0; 3], 0.75_f64.sqrt())]
        {
            let (normal, point, gap) = ball(&posed, centre, 0.1, 3).unwrap();
            assert!((gap - distance + 0.1).abs() < 1e-15);
            assert!(length(minus(along(point, distance, normal), centre)) < 1e-15);
        }
        let (normal, _, gap) = ball(&posed, [0.1, 0.0, 0.4], 0.1, 3).unwrap();
        assert!((gap + 0.2).abs() < 1e-15 && length(minus(normal, UPRIGHT[2])) < 1e-15, "from inside: {gap}");
    }
}
