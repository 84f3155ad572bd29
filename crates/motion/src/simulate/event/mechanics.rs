//! The mechanism of a phase: what its contacts do, the state that was evaluated last, and the numbers that events are seen by.

use super::cone_margin::ConeInterior;
use super::enclose::Kernels;
use super::flight::{Flight, FlightKernel};
use super::modes::acceleration;
use super::power::is_worked_on;
use super::watch::Watch;
use crate::analysis::ContactView;
use crate::contact::Laws;
use crate::contact::Planar;
use crate::contact::space::Spatial;
use crate::model::{Block, Layout, Model, Output};
use crate::num::dense::norm;
use crate::predict::Mode;
use crate::simulate::drive::{Drive, DriveWork};
use crate::simulate::integrate::Dop853;
use crate::simulate::smooth::{ContactMotion, SmoothError, SmoothMotion, SmoothWork, Springs};
use crate::simulate::trajectory::RowFunction;
use std::sync::Arc;

/// Blocks that events, impacts and samples need beside those of the right-hand side.
pub(in crate::simulate) const NEEDED: [Block; 19] = [
    Block::Model(Output::MassMatrix),
    Block::Model(Output::Gap),
    Block::Model(Output::GapRate),
    Block::Model(Output::SlipRate),
    Block::Model(Output::NormalDrift),
    Block::Model(Output::TangentDrift),
    Block::Model(Output::Constraint),
    Block::Model(Output::ConstraintJacobian),
    Block::Model(Output::ConstraintRate),
    Block::Model(Output::KineticEnergy),
    Block::Model(Output::PotentialEnergy),
    Block::Model(Output::Applied),
    Block::Model(Output::Inertial),
    Block::Model(Output::Potential),
    Block::GapVelocity,
    Block::Slip,
    Block::ConstraintVelocity,
    Block::FreeReaction,
    Block::ReactionResponse,
];

/// In which time the flow runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simulate) enum Clock {
    /// t.
    Real,
    /// τ with dt = p dτ, of the one contact that slips   [CV16 (32)].
    Jam,
}

/// Speed up to which slip that sets in has the direction of its beginning, over that of rest: below, the direction is so stiff that an
/// explicit method would creep. Share of it from where implicit steps follow.
const ONSET: f64 = 1024.0;
const IMPLICIT: f64 = 1.0 / 1024.0;
/// Multiple of the time in which a slip ends within which others that end with it do.
const TOGETHER: f64 = 2.0;

/// What follows (q, v) in the vector that is integrated: the real time since the phase began, the work of applied and
/// prescribed forces, and that of friction.
pub(in crate::simulate) const EXTRA: usize = 3;

/// The flow of a phase.
#[derive(Clone)]
pub(in crate::simulate) struct Mechanics<'m> {
    pub(in crate::simulate) motion: &'m SmoothMotion,
    pub(in crate::simulate) laws: &'m [Laws],
    pub(in crate::simulate) work: SmoothWork,
    pub(in crate::simulate) motions: Vec<ContactMotion>,
    /// Speed of each contact up to which it is at rest.
    pub(in crate::simulate) slow: Vec<f64>,
    /// Whether each contact began its slip from rest.
    pub(in crate::simulate) from_rest: Vec<bool>,
    /// Whether slips turn from the lowest speeds on: steps become implicit where that is stiff.
    pub(in crate::simulate) turns_slowly: bool,
    pub(in crate::simulate) clock: Clock,
    /// p of the last evaluation in the time of a jam.
    pub(in crate::simulate) gain: f64,
    /// What constraints leave of each other within the step: the least and the most so far.
    pub(super) left: [f64; 2],
    /// The largest diagonal entry of J M⁻¹Jᵀ that each constraint had so far.
    pub(super) held: Vec<f64>,
    /// The time at which the phase began.
    pub(in crate::simulate) base: f64,
    pub(in crate::simulate) watches: Vec<Watch>,
    /// Their values at the looks into a step.
    pub(in crate::simulate) looks: [Vec<f64>; Dop853::LOOKS.len()],
    pub(in crate::simulate) evaluations: usize,
    /// The caller's expression that ends the motion.
    pub(in crate::simulate) stop: Option<RowFunction<'m>>,
    /// How many numbers of a row it reads.
    pub(in crate::simulate) stop_reads: usize,
    /// Whether the last evaluation has blocks to go on with.
    evaluated: bool,
    /// The sign of the normal force of each contact, where its motion says it.
    pub(super) pulls: Vec<f64>,
    pub(super) inside: ConeInterior,
    /// Room for a rate that nobody reads.
    pub(in crate::simulate) spare: Vec<f64>,
    pub(super) reactions: Vec<f64>,
    row: Vec<f64>,
    pub(super) drive: Option<(&'m Drive, DriveWork)>,
    /// Whether anything but friction does work from outside.
    pub(super) worked: bool,
    pub(super) flight_kernel: &'m FlightKernel,
    pub(super) flight: Flight,
}

impl<'m> Mechanics<'m> {
    pub(in crate::simulate) fn new(
        motions: &'m EventDriven,
        (laws, parameters): (&'m [Laws], &[f64]),
        work: SmoothWork,
    ) -> Self {
        let motion = &motions.motion;
        let layout = motion.kernel().layout();
        let room = || Vec::with_capacity(4 * layout.contacts + 2);
        Self {
            motion,
            laws,
            work,
            motions: vec![ContactMotion::Free; layout.contacts],
            slow: vec![0.0; layout.contacts],
            from_rest: vec![false; layout.contacts],
            turns_slowly: false,
            clock: Clock::Real,
            gain: 1.0,
            left: [1.0; 2],
            held: vec![0.0; layout.constraints],
            base: 0.0,
            watches: Vec::with_capacity(4 * layout.contacts + 2),
            looks: [room(), room(), room()],
            evaluations: 0,
            stop: None,
            stop_reads: usize::MAX,
            evaluated: false,
            pulls: vec![1.0; layout.contacts],
            inside: ConeInterior::default(),
            spare: vec![0.0; 2 * layout.coordinates + EXTRA],
            reactions: vec![0.0; layout.constraints],
            row: Vec::new(),
            drive: motions.drive.as_ref().map(|drive| (drive, drive.work(parameters))),
            worked: motions.worked,
            flight_kernel: &motions.flight,
            flight: Flight::default(),
        }
    }

    pub(in crate::simulate) fn layout(&self) -> &'m Layout {
        self.motion.kernel().layout()
    }

    pub(in crate::simulate) fn block(&self, block: impl Into<Block>) -> &[f64] {
        self.motion.kernel().block(self.work.values(), block)
    }

    /// First row of a contact among the contact rows.
    pub(in crate::simulate) fn row(&self, contact: usize) -> usize {
        contact * (1 + self.layout().tangents)
    }

    /// The normal force of a contact, as it was solved for last.
    pub(in crate::simulate) fn normal_force(&self, contact: usize) -> f64 {
        self.work.forces()[self.row(contact)]
    }

    pub(in crate::simulate) fn delassus(&self, i: usize, j: usize) -> f64 {
        self.motion.kernel().delassus(self.work.values(), i, j)
    }

    /// The local dynamics of a contact in the plane at the state evaluated last.
    pub(in crate::simulate) fn planar(&self, contact: usize) -> Planar {
        let row = self.row(contact);
        let D = |i: usize, j: usize| self.delassus(row + i, row + j);
        let free = &self.block(Block::FreeContactAcceleration)[row..row + 2];
        Planar::new(D(1, 1), D(0, 1), D(0, 0), free[1], free[0])
    }

    /// The local dynamics of a contact in space at the state evaluated last.
    pub(super) fn spatial(&self, contact: usize) -> Spatial {
        let row = self.row(contact);
        let D = |i: usize, j: usize| self.delassus(row + i, row + j);
        let free = &self.block(Block::FreeContactAcceleration)[row..row + 3];
        let A = [[D(1, 1), D(1, 2)], [D(2, 1), D(2, 2)]];
        Spatial::new(A, [D(0, 1), D(0, 2)], D(0, 0), [free[1], free[2]], free[0])
    }

    /// Slip of a contact at the state evaluated last.
    pub(in crate::simulate) fn slip(&self, contact: usize) -> &[f64] {
        let d = self.layout().tangents;
        &self.block(Block::Slip)[contact * d..(contact + 1) * d]
    }

    /// |u| of a contact.
    pub(in crate::simulate) fn slip_speed(&self, contact: usize) -> f64 {
        norm(self.slip(contact))
    }

    /// Gap rates and slips of all contacts.
    pub(in crate::simulate) fn contact_rates(&self) -> Vec<f64> {
        [self.block(Block::GapVelocity), self.block(Block::Slip)].concat()
    }

    pub(in crate::simulate) fn gap_rate(&self, contact: usize) -> f64 {
        self.block(Block::GapVelocity)[contact]
    }

    pub(in crate::simulate) fn gap(&self, contact: usize) -> f64 {
        self.block(Output::Gap)[contact]
    }

    /// T + V.
    pub(in crate::simulate) fn energy(&self) -> f64 {
        self.block(Output::KineticEnergy)[0] + self.block(Output::PotentialEnergy)[0]
    }

    /// The energy where the state that was evaluated last may have no accelerations; NaN where M is singular.
    pub(in crate::simulate) fn known_energy(&self) -> f64 {
        if self.evaluated { self.energy() } else { f64::NAN }
    }

    /// T, the energy that is at stake.
    pub(in crate::simulate) fn energy_size(&self) -> f64 {
        self.block(Output::KineticEnergy)[0]
    }

    /// Takes what the contacts do, with forces of their motion alone.
    pub(in crate::simulate) fn set(&mut self, doing: &[Mode]) {
        self.work.springs.active = false;
        self.take(doing);
    }

    /// The same; forces that are those of springs stay so.
    pub(in crate::simulate) fn take(&mut self, doing: &[Mode]) {
        let d = self.layout().tangents;
        for (i, doing) in doing.iter().enumerate() {
            self.motions[i] = ContactMotion::of(*doing, self.laws[i].friction, d, self.turning_speed(i));
            self.pulls[i] = doing.side();
        }
        self.flight.goes &= self.is_free();
    }

    /// Whether no contact has a force.
    pub(super) fn is_free(&self) -> bool {
        self.motions.iter().all(|motion| *motion == ContactMotion::Free)
    }

    /// Speed up to which a slip has the direction of its beginning.
    pub(in crate::simulate) fn turning_speed(&self, contact: usize) -> f64 {
        let onset = if self.from_rest[contact] { ONSET } else { 1.0 };
        self.slow[contact] * onset * if self.turns_slowly { IMPLICIT } else { 1.0 }
    }

    /// d|u|/dt of a contact that slips.
    pub(super) fn slip_speed_rate(&self, contact: usize) -> f64 {
        let (row, slip) = (self.row(contact), self.slip(contact));
        let along = |k: usize| slip[k] * acceleration(row + 1 + k, self);
        (0..slip.len()).map(along).sum::<f64>() / norm(slip)
    }

    /// Whether a slip ends about within a time, by its rate.
    pub(super) fn dies_within(&self, contact: usize, time: f64) -> bool {
        self.slip_speed(contact) < -TOGETHER * time * self.slip_speed_rate(contact)
    }

    /// Slips that have left the speeds at which their direction is that of their beginning turn as they are from now on.
    pub(in crate::simulate) fn forget_rest(&mut self, doing: &[Mode]) {
        if self.layout().tangents == 1 {
            return;
        }
        for contact in 0..doing.len() {
            if self.from_rest[contact] && self.slip_speed(contact) > self.turning_speed(contact) {
                self.from_rest[contact] = false;
                self.take(doing);
            }
        }
    }

    /// Evaluates a state in real time. Where it is the one that was evaluated last, only what the contacts do is new.
    ///
    /// # Errors
    /// As [`SmoothMotion::solve`].
    pub(in crate::simulate) fn solve(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), SmoothError> {
        self.gain = 1.0;
        self.leave_flight();
        if self.evaluated && self.is_at(t, q, v) {
            return self.motion.solve_again(&self.motions, &mut self.work);
        }
        self.evaluations += 1;
        let solved = self.motion.solve(t, (q, v), &self.motions, &mut self.work);
        self.noted(solved)
    }

    /// Whether the last evaluation was at this state, to the last bit.
    fn is_at(&self, t: f64, q: &[f64], v: &[f64]) -> bool {
        let state = [t].into_iter().chain(q.iter().chain(v).copied());
        self.state().iter().map(|x| x.to_bits()).eq(state.map(f64::to_bits))
    }

    /// (t, q, v) of the last evaluation.
    pub(super) fn state(&self) -> &[f64] {
        self.motion.kernel().state(self.work.values())
    }

    /// Whether an evaluation has blocks: all but one without M factored.
    #[inline]
    pub(super) fn noted<T>(&mut self, outcome: Result<T, SmoothError>) -> Result<T, SmoothError> {
        self.evaluated = !matches!(outcome, Err(SmoothError::Model(_)));
        outcome
    }

    /// The values of the watches at the state that was evaluated last.
    pub(in crate::simulate) fn watched(&mut self, values: &mut Vec<f64>) {
        values.clear();
        if let Some((t, gaps)) = self.seen_in_flight() {
            values.extend(self.watches.iter().map(|watch| watch.in_flight(t, gaps)));
            return;
        }
        for i in 0..self.watches.len() {
            let value = match self.watches[i] {
                Watch::Time(end) => end - self.state()[0],
                Watch::Stop => self.stopping(),
                Watch::StopRise => -self.stopping(),
                Watch::ConeMargin => self.room_left(),
                watch => watch.value(self),
            };
            values.push(value);
        }
    }

    /// The caller's expression at the state that was evaluated last; 1 if there is none.
    pub(in crate::simulate) fn stopping(&mut self) -> f64 {
        let Some(stop) = self.stop else { return 1.0 };
        let state = self.state();
        if self.stop_reads <= state.len() {
            return stop.at(state);
        }
        let mut row = std::mem::take(&mut self.row);
        self.row_into(&mut row);
        let value = stop.at(&row);
        self.row = row;
        value
    }

    /// The row of a trajectory at the state that was evaluated last.
    pub(in crate::simulate) fn row_into(&mut self, row: &mut Vec<f64>) {
        self.choose_forces();
        let (layout, scale) = (self.layout(), if self.clock == Clock::Jam { self.gain } else { 1.0 });
        let d = layout.tangents;
        row.clear();
        row.reserve(1 + 2 * layout.coordinates + layout.contacts * 2 * (1 + d) + layout.constraints);
        row.extend_from_slice(self.state());
        let (gaps, slips, forces) = (self.block(Output::Gap), self.block(Block::Slip), self.work.forces());
        for (contact, &gap) in gaps.iter().enumerate() {
            row.push(gap);
            row.extend_from_slice(&slips[contact * d..(contact + 1) * d]);
            row.extend(forces[contact * (1 + d)..(contact + 1) * (1 + d)].iter().map(|force| force / scale));
        }
        if layout.constraints > 0 {
            row.extend(self.reactions().iter().map(|nu| nu / scale));
        }
    }

    /// A contact row of W.
    pub(in crate::simulate) fn jacobian(&self, row: usize) -> &[f64] {
        let n = self.layout().coordinates;
        &self.block(Block::ContactJacobian)[row * n..(row + 1) * n]
    }

    /// Forces of the bilateral constraints, as the clock has them.
    pub(in crate::simulate) fn reactions(&mut self) -> &[f64] {
        if !self.reactions.is_empty() {
            let kernel = self.motion.kernel();
            kernel.reactions_under(self.work.values(), self.work.forces(), &mut self.reactions);
            if self.clock == Clock::Jam {
                let free = kernel.block(self.work.values(), Block::FreeReaction);
                let own = self.reactions.iter_mut().zip(free);
                own.for_each(|(nu, free)| *nu += (self.gain - 1.0) * free);
            }
        }
        &self.reactions
    }
}

/// The motions that are followed from event to event, for any parameters and laws.
#[derive(Clone, Debug)]
pub struct EventDriven {
    pub(in crate::simulate) motion: SmoothMotion,
    /// What is enclosed of steps.
    pub(in crate::simulate) boxes: Kernels,
    flight: FlightKernel,
    drive: Option<Drive>,
    worked: bool,
}

impl EventDriven {
    /// Of a model, as machine code that is made beside the begin of the first motion.
    pub fn new(model: &Model) -> Self {
        let motion =
            SmoothMotion::new(model, &[&NEEDED[..], &ContactView::NEEDED].concat()).compiled_beside();
        let drive = Drive::of(model);
        let worked = drive.is_some() || is_worked_on(motion.kernel());
        let model = Arc::new(model.clone());
        let (boxes, flight) = (Kernels::new(Arc::clone(&model)), FlightKernel::new(model));
        Self { motion, boxes, flight, drive, worked }
    }

    /// The memory of its right-hand side.
    pub(in crate::simulate) fn work(&self, laws: &[Laws], parameters: &[f64]) -> SmoothWork {
        let mut work = self.motion.work(parameters);
        work.springs = Springs::new(laws, self.motion.kernel().layout().tangents);
        work
    }
}
