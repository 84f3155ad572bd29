//! Failures of the library as exceptions of the package, with their text, their code and the places of their diagnostics.

use mechan::diag::{Color, Diagnostic, Severity, Source, render_all};
use mechan::{Failure, FileFault};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The exception of a failure.
pub(crate) fn raised(py: Python<'_>, failure: &Failure) -> PyErr {
    exception(py, failure).unwrap_or_else(|error| error)
}

/// The class in `mechan.errors` that a failure belongs to.
fn class(failure: &Failure) -> &'static str {
    match failure {
        Failure::Unreadable { .. } | Failure::Unshipped { .. } => "UnreadableError",
        Failure::Unwritable { .. } | Failure::Data(_) | Failure::Picture(_) => "UnwritableError",
        Failure::File {
            fault: FileFault::ModelFile(_) | FileFault::Text(_) | FileFault::ForeignModel,
            ..
        } => "ModelFileError",
        Failure::Usage(_) => "UsageError",
        Failure::Derivation(_) => "DerivationError",
        _ if failure.exit_status() == 3 => "NumericsError",
        _ => "InputError",
    }
}

fn exception(py: Python<'_>, failure: &Failure) -> PyResult<PyErr> {
    let places = PyList::empty(py);
    let mut text = failure.to_string();
    if let Failure::Input { source, diagnostics } = failure {
        text = render_all(diagnostics, source, Color::Plain).trim_end().to_string();
        for diagnostic in diagnostics {
            places.append(place(py, diagnostic, source)?)?;
        }
    }
    let made = py.import("mechan.errors")?.getattr("_made")?;
    let error = made.call1((class(failure), text, failure.code(), places))?;
    Ok(PyErr::from_value(error))
}

/// A diagnostic as the words of a dictionary.
pub(crate) fn place<'py>(
    py: Python<'py>,
    diagnostic: &Diagnostic,
    source: &Source,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    dict.set_item("severity", severity)?;
    dict.set_item("code", diagnostic.code)?;
    dict.set_item("message", &diagnostic.message)?;
    dict.set_item("hint", diagnostic.hint.as_deref())?;
    dict.set_item("file", &source.name)?;
    dict.set_item("path", &diagnostic.path)?;
    let (line, column) = diagnostic.span.map(|span| source.line_column(span.start)).unzip();
    dict.set_item("line", line)?;
    dict.set_item("column", column)?;
    Ok(dict)
}

/// An error of the package's own in words.
pub(crate) fn refused(py: Python<'_>, class: &str, text: impl Into<String>) -> PyErr {
    let made = || {
        let text: String = text.into();
        py.import("mechan.errors")?.getattr("_made")?.call1((class, text, "usage", PyList::empty(py)))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}
