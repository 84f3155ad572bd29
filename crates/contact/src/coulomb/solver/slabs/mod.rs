//! Sweeps with momentum over many contacts on several threads, with the same result on any number of them.
//!
//! The contacts are cut into slabs that touch the one before and the one after alone. A sweep goes over the slabs of even number, each
//! for itself and in any order, then over the odd ones: that is a Gauss-Seidel sweep with the contacts in another order, which hangs on the
//! problem and not on the threads. Sums are made slab by slab, and added in the order of the slabs.

mod layers;
mod slab;

use super::accelerated::{MomentumAge, Progress, SweepEffort};
use super::gauss_seidel::CHECK_FRACTION;
use super::{Options, Task};
use crate::coulomb::residual::relative;
use crate::num::team::{Member, together};
use layers::Layers;
use slab::Slab;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Contacts from which on they are cut.
const MANY: usize = 2000;
/// Contacts of a slab, at least.
const SIZE: usize = 300;
/// Slabs at most, about: two times as many threads can be of use as there are of each parity.
const MOST: usize = 64;
/// Slabs at least, and the largest part of the contacts that one of them may have, or the threads would wait for each other.
const LEAST: usize = 4;
const LARGEST: f64 = 0.25;

/// A problem in slabs, in memory that stays.
#[derive(Debug, Default)]
pub(crate) struct Slabs<const D: usize, const DD: usize> {
    layers: Layers,
    slabs: Vec<RwLock<Slab<D, DD>>>,
    sums: Vec<[AtomicU64; 4]>,
    late: AtomicBool,
}

/// Where sweeps begin and what they know.
#[derive(Clone)]
pub(super) struct SweepMemory {
    /// Residual of the best point.
    pub(super) residual: f64,
    pub(super) pace: MomentumAge,
    pub(super) progress: Progress,
    /// As that of `Accelerated`.
    pub(super) patience: f64,
    pub(super) care: SweepEffort,
}

/// Forces in the order of the problem, of which a slab takes its own and to which it brings them.
struct Forces<'a> {
    r: &'a [f64],
    last: &'a [f64],
    begin: &'a [f64],
    best: &'a [f64],
}

/// The same to be written.
pub(super) struct Places<'a> {
    pub(super) r: &'a mut [f64],
    pub(super) last: &'a mut [f64],
    pub(super) begin: &'a mut [f64],
    pub(super) best: &'a mut [f64],
}

impl<const D: usize, const DD: usize> Slabs<D, DD> {
    /// Cuts a problem; whether that can be done, and is worth it. It does not hang on the number of threads.
    pub(super) fn cut(&mut self, task: &Task<'_>) -> bool {
        let contacts = task.mu.len();
        if contacts < MANY {
            return false;
        }
        self.layers.cut(&task.local.W, SIZE.max(contacts / MOST));
        let count = self.layers.count();
        self.slabs.resize_with(count, RwLock::default);
        self.sums.resize_with(count, <[AtomicU64; 4]>::default);
        count >= LEAST && self.layers.largest() as f64 <= LARGEST * contacts as f64
    }

    /// Sweeps of a problem that was cut, to the tolerance or as long as the options and patience last: their number. The forces are
    /// those of the beginning, and then of the end.
    pub(super) fn run(
        &mut self,
        task: &Task<'_>,
        options: &Options,
        course: &mut SweepMemory,
        places: &mut Places<'_>,
    ) -> usize {
        self.late = AtomicBool::new(false);
        let threads = options.threads.min(self.slabs.len().div_ceil(2));
        let forces = Forces { r: places.r, last: places.last, begin: places.begin, best: places.best };
        let (shared, begin) = (&*self, &*course);
        let (used, end) = together(threads, |member| {
            member.each(shared.slabs.len(), |k| {
                write(&shared.slabs[k]).set(k, &shared.layers, (task, begin.care.slip()), &forces)
            });
            let mut course = begin.clone();
            (shared.sweeps(member, options, &mut course), course)
        });
        *course = end;
        for (k, slab) in self.slabs.iter().enumerate() {
            read(slab).bring(self.layers.of(k), places);
        }
        used
    }

    /// What every thread does: the same decisions from the same sums.
    fn sweeps(&self, member: &Member<'_>, options: &Options, course: &mut SweepMemory) -> usize {
        let (mut used, mut next_check) = (0, 1);
        while course.residual > options.tolerance {
            self.sweep(member, 0);
            self.sweep(member, 1);
            used += 1;
            let [along, size, ..] = self.total();
            let beta = course.pace.next(along, size);
            let (mut over, mut keep) = (false, false);
            if used >= next_check || used == options.iterations {
                let residual = self.residual(member, options);
                keep = residual < course.residual;
                course.residual = course.residual.min(residual);
                course.progress.note(used, residual);
                over = used >= options.iterations && course.progress.remaining() > course.patience;
                over |= residual <= options.tolerance || self.late.load(Ordering::Relaxed);
                next_check = used
                    + 1
                    + (used / CHECK_FRACTION).max(course.care.checkless(residual, options.tolerance));
            }
            member.each(self.slabs.len(), |k| write(&self.slabs[k]).advance(beta, keep));
            if over {
                break;
            }
        }
        used
    }

    /// The slabs of one parity, none of which touches another.
    fn sweep(&self, member: &Member<'_>, parity: usize) {
        member.each((self.slabs.len() + 1 - parity) / 2, |k| {
            let k = 2 * k + parity;
            let mut slab = write(&self.slabs[k]);
            self.look_beside(k, &mut slab);
            let [along, size] = slab.sweep();
            self.put(k, [along, size, 0.0, 0.0]);
        });
    }

    fn look_beside(&self, k: usize, slab: &mut Slab<D, DD>) {
        let before = k.checked_sub(1).map(|k| read(&self.slabs[k]));
        let after = self.slabs.get(k + 1).map(read);
        slab.look_beside(before.as_deref(), after.as_deref());
    }

    /// The relative residual after a sweep.
    fn residual(&self, member: &Member<'_>, options: &Options) -> f64 {
        // everybody has the sums of the sweep, which the next ones take the place of
        member.each(0, |_| {});
        if member.leads() && options.is_late() {
            self.late.store(true, Ordering::Relaxed);
        }
        member.each(self.slabs.len(), |k| {
            let mut slab = write(&self.slabs[k]);
            if k % 2 == 0 {
                // the odd ones were swept since; they have seen the even ones as they are
                self.look_beside(k, &mut slab);
            }
            self.put(k, slab.squares());
        });
        let [defect, squares @ ..] = self.total();
        relative(defect.sqrt(), squares.map(f64::sqrt))
    }

    fn put(&self, k: usize, sums: [f64; 4]) {
        self.sums[k].iter().zip(sums).for_each(|(to, sum)| to.store(sum.to_bits(), Ordering::Relaxed));
    }

    /// The sums of all slabs.
    fn total(&self) -> [f64; 4] {
        self.sums.iter().fold([0.0; 4], |total, sums| {
            std::array::from_fn(|k| total[k] + f64::from_bits(sums[k].load(Ordering::Relaxed)))
        })
    }
}

/// Nothing that is locked is left half done by a panic that anybody survives.
fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
