//! An ensemble as a question, and its runs.

use super::fault::EnsembleFault;
use super::identity::Identity;
use super::ranges::varied;
use crate::expression::Symbol;
use crate::format::{Override, StateSpec};
use crate::model::{Kernel, Model};
use crate::num::Tol;
use crate::pipeline::simulate::ask::{SimulateOptions, asked_state};
use crate::pipeline::simulate::engine::{Kept, Motions};
use crate::pipeline::simulate::subject::Start;
use crate::pipeline::states::{parse_overrides, place_kernel, resolve};
use crate::pipeline::{Failure, Loaded, Usage};
use crate::simulate::ensemble::{
    Axis, Chunk, Distribution, EnsembleColumn, EnsembleRow, Plan, RunStatus, columns, in_order,
};
use crate::simulate::event::Memory;
use crate::simulate::trajectory::Status;
use std::ops::Range;

/// What is asked of an ensemble.
#[derive(Clone, Debug, Default)]
pub struct EnsembleOptions {
    /// What is asked of each motion; samples are not taken.
    pub motion: SimulateOptions,
    /// Number of runs; with a grid that at each of its points, 1 if absent.
    pub runs: Option<u64>,
    /// What random numbers depend on beside run and name.
    pub seed: u64,
    /// `name=LO:HI` or `name=log:LO:HI`.
    pub random: Vec<String>,
    /// `name=LO:HI:N` or `name=log:LO:HI:N`.
    pub grid: Vec<String>,
    /// `I/N`: the I-th of N parts; all if absent.
    pub chunk: Option<String>,
    /// Threads; as many as there are cores if absent.
    pub threads: Option<usize>,
}

/// An ensemble of motions, ready to run: the mechanism is compiled once, and all runs and threads share it.
pub struct EnsembleStudy<'l> {
    loaded: &'l Loaded,
    spec: &'l StateSpec,
    /// What is set for all runs.
    set: Vec<Override>,
    targets: Vec<Symbol>,
    plan: Plan,
    runs: u64,
    chunk: Chunk,
    kernel: Kernel,
    motions: Motions<'l>,
    threads: usize,
    identity: Identity,
}

/// What a thread works with.
struct Worker {
    /// Those that are set for all runs come first.
    overrides: Vec<Override>,
    memory: Memory,
}

impl<'l> EnsembleStudy<'l> {
    /// Of a mechanism.
    ///
    /// # Errors
    /// [`Failure`] if the options make no sense. A run that cannot begin is a row.
    pub fn new(loaded: &'l Loaded, model: &Model, options: &EnsembleOptions) -> Result<Self, Failure> {
        options.motion.check_scheme()?;
        let spec = asked_state(loaded, &options.motion)?;
        let set = parse_overrides(loaded, &options.motion.set)?;
        let parameters = resolve(loaded, spec, &set)?.parameters;
        let refused = |fault| Failure::from(Usage::from(fault));
        let varied =
            varied(&loaded.mechanism, &parameters, (&options.random, &options.grid)).map_err(refused)?;
        let (targets, axes): (_, Vec<Axis>) = varied.into_iter().unzip();
        let each = each(options, listed(&axes)).map_err(refused)?;
        let plan = Plan { axes, each, seed: options.seed };
        let runs = plan.runs().ok_or(EnsembleFault::TooMany).map_err(refused)?;
        let chunk = options.chunk.as_deref().map(chunk).transpose().map_err(refused)?.unwrap_or(Chunk::WHOLE);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            identity: Identity::new(loaded, spec, options, (&plan, runs, chunk))
                .map_err(Failure::unprintable("the question of the ensemble"))?,
            kernel: place_kernel(model, &Tol::default()).compiled(),
            motions: Motions::new(loaded, model, &options.motion, Kept::Nothing)?,
            threads: options.threads.unwrap_or(cores),
            loaded,
            spec,
            set,
            targets,
            plan,
            runs,
            chunk,
        })
    }

    /// The name of its state.
    pub fn state(&self) -> &str {
        &self.spec.name
    }

    /// What was asked, to be kept beside its results.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Its columns.
    pub fn columns(&self) -> Vec<EnsembleColumn> {
        let varied: Vec<String> = self.plan.axes.iter().map(|axis| axis.name.clone()).collect();
        columns(&varied, &self.motions.subject.names.coordinates)
    }

    /// The runs of its part.
    pub fn range(&self) -> Range<u64> {
        self.chunk.range(self.runs)
    }

    /// Follows the runs of a range and hands their rows over in order.
    ///
    /// # Errors
    /// What `deliver` says, or [`Failure::Usage`] if an option of the motions makes no sense.
    pub fn follow(
        &self,
        runs: Range<u64>,
        mut deliver: impl FnMut(EnsembleRow) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let worker = || Worker { overrides: self.set.clone(), memory: Memory::default() };
        let work = |own: &mut Worker, run: u64| self.row(own, run);
        in_order(self.threads, runs, worker, work, |row| deliver(row?))
    }

    /// The same up to where it is asked to end; whether it was.
    pub(super) fn follow_some(
        &self,
        runs: Range<u64>,
        mut deliver: impl FnMut(EnsembleRow) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let followed = self.follow(runs, |row| match row.status {
            RunStatus::Ended(Status::Interrupted) => Err(Failure::Interrupted { what: "a whole run" }),
            RunStatus::Ended(_) | RunStatus::Refused => deliver(row),
        });
        match followed {
            Err(Failure::Interrupted { .. }) => Ok(true),
            other => other.map(|()| false),
        }
    }

    /// The row of a run.
    fn row(&self, Worker { overrides, memory }: &mut Worker, run: u64) -> Result<EnsembleRow, Failure> {
        let drawn = self.plan.values(run);
        overrides.truncate(self.set.len());
        let values = self.targets.iter().zip(&self.plan.axes).zip(&drawn);
        overrides.extend(values.map(|((&symbol, axis), &x)| Override::number((symbol, &axis.name), x)));
        match Start::at(self.loaded, &self.kernel, self.spec, overrides) {
            Ok(start) => {
                let (trajectory, end) = self.motions.follow(&start, memory)?;
                Ok(EnsembleRow { notes: start.notes, ..EnsembleRow::of(run, drawn, &trajectory, &end) })
            }
            Err(failure @ (Failure::Input { .. } | Failure::File { .. })) => {
                let coordinates = self.motions.subject.names.coordinates.len();
                Ok(EnsembleRow::refused(run, drawn, coordinates, failure.message()))
            }
            Err(other) => Err(other),
        }
    }
}

/// How many values there are, if all that is random is listed.
fn listed(axes: &[Axis]) -> Option<u64> {
    let mut most = None;
    for axis in axes {
        match &axis.spread {
            Distribution::Listed(list) => most = most.max(Some(list.len() as u64)),
            Distribution::Random | Distribution::RandomLog | Distribution::Normal { .. } => return None,
            Distribution::Grid(_) | Distribution::GridLog(_) => {}
        }
    }
    most
}

/// Runs at each point of the grid; lists alone have as many as the longest.
fn each(options: &EnsembleOptions, listed: Option<u64>) -> Result<u64, EnsembleFault> {
    match (options.runs, options.random.is_empty(), options.grid.is_empty()) {
        (Some(0), ..) => Err(EnsembleFault::ZeroRuns),
        (_, true, true) => Err(EnsembleFault::Nothing),
        (Some(runs @ 2..), true, false) => Err(EnsembleFault::Same { runs }),
        (None, false, true) if listed.is_none() => Err(EnsembleFault::NoRuns),
        (runs, ..) => Ok(runs.or(listed).unwrap_or(1)),
    }
}

/// `I/N`.
pub(in crate::pipeline) fn chunk(text: &str) -> Result<Chunk, EnsembleFault> {
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Chunk { part, of }),
        _ => Err(EnsembleFault::Chunk { text: text.to_string() }),
    }
}
