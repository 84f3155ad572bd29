//! Two sliding contacts   [CV16 6.1]: v̈ = b + P λ_N with P = [p₁ p₂], and the three integers that decide which of the modes
//! FF, SS, SF, FS are consistent.
//!
//! φ₁, φ₂, φ_b are the angles of p₁, p₂ and −b from the first axis: that −b is meant follows from the printed table, which
//! is then reproduced. i₁ is the quadrant of p₁; i₂ the interval that contains φ₂ among those bounded by
//! 0, 90, 180, 270 degrees, φ₁ and φ₁ + 180; i₃ that of φ_b among those bounded by 0, 90, 180, 270, φ₁ and φ₂.

use crate::contact::{Friction, Laws};
use crate::num::{Quantity, Tol};
use crate::predict::{ClosedContact, Consistency, Contacts, Mode, Motion, Sized, Verdict};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// P, b and their code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoContacts {
    /// Gap accelerations per unit normal force, row by row.
    #[serde(rename = "P")]
    pub response: [[Quantity; 2]; 2],
    /// Gap accelerations without contact forces.
    pub b: [Quantity; 2],
    /// i₁ and i₂; undefined on a border.
    pub class: Option<String>,
    /// i₁, i₂ and i₃; undefined on a border.
    pub subclass: Option<String>,
}

impl Contacts {
    /// Of two unilateral contacts that both slide; none otherwise.
    pub fn two_contacts(&self, tol: &Tol) -> Option<TwoContacts> {
        let slides =
            |i: usize| matches!(self.motion(i), Motion::Slipping(_)) && !self.friction(i).is_infinite();
        if self.tangents != 1 || self.len() != 2 || !(0..2).all(|i| slides(i) && self.is_unilateral(i)) {
            return None;
        }
        let unit = |i: usize| self.unit[2 * i];
        // gain is per unit length of the force; a unit of λ_N is what counts
        let slope = |j: usize| {
            let Motion::Slipping([sign, _]) = self.motion(j) else { return 0.0 };
            -sign * self.friction(j).mu()
        };
        let P = |i: usize, j: usize| {
            let own = self.D[(2 * i, 2 * j)] * unit(j);
            let coupled = slope(j) * self.D[(2 * i, 2 * j + 1)] * self.unit[2 * j + 1];
            (unit(i) * (own + coupled), unit(i) * (own.abs() + coupled.abs()))
        };
        let entries = [[P(0, 0), P(0, 1)], [P(1, 0), P(1, 1)]];
        let b = [0, 1].map(|i| (self.c[2 * i] * unit(i), self.sizes[2 * i] * unit(i)));
        let clear = |(value, size): (f64, f64)| value.abs() > tol.marginal * size;
        let value = |x: (f64, f64)| x.0;
        let code = entries
            .iter()
            .flatten()
            .all(|&x| clear(x))
            .then(|| class(entries.map(|row| row.map(value)), tol))
            .flatten();
        let last = code.and_then(|_| {
            b.iter()
                .all(|&x| clear(x))
                .then(|| third(entries.map(|row| row.map(value)), b.map(value), tol))
                .flatten()
        });
        let shown = |(value, size): (f64, f64)| Quantity::of_size(value, size, tol);
        Some(TwoContacts {
            response: entries.map(|row| row.map(shown)),
            b: b.map(shown),
            class: code.map(|[i, j]| format!("{i}{j}")),
            subclass: code.zip(last).map(|([i, j], k)| format!("{i}{j}{k}")),
        })
    }
}

/// Directions of −b with the same i₃.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadSector {
    /// In [0, 2π).
    pub from: f64,
    /// Larger than `from`.
    pub to: f64,
    /// The consistent modes, a letter for each contact: F or S.
    pub modes: Vec<&'static str>,
    /// How many there are.
    pub verdict: Verdict,
}

impl TwoContacts {
    /// The plane of −b in the sectors of i₃, in its order; empty where P is on a border of its classes.
    pub fn load_sectors(&self, tol: &Tol) -> Vec<LoadSector> {
        let P = self.response.map(|row| row.map(|x| x.value));
        if class(P, tol).is_none() {
            return Vec::new();
        }
        let mut bounds = [&AXES[..], &[0, 1].map(|j| angle(P[0][j], P[1][j]))].concat();
        bounds.sort_by(f64::total_cmp);
        let to = |i: usize| bounds.get(i + 1).copied().unwrap_or(TAU);
        let sector = |i: usize| {
            let (from, to) = (bounds[i], to(i));
            let (second, first) = from.midpoint(to).sin_cos();
            let decision = with_response(P, [-first, -second]).decide(tol);
            let holds = decision.modes.iter().filter(|judged| judged.consistency == Consistency::Yes);
            let modes = holds.map(|judged| letters([0, 1].map(|k| judged.modes[k] == Mode::Free))).collect();
            LoadSector { from, to, modes, verdict: decision.verdict }
        };
        (0..bounds.len()).map(sector).collect()
    }
}

fn letters(free: [bool; 2]) -> &'static str {
    match free {
        [true, true] => "FF",
        [true, false] => "FS",
        [false, true] => "SF",
        [false, false] => "SS",
    }
}

/// i₁ and i₂.
pub(super) fn class(P: [[f64; 2]; 2], tol: &Tol) -> Option<[usize; 2]> {
    let [first, second] = [0, 1].map(|j| angle(P[0][j], P[1][j]));
    let quadrant = interval(first, &AXES, tol)?;
    let bounds = [&AXES[..], &[first, (first + PI) % TAU]].concat();
    Some([quadrant, interval(second, &bounds, tol)?])
}

/// i₃.
pub(super) fn third(P: [[f64; 2]; 2], b: [f64; 2], tol: &Tol) -> Option<usize> {
    let [first, second] = [0, 1].map(|j| angle(P[0][j], P[1][j]));
    let bounds = [&AXES[..], &[first, second]].concat();
    interval(angle(-b[0], -b[1]), &bounds, tol)
}

const AXES: [f64; 4] = [0.0, FRAC_PI_2, PI, 3.0 * FRAC_PI_2];

/// From 0 to 2π.
fn angle(x: f64, y: f64) -> f64 {
    let angle = y.atan2(x);
    if angle < 0.0 { angle + TAU } else { angle }
}

/// The number, from 1, of the interval between sorted bounds that contains an angle; none on a bound.
fn interval(angle: f64, bounds: &[f64], tol: &Tol) -> Option<usize> {
    let apart = |bound: &f64| {
        let turn = (angle - bound).rem_euclid(TAU);
        turn.min(TAU - turn) > tol.marginal
    };
    bounds.iter().all(apart).then(|| bounds.iter().filter(|bound| **bound < angle).count())
}

/// Angles in the middle of each of the intervals between bounds, in order.
pub(super) fn middles(bounds: &[f64]) -> Vec<f64> {
    let mut sorted = bounds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let next = |i: usize| sorted.get(i + 1).copied().unwrap_or(TAU);
    (0..sorted.len()).map(|i| 0.5 * (sorted[i] + next(i))).collect()
}

/// Representatives of the 24 classes: P with columns of length one, and −b of length one for each of the six subclasses.
pub fn representatives() -> impl Iterator<Item = ([[f64; 2]; 2], Vec<[f64; 2]>)> {
    let columns = middles(&AXES).into_iter().flat_map(|first| {
        let bounds = [&AXES[..], &[first, (first + PI) % TAU]].concat();
        middles(&bounds).into_iter().map(move |second| (first, second))
    });
    columns.map(|(first, second)| {
        let P = [[first.cos(), second.cos()], [first.sin(), second.sin()]];
        let loads = middles(&[&AXES[..], &[first, second]].concat());
        (P, loads.into_iter().map(|angle| [-angle.cos(), -angle.sin()]).collect())
    })
}

/// Two contacts that slide with μ = 1 and have a given response: C = 1, B = (I − P) and A large enough.
pub fn with_response(P: [[f64; 2]; 2], b: [f64; 2]) -> Contacts {
    let unit = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    let coupling = |i: usize, j: usize| unit(i, j) - P[i][j];
    let norm: f64 = (0..4).map(|k| coupling(k / 2, k % 2).powi(2)).sum();
    let entry = |row: usize, column: usize| {
        let (i, j) = (row / 2, column / 2);
        match (row % 2, column % 2) {
            (0, 0) => unit(i, j),
            (1, 1) => unit(i, j) * (1.0 + norm),
            (0, _) => coupling(i, j),
            _ => coupling(j, i),
        }
    };
    let D: Vec<f64> = (0..16).map(|k| entry(k / 4, k % 4)).collect();
    let c = [b[0], 0.0, b[1], 0.0];
    let laws = Laws { friction: Friction::ONE, ..Laws::default() };
    let closed = vec![ClosedContact { laws, motion: Motion::Slipping([1.0, 0.0]) }; 2];
    Contacts::new(closed, Sized { values: &D, sizes: &[] }, Sized { values: &c, sizes: &[] })
}
