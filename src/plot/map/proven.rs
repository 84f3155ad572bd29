//! What is proven of a map: its regions in their colours, and a strip where nothing is.

use super::frame::Frame;
use super::{colour, fill};
use crate::analysis::map::{Certified, Class};
use crate::plot::canvas::Canvas;
use crate::plot::style::Colour;
use crate::plot::tiles::tiles;
use std::collections::BTreeMap;

/// Tiles to each side of the panel: what is narrower than one is drawn as one.
const TILES: usize = 512;
/// Ends of parts that lie on the ends of tiles to rounding, in tiles.
const ON: f64 = 1.0 / 1024.0;

/// Where nothing is proven.
pub(super) const STRIP: Colour = Colour::INK;

/// Proven regions of words, and over everything the strip.
pub(super) fn regions(canvas: &mut Canvas, frame: &Frame<'_>, certified: &Certified) {
    let (grid, [left, top], [width, height]) = (raster(frame, certified), frame.corner(), frame.size());
    let class = |i: usize, j: usize| Some(grid[j * TILES + i]);
    let mut outlines: BTreeMap<Option<Class>, Vec<Vec<[f64; 2]>>> = BTreeMap::new();
    for tile in tiles([TILES; 2], class) {
        let x = tile.x.map(|i| left + width * i as f64 / TILES as f64);
        let y = tile.y.map(|j| top + height - height * j as f64 / TILES as f64);
        let corners = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]];
        outlines.entry(tile.class).or_default().push(corners.to_vec());
    }
    // the strip last: none of it may be covered
    for (class, outlines) in outlines.iter().rev() {
        let colour = class.map_or(Some(STRIP), colour);
        colour.into_iter().for_each(|colour| fill(canvas, colour, outlines));
    }
}

/// Of each tile the class that is proven of all of it, row by row from the lowest.
fn raster(frame: &Frame<'_>, certified: &Certified) -> Vec<Option<Class>> {
    let ([left, top], [width, height]) = (frame.corner(), frame.size());
    let mut grid: Vec<Option<Option<Class>>> = vec![None; TILES * TILES];
    for part in &certified.rectangles {
        let [lower, upper] = [0, 1].map(|k| {
            let [x, y] = frame.at(part.ends.map(|ends| ends[k]));
            [(x - left) / width, (top + height - y) / height].map(|share| share * TILES as f64)
        });
        let [x, y] = [0, 1].map(|k| {
            let first = (lower[k] + ON).floor().max(0.0) as usize;
            first..((upper[k] - ON).ceil().max(0.0) as usize).max(first + 1).min(TILES)
        });
        for j in y {
            for tile in &mut grid[j * TILES..][x.clone()] {
                *tile = match *tile {
                    Some(known) if known != part.class => Some(None),
                    _ => Some(part.class),
                };
            }
        }
    }
    grid.into_iter().map(Option::flatten).collect()
}
