//! Proofs that a problem has no solution at all: penetration that nothing prevents [AC11 4.3.1], or, in the plane, the
//! exact search through all words of modes, none of which admits a force.

use std::borrow::Borrow;
use std::sync::Arc;

use super::super::Problem;
use super::super::enumerate::{Enumeration, Limits, enumerate};
use super::certificate::Certificate;
use super::kinematics::Kinematics;
use super::{Existence, Verdict};

/// Why a problem has no solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Refutation {
    /// (4.5) fails: this multiplier proves that some contact must be penetrated, whatever the forces.
    Penetration(Arc<Certificate>),
    /// Every branch of the exact enumeration is empty.
    NoMode {
        /// Branches searched.
        branches: usize,
    },
}

/// A proof that no solution exists, none if there is none (a solution may or may not exist then).
#[must_use]
pub fn refute(problem: &Problem, existence: &Existence, limits: Limits) -> Option<Refutation> {
    refute_by(existence, || enumerate(problem, limits).ok())
}

/// The same with the list of all solutions as the caller has or makes it; it is asked for only where it can decide.
#[must_use]
pub fn refute_by<L: Borrow<Enumeration>>(
    existence: &Existence,
    list: impl FnOnce() -> Option<L>,
) -> Option<Refutation> {
    if let Verdict::Fails(proof) = &existence.non_penetration {
        return Some(Refutation::Penetration(Arc::clone(proof)));
    }
    if existence.weak.holds() || existence.klarbring_pang.holds() {
        return None;
    }
    let list = list()?;
    let all: &Enumeration = list.borrow();
    (all.complete && all.families.is_empty()).then_some(Refutation::NoMode { branches: all.branches })
}

impl Refutation {
    /// Checks the proof again from the problem's numbers; the enumeration is repeated.
    #[must_use]
    pub fn verify(&self, problem: &Problem, limits: Limits) -> bool {
        match self {
            Self::Penetration(proof) => {
                let claim = super::Claim::Fails(super::Assumption::NonPenetration);
                proof.verify(&Kinematics::of(problem), claim).is_ok()
            }
            Self::NoMode { .. } => {
                enumerate(problem, limits).is_ok_and(|all| all.complete && all.families.is_empty())
            }
        }
    }
}
