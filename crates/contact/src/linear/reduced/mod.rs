//! The linear systems of the Newton methods: `A_ij = Rᵢ W_ij Cⱼ + δ_ij Bᵢ`, with a few rows Rᵢ and columns Cᵢ per
//! contact (none for a contact without force, two for one that slips in space). Small systems are dense with
//! pivoting, large ones sparse in a fill-reducing order: by rows of blocks where the factors stay sparse, by dense
//! fronts where they do not.

mod by_bodies;
mod by_patches;
mod dense;
pub(crate) mod front;
mod kept;
mod local;
mod maps;
mod multifrontal;
mod patches;
mod sparse;
mod symbolic;

pub(crate) use by_bodies::Bodies;
pub(crate) use by_patches::ByPatches;
pub(crate) use dense::Dense;
pub(crate) use kept::Kept;
pub(crate) use maps::{Maps, Shape, reduce};
pub(crate) use multifrontal::Multifrontal;
pub(crate) use patches::Alike;
pub(crate) use sparse::SparseBlocks;

use super::block::BlockMatrix;

/// Dense or sparse, whichever is cheaper for the problem.
#[derive(Debug)]
pub(crate) enum Linear<const D: usize, const DD: usize> {
    /// Up to a hundred contacts or so.
    Dense(Dense),
    /// More contacts, each touching few others.
    Sparse(Box<SparseBlocks<D, DD>>),
    /// More contacts, much fill.
    Multifrontal(Box<Multifrontal<D, DD>>),
    /// The same where many contacts are between the same two bodies.
    ByPatches(Box<ByPatches<D, DD>>),
    /// The same where bodies are fewer than contacts, and W tells which they are.
    ByBodies(Box<Bodies<D>>),
}

/// Number of scalar rows up to which a dense factorisation costs less than the bookkeeping of a sparse one.
const DENSE_ROWS: usize = 48;
/// Products of blocks per contact up to which elimination by rows costs less than the bookkeeping of fronts.
pub(crate) const THIN: f64 = 40.0;
/// Share of the products that bodies must save: their matrix is summed up anew for every system.
const GAIN: f64 = 0.7;

impl<const D: usize, const DD: usize> Linear<D, DD> {
    /// Chooses by the number of contacts.
    pub(crate) fn new(W: &BlockMatrix) -> Self {
        Self::counted(W).0
    }

    /// The same with the products of blocks that a sparse factorisation takes, at most.
    pub(crate) fn counted(W: &BlockMatrix) -> (Self, f64) {
        if Self::is_dense(W) {
            return (Self::Dense(Dense::new(W.blocks() * D)), 0.0);
        }
        let alike = Alike::of(W);
        if alike.pays(D)
            && let Some(patches) = ByPatches::new(W, alike)
        {
            let products = patches.products();
            return (Self::ByPatches(Box::new(patches)), products);
        }
        let (order, work) = order(W.pattern());
        if work > THIN * W.blocks() as f64
            && let Some(bodies) = W.origin().map(Bodies::new).filter(|bodies| bodies.products() < GAIN * work)
        {
            let products = bodies.products();
            return (Self::ByBodies(Box::new(bodies)), products);
        }
        let linear = if work > THIN * W.blocks() as f64 {
            Self::Multifrontal(Box::new(Multifrontal::new(W, order)))
        } else {
            Self::Sparse(Box::new(SparseBlocks::new(order)))
        };
        (linear, work)
    }

    /// Whether a dense factorisation is cheaper.
    fn is_dense(W: &BlockMatrix) -> bool {
        let (full, rows) = (W.blocks() * W.blocks(), W.blocks() * D);
        rows <= DENSE_ROWS || (W.stored() * 2 > full && rows <= 4 * DENSE_ROWS)
    }

    /// Factors the system of `maps`, with `shift` added to the diagonal; false when a pivot vanishes.
    pub(crate) fn factor(&mut self, W: &BlockMatrix, maps: &[Maps<D>], shift: f64) -> bool {
        match self {
            Self::Dense(dense) => dense.factor::<D, DD>(W, maps, shift),
            Self::Sparse(sparse) => sparse.factor(W, maps, shift),
            Self::Multifrontal(fronts) => fronts.factor(W, maps, shift),
            Self::ByPatches(patches) => patches.factor(maps, shift),
            Self::ByBodies(bodies) => W.origin().is_some_and(|origin| bodies.factor(origin, maps, shift)),
        }
    }

    /// Solves in place: `x` holds D entries per contact, the first `size` of them used.
    pub(crate) fn solve(&mut self, W: &BlockMatrix, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        match self {
            Self::Dense(dense) => dense.solve(maps, x),
            Self::Sparse(sparse) => sparse.solve(maps, x),
            Self::Multifrontal(fronts) => fronts.solve(maps, x),
            Self::ByPatches(patches) => patches.solve(maps, x),
            Self::ByBodies(bodies) => W.origin().into_iter().for_each(|origin| bodies.solve(origin, maps, x)),
        }
    }
}

/// A fill-reducing order of the contacts of this pattern (approximate minimum degree), and the products of blocks it leads to.
pub(crate) fn order((start, cols): (&[u32], &[u32])) -> (Vec<u32>, f64) {
    let n = start.len() - 1;
    let start: Vec<usize> = start.iter().map(|&s| s as usize).collect();
    let cols: Vec<usize> = cols.iter().map(|&c| c as usize).collect();
    match amd::order(n, &start, &cols, &amd::Control::default()) {
        Ok((order, _, info)) => (order.into_iter().map(|k| k as u32).collect(), info.n_mult_subs_lu as f64),
        Err(_) => ((0..n as u32).collect(), 0.0),
    }
}

#[cfg(test)]
mod tests;
