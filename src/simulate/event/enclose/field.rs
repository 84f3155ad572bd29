//! The mechanics of a phase over a box of states with accelerations: intervals that enclose the contact forces and the watches at every
//! state of the box; over dual numbers their rates along the motion as well.

use super::kernel::{BoxKernel, BoxValues, Moving, Sides};
use super::solve::System;
use crate::analysis::planar::Hold;
use crate::model::{Block, Layout, Model, Output};
use crate::num::dense::packed_len;
use crate::num::{Ball, Dual, Interval, Real};
use crate::simulate::event::mechanics::Mechanics;
use crate::simulate::event::watch::Watch;
use crate::simulate::smooth::ContactMotion;

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

/// Kernels of what is enclosed: without forces, and with them.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct Kernels {
    motion: BoxKernel,
    forces: BoxKernel,
}

impl Kernels {
    /// Of a model.
    pub(in crate::simulate) fn new(model: &Model) -> Self {
        let forces = [&MOTION[..], &EQUATIONS].concat();
        Self { motion: BoxKernel::new(model, &MOTION), forces: BoxKernel::new(model, &forces) }
    }
}

/// A force of unknown size along a direction of a contact, and the contact row whose acceleration it makes vanish.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    row: usize,
    first: usize,
    force: [Moving; 3],
}

/// Forces and watches over the box that was evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Field<'m> {
    /// Without forces, and with them.
    kernels: [&'m BoxKernel; 2],
    values: [BoxValues; 2],
    /// Which of them was evaluated last.
    which: usize,
    unknowns: Vec<Unknown>,
    system: System,
    /// v̇, −ν, κ; and v̇, −ν without contact forces, then by the force of one contact alone.
    solution: Vec<Moving>,
    /// Of the one contact that slips: b and p.
    press: [Moving; 2],
    forces: Vec<Moving>,
    vdot: Vec<Moving>,
    /// (t, q, v), then what a row of a trajectory has of the contacts.
    row: Vec<Moving>,
}

const ZERO: Moving = Dual { re: Ball { mid: 0.0, rad: 0.0 }, eps: Ball { mid: 0.0, rad: 0.0 } };

impl<'m> Field<'m> {
    pub(super) fn new(kernels: &'m Kernels, parameters: &[f64]) -> Self {
        let Layout { coordinates: n, constraints, .. } = *kernels.forces.plain().layout();
        let rows = kernels.forces.plain().rows();
        Self {
            kernels: [&kernels.motion, &kernels.forces],
            values: [kernels.motion.values(parameters), kernels.forces.values(parameters)],
            which: 0,
            unknowns: Vec::with_capacity(rows),
            system: System::with_size(n + constraints + rows),
            solution: Vec::with_capacity(n + constraints + rows),
            press: [ZERO; 2],
            forces: vec![ZERO; rows],
            vdot: Vec::with_capacity(n),
            row: Vec::with_capacity(1 + 2 * n + 3 * rows),
        }
    }

    /// Evaluates a box with accelerations, and what of the forces is watched.
    pub(super) fn solve(
        &mut self,
        sides: &Sides<'_>,
        vdot: impl Iterator<Item = Moving>,
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
        self.kernels[self.which].evaluate(sides, &mut self.values[self.which]);
        self.vdot.clear();
        self.vdot.extend(vdot);
        let around = |(&x, &rate)| Dual::new(Ball::around(x), Ball::around(rate));
        self.row.clear();
        self.row.push(around((&sides.t, &sides.pace)));
        self.row.extend(sides.q.iter().zip(sides.rates[0]).map(around));
        self.row.extend(sides.v.iter().zip(sides.rates[1]).map(around));
        self.forces.fill(ZERO);
        if self.which == 0 {
            return;
        }
        let known = self.find_unknowns(&mechanics.motions);
        let unbounded = Dual::fixed(Ball::around(Interval::WHOLE));
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
                    let unit =
                        |k: usize| std::array::from_fn(|i| Moving::from_f64(f64::from(u8::from(i == k))));
                    let rows = 0..=self.layout().tangents;
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
    fn slipping(&self, contact: usize, motion: &ContactMotion) -> Option<[Moving; 3]> {
        let number = Moving::from_f64;
        match *motion {
            ContactMotion::Slips { along, friction } => {
                let part = |k: usize| number(-friction.tangential * along[k]);
                Some([number(friction.normal), part(0), part(1)])
            }
            ContactMotion::Turns { slow, friction, pull, .. } => {
                let speed = self.speed(contact);
                let slip = self.block(Block::Slip);
                let part = |k: usize| number(-friction.tangential * pull) * slip[2 * contact + k] / speed;
                (speed.re.range().lo > slow).then(|| [number(friction.normal), part(0), part(1)])
            }
            ContactMotion::Free | ContactMotion::Sticks => None,
        }
    }

    /// |u| of a contact.
    fn speed(&self, contact: usize) -> Moving {
        let d = self.layout().tangents;
        length(&self.block(Block::Slip)[contact * d..(contact + 1) * d])
    }

    /// An entry of [[M, Jᵀ, −F], [J, 0, 0], [W, 0, 0]]: v̇, −ν and the sizes of forces along F.
    fn entry(&self, i: usize, j: usize) -> Moving {
        let Layout { coordinates: n, constraints: c, .. } = *self.layout();
        match (i.min(j), i.max(j)) {
            (i, j) if j < n => self.block(Output::MassMatrix)[packed_len(j) + i],
            (i, j) if i < n && j < n + c => self.block(Output::ConstraintJacobian)[(j - n) * n + i],
            (_, k) if j < n => self.block(Block::ContactJacobian)[self.unknowns[k - n - c].row * n + j],
            (_, k) if i < n => -self.force(&self.unknowns[k - n - c], i),
            _ => ZERO,
        }
    }

    /// What a force does along a coordinate, per unit of its size.
    fn force(&self, unknown: &Unknown, coordinate: usize) -> Moving {
        let (n, rows) = (self.layout().coordinates, self.block(Block::ContactJacobian));
        let part = |k: usize| unknown.force[k] * rows[(unknown.first + k) * n + coordinate];
        (1..=self.layout().tangents).fold(part(0), |sum, k| sum + part(k))
    }

    /// b and p of the one contact that slips: p is its own gain in the direction of its force κ, and b = −p κ varies less than the terms
    /// that make it up. Close to p = 0, where κ has no bounds, b is the normal acceleration without contact forces.
    fn find_press(&mut self) -> Option<[Moving; 2]> {
        let Layout { coordinates: n, constraints: c, .. } = *self.layout();
        let [unknown] = self.unknowns[..] else { return None };
        let (mut system, mut x) = (std::mem::take(&mut self.system), std::mem::take(&mut self.solution));
        let mut solve = |size: usize, x: &mut Vec<Moving>| {
            let solvable = system.take(size, 0, |i, j| self.entry(i, j));
            if solvable {
                system.solve(x, if size > n + c { self.known() } else { &[] }, |_| 0.0);
            }
            solvable
        };
        x.clear();
        x.extend((0..n).map(|i| self.force(&unknown, i)).chain((0..c).map(|_| ZERO)));
        let found = solve(n + c, &mut x).then(|| self.along(unknown.row, &x[..n])).and_then(|gain| {
            self.pull(&mut x);
            x.push(-self.drift(unknown.row));
            if solve(n + c + 1, &mut x) && x[n + c].re.range().is_bounded() {
                return Some([-gain * x[n + c], gain]);
            }
            self.pull(&mut x);
            let free = solve(n + c, &mut x);
            free.then(|| [self.along(unknown.row, &x[..n]) + self.drift(unknown.row), gain])
        });
        (self.system, self.solution) = (system, x);
        found
    }

    /// v̇, where the region has it.
    fn known(&self) -> &[Moving] {
        let known = self.vdot.iter().all(|x| x.re.range().is_bounded());
        if known { &self.vdot } else { &[] }
    }

    /// What drives v̇ and the constraints without contact forces: −h and −j.
    fn pull(&self, x: &mut Vec<Moving>) {
        x.clear();
        x.extend(self.block(Output::Bias).iter().chain(self.block(Output::ConstraintDrift)).map(|&y| -y));
    }

    /// λ of M v̇ + h = Fκ + Jᵀν, J v̇ + j = 0 and contact rows without acceleration; false if they are not enclosed. Where forces are not
    /// unique: of those that differ from the ones in the middle of their cones in as few as the rows need.
    fn find_forces(&mut self, mechanics: &Mechanics<'_>) -> bool {
        let Layout { coordinates: n, constraints: c, tangents: d, .. } = *self.layout();
        let (known, implied) = (mechanics.deepest_forces(), mechanics.work.undetermined());
        let (mut system, mut x) = (std::mem::take(&mut self.system), std::mem::take(&mut self.solution));
        let solvable = system.take(n + c + self.unknowns.len(), implied, |i, j| self.entry(i, j));
        if solvable {
            self.pull(&mut x);
            x.extend(self.unknowns.iter().map(|unknown| -self.drift(unknown.row)));
            let given = |at: usize| {
                known.zip(at.checked_sub(n + c)).map_or(0.0, |(forces, k)| self.unknowns[k].size_in(forces))
            };
            system.solve(&mut x, self.known(), given);
            for (unknown, &size) in self.unknowns.iter().zip(&x[n + c..]) {
                for k in 0..=d {
                    let place = unknown.first + k;
                    self.forces[place] = self.forces[place] + unknown.force[k] * size;
                }
            }
        }
        (self.system, self.solution) = (system, x);
        solvable
    }

    /// Acceleration of a contact row.
    fn acceleration(&self, row: usize) -> Moving {
        self.along(row, &self.vdot) + self.drift(row)
    }

    /// A contact row times a vector.
    fn along(&self, row: usize, vector: &[Moving]) -> Moving {
        let n = self.layout().coordinates;
        let jacobian = &self.block(Block::ContactJacobian)[row * n..(row + 1) * n];
        jacobian.iter().zip(vector).fold(ZERO, |sum, (&w, &x)| sum + w * x)
    }

    /// What the acceleration of a contact row is without v̇.
    fn drift(&self, row: usize) -> Moving {
        let d = self.layout().tangents;
        match (row / (1 + d), row % (1 + d)) {
            (contact, 0) => self.block(Output::NormalDrift)[contact],
            (contact, k) => self.block(Output::TangentDrift)[contact * d + k - 1],
        }
    }

    fn block(&self, block: impl Into<Block>) -> &[Moving] {
        self.kernels[self.which].block(&self.values[self.which], block)
    }

    fn layout(&self) -> &Layout {
        self.kernels[self.which].plain().layout()
    }

    /// A watch and as many of its derivatives by time as the field has blocks for: gaps have two, slips in the plane one. False if
    /// the watch cannot be enclosed.
    pub(super) fn watch(&mut self, watch: Watch, mechanics: &Mechanics<'_>, found: &mut Vec<Moving>) -> bool {
        found.clear();
        let (d, number) = (self.layout().tangents, Moving::from_f64);
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
            Watch::Time(_) => {}
        }
        !found.is_empty()
    }

    /// A gap with its first two derivatives.
    fn gap(&self, contact: usize) -> [Moving; 3] {
        let row = contact * (1 + self.layout().tangents);
        let [gap, rate] =
            [Block::from(Output::Gap), Block::GapVelocity].map(|block| self.block(block)[contact]);
        [gap, rate, self.acceleration(row)]
    }

    /// The caller's expression.
    fn stop(&mut self, mechanics: &Mechanics<'_>) -> Option<Moving> {
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
        mechanics.stop?.moving(&self.row)
    }

    /// The least room of the forces in the cones of contacts: at most that of the deepest.
    fn room(&self, mechanics: &Mechanics<'_>) -> Option<Moving> {
        let own = |contact: usize| {
            let laws = &mechanics.laws[contact];
            let row = mechanics.row(contact);
            match mechanics.motions[contact] {
                ContactMotion::Free => None,
                ContactMotion::Sticks if !laws.friction.is_infinite() => Some(self.cone(contact, mechanics)),
                ContactMotion::Sticks if laws.hold == Hold::Bilateral => None,
                _ => Some(Moving::from_f64(mechanics.pulls[contact]) * self.forces[row]),
            }
        };
        let all = (0..mechanics.motions.len()).filter_map(own);
        all.reduce(|least, room| if room.re.range().lo < least.re.range().lo { room } else { least })
    }

    /// t λ_N − n‖λ_T‖.
    fn cone(&self, contact: usize, mechanics: &Mechanics<'_>) -> Moving {
        let (row, d) = (mechanics.row(contact), mechanics.layout().tangents);
        let (n, t) = mechanics.laws[contact].friction.parts();
        let forces = &self.forces[row..=row + d];
        let normal = match mechanics.laws[contact].hold {
            Hold::Unilateral => forces[0],
            Hold::Bilateral => forces[0].abs(),
        };
        Moving::from_f64(t) * normal - Moving::from_f64(n) * length(&forces[1..])
    }
}

/// The length of a vector of one or two numbers.
fn length(x: &[Moving]) -> Moving {
    match x {
        [one] => one.abs(),
        [one, two] => (one.powi(2) + two.powi(2)).sqrt(),
        _ => ZERO,
    }
}

impl Unknown {
    /// Its size where contact forces are given.
    fn size_in(&self, forces: &[f64]) -> f64 {
        let own = self.force.map(Real::value);
        // a contact that sticks has an unknown for each row; one that slips is known by its normal force
        let place = self.row - self.first;
        if own[place].abs() > 0.0 { forces[self.row] / own[place] } else { 0.0 }
    }
}
