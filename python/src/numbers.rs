//! What callers give as numbers, brought to the shape of an evaluation: any real dtype, any strides, broadcast as NumPy does.

use crate::fault::refused;
use mechan::Derived;
use mechan::model::Layout;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A matrix of numbers, rows of a batch, in memory of NumPy.
pub(crate) struct Rows<'py> {
    array: Bound<'py, PyArrayDyn<f64>>,
}

/// The same without the interpreter: where the numbers lie.
#[derive(Clone, Copy)]
pub(crate) struct Lying {
    data: *const f64,
    strides: [isize; 2],
}

// SAFETY: it is read only while the array that it was made of is kept by the caller. That another thread may write to the array
// meanwhile is, as with NumPy's own functions, for the caller to prevent.
unsafe impl Send for Lying {}
// SAFETY: as above.
unsafe impl Sync for Lying {}

impl Lying {
    /// The number in a row and a column.
    ///
    /// # Safety
    /// Both must lie within the array, which must be alive.
    #[inline]
    pub(crate) unsafe fn at(self, row: usize, column: usize) -> f64 {
        let [down, right] = self.strides;
        // SAFETY: NumPy's strides lead from entry to entry of a living array; entries of records may lie unaligned.
        unsafe { self.data.byte_offset(row as isize * down + column as isize * right).read_unaligned() }
    }
}

impl Rows<'_> {
    pub(crate) fn lying(&self) -> Lying {
        let strides = self.array.strides();
        Lying { data: self.array.data(), strides: [strides[0], strides[1]] }
    }
}

/// A parameter: one value, or one for each state.
pub(crate) enum Given {
    One(f64),
    Each(Vec<f64>),
}

/// The arguments of an evaluation.
pub(crate) struct Arguments<'py> {
    pub(crate) batch: Vec<usize>,
    pub(crate) states: usize,
    /// One column.
    pub(crate) t: Rows<'py>,
    pub(crate) t_varies: bool,
    pub(crate) q: Rows<'py>,
    pub(crate) v: Rows<'py>,
    /// In the order of the mechanism; none where it follows.
    pub(crate) parameters: Vec<Option<Given>>,
}

impl<'py> Arguments<'py> {
    /// Brings what was given to one shape.
    pub(crate) fn new(
        derived: &Derived,
        (t, q, v): (&Bound<'py, PyAny>, &Bound<'py, PyAny>, &Bound<'py, PyAny>),
        parameters: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let py = t.py();
        let layout = derived.model().layout();
        let (t, q, v) = (reals("t", t)?, reals("q", q)?, reals("v", v)?);
        let names = || {
            let coordinates = derived.mechanism().coordinates.iter();
            coordinates.map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        for (what, array) in [("q", &q), ("v", &v)] {
            check_last(what, array, layout, names)?;
        }
        let given = given(derived, parameters)?;
        let mut shapes = vec![t.shape().to_vec(), leading(&q), leading(&v)];
        shapes.extend(given.iter().flatten().map(|array| array.shape().to_vec()));
        let batch = together(py, &shapes)?;
        let states = batch.iter().product();
        let n = layout.coordinates;
        let t_varies = t.len() > 1;
        let parameters =
            given.iter().map(|array| array.as_ref().map(|array| each(array, &batch)).transpose());
        Ok(Self {
            parameters: parameters.collect::<PyResult<_>>()?,
            t: spread(&t, &batch, None)?,
            q: spread(&q, &batch, Some(n))?,
            v: spread(&v, &batch, Some(n))?,
            t_varies,
            batch,
            states,
        })
    }
}

fn leading(array: &Bound<'_, PyArrayDyn<f64>>) -> Vec<usize> {
    let shape = array.shape();
    shape[..shape.len() - 1].to_vec()
}

/// An argument as an array of `float64`; what is one already is not copied.
fn reals<'py>(what: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = value.py();
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>() {
        return Ok(array.clone());
    }
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (value,)).map_err(|error| {
        refused(py, "UsageError", format!("{what} is no array of numbers: {}", error.value(py)))
    })?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "f" | "i" | "u" | "b") {
        let size: usize = array.getattr("size")?.extract()?;
        // an empty list has no dtype of its own
        if size > 0 || kind != "O" {
            let text = format!("{what} has dtype {dtype}, expected real numbers");
            return Err(refused(py, "UsageError", text));
        }
    }
    Ok(array.call_method1("astype", ("float64",))?.cast_into::<PyArrayDyn<f64>>()?)
}

fn check_last(
    what: &str,
    array: &Bound<'_, PyArrayDyn<f64>>,
    layout: &Layout,
    names: impl Fn() -> String,
) -> PyResult<()> {
    let n = layout.coordinates;
    if array.shape().last() == Some(&n) {
        return Ok(());
    }
    let text = format!("{what} has shape {}, expected (.., {n}) for {}", tuple(array.shape()), names());
    Err(refused(array.py(), "UsageError", text))
}

/// A shape as Python prints it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The parameters that are given, in the order of the mechanism.
fn given<'py>(
    derived: &Derived,
    parameters: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Option<Bound<'py, PyArrayDyn<f64>>>>> {
    let known = &derived.mechanism().parameters;
    let mut found: Vec<_> = known.iter().map(|_| None).collect();
    let Some(parameters) = parameters.filter(|parameters| !parameters.is_none()) else { return Ok(found) };
    let py = parameters.py();
    let Ok(dict) = parameters.cast::<PyDict>() else {
        let text = "parameters is no dictionary of names and values";
        return Err(refused(py, "UsageError", text));
    };
    for (name, value) in dict {
        let name: String = name.str()?.extract()?;
        let Some(place) = known.iter().position(|parameter| parameter.name == name) else {
            let all: Vec<&str> = known.iter().map(|p| p.name.as_str()).collect();
            let near = mechan::diag::nearest(&name, all.iter().copied());
            let meant = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            let text =
                format!("there is no parameter `{name}`; {meant}the parameters are {}", all.join(", "));
            return Err(refused(py, "UsageError", text));
        };
        found[place] = Some(reals(&name, &value)?);
    }
    Ok(found)
}

/// The shape that all of them have together.
fn together(py: Python<'_>, shapes: &[Vec<usize>]) -> PyResult<Vec<usize>> {
    let tuples: Vec<Bound<'_, PyTuple>> =
        shapes.iter().map(|s| PyTuple::new(py, s)).collect::<PyResult<_>>()?;
    let found = py.import("numpy")?.call_method1("broadcast_shapes", PyTuple::new(py, tuples)?);
    let found = found.map_err(|_| {
        let words: Vec<String> = shapes.iter().map(|shape| tuple(shape)).collect();
        let text = format!(
            "t, q, v and parameters are for batches of shapes {}, which do not go together",
            words.join(", ")
        );
        refused(py, "UsageError", text)
    })?;
    found.extract()
}

/// An array for all states of a batch, as a matrix with a row for each.
fn spread<'py>(
    array: &Bound<'py, PyArrayDyn<f64>>,
    batch: &[usize],
    columns: Option<usize>,
) -> PyResult<Rows<'py>> {
    let py = array.py();
    let numpy = py.import("numpy")?;
    let mut shape = batch.to_vec();
    shape.extend(columns);
    let mut found = array.as_any().clone();
    if array.shape() != shape.as_slice() {
        found = numpy.call_method1("broadcast_to", (found, PyTuple::new(py, &shape)?))?;
    }
    let states: usize = batch.iter().product();
    let columns = columns.unwrap_or(1);
    if shape.len() != 2 || shape != [states, columns] {
        found = found.call_method1("reshape", (states, columns))?;
    }
    Ok(Rows { array: found.cast_into::<PyArrayDyn<f64>>()? })
}

fn each(array: &Bound<'_, PyArrayDyn<f64>>, batch: &[usize]) -> PyResult<Given> {
    let rows = spread(array, batch, None)?;
    let lying = rows.lying();
    // SAFETY: `rows` is alive, and has one column and so many rows.
    let at = |k: usize| unsafe { lying.at(k, 0) };
    let states: usize = batch.iter().product();
    Ok(match (array.len(), states) {
        (1, 1..) => Given::One(at(0)),
        _ => Given::Each((0..states).map(at).collect()),
    })
}
