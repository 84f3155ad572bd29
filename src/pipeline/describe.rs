//! A robot description as a mechanism file.

use super::Failure;
use super::load::{read_bytes, source_of};
use crate::diag::Source;
use crate::import::{ImportOptions, Imported, import};

/// Reads a robot description, URDF or MJCF (`-` is standard input), and makes a mechanism file of it; the source is what the
/// warnings point into.
///
/// # Errors
/// [`Failure`] with everything that is wrong with the description or the wishes.
pub fn import_robot(name: &str, options: &ImportOptions) -> Result<(Imported, Source), Failure> {
    let source = source_of(name, read_bytes(name)?)?;
    match import(&source, options) {
        Ok(imported) => Ok((imported, source)),
        Err(diagnostics) => Err(Failure::Input { source, diagnostics }),
    }
}
