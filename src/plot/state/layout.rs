//! Where a state stands on the page: one scale along both axes, room for arrows and words around.

use super::scene::Scene;
use crate::format::Space;
use crate::plot::mechanism::place::{Vector, length, plus, times};
use crate::plot::mechanism::projected::Projected;
use crate::plot::panel::Panel;
use crate::plot::scale::{Range, Scale};
use crate::plot::style::WIDTH;
use serde::{Deserialize, Serialize};

/// Sizes on the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Height of a cone.
    pub(super) cone: f64,
    /// Largest half width of a cone.
    pub(super) wide: f64,
    /// Length of the largest force.
    pub(super) force: f64,
    /// Length of the largest velocity.
    pub(super) velocity: f64,
    /// Distance of a slip's arrow from its contact, into the surface.
    pub(super) below: f64,
    /// Length of gravity.
    pub(super) gravity: f64,
    /// Weight of bodies that are lines.
    pub(super) bar: f64,
    /// Radius of a centre of mass.
    pub(super) centre: f64,
}

/// The page and the way to it.
pub(super) struct Layout {
    pub(super) size: [f64; 2],
    pub(super) panel: Panel,
    /// Units of the page over one of the mechanism.
    pub(super) unit: f64,
    pub(super) sizes: Sizes,
}

/// The part of a mechanism's plane that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// The place in its middle.
    pub centre: [f64; 2],
    /// Units of the page over one of the mechanism.
    pub unit: f64,
    /// Width and height on the page.
    pub size: [f64; 2],
}

impl Window {
    /// Whether something can be seen through it.
    pub fn is_sound(&self) -> bool {
        let numbers = self.centre.iter().chain(&self.size).chain([&self.unit]);
        // places of the page are different numbers of the mechanism
        let are_told_apart = |x: &f64| x.abs() * f64::EPSILON * self.unit < 1.0;
        numbers.into_iter().all(|x| x.is_finite())
            && self.unit > 0.0
            && self.size.iter().all(|x| *x >= 1.0)
            && self.centre.iter().all(are_told_apart)
    }

    /// Whether a part of what is drawn can be in it.
    pub(super) fn shows(&self, scene: &Scene) -> bool {
        let ((across, up), panel) = (extent(scene), self.panel());
        let overlap = |a: Range, b: Range| a.lo <= b.hi && b.lo <= a.hi;
        overlap(across, panel.x.data) && overlap(up, panel.y.data)
    }

    /// The way from the mechanism to the page.
    pub(super) fn panel(&self) -> Panel {
        let data = |k: usize| {
            let half = 0.5 * self.size[k] / self.unit;
            Range { lo: self.centre[k] - half, hi: self.centre[k] + half }
        };
        let [width, height] = self.size;
        Panel {
            x: Scale { data: data(0), page: [0.0, width] },
            y: Scale { data: data(1), page: [height, 0.0] },
        }
    }

    /// What is seen at a distance from the page's left.
    pub(super) fn x(&self, across: f64) -> f64 {
        self.centre[0] + (across - 0.5 * self.size[0]) / self.unit
    }

    /// What is seen at a distance from the page's top.
    pub(super) fn y(&self, down: f64) -> f64 {
        self.centre[1] - (down - 0.5 * self.size[1]) / self.unit
    }
}

const WIDE: Sizes = Sizes {
    cone: 58.0,
    wide: 84.0,
    force: 54.0,
    velocity: 46.0,
    below: 11.0,
    gravity: 30.0,
    bar: 6.5,
    centre: 5.0,
};

const SMALL: Sizes = Sizes {
    cone: 0.0,
    wide: 0.0,
    force: 0.0,
    velocity: 22.0,
    below: 7.5,
    gravity: 0.0,
    bar: 4.5,
    centre: 3.0,
};

/// Room around what is drawn for words, at the sides and above and below.
const AROUND: [f64; 2] = [34.0, 18.0];

/// The largest bodies are drawn.
const LARGEST: [f64; 2] = [240.0, 180.0];

/// How often the scale is made smaller until arrows have room, too.
const TRIES: usize = 4;

impl Layout {
    /// As wide as a column.
    pub(super) fn wide(scene: &Scene) -> Self {
        let extent = extent(scene);
        let sizes = WIDE.among(scene.contacts.iter().filter(|c| c.is_closed).count());
        let mut unit = unit(extent, LARGEST);
        let room = WIDTH - 2.0 * AROUND[0];
        for _ in 0..TRIES {
            let (across, _) = with_arrows(scene, extent, (unit, sizes));
            let width = across.width() * unit;
            if width <= room {
                break;
            }
            unit *= room / width;
        }
        let (across, up) = with_arrows(scene, extent, (unit, sizes));
        let height = (unit * up.width() + 2.0 * AROUND[1]).max(LEAST);
        Self::centred((across, up), unit, [WIDTH, height], sizes)
    }

    /// Through a window, whatever there is.
    pub(super) fn through(scene: &Scene, window: Window) -> Self {
        let sizes = WIDE.among(scene.contacts.iter().filter(|c| c.is_closed).count());
        Self { size: window.size, panel: window.panel(), unit: window.unit, sizes }
    }

    /// The window that it is.
    pub(super) fn window(&self) -> Window {
        let middle = |range: Range| 0.5 * (range.lo + range.hi);
        let centre = [middle(self.panel.x.data), middle(self.panel.y.data)];
        Window { centre, unit: self.unit, size: self.size }
    }

    /// 120 by 80 units.
    pub(super) fn small(scene: &Scene) -> Self {
        let extent = extent(scene);
        let mut unit = unit(extent, [96.0, 62.0]);
        for _ in 0..TRIES {
            let (across, up) = with_arrows(scene, extent, (unit, SMALL));
            let over = (across.width() * unit / 110.0).max(up.width() * unit / 72.0);
            if over <= 1.0 {
                break;
            }
            unit /= over;
        }
        Self::centred(with_arrows(scene, extent, (unit, SMALL)), unit, [120.0, 80.0], SMALL)
    }

    fn centred((across, up): (Range, Range), unit: f64, size: [f64; 2], sizes: Sizes) -> Self {
        let panel = Panel {
            x: Scale { data: across.of_width(size[0] / unit), page: [0.0, size[0]] },
            y: Scale { data: up.of_width(size[1] / unit), page: [size[1], 0.0] },
        };
        Self { size, panel, unit, sizes }
    }

    /// A direction of the view as it is on the page, where y is down.
    pub(super) fn turned([right, up]: [f64; 2]) -> [f64; 2] {
        [right, -up]
    }
}

/// The lowest picture.
const LEAST: f64 = 110.0;

/// Ends of bodies and surfaces, to the right and up.
fn extent(scene: &Scene) -> (Range, Range) {
    let mut points: Vec<[f64; 2]> = scene.points().map(|p| scene.view.of(p)).collect();
    points.extend(scene.parts.iter().flat_map(Projected::extent));
    for (flat, [[s0, s1], [t0, t1]]) in &scene.flats {
        let corners = match scene.view.space {
            Space::Plane => vec![flat.place(*s0, 0.0), flat.place(*s1, 0.0)],
            Space::Space => {
                vec![flat.place(*s0, *t0), flat.place(*s1, *t0), flat.place(*s1, *t1), flat.place(*s0, *t1)]
            }
        };
        points.extend(corners.into_iter().map(|p| scene.view.of(p)));
    }
    let ends = |k: usize| {
        let range = Range::ends(points.iter().map(|p| p[k])).unwrap_or(Range { lo: 0.0, hi: 0.0 });
        if range.width() > 0.0 { range } else { range.of_width(scene.size) }
    };
    (ends(0), ends(1))
}

fn unit((across, up): (Range, Range), [width, height]: [f64; 2]) -> f64 {
    (width / across.width()).min(height / up.width())
}

/// The ends with cones and arrows, whose sizes are those of the page.
fn with_arrows(scene: &Scene, (across, up): (Range, Range), (unit, sizes): (f64, Sizes)) -> (Range, Range) {
    let mut points = vec![[across.lo, up.lo], [across.hi, up.hi]];
    let mut add =
        |place: Vector, step: Vector| points.push(scene.view.of(plus(place, times(step, 1.0 / unit))));
    for contact in scene.contacts.iter().filter(|c| c.is_closed) {
        let (frame, place) = (&contact.frame, contact.frame.place);
        let height = sizes.cone_height(contact.mu);
        let sides: &[f64] = if contact.is_bilateral { &[1.0, -1.0] } else { &[1.0] };
        for side in sides.iter().filter(|_| height > 0.0) {
            let wide = contact.mu * height;
            for along in [[wide, 0.0], [-wide, 0.0], [0.0, wide], [0.0, -wide]] {
                add(place, frame.vector(side * height, &along));
            }
        }
        if let Some((normal, along)) = &contact.force {
            let scale = sizes.force / contact.force_size().max(f64::MIN_POSITIVE);
            let along: Vec<f64> = along.iter().map(|x| x * scale).collect();
            add(place, frame.vector(normal * scale, &along));
        }
        if contact.speed() > 0.0 {
            let along: Vec<f64> = contact.slip.iter().map(|u| u * sizes.velocity / contact.speed()).collect();
            add(place, frame.vector(-sizes.below - 2.0, &along));
        }
    }
    let gravity = length(scene.gravity);
    if gravity > 0.0 && sizes.gravity > 0.0 {
        for (centre, _) in &scene.centres {
            add(*centre, times(scene.gravity, (sizes.gravity + sizes.centre) / gravity));
        }
    }
    let ends = |k: usize, own: Range| Range::ends(points.iter().map(|p| p[k])).unwrap_or(own);
    (ends(0, across), ends(1, up))
}

impl Sizes {
    /// Cones and forces are smaller where there are many.
    fn among(self, contacts: usize) -> Self {
        let share = if contacts > 2 { 0.62 } else { 1.0 };
        Self { cone: share * self.cone, wide: share * self.wide, force: share * self.force, ..self }
    }

    /// How high a cone is drawn: not wider than it may be.
    pub(super) fn cone_height(self, mu: f64) -> f64 {
        if mu > 0.0 && mu.is_finite() { self.cone.min(self.wide / mu) } else { 0.0 }
    }
}
