//! The sets of solutions: that they are solutions, that a word has no others, and that what is printed about them is true.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::check::Check;
use super::data::{Data, is_rounded};
use super::word::{cut, unit_basis};
use super::{Gap, SolutionSet};
use crate::enumerate::{Family, Mode, Point};
use crate::num::gcd;

/// Forces r/scale of a point, or of a direction.
struct Forces {
    r: Vec<BigInt>,
    scale: BigInt,
}

/// A set in integers.
struct Set<'a> {
    word: &'a [Mode],
    points: Vec<Forces>,
    rays: Vec<Forces>,
}

impl Check<'_> {
    /// Every set, with the family printed for it.
    pub(super) fn lists(&mut self, printed: &[Family]) -> Result<(), Gap> {
        (self.proof.sets.len() == printed.len()).then_some(()).ok_or(Gap::Index)?;
        for (k, (set, family)) in self.proof.sets.iter().zip(printed).enumerate() {
            let set = Set::of(set);
            self.set(&set, k)?;
            agrees(self.data, &set, family).then_some(()).ok_or(Gap::Printed(k))?;
        }
        Ok(())
    }

    /// All points and rays obey the word, which is convex, and generate all that does.
    fn set(&mut self, set: &Set<'_>, k: usize) -> Result<(), Gap> {
        let fits = set.word.len() == self.data.contacts() && !set.points.is_empty();
        let sized = set.points.iter().chain(&set.rays).all(|x| x.r.len() == self.data.rows.len());
        (fits && sized).then_some(()).ok_or(Gap::Point(k))?;
        let obeys = |r: &[BigInt], t: &BigInt| obeys(self.data, set.word, r, t);
        let true_rays = set.rays.iter().all(|x| x.r.iter().any(|x| !x.is_zero()));
        let points = set.points.iter().all(|x| obeys(&x.r, &x.scale));
        let rays = set.rays.iter().all(|x| obeys(&x.r, &BigInt::zero()));
        (true_rays && points && rays).then_some(()).ok_or(Gap::Point(k))?;
        let generators = self.faces.generators(self.data, set.word)?;
        let listed = |(r, t): &(Vec<BigInt>, BigInt)| {
            set.points.iter().any(|y| is_multiple((r, t), (&y.r, &y.scale)))
                || set.rays.iter().any(|y| is_multiple((r, t), (&y.r, &BigInt::zero())))
        };
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

impl<'a> Set<'a> {
    fn of(set: &'a SolutionSet) -> Self {
        let all = |points: &[Vec<BigRational>]| points.iter().map(|r| Forces::of(r)).collect();
        Self { word: &set.word, points: all(&set.points), rays: all(&set.rays) }
    }
}

impl Forces {
    fn of(r: &[BigRational]) -> Self {
        let scale = r.iter().fold(BigInt::one(), |common, x| multiple(common, x.denom()));
        Self { r: r.iter().map(|x| x.numer() * (&scale / x.denom())).collect(), scale }
    }
}

/// A common multiple, the least one.
fn multiple(a: BigInt, b: &BigInt) -> BigInt {
    if (&a % b).is_zero() { a } else { &a / gcd(&a, b) * b }
}

/// Whether x = s y with s > 0, for forces with their t.
fn is_multiple(x: (&[BigInt], &BigInt), y: (&[BigInt], &BigInt)) -> bool {
    let pairs = || x.0.iter().chain([x.1]).zip(y.0.iter().chain([y.1]));
    let Some((p, q)) = pairs().find(|(_, y)| !y.is_zero()) else { return false };
    p.sign() == q.sign() && pairs().all(|(a, b)| a * q == b * p)
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
fn agrees(data: &Data, set: &Set<'_>, family: &Family) -> bool {
    let printed = |exact: &[Forces], points: &[Point], free: bool| {
        exact.len() == points.len() && exact.iter().zip(points).all(|(x, point)| rounds(data, x, point, free))
    };
    let first = &set.points[0];
    let from_first = |x: &Forces| {
        x.r.iter().zip(&first.r).map(|(a, b)| a * &first.scale - b * &x.scale).collect::<Vec<_>>()
    };
    let spread: Vec<Vec<BigInt>> =
        set.points[1..].iter().map(from_first).chain(set.rays.iter().map(|x| x.r.clone())).collect();
    let moved =
        |r: &Vec<BigInt>| (0..r.len()).map(|k| data.velocity(k, r, &BigInt::zero())).collect::<Vec<_>>();
    printed(&set.points, &family.vertices, true)
        && printed(&set.rays, &family.rays, false)
        && family.dimension == rank(&spread, data.rows.len())
        && family.motion_dimension == rank(&spread.iter().map(moved).collect::<Vec<_>>(), data.rows.len())
        && family.modes == middle(data, set)
}

/// Whether a printed point is the exact one to the last digit, velocities included; `free` unless it is a direction.
fn rounds(data: &Data, Forces { r, scale }: &Forces, point: &Point, free: bool) -> bool {
    let t = if free { scale } else { &BigInt::zero() };
    let velocity = |(k, near): (usize, &f64)| {
        let (value, below) = data.in_units(k, data.velocity(k, r, t), scale);
        is_rounded(&value, &below, *near)
    };
    point.r.len() == r.len()
        && point.u.len() == r.len()
        && r.iter().zip(&point.r).all(|(r, near)| is_rounded(r, scale, *near))
        && point.u.iter().enumerate().all(velocity)
}

/// The modes of a point inside the set: the sum of all rays and the mean of all points.
fn middle(data: &Data, set: &Set<'_>) -> Vec<Mode> {
    let (count, one) = (BigInt::from(set.points.len()), BigInt::one());
    let weighted = || set.points.iter().map(|x| (x, &one)).chain(set.rays.iter().map(|x| (x, &count)));
    let common = weighted().fold(one.clone(), |common, (x, _)| multiple(common, &x.scale));
    let mut r = vec![BigInt::zero(); data.rows.len()];
    for (x, weight) in weighted() {
        let factor = &common / &x.scale * weight;
        r.iter_mut().zip(&x.r).for_each(|(r, x)| *r += x * &factor);
    }
    let t = common * &count;
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
