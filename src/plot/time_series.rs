//! Columns of a trajectory over time, a panel each, with the modes of the contacts and the events.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::curve::{column, curve, thinned};
use super::fault::PlotFault;
use super::formula::quantity;
use super::marks::Marks;
use super::modes;
use super::panel::{LEFT, LOWER, Panel, VERTICAL, label_width, ticks};
use super::scale::{Range, Scale};
use super::style::{BAND, Colour, DATA, WIDTH, in_unit};
use crate::simulate::trajectory::Trajectory;

/// Space between panels.
const GAP: f64 = 9.0;

/// Space at the right of a panel.
const RIGHT: f64 = 12.0;

/// Draws columns over time, as mere numbers.
///
/// # Errors
/// [`PlotFault`] if a column does not exist or there are no samples.
pub fn time_series(trajectory: &Trajectory, columns: &[&str]) -> Result<Picture, PlotFault> {
    time_series_in(trajectory, columns, |_| None)
}

/// Draws columns over time, in their units by name of the column.
///
/// # Errors
/// As [`time_series`].
pub fn time_series_in(
    trajectory: &Trajectory,
    columns: &[&str],
    unit: impl Fn(&str) -> Option<String>,
) -> Result<Picture, PlotFault> {
    let named = |column: &str| in_unit(&quantity(column), unit(column).as_deref());
    if columns.is_empty() {
        return Err(PlotFault::Unnamed);
    }
    let curves = columns.iter().map(|name| curve(trajectory, name)).collect::<Result<Vec<_>, _>>()?;
    let time = Range::of(column(trajectory, "t")?).ok_or(PlotFault::NoSamples)?;
    let height = panel_height(columns.len());
    let ranges: Vec<Range> = curves.iter().map(|points| range(points)).collect();
    let labels = ranges.iter().map(|r| label_width(&ticks(*r, height, VERTICAL))).fold(0.0, f64::max);
    let left = (labels + LEFT).max(modes::names_width(trajectory) + 8.0);
    let x = Scale { data: time, page: [left, WIDTH - RIGHT] };
    let marks = Marks::new(trajectory, &x);
    let legend = if modes::contacts(trajectory).is_empty() { 0.0 } else { modes::LEGEND };
    let strips = 6.0 + legend + marks.height() + marks.remainder_height();
    let top = strips + modes::strips_height(trajectory);
    let bottom = top + columns.len() as f64 * (height + GAP) - GAP;
    let title = format!("{}, state {}: {}", trajectory.mechanism, trajectory.state, columns.join(", "));
    let mut canvas = Canvas::new([WIDTH, bottom + LOWER], title);
    if legend > 0.0 {
        let opacity = if modes::strips_height(trajectory) > 0.0 { 1.0 } else { BAND * 1.6 };
        modes::legend(&mut canvas, &[trajectory], [left, legend], opacity);
    }
    modes::strips(&mut canvas, trajectory, &x, strips);
    let panels: Vec<Panel> = (0..columns.len())
        .map(|i| {
            let upper = top + i as f64 * (height + GAP);
            Panel { x, y: Scale { data: ranges[i], page: [upper + height, upper] } }
        })
        .collect();
    panels.iter().for_each(|panel| modes::bands(&mut canvas, trajectory, panel));
    marks.draw(&mut canvas, strips, bottom, WIDTH - RIGHT);
    for (i, (panel, points)) in panels.iter().zip(curves).enumerate() {
        draw(&mut canvas, panel, points);
        panel.left_formula(&mut canvas, &named(columns[i]));
        panel.lower_axis(&mut canvas, (i + 1 == columns.len()).then(|| named("t")).as_deref());
    }
    Ok(canvas.finish())
}

fn panel_height(panels: usize) -> f64 {
    match panels {
        1 => 150.0,
        2 => 110.0,
        _ => 84.0,
    }
}

/// The range of a curve with some room; of one without numbers, anything.
fn range(points: &[[f64; 2]]) -> Range {
    Range::of(points.iter().map(|p| p[1])).unwrap_or(Range { lo: -1.0, hi: 1.0 }).padded(0.06)
}

fn draw(canvas: &mut Canvas, panel: &Panel, points: Vec<[f64; 2]>) {
    let points = thinned(points.into_iter().map(|p| panel.at(p)).collect());
    let look = Look::line(Colour::INK, DATA);
    canvas.clipped(panel.corner(), panel.size(), |canvas| match points[..] {
        [only] => canvas.circle(only, DATA * 1.5, Look::filled(Colour::INK)),
        _ => canvas.path(&points, look),
    });
    panel.frame(canvas);
}
