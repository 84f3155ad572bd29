//! Vectors of three components and rotations.

use crate::format::free_axis;

/// A vector.
pub type Vector = [f64; 3];

/// The axes of a body as columns, in inertial components.
pub type Axes = [Vector; 3];

/// No rotation.
pub(super) const UPRIGHT: Axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// a · b.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + b.
pub fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
pub fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a + s b.
pub(super) fn along(a: Vector, s: f64, b: Vector) -> Vector {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// s a.
pub fn times(a: Vector, s: f64) -> Vector {
    a.map(|x| x * s)
}

/// |a|.
pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// a / |a|.
pub fn unit(a: Vector) -> Vector {
    times(a, 1.0 / length(a))
}

/// The components of a vector along axes.
pub(super) fn inside(axes: &Axes, a: Vector) -> Vector {
    [dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)]
}

/// The vector with these components along axes.
pub(super) fn outside(axes: &Axes, a: Vector) -> Vector {
    along(along(times(axes[0], a[0]), a[1], axes[1]), a[2], axes[2])
}

/// A rotation as a unit quaternion, the real part first.
pub type Quaternion = [f64; 4];

/// No rotation.
pub(super) const STILL: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// The rotation by a rotation vector: exp(a/2).
pub(super) fn rotation(a: Vector) -> Quaternion {
    let angle = length(a);
    let turns = angle > 0.0;
    if !turns {
        return STILL;
    }
    let (sin, cos) = crate::num::Real::sin_cos(0.5 * angle);
    let s = sin / angle;
    [cos, s * a[0], s * a[1], s * a[2]]
}

/// One rotation after another in the axes that the first has turned, of unit length again.
pub(super) fn compose(p: Quaternion, q: Quaternion) -> Quaternion {
    let r = [
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    ];
    let size = r.iter().map(|x| x * x).sum::<f64>().sqrt();
    r.map(|x| x / size)
}

/// The turned axes.
pub(super) fn axes(q: Quaternion) -> Axes {
    let [w, x, y, z] = q;
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The rotation to axes that are given by their inertial components, as a unit quaternion.
pub fn quaternion(axes: Axes) -> Quaternion {
    // of ±w, ±x, ±y, ±z four times the largest square is found first, so that nothing small is divided by
    let [a, b, c] = axes;
    let squares = [
        1.0 + a[0] + b[1] + c[2],
        1.0 + a[0] - b[1] - c[2],
        1.0 - a[0] + b[1] - c[2],
        1.0 - a[0] - b[1] + c[2],
    ];
    let best = (0..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let s = squares[best];
    let q = match best {
        0 => [s, b[2] - c[1], c[0] - a[2], a[1] - b[0]],
        1 => [b[2] - c[1], s, a[1] + b[0], c[0] + a[2]],
        2 => [c[0] - a[2], a[1] + b[0], s, b[2] + c[1]],
        _ => [a[1] - b[0], c[0] + a[2], b[2] + c[1], s],
    };
    let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / size)
}

/// Two unit vectors that make a frame with a normal: the first is the projection of the first inertial axis that is not within
/// 30 degrees of the normal or of its opposite, the second is normal × first. The same as in mechanisms.
pub fn tangents(normal: Vector) -> [Vector; 2] {
    let axis = free_axis(normal);
    let first = unit(along(UPRIGHT[axis], -normal[axis], normal));
    [first, cross(normal, first)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_the_third_axis_takes_the_first_to_the_second() {
        let turned = axes(rotation([0.0, 0.0, std::f64::consts::FRAC_PI_2]));
        let expected = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        turned
            .iter()
            .flatten()
            .zip(expected.iter().flatten())
            .for_each(|(a, b)| assert!((a - b).abs() < 1e-15));
    }

    #[test]
    fn two_turns_are_one_by_the_product() {
        let (a, b) = ([0.3, -0.2, 0.5], [0.1, 0.7, -0.4]);
        let (p, q) = (rotation(a), rotation(b));
        let both = axes(compose(p, q));
        for k in 0..3 {
            let one_by_one = outside(&axes(p), axes(q)[k]);
            assert!(length(minus(both[k], one_by_one)) < 1e-15);
        }
    }

    #[test]
    fn frames_are_right_handed_and_orthonormal() {
        for n in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.6, 0.0, -0.8], [0.48, 0.64, 0.6]] {
            let [t, s] = tangents(n);
            assert!(dot(n, t).abs() < 1e-15 && (length(t) - 1.0).abs() < 1e-15);
            assert!((dot(cross(t, s), n) - 1.0).abs() < 1e-15);
        }
    }
}
