//! Bodies above plates: balls, rods, polygons, blocks on feet.

use super::{Scales, body, place, throw};
use crate::case::Case;
use crate::draw::Draw;

pub(super) fn ball(draw: &mut Draw) -> Case {
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

pub(super) fn rod(draw: &mut Draw) -> Case {
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

pub(super) fn polygon(draw: &mut Draw) -> Case {
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
pub(super) fn rocking(draw: &mut Draw) -> Case {
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
pub(super) fn feet(draw: &mut Draw) -> Case {
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
