//! Units: what `unit` says, the unit of every expression, and whether they fit. Where every parameter and coordinate has a
//! unit, dimensions are checked with the file; where one has none, nothing is.
//!
//! Numbers are used as they are written, so a unit is a dimension *and* a scale: what is in mm does not fit what is in m.
//! The scale of lengths, masses and times is that of the file; forces and energies follow from it. Angles are pure numbers
//! with a name, in radians; degrees are a dimension of their own, since no function takes them.

mod base;
mod check;
mod infer;
mod parse;
mod places;
mod print;
mod summary;
mod unit;
mod words;

pub use parse::UnitFault;
pub use summary::{ContactUnits, Units, lacking};
pub use unit::Unit;

pub(super) use check::{check, unfit};
