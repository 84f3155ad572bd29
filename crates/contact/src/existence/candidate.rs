//! What the solvers of program (4.39) propose, before anything of it is verified.

use clarabel::solver::SolverStatus;

use super::kinematics::Kinematics;

/// Candidates from the solver: an approximate maximiser and an approximate multiplier.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Velocity.
    pub v: Vec<f64>,
    /// Multiplier of the contacts, in the frame of r (normal first).
    pub r: Vec<f64>,
    /// How the solver ended.
    pub status: SolverStatus,
    /// Interior point iterations.
    pub iterations: u32,
}

impl Candidate {
    /// v = 0, which serves whenever the surroundings rest or move apart.
    pub(super) fn at_rest(problem: &Kinematics) -> Self {
        let (v, r) = (vec![0.0; problem.velocities()], vec![0.0; problem.w.len()]);
        Self { v, r, status: SolverStatus::Unsolved, iterations: 0 }
    }

    /// The least uᴺ − μ‖uᵀ‖ of its velocity: s in (4.39). Infinite without contacts.
    #[must_use]
    pub fn clearance(&self, problem: &Kinematics) -> f64 {
        let u = problem.relative_velocity(&self.v);
        (0..problem.contacts()).map(|i| problem.clearance(&u, i)).fold(f64::INFINITY, f64::min)
    }
}
