//! Searches over the configurations of a mechanism: the least friction with a paradox, with its proof, and that of
//! dynamic jam.
//!
//! A search about a contact runs where the contact is closed and the constraints hold. Coordinates that these determine
//! are variables like those of the domain, tied to them by the equations; nothing is eliminated, so nothing can be lost.

mod attain;
mod branch;
mod closed_form;
mod contact_family;
mod coordinates;
mod critical;
mod jam_friction;
mod landscape;
mod linear;
mod mechanism;
mod region;
mod saddle;

pub use closed_form::{GlobalLeast, Mobility, global_least_friction};
pub use contact_family::ContactFamily;
pub use coordinates::{Plan, Structure};
pub use critical::{Critical, CriticalOutcome, CriticalSearch, SlipDirection, critical_friction};
pub use jam_friction::{JamPoint, SlipFamily, jam_friction};

/// The friction below which φ ≤ `bound` proves that there is no paradox: 1/√bound, rounded down.
fn least_of(bound: f64) -> f64 {
    // two roundings, each of half a unit at most
    if bound > 0.0 { (1.0 / bound.sqrt().next_up()).next_down().max(0.0) } else { f64::INFINITY }
}
