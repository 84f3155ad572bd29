//! Quaternions of any length as rotations: R(e/|e|), so that nothing has to hold |e| at 1, and no attitude is singular.
//!
//! ```text
//! R = ((e₀² − e·e) 1 + 2 e eᵀ + 2 e₀ [e×])/|e|²
//! ω = 2 (e₀ ė − ė₀ e + e × ė)/|e|²        as seen from where the rotation begins
//! ```
//!
//! The length itself is a coordinate without meaning. It gets an inertia of its own, ½ J (d|e|/dt)², which makes M positive
//! definite and moves nothing else: no force and no contact changes |e|, and where d|e|/dt = 0 it stays so.

use super::terms::{cross, dot, scale};
use symbolica::atom::{Atom, AtomCore};

/// e₀ and e.
pub(super) struct Quaternion {
    pub(super) parts: Vec<Atom>,
}

impl Quaternion {
    /// Of four parts, the real one first.
    pub(super) fn new(parts: Vec<Atom>) -> Self {
        Quaternion { parts }
    }

    /// |e|².
    pub(super) fn square(&self) -> Atom {
        dot(&self.parts, &self.parts)
    }

    /// The turned axes as columns, as seen from where the rotation begins.
    pub(super) fn axes(&self) -> Vec<Vec<Atom>> {
        let (real, e) = (&self.parts[0], &self.parts[1..4]);
        let over = Atom::num(1) / self.square();
        let lead = real.pow(2) - dot(e, e);
        let column = |k: usize| -> Vec<Atom> {
            let unit: Vec<Atom> = (0..3).map(|i| Atom::num(i64::from(i == k))).collect();
            let turned = cross(e, &unit);
            let entry = |i: usize| &lead * &unit[i] + Atom::num(2) * (&e[i] * &e[k] + real * &turned[i]);
            (0..3).map(|i| entry(i) * &over).collect()
        };
        (0..3).map(column).collect()
    }

    /// What the rate of each part adds to ω.
    pub(super) fn spins(&self) -> Vec<Vec<Atom>> {
        self.swept(1)
    }

    /// The same in the turned axes: ω = 2 (e₀ ė − ė₀ e − e × ė)/|e|².
    pub(super) fn inner_spins(&self) -> Vec<Vec<Atom>> {
        self.swept(-1)
    }

    fn swept(&self, sign: i64) -> Vec<Vec<Atom>> {
        let (real, e) = (&self.parts[0], &self.parts[1..4]);
        let two_over = Atom::num(2) / self.square();
        let of_part = |k: usize| -> Vec<Atom> {
            let unit: Vec<Atom> = (0..3).map(|i| Atom::num(i64::from(i == k))).collect();
            let turned = cross(e, &unit);
            (0..3).map(|i| (real * &unit[i] + &turned[i] * Atom::num(sign)) * &two_over).collect()
        };
        let of_real = scale(&-two_over.clone(), e);
        std::iter::once(of_real).chain((0..3).map(of_part)).collect()
    }
}
