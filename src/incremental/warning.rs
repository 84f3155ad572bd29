//! What a user should know about a problem that is nevertheless used as given, in words; and contacts that repeat
//! others, whose forces no equation separates.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use super::problem::{Form, Problem, Warning};
use super::sparse::Sparse;

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (matrix, relative) = match self {
            Self::AsymmetricMass { relative } => ("M", relative),
            Self::AsymmetricDelassus { relative } => ("W", relative),
        };
        write!(out, "{matrix} is not symmetric (relative asymmetry {relative:.1e}); it is used as given")
    }
}

impl Problem {
    /// Contacts whose part of H and w (or W and q) is that of an earlier contact: (earlier, later). How such a pair
    /// shares its force is not determined.
    pub fn repeated_contacts(&self) -> Vec<(usize, usize)> {
        let (matrices, free) = match self.form() {
            Form::Local(local) => {
                let W = local.W.to_sparse();
                (vec![W.transpose(), W], &local.q)
            }
            Form::Global(global) => (vec![global.Ht.clone()], &global.w),
        };
        let mut seen = BTreeMap::new();
        let mut repeated = Vec::new();
        for contact in 0..self.contacts() {
            let rows = self.dim() * contact..self.dim() * (contact + 1);
            let first = *seen.entry(numbers(&matrices, free, rows)).or_insert(contact);
            if first < contact {
                repeated.push((first, contact));
            }
        }
        repeated
    }
}

/// All numbers of a contact: its columns of every matrix, and its entries of `free`, as bits, which have an order.
fn numbers(matrices: &[Sparse], free: &[f64], rows: Range<usize>) -> Vec<(usize, u64)> {
    // −0 + 0 = 0
    let bits = |x: f64| (x + 0.0).to_bits();
    let mut out: Vec<_> = free[rows.clone()].iter().map(|&x| (usize::MAX, bits(x))).collect();
    for (matrix, j) in matrices.iter().flat_map(|matrix| rows.clone().map(move |j| (matrix, j))) {
        out.extend(matrix.column(j).filter(|(_, a)| a.abs() > 0.0).map(|(i, a)| (i, bits(a))));
        // where a column ends
        out.push((usize::MAX, 0));
    }
    out
}
