//! Where a mechanism is taken hold of in its picture, and where that place is at other coordinates; its bodies as outlines for ghosts.

use super::layout::Window;
use crate::format::{Mechanism, Space};
use crate::plot::mechanism::place::{Instant, Pose, Vector, plus, times};
use crate::plot::mechanism::projected::{Projected, projected};
use crate::plot::mechanism::shape::{Part, shapes};
use crate::plot::mechanism::view::View;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::fmt::Write;

/// How near to a body its picture is taken hold of, in units of the page.
const REACH: f64 = 18.0;

/// Corners of a circle in an outline.
const CORNERS: usize = 40;

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grip {
    /// Index of the body.
    pub body: usize,
    /// The point in the body's axes.
    pub inside: [f64; 3],
}

/// A mechanism whose numbers are known.
#[derive(Clone, Copy, Debug)]
pub struct Posture<'a> {
    /// The mechanism.
    pub mechanism: &'a Mechanism,
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Parameters.
    pub parameters: &'a [f64],
}

impl Posture<'_> {
    fn instant(&self) -> Instant<'_> {
        let Self { mechanism, t, q, parameters } = *self;
        Instant { mechanism, t, q, parameters }
    }

    fn view(&self) -> View {
        View::new(self.mechanism.space, self.instant().vector(&self.mechanism.gravity))
    }

    /// Its bodies as the viewer sees them, with their indices and poses.
    fn bodies(&self, view: &View) -> Vec<(usize, Pose, Vec<Projected>)> {
        let at = self.instant();
        let shapes = shapes(self.mechanism, &at);
        let seen = |(b, parts): (usize, Vec<Part>)| {
            let pose = at.pose(&self.mechanism.bodies[b]);
            let parts = parts.iter().flat_map(|part| projected(view, &pose, part)).collect();
            (b, pose, parts)
        };
        shapes.into_iter().enumerate().map(seen).collect()
    }

    /// The body nearest to a place of the picture, with its point there; none if all are far.
    pub fn grip(&self, window: &Window, place: [f64; 2]) -> Option<Grip> {
        let view = self.view();
        let looked = [window.x(place[0]), window.y(place[1])];
        let mut nearest: Option<(f64, Grip)> = None;
        for (body, pose, parts) in self.bodies(&view) {
            let away = parts.iter().map(|part| distance(part, looked)).fold(f64::INFINITY, f64::min);
            let away = away * window.unit;
            let depth = view.nearness(pose.centre);
            let outside: Vector = plus(
                plus(times(view.right, looked[0]), times(view.up, looked[1])),
                times(view.eye, if view.space == Space::Plane { 0.0 } else { depth }),
            );
            if away <= REACH && nearest.as_ref().is_none_or(|(least, _)| away < *least) {
                nearest = Some((away, Grip { body, inside: pose.inside(outside) }));
            }
        }
        nearest.map(|(_, grip)| grip)
    }

    /// Where a point of a body is in the picture.
    pub fn seen(&self, window: &Window, grip: &Grip) -> Option<[f64; 2]> {
        let body = self.mechanism.bodies.get(grip.body)?;
        let pose = self.instant().pose(body);
        let place = self.view().of(pose.outside(grip.inside));
        place.iter().all(|x| x.is_finite()).then(|| window.panel().at(place))
    }

    /// Its bodies as the data of one path of SVG.
    pub fn outline(&self, window: &Window) -> String {
        let (view, panel) = (self.view(), window.panel());
        let mut data = String::new();
        for (_, _, parts) in self.bodies(&view) {
            for part in &parts {
                let (points, is_closed) = line_of(part, window.unit);
                let seen: Vec<[f64; 2]> = points.into_iter().map(|p| panel.at(p)).collect();
                if seen.iter().flatten().any(|x| !x.is_finite()) {
                    continue;
                }
                for (k, [x, y]) in seen.iter().enumerate() {
                    let _ = write!(data, "{}{x:.2} {y:.2}", if k == 0 { "M" } else { "L" });
                }
                data.push_str(if is_closed { "Z" } else { "" });
            }
        }
        data
    }
}

/// A part as one line, and whether it is closed; `unit` is that of the page over one of the mechanism.
fn line_of(part: &Projected, unit: f64) -> (Vec<[f64; 2]>, bool) {
    match part {
        Projected::Path(points) | Projected::Line(points) => (points.clone(), false),
        Projected::Face(points, _) => (points.clone(), true),
        Projected::Round(centre, radius, axis) => {
            let mut points: Vec<[f64; 2]> = round(*centre, *radius).collect();
            if let Some([x, y]) = axis {
                // a spoke along the body's first axis, so that its turning is seen
                points.push(points[0]);
                points.extend([*centre, [centre[0] + radius * x, centre[1] + radius * y]]);
                return (points, false);
            }
            (points, true)
        }
        Projected::Point(at) => (round(*at, 4.0 / unit).collect(), true),
    }
}

fn round([x, y]: [f64; 2], radius: f64) -> impl Iterator<Item = [f64; 2]> {
    let angle = |k: usize| TAU * k as f64 / CORNERS as f64;
    (0..CORNERS).map(move |k| [x + radius * angle(k).cos(), y + radius * angle(k).sin()])
}

/// How far a place of the view is from a part: zero inside.
fn distance(part: &Projected, at: [f64; 2]) -> f64 {
    let to = |p: &[f64; 2]| (p[0] - at[0]).hypot(p[1] - at[1]);
    match part {
        Projected::Path(points) | Projected::Line(points) => to_line(points, at),
        Projected::Face(points, _) if holds(points, at) => 0.0,
        Projected::Face(points, _) => {
            let closed: Vec<[f64; 2]> = points.iter().chain(points.first()).copied().collect();
            to_line(&closed, at)
        }
        Projected::Round(centre, radius, _) => (to(centre) - radius).max(0.0),
        Projected::Point(place) => to(place),
    }
}

fn to_line(points: &[[f64; 2]], at: [f64; 2]) -> f64 {
    let piece = |ends: &[[f64; 2]]| {
        let [a, b] = [ends[0], ends[ends.len() - 1]];
        let along = [b[0] - a[0], b[1] - a[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        let share = ((at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1]) / square;
        let share = if square > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
        (a[0] + share * along[0] - at[0]).hypot(a[1] + share * along[1] - at[1])
    };
    points.windows(2).map(piece).fold(f64::INFINITY, f64::min)
}

/// Whether a point lies inside an outline.
fn holds(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    for (k, [x1, y1]) in outline.iter().enumerate() {
        let [x0, y0] = outline[(k + outline.len() - 1) % outline.len()];
        if (*y1 > y) != (y0 > y) && x < (x0 - x1) * (y - y1) / (y0 - y1) + x1 {
            inside = !inside;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::{distance, holds};
    use crate::plot::mechanism::projected::Projected;

    #[test]
    fn distances_are_those_of_the_nearest_point() {
        let square = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert!(holds(&square, [1.0, 1.0]) && !holds(&square, [3.0, 1.0]));
        let face = Projected::Face(square, 1.0);
        assert!(distance(&face, [1.0, 1.5]) <= 0.0);
        assert!((distance(&face, [5.0, 1.0]) - 3.0).abs() < 1e-15);
        let rod = Projected::Path(vec![[0.0, 0.0], [1.0, 0.0]]);
        assert!((distance(&rod, [4.0, 4.0]) - 5.0).abs() < 1e-15);
        assert!((distance(&Projected::Round([0.0; 2], 1.0, None), [0.0, 3.0]) - 2.0).abs() < 1e-15);
    }
}
