//! What is asked about a state with several closed contacts, and the answers by name.

use crate::analysis::analysed::AnalysedState;
use crate::analysis::by_name::ByName;
use crate::analysis::mode::{
    AccelerationOutcome, AccelerationRange, FlipsAt, ForceOutcome, ForceRange, ModeOutcome,
};
use crate::analysis::prospect::{DirectionSearch, Prospect, SeveralOutcome};
use crate::analysis::tangential::Tangential;
use crate::num::Number;
use crate::predict::{
    Consistency, Decision, Flips, Judgement, Mode, ModeStability, Prediction, Rest, RestProof, Stability,
    Verdict,
};

/// The prospect of a state in the plane in which nothing touches.
pub(crate) fn free_motion() -> Prospect {
    Prospect {
        modes: vec![ModeOutcome { consistent: true, reason: FREE.to_string(), ..ModeOutcome::default() }],
        verdict: Some(Verdict::Consistent),
        resolved: vec!["free".into()],
        ..Prospect::unknown(1)
    }
}

/// Why a motion without closed contacts is one.
const FREE: &str = "no contact force acts";

impl AnalysedState<'_> {
    /// The prospect of several closed contacts, or in space of none among several, and what its reader should be careful about.
    pub(crate) fn several(&self) -> (Prospect, Vec<String>) {
        let Some(contacts) = self.contacts() else { return self.collision() };
        let prediction = contacts.predict(&self.input.tol);
        let mut warnings: Vec<String> = prediction.decision.undecided.iter().cloned().collect();
        let doubts =
            if self.is_plane() { self.doubts_in_plane(&prediction) } else { doubts_in_space(&prediction) };
        warnings.extend(doubts);
        let striking = self.striking(&contacts, &prediction.impacts);
        warnings.extend(striking.warnings);
        let Prediction { decision, stability, .. } = &prediction;
        let following = self.following(&contacts, decision);
        // of modes that are not decided it is said above
        let is_said = matches!(decision.verdict, Verdict::Undecided | Verdict::Marginal);
        warnings.extend(following.doubt().filter(|_| !is_said && following.ways.is_empty()));
        let prospect = Prospect {
            modes: decision.modes.iter().zip(stability).map(|(j, s)| self.mode(j, s.as_ref())).collect(),
            verdict: Some(decision.verdict),
            resolved: following.names(),
            several: Some(self.effort(decision)),
            two_contacts: contacts.two_contacts(&self.input.tol),
            impacts_without_collision: striking.list,
            impact: striking.impact,
            rest: self.rest(&contacts, &prediction),
            ..Prospect::unknown(self.tangents())
        };
        (prospect, warnings)
    }

    fn doubts_in_plane(&self, Prediction { decision, .. }: &Prediction) -> Vec<String> {
        let marginal = decision.modes.iter().filter(|judged| judged.consistency == Consistency::Marginal);
        let marginal = marginal.map(|judged| format!("{}: {}", self.words(judged), self.reason(judged)));
        let moving = decision.modes.iter().filter(|judged| !judged.moving.is_empty()).map(|judged| {
            let contacts: Vec<&str> = judged.moving.iter().map(|(row, _)| self.name(row / 2)).collect();
            format!(
                "{}: the accelerations of {} depend on forces that are not unique",
                self.words(judged),
                contacts.join(", ")
            )
        });
        marginal.chain(moving).collect()
    }

    /// The modes of a combination, as a list.
    fn words(&self, judged: &Judgement) -> String {
        judged.modes.iter().map(|mode| mode.word(self.tangents())).collect::<Vec<_>>().join(", ")
    }

    /// How several contacts were decided.
    fn effort(&self, decision: &Decision) -> SeveralOutcome {
        let search = &decision.search;
        let named = |modes: &Vec<Mode>| self.by_name(|i| modes[i].name(self.tangents()));
        let directions = || DirectionSearch {
            boxes: search.boxes,
            partial_decisions: search.partial,
            undecided: decision.open.iter().map(named).collect(),
            only_rest: match decision.rest.as_ref().and_then(|rest| rest.proof.as_ref()) {
                Some(RestProof::NormalForces(forces)) => {
                    Some(self.by_name(|i| Number(forces[self.rows() * i])))
                }
                Some(RestProof::Refutation | RestProof::Enumeration) | None => None,
            },
        };
        let is_plane = self.is_plane();
        SeveralOutcome {
            modes_examined: search.examined,
            modes_pruned: if is_plane { search.pruned } else { search.pruned.or(Some(0)) },
            directions: (!is_plane).then(directions),
        }
    }

    pub(crate) fn mode(&self, judged: &Judgement, stability: Option<&ModeStability>) -> ModeOutcome {
        let (tangents, is_plane) = (self.tangents(), self.is_plane());
        let row = |i: usize| self.rows() * i;
        let range = |x: [f64; 2]| x.map(Number);
        let ranges = |ranges: &Vec<[f64; 2]>| {
            self.by_name(|i| ForceRange {
                normal: range(ranges[row(i)]),
                tangential: Tangential::new(tangents, |k| range(ranges[row(i) + 1 + k])),
            })
        };
        // in the plane the slip says so by its name
        let directions = (0..judged.modes.len()).filter(|_| !is_plane).filter_map(|i| {
            let [c, s] = judged.modes[i].direction()?;
            Some((self.name(i).to_string(), s.atan2(c).into()))
        });
        ModeOutcome {
            mode: self.by_name(|i| judged.modes[i].name(tangents)),
            direction: ByName(directions.collect()),
            consistent: judged.consistency != Consistency::No && judged.has_forces(),
            marginal: judged.consistency == Consistency::Marginal,
            normal_stability: stability.map(|stability| stability.stability),
            normal_eigenvalues: stability
                .filter(|stability| is_plane && !stability.eigenvalues.is_empty())
                .map(|stability| stability.eigenvalues.clone()),
            portrait: None,
            tangential_stability: (!is_plane).then_some(None),
            forces: self.by_name(|i| ForceOutcome {
                normal: self.quantity(judged.forces[row(i)]),
                tangential: (1..=tangents).map(|k| self.quantity(judged.forces[row(i) + k])).collect(),
            }),
            accelerations: self.by_name(|i| AccelerationOutcome {
                u: Tangential::new(tangents, |k| self.quantity(judged.accelerations[row(i) + 1 + k])),
                v: self.quantity(judged.accelerations[row(i)]),
            }),
            hyperstatic: judged.ranges.as_ref().map(ranges).unwrap_or_default(),
            accelerations_range: (is_plane && !judged.moving.is_empty())
                .then(|| self.acceleration_ranges(judged)),
            flips_at: stability
                .filter(|_| is_plane)
                .and_then(|s| Some((s, s.flips.as_ref()?)))
                .map(|(s, flips)| self.flips(judged, s.here, flips)),
            reason: if judged.modes.is_empty() { FREE.to_string() } else { self.reason(judged) },
        }
    }

    fn acceleration_ranges(&self, judged: &Judgement) -> ByName<AccelerationRange> {
        let of = |row: usize| {
            let moving = judged.moving.iter().find(|(moving, _)| *moving == row);
            moving.map_or([judged.accelerations[row].value; 2], |(_, range)| *range).map(Number)
        };
        self.by_name(|i| AccelerationRange { u: of(2 * i + 1), v: of(2 * i) })
    }

    fn flips(&self, judged: &Judgement, here: Stability, flips: &Flips) -> FlipsAt {
        let numbers = |x: &[f64]| x.iter().map(|&x| Number::from(x)).collect::<Vec<_>>();
        let pressed = (0..judged.modes.len()).filter(|&i| judged.modes[i].is_closed());
        FlipsAt {
            here,
            damping: numbers(&flips.damping),
            stiffness: ByName(
                pressed.zip(&flips.stiffness).map(|(i, x)| (self.name(i).to_string(), numbers(x))).collect(),
            ),
        }
    }

    /// Why a combination is judged as it is: the sentence of a report, without its full stop.
    fn reason(&self, judged: &Judgement) -> String {
        judged.reason(|contact| self.name(contact).to_string())
    }
}

fn doubts_in_space(Prediction { decision, stability, .. }: &Prediction) -> Vec<String> {
    let mut out = Vec::new();
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
