//! Answers as the program prints them: JSON, and the part of a page that notebooks show.

use crate::fault::{raised, refused};
use crate::patience::patiently;
use mechan::pipeline::illustrate;
use mechan::report::{Document, illustrated_document, render_html_part, render_text};
use mechan::{AnalyzeOptions, Derived};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

type Made<T> = Box<dyn Fn() -> T + Send + Sync>;

/// An answer: its JSON is that of the command line, and what is shown of it is made when it is asked for.
#[pyclass(frozen, module = "mechan._mechan")]
pub(crate) struct Report {
    json: Made<serde_json::Result<String>>,
    document: Made<Document>,
}

impl Report {
    pub(crate) fn new(
        json: impl Fn() -> serde_json::Result<String> + Send + Sync + 'static,
        document: impl Fn() -> Document + Send + Sync + 'static,
    ) -> Self {
        Self { json: Box::new(json), document: Box::new(document) }
    }
}

#[pymethods]
impl Report {
    /// As the command line prints it.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| (self.json)()).map_err(|error| refused(py, "NumericsError", error.to_string()))
    }

    /// As a part of a page.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| render_html_part(&(self.document)()))
    }

    /// As text.
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| render_text(&(self.document)()))
    }
}

/// An option that was given; what is absent or `None` was not.
pub(crate) fn option<'py, T>(options: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
    for<'a> <T as FromPyObject<'a, 'py>>::Error: Into<PyErr>,
{
    match options.get_item(name)?.filter(|value| !value.is_none()) {
        None => Ok(None),
        Some(value) => {
            let (py, shown) = (options.py(), value.repr()?.to_string());
            value.extract::<T>().map(Some).map_err(|error| {
                let error: PyErr = error.into();
                refused(py, "UsageError", format!("{name}={shown}: {}", error.value(py)))
            })
        }
    }
}

/// The same, or a value.
pub(crate) fn option_or<'py, T>(options: &Bound<'py, PyDict>, name: &str, usual: T) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
    for<'a> <T as FromPyObject<'a, 'py>>::Error: Into<PyErr>,
{
    Ok(option(options, name)?.unwrap_or(usual))
}

pub(crate) fn analyze(
    py: Python<'_>,
    derived: &Arc<Derived>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Report> {
    let usual = AnalyzeOptions::default();
    let mut tolerances = usual.tolerances;
    tolerances.search_boxes = option_or(options, "boxes", tolerances.search_boxes)?;
    let asked = AnalyzeOptions {
        states: option_or(options, "states", Vec::new())?,
        set: option_or(options, "set", Vec::new())?,
        jam: option_or(options, "jam", false)?,
        step: option(options, "step")?,
        without_next_step: !option_or(options, "next_step", true)?,
        without_no_slip: !option_or(options, "no_slip", true)?,
        without_domain: false,
        look_ahead: option(options, "look_ahead")?,
        tolerances,
    };
    let set = asked.set.clone();
    let own = Arc::clone(derived);
    let analysis = patiently(py, move |_| own.analyze(&asked))?.map_err(|failure| raised(py, &failure))?;
    let (analysis, own) = (Arc::new(analysis), Arc::clone(derived));
    let printed = Arc::clone(&analysis);
    let document = move || {
        let shown = illustrate((own.loaded(), own.model()), (&analysis, &set), None);
        illustrated_document(&analysis, &shown)
    };
    Ok(Report::new(move || serde_json::to_string(&*printed), document))
}
