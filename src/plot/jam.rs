//! Slip near the singular point p = b = 0, Fig. 13 of \[CV16\]: curves of the linear system in (p, b), the eigenline b = Kp, the states that are
//! drawn into dynamic jam, and the present state with where it goes.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::labels::{Label, Places};
use super::panel::{LOWER, Panel};
use super::scale::{Range, short};
use super::style::{BAND, Colour, DATA, SMALL, TINY, WIDTH, in_unit, verdict_fill, verdict_ink};
use crate::analysis::ContactUnitsOutcome;
use crate::analysis::planar::{Fate, Jam, JamKind};
use crate::num::Tol;
use crate::predict::Verdict;

/// Height of the panel, and where it begins.
const HEIGHT: f64 = 220.0;
const TOP: f64 = 20.0;
/// Starts of curves along each axis.
const STARTS: usize = 6;
/// Least distance of a start from other curves, on the page.
const APART: f64 = 17.0;

/// The window of a state on p = 0 or b = 0, as a share of their terms.
const WINDOW: f64 = 0.05;
/// A piece of a curve that tells its direction, over the time of the faster eigenvalue.
const SHORT: f64 = 0.001;

/// Draws the portrait around the singular point; none without numbers.
pub fn jam(title: &str, shown: &Jam, units: Option<&ContactUnitsOutcome>) -> Option<Picture> {
    let finite =
        [shown.p, shown.b, shown.coefficients.alpha1, shown.coefficients.alpha2, shown.coefficients.beta];
    if !finite.iter().all(|x| x.is_finite()) {
        return None;
    }
    let [right, bottom] = [WIDTH - 10.0, TOP + HEIGHT];
    let panel = Panel::beside_axis([0.0, right], [TOP, bottom], window(shown));
    let mut canvas = Canvas::new([WIDTH, TOP + HEIGHT + LOWER], title);
    let mut places = Places::new(panel.corner(), [right, bottom]);
    canvas.clipped(panel.corner(), panel.size(), |canvas| {
        quadrants(canvas, &panel);
        basin(canvas, &panel, shown);
        flow(canvas, &panel, shown);
        lines(canvas, &panel, shown, &mut places);
        own(canvas, &panel, shown, &mut places);
    });
    words(&mut canvas, &panel, shown, &mut places);
    panel.frame(&mut canvas);
    let [up, across] = [units.map(|u| u.acceleration.as_str()), units.map(|u| u.mobility.as_str())];
    panel.left_formula(&mut canvas, &in_unit("free gap acceleration b", up));
    panel.lower_formula(&mut canvas, &in_unit("gain p of the present slip", across));
    Some(canvas.finish())
}

/// p and b around the state: more of the quadrant of pressed slip.
fn window(shown: &Jam) -> [Range; 2] {
    let on = Tol::default().marginal;
    let size = |value: f64, distance: f64| {
        let terms = if distance > 0.0 { value.abs() / distance } else { 1.0 };
        if distance > on { value.abs() } else { WINDOW * terms }
    };
    let (p, b) = (size(shown.p, shown.p_distance), size(shown.b, shown.b_distance));
    let (left, up) = (
        if shown.p < 0.0 && shown.p_distance > on { 1.6 } else { 0.55 },
        if shown.b > 0.0 && shown.b_distance > on { 1.6 } else { 0.55 },
    );
    // on the point itself, the eigenline goes through the corner
    let slope = shown.slope.0.abs();
    let on_it = shown.p_distance <= on && shown.b_distance <= on;
    let b = if on_it && slope > 0.0 && slope.is_finite() { slope * p } else { b };
    [Range { lo: -left * p, hi: 1.6 * p }, Range { lo: -1.6 * b, hi: up * b }]
}

/// Whether a state slips with a force that presses.
fn slips([p, b]: [f64; 2]) -> bool {
    p * b < 0.0
}

/// Slip outside the paradox, no motion, lift-off, and slip or lift-off.
const QUADRANTS: [([f64; 2], Verdict, &str); 4] = [
    ([1.0, -1.0], Verdict::Consistent, "slip"),
    ([-1.0, -1.0], Verdict::Inconsistent, "no motion"),
    ([1.0, 1.0], Verdict::Consistent, "lift-off"),
    ([-1.0, 1.0], Verdict::Indeterminate, "slip or lift-off"),
];

fn end(range: Range, side: f64) -> f64 {
    if side > 0.0 { range.hi } else { range.lo }
}

fn quadrants(canvas: &mut Canvas, panel: &Panel) {
    for ([x, y], verdict, _) in QUADRANTS {
        let (p, b) = (end(panel.x.data, x), end(panel.y.data, y));
        let corners = [[0.0, 0.0], [p, 0.0], [p, b], [0.0, b]].map(|p| panel.at(p));
        canvas.polygon(&corners, Look::filled(verdict_fill(verdict)));
    }
}

/// The pressed slips that reach the singular point: below the eigenline for G1, all for G2.
fn basin(canvas: &mut Canvas, panel: &Panel, shown: &Jam) {
    let (right, low) = (panel.x.data.hi, panel.y.data.lo);
    let slope = shown.slope.0;
    let corners = match shown.kind {
        None => return,
        Some(JamKind::G1) if slope < 0.0 => {
            let at = slope * right;
            let corner = if at < low { vec![[low / slope, low]] } else { vec![[right, at], [right, low]] };
            [vec![[0.0, 0.0]], corner, vec![[0.0, low]]].concat()
        }
        Some(_) => vec![[0.0, 0.0], [right, 0.0], [right, low], [0.0, low]],
    };
    let page: Vec<[f64; 2]> = corners.iter().map(|p| panel.at(*p)).collect();
    canvas.polygon(&page, Look::filled(Colour::VIOLET).at_opacity(0.8 * BAND));
}

/// Curves through a lattice of starts, none close to another one.
fn flow(canvas: &mut Canvas, panel: &Panel, shown: &Jam) {
    let inside = |[p, b]: [f64; 2]| {
        let within = |x: f64, range: Range| (range.lo..=range.hi).contains(&x);
        within(p, panel.x.data) && within(b, panel.y.data) && slips([p, b])
    };
    let mut drawn: Vec<[f64; 2]> = Vec::new();
    for ([x, y], pale) in [([1.0, -1.0], false), ([-1.0, 1.0], true)] {
        let (p, b) = (end(panel.x.data, x), end(panel.y.data, y));
        for k in 0..STARTS * STARTS {
            let share = |k: usize| (k as f64 + 0.5) / STARTS as f64;
            // from the far corner inwards
            let start = [p * (1.0 - share(k / STARTS)), b * (1.0 - share(k % STARTS))];
            let near = |q: &[f64; 2]| {
                let at = panel.at(start);
                (q[0] - at[0]).hypot(q[1] - at[1]) < APART
            };
            if drawn.iter().any(near) {
                continue;
            }
            let mut back = shown.coefficients.curve(start, -1.0, inside);
            back.reverse();
            back.pop();
            let forth = shown.coefficients.curve(start, 1.0, inside);
            let points = thinned(panel, &cut([back, forth].concat()));
            let colour = if pale { Colour::GREY.towards(Colour::PAPER, 0.4) } else { Colour::GREY };
            canvas.path(&points, Look::line(colour, 0.6 * DATA));
            // time goes with τ where p > 0 and against it where p < 0
            let way = if pale { -1.0 } else { 1.0 };
            head(canvas, panel, (shown, start, way), colour);
            drawn.extend(points);
        }
    }
}

/// The curve up to b = 0, which its last or first piece may cross.
fn cut(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    for _ in 0..2 {
        points.reverse();
        if let [.., inner, outer] = &mut points[..]
            && inner[1] * outer[1] < 0.0
        {
            let share = inner[1] / (inner[1] - outer[1]);
            *outer = [inner[0] + share * (outer[0] - inner[0]), 0.0];
        }
    }
    points
}

/// Points on the page some units apart, and the last.
fn thinned(panel: &Panel, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for (i, point) in points.iter().enumerate() {
        let at = panel.at(*point);
        let far = kept.last().is_none_or(|last| (at[0] - last[0]).hypot(at[1] - last[1]) > 4.0);
        if far || i + 1 == points.len() {
            kept.push(at);
        }
    }
    kept
}

/// An arrow's head at a point of a curve.
fn head(canvas: &mut Canvas, panel: &Panel, (shown, at, way): (&Jam, [f64; 2], f64), colour: Colour) {
    let rate = shown.coefficients.alpha1.abs().max(shown.coefficients.beta.abs());
    let next = shown.coefficients.after(at, way * SHORT / rate);
    let [from, to] = [panel.at(at), panel.at(next)];
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    if length > 0.0 {
        let along = [0, 1].map(|k| (to[k] - from[k]) / length);
        let corner = |back: f64, side: f64| {
            [from[0] - back * along[0] - side * along[1], from[1] - back * along[1] + side * along[0]]
        };
        canvas.polygon(&[corner(-2.5, 0.0), corner(2.5, 1.8), corner(2.5, -1.8)], Look::filled(colour));
    }
}

/// The axes and the eigenline.
fn lines(canvas: &mut Canvas, panel: &Panel, shown: &Jam, places: &mut Places) {
    let (x, y) = (panel.x.data, panel.y.data);
    for axis in [[[x.lo, 0.0], [x.hi, 0.0]], [[0.0, y.lo], [0.0, y.hi]]] {
        let ends = axis.map(|p| panel.at(p));
        canvas.path(&ends, Look::line(Colour::INK, 0.8));
        places.avoid(&ends);
    }
    let slope = shown.slope.0;
    if slope.is_finite() {
        let ends = [x.lo, x.hi].map(|p| panel.at([p, slope * p]));
        canvas.path(&ends, Look::line(Colour::VIOLET, 0.9).dashed("4 2"));
        places.avoid(&ends);
    }
}

/// The state and its curve to its end.
fn own(canvas: &mut Canvas, panel: &Panel, shown: &Jam, places: &mut Places) {
    let start = [shown.p, shown.b];
    if slips(start) {
        let inside = |[p, b]: [f64; 2]| {
            slips([p, b]) && p.abs() < 3.0 * panel.x.data.size() && b.abs() < 3.0 * panel.y.data.size()
        };
        let way = if shown.p > 0.0 { 1.0 } else { -1.0 };
        let mut points = shown.coefficients.curve(start, way, inside);
        if let (true, Some(end)) = (shown.fate == Fate::LiftsOff, shown.coefficients.lift_off(start)) {
            points.pop();
            points.push(end);
        }
        let page = thinned(panel, &points);
        canvas.path(&page, Look::line(Colour::BLUE, 1.6 * DATA));
        places.avoid(&page);
        if shown.fate == Fate::LiftsOff
            && let Some(end) = page.last()
        {
            canvas.circle(*end, 3.0, Look::line(Colour::BLUE, 1.0).with_fill(Colour::PAPER));
            places.take(*end, [3.5, 3.5]);
        }
    }
    let origin = panel.at([0.0, 0.0]);
    let [x, y] = origin;
    let fill = if shown.kind.is_some() { Colour::VIOLET } else { Colour::PAPER };
    let diamond = [[x - 4.5, y], [x, y - 4.5], [x + 4.5, y], [x, y + 4.5]];
    canvas.polygon(&diamond, Look::line(Colour::VIOLET, 1.0).with_fill(fill));
    places.take(origin, [6.0, 6.0]);
    let at = panel.at(start);
    canvas.circle(at, 4.0, Look::line(Colour::PAPER, 1.2).with_fill(Colour::BLUE));
    places.take(at, [5.0, 5.0]);
}

fn words(canvas: &mut Canvas, panel: &Panel, shown: &Jam, places: &mut Places) {
    let at = panel.at([shown.p, shown.b]);
    let state = Label { words: "this state", size: SMALL, colour: Colour::BLUE };
    places.write(canvas, state, at, [0.6, 0.8]);
    let origin = panel.at([0.0, 0.0]);
    if let Some(kind) = shown.kind {
        let words = match kind {
            JamKind::G1 => "jam (G1)",
            JamKind::G2 => "jam (G2)",
        };
        places.write(canvas, Label { words, size: SMALL, colour: Colour::VIOLET }, origin, [-0.7, -0.7]);
    }
    let slope = shown.slope.0;
    if slope.is_finite() {
        // inside the panel, to the right
        let reach = if slope < 0.0 { panel.y.data.lo } else { panel.y.data.hi } / slope;
        let p = 0.85 * panel.x.data.hi.min(reach.abs());
        let line = Label { words: "b = Kp", size: TINY, colour: Colour::VIOLET };
        places.write(canvas, line, panel.at([p, slope * p]), [0.0, -1.0]);
    }
    for ([x, y], verdict, words) in QUADRANTS {
        let [p, b] = [end(panel.x.data, x), end(panel.y.data, y)];
        let corner = panel.at([p, b]);
        let inwards = [-x, y];
        let label = Label { words, size: SMALL, colour: verdict_ink(verdict) };
        places.write(canvas, label, [corner[0] + 3.0 * inwards[0], corner[1] + 3.0 * inwards[1]], inwards);
    }
    let c = shown.coefficients;
    let panel_letter = shown.panel.map_or(String::new(), |letter| format!("class ({letter}):  "));
    let words = &format!(
        "{panel_letter}α_1 = {}, α_2 = {}, β = {}, K = {}",
        short(c.alpha1),
        short(c.alpha2),
        short(c.beta),
        short(shown.slope.0)
    );
    let at = [panel.corner()[0], 12.0];
    canvas.formula(Text { words, at, anchor: Anchor::Start, size: SMALL, colour: Colour::INK });
}
