//! Contacts at rest: which forces can hold them, what small motions nearby do, and what disturbs them.

mod chatter;
mod forces;
mod lyapunov;
mod one_contact;
mod perturb;
mod robust;
mod strong;

pub use chatter::{Chatter, ChatterKind, Sequence, Trigger, chatter, sequence, trigger};
pub use forces::{Corners, RestingForces};
pub use lyapunov::{
    Doubt, Lyapunov, LyapunovReason, LyapunovVerdict, Orbit, OrbitPhase, ReturnMap, ReturnPoint,
};
pub use one_contact::{Condition, Equilibrium, Rest, equilibrium};
pub use perturb::ChatterSearch;
pub use robust::{Gravity, Robustness};
pub use strong::{Onset, StrongRobustness};
