//! Impacts of a point mass at several planes in space.

use super::equations::Equations;
#[path = "../models/corner.rs"]
mod corner;
use corner::Corner;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// How far the rows of contacts and the matrix of mass may be from those of a point mass.
const ROUNDING: f64 = 1e-9;

/// How many impacts Moreau's rule allows these contacts of a point mass; none if the mechanism is another one, or that cannot be told. The equations stand
/// at the place.
pub(crate) fn allowed(equations: &Equations, closed: &[usize]) -> Option<usize> {
    let M = equations.mass_matrix();
    let m = M[(0, 0)];
    if equations.n() != 3 || closed.len() > 3 || (M / m - DMatrix::identity(3, 3)).amax() > ROUNDING {
        return None;
    }
    let still = [0.0; 3];
    let mut corner = Corner {
        n: Vec::new(),
        s: Vec::new(),
        mu: closed.iter().map(|&c| equations.friction[c]).collect(),
        e: closed.iter().map(|&c| equations.laws[c].coefficient()).collect(),
        v: Vector3::zeros(),
    };
    for &c in closed {
        let row = |row: &[f64]| Vector3::from_column_slice(row);
        let frame = [row(equations.normal(c)), row(equations.tangent(c, 0)), row(equations.tangent(c, 1))];
        let W = Matrix3::from_columns(&frame);
        if (W.transpose() * W - Matrix3::identity()).amax() > ROUNDING {
            return None;
        }
        // rates are W·(v − s)
        let slip = |k: usize| equations.slip_at(c, k, &still);
        corner.s.push(-W * Vector3::new(equations.rate_at(c, &still), slip(0), slip(1)));
        let [one, two] = equations.slip(c);
        corner.v = W * Vector3::new(equations.rate(c), one, two) + corner.s[corner.s.len() - 1];
        corner.n.push(frame[0]);
    }
    Some(corner.impacts()?.len())
}
