//! Constant rotations and places: matrices, the angles that URDF and MJCF give them by, and the lists of elementary rotations
//! that a mechanism has. A list is applied in order, each about the axes that the earlier ones have turned (intrinsic).
//!
//! URDF's roll-pitch-yaw is about fixed axes, R = Rz(yaw) Ry(pitch) Rx(roll), which is the intrinsic list z, y, x.

pub(super) type Vector = [f64; 3];
pub(super) type Matrix = [[f64; 3]; 3];

pub(super) const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Rounding of a product of a few rotations, relative to one: what is below is zero that was computed.
pub(super) const ROUNDING: f64 = 16.0 * f64::EPSILON;

pub(super) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

pub(super) fn transpose(a: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

pub(super) fn apply(a: &Matrix, x: Vector) -> Vector {
    std::array::from_fn(|i| (0..3).map(|k| a[i][k] * x[k]).sum())
}

pub(super) fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Whether a vector is zero.
pub(super) fn is_zero(a: Vector) -> bool {
    a.iter().all(|x| *x == 0.0)
}

/// The sum without components that are rounding beside what they are the difference of.
pub(super) fn sum(a: Vector, b: Vector) -> Vector {
    let scale = norm(a) + norm(b);
    plus(a, b).map(|c| if c.abs() <= ROUNDING * scale { 0.0 } else { c })
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(super) fn scaled(a: Vector, s: f64) -> Vector {
    a.map(|x| s * x)
}

pub(super) fn norm(a: Vector) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A rotation by an angle about the k-th axis.
pub(super) fn elementary(axis: usize, angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut r = IDENTITY;
    (r[i][i], r[i][j], r[j][i], r[j][j]) = (c, -s, s, c);
    r
}

/// A constant list of elementary rotations: axes and angles.
pub(super) type List = Vec<(usize, f64)>;

/// The matrix of a list.
pub(super) fn matrix(list: &[(usize, f64)]) -> Matrix {
    list.iter().fold(IDENTITY, |r, &(axis, angle)| product(&r, &elementary(axis, angle)))
}

/// The list of a rotation about one axis by an angle; none for no rotation.
fn one(axis: usize, angle: f64) -> List {
    if angle == 0.0 { vec![] } else { vec![(axis, angle)] }
}

/// URDF's angles, without those that are zero.
pub(super) fn of_rpy([roll, pitch, yaw]: Vector) -> List {
    [(2, yaw), (1, pitch), (0, roll)].into_iter().filter(|(_, angle)| *angle != 0.0).collect()
}

/// A list for a matrix, as short as may be: nothing, one axis, else z, y, x.
pub(super) fn list(r: &Matrix) -> List {
    let zero = |x: f64| x.abs() <= ROUNDING;
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        if zero(r[axis][i]) && zero(r[axis][j]) && r[axis][axis] > 0.0 {
            let angle = r[j][i].atan2(r[i][i]);
            return if zero(angle) { vec![] } else { one(axis, angle) };
        }
    }
    let cosine = r[0][0].hypot(r[1][0]);
    let pitch = (-r[2][0]).atan2(cosine);
    // where the pitch is a right angle, yaw and roll turn about one axis: all of it is yaw
    let (yaw, roll) = if zero(cosine) {
        ((-r[0][1]).atan2(r[1][1]), 0.0)
    } else {
        (r[1][0].atan2(r[0][0]), r[2][1].atan2(r[2][2]))
    };
    [(2, yaw), (1, pitch), (0, roll)].into_iter().filter(|(_, angle)| !zero(*angle)).collect()
}

/// The matrix of a quaternion w, x, y, z of any length but zero.
pub(super) fn of_quaternion(q: [f64; 4]) -> Matrix {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [w, x, y, z] = q.map(|c| c / length);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// A quaternion w, x, y, z of a matrix, w not negative.
pub(super) fn to_quaternion(r: &Matrix) -> [f64; 4] {
    list(r).iter().fold([1.0, 0.0, 0.0, 0.0], |[w, x, y, z], &(axis, angle)| {
        let (s, c) = (angle / 2.0).sin_cos();
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let v = [x, y, z];
        let mut turned = [0.0; 3];
        turned[axis] = c * v[axis] + s * w;
        turned[a] = c * v[a] + s * v[b];
        turned[b] = c * v[b] - s * v[a];
        [c * w - s * v[axis], turned[0], turned[1], turned[2]]
    })
}

/// A place in a parent: x in the link is `rotation` x + `origin` there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub(super) origin: Vector,
    pub(super) rotation: Matrix,
}

impl Pose {
    pub(super) const HERE: Pose = Pose { origin: [0.0; 3], rotation: IDENTITY };

    /// The place of something that is at `inner` in this one.
    pub(super) fn then(&self, inner: &Pose) -> Pose {
        Pose { origin: self.point(inner.origin), rotation: product(&self.rotation, &inner.rotation) }
    }

    pub(super) fn point(&self, x: Vector) -> Vector {
        sum(self.origin, apply(&self.rotation, x))
    }

    pub(super) fn at(origin: Vector) -> Pose {
        Pose { origin, rotation: IDENTITY }
    }

    /// The same without what is rounding beside the larger numbers.
    pub(super) fn tidied(self) -> Pose {
        Pose { origin: tidied(self.origin), rotation: self.rotation }
    }
}

/// The vector without components that are rounding beside its length.
pub(super) fn tidied(x: Vector) -> Vector {
    let scale = norm(x);
    x.map(|c| if c.abs() <= ROUNDING * scale { 0.0 } else { c })
}

/// Constant rotations that take a coordinate axis to a unit vector: the axis, whether it is turned round, and the list.
pub(super) fn align(direction: Vector) -> (usize, f64, List) {
    let d = tidied(scaled(direction, 1.0 / norm(direction)));
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        if d[i] == 0.0 && d[j] == 0.0 {
            return (axis, d[axis].signum(), vec![]);
        }
    }
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        if d[axis] == 0.0 {
            return (i, 1.0, vec![(axis, d[j].atan2(d[i]))]);
        }
    }
    // z to d = Rz(yaw) Ry(polar) z
    (2, 1.0, vec![(2, d[1].atan2(d[0])), (1, d[0].hypot(d[1]).atan2(d[2]))])
}

/// The list of the inverse.
pub(super) fn inverse(list: &[(usize, f64)]) -> List {
    list.iter().rev().map(|&(axis, angle)| (axis, -angle)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: &Matrix, b: &Matrix) -> bool {
        (0..9).all(|k| (a[k / 3][k % 3] - b[k / 3][k % 3]).abs() < 1e-14)
    }

    #[test]
    fn a_list_has_the_matrix_it_was_made_of() {
        for angles in
            [[0.3, -0.7, 2.9], [0.0, 1.2, 0.0], [0.4, std::f64::consts::FRAC_PI_2, -1.0], [3.0, 0.0, 0.0]]
        {
            let r = matrix(&of_rpy(angles));
            assert!(near(&matrix(&list(&r)), &r), "{angles:?}");
            assert!(near(&of_quaternion(to_quaternion(&r)), &r), "{angles:?}");
        }
    }

    /// R = Rz(yaw) Ry(pitch) Rx(roll) written out, as the URDF documentation has it.
    #[test]
    fn roll_pitch_yaw_are_about_fixed_axes() {
        let r = matrix(&of_rpy([0.3, -0.7, 1.1]));
        let ((sr, cr), (sp, cp), (sy, cy)) = (0.3_f64.sin_cos(), (-0.7_f64).sin_cos(), 1.1_f64.sin_cos());
        let expected = [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ];
        assert!(near(&r, &expected));
    }

    /// Rodrigues' formula against the list of constant, elementary, constant.
    #[test]
    fn an_aligned_list_turns_about_the_axis() {
        for d in [[1.0, 2.0, -0.5], [0.0, -1.0, 0.0], [0.0, 0.6, -0.8], [-0.6, 0.8, 0.0], [0.1, 0.0, -3.0]] {
            let (axis, sign, to) = align(d);
            let turn = [to.clone(), vec![(axis, sign * 0.8)], inverse(&to)].concat();
            let u = scaled(d, 1.0 / norm(d));
            let (s, c) = 0.8_f64.sin_cos();
            let cross = [[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]];
            let expected = std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let same = if i == j { c } else { 0.0 };
                    same + s * cross[i][j] + (1.0 - c) * u[i] * u[j]
                })
            });
            assert!(near(&matrix(&turn), &expected), "{d:?}");
        }
    }
}
