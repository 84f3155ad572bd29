//! The mechanics of a phase over a box of states with accelerations: intervals that enclose the contact forces and the watches at every
//! state of the box; over dual numbers their rates along the motion as well.

use super::solve::System;
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

/// The blocks of watches that read positions and velocities alone.
const MOTION: [Block; 6] = [
    Block::Model(Output::Gap),
    Block::Model(Output::NormalDrift),
    Block::Model(Output::TangentDrift),
    Block::GapVelocity,
    Block::Slip,
    Block::ContactJacobian,
];

/// Kernels of what is enclosed: without forces, and with them.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Kernels {
    motion: Kernel,
    forces: Kernel,
}

impl Kernels {
    /// Of a model.
    pub(in crate::simulate) fn new(model: &Model) -> Self {
        let forces = [&MOTION[..], &[Block::FreeContactAcceleration, Block::Delassus]].concat();
        Self { motion: Kernel::new(model, &MOTION), forces: Kernel::new(model, &forces) }
    }
}

/// A force of unknown size along a direction of a contact, and the contact row whose acceleration it makes vanish.
#[derive(Clone, Copy, Debug)]
struct Unknown<T> {
    row: usize,
    first: usize,
    force: [T; 3],
}

/// A box of states with the accelerations in it.
#[derive(Clone, Copy)]
pub(super) struct States<'s, T> {
    pub(super) t: T,
    pub(super) q: &'s [T],
    pub(super) v: &'s [T],
    pub(super) vdot: &'s [T],
}

/// Forces and watches over the box that was evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Field<'m, T> {
    /// Without forces, and with them.
    kernels: [&'m Kernel; 2],
    values: [Values<T>; 2],
    /// Which of them was evaluated last.
    which: usize,
    unknowns: Vec<Unknown<T>>,
    /// P κ = −c₀.
    system: System<T>,
    forces: Vec<T>,
    vdot: Vec<T>,
    /// (t, q, v), then what a row of a trajectory has of the contacts.
    row: Vec<T>,
}

impl<'m, T: Enclosing> Field<'m, T> {
    pub(super) fn new(kernels: &'m Kernels, parameters: &[f64]) -> Self {
        let values = |kernel: &Kernel| {
            let mut values = kernel.values();
            kernel.set_parameters(parameters, &mut values);
            values
        };
        let (n, rows) = (kernels.forces.layout().coordinates, kernels.forces.rows());
        Self {
            kernels: [&kernels.motion, &kernels.forces],
            values: [values(&kernels.motion), values(&kernels.forces)],
            which: 0,
            unknowns: Vec::with_capacity(rows),
            system: System::for_unknowns(rows),
            forces: vec![T::from_f64(0.0); kernels.forces.rows()],
            vdot: Vec::with_capacity(n),
            row: Vec::with_capacity(1 + 2 * n + 3 * rows),
        }
    }

    /// Evaluates a box, with forces if these are asked for; false if they are not enclosed.
    pub(super) fn solve(&mut self, states: &States<'_, T>, mechanics: &Mechanics<'_>, forces: bool) -> bool {
        self.which = usize::from(forces);
        self.row.clear();
        self.row.push(states.t);
        self.row.extend_from_slice(states.q);
        self.row.extend_from_slice(states.v);
        self.vdot.clear();
        self.vdot.extend_from_slice(states.vdot);
        // whether M is positive definite in the middle says nothing of the box: what is not bounded is seen by what it leads to
        let values = &mut self.values[self.which];
        let _ = self.kernels[self.which].solve_at(states.t, states.q, states.v, values);
        !forces
            || (self.find_unknowns(&mechanics.motions)
                && self.find_sizes(mechanics.deepest_forces(), mechanics.work.undetermined())
                && self.find_forces())
    }

    fn find_unknowns(&mut self, motions: &[ContactMotion]) -> bool {
        self.unknowns.clear();
        for (contact, motion) in motions.iter().enumerate() {
            let first = contact * (1 + self.kernel().layout().tangents);
            match motion {
                ContactMotion::Free => {}
                ContactMotion::Sticks => {
                    let unit = |k: usize| std::array::from_fn(|i| T::from_f64(f64::from(u8::from(i == k))));
                    let rows = 0..=self.kernel().layout().tangents;
                    self.unknowns.extend(rows.map(|k| Unknown { row: first + k, first, force: unit(k) }));
                }
                ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                    let Some(force) = self.slipping(contact, motion) else { return false };
                    self.unknowns.push(Unknown { row: first, first, force });
                }
            }
        }
        true
    }

    /// The direction (n, −t û) of the force of a contact that slips; none where the direction of slip is not enclosed.
    fn slipping(&self, contact: usize, motion: &ContactMotion) -> Option<[T; 3]> {
        let number = T::from_f64;
        match *motion {
            ContactMotion::Slips { along, friction } => {
                let part = |k: usize| number(-friction.tangential * along[k]);
                Some([number(friction.normal), part(0), part(1)])
            }
            ContactMotion::Turns { slow, friction, pull, .. } => {
                let speed = self.speed(contact);
                let slip = self.block(Block::Slip);
                let part = |k: usize| number(-friction.tangential * pull) * slip[2 * contact + k] / speed;
                (speed.range().lo > slow).then(|| [number(friction.normal), part(0), part(1)])
            }
            ContactMotion::Free | ContactMotion::Sticks => None,
        }
    }

    /// |u| of a contact.
    fn speed(&self, contact: usize) -> T {
        let d = self.kernel().layout().tangents;
        length(&self.block(Block::Slip)[contact * d..(contact + 1) * d])
    }

    /// κ of P κ = −c₀. Where forces are not unique: of those that differ from `known` in as few as the rows need, which lie among those
    /// that are possible.
    fn find_sizes(&mut self, known: Option<&[f64]>, implied: usize) -> bool {
        let d = self.kernel().layout().tangents;
        let mut system = std::mem::take(&mut self.system);
        system.clear();
        for equation in &self.unknowns {
            system.rhs.push(-self.block(Block::FreeContactAcceleration)[equation.row]);
            system.given.push(known.map_or(0.0, |forces| equation.size_in(forces)));
            system.matrix.extend(self.unknowns.iter().map(|unknown| {
                let entry = |k: usize| unknown.force[k] * self.delassus(equation.row, unknown.first + k);
                (1..=d).fold(entry(0), |sum, k| sum + entry(k))
            }));
        }
        let solved = system.solve(implied);
        self.system = system;
        solved
    }

    /// λ from κ; false if one is not bounded.
    fn find_forces(&mut self) -> bool {
        let d = self.kernel().layout().tangents;
        self.forces.fill(T::from_f64(0.0));
        for (unknown, &size) in self.unknowns.iter().zip(&self.system.rhs) {
            for k in 0..=d {
                let place = unknown.first + k;
                self.forces[place] = self.forces[place] + unknown.force[k] * size;
            }
        }
        self.forces.iter().all(|force| force.range().is_bounded())
    }

    /// Acceleration of a contact row.
    fn acceleration(&self, row: usize) -> T {
        let (n, d) = (self.vdot.len(), self.kernel().layout().tangents);
        let drift = match (row / (1 + d), row % (1 + d)) {
            (contact, 0) => self.block(Output::NormalDrift)[contact],
            (contact, k) => self.block(Output::TangentDrift)[contact * d + k - 1],
        };
        let jacobian = &self.block(Block::ContactJacobian)[row * n..(row + 1) * n];
        jacobian.iter().zip(&self.vdot).fold(drift, |sum, (&w, &vdot)| sum + w * vdot)
    }

    fn block(&self, block: impl Into<Block>) -> &[T] {
        self.kernel().block(&self.values[self.which], block)
    }

    fn kernel(&self) -> &'m Kernel {
        self.kernels[self.which]
    }

    fn delassus(&self, i: usize, j: usize) -> T {
        self.kernel().delassus(&self.values[self.which], i, j)
    }

    /// A watch and as many of its derivatives by time as the field has blocks for: gaps have two, slips in the plane one. False if
    /// the watch cannot be enclosed.
    pub(super) fn watch(&mut self, watch: Watch, mechanics: &Mechanics<'_>, found: &mut Vec<T>) -> bool {
        found.clear();
        let (d, number) = (self.kernel().layout().tangents, T::from_f64);
        match watch {
            Watch::Gap(contact) => found.extend(self.gap(contact)),
            Watch::Rise(contact) => found.extend(self.gap(contact).map(|x| -x)),
            Watch::Force(contact, pull) => found.push(number(pull) * self.forces[mechanics.row(contact)]),
            Watch::Press(contact, pull) => {
                let free = self.block(Block::FreeContactAcceleration);
                found.push(number(-pull) * free[mechanics.row(contact)]);
            }
            Watch::Gain(contact, sign) => {
                let gain = self.gain(contact, &mechanics.motions[contact]);
                found.extend(gain.map(|gain| number(sign) * gain));
            }
            Watch::Slip(contact, along) => {
                let slip = self.block(Block::Slip)[contact * d];
                let rate = self.acceleration(mechanics.row(contact) + 1);
                found.extend([slip, rate].map(|x| number(along) * x));
            }
            Watch::Speed(contact, rest) => found.push(self.speed(contact) - number(rest)),
            Watch::Cone(contact) => found.push(self.cone(contact, mechanics)),
            Watch::Stop => found.extend(self.stop(mechanics)),
            Watch::StopRise => found.extend(self.stop(mechanics).map(|value| -value)),
            Watch::Room => found.extend(self.room(mechanics)),
            Watch::Time(_) => {}
        }
        !found.is_empty()
    }

    /// A gap with its first two derivatives.
    fn gap(&self, contact: usize) -> [T; 3] {
        let row = contact * (1 + self.kernel().layout().tangents);
        let [gap, rate] =
            [Block::from(Output::Gap), Block::GapVelocity].map(|block| self.block(block)[contact]);
        [gap, rate, self.acceleration(row)]
    }

    /// The caller's expression.
    fn stop(&mut self, mechanics: &Mechanics<'_>) -> Option<T> {
        let (d, states) = (self.kernel().layout().tangents, 1 + 2 * self.kernel().layout().coordinates);
        self.row.truncate(states);
        let mut row = std::mem::take(&mut self.row);
        if mechanics.stop_reads > states {
            let (gaps, slips) = (self.block(Output::Gap), self.block(Block::Slip));
            for (contact, &gap) in gaps.iter().enumerate() {
                row.push(gap);
                row.extend_from_slice(&slips[contact * d..(contact + 1) * d]);
                row.extend_from_slice(&self.forces[contact * (1 + d)..(contact + 1) * (1 + d)]);
            }
        }
        self.row = row;
        // forces of constraints are not among them
        T::of_row(mechanics.stop?, &self.row)
    }

    /// The least room of the forces in the cones of contacts: at most that of the deepest.
    fn room(&self, mechanics: &Mechanics<'_>) -> Option<T> {
        let own = |contact: usize| {
            let laws = &mechanics.laws[contact];
            let row = mechanics.row(contact);
            match mechanics.motions[contact] {
                ContactMotion::Free => None,
                ContactMotion::Sticks if !laws.friction.is_infinite() => Some(self.cone(contact, mechanics)),
                ContactMotion::Sticks if laws.hold == Hold::Bilateral => None,
                _ => Some(T::from_f64(mechanics.pulls[contact]) * self.forces[row]),
            }
        };
        let all = (0..mechanics.motions.len()).filter_map(own);
        all.reduce(|least, room| if room.range().lo < least.range().lo { room } else { least })
    }

    /// p of a contact that slips: its own gain in the direction of its force.
    fn gain(&self, contact: usize, motion: &ContactMotion) -> Option<T> {
        let d = self.kernel().layout().tangents;
        let (row, force) = (contact * (1 + d), self.slipping(contact, motion)?);
        let entry = |k: usize| force[k] * self.delassus(row, row + k);
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

impl<T: Enclosing> Unknown<T> {
    /// Its size where contact forces are given.
    fn size_in(&self, forces: &[f64]) -> f64 {
        let own = self.force.map(Real::value);
        // a contact that sticks has an unknown for each row; one that slips is known by its normal force
        let place = self.row - self.first;
        if own[place].abs() > 0.0 { forces[self.row] / own[place] } else { 0.0 }
    }
}
