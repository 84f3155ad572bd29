//! Sums of products that are kept apart: Σ weight · left · right.
//!
//! All of M, B, G, F, T and V are such sums over the bodies (left and right are entries of Jacobians, velocities
//! or accelerations). Printed, they are multiplied out; on a tape they are grouped as
//! Σ_left left · (Σ_right right · Σ weight), so that Jacobian entries shared by many bodies of a chain are
//! multiplied once, with the sum of the masses beyond.

use symbolica::atom::Atom;

/// weight · left · right.
pub(super) struct Term {
    pub(super) weight: Atom,
    pub(super) left: Atom,
    pub(super) right: Atom,
}

/// A sum of terms.
#[derive(Default)]
pub(super) struct Terms(pub(super) Vec<Term>);

impl Terms {
    /// Adds weight · left · right, unless it is zero.
    pub(super) fn push(&mut self, weight: &Atom, left: &Atom, right: &Atom) {
        if !(weight.is_zero() || left.is_zero() || right.is_zero()) {
            self.0.push(Term { weight: weight.clone(), left: left.clone(), right: right.clone() });
        }
    }

    /// The sum, multiplied out term by term.
    pub(super) fn atom(&self) -> Atom {
        self.0.iter().fold(Atom::num(0), |sum, t| sum + &t.weight * &t.left * &t.right)
    }
}

/// Σ a_i b_i.
pub(super) fn dot(a: &[Atom], b: &[Atom]) -> Atom {
    a.iter().zip(b).fold(Atom::num(0), |sum, (x, y)| sum + x * y)
}

/// a × b in space.
pub(super) fn cross(a: &[Atom], b: &[Atom]) -> Vec<Atom> {
    (0..3)
        .map(|i| (i + 1) % 3)
        .zip((0..3).map(|i| (i + 2) % 3))
        .map(|(j, k)| &a[j] * &b[k] - &a[k] * &b[j])
        .collect()
}

/// a − b.
pub(super) fn minus(a: &[Atom], b: &[Atom]) -> Vec<Atom> {
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}

/// a + b.
pub(super) fn plus(a: &[Atom], b: &[Atom]) -> Vec<Atom> {
    a.iter().zip(b).map(|(x, y)| x + y).collect()
}

/// s·a.
pub(super) fn scale(s: &Atom, a: &[Atom]) -> Vec<Atom> {
    a.iter().map(|x| s * x).collect()
}
