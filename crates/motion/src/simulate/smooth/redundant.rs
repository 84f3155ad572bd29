//! Forces that their motion does not determine: rows that follow from others, as those of two feet of a body that stick.
//!
//! The rows that are held are reduced to independent ones by a Cholesky factor with pivoting of their part of D; of the forces
//! that these ask for, A y = −c in the components of the forces along their directions, the solution is the one of the
//! least sum of squares, Aᵀ(A Aᵀ)⁻¹(−c), by rows of A made orthonormal: of a body on n points work that grows as n². What is orthogonal to
//! all of them, the null space of A, may be added to it; it is found where it is asked for. Rows that are independent with forces that are not
//! are another matter: a gain such as p vanishes, and no finite force is defined.

use super::{SmoothError, SmoothMotion, SmoothWork, Unknown};
use crate::model::Block;

/// What is known of forces that are not unique, and the memory of finding it.
#[derive(Clone, Debug, Default)]
pub(super) struct Redundant {
    /// Dimension of the forces that change no row: 0 where forces are unique.
    nullity: usize,
    /// Unknowns, the independent rows first.
    order: Vec<usize>,
    /// What is left of each row's diagonal entry, and the columns of the factor.
    left: Vec<f64>,
    factor: Vec<f64>,
    /// Lengths of the unknown forces.
    lengths: Vec<f64>,
    /// Orthonormal vectors of components, those of the rows of A.
    vectors: Vec<f64>,
    /// The rows of A in them.
    lower: Vec<f64>,
    /// The acceleration of another row by components.
    row: Vec<f64>,
}

impl Redundant {
    /// Memory for a number of contact rows.
    pub(super) fn new(rows: usize) -> Self {
        let square = || vec![0.0; rows * rows];
        Self {
            nullity: 0,
            order: Vec::with_capacity(rows),
            left: vec![0.0; rows],
            factor: square(),
            lengths: vec![0.0; rows],
            vectors: square(),
            lower: square(),
            row: vec![0.0; rows],
        }
    }

    pub(super) fn clear(&mut self) {
        self.nullity = 0;
    }
}

impl SmoothWork {
    /// How many dimensions the forces of the last motion have that it does not determine; 0 if they are unique. Those in
    /// [`SmoothWork::forces`] have the least sum of squares, and may lie outside the friction cones.
    pub fn undetermined(&self) -> usize {
        self.redundant.nullity
    }

    /// A basis of the forces that change no acceleration of the rows that are held, vector by vector as forces of each contact row.
    pub(in crate::simulate) fn null_forces(&self, tangents: usize, null: &mut Vec<f64>) {
        let Redundant { nullity, lengths, vectors, .. } = &self.redundant;
        let (size, rows) = (self.unknowns.len(), self.forces.len());
        let mut vectors = vectors[..(size - nullity) * size].to_vec();
        complete(size, &mut vectors);
        null.clear();
        null.resize(nullity * rows, 0.0);
        let completed = vectors[(size - nullity) * size..].chunks_exact(size);
        for (own, vector) in null.chunks_exact_mut(rows).zip(completed) {
            for (k, &Unknown { first, force, .. }) in self.unknowns.iter().enumerate() {
                let part = vector[k] / lengths[k];
                let place = own[first..=first + tangents].iter_mut().zip(force);
                place.for_each(|(sum, force)| *sum += part * force);
            }
        }
    }

    /// Takes other forces of the same motion.
    pub(in crate::simulate) fn take_forces(&mut self, forces: &[f64]) {
        self.forces.copy_from_slice(forces);
    }
}

impl SmoothMotion {
    /// κ of the least sum of squares of the forces, where the rows that are held are not independent.
    #[cold]
    pub(super) fn solve_redundant(&self, stopped: usize, work: &mut SmoothWork) -> Result<(), SmoothError> {
        let size = work.unknowns.len();
        // rows that rounding alone keeps apart are dependent, too
        let rank = [self.singular, self.singular.sqrt()].into_iter().find_map(|least| {
            let rank = self.independent(least, work);
            (rank < size && self.orthonormal(rank, work)).then_some(rank)
        });
        // unknowns without a direction of their own, or a gain that vanishes
        let Some(rank) = rank else { return Err(self.undetermined(work.unknowns[stopped])) };
        work.redundant.nullity = size - rank;
        if work.springs.active {
            let order = std::mem::take(&mut work.redundant.order);
            let solved = self.solve_springs(&order[..rank], work);
            work.redundant.order = order;
            return if solved { Ok(()) } else { Err(self.undetermined(work.unknowns[stopped])) };
        }
        let SmoothWork { values, unknowns, redundant, solution, .. } = work;
        let free = self.kernel.block(values, Block::FreeContactAcceleration);
        for i in 0..rank {
            let known: f64 = (0..i).map(|j| redundant.lower[i * size + j] * redundant.left[j]).sum();
            let row = unknowns[redundant.order[i]].row;
            redundant.left[i] = -(free[row] + known) / redundant.lower[i * size + i];
        }
        for (k, solution) in solution[..size].iter_mut().enumerate() {
            let share = (0..rank).map(|i| redundant.left[i] * redundant.vectors[i * size + k]);
            *solution = share.sum::<f64>() / redundant.lengths[k];
        }
        Ok(())
    }

    /// Whether forces that change nothing that is held change an acceleration by more than this share of what forces of their size could do.
    pub(in crate::simulate) fn is_driven(&self, share: f64, work: &mut SmoothWork) -> bool {
        let (size, nullity) = (work.unknowns.len(), work.redundant.nullity);
        if nullity == 0 {
            return false;
        }
        let mut row = std::mem::take(&mut work.redundant.row);
        let own = &mut row[..size];
        let (mut largest, mut left) = (0.0_f64, 0.0_f64);
        for k in 0..work.forces.len() {
            let components = own.iter_mut().zip(&work.unknowns).zip(&work.redundant.lengths);
            components.for_each(|((x, unknown), length)| *x = self.gain(k, unknown, work) / length);
            largest = largest.max(length(own));
            without(own, &work.redundant.vectors[..(size - nullity) * size], |_, _| {});
            left = left.max(length(own));
        }
        work.redundant.row = row;
        left > share * largest
    }

    /// The rank of the rows that are held, which are put into order: those of which more than this share is left.
    pub(super) fn independent(&self, least: f64, work: &mut SmoothWork) -> usize {
        let SmoothWork { values, unknowns, redundant: Redundant { order, left, factor, .. }, .. } = work;
        let gain = |i: usize, j: usize| self.kernel.delassus(values, unknowns[i].row, unknowns[j].row);
        rank((unknowns.len(), least), gain, (order, left, factor))
    }

    /// Makes the rows of A orthonormal; false if they are not independent.
    fn orthonormal(&self, rank: usize, work: &mut SmoothWork) -> bool {
        let size = work.unknowns.len();
        let d = self.kernel.layout().tangents;
        for k in 0..size {
            let force = work.unknowns[k].force;
            work.redundant.lengths[k] = force[..=d].iter().map(|x| x * x).sum::<f64>().sqrt();
        }
        for i in 0..rank {
            let row = work.unknowns[work.redundant.order[i]].row;
            for k in 0..size {
                let gain = self.gain(row, &work.unknowns[k], work) / work.redundant.lengths[k];
                work.redundant.vectors[i * size + k] = gain;
            }
            let Redundant { vectors, lower, .. } = &mut work.redundant;
            let (before, rest) = vectors.split_at_mut(i * size);
            let (own, lower) = (&mut rest[..size], &mut lower[i * size..(i + 1) * size]);
            let whole = length(own);
            let left = orthogonalise(own, before, lower);
            lower[i] = left;
            if left <= self.singular * whole || left.is_nan() {
                return false;
            }
        }
        true
    }
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The number of rows of which others leave more than this share, by a Cholesky factor of their gains with pivoting; `order` has them first.
pub(in crate::simulate) fn rank(
    (size, least): (usize, f64),
    gain: impl Fn(usize, usize) -> f64,
    (order, left, factor): (&mut Vec<usize>, &mut [f64], &mut [f64]),
) -> usize {
    let entry = |i: usize, j: usize| {
        let square = gain(i, i) * gain(j, j);
        if square > 0.0 { gain(i, j) / square.sqrt() } else { 0.0 }
    };
    order.clear();
    order.extend(0..size);
    (0..size).for_each(|i| left[i] = entry(i, i));
    for rank in 0..size {
        let better = |best: usize, i: usize| if left[order[i]] > left[order[best]] { i } else { best };
        let best = (rank + 1..size).fold(rank, better);
        order.swap(rank, best);
        let pivot = order[rank];
        if left[pivot] <= least || !left[pivot].is_finite() {
            return rank;
        }
        let root = left[pivot].sqrt();
        for &i in &order[rank + 1..] {
            let known: f64 = (0..rank).map(|l| factor[i * size + l] * factor[pivot * size + l]).sum();
            let own = (entry(i, pivot) - known) / root;
            factor[i * size + rank] = own;
            left[i] -= own * own;
        }
    }
    size
}

/// Takes from a vector its parts along orthonormal ones, which are told; twice, so that rounding is none of them.
fn without(own: &mut [f64], others: &[f64], mut observe: impl FnMut(usize, f64)) {
    for _ in 0..2 {
        for (i, other) in others.chunks_exact(own.len()).enumerate() {
            let part: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
            own.iter_mut().zip(other).for_each(|(a, b)| *a -= part * b);
            observe(i, part);
        }
    }
}

/// Gives a vector length one: returns what it was.
fn normalise(own: &mut [f64]) -> f64 {
    let left = length(own);
    own.iter_mut().for_each(|x| *x /= left);
    left
}

/// Takes from a vector its parts along others, which are added up, and gives it length one: returns what it was.
pub(in crate::simulate) fn orthogonalise(own: &mut [f64], others: &[f64], parts: &mut [f64]) -> f64 {
    parts.fill(0.0);
    without(own, others, |i, part| parts[i] += part);
    normalise(own)
}

/// Completes orthonormal vectors to a basis, by the unit vector of which most is left each time.
pub(in crate::simulate) fn complete(size: usize, vectors: &mut Vec<f64>) {
    let covered = |k: usize| vectors.chunks_exact(size).map(|v| v[k] * v[k]).sum::<f64>();
    let mut covered: Vec<f64> = (0..size).map(covered).collect();
    while vectors.len() < size * size {
        let unit = (1..size).fold(0, |best, k| if covered[k] < covered[best] { k } else { best });
        let mut own = vec![0.0; size];
        own[unit] = 1.0;
        without(&mut own, vectors, |_, _| {});
        normalise(&mut own);
        covered.iter_mut().zip(&own).for_each(|(sum, x)| *sum += x * x);
        vectors.extend(own);
    }
}
