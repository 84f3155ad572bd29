//! What a user should know about a problem that is nevertheless used as given, in words; and contacts that repeat
//! others, whose forces no equation separates.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use super::problem::{Form, Problem, Warning};
use crate::linear::Sparse;

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
        let rows = |contact: usize| self.dim() * contact..self.dim() * (contact + 1);
        // few contacts have equal free velocities, and only those need a closer look
        let mut groups = BTreeMap::<Vec<u64>, Vec<usize>>::new();
        for contact in 0..self.contacts() {
            groups.entry(free[rows(contact)].iter().map(|x| bits(*x)).collect()).or_default().push(contact);
        }
        let mut repeated = Vec::new();
        for group in groups.values().filter(|group| group.len() > 1) {
            let mut seen = BTreeMap::new();
            for &contact in group {
                let first = *seen.entry(numbers(&matrices, rows(contact))).or_insert(contact);
                if first < contact {
                    repeated.push((first, contact));
                }
            }
        }
        repeated.sort_unstable();
        repeated
    }
}

/// A number as bits, which have an order; −0 + 0 = 0.
fn bits(x: f64) -> u64 {
    (x + 0.0).to_bits()
}

/// All numbers in the columns of a contact.
fn numbers(matrices: &[Sparse], rows: Range<usize>) -> Vec<(usize, u64)> {
    let mut out = Vec::new();
    for (matrix, j) in matrices.iter().flat_map(|matrix| rows.clone().map(move |j| (matrix, j))) {
        out.extend(matrix.column(j).filter(|(_, a)| a.abs() > 0.0).map(|(i, a)| (i, bits(a))));
        // where a column ends
        out.push((usize::MAX, 0));
    }
    out
}
