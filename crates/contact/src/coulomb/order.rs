//! A problem with its contacts in another order, or with some of them.

use super::problem::Local;

/// Contacts in an order of their own: the i-th of them is `from[i]` of the problem.
pub(super) struct Order {
    from: Vec<usize>,
}

impl Order {
    /// These contacts, in this order.
    pub(super) fn of(from: Vec<usize>) -> Self {
        Self { from }
    }

    /// The contacts.
    pub(super) fn contacts(&self) -> &[usize] {
        &self.from
    }

    /// Neighbours of the old order far from each other: steps of about the golden section of their number.
    pub(super) fn strided(contacts: usize) -> Self {
        const GOLDEN_SECTION: f64 = 0.618_033_988_749_894_9;
        let coprime = |step: &usize| divisor(*step, contacts) == 1;
        let step = ((contacts as f64 * GOLDEN_SECTION) as usize..=contacts).find(coprime).unwrap_or(1);
        Self { from: (0..contacts).map(|i| i * step % contacts).collect() }
    }

    /// The problem in the new order; without the others' forces, where these are left out.
    pub(super) fn local(&self, local: &Local) -> Local {
        Local { W: local.W.permuted(&self.from), q: self.of_rows(&local.q, local.W.block_size()) }
    }

    /// `d` numbers per contact in the new order.
    pub(super) fn of_rows(&self, x: &[f64], d: usize) -> Vec<f64> {
        self.from.iter().flat_map(|&i| x[i * d..(i + 1) * d].iter().copied()).collect()
    }

    /// One number per contact in the new order.
    pub(super) fn of_contacts(&self, x: &[f64]) -> Vec<f64> {
        self.from.iter().map(|&i| x[i]).collect()
    }

    /// Forces of the new order in the old one.
    pub(super) fn restore(&self, found: &[f64], r: &mut [f64]) {
        let d = found.len() / self.from.len().max(1);
        for (found, &i) in found.chunks_exact(d.max(1)).zip(&self.from) {
            r[i * d..(i + 1) * d].copy_from_slice(found);
        }
    }
}

/// Greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use crate::linear::{BlockMatrix, Sparse};

    #[test]
    fn another_order_is_the_same_problem() {
        let n = 5;
        let entry = |i: usize, j: usize| if (i / 2).abs_diff(j / 2) < 2 { (10 * i + j) as f64 } else { 0.0 };
        let dense: Vec<Vec<f64>> = (0..2 * n).map(|i| (0..2 * n).map(|j| entry(i, j)).collect()).collect();
        let W = BlockMatrix::from_sparse(2, &Sparse::from_dense("W", &dense, 2 * n).unwrap());
        let local = Local { W, q: (0..2 * n).map(|i| i as f64).collect() };
        let order = Order::strided(n);
        let mut sorted = order.from.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4]);
        assert_ne!(order.from, sorted);
        let other = order.local(&local);
        let r: Vec<f64> = (0..2 * n).map(|i| (i * i) as f64).collect();
        let (mut u, mut v, mut back) = (vec![0.0; 2 * n], vec![0.0; 2 * n], vec![0.0; 2 * n]);
        local.W.apply(&r, &local.q, &mut u);
        let turned: Vec<f64> = order.from.iter().flat_map(|&i| [r[2 * i], r[2 * i + 1]]).collect();
        other.W.apply(&turned, &other.q, &mut v);
        order.restore(&v, &mut back);
        assert_eq!(u, back);
    }
}
