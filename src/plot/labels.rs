//! Places for labels: near what they name, off other labels, off lines, and on the page.

use super::canvas::{Anchor, Canvas, Text};
use super::formula::formula_width;
use super::style::Colour;

/// A rectangle: left, top, right, bottom.
type Rectangle = [f64; 4];

/// Distances from what is named at which a label is tried.
const DISTANCES: [f64; 5] = [3.0, 8.0, 15.0, 24.0, 36.0];

/// Directions in which it is tried, starting at the right, against the clock.
const WAYS: usize = 16;

/// Places along a line at which a label is tried, less one.
const ALONG: i32 = 12;

/// What is in the way of labels.
pub(super) struct Places {
    page: Rectangle,
    taken: Vec<Rectangle>,
    lines: Vec<[[f64; 2]; 2]>,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label<'w> {
    /// Words, with marks for subscripts.
    pub(super) words: &'w str,
    pub(super) size: f64,
    pub(super) colour: Colour,
}

impl Places {
    /// A page between its corners, left and top first.
    pub(super) fn new([left, top]: [f64; 2], [right, bottom]: [f64; 2]) -> Self {
        Self { page: [left, top, right, bottom], taken: Vec::new(), lines: Vec::new() }
    }

    /// No label goes here.
    pub(super) fn take(&mut self, [x, y]: [f64; 2], half: [f64; 2]) {
        self.taken.push([x - half[0], y - half[1], x + half[0], y + half[1]]);
    }

    /// Labels rather do not cross these lines.
    pub(super) fn avoid(&mut self, points: &[[f64; 2]]) {
        self.lines.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
    }

    /// Writes a label near a point, rather in this direction on the page (x, y down) from it.
    pub(super) fn write(&mut self, canvas: &mut Canvas, label: Label, at: [f64; 2], rather: [f64; 2]) {
        let (_, centre) = self.best(label, at, rather);
        self.put(canvas, label, centre);
    }

    /// Writes a label beside a line, where there is most room.
    pub(super) fn write_along(&mut self, canvas: &mut Canvas, label: Label, [from, to]: [[f64; 2]; 2]) {
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let side = [(to[1] - from[1]) / length, (from[0] - to[0]) / length];
        let mut best = (f64::INFINITY, from);
        for k in 1..ALONG {
            let share = f64::from(k) / f64::from(ALONG);
            let at = [0, 1].map(|i| from[i] + share * (to[i] - from[i]));
            for way in [side, side.map(|x| -x)] {
                let (cost, centre) = self.best(label, at, way);
                if cost < best.0 {
                    best = (cost, centre);
                }
            }
        }
        self.put(canvas, label, best.1);
    }

    /// The cheapest place near a point, and what it costs.
    fn best(&self, label: Label, at: [f64; 2], rather: [f64; 2]) -> (f64, [f64; 2]) {
        let half = half(label.words, label.size);
        let mut best = (f64::INFINITY, at);
        for (step, distance) in DISTANCES.iter().enumerate() {
            for k in 0..WAYS {
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / WAYS as f64).sin_cos();
                let way = [cos, -sin];
                // the nearest point of the label is at the distance
                let reach = distance + half[0] * cos.abs() + half[1] * sin.abs();
                let centre = [at[0] + reach * way[0], at[1] + reach * way[1]];
                let wish = 1.0 - (way[0] * rather[0] + way[1] * rather[1]);
                let cost = self.cost(centre, half) + 8.0 * step as f64 + 9.0 * wish;
                if cost < best.0 {
                    best = (cost, centre);
                }
            }
        }
        best
    }

    /// Writes a label with its middle at a place.
    pub(super) fn put(&mut self, canvas: &mut Canvas, label: Label, centre: [f64; 2]) {
        let Label { words, size, colour } = label;
        self.take(centre, half(words, size));
        let at = [centre[0], centre[1] + 0.35 * size];
        canvas.label(Text { words, at, anchor: Anchor::Middle, size, colour });
    }

    /// Whether a label of this half size is free of others and on the page.
    pub(super) fn is_free(&self, [x, y]: [f64; 2], half: [f64; 2]) -> bool {
        let own = [x - half[0], y - half[1], x + half[0], y + half[1]];
        self.outside(&own) <= 0.0 && self.taken.iter().all(|other| overlap(&own, other) <= 0.0)
    }

    /// How many lines a label of this half size crosses.
    fn crossings(&self, [x, y]: [f64; 2], [w, h]: [f64; 2]) -> usize {
        let own = [x - w, y - h, x + w, y + h];
        self.lines.iter().filter(|line| crosses(&own, line)).count()
    }

    fn cost(&self, [x, y]: [f64; 2], [w, h]: [f64; 2]) -> f64 {
        let own = [x - w, y - h, x + w, y + h];
        let covered: f64 = self.taken.iter().map(|other| overlap(&own, other)).sum();
        let crossed = self.crossings([x, y], [w, h]);
        let hidden = if covered > 0.0 { 200.0 + covered } else { 0.0 };
        hidden + 40.0 * crossed as f64 + 1000.0 * self.outside(&own)
    }

    fn outside(&self, own: &Rectangle) -> f64 {
        let [left, top, right, bottom] = self.page;
        let over = [left - own[0], top - own[1], own[2] - right, own[3] - bottom];
        over.iter().map(|x| x.max(0.0)).sum()
    }
}

/// Half the width and half the height of some words with a little air.
pub(super) fn half(words: &str, size: f64) -> [f64; 2] {
    [0.5 * formula_width(words, size), 0.62 * size]
}

/// The area of two rectangles' overlap.
fn overlap(a: &Rectangle, b: &Rectangle) -> f64 {
    let width = a[2].min(b[2]) - a[0].max(b[0]);
    let height = a[3].min(b[3]) - a[1].max(b[1]);
    width.max(0.0) * height.max(0.0)
}

/// Whether a line meets a rectangle.
fn crosses([left, top, right, bottom]: &Rectangle, line: &[[f64; 2]; 2]) -> bool {
    passage(*line, [[*left, *right], [*top, *bottom]]).is_some_and(|[enters, leaves]| enters <= leaves)
}

/// At which shares of its length a line enters a rectangle, given by the ends of its sides, and leaves it (by Liang and Barsky); it meets
/// none if it leaves before it enters. None of a line beside it.
pub(super) fn passage([from, to]: [[f64; 2]; 2], sides: [[f64; 2]; 2]) -> Option<[f64; 2]> {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (k, [lo, hi]) in sides.into_iter().enumerate() {
        let step = to[k] - from[k];
        let [a, b] = [lo, hi].map(|end| (end - from[k]) / step);
        if step.abs() > 0.0 {
            (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
        } else if from[k] < lo || from[k] > hi {
            return None;
        }
    }
    Some([enters, leaves])
}

/// A place in a convex polygon with room for a rectangle of a half size, off what is taken and rather off lines; none if it does not fit.
pub(super) fn room(polygon: &[[f64; 2]], half: [f64; 2], places: &Places) -> Option<[f64; 2]> {
    const GRID: usize = 32;
    let ends = |k: usize| {
        let all = polygon.iter().map(|p| p[k]);
        (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (top, bottom)) = (ends(0), ends(1));
    let middle = [left.midpoint(right), top.midpoint(bottom)];
    let at = |lo: f64, hi: f64, i: usize| lo + (hi - lo) * (i as f64 + 0.5) / GRID as f64;
    let mut best: Option<(f64, [f64; 2])> = None;
    for j in 0..GRID {
        for i in 0..GRID {
            let centre = [at(left, right, i), at(top, bottom, j)];
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                .map(|s: [f64; 2]| [centre[0] + s[0] * half[0], centre[1] + s[1] * half[1]]);
            let clear = corners.iter().map(|c| inside(polygon, *c)).fold(f64::INFINITY, f64::min);
            if clear <= 1.5 || !places.is_free(centre, half) {
                continue;
            }
            // beyond some room the middle is better
            let far = (centre[0] - middle[0]).hypot(centre[1] - middle[1]);
            let value = clear.min(ROOM) - 0.05 * far - 30.0 * places.crossings(centre, half) as f64;
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, centre));
            }
        }
    }
    best.map(|(_, centre)| centre)
}

/// More room around a label than this is of no use.
const ROOM: f64 = 12.0;

/// The distance of a point to the nearest edge of a convex polygon, negative outside.
fn inside(polygon: &[[f64; 2]], p: [f64; 2]) -> f64 {
    let count = polygon.len();
    let area: f64 = (0..count).map(|i| cross(polygon[i], polygon[(i + 1) % count])).sum();
    let edges = (0..count).map(|i| (polygon[i], polygon[(i + 1) % count]));
    edges
        .filter(|(a, b)| (b[0] - a[0]).hypot(b[1] - a[1]) > 0.0)
        .map(|(a, b)| {
            let along = [b[0] - a[0], b[1] - a[1]];
            cross(along, [p[0] - a[0], p[1] - a[1]]) * area.signum() / along[0].hypot(along[1])
        })
        .fold(f64::INFINITY, f64::min)
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
mod tests {
    use super::{Label, Places, crosses, inside, overlap, room};
    use crate::plot::canvas::Canvas;
    use crate::plot::style::Colour;

    #[test]
    fn labels_of_one_point_do_not_overlap() {
        let mut canvas = Canvas::new([100.0, 100.0], "");
        let mut places = Places::new([0.0, 0.0], [100.0, 100.0]);
        for _ in 0..8 {
            let label = Label { words: "word", size: 8.0, colour: Colour::INK };
            places.write(&mut canvas, label, [50.0, 50.0], [1.0, 0.0]);
        }
        for (i, a) in places.taken.iter().enumerate() {
            assert!(places.outside(a) <= 0.0);
            assert!(places.taken[i + 1..].iter().all(|b| overlap(a, b) <= 0.0));
        }
    }

    #[test]
    fn a_line_through_a_rectangle_crosses_it_and_one_beside_it_does_not() {
        let rectangle = [0.0, 0.0, 10.0, 4.0];
        for (line, expected) in [
            ([[-5.0, 2.0], [15.0, 2.0]], true),
            ([[-5.0, 5.0], [15.0, 5.0]], false),
            ([[2.0, -5.0], [2.0, 15.0]], true),
            ([[1.0, 1.0], [2.0, 2.0]], true),
            ([[-2.0, 0.0], [0.0, -2.0]], false),
        ] {
            assert_eq!(crosses(&rectangle, &line), expected, "{line:?}");
        }
    }

    #[test]
    fn room_is_in_the_middle_of_a_triangle_and_nowhere_in_a_thin_one() {
        let triangle = [[0.0, 0.0], [60.0, 0.0], [30.0, 50.0]];
        let places = Places::new([0.0, 0.0], [60.0, 60.0]);
        let [x, y] = room(&triangle, [8.0, 4.0], &places).unwrap();
        assert!(inside(&triangle, [x - 8.0, y - 4.0]) > 1.5 && (x - 30.0).abs() < 2.0);
        assert_eq!(room(&[[0.0, 0.0], [60.0, 0.0], [60.0, 6.0]], [8.0, 4.0], &places), None);
    }
}
