//! A state in space in which some of several closed contacts approach: the impacts that follow. A contact that feels no other closed one is struck by its own
//! law, integrated over its impulse; contacts that feel each other by Moreau's rule, and where something is given back by Poisson's law as well, through
//! incremental problems (`analysis::several::impact`).

use super::impact::impact_outcome;
use super::modes::Contact;
use super::outcome::{SpaceImpactOutcome, SpaceImpulse, SpaceProspect, SpaceVelocity};
use super::question::Place;
use super::situation::Stands;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::several::{Group, JointImpact, JointLaw, OTHERS, announcement, groups};
use crate::contact::{Hold, Laws};
use crate::predict::Verdict;
use crate::predict::{ClosedContact, Contacts, Motion, Sized};

type Named = Vec<(String, SpaceImpactOutcome)>;

impl Place<'_> {
    /// What the laws make of the impact.
    pub(super) fn collision(&self, stands: &[Stands]) -> (SpaceProspect, Vec<String>) {
        let closed = self.input.closed;
        let approaching: Vec<usize> =
            (0..closed.len()).filter(|&i| stands[i] == Stands::Approaching).map(|i| closed[i]).collect();
        let mut warnings = vec![announcement(&approaching, closed, |c| self.name(c))];
        let (mut impact, mut poisson) = (Vec::new(), Vec::new());
        for group in groups(&approaching, closed, |one, other| self.coupled(one, other)) {
            match group[..] {
                [only] => impact.extend(self.alone(only, &mut warnings)),
                _ => {
                    impact.extend(self.together(&group, JointLaw::Moreau, &mut warnings));
                    if group.iter().any(|&c| self.input.laws[c].restitution.coefficient() > 0.0) {
                        poisson.extend(self.together(&group, JointLaw::Poisson, &mut warnings));
                    }
                }
            }
        }
        let prospect = SpaceProspect {
            verdict: Some(Verdict::Consistent),
            resolved: vec!["impact".into()],
            impact: ByName(impact),
            impact_by_poisson: ByName(poisson),
            ..SpaceProspect::default()
        };
        (prospect, warnings)
    }

    fn name(&self, contact: usize) -> &str {
        &self.input.names.contacts[contact]
    }

    /// Whether impulses on one contact change the velocities of the other.
    fn coupled(&self, one: usize, other: usize) -> bool {
        let D = |i: usize, j: usize| self.kernel.delassus(self.values, i, j);
        (3 * one..3 * one + 3).any(|i| {
            (3 * other..3 * other + 3)
                .any(|j| D(i, j).abs() > self.input.tol.noise * (D(i, i) * D(j, j)).sqrt())
        })
    }

    fn alone(&self, c: usize, warnings: &mut Vec<String>) -> Named {
        let (laws, tol) = (&self.input.laws[c], &self.input.tol);
        let numbers = match self.numbers(c) {
            Ok(numbers) => numbers,
            Err(error) => {
                warnings.push(format!("contact {}: its impact is not followed: {error}", self.name(c)));
                return Vec::new();
            }
        };
        let contact =
            Contact { numbers, friction: laws.friction, hold: laws.hold, stands: Stands::Approaching };
        let impact = impact_outcome(&contact, laws, self.velocity(c), false, tol);
        if impact.gains_energy(tol) {
            warnings.push("Newton's restitution law gains energy in this impact".to_string());
        }
        vec![(self.name(c).to_string(), impact)]
    }

    fn together(&self, group: &[usize], law: JointLaw, warnings: &mut Vec<String>) -> Named {
        let rows: Vec<usize> = group.iter().flat_map(|&c| 3 * c..3 * c + 3).collect();
        let pairs = rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
        let D: Vec<f64> = pairs.map(|(i, j)| self.kernel.delassus(self.values, i, j)).collect();
        let laws: Vec<&Laws> = group.iter().map(|&c| &self.input.laws[c]).collect();
        let before: Vec<f64> = group.iter().flat_map(|&c| self.before(c)).collect();
        let struck = Group { D: &D, laws: &laws, before: &before };
        if law == JointLaw::Moreau && laws.iter().any(|laws| !laws.friction.is_zero()) {
            // one solution is found, and nothing says that there are no others
            warnings.push(OTHERS.to_string());
        }
        match struck.impact(law) {
            Ok(found) => {
                if found.gains_energy(&before, &self.input.tol) {
                    warnings.push("this impact gains kinetic energy".to_string());
                }
                if self.depend(group, &found.impulse) {
                    let names: Vec<&str> = group.iter().map(|&c| self.name(c)).collect();
                    warnings.push(format!(
                        "the impulses at {} are not unique: those given are one choice ({} law)",
                        names.join(", "),
                        law.name()
                    ));
                }
                let told = |(k, &c): (usize, &usize)| {
                    (self.name(c).to_string(), self.hit(c, k, (&before, &found), law))
                };
                let hardest = found.impulse.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
                let acts =
                    |(k, _): &(usize, &usize)| found.impulse[3 * k].abs() > self.input.tol.marginal * hardest;
                group.iter().enumerate().filter(acts).map(told).collect()
            }
            Err(reason) => {
                warnings.push(reason);
                Vec::new()
            }
        }
    }

    /// Whether other impulses at the contacts that take some have the same effect.
    fn depend(&self, group: &[usize], impulse: &[f64]) -> bool {
        let most = impulse.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let takes = |k: &usize| impulse[3 * k] > self.input.tol.marginal * most;
        let pressed: Vec<usize> = (0..group.len()).filter(takes).map(|k| group[k]).collect();
        let rows: Vec<usize> = pressed.iter().flat_map(|&c| 3 * c..3 * c + 3).collect();
        let D = |i: usize, j: usize| self.kernel.delassus(self.values, i, j);
        let entries: Vec<f64> = rows.iter().flat_map(|&i| rows.iter().map(move |&j| D(i, j))).collect();
        let laws = |&c: &usize| ClosedContact { laws: self.input.laws[c], motion: Motion::Resting };
        let none = vec![0.0; rows.len()];
        let contacts = Contacts::new(
            pressed.iter().map(laws).collect(),
            Sized { values: &entries, sizes: &[] },
            Sized { values: &none, sizes: &[] },
        );
        let all: Vec<usize> = (0..rows.len()).collect();
        contacts.basis(&all, self.input.tol.dependent).rows.len() < rows.len()
    }

    /// Gap rate and slip; what is zero to rounding is zero.
    fn before(&self, contact: usize) -> [f64; 3] {
        let size = self.input.sizes.gap_rate(contact).scale;
        let ([u1, u2], v) = self.velocity(contact);
        let held = self.input.laws[contact].hold == Hold::Bilateral;
        [v, u1, u2].map(|u| if u.abs() <= self.input.tol.rest * size && !held { 0.0 } else { u })
    }

    fn hit(
        &self,
        contact: usize,
        k: usize,
        (before, found): (&[f64], &JointImpact),
        law: JointLaw,
    ) -> SpaceImpactOutcome {
        let tol = &self.input.tol;
        let size = before.iter().chain(&found.after).fold(0.0_f64, |size, u| size.max(u.abs()));
        let rate = |u: f64| Quantity::of_size(u, size, tol);
        let velocity =
            |u: &[f64]| SpaceVelocity { u: [rate(u[3 * k + 1]), rate(u[3 * k + 2])], v: rate(u[3 * k]) };
        let rebound = (before[3 * k] < 0.0).then(|| -rate(found.after[3 * k]).shown / before[3 * k] + 0.0);
        let impulse = &found.impulse[3 * k..3 * k + 3];
        SpaceImpactOutcome {
            law: law.name().into(),
            restitution: self.input.laws[contact].restitution.coefficient().into(),
            pre: Some(velocity(before)),
            post: Some(velocity(&found.after)),
            impulse: Some(SpaceImpulse {
                normal: impulse[0].into(),
                tangential: [impulse[1].into(), impulse[2].into()],
            }),
            energy_loss: found.share(before, 3 * k..3 * k + 3).into(),
            phases: Vec::new(),
            compressions: None,
            invariant_directions: Vec::new(),
            iwc_possible: false,
            iwc_post: None,
            iwc_impulse: None,
            effective_restitution: rebound.unwrap_or(f64::NAN).into(),
            reverse_chatter: false,
        }
    }
}
