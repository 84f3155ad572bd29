//! The surface c(z) = 0 on which the points of a section lie, in numbers scaled by their own sizes.

use super::tolerance::DEPENDENT;
use nalgebra::{DMatrix, DVector};

/// A surface of points z = (q, v).
pub struct Surface<'c> {
    /// c(z).
    pub conditions: &'c dyn Fn(&[f64]) -> Vec<f64>,
    /// The size of each number of z, > 0.
    pub sizes: &'c [f64],
}

/// Steps back to the surface; each of them leaves the square of what it finds.
const STEPS: usize = 6;

impl Surface<'_> {
    /// The derivative of the conditions by the scaled numbers, each row of length 1.
    fn slopes(&self, z: &[f64]) -> (DMatrix<f64>, Vec<f64>) {
        let reach = f64::EPSILON.cbrt();
        let mut point = z.to_vec();
        let columns: Vec<DVector<f64>> = (0..z.len())
            .map(|j| {
                let mut shifted = |sign: f64| {
                    point[j] = z[j] + sign * reach * self.sizes[j];
                    let value = DVector::from_vec((self.conditions)(&point));
                    point[j] = z[j];
                    value
                };
                (shifted(1.0) - shifted(-1.0)) / (2.0 * reach)
            })
            .collect();
        let mut slopes = DMatrix::from_columns(&columns);
        let norms = (0..slopes.nrows()).map(|i| slopes.row(i).norm()).collect::<Vec<_>>();
        for (i, &norm) in norms.iter().enumerate().filter(|(_, norm)| **norm > 0.0) {
            slopes.row_mut(i).scale_mut(1.0 / norm);
        }
        (slopes, norms)
    }

    /// The nearest point of the surface, in scaled numbers.
    pub fn project(&self, z: &[f64]) -> Vec<f64> {
        let mut z = z.to_vec();
        for _ in 0..STEPS {
            let (slopes, norms) = self.slopes(&z);
            let off = (self.conditions)(&z);
            let scaled = off.iter().zip(&norms).map(|(c, norm)| if *norm > 0.0 { c / norm } else { 0.0 });
            let off = DVector::from_iterator(norms.len(), scaled);
            let Ok(inverse) = slopes.pseudo_inverse(DEPENDENT) else { return z };
            let step = inverse * off;
            z.iter_mut().zip(self.sizes).zip(step.iter()).for_each(|((z, size), step)| *z -= size * step);
        }
        z
    }

    /// An orthonormal basis of the scaled directions along the surface, by columns.
    pub fn directions(&self, z: &[f64]) -> DMatrix<f64> {
        let (slopes, _) = self.slopes(z);
        // the eigenvectors of SᵀS to the eigenvalue 0, by size
        let square = (slopes.transpose() * &slopes).symmetric_eigen();
        let largest = square.eigenvalues.amax();
        let along = |i: &usize| square.eigenvalues[*i] <= DEPENDENT * largest;
        let columns: Vec<_> =
            (0..z.len()).filter(along).map(|i| square.eigenvectors.column(i).into_owned()).collect();
        if columns.is_empty() { DMatrix::zeros(z.len(), 0) } else { DMatrix::from_columns(&columns) }
    }
}

#[cfg(test)]
mod tests {
    use super::Surface;

    #[test]
    fn a_circle_is_met_and_left_along_its_tangent() {
        // one condition twice, and one that is always fulfilled
        let circle = |z: &[f64]| {
            vec![z[0] * z[0] + z[1] * z[1] / 1e12 - 1.0, 1e9 * (z[0] * z[0] + z[1] * z[1] / 1e12 - 1.0), 0.0]
        };
        let surface = Surface { conditions: &circle, sizes: &[1.0, 1e6] };
        let z = surface.project(&[0.8, 0.7e6]);
        assert!(circle(&z)[0].abs() < 1e-14, "{z:?}");
        let along = surface.directions(&z);
        assert_eq!(along.ncols(), 1);
        assert!((along[(0, 0)] * z[0] + along[(1, 0)] * z[1] / 1e6).abs() < 1e-9, "{along}");
    }
}
