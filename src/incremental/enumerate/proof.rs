//! Confirms that a branch is empty. The relaxation names a basic variable v whose row contradicts the bounds:
//! `v = c₀ + Σ cⱼ zⱼ` with c₀ < 0 and no zⱼ that could raise v proves that v ≥ 0 is impossible. Such a row is a sum of
//! the velocities' rows. Mostly multipliers in floating point show it, chosen with a reserve against their rounding, whose
//! bound is part of the check; otherwise the row is computed from the integer data, by elimination without fractions
//! [Bareiss 1968].

use nalgebra::{DMatrix, DVector};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::relax::{Bound, Relaxation};
use crate::num::Tol;

/// The velocities as rows of the weights and a constant, each up to a positive factor.
pub(super) struct Rows {
    pub(super) exact: Vec<Vec<BigInt>>,
    /// The same to the last bit but one; not a number where that is out of range.
    pub(super) near: Vec<Vec<f64>>,
}

impl Rows {
    pub(super) fn new(exact: Vec<Vec<BigInt>>) -> Self {
        let near = exact.iter().map(|row| rounded(row)).collect();
        Self { exact, near }
    }

    /// Whether the row of the variable `v` proves that the bounds cannot hold together.
    pub(super) fn prove(&self, relaxation: &Relaxation, v: usize) -> bool {
        evident(&self.near, relaxation, v) || proves(&self.exact, relaxation, v)
    }

    /// Whether the row of the variable `v`, which is basic, proves that it cannot be positive (or negative).
    pub(super) fn excludes(&self, relaxation: &Relaxation, v: usize, positive: bool) -> bool {
        let side = if positive { Sign::Minus } else { Sign::Plus };
        row_of(&self.exact, relaxation, v).is_some_and(|(constant, terms)| {
            [side, Sign::NoSign].contains(&constant) && terms.iter().all(|term| term.keeps(side))
        })
    }
}

/// Divided by a common power of two.
fn rounded(row: &[BigInt]) -> Vec<f64> {
    let bits = row.iter().map(BigInt::bits).max().unwrap_or(0);
    let unit = BigInt::from(1) << bits;
    let near = |x: &BigInt| match BigRational::new(x.clone(), unit.clone()).to_f64() {
        Some(near) if near.is_normal() || x.is_zero() => near,
        _ => f64::NAN,
    };
    row.iter().map(near).collect()
}

/// The proof in floating point, with bounds on its rounding.
fn evident(near: &[Vec<f64>], relaxation: &Relaxation, v: usize) -> bool {
    let (c, bound) = (relaxation.weights(), |z: usize| relaxation.bounds[z]);
    // With this sign v should be ≥ 0, and is negative.
    let sign = if relaxation.value(v) < 0.0 { 1.0 } else { -1.0 };
    let opposed = if sign > 0.0 { Bound::NonPositive } else { Bound::NonNegative };
    if [opposed, Bound::Free].contains(&bound(v)) {
        return false;
    }
    let own: Vec<f64> = match v.checked_sub(c) {
        Some(k) => near[k].iter().map(|x| sign * x).collect(),
        None => (0..=c).map(|z| if z == v { sign } else { 0.0 }).collect(),
    };
    let eliminated: Vec<usize> = relaxation.basic.iter().copied().filter(|z| *z < c).collect();
    let known: Vec<usize> = relaxation.nonbasic.iter().copied().filter(|z| *z >= c).collect();
    let rows: Vec<&Vec<f64>> = known.iter().map(|u| &near[u - c]).collect();
    let Some(mut y) = multipliers(&own, &rows, &eliminated) else { return false };
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
    column(c) < 0.0 && (0..c).filter(|&j| bound(j) != Bound::Zero).all(|j| column(j) <= 0.0)
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

/// A term of a row: the sign of its coefficient, and where its variable may be.
struct Term {
    sign: Sign,
    bound: Bound,
}

impl Term {
    /// Whether the term is never on the other side of zero.
    fn keeps(&self, side: Sign) -> bool {
        match self.sign {
            Sign::NoSign => true,
            sign if sign == side => self.bound == Bound::NonNegative,
            _ => self.bound == Bound::NonPositive,
        }
    }
}

/// The proof without rounding: the constant is on the wrong side, and no term brings the row to the other.
fn proves(rows: &[Vec<BigInt>], relaxation: &Relaxation, v: usize) -> bool {
    let Some((constant, terms)) = row_of(rows, relaxation, v) else { return false };
    let wrong = match relaxation.bounds[v] {
        Bound::Free => return false,
        Bound::NonNegative => Sign::Minus,
        Bound::NonPositive => Sign::Plus,
        Bound::Zero => constant,
    };
    constant == wrong && constant != Sign::NoSign && terms.iter().all(|term| term.keeps(wrong))
}

/// The row of a basic variable without rounding: the sign of its constant, and its terms but for those that are zero.
fn row_of(rows: &[Vec<BigInt>], relaxation: &Relaxation, v: usize) -> Option<(Sign, Vec<Term>)> {
    let c = relaxation.weights();
    let bound = |z: &usize| relaxation.bounds[*z];
    let eliminated: Vec<usize> = relaxation.basic.iter().copied().filter(|z| *z < c).collect();
    let known: Vec<usize> = relaxation.nonbasic.iter().copied().filter(|z| *z >= c).collect();
    // Variables that are zero drop out of the row.
    let kept: Vec<usize> = relaxation.nonbasic.iter().copied().filter(|z| bound(z) != Bound::Zero).collect();
    let entries = |row: &dyn Fn(usize) -> BigInt| -> Vec<BigInt> {
        eliminated.iter().chain(&kept).chain([&usize::MAX]).map(|z| row(*z)).collect()
    };
    // Velocity k is its row of the weights: 0 = row(x) + constant − u_k.
    let of_velocity = |k: usize, own: BigInt| {
        entries(&|z| match z {
            usize::MAX => rows[k][c].clone(),
            z if z < c => rows[k][z].clone(),
            z if z == c + k => own.clone(),
            _ => BigInt::zero(),
        })
    };
    let mut system: Vec<Vec<BigInt>> = known.iter().map(|u| of_velocity(u - c, -BigInt::one())).collect();
    system.push(match v.checked_sub(c) {
        Some(k) => of_velocity(k, BigInt::zero()),
        None => entries(&|z| BigInt::from(u8::from(z == v))),
    });
    let row = reduced(system, eliminated.len())?;
    let (constant, coefficients) = row.split_last()?;
    let term = |(x, z): (&BigInt, &usize)| Term { sign: x.sign(), bound: bound(z) };
    Some((constant.sign(), coefficients.iter().zip(&kept).map(term).collect()))
}

/// The last row after elimination of the first `k` columns by the others, up to a positive factor; none if they are
/// singular.
fn reduced(mut system: Vec<Vec<BigInt>>, k: usize) -> Option<Vec<BigInt>> {
    let mut previous = BigInt::one();
    for p in 0..k {
        let pivot = (p..k).find(|&i| !system[i][p].is_zero())?;
        system.swap(p, pivot);
        let (done, rest) = system.split_at_mut(p + 1);
        let lead = &done[p];
        for row in rest {
            let factor = std::mem::take(&mut row[p]);
            for (x, l) in row.iter_mut().zip(lead).skip(p + 1) {
                *x = (&*x * &lead[p] - &factor * l) / &previous;
            }
        }
        previous = lead[p].clone();
    }
    let mut last = system.pop()?.split_off(k);
    if previous.is_negative() {
        last.iter_mut().for_each(|x| *x = -std::mem::take(x));
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::super::relax::Verdict;
    use super::*;

    /// u = (x₁ − x₂ + 1, x₁ + x₂ + t) with x ≥ 0.
    fn rows(constant: i32) -> Rows {
        let row = |x: [i32; 3]| x.map(BigInt::from).to_vec();
        Rows::new(vec![row([1, -1, 1]), row([1, 1, constant])])
    }

    fn verdict(rows: &Rows, bound: Bound) -> (Relaxation, Verdict) {
        let mut relaxation = Relaxation::new(&rows.near);
        relaxation.bounds[3] = bound;
        let verdict = relaxation.solve();
        (relaxation, verdict)
    }

    #[test]
    fn a_contradiction_is_confirmed_by_both_routes() {
        let rows = rows(1);
        let (relaxation, found) = verdict(&rows, Bound::NonPositive);
        let Verdict::Empty(v) = found else { panic!("x₁ + x₂ + 1 ≤ 0 is impossible") };
        assert!(evident(&rows.near, &relaxation, v) && proves(&rows.exact, &relaxation, v));
    }

    #[test]
    fn what_is_possible_is_not_refuted() {
        let rows = rows(-1);
        for bound in [Bound::NonPositive, Bound::NonNegative, Bound::Zero] {
            let (relaxation, found) = verdict(&rows, bound);
            assert_eq!(found, Verdict::Open);
            for v in &relaxation.basic {
                assert!(!evident(&rows.near, &relaxation, *v) && !proves(&rows.exact, &relaxation, *v));
            }
        }
    }

    #[test]
    fn a_contradiction_by_one_part_in_ten_to_the_thirty_needs_integers() {
        // x ≥ 0, u₁ = x − 1 ≥ 0 and u₂ = ε − ... : −10³⁰ x + (10³⁰ − 1) ≥ 0 means x < 1.
        let big = BigInt::from(10).pow(30);
        let rows = Rows::new(vec![
            vec![BigInt::from(1), BigInt::from(-1)],
            vec![BigInt::zero(), BigInt::zero()],
            vec![-&big, &big - 1],
            vec![BigInt::zero(), BigInt::zero()],
        ]);
        let mut relaxation = Relaxation::new(&rows.near);
        assert_eq!(relaxation.solve(), Verdict::Open, "in floating point x = 1 is possible");
        let v = 3;
        assert!(relaxation.basic.contains(&v) && !evident(&rows.near, &relaxation, v));
        assert!(proves(&rows.exact, &relaxation, v));
    }
}
