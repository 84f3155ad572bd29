//! A state in which some of several closed contacts approach: the impacts that follow. A contact that feels no other closed one is struck by its own
//! law; contacts that feel each other by Moreau's rule, and where something is given back by Poisson's law as well. In the plane all impacts that
//! the rule allows are found, in space one of them.

use crate::analysis::analysed::AnalysedState;
use crate::analysis::by_name::ByName;
use crate::analysis::impact::{ImpactOutcome, ImpulseOutcome, VelocityOutcome};
use crate::analysis::prospect::Prospect;
use crate::analysis::space::unknown_impact;
use crate::analysis::tangential::Tangential;
use crate::contact::{Hold, Laws};
use crate::impact::{Group, JointImpact, JointLaw, Tied, WEDGED};
use crate::num::Quantity;
use crate::predict::{ClosedContact, Contacts, Motion, Sized, Verdict};
use std::borrow::Cow;

/// Said where a list of impacts may not be whole.
pub(crate) const OTHERS: &str =
    "other impulses than those that were found may satisfy the law of an impact at several contacts";

/// By the names of the contacts.
type Named = Vec<(String, ImpactOutcome)>;

/// One way in which an impact may go: what contacts that are struck together do after it, and the numbers of each contact.
#[derive(Clone, Debug, Default)]
struct Told {
    words: Vec<&'static str>,
    impacts: Named,
}

impl Told {
    fn of(impacts: Named) -> Self {
        Self { words: Vec::new(), impacts }
    }
}

/// Which of some closed contacts approach, in words.
pub(crate) fn announcement<'n>(
    approaching: &[usize],
    all: &[usize],
    name: impl Fn(usize) -> &'n str,
) -> String {
    let list = |contacts: &[usize]| contacts.iter().map(|&c| name(c)).collect::<Vec<_>>().join(", ");
    let resting: Vec<usize> = all.iter().copied().filter(|c| !approaching.contains(c)).collect();
    let verb = if approaching.len() == 1 { "approaches" } else { "approach" };
    let rest = if resting.is_empty() { String::new() } else { format!(" ({} does not)", list(&resting)) };
    format!("contact {} {verb}{rest}: an impact takes place", list(approaching))
}

/// Contacts that approach with those of all that feel them, directly or not.
pub(crate) fn groups(
    approaching: &[usize],
    all: &[usize],
    coupled: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &first in approaching {
        if groups.iter().any(|group| group.contains(&first)) {
            continue;
        }
        let (mut group, mut next) = (vec![first], 0);
        while next < group.len() {
            for &other in all {
                if !group.contains(&other) && coupled(group[next], other) {
                    group.push(other);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

/// Contacts that are struck together, by their places among the closed ones, with their numbers.
struct Struck<'a> {
    group: &'a [usize],
    D: Vec<f64>,
    laws: Vec<&'a Laws>,
    before: Vec<f64>,
}

impl Struck<'_> {
    fn group(&self) -> Group<'_> {
        Group { D: &self.D, laws: &self.laws, before: &self.before }
    }
}

impl<'a> AnalysedState<'a> {
    /// What the laws make of the impact.
    pub(super) fn collision(&self) -> (Prospect, Vec<String>) {
        let closed = self.input.closed;
        let all: Vec<usize> = (0..closed.len()).collect();
        let approaching: Vec<usize> =
            all.iter().copied().filter(|&i| self.motion(closed[i]).is_none()).collect();
        let mut warnings = vec![announcement(&approaching, &all, |i| self.name(i))];
        let (mut ways, mut poisson, mut impossible) = (vec![Told::default()], Vec::new(), false);
        for group in groups(&approaching, &all, |one, other| self.coupled(one, other)) {
            let (next, complete) = match group[..] {
                [only] => self.alone(only, &mut warnings),
                _ => self.together(&self.struck_together(&group), &mut poisson, &mut warnings),
            };
            impossible |= complete && next.is_empty();
            let both = |way: &Told, next: &Told| Told {
                words: [&way.words[..], &next.words].concat(),
                impacts: [&way.impacts[..], &next.impacts].concat(),
            };
            ways = ways.iter().flat_map(|way| next.iter().map(move |next| both(way, next))).collect();
        }
        let (verdict, resolved): (_, Vec<Cow<'static, str>>) = match &ways[..] {
            [] if impossible => (Verdict::Inconsistent, Vec::new()),
            [] => (Verdict::Undecided, vec!["impact".into()]),
            [_] => (Verdict::Consistent, vec!["impact".into()]),
            several => {
                let name = |way: &Told| format!("impact({})", way.words.join(",")).into();
                (Verdict::Indeterminate, several.iter().map(name).collect())
            }
        };
        let mut impacts = ways.into_iter().map(|way| ByName(way.impacts));
        let prospect = Prospect {
            verdict: Some(verdict),
            resolved,
            impact: impacts.next().unwrap_or_default(),
            other_impacts: impacts.collect(),
            impact_by_poisson: ByName(poisson),
            ..Prospect::unknown(self.tangents())
        };
        (prospect, warnings)
    }

    /// D of closed contacts.
    fn delassus_of(&self, contacts: &[usize]) -> Vec<f64> {
        let rows = self.rows_of(contacts);
        rows.iter().flat_map(|&i| rows.iter().map(move |&j| self.delassus(i, j))).collect()
    }

    /// Whether impulses on one contact change the velocities of the other.
    fn coupled(&self, one: usize, other: usize) -> bool {
        let D = |i: usize, j: usize| self.delassus(i, j);
        self.rows_of(&[one]).into_iter().any(|i| {
            self.rows_of(&[other])
                .into_iter()
                .any(|j| D(i, j).abs() > self.input.tol.noise * (D(i, i) * D(j, j)).sqrt())
        })
    }

    /// The impact of a contact that feels no other, and whether it is known.
    fn alone(&self, i: usize, warnings: &mut Vec<String>) -> (Vec<Told>, bool) {
        let contact = self.input.closed[i];
        if self.is_plane() && !self.moves_freely(contact) {
            return self.along_a_line(i, warnings);
        }
        if self.is_plane() {
            let (prospect, told) = self.one_in_plane(contact);
            warnings.extend(told.into_iter().filter(|w| prospect.impact.is_empty() || w.contains("energy")));
            return (vec![Told::of(prospect.impact.0)], true);
        }
        let name = self.name(i);
        let known = match self.impact_alone(contact) {
            Ok(impact) => match unknown_impact(self.laws(contact), &impact) {
                None => Ok(impact),
                Some(reason) => Err(reason.to_string()),
            },
            Err(error) => Err(format!("contact {name}: its impact is not followed: {error}")),
        };
        let Ok(impact) = known.map_err(|reason| warnings.push(reason)) else { return (Vec::new(), false) };
        if impact.gains_energy(&self.input.tol) {
            warnings.push("Newton's restitution law gains energy in this impact".to_string());
        }
        (vec![Told::of(vec![(name.to_string(), impact)])], true)
    }

    /// The impact of a contact in the plane whose point can move along a line only, and whether it is known.
    fn along_a_line(&self, i: usize, warnings: &mut Vec<String>) -> (Vec<Told>, bool) {
        let (contact, name) = (self.input.closed[i], self.name(i));
        let Laws { friction, restitution, hold, .. } = *self.laws(contact);
        let mut none = |reason: &str, known: bool| {
            warnings.push(format!("contact {name}: {reason}"));
            (Vec::new(), known)
        };
        if hold == Hold::Bilateral {
            return none("a bilateral contact approaches", false);
        }
        if friction.is_infinite() {
            return none("an impact meets a contact of infinite friction", false);
        }
        let (D, before) = (self.delassus_of(&[i]), self.cleared_velocity(contact));
        let (tied, pre) = (Tied { B: D[1], C: D[0], friction }, [before[0], before[1]]);
        let Some(hit) = tied.impact(restitution, pre, &self.input.tol) else { return none(WEDGED, true) };
        let velocity = |[v, u]: [f64; 2]| Some(VelocityOutcome { u: u.into(), v: v.into() });
        let [normal, tangential] = hit.impulse;
        let impact = ImpactOutcome {
            pre: velocity(pre),
            post: velocity(hit.after),
            impulse: Some(ImpulseOutcome { normal: normal.into(), tangential: tangential.into() }),
            energy_loss: hit.energy_loss.into(),
            effective_restitution: (-hit.after[0] / pre[0]).into(),
            ..ImpactOutcome::unknown(restitution.name(), restitution.coefficient(), 1)
        };
        (vec![Told::of(vec![(name.to_string(), impact)])], true)
    }

    fn struck_together<'s>(&'s self, group: &'s [usize]) -> Struck<'s> {
        let contacts = || group.iter().map(|&i| self.input.closed[i]);
        Struck {
            group,
            D: self.delassus_of(group),
            laws: contacts().map(|c| self.laws(c)).collect(),
            before: contacts().flat_map(|c| self.cleared_velocity(c)).collect(),
        }
    }

    /// The ways in which the impact of a group may go, and whether these are all; beside them the impact by Poisson's law where something is given
    /// back.
    fn together(
        &self,
        struck: &Struck<'_>,
        poisson: &mut Named,
        warnings: &mut Vec<String>,
    ) -> (Vec<Told>, bool) {
        if struck.laws.iter().any(|laws| laws.restitution.coefficient() > 0.0) {
            poisson.extend(self.one_impact(struck, JointLaw::Poisson, warnings).unwrap_or_default());
        }
        self.all_impacts(struck, warnings)
    }

    /// The impacts that Moreau's rule allows, in space one of them, and whether these are all.
    fn all_impacts(&self, struck: &Struck<'_>, warnings: &mut Vec<String>) -> (Vec<Told>, bool) {
        let found = match struck.group().impacts() {
            Ok(found) => found,
            Err(reason) => {
                warnings.push(reason);
                return (Vec::new(), false);
            }
        };
        if found.found.is_empty() {
            // what is to be known first where nothing follows; why nothing is known, last
            let place = if found.complete { 0 } else { warnings.len() };
            warnings.insert(place, found.nothing().to_string());
        }
        if found.found.iter().any(|impact| impact.gains_energy(&struck.before, &self.input.tol)) {
            warnings.push(GAINS.to_string());
        }
        for impact in &found.found {
            warnings.extend(self.one_choice(struck, impact, JointLaw::Moreau));
        }
        if !found.complete && !found.found.is_empty() {
            warnings.push(OTHERS.to_string());
        }
        let told = |impact: &JointImpact| Told {
            words: impact.modes.iter().map(|mode| mode.word(self.tangents())).collect(),
            impacts: self.hits(struck, impact, JointLaw::Moreau),
        };
        (found.found.iter().map(told).collect(), found.complete)
    }

    /// The impact by a law, if one is found.
    fn one_impact(&self, struck: &Struck<'_>, law: JointLaw, warnings: &mut Vec<String>) -> Option<Named> {
        let found = struck.group().impact(law).map_err(|reason| warnings.push(reason)).ok()?;
        if found.gains_energy(&struck.before, &self.input.tol) {
            warnings.push(GAINS.to_string());
        }
        warnings.extend(self.one_choice(struck, &found, law));
        Some(self.hits(struck, &found, law))
    }

    /// What is said of impulses in space that are one choice of several.
    fn one_choice(&self, struck: &Struck<'_>, found: &JointImpact, law: JointLaw) -> Option<String> {
        if self.is_plane() || !self.depend(struck.group, &found.impulse) {
            return None;
        }
        let names: Vec<&str> = struck.group.iter().map(|&i| self.name(i)).collect();
        Some(format!(
            "the impulses at {} are not unique: those given are one choice ({} law)",
            names.join(", "),
            law.name()
        ))
    }

    /// Whether other impulses at the contacts that take some have the same effect.
    fn depend(&self, group: &[usize], impulse: &[f64]) -> bool {
        let most = impulse.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let takes = |k: &usize| impulse[self.rows() * k] > self.input.tol.marginal * most;
        let pressed: Vec<usize> = (0..group.len()).filter(takes).map(|k| group[k]).collect();
        let entries = self.delassus_of(&pressed);
        let laws =
            |&i: &usize| ClosedContact { laws: *self.laws(self.input.closed[i]), motion: Motion::Resting };
        let none = vec![0.0; self.rows() * pressed.len()];
        let contacts = Contacts::new(
            pressed.iter().map(laws).collect(),
            Sized { values: &entries, sizes: &[] },
            Sized { values: &none, sizes: &[] },
        );
        contacts.rank(self.input.tol.dependent) < none.len()
    }

    /// What is told of the contacts of a group: of those that take an impulse.
    fn hits(&self, struck: &Struck<'_>, found: &JointImpact, law: JointLaw) -> Named {
        let hardest = found.impulse.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let acts = |k: &usize| found.impulse[self.rows() * k].abs() > self.input.tol.marginal * hardest;
        let told = |k: usize| (self.name(struck.group[k]).to_string(), self.hit(k, struck, found, law));
        (0..struck.group.len()).filter(acts).map(told).collect()
    }

    fn hit(&self, k: usize, struck: &Struck<'_>, found: &JointImpact, law: JointLaw) -> ImpactOutcome {
        let (before, first, tangents) = (&struck.before, self.rows() * k, self.tangents());
        let size = before.iter().chain(&found.after).fold(0.0_f64, |size, u| size.max(u.abs()));
        let rate = |u: f64| Quantity::of_size(u, size, &self.input.tol);
        let velocity = |u: &[f64]| VelocityOutcome {
            u: Tangential::new(tangents, |k| rate(u[first + 1 + k])),
            v: rate(u[first]),
        };
        let rebound = (before[first] < 0.0).then(|| -rate(found.after[first]).shown / before[first] + 0.0);
        let restitution = struck.laws[k].restitution.coefficient();
        ImpactOutcome {
            pre: Some(velocity(before)),
            post: Some(velocity(&found.after)),
            impulse: Some(ImpulseOutcome {
                normal: found.impulse[first].into(),
                tangential: Tangential::new(tangents, |k| found.impulse[first + 1 + k].into()),
            }),
            energy_loss: found.share(before, first..first + self.rows()).into(),
            effective_restitution: rebound.into(),
            ..ImpactOutcome::unknown(law.name(), restitution, tangents)
        }
    }
}

/// Said of an impact that no law of nature allows.
const GAINS: &str = "this impact gains kinetic energy";
