//! Bodies in space with many contact points, thrown at floors, slopes, corners, stairs, and at each other.

use super::{Scales, friction};
use crate::case::Case;
use crate::draw::Draw;
use mechan::format::RestitutionLaw;
use std::f64::consts::{PI, TAU};

type Point = [f64; 3];

/// A body's points about its centre of mass, and its principal moments of inertia per mass, in units of its length.
struct Shape {
    points: Vec<Point>,
    inertia: [f64; 3],
}

/// Where it lands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Ground,
    Corner,
}

pub(super) fn box_on_ground(draw: &mut Draw) -> Case {
    let shape = cuboid(sides(draw));
    thrown("thrown_8", &shape, Place::Ground, draw)
}

pub(super) fn box_in_corner(draw: &mut Draw) -> Case {
    let shape = cuboid(sides(draw));
    thrown("thrown_8_corner", &shape, Place::Corner, draw)
}

pub(super) fn tripod_on_ground(draw: &mut Draw) -> Case {
    let shape = tripod(draw);
    thrown("thrown_4", &shape, Place::Ground, draw)
}

pub(super) fn tripod_in_corner(draw: &mut Draw) -> Case {
    let shape = tripod(draw);
    thrown("thrown_4_corner", &shape, Place::Corner, draw)
}

pub(super) fn table(draw: &mut Draw) -> Case {
    let (a, b, leg) = (draw.between(0.4, 1.0), draw.between(0.4, 1.0), draw.between(0.4, 0.8));
    let points = corners([[-a, a], [-b, b], [-leg, 0.06]]);
    let inertia = [b * b / 3.0 + 0.04, a * a / 3.0 + 0.04, (a * a + b * b) / 3.0];
    thrown("thrown_8", &Shape { points, inertia }, Place::Ground, draw)
}

pub(super) fn chair(draw: &mut Draw) -> Case {
    let (a, b) = (draw.between(0.4, 0.5), draw.between(0.4, 0.5));
    let (leg, back) = (draw.between(0.6, 0.9), draw.between(0.6, 1.0));
    let feet = corners([[-a, a], [-b, b], [-leg, -leg]]).into_iter().step_by(2);
    let seat = [[a, -b, 0.04], [a, b, 0.04], [-a, -b, back], [-a, b, back]];
    let shape = Shape { points: feet.chain(seat).collect(), inertia: [0.24, 0.28, 0.16] };
    thrown("thrown_8", &shape, Place::Ground, draw)
}

pub(super) fn star(draw: &mut Draw) -> Case {
    let point = |draw: &mut Draw| direction(draw).map(|x| x * draw.between(0.5, 1.0));
    let shape = Shape { points: (0..12).map(|_| point(draw)).collect(), inertia: [0.2, 0.25, 0.3] };
    thrown("thrown_12", &shape, Place::Ground, draw)
}

pub(super) fn dodecahedron(draw: &mut Draw) -> Case {
    let (golden, scale) = ((1.0 + 5.0_f64.sqrt()) / 2.0, 3.0_f64.sqrt().recip());
    let mut points = corners([[-1.0, 1.0]; 3]);
    for s in [-1.0, 1.0] {
        for t in [-1.0, 1.0] {
            let (short, long) = (s / golden, t * golden);
            points.extend([[0.0, short, long], [short, long, 0.0], [long, 0.0, short]]);
        }
    }
    points.iter_mut().for_each(|point| *point = point.map(|x| scale * x));
    thrown("thrown_20", &Shape { points, inertia: [0.4; 3] }, Place::Ground, draw)
}

/// A chair above stairs of three treads that lead down, ten points in all.
pub(super) fn chair_at_stairs(draw: &mut Draw) -> Case {
    let (half, leg, back) = (draw.between(0.4, 0.5), draw.between(0.6, 0.9), draw.between(0.6, 1.0));
    let side = [-half, half];
    let points = corners([side, side, [-leg, back]]);
    let scales = Scales::draw(draw);
    let mut case = scales.case("chair_on_stairs", draw);
    let l = scales.length;
    let (rise, tread) = (draw.between(0.2, 0.5), draw.between(0.4, 0.9));
    let names = ["w", "l", "b", "H", "D"].into_iter().zip([half, leg, back, rise, tread]);
    names.for_each(|(name, share)| case.put(name, share * l));
    for (name, own) in ["J1", "J2", "J3"].into_iter().zip([0.24, 0.28, 0.16]) {
        case.put(name, scales.mass * l * l * own);
    }
    case.put("m", scales.mass);
    let height = draw.factor(0.01, 1.0) - fly(&mut case, &scales, &points, draw);
    case.put("x", l * draw.between(-0.5, 0.5));
    case.put("z", l * height);
    landing(case, &scales, draw)
}

/// A box above a floor, and another one above its top, which has no end.
pub(super) fn box_onto_box(draw: &mut Draw) -> Case {
    let [lower, upper] = [sides(draw), sides(draw)];
    let scales = Scales::draw(draw);
    let mut case = scales.case("box_on_box", draw);
    let l = scales.length;
    let of = |name: char, half: Point| (1..=3).map(move |k| (format!("{name}{k}"), l * half[k - 1]));
    of('a', lower).chain(of('b', upper)).for_each(|(name, half)| case.put(&name, half));
    case.put("nu", friction(draw));
    case.put("ma", scales.mass);
    case.put("mb", scales.mass * draw.factor(0.3, 3.0));
    let height = draw.factor(0.01, 1.0) - fly(&mut case, &scales, &cuboid(lower).points, draw);
    case.put("z", l * height);
    let attitude = ATTITUDE.map(|name| case.value(name).unwrap());
    let reach = upper.iter().map(|x| x * x).sum::<f64>().sqrt();
    let above = turned(attitude, [0.0, 0.0, lower[2] + reach + draw.factor(0.01, 0.5)]);
    let centre = [0.0, 0.0, height];
    for (k, name) in ["X", "Y", "Z"].into_iter().enumerate() {
        case.put(name, l * (centre[k] + above[k]));
        case.put(&format!("dot({name})"), scales.speed() * draw.between(-1.0, 1.0));
    }
    spin(&mut case, ["f0", "f1", "f2", "f3"], &scales, draw);
    landing(case, &scales, draw)
}

/// Half lengths of a box.
fn sides(draw: &mut Draw) -> Point {
    [(); 3].map(|()| draw.between(0.2, 1.0))
}

/// A die of these half lengths that is held in some way, and thrown high and with much spin.
pub(crate) fn die(half: Point, held: fn(&mut Draw) -> Quaternion, draw: &mut Draw) -> Case {
    let shape = cuboid(half);
    let mut case = thrown("thrown_8", &shape, Place::Ground, draw);
    let rate = (case.value("g").unwrap() / case.length).sqrt();
    let attitude = held(draw);
    turn(&mut case, ATTITUDE, attitude, direction(draw).map(|x| x * rate * draw.between(2.0, 5.0)));
    let height = case.length * (draw.between(2.0, 5.0) - lowest(&shape.points, attitude, 2));
    for (name, value) in [("chi", 0.0), ("mu", 0.4), ("e", 0.3), ("z", height)] {
        case.put(name, value);
    }
    case.t_end = 60.0 / rate;
    case
}

/// Every attitude is as likely   (Shoemake 1992).
pub(crate) fn in_any_way(draw: &mut Draw) -> Quaternion {
    let (share, one, two) = (draw.unit(), draw.between(0.0, TAU), draw.between(0.0, TAU));
    let (a, b) = ((1.0 - share).sqrt(), share.sqrt());
    [b * two.cos(), a * one.sin(), a * one.cos(), b * two.sin()]
}

/// About any axis by any angle: of small ones there are more than where every attitude is as likely.
pub(crate) fn about_any_axis(draw: &mut Draw) -> Quaternion {
    let angle = draw.between(0.0, PI);
    about(direction(draw), angle)
}

/// A plate of unit mass, 1 by 0.8 by 0.1, that lies on twenty points.
pub(crate) fn plate() -> Case {
    let mut case = Case {
        family: "plate",
        model: "thrown_20",
        law: RestitutionLaw::Newton,
        set: Vec::new(),
        t_end: 1.0,
        length: 1.0,
        shaken: 0.0,
        driven: false,
        drawn: (0, 0),
    };
    let Shape { inertia, .. } = cuboid([0.5, 0.4, 0.05]);
    for (name, value) in ["m", "z", "I1", "I2", "I3"].into_iter().zip([&[1.0, 0.05][..], &inertia].concat()) {
        case.put(name, value);
    }
    for i in 0..20 {
        let (column, row) = (f64::from(i % 5), f64::from(i / 5));
        for (name, x) in [("x", 0.25 * column - 0.5), ("y", row * 0.8 / 3.0 - 0.4), ("z", -0.05)] {
            case.put(&format!("p{i}{name}"), x);
        }
    }
    case
}

fn cuboid(half: Point) -> Shape {
    let squares = half.map(|h| h * h / 3.0);
    let inertia = [squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]];
    Shape { points: corners(half.map(|h| [-h, h])), inertia }
}

fn tripod(draw: &mut Draw) -> Shape {
    let (radius, leg) = (draw.between(0.4, 1.0), draw.between(0.2, 0.6));
    let foot = |k: i32| {
        let (s, c) = (TAU * f64::from(k) / 3.0).sin_cos();
        [radius * c, radius * s, -leg]
    };
    Shape { points: (0..3).map(foot).chain([[0.0, 0.0, leg]]).collect(), inertia: [0.2, 0.2, 0.3] }
}

fn corners(sides: [[f64; 2]; 3]) -> Vec<Point> {
    let one = |i: usize| [0, 1, 2].map(|k| sides[k][i >> (2 - k) & 1]);
    (0..8).map(one).collect()
}

/// A direction, all as likely.
fn direction(draw: &mut Draw) -> Point {
    let (height, angle) = (draw.between(-1.0, 1.0), draw.between(0.0, TAU));
    let width = (1.0_f64 - height * height).sqrt();
    [width * angle.cos(), width * angle.sin(), height]
}

pub(crate) type Quaternion = [f64; 4];

pub(crate) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

fn turned(attitude: Quaternion, [x, y, z]: Point) -> Point {
    let [w, i, j, k] = attitude;
    let [_, x, y, z] = product(product(attitude, [0.0, x, y, z]), [w, -i, -j, -k]);
    [x, y, z]
}

/// Upright, tilted a little, or any way.
fn attitude(draw: &mut Draw) -> Quaternion {
    let most = draw.one_of(&[0.0, 0.4, PI]);
    let angle = draw.between(0.0, most);
    about(if draw.chance(0.5) { direction(draw) } else { [1.0, 0.0, 0.0] }, angle)
}

fn about(axis: Point, angle: f64) -> Quaternion {
    let (s, c) = (0.5 * angle).sin_cos();
    [c, s * axis[0], s * axis[1], s * axis[2]]
}

/// The names of an attitude.
const ATTITUDE: [&str; 4] = ["e0", "e1", "e2", "e3"];

/// Sets attitude and angular velocity.
fn turn(case: &mut Case, names: [&str; 4], attitude: Quaternion, spin: Point) {
    let rates = product(attitude, [0.0, spin[0], spin[1], spin[2]]).map(|x| 0.5 * x);
    for (i, name) in names.into_iter().enumerate() {
        case.put(name, attitude[i]);
        case.put(&format!("dot({name})"), rates[i]);
    }
}

/// Turns the axes of a body by `turn` in it, its motion being what it was.
pub(crate) fn turn_in_itself(case: &mut Case, turn: Quaternion) {
    for names in [ATTITUDE.map(str::to_string), ATTITUDE.map(|name| format!("dot({name})"))] {
        let turned = product(names.each_ref().map(|name| case.value(name).unwrap()), turn);
        names.iter().zip(turned).for_each(|(name, x)| case.put(name, x));
    }
}

/// Where points come farthest down an axis.
fn lowest(points: &[Point], attitude: Quaternion, axis: usize) -> f64 {
    points.iter().map(|p| turned(attitude, *p)[axis]).fold(f64::INFINITY, f64::min)
}

/// With a law of impact, for a time in which it may come to rest.
fn landing(case: Case, scales: &Scales, draw: &mut Draw) -> Case {
    let law = draw.one_of(&[RestitutionLaw::Newton, RestitutionLaw::Poisson]);
    Case { law, t_end: 6.0 / scales.rate(), ..case }
}

/// Sets a random attitude of these names, and a spin.
fn spin(case: &mut Case, names: [&str; 4], scales: &Scales, draw: &mut Draw) -> Quaternion {
    let attitude = attitude(draw);
    let spin = if draw.chance(0.2) { [0.0; 3] } else { direction(draw).map(|x| x * draw.between(0.0, 3.0)) };
    turn(case, names, attitude, spin.map(|x| scales.rate() * x));
    attitude
}

/// Sets attitude, spin and velocity of a body; how far its lowest point is above its centre.
fn fly(case: &mut Case, scales: &Scales, points: &[Point], draw: &mut Draw) -> f64 {
    let attitude = spin(case, ATTITUDE, scales, draw);
    for name in ["dot(x)", "dot(y)", "dot(z)"] {
        case.put(name, scales.speed() * draw.between(-1.0, 1.0));
    }
    lowest(points, attitude, 2)
}

fn thrown(model: &'static str, shape: &Shape, place: Place, draw: &mut Draw) -> Case {
    let scales = Scales::draw(draw);
    let mut case = scales.case(model, draw);
    let l = scales.length;
    case.put("m", scales.mass);
    for (name, own) in ["I1", "I2", "I3"].into_iter().zip(shape.inertia) {
        case.put(name, scales.mass * l * l * own);
    }
    for (i, point) in shape.points.iter().enumerate() {
        for (name, x) in ["x", "y", "z"].into_iter().zip(point) {
            case.put(&format!("p{i}{name}"), l * x);
        }
    }
    if place == Place::Ground && draw.chance(0.4) {
        case.put("chi", draw.between(0.0, 0.6));
    }
    let attitude = spin(&mut case, ATTITUDE, &scales, draw);
    for (name, axis) in [("x", 0), ("z", 2)] {
        case.put(name, l * (draw.factor(0.01, 1.0) - lowest(&shape.points, attitude, axis)));
    }
    for name in ["dot(x)", "dot(y)", "dot(z)"] {
        let toward = if name == "dot(x)" && place == Place::Corner { -1.5 } else { 0.0 };
        case.put(name, scales.speed() * (toward + draw.between(-1.0, 1.0)));
    }
    landing(case, &scales, draw)
}
