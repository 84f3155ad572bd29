//! Quasi-static steps of a linear visco-elastic body K q + C v = f + Hᵀ r by backward Euler as incremental problems
//! [AC11 4.4.2], with Coulomb's law at velocity level or with unilateral contact at position level. K must be positive
//! definite together with C (rigid motions excluded), else M is refused.

use super::dense::DenseProblem;
use super::table::Table;
use crate::coulomb::{Problem, ProblemError, contact_dim};
use crate::linear::MatrixError;

/// The data of one step, dense.
#[derive(Clone, Debug, PartialEq)]
pub struct QuasiStatic {
    /// K, n rows of n.
    pub stiffness: Vec<Vec<f64>>,
    /// C, n rows of n.
    pub viscosity: Vec<Vec<f64>>,
    /// f at the end of the step.
    pub force: Vec<f64>,
    /// q at the beginning of the step.
    pub q: Vec<f64>,
    /// H at the end of the step: dim rows per contact, normal first.
    pub H: Vec<Vec<f64>>,
    /// Friction coefficients.
    pub mu: Vec<f64>,
    /// Step h, s.
    pub step: f64,
}

impl QuasiStatic {
    /// Unknowns v, u, r at the end of the step: M = C + hK, f = K q − f [AC11 (4.22)]; `w` is the part of u that does
    /// not depend on v.
    ///
    /// # Errors
    /// As [`Problem::from_dense`]: wrong sizes, numbers that are not finite, M not symmetric or not positive definite.
    pub fn velocity_level(&self, w: Vec<f64>) -> Result<Problem, ProblemError> {
        self.dense_velocity(w)?.problem()
    }

    /// The data of [`QuasiStatic::velocity_level`].
    ///
    /// # Errors
    /// Wrong sizes.
    pub fn dense_velocity(&self, w: Vec<f64>) -> Result<DenseProblem, ProblemError> {
        let M = self.combined(1.0, self.step)?;
        let f = times(&self.stiffness, &self.q).iter().zip(&self.force).map(|(k, f)| k - f).collect();
        self.dense(&M, f, w)
    }

    /// Unknowns q and the modified gap g̃ at the end of the step: normal gap and tangential displacement, in the places
    /// of v and u: M = K + C/h, f = −C q/h − f, w = b − (I − e eᵀ) g [AC11 (4.28)]. `b` is the part of the gaps that
    /// does not depend on q, `gap` the gaps at the beginning of the step, both by contacts, normal first.
    ///
    /// # Errors
    /// As [`Problem::from_dense`].
    pub fn position_level(&self, b: &[f64], gap: &[f64]) -> Result<Problem, ProblemError> {
        self.dense_position(b, gap)?.problem()
    }

    /// The data of [`QuasiStatic::position_level`].
    ///
    /// # Errors
    /// Wrong sizes.
    pub fn dense_position(&self, b: &[f64], gap: &[f64]) -> Result<DenseProblem, ProblemError> {
        let M = self.combined(1.0 / self.step, 1.0)?;
        let inertia = times(&self.viscosity, &self.q);
        let f = inertia.iter().zip(&self.force).map(|(c, f)| -c / self.step - f).collect();
        if gap.len() != b.len() {
            return Err(ProblemError::Matrix(MatrixError::Size {
                what: "gap",
                found: gap.len(),
                expected: b.len(),
            }));
        }
        let dim = contact_dim(self.H.len(), self.mu.len())?;
        let tangential = |k: usize| if k.is_multiple_of(dim) { 0.0 } else { gap[k] };
        let w = b.iter().enumerate().map(|(k, b)| b - tangential(k)).collect();
        self.dense(&M, f, w)
    }

    fn dense(&self, M: &[Vec<f64>], f: Vec<f64>, w: Vec<f64>) -> Result<DenseProblem, ProblemError> {
        let dim = contact_dim(self.H.len(), self.mu.len())?;
        let (M, H) = (table("M", M, f.len())?, table("H", &self.H, f.len())?);
        Ok(DenseProblem { dim, mu: self.mu.clone(), M, f, H, w })
    }

    /// α C + β K.
    fn combined(&self, alpha: f64, beta: f64) -> Result<Vec<Vec<f64>>, ProblemError> {
        let n = self.q.len();
        let sizes = [("stiffness", &self.stiffness), ("viscosity", &self.viscosity)];
        for (what, matrix) in sizes {
            let found = matrix.iter().map(Vec::len).chain([matrix.len()]).find(|size| *size != n);
            if let Some(found) = found {
                return Err(ProblemError::Matrix(MatrixError::Size { what, found, expected: n }));
            }
        }
        let row =
            |(c, k): (&Vec<f64>, &Vec<f64>)| c.iter().zip(k).map(|(c, k)| alpha * c + beta * k).collect();
        Ok(self.viscosity.iter().zip(&self.stiffness).map(row).collect())
    }
}

fn times(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

fn table(what: &'static str, rows: &[Vec<f64>], columns: usize) -> Result<Table, ProblemError> {
    let mut table = Table::default();
    table.clear(columns);
    for row in rows {
        if row.len() != columns {
            let error = MatrixError::Size { what, found: row.len(), expected: columns };
            return Err(ProblemError::Matrix(error));
        }
        table.push(row.iter().copied());
    }
    Ok(table)
}
