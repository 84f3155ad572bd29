//! How far inside their cones the forces of contacts that stick can lie, where they are not unique.
//!
//! In parts of the cones, x_i = μ_i λ_N,i z_i, the forces that hold the independent rows are z = z₀ + N w with any w. The contacts
//! stick together as long as some of them lie in all cones, that is until
//!
//! > Σ μ_i λ_N,i (1 − min_w max_i |z_i|)
//!
//! falls through zero: where no forces are left, not where one share leaves a cone. By duality the load has then the power
//! Σ μ_i λ_N,i |u_i| along some motion u: those contacts slip that have a force on their cones, and the others, as one that the
//! body turns about, stick on.

use super::field::Field;
use super::tolerance::SHARE;
use crate::simulate::centre::CentreSearch;
use crate::simulate::smooth::{complete, orthogonalise};

/// Memory of finding it.
#[derive(Clone, Debug, Default)]
pub(super) struct InteriorForces {
    centre: CentreSearch,
    /// Width of the cone of each row that sticks.
    widths: Vec<f64>,
    /// Orthonormal vectors: those of the rows that are held, then those of the null space; and the rows in the first of them.
    vectors: Vec<f64>,
    lower: Vec<f64>,
    /// z₀ in the vectors, and as parts of the cones.
    along: Vec<f64>,
    parts: Vec<f64>,
    /// How deep inside all cones z can lie, as a part of them, and by how much less the point that was found does.
    depth: f64,
    error: f64,
    /// Relative speeds with which contacts give way.
    speeds: Vec<(usize, f64)>,
}

impl Field<'_> {
    /// The margin of the forces at the point that was evaluated last, in newtons; none where they are unique or no cone
    /// bounds them.
    pub(super) fn margin(&mut self) -> Option<f64> {
        if !self.is_shared() {
            return None;
        }
        let mut margin = std::mem::take(&mut self.margin);
        let found = self.find_margin(&mut margin);
        self.margin = margin;
        found
    }

    fn find_margin(&self, margin: &mut InteriorForces) -> Option<f64> {
        let (places, stuck) = (self.places, &self.now.stuck);
        let limited = |row: usize| !self.regime.laws[row / (1 + places.d)].friction.is_infinite();
        if !stuck.iter().any(|&row| limited(row)) {
            return None;
        }
        margin.widths.clear();
        margin.widths.extend(stuck.iter().map(|&row| self.width(row / (1 + places.d)).max(0.0)));
        let rows = stuck.iter().zip(&margin.widths).step_by(places.d);
        let all: f64 = rows.filter(|(row, _)| limited(**row)).map(|(_, width)| width).sum();
        if !self.particular(margin) {
            return Some(0.0);
        }
        let (size, rank) = (stuck.len(), self.regime.held.rows.len());
        let InteriorForces { centre, vectors, parts, .. } = margin;
        centre.begin(size - rank);
        for first in (0..size).step_by(places.d).filter(|&first| limited(stuck[first])) {
            let zero: &dyn Fn(usize) -> f64 = &|_| 0.0;
            let slope = |k: usize| {
                let vectors = &vectors[rank * size..];
                move |i: usize| vectors[i * size + first + k]
            };
            let slopes = [slope(0), slope(places.d - 1)];
            let across = (0..places.d).map(|k| (parts[first + k], &slopes[k] as &dyn Fn(usize) -> f64));
            centre.cone([(1.0, zero)].into_iter().chain(across));
        }
        let found = centre.find();
        (margin.depth, margin.error) = (found.value, found.error);
        for (i, &w) in centre.x().iter().enumerate() {
            let vector = &vectors[(rank + i) * size..(rank + i + 1) * size];
            parts.iter_mut().zip(vector).for_each(|(part, x)| *part += w * x);
        }
        Some(all * margin.depth)
    }

    /// The largest tangential force of a contact; with infinite friction, the normal one.
    fn width(&self, contact: usize) -> f64 {
        let friction = self.regime.laws[contact].friction;
        let normal = self.regime.pull[contact] * self.now.forces[self.places.rows(contact).start];
        if friction.is_infinite() { normal } else { friction.mu() * normal }
    }

    /// z₀, the least one, and the vectors; false where nothing holds the rows.
    fn particular(&self, margin: &mut InteriorForces) -> bool {
        let (stuck, held) = (&self.now.stuck, &self.regime.held.rows);
        let (size, rank) = (stuck.len(), held.len());
        let InteriorForces { widths, vectors, lower, along, parts, .. } = margin;
        vectors.resize(rank * size, 0.0);
        lower.resize(size, 0.0);
        along.clear();
        for i in 0..rank {
            let entry = |at: usize| self.kernel.delassus(&self.now.values, held[i], stuck[at]);
            let load: f64 = (0..size).map(|at| entry(at) * self.now.forces[stuck[at]]).sum();
            let (before, rest) = vectors.split_at_mut(i * size);
            let own = &mut rest[..size];
            own.iter_mut().enumerate().for_each(|(at, x)| *x = entry(at) * widths[at]);
            let left = orthogonalise(own, before, &mut lower[..i]);
            if !(left > 0.0 && left.is_finite()) {
                return false;
            }
            let known: f64 = lower.iter().zip(along.iter()).map(|(l, y)| l * y).sum();
            along.push((load - known) / left);
        }
        complete(size, vectors);
        parts.clear();
        let part = |at: usize| (0..rank).map(|i| along[i] * vectors[i * size + at]).sum::<f64>();
        parts.extend((0..size).map(part));
        true
    }

    /// Whether forces hold what sticks, or no cone bounds them.
    pub(super) fn holds(&mut self) -> bool {
        self.margin().is_none() || self.margin.depth > SHARE.border
    }

    /// The contacts whose forces lie on their cones where there is no margin left, with the directions in which they slip.
    pub(super) fn gives_way(&mut self, given: &mut Vec<(usize, [f64; 2])>) {
        if self.holds() {
            return;
        }
        let d = self.places.d;
        self.margin.speeds.clear();
        for first in (0..self.now.stuck.len()).step_by(d) {
            let contact = self.now.stuck[first] / (1 + d);
            let width = self.width(contact);
            let part = &self.margin.parts[first..first + d];
            let size = part.iter().fold(0.0, |sum: f64, x| sum.hypot(*x));
            let bounded = !self.regime.laws[contact].friction.is_infinite();
            if bounded && 1.0 - size - self.margin.depth <= SHARE.border {
                given.push((contact, std::array::from_fn(|k| part.get(k).map_or(0.0, |x| -x / size))));
                // the multiplier of a cone in the barrier is as its margin is narrow, and the power there μ λ_N |u|
                let left = (1.0 - size - self.margin.depth + self.margin.error).max(f64::EPSILON);
                self.margin.speeds.push((contact, 1.0 / (left * width)));
            }
        }
    }

    /// The speed of a contact that gives way, relative to that of the others.
    pub(super) fn speed_of_begin(&self, contact: usize) -> f64 {
        let own = self.margin.speeds.iter().find(|(other, _)| *other == contact);
        own.map_or(1.0, |(_, speed)| *speed)
    }

    /// No contact gives way together with others.
    pub(super) fn forget_speeds(&mut self) {
        self.margin.speeds.clear();
    }

    /// Replaces the forces of what sticks at the evaluated point by others that hold it as well, where some lie outside their
    /// cones and need not.
    pub(super) fn choose_forces(&mut self) {
        let outside = |field: &Self| {
            let d = field.places.d;
            field.now.stuck.chunks_exact(d).any(|rows| {
                let contact = rows[0] / (1 + d);
                let force = rows.iter().fold(0.0, |sum: f64, &row| sum.hypot(field.now.forces[row]));
                !field.regime.laws[contact].friction.is_infinite() && force > field.width(contact)
            })
        };
        if self.is_shared() && outside(self) && self.margin().is_some_and(|margin| margin >= 0.0) {
            for (at, &row) in self.now.stuck.iter().enumerate() {
                self.now.forces[row] = self.margin.widths[at] * self.margin.parts[at];
            }
        }
    }
}
