//! The solutions of one word, face by face: x = (forces, t) with a linear space of equations and a cone of inequalities.
//!
//! In a linear space L of dimension k take the direction d in which k − 1 of the inequalities vanish. From a point of the
//! cone one goes along d both ways until an inequality stops; if only one way is stopped, d itself is in the cone. So the
//! cone in L is the hull of its faces where an inequality with h·d ≠ 0 vanishes, and of d if it belongs to it; the faces
//! have one dimension less. All directions d found on the way generate the cone.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::Gap;
use super::data::{Data, dot};
use crate::enumerate::Mode;
use crate::num::gcd;

/// The words that were looked at, and how many faces may still be.
pub(super) struct Faces {
    left: usize,
    known: BTreeMap<Vec<Mode>, Vec<(Vector, BigInt)>>,
}

type Vector = Vec<BigInt>;

impl Faces {
    pub(super) fn new(limit: usize) -> Self {
        Self { left: limit, known: BTreeMap::new() }
    }

    /// Directions that generate all solutions (and directions) of a word, each as forces and t.
    pub(super) fn generators(&mut self, data: &Data, word: &[Mode]) -> Result<&[(Vector, BigInt)], Gap> {
        if !self.known.contains_key(word) {
            let found = self.found(data, word)?;
            self.known.insert(word.to_vec(), found);
        }
        self.known.get(word).map(Vec::as_slice).ok_or(Gap::Index)
    }

    fn found(&mut self, data: &Data, word: &[Mode]) -> Result<Vec<(Vector, BigInt)>, Gap> {
        let cone = WordCone::new(data, word);
        let mut space = unit_basis(cone.columns.len() + 1);
        cone.planes.iter().for_each(|row| space = cut(&space, row));
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        self.sweep(&space, &cone.halves, &mut seen, &mut found)?;
        Ok(found.iter().map(|x| cone.forces(x, data.rows.len())).collect())
    }

    fn sweep(
        &mut self,
        space: &[Vector],
        halves: &[Vector],
        seen: &mut BTreeSet<Vec<bool>>,
        found: &mut Vec<Vector>,
    ) -> Result<(), Gap> {
        let tight = |h: &Vector| space.iter().all(|b| dot(h, b).is_zero());
        if space.is_empty() || !seen.insert(halves.iter().map(tight).collect()) {
            return Ok(());
        }
        self.left = self.left.checked_sub(1).ok_or(Gap::Faces)?;
        let mut d = direction(space, halves).ok_or(Gap::Unlisted)?;
        let signs: Vec<BigInt> = halves.iter().map(|h| dot(h, &d)).collect();
        let (up, down) = (signs.iter().any(Signed::is_positive), signs.iter().any(Signed::is_negative));
        if up != down {
            d.iter_mut().for_each(|x| {
                if down {
                    *x = -std::mem::take(x)
                }
            });
            found.push(d);
        }
        for (h, _) in halves.iter().zip(&signs).filter(|(_, sign)| !sign.is_zero()) {
            self.sweep(&cut(space, h), halves, seen, found)?;
        }
        Ok(())
    }
}

/// A direction in which all but one of independent inequalities vanish; none if they leave a line.
fn direction(space: &[Vector], halves: &[Vector]) -> Option<Vector> {
    let mut rest = space.to_vec();
    for h in halves {
        if rest.len() == 1 {
            break;
        }
        rest = cut(&rest, h);
    }
    let [d] = <[Vector; 1]>::try_from(rest).ok()?;
    halves.iter().any(|h| !dot(h, &d).is_zero()).then_some(d)
}

pub(super) fn unit_basis(n: usize) -> Vec<Vector> {
    (0..n).map(|i| (0..n).map(|j| if i == j { BigInt::one() } else { BigInt::zero() }).collect()).collect()
}

/// A basis of the part of a space, given by a basis, on which h vanishes.
pub(super) fn cut(space: &[Vector], h: &[BigInt]) -> Vec<Vector> {
    let values: Vec<BigInt> = space.iter().map(|b| dot(h, b)).collect();
    let Some(pivot) = values.iter().position(|x| !x.is_zero()) else { return space.to_vec() };
    let moved = |j: usize| {
        let terms = space[j].iter().zip(&space[pivot]);
        in_lowest_terms(terms.map(|(b, p)| &values[pivot] * b - &values[j] * p).collect())
    };
    let keep = |j: usize| if values[j].is_zero() { space[j].clone() } else { moved(j) };
    (0..space.len()).filter(|j| *j != pivot).map(keep).collect()
}

fn in_lowest_terms(mut x: Vector) -> Vector {
    let mut common = BigInt::zero();
    for entry in &x {
        common = gcd(&common, entry);
        if common.is_one() {
            return x;
        }
    }
    x.iter_mut().filter(|x| !x.is_zero()).for_each(|x| *x /= &common);
    x
}

/// The cone of a word in the coordinates of its forces: one for a slip (r_N/run), two for a stick, none for a take-off; and t.
struct WordCone {
    /// For each coordinate but t: (row of r, factor).
    columns: Vec<Vec<(usize, BigInt)>>,
    planes: Vec<Vector>,
    halves: Vec<Vector>,
}

impl WordCone {
    fn new(data: &Data, word: &[Mode]) -> Self {
        let columns = word.iter().enumerate().flat_map(|(i, mode)| columns(data, i, *mode)).collect();
        let mut cone = Self { columns, planes: Vec::new(), halves: Vec::new() };
        let count = cone.columns.len() + 1;
        let unit = |j: usize| -> Vector { unit_basis(count).swap_remove(j) };
        let mut first = 0;
        for (i, mode) in word.iter().enumerate() {
            let (normal, tangential) = (cone.velocity(data, 2 * i), cone.velocity(data, 2 * i + 1));
            let mu = &data.mu[i];
            match mode {
                Mode::TakeOff => cone.halves.push(normal),
                Mode::Stick => {
                    cone.planes.extend([normal, tangential]);
                    for sign in [BigInt::one(), -BigInt::one()] {
                        let mut edge = vec![BigInt::zero(); count];
                        (edge[first], edge[first + 1]) = (mu.rise.clone(), &mu.run * sign);
                        cone.halves.push(edge);
                    }
                }
                Mode::SlipPos | Mode::SlipNeg | Mode::Slide => {
                    cone.planes.push(normal);
                    cone.halves.push(unit(first));
                    match mode {
                        Mode::SlipPos => cone.halves.push(tangential),
                        Mode::SlipNeg => cone.halves.push(tangential.iter().map(|x| -x).collect()),
                        Mode::TakeOff | Mode::Stick | Mode::Slide => {}
                    }
                }
            }
            first += columns_of(*mode);
        }
        cone.halves.push(unit(count - 1));
        cone
    }

    /// Row k of u t = W r + q t in the coordinates.
    fn velocity(&self, data: &Data, k: usize) -> Vector {
        let row = &data.rows[k];
        let along = |column: &Vec<(usize, BigInt)>| column.iter().map(|(j, x)| &row.a[*j] * x).sum();
        self.columns.iter().map(along).chain([row.b.clone()]).collect()
    }

    /// The forces and t of a point.
    fn forces(&self, x: &Vector, rows: usize) -> (Vector, BigInt) {
        let mut r = vec![BigInt::zero(); rows];
        for (column, x) in self.columns.iter().zip(x) {
            column.iter().for_each(|(j, factor)| r[*j] += factor * x);
        }
        (r, x.last().cloned().unwrap_or_default())
    }
}

fn columns_of(mode: Mode) -> usize {
    match mode {
        Mode::TakeOff => 0,
        Mode::SlipPos | Mode::SlipNeg | Mode::Slide => 1,
        Mode::Stick => 2,
    }
}

/// The forces that a contact may have, by unit of each coordinate.
fn columns(data: &Data, i: usize, mode: Mode) -> Vec<Vec<(usize, BigInt)>> {
    let (normal, tangential, mu) = (2 * i, 2 * i + 1, &data.mu[i]);
    match mode {
        Mode::TakeOff => vec![],
        Mode::Stick => vec![vec![(normal, BigInt::one())], vec![(tangential, BigInt::one())]],
        Mode::SlipPos => vec![vec![(normal, mu.run.clone()), (tangential, -&mu.rise)]],
        Mode::SlipNeg => vec![vec![(normal, mu.run.clone()), (tangential, mu.rise.clone())]],
        Mode::Slide => vec![vec![(normal, BigInt::one())]],
    }
}
