//! The set of contact forces that hold an equilibrium: for each contact its friction cone, and what of it the forces fill, λ_T to the right
//! and λ_N upwards.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::fault::PlotFault;
use super::hull::hull;
use super::panel::{LEFT, LOWER, Panel, VERTICAL, label_width, ticks};
use super::request::StatePlot;
use super::scale::{Range, Scale};
use super::style::{BAND, Colour, DATA, HAIR, LABEL, WIDTH, in_unit};
use crate::analysis::ByName;
use crate::analysis::several::{ForcePair, StandingOutcome};

/// Height of a panel.
const HEIGHT: f64 = 150.0;
/// Panels in a row.
const ACROSS: usize = 2;

/// Friction and unit of forces of a contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceAxes {
    /// μ.
    pub mu: f64,
    /// The unit; none of mere numbers.
    pub unit: Option<String>,
}

/// Draws the forces of each contact, their axes in their order.
///
/// # Errors
/// [`PlotFault::NoState`] if the corners of the set are not known.
pub fn forces(title: &str, standing: &StandingOutcome, axes: &[ForceAxes]) -> Result<Picture, PlotFault> {
    let none = PlotFault::no_state(StatePlot::Forces);
    let corners = standing.force_corners.as_ref().filter(|corners| !corners.is_empty()).ok_or(none)?;
    let names: Vec<&str> = corners[0].0.iter().map(|(name, _)| name.as_str()).collect();
    let rows = names.len().div_ceil(ACROSS);
    let top = 20.0;
    let size = [WIDTH, rows as f64 * (HEIGHT + LOWER + top)];
    let mut canvas = Canvas::new(size, title);
    let width = WIDTH / ACROSS as f64;
    for (i, name) in names.iter().enumerate() {
        let corner = [(i % ACROSS) as f64 * width, (i / ACROSS) as f64 * (HEIGHT + LOWER + top) + top];
        let set = Set {
            points: of(corners, name),
            rays: of(standing.force_rays.as_deref().unwrap_or_default(), name),
            mu: axes.get(i).map_or(f64::NAN, |axes| axes.mu),
            unit: axes.get(i).and_then(|axes| axes.unit.as_deref()),
        };
        set.draw(&mut canvas, name, corner, width);
    }
    Ok(canvas.finish())
}

/// (λ_T, λ_N) of a contact.
fn of(forces: &[ByName<ForcePair>], name: &str) -> Vec<[f64; 2]> {
    forces.iter().filter_map(|force| force.get(name)).map(|pair| [pair.tangential.0, pair.normal.0]).collect()
}

/// What is drawn of one contact.
struct Set<'u> {
    points: Vec<[f64; 2]>,
    rays: Vec<[f64; 2]>,
    mu: f64,
    unit: Option<&'u str>,
}

impl Set<'_> {
    fn draw(&self, canvas: &mut Canvas, name: &str, corner: [f64; 2], width: f64) {
        let high = self.points.iter().map(|p| p[1]).fold(0.0, f64::max);
        let wide = self.points.iter().map(|p| p[0].abs()).fold(0.0, f64::max);
        let size = if high.max(wide) > 0.0 { high.max(wide) } else { 1.0 };
        // rays are drawn to twice the largest corner
        let reach = if self.rays.is_empty() { 1.25 } else { 2.0 };
        let up = Range { lo: 0.0, hi: size * reach };
        let left = corner[0] + label_width(&ticks(up, HEIGHT, VERTICAL)) + LEFT;
        let page = [left, corner[0] + width - 8.0];
        // one scale for both forces
        let half = 0.5 * (page[1] - page[0]) / HEIGHT * up.hi;
        let panel = Panel {
            x: Scale { data: Range { lo: -half, hi: half }, page },
            y: Scale { data: up, page: [corner[1] + HEIGHT, corner[1]] },
        };
        canvas.clipped(panel.corner(), panel.size(), |canvas| {
            self.cone(canvas, &panel, up.hi);
            let hull = hull(&self.reaching(4.0 * up.hi), 0.0);
            let points: Vec<_> = hull.iter().map(|p| panel.at(*p)).collect();
            canvas.polygon(&points, Look::filled(Colour::GREEN).at_opacity(2.0 * BAND));
            canvas.polygon(&points, Look::line(Colour::GREEN, DATA));
        });
        for point in &self.points {
            canvas.circle(panel.at(*point), 2.2, Look::line(Colour::PAPER, HAIR).with_fill(Colour::INK));
        }
        panel.frame(canvas);
        panel.left_axis(canvas, &in_unit("normal force", self.unit));
        panel.lower_axis(canvas, Some(&in_unit("friction force", self.unit)));
        let at = [0.5 * (page[0] + page[1]), corner[1] - 6.0];
        canvas.text(Text { words: name, at, anchor: Anchor::Middle, size: LABEL, colour: Colour::INK });
    }

    fn cone(&self, canvas: &mut Canvas, panel: &Panel, high: f64) {
        if self.mu.is_finite() {
            let edges = [-1.0, 1.0].map(|sign| panel.at([sign * self.mu * high, high]));
            let origin = panel.at([0.0, 0.0]);
            canvas.polygon(&[origin, edges[0], edges[1]], Look::filled(Colour::AMBER).at_opacity(BAND));
            canvas.path(&[edges[0], origin, edges[1]], Look::line(Colour::AMBER, HAIR));
        }
    }

    /// The corners, and each of them moved along each ray.
    fn reaching(&self, far: f64) -> Vec<[f64; 2]> {
        let along = |p: &[f64; 2], ray: &[f64; 2]| {
            let size = ray[0].hypot(ray[1]);
            let s = if size > 0.0 { far / size } else { 0.0 };
            [p[0] + s * ray[0], p[1] + s * ray[1]]
        };
        let moved = self.points.iter().flat_map(|p| self.rays.iter().map(move |ray| along(p, ray)));
        self.points.iter().copied().chain(moved).collect()
    }
}
