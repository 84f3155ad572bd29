//! Families of ordinary things, their numbers drawn at random.
//!
//! Lengths are drawn over four decades, times follow from them and gravity, frequencies lie within two decades on either side of
//! the mechanism's own.

mod plates;
mod stops;
mod thrown;
mod walls;

pub(crate) use thrown::{about_any_axis, die, in_any_way, plate, product, turn_in_itself};

use crate::case::Case;
use crate::draw::Draw;
use mechan::format::RestitutionLaw;

pub(crate) type Family = fn(&mut Draw) -> Case;

pub(crate) const FAMILIES: [(&str, Family); 14] = [
    ("ball on a shaken plate", plates::ball),
    ("spinning rod", plates::rod),
    ("polygon", plates::polygon),
    ("rocking block", plates::rocking),
    ("body on feet", plates::feet),
    ("rod in a corner", walls::corner),
    ("disc in a corner", walls::disc),
    ("oscillator among stops", stops::oscillator),
    ("pendulum among stops", stops::pendulum),
    ("chain", stops::chain),
    ("held side", walls::held),
    ("block on a carriage", walls::carriage),
    ("ball in space", walls::ball_in_space),
    ("rod in space", walls::rod_in_space),
];

/// Bodies in space with many contact points.
pub(crate) const THROWN: [(&str, Family); 10] = [
    ("box", thrown::box_on_ground),
    ("box in a corner", thrown::box_in_corner),
    ("tripod", thrown::tripod_on_ground),
    ("tripod in a corner", thrown::tripod_in_corner),
    ("table", thrown::table),
    ("chair", thrown::chair),
    ("star", thrown::star),
    ("dodecahedron", thrown::dodecahedron),
    ("chair at stairs", thrown::chair_at_stairs),
    ("box onto a box", thrown::box_onto_box),
];

/// A mechanism's own scales.
struct Scales {
    length: f64,
    gravity: f64,
    mass: f64,
}

impl Scales {
    fn draw(draw: &mut Draw) -> Self {
        Self {
            length: draw.factor(1e-2, 1e2),
            gravity: draw.one_of(&[9.81, 10.0, 1.62]),
            mass: draw.factor(0.1, 10.0),
        }
    }

    fn speed(&self) -> f64 {
        (self.gravity * self.length).sqrt()
    }

    fn rate(&self) -> f64 {
        (self.gravity / self.length).sqrt()
    }

    fn case(&self, model: &'static str, draw: &mut Draw) -> Case {
        let mut case = Case {
            family: "",
            model,
            law: draw.one_of(&[RestitutionLaw::Newton, RestitutionLaw::Poisson, RestitutionLaw::Energetic]),
            set: Vec::new(),
            t_end: draw.between(2.0, 8.0) / self.rate(),
            length: self.length,
            shaken: 0.0,
            driven: false,
            drawn: (0, 0),
        };
        case.put("g", self.gravity);
        case.put("e", restitution(draw));
        case.put("mu", friction(draw));
        case
    }

    /// Shakes the plate, fast or slow, gently or not: acceleration between a hundredth and ten times gravity, and no more than ten
    /// times the mechanism's own speed.
    fn shake(&self, case: &mut Case, draw: &mut Draw) {
        let w = self.rate() * draw.factor(1e-2, 1e2);
        let acceleration = self.gravity * draw.factor(1e-2, 1e1);
        let amplitude = (acceleration / (w * w)).min(10.0 * self.speed() / w);
        case.put("w", w);
        case.put("A", amplitude);
        case.put("ph", draw.between(0.0, 6.2));
        (case.shaken, case.driven) = (w, true);
        // forty periods or the mechanism's own time
        case.t_end = case.t_end.min((40.0 * std::f64::consts::TAU / w).max(2.0 / self.rate()));
    }
}

fn restitution(draw: &mut Draw) -> f64 {
    match draw.unit() {
        x if x < 0.2 => 0.0,
        x if x < 0.3 => 1.0,
        _ => draw.unit(),
    }
}

fn friction(draw: &mut Draw) -> f64 {
    if draw.chance(0.15) { 0.0 } else { draw.factor(0.05, 1.5) }
}

/// The height of the plate.
fn floor(case: &Case) -> f64 {
    case.value("A").unwrap_or(0.0) * case.value("ph").unwrap_or(0.0).sin()
}

/// Where the lowest of a body's points touches the plate at an angle, lifted by a height.
fn place(case: &mut Case, points: &[[f64; 2]], theta: f64, lift: f64) {
    let (sin, cos) = theta.sin_cos();
    let lowest = points.iter().map(|[x, y]| x * sin + y * cos).fold(f64::INFINITY, f64::min);
    let height = floor(case) - lowest + lift;
    case.put("y", height);
    case.put("theta", theta);
}

/// Thrown from above, or from the surface itself: resting, sliding, or in the middle of an impact.
fn throw(case: &mut Case, scales: &Scales, points: &[[f64; 2]], theta: f64, draw: &mut Draw) {
    let lift = if draw.chance(0.25) { 0.0 } else { scales.length * draw.factor(1e-3, 3.0) };
    place(case, points, theta, lift);
    let speed = scales.speed();
    case.put("dot(x)", if draw.chance(0.2) { 0.0 } else { speed * draw.between(-2.0, 2.0) });
    case.put("dot(y)", if draw.chance(0.3) { 0.0 } else { speed * draw.between(-2.0, 1.0) });
    let spin = if draw.chance(0.2) { 0.0 } else { scales.rate() * draw.factor(1e-2, 3e1) };
    case.put("dot(theta)", if draw.chance(0.5) { spin } else { -spin });
    // thirty turns are enough
    case.t_end = case.t_end.min((30.0 * std::f64::consts::TAU / spin.max(1e-300)).max(1.0 / scales.rate()));
}

/// Points of a body and its inertia, to a slope of up to 0.6.
fn body(case: &mut Case, scales: &Scales, points: &[[f64; 2]], draw: &mut Draw) {
    for (i, [x, y]) in points.iter().enumerate() {
        case.put(&format!("x{}", i + 1), *x);
        case.put(&format!("y{}", i + 1), *y);
    }
    let size = points.iter().map(|[x, y]| x * x + y * y).fold(0.0, f64::max);
    let size = if size > 0.0 { size } else { scales.length * scales.length };
    case.put("m", scales.mass);
    case.put("I", scales.mass * size * draw.between(0.2, 1.0));
    if draw.chance(0.3) {
        case.put("chi", draw.between(-0.6, 0.6));
    }
}
