//! A run: rows to a file or to memory, checkpoints, the problem of a step.

use super::checkpoint::Checkpoint;
use super::fault::SceneFault;
use super::load::LoadedScene;
use super::tables::{Before, TableOptions, Tables, last_rows};
use crate::coulomb::write_file;
use crate::format::Space;
use crate::format::scene::Scene;
use crate::num::Number;
use crate::pipeline::{Failure, Positive, Usage};
use crate::plot::Side;
use crate::report::{DataCell, DataColumn, DataFile};
use crate::scene::{
    Options, ProofTotals, Record, RunStatus, RunSummary, Simulation, StepProof, Totals, certify_step,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// The schema of a run's JSON.
pub const RUN_SCHEMA: &str = "mechan.run/1";

/// Rows of a part of a long run as Parquet.
pub(super) const PART_ROWS: usize = 1000;

/// What is asked of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// How its steps are solved.
    pub solving: Options,
    /// Number of steps [default: those of the scene].
    pub steps: Option<u64>,
    /// Checkpoints.
    pub checkpoint: Option<CheckpointOption>,
    /// A checkpoint to go on from.
    pub resume: Option<PathBuf>,
    /// Problems to be written.
    pub exports: Vec<Export>,
    /// Whether existence is decided for every step.
    pub certify: bool,
    /// Tables of bodies and contacts.
    pub tables: TableOptions,
}

/// Where checkpoints go, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointOption {
    /// The file, which has the last one.
    pub file: PathBuf,
    /// Steps from one to the next.
    pub every: u64,
}

/// The problem of a step as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Which, from 1.
    pub step: u64,
    /// Where to: fcp-1, `.json` or `.json.gz`, or FCLIB's HDF5, `.hdf5` or `.h5`.
    pub file: PathBuf,
}

impl FromStr for Export {
    type Err = SceneFault;

    fn from_str(text: &str) -> Result<Self, SceneFault> {
        let parts = text.split_once(':').and_then(|(step, file)| Some((step.parse().ok()?, file)));
        match parts {
            Some((step, file)) if !file.is_empty() => Ok(Self { step, file: PathBuf::from(file) }),
            _ => Err(SceneFault::Export { found: text.to_owned() }),
        }
    }
}

/// A run with its rows.
#[derive(Clone, Debug, Serialize)]
pub struct RunOutcome {
    /// [`RUN_SCHEMA`].
    pub schema: &'static str,
    /// Name of the scene.
    pub scene: String,
    /// Number of bodies.
    pub bodies: usize,
    /// How it ended.
    pub status: RunStatus,
    /// Why every step has a solution, if that needs no computing.
    pub existence: Option<&'static str>,
    /// The steps by what is known about them, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<ProofTotals>,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// One row a step.
    pub rows: Vec<Vec<serde_json::Value>>,
}

impl RunOutcome {
    /// Of a run that ended so, with these rows.
    #[must_use]
    pub fn of(end: &RunSummary, rows: &[RunRow]) -> Self {
        Self {
            schema: RUN_SCHEMA,
            scene: end.scene.clone(),
            bodies: end.bodies,
            status: end.status,
            existence: end.existence,
            proofs: end.proofs.clone(),
            columns: run_columns(end.proofs.is_some()).into_iter().map(|column| column.name).collect(),
            rows: rows.iter().map(|row| cells(row).iter().map(value).collect()).collect(),
        }
    }
}

/// A row of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// What happened.
    pub record: Record,
    /// What is known about the existence of its solution, if that was asked for.
    pub proof: Option<StepProof>,
}

/// The columns of a run's table; two more where existence is decided.
pub fn run_columns(certify: bool) -> Vec<DataColumn> {
    let mut columns = vec![
        DataColumn::integer("step"),
        DataColumn::real("t"),
        DataColumn::integer("contacts"),
        DataColumn::integer("iterations"),
        DataColumn::text("solver"),
        DataColumn::real("residual"),
        DataColumn::real("time_ms"),
        DataColumn::real("energy_kinetic"),
        DataColumn::real("energy_potential"),
        DataColumn::real("penetration"),
        DataColumn::integer("warm"),
    ];
    if certify {
        columns.extend([DataColumn::text("existence"), DataColumn::real("margin")]);
    }
    columns
}

fn cells(RunRow { record, proof }: &RunRow) -> Vec<DataCell> {
    let mut cells = vec![
        DataCell::Integer(record.step as i64),
        DataCell::Real(record.t),
        DataCell::Integer(record.contacts as i64),
        DataCell::Integer(record.iterations as i64),
        DataCell::Text(record.solver.to_owned()),
        DataCell::Real(record.residual),
        DataCell::Real(record.time_ms),
        DataCell::Real(record.energy_kinetic),
        DataCell::Real(record.energy_potential),
        DataCell::Real(record.penetration),
        DataCell::Integer(record.warm as i64),
    ];
    if let Some(proof) = proof {
        cells.push(DataCell::Text(proof.word().to_owned()));
        cells.push(proof.margin().map_or(DataCell::Empty, DataCell::Real));
    }
    cells
}

/// A scene that is ready to run.
#[derive(Debug)]
pub struct SceneRun {
    simulation: Simulation,
    /// The texts of the mechanisms.
    mechanisms: Vec<String>,
    options: RunOptions,
    steps: u64,
    /// The first step of this run.
    first: u64,
}

/// The side from which a scene is seen, by its name, if one is chosen.
///
/// # Errors
/// [`SceneFault::Side`] for other names, and of scenes in the plane.
pub fn side_of(scene: &Scene, chosen: Option<&str>) -> Result<Option<Side>, SceneFault> {
    let Some(found) = chosen else { return Ok(None) };
    let side = Side::named(found).filter(|_| scene.space == Space::Space);
    side.map(Some).ok_or_else(|| SceneFault::Side { found: found.to_string() })
}

impl SceneRun {
    /// A loaded scene with what is asked of it.
    ///
    /// # Errors
    /// [`Failure`]: mechanisms without equations or such a state, bodies that overlap or do not fit, options that make no sense, a checkpoint that is none.
    pub fn new(loaded: &LoadedScene, options: RunOptions) -> Result<Self, Failure> {
        let scene = &loaded.scene;
        let steps = options.steps.unwrap_or(scene.course.steps);
        check(&options, steps)?;
        let mut solving = options.solving.clone();
        if solving.solver.is_none() {
            solving.solver =
                scene.course.solver.as_deref().map(str::parse).transpose().map_err(Usage::Solver)?;
        }
        if let Some(name) = solving.solver {
            // how many contacts there will be is not known; none of the solvers in space or the plane that count them takes so many
            let reason = name.solver().refusal(scene.space.dimension(), usize::from(u16::MAX));
            if let Some(reason) = reason {
                return Err(SceneFault::Refuses { solver: name.to_string(), reason }.into());
            }
        }
        let options = RunOptions { solving, ..options };
        let mechanisms =
            loaded.mechanisms.iter().map(|loaded| loaded.source.text.clone()).collect::<Vec<_>>();
        let placed = Simulation::with(scene, &loaded.ready()?, &options.solving);
        let mut simulation =
            placed.map_err(|diagnostics| Failure::Input { source: loaded.source.clone(), diagnostics })?;
        if let Some(file) = &options.resume {
            let checkpoint = Checkpoint::read(file, (scene, &mechanisms), &options.solving)?;
            let unfit = |fault| SceneFault::State { file: file.display().to_string(), fault };
            simulation.resume(&checkpoint.state).map_err(unfit)?;
        }
        let first = simulation.step() + 1;
        Ok(Self { simulation, mechanisms, options, steps, first })
    }

    /// The scene in motion.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Number of steps, those before a checkpoint included.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Runs until the last step or until `stop` is set; `row` is given every step.
    ///
    /// # Errors
    /// [`Failure`] where a step failed, or where a file was not written; what was done before is safe.
    pub fn follow(
        &mut self,
        stop: &AtomicBool,
        row: &mut dyn FnMut(&Simulation, &RunRow, RunFile) -> Result<(), Failure>,
    ) -> Result<RunSummary, Failure> {
        let before = Before {
            resumed: self.options.resume.is_some(),
            step: self.simulation.step(),
            long: self.is_long(),
        };
        let mut tables = Tables::open(&self.options.tables, before, &self.simulation)?;
        let end = self.take_steps(stop, &mut tables, row);
        // what was done is kept; the failure of the step is what the caller should see
        let kept = tables.finish();
        let end = end?;
        kept.map(|()| end)
    }

    fn take_steps(
        &mut self,
        stop: &AtomicBool,
        tables: &mut Tables,
        row: &mut dyn FnMut(&Simulation, &RunRow, RunFile) -> Result<(), Failure>,
    ) -> Result<RunSummary, Failure> {
        let mut totals = Totals::new(self.options.certify);
        while self.simulation.step() < self.steps && !stop.load(Ordering::Relaxed) {
            let record = self.simulation.advance().map_err(SceneFault::Step)?;
            totals.add(&record);
            self.export(record.step)?;
            let step = record.step;
            let proof = self.options.certify.then(|| certify_step(&self.simulation));
            proof.iter().for_each(|proof| totals.prove(step, proof));
            let done = RunRow { record, proof };
            row(&self.simulation, &done, RunFile::Row)?;
            tables.take(&self.simulation)?;
            let due = |option: &CheckpointOption| step.is_multiple_of(option.every);
            if self.options.checkpoint.as_ref().is_some_and(due) {
                // rows are safe before the checkpoint says that they are done
                row(&self.simulation, &done, RunFile::Safe)?;
                tables.flush()?;
                self.checkpoint()?;
            }
        }
        Ok(RunSummary::of(&self.simulation, self.steps, &totals))
    }

    /// Whether tables are written in parts, each of which is complete.
    fn is_long(&self) -> bool {
        self.steps > PART_ROWS as u64 || self.options.checkpoint.is_some()
    }

    /// The same with the rows in a file whose name ends in `.csv` or `.parquet`; a long run or one with checkpoints as Parquet is a folder
    /// of parts. `observe` is given every step.
    ///
    /// # Errors
    /// As [`SceneRun::follow`].
    pub fn write(
        &mut self,
        path: &Path,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Simulation, &Record),
    ) -> Result<RunSummary, Failure> {
        let (mut file, there) = self.open(path)?;
        let end = self.follow(stop, &mut |simulation, row, what| {
            if what == RunFile::Safe {
                return Ok(file.flush()?);
            }
            observe(simulation, &row.record);
            if row.record.step > there { Ok(file.append(&cells(row))?) } else { Ok(()) }
        });
        match end {
            Ok(end) => {
                file.finish()?;
                self.last_checkpoint()?;
                Ok(end)
            }
            Err(failure) => {
                // what was done is kept; the failure of the step is what the caller should see
                drop(file.finish());
                Err(failure)
            }
        }
    }

    /// The same with the rows in memory.
    ///
    /// # Errors
    /// As [`SceneRun::follow`].
    pub fn collect(
        &mut self,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Simulation, &Record),
    ) -> Result<(RunOutcome, RunSummary), Failure> {
        let mut rows = Vec::new();
        let end = self.watch(stop, &mut |simulation, row| {
            observe(simulation, &row.record);
            rows.push(row.clone());
        })?;
        Ok((RunOutcome::of(&end, &rows), end))
    }

    /// The same with rows that `observe` may keep, and with the scene as it is after each.
    ///
    /// # Errors
    /// As [`SceneRun::follow`].
    pub fn watch(
        &mut self,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Simulation, &RunRow),
    ) -> Result<RunSummary, Failure> {
        let end = self.follow(stop, &mut |simulation, row, what| {
            if what == RunFile::Row {
                observe(simulation, row);
            }
            Ok(())
        })?;
        self.last_checkpoint()?;
        Ok(end)
    }

    /// The file of the rows, and up to which step it has them.
    fn open(&self, path: &Path) -> Result<(DataFile, u64), Failure> {
        let columns = run_columns(self.options.certify);
        if self.options.resume.is_none() {
            let file = match self.is_long() {
                true => DataFile::in_parts(path, columns, PART_ROWS)?,
                false => DataFile::create(path, columns)?,
            };
            return Ok((file, 0));
        }
        let (file, rows) = DataFile::resume(path, columns.clone(), PART_ROWS)?;
        let step = self.first - 1;
        let there = if rows == 0 { step } else { last_rows(path, columns)?.0 };
        if there < step {
            return Err(
                SceneFault::MissingRows { file: path.display().to_string(), last: there, step }.into()
            );
        }
        Ok((file, there))
    }

    fn export(&self, step: u64) -> Result<(), Failure> {
        for export in self.options.exports.iter().filter(|export| export.step == step) {
            if self.simulation.touches().is_empty() {
                return Err(SceneFault::NoContacts { step }.into());
            }
            let name = format!("{}-{step}", self.simulation.scene().name);
            let problem = self.simulation.problem().clone().named(name);
            write_file(&problem, &export.file)
                .map_err(|error| Failure::file(export.file.display().to_string(), error))?;
        }
        Ok(())
    }

    fn checkpoint(&self) -> Result<(), Failure> {
        let Some(option) = &self.options.checkpoint else { return Ok(()) };
        let (scene, state) = (self.simulation.scene(), self.simulation.state());
        Checkpoint::new((scene, &self.mechanisms), &self.options.solving, state).write(&option.file)
    }

    /// Of a run that ends between two of them.
    fn last_checkpoint(&self) -> Result<(), Failure> {
        let due = |option: &CheckpointOption| !self.simulation.step().is_multiple_of(option.every);
        if self.options.checkpoint.as_ref().is_some_and(due) { self.checkpoint() } else { Ok(()) }
    }
}

/// What a row is told for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunFile {
    /// It was computed.
    Row,
    /// It and those before have to be safe now.
    Safe,
}

fn check(options: &RunOptions, steps: u64) -> Result<(), Failure> {
    if let Some(found) = options.solving.tolerance.filter(|t| !(t.is_finite() && *t > 0.0)) {
        return Err(Usage::Positive { what: Positive::Tolerance, found }.into());
    }
    if options.checkpoint.as_ref().is_some_and(|option| option.every == 0) {
        return Err(SceneFault::Every.into());
    }
    if options.tables.sample == Some(0) {
        return Err(SceneFault::Sample.into());
    }
    match options.exports.iter().find(|export| export.step == 0 || export.step > steps) {
        Some(export) => Err(SceneFault::NoSuchStep { step: export.step, steps }.into()),
        None => Ok(()),
    }
}

fn value(cell: &DataCell) -> serde_json::Value {
    match cell {
        DataCell::Real(x) => serde_json::json!(Number(*x)),
        DataCell::Integer(n) => serde_json::json!(n),
        DataCell::Text(text) => serde_json::json!(text),
        DataCell::Empty => serde_json::Value::Null,
    }
}
