//! NumPy arrays that look into the memory of an object of this module.

use numpy::npyffi::{PY_ARRAY_API, npy_intp};
use numpy::{Element, PyArrayDescrMethods, PyArrayDyn};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// Where an array lies in the memory of its owner: the place of its first number, its shape, and how many numbers lie from one entry to
/// the next along each axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lie {
    pub(crate) start: usize,
    pub(crate) shape: Vec<usize>,
    pub(crate) strides: Vec<usize>,
}

impl Lie {
    /// The place after the last number; 0 of an array without any.
    fn end(&self) -> usize {
        if self.shape.contains(&0) {
            return 0;
        }
        let last: usize = self.shape.iter().zip(&self.strides).map(|(&n, &stride)| (n - 1) * stride).sum();
        self.start + last + 1
    }
}

/// A read-only array that lies in `memory`, which belongs to `owner` and neither moves nor changes while that lives.
///
/// # Safety
/// `memory` must be owned by `owner`, must not be changed, and must not be moved or freed before it.
pub(crate) unsafe fn view<'py>(
    owner: &Bound<'py, PyAny>,
    memory: &[f64],
    lie: &Lie,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = owner.py();
    let none = || PyMemoryError::new_err("an array lies outside the memory of its owner");
    let start = lie.start.min(lie.end());
    let inside = memory.get(start..lie.end()).ok_or_else(none)?;
    let mut shape: Vec<npy_intp> = lie.shape.iter().map(|&n| n as npy_intp).collect();
    let mut strides: Vec<npy_intp> =
        lie.strides.iter().map(|&n| (n * size_of::<f64>()) as npy_intp).collect();
    // SAFETY: shape and strides stay within `inside`, as was checked; the array is not writeable (no flags), and keeps its owner, whose
    // reference is handed over to `PyArray_SetBaseObject`.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            PY_ARRAY_API.get_type_object(py, numpy::npyffi::NpyTypes::PyArray_Type),
            f64::get_dtype(py).into_dtype_ptr(),
            shape.len() as i32,
            shape.as_mut_ptr(),
            strides.as_mut_ptr(),
            inside.as_ptr().cast_mut().cast(),
            0,
            std::ptr::null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        let base = owner.clone().into_ptr();
        if PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), base) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(array.cast_into_unchecked())
    }
}
