//! One contact in the plane: which motions are consistent, what compliance and impact decide, what jams and what rests.

mod boundary;
mod contact_rest;
mod jam;
mod jam_flow;
mod no_slip;
mod one_contact;
mod plane;
mod representative;
mod sketch;
mod tables;

pub use boundary::Boundary;
pub use contact_rest::{RestSizes, contact_equilibrium};
pub(crate) use jam::gap_acceleration;
pub use jam::{Drift, Fate, Jam, JamClass, JamCoefficients, JamKind, Order, Point, jam};
pub use no_slip::{ConeExit, Release, Separation, StickOutcome, StickState, Strike};
pub use plane::{Sector, sectors, stick_cone};
pub use sketch::{Sketch, sketch_kernel};
pub use tables::{Alternative, Table, alternatives, consistency_table, mode_table, resolution_table};
