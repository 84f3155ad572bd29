//! Motions: one, all that may follow, many, and how schemes converge.

use crate::analyze::{Report, option, option_or};
use crate::fault::{raised, refused};
use crate::map::Column;
use crate::patience::{Telling, patiently_telling};
use crate::stepper::{given, numbers as array};
use mechan::pipeline::{
    ConvergeOptions, CycleOptions, DEFAULT_DEPTH, EnsembleOptions, EnsembleStudy, MotionTables, Scheme,
    column_units, illustrate_convergence, illustrate_futures, illustrate_motion, write_tables,
};
use mechan::report::{convergence_document, cycle_document, futures_document, trajectory_document};
use mechan::simulate::ensemble::{ColumnKind, EnsembleCell, EnsembleColumn};
use mechan::simulate::event::{Hyperstatic, Limits};
use mechan::simulate::progress::{counted, watched};
use mechan::{Derived, Failure, SimulateOptions, Status, Trajectory, Usage};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The names of the schemes, each with what it is.
pub(crate) fn scheme_names() -> Vec<(&'static str, String)> {
    Scheme::all().map(|scheme| (scheme.word(), scheme.summary())).collect()
}

/// The times of samples, where they are given one by one.
fn times(options: &Bound<'_, PyDict>) -> PyResult<Option<Vec<f64>>> {
    let given = options.get_item("t_eval")?.filter(|value| !value.is_none());
    given.map(|value| array("t_eval", &value)).transpose()
}

/// Numbers, or one of them.
fn numbers(options: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<f64>> {
    match options.get_item(name)?.filter(|value| !value.is_none()) {
        None => Ok(Vec::new()),
        Some(value) => {
            value.extract::<f64>().map(|x| vec![x]).or_else(|_| option_or(options, name, Vec::new()))
        }
    }
}

/// What is asked of a motion; it ends at `t_end`, or where that is not given at `end`.
pub(crate) fn motion(options: &Bound<'_, PyDict>, end: Option<f64>) -> PyResult<SimulateOptions> {
    let py = options.py();
    let scheme: Option<String> = option(options, "scheme")?;
    let scheme = scheme.map(|word| word.parse::<Scheme>()).transpose();
    let scheme = scheme.map_err(|unknown| raised(py, &Failure::from(Usage::Scheme(unknown))))?;
    let rule = option_or(options, "hyperstatic", "go".to_string())?;
    let hyperstatic = Hyperstatic::of(&rule)
        .ok_or_else(|| refused(py, "UsageError", format!("hyperstatic is `{rule}`: it is `go` or `stop`")))?;
    let usual = Limits::default();
    Ok(SimulateOptions {
        state: option(options, "state")?,
        set: option_or(options, "set", Vec::new())?,
        scheme: scheme.unwrap_or_default(),
        eps: numbers(options, "eps")?,
        t_end: option(options, "t_end")?.or(end).ok_or_else(|| {
            refused(py, "UsageError", "t_end is missing: the time at which the motion ends, in seconds")
        })?,
        rtol: option(options, "rtol")?,
        atol: option(options, "atol")?,
        step: option(options, "step")?,
        theta: option(options, "theta")?,
        gamma: option(options, "gamma")?,
        samples: option(options, "samples")?,
        times: times(options)?,
        given: given(options)?,
        futures: option_or(options, "future", Vec::new())?,
        hyperstatic,
        stop: option(options, "stop")?,
        limits: Limits {
            events: option_or(options, "max_events", usual.events)?,
            steps: option_or(options, "max_steps", usual.steps)?,
        },
    })
}

/// The report of a motion, the names of its columns, and its samples as a matrix.
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    derived: &Arc<Derived>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let asked = motion(options, None)?;
    let (own, question) = (Arc::clone(derived), asked.clone());
    let (watch, end) = (Arc::new(AtomicU64::new(f64::NEG_INFINITY.to_bits())), asked.t_end);
    let progress = options.get_item("progress")?.filter(|given| !given.is_none());
    let mut told = f64::NEG_INFINITY;
    let mut tell = |t: f64| match &progress {
        Some(progress) if t > told => {
            told = t;
            progress.call1((t, end)).map(drop)
        }
        _ => Ok(()),
    };
    let read = Arc::clone(&watch);
    let tables = MotionTables { bodies: option(options, "bodies")?, contacts: option(options, "contacts")? };
    let found = patiently_telling(
        py,
        move |_| {
            tables.check(own.mechanism(), None)?;
            let found = watched(&watch, || own.simulate(&question))?;
            if !tables.is_empty() {
                write_tables(own.loaded(), own.model(), &question, (&found, &tables))?;
            }
            Ok::<_, Failure>(found)
        },
        || tell(f64::from_bits(read.load(Ordering::Relaxed))),
    )?;
    let found = found.map_err(|failure| raised(py, &failure))?;
    if found.status == Status::End {
        tell(end)?;
    }
    let (columns, rows) = samples(py, &found)?;
    let units = units(py, derived, &columns)?;
    let (found, own) = (Arc::new(found), Arc::clone(derived));
    let printed = Arc::clone(&found);
    let document = move || {
        let pictures = illustrate_motion((own.loaded(), own.model()), &asked, &found);
        trajectory_document(&found).with_pictures(pictures)
    };
    let report = Report::new(move || serde_json::to_string(&*printed), document);
    (report, columns, rows, units).into_pyobject(py)
}

/// What follows many motions, with whoever is told how many of them are done.
fn counting<T: Send + 'static>(
    py: Python<'_>,
    options: &Bound<'_, PyDict>,
    follow: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let mut telling = Telling::of(options)?;
    let count = Arc::clone(&telling.count);
    let found = patiently_telling(py, move |_| counted(&count, follow), || telling.tell())?;
    telling.tell()?;
    Ok(found)
}

/// The report of a periodic motion, the names of its columns, and the samples of one period as a matrix.
pub(crate) fn cycle<'py>(
    py: Python<'py>,
    derived: &Arc<Derived>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let asked = CycleOptions {
        motion: SimulateOptions { scheme: Scheme::default(), ..motion(options, None)? },
        section: option_or(options, "section", String::new())?,
        symmetry: option(options, "symmetry")?,
    };
    let own = Arc::clone(derived);
    let search = move || mechan::pipeline::cycle(own.loaded(), own.model(), &asked);
    let found = counting(py, options, search)?.map_err(|failure| raised(py, &failure))?;
    let (columns, rows) = samples(py, &found.trajectory)?;
    let units = units(py, derived, &columns)?;
    let found = Arc::new(found);
    let printed = Arc::clone(&found);
    let report = Report::new(move || serde_json::to_string(&*printed), move || cycle_document(&found));
    (report, columns, rows, units).into_pyobject(py)
}

/// The units of the columns that have one.
pub(crate) fn units<'py>(
    py: Python<'py>,
    derived: &Derived,
    columns: &[String],
) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for (column, unit) in columns.iter().zip(column_units(derived.mechanism(), columns)) {
        if let Some(unit) = unit {
            found.set_item(column, unit)?;
        }
    }
    Ok(found)
}

/// The names of the columns of a motion, and its samples as a matrix.
pub(crate) fn samples<'py>(
    py: Python<'py>,
    found: &Trajectory,
) -> PyResult<(Vec<String>, Bound<'py, PyArray2<f64>>)> {
    let (columns, count) = (found.columns.to_vec(), found.rows.len());
    let cells: Vec<f64> = found.rows.iter().flat_map(|row| row.iter().map(|x| x.0)).collect();
    let rows = PyArray1::from_vec(py, cells).reshape([count, columns.len()])?;
    Ok((columns, rows))
}

pub(crate) fn futures(
    py: Python<'_>,
    derived: &Arc<Derived>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Report> {
    let asked = motion(options, None)?;
    let depth = option_or(options, "depth", DEFAULT_DEPTH)?;
    let (own, question) = (Arc::clone(derived), asked.clone());
    let follow = move || mechan::pipeline::futures(own.loaded(), own.model(), &question, depth);
    let found = Arc::new(counting(py, options, follow)?.map_err(|failure| raised(py, &failure))?);
    let (printed, own) = (Arc::clone(&found), Arc::clone(derived));
    let document = move || {
        let pictures = illustrate_futures((own.loaded(), own.model()), &asked, &found);
        futures_document(&found).with_pictures(pictures)
    };
    Ok(Report::new(move || serde_json::to_string(&*printed), document))
}

fn ensemble_options(options: &Bound<'_, PyDict>) -> PyResult<EnsembleOptions> {
    Ok(EnsembleOptions {
        motion: motion(options, None)?,
        runs: option(options, "runs")?,
        seed: option_or(options, "seed", 0)?,
        random: option_or(options, "random", Vec::new())?,
        grid: option_or(options, "grid", Vec::new())?,
        chunk: None,
        threads: option(options, "threads")?,
    })
}

/// Columns by names of their own: a coordinate or velocity that varies stands among them twice, and is `NAME.start` where it was drawn.
fn columns_of(study: &EnsembleStudy<'_>) -> Vec<EnsembleColumn> {
    let mut columns = study.columns();
    for k in 0..columns.len() {
        if columns[k + 1..].iter().any(|later| later.name == columns[k].name) {
            columns[k].name += ".start";
        }
    }
    columns
}

/// Number of runs, and columns with their kinds.
pub(crate) fn ensemble_question(
    py: Python<'_>,
    derived: &Arc<Derived>,
    options: &Bound<'_, PyDict>,
) -> PyResult<(u64, Vec<(String, &'static str)>)> {
    let asked = ensemble_options(options)?;
    let study = EnsembleStudy::new(derived.loaded(), derived.model(), &asked);
    let study = study.map_err(|failure| raised(py, &failure))?;
    let kind = |kind| match kind {
        ColumnKind::Count => "count",
        ColumnKind::Real => "real",
        ColumnKind::Word => "word",
    };
    let columns = columns_of(&study).into_iter().map(|column| (column.name, kind(column.kind))).collect();
    Ok((study.range().end, columns))
}

/// The columns of some or all runs of an ensemble, and the state's name.
pub(crate) fn ensemble<'py>(
    py: Python<'py>,
    derived: &Arc<Derived>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let asked = ensemble_options(options)?;
    let between: Option<(u64, u64)> = option(options, "between")?;
    let own = Arc::clone(derived);
    let mut telling = Telling::of(options)?;
    let count = Arc::clone(&telling.count);
    let follow = move |stop: &std::sync::atomic::AtomicBool| {
        let study = EnsembleStudy::new(own.loaded(), own.model(), &asked)?;
        let mut columns: Vec<(String, Column)> = columns_of(&study)
            .into_iter()
            .map(|column| {
                let made = match column.kind {
                    ColumnKind::Count => Column::Count(Vec::new()),
                    ColumnKind::Real => Column::Real(Vec::new()),
                    ColumnKind::Word => Column::words(),
                };
                (column.name, made)
            })
            .collect();
        let whole = study.range();
        count[1].store(whole.end - whole.start, Ordering::Relaxed);
        let range = between.map_or(whole.clone(), |(from, to)| from.max(whole.start)..to.min(whole.end));
        study.follow(range, |row| {
            if stop.load(Ordering::Relaxed) {
                // nobody looks at what comes of this
                return Err(Failure::Usage(Usage::Name(String::new())));
            }
            count[0].fetch_add(1, Ordering::Relaxed);
            for (cell, (_, column)) in row.cells().iter().zip(&mut columns) {
                match cell {
                    EnsembleCell::Count(n) => column.count(*n),
                    EnsembleCell::Real(x) => column.real(x.0),
                    EnsembleCell::Word(word) => column.word(Some(word)),
                }
            }
            Ok(())
        })?;
        Ok((columns, study.state().to_string()))
    };
    let found = patiently_telling(py, follow, || telling.tell())?;
    let (columns, state) = found.map_err(|failure: Failure| raised(py, &failure))?;
    telling.tell()?;
    let dict = PyDict::new(py);
    for (name, column) in columns {
        dict.set_item(name, column.into_python(py)?)?;
    }
    (dict, state).into_pyobject(py)
}

pub(crate) fn converge(
    py: Python<'_>,
    derived: &Arc<Derived>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Report> {
    let asked = ConvergeOptions {
        state: option(options, "state")?,
        set: option_or(options, "set", Vec::new())?,
        t_end: option(options, "t_end")?,
        schemes: option_or(options, "schemes", Vec::new())?,
        steps: numbers(options, "steps")?,
        theta: option(options, "theta")?,
        gamma: option(options, "gamma")?,
    };
    let own = Arc::clone(derived);
    let study = move || mechan::pipeline::converge(own.loaded(), own.model(), &asked);
    let found = Arc::new(counting(py, options, study)?.map_err(|failure| raised(py, &failure))?);
    let printed = Arc::clone(&found);
    let document = move || convergence_document(&found).with_pictures(illustrate_convergence(&found));
    Ok(Report::new(move || serde_json::to_string(&*printed), document))
}
