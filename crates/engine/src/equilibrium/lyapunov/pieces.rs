//! The return map by pieces: angles from which motions pass through the same phases. On a piece the map is analytic; where motions neither
//! stop slipping nor fly on the way it is linear in the velocity, where they end in stick the angle after it is one and the same.

use super::follow::{End, Motions, Path};
use super::nearby::length;
use std::f64::consts::{FRAC_PI_2, PI};

/// Angles of the first look between 0 and π.
const NODES: usize = 64;
/// Halvings of the distance to an end of the interval at which it is looked at, too.
const NEAR_ENDS: i32 = 30;
/// Halvings between two angles with different phases.
const HALVINGS: usize = 60;

/// What a motion does until both contacts are closed again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Returned {
    /// It comes back: which gap rests, the angle, the logarithm of the growth of its speed (in kinetic energy's metric), and the time
    /// it took, for a motion of speed one.
    To { rests: usize, angle: f64, growth: f64, time: f64 },
    /// It ends at rest.
    Rests,
    /// It cannot be said.
    Doubtful(super::doubt::Doubt),
}

/// Angles with the same phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// The gap that rests.
    pub(super) rests: usize,
    /// First angle.
    pub(super) low: f64,
    /// Last angle.
    pub(super) high: f64,
    code: u64,
}

impl Motions {
    /// The return map at an angle.
    pub(super) fn returned(&self, rests: usize, angle: f64) -> Returned {
        self.chosen(rests, angle, 0).0
    }

    /// The same with one of the impulses that satisfy the impact law, and how many there are.
    pub(super) fn chosen(&self, rests: usize, angle: f64, choice: usize) -> (Returned, usize) {
        let path = self.follow(rests, &self.nearby.striking(rests, angle), choice);
        (self.read(&path), path.choices)
    }

    fn read(&self, path: &Path) -> Returned {
        match path.end {
            End::Rests => Returned::Rests,
            End::Doubtful(doubt) => Returned::Doubtful(doubt),
            End::Strikes { rests, z } => Returned::To {
                rests,
                angle: self.nearby.angle(rests, &z),
                growth: length(&z).ln(),
                time: path.time,
            },
        }
    }

    fn code(&self, rests: usize, angle: f64) -> u64 {
        let z = self.nearby.striking(rests, angle);
        let first = self.follow(rests, &z, 0);
        (1..first.choices).fold(first.code, |code, choice| {
            code.wrapping_mul(37).wrapping_add(self.follow(rests, &z, choice).code)
        })
    }

    /// The pieces of a section in order.
    pub(super) fn pieces(&self, rests: usize) -> Vec<Piece> {
        if self.nearby.rank == 2 {
            let code = self.code(rests, FRAC_PI_2);
            return vec![Piece { rests, low: FRAC_PI_2, high: FRAC_PI_2, code }];
        }
        let angles = angles();
        let mut found: Vec<Piece> = Vec::new();
        let mut open = Piece { rests, low: angles[0], high: angles[0], code: self.code(rests, angles[0]) };
        for &angle in &angles[1..] {
            let code = self.code(rests, angle);
            while open.code != code {
                let (last, first) = self.border(rests, (open.high, open.code), angle);
                found.push(Piece { high: last, ..open });
                open = Piece { rests, low: first, high: first, code: self.code(rests, first) };
            }
            open.high = angle;
        }
        found.push(open);
        // where two conditions change at once rounding leaves pieces without width
        found.retain(|piece| piece.high - piece.low > self.tol.sliver);
        found
    }

    /// The last angle with these phases, and the first with others.
    fn border(&self, rests: usize, (mut last, code): (f64, u64), mut first: f64) -> (f64, f64) {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (last + first);
            if middle <= last || middle >= first {
                break;
            }
            if self.code(rests, middle) == code {
                last = middle;
            } else {
                first = middle;
            }
        }
        (last, first)
    }
}

/// Angles between 0 and π, crowded towards both.
fn angles() -> Vec<f64> {
    let inner = (1..NODES).map(|k| PI * k as f64 / NODES as f64);
    let first = PI / NODES as f64;
    let near = |k: i32| first * 0.5_f64.powi(k);
    let mut all: Vec<f64> = inner.chain((1..=NEAR_ENDS).flat_map(|k| [near(k), PI - near(k)])).collect();
    all.sort_by(f64::total_cmp);
    all
}
