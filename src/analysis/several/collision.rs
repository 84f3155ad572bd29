//! A state in which some of several closed contacts approach: the impacts that follow.

use super::impact::{Group, JointImpact, JointLaw};
use super::question::Question;
use crate::analysis::closed;
use crate::analysis::local::ContactView;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{
    ImpactOutcome, ImpulseOutcome, Prospect, Question as OneContact, VelocityOutcome,
};
use crate::contact::{Hold, Laws};
use crate::predict::Verdict;
use std::borrow::Cow;

/// Said where a list of impacts may not be whole.
pub(crate) const OTHERS: &str =
    "other impulses than those that were found may satisfy the law of an impact at several contacts";

/// One way in which an impact may go: what contacts that are struck together do after it, and the numbers of each contact.
#[derive(Clone, Debug, Default)]
struct Told {
    words: Vec<&'static str>,
    impacts: Vec<(String, ImpactOutcome)>,
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

impl Question<'_> {
    /// What the laws make of the impact: each contact that feels no other by its own law, groups by Moreau's rule, and by
    /// Poisson's law where something is given back.
    pub(super) fn collision(&self) -> (Prospect, Vec<String>) {
        let approaching: Vec<usize> = (0..self.closed.len())
            .filter(|&i| closed::motion(self.sizes, self.closed[i], self.input).is_none())
            .collect();
        let all: Vec<usize> = (0..self.closed.len()).collect();
        let mut warnings = vec![announcement(&approaching, &all, |i| self.name(i))];
        let (mut ways, mut poisson, mut whole) = (vec![Told::default()], Vec::new(), true);
        for group in groups(&approaching, &all, |one, other| self.coupled(one, other)) {
            let next = match group[..] {
                [only] => vec![Told { words: Vec::new(), impacts: self.alone(only, &mut warnings) }],
                _ => {
                    if group.iter().any(|&i| self.laws[self.closed[i]].restitution.coefficient() > 0.0) {
                        poisson.extend(self.by_poisson(&group, &mut warnings));
                    }
                    let (next, complete) = self.together(&group, &mut warnings);
                    whole &= complete;
                    next
                }
            };
            let both = |way: &Told, next: &Told| Told {
                words: [&way.words[..], &next.words].concat(),
                impacts: [&way.impacts[..], &next.impacts].concat(),
            };
            ways = ways.iter().flat_map(|way| next.iter().map(move |next| both(way, next))).collect();
        }
        let (verdict, resolved): (_, Vec<Cow<'static, str>>) = match &ways[..] {
            [] if whole => (Verdict::Inconsistent, Vec::new()),
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
            ..Prospect::default()
        };
        (prospect, warnings)
    }

    /// Whether impulses on one contact change the velocities of the other.
    fn coupled(&self, one: usize, other: usize) -> bool {
        let rows = |i: usize| [2 * self.closed[i], 2 * self.closed[i] + 1];
        rows(one).into_iter().any(|i| {
            rows(other).into_iter().any(|j| {
                let [ij, ii, jj] =
                    [(i, j), (i, i), (j, j)].map(|(i, j)| self.kernel.delassus(self.values, i, j));
                ij.abs() > self.tol.noise * (ii * jj).sqrt()
            })
        })
    }

    fn alone(&self, contact: usize, warnings: &mut Vec<String>) -> Vec<(String, ImpactOutcome)> {
        let c = self.closed[contact];
        let view = ContactView { kernel: self.kernel, parameters: &self.state.parameters, contact: c };
        let question = OneContact {
            name: &self.names[c],
            view: &view,
            laws: &self.laws[c],
            state: self.state,
            sizes: self.sizes.contact(c),
            sticking: self.sizes.sticking(c),
            tol: self.tol,
        };
        let (prospect, told) = question.prospect();
        warnings.extend(told.into_iter().filter(|w| prospect.impact.is_empty() || w.contains("energy")));
        prospect.impact.0
    }

    /// The numbers of contacts that are struck together: D, laws, velocities before.
    fn struck(&self, group: &[usize]) -> (Vec<f64>, Vec<&Laws>, Vec<f64>) {
        let rows: Vec<usize> =
            group.iter().flat_map(|&i| [2 * self.closed[i], 2 * self.closed[i] + 1]).collect();
        let pairs = rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
        let D: Vec<f64> = pairs.map(|(i, j)| self.kernel.delassus(self.values, i, j)).collect();
        let laws: Vec<_> = group.iter().map(|&i| &self.laws[self.closed[i]]).collect();
        (D, laws, group.iter().flat_map(|&i| self.velocity(self.closed[i])).collect())
    }

    /// The impacts that Moreau's rule allows, and whether these are all.
    fn together(&self, group: &[usize], warnings: &mut Vec<String>) -> (Vec<Told>, bool) {
        let (D, laws, before) = self.struck(group);
        let found = match (Group { D: &D, laws: &laws, before: &before }).impacts() {
            Ok(found) => found,
            Err(reason) => {
                warnings.push(reason);
                return (Vec::new(), false);
            }
        };
        if found.found.is_empty() {
            // what is to be known first
            warnings.insert(0, found.nothing().to_string());
        } else if !found.complete {
            warnings.push(OTHERS.to_string());
        }
        if found.found.iter().any(|impact| impact.gains_energy(&before, self.tol)) {
            warnings.push("this impact gains kinetic energy".to_string());
        }
        let told = |impact: &JointImpact| Told {
            words: impact.modes.iter().map(|mode| mode.word(1)).collect(),
            impacts: self.hits(group, (&before, impact), JointLaw::Moreau),
        };
        (found.found.iter().map(told).collect(), found.complete)
    }

    fn by_poisson(&self, group: &[usize], warnings: &mut Vec<String>) -> Vec<(String, ImpactOutcome)> {
        let (D, laws, before) = self.struck(group);
        match (Group { D: &D, laws: &laws, before: &before }).impact(JointLaw::Poisson) {
            Ok(found) => {
                if found.gains_energy(&before, self.tol) {
                    warnings.push("this impact gains kinetic energy".to_string());
                }
                self.hits(group, (&before, &found), JointLaw::Poisson)
            }
            Err(reason) => {
                warnings.push(reason);
                Vec::new()
            }
        }
    }

    /// What is told of the contacts of a group: of those that take an impulse.
    fn hits(
        &self,
        group: &[usize],
        (before, found): (&[f64], &JointImpact),
        law: JointLaw,
    ) -> Vec<(String, ImpactOutcome)> {
        let hardest = found.impulse.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        let acts = |k: &usize| found.impulse[2 * k].abs() > self.tol.marginal * hardest;
        let told = |k: usize| {
            (self.name(group[k]).to_string(), self.hit(self.closed[group[k]], k, (before, found), law))
        };
        (0..group.len()).filter(acts).map(told).collect()
    }

    /// Gap rate and slip; what is zero to rounding is zero.
    fn velocity(&self, contact: usize) -> [f64; 2] {
        let size = self.sizes.contact(contact).speed;
        let rates = [self.sizes.gap_rate(contact).value, self.sizes.slip(contact, 0).value];
        let held = self.laws[contact].hold == Hold::Bilateral;
        [0, 1].map(|k| if rates[k].abs() <= self.tol.rest * size && !held { 0.0 } else { rates[k] })
    }

    fn hit(
        &self,
        contact: usize,
        k: usize,
        (before, found): (&[f64], &JointImpact),
        law: JointLaw,
    ) -> ImpactOutcome {
        let size = before.iter().chain(&found.after).fold(0.0_f64, |size, u| size.max(u.abs()));
        let rate = |u: f64| Quantity::of_size(u, size, self.tol);
        let velocity = |u: &[f64]| VelocityOutcome { u: rate(u[2 * k + 1]), v: rate(u[2 * k]) };
        let rebound = (before[2 * k] < 0.0).then(|| -rate(found.after[2 * k]).shown / before[2 * k] + 0.0);
        ImpactOutcome {
            law: law.name().into(),
            restitution: self.laws[contact].restitution.coefficient().into(),
            pre: Some(velocity(before)),
            post: Some(velocity(&found.after)),
            impulse: Some(ImpulseOutcome {
                normal: found.impulse[2 * k].into(),
                tangential: found.impulse[2 * k + 1].into(),
            }),
            energy_loss: found.share(before, 2 * k..2 * k + 2).into(),
            region: None,
            phases: Vec::new(),
            iwc_possible: false,
            iwc_post: None,
            effective_restitution: rebound.unwrap_or(f64::NAN).into(),
            reverse_chatter: false,
            reverse_chatter_trigger: None,
            chatter: None,
        }
    }
}
