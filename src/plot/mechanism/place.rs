//! Where things are at an instant: points and bodies of a mechanism from its q-expressions. The plane is z = 0.

use crate::expression::{Env, Expr};
use crate::format::{Axes, Body, Mechanism, Placed, Seen};

/// Points and directions.
pub(in crate::plot) use crate::scene::vector::{Vector, cross, dot, length, minus, plus, times, unit};

/// t, q and the parameters at an instant.
#[derive(Clone, Copy, Debug)]
pub(in crate::plot) struct Instant<'a> {
    pub(in crate::plot) mechanism: &'a Mechanism,
    pub(in crate::plot) t: f64,
    pub(in crate::plot) q: &'a [f64],
    pub(in crate::plot) parameters: &'a [f64],
}

impl Instant<'_> {
    pub(super) fn seen(&self) -> Seen<'_, f64> {
        let definitions = &self.mechanism.definitions.values;
        let env = Env { t: self.t, q: self.q, v: &[], parameters: self.parameters, definitions };
        Seen { mechanism: self.mechanism, env }
    }

    pub(in crate::plot) fn value(&self, x: &Expr) -> f64 {
        x.eval(&self.seen().env)
    }

    /// Components as they stand.
    pub(in crate::plot) fn vector(&self, components: &[Expr]) -> Vector {
        self.seen().vector(components)
    }

    /// The inertial place of a point.
    pub(in crate::plot) fn point(&self, point: &Placed) -> Vector {
        self.seen().point(point)
    }

    /// The inertial components of a vector.
    pub(in crate::plot) fn direction(&self, vector: &Placed) -> Vector {
        self.seen().direction(vector)
    }

    pub(in crate::plot) fn pose(&self, body: &Body) -> Pose {
        let Axes { origin, axes } = self.seen().pose(&body.pose);
        Pose { centre: origin, axes }
    }
}

impl Instant<'_> {
    /// The velocity of a body's centre under the rates of the coordinates.
    pub(in crate::plot) fn rate(&self, body: &Body, rates: &[f64]) -> Vector {
        let moving = self.mechanism.moving(
            std::slice::from_ref(body),
            (self.t, self.q, self.parameters),
            (1.0, rates),
        );
        moving[0].twist()[0]
    }
}

/// Where a body is.
#[derive(Clone, Copy, Debug)]
pub(in crate::plot) struct Pose {
    pub(in crate::plot) centre: Vector,
    /// The body's axes in inertial components.
    pub(in crate::plot) axes: [Vector; 3],
}

impl Pose {
    /// The inertial place of a point given in the body's axes.
    pub(in crate::plot) fn outside(&self, point: Vector) -> Vector {
        let [x, y, z] = point;
        let [ex, ey, ez] = self.axes;
        plus(self.centre, plus(times(ex, x), plus(times(ey, y), times(ez, z))))
    }

    /// An inertial point in the body's axes.
    pub(in crate::plot) fn inside(&self, point: Vector) -> Vector {
        let from = minus(point, self.centre);
        self.axes.map(|axis| dot(axis, from))
    }
}

#[cfg(test)]
mod tests {
    use super::{Pose, length, minus};
    use crate::format::Axes;

    /// The rotation matrix of z-x-z angles as textbooks give it, entry by entry.
    #[test]
    fn rotations_are_intrinsic() {
        let (psi, theta, phi) = (0.4_f64, 0.7_f64, -1.1_f64);
        let axes = Axes::inertial().about(2, psi).about(0, theta).about(2, phi).axes;
        let ((s1, c1), (s2, c2), (s3, c3)) = (psi.sin_cos(), theta.sin_cos(), phi.sin_cos());
        let columns = [
            [c1 * c3 - s1 * c2 * s3, s1 * c3 + c1 * c2 * s3, s2 * s3],
            [-c1 * s3 - s1 * c2 * c3, -s1 * s3 + c1 * c2 * c3, s2 * c3],
            [s1 * s2, -c1 * s2, c2],
        ];
        for (found, expected) in axes.into_iter().zip(columns) {
            assert!(length(minus(found, expected)) < 1e-15);
        }
    }

    #[test]
    fn inside_undoes_outside() {
        let axes = Axes::inertial().about(1, 0.3).about(0, 2.0).axes;
        let pose = Pose { centre: [1.0, -2.0, 3.0], axes };
        let point = [0.3, 0.5, -0.7];
        assert!(length(minus(pose.inside(pose.outside(point)), point)) < 1e-15);
    }
}
