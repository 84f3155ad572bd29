//! Existence for every step of a run: cheap reasons first, then the certificate of program (4.39) of \[AC11\].

use super::reason::StepReason;
use super::simulation::Simulation;
use crate::coulomb::Problem;
use crate::enumerate::Limits;
use crate::existence::{Conclusion, Existence, Kinematics, Margin, assess, refute};
use serde::Serialize;

/// What is known about the existence of a solution of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepProof {
    /// A solution exists by a reason that needs no computing.
    Reason(StepReason),
    /// Assumptions were decided by certificates, which were checked in exact arithmetic.
    Assessed {
        /// What follows.
        conclusion: Conclusion,
        /// The verdicts with their certificates.
        existence: Box<Existence>,
    },
}

impl StepProof {
    /// The word of the column `existence`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Reason(StepReason::NoContact) => "no-contact",
            Self::Reason(StepReason::Motionless) => "motionless",
            Self::Reason(StepReason::OneRigidBody) => "one-rigid-body",
            Self::Assessed { conclusion, .. } => conclusion.word(),
        }
    }

    /// The value of (4.39) from below, if it was computed: infinite where (5.1) holds.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        match self {
            Self::Reason(_) => None,
            Self::Assessed { existence, .. } => match existence.margin {
                Margin::Unbounded => Some(f64::INFINITY),
                Margin::Value(s) => s.is_finite().then_some(s),
            },
        }
    }
}

/// What is known about the last step of a simulation.
#[must_use]
pub fn certify_step(simulation: &Simulation) -> StepProof {
    simulation.reason().map_or_else(|| assessed(simulation.problem()), StepProof::Reason)
}

fn assessed(problem: &Problem) -> StepProof {
    let existence = assess(&Kinematics::of(problem));
    let mut conclusion = existence.conclusion();
    // in the plane the list of all solutions of few contacts decides where the assumptions do not
    if conclusion == Conclusion::Open && refute(problem, &existence, Limits::default()).is_some() {
        conclusion = Conclusion::Impossible;
    }
    StepProof::Assessed { conclusion, existence: Box::new(existence) }
}

/// The steps of a run by what is known about them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProofTotals {
    /// A solution exists by a reason that needs no computing.
    pub reason: u64,
    /// A solution exists, by a certificate.
    pub certified: u64,
    /// No solution exists, proven.
    pub impossible: u64,
    /// Nothing was proven.
    pub open: u64,
    /// The first step that has no solution.
    pub first_impossible: Option<u64>,
}

impl ProofTotals {
    /// Takes a step.
    pub fn add(&mut self, step: u64, proof: &StepProof) {
        match proof {
            StepProof::Reason(_) => self.reason += 1,
            StepProof::Assessed { conclusion, .. } => match conclusion {
                Conclusion::Stable | Conclusion::Exists => self.certified += 1,
                Conclusion::Impossible => {
                    self.impossible += 1;
                    self.first_impossible.get_or_insert(step);
                }
                Conclusion::Open => self.open += 1,
            },
        }
    }
}
