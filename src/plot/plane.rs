//! The plane of free accelerations (a, b) of a contact, Fig. 9 of \[CV16\]: which motions are consistent in each of its sectors for the
//! present slip, the cone in which the contact sticks at rest, and the state.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::formula::formula_width;
use super::labels::{Label, Places, half, room};
use super::panel::{LOWER, Panel};
use super::style::{Colour, HAIR, SMALL, TINY, WIDTH, in_unit, verdict_fill, verdict_ink};
use super::wedge::{rim, square, wedge};
use crate::analysis::planar::Sector;
use crate::contact::{Column, Mode};
use crate::predict::{Outcome, Verdict};

/// Height of the panel.
const HEIGHT: f64 = 216.0;
/// The state's distance from the middle, over the half height.
const REACH: f64 = 0.55;

/// What the picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// The sectors for the present slip.
    pub sectors: Vec<Sector>,
    /// The edges of the cone in which the contact sticks at rest.
    pub cone: Option<[f64; 2]>,
    /// Direction of slip.
    pub column: Column,
    /// a and b.
    pub at: [f64; 2],
    /// Unit of accelerations.
    pub unit: Option<String>,
}

/// Draws the plane.
pub fn plane(title: &str, shown: &Plane) -> Picture {
    let [a, b] = shown.at;
    let size = a.abs().max(b.abs());
    let reach = if size > 0.0 && size.is_finite() { size / REACH } else { 1.0 };
    let panel = square(18.0, HEIGHT, reach);
    let mut canvas = Canvas::new([WIDTH, 18.0 + HEIGHT + LOWER], title);
    let [left, _] = panel.corner();
    let [width, height] = panel.size();
    let mut places = Places::new([left, 18.0], [left + width, 18.0 + height]);
    canvas.clipped(panel.corner(), panel.size(), |canvas| {
        for sector in &shown.sectors {
            canvas
                .polygon(&wedge(&panel, sector.from, sector.to), Look::filled(verdict_fill(sector.verdict)));
        }
        lines(canvas, &panel, shown, &mut places);
    });
    let dot = panel.at(shown.at);
    places.take(dot, [5.0, 5.0]);
    for sector in &shown.sectors {
        named(&mut canvas, &panel, sector, &mut places);
    }
    cone_words(&mut canvas, &panel, shown, &mut places);
    let here = shown.sectors.iter().find(|s| s.contains(b.atan2(a)));
    let colour = here.map_or(Colour::INK, |s| verdict_ink(s.verdict));
    canvas.circle(dot, 4.0, Look::line(Colour::PAPER, 1.2).with_fill(colour));
    let away = if b < 0.0 { [0.0, 1.0] } else { [0.0, -1.0] };
    places.write(&mut canvas, Label { words: "this state", size: SMALL, colour: Colour::INK }, dot, away);
    let words = match shown.column {
        Column::I => "slipping forwards, u > 0",
        Column::II => "at rest, u = 0",
        Column::III => "slipping backwards, u < 0",
    };
    canvas.say(words, [left, 12.0], SMALL);
    panel.frame(&mut canvas);
    let unit = shown.unit.as_deref();
    panel.left_axis(&mut canvas, &in_unit("b, free gap acceleration", unit));
    panel.lower_axis(&mut canvas, Some(&in_unit("a, free slip acceleration", unit)));
    canvas.finish()
}

/// Boundaries between different answers, the axes, and the edges of the cone.
fn lines(canvas: &mut Canvas, panel: &Panel, shown: &Plane, places: &mut Places) {
    let origin = panel.at([0.0, 0.0]);
    let across = [panel.at([panel.x.data.lo, 0.0]), panel.at([panel.x.data.hi, 0.0])];
    let up = [panel.at([0.0, panel.y.data.lo]), panel.at([0.0, panel.y.data.hi])];
    for axis in [across, up] {
        canvas.path(&axis, Look::line(Colour::GREY, HAIR));
        places.avoid(&axis);
    }
    if shown.sectors.len() > 1 {
        for sector in &shown.sectors {
            let ray = [origin, panel.at(rim(panel, sector.from))];
            canvas.path(&ray, Look::line(Colour::INK, 0.9));
            places.avoid(&ray);
        }
    }
    for edge in shown.cone.iter().flatten() {
        let ray = [origin, panel.at(rim(panel, *edge))];
        canvas.path(&ray, Look::line(Colour::BROWN, 1.1).dashed("5 2.5"));
        places.avoid(&ray);
    }
}

/// Where it would stick if the slip ended, said where it slips.
fn cone_words(canvas: &mut Canvas, panel: &Panel, shown: &Plane, places: &mut Places) {
    let Some([from, to]) = shown.cone.filter(|_| shown.column != Column::II) else { return };
    let polygon = wedge(panel, from, to);
    let label = Label { words: "sticks if at rest", size: TINY, colour: Colour::BROWN };
    if let Some(centre) = room(&polygon, half(label.words, TINY), places) {
        places.put(canvas, label, centre);
    }
}

/// The motions of a sector, inside it where there is room.
fn named(canvas: &mut Canvas, panel: &Panel, sector: &Sector, places: &mut Places) {
    let colour = verdict_ink(sector.verdict);
    let polygon = wedge(panel, sector.from, sector.to);
    let mut lines = vec![motions(&sector.modes)];
    if sector.resolved.contains(&Outcome::Iwc) {
        let words = if sector.verdict == Verdict::Inconsistent {
            "impact without collision"
        } else {
            "or impact without collision"
        };
        lines.push(words.to_owned());
    }
    if matches!(sector.verdict, Verdict::Marginal | Verdict::Undecided) {
        lines.retain(|_| !sector.modes.is_empty());
        lines.push("on a border".to_owned());
    }
    for size in [SMALL + 0.5, TINY, 6.5] {
        let wide = lines.iter().map(|line| formula_width(line, size)).fold(0.0, f64::max);
        let high = 1.25 * size * lines.len() as f64;
        if let Some([x, y]) = room(&polygon, [0.5 * wide, 0.5 * high], places) {
            for (i, words) in lines.iter().enumerate() {
                let y = y + 1.25 * size * (i as f64 - 0.5 * (lines.len() - 1) as f64);
                places.put(canvas, Label { words, size, colour }, [x, y]);
            }
            return;
        }
    }
    let out = rim(panel, sector.from.midpoint(sector.to));
    let at = panel.at(out.map(|x| 0.8 * x));
    places.write(canvas, Label { words: &lines[0], size: TINY, colour }, at, [0.0, -1.0]);
}

/// Modes in words.
fn motions(modes: &[Mode]) -> String {
    let words: Vec<&str> = modes.iter().map(|mode| mode_words(*mode)).collect();
    match words.split_last() {
        None => "no motion".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} or {last}", first.join(", ")),
    }
}

fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Free => "lift-off",
        Mode::SlipPos => "slip+",
        Mode::SlipNeg => "slip−",
        Mode::Stick => "stick",
    }
}
