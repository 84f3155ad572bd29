//! The polyhedron of one word, without rounding: the equations of the modes are solved for as many coordinates as they
//! determine, and the inequalities cut the cone of the others. An isolated solution leaves a single ray.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::Mode;
use super::cone::Cone;
use super::exact::Coordinates;
use super::integral::{Integral, common_multiple, dot, eliminate};
use crate::num::gcd;

/// A word with its extreme rays; those with t > 0 are points.
pub(super) struct Leaf {
    pub(super) word: Vec<Mode>,
    pub(super) rays: Vec<Vec<BigInt>>,
    /// Coordinates that are zero.
    zero: Vec<usize>,
    /// Rows that are zero.
    planes: Vec<Vec<BigInt>>,
    /// Rows that are not negative.
    halves: Vec<Vec<BigInt>>,
}

impl Leaf {
    /// From the rows of the velocities; none if more rays appear than `limit`.
    pub(super) fn new(
        coordinates: &Coordinates,
        velocities: &[Vec<BigInt>],
        limit: usize,
        word: Vec<Mode>,
    ) -> Option<Self> {
        let mut leaf =
            Self { word: word.clone(), rays: vec![], zero: vec![], planes: vec![], halves: vec![] };
        let negated = |row: &[BigInt]| row.iter().map(|x| -x).collect();
        for (i, mode) in word.into_iter().enumerate() {
            let (normal, tangential) = (&velocities[2 * i], &velocities[2 * i + 1]);
            leaf.zero.extend(coordinates.zero(i, mode));
            match mode {
                Mode::TakeOff => leaf.halves.push(normal.clone()),
                _ => leaf.planes.push(normal.clone()),
            }
            match mode {
                Mode::TakeOff | Mode::Slide => {}
                Mode::Stick => leaf.planes.push(tangential.clone()),
                Mode::SlipPos => leaf.halves.push(tangential.clone()),
                Mode::SlipNeg => leaf.halves.push(negated(tangential)),
            }
        }
        leaf.rays = leaf.extreme_rays(coordinates.dimension(), limit)?;
        Some(leaf)
    }

    pub(super) fn has_point(&self) -> bool {
        self.rays.iter().any(|x| has_weight(x))
    }

    /// Whether the point or direction x belongs to this polyhedron; its cone is taken for granted.
    pub(super) fn admits(&self, x: &[BigInt]) -> bool {
        self.zero.iter().all(|&k| x[k].is_zero())
            && self.planes.iter().all(|row| dot(row, x).is_zero())
            && self.halves.iter().all(|row| !dot(row, x).is_negative())
    }

    fn extreme_rays(&self, dimension: usize, limit: usize) -> Option<Vec<Vec<BigInt>>> {
        let present: Vec<usize> = (0..dimension).filter(|k| !self.zero.contains(k)).collect();
        let pick = |row: &Vec<BigInt>| -> Vec<BigInt> { present.iter().map(|&k| row[k].clone()).collect() };
        let map = Kernel::of(self.planes.iter().map(pick).collect(), present.len());
        let mut cone = Cone::orthant(map.free.len());
        let determined = map.rows.iter().map(|(_, row)| row.clone());
        let halves = self.halves.iter().map(|row| map.restricted(&pick(row)));
        for row in determined.chain(halves) {
            cone = cone.cut(&row, limit)?;
        }
        let spread = |x: &Vec<BigInt>| {
            let mut full = vec![BigInt::zero(); dimension];
            present.iter().zip(map.point(x)).for_each(|(&k, x)| full[k] = x);
            full
        };
        Some(cone.rays.iter().map(|ray| spread(&ray.x)).collect())
    }
}

/// Whether the last coordinate t of a ray is positive: a point, not a direction.
pub(super) fn has_weight(x: &[BigInt]) -> bool {
    x.last().is_some_and(Signed::is_positive)
}

/// The solutions of linear equations: d x_j = row · x_free with d > 0 for every determined coordinate j.
struct Kernel {
    free: Vec<usize>,
    /// Determined coordinates with their rows.
    rows: Vec<(usize, Vec<BigInt>)>,
    /// The factors d.
    factors: Vec<BigInt>,
    dimension: usize,
}

impl Kernel {
    fn of(equations: Vec<Vec<BigInt>>, dimension: usize) -> Self {
        let (reduced, pivot) = echelon(equations, dimension);
        let determined: Vec<usize> = reduced.iter().map(|(j, _)| *j).collect();
        let free: Vec<usize> = (0..dimension).filter(|k| !determined.contains(k)).collect();
        let (mut rows, mut factors) = (Vec::new(), Vec::new());
        for (j, row) in &reduced {
            // pivot x_j = −Σ row_f x_f
            let entry = |&f: &usize| if pivot.is_negative() { row[f].clone() } else { -&row[f] };
            let row = Integral { x: free.iter().map(entry).collect(), over: pivot.abs() }.reduced();
            factors.push(row.over);
            rows.push((*j, row.x));
        }
        Self { free, rows, factors, dimension }
    }

    /// All coordinates of a point given by its free ones, in lowest terms.
    fn point(&self, x: &[BigInt]) -> Vec<BigInt> {
        let common = common_multiple(self.factors.iter());
        let mut full = vec![BigInt::zero(); self.dimension];
        self.free.iter().zip(x).for_each(|(&f, x)| full[f] = x * &common);
        for ((j, row), d) in self.rows.iter().zip(&self.factors) {
            full[*j] = dot(row, x) * (&common / d);
        }
        let divisor = full.iter().fold(BigInt::zero(), |c, x| gcd(&c, x));
        if !divisor.is_zero() {
            full.iter_mut().for_each(|x| *x /= &divisor);
        }
        full
    }

    /// A row of all coordinates as a row of the free ones, up to a positive factor.
    fn restricted(&self, row: &[BigInt]) -> Vec<BigInt> {
        let common = common_multiple(self.factors.iter());
        let mut x: Vec<BigInt> = self.free.iter().map(|&f| &row[f] * &common).collect();
        for ((j, coefficients), d) in
            self.rows.iter().zip(&self.factors).filter(|((j, _), _)| !row[*j].is_zero())
        {
            let weight = &row[*j] * (&common / d);
            x.iter_mut().zip(coefficients).for_each(|(x, c)| *x += &weight * c);
        }
        Integral { x, over: common }.reduced().x
    }
}

/// Gauss-Jordan elimination without fractions: pivot columns with their rows, and the one number that stands at all pivots.
fn echelon(mut rest: Vec<Vec<BigInt>>, dimension: usize) -> (Vec<(usize, Vec<BigInt>)>, BigInt) {
    let mut done: Vec<(usize, Vec<BigInt>)> = Vec::new();
    let mut pivot = BigInt::one();
    for column in 0..dimension {
        let Some(at) = rest.iter().position(|row| !row[column].is_zero()) else { continue };
        let lead = rest.swap_remove(at);
        let others = rest.iter_mut().chain(done.iter_mut().map(|(_, row)| row));
        others.for_each(|row| eliminate(row, &lead, column, &pivot));
        pivot = lead[column].clone();
        done.push((column, lead));
    }
    (done, pivot)
}
