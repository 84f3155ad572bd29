//! Gaps, slips and constraints of a mechanism from its file, over any numbers.

use super::motion::{At, Vector, cross, difference, dot, number, rates, sum, values};
use crate::format::{Carrier, ConstraintValue, Geometry, Outline, Pose, Round, Slip, Space, Surface};
use crate::num::{Dual, Real};

/// A contact point: the gap, the unit normal, and the velocity of the first material there relative to the second.
struct Touch<T> {
    gap: T,
    normal: Vector<T>,
    relative: Vector<T>,
}

fn unit<T: Real>(a: Vector<T>) -> Vector<T> {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}

impl<T: Real> At<'_, T> {
    /// The velocity of a body's material at an arm from a moving place of it.
    fn swept(&self, pose: &Pose, arm: Vector<T>) -> Vector<T> {
        cross(self.spin(pose)[0], arm)
    }

    /// A round body's centre, how far it reaches against a direction, and the arm there. Of an ellipsoid with the matrix A = Σ r_k² e_k e_kᵀ:
    /// −A n/√(nᵀ A n); of a rim about a: −R (n − (a·n) a)/|n − (a·n) a|.
    fn round(&self, round: &Round, n: Vector<T>) -> Option<(Vector<Dual<T>>, T, Vector<T>)> {
        let pose = round.body.and_then(|b| self.mechanism.bodies.get(b)).map(|b| &b.pose);
        let centre = match &round.centre {
            Some(centre) => self.point(centre),
            None => self.origin(pose?),
        };
        let against = |by: T, a: Vector<T>| a.map(|x| -(by * x));
        let arm = match &round.outline {
            Outline::Ball(radius) => against(self.value(radius), n),
            Outline::Rim { axis, radius } => {
                let a = self.seen().pose(pose?).axes[*axis];
                against(self.value(radius), unit(sum(n, -dot(n, a), a)))
            }
            Outline::Ellipsoid(radii) => {
                let axes = self.seen().pose(pose?).axes;
                let mut image = [number(0.0); 3];
                for (axis, radius) in axes.into_iter().zip(radii) {
                    let radius = self.value(radius);
                    image = sum(image, radius * radius * dot(axis, n), axis);
                }
                against(number::<T>(1.0) / dot(n, image).sqrt(), image)
            }
        };
        Some((centre, -dot(n, arm), arm))
    }

    /// The velocity of a round body's material at the end of an arm.
    fn material(&self, round: &Round, centre: Vector<Dual<T>>, arm: Vector<T>) -> Vector<T> {
        let pose = round.body.and_then(|b| self.mechanism.bodies.get(b)).map(|b| &b.pose);
        let turning = pose.map_or([number(0.0); 3], |pose| self.swept(pose, arm));
        sum(rates(centre), number(1.0), turning)
    }

    /// The velocity of a surface's material at a place.
    fn surface(&self, surface: &Surface, place: Vector<T>) -> Option<Vector<T>> {
        let pose = match (&surface.velocity, surface.carrier) {
            (Some(velocity), _) => return Some(self.seen().direction(velocity)),
            (None, None) => return Some(rates(self.point(&surface.point))),
            (None, Some(Carrier::Body(b))) => &self.mechanism.bodies.get(b)?.pose,
            (None, Some(Carrier::Frame(f))) => &self.mechanism.frames.get(f)?.pose,
        };
        let origin = self.origin(pose);
        let turning = self.swept(pose, difference(place, values(origin)));
        Some(sum(rates(origin), number(1.0), turning))
    }

    fn touch(&self, contact: usize) -> Option<Touch<T>> {
        let normal = |surface: &Surface| unit(self.seen().direction(&surface.normal));
        let above =
            |surface: &Surface, n, place| dot(n, difference(place, self.seen().point(&surface.point)));
        match &self.mechanism.contacts[contact].geometry {
            Geometry::Point { point, surface } => {
                let (normal, point) = (normal(surface), self.point(point));
                let place = values(point);
                let relative = difference(rates(point), self.surface(surface, place)?);
                Some(Touch { gap: above(surface, normal, place), normal, relative })
            }
            Geometry::Round { round, surface } => {
                let normal = normal(surface);
                let (centre, depth, arm) = self.round(round, normal)?;
                let foot = sum(values(centre), number(1.0), arm);
                let relative = difference(self.material(round, centre, arm), self.surface(surface, foot)?);
                Some(Touch { gap: above(surface, normal, values(centre)) - depth, normal, relative })
            }
            Geometry::RoundPair { round, other } => {
                let centre = |round: &Round| match (&round.centre, round.body) {
                    (Some(centre), _) => Some(self.point(centre)),
                    (None, body) => Some(self.origin(&self.mechanism.bodies.get(body?)?.pose)),
                };
                let between = difference(values(centre(round)?), values(centre(other)?));
                let normal = unit(between);
                let (one, depth, arm) = self.round(round, normal)?;
                let (two, height, back) = self.round(other, normal.map(|x| -x))?;
                let relative = difference(self.material(round, one, arm), self.material(other, two, back));
                Some(Touch { gap: dot(between, between).sqrt() - depth - height, normal, relative })
            }
            Geometry::Direct { .. } => None,
        }
    }

    pub(super) fn gap(&self, contact: usize) -> T {
        match &self.mechanism.contacts[contact].geometry {
            Geometry::Direct { gap, .. } => self.value(gap),
            _ => self.touch(contact).map_or(number(f64::NAN), |touch| touch.gap),
        }
    }

    /// The slip, in space along the given tangents, or from an inertial axis.
    pub(super) fn slip(&self, contact: usize, axis: usize) -> Vec<T> {
        let spec = &self.mechanism.contacts[contact];
        let tangents = self.mechanism.space.tangents();
        let Some(Touch { normal, relative, .. }) = self.touch(contact) else {
            return match &spec.geometry {
                Geometry::Direct { slip: Slip::Displacement(all), .. } => {
                    let flow = self.along();
                    all.iter().map(|x| flow.value(x).eps).collect()
                }
                Geometry::Direct { slip: Slip::Velocity(all), .. } => {
                    all.iter().map(|x| self.value(x)).collect()
                }
                _ => vec![number(f64::NAN); tangents],
            };
        };
        let flat = |a: Vector<T>, b: Vector<T>| sum(a, -dot(a, b), b);
        if self.mechanism.space == Space::Plane {
            return vec![normal[1] * relative[0] - normal[0] * relative[1]];
        }
        let [first, second] = match &spec.tangents {
            Some(given) => {
                let [first, second] =
                    given.each_ref().map(|given| flat(self.seen().direction(given), normal));
                let first = unit(first);
                [first, unit(flat(second, first))]
            }
            None => {
                let axis = std::array::from_fn(|k| number(if k == axis { 1.0 } else { 0.0 }));
                let first = unit(flat(axis, normal));
                [first, cross(normal, first)]
            }
        };
        vec![dot(first, relative), dot(second, relative)]
    }

    pub(super) fn constraint(&self, constraint: usize) -> T {
        match &self.mechanism.constraints[constraint].value {
            ConstraintValue::Expression(value) => self.value(value),
            ConstraintValue::Coincidence { points, axis } => {
                self.seen().point(&points[0])[*axis] - self.seen().point(&points[1])[*axis]
            }
        }
    }
}
