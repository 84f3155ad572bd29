//! A motion on an equidistant grid   [A09 Alg. 1].

use super::path::{Path, Point};
use crate::model::Block;
use crate::num::dense::norm;
use crate::num::halt;
use crate::predict::Mode;
use crate::simulate::event::enclose::Enclosures;
use crate::simulate::event::mechanics::{EXTRA, Mechanics};
use crate::simulate::event::record::Record;
use crate::simulate::event::watch::Watch;
use crate::simulate::event::{EventDriven, Limits, Options};
use crate::simulate::integrate::{Dop853, Exact, FixedStep};
use crate::simulate::smooth::SmoothError;
use crate::simulate::trajectory::{
    Deepest, Drift, Effort, EnergyBalance, EventDetail, EventKind, SampleTimes, Status, StopReason, Stopping,
    TRAJECTORY_SCHEMA, Trajectory,
};
use crate::simulate::{Beginning, progress};

/// C of the critical step |tᵢ₊₂ − tᵢ₊₁| ≤ C hᵖ⁺¹, in units of the whole time T to the power −p: h (h/T)ᵖ.
pub const DEFAULT_CRITICAL: f64 = 1.0;

/// Critical steps are not shorter than this share of the time.
const SHORTEST: f64 = 64.0 * f64::EPSILON;

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
    pub(super) doing: Vec<Mode>,
    /// h, and the length of critical steps.
    pub(super) h: f64,
    pub(super) critical: f64,
    /// Of each watch its value at the begin of a step, below which it has to fall if that is not positive.
    pub(super) floors: Vec<f64>,
    /// The value itself, and whether it was positive.
    pub(super) begins: Vec<f64>,
    pub(super) armed: Vec<bool>,
    /// Up to which value each is zero to rounding, and how many of the lowest derivatives of those that are then are not negative.
    pub(super) bands: Vec<f64>,
    pub(super) leads: Vec<usize>,
    pub(super) enclosures: Enclosures,
    pub(super) work: Effort,
    /// The watches that end the step.
    pub(super) happened: Vec<Watch>,
    /// Critical steps since the last time of the grid.
    crossings: usize,
    stopping: Stopping,
    pub(super) values: Vec<f64>,
    pub(super) works: [f64; 2],
    pub(super) impacts: f64,
    pub(super) drift: Drift,
    pub(super) deepest: Deepest,
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
        let mut mechanics =
            Mechanics::new(self, (begin.laws, &state.parameters), self.work(begin.laws, &state.parameters));
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
            record: Record::new(
                begin.names,
                SampleTimes::Equal { count: steps + 1, span: [state.t, options.t_end] },
            ),
            end: y.clone(),
            doing: vec![Mode::Free; mechanics.layout().contacts],
            critical: (grid.critical * h * (h / span).powi(order)).max(shortest).min(h),
            floors: Vec::new(),
            begins: Vec::new(),
            armed: Vec::new(),
            bands: Vec::new(),
            leads: Vec::new(),
            enclosures: Enclosures::new(&self.boxes, n, &state.parameters),
            work: Effort::default(),
            happened: Vec::new(),
            crossings: 0,
            stopping: Stopping::default(),
            values: Vec::new(),
            works: [0.0; 2],
            impacts: 0.0,
            drift: Drift::default(),
            deepest: Deepest::default(),
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
        let initial = self.energy();
        let over = self.go(steps);
        self.finish(grid, over, initial)
    }

    fn go(&mut self, steps: usize) -> StopReason {
        if let Err(over) = self.start() {
            return over;
        }
        self.point(false, true);
        self.stops();
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

    /// Whether the stop expression has fallen to zero since it was asked for last.
    fn stops(&mut self) -> bool {
        if self.options.stop.is_none() {
            return false;
        }
        self.stopping.falls_to(self.mechanics.stopping())
    }

    /// To the next time of the grid   [A09 Alg. 1].
    fn advance(&mut self, target: f64) -> Result<(), StopReason> {
        self.crossings = 0;
        while self.t < target {
            self.check_limits()?;
            let left = target - self.t;
            self.attempt(left)?;
            let mut fallen = left;
            if self.fallen().next().is_none() {
                let Some(within) = self.overlooked(left)? else {
                    self.accept(left);
                    self.t = target;
                    self.point(false, false);
                    continue;
                };
                fallen = within;
            }
            let (smooth, critical) = self.critical_step(fallen)?;
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

    fn check_limits(&self) -> Result<(), StopReason> {
        let Limits { steps, events } = self.options.limits;
        if self.record.events.len() >= events {
            return Err((Status::Budget, Some(format!("{events} events"))));
        }
        progress::reach(self.t);
        if self.steps >= steps || halt::is_wanted() {
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
    pub(super) fn evaluate(&mut self) -> Result<(), StopReason> {
        let n = self.n();
        self.mechanics.solve(self.t, &self.y[..n], &self.y[n..2 * n]).map_err(|error| self.failed(&error))
    }

    /// The energy of the state that was reached.
    fn energy(&mut self) -> f64 {
        let _ = self.evaluate();
        self.mechanics.known_energy()
    }

    pub(super) fn failed(&self, error: &SmoothError) -> StopReason {
        (Status::Failed, Some(format!("{error} at t = {}", self.t)))
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

    fn finish(mut self, grid: &Grid, (status, reason): StopReason, initial: f64) -> Captured {
        let last = self.energy();
        let (evaluations, hyperstatic) = (self.mechanics.evaluations, self.record.hyperstatic());
        let trajectory = Trajectory {
            schema: TRAJECTORY_SCHEMA.into(),
            mechanism: self.begin.mechanism.to_string(),
            state: self.begin.name.to_string(),
            scheme: grid.method.name.to_string(),
            status,
            reason,
            events: self.record.events,
            phases: self.record.phases,
            columns: self.begin.columns.clone(),
            rows: self.record.rows,
            energy: EnergyBalance::new([initial, last], self.works[0], self.works[1], self.impacts),
            drift: self.drift,
            penetration: self.deepest.named(self.begin.names),
            hyperstatic,
            work: Effort { steps: self.steps, evaluations, ..self.work },
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
