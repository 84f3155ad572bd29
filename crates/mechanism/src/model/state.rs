//! A point of the state space, with the parameters it is looked at with.

use super::Layout;
use crate::num::Real;

/// t, q, v and the parameters: everything a tape takes in.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities q̇.
    pub v: Vec<f64>,
    /// Parameters.
    pub parameters: Vec<f64>,
}

impl State {
    /// Tape inputs in the order of [`Layout`], as numbers of type `T`.
    pub fn inputs<T: Real>(&self) -> Vec<T> {
        let rest = self.q.iter().chain(&self.v).chain(&self.parameters);
        std::iter::once(&self.t).chain(rest).map(|&x| T::from_f64(x)).collect()
    }

    /// Whether the sizes are those of the layout.
    pub fn fits(&self, layout: &Layout) -> bool {
        self.q.len() == layout.coordinates
            && self.v.len() == layout.coordinates
            && self.parameters.len() == layout.parameters
    }
}
