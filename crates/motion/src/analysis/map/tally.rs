//! What is said of all points of a map, whether or not they are kept.

use super::Point;
use super::cell::Cell;
use std::collections::BTreeMap;

/// How many points have which word, and between which ends numbers lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// Points.
    pub points: u64,
    /// Points of each word.
    pub words: BTreeMap<&'static str, u64>,
    /// The least and the largest number, if there is any.
    pub ends: Option<[f64; 2]>,
    /// Points where nothing is said.
    pub undefined: u64,
    /// The first of them.
    pub first_undefined: Option<Point>,
    /// How many of them are so for which reason, of motions.
    pub lacks: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Of no points.
    pub const NONE: Self = Self {
        points: 0,
        words: BTreeMap::new(),
        ends: None,
        undefined: 0,
        first_undefined: None,
        lacks: BTreeMap::new(),
    };

    /// Takes a point into account.
    pub fn include(&mut self, point: Point, cell: &Cell) {
        self.points += 1;
        match cell {
            Cell::Word(word) => *self.words.entry(word).or_default() += 1,
            Cell::Number(x) => {
                let [lo, hi] = self.ends.unwrap_or([x.0; 2]);
                self.ends = Some([lo.min(x.0), hi.max(x.0)]);
            }
            Cell::Undefined | Cell::Lacking(_) => {
                self.undefined += 1;
                self.first_undefined = self.first_undefined.or(Some(point));
                if let Cell::Lacking(lack) = cell {
                    *self.lacks.entry(lack.name()).or_default() += 1;
                }
            }
        }
    }
}
