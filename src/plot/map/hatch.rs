//! Hatching where nothing is said, in words or in numbers.

use super::frame::Frame;
use crate::analysis::map::{Class, MapOutcome, holds};
use crate::plot::canvas::{Canvas, Look};
use crate::plot::style::{Colour, HAIR};

/// Distance of the lines to the right, and of the points on them that are looked at.
const APART: f64 = 6.0;
const STEP: f64 = 0.5;

/// Most pieces of squares that are looked through for each point.
const PIECES: usize = 4000;

/// Lines rising to the right over all that is undefined.
pub(super) fn undefined(canvas: &mut Canvas, frame: &Frame<'_>, map: &MapOutcome) {
    if map.missing.count == 0 {
        return;
    }
    let here = Undefined::new(frame, map);
    let ([left, top], [width, height]) = (frame.corner(), frame.size());
    let mut points = Vec::new();
    let lines = ((width + height) / APART) as usize;
    for k in 0..=lines {
        let start = k as f64 * APART - height;
        let mut run: Option<[[f64; 2]; 2]> = None;
        for n in 0..=(height / STEP) as usize {
            let rise = n as f64 * STEP;
            let [x, y] = [start + rise, height - rise];
            let inside = (0.0..=width).contains(&x) && here.at([x / width, rise / height]);
            let place = [left + x, top + y];
            run = match (run, inside) {
                (Some([from, _]), true) => Some([from, place]),
                (None, true) => Some([place, place]),
                (Some([from, to]), false) => {
                    points.extend([from, to, [f64::NAN; 2]]);
                    None
                }
                (None, false) => None,
            };
        }
        points.extend(run.into_iter().flat_map(|[from, to]| [from, to, [f64::NAN; 2]]));
    }
    canvas.path(&points, Look::line(Colour::GREY, HAIR));
}

/// Where nothing is said, by shares of the panel from its lower left corner.
struct Undefined<'m> {
    map: &'m MapOutcome,
    /// Pieces of squares where nothing is said, if they are few.
    pieces: Option<Vec<Vec<[f64; 2]>>>,
}

impl<'m> Undefined<'m> {
    fn new(frame: &Frame<'_>, map: &'m MapOutcome) -> Self {
        let ([left, top], [width, height]) = (frame.corner(), frame.size());
        let share = |point: &[f64; 2]| {
            let [x, y] = frame.at(*point);
            [(x - left) / width, (top + height - y) / height]
        };
        let found = map.patches.iter().filter(|patch| patch.class == Class::Undefined);
        let pieces: Vec<Vec<_>> = found.map(|patch| patch.corners.iter().map(share).collect()).collect();
        Self { map, pieces: Some(pieces).filter(|all| all.len() < PIECES) }
    }

    fn at(&self, share: [f64; 2]) -> bool {
        let counts = [self.map.x.values.len(), self.map.cells.len()];
        let place: [f64; 2] = std::array::from_fn(|k| share[k] * (counts[k] - 1) as f64);
        let class = |[i, j]: [usize; 2]| {
            self.map.cells[j.min(counts[1] - 1)][i.min(counts[0] - 1)].class(&[]) == Class::Undefined
        };
        let [i, j] = place.map(|x| x.floor().max(0.0) as usize);
        let corners = [[i, j], [i + 1, j], [i, j + 1], [i + 1, j + 1]].map(class);
        match &self.pieces {
            _ if corners.iter().all(|inside| *inside) => true,
            _ if corners.iter().all(|inside| !inside) => false,
            // shades are those of the nearest point
            Some(pieces) if self.map.tally.ends.is_none() => pieces.iter().any(|piece| holds(piece, share)),
            _ => class(place.map(|x| x.round().max(0.0) as usize)),
        }
    }
}
