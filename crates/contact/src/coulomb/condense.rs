//! From the global to the local form: W = H M⁻¹ Hᵀ, q = w − H M⁻¹ f, and back: v = M⁻¹ (Hᵀr − f).

use super::error::ProblemError;
use super::problem::{Form, Global, Local, Problem};
use super::product::Product;
use crate::linear::{Ldu, Sparse};
use crate::num::Tol;

/// A global problem in local form, with the factored mass matrix.
#[derive(Clone, Debug, Default)]
pub struct Condensed {
    /// u = W r + q.
    pub local: Local,
    factor: Ldu,
    memory: Memory,
}

/// What is needed on the way, and stays for the next problem.
#[derive(Clone, Debug, Default)]
struct Memory {
    product: Product,
    vector: Vec<f64>,
    refined: Vec<f64>,
}

/// Contacts from which on Newton's systems may be solved in the velocities of the bodies.
const CROWD: usize = 100;

impl Condensed {
    /// Condenses a global problem.
    ///
    /// # Errors
    /// `Asymmetric` or `Indefinite` for M.
    pub fn new(dim: usize, g: &Global) -> Result<Self, ProblemError> {
        let mut out = Self::default();
        out.factor(&g.M)?;
        out.condense(dim, g);
        Ok(out)
    }

    /// Factors M; if that fails, the factors of the matrix before stay. Its relative asymmetry.
    ///
    /// # Errors
    /// `Asymmetric` or `Indefinite`.
    pub(super) fn factor(&mut self, M: &Sparse) -> Result<f64, ProblemError> {
        Ok(self.factor.refactor(M, Tol::default().asymmetry_allowed)?)
    }

    /// Forgets the order of elimination; the memory stays.
    pub(super) fn forget_order(&mut self) {
        self.factor.forget_order();
    }

    /// W and q of a problem whose M is factored.
    pub(super) fn condense(&mut self, dim: usize, g: &Global) {
        let Self { local, factor, memory } = self;
        memory.product.compute(dim, &g.Ht, factor, &mut local.W);
        if local.W.blocks() > CROWD {
            local.W.keep_origin(&g.Ht, &g.M)
        } else {
            local.W.forget_origin()
        }
        let free = &mut memory.vector;
        free.clone_from(&g.f);
        factor.refined_in(&g.M, free, &mut memory.refined);
        free.iter_mut().for_each(|v| *v = -*v);
        local.q.clone_from(&g.w);
        g.Ht.transpose_mul_add(free, &mut local.q);
    }

    /// v = M⁻¹ (Hᵀr − f).
    pub fn velocity(&self, g: &Global, r: &[f64]) -> Vec<f64> {
        let mut v = Vec::new();
        self.velocity_in(g, r, &mut v, &mut Vec::new());
        v
    }

    /// The same in the memory that is given.
    pub(super) fn velocity_in(&self, g: &Global, r: &[f64], v: &mut Vec<f64>, memory: &mut Vec<f64>) {
        v.clear();
        v.extend(g.f.iter().map(|x| -x));
        g.Ht.mul_add(r, v);
        self.factor.refined_in(&g.M, v, memory);
    }
}

impl Problem {
    /// v = M⁻¹ (Hᵀr − f) of a global problem; empty for a local one, which has no generalized velocities.
    ///
    /// # Errors
    /// `Indefinite` when M cannot be factored.
    pub fn generalized_velocity(&self, r: &[f64]) -> Result<Vec<f64>, ProblemError> {
        match self.form() {
            Form::Local { .. } => Ok(Vec::new()),
            Form::Global(global) => Ok(Condensed::new(self.dim(), global)?.velocity(global, r)),
        }
    }
}
