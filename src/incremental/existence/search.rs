//! Looks for proofs: candidates from the margin program, made exact, and kept only if `verify` accepts them.

use std::cell::OnceCell;
use std::sync::Arc;

use super::certificate::{Assumption, Certificate, Claim};
use super::dyadic::{Dyadic, ScaledVector};
use super::face::{Face, Power, ROUNDINGS, exact_multiplier, exact_velocity, faces, opened};
use super::kinematics::Kinematics;
use super::margin::{self, Candidate, Method};
use super::{Existence, Margin, Undecided, Verdict};

/// Contacts from which the tilted program is tried first: its multipliers stay sparse.
const LARGE: usize = 2000;

/// Contacts in space from which interior points are not tried: their matrices fill up (50 s for 4900 contacts).
const SPATIAL: usize = 4000;

/// Largest number of unknowns for which exact elimination is tried.
const EXACT: usize = 1500;

/// Decides every assumption for one problem, each with a verified certificate, or says that it cannot.
#[must_use]
pub fn assess(problem: &Kinematics) -> Existence {
    let search = Search::new(problem);
    let no_wedging = search.no_wedging();
    if let Verdict::Holds(direction) = &no_wedging {
        let holds = || Verdict::Holds(Arc::clone(direction));
        return Existence {
            margin: Margin::Unbounded,
            strong: holds(),
            weak: holds(),
            klarbring_pang: holds(),
            non_penetration: holds(),
            no_wedging,
        };
    }
    let strong = search.strong();
    let weak = match &strong {
        Verdict::Holds(proof) => Verdict::Holds(Arc::clone(proof)),
        Verdict::Fails(_) | Verdict::Undecided(_) => search.weak(),
    };
    let klarbring_pang = search.klarbring_pang(&weak);
    let non_penetration = match &weak {
        Verdict::Holds(proof) => Verdict::Holds(Arc::clone(proof)),
        Verdict::Fails(_) | Verdict::Undecided(_) => non_penetration(problem),
    };
    Existence { margin: search.margin(), strong, weak, klarbring_pang, non_penetration, no_wedging }
}

/// (4.5) of a problem is (4.4) of the same problem without friction.
fn non_penetration(problem: &Kinematics) -> Verdict {
    let frictionless = problem.frictionless();
    let search = Search::new(&frictionless);
    search.decide(Assumption::NonPenetration, Search::closed_velocities, &[Power::Any])
}

/// One problem with what the solver found about it; each program is solved when first asked for.
struct Search<'a> {
    problem: &'a Kinematics,
    rest: Candidate,
    attempts: Vec<(Method, OnceCell<Option<Candidate>>)>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Kinematics) -> Self {
        let polyhedral = problem.dim == 2 || problem.mu.iter().all(|&mu| mu <= 0.0);
        let order = match (problem.contacts() < LARGE, polyhedral) {
            (true, _) => vec![Method::Plain, Method::Tilted],
            (false, true) => vec![Method::Opening, Method::Tilted, Method::Separating, Method::Plain],
            (false, _) if problem.contacts() < SPATIAL => {
                vec![Method::Opening, Method::Frictionless, Method::Separating, Method::Tilted, Method::Plain]
            }
            (false, _) => vec![Method::Opening, Method::Frictionless, Method::Separating],
        };
        let rest = Candidate::at_rest(problem);
        Self { problem, rest, attempts: order.into_iter().map(|method| (method, OnceCell::new())).collect() }
    }

    /// Rest, then what the programs give, in order of cost.
    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        let solve = |method| margin::solve(self.problem, margin::cap(self.problem), method);
        let solved = self
            .attempts
            .iter()
            .filter_map(move |(method, cell)| cell.get_or_init(|| solve(*method)).as_ref());
        std::iter::once(&self.rest).chain(solved)
    }

    /// The largest clearance among the velocities seen: the margin from below, up to rounding.
    fn margin(&self) -> Margin {
        let seen = self.attempts.iter().filter_map(|(_, cell)| cell.get()?.as_ref());
        let clearances = seen.chain([&self.rest]).map(|candidate| candidate.clearance(self.problem));
        Margin::Value(clearances.fold(f64::NEG_INFINITY, f64::max))
    }

    fn no_wedging(&self) -> Verdict {
        self.decide(Assumption::NoWedging, |_, c| own(c).map(Certificate::Direction).collect(), &[Power::Any])
    }

    fn strong(&self) -> Verdict {
        let velocities = |_: &Self, c: &Candidate| own(c).map(Certificate::Velocity).collect();
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

    /// The first velocity that proves the assumption or multiplier that refutes it, candidate by candidate.
    fn decide(
        &self,
        assumption: Assumption,
        velocities: impl Fn(&Self, &Candidate) -> Vec<Certificate>,
        powers: &[Power],
    ) -> Verdict {
        let accepted = |c: &Certificate, claim| c.verify(self.problem, claim).is_ok();
        for candidate in self.candidates() {
            let mut proofs = velocities(self, candidate).into_iter();
            if let Some(proof) = proofs.find(|c| accepted(c, Claim::Holds(assumption))) {
                return Verdict::Holds(Arc::new(proof));
            }
            let multipliers = powers.iter().flat_map(|power| self.multipliers(candidate, *power));
            let mut refutations = multipliers.map(Certificate::Multiplier);
            if let Some(proof) = refutations.find(|c| accepted(c, Claim::Fails(assumption))) {
                return Verdict::Fails(Arc::new(proof));
            }
        }
        Verdict::Undecided(self.undecided())
    }

    fn undecided(&self) -> Undecided {
        Undecided { margin: self.margin() }
    }

    /// The candidate as it is, and moved exactly onto the faces that its multiplier names.
    fn closed_velocities(&self, candidate: &Candidate) -> Vec<Certificate> {
        let on_faces = ROUNDINGS.iter().filter_map(|rounding| {
            let faces = faces(self.problem, &candidate.r, rounding.zero).filter(|f| self.is_small(f))?;
            exact_velocity(self.problem, &candidate.v, &faces, rounding.bits)
        });
        own(candidate).chain(on_faces).map(Certificate::Velocity).collect()
    }

    /// Exact multipliers near the solver's, the boldest rounding first.
    fn multipliers<'b>(
        &'b self,
        candidate: &'b Candidate,
        power: Power,
    ) -> impl Iterator<Item = Vec<Dyadic>> + 'b {
        ROUNDINGS.iter().flat_map(move |rounding| {
            let guessed = faces(self.problem, &candidate.r, rounding.zero).filter(|f| self.is_small(f));
            let opened = guessed.as_ref().map(|faces| opened(self.problem, faces));
            guessed.into_iter().chain(opened).filter_map(move |faces| {
                exact_multiplier(self.problem, &candidate.r, &faces, rounding.bits, power)
            })
        })
    }

    /// Whether few enough contacts take part for exact elimination, and at least one.
    fn is_small(&self, faces: &[Face]) -> bool {
        let taking_part = faces.iter().filter(|face| **face != Face::Apex).count();
        taking_part > 0 && taking_part * self.problem.dim <= EXACT
    }
}

/// The candidate's velocity as it is.
fn own(candidate: &Candidate) -> impl Iterator<Item = ScaledVector> {
    ScaledVector::from_f64(&candidate.v).into_iter()
}
