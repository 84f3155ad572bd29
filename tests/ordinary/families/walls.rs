//! Bodies in corners, held on a rail, on a carriage, and in space.

use super::{Scales, body, floor, friction, throw};
use crate::case::Case;
use crate::draw::Draw;

pub(super) fn corner(draw: &mut Draw) -> Case {
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

pub(super) fn disc(draw: &mut Draw) -> Case {
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

pub(super) fn held(draw: &mut Draw) -> Case {
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

pub(super) fn carriage(draw: &mut Draw) -> Case {
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

pub(super) fn ball_in_space(draw: &mut Draw) -> Case {
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

pub(super) fn rod_in_space(draw: &mut Draw) -> Case {
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
