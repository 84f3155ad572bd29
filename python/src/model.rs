//! A mechanism with its equations: what everything else is asked of.

use crate::analyze::{Report, analyze};
use crate::evaluate::{Evaluation, at_batch, at_state};
use crate::fault::{raised, refused};
use crate::mechanism::{Mechanism, described};
use crate::numbers::Arguments;
use crate::patience::patiently;
use crate::plan::{Plan, in_words, output_names};
use crate::problem::Problem;
use crate::{map, motion, prove};
use mechan::model::{CodeNames, Language, code};
use mechan::pipeline::code_parameters;
use mechan::{Cache, Derived, Deriver, load_bytes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A mechanism with its equations, as numbers.
#[pyclass(frozen, subclass, module = "mechan._mechan")]
pub(crate) struct Model {
    pub(crate) derived: Arc<Derived>,
    parameters: Vec<f64>,
    usual: OnceLock<Arc<Plan>>,
    plans: Mutex<BTreeMap<Vec<String>, Arc<Plan>>>,
}

impl Model {
    fn of(derived: Derived) -> Self {
        let parameters = derived.parameters(&[]);
        Self { derived: Arc::new(derived), parameters, usual: OnceLock::new(), plans: Mutex::default() }
    }

    fn plan(&self, py: Python<'_>, outputs: Option<Vec<String>>) -> PyResult<Arc<Plan>> {
        let unknown = |name: String| {
            let near = mechan::diag::nearest(&name, output_names());
            let meant = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let known = output_names().join(", ");
            refused(py, "UsageError", format!("there is no output `{name}`; {meant}outputs are {known}"))
        };
        let Some(mut names) = outputs else {
            return match self.usual.get() {
                Some(plan) => Ok(Arc::clone(plan)),
                None => {
                    let plan = Arc::new(Plan::new(&self.derived, &[]).map_err(unknown)?);
                    Ok(Arc::clone(self.usual.get_or_init(|| plan)))
                }
            };
        };
        if names.is_empty() {
            return Err(refused(py, "UsageError", "outputs is empty: name some, or leave it out for all"));
        }
        for name in &mut names {
            let words = in_words(name);
            if words != name {
                *name = words.to_string();
            }
        }
        names.sort();
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans.get(&names) {
            return Ok(Arc::clone(plan));
        }
        let plan = Arc::new(Plan::new(&self.derived, &names).map_err(unknown)?);
        plans.insert(names, Arc::clone(&plan));
        Ok(plan)
    }
}

#[pymethods]
impl Model {
    /// Derives the equations of a mechanism with the program, unless they are known or kept.
    #[new]
    #[pyo3(signature = (mechanism, program=None, cache=true))]
    fn new(
        py: Python<'_>,
        mechanism: &Bound<'_, Mechanism>,
        program: Option<PathBuf>,
        cache: bool,
    ) -> PyResult<Self> {
        let loaded = mechanism.get().loaded.clone();
        let derive = move |_: &_| {
            let deriver = program.map_or_else(Deriver::nobody, Deriver::program);
            let cache = if cache { Cache::for_user() } else { Cache::none() };
            loaded.derive(&deriver.with_cache(cache))
        };
        let derived = patiently(py, derive)?.map_err(|failure| raised(py, &failure))?;
        Ok(Self::of(derived))
    }

    /// What the mechanism says of itself.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        described(py, self.derived.loaded())
    }

    /// The values of the parameters in their order.
    #[getter]
    fn parameter_values(&self) -> Vec<f64> {
        self.parameters.clone()
    }

    /// Mechanism and equations as the text of a model file.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.derived.model_file().write();
        text.map_err(|error| refused(py, "NumericsError", error.to_string()))
    }

    /// From the text of a model file.
    #[staticmethod]
    fn read(py: Python<'_>, name: &str, text: String) -> PyResult<Mechanism> {
        let loaded = load_bytes(name, text.into_bytes()).map_err(|failure| raised(py, &failure))?;
        Ok(Mechanism { loaded })
    }

    /// The outputs of the equations at a state, or at the states of a batch.
    #[pyo3(signature = (t, q, v, *, parameters=None, outputs=None))]
    #[allow(clippy::too_many_arguments, reason = "those of the Python call")]
    fn evaluate(
        &self,
        py: Python<'_>,
        t: &Bound<'_, PyAny>,
        q: &Bound<'_, PyAny>,
        v: &Bound<'_, PyAny>,
        parameters: Option<&Bound<'_, PyAny>>,
        outputs: Option<Vec<String>>,
    ) -> PyResult<Evaluation> {
        let plan = self.plan(py, outputs)?;
        if parameters.is_none()
            && let Some(found) = at_state(&plan, &self.parameters, (t, q, v))
        {
            return Ok(found);
        }
        let arguments = Arguments::new(&self.derived, (t, q, v), parameters)?;
        at_batch(py, &self.derived, &plan, &arguments)
    }

    /// The numbers of a named state: t, q, v and parameters.
    #[pyo3(name = "_state")]
    fn state<'py>(&self, py: Python<'py>, name: &str, set: Vec<String>) -> PyResult<Bound<'py, PyTuple>> {
        let state = self.derived.state(name, &set).map_err(|failure| raised(py, &failure))?;
        let [q, v, p] = [state.q, state.v, state.parameters].map(|list| numpy::PyArray1::from_vec(py, list));
        (state.t, q, v, p).into_pyobject(py)
    }

    #[pyo3(name = "_analyze")]
    fn analyze(&self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Report> {
        analyze(py, &self.derived, options)
    }

    #[pyo3(name = "_simulate")]
    fn simulate<'py>(&self, py: Python<'py>, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
        motion::simulate(py, &self.derived, options)
    }

    #[pyo3(name = "_cycle")]
    fn cycle<'py>(&self, py: Python<'py>, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
        motion::cycle(py, &self.derived, options)
    }

    #[pyo3(name = "_futures")]
    fn futures(&self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Report> {
        motion::futures(py, &self.derived, options)
    }

    #[pyo3(name = "_ensemble")]
    fn ensemble<'py>(&self, py: Python<'py>, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
        motion::ensemble(py, &self.derived, options)
    }

    /// Number of runs of an ensemble, its columns with their kinds, and its question as JSON.
    #[pyo3(name = "_ensemble_question")]
    fn ensemble_question(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<(u64, Vec<(String, &'static str)>)> {
        motion::ensemble_question(py, &self.derived, options)
    }

    #[pyo3(name = "_converge")]
    fn converge(&self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Report> {
        motion::converge(py, &self.derived, options)
    }

    #[pyo3(name = "_prove")]
    fn prove(&self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Report> {
        prove::prove(py, &self.derived, options)
    }

    #[pyo3(name = "_map")]
    fn map<'py>(&self, py: Python<'py>, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyTuple>> {
        map::map(py, &self.derived, options)
    }

    /// The axes of a map, whether its values are words, and its question checked.
    #[pyo3(name = "_map_question")]
    fn map_question<'py>(
        &self,
        py: Python<'py>,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        map::question(py, &self.derived, options)
    }

    /// The cells of some rows of a map, and what its boundaries are joined of.
    #[pyo3(name = "_map_rows")]
    fn map_rows<'py>(
        &self,
        py: Python<'py>,
        options: &Bound<'py, PyDict>,
        start: usize,
        stop: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        map::rows(py, &self.derived, options, start..stop)
    }

    /// The boundaries of a map from those of all its rows.
    #[pyo3(name = "_map_boundaries")]
    fn map_boundaries(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        texts: Vec<String>,
    ) -> PyResult<String> {
        map::boundaries(py, &self.derived, options, texts)
    }

    /// The problem of the next time step at a state.
    #[pyo3(name = "_next_step")]
    fn next_step(
        &self,
        py: Python<'_>,
        state: &str,
        h: f64,
        set: Vec<String>,
        model: &str,
    ) -> PyResult<Problem> {
        Problem::of_step(py, &self.derived, (state, h, set), model)
    }

    /// The equations as code in a language.
    #[pyo3(name = "_code")]
    fn code(&self, py: Python<'_>, language: &str) -> PyResult<String> {
        let language = match language {
            "python" => Language::Python,
            "sympy" => Language::SymPy,
            "casadi" => Language::Casadi,
            "c" => Language::C,
            "rust" => Language::Rust,
            "matlab" => Language::Matlab,
            "julia" => Language::Julia,
            other => {
                let known = "python, sympy, casadi, c, rust, matlab and julia";
                return Err(refused(
                    py,
                    "UsageError",
                    format!("there is no language `{other}`; there are {known}"),
                ));
            }
        };
        let mechanism = self.derived.mechanism();
        let names = CodeNames {
            mechanism: mechanism.name.clone(),
            coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
            parameters: code_parameters(self.derived.loaded()).map_err(|failure| raised(py, &failure))?,
            constraints: mechanism.constraints.iter().map(|c| c.name.clone()).collect(),
            contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
        };
        Ok(code(self.derived.model(), &names, language))
    }
}
