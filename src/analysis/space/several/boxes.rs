//! Words with slip from rest: all angles at which the slip accelerations are parallel to the slips, by bisection of boxes.
//!
//! A box is left out if, over all of it and with outward rounding, a condition is negative or a slip acceleration has a part across its slip. It
//! has exactly one solution if Krawczyk's operator K(X) = m − Y f(m) + (1 − Y f′(X))(X − m) maps it into its own interior, none if K(X)
//! misses it.

use super::judge::{Solved, at_angles, conditions};
use super::system::{Response, System};
use crate::analysis::space::SpaceWord;
use crate::num::circle::principal;
use crate::num::{Dual, Interval, Real, Tol};
use nalgebra::DMatrix;
use std::f64::consts::TAU;

/// Where the first box begins: no angle that a mechanism is likely to have.
const SEAM: f64 = -2.915_727_364;
/// Part of its width by which a box is made larger on each side, so that no solution lies on an edge of all boxes that know it.
const OVERLAP: f64 = 0.01;
/// Contractions of a box with one solution.
const CONTRACTIONS: usize = 20;

/// What the boxes of a word have.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Solutions, each proven to be the only one near it, consistent or not.
    pub(super) solved: Vec<Solved>,
    /// Whether it is proven that there is no other consistent one.
    pub(super) complete: bool,
}

/// All directions of some contacts.
pub(super) fn everywhere(contacts: usize) -> Vec<Interval> {
    vec![Interval::new(SEAM, SEAM + TAU); contacts]
}

/// Boxes to be searched, and how many more may be examined.
#[derive(Debug)]
pub(super) struct Boxes<'a> {
    /// Where solutions may be.
    pub(super) from: Vec<Vec<Interval>>,
    /// What is left of the boxes.
    pub(super) budget: &'a mut usize,
}

/// All solutions of a word that slips from rest.
pub(super) fn search(system: &System, word: &[SpaceWord], within: Boxes<'_>, tol: &Tol) -> Found {
    let Boxes { from: mut boxes, budget } = within;
    let mut found = Found { solved: Vec::new(), complete: true };
    while let Some(arcs) = boxes.pop() {
        if *budget == 0 {
            return Found { complete: false, ..found };
        }
        *budget -= 1;
        match examined(system, word, &arcs) {
            Known::Empty => {}
            Known::One(angles) => record(system, word, &angles, &mut found, tol),
            Known::Nothing => match widest(&arcs, tol) {
                Some(i) => boxes.extend(halves(&arcs, i)),
                None => found.complete = false,
            },
        }
    }
    found
}

enum Known {
    Empty,
    One(Vec<f64>),
    Nothing,
}

fn widest(arcs: &[Interval], tol: &Tol) -> Option<usize> {
    let i = (0..arcs.len()).max_by(|&i, &j| arcs[i].width().total_cmp(&arcs[j].width()))?;
    (arcs[i].width() > tol.narrow_directions).then_some(i)
}

fn halves(arcs: &[Interval], i: usize) -> [Vec<Interval>; 2] {
    let middle = arcs[i].middle();
    [Interval::new(arcs[i].lo, middle), Interval::new(middle, arcs[i].hi)].map(|half| {
        let mut new = arcs.to_vec();
        new[i] = half;
        new
    })
}

/// û⊥·u̇ of each contact that leaves rest.
fn across<T: Real>(system: &System, word: &[SpaceWord], angles: &[T]) -> Vec<T> {
    sideways(system, word, angles, &system.respond(word, angles))
}

fn sideways<T: Real>(system: &System, word: &[SpaceWord], angles: &[T], response: &Response<T>) -> Vec<T> {
    let one = |(&i, phi): (&usize, &T)| {
        let (s, c) = phi.sin_cos();
        c * response.accelerations[3 * i + 2] - s * response.accelerations[3 * i + 1]
    };
    system.leaving(word).iter().zip(angles).map(one).collect()
}

/// Whether a response violates a law over a whole box.
fn fails(system: &System, word: &[SpaceWord], arcs: &[Interval], response: &Response<Interval>) -> bool {
    conditions(system, word, arcs, response).iter().any(|c| c.value.hi < 0.0)
        || sideways(system, word, arcs, response).iter().any(|x| !x.contains(0.0))
}

/// Whether no force, however large, satisfies the laws in a box: every solution has a largest normal force, and divided by it is excluded.
fn fails_at_any_force(system: &System, word: &[SpaceWord], arcs: &[Interval]) -> bool {
    let pressed = (0..word.len()).filter(|&i| word[i] != SpaceWord::Free);
    pressed.into_iter().all(|largest| {
        let (response, t) = system.respond_per_force(word, arcs, largest);
        let exceeded = (0..word.len()).any(|i| response.forces[3 * i].lo > 1.0);
        exceeded || !system.permits(word, arcs, largest, t) || fails(system, word, arcs, &response)
    })
}

fn examined(system: &System, word: &[SpaceWord], arcs: &[Interval]) -> Known {
    let wider: Vec<Interval> = arcs
        .iter()
        .map(|arc| Interval::new(arc.lo - OVERLAP * arc.width(), arc.hi + OVERLAP * arc.width()))
        .collect();
    let response = system.respond(word, &wider);
    if fails(system, word, &wider, &response) || fails_at_any_force(system, word, &wider) {
        return Known::Empty;
    }
    match krawczyk(system, word, &wider) {
        Some(Image::Misses) => Known::Empty,
        Some(Image::Inside(inner)) => {
            let mut arcs = inner;
            for _ in 0..CONTRACTIONS {
                match krawczyk(system, word, &arcs) {
                    Some(Image::Inside(inner)) => arcs = inner,
                    _ => break,
                }
            }
            Known::One(arcs.iter().map(|arc| arc.middle()).collect())
        }
        Some(Image::Overlaps) | None => Known::Nothing,
    }
}

enum Image {
    Inside(Vec<Interval>),
    Misses,
    Overlaps,
}

/// Krawczyk's operator on a box; none where the forces are not defined.
fn krawczyk(system: &System, word: &[SpaceWord], arcs: &[Interval]) -> Option<Image> {
    let n = arcs.len();
    let slope = |j: usize| {
        let moving: Vec<Dual<Interval>> = arcs
            .iter()
            .enumerate()
            .map(|(i, &arc)| Dual::new(arc, Interval::from_f64(if i == j { 1.0 } else { 0.0 })))
            .collect();
        across(system, word, &moving).into_iter().map(|x| x.eps).collect::<Vec<Interval>>()
    };
    let slopes: Vec<Vec<Interval>> = (0..n).map(slope).collect();
    if slopes.iter().flatten().any(|x| !x.is_bounded()) {
        return None;
    }
    let Y = DMatrix::from_fn(n, n, |i, j| slopes[j][i].middle()).try_inverse()?;
    let middle: Vec<Interval> = arcs.iter().map(|arc| Interval::from_f64(arc.middle())).collect();
    let f = across(system, word, &middle);
    let y = |i: usize, j: usize| Interval::from_f64(Y[(i, j)]);
    let sum =
        |terms: &mut dyn Iterator<Item = Interval>| terms.fold(Interval::from_f64(0.0), |sum, x| sum + x);
    let image = |i: usize| {
        let newton = sum(&mut (0..n).map(|k| y(i, k) * f[k]));
        let spread = sum(&mut (0..n).map(|j| {
            let product = sum(&mut (0..n).map(|k| y(i, k) * slopes[j][k]));
            let identity = Interval::from_f64(if i == j { 1.0 } else { 0.0 });
            (identity - product) * (arcs[j] - middle[j])
        }));
        middle[i] - newton + spread
    };
    let images: Vec<Interval> = (0..n).map(image).collect();
    if images.iter().zip(arcs).any(|(image, arc)| image.meet(*arc).is_none()) {
        return Some(Image::Misses);
    }
    let inside = images.iter().zip(arcs).all(|(image, arc)| arc.lo < image.lo && image.hi < arc.hi);
    Some(if inside { Image::Inside(images) } else { Image::Overlaps })
}

/// Keeps a solution that is not one already: neighbouring boxes overlap.
fn record(system: &System, word: &[SpaceWord], angles: &[f64], found: &mut Found, tol: &Tol) {
    let angles: Vec<f64> = angles.iter().map(|&phi| principal(phi)).collect();
    let solved = at_angles(system, word, &angles, tol);
    let same = |other: &Solved| {
        let pairs = other.directions.iter().flatten().zip(solved.directions.iter().flatten());
        pairs.into_iter().all(|(x, y)| (0.5 * (x - y)).sin().abs() < tol.narrow_directions)
    };
    if !found.solved.iter().any(same) {
        found.solved.push(solved);
    }
}
