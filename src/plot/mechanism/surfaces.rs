//! Surfaces on the page: hatched lines in the plane, patches with a grid in space.

use super::place::times;
use super::scenery::Flat;
use super::view::View;
use crate::plot::canvas::{Canvas, Look};
use crate::plot::panel::Panel;
use crate::plot::style::{BAND, Colour, HAIR};

/// Distance and length of the hatches of a surface.
const HATCH: f64 = 6.0;

/// More hatches than this are no help.
const MOST_HATCHES: f64 = 400.0;

/// What surfaces are drawn on.
#[derive(Clone, Copy)]
pub(in crate::plot) struct Sheet<'a> {
    pub(in crate::plot) panel: &'a Panel,
    pub(in crate::plot) view: &'a View,
}

/// A line along a surface, between two distances from its point, with hatches on its inner side.
pub(in crate::plot) fn hatched_line(
    canvas: &mut Canvas,
    Sheet { panel, view }: Sheet,
    flat: &Flat,
    [from, to]: [f64; 2],
    colour: Colour,
) {
    let place = |s: f64| panel.at(view.of(flat.place(s, 0.0)));
    let (start, end) = (place(from), place(to));
    canvas.line(start, end, Look::line(colour, 1.0));
    let length = (end[0] - start[0]).hypot(end[1] - start[1]);
    let along = [0, 1].map(|k| (end[k] - start[k]) / length);
    // y is down on the page
    let [right, up] = view.of(times(flat.normal, -1.0));
    let slant = [0, 1].map(|k| ([right, -up][k] - along[k]) * HATCH / 2.0_f64.sqrt());
    let mut hatches = Vec::new();
    for k in 1..=((length / HATCH).floor().min(MOST_HATCHES)) as usize {
        let [x, y] = [0, 1].map(|c| start[c] + k as f64 * HATCH * along[c]);
        hatches.extend([[x, y], [x + slant[0], y + slant[1]], [f64::NAN; 2]]);
    }
    canvas.path(&hatches, Look::line(colour, HAIR));
}

/// A patch of a plane in space between distances from its point, with lines along its directions some `step` apart.
pub(in crate::plot) fn grid(
    canvas: &mut Canvas,
    Sheet { panel, view }: Sheet,
    flat: &Flat,
    ([[s0, s1], [t0, t1]], step): ([[f64; 2]; 2], f64),
    colour: Colour,
) {
    let at = |s: f64, t: f64| panel.at(view.of(flat.place(s, t)));
    let look = Look::filled(Colour::PALE).at_opacity(BAND);
    canvas.polygon(&[at(s0, t0), at(s1, t0), at(s1, t1), at(s0, t1)], look);
    let lines = |lo: f64, hi: f64| {
        let count = ((hi - lo) / step).floor().min(MOST_HATCHES) as usize;
        (0..=count).map(move |k| lo + (hi - lo) * k as f64 / count.max(1) as f64)
    };
    let look = Look::line(colour, HAIR * 0.7).at_opacity(0.6);
    lines(s0, s1).for_each(|s| canvas.line(at(s, t0), at(s, t1), look));
    lines(t0, t1).for_each(|t| canvas.line(at(s0, t), at(s1, t), look));
}
