//! The return map of small motions near an equilibrium on two contacts: where an angle goes, and by which factor the speed changes, for
//! each contact that may rest when the other one comes down.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::fault::PlotFault;
use super::panel::{LEFT, LOWER, Panel, VERTICAL, label_width, ticks};
use super::request::StatePlot;
use super::scale::{Range, Scale};
use super::style::{Colour, DATA, HAIR, SMALL, TRACKS, WIDTH};
use crate::analysis::several::{LyapunovOutcome, MapPieceOutcome};
use std::f64::consts::PI;

/// Height of a panel.
const HEIGHT: f64 = 150.0;
/// Room between panels.
const GAP: f64 = 22.0;

/// Draws both functions: the angle above, the factor below.
///
/// # Errors
/// [`PlotFault::NoState`] if there is no map.
pub fn returns(title: &str, found: &LyapunovOutcome) -> Result<Picture, PlotFault> {
    let mut names: Vec<&str> = Vec::new();
    for piece in &found.map {
        if !names.contains(&piece.rests.as_str()) {
            names.push(&piece.rests);
        }
    }
    let growths = found.map.iter().flat_map(|piece| &piece.growth).map(|x| x.0).chain([0.0, 1.0]);
    let up = Range::of(growths).ok_or(PlotFault::no_state(StatePlot::Returns))?.padded(0.05);
    if names.is_empty() {
        return Err(PlotFault::no_state(StatePlot::Returns));
    }
    let angles = Range { lo: 0.0, hi: PI };
    let left = [up, angles]
        .map(|range| label_width(&ticks(range, HEIGHT, VERTICAL)))
        .into_iter()
        .fold(0.0, f64::max);
    let (left, top) = (left + LEFT, 24.0);
    let panel = |range: Range, top: f64| Panel {
        x: Scale { data: angles, page: [left, WIDTH - 10.0] },
        y: Scale { data: range, page: [top + HEIGHT, top] },
    };
    let (above, below) = (panel(angles, top), panel(up, top + HEIGHT + GAP));
    let mut canvas = Canvas::new([WIDTH, top + 2.0 * HEIGHT + GAP + LOWER], title);
    legend(&mut canvas, left, &names);
    // the diagonal and the factor one
    let guide = Look::line(Colour::GREY, HAIR).dashed("3 2");
    canvas.line(above.at([0.0, 0.0]), above.at([PI, PI]), guide);
    canvas.line(below.at([0.0, 1.0]), below.at([PI, 1.0]), guide);
    for piece in &found.map {
        let colour = colour(&names, &piece.rests);
        curve(
            &mut canvas,
            &above,
            piece,
            (&piece.to_angle, colour, names.first() != piece.to.as_deref().as_ref()),
        );
        curve(&mut canvas, &below, piece, (&piece.growth, colour, false));
        at_rest(&mut canvas, &below, piece, colour);
    }
    for (panel, name, lower) in
        [(&above, "angle after", None), (&below, "factor of speed", Some("angle before, rad"))]
    {
        panel.frame(&mut canvas);
        panel.left_axis(&mut canvas, name);
        panel.lower_axis(&mut canvas, lower);
    }
    Ok(canvas.finish())
}

fn colour(names: &[&str], name: &str) -> Colour {
    let place = names.iter().position(|known| *known == name).unwrap_or(0);
    TRACKS[(place + 1) % TRACKS.len()]
}

/// The curve of a piece; of angles, dashed where the second contact rests after it.
fn curve(
    canvas: &mut Canvas,
    panel: &Panel,
    piece: &MapPieceOutcome,
    (values, colour, dashed): (&[crate::num::Number], Colour, bool),
) {
    if values.len() != piece.angle.len() {
        return;
    }
    let points: Vec<_> = piece.angle.iter().zip(values).map(|(x, y)| panel.at([x.0, y.0])).collect();
    let look = Look::line(colour, DATA);
    canvas.path(&points, if dashed { look.dashed("4 2") } else { look });
}

/// Motions that end at rest: a thick line at zero.
fn at_rest(canvas: &mut Canvas, panel: &Panel, piece: &MapPieceOutcome, colour: Colour) {
    if let (true, Some(low), Some(high)) = (piece.ends, piece.angle.first(), piece.angle.last()) {
        canvas.line(panel.at([low.0, 0.0]), panel.at([high.0, 0.0]), Look::line(colour, 2.0 * DATA));
    }
}

fn legend(canvas: &mut Canvas, left: f64, names: &[&str]) {
    let mut x = left;
    for name in names {
        let colour = colour(names, name);
        let words = format!("{name} rests");
        canvas.line([x, 12.0], [x + 14.0, 12.0], Look::line(colour, DATA));
        x += 18.0 + canvas.say(&words, [x + 18.0, 12.0 + SMALL * 0.35], SMALL) + 10.0;
    }
}
