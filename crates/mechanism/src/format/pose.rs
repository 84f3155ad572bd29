//! Where frames, bodies and points are at an instant, as numbers: for pictures, lengths, and the checks of what is derived.
//!
//! The plane is z = 0 of space: all places have three components.

use super::mechanism::{Body, Mechanism};
use super::placement::{Carrier, Placed, Pose, Rotation};
use crate::expression::{Env, Expr};
use crate::num::{Dual, Real};

/// A place or a direction.
type Vector<T> = [T; 3];

/// A place with axes, in inertial components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes<T> {
    /// The place.
    pub origin: Vector<T>,
    /// The axes.
    pub axes: [Vector<T>; 3],
}

/// A mechanism at the values of its symbols.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a, T> {
    /// The mechanism.
    pub mechanism: &'a Mechanism,
    /// The values.
    pub env: Env<'a, T>,
}

impl<T: Real> Axes<T> {
    /// The inertial frame.
    pub fn inertial() -> Self {
        let unit = |k: usize| std::array::from_fn(|i| T::from_f64(f64::from(u8::from(i == k))));
        Self { origin: [T::from_f64(0.0); 3], axes: std::array::from_fn(unit) }
    }

    /// A direction given in these axes.
    pub fn turned(&self, v: Vector<T>) -> Vector<T> {
        std::array::from_fn(|i| self.axes[0][i] * v[0] + self.axes[1][i] * v[1] + self.axes[2][i] * v[2])
    }

    /// A place given in this frame.
    pub fn outside(&self, point: Vector<T>) -> Vector<T> {
        let arm = self.turned(point);
        std::array::from_fn(|i| self.origin[i] + arm[i])
    }

    /// A place as these axes have it.
    pub fn inside(&self, point: Vector<T>) -> Vector<T> {
        let from: Vector<T> = std::array::from_fn(|i| point[i] - self.origin[i]);
        self.axes.map(|axis| axis[0] * from[0] + axis[1] * from[1] + axis[2] * from[2])
    }

    /// The axes turned about one of their own.
    pub fn about(&self, axis: usize, angle: T) -> Self {
        let (sin, cos) = angle.sin_cos();
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut axes = self.axes;
        axes[j] = std::array::from_fn(|i| self.axes[j][i] * cos + self.axes[k][i] * sin);
        axes[k] = std::array::from_fn(|i| self.axes[k][i] * cos - self.axes[j][i] * sin);
        Self { axes, ..*self }
    }
}

impl Axes<Dual> {
    /// Where they are.
    pub fn still(&self) -> Axes<f64> {
        Axes { origin: self.origin.map(|x| x.re), axes: self.axes.map(|axis| axis.map(|x| x.re)) }
    }

    /// Velocity of the place, and rate of rotation ω = ½ Σ aᵢ × ȧᵢ.
    pub fn twist(&self) -> [Vector<f64>; 2] {
        let turn = |i: usize| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let around = self.axes.iter().map(|a| a[j].re * a[k].eps - a[k].re * a[j].eps);
            0.5 * around.sum::<f64>()
        };
        [self.origin.map(|x| x.eps), std::array::from_fn(turn)]
    }
}

impl Mechanism {
    /// Frames of bodies at (t, q, parameters), and how they change where t and q do at these rates.
    pub fn moving(
        &self,
        bodies: &[Body],
        (t, q, parameters): (f64, &[f64], &[f64]),
        (of_time, rates): (f64, &[f64]),
    ) -> Vec<Axes<Dual>> {
        let q: Vec<Dual> = q.iter().zip(rates).map(|(x, v)| Dual::new(*x, *v)).collect();
        let v: Vec<Dual> = rates.iter().map(|v| Dual::fixed(*v)).collect();
        let parameters: Vec<Dual> = parameters.iter().map(|x| Dual::fixed(*x)).collect();
        let definitions = &self.definitions.values;
        let env = Env { t: Dual::new(t, of_time), q: &q, v: &v, parameters: &parameters, definitions };
        let seen = Seen { mechanism: self, env };
        bodies.iter().map(|body| seen.pose(&body.pose)).collect()
    }
}

impl<T: Real> Seen<'_, T> {
    /// An expression.
    pub fn value(&self, x: &Expr) -> T {
        x.eval(&self.env)
    }

    /// Components of the plane or of space.
    pub fn vector(&self, components: &[Expr]) -> Vector<T> {
        std::array::from_fn(|i| components.get(i).map_or(T::from_f64(0.0), |x| self.value(x)))
    }

    /// A frame, by its pose.
    pub fn pose(&self, pose: &Pose) -> Axes<T> {
        let parent = pose.parent.and_then(|i| self.mechanism.frames.get(i));
        let parent = parent.map_or_else(Axes::inertial, |f| self.pose(&f.pose));
        let origin = parent.outside(self.vector(&pose.origin));
        let axes = Axes { origin, ..parent };
        match &pose.rotation {
            Rotation::Angle(angle) => axes.about(2, self.value(angle)),
            Rotation::Sequence(list) => {
                list.iter().fold(axes, |axes, r| axes.about(r.axis, self.value(&r.angle)))
            }
            Rotation::Quaternion(parts) => {
                let own = quaternion_axes(parts.each_ref().map(|x| self.value(x)));
                Axes { axes: own.map(|v| axes.turned(v)), ..axes }
            }
        }
    }

    /// Of the plane: how far a frame is turned, counter-clockwise, whole turns counted.
    pub fn angle(&self, pose: &Pose) -> T {
        let own = match &pose.rotation {
            Rotation::Angle(angle) => self.value(angle),
            Rotation::Sequence(_) | Rotation::Quaternion(_) => T::from_f64(0.0),
        };
        let parent = pose.parent.and_then(|i| self.mechanism.frames.get(i));
        parent.map_or(own, |frame| self.angle(&frame.pose) + own)
    }

    /// What carries a point.
    pub fn carrier(&self, carrier: Option<Carrier>) -> Axes<T> {
        let frame = |i: usize| self.mechanism.frames.get(i).map(|f| &f.pose);
        let pose = match carrier {
            None => None,
            Some(Carrier::Frame(i)) => frame(i),
            Some(Carrier::Body(i)) => self.mechanism.bodies.get(i).map(|b| &b.pose),
        };
        pose.map_or_else(Axes::inertial, |pose| self.pose(pose))
    }

    /// Where a point is.
    pub fn point(&self, point: &Placed) -> Vector<T> {
        self.carrier(point.carrier).outside(self.vector(&point.components))
    }

    /// Where a vector points.
    pub fn direction(&self, vector: &Placed) -> Vector<T> {
        self.carrier(vector.carrier).turned(self.vector(&vector.components))
    }
}

/// The axes of a quaternion e of any length: R = ((e₀² − e·e) 1 + 2 e eᵀ + 2 e₀ [e×])/|e|², by columns.
fn quaternion_axes<T: Real>([w, x, y, z]: [T; 4]) -> [Vector<T>; 3] {
    let two = T::from_f64(2.0);
    let square = w * w + x * x + y * y + z * z;
    let over = |a: T| a / square;
    [
        [over(w * w + x * x - y * y - z * z), over(two * (x * y + w * z)), over(two * (x * z - w * y))],
        [over(two * (x * y - w * z)), over(w * w - x * x + y * y - z * z), over(two * (y * z + w * x))],
        [over(two * (x * z + w * y)), over(two * (y * z - w * x)), over(w * w - x * x - y * y + z * z)],
    ]
}
