//! Tables as streams of the Arrow C data interface, which pandas, Polars, DuckDB and pyarrow read: three kinds of columns need no library of
//! their own, and the numbers stay where NumPy has them. <https://arrow.apache.org/docs/format/CStreamInterface.html>

use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// `ArrowSchema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `ArrowArrayStream`.
#[repr(C)]
struct Stream {
    get_schema: unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int,
    get_next: unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int,
    get_last_error: unsafe extern "C" fn(*mut Stream) -> *const c_char,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: what a stream owns may be used and dropped on any thread; references to Python objects are given back when the interpreter runs.
unsafe impl Send for Stream {}

const NULLABLE: i64 = 2;

/// What a schema owns.
struct SchemaOwned {
    _format: CString,
    _name: CString,
    children: Vec<*mut Schema>,
    dictionary: *mut Schema,
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: called once by the consumer with a schema made below; what it owns was boxed there.
    unsafe {
        let owned = Box::from_raw((*schema).private_data.cast::<SchemaOwned>());
        for &child in owned.children.iter().chain((!owned.dictionary.is_null()).then_some(&owned.dictionary))
        {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

fn schema(
    format: &str,
    name: &str,
    children: Vec<Schema>,
    dictionary: Option<Schema>,
) -> Result<Schema, std::ffi::NulError> {
    let boxed = |schema: Schema| Box::into_raw(Box::new(schema));
    let dictionary = dictionary.map_or(null_mut(), boxed);
    let (format, name) = (CString::new(format)?, CString::new(name)?);
    let (format_ptr, name_ptr) = (format.as_ptr(), name.as_ptr());
    let mut owned = Box::new(SchemaOwned {
        _format: format,
        _name: name,
        children: children.into_iter().map(boxed).collect(),
        dictionary,
    });
    Ok(Schema {
        format: format_ptr,
        name: name_ptr,
        metadata: null(),
        flags: NULLABLE,
        n_children: owned.children.len() as i64,
        children: owned.children.as_mut_ptr(),
        dictionary,
        release: Some(release_schema),
        private_data: Box::into_raw(owned).cast(),
    })
}

/// What an array owns: buffers that were made for it, or the object that has them.
struct ArrayOwned {
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
    dictionary: *mut Array,
    _bytes: Vec<Vec<u8>>,
    _offsets: Vec<i32>,
    _owner: Option<Py<PyAny>>,
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: as for schemas.
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<ArrayOwned>());
        for &child in owned.children.iter().chain((!owned.dictionary.is_null()).then_some(&owned.dictionary))
        {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}

fn array(length: usize, nulls: usize, owned: ArrayOwned) -> Array {
    let mut owned = Box::new(owned);
    Array {
        length: length as i64,
        null_count: nulls as i64,
        offset: 0,
        n_buffers: owned.buffers.len() as i64,
        n_children: owned.children.len() as i64,
        buffers: owned.buffers.as_mut_ptr(),
        children: owned.children.as_mut_ptr(),
        dictionary: owned.dictionary,
        release: Some(release_array),
        private_data: Box::into_raw(owned).cast(),
    }
}

/// Bits that say which entries there are; nothing where all are.
fn present(length: usize, is_there: impl Fn(usize) -> bool) -> (usize, Option<Vec<u8>>) {
    let mut bits = vec![0_u8; length.div_ceil(8)];
    let there = (0..length).filter(|&k| is_there(k)).inspect(|k| bits[k / 8] |= 1 << (k % 8)).count();
    (length - there, (there < length).then_some(bits))
}

/// A column of a table: what its array looks at.
struct Column {
    schema: Schema,
    array: Array,
}

/// A column of numbers in the memory of NumPy.
fn fixed<T: numpy::Element + Copy>(
    (name, format): (&str, &str),
    given: &Bound<'_, PyArray1<T>>,
    dictionary: Option<(Schema, Array)>,
    is_there: impl Fn(T) -> bool,
) -> PyResult<Column> {
    let given = if given.is_contiguous() {
        given.clone()
    } else {
        given.call_method0("copy")?.cast_into::<PyArray1<T>>()?
    };
    // SAFETY: the array is contiguous, and kept by what is made here; tables do not change theirs.
    let values = unsafe { given.as_slice()? };
    let (nulls, bits) = present(values.len(), |k| is_there(values[k]));
    let bytes: Vec<Vec<u8>> = bits.into_iter().collect();
    let (words, entries) = dictionary.unzip();
    let owned = ArrayOwned {
        buffers: vec![bytes.first().map_or(null(), |bits| bits.as_ptr().cast()), values.as_ptr().cast()],
        children: Vec::new(),
        dictionary: entries.map_or(null_mut(), |entries| Box::into_raw(Box::new(entries))),
        _bytes: bytes,
        _offsets: Vec::new(),
        _owner: Some(given.clone().into_any().unbind()),
    };
    let schema = schema(format, name, Vec::new(), words)?;
    Ok(Column { schema, array: array(values.len(), nulls, owned) })
}

/// A list of texts.
fn texts(words: &[String]) -> PyResult<(Schema, Array)> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.bytes()).collect();
    let mut offsets = vec![0_i32];
    for word in words {
        let last = offsets.last().copied().unwrap_or_default();
        offsets.push(last + i32::try_from(word.len()).unwrap_or_default());
    }
    let owned = ArrayOwned {
        buffers: vec![null(), offsets.as_ptr().cast(), bytes.as_ptr().cast()],
        children: Vec::new(),
        dictionary: null_mut(),
        _bytes: vec![bytes],
        _offsets: offsets,
        _owner: None,
    };
    Ok((schema("u", "", Vec::new(), None)?, array(words.len(), 0, owned)))
}

fn column(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Column> {
    if let Ok((codes, words)) = value.extract::<(Bound<'_, PyArray1<i8>>, Vec<String>)>() {
        return fixed((name, "c"), &codes, Some(texts(&words)?), |code| code >= 0);
    }
    if let Ok((codes, words)) = value.extract::<(Bound<'_, PyArray1<i32>>, Vec<String>)>() {
        return fixed((name, "i"), &codes, Some(texts(&words)?), |code| code >= 0);
    }
    if let Ok(given) = value.cast::<PyArray1<i64>>() {
        return fixed((name, "l"), given, None, |_| true);
    }
    match value.cast::<PyArray1<f64>>() {
        Ok(given) => fixed((name, "g"), given, None, |x: f64| !x.is_nan()),
        Err(_) => Err(PyValueError::new_err(format!("column {name} holds neither numbers nor words"))),
    }
}

/// What a stream has yet to hand over.
struct Pending {
    /// Taken with the first array; the schema may be asked for again before.
    columns: Option<(Vec<Schema>, Vec<Array>, usize)>,
    schema: Option<Schema>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        let Some((schemas, arrays, _)) = self.columns.take() else { return drop_schema(self.schema.take()) };
        schemas.into_iter().for_each(|schema| drop_schema(Some(schema)));
        for mut array in arrays {
            if let Some(release) = array.release {
                // SAFETY: made here, and released once.
                unsafe { release(&mut array) }
            }
        }
        drop_schema(self.schema.take());
    }
}

fn drop_schema(schema: Option<Schema>) {
    if let Some(mut schema) = schema
        && let Some(release) = schema.release
    {
        // SAFETY: made here, and released once.
        unsafe { release(&mut schema) }
    }
}

const INVALID: c_int = 22;

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: called by the consumer of a stream that was made below, with a place for a schema.
    unsafe {
        let pending = &mut *(*stream).private_data.cast::<Pending>();
        match pending.schema.take() {
            Some(schema) => {
                out.write(schema);
                0
            }
            None => INVALID,
        }
    }
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as above, with a place for an array.
    unsafe {
        let pending = &mut *(*stream).private_data.cast::<Pending>();
        let Some((schemas, arrays, length)) = pending.columns.take() else {
            out.write(Array {
                length: 0,
                null_count: 0,
                offset: 0,
                n_buffers: 0,
                n_children: 0,
                buffers: null_mut(),
                children: null_mut(),
                dictionary: null_mut(),
                release: None,
                private_data: null_mut(),
            });
            return 0;
        };
        schemas.into_iter().for_each(|schema| drop_schema(Some(schema)));
        let owned = ArrayOwned {
            buffers: vec![null()],
            children: arrays.into_iter().map(|array| Box::into_raw(Box::new(array))).collect(),
            dictionary: null_mut(),
            _bytes: Vec::new(),
            _offsets: Vec::new(),
            _owner: None,
        };
        out.write(array(length, 0, owned));
        0
    }
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    c"the schema of this stream was taken before".as_ptr()
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: called once, by the consumer or by the capsule that nobody took it from.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Pending>()));
        (*stream).release = None;
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a consumer that took the stream has set this to none.
            unsafe { release(self) }
        }
    }
}

/// A stream with one batch of columns: arrays of `float64` (NaN is null) or `int64`, or (`int8` or `int32` codes, list of words).
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let mut pending = Pending { columns: Some((Vec::new(), Vec::new(), 0)), schema: None };
    let mut children = Vec::new();
    for (name, value) in &columns {
        let Column { schema, array } = column(name, value)?;
        children.push(schema);
        if let Some((_, arrays, length)) = &mut pending.columns {
            *length = array.length as usize;
            arrays.push(array);
        }
    }
    let uneven =
        pending.columns.iter().any(|(_, arrays, length)| arrays.iter().any(|a| a.length as usize != *length));
    if uneven {
        return Err(PyValueError::new_err("the columns have different lengths"));
    }
    pending.schema = Some(schema("+s", "", children, None)?);
    let stream = Stream {
        get_schema,
        get_next,
        get_last_error,
        release: Some(release_stream),
        private_data: Box::into_raw(Box::new(pending)).cast(),
    };
    PyCapsule::new(py, stream, Some(c"arrow_array_stream".to_owned()))
}
