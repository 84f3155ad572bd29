//! Gap accelerations per unit normal force in a word, v̈ = b + P λ_N over the pressed contacts: friction follows λ_N where a
//! contact slips, and holds the slip acceleration at zero where it sticks   [CV16 6.1, (14)].

use super::contacts::Contacts;
use super::word::Choice;
use crate::num::Tol;
use nalgebra::DMatrix;

/// P of the pressed contacts of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The pressed contacts.
    pub contacts: Vec<usize>,
    /// P in the mechanism's units.
    pub P: DMatrix<f64>,
    /// P with rows and columns divided by √C of their contacts.
    pub(super) scaled: DMatrix<f64>,
    /// √C of the pressed contacts.
    pub(super) unit: Vec<f64>,
    /// Sizes of the terms of the scaled entries.
    pub(super) sizes: DMatrix<f64>,
    /// A basis of the gap motions that the mechanism has while what sticks does not slip; the identity if it has all of them.
    pub(super) motions: DMatrix<f64>,
}

impl Contacts {
    /// P of a word without infinite friction in slip; none where it has one, for which a normal force means nothing.
    pub fn response(&self, word: &[Choice], tol: &Tol) -> Option<Response> {
        let pressed: Vec<usize> = (0..word.len()).filter(|&i| word[i] != Choice::Free).collect();
        let sticking: Vec<usize> =
            pressed.iter().filter(|&&i| matches!(word[i], Choice::Stick { .. })).map(|i| 2 * i + 1).collect();
        // one of dependent tangential rows is as good as all of them: the slip it holds is the same
        let held = self.basis(&sticking, tol.dependent).rows;
        let block = |rows: &[usize], columns: &[usize]| {
            DMatrix::from_fn(rows.len(), columns.len(), |i, j| self.D[(rows[i], columns[j])])
        };
        let normal: Vec<usize> = pressed.iter().map(|i| 2 * i).collect();
        let slips = pressed.iter().map(|&i| self.slope(i, word[i])).collect::<Option<Vec<f64>>>()?;
        let column = |rows: &[usize]| {
            let m = normal.len();
            let values = DMatrix::from_fn(rows.len(), m, |i, j| {
                self.D[(rows[i], normal[j])] + slips[j] * self.D[(rows[i], normal[j] + 1)]
            });
            let sizes = DMatrix::from_fn(rows.len(), m, |i, j| {
                self.D[(rows[i], normal[j])].abs() + (slips[j] * self.D[(rows[i], normal[j] + 1)]).abs()
            });
            (values, sizes)
        };
        let ((direct, mut sizes), (driven, driven_sizes)) = (column(&normal), column(&held));
        let (mut scaled, mut free) = (direct, block(&normal, &normal));
        if !held.is_empty() {
            let through = block(&normal, &held) * block(&held, &held).try_inverse()?;
            free -= &through * block(&held, &normal);
            scaled -= &through * driven;
            sizes += through.abs() * driven_sizes;
        }
        let unit = |i: usize| self.unit[normal[i]];
        let P = DMatrix::from_fn(normal.len(), normal.len(), |i, j| unit(i) * scaled[(i, j)] * unit(j));
        let motions = motions(&free, tol);
        let unit = normal.iter().map(|&row| self.unit[row]).collect();
        Some(Response { contacts: pressed, P, scaled, unit, sizes, motions })
    }

    /// λ_T per λ_N in the units of the scaled problem: −s μ in slip (with the sign of λ_N), 0 in stick.
    fn slope(&self, contact: usize, choice: Choice) -> Option<f64> {
        match choice {
            Choice::Free | Choice::Stick { .. } => Some(0.0),
            Choice::Slip { .. } => {
                let rays = self.rays(contact, choice);
                let ray = rays.first()?;
                (ray.N.abs() > 0.0).then(|| ray.T / ray.N)
            }
        }
    }
}

/// Orthonormal columns that span the gap motions: the eigenvectors of D_NN, less what sticking takes, that are not rounding.
fn motions(normal: &DMatrix<f64>, tol: &Tol) -> DMatrix<f64> {
    let m = normal.nrows();
    if m == 0 {
        return DMatrix::zeros(0, 0);
    }
    let eigen = normal.clone().symmetric_eigen();
    let kept: Vec<usize> = (0..m).filter(|&i| eigen.eigenvalues[i] > tol.dependent).collect();
    if kept.len() == m { DMatrix::identity(m, m) } else { eigen.eigenvectors.select_columns(&kept) }
}
