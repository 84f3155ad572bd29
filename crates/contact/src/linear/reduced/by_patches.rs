//! The reduced system in the components of the patches ([`Patches`]).
//!
//! The unknowns x of a patch enter the equations of others by y = C x alone, and are reached by them through R v alone: with
//! more unknowns than the patch has components, orthogonal Q and Z give `Q R = (R₁; 0)`, `C Z = (C₁ 0)`. The unknowns behind
//! the zeros meet nothing outside the patch, and are eliminated in it; what is left is a system of the same form, with a
//! contact for each patch, in which the fronts are smaller.

use crate::num::lanes::Arch;

use super::super::block::BlockMatrix;
use super::local::Local;
use super::patches::{Alike, Patches, RANK};
use super::{Maps, Multifrontal, order};

/// The factors.
#[derive(Debug)]
pub(crate) struct ByPatches<const D: usize, const DD: usize> {
    arch: Arch,
    /// What the patches were made of.
    W: BlockMatrix,
    alike: Alike,
    patches: Patches<D>,
    locals: Vec<Local>,
    maps: Vec<Maps<RANK>>,
    fronts: Multifrontal<RANK, { RANK * RANK }>,
    x: Vec<[f64; RANK]>,
    /// The unknowns of one patch, one after the other.
    part: Vec<f64>,
    products: f64,
}

impl<const D: usize, const DD: usize> ByPatches<D, DD> {
    /// For W, if it is one of patches.
    pub(crate) fn new(W: &BlockMatrix, alike: Alike) -> Option<Self> {
        let patches = Patches::<D>::new::<DD>(W, &alike)?;
        let count = patches.count();
        let (sequence, work) = order(patches.V.pattern());
        Some(Self {
            arch: Arch::new(),
            W: W.clone(),
            alike,
            locals: (0..count).map(|_| Local::default()).collect(),
            maps: vec![Maps::NONE; count],
            fronts: Multifrontal::new(&patches.V, sequence),
            x: vec![[0.0; RANK]; count],
            part: Vec::new(),
            patches,
            products: work * (RANK as f64 / D as f64).powi(3),
        })
    }

    /// Products of blocks of contacts that take as long as the factorisation, at most.
    pub(crate) fn products(&self) -> f64 {
        self.products
    }

    /// Takes other numbers on the same pattern; false if their patches are others.
    pub(crate) fn renew(&mut self, W: &BlockMatrix) -> bool {
        if self.W == *W {
            return true;
        }
        let Some(patches) = Patches::<D>::new::<DD>(W, &self.alike) else { return false };
        let same = patches.V.pattern() == self.patches.V.pattern();
        if same {
            self.W.clone_from(W);
            self.patches = patches;
        }
        same
    }

    /// Factors the system of `maps`, by contacts, with `shift` added to the diagonal; false when a pivot vanishes.
    pub(crate) fn factor(&mut self, maps: &[Maps<D>], shift: f64) -> bool {
        for (g, local) in self.locals.iter_mut().enumerate() {
            local.gather(self.patches.contacts(g), &self.patches.basis, maps, shift);
            if !local.eliminate(self.patches.rank[g], self.arch) {
                return false;
            }
            self.maps[g] = local.maps();
        }
        self.fronts.factor(&self.patches.V, &self.maps, 0.0)
    }

    /// Solves in place: `x` holds D entries per contact, the first `size` of them used.
    pub(crate) fn solve(&mut self, maps: &[Maps<D>], x: &mut [[f64; D]]) {
        let used = |i: u32| 0..maps[i as usize].size;
        let mut begin = 0;
        self.part.clear();
        for (g, local) in self.locals.iter().enumerate() {
            self.patches
                .contacts(g)
                .iter()
                .for_each(|&i| self.part.extend_from_slice(&x[i as usize][used(i)]));
            self.x[g] = local.forward(&mut self.part[begin..]);
            begin = self.part.len();
        }
        self.fronts.solve(&self.maps, &mut self.x);
        begin = 0;
        for (g, local) in self.locals.iter().enumerate() {
            let end = begin + local.unknowns();
            local.backward(&self.x[g], &mut self.part[begin..end]);
            for &i in self.patches.contacts(g) {
                let size = maps[i as usize].size;
                x[i as usize][..size].copy_from_slice(&self.part[begin..begin + size]);
                begin += size;
            }
        }
    }
}
