//! Looks for proofs: candidates from the margin program, made exact, and kept only if `verify` accepts them.

use std::sync::Arc;

use super::certificate::{Assumption, Certificate, Claim};
use super::dyadic::{Dyadic, ScaledVector};
use super::face::{Power, ROUNDINGS, exact_multiplier, exact_velocity, faces, opened};
use super::kinematics::Kinematics;
use super::margin::{self, Candidate};
use super::{Existence, Margin, Undecided, Verdict};

/// Decides every assumption for one problem, each with a verified certificate, or says that it cannot.
#[must_use]
pub fn assess(problem: &Kinematics) -> Existence {
    let homogeneous = problem.homogeneous();
    let cone = Search::new(&homogeneous, 1.0);
    let no_wedging = cone.no_wedging();
    match &no_wedging {
        Verdict::Holds(direction) => Existence {
            margin: Margin::Unbounded,
            strong: Verdict::Holds(Arc::clone(direction)),
            weak: Verdict::Holds(Arc::clone(direction)),
            klarbring_pang: Verdict::Holds(Arc::clone(direction)),
            non_penetration: Verdict::Holds(Arc::clone(direction)),
            no_wedging,
        },
        Verdict::Fails(_) | Verdict::Undecided(_) => bounded(problem, no_wedging),
    }
}

/// The assumptions that depend on w, when no direction serves for all w.
fn bounded(problem: &Kinematics, no_wedging: Verdict) -> Existence {
    let scale = problem.speed_scale();
    let search = Search::new(problem, if scale > 0.0 { scale } else { 1.0 });
    let strong = search.strong();
    let weak = match &strong {
        Verdict::Holds(proof) => Verdict::Holds(Arc::clone(proof)),
        Verdict::Fails(_) | Verdict::Undecided(_) => search.weak(),
    };
    let klarbring_pang = search.klarbring_pang(&weak);
    let non_penetration = match &weak {
        Verdict::Holds(proof) => Verdict::Holds(Arc::clone(proof)),
        Verdict::Fails(_) | Verdict::Undecided(_) => non_penetration(problem, scale),
    };
    Existence { margin: search.margin(), strong, weak, klarbring_pang, non_penetration, no_wedging }
}

/// (4.5) of a problem is (4.4) of the same problem without friction.
fn non_penetration(problem: &Kinematics, scale: f64) -> Verdict {
    let frictionless = problem.frictionless();
    let search = Search::new(&frictionless, if scale > 0.0 { scale } else { 1.0 });
    search.decide(Assumption::NonPenetration, Search::closed_velocities, &[Power::Any])
}

/// One problem with what the solver found about it.
struct Search<'a> {
    problem: &'a Kinematics,
    found: Option<Candidate>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Kinematics, cap: f64) -> Self {
        Self { problem, found: margin::solve(problem, cap) }
    }

    fn margin(&self) -> Margin {
        self.found.as_ref().map_or(Margin::Unknown, |found| Margin::Value(found.margin))
    }

    fn no_wedging(&self) -> Verdict {
        let directions = |search: &Self| -> Vec<Certificate> {
            search.velocities().into_iter().map(Certificate::Direction).collect()
        };
        self.decide(Assumption::NoWedging, directions, &[Power::Any])
    }

    fn strong(&self) -> Verdict {
        let velocities = |search: &Self| search.velocities().into_iter().map(Certificate::Velocity).collect();
        self.decide(Assumption::Strong, velocities, &[Power::Any, Power::Zero])
    }

    fn weak(&self) -> Verdict {
        self.decide(Assumption::Weak, Self::closed_velocities, &[Power::Any])
    }

    fn klarbring_pang(&self, weak: &Verdict) -> Verdict {
        match weak {
            Verdict::Undecided(_) => Verdict::Undecided(self.undecided()),
            Verdict::Holds(proof) | Verdict::Fails(proof) => {
                let claims =
                    [Claim::Holds(Assumption::KlarbringPang), Claim::Fails(Assumption::KlarbringPang)];
                let proven = claims.into_iter().find(|claim| proof.verify(self.problem, *claim).is_ok());
                match proven {
                    Some(Claim::Holds(_)) => Verdict::Holds(Arc::clone(proof)),
                    Some(Claim::Fails(_)) => Verdict::Fails(Arc::clone(proof)),
                    None => Verdict::Undecided(self.undecided()),
                }
            }
        }
    }

    /// The first velocity that proves the assumption, else the first multiplier that refutes it.
    fn decide(
        &self,
        assumption: Assumption,
        velocities: impl Fn(&Self) -> Vec<Certificate>,
        powers: &[Power],
    ) -> Verdict {
        let accepted = |c: &Certificate, claim| c.verify(self.problem, claim).is_ok();
        if let Some(proof) = velocities(self).into_iter().find(|c| accepted(c, Claim::Holds(assumption))) {
            return Verdict::Holds(Arc::new(proof));
        }
        let mut multipliers =
            powers.iter().flat_map(|power| self.multipliers(*power)).map(Certificate::Multiplier);
        match multipliers.find(|c| accepted(c, Claim::Fails(assumption))) {
            Some(proof) => Verdict::Fails(Arc::new(proof)),
            None => Verdict::Undecided(self.undecided()),
        }
    }

    fn undecided(&self) -> Undecided {
        Undecided { margin: self.found.as_ref().map(|found| found.margin) }
    }

    /// Rest, and the solver's velocity as it is.
    fn velocities(&self) -> Vec<ScaledVector> {
        let rest = ScaledVector::from_f64(&vec![0.0; self.problem.velocities()]);
        let found = self.found.as_ref().and_then(|found| ScaledVector::from_f64(&found.v));
        rest.into_iter().chain(found).collect()
    }

    /// The same, and velocities moved exactly onto the faces that the multiplier names.
    fn closed_velocities(&self) -> Vec<Certificate> {
        let on_faces = self.found.iter().flat_map(|found| {
            ROUNDINGS.iter().filter_map(|rounding| {
                let faces = faces(self.problem, &found.r, rounding.zero)?;
                exact_velocity(self.problem, &found.v, &faces, rounding.bits)
            })
        });
        self.velocities().into_iter().chain(on_faces).map(Certificate::Velocity).collect()
    }

    /// Exact multipliers near the solver's, the boldest rounding first.
    fn multipliers(&self, power: Power) -> impl Iterator<Item = Vec<Dyadic>> + '_ {
        self.found.iter().flat_map(move |found| {
            ROUNDINGS.iter().flat_map(move |rounding| {
                let guessed = faces(self.problem, &found.r, rounding.zero);
                let opened = guessed.as_ref().map(|faces| opened(self.problem, faces));
                guessed.into_iter().chain(opened).filter_map(move |faces| {
                    exact_multiplier(self.problem, &found.r, &faces, rounding.bits, power)
                })
            })
        })
    }
}
