//! The mechanics of a phase over a box of states: intervals that enclose the contact forces, the accelerations and the watches at every
//! state of the box; over dual numbers their rates along the motion as well.

use crate::analysis::planar::Hold;
use crate::model::{Block, Kernel, Model, Output, Values};
use crate::num::{Dual, Interval, Real};
use crate::simulate::event::mechanics::Mechanics;
use crate::simulate::event::watch::Watch;
use crate::simulate::smooth::ContactMotion;
use crate::simulate::trajectory::RowFunction;

/// A number that encloses.
pub(super) trait Enclosing: Real {
    /// All its values.
    fn range(self) -> Interval;
    /// The caller's expression of a row, if it can be enclosed.
    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self>;
}

impl Enclosing for Interval {
    fn range(self) -> Interval {
        self
    }

    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self> {
        function.over(row)
    }
}

impl Enclosing for Dual<Interval> {
    fn range(self) -> Interval {
        self.re
    }

    fn of_row(function: RowFunction<'_>, row: &[Self]) -> Option<Self> {
        function.moving(row)
    }
}

/// The blocks that forces, accelerations and watches are made of.
const NEEDED: [Block; 7] = [
    Block::Model(Output::Gap),
    Block::GapVelocity,
    Block::Slip,
    Block::FreeAcceleration,
    Block::Response,
    Block::FreeContactAcceleration,
    Block::Delassus,
];

/// The kernel whose blocks a field evaluates.
pub(in crate::simulate) fn kernel(model: &Model) -> Kernel {
    Kernel::new(model, &NEEDED)
}

/// A force of unknown size along a direction of a contact, and the contact row whose acceleration it makes vanish.
#[derive(Clone, Copy, Debug)]
struct Unknown<T> {
    row: usize,
    first: usize,
    force: [T; 3],
}

/// Forces, accelerations and watches over the box that was evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Field<T> {
    values: Values<T>,
    unknowns: Vec<Unknown<T>>,
    matrix: Vec<T>,
    sizes: Vec<T>,
    forces: Vec<T>,
    pub(super) vdot: Vec<T>,
    /// (t, q, v), then what a row of a trajectory has of the contacts.
    row: Vec<T>,
}

impl<T: Enclosing> Field<T> {
    pub(super) fn new(kernel: &Kernel, parameters: &[f64]) -> Self {
        let mut values = kernel.values();
        kernel.set_parameters(parameters, &mut values);
        let zero = T::from_f64(0.0);
        Self {
            values,
            unknowns: Vec::new(),
            matrix: Vec::new(),
            sizes: Vec::new(),
            forces: vec![zero; kernel.rows()],
            vdot: vec![zero; kernel.layout().coordinates],
            row: Vec::new(),
        }
    }

    /// Evaluates a box; false if no finite forces or accelerations are enclosed.
    pub(super) fn solve(
        &mut self,
        kernel: &Kernel,
        (t, q, v): (T, &[T], &[T]),
        motions: &[ContactMotion],
    ) -> bool {
        self.row.clear();
        self.row.push(t);
        self.row.extend_from_slice(q);
        self.row.extend_from_slice(v);
        kernel.solve_at(t, q, v, &mut self.values).is_ok()
            && self.find_unknowns(kernel, motions)
            && self.find_sizes(kernel)
            && self.accelerate(kernel)
    }

    fn find_unknowns(&mut self, kernel: &Kernel, motions: &[ContactMotion]) -> bool {
        self.unknowns.clear();
        for (contact, motion) in motions.iter().enumerate() {
            let first = contact * (1 + kernel.layout().tangents);
            match motion {
                ContactMotion::Free => {}
                ContactMotion::Sticks => {
                    let unit = |k: usize| std::array::from_fn(|i| T::from_f64(f64::from(u8::from(i == k))));
                    let rows = 0..=kernel.layout().tangents;
                    self.unknowns.extend(rows.map(|k| Unknown { row: first + k, first, force: unit(k) }));
                }
                ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                    let Some(force) = self.slipping(kernel, contact, motion) else { return false };
                    self.unknowns.push(Unknown { row: first, first, force });
                }
            }
        }
        true
    }

    /// The direction (n, −t û) of the force of a contact that slips; none where the direction of slip is not enclosed.
    fn slipping(&self, kernel: &Kernel, contact: usize, motion: &ContactMotion) -> Option<[T; 3]> {
        let number = T::from_f64;
        match *motion {
            ContactMotion::Slips { along, friction } => {
                let part = |k: usize| number(-friction.tangential * along[k]);
                Some([number(friction.normal), part(0), part(1)])
            }
            ContactMotion::Turns { slow, friction, pull, .. } => {
                let speed = self.speed(kernel, contact);
                let slip = kernel.block(&self.values, Block::Slip);
                let part = |k: usize| number(-friction.tangential * pull) * slip[2 * contact + k] / speed;
                (speed.range().lo > slow).then(|| [number(friction.normal), part(0), part(1)])
            }
            ContactMotion::Free | ContactMotion::Sticks => None,
        }
    }

    /// |u| of a contact.
    fn speed(&self, kernel: &Kernel, contact: usize) -> T {
        let d = kernel.layout().tangents;
        length(&kernel.block(&self.values, Block::Slip)[contact * d..(contact + 1) * d])
    }

    /// κ of P κ = −c₀, by elimination.
    fn find_sizes(&mut self, kernel: &Kernel) -> bool {
        let (size, d) = (self.unknowns.len(), kernel.layout().tangents);
        let free = kernel.block(&self.values, Block::FreeContactAcceleration);
        self.matrix.clear();
        self.sizes.clear();
        for equation in &self.unknowns {
            self.sizes.push(-free[equation.row]);
            for unknown in &self.unknowns {
                let entry = |k: usize| {
                    unknown.force[k] * kernel.delassus(&self.values, equation.row, unknown.first + k)
                };
                self.matrix.push((1..=d).fold(entry(0), |sum, k| sum + entry(k)));
            }
        }
        eliminate(&mut self.matrix, &mut self.sizes, size)
    }

    /// λ from κ, and v̇; false if one is not bounded.
    fn accelerate(&mut self, kernel: &Kernel) -> bool {
        let (n, d) = (self.vdot.len(), kernel.layout().tangents);
        self.forces.fill(T::from_f64(0.0));
        for (unknown, &size) in self.unknowns.iter().zip(&self.sizes) {
            for k in 0..=d {
                let place = unknown.first + k;
                self.forces[place] = self.forces[place] + unknown.force[k] * size;
            }
        }
        let response = kernel.block(&self.values, Block::Response);
        self.vdot.copy_from_slice(kernel.block(&self.values, Block::FreeAcceleration));
        for unknown in self.unknowns.iter().filter(|unknown| unknown.row == unknown.first) {
            for row in unknown.first..=unknown.first + d {
                for (i, vdot) in self.vdot.iter_mut().enumerate() {
                    *vdot = *vdot + self.forces[row] * response[row * n + i];
                }
            }
        }
        self.vdot.iter().all(|vdot| vdot.range().is_bounded())
    }

    /// Acceleration of a contact row under the forces.
    fn acceleration(&self, kernel: &Kernel, row: usize) -> T {
        let free = kernel.block(&self.values, Block::FreeContactAcceleration)[row];
        let d = kernel.layout().tangents;
        let mut sum = free;
        for unknown in self.unknowns.iter().filter(|unknown| unknown.row == unknown.first) {
            for other in unknown.first..=unknown.first + d {
                sum = sum + kernel.delassus(&self.values, row, other) * self.forces[other];
            }
        }
        sum
    }

    /// A watch and as many of its derivatives by time as the field has blocks for: gaps have two, slips in the plane one. False if
    /// the watch cannot be enclosed.
    pub(super) fn watch(
        &mut self,
        kernel: &Kernel,
        watch: Watch,
        mechanics: &Mechanics<'_>,
        found: &mut Vec<T>,
    ) -> bool {
        found.clear();
        let (d, number) = (kernel.layout().tangents, T::from_f64);
        match watch {
            Watch::Gap(contact) => found.extend(self.gap(kernel, contact)),
            Watch::Rise(contact) => found.extend(self.gap(kernel, contact).map(|x| -x)),
            Watch::Force(contact, pull) => found.push(number(pull) * self.forces[mechanics.row(contact)]),
            Watch::Press(contact, pull) => {
                let free = kernel.block(&self.values, Block::FreeContactAcceleration);
                found.push(number(-pull) * free[mechanics.row(contact)]);
            }
            Watch::Gain(contact, sign) => {
                let gain = self.gain(kernel, contact, &mechanics.motions[contact]);
                found.extend(gain.map(|gain| number(sign) * gain));
            }
            Watch::Slip(contact, along) => {
                let slip = kernel.block(&self.values, Block::Slip)[contact * d];
                let rate = self.acceleration(kernel, mechanics.row(contact) + 1);
                found.extend([slip, rate].map(|x| number(along) * x));
            }
            Watch::Speed(contact, rest) => found.push(self.speed(kernel, contact) - number(rest)),
            Watch::Cone(contact) => found.push(self.cone(contact, mechanics)),
            Watch::Stop => found.extend(self.stop(kernel, mechanics)),
            Watch::StopRise => found.extend(self.stop(kernel, mechanics).map(|value| -value)),
            Watch::Room | Watch::Time(_) => {}
        }
        !found.is_empty()
    }

    /// A gap with its first two derivatives.
    fn gap(&self, kernel: &Kernel, contact: usize) -> [T; 3] {
        let row = contact * (1 + kernel.layout().tangents);
        let [gap, rate] = [Block::from(Output::Gap), Block::GapVelocity]
            .map(|block| kernel.block(&self.values, block)[contact]);
        [gap, rate, self.acceleration(kernel, row)]
    }

    /// The caller's expression.
    fn stop(&mut self, kernel: &Kernel, mechanics: &Mechanics<'_>) -> Option<T> {
        let (d, states) = (kernel.layout().tangents, 1 + 2 * kernel.layout().coordinates);
        self.row.truncate(states);
        if mechanics.stop_reads > states {
            let (gaps, slips) =
                (kernel.block(&self.values, Output::Gap), kernel.block(&self.values, Block::Slip));
            for (contact, &gap) in gaps.iter().enumerate() {
                self.row.push(gap);
                self.row.extend_from_slice(&slips[contact * d..(contact + 1) * d]);
                self.row.extend_from_slice(&self.forces[contact * (1 + d)..(contact + 1) * (1 + d)]);
            }
        }
        // forces of constraints are not among them
        T::of_row(mechanics.stop?, &self.row)
    }

    /// p of a contact that slips: its own gain in the direction of its force.
    fn gain(&self, kernel: &Kernel, contact: usize, motion: &ContactMotion) -> Option<T> {
        let d = kernel.layout().tangents;
        let (row, force) = (contact * (1 + d), self.slipping(kernel, contact, motion)?);
        let entry = |k: usize| force[k] * kernel.delassus(&self.values, row, row + k);
        Some((1..=d).fold(entry(0), |sum, k| sum + entry(k)))
    }

    /// t λ_N − n‖λ_T‖.
    fn cone(&self, contact: usize, mechanics: &Mechanics<'_>) -> T {
        let (row, d) = (mechanics.row(contact), mechanics.layout().tangents);
        let (n, t) = mechanics.laws[contact].friction.parts();
        let forces = &self.forces[row..=row + d];
        let normal = match mechanics.laws[contact].hold {
            Hold::Unilateral => forces[0],
            Hold::Bilateral => forces[0].abs(),
        };
        T::from_f64(t) * normal - T::from_f64(n) * length(&forces[1..])
    }
}

/// The length of a vector of one or two numbers.
fn length<T: Real>(x: &[T]) -> T {
    match x {
        [one] => one.abs(),
        [one, two] => (one.powi(2) + two.powi(2)).sqrt(),
        _ => T::from_f64(0.0),
    }
}

/// Replaces the right-hand side by the solution, pivots being chosen by the middles; false if one may be zero.
fn eliminate<T: Enclosing>(matrix: &mut [T], rhs: &mut [T], n: usize) -> bool {
    for k in 0..n {
        let size = |i: usize| matrix[i * n + k].value().abs();
        let pivot = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
        if matrix[pivot * n + k].range().contains(0.0) {
            return false;
        }
        if pivot != k {
            (k..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            rhs.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            for j in k + 1..n {
                matrix[i * n + j] = matrix[i * n + j] - factor * matrix[k * n + j];
            }
            rhs[i] = rhs[i] - factor * rhs[k];
        }
    }
    for k in (0..n).rev() {
        let left = (k + 1..n).fold(rhs[k], |sum, j| sum - matrix[k * n + j] * rhs[j]);
        rhs[k] = left / matrix[k * n + k];
    }
    true
}
