//! Gap accelerations per unit normal force in a combination of modes, v̈ = b + P λ_N over the pressed contacts: friction follows λ_N where a
//! contact slips, and holds the slip acceleration at zero where it sticks   [CV16 6.1, (14)].

use super::contacts::Contacts;
use super::mode::Mode;
use crate::num::Tol;
use nalgebra::DMatrix;

/// P of the pressed contacts of a combination.
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
    /// P of modes without infinite friction in slip; none where it has one, for which a normal force means nothing.
    pub fn response(&self, modes: &[Mode], tol: &Tol) -> Option<Response> {
        let pressed: Vec<usize> = (0..modes.len()).filter(|&i| modes[i].is_closed()).collect();
        let tangents = |i: usize| self.normal(i) + 1..self.normal(i) + self.dim();
        let sticks = |i: &&usize| matches!(modes[**i], Mode::Stick { .. });
        let sticking: Vec<usize> = pressed.iter().filter(sticks).flat_map(|&i| tangents(i)).collect();
        // one of dependent tangential rows is as good as all of them: the slip it holds is the same
        let held = self.basis(&sticking, tol.dependent).rows;
        let block = |rows: &[usize], columns: &[usize]| {
            DMatrix::from_fn(rows.len(), columns.len(), |i, j| self.D[(rows[i], columns[j])])
        };
        let normal: Vec<usize> = pressed.iter().map(|&i| self.normal(i)).collect();
        let slips = pressed.iter().map(|&i| self.force_in_slip(i, modes[i])).collect::<Option<Vec<_>>>()?;
        let column = |rows: &[usize]| {
            let m = normal.len();
            let term = |i: usize, j: usize, k: usize| slips[j][k] * self.D[(rows[i], normal[j] + k)];
            let values = DMatrix::from_fn(rows.len(), m, |i, j| (0..self.dim()).map(|k| term(i, j, k)).sum());
            let sizes =
                DMatrix::from_fn(rows.len(), m, |i, j| (0..self.dim()).map(|k| term(i, j, k).abs()).sum());
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

    /// Whether only one contact is pressed, and its force drives its gap open: that is stable with any compliance, and needs no eigenvalues. What
    /// sticks leaves of D a part that is not negative.
    pub(super) fn is_driven_back_alone(&self, modes: &[Mode]) -> bool {
        let mut pressed = (0..modes.len()).filter(|&i| modes[i].is_closed());
        let (Some(only), None) = (pressed.next(), pressed.next()) else { return false };
        let row = self.normal(only);
        let gain = |force: [f64; 3]| (0..self.dim()).map(|k| force[k] * self.D[(row, row + k)]).sum::<f64>();
        match modes[only] {
            Mode::Stick { .. } => true,
            Mode::Free | Mode::Slip { .. } => {
                self.force_in_slip(only, modes[only]).is_some_and(|force| gain(force) > 0.0)
            }
        }
    }

    /// The force per λ_N in the units of the rows: −μ û along the surface in slip (with the sign of λ_N), none in stick.
    fn force_in_slip(&self, contact: usize, mode: Mode) -> Option<[f64; 3]> {
        match mode {
            Mode::Free | Mode::Stick { .. } => Some([1.0, 0.0, 0.0]),
            Mode::Slip { .. } => {
                let [N, T1, T2] = self.rays(contact, mode).first()?.force;
                (N.abs() > 0.0).then(|| [1.0, T1 / N, T2 / N])
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
