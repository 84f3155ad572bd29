//! `Model.evaluate`: the blocks of the equations of motion at one state or at many, in one piece of memory that NumPy looks into.

use crate::numbers::{Arguments, Given, Lying, tuple};
use crate::plan::{OutputBlock, Outputs, Plan, in_words};
use crate::view::{Lie, view};
use mechan::Derived;
use mechan::model::Layout;
use mechan::tape::Input;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use std::sync::Arc;

/// What is known of the equations of motion at a state, or at each of a batch; made by `Model.evaluate`.
///
/// Outputs are attributes by their names (`mass_matrix`) or symbols (`M`), read-only arrays with the shape of the batch first.
#[pyclass(frozen, module = "mechan")]
pub(crate) struct Evaluation {
    outputs: Arc<Outputs>,
    batch: Vec<usize>,
    /// A row for each state.
    numbers: Vec<f64>,
    solvable: Vec<bool>,
}

/// What is kept of an evaluation: sizes, names of the outputs, shape of the batch, numbers, and which states are solvable.
type Kept<'py> = ([usize; 5], Vec<String>, Vec<usize>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>);

/// States that are evaluated at once: their numbers stay in the cache.
const BLOCK: usize = 256;
/// States after which Ctrl-C is listened for.
const SLAB: usize = BLOCK << 8;

/// At one state given as two contiguous arrays and a number, without detours; none for anything else.
pub(crate) fn at_state(
    plan: &Arc<Plan>,
    parameters: &[f64],
    (t, q, v): (&Bound<'_, PyAny>, &Bound<'_, PyAny>, &Bound<'_, PyAny>),
) -> Option<Evaluation> {
    let t = t.cast_exact::<PyFloat>().ok()?.value();
    let q = q.cast::<PyArray1<f64>>().ok()?;
    let v = v.cast::<PyArray1<f64>>().ok()?;
    // SAFETY: the numbers are read at once, while nobody else runs in the interpreter.
    let (q, v) = unsafe { (q.as_slice().ok()?, v.as_slice().ok()?) };
    let n = plan.outputs.layout.coordinates;
    if q.len() != n || v.len() != n {
        return None;
    }
    let mut values = plan.take();
    plan.kernel.set_parameters(parameters, &mut values);
    let is_solved = plan.kernel.solve_at(t, q, v, &mut values).is_ok();
    let mut numbers = vec![0.0; plan.outputs.width];
    let found = plan.kernel.numbers(&values);
    plan.write(is_solved, |place| found[place], &mut numbers);
    plan.put(values);
    let outputs = Arc::clone(&plan.outputs);
    Some(Evaluation { outputs, batch: Vec::new(), numbers, solvable: vec![is_solved] })
}

/// At whatever NumPy makes a batch of.
pub(crate) fn at_batch(
    py: Python<'_>,
    derived: &Derived,
    plan: &Arc<Plan>,
    arguments: &Arguments<'_>,
) -> PyResult<Evaluation> {
    let (states, width) = (arguments.states, plan.outputs.width);
    let none = |_| PyMemoryError::new_err(format!("no memory for {width} numbers at {states} states"));
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(states.saturating_mul(width)).map_err(none)?;
    let mut solvable = vec![true; states];
    let mut worker = Worker::new(derived, plan, arguments);
    for first in (0..states).step_by(SLAB) {
        let end = states.min(first + SLAB);
        let flags = &mut solvable[first..end];
        // the memory is touched for the first time here, which takes as long as the numbers do
        let filled = py.detach(|| {
            numbers.resize(end * width, 0.0);
            worker.fill(first, &mut numbers[first * width..], flags)
        });
        filled.map_err(|error| PyRuntimeError::new_err(format!("mechan broke down: {error:?}")))?;
        py.check_signals()?;
    }
    Ok(Evaluation { outputs: Arc::clone(&plan.outputs), batch: arguments.batch.clone(), numbers, solvable })
}

/// What the evaluation of a batch works with.
struct Worker<'w> {
    derived: &'w Derived,
    plan: &'w Plan,
    t: Lying,
    q: Lying,
    v: Lying,
    t_varies: bool,
    parameters: &'w [Option<Given>],
    parameters_vary: bool,
    /// t, q, v and parameters of a block of states, column by column.
    columns: Vec<f64>,
}

impl<'w> Worker<'w> {
    fn new(derived: &'w Derived, plan: &'w Plan, arguments: &'w Arguments<'_>) -> Self {
        let parameters = &arguments.parameters[..];
        Self {
            derived,
            plan,
            t: arguments.t.lying(),
            q: arguments.q.lying(),
            v: arguments.v.lying(),
            t_varies: arguments.t_varies,
            parameters,
            parameters_vary: parameters.iter().any(|given| matches!(given, Some(Given::Each(_)))),
            columns: vec![0.0; plan.outputs.layout.inputs() * BLOCK],
        }
    }

    /// The rows of the states from `first` on.
    fn fill(
        &mut self,
        first: usize,
        rows: &mut [f64],
        solvable: &mut [bool],
    ) -> Result<(), mechan::tape::BatchError> {
        let (plan, width) = (self.plan, self.plan.outputs.width);
        let batch = plan.batch(self.t_varies, self.parameters_vary);
        let mut scratch = batch.scratch();
        let mut made: Option<mechan::model::KernelColumns> = None;
        let mut done = 0;
        while done < solvable.len() {
            let count = BLOCK.min(solvable.len() - done);
            self.gather(first + done, count);
            let mut columns = match made.take() {
                Some(columns) if columns.states() == count => columns,
                _ => batch.columns(count),
            };
            batch.evaluate(&self.inputs(count), &mut columns, &mut scratch)?;
            for k in 0..count {
                let row = &mut rows[(done + k) * width..][..width];
                let is_solved = columns.check(k).is_ok();
                solvable[done + k] = is_solved;
                plan.write(is_solved, |place| columns.number(place, k), row);
            }
            made = Some(columns);
            done += count;
        }
        Ok(())
    }

    /// The inputs of some states as columns.
    fn gather(&mut self, first: usize, count: usize) {
        let n = self.plan.outputs.layout.coordinates;
        let (t, q, v) = (self.t, self.q, self.v);
        let mut columns = self.columns.chunks_exact_mut(BLOCK);
        let mut fill = |lying: Lying, column: usize| {
            if let Some(to) = columns.next() {
                for (k, to) in to[..count].iter_mut().enumerate() {
                    // SAFETY: the arrays are kept by the arguments, and have a row for each state, and one or n columns.
                    *to = unsafe { lying.at(first + k, column) };
                }
            }
        };
        fill(t, 0);
        (0..n).for_each(|j| fill(q, j));
        (0..n).for_each(|j| fill(v, j));
        let mut given = vec![None; self.parameters.len()];
        let states = if self.parameters_vary { count } else { 1 };
        for k in 0..states {
            for (given, parameter) in given.iter_mut().zip(self.parameters) {
                *given = parameter.as_ref().map(|parameter| match parameter {
                    Given::One(x) => *x,
                    Given::Each(all) => all[first + k],
                });
            }
            for (j, x) in self.derived.parameters(&given).into_iter().enumerate() {
                self.columns[(1 + 2 * n + j) * BLOCK + k] = x;
            }
        }
    }

    fn inputs(&self, count: usize) -> Vec<Input<'_>> {
        let n = self.plan.outputs.layout.coordinates;
        let varies = |i: usize| match i {
            0 => self.t_varies,
            i if i <= 2 * n => true,
            _ => self.parameters_vary,
        };
        let input = |(i, column): (usize, &'_ [f64])| match varies(i) {
            true => (Some(i), 0.0),
            false => (None, column[0]),
        };
        let kinds: Vec<_> = self.columns.chunks_exact(BLOCK).enumerate().map(input).collect();
        kinds
            .into_iter()
            .map(|(each, one)| match each {
                Some(i) => Input::Each(&self.columns[i * BLOCK..][..count]),
                None => Input::Uniform(one),
            })
            .collect()
    }
}

impl Evaluation {
    fn part(&self, name: &str) -> PyResult<&OutputBlock> {
        self.outputs.places.iter().find(|part| part.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.outputs.places.iter().map(|part| part.name).collect();
            PyAttributeError::new_err(format!("`{name}` was not evaluated: outputs are {}", known.join(", ")))
        })
    }

    /// The batch's own axes before those of a part.
    fn lie(&self, start: usize, shape: &[usize], strides: &[usize]) -> Lie {
        let mut lie = Lie { start, shape: [&self.batch, shape].concat(), strides: Vec::new() };
        let mut step = self.outputs.width;
        for &states in self.batch.iter().rev() {
            lie.strides.insert(0, step);
            step *= states;
        }
        lie.strides.extend(strides);
        lie
    }
}

type Array<'py> = PyResult<Bound<'py, PyArrayDyn<f64>>>;

fn seen<'py>(slf: &Bound<'py, Evaluation>, lie: &Lie) -> Array<'py> {
    // SAFETY: the numbers belong to the evaluation, which is frozen.
    unsafe { view(slf.as_any(), &slf.get().numbers, lie) }
}

fn whole<'py>(slf: &Bound<'py, Evaluation>, name: &str) -> Array<'py> {
    let own = slf.get();
    let part = own.part(name)?;
    let strides: &[usize] = match part.shape.as_slice() {
        [] => &[],
        [_] => &[1],
        [_, columns] => &[*columns, 1],
        _ => return Err(PyRuntimeError::new_err("mechan broke down: a block of more than two axes")),
    };
    seen(slf, &own.lie(part.start, &part.shape, strides))
}

/// Which number of each contact.
#[derive(Clone, Copy)]
enum OfContact {
    A,
    B,
    C,
    FreeSlip,
    FreeGap,
}

/// [CV16 (8), (9)]: the blocks of D and of the free acceleration of each contact by itself; in space A is 2×2, B and a have two entries.
fn of_contacts<'py>(slf: &Bound<'py, Evaluation>, which: OfContact) -> Array<'py> {
    let own = slf.get();
    let (m, d) = (own.outputs.layout.contacts, own.outputs.layout.tangents);
    let name = match which {
        OfContact::A | OfContact::B | OfContact::C => "delassus",
        OfContact::FreeSlip | OfContact::FreeGap => "free_contact_acceleration",
    };
    let start = own.part(name)?.start;
    let rows = m * (1 + d);
    let next = (1 + d) * (rows + 1);
    let (start, shape, strides): (usize, &[usize], &[usize]) = match (which, d) {
        (OfContact::C, _) => (start, &[m], &[next]),
        (OfContact::B, 1) => (start + 1, &[m], &[next]),
        (OfContact::B, _) => (start + 1, &[m, d], &[next, 1]),
        (OfContact::A, 1) => (start + rows + 1, &[m], &[next]),
        (OfContact::A, _) => (start + rows + 1, &[m, d, d], &[next, rows, 1]),
        (OfContact::FreeGap, _) => (start, &[m], &[1 + d]),
        (OfContact::FreeSlip, 1) => (start + 1, &[m], &[1 + d]),
        (OfContact::FreeSlip, _) => (start + 1, &[m, d], &[1 + d, 1]),
    };
    seen(slf, &own.lie(start, shape, strides))
}

#[pymethods]
#[allow(non_snake_case, reason = "the papers' letters")]
#[rustfmt::skip]
impl Evaluation {
    #[getter] fn mass_matrix<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "mass_matrix") }
    #[getter] fn M<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "mass_matrix") }
    #[getter] fn bias_force<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "bias_force") }
    #[getter] fn h<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "bias_force") }
    #[getter] fn gap<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "gap") }
    #[getter] fn normal_jacobian<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "normal_jacobian") }
    #[getter] fn W_N<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "normal_jacobian") }
    #[getter] fn gap_rate<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "gap_rate") }
    #[getter] fn normal_drift<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "normal_drift") }
    #[getter] fn tangent_jacobian<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "tangent_jacobian") }
    #[getter] fn W_T<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "tangent_jacobian") }
    #[getter] fn slip_rate<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "slip_rate") }
    #[getter] fn tangent_drift<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "tangent_drift") }
    #[getter] fn constraint<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "constraint") }
    #[getter] fn constraint_jacobian<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "constraint_jacobian") }
    #[getter] fn J<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "constraint_jacobian") }
    #[getter] fn constraint_rate<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "constraint_rate") }
    #[getter] fn constraint_drift<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "constraint_drift") }
    #[getter] fn kinetic_energy<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "kinetic_energy") }
    #[getter] fn T<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "kinetic_energy") }
    #[getter] fn potential_energy<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "potential_energy") }
    #[getter] fn V<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "potential_energy") }
    #[getter] fn inertial_force<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "inertial_force") }
    #[getter] fn potential_force<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "potential_force") }
    #[getter] fn applied_force<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "applied_force") }
    #[getter] fn gap_velocity<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "gap_velocity") }
    #[getter] fn slip<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "slip") }
    #[getter] fn constraint_velocity<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "constraint_velocity") }
    #[getter] fn contact_jacobian<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "contact_jacobian") }
    #[getter] fn W<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "contact_jacobian") }
    #[getter] fn contact_velocity<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "contact_velocity") }
    #[getter] fn delassus<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "delassus") }
    #[getter] fn D<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "delassus") }
    #[getter] fn free_contact_acceleration<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "free_contact_acceleration") }
    #[getter] fn free_acceleration<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "free_acceleration") }
    #[getter] fn response<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "response") }
    #[getter] fn free_reaction<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "free_reaction") }
    #[getter] fn reaction_response<'py>(slf: &Bound<'py, Self>) -> Array<'py> { whole(slf, "reaction_response") }
    #[getter] fn A<'py>(slf: &Bound<'py, Self>) -> Array<'py> { of_contacts(slf, OfContact::A) }
    #[getter] fn B<'py>(slf: &Bound<'py, Self>) -> Array<'py> { of_contacts(slf, OfContact::B) }
    #[getter] fn C<'py>(slf: &Bound<'py, Self>) -> Array<'py> { of_contacts(slf, OfContact::C) }
    #[getter] fn a<'py>(slf: &Bound<'py, Self>) -> Array<'py> { of_contacts(slf, OfContact::FreeSlip) }
    #[getter] fn b<'py>(slf: &Bound<'py, Self>) -> Array<'py> { of_contacts(slf, OfContact::FreeGap) }

    /// The shape of the batch: `()` for one state.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, &self.batch)
    }

    /// Whether the equations of motion can be solved at each state; where not, outputs that need that are NaN.
    #[getter]
    fn solvable<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyArray1::from_slice(py, &self.solvable).call_method1("reshape", (self.batch.clone(),))
    }

    /// The names of the outputs.
    fn keys(&self) -> Vec<&'static str> {
        self.outputs.places.iter().map(|part| part.name).collect()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> Array<'py> {
        let found = match name {
            "A" => of_contacts(slf, OfContact::A),
            "B" => of_contacts(slf, OfContact::B),
            "C" => of_contacts(slf, OfContact::C),
            "a" => of_contacts(slf, OfContact::FreeSlip),
            "b" => of_contacts(slf, OfContact::FreeGap),
            _ => whole(slf, in_words(name)),
        };
        found.map_err(|error| PyKeyError::new_err(error.value(slf.py()).to_string()))
    }

    fn __len__(&self) -> usize {
        self.outputs.places.len()
    }

    /// What a pickle has: sizes, names, and the numbers.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Kept<'py>)> {
        let again = py.import("mechan._model")?.getattr("_evaluation_again")?;
        let Layout { coordinates, parameters, constraints, contacts, tangents } = self.outputs.layout;
        let sizes = [coordinates, parameters, constraints, contacts, tangents];
        let (numbers, solvable) = (PyArray1::from_slice(py, &self.numbers), PyArray1::from_slice(py, &self.solvable));
        let names = self.keys().into_iter().map(String::from).collect();
        Ok((again, (sizes, names, self.batch.clone(), numbers, solvable)))
    }

    /// From what a pickle has.
    #[staticmethod]
    fn again(kept: Kept<'_>) -> PyResult<Self> {
        let (sizes, names, batch, numbers, solvable) = kept;
        let [coordinates, parameters, constraints, contacts, tangents] = sizes;
        let layout = Layout { coordinates, parameters, constraints, contacts, tangents };
        let outputs = Outputs::new(layout, &names)
            .map_err(|name| PyValueError::new_err(format!("this pickle has `{name}`, which this mechan does not know")))?;
        let (numbers, solvable) = (numbers.to_vec()?, solvable.to_vec()?);
        let states: usize = batch.iter().product();
        if solvable.len() != states || numbers.len() != states.saturating_mul(outputs.width) {
            return Err(PyValueError::new_err("this pickle of an evaluation has not as many numbers as it says"));
        }
        Ok(Self { outputs: Arc::new(outputs), batch, numbers, solvable })
    }

    fn __repr__(&self) -> String {
        let at = if self.batch.is_empty() { "one state".to_string() } else { format!("states of shape {}", tuple(&self.batch)) };
        format!("<Evaluation at {at}: {}>", self.keys().join(", "))
    }
}
