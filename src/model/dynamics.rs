//! The equations of motion at one state, projected onto the contacts.
//!
//! With M v̇ + h = Wᵀλ + Jᵀν and J v̇ + j = 0 (j the constraints' drift), and M⁻¹ short for the upper left block
//! of the inverse of [[M, Jᵀ], [J, 0]] (FORMAT.md, Constraints):
//!
//! * free acceleration: v̇₀ = −M⁻¹h − M₀⁻¹Jᵀ(J M₀⁻¹Jᵀ)⁻¹ j, where M₀ is M itself,
//! * Delassus matrix: D = W M⁻¹ Wᵀ, rows N, T (N, T1, T2 in space) per contact,
//! * free contact acceleration: c₀ = W v̇₀ + drift; so that (v̇_N, u̇_T) = c₀ + D λ   \[CV16 (8), (9)\].
//!
//! Nothing here allocates after construction, and everything is generic over the number type.

use super::{Kernel, Layout, Output, Values};
use crate::num::{Real, Tol, dense};

/// M, or the constraints' J M⁻¹ Jᵀ, cannot be factored.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Singular {
    /// M is not positive definite.
    MassMatrix {
        /// Index of the coordinate at which the factorisation stopped.
        coordinate: usize,
        /// The pivot there; positive in a positive definite matrix.
        pivot: f64,
    },
    /// The bilateral constraints are not independent.
    Constraints {
        /// Index of the constraint at which the factorisation stopped.
        constraint: usize,
        /// The pivot there.
        pivot: f64,
    },
}

/// The projected equations of motion at one state.
#[derive(Clone, Debug)]
pub struct Dynamics<T> {
    layout: Layout,
    /// Relative size of a pivot that is rounding.
    singular: f64,
    /// Cholesky factor of M, packed lower triangle.
    factor: Vec<T>,
    /// Contact rows W: N, T.. per contact, each of n.
    W: Vec<T>,
    /// M⁻¹Wᵀ, one row per contact row.
    Z: Vec<T>,
    /// M₀⁻¹Jᵀ, one row per constraint.
    X: Vec<T>,
    /// Cholesky factor of J M₀⁻¹ Jᵀ.
    S: Vec<T>,
    /// Scratch of length c.
    nu: Vec<T>,
    vdot: Vec<T>,
    delassus: Vec<T>,
    free: Vec<T>,
    drift: Vec<T>,
}

/// The blocks that [`Dynamics`] needs.
pub(super) const NEEDED: [Output; 8] = [
    Output::MassMatrix,
    Output::Bias,
    Output::NormalJacobian,
    Output::NormalDrift,
    Output::TangentJacobian,
    Output::TangentDrift,
    Output::ConstraintJacobian,
    Output::ConstraintDrift,
];

impl<T: Real> Dynamics<T> {
    /// The blocks that a kernel must have for [`Dynamics::update`].
    pub const NEEDED: [Output; 8] = NEEDED;

    /// Buffers for a mechanism of the given sizes, with the usual [`Tol::singular`].
    pub fn new(layout: &Layout) -> Self {
        Self::with_tolerance(layout, Tol::default().singular)
    }

    /// The same with another [`Tol::singular`].
    pub fn with_tolerance(layout: &Layout, singular: f64) -> Self {
        let (n, c) = (layout.coordinates, layout.constraints);
        let rows = layout.contacts * (1 + layout.tangents);
        let zeros = |len: usize| vec![T::from_f64(0.0); len];
        Dynamics {
            layout: *layout,
            singular,
            factor: zeros(n * (n + 1) / 2),
            W: zeros(rows * n),
            Z: zeros(rows * n),
            X: zeros(c * n),
            S: zeros(c * (c + 1) / 2),
            nu: zeros(c),
            vdot: zeros(n),
            delassus: zeros(rows * rows),
            free: zeros(rows),
            drift: zeros(rows),
        }
    }

    /// Computes everything from evaluated outputs.
    ///
    /// # Errors
    /// [`Singular`] if M is not positive definite or the constraints are dependent.
    pub fn update(&mut self, kernel: &Kernel, values: &Values<T>) -> Result<(), Singular> {
        let block = |output| kernel.block(values, output);
        self.factor.copy_from_slice(block(Output::MassMatrix));
        dense::cholesky(&mut self.factor, self.layout.coordinates, self.singular)
            .map_err(|p| Singular::MassMatrix { coordinate: p.index, pivot: p.pivot })?;
        self.factor_constraints(block(Output::ConstraintJacobian))?;
        self.gather_contact_rows(kernel, values);
        self.solve_contact_rows(block(Output::ConstraintJacobian));
        self.solve_free_motion(
            block(Output::Bias),
            block(Output::ConstraintJacobian),
            block(Output::ConstraintDrift),
        );
        self.project();
        Ok(())
    }

    fn factor_constraints(&mut self, J: &[T]) -> Result<(), Singular> {
        let (n, c) = (self.layout.coordinates, self.layout.constraints);
        if c == 0 {
            return Ok(());
        }
        self.X.copy_from_slice(J);
        for row in self.X.chunks_exact_mut(n) {
            dense::solve(&self.factor, row);
        }
        for i in 0..c {
            for j in 0..=i {
                self.S[i * (i + 1) / 2 + j] = dense::dot(&J[i * n..(i + 1) * n], &self.X[j * n..(j + 1) * n]);
            }
        }
        dense::cholesky(&mut self.S, c, self.singular)
            .map_err(|p| Singular::Constraints { constraint: p.index, pivot: p.pivot })
    }

    /// Interleaves W_N and W_T, and their drifts, as N, T.. per contact.
    fn gather_contact_rows(&mut self, kernel: &Kernel, values: &Values<T>) {
        let (n, d) = (self.layout.coordinates, self.layout.tangents);
        let (W_N, W_T) =
            (kernel.block(values, Output::NormalJacobian), kernel.block(values, Output::TangentJacobian));
        let (drift_N, drift_T) =
            (kernel.block(values, Output::NormalDrift), kernel.block(values, Output::TangentDrift));
        for contact in 0..self.layout.contacts {
            let row = contact * (1 + d);
            self.W[row * n..(row + 1) * n].copy_from_slice(&W_N[contact * n..(contact + 1) * n]);
            self.W[(row + 1) * n..(row + 1 + d) * n]
                .copy_from_slice(&W_T[contact * d * n..(contact + 1) * d * n]);
            self.drift[row] = drift_N[contact];
            self.drift[row + 1..row + 1 + d].copy_from_slice(&drift_T[contact * d..(contact + 1) * d]);
        }
    }

    fn solve_contact_rows(&mut self, J: &[T]) {
        let n = self.layout.coordinates;
        self.Z.copy_from_slice(&self.W);
        let bilateral = Bilateral { n, J, X: &self.X, S: &self.S };
        for row in self.Z.chunks_exact_mut(n) {
            dense::solve(&self.factor, row);
            bilateral.project(None, &mut self.nu, row);
        }
    }

    fn solve_free_motion(&mut self, h: &[T], J: &[T], drift: &[T]) {
        let n = self.layout.coordinates;
        let bilateral = Bilateral { n, J, X: &self.X, S: &self.S };
        for (vdot, &h) in self.vdot.iter_mut().zip(h) {
            *vdot = -h;
        }
        dense::solve(&self.factor, &mut self.vdot);
        bilateral.project(Some(drift), &mut self.nu, &mut self.vdot);
    }

    fn project(&mut self) {
        let n = self.layout.coordinates;
        let rows = self.free.len();
        for i in 0..rows {
            let W = &self.W[i * n..(i + 1) * n];
            self.free[i] = dense::dot(W, &self.vdot) + self.drift[i];
            for j in 0..=i {
                let entry = dense::dot(W, &self.Z[j * n..(j + 1) * n]);
                self.delassus[i * rows + j] = entry;
                self.delassus[j * rows + i] = entry;
            }
        }
    }

    /// Contact rows: m (1 + d).
    pub fn rows(&self) -> usize {
        self.free.len()
    }

    /// D = W M⁻¹ Wᵀ by rows, all contacts, N then T (T1, T2) per contact.
    pub fn delassus(&self) -> &[T] {
        &self.delassus
    }

    /// One entry of D.
    pub fn delassus_entry(&self, i: usize, j: usize) -> T {
        self.delassus[i * self.rows() + j]
    }

    /// Contact accelerations without contact forces, in the order of D: b then a of each contact.
    pub fn free_contact_acceleration(&self) -> &[T] {
        &self.free
    }

    /// v̇ without contact forces.
    pub fn free_acceleration(&self) -> &[T] {
        &self.vdot
    }

    /// The i-th row of (M⁻¹Wᵀ)ᵀ: change of v̇ per unit force on contact row i.
    pub fn response(&self, row: usize) -> &[T] {
        let n = self.layout.coordinates;
        &self.Z[row * n..(row + 1) * n]
    }

    /// The i-th contact row of W.
    pub fn contact_row(&self, row: usize) -> &[T] {
        let n = self.layout.coordinates;
        &self.W[row * n..(row + 1) * n]
    }
}

/// The bilateral constraints with their factored inverse.
struct Bilateral<'d, T> {
    n: usize,
    J: &'d [T],
    X: &'d [T],
    S: &'d [T],
}

impl<T: Real> Bilateral<'_, T> {
    /// Projects x = M₀⁻¹r onto the constraints: x −= X S⁻¹ (J x + drift).
    fn project(&self, drift: Option<&[T]>, nu: &mut [T], x: &mut [T]) {
        if nu.is_empty() {
            return;
        }
        for (i, nu) in nu.iter_mut().enumerate() {
            *nu = dense::dot(&self.J[i * self.n..(i + 1) * self.n], x);
            if let Some(drift) = drift {
                *nu = *nu + drift[i];
            }
        }
        dense::solve(self.S, nu);
        for (i, &nu) in nu.iter().enumerate() {
            for (x, &X) in x.iter_mut().zip(&self.X[i * self.n..(i + 1) * self.n]) {
                *x = *x - X * nu;
            }
        }
    }
}

#[cfg(test)]
mod tests;
