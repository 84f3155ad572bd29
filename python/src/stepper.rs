//! A motion in the caller's hands: followed from call to call, with forces, parameters and the state set in between.

use crate::analyze::{Report, option};
use crate::fault::{raised, refused};
use crate::model::Model;
use crate::motion::{motion, samples, units};
use mechan::pipeline::{GivenFault, GivenState, illustrate_motion};
use mechan::report::trajectory_document;
use mechan::simulate::log::Until;
use mechan::{Event, Failure, SimulateOptions, Status, Usage};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Steps after which somebody looks whether Ctrl-C was pressed.
const DEAF: usize = 1000;

/// A motion that is followed from call to call.
#[pyclass(subclass, module = "mechan._mechan")]
pub(crate) struct Stepper {
    inner: mechan::pipeline::Stepper,
    options: SimulateOptions,
}

/// What a call of [`Stepper::advance`] led to.
#[pyclass(frozen, module = "mechan._mechan")]
pub(crate) struct Advance {
    /// The time that was reached.
    #[pyo3(get)]
    t: f64,
    status: Status,
    /// Why it ended, where `status` does not say it all.
    #[pyo3(get)]
    reason: Option<String>,
    /// Steps that were taken.
    #[pyo3(get)]
    steps: usize,
    /// Names of the ways on, where it ended because there are several.
    #[pyo3(get)]
    futures: Vec<String>,
    events: Vec<Event>,
}

#[pymethods]
impl Advance {
    /// `end` where the time was reached, `budget` where steps or events were used up before, or why the motion does not go on.
    #[getter]
    fn status(&self) -> &'static str {
        self.status.name()
    }

    /// What happened, in order of time.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.events.is_empty() {
            return Ok(PyTuple::empty(py).into_any());
        }
        let text = serde_json::to_string(&self.events)
            .map_err(|error| refused(py, "NumericsError", error.to_string()))?;
        py.import("mechan.results")?.getattr("_events")?.call1((text,))
    }

    /// Whether the time was reached.
    #[getter]
    fn reached(&self) -> bool {
        self.status == Status::End
    }

    fn __repr__(&self) -> String {
        let reason = self.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let (status, t, events) = (self.status.name(), self.t, self.events.len());
        format!("<Advance: {status}{reason} at t = {t:.6}, {} steps, {events} events>", self.steps)
    }
}

/// An array or a list as numbers.
pub(crate) fn numbers(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if let Ok(array) = value.extract::<PyReadonlyArray1<'_, f64>>() {
        return Ok(array.as_array().to_vec());
    }
    value.extract::<Vec<f64>>().map_err(|_| {
        let shown = value.repr().map(|shown| shown.to_string()).unwrap_or_default();
        refused(value.py(), "UsageError", format!("{what} is {shown}, expected a list of numbers"))
    })
}

/// What is given of a state.
pub(crate) fn given(options: &Bound<'_, PyDict>) -> PyResult<GivenState> {
    let array = |name: &'static str| {
        let found = options.get_item(name)?.filter(|value| !value.is_none());
        found.map(|value| numbers(name, &value)).transpose()
    };
    Ok(GivenState { t: option(options, "t")?, q: array("q")?, v: array("v")? })
}

impl Stepper {
    /// The sum of slices, after each of which the interpreter is asked whether to go on.
    fn slices(&mut self, py: Python<'_>, until: &Until, futures: &[String]) -> PyResult<Advance> {
        let (mut events, mut steps) = (Vec::new(), 0);
        // one event after the other, where they are counted
        let counted = until.events < self.options.limits.events;
        loop {
            let slice = Until {
                t: until.t,
                steps: (until.steps - steps).min(DEAF),
                events: if counted { 1 } else { until.events - events.len() },
            };
            let led = py.detach(|| self.inner.advance_until(&slice, futures));
            let led = led.map_err(|failure| raised(py, &failure))?;
            steps += led.steps;
            events.extend(led.events);
            let sliced = led.status == Status::Budget && steps < until.steps && events.len() < until.events;
            if sliced {
                py.check_signals()?;
                continue;
            }
            let futures = match led.status {
                Status::Indeterminate => self.inner.futures().to_vec(),
                _ => Vec::new(),
            };
            let (status, reason, t) = (led.status, led.reason, self.inner.t());
            return Ok(Advance { t, status, reason, steps, futures, events });
        }
    }

    /// Names and values of parameters as the library has them.
    fn changes(&self, py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<Vec<(usize, f64)>> {
        let mut changes = Vec::with_capacity(values.len());
        for (name, value) in values {
            let name: String = name.extract()?;
            let place = self.inner.parameter(&name).map_err(|failure| raised(py, &failure))?;
            let value: f64 = value.extract().map_err(|_| {
                let shown = value.repr().map(|shown| shown.to_string()).unwrap_or_default();
                refused(py, "UsageError", format!("{name} is {shown}, expected a number"))
            })?;
            changes.push((place, value));
        }
        Ok(changes)
    }

    fn coordinate(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let coordinates = &self.inner.derived().mechanism().coordinates;
        coordinates.iter().position(|coordinate| coordinate.name == name).ok_or_else(|| {
            let names = coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
            let fault = GivenFault::Name { what: "coordinate", name: name.to_string(), names };
            raised(py, &Failure::from(Usage::Given(fault)))
        })
    }
}

#[pymethods]
impl Stepper {
    #[new]
    #[pyo3(signature = (source, options=None))]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if let Ok(other) = source.cast::<Stepper>() {
            let other = other.borrow();
            return Ok(Self { inner: other.inner.clone(), options: other.options.clone() });
        }
        let model = source.cast::<Model>()?;
        let none = PyDict::new(py);
        let asked = options.unwrap_or(&none);
        let options = motion(asked, Some(f64::INFINITY))?;
        let derived = Arc::clone(&model.get().derived);
        let made = py.detach(|| mechan::pipeline::Stepper::new(&derived, &options));
        Ok(Self { inner: made.map_err(|failure| raised(py, &failure))?, options })
    }

    /// Time, s.
    #[getter]
    fn t(&self) -> f64 {
        self.inner.t()
    }

    /// Coordinates, an array of its own.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.q())
    }

    /// Velocities, an array of its own.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.v())
    }

    /// Values of the parameters in their order.
    #[getter]
    fn parameter_values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.parameters())
    }

    /// Generalised forces from outside, in the order of the coordinates; an array of its own.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.forces())
    }

    /// An array in the order of the coordinates, or a dictionary of names, where the others are zero.
    #[setter]
    fn set_forces(&mut self, py: Python<'_>, forces: &Bound<'_, PyAny>) -> PyResult<()> {
        let forces = match forces.cast::<PyDict>() {
            Err(_) => numbers("forces", forces)?,
            Ok(named) => {
                let mut all = vec![0.0; self.inner.forces().len()];
                for (name, value) in named {
                    all[self.coordinate(py, &name.extract::<String>()?)?] = value.extract()?;
                }
                all
            }
        };
        self.inner.set_forces(&forces).map_err(|failure| raised(py, &failure))
    }

    /// Is what another one was.
    fn _become(&mut self, other: &Bound<'_, Stepper>) {
        self.inner = other.borrow().inner.clone();
    }

    #[pyo3(name = "_set")]
    fn set(&mut self, py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<()> {
        let changes = self.changes(py, values)?;
        self.inner.set_parameters(&changes).map_err(|failure| raised(py, &failure))
    }

    #[pyo3(name = "_put")]
    fn put(&mut self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<()> {
        let given = given(options)?;
        self.inner.put(&given).map_err(|failure| raised(py, &failure))
    }

    /// Follows the motion to the time `to`; schemes with steps take one if no time is given. It ends before where `max_steps` or `max_events`
    /// (1: at the next event) say so, or where the motion cannot go on, which is an answer (`status`); `future` names what to follow where
    /// several motions are possible. Whatever happens, the stepper is at the last good state.
    #[pyo3(signature = (to=None, *, future=None, max_steps=None, max_events=None))]
    fn advance(
        &mut self,
        py: Python<'_>,
        to: Option<f64>,
        future: Option<&Bound<'_, PyAny>>,
        max_steps: Option<usize>,
        max_events: Option<usize>,
    ) -> PyResult<Advance> {
        let futures = match future {
            None => Vec::new(),
            Some(names) => names
                .extract::<String>()
                .map(|name| vec![name])
                .or_else(|_| names.extract::<Vec<String>>())?,
        };
        let limits = self.options.limits;
        let events = max_events.unwrap_or(limits.events);
        if events == 0 || max_steps == Some(0) {
            return Err(refused(py, "UsageError", "max_steps and max_events are at least 1"));
        }
        let until = match (to, self.inner.step_length()) {
            (Some(t), _) => Until { t, steps: max_steps.unwrap_or(limits.steps), events },
            (None, Some(step)) => {
                let steps = max_steps.unwrap_or(1);
                Until { t: self.inner.t() + 2.0 * step * steps as f64, steps, events }
            }
            (None, None) => {
                let text = format!(
                    "to is missing: by scheme `{}` there are no steps of one length",
                    self.inner.scheme()
                );
                return Err(refused(py, "UsageError", text));
            }
        };
        let mut led = self.slices(py, &until, &futures)?;
        if to.is_none() && led.status == Status::Budget && led.steps == until.steps {
            (led.status, led.reason) = (Status::End, None);
        }
        Ok(led)
    }

    /// T + V, J.
    #[getter]
    fn energy(&mut self) -> f64 {
        self.inner.energy()
    }

    /// The energy at the start (`initial`) and now (`final`), what changed it: `work` of applied forces, of what moves by prescription and of
    /// what was set (`set`), `friction`, `impacts`; and what is left, `defect`.
    fn books<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let books = self.inner.books();
        let (energy, found) = (books.energy, PyDict::new(py));
        for (name, x) in [
            ("initial", energy.initial),
            ("final", energy.last),
            ("work", energy.work),
            ("friction", energy.friction),
            ("impacts", energy.impacts),
            ("defect", energy.defect),
        ] {
            found.set_item(name, x.0)?;
        }
        found.set_item("set", books.set)?;
        Ok(found)
    }

    /// What is to be known of the motion so far.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings().to_vec()
    }

    /// The scheme.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.inner.scheme()
    }

    /// Length of a step, s; none by schemes that have no steps of one length.
    #[getter]
    fn step(&self) -> Option<f64> {
        self.inner.step_length()
    }

    #[pyo3(name = "_record")]
    fn record(&mut self, py: Python<'_>, times: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let times = times.map(|times| numbers("t_eval", times)).transpose()?;
        self.inner.record(times).map_err(|failure| raised(py, &failure))
    }

    #[pyo3(name = "_trajectory")]
    fn trajectory<'py>(
        &mut self,
        py: Python<'py>,
        status: &str,
        reason: Option<String>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let status = STATUSES.into_iter().find(|known| known.name() == status).unwrap_or(Status::End);
        let found = Arc::new(self.inner.trajectory(status, reason));
        let (columns, rows) = samples(py, &found)?;
        let units = units(py, self.inner.derived(), &columns)?;
        let (derived, asked) = (Arc::clone(self.inner.derived()), self.options.clone());
        let printed = Arc::clone(&found);
        let document = move || {
            let pictures = illustrate_motion((derived.loaded(), derived.model()), &asked, &found);
            trajectory_document(&found).with_pictures(pictures)
        };
        let report = Report::new(move || serde_json::to_string(&*printed), document);
        (report, columns, rows, units).into_pyobject(py)
    }
}

/// How motions end.
const STATUSES: [Status; 9] = [
    Status::End,
    Status::Stopped,
    Status::Jam,
    Status::Inconsistent,
    Status::Indeterminate,
    Status::Undecided,
    Status::Budget,
    Status::Interrupted,
    Status::Failed,
];
