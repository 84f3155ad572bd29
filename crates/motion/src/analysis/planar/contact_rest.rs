//! Equilibrium at a contact of a derived mechanism: whether the mechanism is at rest under the sticking force, and the
//! curvature of its potential along the motions that keep the contact sticking.
//!
//! On {g_N = 0, slip displacement fixed} the second variation of V is that of V − λ_N g_N − λ_T x: its matrix
//! H = d/dq (G − W_Nᵀλ_N − W_Tᵀλ_T) with fixed forces, restricted to the null space of W. Derivatives are exact (dual
//! numbers). Its least curvature is taken in the metric of M, min zᵀHz/zᵀMz over Wz = 0, so that it is the square of the
//! least frequency of the sticking mechanism, in 1/s², and no choice of coordinates or units changes it.

use super::jam::Point;
use crate::analysis::local::{ContactSizes, ContactView, Local, PlanarModel};
use crate::contact::{Friction, Restitution, Scaled};
use crate::equilibrium::{Equilibrium, Rest, equilibrium};
use crate::model::{Block, Output, Singular, Values};
use crate::num::{Dual, Real, Tol, dense};
use nalgebra::DMatrix;

impl ContactView<'_> {
    /// Blocks that the kernel must have for [`contact_equilibrium`] beside [`ContactView::NEEDED`].
    pub const EQUILIBRIUM_NEEDED: [Block; 5] = [
        Block::Model(Output::MassMatrix),
        Block::Model(Output::NormalJacobian),
        Block::Model(Output::TangentJacobian),
        Block::Model(Output::Potential),
        Block::Model(Output::Applied),
    ];
}

/// What counts as rest: sizes of the contact's rates, and of each q̈ᵢ under the sticking force.
#[derive(Clone, Copy, Debug)]
pub struct RestSizes<'a> {
    /// Of the contact.
    pub contact: &'a ContactSizes,
    /// Of the accelerations.
    pub accelerations: &'a [f64],
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
    sizes: RestSizes<'_>,
    tol: &Tol,
) -> Result<Option<Equilibrium>, Singular> {
    let local = view.local(point.t, point.q, point.v)?.at_least(sizes.contact);
    let planar = local.planar();
    let (N, T) = planar.stick_force();
    let rest = Rest {
        velocity: Scaled { value: speed(view, point, local.C), scale: sizes.contact.speed },
        acceleration: largest_acceleration(&local, sizes.accelerations, N, T),
        curvature: curvature(view, point, N, T),
    };
    Ok(equilibrium(&planar, friction, law, &rest, tol))
}

/// √(vᵀM v C): the speed of a point mass 1/C with the kinetic energy of the motion, whatever the coordinates are.
fn speed(view: &ContactView<'_>, point: Point<'_>, C: f64) -> f64 {
    let inputs: Vec<f64> =
        std::iter::once(point.t).chain([point.q, point.v, view.parameters].concat()).collect();
    let mut values = view.kernel.values();
    view.kernel.evaluate(&inputs, &mut values);
    let (M, v) = (view.kernel.block(&values, Output::MassMatrix), point.v);
    let row = |i: usize| (0..v.len()).map(|j| M[dense::packed_place(i, j)] * v[j]).sum::<f64>();
    (C * v.iter().enumerate().map(|(i, v)| v * row(i)).sum::<f64>()).max(0.0).sqrt()
}

/// The |q̈ᵢ| under the sticking force that is largest against the size of its terms.
fn largest_acceleration(local: &Local<f64>, sizes: &[f64], lambda_N: f64, lambda_T: f64) -> Scaled {
    let terms = local.free.iter().zip(&local.tangent).zip(&local.normal).zip(sizes);
    let each = terms.map(|(((&free, &c), &d), &scale)| Scaled {
        value: (free + c * lambda_T + d * lambda_N).abs(),
        scale,
    });
    each.fold(Scaled { value: 0.0, scale: 0.0 }, |largest, one| {
        if one.distance() > largest.distance() { one } else { largest }
    })
}

/// Least curvature of the potential along stick; `None` with applied forces (which need not be conservative) or
/// bilateral constraints.
fn curvature(view: &ContactView<'_>, point: Point<'_>, lambda_N: f64, lambda_T: f64) -> Option<Scaled> {
    let n = point.q.len();
    if view.kernel.layout().constraints > 0 {
        return None;
    }
    let (mut hessian, mut sizes) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
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
            sizes[(i, j)] = terms.iter().map(|x| x.abs()).sum::<f64>();
        }
    }
    let block = |output| view.kernel.block(&values, output);
    let W = DMatrix::from_fn(2, n, |i, j| {
        let output = if i == 0 { Output::NormalJacobian } else { Output::TangentJacobian };
        row(block(output), view)[j].re
    });
    let packed = block(Output::MassMatrix);
    let M = DMatrix::from_fn(n, n, |i, j| packed[dense::packed_place(i, j)].re);
    let scale = |i: usize, j: usize| (M[(i, i)] * M[(j, j)]).sqrt();
    let size = sizes.iter().enumerate().fold(0.0, |size: f64, (k, x)| size.max(x / scale(k % n, k / n)));
    Some(least_along_null_space(&hessian, &W, M, size))
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

/// Least eigenvalue of ZᵀHZ, Z a basis of the null space of W that is orthonormal in M; infinite if that is trivial.
fn least_along_null_space(H: &DMatrix<f64>, W: &DMatrix<f64>, M: DMatrix<f64>, size: f64) -> Scaled {
    let n = H.nrows();
    let none = Scaled { value: f64::INFINITY, scale: 1.0 };
    // z = L⁻ᵀx makes M the identity; rows of W of length one
    let Some(inverse) = M.cholesky().and_then(|factor| factor.l().try_inverse()) else { return none };
    let (H, mut W) = (&inverse * H * inverse.transpose(), W * inverse.transpose());
    W.row_iter_mut().for_each(|mut row| row /= row.norm());
    let gram = (&W * W.transpose()).try_inverse();
    let projector = gram.map(|gram| DMatrix::identity(n, n) - W.transpose() * gram * &W);
    let Some(projector) = projector.filter(|_| n > 2) else {
        return none;
    };
    let eigen = projector.symmetric_eigen();
    // eigenvalues are 0 on the row space of W and 1 on its null space
    let kept: Vec<usize> = (0..n).filter(|&i| eigen.eigenvalues[i] > 0.5).collect();
    let Z = eigen.eigenvectors.select_columns(&kept);
    let restricted = Z.transpose() * (0.5 * (&H + H.transpose())) * &Z;
    let least = restricted.symmetric_eigenvalues().iter().copied().fold(f64::INFINITY, f64::min);
    Scaled { value: least, scale: size }
}
