//! `map`: a quantity of a state over two ranges.
//!
//! | file | subject |
//! |---|---|
//! | `quantity` | what is mapped, by its name or as an expression |
//! | `reading` | its value in what is said about a state |
//! | `field` | the value at a point of the ranges: the state evaluated anew |
//! | `ask` | the question, checked |
//! | `run` | grid, edges and squares, on all cores |
//! | `write` | the files |
//! | `fault` | questions that make no sense |

mod ask;
mod fault;
mod field;
mod quantity;
mod reading;
mod run;
mod write;

pub use ask::{MapOptions, MapStudy};
pub use fault::MapFault;
pub use quantity::QUANTITIES;
pub use run::{MapProgress, MapStage};
pub use write::{check_map_file, write_map};
