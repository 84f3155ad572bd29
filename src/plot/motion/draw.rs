//! The scene on the page: everything is collected as the viewer sees it, then scaled to the page and painted from far to near.

use crate::format::Space;
use crate::num::InOrder;
use crate::plot::canvas::{Anchor, Canvas, Look, Text};
use crate::plot::mechanism::place::{Pose, Vector};
use crate::plot::mechanism::projected::{Projected, Skin, paint, projected};
use crate::plot::mechanism::scenery::Scenery;
use crate::plot::mechanism::shape::Part;
use crate::plot::mechanism::springs::Coil;
use crate::plot::mechanism::view::View;
use crate::plot::panel::{LEFT, LOWER, Panel, VERTICAL, label_width, ticks};
use crate::plot::picture::Picture;
use crate::plot::scale::{Range, Scale};
use crate::plot::style::{Colour, DASHES, DATA, SMALL, TINY, TRACKS, WIDTH, text_width, time_colour};

/// The tallest panel, and the lowest.
const HEIGHT: [f64; 2] = [300.0, 70.0];

/// Where the panel begins.
pub(super) const TOP: f64 = 24.0;

/// What is to be drawn.
pub(super) struct Scene {
    pub(super) view: View,
    pub(super) times: [f64; 2],
    /// Of each time, parts with their nearness.
    pub(super) layers: Vec<Vec<(f64, Projected)>>,
    tracks: Vec<(String, Vec<[f64; 2]>)>,
    pub(super) scenery: Scenery,
}

impl Scene {
    pub(super) fn new(view: View, times: [f64; 2]) -> Self {
        Self { view, times, layers: Vec::new(), tracks: Vec::new(), scenery: Scenery::default() }
    }

    /// What follows belongs to the next time.
    pub(super) fn start_layer(&mut self) {
        self.layers.push(Vec::new());
    }

    fn push(&mut self, nearness: f64, seen: Projected) {
        if let Some(layer) = self.layers.last_mut() {
            layer.push((nearness, seen));
        }
    }

    pub(super) fn body(&mut self, pose: &Pose, parts: &[Part]) {
        let (view, near) = (self.view, self.view.nearness(pose.centre));
        parts.iter().flat_map(|part| projected(&view, pose, part)).for_each(|part| self.push(near, part));
    }

    /// A spring.
    pub(super) fn spring(&mut self, coil: Coil) {
        self.push(coil.nearness, coil.seen);
    }

    /// A disc or ball that turns with no body.
    pub(super) fn loose_round(&mut self, centre: Vector, radius: f64) {
        let (near, seen) = (self.view.nearness(centre), Projected::Round(self.view.of(centre), radius, None));
        self.push(near, seen);
    }

    pub(super) fn tracks(&mut self, tracks: Vec<(String, Vec<Vector>)>) {
        let seen = |points: Vec<Vector>| points.into_iter().map(|p| self.view.of(p)).collect();
        self.tracks = tracks.into_iter().map(|(name, points)| (name, seen(points))).collect();
    }

    pub(super) fn scenery(&mut self, scenery: Scenery) {
        self.scenery = scenery;
    }

    pub(super) fn finish(self, title: String) -> Picture {
        let panel = self.panel();
        let bottom = panel.y.page[0] + if self.view.space == Space::Plane { LOWER } else { 8.0 };
        let mut canvas = Canvas::new([WIDTH, bottom], title);
        canvas.clipped(panel.corner(), panel.size(), |canvas| self.inside(canvas, &panel));
        self.around(&mut canvas, &panel);
        self.legend(&mut canvas, panel.corner()[0]);
        canvas.finish()
    }

    /// Axes of the plane, or of space.
    pub(super) fn around(&self, canvas: &mut Canvas, panel: &Panel) {
        match self.view.space {
            Space::Plane => {
                panel.frame(canvas);
                panel.left_axis(canvas, "y");
                panel.lower_axis(canvas, Some("x"));
            }
            Space::Space => self.triad(canvas, panel),
        }
    }

    /// A panel with the same scale along both axes, in which everything has its place.
    pub(super) fn panel(&self) -> Panel {
        let points = self.extent();
        let ends = |k: usize| Range::ends(points.iter().map(|p| p[k])).unwrap_or(Range { lo: 0.0, hi: 0.0 });
        let (across, up) = (ends(0), ends(1));
        let largest = across.width().max(up.width());
        let least = |range: Range| match range.width() {
            width if largest > 0.0 => range.of_width((width * 1.1).max(largest * 0.16)),
            _ => range.opened(),
        };
        let (across, up) = (least(across), least(up));
        let left = match self.view.space {
            Space::Plane => {
                LEFT + label_width(&ticks(up, HEIGHT[0], VERTICAL)).max(text_width("−0.00", SMALL))
            }
            Space::Space => 8.0,
        };
        let width = WIDTH - left - 10.0;
        let unit = (width / across.width()).min(HEIGHT[0] / up.width());
        let height = (unit * up.width()).max(HEIGHT[1]);
        Panel {
            x: Scale { data: across.of_width(width / unit), page: [left, WIDTH - 10.0] },
            y: Scale { data: up.of_width(height / unit), page: [TOP + height, TOP] },
        }
    }

    /// Points that the panel must contain.
    fn extent(&self) -> Vec<[f64; 2]> {
        let mut points = self.bodies_and_tracks();
        if self.view.space == Space::Space {
            for flat in self.scenery.standing.iter().chain(self.scenery.moving.iter().flatten()) {
                let [across, along] = self.patch(flat);
                let corners = across.iter().flat_map(|s| along.map(|t| self.view.of(flat.place(*s, t))));
                points.extend(corners);
            }
        }
        points
    }

    pub(super) fn bodies_and_tracks(&self) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = self.tracks.iter().flat_map(|(_, track)| track.clone()).collect();
        points.extend(self.layers.iter().flatten().flat_map(|(_, seen)| seen.extent()));
        points
    }

    fn inside(&self, canvas: &mut Canvas, panel: &Panel) {
        for flat in &self.scenery.standing {
            self.standing(canvas, panel, flat);
        }
        let last = self.layers.len().saturating_sub(1).max(1) as f64;
        for (i, layer) in self.layers.iter().enumerate() {
            let colour = time_colour(if self.layers.len() > 1 { i as f64 / last } else { 1.0 });
            for flats in &self.scenery.moving {
                if let Some(flat) = flats.get(i) {
                    self.moving(canvas, panel, flat, (colour, i + 1 == self.layers.len()));
                }
            }
            let mut order: Vec<&(f64, Projected)> = layer.iter().collect();
            order.put_in_order(|a, b| a.0.total_cmp(&b.0));
            order.into_iter().for_each(|(_, seen)| paint(canvas, panel, seen, Skin::line(colour)));
        }
        for (k, (_, track)) in self.tracks.iter().enumerate() {
            let points: Vec<[f64; 2]> = track.iter().map(|p| panel.at(*p)).collect();
            canvas.path(&crate::plot::curve::thinned(points), track_look(k, DATA * 0.7));
        }
    }

    /// The inertial axes, in a corner.
    fn triad(&self, canvas: &mut Canvas, panel: &Panel) {
        let origin = [panel.corner()[0] + 24.0, panel.y.page[0] - 22.0];
        for (k, words) in ["x", "y", "z"].into_iter().enumerate() {
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            let [x, y] = self.view.of(axis);
            let at = |length: f64| [origin[0] + length * x, origin[1] - length * y];
            canvas.line(origin, at(18.0), Look::line(Colour::INK, 0.9));
            let [x, y] = at(24.0);
            let at = [x, y + TINY * 0.35];
            canvas.text(Text { words, at, anchor: Anchor::Middle, size: TINY, colour: Colour::INK });
        }
    }

    /// The first and last time with the shades between them, and the contacts' paths.
    fn legend(&self, canvas: &mut Canvas, left: f64) {
        let baseline = 14.0;
        let mut x = left;
        let first = format!("t = {}", crate::report::significant(self.times[0]));
        x += canvas.say(&first, [x, baseline], SMALL) + 4.0;
        if self.layers.len() > 1 {
            for i in 0..self.layers.len() {
                let colour = time_colour(i as f64 / (self.layers.len() - 1) as f64);
                canvas.rectangle([x, baseline - 7.0], [5.0, 7.0], Look::filled(colour));
                x += 5.0;
            }
            x += 4.0;
            x += canvas.say(&crate::report::significant(self.times[1]), [x, baseline], SMALL) + 4.0;
        }
        x += 8.0;
        for (k, (name, _)) in self.tracks.iter().enumerate() {
            let left = self.tracks.len() - k;
            let more = format!("and {left} more");
            // behind all but the last there must be room to say how many follow
            let behind = if left > 1 { 8.0 + text_width(&more, SMALL) } else { 0.0 };
            if x + 16.0 + text_width(name, SMALL) + behind > WIDTH {
                canvas.say(&more, [x, baseline], SMALL);
                break;
            }
            canvas.line([x, baseline - 3.0], [x + 12.0, baseline - 3.0], track_look(k, DATA));
            x += 15.0;
            x += canvas.say(name, [x, baseline], SMALL) + 4.0;
            x += 4.0;
        }
    }
}

/// The line of a contact's path: colours in turn, and other dashes when they begin anew.
fn track_look(k: usize, weight: f64) -> Look {
    let look = Look::line(TRACKS[k % TRACKS.len()], weight);
    match DASHES[k / TRACKS.len() % DASHES.len()] {
        Some(dash) => look.dashed(dash),
        None => look,
    }
}
