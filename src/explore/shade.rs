//! The verdict over two ranges, as letters of a grid. Where the corners of a square of the grid agree, so does what is within it; the others are divided,
//! so that a map of many points costs little more than its boundaries.

use super::engine::{Fault, set};
use super::question::Situation;
use crate::analysis::map::Cell;
use crate::pipeline::{Derived, MapOptions, MapReader, MapStudy};
use serde_json::{Value, json};

/// Points along the side of a square that is looked at first.
const SIDE: usize = 4;

/// Most values on an axis.
const MOST: usize = 1000;

/// The words of a map in the order of their letters, the first of which is that of no value.
const WORDS: [&str; 6] = ["", "consistent", "inconsistent", "indeterminate", "marginal", "undecided"];

/// The map of a situation.
pub(super) fn shade(
    derived: &Derived,
    at: &Situation,
    axes: [(String, f64, f64); 2],
    count: usize,
) -> Result<Value, Fault> {
    if !(2..=MOST).contains(&count) {
        return Err(Fault::Question(format!("a map has from 2 to {MOST} values on an axis, not {count}")));
    }
    let range = |(name, lo, hi): &(String, f64, f64)| format!("{name}={lo:?}:{hi:?}:{count}");
    let varied = |name: &str| axes.iter().any(|axis| axis.0 == name);
    let held =
        Situation { set: at.set.iter().filter(|(name, _)| !varied(name)).cloned().collect(), ..at.clone() };
    let options = MapOptions {
        state: Some(at.state.clone()),
        set: set(&held),
        x: range(&axes[0]),
        y: range(&axes[1]),
        quantity: "verdict".to_string(),
        threads: Some(1),
        ..MapOptions::default()
    };
    let study = MapStudy::new(derived.loaded(), derived.model(), &options)?;
    let mut grid = Grid { count, letters: vec![UNKNOWN; count * count], reader: study.reader() };
    for row in steps(count) {
        for column in steps(count) {
            grid.fill([column, row], [next(column, count), next(row, count)]);
        }
    }
    let letters: String = grid.letters.iter().map(|letter| char::from(b'0' + letter)).collect();
    Ok(json!({ "words": WORDS, "count": count, "letters": letters }))
}

/// What is not known yet.
const UNKNOWN: u8 = u8::MAX;

fn steps(count: usize) -> impl Iterator<Item = usize> {
    (0..count - 1).step_by(SIDE)
}

fn next(at: usize, count: usize) -> usize {
    (at + SIDE).min(count - 1)
}

struct Grid<'m, 'l> {
    count: usize,
    /// Rows from below.
    letters: Vec<u8>,
    reader: MapReader<'m, 'l>,
}

impl Grid<'_, '_> {
    fn letter(&mut self, column: usize, row: usize) -> u8 {
        let place = row * self.count + column;
        if self.letters[place] == UNKNOWN {
            self.letters[place] = match self.reader.cell(column, row) {
                Cell::Word(word) => WORDS.iter().position(|known| *known == word).unwrap_or(0) as u8,
                _ => 0,
            };
        }
        self.letters[place]
    }

    /// A square by two corners.
    fn fill(&mut self, [left, low]: [usize; 2], [right, high]: [usize; 2]) {
        let own = self.letter(left, low);
        let corners = [[right, low], [left, high], [right, high]];
        let agree = corners.into_iter().fold(true, |agree, [c, r]| (self.letter(c, r) == own) && agree);
        if agree {
            for row in low..=high {
                self.letters[row * self.count + left..=row * self.count + right].fill(own);
            }
            return;
        }
        if right - left <= 1 && high - low <= 1 {
            return;
        }
        let (middle, half) = (left.midpoint(right), low.midpoint(high));
        let parts = |from: usize, middle: usize, to: usize| {
            if middle > from { vec![(from, middle), (middle, to)] } else { vec![(from, to)] }
        };
        for (low, high) in parts(low, half, high) {
            for (left, right) in parts(left, middle, right) {
                self.fill([left, low], [right, high]);
            }
        }
    }
}
