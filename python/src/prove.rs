//! Claims about all states of a box.

use crate::analyze::{Report, option, option_or};
use crate::fault::raised;
use crate::patience::patiently;
use mechan::Derived;
use mechan::pipeline::{ProveOptions, proof_document, proof_json};
use mechan::prove::Budget;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// The certificate that is gone on from, which comes as text.
fn resumed(options: &Bound<'_, PyDict>) -> PyResult<Option<serde_json::Value>> {
    let text: Option<String> = option(options, "resume")?;
    let read = text.map(|text| serde_json::from_str(&text));
    read.transpose().map_err(|error| PyValueError::new_err(format!("resume: no certificate ({error})")))
}

pub(crate) fn prove(py: Python<'_>, derived: &Arc<Derived>, options: &Bound<'_, PyDict>) -> PyResult<Report> {
    let usual = Budget::default();
    let asked = ProveOptions {
        state: option(options, "state")?,
        set: option_or(options, "set", Vec::new())?,
        claims: option_or(options, "claims", Vec::new())?,
        given: option_or(options, "given", Vec::new())?,
        boxes: option_or(options, "box", Vec::new())?,
        budget: Budget {
            parts: option_or(options, "boxes", usual.parts)?,
            threads: option_or(options, "threads", usual.threads)?,
            ..usual
        },
        resume: resumed(options)?,
    };
    let own = Arc::clone(derived);
    let name = derived.mechanism().name.clone();
    let answers = move |_: &_| own.prove(&asked);
    let found = Arc::new(patiently(py, answers)?.map_err(|failure| raised(py, &failure))?);
    let (printed, told) = (Arc::clone(&found), name.clone());
    let document = move || proof_document(&told, &found);
    Ok(Report::new(move || serde_json::to_string(&proof_json(&name, &printed)), document))
}
