//! The laws of one planar frictional contact on plain numbers: the local problem
//! u̇ = a + A λ_T + B λ_N, v̇ = b + B λ_T + C λ_N ([CV16 (8), (9)]), Coulomb's cone, the gains p± and k±,
//! contact modes as sets, restitution laws; the contact in space in a folder of its own. Knows no mechanism and asks no question of its own; the questions are
//! in `analysis`.
#![allow(non_snake_case)]

mod error;
mod friction;
mod laws;
mod mode;
mod planar;
mod restitution;
mod sign;
pub mod space;

pub use error::ContactError;
pub use friction::Friction;
pub use laws::{Compliance, Hold, Laws};
pub use mode::{Cell, Column, Mode, ModeSet, Row};
pub use planar::{Gains, Planar, Slip};
pub use restitution::Restitution;
pub use sign::{Scaled, Sign};
