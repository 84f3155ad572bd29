//! Reader of problem files: what they are written in is told by their first bytes, not by their name.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use super::encoding::{Encoding, Form, is_gzip, is_hdf5, stem};
use super::fault::FclibError;
use super::json;
use crate::coulomb::error::ProblemError;
use crate::coulomb::problem::Problem;

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

/// Reads `path`; gzip and HDF5 are recognised by their first bytes, whatever the name. A JSON problem without a name gets that of
/// its file, an HDF5 problem always: the titles in the field's collection are those of a family of problems.
///
/// # Errors
/// `Io`, and those of [`read`].
pub fn read_file(path: &Path) -> Result<Problem, ProblemError> {
    let limits = Limits::default();
    let bytes = unpacked(Cow::Owned(bytes_of(path, limits)?), limits)?;
    let announced = Encoding::of(path).form == Form::Hdf5;
    if is_hdf5(&bytes) {
        return Ok(hdf5(bytes.into_owned(), limits)?.named(stem(path)));
    }
    if announced && !bytes.trim_ascii_start().starts_with(b"{") {
        return Err(FclibError::Signature.into());
    }
    let problem = json::parse(&bytes)?;
    Ok(if problem.name().is_empty() { problem.named(stem(path)) } else { problem })
}

/// The whole file, unless it is too large.
fn bytes_of(path: &Path, limits: Limits) -> Result<Vec<u8>, ProblemError> {
    let unreadable = |e: std::io::Error| ProblemError::Io { message: format!("cannot be read: {e}") };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() > limits.bytes {
        return Err(ProblemError::TooLarge { limit: limits.bytes });
    }
    let mut bytes = Vec::new();
    file.take(limits.bytes + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// Reads a problem from the bytes of a file, plain or gzipped, JSON or HDF5.
///
/// # Errors
/// Everything in [`ProblemError`]: the file is used whole or not at all.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Problem, ProblemError> {
    let bytes = unpacked(Cow::Borrowed(bytes), limits)?;
    if is_hdf5(&bytes) { hdf5(bytes.into_owned(), limits) } else { json::parse(&bytes) }
}

/// The bytes without the gzip around them.
fn unpacked(bytes: Cow<'_, [u8]>, limits: Limits) -> Result<Cow<'_, [u8]>, ProblemError> {
    let unpacked = if is_gzip(&bytes) {
        let mut unpacked = Vec::new();
        let decoder = flate2::read::MultiGzDecoder::new(&*bytes);
        let taken = decoder.take(limits.bytes + 1).read_to_end(&mut unpacked);
        taken.map_err(|e| ProblemError::Packed { message: e.to_string() })?;
        Cow::Owned(unpacked)
    } else {
        bytes
    };
    if unpacked.len() as u64 > limits.bytes {
        return Err(ProblemError::TooLarge { limit: limits.bytes });
    }
    Ok(unpacked)
}

#[cfg(feature = "hdf5")]
fn hdf5(bytes: Vec<u8>, limits: Limits) -> Result<Problem, ProblemError> {
    super::fclib::read(bytes, limits)
}

#[cfg(not(feature = "hdf5"))]
fn hdf5(_: Vec<u8>, _: Limits) -> Result<Problem, ProblemError> {
    Err(FclibError::NoHdf5.into())
}
