//! From space to the page: the plane as it is, space in an axonometric view with the direction against gravity upwards.

use super::place::{Vector, dot};
use crate::format::Space;

/// Where the viewer stands around the vertical, in degrees.
const AZIMUTH: f64 = -58.0;

/// How far above the horizon, in degrees.
const ELEVATION: f64 = 22.0;

/// Directions of the page and of the viewer.
#[derive(Clone, Copy, Debug)]
pub(in crate::plot) struct View {
    pub(in crate::plot) right: Vector,
    pub(in crate::plot) up: Vector,
    /// Towards the viewer.
    pub(in crate::plot) eye: Vector,
    pub(in crate::plot) space: Space,
}

impl View {
    /// The view of a mechanism with this gravity.
    pub(in crate::plot) fn new(space: Space, gravity: Vector) -> Self {
        if space == Space::Plane {
            let (right, up, eye) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
            return Self { right, up, eye, space };
        }
        let vertical = vertical(gravity);
        let ((sin_a, cos_a), (sin_e, cos_e)) =
            (AZIMUTH.to_radians().sin_cos(), ELEVATION.to_radians().sin_cos());
        // with the vertical last; the other two axes in their cyclic order
        let placed = |v: Vector| {
            let mut placed = [0.0; 3];
            (0..3).for_each(|k| placed[(vertical + 1 + k) % 3] = v[k]);
            placed
        };
        Self {
            right: placed([-sin_a, cos_a, 0.0]),
            up: placed([-sin_e * cos_a, -sin_e * sin_a, cos_e]),
            eye: placed([cos_e * cos_a, cos_e * sin_a, sin_e]),
            space,
        }
    }

    /// The point as the viewer sees it, in the units of the mechanism.
    pub(in crate::plot) fn of(&self, point: Vector) -> [f64; 2] {
        [dot(self.right, point), dot(self.up, point)]
    }

    /// How near to the viewer.
    pub(in crate::plot) fn nearness(&self, point: Vector) -> f64 {
        dot(self.eye, point)
    }
}

/// The axis along which gravity is strongest; z without gravity.
fn vertical(gravity: Vector) -> usize {
    let size = gravity.map(f64::abs);
    [2, 1, 0].into_iter().fold(2, |best, k| if size[k] > size[best] { k } else { best })
}

#[cfg(test)]
mod tests {
    use super::{Space, View, dot};
    use crate::plot::mechanism::place::{cross, length};

    #[test]
    fn directions_are_orthonormal_and_right_handed_whatever_is_up() {
        for gravity in [[0.0, 0.0, -9.8], [0.0, -9.8, 0.0], [-9.8, 0.0, 0.0], [0.0; 3]] {
            let View { right, up, eye, .. } = View::new(Space::Space, gravity);
            for (a, b, expected) in [
                (right, right, 1.0),
                (up, up, 1.0),
                (eye, eye, 1.0),
                (right, up, 0.0),
                (up, eye, 0.0),
                (eye, right, 0.0),
            ] {
                assert!((dot(a, b) - expected).abs() < 1e-15);
            }
            assert!((dot(cross(right, up), eye) - 1.0).abs() < 1e-15);
            let vertical = if length(gravity) > 0.0 { gravity.map(|g| -g / 9.8) } else { [0.0, 0.0, 1.0] };
            assert!(dot(up, vertical) > 0.9 && dot(right, vertical).abs() < 1e-15, "{gravity:?}");
        }
    }
}
