//! Does the incremental Coulomb problem have a solution? The assumptions of the existence theory, decided by convex
//! programs and proven by certificates that are checked in exact arithmetic.
//!
//! M v + f = Hᵀ r, u = H v + w, (uⁱ, rⁱ) in Coulomb's law [AC11 (4.5)] has a solution if some v brings every uⁱ into
//! K_{1/μⁱ} [AC11 Thm 1], and none if no v has uᴺ ≥ 0. How far a problem is from the first is the margin
//! sup s, (H v + w − s c_e)ⁱ ∈ K_{1/μⁱ} [AC11 (4.39)]. Whether M is symmetric positive definite, which the theorems
//! also need, is not asked here.
#![allow(non_snake_case)]

mod candidate;
mod centre;
mod certificate;
mod face;
mod gradient;
mod interior;
mod kinematics;
mod margin;
mod refutation;
mod report;
mod scaling;
mod search;

use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use candidate::Candidate;
pub use certificate::{Assumption, Certificate, Claim, Flaw};
pub use kinematics::{Kinematics, Rows};
pub use margin::{Method, cap as margin_cap, solve as solve_margin};
pub use refutation::{Refutation, refute, refute_by};
pub use report::ExistenceOutcome;
pub use search::assess;

/// The value of program (4.39) from below; the verdicts do not rest on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// Arbitrarily large: (5.1) holds, proven.
    Unbounded,
    /// At least this, m/s: the clearance of the best velocity seen, in floating-point numbers. Small problems are solved to
    /// the solver's precision, large ones to a few percent, in space within a limit of work.
    Value(f64),
}

/// What is known about one assumption.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds, by this verified certificate.
    Holds(Arc<Certificate>),
    /// It fails, by this verified certificate.
    Fails(Arc<Certificate>),
    /// Neither could be verified.
    Undecided(Undecided),
}

/// What is known where nothing is proven.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecided {
    /// The clearance of the best velocity seen: usually zero within the solver's accuracy.
    pub margin: Margin,
    /// A verified refutation for the numbers as given, whose w·r is so small that the rounding of w may have made it.
    pub by_rounding: Option<Arc<Certificate>>,
}

/// Whether everything was tried for verdicts and margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Examined {
    /// It was.
    #[default]
    Whole,
    /// The limit of time or steps was reached: what is decided is decided, the margin may be larger.
    CutShort,
    /// Nothing was looked at.
    Not,
}

/// The verdicts on all assumptions.
#[derive(Clone, Debug, PartialEq)]
pub struct Existence {
    /// Program (4.39), from below.
    pub margin: Margin,
    /// The least w·r / Σ rᴺ of the verified multipliers r ∈ Ker Hᵀ ∩ L: the value of (4.39) is not above it. None where
    /// no multiplier was needed.
    pub margin_bound: Option<f64>,
    /// (4.1).
    pub strong: Verdict,
    /// (4.4), which is (A) of \[AC11\].
    pub weak: Verdict,
    /// (4.6).
    pub klarbring_pang: Verdict,
    /// (4.5), which is (A') of \[AC11\].
    pub non_penetration: Verdict,
    /// (5.1).
    pub no_wedging: Verdict,
    /// Whether everything was tried.
    pub examined: Examined,
}

/// What the assumptions say about solutions, if M is symmetric positive definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Conclusion {
    /// A solution exists, and remains under small changes of the data.
    #[serde(rename = "exists-robustly")]
    Stable,
    /// A solution exists.
    #[serde(rename = "exists")]
    Exists,
    /// No solution exists: penetration cannot be prevented.
    #[serde(rename = "impossible")]
    Impossible,
    /// The assumptions do not say.
    #[serde(rename = "open")]
    Open,
}

impl Existence {
    /// Nothing was looked at.
    #[must_use]
    pub fn unassessed() -> Self {
        let margin = Margin::Value(f64::NAN);
        let open = || Verdict::Undecided(Undecided { margin, by_rounding: None });
        Self {
            margin,
            margin_bound: None,
            strong: open(),
            weak: open(),
            klarbring_pang: open(),
            non_penetration: open(),
            no_wedging: open(),
            examined: Examined::Not,
        }
    }

    /// What follows for the problem [AC11 Thm 1, ACLM11 4.3].
    #[must_use]
    pub fn conclusion(&self) -> Conclusion {
        match (&self.strong, &self.weak, &self.klarbring_pang, &self.non_penetration) {
            (Verdict::Holds(_), _, _, _) => Conclusion::Stable,
            (_, Verdict::Holds(_), _, _) | (_, _, Verdict::Holds(_), _) => Conclusion::Exists,
            (_, _, _, Verdict::Fails(_)) => Conclusion::Impossible,
            _ => Conclusion::Open,
        }
    }
}

impl Verdict {
    /// Whether the assumption is proven to hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self, Self::Holds(_))
    }

    /// Whether the assumption is proven to fail.
    #[must_use]
    pub fn fails(&self) -> bool {
        matches!(self, Self::Fails(_))
    }

    /// The verified certificate, if there is one.
    #[must_use]
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Self::Holds(proof) | Self::Fails(proof) => Some(proof),
            Self::Undecided(_) => None,
        }
    }
}
