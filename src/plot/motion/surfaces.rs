//! Surfaces on the page: hatched lines in the plane, patches with a grid in space.

use super::draw::Scene;
use super::place::times;
use super::scenery::Flat;
use crate::format::Space;
use crate::plot::canvas::{Canvas, Look};
use crate::plot::panel::Panel;
use crate::plot::scale::Range;
use crate::plot::style::{BAND, Colour, HAIR};

/// Distance and length of the hatches of a surface.
const HATCH: f64 = 6.0;

/// More hatches than this are no help.
const MOST_HATCHES: f64 = 400.0;

impl Scene {
    /// A surface that stands still: in the plane hatched across the panel, in space a patch.
    pub(super) fn standing(&self, canvas: &mut Canvas, panel: &Panel, flat: &Flat) {
        match self.view.space {
            Space::Plane => {
                let half = panel.x.data.width().hypot(panel.y.data.width());
                let foot = self.view.of(flat.along[0].0);
                let middle = [panel.x.data.centre(), panel.y.data.centre()];
                let from = self.view.of(flat.point);
                let centre = (0..2).map(|k| (middle[k] - from[k]) * foot[k]).sum::<f64>();
                self.hatched_line(canvas, panel, flat, [centre - half, centre + half], Colour::GREY);
            }
            Space::Space => self.grid(canvas, panel, flat, Colour::GREY),
        }
    }

    /// A surface that moves: as far as the contact goes on it, hatched at the last time.
    pub(super) fn moving(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        flat: &Flat,
        (colour, is_last): (Colour, bool),
    ) {
        match self.view.space {
            Space::Plane => {
                let [lo, hi] = flat.along[0].1;
                let margin = 0.15 * panel.x.data.width().min(panel.y.data.width());
                let ends = [lo - margin, hi + margin];
                if is_last {
                    self.hatched_line(canvas, panel, flat, ends, colour);
                } else {
                    let [from, to] = ends.map(|s| panel.at(self.view.of(flat.place(s, 0.0))));
                    canvas.line(from, to, Look::line(colour, 1.0));
                }
            }
            Space::Space => self.grid(canvas, panel, flat, colour),
        }
    }

    /// A line along a surface, between two distances from its point, with hatches on its inner side.
    fn hatched_line(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        flat: &Flat,
        [from, to]: [f64; 2],
        colour: Colour,
    ) {
        let place = |s: f64| panel.at(self.view.of(flat.place(s, 0.0)));
        let (start, end) = (place(from), place(to));
        canvas.line(start, end, Look::line(colour, 1.0));
        let length = (end[0] - start[0]).hypot(end[1] - start[1]);
        let along = [0, 1].map(|k| (end[k] - start[k]) / length);
        // y is down on the page
        let [right, up] = self.view.of(times(flat.normal, -1.0));
        let slant = [0, 1].map(|k| ([right, -up][k] - along[k]) * HATCH / 2.0_f64.sqrt());
        let mut hatches = Vec::new();
        for k in 1..=((length / HATCH).floor().min(MOST_HATCHES)) as usize {
            let [x, y] = [0, 1].map(|c| start[c] + k as f64 * HATCH * along[c]);
            hatches.extend([[x, y], [x + slant[0], y + slant[1]], [f64::NAN; 2]]);
        }
        canvas.path(&hatches, Look::line(colour, HAIR));
    }

    /// How far a patch of a surface reaches beyond its contact.
    fn margin(&self) -> f64 {
        let points = self.bodies_and_tracks();
        let width = |k: usize| Range::ends(points.iter().map(|p| p[k])).map_or(0.0, Range::width);
        0.15 * width(0).max(width(1))
    }

    /// The corners of a patch of a surface in space.
    pub(super) fn patch(&self, flat: &Flat) -> [[f64; 2]; 2] {
        let margin = self.margin();
        flat.along.map(|(_, [lo, hi])| [lo - margin, hi + margin])
    }

    /// A patch of a plane in space with lines along its directions.
    fn grid(&self, canvas: &mut Canvas, panel: &Panel, flat: &Flat, colour: Colour) {
        let [[s0, s1], [t0, t1]] = self.patch(flat);
        let at = |s: f64, t: f64| panel.at(self.view.of(flat.place(s, t)));
        let look = Look::filled(Colour::PALE).at_opacity(BAND);
        canvas.polygon(&[at(s0, t0), at(s1, t0), at(s1, t1), at(s0, t1)], look);
        let step = self.margin() / 2.0;
        let lines = |lo: f64, hi: f64| {
            let count = ((hi - lo) / step).floor().min(MOST_HATCHES) as usize;
            (0..=count).map(move |k| lo + (hi - lo) * k as f64 / count.max(1) as f64)
        };
        let look = Look::line(colour, HAIR * 0.7).at_opacity(0.6);
        lines(s0, s1).for_each(|s| canvas.line(at(s, t0), at(s, t1), look));
        lines(t0, t1).for_each(|t| canvas.line(at(s0, t), at(s1, t), look));
    }
}
