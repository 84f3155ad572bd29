//! Families of ordinary things, their numbers drawn at random.
//!
//! Lengths are drawn over four decades, times follow from them and gravity, frequencies lie within two decades on either side of
//! the mechanism's own.

use super::case::Case;
use super::draw::Draw;
use mechan::format::RestitutionLaw;

type Family = fn(&mut Draw) -> Case;

pub(crate) const FAMILIES: [(&str, Family); 14] = [
    ("ball on a shaken plate", ball),
    ("spinning rod", rod),
    ("polygon", polygon),
    ("rocking block", rocking),
    ("body on feet", feet),
    ("rod in a corner", corner),
    ("disc in a corner", disc),
    ("oscillator among stops", oscillator),
    ("pendulum among stops", pendulum),
    ("chain", chain),
    ("held side", held),
    ("block on a carriage", carriage),
    ("ball in space", ball_in_space),
    ("rod in space", rod_in_space),
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

fn ball(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("body_1", draw);
    scales.shake(&mut case, draw);
    body(&mut case, &scales, &[[0.0, 0.0]], draw);
    throw(&mut case, &scales, &[[0.0, 0.0]], 0.0, draw);
    case.put("dot(theta)", 0.0);
    if draw.chance(0.5) {
        let slide = case.value("A").unwrap() * draw.between(-1.0, 1.0);
        case.put("Ax", slide);
    }
    case
}

fn rod(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("body_2", draw);
    if draw.chance(0.5) {
        scales.shake(&mut case, draw);
    }
    let points = [[-scales.length, 0.0], [scales.length * draw.between(0.3, 1.0), 0.0]];
    body(&mut case, &scales, &points, draw);
    let theta = draw.between(-3.2, 3.2);
    throw(&mut case, &scales, &points, theta, draw);
    case
}

fn polygon(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let corners = draw.one_of(&[3usize, 4]);
    let mut case = scales.case(if corners == 3 { "body_3" } else { "body_4" }, draw);
    if draw.chance(0.4) {
        scales.shake(&mut case, draw);
    }
    let points: Vec<[f64; 2]> = (0..corners)
        .map(|i| {
            let angle = std::f64::consts::TAU * (i as f64 + draw.between(-0.3, 0.3)) / corners as f64;
            let r = scales.length * draw.between(0.6, 1.0);
            [r * angle.cos(), r * angle.sin()]
        })
        .collect();
    body(&mut case, &scales, &points, draw);
    let theta = draw.between(-3.2, 3.2);
    throw(&mut case, &scales, &points, theta, draw);
    case
}

/// A block on two feet, let go on one of them.
fn rocking(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("body_2", draw);
    let (w, h) = (scales.length * draw.between(0.1, 1.0), scales.length * draw.between(0.1, 1.5));
    let points = [[-w, -h], [w, -h]];
    body(&mut case, &scales, &points, draw);
    case.put("I", scales.mass * (w * w + h * h) * draw.between(0.2, 0.6));
    let theta = (w / h).atan() * draw.between(-0.95, 0.95);
    place(&mut case, &points, theta, if draw.chance(0.7) { 0.0 } else { 0.1 * scales.length });
    if draw.chance(0.3) {
        case.put("dot(x)", scales.speed() * draw.between(-1.0, 1.0));
    }
    case.t_end *= 2.0;
    case
}

/// One to four feet in a line, that land flat, nearly flat or oblique, or slide.
fn feet(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let n = draw.one_of(&[1usize, 2, 2, 3, 4]);
    let mut case = scales.case(["body_1", "body_2", "body_3", "body_4"][n - 1], draw);
    if draw.chance(0.3) {
        scales.shake(&mut case, draw);
    }
    let h = scales.length * draw.between(0.1, 1.0);
    let at = |i: usize| if n == 1 { 0.0 } else { 2.0 * i as f64 / (n - 1) as f64 - 1.0 };
    let points: Vec<[f64; 2]> = (0..n).map(|i| [scales.length * at(i), -h]).collect();
    body(&mut case, &scales, &points, draw);
    let theta = match draw.unit() {
        x if x < 0.4 => 0.0,
        x if x < 0.7 => draw.factor(1e-6, 1e-1),
        _ => draw.between(-1.0, 1.0),
    };
    throw(&mut case, &scales, &points, theta, draw);
    if draw.chance(0.6) {
        case.put("dot(theta)", 0.0);
    }
    case
}

fn corner(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("corner", draw);
    if draw.chance(0.4) {
        scales.shake(&mut case, draw);
    }
    let points = [[-scales.length, 0.0], [scales.length * draw.between(0.3, 1.0), 0.0]];
    body(&mut case, &scales, &points, draw);
    case.set.retain(|(name, _)| name != "chi");
    if draw.chance(0.5) {
        case.put("beta", draw.between(1.0, 2.2));
    }
    let theta = draw.between(-3.2, 3.2);
    throw(&mut case, &scales, &points, theta, draw);
    beside_the_wall(&mut case, &points, draw);
    case
}

/// Puts a body beside the wall, touching it or not, above the floor as it is.
fn beside_the_wall(case: &mut Case, points: &[[f64; 2]], draw: &mut Draw) {
    let (sin, cos) = case.value("theta").unwrap().sin_cos();
    let beta = case.value("beta").unwrap_or(std::f64::consts::FRAC_PI_2);
    let y = case.value("y").unwrap();
    // x sin β − y cos β ≥ 0 at every point
    let room = |[a, b]: &[f64; 2]| (a * cos - b * sin) * beta.sin() - (y + a * sin + b * cos) * beta.cos();
    let least = points.iter().map(room).fold(f64::INFINITY, f64::min);
    let lift = if draw.chance(0.3) { 0.0 } else { case.length * draw.factor(1e-2, 2.0) };
    case.put("x", (lift - least) / beta.sin());
}

fn disc(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("disc", draw);
    if draw.chance(0.5) {
        scales.shake(&mut case, draw);
        let slide = case.value("A").unwrap() * draw.between(-1.0, 1.0);
        case.put("Ax", slide);
    }
    case.put("m", scales.mass);
    case.put("I", scales.mass * scales.length * scales.length * draw.between(0.2, 1.0));
    case.put("R", scales.length);
    case.put("mw", friction(draw));
    if draw.chance(0.5) {
        case.put("beta", draw.between(1.0, 2.2));
    }
    throw(&mut case, &scales, &[[0.0, -scales.length]], 0.0, draw);
    let beta = case.value("beta").unwrap_or(std::f64::consts::FRAC_PI_2);
    let y = case.value("y").unwrap();
    let lift = if draw.chance(0.3) { 0.0 } else { scales.length * draw.factor(1e-2, 2.0) };
    case.put("x", (scales.length + lift + y * beta.cos()) / beta.sin());
    case
}

fn oscillator(draw: &mut Draw) -> Case {
    let (length, own) = (draw.factor(1e-2, 1e2), draw.factor(1e-1, 1e1));
    let scales = Scales { length, gravity: own * own * length, mass: draw.factor(0.1, 10.0) };
    let mut case = scales.case("oscillator", draw);
    case.set.clear();
    case.put("e", restitution(draw));
    case.put("m", scales.mass);
    case.put("k", if draw.chance(0.1) { 0.0 } else { scales.mass * own * own });
    if draw.chance(0.5) {
        case.put("c", 2.0 * scales.mass * own * draw.factor(1e-3, 1.0));
    }
    scales.shake(&mut case, draw);
    let shaken = case.value("A").unwrap();
    if draw.chance(0.5) {
        case.put("F", scales.mass * own * own * length * draw.factor(1e-2, 1e1));
    }
    case.put("A", if draw.chance(0.5) { 0.0 } else { shaken.min(0.4 * length) });
    let (low, high) = (-length, length * draw.between(0.0, 1.0));
    case.put("L", low);
    case.put("H", high);
    let reach = case.value("A").unwrap();
    let x = draw.between(low + reach, high);
    case.put("x", x);
    case.put("dot(x)", scales.speed() * draw.between(-2.0, 2.0));
    case
}

fn pendulum(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("pendulum", draw);
    let l = scales.length;
    case.put("m", scales.mass);
    case.put("I", scales.mass * l * l * draw.factor(1e-3, 1e-1));
    case.put("l", l);
    let mut reach = 0.0;
    if draw.chance(0.5) {
        scales.shake(&mut case, draw);
        reach = case.value("A").unwrap().min(0.3 * l);
        case.put("A", reach);
    }
    let (low, high) = (-l * draw.between(0.0, 0.9) - reach, l * draw.between(0.0, 0.9) + reach);
    case.put("L", low);
    case.put("H", high);
    let pivot = floor(&case);
    let inside = draw.between(low.max(pivot - l), high.min(pivot + l));
    case.put("theta", ((inside - pivot) / l).clamp(-1.0, 1.0).asin());
    case.put("dot(theta)", scales.rate() * draw.between(-2.0, 2.0));
    case
}

fn chain(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let n = draw.one_of(&[2usize, 3]);
    let mut case = scales.case(["chain_2", "chain_3"][n - 2], draw);
    let mut reach = 0.0;
    for i in 1..=n {
        let (l, m) = (scales.length * draw.between(0.4, 1.0), scales.mass * draw.between(0.3, 1.0));
        case.put(&format!("l{i}"), l);
        case.put(&format!("m{i}"), m);
        case.put(&format!("I{i}"), m * l * l * draw.between(0.02, 0.2));
        reach += l;
    }
    if draw.chance(0.3) {
        scales.shake(&mut case, draw);
        let amplitude = case.value("A").unwrap().min(0.1 * scales.length);
        case.put("A", amplitude);
    }
    case.put("H", reach * draw.between(0.6, 1.1));
    case.put("D", reach * draw.between(0.3, 1.1));
    // horizontal, away from the wall, or folded upwards: above the floor and before the wall
    for i in 1..=n {
        case.put(&format!("q{i}"), -draw.between(1.6, 3.0));
        case.put(&format!("dot(q{i})"), scales.rate() * draw.between(-1.0, 1.0));
    }
    case.t_end = case.t_end.min(5.0 / scales.rate());
    case
}

fn held(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("held", draw);
    let (w, h) = (scales.length, scales.length * draw.between(0.0, 0.6));
    let points = [[-w, -h], [w * draw.between(0.3, 1.0), -h]];
    body(&mut case, &scales, &points, draw);
    case.put("a", w * draw.between(-1.0, 1.0));
    case.put("b", w * draw.between(-0.5, 1.0));
    if draw.chance(0.5) {
        case.put("beta", draw.between(1.0, 2.2));
    }
    let theta = draw.between(-1.0, 1.0);
    throw(&mut case, &scales, &points, theta, draw);
    case.set.retain(|(name, _)| name != "dot(x)");
    case
}

fn carriage(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("blocks", draw);
    let (w, h) = (scales.length * draw.between(0.2, 1.0), scales.length * draw.between(0.1, 1.0));
    let points = [[-w, -h], [w, -h]];
    body(&mut case, &scales, &points, draw);
    case.set.retain(|(name, _)| name != "chi");
    case.put("M", scales.mass * draw.factor(0.1, 10.0));
    case.put("k", scales.mass * scales.rate().powi(2) * draw.factor(1e-2, 1e2));
    if draw.chance(0.6) {
        scales.shake(&mut case, draw);
        case.set.retain(|(name, _)| name != "A");
        case.put("F", scales.mass * scales.gravity * draw.factor(1e-2, 1e1));
    }
    let theta = if draw.chance(0.5) { 0.0 } else { draw.between(-0.5, 0.5) };
    throw(&mut case, &scales, &points, theta, draw);
    if draw.chance(0.5) {
        case.put("dot(theta)", 0.0);
    }
    case.put("dot(X)", scales.speed() * draw.between(-1.0, 1.0));
    case
}

fn ball_in_space(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("ball_in_space", draw);
    case.put("m", scales.mass);
    if draw.chance(0.5) {
        scales.shake(&mut case, draw);
        let amplitude = case.value("A").unwrap();
        for name in ["Ax", "Ay"] {
            case.put(name, amplitude * draw.between(-1.0, 1.0));
        }
    }
    if draw.chance(0.3) {
        case.put("chi", draw.between(-0.6, 0.6));
    }
    let lift = |draw: &mut Draw| if draw.chance(0.3) { 0.0 } else { scales.length * draw.factor(1e-2, 2.0) };
    let beta = if draw.chance(0.5) { draw.between(1.0, 2.2) } else { std::f64::consts::FRAC_PI_2 };
    case.put("beta", beta);
    let z = floor(&case) + lift(draw);
    case.put("z", z);
    case.put("x", (lift(draw) + z * beta.cos()) / beta.sin());
    for name in ["dot(x)", "dot(y)", "dot(z)"] {
        case.put(name, scales.speed() * draw.between(-1.5, 1.0));
    }
    case
}

fn rod_in_space(draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case("rod_in_space", draw);
    let l = scales.length;
    case.put("m", scales.mass);
    case.put("I", scales.mass * l * l * draw.between(0.2, 1.0));
    case.put("l", l);
    if draw.chance(0.3) {
        case.put("chi", draw.between(-0.6, 0.6));
    }
    if draw.chance(0.3) {
        scales.shake(&mut case, draw);
    }
    let theta = draw.between(-1.2, 1.2);
    case.put("theta", theta);
    let lift = if draw.chance(0.25) { 0.0 } else { l * draw.factor(1e-2, 2.0) };
    let height = floor(&case) + l * theta.sin().abs() + lift;
    case.put("z", height);
    for name in ["dot(x)", "dot(y)", "dot(z)"] {
        case.put(name, scales.speed() * draw.between(-1.5, 1.0));
    }
    for name in ["dot(psi)", "dot(theta)"] {
        case.put(name, scales.rate() * draw.between(-2.0, 2.0));
    }
    case.t_end = case.t_end.min(4.0 / scales.rate());
    case
}
