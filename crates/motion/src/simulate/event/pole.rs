//! Coordinates that lose their inertia on the way, as the heading of a rod does that passes the vertical: near the pole of its angles
//! a speed of that coordinate is large where the mechanism hardly moves.
//!
//! What is left of the inertia of coordinate i by the others is 1/(M⁻¹)ᵢᵢ, and its share of the kinetic energy, the momenta of the
//! others being as they are, vᵢ²/(2 (M⁻¹)ᵢᵢ). Near a pole its errors count as those of the motion that they are.
//!
//! With a speed of the share s the mechanism passes the pole at a distance s c, c² being what is left of the inertia, and its coordinate
//! turns by half a turn there. Rounding of the other coordinates makes that wrong by ε/(s c). Where s is less than that, or than the
//! errors that are allowed, it is taken for none: the coordinates then pass the pole as they would without it.

use super::mechanics::{Clock, Mechanics};
use super::phase::Phases;
use crate::model::Output;
use crate::num::{Tol, dense};

/// What was seen of the inertia of each coordinate.
#[derive(Clone, Debug)]
pub(super) struct Inertias {
    /// The largest Mᵢᵢ.
    most: Vec<f64>,
    /// The largest √Mᵢᵢ |vᵢ|.
    paces: Vec<f64>,
    /// How large each speed may count as at the begin of the step, by what its motion was.
    pub(super) bounds: Vec<f64>,
    /// Whether the step that was refused for its error came near a pole.
    pub(super) near: bool,
}

/// Roundings on the way past a pole.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// A speed that was larger than this many times what its share of motion makes of it now was one near a pole.
const WHIRLED: f64 = 10.0;

impl Inertias {
    pub(super) fn new(coordinates: usize) -> Self {
        let zeros = vec![0.0; coordinates];
        Self { most: zeros.clone(), paces: zeros, bounds: vec![f64::INFINITY; coordinates], near: false }
    }

    /// Notes the state that was evaluated last.
    pub(super) fn note(&mut self, mechanics: &Mechanics<'_>, v: &[f64]) {
        let mass = mechanics.block(Output::MassMatrix);
        for (i, v) in v.iter().enumerate() {
            let own = mass[dense::packed_len(i) + i];
            self.most[i] = self.most[i].max(own);
            self.paces[i] = self.paces[i].max(own.sqrt() * v.abs());
            self.bounds[i] = WHIRLED * self.paces[i] / own.sqrt();
        }
    }

    /// Whether a coordinate with this (M⁻¹)ᵢᵢ is near a pole.
    pub(super) fn is_weak(&self, i: usize, mobility: f64) -> bool {
        self.left(i, mobility) <= Tol::default().weak
    }

    /// What is left of the inertia of a coordinate, as a share of the most it was.
    fn left(&self, i: usize, mobility: f64) -> f64 {
        1.0 / (self.most[i] * mobility)
    }
}

impl Phases<'_> {
    /// Takes the speeds of coordinates near a pole from the begin of the step that count as none; false if there are none.
    #[cold]
    pub(super) fn drop_weak(&mut self) -> bool {
        if !self.inertias.near || self.mechanics.clock != Clock::Real || self.solve().is_err() {
            return false;
        }
        let n = self.n();
        let mut factor = self.mechanics.block(Output::MassMatrix).to_vec();
        if dense::cholesky(&mut factor, n, Tol::default().singular).is_err() {
            return false;
        }
        let (energy, rtol, mut dropped) = (self.mechanics.energy_size(), self.accuracy.rtol, false);
        for i in 0..n {
            let mut column = vec![0.0; n];
            column[i] = 1.0;
            dense::solve(&factor, &mut column);
            let (v, mobility) = (self.y[n + i], column[i]);
            let allowed = (ROUNDING / self.inertias.left(i, mobility).sqrt()).max(rtol * rtol);
            let moves = v.abs() > 0.0 && v * v <= allowed * 2.0 * energy * mobility;
            if moves && self.inertias.is_weak(i, mobility) {
                let speeds = &mut self.y[n..2 * n];
                speeds.iter_mut().zip(&column).for_each(|(speed, part)| *speed -= v / mobility * part);
                self.y[n + i] = 0.0;
                dropped = true;
            }
        }
        dropped && self.step.start(&mut self.mechanics, 0.0, &self.y).is_ok()
    }
}
