//! Equilibrium at a contact of a derived mechanism: whether the mechanism is at rest under the sticking force, and the
//! curvature of its potential along the motions that keep the contact sticking.
//!
//! On {g_N = 0, slip displacement fixed} the second variation of V is that of V − λ_N g_N − λ_T x: its matrix
//! H = d/dq (G − W_Nᵀλ_N − W_Tᵀλ_T) with fixed forces, restricted to the null space of W. Derivatives are exact (dual
//! numbers).

use super::equilibrium::{Equilibrium, Rest, equilibrium};
use super::jam::Point;
use super::local::{ContactView, Local, PlanarModel};
use crate::contact::{Friction, Restitution, Scaled};
use crate::model::{Output, Singular, Values};
use crate::num::{Dual, Real, Tol};
use nalgebra::DMatrix;

impl ContactView<'_> {
    /// Blocks that the kernel must have for [`contact_equilibrium`].
    pub const EQUILIBRIUM_NEEDED: [Output; 13] = [
        Output::MassMatrix,
        Output::Bias,
        Output::Gap,
        Output::NormalJacobian,
        Output::GapRate,
        Output::NormalDrift,
        Output::TangentJacobian,
        Output::SlipRate,
        Output::TangentDrift,
        Output::ConstraintJacobian,
        Output::ConstraintDrift,
        Output::Potential,
        Output::Applied,
    ];
}

/// The equilibrium of a mechanism at one sticking contact; `None` if it moves, accelerates, or cannot stick.
///
/// # Errors
/// [`Singular`] if M cannot be factored.
pub fn contact_equilibrium(
    view: &ContactView<'_>,
    friction: Friction,
    law: Restitution,
    point: Point<'_>,
    tol: &Tol,
) -> Result<Option<Equilibrium>, Singular> {
    let local = view.local(point.t, point.q, point.v)?;
    let planar = local.planar();
    let (N, T) = planar.stick_force();
    let speed = point.v.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
    let rest = Rest {
        velocity: Scaled { value: speed, scale: 1.0 },
        acceleration: largest_acceleration(&local, N, T),
        curvature: curvature(view, point, N, T),
    };
    Ok(equilibrium(&planar, friction, law, &rest, tol))
}

/// The largest |q̈ᵢ| under the sticking force, against the magnitude of its terms.
fn largest_acceleration(local: &Local<f64>, lambda_N: f64, lambda_T: f64) -> Scaled {
    let terms = local.free.iter().zip(&local.tangent).zip(&local.normal);
    terms.fold(Scaled { value: 0.0, scale: 0.0 }, |largest, ((&free, &c), &d)| {
        let (tangential, normal) = (c * lambda_T, d * lambda_N);
        let value = largest.value.max((free + tangential + normal).abs());
        let scale = largest.scale.max(free.abs() + tangential.abs() + normal.abs());
        Scaled { value, scale }
    })
}

/// Least curvature of the potential along stick; `None` with applied forces (which need not be conservative) or
/// bilateral constraints.
fn curvature(view: &ContactView<'_>, point: Point<'_>, lambda_N: f64, lambda_T: f64) -> Option<Scaled> {
    let n = point.q.len();
    if view.kernel.layout().constraints > 0 {
        return None;
    }
    let mut hessian = DMatrix::zeros(n, n);
    let mut size: f64 = 0.0;
    let mut values = view.kernel.values();
    for j in 0..n {
        evaluate_along(view, point, j, &mut values);
        let block = |output| view.kernel.block(&values, output);
        if block(Output::Applied).iter().any(|force| force.re != 0.0 || force.eps != 0.0) {
            return None;
        }
        let (W_N, W_T) =
            (row(block(Output::NormalJacobian), view), row(block(Output::TangentJacobian), view));
        for (i, gradient) in block(Output::Potential).iter().enumerate() {
            let terms = [gradient.eps, -lambda_N * W_N[i].eps, -lambda_T * W_T[i].eps];
            hessian[(i, j)] = terms.iter().sum();
            size = size.max(terms.iter().map(|x| x.abs()).sum());
        }
    }
    let block = |output| view.kernel.block(&values, output);
    let W = DMatrix::from_fn(2, n, |i, j| {
        let output = if i == 0 { Output::NormalJacobian } else { Output::TangentJacobian };
        row(block(output), view)[j].re
    });
    Some(least_along_null_space(&hessian, &W, size))
}

fn row<'v, T>(block: &'v [T], view: &ContactView<'_>) -> &'v [T] {
    let n = view.kernel.layout().coordinates;
    &block[view.contact * n..(view.contact + 1) * n]
}

/// Outputs at rest with their derivatives along qⱼ.
fn evaluate_along(view: &ContactView<'_>, point: Point<'_>, j: usize, values: &mut Values<Dual<f64>>) {
    let q = point.q.iter().enumerate().map(|(i, &q)| Dual::new(q, if i == j { 1.0 } else { 0.0 }));
    let fixed = point.v.iter().chain(view.parameters).map(|&x| Dual::fixed(x));
    let inputs: Vec<Dual<f64>> = std::iter::once(Dual::from_f64(point.t)).chain(q).chain(fixed).collect();
    view.kernel.evaluate(&inputs, values);
}

/// Least eigenvalue of ZᵀHZ, Z an orthonormal basis of the null space of W; infinite if that is trivial.
fn least_along_null_space(H: &DMatrix<f64>, W: &DMatrix<f64>, size: f64) -> Scaled {
    let n = H.nrows();
    let gram = (W * W.transpose()).try_inverse();
    let projector = gram.map(|gram| DMatrix::identity(n, n) - W.transpose() * gram * W);
    let Some(projector) = projector.filter(|_| n > 2) else {
        return Scaled { value: f64::INFINITY, scale: 1.0 };
    };
    let eigen = projector.symmetric_eigen();
    // eigenvalues are 0 on the row space of W and 1 on its null space
    let kept: Vec<usize> = (0..n).filter(|&i| eigen.eigenvalues[i] > 0.5).collect();
    let Z = eigen.eigenvectors.select_columns(&kept);
    let restricted = Z.transpose() * (0.5 * (H + H.transpose())) * &Z;
    let least = restricted.symmetric_eigenvalues().iter().copied().fold(f64::INFINITY, f64::min);
    Scaled { value: least, scale: size }
}
