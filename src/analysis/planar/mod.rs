//! One contact in the plane: which motions are consistent, what compliance and impact decide, what jams and what rests.

mod boundary;
mod chatter;
mod contact_rest;
mod equilibrium;
mod impact;
mod impact_regions;
mod jam;
mod jam_flow;
mod line;
mod no_slip;
mod one_contact;
mod phase;
mod plane;
mod representative;
mod sketch;
mod stability;
mod tables;

pub use boundary::Boundary;
pub use chatter::{Chatter, ChatterKind, Sequence, Trigger, chatter, sequence, trigger};
pub use contact_rest::{RestSizes, contact_equilibrium};
pub use equilibrium::{Condition, Equilibrium, Rest, equilibrium};
pub use impact::{Impact, impact, impact_at_jam, impact_without_collision, kinetic_energy};
pub use impact_regions::{ImpactRegion, impact_regions};
pub(crate) use jam::gap_acceleration;
pub use jam::{Drift, Fate, Jam, JamClass, JamCoefficients, JamKind, Order, Point, jam};
pub use no_slip::{ConeExit, Release, Separation, StickOutcome, StickState, Strike};
pub use phase::{Impulse, Phase, Velocity};
pub use plane::{Sector, sectors, stick_cone};
pub use sketch::{Sketch, sketch_kernel};
pub use stability::{NormalStability, Portrait, eigenvalues, normal_stability};
pub use tables::{Alternative, Table, alternatives, consistency_table, mode_table, resolution_table};
