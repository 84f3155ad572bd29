//! One box of a search: what is left of it where the equations can hold, and how large φ can be there.
//!
//! On h = 0 the functions φ and L = φ + Σ λᵢ hᵢ are the same for every λ, so that a bound of L over the box is one of φ on
//! the part of the box that counts. λ is chosen at the middle so that ∇L vanishes in the variables that the equations
//! determine: near an optimum the mean value form of L is then good to second order, which that of φ is not.
//! A side along which L is monotone moves to its face for the bound; the box itself may do so only if there are no
//! equations, because one coordinate cannot be moved along h = 0 alone.

use super::landscape::Landscape;
use super::linear::{Basis, Growth, LinearRow};
use crate::num::{Interval, Real};

/// A box that may hold the optimum.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The box.
    pub(super) sides: Vec<Interval>,
    /// φ is at most this in it, where h = 0.
    pub(super) bound: f64,
    /// L at the middle: φ at the point of h = 0 nearby, to first order.
    pub(super) guess: f64,
    /// How much each side matters.
    pub(super) influence: Vec<f64>,
}

/// What is known about a box.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// The equations have no solution in it.
    Empty,
    /// φ ≤ the number in all of it that counts.
    Below(f64),
    /// Undecided.
    Open(Region),
}

/// The values and derivatives at the middle of a box.
struct Middle {
    x: Vec<f64>,
    height: Interval,
    equations: Vec<Interval>,
    gradient: Vec<f64>,
    basis: Option<Basis>,
}

impl Middle {
    fn of<L: Landscape>(landscape: &mut L, sides: &[Interval], widths: &[f64]) -> Self {
        let x: Vec<f64> = sides.iter().map(|side| side.middle()).collect();
        let (height, equations, jacobian, gradient) = at_point(landscape, &x);
        Middle { basis: Basis::new(&jacobian, widths), x, height, equations, gradient }
    }

    /// Weights of φ and the equations in L.
    fn weights(&self) -> Vec<f64> {
        let multipliers = self.basis.as_ref().map(|basis| basis.multipliers(&self.gradient));
        let finite = multipliers.filter(|m| m.iter().all(|x| x.is_finite()));
        let multipliers = finite.unwrap_or_else(|| vec![0.0; self.equations.len()]);
        std::iter::once(1.0).chain(multipliers).collect()
    }
}

/// φ, h, ∂h and ∂φ at a point.
pub(super) fn at_point<L: Landscape>(
    landscape: &mut L,
    x: &[f64],
) -> (Interval, Vec<Interval>, Vec<Vec<f64>>, Vec<f64>) {
    let point: Vec<Interval> = x.iter().map(|&x| Interval { lo: x, hi: x }).collect();
    landscape.enclose(&point);
    let equations = (0..landscape.equations()).map(|i| landscape.equation(i)).collect();
    let height = landscape.height();
    let jacobian = (0..landscape.equations()).map(|i| middles(&row_slopes(landscape, i))).collect();
    let gradient = middles(&landscape.slopes(&unit(landscape.equations() + 1, 0)));
    (height, equations, jacobian, gradient)
}

fn middles(x: &[Interval]) -> Vec<f64> {
    x.iter().map(|x| if x.is_bounded() { x.middle() } else { f64::NAN }).collect()
}

fn unit(n: usize, k: usize) -> Vec<f64> {
    (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect()
}

fn row_slopes<L: Landscape>(landscape: &mut L, i: usize) -> Vec<Interval> {
    landscape.slopes(&unit(landscape.equations() + 1, i + 1))
}

/// Examines boxes against the best value so far.
pub(super) struct Examiner<'l, L> {
    pub(super) landscape: &'l mut L,
    /// Widths of the whole domain.
    pub(super) widths: &'l [f64],
    /// Values up to this do not matter.
    pub(super) threshold: f64,
    /// See [`Tol::search_shrink`](crate::num::Tol).
    pub(super) shrink: f64,
}

impl<L: Landscape> Examiner<'_, L> {
    /// Looks at a box again as long as it shrinks.
    pub(super) fn examine(&mut self, mut sides: Vec<Interval>) -> Found {
        loop {
            let before = sides.clone();
            match self.look(sides) {
                Found::Open(region) if self.shrunk(&before, &region.sides) => sides = region.sides,
                found => return found,
            }
        }
    }

    fn shrunk(&self, before: &[Interval], after: &[Interval]) -> bool {
        before.iter().zip(after).any(|(b, a)| a.width() < self.shrink * b.width())
    }

    fn look(&mut self, mut sides: Vec<Interval>) -> Found {
        self.landscape.enclose(&sides);
        let m = self.landscape.equations();
        if (0..m).any(|i| !self.landscape.equation(i).contains(0.0)) {
            return Found::Empty;
        }
        let natural = self.landscape.height().hi;
        if natural <= self.threshold {
            return Found::Below(natural);
        }
        let slopes: Vec<Vec<Interval>> = (0..m).map(|i| row_slopes(self.landscape, i)).collect();
        let middle = Middle::of(self.landscape, &sides, self.widths);
        let rows: Vec<LinearRow> = middle
            .equations
            .iter()
            .zip(&slopes)
            .map(|(&value, slopes)| LinearRow { value, slopes: slopes.clone() })
            .collect();
        self.landscape.enclose(&sides);
        let level = self.level(&middle);
        if narrow_all(&rows, &middle, &mut sides).is_none() {
            return Found::Empty;
        }
        let bound = self.highest(&level, &sides, &middle).min(natural);
        if bound <= self.threshold {
            return Found::Below(bound);
        }
        let above = Interval::new(self.threshold, f64::INFINITY);
        if level.narrow(above, &mut sides, &middle.x).is_none() {
            return Found::Below(self.threshold);
        }
        if m == 0 {
            self.to_faces(&level, &mut sides);
        }
        let influence = self.influence(&level, &rows, &sides);
        Found::Open(Region { bound, guess: level.value.middle(), influence, sides })
    }

    /// L around the middle; its derivatives are those over the box that was evaluated last.
    fn level(&mut self, middle: &Middle) -> LinearRow {
        let weights = middle.weights();
        let slopes = self.landscape.slopes(&weights);
        let terms = weights[1..].iter().zip(&middle.equations);
        let value = terms.fold(middle.height, |sum, (&w, &h)| sum + Interval::from_f64(w) * h);
        LinearRow { value, slopes }
    }

    /// The largest L over the box: monotone sides at their better faces.
    fn highest(&mut self, level: &LinearRow, sides: &[Interval], middle: &Middle) -> f64 {
        let plain = level.highest(level.value, sides, &middle.x);
        let growth: Vec<Option<Growth>> = (0..sides.len()).map(|j| level.monotone(j)).collect();
        if growth.iter().all(Option::is_none) {
            return plain;
        }
        let place = |j: usize| {
            // the contracted box may have left the middle behind
            growth[j].map_or(Interval::from_f64(middle.x[j]), |growth| growth.face(sides[j]))
        };
        let corner: Vec<Interval> = (0..sides.len()).map(place).collect();
        self.landscape.enclose(&corner);
        let weights = middle.weights();
        let value = (0..self.landscape.equations()).fold(self.landscape.height(), |sum, i| {
            sum + Interval::from_f64(weights[i + 1]) * self.landscape.equation(i)
        });
        level.highest(value, sides, &middle.x)
    }

    fn to_faces(&self, level: &LinearRow, sides: &mut [Interval]) {
        for (j, side) in sides.iter_mut().enumerate() {
            if let Some(growth) = level.monotone(j) {
                *side = growth.face(*side);
            }
        }
    }

    /// Shares of the sides in the spread of L and of each equation; relative widths where that is unknown.
    fn influence(&self, level: &LinearRow, rows: &[LinearRow], sides: &[Interval]) -> Vec<f64> {
        let mut shares = vec![0.0; sides.len()];
        for row in std::iter::once(level).chain(rows) {
            let spread = |j: usize| row.slopes[j].magnitude() * sides[j].width();
            let total: f64 = (0..sides.len()).map(spread).sum();
            for (j, share) in shares.iter_mut().enumerate() {
                *share += if total > 0.0 { spread(j) / total } else { 0.0 };
            }
        }
        let known = shares.iter().all(|x| x.is_finite()) && shares.iter().any(|&x| x > 0.0);
        let relative =
            |(side, &width): (&Interval, &f64)| if width > 0.0 { side.width() / width } else { 0.0 };
        if known { shares } else { sides.iter().zip(self.widths).map(relative).collect() }
    }
}

/// What the linear enclosures of the equations leave of a box.
fn narrow_all(rows: &[LinearRow], middle: &Middle, sides: &mut [Interval]) -> Option<()> {
    let zero = Interval { lo: 0.0, hi: 0.0 };
    rows.iter().try_for_each(|row| row.narrow(zero, sides, &middle.x))?;
    match &middle.basis {
        Some(basis) if rows.len() > 1 => {
            basis.combined(rows).iter().try_for_each(|row| row.narrow(zero, sides, &middle.x))
        }
        _ => Some(()),
    }
}
