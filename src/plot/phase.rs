//! The phase portrait of a coordinate: x against ẋ, with the events.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::curve::{portrait, thinned};
use super::fault::PlotFault;
use super::formula::quantity;
use super::panel::{LOWER, Panel};
use super::scale::Range;
use super::style::{Colour, DATA, HAIR, SMALL, TINY, WIDTH, in_unit};
use crate::simulate::trajectory::{EventKind, Trajectory};

/// Height of the panel, and where it begins.
const HEIGHT: f64 = 250.0;
const TOP: f64 = 22.0;

/// Radius of the mark of an event.
const MARK: f64 = 2.6;

/// Draws a coordinate against its velocity, as mere numbers.
///
/// # Errors
/// [`PlotFault`] if the coordinate does not exist or there are no samples.
pub fn phase(trajectory: &Trajectory, coordinate: &str) -> Result<Picture, PlotFault> {
    phase_in(trajectory, coordinate, |_| None)
}

/// Draws a coordinate against its velocity, in their units by name of the column.
///
/// # Errors
/// As [`phase`].
pub fn phase_in(
    trajectory: &Trajectory,
    coordinate: &str,
    unit: impl Fn(&str) -> Option<String>,
) -> Result<Picture, PlotFault> {
    let named = |column: &str| in_unit(&quantity(column), unit(column).as_deref());
    let velocity = format!("dot({coordinate})");
    if !trajectory.columns.contains(&velocity) {
        let rates = trajectory.columns.iter().filter_map(|c| c.strip_prefix("dot(")?.strip_suffix(')'));
        return Err(PlotFault::unknown("coordinate", coordinate, rates));
    }
    let points = portrait(trajectory, coordinate)?;
    let across = Range::of(points.iter().map(|p| p[0])).ok_or(PlotFault::NoSamples)?.padded(0.05);
    let up = Range::of(points.iter().map(|p| p[1])).ok_or(PlotFault::NoSamples)?.padded(0.05);
    let panel = Panel::beside_axis([0.0, WIDTH - 10.0], [TOP, TOP + HEIGHT], [across, up]);
    let title =
        format!("{}, state {}: phase portrait of {coordinate}", trajectory.mechanism, trajectory.state);
    let mut canvas = Canvas::new([WIDTH, TOP + HEIGHT + LOWER], title);
    draw(&mut canvas, &panel, &points);
    events(&mut canvas, &panel, trajectory, coordinate);
    panel.frame(&mut canvas);
    panel.left_formula(&mut canvas, &named(&velocity));
    panel.lower_formula(&mut canvas, &named(coordinate));
    Ok(canvas.finish())
}

fn draw(canvas: &mut Canvas, panel: &Panel, points: &[[f64; 2]]) {
    canvas.clipped(panel.corner(), panel.size(), |canvas| {
        let (zero_x, zero_y) = (panel.x.at(0.0), panel.y.at(0.0));
        let guide = Look::line(Colour::PALE, HAIR);
        canvas.line([zero_x, panel.y.page[0]], [zero_x, panel.y.page[1]], guide);
        canvas.line([panel.x.page[0], zero_y], [panel.x.page[1], zero_y], guide);
        let line = thinned(points.iter().map(|p| panel.at(*p)).collect());
        canvas.path(&line, Look::line(Colour::BLUE, DATA));
        if let Some(start) = line.iter().find(|p| p[0].is_finite()) {
            canvas.circle(*start, MARK, Look::line(Colour::BLUE, 1.0).with_fill(Colour::PAPER));
        }
    });
}

/// A mark for each event, and a legend of its kinds.
fn events(canvas: &mut Canvas, panel: &Panel, trajectory: &Trajectory, coordinate: &str) {
    let mut kinds: Vec<(EventKind, usize)> = Vec::new();
    let mut drawn: Vec<(EventKind, [i64; 2])> = Vec::new();
    for event in trajectory.events.iter().filter(|e| e.kind != EventKind::End) {
        let Some((x, v)) = event.q.get(coordinate).zip(event.v.get(coordinate)) else { continue };
        let at = panel.at([x.0, v.0]);
        match kinds.iter_mut().find(|(kind, _)| *kind == event.kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((event.kind, 1)),
        }
        let place = (event.kind, at.map(|x| x.round() as i64));
        if !drawn.contains(&place) {
            mark(canvas, at, event.kind);
            drawn.push(place);
        }
    }
    let mut x = panel.corner()[0];
    for (kind, count) in kinds {
        let words = if count > 1 { format!("{} ×{count}", kind.name()) } else { kind.name().to_owned() };
        mark(canvas, [x + MARK, 13.0 - SMALL * 0.35], kind);
        x += 2.0 * MARK + 4.0;
        x += canvas.say(&words, [x, 13.0], TINY) + 8.0;
    }
}

/// A triangle for impacts, a disc for changes of what a closed contact does, a diamond where the theory ends, a ring else.
fn mark(canvas: &mut Canvas, [x, y]: [f64; 2], kind: EventKind) {
    let solid = |colour| Look::line(Colour::PAPER, HAIR).with_fill(colour);
    match kind {
        EventKind::Impact | EventKind::Iwc | EventKind::ChatterEnd => {
            let colour = if kind == EventKind::Iwc { Colour::PURPLE } else { Colour::INK };
            let points = [[x - MARK, y - MARK], [x + MARK, y - MARK], [x, y + MARK]];
            canvas.polygon(&points, solid(colour));
        }
        EventKind::Stick => canvas.circle([x, y], MARK, solid(Colour::GREEN)),
        EventKind::Slip => canvas.circle([x, y], MARK, solid(Colour::BLUE)),
        EventKind::Reversal => canvas.circle([x, y], MARK, solid(Colour::VERMILION)),
        EventKind::Jam | EventKind::NotUnique | EventKind::Inconsistent | EventKind::Indeterminate => {
            let points = [[x - MARK, y], [x, y - MARK], [x + MARK, y], [x, y + MARK]];
            canvas.polygon(&points, solid(Colour::PURPLE));
        }
        EventKind::Touch | EventKind::LiftOff | EventKind::Stop | EventKind::End => {
            let colour = if kind == EventKind::LiftOff { Colour::SKY } else { Colour::INK };
            canvas.circle([x, y], MARK, Look::line(colour, 1.0).with_fill(Colour::PAPER));
        }
    }
}
