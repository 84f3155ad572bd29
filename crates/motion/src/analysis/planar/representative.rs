//! Representative planar contacts that reach every cell of Tables 1 to 3, in every arrangement of a and b against
//! the friction cone. Values are arbitrary but fixed, and such that no tested sign is marginal.

use crate::contact::{Friction, Planar};

/// A contact with its friction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Representative {
    pub(super) planar: Planar,
    pub(super) friction: Friction,
}

const COUPLINGS: [f64; 6] = [-0.9, -0.5, -0.1, 0.1, 0.5, 0.9];
const FRICTIONS: [f64; 4] = [0.17, 0.83, 1.9, 3.7];
const FREE_SLIP: [f64; 10] = [-7.3, -2.9, -1.21, -0.41, -0.07, 0.07, 0.41, 1.21, 2.9, 7.3];

/// All representatives: A = C = 1, |b| = 1.
pub(super) fn representatives() -> impl Iterator<Item = Representative> {
    let frictions = || FRICTIONS.into_iter().filter_map(|mu| Friction::new(mu).ok());
    COUPLINGS.into_iter().flat_map(move |B| {
        frictions().flat_map(move |friction| {
            FREE_SLIP.into_iter().flat_map(move |a| {
                [-1.0, 1.0].map(|b| Representative { planar: Planar::new(1.0, B, 1.0, a, b), friction })
            })
        })
    })
}
