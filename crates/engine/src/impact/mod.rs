//! Collisions: of one contact in the plane by Routh's method, phase by phase, with its regions, and in closed form where its point can move
//! along a line only; of several that feel each other by incremental problems.

mod joint;
mod line;
mod phase;
mod planar;
mod regions;
mod solutions;
mod tied;

pub use joint::{Group, JointImpact, JointImpacts, JointLaw};
pub use phase::{Impulse, Phase, Velocity};
pub use planar::{Impact, impact, impact_at_jam, impact_without_collision, kinetic_energy};
pub use regions::{ImpactRegion, impact_regions};
pub use tied::{Tied, TiedImpact, WEDGED};
