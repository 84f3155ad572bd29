//! What `solve` is given: a problem in numbers, or a mechanism whose next step is the problem.

use super::Failure;
use super::load::{Loaded, holds_model, is_json, load, load_bytes, meant, read_bytes};
use super::solve::read_problem;
use crate::coulomb::{Limits, Problem, is_gzip, is_hdf5, read};
use std::io::Read;
use std::path::Path;

/// A problem or a mechanism.
#[derive(Clone, Debug)]
pub enum Given {
    /// A problem file.
    Problem(Box<Problem>),
    /// A mechanism or a model file.
    Mechanism(Box<Loaded>),
}

/// Reads a problem, a mechanism or a model file; `-` is standard input.
///
/// # Errors
/// [`Failure`] with every fault that was found.
pub fn read_given(path: &Path) -> Result<Given, Failure> {
    let name = path.display().to_string();
    if name == "-" {
        return from_standard_input(&name);
    }
    if is_mechanism(path) {
        return Ok(Given::Mechanism(Box::new(load(&name)?)));
    }
    Ok(Given::Problem(Box::new(read_problem(path)?)))
}

/// By the name of a file, by how it begins, or by what the name means if there is no such file.
fn is_mechanism(path: &Path) -> bool {
    if path.extension().is_some_and(|e| e == "yaml" || e == "yml") {
        return true;
    }
    if !path.exists() {
        return path.to_str().is_some_and(|name| meant(name).is_some());
    }
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|f| f.take(1024).read_to_end(&mut start));
    read.is_ok() && holds_model(&start)
}

/// JSON, gzip and HDF5 are problems, unless they announce a model; anything else is read as a mechanism.
fn from_standard_input(name: &str) -> Result<Given, Failure> {
    let bytes = read_bytes(name)?;
    if is_gzip(&bytes) || is_hdf5(&bytes) || (is_json(&bytes) && !holds_model(&bytes)) {
        let problem = read(&bytes, Limits::default()).map_err(|e| Failure::file(name, e))?;
        return Ok(Given::Problem(Box::new(problem)));
    }
    Ok(Given::Mechanism(Box::new(load_bytes(name, bytes)?)))
}
