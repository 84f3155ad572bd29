//! Problem files in the format `fcp-1`.

mod position;
mod read;
mod write;

pub use read::{Limits, is_gzip, read, read_file};
pub use write::{write, write_file};
