//! The sets of solutions: that they are solutions, that a word has no others, and that what is printed about them is true.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::check::Check;
use super::data::{Data, is_rounded};
use super::word::{cut, unit_basis};
use super::{Gap, SolutionSet};
use crate::enumerate::{Family, Mode, Point};

type Forces = (Vec<BigInt>, BigInt);

impl Check<'_> {
    /// Every set, with the family printed for it.
    pub(super) fn lists(&mut self, printed: &[Family]) -> Result<(), Gap> {
        (self.proof.sets.len() == printed.len()).then_some(()).ok_or(Gap::Index)?;
        for (k, (set, family)) in self.proof.sets.iter().zip(printed).enumerate() {
            self.set(set, k)?;
            agrees(self.data, set, family).then_some(()).ok_or(Gap::Printed(k))?;
        }
        Ok(())
    }

    /// All points and rays obey the word, which is convex, and generate all that does.
    fn set(&mut self, set: &SolutionSet, k: usize) -> Result<(), Gap> {
        let fits = set.word.len() == self.data.contacts() && !set.points.is_empty();
        let sized = set.points.iter().chain(&set.rays).all(|r| r.len() == self.data.rows.len());
        (fits && sized).then_some(()).ok_or(Gap::Point(k))?;
        let points: Vec<Forces> = set.points.iter().map(|r| integral(r, BigInt::one())).collect();
        let rays: Vec<Forces> = set.rays.iter().map(|r| integral(r, BigInt::zero())).collect();
        let obeys = |(r, t): &Forces| obeys(self.data, &set.word, r, t);
        let true_rays = rays.iter().all(|(r, _)| r.iter().any(|x| !x.is_zero()));
        (true_rays && points.iter().chain(&rays).all(obeys)).then_some(()).ok_or(Gap::Point(k))?;
        let generators = self.faces.generators(self.data, &set.word)?;
        let listed = |x: &Forces| points.iter().chain(&rays).any(|y| is_multiple(x, y));
        generators.iter().all(listed).then_some(()).ok_or(Gap::Unlisted)
    }

    /// All solutions of a word are in a set, or there are none.
    pub(super) fn word(&mut self, word: &[Mode], set: Option<usize>) -> Result<(), Gap> {
        let generators = self.faces.generators(self.data, word)?;
        let covered = match set {
            None => generators.iter().all(|(_, t)| t.is_zero()),
            Some(k) => {
                let set = self.proof.sets.get(k).ok_or(Gap::Index)?;
                generators.iter().all(|(r, t)| obeys(self.data, &set.word, r, t))
            }
        };
        covered.then_some(()).ok_or(Gap::Unlisted)
    }
}

/// The vector times the least common denominator, and t likewise.
fn integral(r: &[BigRational], t: BigInt) -> Forces {
    let common = r.iter().fold(BigInt::one(), |common, x| {
        // no need for the least one
        if (&common % x.denom()).is_zero() { common } else { common * x.denom() }
    });
    (r.iter().map(|x| x.numer() * (&common / x.denom())).collect(), t * common)
}

/// Whether x = s y with s > 0.
fn is_multiple(x: &Forces, y: &Forces) -> bool {
    let all = |z: &Forces| z.0.iter().chain([&z.1]).cloned().collect::<Vec<_>>();
    let (x, y) = (all(x), all(y));
    let Some(p) = y.iter().position(|y| !y.is_zero()) else { return false };
    x[p].sign() == y[p].sign() && x.iter().zip(&y).all(|(a, b)| a * &y[p] == b * &x[p])
}

/// Whether the forces r/t (or the direction r for t = 0) obey the modes of a word.
fn obeys(data: &Data, word: &[Mode], r: &[BigInt], t: &BigInt) -> bool {
    let contact = |(i, mode): (usize, &Mode)| {
        let (u_N, u_T) = (data.velocity(2 * i, r, t), data.velocity(2 * i + 1, r, t));
        let (limit, friction) = (&data.mu[i].rise * &r[2 * i], &data.mu[i].run * &r[2 * i + 1]);
        let pressed = u_N.is_zero() && !r[2 * i].is_negative();
        match mode {
            Mode::TakeOff => r[2 * i].is_zero() && r[2 * i + 1].is_zero() && !u_N.is_negative(),
            Mode::Stick => pressed && u_T.is_zero() && friction.abs() <= limit,
            Mode::SlipPos => pressed && !u_T.is_negative() && friction == -limit,
            Mode::SlipNeg => pressed && !u_T.is_positive() && friction == limit,
            Mode::Slide => pressed && data.mu[i].rise.is_zero() && friction.is_zero(),
        }
    };
    !t.is_negative() && word.iter().enumerate().all(contact)
}

/// Whether the family has the set's points and rays, rounded, and says rightly how many dimensions it has and what the
/// contacts do in its middle.
fn agrees(data: &Data, set: &SolutionSet, family: &Family) -> bool {
    let printed = |exact: &[Vec<BigRational>], points: &[Point], t: BigInt| {
        exact.len() == points.len() && exact.iter().zip(points).all(|(r, point)| rounds(data, r, point, &t))
    };
    let from_first =
        |r: &Vec<BigRational>| r.iter().zip(&set.points[0]).map(|(a, b)| a - b).collect::<Vec<_>>();
    let spread: Vec<Vec<BigInt>> = set.points[1..]
        .iter()
        .map(from_first)
        .chain(set.rays.iter().cloned())
        .map(|r| integral(&r, BigInt::one()).0)
        .collect();
    let moved =
        |r: &Vec<BigInt>| (0..r.len()).map(|k| data.velocity(k, r, &BigInt::zero())).collect::<Vec<_>>();
    printed(&set.points, &family.vertices, BigInt::one())
        && printed(&set.rays, &family.rays, BigInt::zero())
        && family.dimension == rank(&spread, data.rows.len())
        && family.motion_dimension == rank(&spread.iter().map(moved).collect::<Vec<_>>(), data.rows.len())
        && family.modes == middle(data, set)
}

/// Whether a printed point is the exact one to the last digit, velocities included.
fn rounds(data: &Data, r: &[BigRational], point: &Point, t: &BigInt) -> bool {
    let (integers, scale) = integral(r, BigInt::one());
    let velocity = |k: usize| {
        let row = data.velocity(k, &integers, &(t * &scale));
        data.in_units(k, row, &scale)
    };
    let near = |exact: BigRational, near: &f64| is_rounded(&exact, *near);
    point.r.len() == r.len()
        && point.u.len() == r.len()
        && r.iter().zip(&point.r).all(|(r, x)| near(r.clone(), x))
        && point.u.iter().enumerate().all(|(k, u)| near(velocity(k), u))
}

/// The modes of a point inside the set: the sum of all rays and the mean of all points.
fn middle(data: &Data, set: &SolutionSet) -> Vec<Mode> {
    let mut r = vec![BigRational::zero(); data.rows.len()];
    let count = BigRational::from_integer(set.points.len().into());
    set.points.iter().for_each(|p| r.iter_mut().zip(p).for_each(|(r, x)| *r += x / &count));
    set.rays.iter().for_each(|p| r.iter_mut().zip(p).for_each(|(r, x)| *r += x));
    let (r, t) = integral(&r, BigInt::one());
    let mode = |i: usize| match (r[2 * i].is_zero(), data.velocity(2 * i + 1, &r, &t)) {
        (true, _) => Mode::TakeOff,
        (false, slip) if slip.is_zero() => Mode::Stick,
        (false, slip) if slip.is_positive() => Mode::SlipPos,
        (false, _) => Mode::SlipNeg,
    };
    (0..data.contacts()).map(mode).collect()
}

/// Rank: what vanishes on all vectors has the other dimensions.
fn rank(vectors: &[Vec<BigInt>], dimension: usize) -> usize {
    dimension - vectors.iter().fold(unit_basis(dimension), |space, v| cut(&space, v)).len()
}
