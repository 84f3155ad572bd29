//! One contact in space: u̇ = a + A λ_T + B λ_N, v̇ = b + B·λ_T + C λ_N with 2-vectors u, a, B and a 2×2 matrix A
//! [CV16 (35), (36)]; slip along û = (cos φ, sin φ) has λ_T = −μ λ_N û [CV16 (37)].
//!
//! | file | what it owns |
//! |---|---|
//! | `local` | the numbers, the gain p(φ), the force that sticks |
//! | `forbidden` | the directions with p(φ) < 0 |
//! | `onset` | all directions in which slip can grow out of rest |
//! | `path` | velocities over the normal impulse, by Taylor series |
//! | `impact` | impacts and their laws |

mod forbidden;
mod impact;
mod local;
mod onset;
mod path;

pub use forbidden::{Arc, LeastGain};
pub use impact::{Approach, SpatialImpact, SpatialPhase, no_impact};
pub use local::{Force, Spatial};
pub use onset::{Direction, Directions};
