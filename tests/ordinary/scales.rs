//! What is large in a motion: against which a number is small.

use super::case::Case;
use super::equations::Equations;
use mechan::simulate::trajectory::Trajectory;

pub(crate) struct Scales {
    pub(crate) length: f64,
    pub(crate) speed: f64,
    pub(crate) load: f64,
    /// Sizes of coordinates and velocities.
    pub(crate) sizes: Vec<f64>,
    /// Angular frequencies that are known beforehand.
    frequency: f64,
    angles: Vec<bool>,
}

impl Scales {
    pub(crate) fn of(case: &Case, equations: &Equations, trajectory: &Trajectory) -> Self {
        let n = equations.n();
        let angles: Vec<bool> = equations.names.iter().map(|name| is_angle(name)).collect();
        let m = case.value("m").or_else(|| case.value("m1")).unwrap_or(1.0);
        let stiffness = case.value("k").unwrap_or(0.0) / case.value("M").unwrap_or(m).min(m);
        let gravity = case.value("g").unwrap_or(stiffness * case.length);
        let own = (gravity / case.length).max(stiffness).sqrt();
        let mut speed = (0.1 * gravity * case.length).sqrt();
        for row in trajectory.rows.iter() {
            for i in 0..n {
                let unit = if angles[i] { case.length } else { 1.0 };
                speed = speed.max(unit * row[1 + n + i].0.abs());
            }
        }
        let shaken = case.value("A").unwrap_or(0.0) * case.shaken * case.shaken;
        let unit = |i: usize| if angles[i % n] { 1.0 } else { case.length };
        let size = |i: usize| if i < n { unit(i) } else { unit(i) / case.length * speed };
        Self {
            length: case.length,
            speed,
            load: m * gravity.max(shaken).max(1e-3 * speed * speed / case.length),
            sizes: (0..2 * n).map(size).collect(),
            frequency: own.max(case.shaken),
            angles,
        }
    }

    /// The shortest time in which something turns or swings at a state.
    pub(crate) fn shortest(&self, y: &[f64]) -> f64 {
        let n = y.len() / 2;
        let turning = (0..n).filter(|&i| self.angles[i]).map(|i| y[n + i].abs());
        1.0 / turning.fold(self.frequency, f64::max)
    }
}

/// Whether a coordinate of these mechanisms is an angle.
pub(crate) fn is_angle(name: &str) -> bool {
    ["theta", "psi", "q"].iter().any(|angle| name.starts_with(angle))
}
