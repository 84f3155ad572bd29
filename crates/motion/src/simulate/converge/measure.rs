//! Errors of a motion, of its positions and of its velocities: grid norms ‖e‖₁, ‖e‖₂ [A09 (21)], the largest error on the grid,
//! and the Hausdorff distance of filled-in graphs [A09 (20)] in the metric max(|t − s|, ‖x − y‖).
//!
//! A motion is known at its points. Where the step that led to a point is one of a scheme of order one, or crosses an event, the
//! graph between is the straight line, which fills a jump; between the ends of a step of higher order it is not known, and the
//! distance is taken from the points alone, and to the reference at their times. Norms of vectors are Euclidean.

use super::reference::{Reference, Sample};
use crate::num::Number;
use crate::simulate::capture::{Path, Point};
use serde::Serialize;

/// Errors in the norms of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Distance of filled-in graphs   [A09 (20)].
    pub hausdorff: Number,
    /// ‖e‖₁   [A09 (21)].
    pub l1: Number,
    /// ‖e‖₂.
    pub l2: Number,
    /// max |e|.
    pub uniform: Number,
}

/// Chords into which the reference is cut near a point, where it is smooth, and near a jump.
const CHORDS: [usize; 2] = [6, 24];
/// Parts of a straight line whose ends are tested.
const PARTS: usize = 4;
/// Steps of the search for the nearest point of a chord, by thirds, and the share of the distance at which it ends.
const THIRDS: usize = 90;
const NEAR: f64 = 1.0 / 1024.0;

/// Of positions, or of velocities.
#[derive(Clone, Copy)]
enum Of {
    Positions,
    Velocities,
}

impl Of {
    fn sample(self, sample: &Sample) -> &[f64] {
        match self {
            Self::Positions => &sample.q,
            Self::Velocities => &sample.v,
        }
    }

    fn point(self, point: &Point) -> &[f64] {
        match self {
            Self::Positions => &point.q,
            Self::Velocities => &point.v,
        }
    }
}

/// Errors of positions and of velocities.
pub fn measure(path: &Path, reference: &Reference) -> [Errors; 2] {
    let truth: Vec<Sample> = path.points.iter().map(|point| reference.at(point.t)).collect();
    [Of::Positions, Of::Velocities].map(|of| Measured { path, reference, truth: &truth, of }.errors())
}

struct Measured<'a> {
    path: &'a Path,
    reference: &'a Reference,
    /// The reference at the points.
    truth: &'a [Sample],
    of: Of,
}

/// A vertex of a graph.
#[derive(Clone, Debug)]
struct Vertex {
    t: f64,
    x: Vec<f64>,
}

impl Measured<'_> {
    fn errors(&self) -> Errors {
        let (mut l1, mut l2, mut uniform) = (0.0, 0.0, 0.0_f64);
        let mut before: Option<f64> = None;
        let grid = self.path.points.iter().zip(self.truth).filter(|(point, _)| point.on_grid);
        let first = grid.clone().nth(1).map_or(0.0, |(second, _)| second.t);
        for (point, truth) in grid {
            let e = distance(self.of.point(point), self.of.sample(truth));
            // the first point has the weight of its step too
            let h = before.map_or(first - point.t, |before| point.t - before);
            before = Some(point.t);
            l1 += h * e;
            l2 += h * e * e;
            uniform = uniform.max(e);
        }
        let [hausdorff, l1, l2, uniform] = [self.hausdorff(), l1, l2.sqrt(), uniform].map(Number);
        Errors { hausdorff, l1, l2, uniform }
    }

    fn hausdorff(&self) -> f64 {
        self.excess_of_motion().max(self.excess_of_reference())
    }

    /// The largest distance of the motion's points and straight lines from the graph of the reference.
    fn excess_of_motion(&self) -> f64 {
        let mut tested: Vec<(f64, Vertex)> = Vec::new();
        let points = &self.path.points;
        for (i, point) in points.iter().enumerate() {
            let bound = distance(self.of.point(point), self.of.sample(&self.truth[i]));
            tested.push((bound, self.vertex(point)));
            if point.joined && i > 0 {
                for vertex in between(&self.vertex(&points[i - 1]), &self.vertex(point)) {
                    let truth = self.reference.at(vertex.t);
                    tested.push((distance(&vertex.x, self.of.sample(&truth)), vertex));
                }
            }
        }
        largest(tested, |vertex, bound| self.to_reference(vertex, bound))
    }

    /// The largest distance of the reference, where the motion's graph is known, from that graph.
    fn excess_of_reference(&self) -> f64 {
        let mut tested: Vec<(f64, Vertex)> = Vec::new();
        let points = &self.path.points;
        for (i, point) in points.iter().enumerate() {
            let truth = self.of.sample(&self.truth[i]);
            let bound = distance(self.of.point(point), truth);
            tested.push((bound, Vertex { t: point.t, x: truth.to_vec() }));
            if point.joined && i > 0 {
                let (from, to) = (points[i - 1].t, point.t);
                for k in 1..PARTS {
                    let t = from + (to - from) * (k as f64 / PARTS as f64);
                    tested.push(self.bounded(t, self.of.sample(&self.reference.at(t))));
                }
            }
        }
        let span = [points.first(), points.last()].map(|point| point.map_or(0.0, |point| point.t));
        for jump in self.reference.jumps_in(span[0], span[1]) {
            let [left, right] = [&jump.left, &jump.right]
                .map(|limit| Vertex { t: jump.t, x: self.of.sample(limit).to_vec() });
            for vertex in between(&left, &right).into_iter().chain([left.clone(), right.clone()]) {
                tested.push(self.bounded(vertex.t, &vertex.x));
            }
        }
        largest(tested, |vertex, bound| self.to_motion(vertex, bound))
    }

    fn vertex(&self, point: &Point) -> Vertex {
        Vertex { t: point.t, x: self.of.point(point).to_vec() }
    }

    /// A point of the reference with a bound of its distance: that from the nearest point of the motion.
    fn bounded(&self, t: f64, x: &[f64]) -> (f64, Vertex) {
        let points = &self.path.points;
        let after = points.partition_point(|point| point.t < t);
        let near = after.saturating_sub(1)..(after + 1).min(points.len());
        let bound = points[near]
            .iter()
            .map(|point| (point.t - t).abs().max(distance(self.of.point(point), x)))
            .fold(f64::INFINITY, f64::min);
        (bound, Vertex { t, x: x.to_vec() })
    }

    /// The distance of a point from the graph of the reference, which is at most `bound`.
    fn to_reference(&self, from: &Vertex, bound: f64) -> f64 {
        let begin = self.path.points.first().map_or(from.t, |point| point.t);
        let (low, high) = ((from.t - bound).max(begin), from.t + bound);
        let jumps = self.reference.jumps_in(low, high);
        let chords = CHORDS[usize::from(!jumps.is_empty())];
        let mut times: Vec<f64> =
            (0..=chords).map(|k| low + (high - low) * (k as f64 / chords as f64)).collect();
        times.push(from.t);
        let mut vertices: Vec<Vertex> = times
            .into_iter()
            .map(|t| Vertex { t, x: self.of.sample(&self.reference.at(t)).to_vec() })
            .collect();
        for jump in jumps {
            for limit in [&jump.left, &jump.right] {
                vertices.push(Vertex { t: jump.t, x: self.of.sample(limit).to_vec() });
            }
        }
        // of one time, what came in order stays in order
        vertices.sort_by(|a, b| a.t.total_cmp(&b.t));
        to_graph(from, &vertices).min(bound)
    }

    /// The distance of a point from the graph of the motion.
    fn to_motion(&self, from: &Vertex, bound: f64) -> f64 {
        let points = &self.path.points;
        let first = points.partition_point(|point| point.t < from.t - bound).saturating_sub(1);
        let last = (points.partition_point(|point| point.t <= from.t + bound) + 1).min(points.len());
        let vertices: Vec<Vertex> = points[first..last].iter().map(|point| self.vertex(point)).collect();
        to_graph(from, &vertices).min(bound)
    }
}

/// The largest distance, those first that may be largest: a bound below what was found says enough.
fn largest(mut tested: Vec<(f64, Vertex)>, distance: impl Fn(&Vertex, f64) -> f64) -> f64 {
    tested.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut found = 0.0_f64;
    for (bound, vertex) in &tested {
        if *bound <= found {
            break;
        }
        found = found.max(distance(vertex, *bound));
    }
    found
}

/// Points between two ends.
fn between(from: &Vertex, to: &Vertex) -> Vec<Vertex> {
    (1..PARTS).map(|k| on_chord(from, to, k as f64 / PARTS as f64)).collect()
}

fn on_chord(from: &Vertex, to: &Vertex, share: f64) -> Vertex {
    let x = from.x.iter().zip(&to.x).map(|(a, b)| a + share * (b - a)).collect();
    Vertex { t: from.t + share * (to.t - from.t), x }
}

/// The distance of a point from straight lines between vertices, in the metric of the graphs.
fn to_graph(from: &Vertex, vertices: &[Vertex]) -> f64 {
    let ends: Vec<f64> = vertices.iter().map(|vertex| apart(vertex, from)).collect();
    let mut best = ends.iter().copied().fold(f64::INFINITY, f64::min);
    for (i, chord) in vertices.windows(2).enumerate() {
        // no point of the line is nearer than this
        let least = 0.5 * (ends[i] + ends[i + 1] - apart(&chord[0], &chord[1]));
        if least < best {
            best = best.min(to_chord(from, &chord[0], &chord[1]));
        }
    }
    best
}

/// The metric of the graphs.
fn apart(a: &Vertex, b: &Vertex) -> f64 {
    (a.t - b.t).abs().max(distance(&a.x, &b.x))
}

/// The distance from one line: a convex function of the share, by thirds, to a thousandth of itself.
fn to_chord(from: &Vertex, a: &Vertex, b: &Vertex) -> f64 {
    let length = apart(a, b);
    let at = |share: f64| {
        let time = (a.t + share * (b.t - a.t) - from.t).abs();
        let square: f64 =
            (0..from.x.len()).map(|k| (a.x[k] + share * (b.x[k] - a.x[k]) - from.x[k]).powi(2)).sum();
        time.max(square.sqrt())
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..THIRDS {
        let third = (high - low) / 3.0;
        let (left, right) = (at(low + third), at(high - third));
        if left <= right {
            high -= third
        } else {
            low += third
        }
        if (high - low) * length <= NEAR * left.min(right) {
            break;
        }
    }
    at(0.5 * (low + high))
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
