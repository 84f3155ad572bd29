//! A quantity of a state over two ranges: its values on a grid, and the boundaries between regions where it has another word, or is on the other side
//! of a level.
//!
//! | file | subject |
//! |---|---|
//! | `certified` | what is proven of it |
//! | `cell` | a value, and the class that it belongs to |
//! | `edge` | where the class changes between two neighbours of the grid: by bisection, to the tolerance |
//! | `square` | how these places are joined in a square of the grid, which is divided where that is not plain |
//! | `lines` | joined pieces as lines |
//! | `tally` | what is said of all points |
//! | `outcome` | everything, in the shape of the machine-readable output |
//!
//! Nothing is read off pixels: each point of a boundary is a root along its edge. A region that fits between the points of the grid and touches no
//! edge is not seen, nor one that an edge enters and leaves between its ends while both of these agree.

mod cell;
mod certified;
mod edge;
mod lines;
mod outcome;
mod square;
mod tally;

pub use cell::{Cell, Class, Lack, known_word};
pub use certified::{Certified, CertifiedRegion, Rectangle};
pub use edge::{Edge, Ends, Mark, edge};
pub use lines::boundaries;
pub use outcome::{Boundary, Interrupted, Level, MAP_SCHEMA, MapAxis, MapMotion, MapOutcome, Missing};
pub use square::{Patch, Segment, Square, Traced, holds};
pub use tally::Tally;

/// A point of the two ranges.
pub type Point = [f64; 2];
