//! A compliant motion from event to event: step, look at it, cut it short where something happens, take it.

use super::decide::Decision;
use super::field::{Field, Powers};
use super::guard::{self, Guard, Slow};
use super::record::Record;
use super::sizes::Sizes;
use super::{Motion, Options, Preload, Question};
use crate::model::{Block, Kernel, Output};
use crate::num::Tol;
use crate::simulate::integrate::{Control, Cubic, Radau, StepError, bracketed_root};
use crate::simulate::smooth::{ContactMotion, SmoothError};
use crate::simulate::trajectory::{EventKind, Status};

/// Numbers of the search for events and of first steps.
struct Search {
    /// First step of a phase with pressed contacts, over ε/√(kC).
    fast: f64,
    /// First step of any other, over the time that is asked for.
    slow: f64,
    /// Distance of an event from the end of its step, relative to the step, and most steps computed to get there.
    located: f64,
    corrections: usize,
    /// Value of a guard at the end of a step, relative to its largest in it, that counts as zero.
    zero: f64,
    edge: f64,
    /// The same where a phase begins: what an event leaves at zero moves as the square of time, and stages have errors.
    begun: f64,
    /// Events at one instant, per contact, after which the run gives up.
    at_once: usize,
}

impl Search {
    const USUAL: Self = Self {
        fast: 0.02,
        slow: 1e-3,
        located: 1e-13,
        corrections: 8,
        zero: 1e-11,
        edge: 1e-6,
        begun: 1e-4,
        at_once: 20,
    };
}

/// How a run ended, with what else is to be said.
pub(super) type Ending = (Status, Option<String>);

pub(super) struct Run<'a> {
    question: &'a Question<'a>,
    options: &'a Options<'a>,
    field: Field<'a>,
    radau: Radau,
    sizes: Sizes,
    decision: Decision,
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
}

impl<'a> Run<'a> {
    pub(super) fn new(kernel: &'a Kernel, question: &'a Question<'a>, options: &'a Options<'a>) -> Self {
        let field = Field::new(kernel, &question.state.parameters, question.laws, options.eps);
        let (places, m) = (field.places, field.places.m);
        let relative = Control::estimated(options.rtol);
        let guards = 3 * m + 1;
        Self {
            radau: Radau::new(places.len(), Control::at(relative)),
            sizes: Sizes::new(m, places.len()),
            decision: Decision::new(m),
            relative,
            guards: Vec::with_capacity(guards),
            points: std::array::from_fn(|_| vec![0.0; places.len()]),
            values: Vec::with_capacity(guards),
            powers: [Powers::default(); 4],
            floors: vec![0.0; m],
            point: vec![0.0; places.len()],
            fired: Vec::with_capacity(guards),
            record: Record::new(&field, question, options),
            fresh: true,
            at_once: (f64::NEG_INFINITY, 0),
            field,
            question,
            options,
        }
    }

    /// The whole motion.
    pub(super) fn motion(mut self) -> Motion {
        let (status, reason) = self.follow().unwrap_or_else(|error| error);
        let steps = self.radau.attempts();
        self.record.finish(&mut self.field, self.radau.time(), self.radau.state(), (status, reason), steps)
    }

    fn follow(&mut self) -> Result<Ending, Ending> {
        self.begin()?;
        loop {
            if self.options.end - self.now() <= f64::EPSILON * self.options.end.abs() {
                self.record.event(&self.field, self.now(), EventKind::End, None, self.radau.state());
                return Ok((Status::End, None));
            }
            if self.radau.attempts() >= self.options.steps {
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

    /// The first point and what the contacts do there.
    fn begin(&mut self) -> Result<(), Ending> {
        let (state, places) = (self.question.state, self.field.places);
        self.field.origin = state.t;
        if self.options.end < state.t {
            return Err((Status::Failed, Some("the end lies before the start".to_string())));
        }
        let n = places.n;
        self.point[..n].copy_from_slice(&state.q);
        self.point[n..2 * n].copy_from_slice(&state.v);
        self.field.evaluate(0.0, &self.point).map_err(failed)?;
        for contact in 0..places.m {
            self.place(contact)?;
        }
        self.field.evaluate(0.0, &self.point).map_err(failed)?;
        for contact in 0..places.m {
            self.press(contact);
        }
        self.record.begin(&mut self.field, &self.point).map_err(failed)?;
        self.enter(state.t, &[])
    }

    /// The numbers of a contact at the start.
    fn place(&mut self, contact: usize) -> Result<(), Ending> {
        let (field, places) = (&self.field, self.field.places);
        let of = |block: Block| field.kernel.block(&field.now.values, block);
        let closed = self.question.closed.contains(&contact);
        let gap = of(Block::Model(Output::Gap))[contact];
        if !closed && gap < 0.0 {
            let name = &self.question.names.contacts[contact];
            return Err((Status::Failed, Some(format!("gap of {name} is {gap:e} at the start"))));
        }
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

    /// Whether a contact presses at the point: λ_N > 0, or about to be.
    fn press(&mut self, contact: usize) {
        let places = self.field.places;
        let (y, ydot) = (self.point[places.y(contact)], self.point[places.ydot(contact)]);
        let open = Guard::Touch(contact).value(&self.field, &self.point, &self.floors).unwrap_or(y);
        let free = self.field.kernel.block(&self.field.now.values, Block::FreeContactAcceleration)
            [places.rows(contact).start];
        let at_rest = y.abs() + ydot.abs() <= 0.0;
        let presses = if at_rest { free < 0.0 } else { open <= 0.0 };
        self.field.regime.motions[contact] =
            if presses { ContactMotion::Sticks } else { ContactMotion::Free };
    }

    /// Begins a phase at the point: who slips and who sticks. `along` are slips that are given.
    fn enter(&mut self, t: f64, along: &[(usize, [f64; 2])]) -> Result<(), Ending> {
        let places = self.field.places;
        self.decision.resting.clear();
        for contact in 0..places.m {
            if self.field.regime.motions[contact] == ContactMotion::Free {
                continue;
            }
            let friction = self.question.laws[contact].friction;
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
        self.field.evaluate(0.0, &self.point).map_err(failed)?;
        let Field { kernel, regime, now, .. } = &mut self.field;
        self.decision.decide(kernel, places, now, regime);
        self.field.evaluate(0.0, &self.point).map_err(failed)?;
        self.radau.start(0.0, &self.point, self.first_step());
        self.record.phase(&self.field, t);
        self.fresh = true;
        Ok(())
    }

    fn first_step(&self) -> f64 {
        let left = self.options.end - self.field.origin;
        let motions = self.field.regime.motions.iter().enumerate();
        let pressed = motions.filter(|(_, motion)| **motion != ContactMotion::Free);
        let times = pressed.map(|(contact, _)| Search::USUAL.fast / Sizes::frequency(&self.field, contact));
        times.fold(Search::USUAL.slow * left, f64::min)
    }

    /// One step, to an event if there is one in it; `fired` says which.
    fn step(&mut self) -> Result<(), Ending> {
        self.fired.clear();
        let (t, longest) = (self.radau.time(), self.options.end - self.now());
        self.field.evaluate(t, self.radau.state()).map_err(failed)?;
        guard::aim(&mut self.field, self.radau.state());
        let h = self.radau.proposed().min(longest);
        let elapsed = self.now() - self.question.state.t;
        self.sizes.update(&self.field, self.radau.state(), self.relative, (elapsed, h));
        self.slow_slips();
        guard::watch(&self.field, &mut self.guards);
        if self.options.stop.is_some() {
            self.guards.push(Guard::Stop);
        }
        self.radau.attempt(&mut self.field, longest, &self.sizes.tolerances).map_err(
            |error| match error {
                StepError::System(error) => failed(error),
                StepError::TooShort => (Status::Failed, Some("no step is short enough".to_string())),
            },
        )?;
        self.look()?;
        if let Some((guard, theta)) = self.earliest()? {
            self.locate(guard, theta)?;
        }
        let (h, mean) = (self.radau.length(), |of: fn(&Powers) -> f64| {
            Radau::mean([of(&self.powers[1]), of(&self.powers[2]), of(&self.powers[3])])
        });
        self.record.add(h, [mean(|p| p.work), mean(|p| p.friction), mean(|p| p.normal)]);
        self.record.sample(&mut self.field, &self.radau).map_err(failed)?;
        self.radau.accept();
        self.fresh = false;
        Ok(())
    }

    /// The slips in space that count as none.
    fn slow_slips(&mut self) {
        if self.field.places.d == 1 {
            return;
        }
        for contact in 0..self.field.places.m {
            let row = self.field.places.rows(contact).start + 1;
            self.floors[contact] = Slow::IN_SPACE * self.sizes.speed(&self.field, row);
        }
    }

    /// The step at its nodes: points, powers, guards.
    fn look(&mut self) -> Result<(), Ending> {
        let (t, h) = (self.radau.time(), self.radau.length());
        self.values.clear();
        self.values.resize(self.guards.len(), [f64::NAN; 4]);
        for (k, theta) in Radau::nodes().into_iter().enumerate() {
            self.radau.dense(theta, &mut self.points[k]);
            self.field.evaluate(t + theta * h, &self.points[k]).map_err(failed)?;
            self.powers[k] = self.field.powers(&self.points[k]);
            for i in 0..self.guards.len() {
                self.values[i][k] = self.guard(self.guards[i], t + theta * h, k);
            }
            self.record.look(&self.field, &self.points[k]);
        }
        Ok(())
    }

    /// A guard at a node that `field` is evaluated at.
    fn guard(&mut self, guard: Guard, t: f64, node: usize) -> f64 {
        let z = &self.points[node];
        match (guard.value(&self.field, z, &self.floors), self.options.stop) {
            (Some(value), _) => value,
            (None, Some(stop)) => stop(self.record.row(&self.field, self.field.origin + t, z)),
            (None, None) => f64::INFINITY,
        }
    }

    /// The first guard that falls to zero within the step, and where.
    fn earliest(&mut self) -> Result<Option<(Guard, f64)>, Ending> {
        let noise = if self.fresh { Search::USUAL.begun } else { Search::USUAL.zero };
        let mut first: Option<(Guard, f64)> = None;
        for i in 0..self.guards.len() {
            let (guard, cubic) = (self.guards[i], Cubic::through(Radau::nodes(), self.values[i]));
            let Some(bracket) = cubic.falls(noise) else { continue };
            if first.is_some_and(|(_, theta)| theta <= bracket.0) {
                continue;
            }
            let theta = self.root(guard, bracket)?;
            if first.is_none_or(|(_, before)| theta < before) {
                first = Some((guard, theta));
            }
        }
        Ok(first)
    }

    /// The root of a guard on the dense output.
    fn root(&mut self, guard: Guard, bracket: (f64, f64)) -> Result<f64, Ending> {
        let (t, h) = (self.radau.time(), self.radau.length());
        let mut failure = None;
        let root = bracketed_root(bracket, f64::EPSILON, |theta| {
            self.radau.dense(theta, &mut self.point);
            let evaluated = match guard {
                Guard::Cone(..) | Guard::Stop => self.field.evaluate(t + theta * h, &self.point),
                Guard::Touch(_) | Guard::Lift(_) | Guard::Rest(_) => Ok(()),
            };
            if let Err(error) = evaluated {
                failure.get_or_insert(error);
                return f64::NAN;
            }
            match (guard.value(&self.field, &self.point, &self.floors), self.options.stop) {
                (Some(value), _) => value,
                (None, Some(stop)) => {
                    stop(self.record.row(&self.field, self.field.origin + t + theta * h, &self.point))
                }
                (None, None) => f64::NAN,
            }
        });
        failure.map_or(Ok(root), |error| Err(failed(error)))
    }

    /// Ends the step at an event: the dense output is of lower order than the ends of steps, so that the step is computed again
    /// to where it shows the event, until that is at its end.
    fn locate(&mut self, guard: Guard, theta: f64) -> Result<(), Ending> {
        let i = self.guards.iter().position(|g| *g == guard).unwrap_or(0);
        let mut h = self.radau.length() * theta;
        for _ in 0..Search::USUAL.corrections {
            if !self.radau.shorten(&mut self.field, h, &self.sizes.tolerances) {
                return Err((Status::Failed, Some("an event cannot be reached".to_string())));
            }
            self.look()?;
            let cubic = Cubic::through(Radau::nodes(), self.values[i]);
            let (value, slope) = (cubic.at(1.0), cubic.slope(1.0));
            let correction = -value / slope;
            if slope >= 0.0 || !correction.is_finite() || correction.abs() <= Search::USUAL.located {
                break;
            }
            h *= 1.0 + correction.clamp(-0.5, 0.5);
        }
        self.fired.push(guard);
        for (&other, values) in self.guards.iter().zip(&self.values) {
            let size = values.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            // feet of one body reach their cones together, up to the accuracy of the share of each
            let zero = if matches!(other, Guard::Cone(..)) { Search::USUAL.edge } else { Search::USUAL.zero };
            let falls = values[3] < values[2] && values[3] <= zero * size;
            if other != guard && falls {
                self.fired.push(other);
            }
        }
        Ok(())
    }

    /// What the events do to the contacts, and the next phase.
    fn change(&mut self) -> Result<(), Ending> {
        let (t, places) = (self.now(), self.field.places);
        self.at_once = if t > self.at_once.0 { (t, 1) } else { (t, self.at_once.1 + 1) };
        if self.at_once.1 > Search::USUAL.at_once * (1 + places.m) {
            return Err((Status::Undecided, Some("events follow each other without end".to_string())));
        }
        if self.record.events() >= self.options.events {
            return Err((Status::Budget, Some(format!("after {} events", self.record.events()))));
        }
        self.point.copy_from_slice(self.radau.state());
        self.field.evaluate(self.radau.time(), &self.point).map_err(failed)?;
        let before = self.field.regime.motions.clone();
        let mut given = Vec::new();
        for k in 0..self.fired.len() {
            match self.fired[k] {
                Guard::Touch(contact) => {
                    // the other way for a force to begin is at y < 0 on the way up
                    if self.point[places.ydot(contact)] < 0.0 {
                        self.point[places.y(contact)] = 0.0;
                    }
                    self.field.regime.motions[contact] = ContactMotion::Sticks;
                }
                Guard::Lift(contact) => {
                    self.field.regime.motions[contact] = ContactMotion::Free;
                }
                Guard::Rest(contact) => self.point[places.slip(contact)].fill(0.0),
                Guard::Cone(contact, _) => given.push((contact, against(&self.field, contact))),
                Guard::Stop => {}
            }
        }
        self.enter(t, &given)?;
        self.record.changes(&self.field, t, (&self.fired, &before), &self.point);
        Ok(())
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
