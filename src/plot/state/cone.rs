//! Friction cones at closed contacts: an angle in the plane, a cone in space.

use super::contacts::Touching;
use super::layout::Layout;
use super::scene::Scene;
use super::words::Words;
use crate::format::Space;
use crate::plot::canvas::{Canvas, Look};
use crate::plot::mechanism::place::{Vector, plus};
use crate::plot::style::Colour;
use std::f64::consts::TAU;

/// Points around a cone in space.
const ROUND: usize = 48;

/// The opacity of a cone.
const PALE: f64 = 0.26;

impl Scene {
    pub(super) fn cones(&self, canvas: &mut Canvas, layout: &Layout, words: &mut Words) {
        for contact in self.contacts.iter().filter(|c| c.is_closed && c.mu > 0.0 && c.mu.is_finite()) {
            self.cone(canvas, layout, contact, 1.0, words);
            if contact.is_bilateral {
                self.cone(canvas, layout, contact, -1.0, words);
            }
        }
    }

    fn cone(&self, canvas: &mut Canvas, layout: &Layout, contact: &Touching, side: f64, words: &mut Words) {
        let height = side * layout.sizes.cone_height(contact.mu) / layout.unit;
        let rim = |along: &[f64]| -> Vector {
            let out: Vec<f64> = along.iter().map(|x| x * contact.mu * height).collect();
            plus(contact.frame.place, contact.frame.vector(height, &out))
        };
        let page = |p: Vector| layout.panel.at(self.view.of(p));
        let apex = page(contact.frame.place);
        let (fill, edge) = (Look::filled(Colour::AMBER).at_opacity(PALE), Look::line(Colour::AMBER, 0.9));
        match self.view.space {
            Space::Plane => {
                let [left, right] = [[-1.0], [1.0]].map(|s| page(rim(&s)));
                canvas.polygon(&[apex, left, right], fill);
                canvas.path(&[left, apex, right], edge.dashed("4 2"));
                words.cone(contact, [left, apex, right]);
            }
            Space::Space => {
                let around: Vec<[f64; 2]> = (0..ROUND)
                    .map(|k| (TAU * k as f64 / ROUND as f64).sin_cos())
                    .map(|(sin, cos)| page(rim(&[cos, sin])))
                    .collect();
                let [from, to] = silhouette(apex, &around);
                canvas.polygon(&around, fill);
                let mut front = vec![apex];
                front.extend(arc(&around, from, to));
                canvas.polygon(&front, fill);
                canvas.polygon(&around, Look::line(Colour::AMBER, 0.7));
                canvas.path(&[around[from], apex, around[to]], edge.dashed("4 2"));
                words.cone(contact, [around[from], apex, around[to]]);
            }
        }
    }
}

/// The points of a closed curve between which it is seen from outside under the largest angle.
fn silhouette(apex: [f64; 2], around: &[[f64; 2]]) -> [usize; 2] {
    let middle = around.iter().fold([0.0; 2], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
    let count = around.len() as f64;
    let axis = [middle[0] / count - apex[0], middle[1] / count - apex[1]];
    let angle = |p: &[f64; 2]| {
        let [x, y] = [p[0] - apex[0], p[1] - apex[1]];
        (axis[0] * y - axis[1] * x).atan2(axis[0] * x + axis[1] * y)
    };
    let mut ends = [0, 0];
    for (i, p) in around.iter().enumerate() {
        if angle(p) < angle(&around[ends[0]]) {
            ends[0] = i;
        }
        if angle(p) > angle(&around[ends[1]]) {
            ends[1] = i;
        }
    }
    ends
}

/// The half of a closed curve from one of its points to another that is nearer to the apex of its cone: both halves cover the cone's
/// mantle, and the rim is painted besides.
fn arc(around: &[[f64; 2]], from: usize, to: usize) -> Vec<[f64; 2]> {
    let count = around.len();
    (0..=(to + count - from) % count).map(|k| around[(from + k) % count]).collect()
}

#[cfg(test)]
mod tests {
    use super::silhouette;

    #[test]
    fn a_circle_is_seen_between_its_tangents() {
        let around: Vec<[f64; 2]> = (0..720_u32)
            .map(|k| (f64::from(k) * 0.5).to_radians().sin_cos())
            .map(|(sin, cos)| [2.0 + cos, sin])
            .collect();
        // from the distance of two radii the tangents touch at 120 degrees
        let [from, to] = silhouette([0.0, 0.0], &around);
        for (at, sign) in [(from, -1.0), (to, 1.0)] {
            let [x, y] = around[at];
            assert!((x - 1.5).abs() < 0.01 && (y - sign * 0.75_f64.sqrt()).abs() < 0.01, "{x} {y}");
        }
    }
}
