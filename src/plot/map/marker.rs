//! The state in the map around it: a dot in the colour of what is shown there, lines from it to the axes, and a word.

use super::frame::Frame;
use crate::analysis::map::{Class, MapOutcome};
use crate::plot::canvas::{Canvas, Look};
use crate::plot::labels::{Label, Places};
use crate::plot::style::{Colour, HAIR, SMALL, region_ink};

/// Radius of the dot.
const RADIUS: f64 = 4.0;

/// Marks a point.
pub(super) fn mark(canvas: &mut Canvas, frame: &Frame<'_>, map: &MapOutcome, at: [f64; 2]) {
    let ([left, top], [width, height]) = (frame.corner(), frame.size());
    let dot = frame.at(at);
    let mut places = Places::new([left, top], [left + width, top + height]);
    places.take(dot, [RADIUS + 1.0; 2]);
    for line in map.boundaries.iter().flat_map(|boundary| &boundary.lines) {
        places.avoid(&line.iter().map(|p| frame.at(p.map(|x| x.0))).collect::<Vec<_>>());
    }
    for foot in [[left, dot[1]], [dot[0], top + height]] {
        canvas.line(foot, dot, Look::line(Colour::INK, HAIR).dashed("2 2"));
        places.avoid(&[foot, dot]);
    }
    let colour = match map.shown(at) {
        Some(Class::Word(word)) => region_ink(word),
        Some(Class::Undefined | Class::Above(_)) | None => Colour::GREY,
    };
    canvas.circle(dot, RADIUS, Look::line(Colour::PAPER, 1.2).with_fill(colour));
    // away from the nearer side, so that the word is not beyond it
    let right = if dot[0] > left + 0.5 * width { -1.0 } else { 1.0 };
    let label = Label { words: "this state", size: SMALL, colour: Colour::INK };
    places.write(canvas, label, dot, [right, 0.0]);
}
