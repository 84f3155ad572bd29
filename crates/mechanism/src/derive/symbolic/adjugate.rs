//! Forms xᵀ adj(m) y of small matrices of expressions, and determinants: without a division, so that one denominator
//! serves all of A, B, C, a and b.

use symbolica::atom::Atom;

/// The matrix without row i and column j.
fn minor(m: &[Vec<Atom>], i: usize, j: usize) -> Vec<Vec<Atom>> {
    let without =
        |row: &Vec<Atom>| row.iter().enumerate().filter(|(k, _)| *k != j).map(|(_, x)| x.clone()).collect();
    m.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, row)| without(row)).collect()
}

/// By the first row.
pub(super) fn determinant(m: &[Vec<Atom>]) -> Atom {
    let Some(row) = m.first() else { return Atom::num(1) };
    row.iter().enumerate().filter(|(_, x)| !x.is_zero()).fold(Atom::num(0), |sum, (j, x)| {
        let sign = if j % 2 == 0 { 1 } else { -1 };
        sum + x * determinant(&minor(m, 0, j)) * Atom::num(sign)
    })
}

/// xᵀ adj(m) y.
pub(super) fn adjugate_form(m: &[Vec<Atom>], x: &[Atom], y: &[Atom]) -> Atom {
    let mut sum = Atom::num(0);
    for (i, xi) in x.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (j, yj) in y.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            let sign = if (i + j) % 2 == 0 { 1 } else { -1 };
            sum += xi * yj * determinant(&minor(m, j, i)) * Atom::num(sign);
        }
    }
    sum
}
