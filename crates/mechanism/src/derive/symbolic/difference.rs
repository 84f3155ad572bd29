//! cos α cos β + sin α sin β = cos(α − β) and sin α cos β − cos α sin β = sin(α − β), where that makes an expression shorter:
//! what two links of a chain have to do with each other is the angle between them.

use super::algebra::Algebra;
use super::function::Operation;
use symbolica::atom::{Atom, AtomCore};

/// With more angles than this their pairs are too many to be tried.
const MOST: usize = 5;

/// The sines and cosines of two angles and of their difference.
pub(super) struct Difference {
    sines: [Atom; 2],
    cosines: [Atom; 2],
    sine: Atom,
    cosine: Atom,
}

impl Algebra {
    /// Takes note of the differences of the angles that are met so far.
    pub(super) fn note_differences(&mut self) {
        let is_sine = |g: &&super::algebra::Generator| g.operation == Operation::Sin;
        let angles: Vec<Atom> =
            self.generators.iter().filter(is_sine).map(|g| g.arguments[0].clone()).collect();
        if angles.len() > MOST {
            return;
        }
        for (i, one) in angles.iter().enumerate() {
            for other in &angles[..i] {
                let (mut one, mut other) = (one, other);
                let mut between = (one - other).expand();
                if between.to_canonical_string().starts_with('-') {
                    (one, other) = (other, one);
                    between = (-between).expand();
                }
                let of = |a: &mut Self, operation, angle: &Atom| a.apply(operation, vec![angle.clone()]);
                let sines = [of(self, Operation::Sin, one), of(self, Operation::Sin, other)];
                let cosines = [of(self, Operation::Cos, one), of(self, Operation::Cos, other)];
                let sine = of(self, Operation::Sin, &between);
                let cosine = of(self, Operation::Cos, &between);
                self.differences.push(Difference { sines, cosines, sine, cosine });
            }
        }
    }

    /// A multiplied-out expression with the sines and cosines of differences where they save terms.
    pub(super) fn by_differences(&self, atom: &Atom) -> Atom {
        let mut short = atom.clone();
        for Difference { sines: [s, t], cosines: [c, d], sine, cosine } in &self.differences {
            for (product, rest) in [(s * t, cosine - c * d), (s * d, sine + c * t)] {
                let trial = short.replace(product).with(rest).expand();
                if trial.nterms() < short.nterms() {
                    short = trial;
                }
            }
        }
        short
    }
}
