//! Incremental problems in numbers: solved one by one, or one after the other by a session.

use crate::analyze::{Report, option, option_or};
use crate::fault::{raised, refused};
use crate::patience::patiently;
use mechan::answer::solve_in;
use mechan::coulomb::{Form, Global, Limits, Outcome, Start, Status, read_file, write, write_file};
use mechan::linear::Sparse;
use mechan::report::{SolutionOutcome, solution_document};
use mechan::stepping::{Step, StepModel};
use mechan::{
    Budget, Derived, Extent, Failure, Proofs, Request, SolveOptions, SolverName, StepOptions, Timing, Usage,
    solve_problem, solve_step,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Rows, columns, and the places and values of entries.
type Coordinates = (usize, usize, Vec<usize>, Vec<usize>, Vec<f64>);

/// A Coulomb friction problem in numbers.
#[pyclass(frozen, subclass, module = "mechan._mechan")]
pub(crate) struct Problem {
    problem: Arc<mechan::Problem>,
    step: Option<Step>,
}

fn failure(py: Python<'_>, name: &str, error: mechan::coulomb::ProblemError) -> PyErr {
    raised(py, &Failure::file(if name.is_empty() { "problem" } else { name }, error))
}

fn sparse(
    name: &'static str,
    (rows, columns, i, j, x): &Coordinates,
) -> Result<Sparse, mechan::coulomb::ProblemError> {
    Ok(Sparse::from_coordinates(name, (*rows, *columns), i, j, x)?)
}

impl Problem {
    /// Without the step of a mechanism.
    pub(crate) fn of(problem: mechan::Problem) -> Self {
        Self { problem: Arc::new(problem), step: None }
    }

    pub(crate) fn of_step(
        py: Python<'_>,
        derived: &Arc<Derived>,
        (state, h, set): (&str, f64, Vec<String>),
        model: &str,
    ) -> PyResult<Self> {
        let model = match model {
            "dynamics" => StepModel::Dynamics,
            "quasi-static" => StepModel::QuasiStatic,
            "quasi-static-position" => StepModel::QuasiStaticPosition,
            other => {
                let known = "dynamics, quasi-static and quasi-static-position";
                return Err(refused(
                    py,
                    "UsageError",
                    format!("there is no step model `{other}`; there are {known}"),
                ));
            }
        };
        let options = StepOptions { states: vec![state.to_string()], set, step: Some(h), model };
        let mut steps = derived.next_steps(&options).map_err(|failure| raised(py, &failure))?;
        let Some((_, step)) = steps.pop() else {
            return Err(refused(py, "UsageError", format!("there is no state `{state}`")));
        };
        let step = step.map_err(|failure| raised(py, &failure))?;
        Ok(Self { problem: Arc::new(step.problem.clone()), step: Some(step) })
    }
}

#[pymethods]
#[allow(non_snake_case, reason = "the papers' letters")]
impl Problem {
    /// u = W r + q.
    #[staticmethod]
    fn local(py: Python<'_>, W: Coordinates, q: Vec<f64>, mu: Vec<f64>, name: &str) -> PyResult<Self> {
        let dim = if mu.is_empty() { 2 } else { q.len() / mu.len() };
        let made = sparse("W", &W).and_then(|W| mechan::Problem::local(dim, mu, &W, q));
        let problem = made.map_err(|error| failure(py, name, error))?.named(name);
        Ok(Self { problem: Arc::new(problem), step: None })
    }

    /// M v + f = Hᵀ r, u = H v + w.
    #[staticmethod]
    #[allow(clippy::too_many_arguments, reason = "those of the Python call")]
    fn from_global(
        py: Python<'_>,
        M: Coordinates,
        f: Vec<f64>,
        H: Coordinates,
        w: Vec<f64>,
        mu: Vec<f64>,
        name: &str,
    ) -> PyResult<Self> {
        let dim = if mu.is_empty() { 2 } else { w.len() / mu.len() };
        let made = sparse("M", &M).and_then(|M| {
            let Ht = sparse("H", &H)?.transpose();
            mechan::Problem::global(dim, mu, Global { M, Ht, f, w })
        });
        let problem = made.map_err(|error| failure(py, name, error))?.named(name);
        Ok(Self { problem: Arc::new(problem), step: None })
    }

    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let name = path.display().to_string();
        let problem = py.detach(|| read_file(&path)).map_err(|error| failure(py, &name, error))?;
        Ok(Self { problem: Arc::new(problem), step: None })
    }

    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let name = path.display().to_string();
        py.detach(|| write_file(&self.problem, &path)).map_err(|error| failure(py, &name, error))
    }

    /// As a problem file has it.
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| write(&self.problem))
    }

    /// From the text of a problem file.
    #[staticmethod]
    fn of_text(py: Python<'_>, text: &str) -> PyResult<Self> {
        let problem = py.detach(|| mechan::coulomb::read(text.as_bytes(), Limits::default()));
        Ok(Self::of(problem.map_err(|error| failure(py, "", error))?))
    }

    #[getter]
    fn name(&self) -> &str {
        self.problem.name()
    }

    /// 2 in the plane, 3 in space.
    #[getter]
    fn dim(&self) -> usize {
        self.problem.dim()
    }

    #[getter]
    fn contacts(&self) -> usize {
        self.problem.contacts()
    }

    /// Generalized velocities; 0 of a local problem.
    #[getter]
    fn dof(&self) -> usize {
        self.problem.dof()
    }

    /// Rows, columns and entries of a matrix: `W` of a local problem, `M` and `H` of a global one; none where the problem has not that form.
    fn matrix(&self, name: &str) -> Option<Coordinates> {
        let found = match (name, self.problem.form()) {
            ("W", Form::Local(local)) => local.W.to_sparse(),
            ("M", Form::Global(global)) => global.M.clone(),
            ("H", Form::Global(global)) => global.Ht.transpose(),
            _ => return None,
        };
        let (mut i, mut j, mut x) = (Vec::new(), Vec::new(), Vec::new());
        for (row, column, value) in found.coordinates() {
            i.push(row);
            j.push(column);
            x.push(value);
        }
        Some((found.nrows(), found.ncols(), i, j, x))
    }

    /// `q` of a local problem, `f` and `w` of a global one; none where the problem has not that form.
    fn vector<'py>(&self, py: Python<'py>, name: &str) -> Option<Bound<'py, PyArray1<f64>>> {
        let found = match (name, self.problem.form()) {
            ("q", Form::Local(local)) => &local.q,
            ("f", Form::Global(global)) => &global.f,
            ("w", Form::Global(global)) => &global.w,
            _ => return None,
        };
        Some(PyArray1::from_slice(py, found))
    }

    /// The same problem with other friction and other free velocities (q, or w of a global problem) of some contacts.
    fn changed(&self, py: Python<'_>, mu: Vec<(usize, f64)>, free: Vec<(usize, Vec<f64>)>) -> PyResult<Self> {
        let (dim, contacts) = (self.problem.dim(), self.problem.contacts());
        let places = mu.iter().map(|(i, _)| i).chain(free.iter().map(|(i, _)| i));
        if let Some(i) = places.into_iter().find(|i| **i >= contacts) {
            let text = format!("there is no contact {i}: the problem has {contacts}, from 0 on");
            return Err(refused(py, "UsageError", text));
        }
        if let Some((i, x)) = free.iter().find(|(_, x)| x.len() != dim) {
            let text = format!("q of contact {i} has {} numbers, expected {dim}", x.len());
            return Err(refused(py, "UsageError", text));
        }
        let mut all = self.problem.mu().to_vec();
        mu.iter().for_each(|(i, x)| all[*i] = *x);
        let put = |q: &mut Vec<f64>| {
            free.iter().for_each(|(i, x)| q[i * dim..(i + 1) * dim].copy_from_slice(x));
        };
        let made = match self.problem.form() {
            Form::Local(local) => {
                let mut q = local.q.clone();
                put(&mut q);
                mechan::Problem::local(dim, all, &local.W.to_sparse(), q)
            }
            Form::Global(global) => {
                let mut global = global.clone();
                put(&mut global.w);
                mechan::Problem::global(dim, all, global)
            }
        };
        let name = self.problem.name();
        Ok(Self::of(made.map_err(|error| failure(py, name, error))?.named(name)))
    }

    #[getter]
    fn mu<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.problem.mu())
    }
}

fn budget(options: &Bound<'_, PyDict>) -> PyResult<Budget> {
    let seconds: Option<f64> = option(options, "time")?;
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|error| refused(options.py(), "UsageError", format!("time: {error}")))?;
    Ok(Budget { iterations: option(options, "max_iterations")?, time })
}

pub(crate) fn solver(options: &Bound<'_, PyDict>) -> PyResult<Option<SolverName>> {
    let name: Option<String> = option(options, "solver")?;
    let parsed = name.map(|name| name.parse::<SolverName>()).transpose();
    parsed.map_err(|unknown| raised(options.py(), &Failure::from(Usage::Solver(unknown))))
}

/// Solves a problem.
#[pyfunction]
pub(crate) fn solve(py: Python<'_>, problem: &Problem, options: &Bound<'_, PyDict>) -> PyResult<Report> {
    let asked = SolveOptions {
        tolerance: option(options, "tolerance")?,
        solver: solver(options)?,
        iterations: option(options, "iterations")?,
        budget: budget(options)?,
        proofs: if option_or(options, "existence", true)? { Proofs::Sought } else { Proofs::None },
        extent: if option_or(options, "all", false)? { Extent::All } else { Extent::One },
        branches: option(options, "branches")?,
        timing: if option_or(options, "timing", false)? { Timing::Median } else { Timing::Once },
        threads: option(options, "threads")?,
    };
    let (own, step) = (Arc::clone(&problem.problem), problem.step.clone());
    let compute = move |_: &_| match step {
        Some(step) => solve_step(step, &asked),
        None => solve_problem((*own).clone(), &asked),
    };
    let solved = Arc::new(patiently(py, compute)?.map_err(|failure| raised(py, &failure))?);
    let outcome: SolutionOutcome = solved.outcome();
    Ok(Report::new(move || serde_json::to_string(&outcome), move || solution_document(&solved.view())))
}

/// A solver that keeps from one problem to the next what can be used again.
#[pyclass(frozen, subclass, module = "mechan._mechan")]
pub(crate) struct Session {
    session: Mutex<mechan::Session>,
}

#[pymethods]
impl Session {
    #[new]
    fn new(py: Python<'_>, problem: &Bound<'_, Problem>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let problem = &problem.get().problem;
        let mut request = Request { budget: budget(options)?, ..Request::default() };
        if let Some(tolerance) = option::<f64>(options, "tolerance")? {
            if !(tolerance > 0.0 && tolerance.is_finite()) {
                let text = format!("tolerance is {tolerance}, expected a finite number > 0");
                return Err(refused(py, "UsageError", text));
            }
            request.tolerance = tolerance;
        }
        let made = mechan::Session::new((**problem).clone(), request);
        let session = made.map_err(|error| failure(py, problem.name(), error))?;
        Ok(Self { session: Mutex::new(session) })
    }

    /// Takes another problem.
    fn update(&self, py: Python<'_>, problem: &Bound<'_, Problem>) -> PyResult<()> {
        let problem = &problem.get().problem;
        let update = || self.session.lock().unwrap_or_else(PoisonError::into_inner).update(problem);
        py.detach(update).map_err(|error| failure(py, problem.name(), error))
    }

    /// Solves the problem.
    fn solve<'py>(&self, py: Python<'py>, warm: bool) -> PyResult<Bound<'py, PyDict>> {
        let start = if warm { Start::Warm } else { Start::Cold };
        let solution = py.detach(|| {
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            solve_in(&mut session, start).clone()
        });
        let dict = PyDict::new(py);
        let status = match solution.outcome {
            Outcome::Solved => "solved",
            Outcome::Budget => "budget",
            Outcome::Undecided => "undecided",
            _ => "not_converged",
        };
        dict.set_item("status", status)?;
        dict.set_item("solver", solution.solver)?;
        dict.set_item("iterations", solution.iterations)?;
        dict.set_item("residual", solution.residual.relative)?;
        dict.set_item("backward_error", solution.backward_error.whole)?;
        dict.set_item("u", PyArray1::from_vec(py, solution.u))?;
        dict.set_item("v", PyArray1::from_vec(py, solution.v))?;
        dict.set_item("r", PyArray1::from_vec(py, solution.r))?;
        let statuses: Vec<&str> = solution.statuses.iter().map(|status: &Status| status.word()).collect();
        dict.set_item("contacts", statuses)?;
        Ok(dict)
    }
}
