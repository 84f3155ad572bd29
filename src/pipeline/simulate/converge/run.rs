//! One run of a scheme, as the points that its errors are measured at.

use super::ladder::Parameter;
use crate::model::Model;
use crate::num::Number;
use crate::pipeline::simulate::ask::{SimulateOptions, Simulation};
use crate::pipeline::simulate::scheme::Scheme;
use crate::pipeline::simulate::{captured, compliant, stepped};
use crate::pipeline::{Failure, Loaded};
use crate::simulate::capture::{Path, Point};
use crate::simulate::compliant::Compliant;
use crate::simulate::converge::{ErrorsOf, Reference, Run, Tracer, measure};
use crate::simulate::stepped::Stepped;
use crate::simulate::trajectory::{Status, Trajectory};

/// Samples of a motion from event to event at which its errors are measured: few, since each costs an evaluation, and
/// at times that round numbers do not share.
const SAMPLES: usize = 38;

pub(super) struct Runner<'r> {
    pub(super) loaded: &'r Loaded,
    pub(super) model: &'r Model,
    pub(super) simulation: &'r Simulation,
    pub(super) motion: &'r SimulateOptions,
}

impl Runner<'_> {
    /// A run, or why it did not reach its end.
    pub(super) fn run(
        &self,
        scheme: Scheme,
        parameter: Parameter,
        reference: &Reference,
    ) -> Result<Result<Run, String>, Failure> {
        let (path, trajectory) = self.path(scheme, parameter)?;
        if trajectory.status != Status::End {
            let reason = trajectory.reason.unwrap_or_else(|| trajectory.status.name().to_string());
            return Ok(Err(reason));
        }
        let [q, v] = measure(&path, reference);
        let span = self.motion.t_end - self.simulation.start.state.t;
        let (h, rtol) = match parameter {
            Parameter::Step(h) => (h, None),
            Parameter::Tolerance(rtol) => (span / trajectory.work.steps as f64, Some(Number(rtol))),
        };
        Ok(Ok(Run { h: Number(h), rtol, errors: ErrorsOf { q, v }, evaluations: path.evaluations }))
    }

    fn path(&self, scheme: Scheme, parameter: Parameter) -> Result<(Path, Trajectory), Failure> {
        let Simulation { subject, start, motions } = self.simulation;
        let mut options = self.motion.clone();
        match parameter {
            Parameter::Step(h) => options.step = Some(h),
            Parameter::Tolerance(rtol) => options.rtol = Some(rtol),
        }
        let n = start.state.q.len();
        match scheme {
            Scheme::Captured(method) => {
                let found = captured::run(subject, motions, start, method, &options)?;
                Ok((found.path, found.trajectory))
            }
            Scheme::Event => {
                options.samples = Some(SAMPLES);
                let found = self.simulation.run(&options)?.trajectory;
                let contacts = &subject.names.contacts;
                let tracer = Tracer::new(self.model, &start.state.parameters, contacts);
                Ok((tracer.path(&found), found))
            }
            Scheme::Stepped(name) => {
                let found = stepped::run(subject, &Stepped::new(self.model), start, name, &options)?;
                let mut path = rows(&found, n, true);
                if name.is_adaptive() {
                    separate(&mut path);
                }
                Ok((path, found))
            }
            Scheme::Compliant => {
                options.eps = options.step.into_iter().collect();
                let motions = Compliant::new(self.model).compiled();
                let found = compliant::run(self.loaded, subject, &motions, start, &options)?;
                Ok((rows(&found, n, true), found))
            }
        }
    }
}

/// Of adapted steps the short ones fill jumps; the graph of a long one is not the straight line.
fn separate(path: &mut Path) {
    let points = &mut path.points;
    let span = points.last().map_or(0.0, |last| last.t - points[0].t);
    let mean = span / points.len() as f64;
    let mut before = f64::NEG_INFINITY;
    for point in points {
        point.joined = point.t - before <= mean;
        before = point.t;
    }
}

/// The rows of a motion as points.
pub(super) fn rows(trajectory: &Trajectory, n: usize, joined: bool) -> Path {
    let point = |row: &[Number]| {
        let numbers = |range: std::ops::RangeInclusive<usize>| row[range].iter().map(|x| x.0).collect();
        Point { t: row[0].0, q: numbers(1..=n), v: numbers(1 + n..=2 * n), joined, on_grid: true }
    };
    Path { points: trajectory.rows.iter().map(point).collect(), evaluations: trajectory.work.evaluations }
}
