//! FCLIB's HDF5, the files of the field's collection of friction-contact problems.
//!
//! A file has one of two groups, with the dimension `spacedim`, matrices as groups of lists, and `vectors`:
//!
//! - `fclib_local`: `W`, and the vectors `q`, `mu`; u = W r + q.
//! - `fclib_global`: `M`, `H`, and the vectors `f`, `w`, `mu`; M v = H r + f, u = Hᵀ v + w. Its f is minus that of the papers, and
//!   its H their Hᵀ: `q`, `H` and `b` of fcp-1.
//!
//! Rows of contacts come as normal, then tangents, as here.

mod container;
mod matrix;
mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;
