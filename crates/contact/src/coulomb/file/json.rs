//! Reader of problem files in the format `fcp-1`: JSON.
//!
//! Signs of the files: local `u = W r + q`; global `M v = H r + q`, `u = Hᵀ v + b`, so that f = −q, the papers' H is
//! the transpose of the files' `H`, and w = b. Sizes declared in a file never reserve memory: they are compared
//! with what is there.

use serde::Deserialize;
use serde_json::error::Category;

use super::position::path;
use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::{Global, Problem};
use crate::linear::Sparse;

#[derive(Deserialize)]
struct Coordinates {
    nrows: usize,
    ncols: usize,
    nnz: usize,
    rows: Vec<usize>,
    cols: Vec<usize>,
    vals: Vec<f64>,
}

/// A file as it stands; `format` is looked at before anything else is missed.
#[derive(Deserialize)]
struct File {
    format: Option<String>,
    #[serde(default)]
    name: String,
    kind: Option<String>,
    dim: Option<usize>,
    n_contacts: Option<usize>,
    n_rows: Option<usize>,
    n_dof: Option<usize>,
    mu: Option<Vec<f64>>,
    #[serde(rename = "W")]
    W: Option<Coordinates>,
    #[serde(rename = "M")]
    M: Option<Coordinates>,
    #[serde(rename = "H")]
    H: Option<Coordinates>,
    q: Option<Vec<f64>>,
    b: Option<Vec<f64>>,
}

/// Reads a problem from JSON text.
pub(super) fn parse(bytes: &[u8]) -> Result<Problem, ProblemError> {
    // a list would be taken as the fields in order
    if bytes.trim_ascii_start().first().is_some_and(|first| *first != b'{') {
        let message = "not a JSON object { .. }: a problem file is JSON in the format fcp-1".to_owned();
        return Err(ProblemError::Syntax { line: 1, column: 1, message });
    }
    build(serde_json::from_slice(bytes).map_err(|e| fault(bytes, &e))?)
}

/// A fault of the text, with the key at which it stands, in the words of the format.
fn fault(bytes: &[u8], error: &serde_json::Error) -> ProblemError {
    let (line, column) = (error.line(), error.column());
    let before: usize =
        bytes.split_inclusive(|b| *b == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum();
    let place = path(&bytes[..bytes.len().min(before + column)]);
    let dense = ["W[", "M[", "H["].iter().any(|list| place.starts_with(list));
    let what = match error.classify() {
        _ if bytes.trim_ascii().is_empty() => "the file is empty".to_owned(),
        _ if dense => format!("not a list of numbers, expected {COORDINATES}"),
        Category::Eof => "the text ends before its JSON is complete; is the file truncated?".to_owned(),
        _ => in_words(&error.to_string()),
    };
    let message = if place.is_empty() { what } else { format!("{place}: {what}") };
    ProblemError::Syntax { line, column, message }
}

/// How a matrix is written.
const COORDINATES: &str = "an object with nrows, ncols, nnz, rows, cols and vals";

/// The parser's message without its place and the names of types.
fn in_words(message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(words, _)| words);
    let message = message.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
    match message {
        "expected value" => "expected a JSON value (NaN and Infinity are none)".to_owned(),
        "trailing characters" => "more text after the end of the problem".to_owned(),
        _ => message
            .replace("expected f64", "expected a number")
            .replace("expected usize", "expected a whole number >= 0")
            .replace("expected a sequence", "expected a list")
            .replace("struct Coordinates", COORDINATES)
            .replace("field", "key"),
    }
}

fn build(file: File) -> Result<Problem, ProblemError> {
    let format = present("format", file.format.clone())?;
    if format != "fcp-1" {
        return Err(ProblemError::Format { found: format });
    }
    let kind = present("kind", file.kind.clone())?;
    let name = file.name.clone();
    let problem = match kind.as_str() {
        "local" => local(file),
        "global" => global(file),
        _ => Err(ProblemError::Kind { found: kind }),
    }?;
    Ok(problem.named(name))
}

/// Dimension and friction, of both kinds of problem.
struct Contacts {
    dim: usize,
    mu: Vec<f64>,
}

impl Contacts {
    fn of(file: &mut File) -> Result<Self, ProblemError> {
        let dim = present("dim", file.dim)?;
        if dim != 2 && dim != 3 {
            return Err(ProblemError::Dimension { found: dim });
        }
        let mu = present("mu", file.mu.take())?;
        let declared = present("n_contacts", file.n_contacts)?;
        agree("n_contacts", declared, ("the length of mu", mu.len()))?;
        let contacts = Self { dim, mu };
        agree("n_rows", file.n_rows.unwrap_or(contacts.rows().1), contacts.rows())?;
        Ok(contacts)
    }

    fn rows(&self) -> (&'static str, usize) {
        ("dim * n_contacts", self.dim * self.mu.len())
    }
}

fn local(mut file: File) -> Result<Problem, ProblemError> {
    let contacts = Contacts::of(&mut file)?;
    let (q, rows) = (present("q", file.q)?, contacts.rows());
    agree("the length of q", q.len(), rows)?;
    let W = matrix("W", present("W", file.W)?, [rows, rows])?;
    Problem::local(contacts.dim, contacts.mu, &W, q)
}

fn global(mut file: File) -> Result<Problem, ProblemError> {
    let contacts = Contacts::of(&mut file)?;
    let (q, b, rows) = (present("q", file.q)?, present("b", file.b)?, contacts.rows());
    let dof = ("the length of q", q.len());
    agree("n_dof", file.n_dof.unwrap_or(q.len()), dof)?;
    agree("the length of b", b.len(), rows)?;
    let M = matrix("M", present("M", file.M)?, [dof, dof])?;
    let Ht = matrix("H", present("H", file.H)?, [dof, rows])?;
    let parts = Global { M, Ht, f: q.iter().map(|x| -x).collect(), w: b };
    Problem::global(contacts.dim, contacts.mu, parts)
}

fn present<T>(key: &'static str, value: Option<T>) -> Result<T, ProblemError> {
    value.ok_or(ProblemError::Missing { key })
}

/// Compares a declared size with one that is known.
pub(super) fn agree(key: &str, found: usize, (with, expected): (&str, usize)) -> Result<(), ProblemError> {
    if found == expected {
        return Ok(());
    }
    Err(ProblemError::Declared { key: key.to_owned(), found, with: with.to_owned(), expected })
}

/// Checks the declared shape against what the vectors ask for before anything is reserved.
fn matrix(
    name: &'static str,
    c: Coordinates,
    shape: [(&'static str, usize); 2],
) -> Result<Sparse, ProblemError> {
    agree(&format!("{name}.nrows"), c.nrows, shape[0])?;
    agree(&format!("{name}.ncols"), c.ncols, shape[1])?;
    for (list, length) in [("rows", c.rows.len()), ("cols", c.cols.len()), ("vals", c.vals.len())] {
        let key = format!("the length of {name}.{list}");
        let with = format!("{name}.nnz");
        agree(&key, length, (&with, c.nnz))?;
    }
    Ok(Sparse::from_coordinates(name, (shape[0].1, shape[1].1), &c.rows, &c.cols, &c.vals)?)
}
