//! Scenes of many bodies, and their runs.

use crate::analyze::{Report, option, option_or};
use crate::fault::{place, raised};
use crate::map::Column;
use crate::patience::patiently_telling;
use crate::problem::{Problem, solver};
use mechan::num::halt::Flag;
use mechan::pipeline::{
    CheckpointOption, Export, LoadedScene, RunOptions, RunOutcome, RunRow, SceneRun, TableOptions,
    load_scene as load_named, load_scene_bytes, run_columns, side_of,
};
use mechan::plot::Side;
use mechan::report::{Figure, run_document};
use mechan::scene::{Body, Options, Record, RunSummary, Simulation, Solid, StepProof};
use mechan::{Failure, plot};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A scene that was read and found valid.
#[pyclass(frozen, module = "mechan._mechan")]
pub(crate) struct Scene {
    loaded: LoadedScene,
}

/// Reads a scene file.
#[pyfunction]
pub(crate) fn load_scene(py: Python<'_>, name: &str) -> PyResult<Scene> {
    let loaded = py.detach(|| load_named(name)).map_err(|failure| raised(py, &failure))?;
    Ok(Scene { loaded })
}

/// Reads the text of a scene.
#[pyfunction]
pub(crate) fn load_scene_text(py: Python<'_>, name: &str, text: String) -> PyResult<Scene> {
    let loaded = load_scene_bytes(name, text.into_bytes()).map_err(|failure| raised(py, &failure))?;
    Ok(Scene { loaded })
}

#[pymethods]
impl Scene {
    /// What it says of itself.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (dict, scene) = (PyDict::new(py), &self.loaded.scene);
        dict.set_item("name", &scene.name)?;
        dict.set_item("title", scene.title.as_deref())?;
        dict.set_item("description", scene.description.as_deref())?;
        dict.set_item("space", scene.space.word())?;
        dict.set_item("text", &self.loaded.source.text)?;
        dict.set_item("step", scene.course.step)?;
        dict.set_item("steps", scene.course.steps)?;
        dict.set_item("tolerance", scene.course.tolerance)?;
        dict.set_item("solver", scene.course.solver.as_deref())?;
        let groups = PyList::new(py, scene.groups.iter().map(|group| group.name.as_str()))?;
        dict.set_item("groups", groups.to_tuple())?;
        let mechanisms = PyList::new(py, scene.mechanisms.iter().map(|mechanism| mechanism.name.as_str()))?;
        dict.set_item("mechanisms", mechanisms.to_tuple())?;
        let surfaces = PyList::new(py, scene.surfaces.iter().map(|surface| surface.name.as_str()))?;
        dict.set_item("surfaces", surfaces.to_tuple())?;
        let warnings = PyList::empty(py);
        for warning in &self.loaded.warnings {
            warnings.append(place(py, warning, &self.loaded.source)?)?;
        }
        dict.set_item("warnings", warnings)?;
        Ok(dict)
    }

    /// Its run: the report, the columns of its rows, the states that were kept with their steps, and the scene at the end.
    fn run<'py>(
        &self,
        py: Python<'py>,
        options: &Bound<'py, PyDict>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let asked = asked(options)?;
        let every: Option<u64> = option(options, "states")?;
        let mut run = SceneRun::new(&self.loaded, asked).map_err(|failure| raised(py, &failure))?;
        let (of, first) = (run.steps(), run.simulation().step());
        let done = Arc::new(AtomicU64::new(first));
        let (counted, mut told) = (Arc::clone(&done), first);
        let compute = move |stop: &AtomicBool| {
            let (mut kept, mut rows) = (Kept::new(every, run.simulation()), Vec::new());
            // the rows of a checkpoint are those of whole steps: between them the run is asked to end, and not within
            let end = Flag::default().hears(|| {
                run.watch(stop, &mut |simulation, row| {
                    kept.keep(simulation);
                    rows.push(row.clone());
                    counted.store(row.record.step, Ordering::Relaxed);
                })
            })?;
            Ok((run, end, rows, kept))
        };
        let tell = || {
            let now = done.load(Ordering::Relaxed);
            match progress {
                Some(progress) if now > told => {
                    told = now;
                    progress.call1((now, of)).map(drop)
                }
                _ => Ok(()),
            }
        };
        let found = patiently_telling(py, compute, tell)?;
        let (run, end, rows, kept) = found.map_err(|failure: Failure| raised(py, &failure))?;
        if let Some(progress) = progress.filter(|_| end.steps > told) {
            progress.call1((end.steps, of))?;
        }
        let columns = columns(py, &rows)?;
        let states = kept.into_python(py)?;
        let summary = serde_json::to_string(&end).unwrap_or_default();
        let ran = Ran { run: Arc::new(Mutex::new(run)) };
        let report = ran.report(end, rows);
        (report, summary, columns, states, ran).into_pyobject(py)
    }
}

fn asked(options: &Bound<'_, PyDict>) -> PyResult<RunOptions> {
    let exports: Vec<(u64, PathBuf)> = option_or(options, "export_problems", Vec::new())?;
    let file: Option<PathBuf> = option(options, "checkpoint")?;
    let every = option_or(options, "every", 100)?;
    Ok(RunOptions {
        solving: Options {
            solver: solver(options)?,
            tolerance: option(options, "tolerance")?,
            iterations: option(options, "iterations")?,
            cold: option_or(options, "cold", false)?,
            threads: option(options, "threads")?,
        },
        steps: option(options, "steps")?,
        checkpoint: file.map(|file| CheckpointOption { file, every }),
        resume: option(options, "resume")?,
        certify: option_or(options, "certify", false)?,
        tables: TableOptions {
            bodies: option(options, "bodies")?,
            contacts: option(options, "contacts")?,
            sample: option(options, "sample")?,
        },
        exports: exports.into_iter().map(|(step, file)| Export { step, file }).collect(),
    })
}

/// Centre, quaternion, velocity and spin of each body.
const NUMBERS: usize = 13;

/// States that are kept.
struct Kept {
    every: Option<u64>,
    steps: Vec<i64>,
    numbers: Vec<f64>,
    bodies: usize,
}

impl Kept {
    /// With the first one.
    fn new(every: Option<u64>, simulation: &Simulation) -> Self {
        let bodies = simulation.bodies().len();
        let mut own = Self { every, steps: Vec::new(), numbers: Vec::new(), bodies };
        if every.is_some() {
            own.add(simulation);
        }
        own
    }

    fn keep(&mut self, simulation: &Simulation) {
        if self.every.is_some_and(|every| every > 0 && simulation.step().is_multiple_of(every)) {
            self.add(simulation);
        }
    }

    fn add(&mut self, simulation: &Simulation) {
        // more steps than that cannot be taken in a lifetime
        self.steps.push(i64::try_from(simulation.step()).unwrap_or(i64::MAX));
        simulation.bodies().iter().for_each(|body| self.numbers.extend(numbers(body)));
    }

    /// Their steps, and an array over steps, bodies and numbers.
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let frames = self.steps.len();
        let numbers = PyArray1::from_vec(py, self.numbers).reshape([frames, self.bodies, NUMBERS])?;
        (PyArray1::from_vec(py, self.steps), numbers).into_pyobject(py)
    }
}

fn numbers(body: &Body) -> impl Iterator<Item = f64> {
    body.centre.into_iter().chain(body.turned).chain(body.velocity).chain(body.spin)
}

/// The rows, column by column.
fn columns<'py>(py: Python<'py>, rows: &[RunRow]) -> PyResult<Bound<'py, PyDict>> {
    let records = || rows.iter().map(|row| &row.record);
    let real = |of: fn(&Record) -> f64| Column::Real(records().map(of).collect());
    let count = |of: fn(&Record) -> usize| {
        let mut column = Column::Count(Vec::new());
        records().for_each(|record| column.count(of(record) as u64));
        column
    };
    let mut steps = Column::Count(Vec::new());
    records().for_each(|record| steps.count(record.step));
    let mut solvers = Column::words();
    records().for_each(|record| solvers.word(Some(record.solver)));
    let mut made = vec![
        steps,
        real(|r| r.t),
        count(|r| r.contacts),
        count(|r| r.iterations),
        solvers,
        real(|r| r.residual),
        real(|r| r.time_ms),
        real(|r| r.energy_kinetic),
        real(|r| r.energy_potential),
        real(|r| r.penetration),
        count(|r| r.warm),
    ];
    let certified = rows.iter().any(|row| row.proof.is_some());
    if certified {
        let proofs = || rows.iter().map(|row| row.proof.as_ref());
        let mut words = Column::words();
        proofs().for_each(|proof| words.word(proof.map(StepProof::word)));
        made.push(words);
        made.push(Column::Real(
            proofs().map(|p| p.and_then(StepProof::margin).unwrap_or(f64::NAN)).collect(),
        ));
    }
    let dict = PyDict::new(py);
    for (named, column) in run_columns(certified).into_iter().zip(made) {
        dict.set_item(named.name, column.into_python(py)?)?;
    }
    Ok(dict)
}

/// A scene after its run.
#[pyclass(frozen, module = "mechan._mechan")]
pub(crate) struct Ran {
    run: Arc<Mutex<SceneRun>>,
}

fn locked(run: &Mutex<SceneRun>) -> MutexGuard<'_, SceneRun> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ran {
    fn side(&self, py: Python<'_>, chosen: Option<&str>) -> PyResult<Option<Side>> {
        let found = side_of(locked(&self.run).simulation().scene(), chosen);
        found.map_err(|fault| raised(py, &fault.into()))
    }

    fn report(&self, end: RunSummary, rows: Vec<RunRow>) -> Report {
        let (run, summary) = (Arc::clone(&self.run), end.clone());
        let document = move || {
            let svg = plot::pile(locked(&run).simulation(), None).svg().to_owned();
            let caption = "The bodies at the end, with the forces between them".to_owned();
            run_document(&summary).with_pictures(vec![Figure { caption, svg }])
        };
        Report::new(move || serde_json::to_string(&RunOutcome::of(&end, &rows)), document)
    }
}

#[pymethods]
impl Ran {
    /// The bodies with the forces of the last step, as SVG, from the usual side or another one.
    #[pyo3(signature = (seen_from=None))]
    fn svg(&self, py: Python<'_>, seen_from: Option<&str>) -> PyResult<String> {
        let side = self.side(py, seen_from)?;
        Ok(py.detach(|| plot::pile(locked(&self.run).simulation(), side).svg().to_owned()))
    }

    /// The same in a file.
    #[pyo3(signature = (path, seen_from=None))]
    fn draw(&self, py: Python<'_>, path: PathBuf, seen_from: Option<&str>) -> PyResult<()> {
        let side = self.side(py, seen_from)?;
        let written = py.detach(|| plot::pile(locked(&self.run).simulation(), side).write(&path));
        written.map_err(|fault| raised(py, &fault.into()))
    }

    /// The bodies: what they are, and their numbers at the end.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let run = locked(&self.run);
        let (simulation, bodies) = (run.simulation(), run.simulation().bodies());
        let (mut groups, mut shapes) = (Column::words(), Column::words());
        let (mut masses, mut sizes, mut now) = (Vec::new(), Vec::new(), Vec::new());
        for body in bodies {
            groups.word(simulation.scene().members().nth(body.group));
            let (shape, size) = match body.solid {
                Solid::Round(radius) => ("round", [radius; 3]),
                Solid::Box(halves) => ("box", halves),
            };
            shapes.word(Some(shape));
            masses.push(body.mass);
            sizes.extend(size);
            now.extend(numbers(body));
        }
        let sizes = PyArray1::from_vec(py, sizes).reshape([bodies.len(), 3])?;
        let now = PyArray1::from_vec(py, now).reshape([bodies.len(), NUMBERS])?;
        let masses = PyArray1::from_vec(py, masses);
        (groups.into_python(py)?, shapes.into_python(py)?, masses, sizes, now).into_pyobject(py)
    }

    /// The incremental problem of the last step; none if it had no contacts.
    fn problem(&self) -> Option<Problem> {
        let run = locked(&self.run);
        let simulation = run.simulation();
        let name = format!("{}-{}", simulation.scene().name, simulation.step());
        (!simulation.touches().is_empty()).then(|| Problem::of(simulation.problem().clone().named(name)))
    }
}
