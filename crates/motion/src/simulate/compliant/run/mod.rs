//! A compliant motion from event to event: step, look at it, cut it short where something happens, take it.

mod events;
mod rest;
mod start;

use super::decide::Decision;
use super::field::{Field, Powers};
use super::guard::{self, Guard};
use super::project::Projection;
use super::record::Record;
use super::sizes::Sizes;
use super::tolerance::SEARCH;
use super::{Carried, Compliant, Motion, Options};
use crate::num::halt;
use crate::simulate::integrate::{Control, Radau, StepError};
use crate::simulate::smooth::{ContactMotion, SmoothError};
use crate::simulate::trajectory::{EventKind, Status, Stopping};
use crate::simulate::{Beginning, progress};

/// How a run ended, with what else is to be said.
pub(super) type Ending = (Status, Option<String>);

pub(super) struct Run<'a> {
    begin: &'a Beginning<'a>,
    options: &'a Options<'a>,
    field: Field<'a>,
    radau: Radau,
    sizes: Sizes,
    decision: Decision,
    projection: Projection,
    relative: f64,
    guards: Vec<Guard>,
    /// The points at the nodes of the step, the guards there, and the powers at the stages.
    points: [Vec<f64>; 4],
    values: Vec<[f64; 4]>,
    powers: [Powers; 4],
    floors: Vec<f64>,
    point: Vec<f64>,
    fired: Vec<Guard>,
    record: Record<'a>,
    /// Whether the step is the first of its phase.
    fresh: bool,
    /// Events at one instant so far.
    at_once: (f64, usize),
    stopping: Stopping,
    /// Contacts that closed while they were not active: they pass through their surfaces.
    passing: Vec<bool>,
}

impl<'a> Run<'a> {
    pub(super) fn new(compliant: &'a Compliant, begin: &'a Beginning<'a>, options: &'a Options<'a>) -> Self {
        let kernel = &compliant.kernel;
        let field = Field::new(compliant, &begin.state.parameters, begin.laws, options.eps);
        let (places, m) = (field.places, field.places.m);
        let relative = Control::estimated(options.rtol);
        let guards = 3 * m + 1;
        Self {
            radau: Radau::new(places.len(), Control::at(relative)),
            sizes: Sizes::new(m, places.len()),
            decision: Decision::new(m),
            projection: Projection::new(kernel.rows()),
            relative,
            guards: Vec::with_capacity(guards),
            points: std::array::from_fn(|_| vec![0.0; places.len()]),
            values: Vec::with_capacity(guards),
            powers: [Powers::default(); 4],
            floors: vec![0.0; m],
            point: vec![0.0; places.len()],
            fired: Vec::with_capacity(guards),
            record: Record::new(&field, begin, options),
            fresh: true,
            at_once: (f64::NEG_INFINITY, 0),
            stopping: Stopping::default(),
            passing: vec![false; m],
            field,
            begin,
            options,
        }
    }

    /// The whole motion.
    pub(super) fn motion(mut self) -> Motion {
        let (status, reason) = self.follow().unwrap_or_else(|error| error);
        let (steps, t, point) = (self.radau.attempts(), self.radau.time(), self.radau.state());
        let regime = &self.field.regime;
        let (motions, pull) = (regime.motions.clone(), regime.pull.clone());
        let carried = Carried { point: point.to_vec(), motions, pull, passing: self.passing.clone() };
        let now = self.field.origin + t;
        let (trajectory, peaks) =
            self.record.finish(&mut self.field, t, self.radau.state(), (status, reason), steps);
        Motion { trajectory, peaks, end: (now, carried) }
    }

    fn follow(&mut self) -> Result<Ending, Ending> {
        self.begin()?;
        loop {
            if self.options.pauses && self.record.events() > 0 {
                return Ok((Status::Budget, Some(format!("after {} events", self.record.events()))));
            }
            if self.options.end - self.now() <= f64::EPSILON * self.options.end.abs() {
                self.record.event(&self.field, self.now(), EventKind::End, None, self.radau.state());
                return Ok((Status::End, None));
            }
            progress::reach(self.now());
            if self.radau.attempts() >= self.options.steps || halt::is_wanted() {
                return Err((Status::Budget, Some(format!("after {} steps", self.radau.attempts()))));
            }
            self.step()?;
            if self.fired.contains(&Guard::Stop) {
                self.record.event(&self.field, self.now(), EventKind::Stop, None, self.radau.state());
                return Ok((Status::Stopped, None));
            }
            if !self.fired.is_empty() {
                self.change()?;
            }
        }
    }

    fn now(&self) -> f64 {
        self.field.origin + self.radau.time()
    }

    /// One step, to an event if there is one in it; `fired` says which.
    fn step(&mut self) -> Result<(), Ending> {
        self.fired.clear();
        let (t, longest) = (self.radau.time(), self.options.end - self.now());
        self.field.evaluate(t, self.radau.state()).map_err(failed)?;
        if self.field.renew() {
            self.field.evaluate(t, self.radau.state()).map_err(failed)?;
        }
        self.point.copy_from_slice(self.radau.state());
        self.project();
        self.settle_springs();
        self.radau.correct(|z| z.copy_from_slice(&self.point));
        guard::aim(&mut self.field, self.radau.state());
        let h = self.radau.proposed().min(longest);
        let elapsed = self.now() - self.begin.state.t;
        self.sizes.update(&self.field, self.radau.state(), self.relative, (elapsed, h));
        self.slow_slips();
        if self.has_stopped() {
            self.fired.push(Guard::Stop);
        }
        if !self.fired.is_empty() {
            return Ok(());
        }
        guard::watch(&self.field, &self.passing, &mut self.guards);
        self.guards.extend(self.options.stop.map(|_| Guard::Stop));
        self.advance(longest)?;
        let (h, mean) = (self.radau.length(), |of: fn(&Powers) -> f64| {
            Radau::mean([of(&self.powers[1]), of(&self.powers[2]), of(&self.powers[3])])
        });
        self.record.add(h, [mean(|p| p.work), mean(|p| p.friction), mean(|p| p.normal)]);
        let end = self.field.origin + self.radau.time() + h;
        self.record.reach(self.field.places, &self.points[self.points.len() - 1], end);
        if self.options.stop.is_some() {
            self.stopping.falls_to(self.values[self.values.len() - 1][3]);
        }
        self.record.sample(&mut self.field, &self.radau).map_err(failed)?;
        self.radau.accept();
        self.fresh = false;
        Ok(())
    }

    /// A step of at most `longest` that is accurate and ends at its first event: a shorter one where the way to the event is
    /// too stiff for the step to be cut there.
    fn advance(&mut self, mut longest: f64) -> Result<(), Ending> {
        for _ in 0..SEARCH.approaches {
            let attempt = self.radau.attempt(&mut self.field, longest, &self.sizes.tolerances);
            attempt.map_err(|error| match error {
                StepError::System(error) => failed(error),
                StepError::TooShort => (Status::Failed, Some("no step is short enough".to_string())),
            })?;
            self.look()?;
            let Some((guard, theta)) = self.earliest()? else { return Ok(()) };
            longest = SEARCH.short * theta * self.radau.length();
            if self.locate(guard, theta)? {
                return Ok(());
            }
        }
        Err((Status::Failed, Some("an event cannot be reached".to_string())))
    }

    /// Whether the stop expression has fallen to zero at once, by what an event changed at the evaluated point.
    fn has_stopped(&mut self) -> bool {
        let Some(stop) = self.options.stop else { return false };
        self.stopping.falls_to(stop.at(self.record.row(&self.field, self.now(), &self.point)))
    }

    /// Moves q and q̇ of an evaluated point onto the numbers that are carried beside them.
    fn project(&mut self) {
        self.projection.positions(&self.field, &mut self.point);
        self.projection.velocities(&self.field, &mut self.point);
    }

    /// The springs whose ends slip are as long as their forces.
    fn settle_springs(&mut self) {
        let Self { field, point, .. } = self;
        for (contact, motion) in field.regime.motions.iter().enumerate() {
            if matches!(motion, ContactMotion::Slips { .. }) {
                field.regime.settle(field.places, &field.now.forces, contact, point);
            }
        }
    }

    /// Whether a contact may close at an evaluated point.
    fn is_active(&mut self, contact: usize, t: f64) -> bool {
        let Some(active) = self.begin.active.get(contact).copied().flatten() else { return true };
        active(self.record.row(&self.field, t, &self.point)) > 0.0
    }

    /// What the events do to the contacts, and the next phase.
    fn change(&mut self) -> Result<(), Ending> {
        let (t, places) = (self.now(), self.field.places);
        self.at_once = if t > self.at_once.0 { (t, 1) } else { (t, self.at_once.1 + 1) };
        if self.at_once.1 > SEARCH.at_once * (1 + places.m) {
            return Err((Status::Undecided, Some("events follow each other without end".to_string())));
        }
        if self.record.events() >= self.options.events {
            return Err((Status::Budget, Some(format!("after {} events", self.record.events()))));
        }
        self.point.copy_from_slice(self.radau.state());
        self.field.evaluate(self.radau.time(), &self.point).map_err(failed)?;
        let before = self.field.regime.motions.clone();
        let mut given = Vec::new();
        self.field.forget_speeds();
        for k in 0..self.fired.len() {
            match self.fired[k] {
                Guard::Cone(contact, _) => given.push((contact, against(&self.field, contact))),
                Guard::Hold => self.field.gives_way(&mut given),
                guard => self.happen(guard, t),
            }
        }
        self.rest_together(&mut given)?;
        self.launch(&given);
        self.enter(t, &given)?;
        self.record.changes(&self.field, t, (&self.fired, &before), &self.point);
        Ok(())
    }

    /// What an event does to its contact at the evaluated point.
    fn happen(&mut self, guard: Guard, t: f64) {
        let places = self.field.places;
        match guard {
            Guard::Touch(contact) if !self.is_active(contact, t) => self.passing[contact] = true,
            Guard::Touch(contact) => {
                // the other way for a force to begin is at y < 0 on the way up
                if self.point[places.ydot(contact)] < 0.0 {
                    self.point[places.y(contact)] = 0.0;
                }
                self.point[places.stretch(contact)].fill(0.0);
                self.field.regime.motions[contact] = ContactMotion::Sticks;
            }
            Guard::Lift(contact) => self.field.regime.motions[contact] = ContactMotion::Free,
            Guard::Turn(contact) => self.field.regime.pull[contact] *= -1.0,
            Guard::Rise(contact) => self.passing[contact] = false,
            Guard::Rest(contact) if self.field.regime.spring(contact).is_some() => {
                let field = &mut self.field;
                if field.regime.motions[contact] != ContactMotion::Free {
                    field.regime.settle(places, &field.now.forces, contact, &mut self.point);
                    field.regime.motions[contact] = ContactMotion::Sticks;
                }
            }
            Guard::Rest(contact) => self.point[places.slip(contact)].fill(0.0),
            Guard::Cone(..) | Guard::Hold | Guard::Stop => {}
        }
    }
}

/// The direction opposite to a contact's tangential force.
fn against(field: &Field<'_>, contact: usize) -> [f64; 2] {
    let force = &field.now.forces[field.places.rows(contact)][1..];
    let size = force.iter().fold(0.0, |sum: f64, x| sum.hypot(*x));
    std::array::from_fn(|k| force.get(k).map_or(0.0, |x| -x / size))
}

fn failed(error: SmoothError) -> Ending {
    (Status::Failed, Some(guard::reason(&error)))
}
