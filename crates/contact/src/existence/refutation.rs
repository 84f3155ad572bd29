//! Proofs that a problem has no solution at all: penetration that nothing prevents [AC11 4.3.1], or, in the plane, a
//! record that no word of modes admits a force.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use super::certificate::Certificate;
use super::kinematics::Kinematics;
use super::{Existence, Verdict};
use crate::coulomb::{Form, Problem};
use crate::enumerate::proof::Proof;
use crate::enumerate::{Enumeration, Limits, enumerate};

/// Why a problem has no solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Refutation {
    /// (4.5) fails: this multiplier proves that some contact must be penetrated, whatever the forces.
    Penetration(Arc<Certificate>),
    /// No combination of contact modes has a solution: the record of the search, checked.
    NoMode {
        /// The record.
        proof: Arc<Proof>,
    },
}

/// A proof that no solution exists, none if there is none (a solution may or may not exist then).
#[must_use]
pub fn refute(problem: &Problem, existence: &Existence, limits: Limits) -> Option<Refutation> {
    // The theorems hold for a symmetric positive definite M, which only the global form shows.
    let certain = matches!(problem.form(), Form::Global(_)) && problem.warnings().is_empty();
    let exists = existence.weak.holds() || existence.klarbring_pang.holds();
    if certain && exists { None } else { refute_by(existence, || enumerate(problem, limits).ok()) }
}

/// The same with the list of all solutions as the caller has or makes it; it is asked for only where it can decide. A list
/// with a border case refutes nothing.
#[must_use]
pub fn refute_by<L: Borrow<Enumeration>>(
    existence: &Existence,
    list: impl FnOnce() -> Option<L>,
) -> Option<Refutation> {
    if let Verdict::Fails(proof) = &existence.non_penetration {
        return Some(Refutation::Penetration(Arc::clone(proof)));
    }
    let list = list()?;
    let all: &Enumeration = list.borrow();
    all.is_empty().then(|| Refutation::NoMode { proof: Arc::clone(&all.proof) })
}

impl Refutation {
    /// Checks the proof from nothing but the problem's numbers, in exact arithmetic.
    #[must_use]
    pub fn verify(&self, problem: &Problem) -> bool {
        match self {
            Self::Penetration(proof) => {
                let claim = super::certificate::Claim::Fails(super::certificate::Assumption::NonPenetration);
                proof.verify(&Kinematics::of(problem), claim).is_ok()
            }
            Self::NoMode { proof } => proof.check(problem, &[]).is_ok(),
        }
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Penetration(_) => {
                f.write_str("some contact must be penetrated, whatever the forces (certified)")
            }
            Self::NoMode { proof } => {
                f.write_str("no combination of contact modes has a solution (certified: ")?;
                match proof.branches() {
                    1 => f.write_str("the one branch")?,
                    n => write!(f, "each of {n} branches")?,
                }
                f.write_str(" checked in exact arithmetic)")
            }
        }
    }
}
