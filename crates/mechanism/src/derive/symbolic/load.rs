//! What a frame carries, as sums about its origin, and how they are seen from the frame that it hangs on.

use super::values::{Vector, combined, plus_moment, plus_scaled, plus_swept, scaled, sum, times, zeros};
use crate::tape::{Builder, Value};

/// How a frame stands in the one it hangs on.
pub(super) enum FramePose {
    /// The origin is there; the axes are the same.
    Shift(Vector),
    /// Turned about one of the axes.
    Turn { axis: usize, sin: Value, cos: Value },
    /// Turned, with these axes as columns.
    Axes(Vec<Vector>),
}

impl FramePose {
    /// The components of a vector where the frame hangs, from those in the frame.
    pub(super) fn outward(&self, b: &mut Builder, x: &[Value]) -> Vector {
        match self {
            FramePose::Shift(_) => x.to_vec(),
            FramePose::Turn { axis, sin, cos } => {
                let (j, k) = others(*axis);
                let mut turned = x.to_vec();
                let (one, other) = (b.mul(*cos, x[j]), b.mul(*sin, x[k]));
                turned[j] = b.sub(one, other);
                let (one, other) = (b.mul(*sin, x[j]), b.mul(*cos, x[k]));
                turned[k] = b.add(one, other);
                turned
            }
            FramePose::Axes(axes) => combined(b, x, axes),
        }
    }

    /// The components of a vector in the frame, from those where it hangs.
    pub(super) fn inward(&self, b: &mut Builder, x: &[Value]) -> Vector {
        match self {
            FramePose::Shift(_) => x.to_vec(),
            FramePose::Turn { axis, sin, cos } => {
                let back = b.neg(*sin);
                FramePose::Turn { axis: *axis, sin: back, cos: *cos }.outward(b, x)
            }
            FramePose::Axes(axes) => times(b, axes, x),
        }
    }

    /// A force and a moment about the frame's origin, as seen from where it hangs.
    pub(super) fn wrench(&self, b: &mut Builder, force: &[Value], moment: &[Value]) -> (Vector, Vector) {
        match self {
            FramePose::Shift(d) => (force.to_vec(), plus_moment(b, moment, d, force)),
            FramePose::Turn { .. } | FramePose::Axes(_) => (self.outward(b, force), self.outward(b, moment)),
        }
    }
}

/// The axes after an axis.
pub(super) fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// What a frame carries, about its origin.
#[derive(Clone)]
pub(super) struct Load {
    pub(super) mass: Value,
    pub(super) moment: Vector,
    /// 1×1 in the plane, 3×3 in space.
    pub(super) inertia: Vec<Vector>,
    pub(super) force: Vector,
    pub(super) torque: Vector,
}

impl Load {
    pub(super) fn nothing(b: &mut Builder, dimension: usize) -> Self {
        let spins = if dimension == 2 { 1 } else { 3 };
        Load {
            mass: b.constant(0.0),
            moment: zeros(b, dimension),
            inertia: vec![zeros(b, spins); spins],
            force: zeros(b, dimension),
            torque: zeros(b, spins),
        }
    }

    pub(super) fn add(&mut self, b: &mut Builder, other: &Load) {
        self.mass = b.add(self.mass, other.mass);
        self.moment = sum(b, &self.moment, &other.moment);
        self.force = sum(b, &self.force, &other.force);
        self.torque = sum(b, &self.torque, &other.torque);
        let spins = self.inertia.len();
        for i in 0..spins {
            for j in 0..=i {
                self.inertia[i][j] = b.add(self.inertia[i][j], other.inertia[i][j]);
                self.inertia[j][i] = self.inertia[i][j];
            }
        }
    }

    /// The same as seen from where the frame hangs.
    pub(super) fn seen(&self, b: &mut Builder, place: &FramePose) -> Self {
        let inertia = match place {
            FramePose::Shift(d) => self.inertia_about(b, d),
            FramePose::Turn { axis, sin, cos } => inertia_turned_about(b, &self.inertia, *axis, (*sin, *cos)),
            FramePose::Axes(axes) => turned_inertia(b, &self.inertia, axes),
        };
        let moment = match place {
            FramePose::Shift(d) => plus_scaled(b, &self.moment, self.mass, d),
            FramePose::Turn { .. } | FramePose::Axes(_) => place.outward(b, &self.moment),
        };
        let (force, torque) = place.wrench(b, &self.force, &self.torque);
        Load { mass: self.mass, moment, inertia, force, torque }
    }

    /// I about a point from which the own origin is at d: I + (m d·d + 2 d·s) 1 − m d dᵀ − (d sᵀ + s dᵀ).
    fn inertia_about(&self, b: &mut Builder, d: &[Value]) -> Vec<Vector> {
        // w = s + m d/2, so that I grows by 2 d·w 1 − (d wᵀ + w dᵀ)
        let half = b.constant(0.5);
        let half_mass = b.mul(half, self.mass);
        let w = plus_scaled(b, &self.moment, half_mass, d);
        let mut inertia = self.inertia.clone();
        if inertia.len() == 1 {
            let along = b.dot(d, &w);
            let trace = b.add(along, along);
            inertia[0][0] = b.add(inertia[0][0], trace);
            return inertia;
        }
        let along: Vector = d.iter().zip(&w).map(|(&d, &w)| b.mul(d, w)).collect();
        for i in 0..3 {
            let (j, k) = others(i);
            let across = b.add(along[j], along[k]);
            let twice = b.add(across, across);
            inertia[i][i] = b.add(inertia[i][i], twice);
            let (one, other) = (b.mul(d[j], w[k]), b.mul(w[j], d[k]));
            let less = b.sub(inertia[j][k], one);
            inertia[j][k] = b.sub(less, other);
            inertia[k][j] = inertia[j][k];
        }
        inertia
    }

    /// L and H of a twist.
    pub(super) fn momentum(&self, b: &mut Builder, axis: &[Value], shift: &[Value]) -> (Vector, Vector) {
        let (carried, turned) = (scaled(b, self.mass, shift), times(b, &self.inertia, axis));
        (plus_swept(b, &carried, axis, &self.moment), plus_moment(b, &turned, &self.moment, shift))
    }
}

/// R I Rᵀ for a turn about the axis i. With d = I_jj − I_kk and u = 2 I_jk, I_jj falls by s (s d + c u), I_kk grows by as
/// much, and I_jk grows by s (c d − s u).
fn inertia_turned_about(
    b: &mut Builder,
    inertia: &[Vector],
    i: usize,
    (sin, cos): (Value, Value),
) -> Vec<Vector> {
    let (j, k) = others(i);
    let differ = b.sub(inertia[j][j], inertia[k][k]);
    let twice = b.add(inertia[j][k], inertia[j][k]);
    let (one, other) = (b.mul(sin, differ), b.mul(cos, twice));
    let both = b.add(one, other);
    let moved = b.mul(sin, both);
    let (one, other) = (b.mul(cos, differ), b.mul(sin, twice));
    let both = b.sub(one, other);
    let mixed = b.mul(sin, both);
    let mut turned = inertia.to_vec();
    turned[j][j] = b.sub(inertia[j][j], moved);
    turned[k][k] = b.add(inertia[k][k], moved);
    turned[j][k] = b.add(inertia[j][k], mixed);
    let row = FramePose::Turn { axis: i, sin, cos }.outward(b, &inertia[i]);
    (turned[i][j], turned[i][k]) = (row[j], row[k]);
    for (p, q) in [(j, i), (k, i), (k, j)] {
        turned[p][q] = turned[q][p];
    }
    turned
}

/// R I Rᵀ; in the plane I.
pub(super) fn turned_inertia(b: &mut Builder, local: &[Vector], axes: &[Vector]) -> Vec<Vector> {
    if local.len() == 1 {
        return local.to_vec();
    }
    // I Rᵀ by the body's axes, then R of it
    let half: Vec<Vector> = local.iter().map(|row| combined(b, row, axes)).collect();
    let mut whole = vec![vec![b.constant(0.0); 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            let column: Vector = half.iter().map(|h| h[j]).collect();
            let along: Vector = axes.iter().map(|axis| axis[i]).collect();
            whole[i][j] = b.dot(&along, &column);
            whole[j][i] = whole[i][j];
        }
    }
    whole
}
