//! The mechanics of a phase over many states with accelerations at once: the contact forces and the watches in numbers that enclose them, along
//! a curve or over a box with their rates. Forces follow from the accelerations by the equations of motion.

use super::blocks::{Blocks, FieldKernels, Reads, Unknown};
use super::solve::{DEGREES, Solved, System};
use crate::contact::Hold;
use crate::model::{Block, Layout, Output};
use crate::num::Interval;
use crate::simulate::event::mechanics::Mechanics;
use crate::simulate::event::watch::Watch;
use crate::simulate::smooth::ContactMotion;
use std::sync::Arc;

/// A right-hand side of the equations of motion.
#[derive(Clone, Copy, Debug)]
enum Right {
    /// The force of the one contact that slips, per unit of its size.
    Force,
    /// What acts without contact forces.
    Pull,
}

/// What watches read.
#[derive(Clone, Copy, Debug, Default)]
struct Needs {
    /// Anything but times, positions and velocities.
    blocks: bool,
    slips: bool,
    /// b and p.
    presses: bool,
    /// Forces, or of one of them the sign.
    forces: bool,
    sign: bool,
}

impl Needs {
    /// With those of another watch; whether expressions read more of a row than times, positions and velocities.
    fn and(mut self, watch: &Watch, beyond: bool) -> Self {
        let own = match watch {
            Watch::Press(..) | Watch::Gain(..) => Some(&mut self.presses),
            Watch::Cone(_) | Watch::ConeMargin => Some(&mut self.forces),
            Watch::Force(..) => Some(&mut self.sign),
            Watch::Slip(..) | Watch::Speed(..) => Some(&mut self.slips),
            Watch::Stop | Watch::StopRise if beyond => Some(&mut self.forces),
            Watch::Stop | Watch::StopRise => return self,
            Watch::Gap(_) | Watch::Rise(_) | Watch::Apart(_) | Watch::Time(_) => None,
        };
        own.into_iter().for_each(|own| *own = true);
        self.blocks = true;
        self
    }

    fn reads(self) -> Reads {
        match self.slips {
            _ if self.presses || self.forces || self.sign => Reads::Forces,
            true => Reads::Motion,
            false => Reads::Gaps,
        }
    }
}

/// Forces and watches over the states that were evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Field<T> {
    blocks: Blocks<T>,
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

impl<T: Solved> Field<T> {
    pub(super) fn new(kernels: &Arc<FieldKernels>, parameters: &[f64]) -> Self {
        let blocks = Blocks::new(kernels, parameters);
        let Layout { coordinates: n, constraints, contacts, tangents, .. } = *blocks.layout();
        let rows = contacts * (1 + tangents);
        Self {
            blocks,
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

    /// The same memory for other parameters.
    pub(super) fn begin(&mut self, parameters: &[f64]) {
        self.blocks.begin(parameters);
        // which of its rows were taken depends on them
        self.holding.forget();
    }

    /// Whether it is one of these kernels.
    pub(super) fn is_of(&self, kernels: &Arc<FieldKernels>) -> bool {
        self.blocks.are_of(kernels)
    }

    /// Evaluates states (t, q, v) with accelerations, and what those of the watches that are open read of the forces.
    pub(super) fn solve(
        &mut self,
        states: impl Iterator<Item = T>,
        vdot: impl Iterator<Item = T>,
        (open, mechanics): (&[usize], &Mechanics<'_>),
    ) {
        let row = 1 + 2 * self.blocks.layout().coordinates;
        let needs = |watches: &mut dyn Iterator<Item = &Watch>| {
            watches.fold(Needs::default(), |needs, watch| needs.and(watch, mechanics.stop_reads > row))
        };
        let all = needs(&mut mechanics.watches.iter());
        let own = needs(&mut open.iter().map(|&i| &mechanics.watches[i]));
        self.row.clear();
        self.row.extend(states);
        if !own.blocks {
            return;
        }
        // one kernel for all stretches of a phase, whichever of its watches are open
        self.blocks.evaluate(&self.row, all.reads());
        self.vdot.clear();
        self.vdot.extend(vdot);
        self.forces.fill(T::from_f64(0.0));
        // with b and p the sign of the force is known
        let forces = own.forces || own.sign && !all.presses;
        if own.presses || forces {
            self.find_unknowns(&mechanics.motions);
        }
        if own.presses {
            self.press = self.find_press().unwrap_or([T::unbounded(); 2]);
        }
        if forces && !self.find_forces(mechanics) {
            self.forces.fill(T::unbounded());
        }
    }

    /// The forces that are not zero.
    fn find_unknowns(&mut self, motions: &[ContactMotion]) {
        self.unknowns.clear();
        for (contact, motion) in motions.iter().enumerate() {
            let first = contact * (1 + self.blocks.layout().tangents);
            match motion {
                ContactMotion::Sticks => {
                    let rows = first..=first + self.blocks.layout().tangents;
                    self.unknowns.extend(rows.map(|row| Unknown { row, along: None }));
                }
                ContactMotion::Free | ContactMotion::Slips { .. } | ContactMotion::Turns { .. } => {
                    let force = self.slipping(contact, motion);
                    self.unknowns
                        .extend(force.map(|force| Unknown { row: first, along: Some((first, force)) }));
                }
            }
        }
        let Self { blocks, unknowns, drives, .. } = self;
        drives.clear();
        unknowns.iter().for_each(|unknown| blocks.drive(unknown, drives));
    }

    /// The direction (n, −t û) of the force of a contact, if it slips.
    fn slipping(&self, contact: usize, motion: &ContactMotion) -> Option<[T; 3]> {
        let number = T::from_f64;
        match *motion {
            ContactMotion::Slips { along, friction } => {
                let part = |k: usize| number(-friction.tangential() * along[k]);
                Some([number(friction.normal()), part(0), part(1)])
            }
            ContactMotion::Turns { slow, friction, pull, .. } => {
                let speed = self.speed(contact);
                let slip = self.blocks.block(Block::Slip);
                // near rest it may be any direction
                let is_apart = speed.range().lo > slow;
                let along = |k: usize| {
                    let part = slip[2 * contact + k] / speed;
                    if is_apart && part.range().width() < 2.0 { part } else { T::up_to_one() }
                };
                let part = |k: usize| number(-friction.tangential() * pull) * along(k);
                Some([number(friction.normal()), part(0), part(1)])
            }
            ContactMotion::Free | ContactMotion::Sticks => None,
        }
    }

    /// |u| of a contact.
    fn speed(&self, contact: usize) -> T {
        let d = self.blocks.layout().tangents;
        length(&self.blocks.block(Block::Slip)[contact * d..(contact + 1) * d])
    }

    /// Sizes of forces from the accelerations: F κ + Jᵀν = M v̇ + h, in as many coordinates as there are independent forces. Where
    /// forces are not unique, those that have no pivot are as `known`.
    fn find_sizes(&mut self, known: Option<&[f64]>, implied: usize) -> bool {
        let Layout { coordinates: n, constraints: c, .. } = *self.blocks.layout();
        let Self { blocks, unknowns, drives, holding: system, sizes, vdot, .. } = self;
        let (all, equations) = (c + unknowns.len(), blocks.equations());
        let entry = |i: usize, j: usize| {
            if j < c { equations.inertia(i, n + j) } else { drives[(j - c) * n + i] }
        };
        sizes.clear();
        sizes.extend((0..all).map(|j| {
            let given = known.zip(j.checked_sub(c)).map_or(0.0, |(forces, k)| unknowns[k].size_in(forces));
            T::from_f64(given)
        }));
        let weight = |i: usize| equations.inertia(i, i).value().abs().sqrt();
        let solvable = all >= implied && system.take_part([n, all], all - implied, entry, weight);
        if solvable {
            system.columns().iter().for_each(|&j| sizes[j] = T::from_f64(0.0));
            system.solve(|i| {
                let driven = equations.needed(i, vdot);
                let given = if implied > 0 { &sizes[..] } else { &[] };
                given.iter().enumerate().fold(driven, |sum, (j, &size)| sum - entry(i, j).times(size))
            });
            system.unknowns().for_each(|(j, size)| sizes[j] = size);
        }
        solvable
    }

    /// b and p of the one contact that slips: p is its own gain in the direction of its force κ, and b = −p κ varies less than the terms
    /// that make it up. Of both only the sign is asked for, and p is enclosed closely only where its own is not told otherwise. In the time of a jam,
    /// where κ has no bounds, and where its direction is hardly known, b is enclosed by what it is: the normal acceleration without contact forces.
    fn find_press(&mut self) -> Option<[T; 2]> {
        let [unknown] = self.unknowns[..] else { return None };
        if !self.take_equations() {
            return None;
        }
        let mut gain = self.driven(unknown.row, 1, Right::Force);
        if gain.range().contains(0.0) || !gain.range().is_bounded() {
            gain = self.driven(unknown.row, DEGREES, Right::Force);
        }
        if self.find_sizes(None, 0) {
            let press = -gain * self.sizes[self.blocks.layout().constraints];
            let Interval { lo, hi } = press.range();
            if lo > 0.0 || hi < 0.0 {
                return Some([press, gain]);
            }
        }
        let free = self.driven(unknown.row, DEGREES, Right::Pull);
        Some([free + self.blocks.drift(unknown.row), gain])
    }

    /// Takes the equations of motion; false if they are singular.
    fn take_equations(&mut self) -> bool {
        let Layout { coordinates: n, constraints: c, .. } = *self.blocks.layout();
        let equations = self.blocks.equations();
        self.system.take(n + c, |i, j| equations.inertia(i, j))
    }

    /// What the equations of motion that were taken, with a right-hand side, drive along a contact row, by so many terms.
    fn driven(&mut self, row: usize, terms: usize, right: Right) -> T {
        let Self { blocks, drives, system, .. } = self;
        let n = blocks.layout().coordinates;
        let equations = blocks.equations();
        system.solve_by(terms, |i| match right {
            Right::Force if i < n => drives[i],
            Right::Force => T::from_f64(0.0),
            Right::Pull => equations.pull(i),
        });
        let line = blocks.jacobian(row);
        let along = |sum: T, (j, x): (usize, T)| sum + line[j].times(x);
        system.unknowns().take(n).fold(T::from_f64(0.0), along)
    }

    /// λ; false if it is not enclosed.
    fn find_forces(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let Layout { constraints: c, tangents: d, .. } = *self.blocks.layout();
        // of springs they follow from the accelerations
        let open = if mechanics.work.springs.active { 0 } else { mechanics.work.undetermined() };
        let solvable = self.find_sizes(mechanics.deepest_forces(), open);
        for (unknown, &size) in self.unknowns.iter().zip(self.sizes.iter().skip(c)) {
            match unknown.along {
                None => self.forces[unknown.row] = size,
                Some((first, force)) => {
                    for (own, part) in self.forces[first..=first + d].iter_mut().zip(force) {
                        *own = part.times(size);
                    }
                }
            }
        }
        solvable
    }

    /// Acceleration of a contact row.
    fn acceleration(&self, row: usize) -> T {
        self.along(row, &self.vdot) + self.blocks.drift(row)
    }

    /// A contact row times a vector.
    fn along(&self, row: usize, vector: &[T]) -> T {
        self.blocks.jacobian(row).iter().zip(vector).fold(T::from_f64(0.0), |sum, (&w, &x)| sum + w.times(x))
    }

    /// A watch and as many of its derivatives by time as the field has blocks for: gaps have two, slips in the plane one. False if
    /// the watch cannot be enclosed.
    pub(super) fn watch(&mut self, watch: Watch, mechanics: &Mechanics<'_>, found: &mut Vec<T>) -> bool {
        found.clear();
        let (d, number) = (self.blocks.layout().tangents, T::from_f64);
        match watch {
            Watch::Gap(contact) => found.extend(self.gap(contact)),
            Watch::Rise(contact) => found.extend(self.gap(contact).map(|x| -x)),
            Watch::Force(contact, pull) => {
                found.push(number(pull).times(self.forces[mechanics.row(contact)]))
            }
            Watch::Press(_, pull) => found.push(number(-pull).times(self.press[0])),
            Watch::Gain(_, sign) => found.push(number(sign).times(self.press[1])),
            Watch::Slip(contact, along) => {
                let slip = self.blocks.block(Block::Slip)[contact * d];
                let rate = self.acceleration(mechanics.row(contact) + 1);
                found.extend([slip, rate].map(|x| number(along).times(x)));
            }
            Watch::Speed(contact, rest) => found.push(self.speed(contact) - number(rest)),
            Watch::Cone(contact) => found.push(self.cone(contact, mechanics)),
            Watch::Stop => found.extend(self.stop(mechanics)),
            Watch::StopRise => found.extend(self.stop(mechanics).map(|value| -value)),
            Watch::ConeMargin => found.extend(self.margin(mechanics)),
            Watch::Time(_) | Watch::Apart(_) => {}
        }
        !found.is_empty()
    }

    /// The acceleration of a slip that turns, in the direction of its beginning.
    pub(super) fn onset(&self, contact: usize, mechanics: &Mechanics<'_>) -> Option<T> {
        let ContactMotion::Turns { along: [one, two], .. } = mechanics.motions[contact] else { return None };
        let row = mechanics.row(contact);
        let part = |k: usize, along: f64| T::from_f64(along).times(self.acceleration(row + k));
        Some(part(1, one) + part(2, two))
    }

    /// A gap with its first two derivatives.
    fn gap(&self, contact: usize) -> [T; 3] {
        let row = contact * (1 + self.blocks.layout().tangents);
        let [gap, rate] =
            [Block::from(Output::Gap), Block::GapVelocity].map(|block| self.blocks.block(block)[contact]);
        [gap, rate, self.acceleration(row)]
    }

    /// The caller's expression.
    fn stop(&mut self, mechanics: &Mechanics<'_>) -> Option<T> {
        let (d, states) = (self.blocks.layout().tangents, 1 + 2 * self.blocks.layout().coordinates);
        self.row.truncate(states);
        let mut row = std::mem::take(&mut self.row);
        if mechanics.stop_reads > states {
            let (gaps, slips) = (self.blocks.block(Output::Gap), self.blocks.block(Block::Slip));
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

    /// The least margin of the forces in the cones of contacts: at most that of the deepest.
    fn margin(&self, mechanics: &Mechanics<'_>) -> Option<T> {
        let own = |contact: usize| {
            let laws = &mechanics.laws[contact];
            let row = mechanics.row(contact);
            match mechanics.motions[contact] {
                ContactMotion::Free => None,
                ContactMotion::Sticks if !laws.friction.is_infinite() => Some(self.cone(contact, mechanics)),
                ContactMotion::Sticks if laws.hold == Hold::Bilateral => None,
                _ => Some(T::from_f64(mechanics.pulls[contact]).times(self.forces[row])),
            }
        };
        let all = (0..mechanics.motions.len()).filter_map(own);
        all.reduce(|least, margin| if margin.range().lo < least.range().lo { margin } else { least })
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
        T::from_f64(t).times(normal) - T::from_f64(n).times(length(&forces[1..]))
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
        // a contact that sticks has an unknown for each row; one that slips is known by its normal force
        let own = self.along.map_or(1.0, |(_, [normal, ..])| normal.value());
        if own.abs() > 0.0 { forces[self.row] / own } else { 0.0 }
    }
}
