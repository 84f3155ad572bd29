//! Problem files: JSON in the format `fcp-1`, and FCLIB's HDF5.

mod encoding;
mod fault;
#[cfg(feature = "hdf5")]
mod fclib;
mod json;
mod position;
mod read;
mod write;

pub use encoding::{is_gzip, is_hdf5};
pub use fault::FclibError;
pub use read::{Limits, read, read_file};
pub use write::{write, write_file};
