//! The fast dynamics of a compliant contact in (Y, V), Fig. 12 of \[CV16\]: curves in the colours of their modes, equilibria, the line
//! where the force begins and, at rest, the line where slip does.

use super::Picture;
use super::canvas::{Canvas, Look};
use super::fault::PlotFault;
use super::panel::{LOWER, Panel};
use super::scale::Range;
use super::style::{Colour, DATA, HAIR, TINY, WIDTH, mode_colour};
use crate::contact::{Mode, Planar};
use crate::simulate::compliant::{Curve, CurvePoint, FastPortrait, Scene};

/// Height of the panel, and where it begins.
const HEIGHT: f64 = 270.0;
const TOP: f64 = 22.0;

/// Starts of curves across and up.
const STARTS: [i32; 2] = [7, 9];

/// Times of the contact's own vibration for which a curve is followed, and its points.
const DURATION: (f64, usize) = (4.0, 1600);

/// Distance from the middle, over the width of what is seen, at which a curve ends.
const LEAVES: f64 = 0.7;

/// Least distance of points on the page.
const GRAIN: f64 = 3.0;

/// Length of an arrow's head.
const ARROW: f64 = 5.0;

/// Draws the portrait of a scene; `title` says of what.
///
/// # Errors
/// [`PlotFault::NoSamples`] if the scene's numbers are not finite.
pub fn portrait(scene: &Scene, title: &str) -> Result<Picture, PlotFault> {
    let frequency = (scene.compliance.stiffness * scene.planar.C).sqrt();
    let depth = depth(scene).ok_or(PlotFault::NoSamples)?;
    let across = Range::of([-2.8 * depth, 1.3 * depth]).ok_or(PlotFault::NoSamples)?;
    let up = Range::of([-2.0 * depth * frequency, 2.0 * depth * frequency]).ok_or(PlotFault::NoSamples)?;
    let duration = DURATION.0 * std::f64::consts::TAU / frequency;
    let drawn = scene.portrait(&starts(depth, frequency), duration, DURATION.1);
    let panel = Panel::beside_axis([0.0, WIDTH - 10.0], [TOP, TOP + HEIGHT], [across, up]);
    let mut canvas = Canvas::new([WIDTH, TOP + HEIGHT + LOWER], title);
    canvas.clipped(panel.corner(), panel.size(), |canvas| {
        lines(canvas, &panel, scene, &drawn);
        drawn.curves.iter().for_each(|curve| draw(canvas, &panel, curve));
        equilibria(canvas, &panel, &drawn);
    });
    legend(&mut canvas, &panel, &drawn);
    panel.frame(&mut canvas);
    panel.left_axis(&mut canvas, "V = ẏ/ε");
    panel.lower_axis(&mut canvas, Some("Y = y/ε²"));
    Ok(canvas.finish())
}

/// How deep the contact goes: to its deepest equilibrium, or as far as b pushes it.
fn depth(scene: &Scene) -> Option<f64> {
    let Planar { A, B, C, a, b, .. } = scene.planar;
    if ![A, B, C, a, b].iter().all(|x| x.is_finite()) {
        return None;
    }
    let equilibria = scene.portrait(&[], 0.0, 0).equilibria;
    let deepest = equilibria.iter().map(|equilibrium| -equilibrium.Y).fold(0.0, f64::max);
    let pushed = (scene.planar.b / (scene.planar.C * scene.compliance.stiffness)).abs();
    [deepest, pushed, 1.0].into_iter().find(|depth| *depth > 0.0)
}

fn starts(depth: f64, frequency: f64) -> Vec<[f64; 2]> {
    let [columns, rows] = STARTS;
    let at = |i: i32, count: i32| f64::from(i) / f64::from(count - 1);
    (0..columns)
        .flat_map(|i| (0..rows).map(move |j| (at(i, columns), at(j, rows))))
        .map(|(x, y)| [depth * (-2.8 + 4.1 * x), depth * frequency * (-2.0 + 4.0 * y)])
        .collect()
}

/// The surface, where the force begins below it, and where slip begins.
fn lines(canvas: &mut Canvas, panel: &Panel, scene: &Scene, drawn: &FastPortrait) {
    let (k, d) = (scene.compliance.stiffness, scene.compliance.damping);
    let guide = Look::line(Colour::GREY, HAIR);
    let [low, high] = [panel.y.data.lo, panel.y.data.hi];
    canvas.line(panel.at([0.0, low]), panel.at([0.0, high]), guide);
    canvas.line(
        panel.at([panel.x.data.lo, 0.0]),
        panel.at([panel.x.data.hi, 0.0]),
        Look::line(Colour::PALE, HAIR),
    );
    // kY + dV = −λ_N
    let at_force = |force: f64, rate: f64| panel.at([-(force + d * rate) / k, rate]);
    canvas.line(at_force(0.0, 0.0), at_force(0.0, high), guide.dashed("3 2"));
    if let Some(force) = drawn.switching {
        canvas.line(at_force(force, -force / d), at_force(force, high), guide.dashed("1 2"));
    }
}

fn draw(canvas: &mut Canvas, panel: &Panel, curve: &Curve) {
    let seen = visible(panel, &curve.points);
    for run in runs(seen) {
        let line = run.points.iter().map(|point| panel.at([point.at[0], point.at[1]]));
        canvas.path(&spaced(line), Look::line(colour(run.mode), 0.6 * DATA));
    }
    arrow(canvas, panel, seen);
}

/// The ends, and between them no point closer than a grain to the one before.
fn spaced(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let (mut kept, mut left): (Vec<[f64; 2]>, Option<[f64; 2]>) = (Vec::new(), None);
    for point in points {
        let near = |last: &[f64; 2]| (point[0] - last[0]).hypot(point[1] - last[1]) < GRAIN;
        left = Some(point).filter(|_| kept.last().is_some_and(near));
        if left.is_none() {
            kept.push(point);
        }
    }
    kept.extend(left);
    kept
}

/// The points up to where a curve has left the panel for good or far.
fn visible<'p>(panel: &Panel, points: &'p [CurvePoint]) -> &'p [CurvePoint] {
    let within = |point: &CurvePoint| {
        let near = |x: f64, range: Range| (x - range.centre()).abs() <= LEAVES * range.width();
        near(point.at[0], panel.x.data) && near(point.at[1], panel.y.data)
    };
    let last = points.iter().position(|point| !within(point)).unwrap_or(points.len());
    &points[..last]
}

/// Points of one mode; each begins where the one before ended.
struct Run<'p> {
    mode: Mode,
    points: &'p [CurvePoint],
}

fn runs(points: &[CurvePoint]) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut from = 0;
    for i in 1..points.len() {
        if points[i].mode != points[from].mode || i + 1 == points.len() {
            runs.push(Run { mode: points[from].mode, points: &points[from..=i] });
            from = i;
        }
    }
    runs
}

/// A head half-way along what is seen of a curve.
fn arrow(canvas: &mut Canvas, panel: &Panel, points: &[CurvePoint]) {
    let page: Vec<[f64; 2]> = points.iter().map(|point| panel.at([point.at[0], point.at[1]])).collect();
    let length = |pair: &[[f64; 2]]| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
    let half = 0.5 * page.windows(2).map(length).sum::<f64>();
    let mut passed = 0.0;
    for (i, pair) in page.windows(2).enumerate() {
        let size = length(pair);
        passed += size;
        if passed >= half && size > 0.0 && half > ARROW {
            let along = [(pair[1][0] - pair[0][0]) / size, (pair[1][1] - pair[0][1]) / size];
            let back = |side: f64| {
                [
                    pair[1][0] - ARROW * along[0] - side * along[1],
                    pair[1][1] - ARROW * along[1] + side * along[0],
                ]
            };
            canvas.polygon(&[pair[1], back(1.8), back(-1.8)], Look::filled(colour(points[i].mode)));
            return;
        }
    }
}

/// Full where it is stable, empty where it is not.
fn equilibria(canvas: &mut Canvas, panel: &Panel, drawn: &FastPortrait) {
    for equilibrium in &drawn.equilibria {
        let stable = equilibrium.eigenvalues[0].re < 0.0;
        let fill = if stable { colour(equilibrium.mode) } else { Colour::PAPER };
        let look = Look::line(Colour::INK, 1.0).with_fill(fill);
        canvas.circle(panel.at([equilibrium.Y, 0.0]), 3.2, look);
    }
}

/// The modes that are drawn.
fn legend(canvas: &mut Canvas, panel: &Panel, drawn: &FastPortrait) {
    let shown = |mode: Mode| drawn.curves.iter().any(|c| c.points.iter().any(|point| point.mode == mode));
    let mut x = panel.corner()[0];
    for mode in [Mode::Free, Mode::SlipPos, Mode::SlipNeg, Mode::Stick] {
        if shown(mode) {
            canvas.line([x, 10.0], [x + 12.0, 10.0], Look::line(colour(mode), DATA));
            x += 15.0 + canvas.say(mode.name(), [x + 15.0, 13.0], TINY) + 10.0;
        }
    }
}

fn colour(mode: Mode) -> Colour {
    mode_colour(mode.name()).unwrap_or(Colour::GREY)
}
