//! A velocity that separates all contacts, by first-order steps: min ½‖v‖² with (H v + w − s c_e)ⁱ ∈ K_{1/μⁱ} for a
//! given s > 0, through its dual min ½‖Hᵀ r‖² + (w − s c_e)·r over r ∈ L, v = Hᵀ r, with Nesterov's acceleration and
//! restarts. It needs two products with H per step where interior points factor a matrix, stops as soon as the
//! clearance is positive everywhere, and finds nothing if the margin is below s: then r grows along Ker Hᵀ ∩ L. A
//! dedicated method as in [AC11 Remark 5].

use clarabel::solver::SolverStatus;

use super::candidate::Candidate;
use super::kinematics::Kinematics;
use crate::coulomb::cone::project;
use crate::num::halt;

/// Steps before giving up: enough for contacts some tens of bodies away from the next free one.
const STEPS: u32 = 400;

/// Steps between looks at the clearance.
const LOOK: u32 = 20;

/// Power iterations for the largest eigenvalue of H Hᵀ, and what is added for their error.
const POWER: usize = 30;
const SAFETY: f64 = 1.1;

/// A candidate with positive clearance, none if no step had one.
pub(super) fn separate(problem: &Kinematics, s: f64) -> Option<Candidate> {
    let step = 1.0 / (SAFETY * largest_eigenvalue(problem));
    let mut state = State::new(problem.w.len());
    for k in 1..=STEPS {
        state.advance(problem, s, step);
        if k.is_multiple_of(LOOK) {
            if halt::is_over() {
                return None;
            }
            let v = problem.generalized_force(&state.r);
            let candidate = Candidate { v, r: Vec::new(), status: SolverStatus::Solved, iterations: k };
            if candidate.clearance(problem) > 0.0 {
                return Some(Candidate { r: vec![0.0; problem.w.len()], ..candidate });
            }
        }
    }
    None
}

/// The iterate, the extrapolated point and Nesterov's weight.
struct State {
    r: Vec<f64>,
    y: Vec<f64>,
    weight: f64,
}

impl State {
    fn new(rows: usize) -> Self {
        Self { r: vec![0.0; rows], y: vec![0.0; rows], weight: 1.0 }
    }

    fn advance(&mut self, problem: &Kinematics, s: f64, step: f64) {
        let gradient = problem.H.times(&problem.generalized_force(&self.y));
        let slope = gradient.iter().zip(&problem.w).map(|(g, w)| g + w);
        let mut next: Vec<f64> = self.y.iter().zip(slope).map(|(y, g)| y - step * g).collect();
        next.iter_mut().step_by(problem.dim).for_each(|x| *x += step * s);
        project_all(problem, &mut next);
        let uphill: f64 = (0..next.len()).map(|k| (self.y[k] - next[k]) * (next[k] - self.r[k])).sum();
        let weight =
            if uphill > 0.0 { 1.0 } else { 0.5 * (1.0 + (1.0 + 4.0 * self.weight * self.weight).sqrt()) };
        let momentum = if uphill > 0.0 { 0.0 } else { (self.weight - 1.0) / weight };
        self.y = next.iter().zip(&self.r).map(|(x, old)| x + momentum * (x - old)).collect();
        (self.r, self.weight) = (next, weight);
    }
}

fn project_all(problem: &Kinematics, r: &mut [f64]) {
    match problem.dim {
        2 => r.as_chunks_mut::<2>().0.iter_mut().zip(&problem.mu).for_each(|(r, &mu)| *r = project(r, mu)),
        _ => r.as_chunks_mut::<3>().0.iter_mut().zip(&problem.mu).for_each(|(r, &mu)| *r = project(r, mu)),
    }
}

fn largest_eigenvalue(problem: &Kinematics) -> f64 {
    let mut x = vec![1.0; problem.w.len()];
    let mut eigenvalue = 0.0;
    for k in 0..POWER {
        // Alternating signs at the start: heaps have their largest eigenvalue in short waves.
        if k == 0 {
            x.iter_mut().skip(1).step_by(3).for_each(|x| *x = -1.0);
        }
        let mut next = problem.H.times(&problem.generalized_force(&x));
        eigenvalue = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        next.iter_mut().for_each(|x| *x /= eigenvalue);
        x = next;
    }
    if eigenvalue > 0.0 { eigenvalue } else { 1.0 }
}
