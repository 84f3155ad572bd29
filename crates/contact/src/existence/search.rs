//! Looks for proofs: candidates from the margin program, made exact, and kept only if `verify` accepts them.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use super::candidate::Candidate;
use super::centre::{Bound, centred};
use super::certificate::{Assumption, Certificate, Claim};
use super::face::{Face, Power, exact_multiplier, exact_separator, exact_velocity, faces, opened, roundings};
use super::kinematics::Kinematics;
use super::margin::{LARGE, Method};
use super::{Examined, Existence, Margin, Undecided, Verdict, margin};
use crate::num::{Dyadic, ScaledVector, Tol, halt};

/// Largest number of unknowns for which exact elimination is tried.
const EXACT: usize = 1500;

/// Decides every assumption for one problem, each with a verified certificate, or says that it cannot, or that the limit of this
/// thread ([`halt::Limit`]) came before: each iteration of a program and each equation that is eliminated is a step of it.
#[must_use]
pub fn assess(problem: &Kinematics) -> Existence {
    let found = verdicts(problem);
    let examined = if halt::is_over() { Examined::CutShort } else { Examined::Whole };
    Existence { examined, ..found }
}

fn verdicts(problem: &Kinematics) -> Existence {
    let search = Search::new(problem);
    let no_wedging = search.no_wedging();
    if let Verdict::Holds(direction) = &no_wedging {
        let holds = || Verdict::Holds(Arc::clone(direction));
        return Existence {
            margin: Margin::Unbounded,
            margin_bound: None,
            strong: holds(),
            weak: holds(),
            klarbring_pang: holds(),
            non_penetration: holds(),
            no_wedging,
            examined: Examined::Whole,
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
        Verdict::Fails(_) | Verdict::Undecided(_) => non_penetration(problem, &weak),
    };
    let (margin, margin_bound) = search.settled_margin();
    let examined = Examined::Whole;
    Existence { margin, margin_bound, strong, weak, klarbring_pang, non_penetration, no_wedging, examined }
}

/// (4.5) of a problem is (4.4) of the same problem without friction; normal multipliers that refute (4.4) refute it too.
fn non_penetration(problem: &Kinematics, weak: &Verdict) -> Verdict {
    if let Verdict::Fails(proof) = weak
        && proof.verify(problem, Claim::Fails(Assumption::NonPenetration)).is_ok()
    {
        return Verdict::Fails(Arc::clone(proof));
    }
    let frictionless = problem.frictionless();
    let search = Search::new(&frictionless);
    search.decide(Assumption::NonPenetration, Search::closed_velocities, &[Power::Any])
}

/// One problem with what the solver found about it; each program is solved when first asked for.
struct Search<'a> {
    problem: &'a Kinematics,
    rest: Candidate,
    attempts: Vec<(Method, OnceCell<Option<Candidate>>)>,
    /// Multipliers inside curved cones, by the power asked for: any, the sign of the margin.
    centred: [OnceCell<Option<Candidate>>; 2],
    /// The verified multiplier with the least w·r / Σ rᴺ, and that quotient, which no s in (4.39) exceeds.
    bound: RefCell<Option<(Arc<Certificate>, f64)>>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Kinematics) -> Self {
        let polyhedral = problem.dim == 2 || problem.mu.iter().all(|&mu| mu <= 0.0);
        let order = match (problem.contacts() < LARGE, polyhedral) {
            (true, _) => vec![Method::Plain, Method::Tilted],
            (false, true) => vec![Method::Parting, Method::Frictionless, Method::Plain, Method::Tilted],
            // Factors fill up in space: what needs none comes first.
            (false, false) => vec![
                Method::Opening,
                Method::Frictionless,
                Method::Separating,
                Method::Parting,
                Method::Plain,
                Method::Tilted,
            ],
        };
        let rest = Candidate::at_rest(problem);
        Self {
            problem,
            rest,
            attempts: order.into_iter().map(|method| (method, OnceCell::new())).collect(),
            centred: [OnceCell::new(), OnceCell::new()],
            bound: RefCell::new(None),
        }
    }

    /// Rest, then what the programs give, in order of cost.
    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        let solved = self.attempts.iter().filter_map(|(method, cell)| {
            cell.get_or_init(|| margin::solve(self.problem, self.cap(*method), *method)).as_ref()
        });
        // a limit that is reached leaves what is proven by then
        std::iter::once(&self.rest).chain(solved).take_while(|_| !halt::is_over())
    }

    /// A bound that is known spares the plain program the way down from the general cap.
    fn cap(&self, method: Method) -> f64 {
        match (method, self.bound.borrow().as_ref()) {
            (Method::Plain, Some((_, bound))) if *bound > 0.0 => 2.0 * bound,
            _ => margin::cap(self.problem),
        }
    }

    /// Multipliers inside curved cones, of large problems among those of the contacts that the last program names.
    fn centred(&self) -> impl Iterator<Item = &Candidate> {
        let each = self.centred.iter().enumerate().filter(|_| self.problem.dim > 2);
        each.filter_map(|(k, cell)| {
            let bound = || if k == 0 { Bound::Free } else { self.bound() };
            cell.get_or_init(|| match self.problem.contacts() < LARGE {
                true => centred(self.problem, bound()),
                false => self.centred_on_support(bound()),
            })
            .as_ref()
        })
    }

    fn centred_on_support(&self, bound: Bound) -> Option<Candidate> {
        let named = self.attempts.iter().rev().find_map(|(_, cell)| cell.get()?.as_ref())?;
        let dim = self.problem.dim;
        let least = Tol::default().absent[0] * named.r.iter().step_by(dim).fold(0.0, |m: f64, r| m.max(*r));
        let taking_part: Vec<usize> =
            (0..self.problem.contacts()).filter(|i| named.r[i * dim] > least).collect();
        if taking_part.len() * dim > EXACT {
            return None;
        }
        let found = centred(&self.problem.restricted(&taking_part), bound)?;
        let mut r = vec![0.0; self.problem.w.len()];
        for (&i, block) in taking_part.iter().zip(found.r.chunks(dim)) {
            r[i * dim..(i + 1) * dim].copy_from_slice(block);
        }
        Some(Candidate { r, ..found })
    }

    /// Half of a negative margin leaves room on both sides; a margin near zero allows zero only.
    fn bound(&self) -> Bound {
        let Margin::Value(margin) = self.margin() else { return Bound::Zero };
        match margin < -Tol::default().solved * margin::cap(self.problem) {
            true => Bound::AtMost(0.5 * margin),
            false => Bound::Zero,
        }
    }

    /// The largest clearance among the velocities seen: the margin from below, up to rounding.
    fn margin(&self) -> Margin {
        let seen = self.attempts.iter().filter_map(|(_, cell)| cell.get()?.as_ref());
        let clearances = seen.chain([&self.rest]).map(|candidate| candidate.clearance(self.problem));
        Margin::Value(clearances.fold(f64::NEG_INFINITY, f64::max))
    }

    /// The margin from below and from above, by the plain program unless they meet without it.
    fn settled_margin(&self) -> (Margin, Option<f64>) {
        let bound = || self.bound.borrow().as_ref().map(|(_, bound)| *bound);
        let Margin::Value(seen) = self.margin() else { return (Margin::Unbounded, None) };
        let open = bound().is_none_or(|b| b - seen > Tol::default().solved * margin::cap(self.problem));
        if open {
            let plain = self.attempts.iter().find(|(method, _)| *method == Method::Plain);
            plain.map(|(method, cell)| {
                cell.get_or_init(|| margin::solve(self.problem, self.cap(*method), *method))
            });
        }
        (self.margin(), bound())
    }

    /// Remembers a verified multiplier.
    fn learn(&self, proof: &Arc<Certificate>) {
        let Certificate::Multiplier(r) = proof.as_ref() else { return };
        let scale = r.iter().map(Dyadic::magnitude).max().unwrap_or(0);
        let normal: f64 = r.iter().step_by(self.problem.dim).map(|r| r.scaled(-scale).to_f64()).sum();
        let power = self.problem.exact_power(r).map_or(f64::INFINITY, |p| p.scaled(-scale).to_f64());
        let least = self.bound.borrow().as_ref().map_or(f64::INFINITY, |(_, bound)| *bound);
        if normal > 0.0 && power / normal < least {
            self.bound.replace(Some((Arc::clone(proof), power / normal)));
        }
    }

    /// The multiplier that is known, if it refutes this assumption too.
    fn refuted_before(&self, assumption: Assumption) -> Option<Arc<Certificate>> {
        let known = self.bound.borrow().as_ref().map(|(proof, _)| Arc::clone(proof))?;
        let refutes = known.verify(self.problem, Claim::Fails(assumption)).is_ok();
        (refutes && !self.is_rounding(assumption, &known)).then_some(known)
    }

    fn no_wedging(&self) -> Verdict {
        self.decide(Assumption::NoWedging, |_, c| own(c).map(Certificate::Direction).collect(), &[Power::Any])
    }

    fn strong(&self) -> Verdict {
        let velocities = |_: &Self, c: &Candidate| own(c).map(Certificate::Velocity).collect();
        self.decide(Assumption::Strong, velocities, &[Power::Any, Power::Zero])
    }

    fn weak(&self) -> Verdict {
        match self.decide(Assumption::Weak, Self::closed_velocities, &[Power::Any]) {
            Verdict::Undecided(undecided) if undecided.by_rounding.is_none() => {
                let chain = self.first(Self::chains, Claim::Fails(Assumption::Weak));
                chain.map_or(Verdict::Undecided(undecided), Verdict::Fails)
            }
            decided => decided,
        }
    }

    /// (4.6) follows from (4.4); it fails by the same multipliers, but not by a chain.
    fn klarbring_pang(&self, weak: &Verdict) -> Verdict {
        let claim = Claim::Fails(Assumption::KlarbringPang);
        match weak {
            Verdict::Holds(proof) => Verdict::Holds(Arc::clone(proof)),
            Verdict::Fails(proof) if proof.verify(self.problem, claim).is_ok() => {
                Verdict::Fails(Arc::clone(proof))
            }
            Verdict::Undecided(undecided) if undecided.by_rounding.is_some() => weak.clone(),
            Verdict::Fails(_) | Verdict::Undecided(_) => {
                let limit = self.first(Self::limits, Claim::Holds(Assumption::KlarbringPang));
                limit.map_or_else(|| Verdict::Undecided(self.undecided()), Verdict::Holds)
            }
        }
    }

    /// The first certificate of a kind that proves the claim, candidate by candidate.
    fn first(
        &self,
        proofs: impl Fn(&Self, &Candidate) -> Vec<Certificate>,
        claim: Claim,
    ) -> Option<Arc<Certificate>> {
        let verified = |c: &Certificate| c.verify(self.problem, claim).is_ok();
        self.candidates()
            .chain(self.centred())
            .find_map(|candidate| proofs(self, candidate).into_iter().find(verified))
            .map(Arc::new)
    }

    /// The faces that a candidate's multiplier names, one list per rounding.
    fn named_faces(&self, candidate: &Candidate) -> impl Iterator<Item = (Vec<Face>, i32)> {
        let small = roundings().filter_map(|rounding| {
            let faces = faces(self.problem, &candidate.r, rounding.zero).filter(|f| self.is_small(f))?;
            Some((faces, rounding.bits))
        });
        small.collect::<Vec<_>>().into_iter()
    }

    fn chains(&self, candidate: &Candidate) -> Vec<Certificate> {
        let chain = |(faces, bits): (Vec<Face>, i32)| {
            let face = exact_multiplier(self.problem, &candidate.r, &faces, bits, Power::Zero)?;
            Some(Certificate::Chain { face, separator: exact_separator(self.problem, &faces)? })
        };
        self.named_faces(candidate).filter_map(chain).collect()
    }

    fn limits(&self, candidate: &Candidate) -> Vec<Certificate> {
        let homogeneous = self.problem.homogeneous();
        let directions = self
            .named_faces(candidate)
            .filter_map(|(faces, bits)| exact_velocity(&homogeneous, &candidate.v, &faces, bits));
        let bases = || own(&self.rest).chain(own(candidate));
        let pairs = directions.flat_map(|direction| bases().map(move |base| (base, direction.clone())));
        pairs.map(|(base, direction)| Certificate::Limit { base, direction }).collect()
    }

    /// The first velocity that proves the assumption or multiplier that refutes it, candidate by candidate.
    fn decide(
        &self,
        assumption: Assumption,
        velocities: impl Fn(&Self, &Candidate) -> Vec<Certificate>,
        powers: &[Power],
    ) -> Verdict {
        let accepted = |c: &Certificate, claim| c.verify(self.problem, claim).is_ok();
        if let Some(proof) = self.refuted_before(assumption) {
            return Verdict::Fails(proof);
        }
        let mut by_rounding = None;
        for candidate in self.candidates().chain(self.centred()) {
            let mut proofs = velocities(self, candidate).into_iter();
            if let Some(proof) = proofs.find(|c| accepted(c, Claim::Holds(assumption))) {
                return Verdict::Holds(Arc::new(proof));
            }
            let multipliers = powers.iter().flat_map(|power| self.multipliers(candidate, *power));
            let refutations = multipliers.map(Certificate::Multiplier);
            for proof in refutations.filter(|c| accepted(c, Claim::Fails(assumption))) {
                let proof = Arc::new(proof);
                self.learn(&proof);
                if !self.is_rounding(assumption, &proof) {
                    return Verdict::Fails(proof);
                }
                by_rounding.get_or_insert(proof);
            }
        }
        Verdict::Undecided(Undecided { by_rounding, ..self.undecided() })
    }

    fn undecided(&self) -> Undecided {
        Undecided { margin: self.margin(), by_rounding: None }
    }

    /// Whether a refutation of a closed assumption rests on a power w·r that the rounding of w alone could have made.
    fn is_rounding(&self, assumption: Assumption, proof: &Certificate) -> bool {
        let closed = !matches!(assumption, Assumption::Strong | Assumption::NoWedging);
        let Certificate::Multiplier(r) = proof else { return false };
        let terms = || self.problem.w.iter().zip(r).filter(|(w, r)| **w != 0.0 && !r.is_zero());
        // Relative to the largest entry: multipliers are integers of any length.
        let scale = r.iter().map(Dyadic::magnitude).max().unwrap_or(0);
        let power: f64 = self.problem.exact_power(r).map_or(0.0, |p| p.scaled(-scale).to_f64());
        let size: f64 = terms().map(|(w, r)| (w * r.scaled(-scale).to_f64()).abs()).sum();
        closed && power.abs() <= Tol::default().power_rounding * size
    }

    /// The candidate as it is, and moved exactly onto the faces that its multiplier names.
    fn closed_velocities(&self, candidate: &Candidate) -> Vec<Certificate> {
        let on_faces = roundings().filter_map(|rounding| {
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
        roundings().take_while(|_| !halt::is_over()).flat_map(move |rounding| {
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
