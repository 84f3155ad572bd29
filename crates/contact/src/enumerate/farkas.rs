//! Confirms that a branch is empty. The relaxation names a basic variable v whose row contradicts the bounds:
//! `v = c₀ + Σ cⱼ zⱼ` with c₀ < 0 and no zⱼ that could raise v proves that v ≥ 0 is impossible. Such a row is a sum of
//! the velocities' rows. Mostly multipliers in floating point show it, chosen with a reserve against their rounding, whose
//! bound is part of the check; otherwise the row is computed from the integer data, by elimination without fractions
//! [Bareiss 1968].

use nalgebra::{DMatrix, DVector};
use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, Zero};

use super::integral::{quotient, triangular};
use super::narrow;
use super::proof::Combination;
use super::relax::{Bound, Relaxation};
use crate::num::{Dyadic, Tol};

/// The velocities as rows of the weights and a constant, each up to a positive factor.
pub(crate) struct Rows {
    pub(crate) exact: Vec<Vec<BigInt>>,
    /// The same to the last bit but one; not a number where that is out of range.
    pub(crate) near: Vec<Vec<f64>>,
    /// What the rows of each were multiplied by.
    factors: Vec<(BigInt, f64)>,
    /// Whether multipliers in floating point may show that a branch is empty.
    quick: bool,
}

impl Rows {
    /// Integer rows, and what the velocities were multiplied by.
    pub(crate) fn new(rows: Vec<(Vec<BigInt>, BigInt)>, quick: bool) -> Self {
        let near = rows.iter().map(|(row, _)| rounded(row)).collect();
        let (exact, factors) = rows
            .into_iter()
            .map(|(row, factor)| {
                let near = quotient(&factor, &(BigInt::one() << bits(&row)));
                (row, (factor, near))
            })
            .unzip();
        Self { exact, near, factors, quick }
    }

    /// The proof that the bounds cannot hold together by the row of the variable `v`, if it is one.
    pub(crate) fn prove(&self, relaxation: &Relaxation, v: usize) -> Option<Combination> {
        let quick = if self.quick { evident(&self.near, relaxation, v) } else { None };
        match quick {
            Some(y) => self.near_combination(&y),
            None => proves(&self.exact, relaxation, v).map(|y| self.combination(&y)),
        }
    }

    /// The proof by the row of the variable `v`, which is basic, that it cannot be positive (or negative).
    pub(crate) fn excludes(&self, relaxation: &Relaxation, v: usize, positive: bool) -> Option<Combination> {
        let row = Basic::of(&self.exact, relaxation, v)?;
        let y = row.multipliers(relaxation, if positive { Sign::Minus } else { Sign::Plus })?;
        (!y[v.checked_sub(relaxation.weights())?].is_zero()).then(|| self.combination(&y))
    }

    /// Multipliers of the velocities themselves.
    fn combination(&self, y: &[BigInt]) -> Combination {
        let entry = |(k, y): (usize, &BigInt)| (k, Dyadic::from_integer(y * &self.factors[k].0));
        y.iter().enumerate().filter(|(_, y)| !y.is_zero()).map(entry).collect()
    }

    fn near_combination(&self, y: &[f64]) -> Option<Combination> {
        let entry = |(k, y): (usize, &f64)| Some((k, Dyadic::from_f64(y * self.factors[k].1)?));
        let entries = y
            .iter()
            .enumerate()
            .filter(|(_, y)| y.abs() > 0.0)
            .map(entry)
            .collect::<Option<Combination>>()?;
        Some(entries.into_iter().filter(|(_, y)| !y.is_zero()).collect())
    }
}

/// Whether the row of the variable `v` contradicts the bounds, by rows of doubles without rounding; the same as integers only where bounds of
/// the rounding do not tell.
pub fn contradicts<'r>(
    rows: &[Vec<f64>],
    exact: impl FnOnce() -> &'r [Vec<BigInt>],
    relaxation: &Relaxation,
    v: usize,
) -> bool {
    evident(rows, relaxation, v).is_some()
        || narrow::contradicts(rows, relaxation, v)
            .unwrap_or_else(|| proves(exact(), relaxation, v).is_some())
}

fn bits(row: &[BigInt]) -> u64 {
    row.iter().map(BigInt::bits).max().unwrap_or(0)
}

/// Divided by a common power of two.
fn rounded(row: &[BigInt]) -> Vec<f64> {
    let unit = BigInt::one() << bits(row);
    let near = |x: &BigInt| match quotient(x, &unit) {
        near if near.is_normal() || x.is_zero() => near,
        _ => f64::NAN,
    };
    row.iter().map(near).collect()
}

/// The proof in floating point, with bounds on its rounding.
fn evident(near: &[Vec<f64>], relaxation: &Relaxation, v: usize) -> Option<Vec<f64>> {
    let (c, bound) = (relaxation.weights(), |z: usize| relaxation.bounds[z]);
    // With this sign v should be ≥ 0, and is negative.
    let sign = if relaxation.value(v) < 0.0 { 1.0 } else { -1.0 };
    let opposed = if sign > 0.0 { Bound::NonPositive } else { Bound::NonNegative };
    if [opposed, Bound::Free].contains(&bound(v)) {
        return None;
    }
    let own: Vec<f64> = match v.checked_sub(c) {
        Some(k) => near[k].iter().map(|x| sign * x).collect(),
        None => (0..=c).map(|z| if z == v { sign } else { 0.0 }).collect(),
    };
    let eliminated: Vec<usize> = relaxation.basic.iter().copied().filter(|z| *z < c).collect();
    let known: Vec<usize> = relaxation.nonbasic.iter().copied().filter(|z| *z >= c).collect();
    let rows: Vec<&Vec<f64>> = known.iter().map(|u| &near[u - c]).collect();
    let mut y = multipliers(&own, &rows, &eliminated)?;
    for (y, u) in y.iter_mut().zip(&known) {
        // u_k enters with y_k, and must not raise v.
        let helps = match bound(*u) {
            Bound::Zero => true,
            Bound::NonNegative => *y <= 0.0,
            Bound::NonPositive => *y >= 0.0,
            Bound::Free => false,
        };
        *y = if helps { *y } else { 0.0 };
    }
    let column = |j: usize| {
        let terms = || y.iter().zip(&rows).map(|(y, row)| y * row[j]);
        let size = own[j].abs() + terms().map(f64::abs).sum::<f64>();
        // k products and sums of data rounded once.
        let error = 2.0 * (rows.len() + 4) as f64 * f64::EPSILON * size;
        own[j] - terms().sum::<f64>() + error
    };
    let shown = column(c) < 0.0 && (0..c).filter(|&j| bound(j) != Bound::Zero).all(|j| column(j) <= 0.0);
    let mut all = vec![0.0; near.len()];
    y.iter().zip(&known).for_each(|(y, u)| all[u - c] -= y);
    v.checked_sub(c).into_iter().for_each(|k| all[k] += sign);
    shown.then_some(all)
}

/// y with own − Σ yₖ rowₖ slightly below zero in the eliminated columns.
fn multipliers(own: &[f64], rows: &[&Vec<f64>], eliminated: &[usize]) -> Option<DVector<f64>> {
    let k = eliminated.len();
    if k == 0 {
        return Some(DVector::zeros(0));
    }
    let factors = DMatrix::from_fn(k, k, |i, j| rows[j][eliminated[i]]).lu();
    let y = factors.solve(&DVector::from_fn(k, |i, _| own[eliminated[i]]))?;
    let size = |z: usize| own[z].abs() + y.iter().zip(rows).map(|(y, row)| (y * row[z]).abs()).sum::<f64>();
    let reserve = Tol::default().reserve;
    factors.solve(&DVector::from_fn(k, |i, _| own[eliminated[i]] + reserve * size(eliminated[i])))
}

/// The proof without rounding: the constant is on the wrong side, and no term brings the row to the other.
fn proves(rows: &[Vec<BigInt>], relaxation: &Relaxation, v: usize) -> Option<Vec<BigInt>> {
    let row = Basic::of(rows, relaxation, v)?;
    let wrong = match relaxation.bounds[v] {
        Bound::Free => return None,
        Bound::NonNegative => Sign::Minus,
        Bound::NonPositive => Sign::Plus,
        Bound::Zero => row.constant(),
    };
    (row.constant() == wrong && wrong != Sign::NoSign).then(|| row.multipliers(relaxation, wrong)).flatten()
}

/// The row of a basic variable without rounding, up to a positive factor: multipliers of the velocities, and what they
/// make of the weights and the constant. A basic weight itself counts with a positive factor.
struct Basic {
    y: Vec<BigInt>,
    row: Vec<BigInt>,
    weight: Option<usize>,
}

impl Basic {
    /// None if the dictionary is singular.
    fn of(rows: &[Vec<BigInt>], relaxation: &Relaxation, v: usize) -> Option<Self> {
        let c = relaxation.weights();
        let eliminated: Vec<usize> = relaxation.basic.iter().copied().filter(|z| *z < c).collect();
        let known: Vec<usize> = relaxation.nonbasic.iter().filter_map(|z| z.checked_sub(c)).collect();
        let unit = |i: usize| (0..=known.len()).map(move |j| BigInt::from(u8::from(i == j)));
        let entries = |k: &usize| eliminated.iter().map(|&z| rows[*k][z].clone()).collect::<Vec<_>>();
        let mut system: Vec<Vec<BigInt>> =
            known.iter().enumerate().map(|(i, k)| entries(k).into_iter().chain(unit(i)).collect()).collect();
        let own = match v.checked_sub(c) {
            Some(k) => entries(&k),
            None => eliminated.iter().map(|z| BigInt::from(u8::from(*z == v))).collect(),
        };
        system.push(own.into_iter().chain(unit(known.len())).collect());
        let mut found = reduced(system, eliminated.len())?;
        let own = found.pop()?;
        let mut y = vec![BigInt::zero(); rows.len()];
        known.iter().zip(found).for_each(|(k, x)| y[*k] += x);
        v.checked_sub(c).into_iter().for_each(|k| y[k] += &own);
        let column =
            |j: usize| y.iter().zip(rows).filter(|(y, _)| !y.is_zero()).map(|(y, row)| y * &row[j]).sum();
        let row = (0..=c).map(column).collect();
        Some(Self { y, row, weight: (v < c).then_some(v) })
    }

    fn constant(&self) -> Sign {
        self.row.last().map_or(Sign::NoSign, BigInt::sign)
    }

    /// The multipliers with the sign that shows the constant's side (or zero) to be that of the variable: no term of the
    /// row may bring it to the other side.
    fn multipliers(&self, relaxation: &Relaxation, side: Sign) -> Option<Vec<BigInt>> {
        let c = relaxation.weights();
        let opposite = -side;
        // y is for a constant below zero.
        let y: Vec<BigInt> =
            self.y.iter().map(|y| if side == Sign::Minus { y.clone() } else { -y }).collect();
        let constant = [side, Sign::NoSign].contains(&self.constant());
        let present = |z: &usize| relaxation.bounds[*z] != Bound::Zero && self.weight != Some(*z);
        let weights = (0..c).filter(present).all(|z| self.row[z].sign() != opposite);
        let known = relaxation.nonbasic.iter().filter_map(|z| z.checked_sub(c));
        let velocities = known.into_iter().all(|k| match relaxation.bounds[c + k] {
            Bound::Zero => true,
            Bound::NonNegative => !y[k].is_negative(),
            Bound::NonPositive => !y[k].is_positive(),
            Bound::Free => y[k].is_zero(),
        });
        (constant && weights && velocities).then_some(y)
    }
}

/// The last row after elimination of the first `k` columns by the others, up to a positive factor; none if they are
/// singular.
fn reduced(mut system: Vec<Vec<BigInt>>, k: usize) -> Option<Vec<BigInt>> {
    let pivot = triangular(&mut system, k)?;
    let mut last = system.pop()?.split_off(k);
    if pivot.is_negative() {
        last.iter_mut().for_each(|x| *x = -std::mem::take(x));
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::super::integral::Integral;
    use super::super::relax::Feasibility;
    use super::*;
    use crate::num::random::Stream;

    /// u = (x₁ − x₂ + 1, x₁ + x₂ + t) with x ≥ 0.
    fn rows(constant: i32) -> Rows {
        let row = |x: [i32; 3]| (x.map(BigInt::from).to_vec(), BigInt::one());
        Rows::new(vec![row([1, -1, 1]), row([1, 1, constant])], true)
    }

    fn verdict(rows: &Rows, bound: Bound) -> (Relaxation, Feasibility) {
        let mut relaxation = Relaxation::new(&rows.near);
        relaxation.bounds[3] = bound;
        let verdict = relaxation.solve();
        (relaxation, verdict)
    }

    #[test]
    fn a_contradiction_is_confirmed_by_both_routes() {
        let rows = rows(1);
        let (relaxation, found) = verdict(&rows, Bound::NonPositive);
        let Feasibility::Empty(v) = found else { panic!("x₁ + x₂ + 1 ≤ 0 is impossible") };
        assert!(
            evident(&rows.near, &relaxation, v).is_some() && proves(&rows.exact, &relaxation, v).is_some()
        );
    }

    #[test]
    fn what_is_possible_is_not_refuted() {
        let rows = rows(-1);
        for bound in [Bound::NonPositive, Bound::NonNegative, Bound::Zero] {
            let (relaxation, found) = verdict(&rows, bound);
            assert_eq!(found, Feasibility::Open);
            for v in &relaxation.basic {
                assert!(evident(&rows.near, &relaxation, *v).is_none());
                assert!(proves(&rows.exact, &relaxation, *v).is_none());
            }
        }
    }

    #[test]
    fn a_contradiction_by_one_part_in_ten_to_the_thirty_needs_integers() {
        // x ≥ 0, u₁ = x − 1 ≥ 0 and u₂ = ε − ... : −10³⁰ x + (10³⁰ − 1) ≥ 0 means x < 1.
        let big = BigInt::from(10).pow(30);
        let rows = [
            vec![BigInt::from(1), BigInt::from(-1)],
            vec![BigInt::zero(), BigInt::zero()],
            vec![-&big, &big - 1],
            vec![BigInt::zero(), BigInt::zero()],
        ];
        let rows = Rows::new(rows.map(|row| (row, BigInt::one())).to_vec(), true);
        let mut relaxation = Relaxation::new(&rows.near);
        assert_eq!(relaxation.solve(), Feasibility::Open, "in floating point x = 1 is possible");
        let v = 3;
        assert!(relaxation.basic.contains(&v) && evident(&rows.near, &relaxation, v).is_none());
        assert!(proves(&rows.exact, &relaxation, v).is_some());
    }

    /// Accelerations of rows that depend on each other, in a few rays, whole numbers or not, with random bounds.
    fn dependent(s: &mut Stream) -> (Vec<Vec<f64>>, Relaxation) {
        let (n, whole) = (2 + below(s, 3), below(s, 3) == 0);
        let number = |s: &mut Stream| match below(s, 5) {
            0 => 0.0,
            _ if whole => below(s, 5) as f64 - 2.0,
            _ => 2.0 * s.draw() - 1.0,
        };
        let W: Vec<Vec<f64>> = (0..2 * n).map(|_| (0..3).map(|_| number(s)).collect()).collect();
        let (force, rays): (Vec<f64>, _) = ((0..3).map(|_| number(s)).collect(), n + 1 + below(s, 3));
        let to: Vec<Vec<f64>> = (0..rays).map(|_| (0..2 * n).map(|_| number(s)).collect()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let line = |row: &Vec<f64>| {
            let own: Vec<f64> = W.iter().map(|other| dot(row, other)).collect();
            to.iter().map(|ray| dot(&own, ray)).chain([dot(row, &force)]).collect()
        };
        let rows: Vec<Vec<f64>> = W.iter().map(line).collect();
        let mut relaxation = Relaxation::new(&rows);
        for bound in &mut relaxation.bounds {
            *bound = [Bound::Zero, Bound::NonNegative, Bound::NonPositive, *bound][below(s, 4)];
        }
        relaxation.solve();
        (rows, relaxation)
    }

    fn below(s: &mut Stream, count: usize) -> usize {
        (s.draw() * count as f64) as usize
    }

    /// What bounds of the rounding tell is what integers tell, and mostly they do; `MECHAN_PROGRAMS` asks for another number of programs.
    #[test]
    fn narrow_bounds_tell_what_integers_tell() {
        let asked = std::env::var("MECHAN_PROGRAMS").ok().map_or(4000, |text| text.parse().unwrap());
        let (mut s, mut told, mut compared, mut empty) = (Stream(5), 0, 0, 0);
        for _ in 0..asked {
            let (rows, relaxation) = dependent(&mut s);
            let exact: Vec<Vec<BigInt>> =
                rows.iter().map(|row| Integral::of(row.iter().copied()).unwrap().x).collect();
            for &v in &relaxation.basic {
                let expected = proves(&exact, &relaxation, v).is_some();
                let found = narrow::contradicts(&rows, &relaxation, v);
                assert!(found.is_none_or(|found| found == expected), "{rows:?} {relaxation:?} {v}");
                let evident = evident(&rows, &relaxation, v).is_some();
                assert_eq!(contradicts(&rows, || &exact, &relaxation, v), evident || expected);
                compared += 1;
                told += u64::from(found.is_some());
                empty += u64::from(expected);
            }
        }
        assert!(told * 10 > compared * 8 && empty * 50 > compared, "{told} of {compared}, {empty} empty");
    }
}
