//! Reader of problem files in the format `fcp-1`: JSON, possibly gzipped.
//!
//! Signs of the files: local `u = W r + q`; global `M v = H r + q`, `u = Hᵀ v + b`, so that f = −q, the papers' H is
//! the transpose of the files' `H`, and w = b. Sizes declared in a file never reserve memory: they are compared
//! with what is there.

use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use super::error::ProblemError;
use super::problem::{Global, Problem};
use super::sparse::Sparse;

/// How much a file may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes after unpacking.
    pub bytes: u64,
}

impl Default for Limits {
    /// One gibibyte: several times the largest problem of the field's collections.
    fn default() -> Self {
        Self { bytes: 1 << 30 }
    }
}

#[derive(Deserialize)]
struct Coordinates {
    nrows: usize,
    ncols: usize,
    nnz: usize,
    rows: Vec<usize>,
    cols: Vec<usize>,
    vals: Vec<f64>,
}

#[derive(Deserialize)]
struct File {
    format: String,
    #[serde(default)]
    name: String,
    kind: String,
    dim: usize,
    n_contacts: usize,
    n_rows: Option<usize>,
    n_dof: Option<usize>,
    mu: Vec<f64>,
    #[serde(rename = "W")]
    W: Option<Coordinates>,
    #[serde(rename = "M")]
    M: Option<Coordinates>,
    #[serde(rename = "H")]
    H: Option<Coordinates>,
    q: Option<Vec<f64>>,
    b: Option<Vec<f64>>,
}

/// Reads `path`; gzip is recognised by its first two bytes, whatever the name.
///
/// # Errors
/// `Io`, and those of [`read`].
pub fn read_file(path: &Path) -> Result<Problem, ProblemError> {
    let bytes = std::fs::read(path).map_err(|e| ProblemError::Io { message: e.to_string() })?;
    read(&bytes, Limits::default())
}

/// Reads a problem from the bytes of a file, plain or gzipped.
///
/// # Errors
/// Everything in [`ProblemError`]: the file is used whole or not at all.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Problem, ProblemError> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    if bytes.starts_with(&GZIP) {
        let mut unpacked = Vec::new();
        let decoder = flate2::read::MultiGzDecoder::new(bytes);
        let taken = decoder.take(limits.bytes + 1).read_to_end(&mut unpacked);
        taken.map_err(|e| ProblemError::Io { message: e.to_string() })?;
        return parse(&unpacked, limits);
    }
    parse(bytes, limits)
}

fn parse(bytes: &[u8], limits: Limits) -> Result<Problem, ProblemError> {
    if bytes.len() as u64 > limits.bytes {
        return Err(ProblemError::TooLarge { limit: limits.bytes });
    }
    let file: File = serde_json::from_slice(bytes).map_err(|e| ProblemError::Syntax {
        line: e.line(),
        column: e.column(),
        message: e.to_string(),
    })?;
    build(file)
}

fn build(file: File) -> Result<Problem, ProblemError> {
    if file.format != "fcp-1" {
        return Err(ProblemError::Format { found: file.format });
    }
    if file.dim != 2 && file.dim != 3 {
        return Err(ProblemError::Dimension { found: file.dim });
    }
    expect_size("mu", file.mu.len(), file.n_contacts)?;
    let rows = file.dim * file.mu.len();
    expect_size("n_rows", file.n_rows.unwrap_or(rows), rows)?;
    let name = file.name.clone();
    let problem = match file.kind.as_str() {
        "local" => local(file),
        "global" => global(file),
        _ => Err(ProblemError::Kind { found: file.kind }),
    }?;
    Ok(problem.named(name))
}

fn local(file: File) -> Result<Problem, ProblemError> {
    let q = present("q", file.q)?;
    let rows = file.dim * file.mu.len();
    let W = matrix("W", present("W", file.W)?, (rows, rows))?;
    Problem::local(file.dim, file.mu, &W, q)
}

fn global(file: File) -> Result<Problem, ProblemError> {
    let q = present("q", file.q)?;
    let n = q.len();
    expect_size("n_dof", file.n_dof.unwrap_or(n), n)?;
    let M = matrix("M", present("M", file.M)?, (n, n))?;
    let Ht = matrix("H", present("H", file.H)?, (n, file.dim * file.mu.len()))?;
    let parts = Global { M, Ht, f: q.iter().map(|x| -x).collect(), w: present("b", file.b)? };
    Problem::global(file.dim, file.mu, parts)
}

fn present<T>(key: &'static str, value: Option<T>) -> Result<T, ProblemError> {
    value.ok_or(ProblemError::Missing { key })
}

fn expect_size(what: &'static str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected { Ok(()) } else { Err(ProblemError::Size { what, found, expected }) }
}

/// Checks the declared shape against what the vectors ask for before anything is reserved.
fn matrix(name: &'static str, c: Coordinates, shape: (usize, usize)) -> Result<Sparse, ProblemError> {
    expect_size(name, c.nrows, shape.0)?;
    expect_size(name, c.ncols, shape.1)?;
    expect_size("vals of a matrix", c.vals.len(), c.nnz)?;
    Sparse::from_coordinates(name, shape, &c.rows, &c.cols, &c.vals)
}
