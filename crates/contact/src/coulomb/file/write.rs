//! Writer of problem files, and of their text in the format `fcp-1`; reading them back gives the same numbers to the last bit.

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::encoding::{Encoding, Form};
use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::{self, Problem};
use crate::linear::Sparse;

/// The text of `problem`: one JSON object.
pub fn write(problem: &Problem) -> String {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("format", json!("fcp-1"));
    put("name", json!(problem.name()));
    match problem.form() {
        problem::Form::Local(_) => put("kind", json!("local")),
        problem::Form::Global(_) => put("kind", json!("global")),
    };
    put("dim", json!(problem.dim()));
    put("n_contacts", json!(problem.contacts()));
    put("mu", json!(problem.mu()));
    put("n_rows", json!(problem.rows()));
    match problem.form() {
        problem::Form::Local(local) => {
            put("W", coordinates(&local.W.to_sparse()));
            put("q", json!(local.q));
        }
        problem::Form::Global(global) => {
            put("n_dof", json!(global.f.len()));
            put("M", coordinates(&global.M));
            put("H", coordinates(&global.Ht));
            put("q", json!(global.f.iter().map(|x| -x).collect::<Vec<f64>>()));
            put("b", json!(global.w));
        }
    }
    Value::Object(out).to_string()
}

/// Writes `problem` to `path`: FCLIB's HDF5 if the name ends in `.hdf5` or `.h5`, else JSON; gzipped when the name ends in
/// `.gz`.
///
/// # Errors
/// `Io`; `Fclib` if the build has no HDF5, or a size does not fit FCLIB.
pub fn write_file(problem: &Problem, path: &Path) -> Result<(), ProblemError> {
    let Encoding { form, packed } = Encoding::of(path);
    let bytes = match form {
        Form::Json => write(problem).into_bytes(),
        Form::Hdf5 => hdf5(problem)?,
    };
    let bytes = if packed { pack(&bytes) } else { Ok(bytes) };
    let written = bytes.and_then(|b| std::fs::write(path, b));
    written.map_err(|e| ProblemError::Io { message: format!("cannot be written: {e}") })
}

#[cfg(feature = "hdf5")]
fn hdf5(problem: &Problem) -> Result<Vec<u8>, ProblemError> {
    super::fclib::write(problem)
}

#[cfg(not(feature = "hdf5"))]
fn hdf5(_: &Problem) -> Result<Vec<u8>, ProblemError> {
    Err(super::fault::FclibError::NoHdf5.into())
}

fn pack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn coordinates(a: &Sparse) -> Value {
    let rows: Vec<usize> = a.coordinates().map(|(i, _, _)| i).collect();
    let cols: Vec<usize> = a.coordinates().map(|(_, j, _)| j).collect();
    let vals: Vec<f64> = a.coordinates().map(|(_, _, x)| x).collect();
    json!({ "nrows": a.nrows(), "ncols": a.ncols(), "nnz": vals.len(), "rows": rows, "cols": cols, "vals": vals })
}
