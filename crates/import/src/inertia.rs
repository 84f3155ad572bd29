//! Mass, centre and inertia: composed of parts, of the shapes that MuJoCo computes them from, and whether they can exist.
//!
//! About the common centre c of parts (m_i, c_i, I_i): I = sum I_i + m_i (|d_i|^2 1 - d_i d_i^T), d_i = c_i - c (Huygens, Steiner).

use super::pose::{Matrix, Pose, ROUNDING, Vector, apply, minus, product, scaled, sum, tidied, transpose};

/// Mass, centre of mass in the link, inertia about it in the link's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inertial {
    pub(super) mass: f64,
    pub(super) centre: Vector,
    pub(super) inertia: Matrix,
}

impl Inertial {
    pub(super) fn is_nothing(&self) -> bool {
        self.mass == 0.0 && self.inertia.as_flattened().iter().all(|x| *x == 0.0)
    }

    /// The same seen in the frame in which its own frame is at `pose`.
    pub(super) fn seen_from(&self, pose: &Pose) -> Inertial {
        let turned = product(&product(&pose.rotation, &self.inertia), &transpose(&pose.rotation));
        Inertial { mass: self.mass, centre: tidied(pose.point(self.centre)), inertia: symmetric(&turned) }
    }

    /// Both as one body.
    pub(super) fn with(&self, other: &Inertial) -> Inertial {
        let mass = self.mass + other.mass;
        let centre = if mass > 0.0 {
            scaled(sum(scaled(self.centre, self.mass), scaled(other.centre, other.mass)), 1.0 / mass)
        } else {
            self.centre
        };
        let parts = [self, other].map(|part| part.about(centre));
        let inertia = std::array::from_fn(|i| std::array::from_fn(|j| parts[0][i][j] + parts[1][i][j]));
        Inertial { mass, centre, inertia: symmetric(&inertia) }
    }

    /// The inertia about another point, in the same axes.
    pub(super) fn about(&self, point: Vector) -> Matrix {
        let d = minus(self.centre, point);
        let square: f64 = d.iter().map(|x| x * x).sum();
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let same = if i == j { square } else { 0.0 };
                self.inertia[i][j] + self.mass * (same - d[i] * d[j])
            })
        })
    }

    /// The inertia about a line through a point.
    pub(super) fn about_line(&self, point: Vector, direction: Vector) -> f64 {
        let turned = apply(&self.about(point), direction);
        (0..3).map(|k| direction[k] * turned[k]).sum()
    }
}

/// The symmetric part, without what is rounding beside the largest entry.
fn symmetric(a: &Matrix) -> Matrix {
    let largest = a.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let entry = |x: f64| if x.abs() <= ROUNDING * largest { 0.0 } else { x };
    std::array::from_fn(|i| std::array::from_fn(|j| entry(0.5 * (a[i][j] + a[j][i]))))
}

/// A solid, as geometry and as what mass is computed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    Sphere {
        radius: f64,
    },
    /// Along z, `half` from the centre to the centres of the caps.
    Capsule {
        radius: f64,
        half: f64,
    },
    /// Along z.
    Cylinder {
        radius: f64,
        half: f64,
    },
    /// Half sizes.
    Box {
        half: Vector,
    },
    /// Half axes.
    Ellipsoid {
        half: Vector,
    },
    /// A surface in a file of its own.
    Mesh,
}

impl Solid {
    /// Volume; none for a mesh.
    pub(super) fn volume(&self) -> Option<f64> {
        use std::f64::consts::PI;
        Some(match *self {
            Solid::Sphere { radius: r } => 4.0 / 3.0 * PI * r.powi(3),
            Solid::Capsule { radius: r, half } => PI * r * r * (2.0 * half + 4.0 / 3.0 * r),
            Solid::Cylinder { radius: r, half } => PI * r * r * 2.0 * half,
            Solid::Box { half: [x, y, z] } => 8.0 * x * y * z,
            Solid::Ellipsoid { half: [x, y, z] } => 4.0 / 3.0 * PI * x * y * z,
            Solid::Mesh => return None,
        })
    }

    /// The principal inertias about the centre of a homogeneous solid of this mass; none for a mesh.
    pub(super) fn inertia(&self, mass: f64) -> Option<Vector> {
        let of_squares = |[x, y, z]: Vector, k: f64| {
            [(y * y + z * z), (x * x + z * z), (x * x + y * y)].map(|s| k * mass * s)
        };
        Some(match *self {
            Solid::Sphere { radius: r } => [0.4 * mass * r * r; 3],
            Solid::Box { half } => of_squares(half, 1.0 / 3.0),
            Solid::Ellipsoid { half } => of_squares(half, 0.2),
            Solid::Cylinder { radius: r, half } => {
                let across = mass * (3.0 * r * r + 4.0 * half * half) / 12.0;
                [across, across, 0.5 * mass * r * r]
            }
            Solid::Capsule { radius: r, half } => capsule(mass, r, half),
            Solid::Mesh => return None,
        })
    }
}

/// A cylinder with two half balls, whose centres of mass are 3/8 r beyond its ends.
fn capsule(mass: f64, r: f64, half: f64) -> Vector {
    let (barrel, ball) = (2.0 * half, 4.0 / 3.0 * r);
    let (m, caps) = (mass * barrel / (barrel + ball), mass * ball / (barrel + ball));
    let along = 0.5 * m * r * r + 0.4 * caps * r * r;
    // a ball's inertia about its middle, moved to the capsule's: d^2 + 3/4 d r with d = half
    let across =
        m * (3.0 * r * r + 4.0 * half * half) / 12.0 + caps * (0.4 * r * r + half * half + 0.75 * half * r);
    [across, across, along]
}

/// The smallest principal inertia and the amount by which the largest exceeds the sum of the other two, relative to the largest;
/// for a body of points both are at least zero, and at most.
pub(super) fn defects(inertia: &Matrix) -> (f64, f64) {
    let m = nalgebra::Matrix3::from_fn(|i, j| inertia[i][j]);
    let mut moments: Vec<f64> = m.symmetric_eigenvalues().iter().copied().collect();
    moments.sort_by(f64::total_cmp);
    let largest = moments[2].abs().max(f64::MIN_POSITIVE);
    (moments[0] / largest, (moments[2] - moments[0] - moments[1]) / largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::elementary;

    /// Sums over a fine grid of points inside the solid.
    fn by_points(solid: Solid, inside: impl Fn(f64, f64, f64) -> bool, reach: f64) {
        let n = 120;
        let (mut count, mut sums) = (0.0, [0.0; 3]);
        let at = |k: usize| reach * ((2 * k + 1) as f64 / n as f64 - 1.0);
        for (i, j, k) in (0..n * n * n).map(|c| (c / (n * n), c / n % n, c % n)) {
            let (x, y, z) = (at(i), at(j), at(k));
            if inside(x, y, z) {
                count += 1.0;
                sums = [sums[0] + y * y + z * z, sums[1] + x * x + z * z, sums[2] + x * x + y * y];
            }
        }
        let volume = count * (2.0 * reach / n as f64).powi(3);
        let inertia = solid.inertia(2.0).unwrap();
        assert!((volume / solid.volume().unwrap() - 1.0).abs() < 0.01, "{solid:?}: {volume}");
        for k in 0..3 {
            assert!((2.0 * sums[k] / count / inertia[k] - 1.0).abs() < 0.01, "{solid:?}: {k}");
        }
    }

    #[test]
    fn inertias_of_solids_are_those_of_their_points() {
        let square = |x: f64| x * x;
        by_points(Solid::Sphere { radius: 0.9 }, |x, y, z| x * x + y * y + z * z < 0.81, 1.0);
        by_points(
            Solid::Box { half: [0.3, 0.5, 0.8] },
            |x, y, z| x.abs() < 0.3 && y.abs() < 0.5 && z.abs() < 0.8,
            1.0,
        );
        by_points(
            Solid::Ellipsoid { half: [0.3, 0.5, 0.8] },
            |x, y, z| square(x / 0.3) + square(y / 0.5) + square(z / 0.8) < 1.0,
            1.0,
        );
        by_points(
            Solid::Cylinder { radius: 0.4, half: 0.7 },
            |x, y, z| x.hypot(y) < 0.4 && z.abs() < 0.7,
            1.0,
        );
        let capped = |x: f64, y: f64, z: f64| x * x + y * y + square((z.abs() - 0.5).max(0.0)) < 0.16;
        by_points(Solid::Capsule { radius: 0.4, half: 0.5 }, capped, 1.0);
    }

    #[test]
    fn two_halves_make_the_whole() {
        let whole = Solid::Box { half: [0.1, 0.2, 0.6] };
        let half = Solid::Box { half: [0.1, 0.2, 0.3] };
        let diagonal = |v: Vector| {
            let mut m = [[0.0; 3]; 3];
            (0..3).for_each(|k| m[k][k] = v[k]);
            m
        };
        let part = Inertial { mass: 1.0, centre: [0.0; 3], inertia: diagonal(half.inertia(1.0).unwrap()) };
        let turn = Pose { origin: [0.0, 0.0, 0.3], rotation: elementary(2, std::f64::consts::PI) };
        let sum = part.seen_from(&turn).with(&part.seen_from(&Pose::at([0.0, 0.0, -0.3])));
        let expected = whole.inertia(2.0).unwrap();
        assert!((0..3).all(|k| (sum.inertia[k][k] - expected[k]).abs() < 1e-15), "{sum:?}");
    }

    #[test]
    fn impossible_inertias_are_seen() {
        let (least, excess) = defects(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]]);
        assert!(least > 0.0 && (excess - 1.0 / 3.0).abs() < 1e-12);
        assert!(defects(&[[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).0 < 0.0);
    }
}
