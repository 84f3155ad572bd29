//! Mechanisms before their equations: files, texts, and the library that travels along.

use crate::fault::{place, raised};
use mechan::pipeline::{LIBRARY, state_names};
use mechan::{Loaded, load as load_named, load_bytes};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A mechanism that was read and found valid.
#[pyclass(frozen, subclass, module = "mechan._mechan")]
pub(crate) struct Mechanism {
    pub(crate) loaded: Loaded,
}

/// Reads a mechanism or a model file, or finds one of the library.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, name: &str) -> PyResult<Mechanism> {
    let loaded = py.detach(|| load_named(name)).map_err(|failure| raised(py, &failure))?;
    Ok(Mechanism { loaded })
}

/// Reads the text of a mechanism or of a model file.
#[pyfunction]
pub(crate) fn load_text(py: Python<'_>, name: &str, text: String) -> PyResult<Mechanism> {
    let loaded = py.detach(|| load_bytes(name, text.into_bytes())).map_err(|failure| raised(py, &failure))?;
    Ok(Mechanism { loaded })
}

/// Names, topics and titles of the mechanisms of the library.
#[pyfunction]
pub(crate) fn library(py: Python<'_>) -> PyResult<Vec<(String, String, String)>> {
    let library = mechan::pipeline::library().map_err(|failure| raised(py, &failure))?;
    let line = |line: mechan::report::LibraryLine| (line.name, line.topic.to_string(), line.title);
    debug_assert!(library.mechanisms.len() == LIBRARY.len());
    Ok(library.mechanisms.into_iter().map(line).collect())
}

/// What a mechanism says of itself, as the words of a dictionary.
pub(crate) fn described<'py>(py: Python<'py>, loaded: &Loaded) -> PyResult<Bound<'py, PyDict>> {
    let (dict, mechanism) = (PyDict::new(py), &loaded.mechanism);
    dict.set_item("name", &mechanism.name)?;
    dict.set_item("title", mechanism.title.as_deref())?;
    dict.set_item("description", mechanism.description.as_deref())?;
    dict.set_item("references", &mechanism.references)?;
    dict.set_item("space", mechanism.space.word())?;
    dict.set_item("file", &loaded.source.name)?;
    dict.set_item("text", &loaded.source.text)?;
    let names = |names: Vec<&str>| PyList::new(py, names).map(|list| list.to_tuple());
    dict.set_item("coordinates", names(mechanism.coordinates.iter().map(|c| c.name.as_str()).collect())?)?;
    dict.set_item("contacts", names(mechanism.contacts.iter().map(|c| c.name.as_str()).collect())?)?;
    dict.set_item("constraints", names(mechanism.constraints.iter().map(|c| c.name.as_str()).collect())?)?;
    dict.set_item("parameters", names(mechanism.parameters.iter().map(|p| p.name.as_str()).collect())?)?;
    dict.set_item("states", names(state_names(loaded))?)?;
    let warnings = PyList::empty(py);
    for warning in &loaded.warnings {
        warnings.append(place(py, warning, &loaded.source)?)?;
    }
    dict.set_item("warnings", warnings)?;
    Ok(dict)
}

#[pymethods]
impl Mechanism {
    /// What it says of itself.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        described(py, &self.loaded)
    }

    /// Whether its equations are known already: it is of the library, or was read from a model file.
    #[getter]
    fn is_derived(&self) -> bool {
        self.loaded.model.is_some()
    }
}
