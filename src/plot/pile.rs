//! A heap as it is: bodies, surfaces, and chains of forces as lines whose width goes with the normal force. Space is seen along a
//! horizontal axis, the farther the paler.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::hull::hull;
use super::style::{Colour, HAIR, LABEL, SMALL, WIDTH};
use crate::format::Space;
use crate::scene::{Other, Piece, Pose, Posed, Simulation, Solid, Vector};

/// Empty border, and room for the words.
const BORDER: f64 = 12.0;
const HEAD: f64 = 30.0;
/// The tallest picture, in widths.
const TALLEST: f64 = 1.6;
/// Weight of the largest force's line.
const STRONGEST: f64 = 3.2;
/// Forces below this share of the largest are not drawn.
const FAINT: f64 = 0.02;
/// Points of a circle that is seen askew.
const AROUND: usize = 64;

/// Draws a scene where it is, with the forces of its last step.
pub fn pile(simulation: &Simulation) -> Picture {
    let posed: Vec<Posed> = simulation.bodies().iter().map(|body| body.here()).collect();
    let poses = simulation.poses().unwrap_or_default();
    let view = View::of(simulation, &posed, &poses);
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
            piece(&mut canvas, &view, &obstacle.piece, pose);
        }
    }
    let largest = chains(&mut canvas, &view, simulation, &posed);
    words(&mut canvas, simulation, largest);
    canvas.finish()
}

/// From space to the picture.
struct View {
    size: [f64; 2],
    right: Vector,
    up: Vector,
    away: Vector,
    corner: [f64; 2],
    scale: f64,
    depths: [f64; 2],
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl View {
    fn of(simulation: &Simulation, posed: &[Posed], poses: &[Pose]) -> Self {
        let scene = simulation.scene();
        let axis = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        let (right, up, away) = match scene.space {
            Space::Plane => (axis(0), axis(1), axis(2)),
            Space::Space => {
                let pull = scene.gravity.map(f64::abs);
                let up = (0..3).rev().max_by(|&a, &b| pull[a].total_cmp(&pull[b])).unwrap_or(2);
                let right = if up == 0 { 1 } else { 0 };
                (axis(right), axis(up), axis(3 - up - right))
            }
        };
        let mut view =
            Self { size: [WIDTH; 2], right, up, away, corner: [0.0; 2], scale: 1.0, depths: [0.0; 2] };
        let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        let mut take = |x: Vector, reach: f64| {
            for (end, axis) in ends.iter_mut().zip([right, up, away]) {
                let at = dot(x, axis);
                *end = [end[0].min(at - reach), end[1].max(at + reach)];
            }
        };
        posed.iter().for_each(|body| take(body.centre, body.solid.reach()));
        for obstacle in simulation.obstacles() {
            let Some(pose) = poses.get(obstacle.surface) else { continue };
            extent(&obstacle.piece).into_iter().for_each(|(x, reach)| take(pose.now(x), reach));
        }
        let [width, height] = [ends[0], ends[1]].map(|[low, high]| (high - low).max(f64::MIN_POSITIVE));
        view.scale = ((WIDTH - 2.0 * BORDER) / width).min(TALLEST * WIDTH / height);
        view.size = [WIDTH, HEAD + view.scale * height + 2.0 * BORDER];
        let middle = 0.5 * (ends[0][0] + ends[0][1]);
        view.corner = [middle - 0.5 * WIDTH / view.scale, ends[1][1] + (HEAD + BORDER) / view.scale];
        view.depths = ends[2];
        view
    }

    fn place(&self, x: Vector) -> [f64; 2] {
        [self.scale * (dot(x, self.right) - self.corner[0]), self.scale * (self.corner[1] - dot(x, self.up))]
    }

    fn depth(&self, x: Vector) -> f64 {
        dot(x, self.away)
    }

    /// From 0 in front to 1 behind.
    fn share(&self, x: Vector) -> f64 {
        let [near, far] = self.depths;
        if far > near { (self.depth(x) - near) / (far - near) } else { 0.0 }
    }
}

/// Balls that hold a piece that ends somewhere.
fn extent(piece: &Piece) -> Vec<(Vector, f64)> {
    match piece {
        Piece::Plane(..) => Vec::new(),
        Piece::Circle(centre, radius) => vec![(*centre, *radius)],
        Piece::Wall(a, b) => vec![(*a, 0.0), (*b, 0.0)],
        Piece::Plate(..) => outline(piece).into_iter().map(|x| (x, 0.0)).collect(),
        Piece::Shell(origin, axis, part) => {
            let ring =
                |[radius, height]: [f64; 2]| (std::array::from_fn(|k| origin[k] + height * axis[k]), radius);
            part.map(ring).to_vec()
        }
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
            let corners = (0..8).map(|corner| {
                let sign = |k: usize| if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
                let x = (0..3).fold(posed.centre, |x, k| {
                    std::array::from_fn(|i| x[i] + sign(k) * halves[k] * posed.axes[k][i])
                });
                view.place(x)
            });
            canvas.polygon(&hull(&corners.collect::<Vec<_>>(), 0.0), look);
        }
    }
}

fn piece(canvas: &mut Canvas, view: &View, piece: &Piece, pose: &Pose) {
    let look = Look::line(Colour::INK, 1.0);
    match piece {
        Piece::Plane(point, normal) => {
            let normal = pose.turned(*normal);
            // seen from its edge alone is it a line
            let (across, along) = (dot(normal, view.right), dot(normal, view.up));
            if across.hypot(along) > 0.99 {
                let [x, y] = view.place(pose.now(*point));
                let reach = view.size[0] + view.size[1];
                let end = |s: f64| [x + s * reach * along, y + s * reach * across];
                if let Some((from, to)) = clipped(end(-1.0), end(1.0), view.size) {
                    canvas.line(from, to, look);
                }
            }
        }
        Piece::Circle(centre, radius) => {
            canvas.circle(view.place(pose.now(*centre)), view.scale * radius, look)
        }
        Piece::Wall(a, b) => canvas.line(view.place(pose.now(*a)), view.place(pose.now(*b)), look),
        Piece::Plate(..) => {
            let corners: Vec<_> = outline(piece).into_iter().map(|x| view.place(pose.now(x))).collect();
            canvas.polygon(&corners, look);
        }
        Piece::Shell(origin, axis, part) => {
            let turned = pose.turned(*axis);
            let level = dot(turned, view.right).hypot(dot(turned, view.up));
            let at = |height: f64| pose.now(std::array::from_fn(|k| origin[k] + height * axis[k]));
            if level < 0.01 {
                part.iter().for_each(|[radius, height]| {
                    canvas.circle(view.place(at(*height)), view.scale * radius, look);
                });
                return;
            }
            let across = [-dot(turned, view.up) / level, dot(turned, view.right) / level];
            for side in [-1.0, 1.0] {
                let point = |[radius, height]: [f64; 2]| {
                    let [x, y] = view.place(at(height));
                    [x + side * view.scale * radius * across[0], y - side * view.scale * radius * across[1]]
                };
                canvas.line(point(part[0]), point(part[1]), look);
            }
            rings(canvas, view, (turned, level), &part.map(|[radius, height]| (at(height), radius)));
        }
    }
}

/// The rims of a shell that is seen askew.
fn rings(canvas: &mut Canvas, view: &View, (axis, level): (Vector, f64), ends: &[(Vector, f64); 2]) {
    let tilt = dot(axis, view.away).abs();
    if tilt < 0.01 {
        return;
    }
    let (along, across) = (
        [dot(axis, view.right) / level, dot(axis, view.up) / level],
        [-dot(axis, view.up) / level, dot(axis, view.right) / level],
    );
    for (centre, radius) in ends {
        let [x, y] = view.place(*centre);
        let point = |k: usize| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / AROUND as f64).sin_cos();
            let (a, b) = (view.scale * radius * cos, view.scale * radius * sin * tilt);
            [x + a * across[0] + b * along[0], y - a * across[1] - b * along[1]]
        };
        canvas.path(&(0..=AROUND).map(point).collect::<Vec<_>>(), Look::line(Colour::INK, HAIR));
    }
}

/// The part of a line inside the picture.
fn clipped(from: [f64; 2], to: [f64; 2], size: [f64; 2]) -> Option<([f64; 2], [f64; 2])> {
    let way = [to[0] - from[0], to[1] - from[1]];
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for k in 0..2 {
        let (room, first) = ([BORDER / 2.0, size[k] - BORDER / 2.0], from[k]);
        if way[k].abs() > 0.0 {
            let [a, b] = room.map(|end| (end - first) / way[k]);
            (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
        } else if !(room[0]..=room[1]).contains(&first) {
            return None;
        }
    }
    let at = |s: f64| [from[0] + s * way[0], from[1] + s * way[1]];
    (low < high).then(|| (at(low), at(high)))
}

/// The lines of force; the largest normal impulse.
fn chains(canvas: &mut Canvas, view: &View, simulation: &Simulation, posed: &[Posed]) -> f64 {
    let Some(solution) = simulation.solution() else { return 0.0 };
    let dim = simulation.scene().space.dimension();
    let normal = |contact: usize| solution.r[dim * contact];
    let touches = simulation.touches();
    let largest = (0..touches.len()).map(normal).fold(0.0, f64::max);
    for (contact, touch) in touches.iter().enumerate() {
        let share = normal(contact) / largest;
        let seen = share > FAINT;
        if !seen {
            continue;
        }
        let from = posed[touch.body].centre;
        let to = match touch.other {
            Other::Body(other) => posed[other].centre,
            Other::Piece(_) => std::array::from_fn(|k| from[k] + touch.arms[0][k]),
        };
        let paler = 0.5 * view.share(from);
        let look = Look::line(Colour::RED.towards(Colour::PAPER, paler), STRONGEST * share);
        canvas.line(view.place(from), view.place(to), look);
    }
    largest
}

fn words(canvas: &mut Canvas, simulation: &Simulation, largest: f64) {
    let scene = simulation.scene();
    let title = scene.title.clone().unwrap_or_else(|| scene.name.clone());
    let at = [BORDER, BORDER + 2.0];
    canvas.text(Text { words: &title, at, anchor: Anchor::Start, size: LABEL, colour: Colour::INK });
    let force = largest / scene.course.step;
    let contacts = simulation.touches().len();
    let told = format!(
        "t = {:.4} s, {contacts} contacts; red: normal forces up to {force:.3e} N",
        simulation.time(simulation.step())
    );
    let at = [BORDER, BORDER + 14.0];
    canvas.text(Text { words: &told, at, anchor: Anchor::Start, size: SMALL, colour: Colour::GREY });
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
