//! Directions cut into cells, and where each is carried: a graph whose cycles bound the growth along all motions.

use super::doubt::Doubt;
use super::follow::{End, Motions};
use super::joint::MOST_OUTCOMES;
use super::nearby::length;
use super::pieces::{Piece, Returned};
use std::f64::consts::PI;

/// Widest cell.
const WIDEST: f64 = PI / 40.0;
/// Width of a cell relative to its distance from the level directions, of which the map is a multiple there.
const SLIM: f64 = 0.5;
/// Factor of the distance in one return beyond which a motion counts as leaving at once.
const FAR: f64 = 1000.0;
/// Relative positions at which a cell is looked at.
const LOOKS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Slope of the potential below.
const LEAN: f64 = 0.05;
/// Distance from a level direction at which the potential ends.
const REACH: f64 = 0.3;

/// A function of the direction that is added to the logarithm of speed: no sum along a period changes, but cells near a level
/// direction, which overlap their images, lose where their directions approach it or leave it at a constant factor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Potential {
    /// Slopes over the logarithm of the distance, at angle 0 and π.
    slopes: [f64; 2],
    /// Distance below which everything is taken together.
    end: f64,
}

impl Potential {
    fn at(&self, angle: f64) -> f64 {
        let part = |slope: f64, distance: f64| slope * distance.clamp(self.end, REACH).ln();
        part(self.slopes[0], angle) + part(self.slopes[1], PI - angle)
    }
}

/// Directions with the same phases, next to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) rests: usize,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Where they go, with each of the impulses that satisfy the impact law.
    pub(super) goes: [Goes; MOST_OUTCOMES],
}

/// Where the directions of a cell go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goes {
    /// Into these angles, growing at most by this logarithm.
    To {
        rests: usize,
        low: f64,
        high: f64,
        growth: f64,
    },
    /// Away from a level direction, into both sections, at these distances from it.
    Leaves {
        end: Level,
        low: f64,
        high: f64,
    },
    Rests,
    Doubtful(Doubt),
}

/// A direction in which both slide: angle 0 or π.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Along,
    Against,
}

impl Level {
    fn angle(self, distance: f64) -> f64 {
        match self {
            Self::Along => distance,
            Self::Against => PI - distance,
        }
    }

    fn way(self) -> f64 {
        match self {
            Self::Along => 1.0,
            Self::Against => -1.0,
        }
    }

    fn distance(self, angle: f64) -> f64 {
        match self {
            Self::Along => angle,
            Self::Against => PI - angle,
        }
    }

    /// Angles at distances, in order.
    pub(super) fn angles(self, near: f64, far: f64) -> (f64, f64) {
        match self {
            Self::Along => (near, far),
            Self::Against => (PI - far, PI - near),
        }
    }
}

impl Motions {
    /// A cell of given angles.
    pub(super) fn cell(&self, potential: &Potential, rests: usize, low: f64, high: f64) -> Cell {
        let mut goes = [Goes::Rests; MOST_OUTCOMES];
        let count = self.chosen(rests, 0.5 * (low + high), 0).1.max(1);
        for (choice, goes) in goes.iter_mut().enumerate().take(count) {
            *goes = self.carried(potential, (rests, low, high), choice);
        }
        Cell { rests, low, high, goes }
    }

    fn carried(&self, potential: &Potential, (rests, low, high): (usize, f64, f64), choice: usize) -> Goes {
        let (mut angles, mut growths) = ([0.0; LOOKS.len()], [0.0; LOOKS.len()]);
        let mut section = None;
        for (k, share) in LOOKS.into_iter().enumerate() {
            let from = low + share * (high - low);
            match self.chosen(rests, from, choice).0 {
                Returned::To { rests, angle, growth, .. } => {
                    (angles[k], growths[k]) = (angle, growth + potential.at(angle) - potential.at(from));
                    section = Some(rests);
                }
                Returned::Rests => {}
                Returned::Doubtful(doubt) => return Goes::Doubtful(doubt),
            }
        }
        let Some(rests) = section else { return Goes::Rests };
        let (low, high) = bounds(&angles);
        Goes::To { rests, low: low.max(0.0), high: high.min(PI), growth: bounds(&growths).1 }
    }

    /// The cells of all pieces, and of the neighbourhoods of the level directions.
    pub(super) fn cells(&self, potential: &Potential, pieces: &[Piece]) -> Vec<Cell> {
        let mut found = Vec::new();
        for piece in pieces {
            if piece.low >= piece.high {
                found.push(self.cell(potential, piece.rests, piece.low, piece.high));
                continue;
            }
            let (mut low, last) = (piece.low.max(self.tol.level), piece.high.min(PI - self.tol.level));
            while low < last {
                let distance = low.min(PI - low).max(self.tol.level);
                let high = (low + WIDEST.min(SLIM * distance)).min(last);
                let high = if last - high < 0.1 * (high - low) { last } else { high };
                found.push(self.cell(potential, piece.rests, low, high));
                low = high;
            }
        }
        if self.nearby.rank > 2 {
            [Level::Along, Level::Against]
                .into_iter()
                .for_each(|end| found.extend(self.near(potential, end)));
        }
        found
    }

    /// The neighbourhoods of a level direction in both sections. Where motions stay there, stamping from one contact to the other, the
    /// closing speed is multiplied by a constant at each impact, and the other one hardly changes: the sums are closed. They end in
    /// sliding on both, or leave.
    fn near(&self, potential: &Potential, end: Level) -> [Cell; 2] {
        let ratios = [0, 1].map(|rests| self.ratio(rests, end));
        [0, 1].map(|rests| {
            let (low, high) = end.angles(0.0, self.tol.level);
            let (inner, outer) = end.angles(self.tol.level / FAR, self.tol.level);
            let cell = Cell { low, high, ..self.cell(potential, rests, inner, outer) };
            match round(&ratios, rests) {
                None => Cell { goes: cell.goes.map(|goes| widened(goes, self.tol.level)), ..cell },
                Some((factor, farthest)) => {
                    let goes = match factor {
                        _ if (factor - 1.0).abs() <= self.tol.marginal.sqrt() => {
                            Goes::Doubtful(Doubt::SlidingBorder)
                        }
                        _ if factor < 1.0 => self.ends_in_sliding(end),
                        _ => Goes::Leaves { end, low: self.tol.level, high: self.tol.level * farthest },
                    };
                    Cell { goes: [goes, Goes::Rests, Goes::Rests, Goes::Rests], ..cell }
                }
            }
        })
    }

    /// The potential that tells near a level direction.
    pub(super) fn potential(&self) -> Potential {
        let slope = |end: Level| {
            let ratios = [0, 1].map(|rests| self.ratio(rests, end));
            match round(&ratios, 0).or_else(|| round(&ratios, 1)) {
                Some((factor, _)) if factor < 1.0 => LEAN,
                Some(_) => -LEAN,
                None => 0.0,
            }
        };
        Potential {
            slopes: if self.nearby.rank > 2 {
                [slope(Level::Along), slope(Level::Against)]
            } else {
                [0.0; 2]
            },
            end: self.tol.level,
        }
    }

    /// Where the neighbourhood of a level direction goes that stays there, and by which factor the distance changes.
    fn ratio(&self, rests: usize, end: Level) -> Option<(usize, f64)> {
        let Returned::To { rests: to, angle, .. } = self.returned(rests, end.angle(self.tol.level)) else {
            return None;
        };
        let distance = end.distance(angle);
        (distance < FAR * self.tol.level).then_some((to, distance / self.tol.level))
    }

    fn ends_in_sliding(&self, end: Level) -> Goes {
        match self.slide_on(end.way()) {
            End::Rests => Goes::Rests,
            End::Doubtful(doubt) => Goes::Doubtful(doubt),
            End::Strikes { rests, z } => {
                let angle = self.nearby.angle(rests, &z);
                // from the end of the neighbourhood, where the potential is least or largest
                let growth = length(&z).ln() + 2.0 * LEAN * (REACH / self.tol.level).ln();
                Goes::To { rests, low: angle - self.tol.level, high: angle + self.tol.level, growth }
            }
        }
    }
}

/// The factor of a full round near a level direction to which a section leads, and the largest one on the way.
fn round(ratios: &[Option<(usize, f64)>; 2], rests: usize) -> Option<(f64, f64)> {
    let (to, first) = ratios[rests]?;
    if to == rests {
        return Some((first, first.max(1.0)));
    }
    let (back, second) = ratios[to]?;
    let farthest = first.max(second).max(first * second).max(1.0);
    Some(if back == to { (second, farthest) } else { (first * second, farthest) })
}

/// What goes to the very end of a section may go all the way.
fn widened(goes: Goes, end: f64) -> Goes {
    match goes {
        Goes::To { rests, low, high, growth } => {
            let (low, high) = (if low < end { 0.0 } else { low }, if high > PI - end { PI } else { high });
            Goes::To { rests, low, high, growth }
        }
        other => other,
    }
}

/// Least and largest of some looks at a function, with what it may bend between them.
fn bounds(x: &[f64; LOOKS.len()]) -> (f64, f64) {
    let (low, high) =
        x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let bend = x.windows(3).map(|w| (w[1] - 0.5 * (w[0] + w[2])).abs()).fold(0.0, f64::max);
    let steady = x.windows(2).all(|w| w[0] <= w[1]) || x.windows(2).all(|w| w[0] >= w[1]);
    if steady { (low, high) } else { (low - bend, high + bend) }
}
