//! The mechanics of a phase over many states with accelerations at once: the contact forces and the watches in numbers that enclose them, along
//! a curve or over a box with their rates. Forces follow from the accelerations by the equations of motion.

use super::equations::Equations;
use super::kernel::{WideKernel, WideValues};
use super::solve::{Solved, System};
use crate::contact::Hold;
use crate::model::{Block, Layout, Model, Output};
use crate::num::Interval;
use crate::simulate::event::mechanics::Mechanics;
use crate::simulate::event::watch::Watch;
use crate::simulate::smooth::ContactMotion;
use std::sync::{Arc, OnceLock};

/// The blocks of watches that read positions and velocities alone.
const MOTION: [Block; 6] = [
    Block::Model(Output::Gap),
    Block::Model(Output::NormalDrift),
    Block::Model(Output::TangentDrift),
    Block::GapVelocity,
    Block::Slip,
    Block::ContactJacobian,
];

/// What is read besides where forces are: the equations of motion.
const EQUATIONS: [Block; 4] = [
    Block::Model(Output::MassMatrix),
    Block::Model(Output::Bias),
    Block::Model(Output::ConstraintJacobian),
    Block::Model(Output::ConstraintDrift),
];

/// Kernels of what is enclosed: without forces, and with them; made when they are asked for.
#[derive(Debug)]
pub(super) struct FieldKernels {
    model: Arc<Model>,
    made: [OnceLock<WideKernel>; 2],
}

impl FieldKernels {
    /// Of a model.
    pub(super) fn new(model: &Arc<Model>) -> Self {
        Self { model: Arc::clone(model), made: [OnceLock::new(), OnceLock::new()] }
    }

    fn get<T: Solved>(&self, forces: bool) -> &WideKernel {
        self.made[usize::from(forces)].get_or_init(|| {
            let blocks = if forces { [&MOTION[..], &EQUATIONS].concat() } else { MOTION.to_vec() };
            WideKernel::new::<T>(&self.model, &blocks)
        })
    }
}

/// A force of unknown size along a direction of a contact, and the contact row that it presses on.
#[derive(Clone, Copy, Debug)]
struct Unknown<T> {
    row: usize,
    first: usize,
    force: [T; 3],
}

/// Forces and watches over the states that were evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Field<'m, T> {
    kernels: &'m FieldKernels,
    parameters: Vec<f64>,
    layout: Layout,
    /// Without forces, and with them.
    values: [Option<WideValues<T>>; 2],
    /// Which of them was evaluated last.
    which: usize,
    unknowns: Vec<Unknown<T>>,
    /// What each of them does along the coordinates, per unit of its size.
    drives: Vec<T>,
    /// Of the equations of motion, and of the forces.
    system: System<T>,
    holding: System<T>,
    /// ν, then κ.
    sizes: Vec<T>,
    /// Of the one contact that slips: b and p.
    press: [T; 2],
    forces: Vec<T>,
    vdot: Vec<T>,
    /// (t, q, v), then what a row of a trajectory has of the contacts.
    row: Vec<T>,
}

impl<'m, T: Solved> Field<'m, T> {
    pub(super) fn new(kernels: &'m FieldKernels, parameters: &[f64]) -> Self {
        let layout = *kernels.model.layout();
        let Layout { coordinates: n, constraints, .. } = layout;
        let rows = layout.contacts * (1 + layout.tangents);
        Self {
            kernels,
            parameters: parameters.to_vec(),
            layout,
            values: [None, None],
            which: 0,
            unknowns: Vec::with_capacity(rows),
            drives: Vec::with_capacity(rows * n),
            system: System::with_size(n + constraints),
            holding: System::with_size(n + constraints + rows),
            sizes: Vec::with_capacity(constraints + rows),
            press: [T::from_f64(0.0); 2],
            forces: vec![T::from_f64(0.0); rows],
            vdot: Vec::with_capacity(n),
            row: Vec::with_capacity(1 + 2 * n + 3 * rows),
        }
    }

    /// Evaluates states (t, q, v) with accelerations, and what of the forces is watched.
    pub(super) fn solve(
        &mut self,
        states: impl Iterator<Item = T>,
        vdot: impl Iterator<Item = T>,
        mechanics: &Mechanics<'_>,
    ) {
        let watched = |reads: fn(&Watch) -> bool| mechanics.watches.iter().any(reads);
        let presses = watched(|watch| matches!(watch, Watch::Press(..) | Watch::Gain(..)));
        let stop = watched(|watch| matches!(watch, Watch::Stop | Watch::StopRise));
        let read = stop && mechanics.stop_reads > 1 + 2 * self.layout().coordinates;
        // with b and p the sign of the force is known
        let forces = watched(|watch| matches!(watch, Watch::Cone(_) | Watch::Room))
            || (!presses && watched(|watch| matches!(watch, Watch::Force(..))))
            || read;
        self.which = usize::from(presses || forces);
        self.row.clear();
        self.row.extend(states);
        let kernel = self.kernels.get::<T>(self.which > 0);
        let values = self.values[self.which].get_or_insert_with(|| kernel.values(&self.parameters));
        kernel.evaluate(&self.row, values);
        self.vdot.clear();
        self.vdot.extend(vdot);
        self.forces.fill(T::from_f64(0.0));
        if self.which == 0 {
            return;
        }
        let known = self.find_unknowns(&mechanics.motions);
        let unbounded = T::unbounded();
        if presses {
            self.press = if known { self.find_press() } else { None }.unwrap_or([unbounded; 2]);
        }
        if forces && !(known && self.find_forces(mechanics)) {
            self.forces.fill(unbounded);
        }
    }

    /// The forces that are not zero; false where a direction is not enclosed.
    fn find_unknowns(&mut self, motions: &[ContactMotion]) -> bool {
        self.unknowns.clear();
        for (contact, motion) in motions.iter().enumerate() {
            let first = contact * (1 + self.layout().tangents);
            match motion {
                ContactMotion::Free => {}
                ContactMotion::Sticks => {
                    let unit = |k: usize| std::array::from_fn(|i| T::from_f64(f64::from(u8::from(i == k))));
                    let rows = 0..=self.layout().tangents;
                    self.unknowns.extend(rows.map(|k| Unknown { row: first + k, first, force: unit(k) }));
                }
                ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                    let Some(force) = self.slipping(contact, motion) else { return false };
                    self.unknowns.push(Unknown { row: first, first, force });
                }
            }
        }
        let mut drives = std::mem::take(&mut self.drives);
        drives.clear();
        self.unknowns.iter().for_each(|unknown| self.drive(unknown, &mut drives));
        self.drives = drives;
        true
    }

    /// The direction (n, −t û) of the force of a contact that slips.
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
                // near rest it may be any direction
                let is_apart = speed.range().lo > slow;
                let along = |k: usize| {
                    let part = slip[2 * contact + k] / speed;
                    if is_apart && part.range().width() < 2.0 { part } else { T::up_to_one() }
                };
                let part = |k: usize| number(-friction.tangential * pull) * along(k);
                Some([number(friction.normal), part(0), part(1)])
            }
            ContactMotion::Free | ContactMotion::Sticks => None,
        }
    }

    /// |u| of a contact.
    fn speed(&self, contact: usize) -> T {
        let d = self.layout().tangents;
        length(&self.block(Block::Slip)[contact * d..(contact + 1) * d])
    }

    fn equations(&self) -> Equations<'_, T> {
        Equations {
            coordinates: self.layout().coordinates,
            mass: self.block(Output::MassMatrix),
            bias: self.block(Output::Bias),
            constraints: self.block(Output::ConstraintJacobian),
            drift: self.block(Output::ConstraintDrift),
        }
    }

    /// What a force does along the coordinates, per unit of its size.
    fn drive(&self, unknown: &Unknown<T>, drives: &mut Vec<T>) {
        let begin = drives.len();
        drives.resize(begin + self.layout().coordinates, T::from_f64(0.0));
        for (k, part) in unknown.force.into_iter().enumerate().take(1 + self.layout().tangents) {
            let row = self.jacobian(unknown.first + k);
            drives[begin..].iter_mut().zip(row).for_each(|(sum, &w)| *sum = *sum + part.times(w));
        }
    }

    /// Sizes of forces from the accelerations: F κ + Jᵀν = M v̇ + h, in as many coordinates as there are independent forces. Where
    /// forces are not unique, those that have no pivot are as `known`.
    fn find_sizes(&mut self, known: Option<&[f64]>, implied: usize) -> bool {
        let Layout { coordinates: n, constraints: c, .. } = *self.layout();
        let mut system = std::mem::take(&mut self.holding);
        let mut sizes = std::mem::take(&mut self.sizes);
        let (all, equations) = (c + self.unknowns.len(), self.equations());
        let entry = |i: usize, j: usize| {
            if j < c { equations.inertia(i, n + j) } else { self.drives[(j - c) * n + i] }
        };
        sizes.clear();
        sizes.extend((0..all).map(|j| {
            let given =
                known.zip(j.checked_sub(c)).map_or(0.0, |(forces, k)| self.unknowns[k].size_in(forces));
            T::from_f64(given)
        }));
        let weight = |i: usize| equations.inertia(i, i).value().abs().sqrt();
        let solvable = all >= implied && system.take_part([n, all], all - implied, entry, weight);
        if solvable {
            system.columns().iter().for_each(|&j| sizes[j] = T::from_f64(0.0));
            system.solve(|i| {
                let driven = equations.needed(i, &self.vdot);
                let given = if implied > 0 { &sizes[..] } else { &[] };
                given.iter().enumerate().fold(driven, |sum, (j, &size)| sum - entry(i, j).times(size))
            });
            system.unknowns().for_each(|(j, size)| sizes[j] = size);
        }
        (self.holding, self.sizes) = (system, sizes);
        solvable
    }

    /// b and p of the one contact that slips: p is its own gain in the direction of its force κ, and b = −p κ varies less than the terms
    /// that make it up. In the time of a jam, where κ has no bounds, and where its direction is hardly known, b is enclosed by what it is: the normal
    /// acceleration without contact forces.
    fn find_press(&mut self) -> Option<[T; 2]> {
        let Layout { coordinates: n, constraints: c, .. } = *self.layout();
        let [unknown] = self.unknowns[..] else { return None };
        let own = |field: &Self, i: usize| if i < n { field.drives[i] } else { T::from_f64(0.0) };
        let gain = self.driven(unknown.row, own)?;
        if self.find_sizes(None, 0) {
            let press = -gain * self.sizes[c];
            let Interval { lo, hi } = press.range();
            if lo > 0.0 || hi < 0.0 {
                return Some([press, gain]);
            }
        }
        let free = self.driven(unknown.row, |field, i| field.equations().pull(i))?;
        Some([free + self.drift(unknown.row), gain])
    }

    /// What the equations of motion with a right-hand side drive along a contact row.
    fn driven(&mut self, row: usize, right: impl Fn(&Self, usize) -> T) -> Option<T> {
        let Layout { coordinates: n, constraints: c, .. } = *self.layout();
        let mut system = std::mem::take(&mut self.system);
        let equations = self.equations();
        let solvable = system.take(n + c, |i, j| equations.inertia(i, j));
        let found = solvable.then(|| {
            system.solve(|i| right(self, i));
            let along = |sum: T, (j, x): (usize, T)| sum + self.jacobian(row)[j].times(x);
            system.unknowns().take(n).fold(T::from_f64(0.0), along)
        });
        self.system = system;
        found
    }

    /// λ; false if it is not enclosed.
    fn find_forces(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let Layout { constraints: c, tangents: d, .. } = *self.layout();
        // of springs they follow from the accelerations
        let open = if mechanics.work.springs.active { 0 } else { mechanics.work.undetermined() };
        let solvable = self.find_sizes(mechanics.deepest_forces(), open);
        for (unknown, &size) in self.unknowns.iter().zip(self.sizes.iter().skip(c)) {
            for k in 0..=d {
                let place = unknown.first + k;
                self.forces[place] = self.forces[place] + unknown.force[k].times(size);
            }
        }
        solvable
    }

    /// Acceleration of a contact row.
    fn acceleration(&self, row: usize) -> T {
        self.along(row, &self.vdot) + self.drift(row)
    }

    /// A contact row times a vector.
    fn along(&self, row: usize, vector: &[T]) -> T {
        self.jacobian(row).iter().zip(vector).fold(T::from_f64(0.0), |sum, (&w, &x)| sum + w.times(x))
    }

    fn jacobian(&self, row: usize) -> &[T] {
        let n = self.layout().coordinates;
        &self.block(Block::ContactJacobian)[row * n..(row + 1) * n]
    }

    /// What the acceleration of a contact row is without v̇.
    fn drift(&self, row: usize) -> T {
        let d = self.layout().tangents;
        match (row / (1 + d), row % (1 + d)) {
            (contact, 0) => self.block(Output::NormalDrift)[contact],
            (contact, k) => self.block(Output::TangentDrift)[contact * d + k - 1],
        }
    }

    fn block(&self, block: impl Into<Block>) -> &[T] {
        let values = self.values[self.which].as_ref();
        values.map_or(&[], |values| self.kernels.get::<T>(self.which > 0).block(values, block))
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    /// A watch and as many of its derivatives by time as the field has blocks for: gaps have two, slips in the plane one. False if
    /// the watch cannot be enclosed.
    pub(super) fn watch(&mut self, watch: Watch, mechanics: &Mechanics<'_>, found: &mut Vec<T>) -> bool {
        found.clear();
        let (d, number) = (self.layout().tangents, T::from_f64);
        match watch {
            Watch::Gap(contact) => found.extend(self.gap(contact)),
            Watch::Rise(contact) => found.extend(self.gap(contact).map(|x| -x)),
            Watch::Force(contact, pull) => found.push(number(pull) * self.forces[mechanics.row(contact)]),
            Watch::Press(_, pull) => found.push(number(-pull) * self.press[0]),
            Watch::Gain(_, sign) => found.push(number(sign) * self.press[1]),
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
            Watch::Time(_) | Watch::Apart(_) => {}
        }
        !found.is_empty()
    }

    /// A gap with its first two derivatives.
    fn gap(&self, contact: usize) -> [T; 3] {
        let row = contact * (1 + self.layout().tangents);
        let [gap, rate] =
            [Block::from(Output::Gap), Block::GapVelocity].map(|block| self.block(block)[contact]);
        [gap, rate, self.acceleration(row)]
    }

    /// The caller's expression.
    fn stop(&mut self, mechanics: &Mechanics<'_>) -> Option<T> {
        let (d, states) = (self.layout().tangents, 1 + 2 * self.layout().coordinates);
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
fn length<T: Solved>(x: &[T]) -> T {
    match x {
        [one] => one.abs(),
        [one, two] => T::length(*one, *two),
        _ => T::from_f64(0.0),
    }
}

impl<T: Solved> Unknown<T> {
    /// Its size where contact forces are given.
    fn size_in(&self, forces: &[f64]) -> f64 {
        let own = self.force.map(T::value);
        // a contact that sticks has an unknown for each row; one that slips is known by its normal force
        let place = self.row - self.first;
        if own[place].abs() > 0.0 { forces[self.row] / own[place] } else { 0.0 }
    }
}
