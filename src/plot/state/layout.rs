//! Where a state stands on the page: one scale along both axes, room for arrows and words around.

use super::scene::Scene;
use crate::format::Space;
use crate::plot::panel::Panel;
use crate::plot::scale::{Range, Scale};
use crate::plot::style::WIDTH;

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

const WIDE: Sizes =
    Sizes { cone: 58.0, wide: 96.0, force: 54.0, velocity: 46.0, gravity: 30.0, bar: 6.5, centre: 5.0 };

const SMALL: Sizes =
    Sizes { cone: 0.0, wide: 0.0, force: 0.0, velocity: 22.0, gravity: 0.0, bar: 4.5, centre: 3.0 };

/// Room around bodies for arrows and words, at the sides, above and below.
const AROUND: [f64; 3] = [58.0, 26.0, 34.0];

/// The largest bodies are drawn.
const LARGEST: [f64; 2] = [250.0, 180.0];

impl Layout {
    /// As wide as a column.
    pub(super) fn wide(scene: &Scene) -> Self {
        let [side, above, below] = AROUND;
        let (across, up) = extent(scene);
        let unit = unit(across, up, [WIDTH - 2.0 * side, LARGEST[1]].map(|x| x.min(LARGEST[0])));
        // cones and forces stand on the surface
        let reaches = tops(scene, unit, WIDE).into_iter().chain([up.hi]).fold(f64::NEG_INFINITY, f64::max);
        let up = Range { lo: up.lo, hi: reaches };
        let height = (unit * up.width()).max(40.0) + above + below;
        Self::around(across, up, unit, ([WIDTH, height], [above, below]), WIDE)
    }

    /// 120 by 80 units.
    pub(super) fn small(scene: &Scene) -> Self {
        let (across, up) = extent(scene);
        let unit = unit(across, up, [88.0, 54.0]);
        Self::around(across, up, unit, ([120.0, 80.0], [13.0, 13.0]), SMALL)
    }

    fn around(
        across: Range,
        up: Range,
        unit: f64,
        (size, [above, below]): ([f64; 2], [f64; 2]),
        sizes: Sizes,
    ) -> Self {
        let inner = size[1] - above - below;
        let panel = Panel {
            x: Scale { data: across.of_width(size[0] / unit), page: [0.0, size[0]] },
            y: Scale { data: up.of_width(inner / unit), page: [size[1] - below, above] },
        };
        Self { size, panel, unit, sizes }
    }

    /// A direction of the view as it is on the page, where y is down.
    pub(super) fn turned([right, up]: [f64; 2]) -> [f64; 2] {
        [right, -up]
    }
}

/// Ends of what must be seen, to the right and up.
fn extent(scene: &Scene) -> (Range, Range) {
    let mut points: Vec<[f64; 2]> = scene.points().map(|p| scene.view.of(p)).collect();
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
        if range.width() > 0.0 { range } else { range.of_width(scene.size.max(f64::MIN_POSITIVE)) }
    };
    (ends(0), ends(1))
}

fn unit(across: Range, up: Range, [width, height]: [f64; 2]) -> f64 {
    (width / across.width()).min(height / up.width())
}

/// How high cones and forces reach that are drawn with these sizes.
fn tops(scene: &Scene, unit: f64, sizes: Sizes) -> Vec<f64> {
    let length = sizes.cone.max(sizes.force) / unit;
    let closed = scene.contacts.iter().filter(|c| c.is_closed);
    closed
        .map(|contact| {
            let tip = contact.frame.vector(length, &[]);
            let foot = scene.view.of(contact.frame.place)[1];
            foot + scene.view.of(tip)[1]
        })
        .collect()
}
