//! What a contact has along its tangents.

use crate::num::Quantity;
use serde::{Deserialize, Serialize};

/// What a contact has along its tangents: one value in the plane, a pair in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Tangential<T> {
    /// In the plane.
    Plane(T),
    /// In space.
    Space([T; 2]),
}

impl<T> Tangential<T> {
    /// From the value along each of one or two tangents.
    pub fn new(tangents: usize, value: impl Fn(usize) -> T) -> Self {
        if tangents == 1 { Self::Plane(value(0)) } else { Self::Space([value(0), value(1)]) }
    }

    /// The values, one or two.
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::Plane(value) => std::slice::from_ref(value),
            Self::Space(pair) => pair,
        }
    }
}

impl From<f64> for Tangential<Quantity> {
    fn from(value: f64) -> Self {
        Self::Plane(value.into())
    }
}

impl From<[f64; 2]> for Tangential<Quantity> {
    fn from(pair: [f64; 2]) -> Self {
        Self::Space(pair.map(Quantity::from))
    }
}
