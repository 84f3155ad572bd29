//! A heap as it is: bodies, surfaces, and chains of forces as lines whose width goes with the normal force. Space is seen along an
//! axis, a horizontal one unless another side is chosen, the farther the paler.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::hull::hull;
use super::labels::passage;
use super::scale::short;
use super::style::{Colour, HAIR, LABEL, SMALL, WIDTH};
use crate::format::Space;
use crate::scene::vector::{cross, dot};
use crate::scene::{Other, Piece, Pose, Posed, SceneContact, Simulation, Solid, Vector};

/// Empty border, and room for the words.
pub(super) const BORDER: f64 = 12.0;
pub(super) const HEAD: f64 = 30.0;
/// The tallest picture, in widths.
const TALLEST: f64 = 1.6;
/// Weight of the largest force's line.
pub(super) const STRONGEST: f64 = 3.2;
/// Forces below this share of the largest are not drawn.
pub(super) const FAINT: f64 = 0.02;
/// Points of a circle that is seen askew.
const AROUND: usize = 180;

/// The side from which a scene in space is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// 0, 1 or 2 for x, y, z.
    axis: usize,
    /// Whether the eye is at the lower end of the axis.
    below: bool,
}

impl Side {
    /// The names of all sides.
    pub const NAMES: [&str; 6] = ["x", "-x", "y", "-y", "z", "-z"];

    /// By its name: the axis at whose end the eye is.
    pub fn named(name: &str) -> Option<Self> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Some(Side { axis: place / 2, below: place % 2 == 1 })
    }
}

/// Draws a scene where it is, with the forces of its last step, from the usual side or another one.
pub fn pile(simulation: &Simulation, side: Option<Side>) -> Picture {
    let posed: Vec<Posed> = simulation.bodies().iter().map(|body| body.here()).collect();
    let poses = simulation.poses().unwrap_or_default();
    let mut extent = Extent::new(simulation, side);
    extent.hold(simulation, &posed, &poses);
    let view = extent.view();
    let mut canvas = Canvas::new(view.size, format!("{}: the pile", simulation.scene().name));
    let mut order: Vec<usize> = (0..posed.len()).collect();
    order.sort_by(|&a, &b| {
        view.depth(posed[b].centre).total_cmp(&view.depth(posed[a].centre)).then(a.cmp(&b))
    });
    for number in order {
        body(&mut canvas, &view, &posed[number]);
    }
    for obstacle in simulation.obstacles() {
        if let Some(pose) = poses.get(obstacle.surface) {
            let look = Look::line(Colour::INK, 1.0);
            lines(&view, &obstacle.piece, pose).iter().for_each(|line| canvas.path(line, look));
        }
    }
    let largest = chains(&mut canvas, &view, simulation, &posed);
    words(&mut canvas, simulation, largest);
    canvas.finish()
}

/// From space to the picture.
pub(super) struct View {
    pub(super) size: [f64; 2],
    right: Vector,
    up: Vector,
    away: Vector,
    corner: [f64; 2],
    pub(super) scale: f64,
    depths: [f64; 2],
}

/// What a picture has to hold, along its three axes.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    axes: [Vector; 3],
    ends: [[f64; 2]; 3],
}

impl Extent {
    /// Of nothing, with the axes for a scene: right, up and away. Seen along gravity, the last horizontal axis is up.
    pub(super) fn new(simulation: &Simulation, side: Option<Side>) -> Self {
        let scene = simulation.scene();
        let axis = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        let axes = match scene.space {
            Space::Plane => [axis(0), axis(1), axis(2)],
            Space::Space => {
                let pull = scene.gravity.map(f64::abs);
                let least = |a: &usize, b: &usize| pull[*a].total_cmp(&pull[*b]);
                match side {
                    None => {
                        let up = (0..3).max_by(least).unwrap_or(2);
                        let (up, right) = (axis(up), axis(if up == 0 { 1 } else { 0 }));
                        [right, up, cross(up, right)]
                    }
                    Some(Side { axis: along, below }) => {
                        let up = axis((0..3).filter(|&k| k != along).max_by(least).unwrap_or(2));
                        let away = axis(along).map(|x| if below { x } else { -x });
                        [cross(away, up), up, away]
                    }
                }
            }
        };
        Self { axes, ends: [[f64::INFINITY, f64::NEG_INFINITY]; 3] }
    }

    /// A point, and how far to both sides of it along each axis.
    fn take(&mut self, x: Vector, reach: impl Fn(Vector) -> f64) {
        for (end, axis) in self.ends.iter_mut().zip(self.axes) {
            let (at, reach) = (dot(x, axis), reach(axis));
            *end = [end[0].min(at - reach), end[1].max(at + reach)];
        }
    }

    /// Bodies and surfaces.
    pub(super) fn hold(&mut self, simulation: &Simulation, posed: &[Posed], poses: &[Pose]) {
        posed.iter().for_each(|body| self.take(body.centre, |_| body.solid.reach()));
        for obstacle in simulation.obstacles() {
            let Some(pose) = poses.get(obstacle.surface) else { continue };
            match &obstacle.piece {
                Piece::Plane(..) => {}
                Piece::Circle(centre, radius) => self.take(pose.now(*centre), |_| *radius),
                Piece::Wall([a, b], _) => [a, b].iter().for_each(|x| self.take(pose.now(**x), |_| 0.0)),
                Piece::Plate(..) => {
                    outline(&obstacle.piece).into_iter().for_each(|x| self.take(pose.now(x), |_| 0.0));
                }
                Piece::Shell(origin, axis, part, _) => {
                    let turned = pose.turned(*axis);
                    for [radius, height] in part {
                        let centre = pose.now(std::array::from_fn(|k| origin[k] + height * axis[k]));
                        // of a ring along an axis
                        self.take(centre, |a| radius * (1.0 - dot(turned, a).powi(2)).max(0.0).sqrt());
                    }
                }
            }
        }
    }

    /// A picture that holds it.
    pub(super) fn view(&self) -> View {
        let ([right, up, away], ends) = (self.axes, self.ends);
        let [width, height] = [ends[0], ends[1]].map(|[low, high]| (high - low).max(f64::MIN_POSITIVE));
        let scale = ((WIDTH - 2.0 * BORDER) / width).min(TALLEST * WIDTH / height);
        let size = [WIDTH, HEAD + scale * height + 2.0 * BORDER];
        let middle = 0.5 * (ends[0][0] + ends[0][1]);
        let corner = [middle - 0.5 * WIDTH / scale, ends[1][1] + (HEAD + BORDER) / scale];
        View { size, right, up, away, corner, scale, depths: ends[2] }
    }
}

impl View {
    pub(super) fn place(&self, x: Vector) -> [f64; 2] {
        [self.scale * (dot(x, self.right) - self.corner[0]), self.scale * (self.corner[1] - dot(x, self.up))]
    }

    pub(super) fn depth(&self, x: Vector) -> f64 {
        dot(x, self.away)
    }

    /// From 0 in front to 1 behind.
    pub(super) fn share(&self, x: Vector) -> f64 {
        let [near, far] = self.depths;
        if far > near { (self.depth(x) - near) / (far - near) } else { 0.0 }
    }
}

/// The corners of a plate.
fn outline(piece: &Piece) -> Vec<Vector> {
    let Piece::Plate(centre, [a, b]) = piece else { return Vec::new() };
    let corner = |s: f64, t: f64| std::array::from_fn(|k| centre[k] + s * a[k] + t * b[k]);
    vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
}

fn body(canvas: &mut Canvas, view: &View, posed: &Posed) {
    let fill = Colour::SKY.towards(Colour::PAPER, 0.35 + 0.5 * view.share(posed.centre));
    let look = Look::line(Colour::SLATE.towards(Colour::PAPER, 0.3 + 0.5 * view.share(posed.centre)), HAIR)
        .with_fill(fill);
    match posed.solid {
        Solid::Round(radius) => canvas.circle(view.place(posed.centre), view.scale * radius, look),
        Solid::Box(halves) => {
            canvas.polygon(&silhouette(view, posed, halves), look);
        }
    }
}

/// The outline of a box on the page.
pub(super) fn silhouette(view: &View, posed: &Posed, halves: Vector) -> Vec<[f64; 2]> {
    let corners = (0..8).map(|corner| {
        let sign = |k: usize| if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
        let x = (0..3).fold(posed.centre, |x, k| {
            std::array::from_fn(|i| x[i] + sign(k) * halves[k] * posed.axes[k][i])
        });
        view.place(x)
    });
    hull(&corners.collect::<Vec<_>>(), 0.0)
}

/// The lines of a piece of a surface on the page.
pub(super) fn lines(view: &View, piece: &Piece, pose: &Pose) -> Vec<Vec<[f64; 2]>> {
    let place = |x: Vector| view.place(pose.now(x));
    match piece {
        Piece::Plane(point, normal) => {
            let normal = pose.turned(*normal);
            // seen from its edge alone is it a line
            let (across, along) = (dot(normal, view.right), dot(normal, view.up));
            if across.hypot(along) <= 0.99 {
                return Vec::new();
            }
            let [x, y] = place(*point);
            let reach = view.size[0] + view.size[1];
            let end = |s: f64| [x + s * reach * along, y + s * reach * across];
            clipped(end(-1.0), end(1.0), view.size).map(|(from, to)| vec![from, to]).into_iter().collect()
        }
        Piece::Circle(centre, radius) => vec![circle(place(*centre), view.scale * radius)],
        Piece::Wall([a, b], _) => vec![vec![place(*a), place(*b)]],
        Piece::Plate(..) => {
            let mut corners: Vec<_> = outline(piece).into_iter().map(place).collect();
            corners.extend(corners.first().copied());
            vec![corners]
        }
        Piece::Shell(origin, axis, part, _) => {
            let turned = pose.turned(*axis);
            let level = dot(turned, view.right).hypot(dot(turned, view.up));
            let at = |height: f64| pose.now(std::array::from_fn(|k| origin[k] + height * axis[k]));
            if level < 0.01 {
                let rim = |[radius, height]: &[f64; 2]| circle(view.place(at(*height)), view.scale * radius);
                return part.iter().map(rim).collect();
            }
            let across = [-dot(turned, view.up) / level, dot(turned, view.right) / level];
            let side = |side: f64| {
                let point = |[radius, height]: [f64; 2]| {
                    let [x, y] = view.place(at(height));
                    [x + side * view.scale * radius * across[0], y - side * view.scale * radius * across[1]]
                };
                part.map(point).to_vec()
            };
            let mut found = vec![side(-1.0), side(1.0)];
            found.extend(rims(view, (turned, level), &part.map(|[radius, height]| (at(height), radius))));
            found
        }
    }
}

fn circle([x, y]: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let point = |k: usize| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / AROUND as f64).sin_cos();
        [x + radius * cos, y + radius * sin]
    };
    (0..=AROUND).map(point).collect()
}

/// The rims of a shell that is seen askew.
fn rims(view: &View, (axis, level): (Vector, f64), ends: &[(Vector, f64); 2]) -> Vec<Vec<[f64; 2]>> {
    let tilt = dot(axis, view.away).abs();
    if tilt < 0.01 {
        return Vec::new();
    }
    let (along, across) = (
        [dot(axis, view.right) / level, dot(axis, view.up) / level],
        [-dot(axis, view.up) / level, dot(axis, view.right) / level],
    );
    let rim = |(centre, radius): &(Vector, f64)| {
        let turned = circle([0.0, 0.0], view.scale * radius);
        let [x, y] = view.place(*centre);
        let point = |[a, b]: [f64; 2]| {
            [x + a * across[0] + b * tilt * along[0], y - a * across[1] - b * tilt * along[1]]
        };
        turned.into_iter().map(point).collect()
    };
    ends.iter().map(rim).collect()
}

/// The part of a line inside the picture.
fn clipped(from: [f64; 2], to: [f64; 2], size: [f64; 2]) -> Option<([f64; 2], [f64; 2])> {
    // below the words
    let sides = [[BORDER / 2.0, size[0] - BORDER / 2.0], [HEAD, size[1] - BORDER / 2.0]];
    let [enters, leaves] = passage([from, to], sides)?;
    let at = |s: f64| [0, 1].map(|k| from[k] + s * (to[k] - from[k]));
    (enters < leaves).then(|| (at(enters), at(leaves)))
}

/// A contact that carries a part of the load.
pub(super) struct Link {
    pub(super) from: Vector,
    pub(super) to: Vector,
    /// Of the largest normal force.
    pub(super) share: f64,
}

/// The contacts that carry more than a faint part of the load, and the largest normal impulse.
pub(super) fn links(simulation: &Simulation, posed: &[Posed]) -> (Vec<Link>, f64) {
    let Some(solution) = simulation.solution() else { return (Vec::new(), 0.0) };
    let dim = simulation.scene().space.dimension();
    let normal = |contact: usize| solution.r[dim * contact];
    let touches = simulation.touches();
    let largest = (0..touches.len()).map(normal).fold(0.0, f64::max);
    let shared = touches.iter().enumerate().map(|(contact, touch)| (touch, normal(contact) / largest));
    let link = |(touch, share): (&SceneContact, f64)| {
        let from = posed[touch.body].centre;
        let to = match touch.other {
            Other::Body(other) => posed[other].centre,
            Other::Piece(_) | Other::Declared(_) => std::array::from_fn(|k| from[k] + touch.arms[0][k]),
        };
        Link { from, to, share }
    };
    (shared.filter(|(_, share)| *share > FAINT).map(link).collect(), largest)
}

/// The lines of force; the largest normal impulse.
fn chains(canvas: &mut Canvas, view: &View, simulation: &Simulation, posed: &[Posed]) -> f64 {
    let (links, largest) = links(simulation, posed);
    for Link { from, to, share } in links {
        let look = Look::line(Colour::RED.towards(Colour::PAPER, 0.5 * view.share(from)), STRONGEST * share);
        canvas.line(view.place(from), view.place(to), look);
    }
    largest
}

fn words(canvas: &mut Canvas, simulation: &Simulation, largest: f64) {
    let scene = simulation.scene();
    let title = scene.title.clone().unwrap_or_else(|| scene.name.clone());
    canvas.say(&title, [BORDER, BORDER + 2.0], LABEL);
    let force = largest / scene.course.step;
    let contacts = simulation.touches().len();
    let told = format!(
        "t = {:.4} s, {contacts} contacts; red: normal forces up to {} N",
        simulation.time(simulation.step()),
        short(force)
    );
    let at = [BORDER, BORDER + 14.0];
    canvas.formula(Text { words: &told, at, anchor: Anchor::Start, size: SMALL, colour: Colour::GREY });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_border() {
        let (from, to) = clipped([-100.0, 50.0], [500.0, 50.0], [200.0, 100.0]).unwrap();
        assert_eq!((from, to), ([6.0, 50.0], [194.0, 50.0]));
        assert!(clipped([-100.0, 500.0], [500.0, 500.0], [200.0, 100.0]).is_none());
    }
}
