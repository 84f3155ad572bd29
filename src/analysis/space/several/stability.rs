//! Normal stability of a word.

use super::judge::Solved;
use super::system::System;
use crate::analysis::planar::Stability;
use crate::analysis::space::SpaceWord;
use crate::num::Tol;

/// Under normal compliance Y″ = P (K Y + …), P the gains of the normal forces with the sticking tangents held: symmetric and positive
/// semidefinite if nothing slips, and with a real positive eigenvalue for every stiffness if det P < 0   [CV16 section 6.2].
pub(super) fn stability(system: &System, word: &[SpaceWord], solved: &Solved, tol: &Tol) -> Stability {
    let pressed: Vec<usize> = (0..word.len()).filter(|&i| word[i] != SpaceWord::Free).collect();
    if pressed.iter().all(|&i| word[i] == SpaceWord::Stick || system.mu[i] <= 0.0) {
        return Stability::Stable;
    }
    if pressed.iter().any(|&i| word[i] == SpaceWord::Slip && system.mu[i].is_infinite()) {
        return Stability::Undecided;
    }
    let tangents: Vec<usize> = pressed
        .iter()
        .filter(|&&i| word[i] == SpaceWord::Stick)
        .flat_map(|&i| [3 * i + 1, 3 * i + 2])
        .collect();
    let tangents = system.span(&tangents, tol);
    let gain = |row: usize, i: usize| {
        let (s, c) = solved.directions[i].unwrap_or_default().sin_cos();
        let mu = if word[i] == SpaceWord::Slip { system.mu[i] } else { 0.0 };
        system.D[row][3 * i] - mu * (c * system.D[row][3 * i + 1] + s * system.D[row][3 * i + 2])
    };
    let (n, m) = (pressed.len(), tangents.len());
    let held = nalgebra::DMatrix::from_fn(m, m, |i, j| system.D[tangents[i]][tangents[j]]);
    let right = nalgebra::DMatrix::from_fn(m, n, |i, j| gain(tangents[i], pressed[j]));
    let Some(kept) = held.cholesky().map(|factor| factor.solve(&right)) else { return Stability::Undecided };
    let P = nalgebra::DMatrix::from_fn(n, n, |i, j| {
        let back: f64 = (0..m).map(|k| system.D[3 * pressed[i]][tangents[k]] * kept[(k, j)]).sum();
        gain(3 * pressed[i], pressed[j]) - back
    });
    let scale: f64 = (0..n).map(|i| P.row(i).norm()).product();
    let det = P.determinant();
    if det < -tol.marginal * scale {
        Stability::Unstable
    } else if n == 1 && det > tol.marginal * scale {
        Stability::Stable
    } else {
        Stability::Undecided
    }
}
