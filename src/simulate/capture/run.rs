//! A motion on an equidistant grid   [A09 Alg. 1].

use super::path::{Path, Point};
use crate::model::Block;
use crate::num::dense::norm;
use crate::simulate::event::doing::Doing;
use crate::simulate::event::mechanics::{EXTRA, Mechanics};
use crate::simulate::event::record::Record;
use crate::simulate::event::watch::Watch;
use crate::simulate::event::{Beginning, EventDriven, Limits, Options};
use crate::simulate::integrate::{Dop853, Exact, FixedError, FixedStep};
use crate::simulate::smooth::SmoothError;
use crate::simulate::trajectory::{
    Columns, Effort, EnergyBalance, EventDetail, EventKind, Status, TRAJECTORY_SCHEMA, Trajectory,
};

/// C of the critical step |tᵢ₊₂ − tᵢ₊₁| ≤ C hᵖ⁺¹, in units of the whole time T to the power −p: h (h/T)ᵖ.
pub const DEFAULT_CRITICAL: f64 = 1.0;

/// Critical steps are not shorter than this share of the time.
const SHORTEST: f64 = 64.0 * f64::EPSILON;
/// Values of a watch below this share of the size of their terms are zero at the begin of a step.
const ZERO: f64 = 4096.0 * f64::EPSILON;

/// Critical steps within one step of the grid at most.
const CROSSINGS: usize = 10_000;

/// The grid of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The method between events.
    pub method: &'static Exact,
    /// h; the last step may be shorter.
    pub step: f64,
    /// C Tᵖ.
    pub critical: f64,
}

/// A motion with all the points it passes through.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// The motion, a row for each step of the grid.
    pub trajectory: Trajectory,
    /// Its points, critical steps included.
    pub path: Path,
}

/// Why a motion is over.
pub(super) type Over = (Status, Option<String>);

/// A motion on its way.
pub(super) struct Run<'m> {
    pub(super) mechanics: Mechanics<'m>,
    pub(super) step: FixedStep,
    pub(super) probe: Dop853,
    pub(super) record: Record<'m>,
    pub(super) begin: &'m Beginning<'m>,
    pub(super) options: &'m Options<'m>,
    pub(super) t: f64,
    /// (q, v), then the numbers that are integrated along.
    pub(super) y: Vec<f64>,
    pub(super) end: Vec<f64>,
    pub(super) doing: Vec<Doing>,
    /// h, and the length of critical steps.
    pub(super) h: f64,
    pub(super) critical: f64,
    /// Of each watch its value at the begin of a step, below which it has to fall if that is not positive.
    pub(super) floors: Vec<f64>,
    /// The value itself, and whether it was positive.
    pub(super) begins: Vec<f64>,
    pub(super) armed: Vec<bool>,
    /// The watches that end the step.
    pub(super) happened: Vec<Watch>,
    /// Critical steps since the last time of the grid.
    crossings: usize,
    /// The stop expression at the last time of the grid.
    stopping: f64,
    pub(super) values: Vec<f64>,
    pub(super) works: [f64; 2],
    pub(super) impacts: f64,
    pub(super) points: Vec<Point>,
    pub(super) steps: usize,
    pub(super) warnings: Vec<String>,
}

impl EventDriven {
    /// Follows a motion by event capturing; of the options, those about error per step and samples have no meaning.
    ///
    /// # Panics
    /// If the beginning has other numbers of coordinates, parameters or contacts than the model.
    pub fn capture(&self, begin: &Beginning<'_>, grid: &Grid, options: &Options<'_>) -> Captured {
        let state = begin.state;
        let mut mechanics = Mechanics::new(self, begin.laws, &state.parameters);
        mechanics.stop = options.stop;
        let (n, span) = (state.q.len(), options.t_end - state.t);
        let h = grid.step;
        let steps = (span / h * (1.0 - options.tol.closed)).ceil().max(1.0) as usize;
        let order = grid.method.order as i32;
        let shortest = SHORTEST * options.t_end.abs().max(state.t.abs()).max(span);
        let y = [&state.q[..], &state.v[..], &[0.0; EXTRA]].concat();
        let run = Run {
            step: FixedStep::new(grid.method.rounded(), y.len(), 2 * n),
            probe: Dop853::new(y.len()),
            record: Record::new(begin.names, [state.t, options.t_end], steps + 1),
            end: y.clone(),
            doing: vec![Doing::Free; mechanics.layout().contacts],
            critical: (grid.critical * h * (h / span).powi(order)).max(shortest).min(h),
            floors: Vec::new(),
            begins: Vec::new(),
            armed: Vec::new(),
            happened: Vec::new(),
            crossings: 0,
            stopping: f64::NAN,
            values: Vec::new(),
            works: [0.0; 2],
            impacts: 0.0,
            points: Vec::new(),
            steps: 0,
            warnings: Vec::new(),
            t: state.t,
            mechanics,
            begin,
            options,
            y,
            h,
        };
        run.follow(grid, steps)
    }
}

impl Run<'_> {
    fn follow(mut self, grid: &Grid, steps: usize) -> Captured {
        let initial = match self.evaluate() {
            Ok(()) => self.mechanics.energy(),
            Err(_) => f64::NAN,
        };
        let over = self.go(steps);
        self.finish(grid, over, initial)
    }

    fn go(&mut self, steps: usize) -> Over {
        if let Err(over) = self.start() {
            return over;
        }
        self.point(false, true);
        let begin = self.begin.state.t;
        for k in 1..=steps {
            let last = k == steps;
            let target = if last { self.options.t_end } else { begin + self.h * k as f64 };
            self.sample(k - 1);
            if let Err(over) = self.advance(target) {
                return over;
            }
            if let Some(point) = self.points.last_mut() {
                point.on_grid = true;
            }
            if self.stops() {
                self.sample(k);
                self.event(EventKind::Stop, None, EventDetail::None {});
                return (Status::Stopped, None);
            }
        }
        self.sample(steps);
        self.event(EventKind::End, None, EventDetail::None {});
        (Status::End, None)
    }

    /// Whether the stop expression has fallen to zero in the last step.
    fn stops(&mut self) -> bool {
        if self.options.stop.is_none() {
            return false;
        }
        let value = self.mechanics.stopping();
        let falls = self.stopping > 0.0 && value <= 0.0;
        self.stopping = value;
        falls
    }

    /// To the next time of the grid   [A09 Alg. 1].
    fn advance(&mut self, target: f64) -> Result<(), Over> {
        self.crossings = 0;
        while self.t < target {
            self.check_limits()?;
            let left = target - self.t;
            self.attempt(left)?;
            if self.fallen().next().is_none() {
                self.accept(left);
                self.t = target;
                self.point(false, false);
                continue;
            }
            let (smooth, critical) = self.critical_step(left)?;
            if smooth > 0.0 {
                self.attempt(smooth)?;
                self.accept(smooth);
                self.point(false, false);
            }
            let arrives = smooth + critical >= left;
            self.crossings += 1;
            self.cross(critical)?;
            if arrives {
                self.t = target;
            }
            self.point(true, false);
        }
        Ok(())
    }

    fn check_limits(&self) -> Result<(), Over> {
        let Limits { steps, events } = self.options.limits;
        if self.record.events.len() >= events {
            return Err((Status::Budget, Some(format!("{events} events"))));
        }
        if self.steps >= steps {
            return Err((Status::Budget, Some(format!("{steps} steps"))));
        }
        if self.crossings > CROSSINGS {
            let reason = format!("{CROSSINGS} events within one step of the grid, near t = {}", self.t);
            return Err((Status::Undecided, Some(reason)));
        }
        Ok(())
    }

    pub(super) fn n(&self) -> usize {
        self.mechanics.layout().coordinates
    }

    /// Evaluates the state that was reached.
    pub(super) fn evaluate(&mut self) -> Result<(), Over> {
        let n = self.n();
        self.mechanics.solve(self.t, &self.y[..n], &self.y[n..2 * n]).map_err(|error| self.failed(&error))
    }

    pub(super) fn failed(&self, error: &SmoothError) -> Over {
        (Status::Failed, Some(format!("{error} at t = {}", self.t)))
    }

    /// A smooth motion begins at the state that was reached.
    pub(super) fn set_out(&mut self, doing: Vec<Doing>) -> Result<(), Over> {
        self.doing = doing;
        self.mechanics.set(&self.doing);
        self.step.forget();
        self.y[2 * self.mechanics.layout().coordinates..].fill(0.0);
        self.mechanics.base = self.t;
        let Self { step, mechanics, y, .. } = self;
        let started = step.start(mechanics, 0.0, y);
        started.map_err(|error| self.failed(&error))?;
        self.arm();
        Ok(())
    }

    /// The watches and sizes of the step that begins at the state evaluated last.
    fn arm(&mut self) {
        let (n, h) = (self.n(), self.h);
        let Self { step, mechanics, .. } = self;
        let driven = |i: usize| h * mechanics.coordinate_size(i);
        step.measure((0..n).map(|i| h * driven(i)).chain((0..n).map(driven)));
        let mut watches = std::mem::take(&mut self.mechanics.watches);
        watches.clear();
        (0..self.doing.len()).for_each(|contact| self.watch(contact, &mut watches));
        self.mechanics.watches = watches;
        let Self { mechanics, values, .. } = self;
        mechanics.watched(values);
        self.floors.clear();
        self.armed.clear();
        self.begins.clone_from(&self.values);
        let n = self.n();
        for (watch, &value) in self.mechanics.watches.iter().zip(&self.values) {
            let band = ZERO * watch.size(&self.mechanics, (&self.y[..n], &self.y[n..2 * n]), self.h);
            // a gap that opens falls from above what it is now
            let opens = matches!(*watch, Watch::Gap(contact) if self.mechanics.gap_rate(contact) > 0.0);
            let armed = value > band;
            self.armed.push(armed);
            self.floors.push(match armed {
                true => 0.0,
                false => value.min(0.0) - if opens { 0.0 } else { band },
            });
        }
    }

    fn watch(&mut self, contact: usize, watches: &mut Vec<Watch>) {
        let laws = &self.begin.laws[contact];
        match self.doing[contact] {
            Doing::Free => {
                if self.is_active(contact) {
                    watches.push(Watch::Gap(contact));
                }
            }
            Doing::Stick => watches.extend([Watch::Force(contact, 1.0), Watch::Cone(contact)]),
            Doing::Slip { along, pull } => {
                watches.push(Watch::Force(contact, pull));
                if !laws.friction.is_zero() {
                    watches.push(match self.mechanics.layout().tangents {
                        1 => Watch::Slip(contact, along[0]),
                        _ => Watch::Speed(contact, self.slow(contact)),
                    });
                }
            }
        }
    }

    /// Whether a contact may close, at the state evaluated last.
    pub(super) fn is_active(&mut self, contact: usize) -> bool {
        let Some(active) = self.begin.active.get(contact).copied().flatten() else { return true };
        let mut row = Vec::new();
        self.mechanics.row_into(&mut row);
        active(&row) > 0.0
    }

    /// A step of length s, whose end and watches are left in `end` and `values`.
    pub(super) fn attempt(&mut self, s: f64) -> Result<(), Over> {
        self.steps += 1;
        let Self { step, mechanics, y, end, values, .. } = self;
        let done = step.step(mechanics, (0.0, y), s, end);
        match done {
            Ok(()) => {}
            Err(FixedError::Flow(error)) => return Err(self.failed(&error)),
            Err(FixedError::Stages) => {
                let reason = format!(
                    "the stages of a step of {s} are not found at t = {}: take a shorter one",
                    self.t
                );
                return Err((Status::Failed, Some(reason)));
            }
        }
        let arrived = step.arrive(mechanics, 0.0, end);
        if let Err(error) = arrived {
            return Err(self.failed(&error));
        }
        mechanics.watched(values);
        Ok(())
    }

    /// The watches that have fallen at the end of the attempted step.
    pub(super) fn fallen(&self) -> impl Iterator<Item = usize> + '_ {
        let below = |(value, floor): (&f64, &f64)| *value <= *floor || value.is_nan();
        self.values.iter().zip(&self.floors).enumerate().filter(move |(_, pair)| below(*pair)).map(|(i, _)| i)
    }

    /// Takes the step that was attempted.
    fn accept(&mut self, s: f64) {
        let n = self.n();
        let before = self.t;
        self.t += s;
        self.y.copy_from_slice(&self.end);
        self.works[0] += self.y[2 * n + 1];
        self.works[1] += self.y[2 * n + 2];
        self.y[2 * n..].fill(0.0);
        self.mechanics.base = self.t;
        self.step.accept();
        self.mechanics.forget_rest(&self.doing);
        let tangents = self.mechanics.layout().tangents;
        self.record.phase([before, self.t], &self.doing, tangents);
        self.arm();
    }

    /// A point of the path at the state that was reached.
    pub(super) fn point(&mut self, joined: bool, on_grid: bool) {
        let n = self.n();
        let (q, v) = (self.y[..n].to_vec(), self.y[n..2 * n].to_vec());
        self.points.push(Point { t: self.t, q, v, joined, on_grid });
    }

    /// The row of a time of the grid, whose state was evaluated last.
    fn sample(&mut self, k: usize) {
        debug_assert_eq!(self.record.rows.len(), k, "rows of the grid");
        let t = self.t;
        self.record.sample(t, &mut self.mechanics);
    }

    pub(super) fn event(&mut self, kind: EventKind, contact: Option<usize>, detail: EventDetail) {
        let n = self.n();
        self.record.event((self.t, &self.y[..n], &self.y[n..2 * n]), kind, contact, detail);
    }

    /// Speed of a contact up to which it is at rest: what the critical step could make of it.
    pub(super) fn slow(&self, contact: usize) -> f64 {
        let (row, n) = (self.mechanics.row(contact), self.n());
        let v = &self.y[n..2 * n];
        let tol = &self.options.tol;
        let size = |row: usize| {
            tol.noise.max(f64::EPSILON) * self.mechanics.speed_size(row, v)
                + self.critical * self.mechanics.acceleration_size(row)
        };
        (0..=self.mechanics.layout().tangents).map(|k| size(row + k)).fold(0.0, f64::max)
    }

    fn finish(mut self, grid: &Grid, (status, reason): Over, initial: f64) -> Captured {
        let last = match self.evaluate() {
            Ok(()) => self.mechanics.energy(),
            Err(_) => f64::NAN,
        };
        let columns = Columns::new(self.mechanics.layout(), self.begin.names, self.begin.constraints);
        let evaluations = self.mechanics.evaluations;
        let trajectory = Trajectory {
            schema: TRAJECTORY_SCHEMA.into(),
            mechanism: self.begin.mechanism.to_string(),
            state: self.begin.name.to_string(),
            scheme: grid.method.name.to_string(),
            status,
            reason,
            events: self.record.events,
            phases: self.record.phases,
            columns: columns.names().to_vec(),
            rows: self.record.rows,
            energy: EnergyBalance::new([initial, last], self.works[0], self.works[1], self.impacts),
            drift: crate::simulate::trajectory::Drift::default(),
            work: Effort { steps: self.steps, evaluations },
            warnings: self.warnings,
        };
        Captured { trajectory, path: Path { points: self.points, evaluations } }
    }

    /// The free slip speed of a contact at the state evaluated last.
    pub(super) fn slip_speed(&self, contact: usize) -> f64 {
        norm(self.mechanics.slip(contact))
    }

    /// b of a contact.
    pub(super) fn free_acceleration(&self, row: usize) -> f64 {
        self.mechanics.block(Block::FreeContactAcceleration)[row]
    }
}
