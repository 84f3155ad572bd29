//! External surfaces: their pieces, how they move, and the nearest point of a piece to a point.
//!
//! A motion is rigid, x = c + d(t) + R(φ(t)) (X − c), so that distances are asked for in the axes of the surface at rest. Planes and
//! circles are solid behind; plates, walls and shells of revolution are thin and have two sides.

use super::vector::{
    Axes, UPRIGHT, Vector, along, axes, cross, dot, inside, length, minus, outside, rotation, times, unit,
};
use crate::expression::{Env, Expr};
use crate::format::scene::{Surface, SurfaceMotion, SurfaceShape};
use crate::num::Dual;

/// A piece of a surface, at rest.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Point and normal; solid behind.
    Plane(Vector, Vector),
    /// Centre and radius, in the plane; solid outside.
    Circle(Vector, f64),
    /// From point to point, in the plane; and where a wall goes on from each.
    Wall([Vector; 2], [Option<Vector>; 2]),
    /// Centre and halves of the edges.
    Plate(Vector, [Vector; 2]),
    /// Origin, axis, a part of the profile by (radius, height), and where the profile goes on from each end.
    Shell(Vector, Vector, [[f64; 2]; 2], [Option<[f64; 2]>; 2]),
}

/// A piece with the surface that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Number of the surface.
    pub surface: usize,
    /// The piece.
    pub piece: Piece,
}

/// Where a surface is, and how fast it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    centre: Vector,
    shift: Vector,
    axes: Axes,
    velocity: Vector,
    spin: Vector,
}

/// The nearest point of a piece to a point: the distance, negative inside a solid, and the unit normal towards the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Distance, m.
    pub distance: f64,
    /// Unit normal at the nearest point.
    pub normal: Vector,
    /// Whether that is the begin or the end of the piece's line.
    pub end: Option<usize>,
}

/// The pieces of all surfaces.
pub(super) fn obstacles(surfaces: &[Surface]) -> Vec<Obstacle> {
    let mut all = Vec::new();
    for (surface, given) in surfaces.iter().enumerate() {
        let mut add = |piece| all.push(Obstacle { surface, piece });
        match &given.shape {
            SurfaceShape::Plane { point, normal } => add(Piece::Plane(*point, *normal)),
            SurfaceShape::Inside(planes) => planes.iter().for_each(|(p, n)| add(Piece::Plane(*p, *n))),
            SurfaceShape::Circle { centre, radius } => add(Piece::Circle(*centre, *radius)),
            SurfaceShape::Plate { centre, halves } => add(Piece::Plate(*centre, *halves)),
            SurfaceShape::Walls(points) => {
                let point = |k: usize| points.get(k).copied().filter(|x| x.iter().all(|x| x.is_finite()));
                for k in 0..points.len() {
                    if let (Some(a), Some(b)) = (point(k), point(k + 1)) {
                        add(Piece::Wall([a, b], [k.checked_sub(1).and_then(point), point(k + 2)]));
                    }
                }
            }
            SurfaceShape::Revolved { origin, axis, profile } => {
                // on the axis it goes on at the other side
                let mirrored = |at: usize, from: usize| {
                    let closed = profile[at][0] <= 0.0;
                    closed.then(|| [-profile[from][0], profile[from][1]])
                };
                for (k, part) in profile.windows(2).enumerate() {
                    let before = k.checked_sub(1).map(|i| profile[i]).or_else(|| mirrored(k, k + 1));
                    let after = profile.get(k + 2).copied().or_else(|| mirrored(k + 1, k));
                    add(Piece::Shell(*origin, *axis, [part[0], part[1]], [before, after]));
                }
            }
        }
    }
    all
}

impl Pose {
    /// A surface that does not move.
    pub const FIXED: Self =
        Self { centre: [0.0; 3], shift: [0.0; 3], axes: UPRIGHT, velocity: [0.0; 3], spin: [0.0; 3] };

    /// A surface at a time.
    pub fn of(surface: &Surface, t: f64, parameters: &[f64]) -> Self {
        let Some(motion) = &surface.motion else { return Self::FIXED };
        let SurfaceMotion { displacement, centre, axis, angle, velocity, rate } = motion;
        let moved: [Dual<f64>; 3] = std::array::from_fn(|k| {
            let own = displacement[k].as_ref().map_or(Dual::fixed(0.0), |expr| at(expr, t, parameters));
            Dual::new(own.re + velocity[k] * t, own.eps + velocity[k])
        });
        let turn = angle.as_ref().map_or(Dual::fixed(0.0), |expr| at(expr, t, parameters));
        let (angle, rate) = (turn.re + rate * t, turn.eps + rate);
        Self {
            centre: *centre,
            shift: moved.map(|x| x.re),
            axes: axes(rotation(times(*axis, angle))),
            velocity: moved.map(|x| x.eps),
            spin: times(*axis, rate),
        }
    }

    /// Whether all of it is numbers.
    pub fn is_finite(&self) -> bool {
        [self.shift, self.velocity, self.spin].iter().chain(&self.axes).flatten().all(|x| x.is_finite())
    }

    /// A point in the axes of the surface at rest.
    pub fn at_rest(&self, x: Vector) -> Vector {
        along(self.centre, 1.0, inside(&self.axes, minus(minus(x, self.centre), self.shift)))
    }

    /// A point of the surface at rest where it is now.
    pub fn now(&self, x: Vector) -> Vector {
        along(along(self.centre, 1.0, self.shift), 1.0, outside(&self.axes, minus(x, self.centre)))
    }

    /// A direction of the surface at rest as it is now.
    pub fn turned(&self, x: Vector) -> Vector {
        outside(&self.axes, x)
    }

    /// Velocity of the material point at the origin, and rate of rotation: all of the motion at this moment.
    pub(super) fn twist(&self) -> [Vector; 2] {
        [self.velocity_at([0.0; 3]), self.spin]
    }

    /// Velocity of the surface's material point at a place.
    pub fn velocity_at(&self, x: Vector) -> Vector {
        along(self.velocity, 1.0, cross(self.spin, minus(minus(x, self.centre), self.shift)))
    }
}

/// An expression of t and its rate.
fn at(expr: &Expr, t: f64, parameters: &[f64]) -> Dual<f64> {
    let parameters: Vec<Dual<f64>> = parameters.iter().map(|x| Dual::fixed(*x)).collect();
    expr.eval(&Env { t: Dual::new(t, 1.0), q: &[], v: &[], parameters: &parameters, definitions: &[] })
}

impl Piece {
    /// The corners of a wall with the ways that the wall goes on from them; where two walls meet, the first one has the corner.
    pub(super) fn corners(&self) -> impl Iterator<Item = (Vector, [Vector; 2])> + '_ {
        let Self::Wall([a, b], [before, after]) = *self else { return None.into_iter().chain(None) };
        let end = (b, [minus(a, b), after.map_or([0.0; 3], |next| minus(next, b))]);
        let begin = before.is_none().then(|| (a, [minus(b, a), [0.0; 3]]));
        begin.into_iter().chain(Some(end))
    }

    /// Whether a line goes on from an end towards the side on which x is: what is behind that end is then behind the surface.
    pub(super) fn is_hollow(&self, end: usize, x: Vector) -> bool {
        let flat = |p: Vector| [p[0], p[1]];
        let (points, beyond, x) = match self {
            Self::Wall(points, beyond) => (points.map(flat), beyond[end].map(flat), flat(x)),
            Self::Shell(origin, axis, points, beyond) => {
                let from = minus(x, *origin);
                let height = dot(from, *axis);
                (*points, beyond[end], [length(along(from, -height, *axis)), height])
            }
            Self::Plane(..) | Self::Circle(..) | Self::Plate(..) => return false,
        };
        let [[a, b], [c, d]] = points;
        let above = |p: [f64; 2]| (c - a) * (p[1] - b) - (d - b) * (p[0] - a);
        beyond.is_some_and(|next| above(next) * above(x) > 0.0)
    }

    /// The nearest point to x, both at rest.
    pub fn nearest(&self, x: Vector) -> Nearest {
        match self {
            Self::Plane(point, normal) => {
                Nearest { distance: dot(*normal, minus(x, *point)), normal: *normal, end: None }
            }
            Self::Circle(centre, radius) => {
                let inward = minus(*centre, x);
                let from = length(inward);
                let normal = if from > 0.0 { times(inward, 1.0 / from) } else { UPRIGHT[0] };
                Nearest { distance: radius - from, normal, end: None }
            }
            Self::Wall([a, b], _) => {
                let way = minus(*b, *a);
                let (share, end) = within(dot(minus(x, *a), way) / dot(way, way));
                Nearest { end, ..towards(minus(x, along(*a, share, way)), [way[1], -way[0], 0.0]) }
            }
            Self::Plate(centre, halves) => {
                let from = minus(x, *centre);
                let nearest = halves.iter().fold(*centre, |p, half| {
                    along(p, (dot(from, *half) / dot(*half, *half)).clamp(-1.0, 1.0), *half)
                });
                towards(minus(x, nearest), cross(halves[0], halves[1]))
            }
            Self::Shell(origin, axis, [p, q], _) => {
                let from = minus(x, *origin);
                let height = dot(from, *axis);
                let across = along(from, -height, *axis);
                let radius = length(across);
                let outward = if radius > 0.0 {
                    times(across, 1.0 / radius)
                } else {
                    super::vector::tangents(*axis)[0]
                };
                let way = [q[0] - p[0], q[1] - p[1]];
                let share = ((radius - p[0]) * way[0] + (height - p[1]) * way[1])
                    / (way[0] * way[0] + way[1] * way[1]);
                let (share, end) = within(share);
                let off = [radius - p[0] - share * way[0], height - p[1] - share * way[1]];
                let turned = |[r, z]: [f64; 2]| along(times(outward, r), z, *axis);
                Nearest { end, ..towards(turned(off), turned([-way[1], way[0]])) }
            }
        }
    }
}

/// By the vector from the nearest point; on the piece itself a normal of it.
fn towards(off: Vector, normal: Vector) -> Nearest {
    let distance = length(off);
    let direction = if distance > 0.0 { off } else { normal };
    Nearest { distance, normal: unit(direction), end: None }
}

/// A share of a line that stays on it, and the end at which it was stopped.
fn within(share: f64) -> (f64, Option<usize>) {
    let end = if share < 0.0 { Some(0) } else { (share > 1.0).then_some(1) };
    (share.clamp(0.0, 1.0), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the least distance to many points of the piece.
    #[test]
    fn nearest_points_are_those_of_a_search() {
        let (origin, axis) = ([0.1, -0.2, 0.3], [0.6, 0.0, 0.8]);
        let shell = Piece::Shell(origin, axis, [[0.2, 0.0], [1.0, 0.7]], [None; 2]);
        let plate = Piece::Plate(origin, [[0.5, 0.0, 0.0], [0.0, 0.3, 0.4]]);
        let [t, s] = super::super::vector::tangents(axis);
        let n = 400;
        let mut shells = Vec::new();
        let mut plates = Vec::new();
        for i in 0..=n {
            let a = f64::from(i) / f64::from(n);
            for j in 0..n {
                let b = f64::from(j) / f64::from(n);
                let (sin, cos) = (b * std::f64::consts::TAU).sin_cos();
                let (radius, height) = (0.2 + 0.8 * a, 0.7 * a);
                let around = along(times(t, radius * cos), radius * sin, s);
                shells.push(along(along(origin, 1.0, around), height, axis));
                let on = along(origin, 2.0 * a - 1.0, [0.5, 0.0, 0.0]);
                let across = 2.0 * f64::from(j) / f64::from(n - 1) - 1.0;
                plates.push(along(on, across, [0.0, 0.3, 0.4]));
            }
        }
        for x in [[0.0, 0.0, 0.0], [0.7, 0.1, 0.9], [2.0, -1.0, 0.5], [0.5, 0.5, 1.5], [-1.0, 0.3, -2.0]] {
            for (piece, points) in [(&shell, &shells), (&plate, &plates)] {
                let least = points.iter().map(|p| length(minus(x, *p))).fold(f64::INFINITY, f64::min);
                let found = piece.nearest(x);
                assert!((found.distance - least).abs() < 2e-3, "{x:?} {found:?} {least}");
                let back = piece.nearest(along(x, -found.distance, found.normal));
                assert!(back.distance < 1e-12, "{back:?}");
            }
        }
    }
}
