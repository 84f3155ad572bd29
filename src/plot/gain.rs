//! p(φ), the gap acceleration per unit normal force of a contact in space that slips in the direction φ, as a polar picture: a circle stands for
//! p = 0, the curve runs inside it in the forbidden directions, which are hatched.

use super::Picture;
use super::canvas::{Anchor, Canvas, Look, Text};
use super::formula::formula_width;
use super::labels::{Label, Places};
use super::scale::short;
use super::style::{Colour, DATA, HAIR, SMALL, TINY, WIDTH};
use std::f64::consts::TAU;

/// Radius of the largest p.
const RADIUS: f64 = 92.0;
/// Radius of the least p.
const INNER: f64 = 16.0;
/// Points of the curve.
const POINTS: usize = 120;

/// What the picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// B along the two tangents.
    pub coupling: [f64; 2],
    /// C.
    pub own: f64,
    /// μ.
    pub mu: f64,
    /// Arcs of directions with p < 0, from and to.
    pub forbidden: Vec<[f64; 2]>,
    /// The present slip.
    pub slip: Option<[f64; 2]>,
    /// p of it, as a report shows it.
    pub p: f64,
}

impl Gain {
    /// p(φ) = C − μ B·(cos φ, sin φ)   [CV16 (39)].
    pub fn at(&self, phi: f64) -> f64 {
        let (sin, cos) = phi.sin_cos();
        self.own - self.mu * (self.coupling[0] * cos + self.coupling[1] * sin)
    }
}

/// p as a radius.
struct Polar {
    centre: [f64; 2],
    least: f64,
    unit: f64,
}

impl Polar {
    fn radius(&self, p: f64) -> f64 {
        INNER + self.unit * (p - self.least)
    }

    fn at(&self, phi: f64, radius: f64) -> [f64; 2] {
        let (sin, cos) = phi.sin_cos();
        [self.centre[0] + radius * cos, self.centre[1] - radius * sin]
    }
}

/// Draws p over the directions of slip.
pub fn gain(title: &str, shown: &Gain) -> Picture {
    let size = [WIDTH, 2.0 * RADIUS + 62.0];
    let mut canvas = Canvas::new(size, title);
    let coupled = shown.mu * shown.coupling[0].hypot(shown.coupling[1]);
    // p = 0 is always seen
    let (least, most) = ((shown.own - coupled).min(0.0), (shown.own + coupled).max(f64::MIN_POSITIVE));
    let polar =
        Polar { centre: [0.5 * WIDTH, RADIUS + 34.0], least, unit: (RADIUS - INNER) / (most - least) };
    let mut places = Places::new([3.0, 3.0], [WIDTH - 3.0, size[1] - 3.0]);
    for arc in &shown.forbidden {
        sector(&mut canvas, &polar, *arc);
    }
    axes(&mut canvas, &polar, &mut places);
    curve(&mut canvas, shown, &polar);
    words(&mut canvas, shown, &polar, &mut places);
    canvas.finish()
}

/// Directions with p < 0: filled and hatched.
fn sector(canvas: &mut Canvas, polar: &Polar, [from, to]: [f64; 2]) {
    let steps = 40;
    let along = |k: usize| from + (to - from) * k as f64 / steps as f64;
    let mut points = vec![polar.centre];
    points.extend((0..=steps).map(|k| polar.at(along(k), RADIUS)));
    canvas.polygon(&points, Look::filled(Colour::RED).at_opacity(0.16));
    let count = ((to - from) * RADIUS / 7.0).ceil().max(1.0) as usize;
    let mut hatches = Vec::new();
    for k in 1..count {
        let phi = from + (to - from) * k as f64 / count as f64;
        hatches.extend([polar.at(phi, RADIUS * 0.9), polar.at(phi, RADIUS), [f64::NAN; 2]]);
    }
    canvas.path(&hatches, Look::line(Colour::RED, HAIR));
    canvas.path(&[polar.at(from, RADIUS), polar.centre, polar.at(to, RADIUS)], Look::line(Colour::RED, 0.9));
}

/// Directions of the tangents, and the circle p = 0.
fn axes(canvas: &mut Canvas, polar: &Polar, places: &mut Places) {
    for k in 0..4 {
        let phi = TAU * f64::from(k) / 4.0;
        let line = [polar.centre, polar.at(phi, RADIUS + 6.0)];
        canvas.path(&line, Look::line(Colour::PALE, HAIR));
        places.avoid(&line);
        let [x, y] = polar.at(phi, RADIUS + 16.0);
        let words = &format!("{}°", 90 * k);
        let at = [x, y + 0.35 * TINY];
        places.take([x, y], [0.5 * formula_width(words, TINY), 0.5 * TINY]);
        canvas.text(Text { words, at, anchor: Anchor::Middle, size: TINY, colour: Colour::GREY });
    }
    canvas.circle(polar.centre, RADIUS, Look::line(Colour::PALE, HAIR));
    canvas.circle(polar.centre, polar.radius(0.0), Look::line(Colour::INK, 0.9).dashed("4 2"));
}

/// The curve, red where p < 0.
fn curve(canvas: &mut Canvas, shown: &Gain, polar: &Polar) {
    let forbidden =
        |phi: f64| shown.forbidden.iter().any(|[from, to]| (phi - from).rem_euclid(TAU) < to - from);
    let mut ends: Vec<f64> = (0..=POINTS).map(|k| TAU * k as f64 / POINTS as f64).collect();
    ends.extend(shown.forbidden.iter().flatten().map(|phi| phi.rem_euclid(TAU)));
    ends.sort_by(f64::total_cmp);
    for negative in [false, true] {
        let mut points = Vec::new();
        for pair in ends.windows(2) {
            if forbidden(pair[0].midpoint(pair[1])) == negative {
                let place = |phi: f64| polar.at(phi, polar.radius(shown.at(phi)));
                if points.last().is_none_or(|last: &[f64; 2]| !last[0].is_finite()) {
                    points.push(place(pair[0]));
                }
                points.push(place(pair[1]));
            } else {
                points.push([f64::NAN; 2]);
            }
        }
        let look = Look::line(if negative { Colour::RED } else { Colour::PINE }, 1.5 * DATA);
        canvas.path(&points, look);
    }
}

fn words(canvas: &mut Canvas, shown: &Gain, polar: &Polar, places: &mut Places) {
    let round: Vec<[f64; 2]> = (0..=POINTS)
        .map(|k| TAU * k as f64 / POINTS as f64)
        .map(|phi| polar.at(phi, polar.radius(shown.at(phi))))
        .collect();
    places.avoid(&round);
    let zero: Vec<[f64; 2]> =
        (0..=48).map(|k| polar.at(TAU * f64::from(k) / 48.0, polar.radius(0.0))).collect();
    places.avoid(&zero);
    if let Some([x, y]) = shown.slip {
        let phi = y.atan2(x);
        let tip = polar.at(phi, RADIUS + 8.0);
        canvas.arrow(polar.centre, tip, (Colour::BLUE, 1.7));
        places.avoid(&[polar.centre, tip]);
        let p = shown.at(phi);
        canvas.circle(
            polar.at(phi, polar.radius(p)),
            3.2,
            Look::line(Colour::PAPER, 1.0).with_fill(Colour::BLUE),
        );
        let words = &format!("slip, p = {}", short(shown.p));
        let out = [phi.cos(), -phi.sin()];
        places.write(canvas, Label { words, size: SMALL, colour: Colour::BLUE }, tip, out);
    }
    for [from, to] in &shown.forbidden {
        let phi = from.midpoint(*to);
        let words = &format!("p < 0 over {}°", short((to - from).to_degrees()));
        let out = [phi.cos(), -phi.sin()];
        let at = polar.at(phi, RADIUS + 2.0);
        places.write(canvas, Label { words, size: SMALL, colour: Colour::RED }, at, out);
    }
    let quiet = (shown.coupling[1].atan2(shown.coupling[0]) + 0.75 * std::f64::consts::PI).rem_euclid(TAU);
    let at = polar.at(quiet, polar.radius(0.0));
    let out = [quiet.cos(), -quiet.sin()];
    places.write(canvas, Label { words: "p = 0", size: TINY, colour: Colour::INK }, at, [-out[0], -out[1]]);
    let least = Text {
        words: &format!(
            "p(φ) = {} − {} cos(φ − φ_B)",
            short(shown.own),
            short(shown.mu * shown.coupling[0].hypot(shown.coupling[1]))
        ),
        at: [8.0, 14.0],
        anchor: Anchor::Start,
        size: SMALL,
        colour: Colour::INK,
    };
    canvas.formula(least);
}
