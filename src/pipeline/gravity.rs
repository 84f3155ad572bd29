//! Generalised forces of gravity from the bodies of a file, Q = Σ m (∂r/∂q)ᵀ g, and what they would be were gravity turned: the derived
//! equations have gravity inside the potential, from which its direction cannot be told.

use crate::expression::Env;
use crate::format::{Mechanism, Seen, Space};
use crate::model::State;
use crate::num::Dual;

/// Of gravity, and of gravity turned by a right angle counter-clockwise; none without gravity, and in space.
pub(super) fn gravity(mechanism: &Mechanism, state: &State) -> Option<[Vec<f64>; 2]> {
    let g: Vec<f64> = mechanism.gravity.iter().map(|x| x.eval_parametric(&state.parameters)).collect();
    let [gx, gy] = g[..] else { return None };
    if mechanism.space != Space::Plane || g.iter().all(|g| g.abs() <= 0.0) {
        return None;
    }
    let rates: Vec<[f64; 2]> = (0..state.q.len()).map(|k| weighted_rate(mechanism, state, k)).collect();
    let along = |x: f64, y: f64| rates.iter().map(|rate| x * rate[0] + y * rate[1]).collect();
    Some([along(gx, gy), along(-gy, gx)])
}

/// Σ m ∂r/∂q_k.
fn weighted_rate(mechanism: &Mechanism, state: &State, k: usize) -> [f64; 2] {
    let fixed = |x: &[f64]| x.iter().map(|x| Dual::fixed(*x)).collect::<Vec<_>>();
    let (mut q, v, parameters) = (fixed(&state.q), fixed(&state.v), fixed(&state.parameters));
    q[k] = Dual::new(state.q[k], 1.0);
    let definitions = &mechanism.definitions.values;
    let env = Env { t: Dual::fixed(state.t), q: &q, v: &v, parameters: &parameters, definitions };
    let seen = Seen { mechanism, env };
    let mut sum = [0.0; 2];
    for body in &mechanism.bodies {
        let mass = body.mass.eval_parametric(&state.parameters);
        for (sum, x) in sum.iter_mut().zip(seen.pose(&body.pose).origin) {
            *sum += mass * x.eps;
        }
    }
    sum
}
