//! Surfaces of a motion: across the panel where they stand still, as far as the contact goes where they move.

use super::draw::Scene;
use crate::format::Space;
use crate::plot::canvas::{Canvas, Look};
use crate::plot::mechanism::scenery::Flat;
use crate::plot::mechanism::surfaces::{Sheet, grid, hatched_line};
use crate::plot::panel::Panel;
use crate::plot::scale::Range;
use crate::plot::style::Colour;

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
                let ends = [centre - half, centre + half];
                hatched_line(canvas, self.sheet(panel), flat, ends, Colour::GREY);
            }
            Space::Space => self.patch_with_grid(canvas, panel, flat, Colour::GREY),
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
                    hatched_line(canvas, self.sheet(panel), flat, ends, colour);
                } else {
                    let [from, to] = ends.map(|s| panel.at(self.view.of(flat.place(s, 0.0))));
                    canvas.line(from, to, Look::line(colour, 1.0));
                }
            }
            Space::Space => self.patch_with_grid(canvas, panel, flat, colour),
        }
    }

    fn sheet<'a>(&'a self, panel: &'a Panel) -> Sheet<'a> {
        Sheet { panel, view: &self.view }
    }

    fn patch_with_grid(&self, canvas: &mut Canvas, panel: &Panel, flat: &Flat, colour: Colour) {
        grid(canvas, self.sheet(panel), flat, (self.patch(flat), self.margin() / 2.0), colour);
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
}
