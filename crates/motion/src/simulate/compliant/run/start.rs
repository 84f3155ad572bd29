//! The start of a motion and of each of its phases: which contacts press, and which of those slip.

use super::super::guard::Guard;
use super::super::sizes::Sizes;
use super::super::tolerance::{SEARCH, SLOW_AT_CONE};
use super::super::{Carried, Preload};
use super::{Ending, Run, failed};
use crate::contact::Hold;
use crate::model::{Block, Output};
use crate::num::Tol;
use crate::simulate::compliant::field::Field;
use crate::simulate::smooth::ContactMotion;
use crate::simulate::trajectory::Status;

impl Run<'_> {
    /// The first point and what the contacts do there.
    pub(super) fn begin(&mut self) -> Result<(), Ending> {
        let (state, places) = (self.begin.state, self.field.places);
        self.field.origin = state.t;
        if self.options.end < state.t {
            return Err((Status::Failed, Some("the end lies before the start".to_string())));
        }
        if let Some(carried) = self.options.carried {
            return self.go_on(carried);
        }
        let n = places.n;
        self.point[..n].copy_from_slice(&state.q);
        self.point[n..2 * n].copy_from_slice(&state.v);
        self.field.evaluate(0.0, &self.point).map_err(failed)?;
        for contact in 0..places.m {
            self.place(contact)?;
        }
        self.field.evaluate(0.0, &self.point).map_err(failed)?;
        let forces = self.field.kernel.block(&self.field.now.values, Block::FreeContactAcceleration);
        if !self.point.iter().chain(forces).all(|x| x.is_finite()) {
            return Err((Status::Failed, Some("the start is not finite".to_string())));
        }
        for contact in 0..places.m {
            self.press(contact, state.t);
        }
        self.project();
        self.record.begin(&mut self.field, &self.point).map_err(failed)?;
        self.enter(state.t, &[])
    }

    /// The first point where a motion before ended.
    fn go_on(&mut self, carried: &Carried) -> Result<(), Ending> {
        self.point.copy_from_slice(&carried.point);
        self.passing.clone_from(&carried.passing);
        self.field.regime.motions.clone_from(&carried.motions);
        self.field.regime.pull.clone_from(&carried.pull);
        self.field.evaluate(0.0, &self.point).map_err(failed)?;
        self.project();
        self.record.begin(&mut self.field, &self.point).map_err(failed)?;
        self.enter(self.begin.state.t, &[])
    }

    /// The numbers of a contact at the start.
    pub(super) fn place(&mut self, contact: usize) -> Result<(), Ending> {
        let (field, places) = (&self.field, self.field.places);
        let of = |block: Block| field.kernel.block(&field.now.values, block);
        let closed = self.begin.closed.contains(&contact);
        let gap = of(Block::Model(Output::Gap))[contact];
        let gap = match !closed && self.begin.keeps_out(contact) {
            true => self.above(contact, gap)?,
            false => gap,
        };
        // noise of a state that is typed counts as rest
        let (energy, rest) = (of(Block::Model(Output::KineticEnergy))[0], Tol::default().rest);
        let settled = |row: usize, x: f64| {
            let speed = (2.0 * energy * field.kernel.delassus(&field.now.values, row, row)).sqrt();
            if closed && x.abs() <= rest * speed { 0.0 } else { x }
        };
        let row = places.rows(contact).start;
        let eps = self.options.eps;
        let rate = settled(row, of(Block::GapVelocity)[contact]);
        let preload = self.options.preload.iter().find(|preload| preload.contact == contact);
        let (y, ydot) = match preload {
            Some(Preload { Y, V, .. }) => (eps * eps * Y, eps * V),
            None => (if closed { 0.0 } else { gap }, rate),
        };
        for (k, place) in places.slip(contact).enumerate() {
            self.point[place] = settled(row + 1 + k, of(Block::Slip)[contact * places.d + k]);
        }
        (self.point[places.y(contact)], self.point[places.ydot(contact)]) = (y, ydot);
        Ok(())
    }

    /// The gap of an open contact, which is negative by rounding at most.
    fn above(&self, contact: usize, gap: f64) -> Result<f64, Ending> {
        if -gap > Tol::default().closed * self.begin.length {
            let name = &self.begin.names.contacts[contact];
            return Err((Status::Failed, Some(format!("gap of {name} is {gap:e} at the start"))));
        }
        Ok(gap.max(0.0))
    }

    /// Whether a contact presses at the point: λ_N > 0, or about to be.
    pub(super) fn press(&mut self, contact: usize, t: f64) {
        let places = self.field.places;
        let (y, ydot) = (self.point[places.y(contact)], self.point[places.ydot(contact)]);
        let open = Guard::Touch(contact).value(&mut self.field, &self.point, &self.floors).unwrap_or(y);
        let free = self.field.kernel.block(&self.field.now.values, Block::FreeContactAcceleration)
            [places.rows(contact).start];
        let at_rest = y.abs() + ydot.abs() <= 0.0;
        let falls = if at_rest { free < 0.0 } else { open <= 0.0 };
        let (bilateral, active) =
            (self.begin.laws[contact].hold == Hold::Bilateral, self.is_active(contact, t));
        if bilateral {
            let force = self.field.regime.elastic(contact, y, ydot);
            let pulls = if at_rest { free > 0.0 } else { force < 0.0 };
            self.field.regime.pull[contact] = if pulls { -1.0 } else { 1.0 };
        }
        self.passing[contact] = !bilateral && !active && falls;
        let presses = bilateral || (active && falls);
        self.field.regime.motions[contact] =
            if presses { ContactMotion::Sticks } else { ContactMotion::Free };
    }

    /// Begins a phase at the point: who slips and who sticks. `along` are slips that are given.
    pub(super) fn enter(&mut self, t: f64, along: &[(usize, [f64; 2])]) -> Result<(), Ending> {
        let places = self.field.places;
        self.decision.resting.clear();
        for contact in 0..places.m {
            if self.field.regime.motions[contact] == ContactMotion::Free {
                continue;
            }
            if self.field.regime.spring(contact).is_some() {
                self.carry_on(contact, along);
                continue;
            }
            let friction = self.begin.laws[contact].friction;
            let slip = &self.point[places.slip(contact)];
            let size = slip.iter().fold(0.0, |sum: f64, x| sum.hypot(*x));
            let given = along.iter().find(|(c, _)| *c == contact).map(|(_, along)| *along);
            let own = || std::array::from_fn(|k| slip.get(k).map_or(0.0, |u| u / size));
            self.field.regime.motions[contact] = match given {
                Some(along) => ContactMotion::Slips { along, friction },
                None if size > 0.0 && !friction.is_infinite() => {
                    ContactMotion::Slips { along: own(), friction }
                }
                None => {
                    self.decision.resting.push(contact);
                    ContactMotion::Sticks
                }
            };
        }
        self.field.origin = t;
        self.field.evaluate_anew(0.0, &self.point).map_err(failed)?;
        self.tear();
        self.grip(along)?;
        if self.field.margin().is_none_or(|margin| margin < 0.0) {
            let Field { kernel, regime, now, .. } = &mut self.field;
            self.decision.decide(kernel, places, now, regime);
            self.bind()?;
            self.launch_decided();
        }
        self.radau.start(0.0, &self.point, self.first_step());
        self.record.phase(&self.field, t);
        self.fresh = true;
        Ok(())
    }

    /// A spring's end holds or slips as it did, unless a slip is given.
    fn carry_on(&mut self, contact: usize, along: &[(usize, [f64; 2])]) {
        let friction = self.begin.laws[contact].friction;
        if let Some(&(_, along)) = along.iter().find(|(c, _)| *c == contact) {
            self.field.regime.motions[contact] = ContactMotion::Slips { along, friction };
        }
    }

    /// A spring's end that would slip against its force holds: |λ_T| has only grazed its cone. So does, in the plane, a foot whose slip
    /// would turn back at once, as one of two that came to their limits as if they were one.
    fn grip(&mut self, along: &[(usize, [f64; 2])]) -> Result<(), Ending> {
        self.field.evaluate_anew(0.0, &self.point).map_err(failed)?;
        let resting = self.decision.resting.len();
        for &(contact, along) in along {
            let row = self.field.places.rows(contact).start + 1;
            if self.field.regime.spring(contact).is_some() {
                let slow = SLOW_AT_CONE * self.sizes.speed(&self.field, row);
                if self.field.now.sliding[contact] <= slow {
                    self.field.regime.motions[contact] = ContactMotion::Sticks;
                }
            } else if self.field.places.d == 1 && self.field.gathers(contact, along[0]) == Some(-1.0) {
                self.decision.resting.push(contact);
            }
        }
        for &contact in &self.decision.resting[resting..] {
            self.field.regime.motions[contact] = ContactMotion::Sticks;
        }
        if self.decision.resting.len() > resting {
            self.field.evaluate_anew(0.0, &self.point).map_err(failed)?;
        }
        Ok(())
    }

    /// The ends of springs without a force that cannot hold, at the evaluated point.
    fn tear(&mut self) {
        let (places, z) = (self.field.places, &self.point);
        for contact in 0..places.m {
            let Field { regime, now, .. } = &mut self.field;
            let unloaded = now.forces[places.rows(contact)].iter().all(|force| force.abs() <= 0.0);
            let holds = regime.motions[contact] == ContactMotion::Sticks;
            if holds && unloaded && regime.tears(places, (z, &now.rows), contact) {
                let slip = &z[places.slip(contact)];
                let size = slip.iter().fold(0.0, |sum: f64, x| sum.hypot(*x));
                let along = std::array::from_fn(|k| slip.get(k).map_or(0.0, |u| u / size));
                let friction = self.begin.laws[contact].friction;
                regime.motions[contact] = ContactMotion::Slips { along, friction };
            }
        }
    }

    pub(super) fn first_step(&self) -> f64 {
        let left = self.options.end - self.field.origin;
        let motions = self.field.regime.motions.iter().enumerate();
        let pressed = motions.filter(|(_, motion)| **motion != ContactMotion::Free);
        let times = pressed.map(|(contact, _)| SEARCH.fast / Sizes::fastest(&self.field, contact));
        times.fold(SEARCH.slow * left, f64::min)
    }
}
