//! The mechanism format (FORMAT.md): YAML text to a validated [`Mechanism`] with spans, its states as numbers,
//! and a starter file; the scene format to a validated [`scene::Scene`]. Everything wrong with a file is found before anything is refused.

mod align;
mod bodies;
mod claim;
mod contacts;
mod definitions;
mod forces;
mod frames;
mod geometry;
mod kind;
mod kinematics;
mod material;
mod mechanism;
mod names;
mod numbers;
mod placement;
mod points;
mod pose;
mod read;
mod reader;
mod resolve;
pub mod scene;
mod schema;
mod shape;
mod starter;
mod states;
mod touching;
mod units;
mod varied;
mod visit;
mod yaml;

pub use claim::{CRITICAL, Claim, ClaimText, Comparison, FORMS, Motions, NUMBERS};
pub use geometry::{Geometry, Outline, Round, Slip, Surface};
pub use kind::Kind;
pub use material::Kept;
pub use mechanism::*;
pub use placement::{Carrier, ElementaryRotation, Frame, Placed, Pose, Rotation};
pub use pose::{Axes, Seen};
pub use read::{Checked, read};
pub use resolve::{ContactLaw, Override, ResolvedState};
pub use schema::schema;
pub use starter::{Starter, starter};
pub use touching::free_axis;
pub use units::{ContactUnits, Unit, UnitFault, Units, lacking};
pub use varied::{VariedNumbers, VariedState};
