//! A linear system whose memory and symbolic analysis stay while the matrices change.

use super::{BlockMatrix, Bodies, Dense, Linear, Maps};

/// A [`Linear`] with the pattern that it was made for.
#[derive(Debug)]
pub(crate) struct Kept<const D: usize, const DD: usize> {
    start: Vec<u32>,
    columns: Vec<u32>,
    linear: Linear<D, DD>,
    products: f64,
    /// Whether it was known what W is the product of.
    knew_bodies: bool,
}

impl<const D: usize, const DD: usize> Default for Kept<D, DD> {
    /// For no contacts.
    fn default() -> Self {
        Self {
            start: Vec::new(),
            columns: Vec::new(),
            linear: Linear::Dense(Dense::new(0)),
            products: 0.0,
            knew_bodies: false,
        }
    }
}

impl<const D: usize, const DD: usize> Kept<D, DD> {
    /// Makes it fit `W`; little to do when the pattern is that of the last call.
    pub(crate) fn prepare(&mut self, W: &BlockMatrix) {
        let (start, columns) = W.pattern();
        if self.start == start && self.columns == columns {
            return self.renew(W);
        }
        self.start.clear();
        self.start.extend_from_slice(start);
        self.columns.clear();
        self.columns.extend_from_slice(columns);
        match &mut self.linear {
            Linear::Dense(dense) if Linear::<D, DD>::is_dense(W) => dense.resize(W.blocks() * D),
            _ => self.count(W),
        }
        if let Linear::Dense(_) = self.linear {
            self.products = (W.blocks() as f64).powi(3) / 3.0;
        }
    }

    /// The factors by bodies, where these are fewer products.
    pub(crate) fn bodies(&mut self) -> Option<&mut Bodies<D>> {
        match &mut self.linear {
            Linear::ByBodies(bodies) => Some(bodies),
            _ => None,
        }
    }

    /// Whether there is no order of elimination to remember.
    pub(crate) fn is_dense(&self) -> bool {
        matches!(self.linear, Linear::Dense(_))
    }

    /// The products of blocks of a factorisation with unknowns at all contacts.
    pub(crate) fn products(&self) -> f64 {
        self.products
    }

    fn count(&mut self, W: &BlockMatrix) {
        (self.linear, self.products) = Linear::counted(W);
        self.knew_bodies = W.origin().is_some();
    }

    /// The same pattern with other numbers: patches depend on them, and what bodies there are is another pattern.
    fn renew(&mut self, W: &BlockMatrix) {
        let fits = match &mut self.linear {
            Linear::ByPatches(patches) => patches.renew(W),
            Linear::ByBodies(bodies) => W.origin().is_some_and(|origin| bodies.fits(origin)),
            Linear::Multifrontal(_) => self.knew_bodies == W.origin().is_some(),
            Linear::Dense(_) | Linear::Sparse(_) => true,
        };
        if !fits {
            self.count(W);
        }
    }

    /// As [`Linear::factor`].
    pub(crate) fn factor(&mut self, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) -> bool {
        self.linear.factor(W, maps, shift)
    }

    /// As [`Linear::solve`].
    pub(crate) fn solve(&mut self, W: &BlockMatrix, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        self.linear.solve(W, maps, x);
    }
}
