//! Random states of loose contacts, and the comparison of what is said of them with what follows.

use crate::asked;
use crate::compare::disagreement;
use crate::draw::Draw;
use crate::loose::{Bench, COORDINATES, Loose, Row, Touch, dot, laws};
use crate::table::Table;
use mechan::contact::Hold;
use mechan::contact::Restitution;
use mechan::simulate::trajectory::Status;
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;

/// A kind of states.
#[derive(Clone, Copy)]
struct Family {
    name: &'static str,
    tangents: usize,
    contacts: [usize; 2],
    kind: Kind,
}

/// What is special about it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Rows at random.
    Loose,
    /// Feet of one body on a floor, or on surfaces of any direction.
    Feet,
    /// Some contacts without friction.
    Frictionless,
    /// Some contacts with infinite friction.
    Rough,
    /// Some contacts that are held on both sides.
    Held,
    /// Some contacts that forces can move along a line only.
    Rail,
    /// Velocities that are nothing but rounding.
    Still,
    /// All contacts approach.
    Struck,
}

#[rustfmt::skip]
const FAMILIES: [Family; 19] = [
    family("one contact, plane",        1, [1, 1], Kind::Loose),
    family("two contacts, plane",       1, [2, 2], Kind::Loose),
    family("three contacts, plane",     1, [3, 3], Kind::Loose),
    family("four contacts, plane",      1, [4, 4], Kind::Loose),
    family("feet, plane",               1, [1, 4], Kind::Feet),
    family("frictionless, plane",       1, [1, 3], Kind::Frictionless),
    family("infinite friction, plane",  1, [1, 3], Kind::Rough),
    family("held, plane",               1, [1, 3], Kind::Held),
    family("rail, plane",               1, [1, 3], Kind::Rail),
    family("one contact, space",        2, [1, 1], Kind::Loose),
    family("two contacts, space",       2, [2, 2], Kind::Loose),
    family("feet, space",               2, [1, 4], Kind::Feet),
    family("frictionless, space",       2, [1, 3], Kind::Frictionless),
    family("infinite friction, space",  2, [1, 3], Kind::Rough),
    family("held, space",               2, [1, 3], Kind::Held),
    family("rail, space",               2, [1, 3], Kind::Rail),
    family("all but still, plane",      1, [1, 3], Kind::Still),
    family("all but still, space",      2, [1, 3], Kind::Still),
    family("struck, plane",             1, [2, 3], Kind::Struck),
];

const fn family(name: &'static str, tangents: usize, contacts: [usize; 2], kind: Kind) -> Family {
    Family { name, tangents, contacts, kind }
}

impl Family {
    fn draw(self, draw: &mut Draw) -> Loose {
        let count =
            self.contacts[0] + (draw.unit() * (1 + self.contacts[1] - self.contacts[0]) as f64) as usize;
        // some coordinates are not used: contacts then depend on each other
        let used = if self.kind == Kind::Feet {
            if self.tangents == 1 { 3 } else { 6 }
        } else {
            1 + self.tangents + (draw.unit() * (COORDINATES - self.tangents) as f64) as usize
        };
        let floor = draw.chance(0.6);
        let special = (draw.unit() * count as f64) as usize;
        let touches = (0..count).map(|i| {
            let rows = match self.kind {
                Kind::Feet => foot(draw, self.tangents, floor),
                _ => (0..=self.tangents).map(|_| row(draw, used)).collect(),
            };
            let special = i == special || draw.chance(0.3);
            self.touch(draw, rows, special)
        });
        let touches: Vec<Touch> = touches.collect();
        let v = row(draw, used);
        let mut load = row(draw, used).map(|x| 3.0 * x);
        if draw.chance(0.6) {
            // what presses all of them
            for touch in &touches {
                let press = draw.between(0.0, 2.0);
                (0..COORDINATES).for_each(|j| load[j] -= press * touch.rows[0][j]);
            }
        }
        let mut loose = Loose { touches, v, load };
        if self.kind == Kind::Still {
            loose.v = loose.v.map(|v| 1e-14 * v);
        } else {
            set_rates(&mut loose, draw);
        }
        if self.kind == Kind::Struck {
            loose.touches.iter_mut().for_each(|touch| touch.drift[0] -= draw.between(1.1, 2.0));
        }
        loose
    }

    fn touch(self, draw: &mut Draw, mut rows: Vec<Row>, special: bool) -> Touch {
        let mut mu = draw.factor(0.05, 3.0);
        let mut hold = Hold::Unilateral;
        match self.kind {
            Kind::Frictionless if special => mu = 0.0,
            Kind::Rough if special => mu = f64::INFINITY,
            // several impacts satisfy the law where there is much friction
            Kind::Struck => mu = draw.between(1.0, 5.0),
            Kind::Held if special => hold = Hold::Bilateral,
            Kind::Rail if special => {
                // it cannot move along a tangent, or only together with the gap
                let share = if draw.chance(0.5) { 0.0 } else { draw.between(-1.0, 1.0) };
                let all = draw.chance(0.5);
                let normal = rows[0];
                let tangents = rows.iter_mut().skip(1).enumerate();
                tangents
                    .filter(|(k, _)| *k == 0 || all)
                    .for_each(|(_, row)| *row = normal.map(|x| share * x));
            }
            Kind::Loose
            | Kind::Feet
            | Kind::Frictionless
            | Kind::Rough
            | Kind::Held
            | Kind::Rail
            | Kind::Still => {}
        }
        let e = if draw.chance(0.3) { 0.0 } else { draw.between(0.0, 0.9) };
        let restitution = match draw.one_of(&[0, 1, 2, 2]) {
            0 => Restitution::Newton(e),
            1 => Restitution::Energetic(e),
            _ => Restitution::Poisson(e),
        };
        Touch { drift: vec![0.0; rows.len()], rows, pull: 0.0, laws: laws(mu, restitution, hold) }
    }
}

/// Numbers in (−1, 1), zero from some coordinate on.
fn row(draw: &mut Draw, used: usize) -> Row {
    let mut row = [0.0; COORDINATES];
    row.iter_mut().take(used).for_each(|x| *x = draw.between(-1.0, 1.0));
    row
}

/// Rows of a point of a body of mass 1 and radii of gyration 1, on a floor or on a surface of any direction.
fn foot(draw: &mut Draw, tangents: usize, floor: bool) -> Vec<Row> {
    let mut at = [0.0; 3].map(|_| draw.between(-2.0, 2.0));
    if tangents == 1 {
        if floor {
            at[1] = -1.0;
        }
        let angle = if floor { 0.0 } else { draw.between(-1.5, 1.5) };
        let (s, c) = f64::sin_cos(angle);
        let arm = |d: [f64; 2]| at[0] * d[1] - at[1] * d[0];
        return [[s, c], [c, -s]].map(|d| [d[0], d[1], arm(d), 0.0, 0.0, 0.0]).to_vec();
    }
    if floor {
        at[2] = -1.0;
    }
    let normal = if floor { [0.0, 0.0, 1.0] } else { unit([0.0; 3].map(|_| draw.between(-1.0, 1.0))) };
    let first = unit(cross(if floor { [0.0, 1.0, 0.0] } else { [0.3, 0.5, 0.8] }, normal));
    let directions = [normal, first, cross(normal, first)];
    let row = |d: [f64; 3]| {
        let turn = cross(at, d);
        [d[0], d[1], d[2], turn[0], turn[1], turn[2]]
    };
    directions.map(row).to_vec()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let size = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    a.map(|x| x / size)
}

/// Gap rates of closed contacts become zero, slips of some too: by the velocities where surfaces are still, by the surfaces where they move. Then some
/// contacts may approach or part.
fn set_rates(loose: &mut Loose, draw: &mut Draw) {
    let rests: Vec<bool> = loose.touches.iter().map(|_| draw.chance(0.5)).collect();
    if draw.chance(0.4) {
        let v = loose.v;
        for (touch, rests) in loose.touches.iter_mut().zip(&rests) {
            let some = draw.chance(0.5);
            for (k, row) in touch.rows.iter().enumerate() {
                let slides = k > 0 && !rests;
                touch.drift[k] = if !slides {
                    -dot(row, &v)
                } else if some {
                    draw.between(-1.0, 1.0)
                } else {
                    0.0
                };
            }
            touch.pull = if draw.chance(0.3) { draw.between(-1.0, 1.0) } else { 0.0 };
        }
    } else if draw.chance(0.25) {
        loose.v = [0.0; COORDINATES];
    } else {
        let held = |(touch, rests): (&Touch, &bool)| {
            touch.rows.iter().take(if *rests { usize::MAX } else { 1 }).copied().collect::<Vec<Row>>()
        };
        let rows: Vec<Row> = loose.touches.iter().zip(&rests).flat_map(held).collect();
        let R = DMatrix::from_fn(rows.len(), COORDINATES, |i, j| rows[i][j]);
        let inverse = R.clone().pseudo_inverse(1e-9).unwrap();
        // twice, so that what is left is the rounding of what was left
        for _ in 0..2 {
            let v = DVector::from_column_slice(&loose.v);
            let left = &inverse * (&R * v);
            loose.v.iter_mut().zip(left.iter()).for_each(|(v, left)| *v -= left);
        }
        if loose.v.iter().all(|v| v.abs() < 1e-9) {
            loose.v = [0.0; COORDINATES];
        }
    }
    let (approach, part) = (draw.chance(0.15), draw.chance(0.1));
    for touch in loose.touches.iter_mut().filter(|touch| touch.laws.hold == Hold::Unilateral) {
        if approach && draw.chance(0.6) {
            touch.drift[0] -= draw.between(0.01, 1.0);
        } else if part && draw.chance(0.5) {
            touch.drift[0] += draw.between(0.01, 1.0);
        }
    }
}

/// Random states in `cargo test`.
const USUAL: u64 = 1000;

/// What was found of a state: what is said and what follows, the kind of disagreement, if any, and of which sort the state is.
pub(crate) struct Judgement {
    pub(crate) text: String,
    pub(crate) kind: Option<String>,
    pub(crate) sort: &'static str,
}

/// Judges random states of every family with so many tangents.
pub(crate) fn campaign(
    tangents: usize,
    prefix: &str,
    judge: impl Fn(&Bench, &Loose) -> Judgement,
    what: &str,
) -> BTreeMap<&'static str, usize> {
    let (seed, count) = (asked("MECHAN_SEED", 1), asked("MECHAN_AGREEMENT", USUAL));
    let only = std::env::var("MECHAN_FAMILY").unwrap_or_default();
    let one = std::env::var("MECHAN_ONLY").ok().map(|text| text.parse::<usize>().unwrap());
    let bench = Bench::of(if tangents == 1 { "loose_plane" } else { "loose_space" });
    let each = count.div_ceil(FAMILIES.len() as u64) as usize;
    let (mut table, mut sorts) = (Table::default(), BTreeMap::new());
    for (number, family) in FAMILIES.iter().enumerate() {
        if family.tangents != tangents || !family.name.contains(&only) {
            continue;
        }
        for index in one.map_or(0..each, |one| one..one + 1) {
            let loose = family.draw(&mut Draw::new(seed, number, index));
            let Judgement { text, kind, sort } = judge(&bench, &loose);
            *sorts.entry(sort).or_default() += 1;
            if one.is_some() {
                eprintln!("{text}\n    {}", loose.told());
            }
            let (place, name) = (format!("{} {index}", family.name), format!("{prefix}{}", family.name));
            table.enter(&name, &place, kind.map(|kind| (kind, text)));
        }
    }
    table.conclude(&format!("{what} (MECHAN_SEED={seed})"));
    sorts
}

/// Contacts in the plane with a zero gap and any rates.
pub(crate) fn sliding(draw: &mut Draw, contacts: usize) -> Loose {
    let loose = family("", 1, [contacts, contacts], Kind::Loose).draw(draw);
    Loose { v: row(draw, COORDINATES), ..loose }
}

/// What analysis and motion say of a state.
fn motion(bench: &Bench, loose: &Loose) -> Judgement {
    let (closed, said) = bench.said(loose);
    let followed = bench.followed(loose, &closed);
    let begins = |what: &str| followed.names.iter().any(|name| name.starts_with(what));
    let sort = match (followed.names.len(), followed.over) {
        (0, Some(Status::Inconsistent)) => "nothing",
        (0, _) => "undecided",
        (1, _) if begins("impact") => "impact",
        (_, _) if begins("impact") => "several impacts",
        (_, _) if begins("iwc") => "impact without collision",
        (1, _) => "one motion",
        _ => "several motions",
    };
    Judgement { text: format!("{said:?}\n    {followed:?}"), kind: disagreement(&said, &followed), sort }
}

/// That random states are of every sort, unless some are asked for.
fn every_sort(found: &BTreeMap<&'static str, usize>, sorts: &[&str]) {
    eprintln!("    {found:?}");
    let some = ["MECHAN_FAMILY", "MECHAN_ONLY"].iter().any(|name| std::env::var_os(name).is_some());
    assert!(some || sorts.iter().all(|sort| found.get(sort).is_some_and(|count| *count > 0)), "{found:?}");
}

/// What follows some of a thousand random states.
const SORTS: [&str; 5] = ["one motion", "several motions", "impact", "nothing", "undecided"];

#[test]
fn what_is_possible_in_the_plane_is_followed() {
    let found = campaign(1, "", motion, "random states in the plane");
    every_sort(&found, &[&SORTS[..], &["several impacts", "impact without collision"]].concat());
}

#[test]
fn what_is_possible_in_space_is_followed() {
    every_sort(&campaign(2, "", motion, "random states in space"), &SORTS);
}
