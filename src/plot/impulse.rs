//! The path of an impact, Fig. 10 of \[CV16\]: at the left the plane of velocities (u, v) with the regions of velocities before an impact, at
//! the right the plane of impulses (P_T, P_N) with the friction cone, the line on which the contact sticks and that of maximum compression.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::labels::{Label, Places, passage, room};
use super::panel::{LOWER, Panel};
use super::scale::{Range, short};
use super::style::{BAND, Colour, DATA, HAIR, SMALL, TINY, WIDTH, in_unit};
use super::wedge::{rim, wedge};
use crate::analysis::ContactUnitsOutcome;
use crate::contact::{Friction, Mode, Planar};
use crate::impact::{Impact, ImpactRegion};

/// Height of the panels, and where they begin.
const HEIGHT: f64 = 158.0;
const TOP: f64 = 20.0;
const UP: [f64; 2] = [TOP, TOP + HEIGHT];

/// What the picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Impulse {
    /// A, B, C.
    pub planar: Planar,
    /// Friction.
    pub friction: Friction,
    /// The impact.
    pub impact: Impact,
    /// The regions of velocities before it.
    pub regions: Vec<ImpactRegion>,
    /// Units of velocities and impulses.
    pub units: Option<ContactUnitsOutcome>,
}

/// Draws an impact.
pub fn impulse(title: &str, shown: &Impulse) -> Picture {
    let mut canvas = Canvas::new([WIDTH, TOP + HEIGHT + LOWER], title);
    let velocities = shown.velocities();
    let impulses = shown.impulses();
    let around = |points: &[[f64; 2]], k: usize| {
        let range =
            Range::ends(points.iter().map(|p| p[k]).chain([0.0])).unwrap_or(Range { lo: 0.0, hi: 1.0 });
        range.opened().padded(0.22)
    };
    let sizes = |points: &[[f64; 2]]| [around(points, 0), around(points, 1)];
    let [left, right] = [0.0, 0.5 * WIDTH].map(|x| [x, x + 0.5 * WIDTH - 8.0]);
    let plane = Panel::beside_axis(left, UP, balanced(sizes(&velocities)));
    let mut page = places(&plane);
    shown.velocity_plane(&mut canvas, &plane, (&velocities, &mut page));
    frame(&mut canvas, &plane, shown.named(["slip u", "gap rate v"], |units| &units.velocity), "velocities");
    let [across, up] = sizes(&impulses);
    let plane = Panel::beside_axis(right, UP, [across, Range { lo: 0.0, hi: up.hi }]);
    let mut page = places(&plane);
    shown.impulse_plane(&mut canvas, &plane, (&impulses, &mut page));
    frame(&mut canvas, &plane, shown.named(["P_T", "P_N"], |units| &units.impulse), "impulses");
    canvas.finish()
}

/// Neither velocity may be too small beside its axis for the regions to be seen.
fn balanced([u, v]: [Range; 2]) -> [Range; 2] {
    let least = |range: Range| {
        let room = 0.22 * range.width();
        Range { lo: range.lo.min(-room), hi: range.hi.max(room) }
    };
    [least(u), least(v)]
}

/// Labels stay inside a panel.
fn places(panel: &Panel) -> Places {
    let ([left, top], [width, height]) = (panel.corner(), panel.size());
    Places::new([left + 1.0, top + 1.0], [left + width - 1.0, top + height - 1.0])
}

fn frame(canvas: &mut Canvas, panel: &Panel, [across, up]: [String; 2], words: &str) {
    panel.frame(canvas);
    panel.left_formula(canvas, &up);
    panel.lower_formula(canvas, &across);
    canvas.say(words, [panel.corner()[0], 12.0], SMALL);
}

impl Impulse {
    /// Names of two axes with their unit.
    fn named(&self, names: [&str; 2], of: fn(&ContactUnitsOutcome) -> &String) -> [String; 2] {
        let unit = self.units.as_ref().map(|units| of(units).as_str());
        names.map(|name| in_unit(name, unit))
    }

    /// (u, v) at the beginning, at the transition and at the end.
    fn velocities(&self) -> Vec<[f64; 2]> {
        let Impact { pre, first, second, .. } = &self.impact;
        let ends =
            [Some(first), second.as_ref()].into_iter().flatten().map(|phase| [phase.end.u, phase.end.v]);
        std::iter::once([pre.u, pre.v]).chain(ends).collect()
    }

    /// (P_T, P_N) likewise.
    fn impulses(&self) -> Vec<[f64; 2]> {
        let phases = [Some(&self.impact.first), self.impact.second.as_ref()].into_iter().flatten();
        let mut points = vec![[0.0; 2]];
        for phase in phases {
            let last = points[points.len() - 1];
            points.push([last[0] + phase.impulse.T, last[1] + phase.impulse.N]);
        }
        points
    }

    fn velocity_plane(&self, canvas: &mut Canvas, panel: &Panel, (path, places): (&[[f64; 2]], &mut Places)) {
        let mut numbers = Vec::new();
        canvas.clipped(panel.corner(), panel.size(), |canvas| {
            for region in &self.regions {
                let polygon = wedge(panel, region.from, region.to);
                if Some(region.region) == self.impact.region {
                    canvas.polygon(&polygon, Look::filled(Colour::GREEN).at_opacity(0.6 * BAND));
                }
                let ray = [panel.at([0.0, 0.0]), panel.at(rim(panel, region.from))];
                canvas.path(&ray, Look::line(Colour::GREY, HAIR).dashed("2 2"));
                numbers.push((region.region, polygon));
            }
            guide(canvas, panel, [[0.0, panel.y.data.lo], [0.0, panel.y.data.hi]], Guide::Stick, places);
            guide(
                canvas,
                panel,
                [[panel.x.data.lo, 0.0], [panel.x.data.hi, 0.0]],
                Guide::Compression,
                places,
            );
            self.path(canvas, panel, path, places);
        });
        let post = self.impact.post;
        let ends = [
            (path[0], format!("({}, {})", short(path[0][0]), short(path[0][1]))),
            ([post.u, post.v], format!("({}, {})", short(post.u), short(post.v))),
        ];
        for (at, words) in &ends {
            let at = panel.at(*at);
            let up = if words == &ends[1].1 { [0.3, -1.0] } else { [0.0, 1.0] };
            places.write(canvas, Label { words, size: TINY, colour: Colour::BLUE }, at, up);
        }
        for (number, polygon) in numbers {
            let words = &number.to_string();
            let colour = if Some(number) == self.impact.region { Colour::PINE } else { Colour::GREY };
            if let Some(centre) = room(&polygon, [4.0, 4.5], places) {
                places.put(canvas, Label { words, size: SMALL, colour }, centre);
            }
        }
    }

    fn impulse_plane(&self, canvas: &mut Canvas, panel: &Panel, (path, places): (&[[f64; 2]], &mut Places)) {
        let Planar { A: a, B: b, C: c, .. } = self.planar;
        let pre = self.impact.pre;
        canvas.clipped(panel.corner(), panel.size(), |canvas| {
            self.cone(canvas, panel, places);
            guide(canvas, panel, zeros([a, b, pre.u], panel), Guide::Stick, places);
            guide(canvas, panel, zeros([b, c, pre.v], panel), Guide::Compression, places);
            self.path(canvas, panel, path, places);
        });
        let named = |canvas: &mut Canvas, places: &mut Places, (words, colour), line: [[f64; 2]; 2]| {
            if let Some(seen) = inside(line, panel) {
                places.write_along(canvas, Label { words, size: TINY, colour }, seen.map(|p| panel.at(p)));
            }
        };
        named(canvas, places, ("sticking", Colour::PINE), zeros([a, b, pre.u], panel));
        named(canvas, places, ("compression ends", Colour::INK), zeros([b, c, pre.v], panel));
    }

    fn cone(&self, canvas: &mut Canvas, panel: &Panel, places: &mut Places) {
        let mu = self.friction.mu();
        if !mu.is_finite() {
            return;
        }
        let high = panel.y.data.hi;
        let [left, apex, right] = [[-mu * high, high], [0.0, 0.0], [mu * high, high]].map(|p| panel.at(p));
        canvas.polygon(&[left, apex, right], Look::filled(Colour::AMBER).at_opacity(BAND));
        canvas.path(&[left, apex, right], Look::line(Colour::AMBER, 0.9));
        places.avoid(&[left, apex, right]);
    }

    /// The pieces with their directions, in the colours of what the contact does.
    fn path(&self, canvas: &mut Canvas, panel: &Panel, path: &[[f64; 2]], places: &mut Places) {
        let kinds = [Some(self.impact.first.kind), self.impact.second.map(|phase| phase.kind)];
        let page: Vec<[f64; 2]> = path.iter().map(|p| panel.at(*p)).collect();
        for (ends, kind) in page.windows(2).zip(kinds.into_iter().flatten()) {
            let colour = match kind {
                Mode::SlipPos | Mode::SlipNeg => Colour::BLUE,
                Mode::Free | Mode::Stick => Colour::PINE,
            };
            canvas.arrow(ends[0], ends[1], (colour, 1.3 * DATA));
            places.avoid(ends);
        }
        for (i, at) in page.iter().enumerate() {
            let fill = if i + 1 == page.len() { Colour::BLUE } else { Colour::PAPER };
            canvas.circle(
                *at,
                if i == 0 || i + 1 == page.len() { 3.0 } else { 2.2 },
                Look::line(Colour::BLUE, 1.0).with_fill(fill),
            );
            places.take(*at, [3.5, 3.5]);
        }
    }
}

/// Lines that guide the eye.
#[derive(Clone, Copy)]
enum Guide {
    Stick,
    Compression,
}

fn guide(canvas: &mut Canvas, panel: &Panel, line: [[f64; 2]; 2], which: Guide, places: &mut Places) {
    let ends = line.map(|p| panel.at(p));
    let look = match which {
        Guide::Stick => Look::line(Colour::PINE, 0.9).dashed("4 2"),
        Guide::Compression => Look::line(Colour::INK, 0.9).dashed("1.5 1.5"),
    };
    canvas.path(&ends, look);
    places.avoid(&ends);
}

/// A line a x + b y + c = 0 far beyond a panel.
fn zeros([a, b, c]: [f64; 3], panel: &Panel) -> [[f64; 2]; 2] {
    let (x, y) = (panel.x.data, panel.y.data);
    // steep lines by y, flat ones by x
    if a.abs() * x.width() > b.abs() * y.width() {
        [y.lo, y.hi].map(|y| [-(b * y + c) / a, y])
    } else {
        [x.lo, x.hi].map(|x| [x, -(a * x + c) / b])
    }
}

/// The piece of a line inside a panel.
fn inside(line: [[f64; 2]; 2], panel: &Panel) -> Option<[[f64; 2]; 2]> {
    let [enters, leaves] = passage(line, [panel.x.data, panel.y.data].map(|range| [range.lo, range.hi]))?;
    let on = |s: f64| [0, 1].map(|k| line[0][k] + s * (line[1][k] - line[0][k]));
    (enters < leaves).then(|| [on(enters), on(leaves)])
}
