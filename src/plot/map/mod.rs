//! A quantity over two ranges: regions of words, or shades of a number about a level, with the boundaries between.

mod frame;
mod hatch;
mod legend;
mod marker;
mod proven;

use super::Picture;
use super::canvas::{Canvas, Look};
use super::fault::PlotFault;
use super::panel::LOWER;
use super::style::{Colour, DATA, HAIR, WIDTH, region_colour};
use super::tiles::{Tile, tiles};
use crate::analysis::map::{Cell, Class, Level, MapOutcome};
use frame::Frame;
use legend::{Legend, Shades};

use std::collections::BTreeMap;

/// Height of the panel, and of that of a map around a state.
const HEIGHT: f64 = 260.0;
const LOW: f64 = 190.0;
/// Most points of each axis whose shades are drawn: more than the panel has dots.
const SHADED: usize = 600;

/// Draws a map.
///
/// # Errors
/// [`PlotFault::NothingMapped`] if no points are kept.
pub fn map(map: &MapOutcome) -> Result<Picture, PlotFault> {
    let title = format!("{}, state {}: {}", map.mechanism, map.state, map.quantity);
    let (mut canvas, frame) = drawn(title, map, HEIGHT)?;
    frame.draw(&mut canvas);
    Ok(canvas.finish())
}

/// Draws a map of words with the state in it to which a point belongs.
///
/// # Errors
/// [`PlotFault::NothingMapped`] if no points are kept.
pub fn map_around(title: &str, map: &MapOutcome, at: [f64; 2]) -> Result<Picture, PlotFault> {
    let (mut canvas, frame) = drawn(title.to_owned(), map, LOW)?;
    frame.draw(&mut canvas);
    marker::mark(&mut canvas, &frame, map, at);
    Ok(canvas.finish())
}

/// A map without its axes.
fn drawn(title: String, map: &MapOutcome, height: f64) -> Result<(Canvas, Frame<'_>), PlotFault> {
    let legend = Legend::of(map).ok_or(PlotFault::NothingMapped)?;
    let frame = Frame::new(map, height, |left| 8.0 + legend.height(left)).ok_or(PlotFault::NothingMapped)?;
    let [left, top] = frame.corner();
    let mut canvas = Canvas::new([WIDTH, top + height + LOWER], title);
    legend.draw(&mut canvas, left);
    canvas.clipped(frame.corner(), frame.size(), |canvas| {
        match (&legend, &map.certified) {
            (Legend::Words(_) | Legend::Nowhere(_), None) => regions(canvas, &frame, map),
            (Legend::Words(_) | Legend::Nowhere(_), Some(_)) => {}
            (Legend::Shades(shades, _), _) => shaded(canvas, &frame, map, shades),
        }
        if let Some(certified) = &map.certified {
            // boundaries lie in the strip of which nothing is proven
            proven::regions(canvas, &frame, certified);
            return;
        }
        hatch::undefined(canvas, &frame, map);
        for boundary in &map.boundaries {
            let look = match boundary.level {
                Level::Edge => Look::line(Colour::GREY, HAIR).dashed("3 2"),
                Level::Number(_) | Level::Words(_) => Look::line(Colour::INK, DATA),
            };
            for line in &boundary.lines {
                let points: Vec<_> = line.iter().map(|p| frame.at(p.map(|x| x.0))).collect();
                canvas.path(&points, look);
            }
        }
    });
    Ok((canvas, frame))
}

/// The colour of a class; what is undefined has one under its hatching.
fn colour(class: Class) -> Option<Colour> {
    match class {
        Class::Word(word) => Some(region_colour(word)),
        Class::Undefined => Some(UNDEFINED),
        Class::Above(_) => None,
    }
}

/// Under the hatching where nothing is said.
const UNDEFINED: Colour = Colour([0xf0, 0xf0, 0xf0]);

/// Outlines of one colour as one path; a hair of the same colour closes what renderers leave between neighbours.
fn fill(canvas: &mut Canvas, colour: Colour, outlines: &[Vec<[f64; 2]>]) {
    let lifted = [f64::NAN; 2];
    let points: Vec<[f64; 2]> = outlines.join(&lifted);
    canvas.path(&points, Look::line(colour, HAIR).with_fill(colour));
}

/// Squares of one class as tiles, and the pieces of those that boundaries cross. A square that a boundary's line covers needs no pieces.
fn regions(canvas: &mut Canvas, frame: &Frame, map: &MapOutcome) {
    let covered = frame.steps().iter().all(|step| *step <= 0.5 * DATA);
    let class = |i: usize, j: usize| map.cells[j][i].class(&[]);
    let plain = |i: usize, j: usize| {
        let here = class(i, j);
        let same = [(i + 1, j), (i, j + 1), (i + 1, j + 1)].iter().all(|&(i, j)| class(i, j) == here);
        (same || covered).then_some(here)
    };
    let (nx, ny) = (map.x.values.len(), map.cells.len());
    let mut outlines: BTreeMap<Class, Vec<Vec<[f64; 2]>>> = BTreeMap::new();
    for Tile { class, x, y } in tiles([nx - 1, ny - 1], plain) {
        let corners = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]];
        let point = |[i, j]: [usize; 2]| frame.at([map.x.values[i].0, map.y.values[j].0]);
        outlines.entry(class).or_default().push(corners.map(point).to_vec());
    }
    for patch in map.patches.iter().filter(|_| !covered) {
        let corners = patch.corners.iter().map(|p| frame.at(*p)).collect();
        outlines.entry(patch.class).or_default().push(corners);
    }
    for (class, outlines) in outlines {
        if let Some(colour) = colour(class) {
            fill(canvas, colour, &outlines);
        }
    }
}

/// A rectangle around each point of the grid; neighbours of one shade are one.
fn shaded(canvas: &mut Canvas, frame: &Frame, map: &MapOutcome, shades: &Shades) {
    let chosen = |n: usize| (0..n).step_by(n.div_ceil(SHADED)).collect::<Vec<usize>>();
    let (across, up) = (chosen(map.x.values.len()), chosen(map.cells.len()));
    let borders = |of: &[usize], places: &dyn Fn(usize) -> f64, end: f64| {
        let mut found = vec![places(of[0])];
        found.extend(of.windows(2).map(|pair| 0.5 * (places(pair[0]) + places(pair[1]))));
        found.push(end);
        found
    };
    let point = |i: usize, j: usize| frame.at([map.x.values[i].0, map.y.values[j].0]);
    let [last_x, last_y] = point(map.x.values.len() - 1, map.cells.len() - 1);
    let x = borders(&across, &|i| point(i, 0)[0], last_x);
    let y = borders(&up, &|j| point(0, j)[1], last_y);
    let shade = |i: usize, j: usize| match map.cells[up[j]][across[i]] {
        Cell::Number(x) => Some(shades.step(x.0)),
        Cell::Word(_) | Cell::Undefined | Cell::Lacking(_) => None,
    };
    let mut outlines: BTreeMap<i32, Vec<Vec<[f64; 2]>>> = BTreeMap::new();
    for Tile { class, x: [x0, x1], y: [y0, y1] } in tiles([across.len(), up.len()], shade) {
        let corners = [[x[x0], y[y0]], [x[x1], y[y0]], [x[x1], y[y1]], [x[x0], y[y1]]];
        outlines.entry(class).or_default().push(corners.to_vec());
    }
    for (step, outlines) in outlines {
        fill(canvas, Shades::colour_of(step), &outlines);
    }
}
