//! Partial LU factorisation of a dense front, by vector instructions where the machine has them.
//!
//! A front is a dense matrix `F = (F11 F12; F21 F22)` whose first `pivots` rows and columns are eliminated:
//! `P F11 = L11 U11`, `U12 = L11⁻¹ P F12`, `L21 = F21 U11⁻¹`, `S = F22 − L21 U12`, all in place. Rows are exchanged
//! within F11 alone. Rows lie in groups of four numbers and four columns are eliminated at a time, so that nothing is
//! left over; the numbers are the same bits on every machine, for each is computed by the same operations (fused
//! multiply-add where most of the work is, exact by definition).

use crate::num::lanes::{Arch, NullaryFnOnce};

/// Columns of one elimination step, and numbers of one group.
pub(crate) const LANES: usize = 4;
/// A group of numbers of one row.
pub(crate) type Group = [f64; LANES];

/// `n` rounded up to whole groups.
#[inline]
pub(crate) const fn padded(n: usize) -> usize {
    n.div_ceil(LANES) * LANES
}

/// Eliminates the first `swaps.len()` rows and columns, a multiple of four, of the rows of `width` groups in `a`;
/// `swaps[k]` is the row exchanged with row k. False when a pivot vanishes or is not a number.
pub(crate) fn eliminate(arch: Arch, a: &mut [Group], width: usize, swaps: &mut [u32]) -> bool {
    arch.dispatch(Eliminate { a, width, swaps })
}

struct Eliminate<'a> {
    a: &'a mut [Group],
    width: usize,
    swaps: &'a mut [u32],
}

impl NullaryFnOnce for Eliminate<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Self { a, width, swaps } = self;
        for group in 0..swaps.len() / LANES {
            if !panel(a, width, group, swaps) {
                return false;
            }
            trailing(a, width, group, swaps.len());
        }
        true
    }
}

/// Eliminates the four columns of `group` in the pivot rows.
#[inline(always)]
fn panel(a: &mut [Group], width: usize, group: usize, swaps: &mut [u32]) -> bool {
    lane::<0>(a, width, group, swaps)
        && lane::<1>(a, width, group, swaps)
        && lane::<2>(a, width, group, swaps)
        && lane::<3>(a, width, group, swaps)
}

#[inline(always)]
fn lane<const LANE: usize>(a: &mut [Group], width: usize, group: usize, swaps: &mut [u32]) -> bool {
    let k = group * LANES + LANE;
    let mut best = (k, a[k * width + group][LANE].abs());
    for row in k + 1..swaps.len() {
        let size = a[row * width + group][LANE].abs();
        if size > best.1 {
            best = (row, size);
        }
    }
    let (row, size) = best;
    swaps[k] = row as u32;
    if size.is_nan() || size <= f64::MIN_POSITIVE {
        return false;
    }
    if row != k {
        let (upper, lower) = a.split_at_mut(row * width);
        upper[k * width..(k + 1) * width].swap_with_slice(&mut lower[..width]);
    }
    let top = a[k * width + group];
    let inverse = 1.0 / top[LANE];
    for row in a[(k + 1) * width..swaps.len() * width].chunks_exact_mut(width) {
        divide::<LANE>(&mut row[group], inverse, &top);
    }
    true
}

/// Entry LANE becomes that of L, and what it takes from those after it.
#[inline(always)]
fn divide<const LANE: usize>(x: &mut Group, inverse: f64, top: &Group) {
    let l = x[LANE] * inverse;
    x[LANE] = l;
    for j in LANE + 1..LANES {
        x[j] -= l * top[j];
    }
}

/// What the four columns of `group` leave of the columns after them.
#[inline(always)]
fn trailing(a: &mut [Group], width: usize, group: usize, pivots: usize) {
    let next = group + 1;
    let (upper, lower) = a.split_at_mut(next * LANES * width);
    let (r0, rest) = upper[group * LANES * width..].split_at_mut(width);
    let (r1, rest) = rest.split_at_mut(width);
    let (r2, r3) = rest.split_at_mut(width);
    let tops = [r0[group], r1[group], r2[group], r3[group]];
    let inverse = [1.0 / tops[0][0], 1.0 / tops[1][1], 1.0 / tops[2][2], 1.0 / tops[3][3]];
    let (r0, r1, r2, r3) = (&r0[next..], &mut r1[next..], &mut r2[next..], &mut r3[next..width]);
    for (((a, b), c), d) in r0.iter().zip(&mut *r1).zip(&mut *r2).zip(&mut *r3) {
        *b = less(b, tops[1][0], a);
        *c = less(&less(c, tops[2][0], a), tops[2][1], b);
        *d = less(&less(&less(d, tops[3][0], a), tops[3][1], b), tops[3][2], c);
    }
    let rows: [&[Group]; LANES] = [r0, r1, r2, r3];
    for row in lower[(pivots - next * LANES) * width..].chunks_exact_mut(width) {
        let x = &mut row[group];
        divide::<0>(x, inverse[0], &tops[0]);
        divide::<1>(x, inverse[1], &tops[1]);
        divide::<2>(x, inverse[2], &tops[2]);
        divide::<3>(x, inverse[3], &tops[3]);
    }
    let mut pairs = lower.chunks_exact_mut(2 * width);
    for pair in &mut pairs {
        let (x, y) = pair.split_at_mut(width);
        let (l, m) = (x[group], y[group]);
        subtract_pair((&mut x[next..], &l), (&mut y[next..], &m), &rows);
    }
    if let Some(x) = pairs.into_remainder().get_mut(..width) {
        let l = x[group];
        subtract((&mut x[next..], &l), &rows);
    }
}

/// x − l u.
#[inline(always)]
fn less(x: &Group, l: f64, u: &Group) -> Group {
    let mut out = *x;
    for j in 0..LANES {
        out[j] = (-l).mul_add(u[j], out[j]);
    }
    out
}

/// x −= Σ l_k u_k.
#[inline(always)]
fn subtract((x, l): (&mut [Group], &Group), u: &[&[Group]; LANES]) {
    let columns = u[0].iter().zip(u[1]).zip(u[2].iter().zip(u[3]));
    for (x, ((a, b), (c, d))) in x.iter_mut().zip(columns) {
        *x = reduced(x, l, [a, b, c, d]);
    }
}

#[inline(always)]
fn reduced(x: &Group, l: &Group, u: [&Group; LANES]) -> Group {
    less(&less(&less(&less(x, l[0], u[0]), l[1], u[1]), l[2], u[2]), l[3], u[3])
}

/// [`subtract`] for two rows, which share the loads.
#[inline(always)]
fn subtract_pair((x, l): (&mut [Group], &Group), (y, m): (&mut [Group], &Group), u: &[&[Group]; LANES]) {
    let columns = u[0].iter().zip(u[1]).zip(u[2].iter().zip(u[3]));
    for ((x, y), ((a, b), (c, d))) in x.iter_mut().zip(y).zip(columns) {
        let (p, q) = (reduced(x, l, [a, b, c, d]), reduced(y, m, [a, b, c, d]));
        (*x, *y) = (p, q);
    }
}

/// x₁ ← L11⁻¹ P x₁ for the pivot rows `a`.
pub(crate) fn forward(a: &[Group], width: usize, swaps: &[u32], x: &mut [f64]) {
    for (k, &row) in swaps.iter().enumerate() {
        x.swap(k, row as usize);
    }
    for k in 1..swaps.len() {
        let row = a[k * width..][..k.div_ceil(LANES)].as_flattened();
        let sum: f64 = row[..k].iter().zip(&*x).map(|(l, x)| l * x).sum();
        x[k] -= sum;
    }
}

/// x₁ ← U11⁻¹ (x₁ − U12 x₂) for the pivot rows `a`; `x` holds both parts, padded.
pub(crate) fn backward(a: &[Group], width: usize, pivots: usize, x: &mut [f64]) {
    for k in (0..pivots).rev() {
        let row = a[k * width..(k + 1) * width].as_flattened();
        let (below, rest) = x.split_at_mut(k + 1);
        below[k] = (below[k] - dot(&row[k + 1..], rest)) / row[k];
    }
}

/// Σ aᵢ bᵢ in four sums.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let ((a, a_rest), (b, b_rest)) = (a[..n].as_chunks::<LANES>(), b[..n].as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        (0..LANES).for_each(|j| sums[j] += a[j] * b[j]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A front of n rows with p pivots, its rows padded; pseudo-random entries.
    fn front(n: usize, width: usize) -> Vec<Group> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        (0..n * width).map(|_| [next(), next(), next(), next()]).collect()
    }

    fn entry(a: &[Group], width: usize, i: usize, j: usize) -> f64 {
        a[i * width + j / LANES][j % LANES]
    }

    #[test]
    fn factors_give_back_the_front() {
        let (n, p, width) = (13, 8, 4);
        let original = front(n, width);
        let (mut a, mut swaps) = (original.clone(), vec![0; p]);
        assert!(eliminate(Arch::new(), &mut a, width, &mut swaps));
        let mut rows: Vec<usize> = (0..n).collect();
        swaps.iter().enumerate().for_each(|(k, &row)| rows.swap(k, row as usize));
        for i in 0..n {
            for j in 0..n {
                let unit = |i: usize, k: usize| if i == k { 1.0 } else { entry(&a, width, i, k) };
                let product: f64 =
                    (0..p.min(i + 1).min(j + 1)).map(|k| unit(i, k) * entry(&a, width, k, j)).sum();
                let schur = if i >= p && j >= p { entry(&a, width, i, j) } else { 0.0 };
                let expected = entry(&original, width, rows[i], j);
                assert!((product + schur - expected).abs() < 1e-12, "({i}, {j})");
            }
        }
    }

    #[test]
    fn a_zero_column_is_refused() {
        let mut a = vec![[0.0, 1.0, 2.0, 3.0]; 4];
        assert!(!eliminate(Arch::new(), &mut a, 1, &mut [0; 4]));
    }
}
