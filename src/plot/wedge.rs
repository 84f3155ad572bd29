//! Sectors around the origin of a panel, and panels with one scale along both axes.

use super::panel::{LEFT, Panel, VERTICAL, label_width, ticks};
use super::scale::{Range, Scale};
use super::style::WIDTH;
use crate::num::InOrder;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A panel of this height whose ranges have one scale, as wide as a picture; up to `half` in each direction of the height.
pub(super) fn square(top: f64, height: f64, half: f64) -> Panel {
    let up = Range { lo: -half, hi: half };
    let left = label_width(&ticks(up, height, VERTICAL)) + LEFT;
    let page = [left, WIDTH - 10.0];
    let wide = half * (page[1] - page[0]) / height;
    Panel {
        x: Scale { data: Range { lo: -wide, hi: wide }, page },
        y: Scale { data: up, page: [top + height, top] },
    }
}

/// The corners on the page of a sector around the origin, between two directions of the data counter-clockwise, within a panel that
/// contains the origin.
pub(super) fn wedge(panel: &Panel, from: f64, to: f64) -> Vec<[f64; 2]> {
    let corners = [
        [panel.x.data.hi, panel.y.data.hi],
        [panel.x.data.lo, panel.y.data.hi],
        [panel.x.data.lo, panel.y.data.lo],
        [panel.x.data.hi, panel.y.data.lo],
    ];
    let after = |angle: f64| (angle - from).rem_euclid(TAU);
    let mut between: Vec<(f64, [f64; 2])> = corners
        .iter()
        .map(|c| (after(c[1].atan2(c[0])), *c))
        .filter(|(angle, _)| *angle < to - from)
        .collect();
    between.put_in_order(|a, b| a.0.total_cmp(&b.0));
    let mut points = vec![[0.0, 0.0], rim(panel, from)];
    points.extend(between.into_iter().map(|(_, c)| c));
    points.push(rim(panel, to));
    points.into_iter().map(|p| panel.at(p)).collect()
}

/// Where a ray from the origin leaves a panel, in data.
pub(super) fn rim(panel: &Panel, angle: f64) -> [f64; 2] {
    let (mut sin, mut cos) = angle.sin_cos();
    // directions of the axes exactly
    let quarter = angle / FRAC_PI_2;
    if (quarter - quarter.round()).abs() < f64::EPSILON * 8.0 {
        let turned = (quarter.round() * FRAC_PI_2).rem_euclid(TAU);
        (sin, cos) = (turned.sin().round(), turned.cos().round());
    }
    let reach = |step: f64, range: Range| {
        let end = if step > 0.0 { range.hi } else { range.lo };
        if step.abs() > 0.0 { end / step } else { f64::INFINITY }
    };
    let length = reach(cos, panel.x.data).min(reach(sin, panel.y.data));
    [length * cos, length * sin]
}

#[cfg(test)]
mod tests {
    use super::{rim, square, wedge};
    use std::f64::consts::{FRAC_PI_4, PI, TAU};

    #[test]
    fn sectors_fill_the_panel() {
        let panel = square(10.0, 200.0, 3.0);
        let bounds = [0.0, 0.3, 1.9, PI, 4.0, 5.9, TAU];
        let mut total = 0.0;
        for pair in bounds.windows(2) {
            let polygon = wedge(&panel, pair[0], pair[1]);
            let count = polygon.len();
            let twice: f64 = (0..count)
                .map(|i| (polygon[i], polygon[(i + 1) % count]))
                .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
                .sum();
            total += twice.abs() / 2.0;
        }
        let [width, height] = panel.size();
        assert!((total - width * height).abs() < 1e-6 * total);
    }

    #[test]
    fn a_ray_leaves_at_the_nearer_side() {
        let panel = square(10.0, 200.0, 3.0);
        let [x, y] = rim(&panel, FRAC_PI_4);
        assert!((x - 3.0).abs() < 1e-12 && (y - 3.0).abs() < 1e-12);
        assert!(rim(&panel, PI)[1].abs() < 1e-12);
    }
}
