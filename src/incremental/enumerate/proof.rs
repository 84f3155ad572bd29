//! Confirms without rounding that a branch is empty. The relaxation names a basic variable whose row contradicts the
//! bounds; the row is computed again from the integer data, by elimination without fractions [Bareiss 1968], and its
//! signs are read: `v = c₀ + Σ cⱼ zⱼ` with c₀ < 0 and no zⱼ that could raise v proves that v ≥ 0 is impossible.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, Zero};

use super::relax::{Bound, Relaxation};

/// Whether the row of the variable `v` proves that the bounds cannot hold together; `rows` are the velocities' rows.
pub(super) fn proves(rows: &[Vec<BigInt>], relaxation: &Relaxation, v: usize) -> bool {
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
    let Some(row) = reduced(system, eliminated.len()) else { return false };
    let signs: Vec<Sign> = row.iter().map(BigInt::sign).collect();
    contradicts(bound(&v), &signs, &kept.iter().map(bound).collect::<Vec<_>>())
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

/// Signs of the coefficients, the constant's last.
fn contradicts(own: Bound, signs: &[Sign], bounds: &[Bound]) -> bool {
    let Some((constant, coefficients)) = signs.split_last() else { return false };
    // The constant is on the wrong side, and no variable adds anything of the other sign.
    let stuck = |wrong: Sign| {
        *constant == wrong
            && coefficients.iter().zip(bounds).all(|(sign, bound)| match sign {
                Sign::NoSign => true,
                sign if *sign == wrong => *bound == Bound::NonNegative,
                _ => *bound == Bound::NonPositive,
            })
    };
    match own {
        Bound::Free => false,
        Bound::NonNegative => stuck(Sign::Minus),
        Bound::NonPositive => stuck(Sign::Plus),
        Bound::Zero => stuck(Sign::Minus) || stuck(Sign::Plus),
    }
}
