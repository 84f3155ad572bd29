//! A state in which some of several closed contacts approach: the impacts that follow.

use super::impact::{Group, JointImpact, JointLaw};
use super::question::Question;
use crate::analysis::local::ContactView;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{
    Hold, ImpactOutcome, ImpulseOutcome, Prospect, Question as OneContact, Situation, VelocityOutcome,
    Verdict,
};

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
    pub(super) fn collision(&self, situations: &[Situation]) -> (Prospect, Vec<String>) {
        let approaching: Vec<usize> =
            (0..self.closed.len()).filter(|&i| situations[i] == Situation::Approaching).collect();
        let all: Vec<usize> = (0..self.closed.len()).collect();
        let mut warnings = vec![announcement(&approaching, &all, |i| self.name(i))];
        let (mut impact, mut poisson) = (Vec::new(), Vec::new());
        for group in groups(&approaching, &all, |one, other| self.coupled(one, other)) {
            match group[..] {
                [only] => impact.extend(self.alone(only, &mut warnings)),
                _ => {
                    impact.extend(self.together(&group, JointLaw::Moreau, &mut warnings));
                    if group.iter().any(|&i| self.laws[self.closed[i]].restitution.coefficient() > 0.0) {
                        poisson.extend(self.together(&group, JointLaw::Poisson, &mut warnings));
                    }
                }
            }
        }
        let prospect = Prospect {
            verdict: Some(Verdict::Consistent),
            resolved: vec!["impact".into()],
            impact: ByName(impact),
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

    fn together(
        &self,
        group: &[usize],
        law: JointLaw,
        warnings: &mut Vec<String>,
    ) -> Vec<(String, ImpactOutcome)> {
        let rows: Vec<usize> =
            group.iter().flat_map(|&i| [2 * self.closed[i], 2 * self.closed[i] + 1]).collect();
        let pairs = rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
        let D: Vec<f64> = pairs.map(|(i, j)| self.kernel.delassus(self.values, i, j)).collect();
        let laws: Vec<_> = group.iter().map(|&i| &self.laws[self.closed[i]]).collect();
        let before: Vec<f64> = group.iter().flat_map(|&i| self.velocity(self.closed[i])).collect();
        match (Group { D: &D, laws: &laws, before: &before }).impact(law) {
            Ok(found) => {
                if found.gains_energy(&before, self.tol) {
                    warnings.push("this impact gains kinetic energy".to_string());
                }
                let told = |(k, &i): (usize, &usize)| {
                    (self.name(i).to_string(), self.hit(self.closed[i], k, (&before, &found), law))
                };
                group.iter().enumerate().map(told).collect()
            }
            Err(reason) => {
                warnings.push(reason);
                Vec::new()
            }
        }
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
            energy_loss: found.energy_loss.into(),
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
