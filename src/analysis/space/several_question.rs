//! Several closed contacts of a state in space, in the shape of the report.

use super::outcome::{
    ForceRangeOutcome, RestBy, SeveralOutcome, SpaceAcceleration, SpaceMode, SpaceProspect, SpaceRestOutcome,
};
use super::question::Place;
use super::situation::Stands;
use crate::analysis::closed;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{Condition, ForceOutcome};
use crate::analysis::state::StateInput;
use crate::analysis::still::Whole;
use crate::contact::Scaled;
use crate::num::Number;
use crate::predict::{
    Consistency, Contacts, Decision, Judged, Mode, ModeStability, Prediction, Rest, RestProof, Stability,
    words,
};

impl Place<'_> {
    /// The state of several closed contacts, or of none among several.
    pub(super) fn several(&self) -> (SpaceProspect, Vec<String>) {
        let stands: Vec<Stands> = self.input.closed.iter().map(|&c| self.stands(c)).collect();
        let Some(contacts) = closed::contacts(self.kernel, self.values, self.input) else {
            return self.collision(&stands);
        };
        let prediction = contacts.predict(&self.input.tol);
        let mut prospect = self.told(&contacts, &prediction);
        let striking = self.striking(&contacts, &prediction.impacts, &stands);
        (prospect.impact, prospect.impacts_without_collision) = (striking.impact, striking.list);
        (prospect, warnings(&prediction).into_iter().chain(striking.warnings).collect())
    }

    fn names(&self) -> Vec<&str> {
        self.input.closed.iter().map(|&c| self.input.names.contacts[c].as_str()).collect()
    }

    fn told(&self, contacts: &Contacts, prediction: &Prediction) -> SpaceProspect {
        let Prediction { decision, stability, .. } = prediction;
        let names = self.names();
        let named =
            |modes: &Vec<Mode>| ByName::new(names.iter().copied(), modes.iter().map(|mode| mode.name(2)));
        let following = closed::following(contacts, decision, self.input);
        SpaceProspect {
            modes: decision
                .modes
                .iter()
                .zip(stability)
                .map(|(j, s)| self.mode(&names, j, s.as_ref()))
                .collect(),
            verdict: Some(decision.verdict),
            resolved: following.names(),
            several: Some(SeveralOutcome {
                modes_examined: decision.search.examined as usize,
                modes_pruned: decision.search.pruned.unwrap_or_default() as usize,
                boxes: decision.search.boxes,
                partial_decisions: decision.search.partial,
                undecided: decision.open.iter().map(named).collect(),
                only_rest: match decision.rest.as_ref().and_then(|rest| rest.proof.as_ref()) {
                    Some(RestProof::NormalForces(forces)) => {
                        let normal = forces.iter().step_by(3).map(|&x| Number(x));
                        Some(ByName::new(names.iter().copied(), normal))
                    }
                    Some(RestProof::Refutation | RestProof::Enumeration) | None => None,
                },
                rest: decision
                    .rest
                    .as_ref()
                    .filter(|_| self.is_of_all(decision))
                    .map(|rest| rest_outcome(rest, decision)),
            }),
            ..SpaceProspect::default()
        }
    }

    /// Whether the mechanism rests where its contacts do, or nothing is known to hold them.
    fn is_of_all(&self, decision: &Decision) -> bool {
        let StateInput { state, sizes, closed, tol, .. } = self.input;
        let whole = Whole { kernel: self.kernel, values: self.values, state, sizes, closed, tol };
        let still = |judged: &Judged| {
            // forces of a program are as good as its solver
            whole.is_balanced(&judged.forces, if judged.ranges.is_some() { tol.solved } else { tol.rest })
        };
        whole.is_still() && decision.modes.iter().find(|judged| judged.stays()).is_none_or(still)
    }

    fn mode(&self, names: &[&str], judged: &Judged, stability: Option<&ModeStability>) -> SpaceMode {
        let quantity = |x: Scaled| Quantity::of_size(x.value, x.scale, &self.input.tol);
        let [force, acceleration] =
            [&judged.forces, &judged.accelerations].map(|all| move |row: usize| quantity(all[row]));
        let each = 0..names.len();
        let directions = each.clone().filter_map(|i| {
            let [c, s] = judged.modes[i].direction()?;
            Some((names[i].to_string(), s.atan2(c).into()))
        });
        SpaceMode {
            mode: ByName::new(names.iter().copied(), judged.modes.iter().map(|mode| mode.name(2))),
            direction: ByName(directions.collect()),
            consistent: true,
            marginal: judged.consistency == Consistency::Marginal,
            normal_stability: stability.map(|stability| stability.stability),
            tangential_stability: None,
            forces: ByName::new(
                names.iter().copied(),
                each.clone().map(|i| ForceOutcome {
                    normal: force(3 * i),
                    tangential: vec![force(3 * i + 1), force(3 * i + 2)],
                }),
            ),
            accelerations: ByName::new(
                names.iter().copied(),
                each.map(|i| SpaceAcceleration {
                    u: [acceleration(3 * i + 1), acceleration(3 * i + 2)],
                    v: acceleration(3 * i),
                }),
            ),
            hyperstatic: judged.ranges.as_ref().map(|ranges| bounds(names, ranges)).unwrap_or_default(),
            reason: match names.is_empty() {
                true => "no contact force acts".to_string(),
                false => judged.reason(|i| names[i].to_string()),
            },
        }
    }
}

fn rest_outcome(rest: &Rest, decision: &Decision) -> SpaceRestOutcome {
    let others =
        decision.modes.iter().filter(|judged| judged.consistency == Consistency::Yes && !judged.stays());
    let stays = rest.possible != Some(Consistency::No);
    let mut ambiguous_with: Vec<String> =
        others.filter(|_| stays).map(|judged| words(&judged.modes, 2)).collect();
    ambiguous_with.dedup();
    SpaceRestOutcome {
        weak: match rest.possible {
            Some(Consistency::Yes) => Condition::Holds,
            Some(Consistency::Marginal) => Condition::Marginal,
            Some(Consistency::No) => Condition::Fails,
            None => Condition::Unknown,
        },
        strong: match rest.only {
            Some(true) => Condition::Holds,
            Some(false) => Condition::Fails,
            None => Condition::Unknown,
        },
        ambiguous_with,
        by: rest.proof.as_ref().map(|proof| match proof {
            RestProof::NormalForces(_) => RestBy::NormalForces,
            RestProof::Refutation => RestBy::Refutation,
            RestProof::Enumeration => RestBy::Enumeration,
        }),
    }
}

fn bounds(names: &[&str], ranges: &[[f64; 2]]) -> ByName<ForceRangeOutcome> {
    let range = |range: [f64; 2]| range.map(Number);
    let each = ranges
        .chunks_exact(3)
        .map(|of| ForceRangeOutcome { normal: range(of[0]), tangential: [range(of[1]), range(of[2])] });
    ByName::new(names.iter().copied(), each)
}

fn warnings(Prediction { decision, stability, .. }: &Prediction) -> Vec<String> {
    let mut out: Vec<String> = decision.undecided.iter().cloned().collect();
    if let Some(spread) = decision.spread {
        out.push(format!(
            "one motion is known, and all that are possible slip within {spread:.1e} rad of it; whether it is the only one is not decided"
        ));
    } else if !decision.open.is_empty() {
        out.push(format!(
            "{} combinations of modes are neither found nor refuted: their forces are not unique, or the boxes were used up",
            decision.open.len()
        ));
    }
    if let Some(Rest { possible: Some(Consistency::Yes), only: None, .. }) = decision.rest {
        out.push("the contacts can stay at rest; whether something else can happen is not decided".into());
    }
    if stability.iter().flatten().any(|stability| stability.stability == Stability::Undecided) {
        out.push("the normal stability of a mode with several contacts depends on their compliances, and is not decided".into());
    }
    out
}
