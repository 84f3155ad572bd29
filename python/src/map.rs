//! Maps, whole or some rows of them, and columns of tables.

use crate::analyze::{Report, option, option_or};
use crate::fault::raised;
use crate::patience::{Telling, patiently, patiently_telling};
use mechan::analysis::map::{Cell, MapOutcome};
use mechan::pipeline::{
    MapOptions, MapProgress, MapStage, MapStudy, MapWatch, OutcomeOptions, Scheme, boundary_text,
    certify_map, illustrate_map,
};
use mechan::report::map_document;
use mechan::{Derived, Failure, SimulateOptions, Usage};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A column: numbers, counts, or words by their place in a list.
pub(crate) enum Column {
    Real(Vec<f64>),
    Count(Vec<i64>),
    Words { codes: Vec<i8>, words: Vec<String> },
}

impl Column {
    pub(crate) fn words() -> Self {
        Self::Words { codes: Vec::new(), words: Vec::new() }
    }

    pub(crate) fn real(&mut self, x: f64) {
        if let Self::Real(all) = self {
            all.push(x);
        }
    }

    pub(crate) fn count(&mut self, n: u64) {
        if let Self::Count(all) = self {
            // more than that cannot be counted in a lifetime
            all.push(i64::try_from(n).unwrap_or(i64::MAX));
        }
    }

    /// A word, or nothing.
    pub(crate) fn word(&mut self, word: Option<&str>) {
        let Self::Words { codes, words } = self else { return };
        let Some(word) = word else { return codes.push(-1) };
        let place = words.iter().position(|known| known == word).unwrap_or_else(|| {
            words.push(word.to_string());
            words.len() - 1
        });
        // there are fewer than a hundred words
        codes.push(i8::try_from(place).unwrap_or(-1));
    }

    /// The cells of a map in its rows' order.
    fn of_cells<'c>(has_words: bool, cells: impl Iterator<Item = &'c Cell>) -> Self {
        let mut column = if has_words { Self::words() } else { Self::Real(Vec::new()) };
        cells.for_each(|cell| column.cell(cell));
        column
    }

    fn cell(&mut self, cell: &Cell) {
        match (cell, &self) {
            (Cell::Word(word), _) => self.word(Some(word)),
            (Cell::Undefined | Cell::Lacking(_), Self::Words { .. }) => self.word(None),
            (Cell::Number(x), _) => self.real(x.0),
            (Cell::Undefined | Cell::Lacking(_), _) => self.real(f64::NAN),
        }
    }

    /// An array; of words their places and the list.
    pub(crate) fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Self::Real(all) => PyArray1::from_vec(py, all).into_any(),
            Self::Count(all) => PyArray1::from_vec(py, all).into_any(),
            Self::Words { codes, words } => {
                (PyArray1::from_vec(py, codes), words).into_pyobject(py)?.into_any()
            }
        })
    }
}

/// What is asked of motions, if anything is.
fn outcome(options: &Bound<'_, PyDict>) -> PyResult<Option<OutcomeOptions>> {
    let Some(text) = option(options, "outcome")? else { return Ok(None) };
    let scheme: Option<String> = option(options, "scheme")?;
    let scheme = scheme.map(|word| word.parse::<Scheme>()).transpose();
    let motion = SimulateOptions {
        scheme: scheme
            .map_err(|unknown| raised(options.py(), &Failure::from(Usage::Scheme(unknown))))?
            .unwrap_or_default(),
        step: option(options, "step")?,
        stop: option(options, "stop")?,
        ..SimulateOptions::default()
    };
    Ok(Some(OutcomeOptions { text, t_end: option(options, "t_end")?, motion }))
}

#[allow(clippy::needless_update, reason = "options that only files have are left as they are")]
fn asked(options: &Bound<'_, PyDict>) -> PyResult<MapOptions> {
    Ok(MapOptions {
        state: option(options, "state")?,
        set: option_or(options, "set", Vec::new())?,
        x: option_or(options, "x", String::new())?,
        y: option_or(options, "y", String::new())?,
        quantity: option_or(options, "quantity", String::new())?,
        outcome: outcome(options)?,
        contact: option(options, "contact")?,
        levels: option_or(options, "levels", Vec::new())?,
        threads: option(options, "threads")?,
        ..MapOptions::default()
    })
}

/// The report of a map, the values of its axes, and its cells.
pub(crate) fn map<'py>(
    py: Python<'py>,
    derived: &Arc<Derived>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (question, own) = (asked(options)?, Arc::clone(derived));
    let boxes: Option<usize> = option(options, "certified")?;
    let mut telling = Telling::of(options)?;
    let count = Arc::clone(&telling.count);
    let compute = move |stop: &std::sync::atomic::AtomicBool| -> Result<(MapOutcome, bool), Failure> {
        let study = MapStudy::new(own.loaded(), own.model(), &question)?;
        study.check_kept("an array")?;
        let study = match boxes {
            Some(boxes) => {
                let proven = certify_map(own.loaded(), own.model(), &study, &question, boxes)?;
                study.with_certified(proven)
            }
            None => study,
        };
        let mut row = |_: f64, _: &[Cell]| Ok(());
        let mut progress = |so_far: MapProgress| {
            if so_far.stage == MapStage::Points {
                count[1].store(so_far.of, Ordering::Relaxed);
                count[0].store(so_far.done, Ordering::Relaxed);
            }
        };
        let watch = MapWatch { progress: &mut progress, stop, row: &mut row, keep: true };
        Ok((study.follow(watch)?, study.has_words()))
    };
    let found = patiently_telling(py, compute, || telling.tell())?;
    let (found, has_words) = found.map_err(|failure| raised(py, &failure))?;
    telling.tell()?;
    let cells = Column::of_cells(has_words, found.cells.iter().flatten()).into_python(py)?;
    let axes = [&found.x, &found.y].map(|axis| {
        let values: Vec<f64> = axis.values.iter().map(|x| x.0).collect();
        (axis.name.clone(), PyArray1::from_vec(py, values))
    });
    let found = Arc::new(found);
    let printed = Arc::clone(&found);
    let document = move || map_document(&found).with_pictures(illustrate_map(&found));
    let report = Report::new(move || serde_json::to_string(&*printed), document);
    let [x, y] = axes;
    (report, x, y, cells).into_pyobject(py)
}

/// The axes of a map and whether its values are words.
pub(crate) fn question<'py>(
    py: Python<'py>,
    derived: &Arc<Derived>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let study = MapStudy::new(derived.loaded(), derived.model(), &asked(options)?);
    let study = study.map_err(|failure| raised(py, &failure))?;
    let dict = PyDict::new(py);
    dict.set_item("columns", study.columns().to_vec())?;
    dict.set_item("x", PyArray1::from_vec(py, study.across()))?;
    dict.set_item("y", PyArray1::from_vec(py, study.up()))?;
    dict.set_item("has_words", study.has_words())?;
    dict.set_item("state", study.state())?;
    Ok(dict)
}

/// The cells of some rows of a map, and what its boundaries are joined of.
pub(crate) fn rows<'py>(
    py: Python<'py>,
    derived: &Arc<Derived>,
    options: &Bound<'py, PyDict>,
    rows: Range<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (question, own) = (asked(options)?, Arc::clone(derived));
    let compute = move |stop: &std::sync::atomic::AtomicBool| -> Result<(Column, String), Failure> {
        let study = MapStudy::new(own.loaded(), own.model(), &question)?.only(rows);
        let mut column = if study.has_words() { Column::words() } else { Column::Real(Vec::new()) };
        let mut progress = |_| ();
        let mut row = |_: f64, row: &[Cell]| {
            row.iter().for_each(|cell| column.cell(cell));
            Ok(())
        };
        let watch = MapWatch { progress: &mut progress, stop, row: &mut row, keep: false };
        let found = study.follow(watch)?;
        let text =
            boundary_text(&found).map_err(|error| Failure::Unprintable { what: "the boundaries", error })?;
        Ok((column, text))
    };
    let (column, text) = patiently(py, compute)?.map_err(|failure| raised(py, &failure))?;
    (column.into_python(py)?, text).into_pyobject(py)
}

/// The boundaries of all pieces, as JSON.
pub(crate) fn boundaries(
    py: Python<'_>,
    derived: &Arc<Derived>,
    options: &Bound<'_, PyDict>,
    texts: Vec<String>,
) -> PyResult<String> {
    let (question, own) = (asked(options)?, Arc::clone(derived));
    let join = move |_: &_| -> Result<String, Failure> {
        let study = MapStudy::new(own.loaded(), own.model(), &question)?;
        let found = study.joined(texts.iter().map(String::as_str))?;
        serde_json::to_string(&found).map_err(|error| Failure::Unprintable { what: "the boundaries", error })
    };
    patiently(py, join)?.map_err(|failure| raised(py, &failure))
}
