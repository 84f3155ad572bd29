//! Modes in which contacts slip out of rest in space: all directions in which their slip accelerations are parallel to the slips.
//!
//! Of one contact the directions are zeros of a trigonometric polynomial, all of which are found with a proof. Of several, boxes of angles are
//! bisected. A box is left out if, over all of it and with outward rounding, a condition is negative or a slip acceleration has a part across its
//! slip. It has exactly one solution if Krawczyk's operator K(X) = m − Y f(m) + (1 − Y f′(X))(X − m) maps it into its own interior, none if K(X)
//! misses it.

use super::contacts::Contacts;
use super::elimination::{eliminate, precondition};
use super::judge::Judgement;
use super::mode::Mode;
use crate::num::circle::principal;
use crate::num::{Dual, Interval, Real, Tol, halt};
use nalgebra::DMatrix;
use std::f64::consts::TAU;

/// Where the first box begins: no angle that a mechanism is likely to have.
pub(super) const SEAM: f64 = -2.915_727_364;
/// Part of its width by which a box is made larger on each side, so that no solution lies on an edge of all boxes that know it.
const OVERLAP: f64 = 0.01;
/// Contractions of a box with one solution.
const CONTRACTIONS: usize = 20;

/// What the boxes of a combination have.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Solutions, each proven to be the only one near it, consistent or not.
    pub(super) solved: Vec<Judgement>,
    /// Whether it is proven that there is no other consistent one.
    pub(super) complete: bool,
}

/// All directions.
pub(super) fn circle() -> Interval {
    Interval::new(SEAM, SEAM + TAU)
}

/// Boxes to be searched, and how many more may be examined.
#[derive(Debug)]
pub(super) struct Boxes<'a> {
    /// Where solutions may be.
    pub(super) from: Vec<Vec<Interval>>,
    /// What is left of the boxes.
    pub(super) budget: &'a mut usize,
}

/// All solutions of a combination that slips from rest.
pub(super) fn search(contacts: &Contacts, modes: &[Mode], within: Boxes<'_>, tol: &Tol) -> Found {
    let Boxes { from: mut boxes, budget } = within;
    let onset = Onset { contacts, modes, leaving: contacts.leaving(modes), held: contacts.held_rows(modes) };
    let mut found = Found { solved: Vec::new(), complete: true };
    let mut known: Vec<Vec<f64>> = Vec::new();
    while let Some(arcs) = boxes.pop() {
        if *budget == 0 || halt::is_wanted() {
            return Found { complete: false, ..found };
        }
        *budget -= 1;
        match onset.examined(&arcs) {
            Known::Empty => {}
            Known::One(angles) => {
                // neighbouring boxes overlap
                let near = |(x, y): (&f64, &f64)| (0.5 * (x - y)).sin().abs() < tol.narrow_directions;
                let again = |other: &Vec<f64>| other.iter().zip(&angles).all(near);
                if !known.iter().any(again) {
                    found.solved.push(contacts.judge(&onset.directed(&angles), tol));
                    known.push(angles);
                }
            }
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

impl Contacts {
    /// The contacts of a combination whose directions of slip are not known, and matter.
    pub(super) fn leaving(&self, modes: &[Mode]) -> Vec<usize> {
        (0..modes.len()).filter(|&i| self.leaves(i, modes[i])).collect()
    }

    /// Whether a contact in a mode is one of them.
    pub(super) fn leaves(&self, contact: usize, mode: Mode) -> bool {
        matches!(mode, Mode::Slip { .. }) && mode.direction().is_none() && !self.friction(contact).is_zero()
    }
}

/// Forces and accelerations of a combination, by row.
struct Response<T> {
    forces: Vec<T>,
    accelerations: Vec<T>,
}

/// An unknown force as (row, factor) pairs.
type Column<T> = Vec<(usize, T)>;

/// A combination with contacts that leave rest, over their angles.
struct Onset<'a> {
    contacts: &'a Contacts,
    modes: &'a [Mode],
    leaving: Vec<usize>,
    held: Vec<usize>,
}

impl Onset<'_> {
    fn directed(&self, angles: &[f64]) -> Vec<Mode> {
        let mut modes = self.modes.to_vec();
        for (&i, &phi) in self.leaving.iter().zip(angles) {
            let (s, c) = phi.sin_cos();
            modes[i] = modes[i].directed([c, s]);
        }
        modes
    }

    /// The direction of a contact that slips, if it has one: the next of the angles where it is sought.
    fn along<'t, T: Real + 't>(
        &self,
        contact: usize,
        angles: &mut impl Iterator<Item = &'t T>,
    ) -> Option<[T; 2]> {
        if self.leaving.contains(&contact) {
            return angles.next().map(|phi| phi.sin_cos()).map(|(s, c)| [c, s]);
        }
        self.modes[contact].direction().map(|along| along.map(T::from_f64))
    }

    /// Each unknown force: |λ_N| of contacts that slip, |λ_N| and the tangential forces of those that stick.
    fn columns<T: Real>(&self, angles: &[T]) -> Vec<Column<T>> {
        let number = T::from_f64;
        let mut next = angles.iter();
        let mut columns = Vec::new();
        for (i, &mode) in self.modes.iter().enumerate() {
            let row = self.contacts.normal(i);
            match mode {
                Mode::Free => {}
                Mode::Stick { side } => {
                    columns.push(vec![(row, number(side))]);
                    columns.extend((1..3).map(|k| vec![(row + k, number(1.0))]));
                }
                Mode::Slip { side, .. } => {
                    let [c, s] = self.along(i, &mut next).unwrap_or([number(0.0); 2]);
                    // λ_T = −μ λ_N û   [CV16 (37)]
                    let [n, t] = self.contacts.slope(i);
                    let t = number(-t);
                    columns.push(vec![(row, number(side * n)), (row + 1, t * c), (row + 2, t * s)]);
                }
            }
        }
        columns
    }

    /// P and −c of the held rows.
    fn equations<T: Real>(&self, columns: &[Column<T>]) -> (Vec<Vec<T>>, Vec<T>) {
        let D = |i: usize, j: usize| T::from_f64(self.contacts.D[(i, j)]);
        let gain = |row: usize, column: &Column<T>| {
            column.iter().fold(T::from_f64(0.0), |sum, &(j, factor)| sum + D(row, j) * factor)
        };
        let line = |&row: &usize| columns.iter().map(|column| gain(row, column)).collect();
        let right = |&row: &usize| T::from_f64(-self.contacts.c[row]);
        (self.held.iter().map(line).collect(), self.held.iter().map(right).collect())
    }

    /// Forces and accelerations; undefined numbers where the forces are not defined.
    fn respond<T: Real>(&self, angles: &[T]) -> Response<T> {
        let columns = self.columns(angles);
        let (mut matrix, mut unknown) = self.equations(&columns);
        precondition(&mut matrix, &mut unknown);
        eliminate(&mut matrix, &mut unknown);
        self.response(&columns, &unknown, T::from_f64(1.0))
    }

    /// The same divided by the weight of one unknown, which stays defined where forces tend to infinity; and one over that weight.
    fn respond_per_force(&self, angles: &[Interval], largest: usize) -> (Response<Interval>, Interval) {
        let columns = self.columns(angles);
        let (mut matrix, mut unknown) = self.equations(&columns);
        // P x = −c t with x of that force 1: t takes its column
        for (row, right) in matrix.iter_mut().zip(&mut unknown) {
            let free = -*right;
            *right = -row[largest];
            row[largest] = free;
        }
        precondition(&mut matrix, &mut unknown);
        eliminate(&mut matrix, &mut unknown);
        let t = std::mem::replace(&mut unknown[largest], Interval::from_f64(1.0));
        (self.response(&columns, &unknown, t), t)
    }

    /// Forces, and D λ + c t.
    fn response<T: Real>(&self, columns: &[Column<T>], unknown: &[T], t: T) -> Response<T> {
        let (zero, rows) = (T::from_f64(0.0), self.contacts.c.len());
        let mut forces = vec![zero; rows];
        for (column, &x) in columns.iter().zip(unknown) {
            column.iter().for_each(|&(row, factor)| forces[row] = forces[row] + factor * x);
        }
        let acceleration = |row: usize| {
            if self.held.contains(&row) {
                return zero;
            }
            let driven = forces.iter().enumerate().map(|(j, &x)| T::from_f64(self.contacts.D[(row, j)]) * x);
            driven.fold(T::from_f64(self.contacts.c[row]) * t, |sum, x| sum + x)
        };
        let accelerations = (0..rows).map(acceleration).collect();
        Response { forces, accelerations }
    }

    /// Whether some t ≥ 0 within the given bounds can satisfy every held row, P x + c t = 0, with forces in their cones, the weight of one unknown 1
    /// and no other one larger: row by row.
    fn permits(&self, angles: &[Interval], largest: usize, t: Interval) -> bool {
        let columns = self.columns(angles);
        let (matrix, right) = self.equations(&columns);
        let range = |(k, column): (usize, &Column<Interval>)| {
            let row = column[0].0;
            let [_, t] = self.contacts.slope(self.contacts.contact_of(row));
            match (row % 3, k == largest) {
                (0, true) => Interval::from_f64(1.0),
                (0, false) => Interval::new(0.0, 1.0),
                _ => Interval::new(-t, t),
            }
        };
        let ranges: Vec<Interval> = columns.iter().enumerate().map(range).collect();
        let Some(mut t) = t.meet(Interval::new(0.0, f64::INFINITY)) else { return false };
        for (row, right) in matrix.iter().zip(right) {
            let driven = row.iter().zip(&ranges).fold(Interval::from_f64(0.0), |sum, (&p, &x)| sum + p * x);
            if right.contains(0.0) {
                continue;
            }
            match t.meet(driven / right) {
                Some(less) => t = less,
                None => return false,
            }
        }
        true
    }

    /// û⊥·u̇ of each contact that leaves rest.
    fn across<T: Real>(&self, angles: &[T]) -> Vec<T> {
        self.sideways(angles, &self.respond(angles))
    }

    fn sideways<T: Real>(&self, angles: &[T], response: &Response<T>) -> Vec<T> {
        let one = |(&i, phi): (&usize, &T)| {
            let (s, c) = phi.sin_cos();
            c * response.accelerations[3 * i + 2] - s * response.accelerations[3 * i + 1]
        };
        self.leaving.iter().zip(angles).map(one).collect()
    }

    /// Whether a response violates a law over a whole box.
    fn fails(&self, arcs: &[Interval], response: &Response<Interval>) -> bool {
        self.sideways(arcs, response).iter().any(|x| !x.contains(0.0)) || self.violates(arcs, response)
    }

    /// Whether a number that has to be positive is negative over a whole box.
    fn violates(&self, arcs: &[Interval], Response { forces, accelerations }: &Response<Interval>) -> bool {
        let mut next = arcs.iter();
        let negative = |x: Interval| x.hi < 0.0;
        self.modes.iter().enumerate().any(|(i, &mode)| {
            let along = self.along(i, &mut next);
            let of =
                |numbers: &[Interval]| along.map(|[c, s]| c * numbers[3 * i + 1] + s * numbers[3 * i + 2]);
            let pressed = Interval::from_f64(mode.side()) * forces[3 * i];
            let infinite = self.contacts.friction(i).is_infinite();
            match mode {
                Mode::Free => self.contacts.rise(i, mode).is_some() && negative(accelerations[3 * i]),
                Mode::Slip { .. } => {
                    let opposes = if infinite { of(forces).map(|x| -x) } else { Some(pressed) };
                    let sets_in = of(accelerations).filter(|_| self.contacts.rests(i));
                    opposes.into_iter().chain(sets_in).any(negative)
                }
                Mode::Stick { .. } if infinite => negative(pressed),
                Mode::Stick { .. } => {
                    let [_, t] = self.contacts.slope(i);
                    let held = (forces[3 * i + 1].square() + forces[3 * i + 2].square()).sqrt();
                    negative(pressed) || negative(Interval::from_f64(t) * pressed - held)
                }
            }
        })
    }

    /// Whether no force, however large, satisfies the laws in a box: every solution has a largest normal force, and divided by it is excluded.
    fn fails_at_any_force(&self, arcs: &[Interval]) -> bool {
        let columns = self.columns(arcs);
        let normal: Vec<usize> = (0..columns.len()).filter(|&k| columns[k][0].0.is_multiple_of(3)).collect();
        normal.into_iter().all(|largest| {
            let (response, t) = self.respond_per_force(arcs, largest);
            let exceeds =
                |i: usize| (Interval::from_f64(self.modes[i].side()) * response.forces[3 * i]).lo > 1.0;
            (0..self.modes.len()).any(exceeds)
                || !self.permits(arcs, largest, t)
                || self.fails(arcs, &response)
        })
    }

    fn examined(&self, arcs: &[Interval]) -> Known {
        let wider: Vec<Interval> = arcs
            .iter()
            .map(|arc| Interval::new(arc.lo - OVERLAP * arc.width(), arc.hi + OVERLAP * arc.width()))
            .collect();
        if self.fails(&wider, &self.respond(&wider)) || self.fails_at_any_force(&wider) {
            return Known::Empty;
        }
        match krawczyk(self, &wider) {
            Some(Image::Misses) => Known::Empty,
            Some(Image::Inside(inner)) => {
                let mut arcs = inner;
                for _ in 0..CONTRACTIONS {
                    match krawczyk(self, &arcs) {
                        Some(Image::Inside(inner)) => arcs = inner,
                        _ => break,
                    }
                }
                Known::One(arcs.iter().map(|arc| principal(arc.middle())).collect())
            }
            Some(Image::Overlaps) | None => Known::Nothing,
        }
    }
}

enum Image {
    Inside(Vec<Interval>),
    Misses,
    Overlaps,
}

/// Krawczyk's operator on a box; none where the forces are not defined.
fn krawczyk(onset: &Onset<'_>, arcs: &[Interval]) -> Option<Image> {
    let n = arcs.len();
    let slope = |j: usize| {
        let moving: Vec<Dual<Interval>> = arcs
            .iter()
            .enumerate()
            .map(|(i, &arc)| Dual::new(arc, Interval::from_f64(if i == j { 1.0 } else { 0.0 })))
            .collect();
        onset.across(&moving).into_iter().map(|x| x.eps).collect::<Vec<Interval>>()
    };
    let slopes: Vec<Vec<Interval>> = (0..n).map(slope).collect();
    if slopes.iter().flatten().any(|x| !x.is_bounded()) {
        return None;
    }
    let Y = DMatrix::from_fn(n, n, |i, j| slopes[j][i].middle()).try_inverse()?;
    let middle: Vec<Interval> = arcs.iter().map(|arc| Interval::from_f64(arc.middle())).collect();
    let f = onset.across(&middle);
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
