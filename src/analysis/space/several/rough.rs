//! Ranges of forces where some contacts have infinite friction.

use super::forces::{ForceRange, Program, Ranges, of_cones};
use super::system::System;
use crate::analysis::space::SpaceWord;
use crate::num::Tol;

/// Where some contacts have infinite friction: their tangential forces follow from the others, λ_h = −D_hh⁻¹ (q_h + D_hx λ_x).
pub(super) fn of_rough(system: &System, word: &[SpaceWord], rough: &[usize], tol: &Tol) -> Ranges {
    let Some(smooth) = system.without_tangents(rough, tol) else { return Ranges::Undecided };
    let found = of_cones(&smooth, word, tol);
    let Ranges::Held { room, mut ranges, mut example, unique: determined } = found else { return found };
    let tangents: Vec<usize> = rough.iter().flat_map(|&i| [3 * i + 1, 3 * i + 2]).collect();
    let held = system.span(&tangents, tol);
    let Some(following) = system.reduced(&held) else { return Ranges::Undecided };
    let unique = held.len() == tangents.len();
    let program = Program::new(&smooth, word, tol);
    let most = program.total();
    for (k, &row) in held.iter().enumerate() {
        let offset = -following.force(k, |held| system.free[held]);
        let factor: Vec<f64> = (0..system.free.len())
            .map(|j| if held.contains(&j) { 0.0 } else { -following.force(k, |held| system.D[held][j]) })
            .collect();
        let c = program.functional(&factor);
        let opposite: Vec<f64> = c.iter().map(|x| -x).collect();
        let rounding =
            tol.noise * (offset.abs() + factor.iter().zip(&example).map(|(f, x)| (f * x).abs()).sum::<f64>());
        ranges[row] = if unique {
            ForceRange {
                low: offset + program.bound(&c, most) - rounding,
                high: offset - program.bound(&opposite, most) + rounding,
            }
        } else {
            UNBOUNDED
        };
        example[row] = offset + factor.iter().zip(&example).map(|(f, x)| f * x).sum::<f64>();
    }
    tangents.iter().filter(|row| !held.contains(row)).for_each(|&row| ranges[row] = UNBOUNDED);
    Ranges::Held { room, ranges, example, unique: unique && determined }
}

/// A force that others replace in any amount.
const UNBOUNDED: ForceRange = ForceRange { low: f64::NEG_INFINITY, high: f64::INFINITY };
