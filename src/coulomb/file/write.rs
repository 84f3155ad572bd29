//! Writer of problem files in the format `fcp-1`; reading them back gives the same numbers to the last bit.

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::{Form, Problem};
use crate::linear::Sparse;

/// The text of `problem`: one JSON object.
pub fn write(problem: &Problem) -> String {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("format", json!("fcp-1"));
    put("name", json!(problem.name()));
    match problem.form() {
        Form::Local(_) => put("kind", json!("local")),
        Form::Global(_) => put("kind", json!("global")),
    };
    put("dim", json!(problem.dim()));
    put("n_contacts", json!(problem.contacts()));
    put("mu", json!(problem.mu()));
    put("n_rows", json!(problem.rows()));
    match problem.form() {
        Form::Local(local) => {
            put("W", coordinates(&local.W.to_sparse()));
            put("q", json!(local.q));
        }
        Form::Global(global) => {
            put("n_dof", json!(global.f.len()));
            put("M", coordinates(&global.M));
            put("H", coordinates(&global.Ht));
            put("q", json!(global.f.iter().map(|x| -x).collect::<Vec<f64>>()));
            put("b", json!(global.w));
        }
    }
    Value::Object(out).to_string()
}

/// Writes `problem` to `path`, gzipped when the name ends in `.gz`.
///
/// # Errors
/// `Io`.
pub fn write_file(problem: &Problem, path: &Path) -> Result<(), ProblemError> {
    let text = write(problem);
    let packed = path.extension().is_some_and(|e| e == "gz");
    let bytes = if packed { pack(text.as_bytes()) } else { Ok(text.into_bytes()) };
    let written = bytes.and_then(|b| std::fs::write(path, b));
    written.map_err(|e| ProblemError::Io { message: format!("cannot be written: {e}") })
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
