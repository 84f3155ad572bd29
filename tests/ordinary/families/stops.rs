//! Oscillators, pendulums and chains among stops.

use super::{Scales, floor, restitution};
use crate::case::Case;
use crate::draw::Draw;

pub(super) fn oscillator(draw: &mut Draw) -> Case {
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

pub(super) fn pendulum(draw: &mut Draw) -> Case {
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

pub(super) fn chain(draw: &mut Draw) -> Case {
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
