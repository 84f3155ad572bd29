//! `map`: a quantity of a state over two ranges.
//!
//! | file | subject |
//! |---|---|
//! | `quantity` | what is mapped, by its name or as an expression |
//! | `reading` | its value in what is said about a state |
//! | `reader` | points one by one, for those who choose them |
//! | `field` | the value at a point of the ranges: the state evaluated anew |
//! | `outcome` | a number of the motion from a point |
//! | `quick` | the same where one planar contact decides, without a report |
//! | `ask` | the question, checked |
//! | `around` | the verdict around a state, over friction and one thing more |
//! | `band` | some rows of the grid: which edges and squares boundaries cross |
//! | `run` | the rows, on all cores |
//! | `piece` | some rows by themselves, for others who put the map together |
//! | `write` | the files |
//! | `part` | parts of a map, and the whole of them |
//! | `record` | rows kept beside a file, for maps that go on |
//! | `certify` | what is proven of its regions |
//! | `fault` | questions that make no sense |

mod around;
mod ask;
mod band;
mod certify;
mod fault;
mod field;
mod outcome;
mod part;
mod piece;
mod quantity;
mod quick;
mod reader;
mod reading;
mod record;
mod run;
mod write;

pub(super) use around::{Around, around};
pub use ask::{MapOptions, MapStudy};
pub use certify::certify as certify_map;
pub use fault::MapFault;
pub use outcome::OutcomeOptions;
pub use part::{check_part_file, merge_maps, part_into, write_map_part};
pub use piece::boundary_text;
pub use quantity::QUANTITIES;
pub use reader::MapReader;
pub use record::Recorded;
pub use run::{MapProgress, MapRow, MapStage, MapWatch};
pub use write::{MapFile, check_map_file, map_into, recorded_into, write_map};
