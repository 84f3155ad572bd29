//! The questions about a state with several closed contacts, and the answers by name.

use super::outcome::{AccelerationRange, FlipsAt, ForceRange, IwcOutcome};
use crate::analysis::closed;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{AccelerationOutcome, ForceOutcome, ModeOutcome, Prospect};
use crate::analysis::size::Sizes;
use crate::analysis::{RestDepth, StateInput};
use crate::contact::{Laws, Scaled};
use crate::model::{Kernel, State, Values};
use crate::num::{Number, Tol};
use crate::predict::{
    Consistency, Contacts, Flips, ImpactWithoutCollision, Judged, ModeStability, Prediction, Stability,
    Verdict,
};

/// Several closed contacts of a mechanism at a state, about which the questions are asked.
pub(crate) struct Question<'a> {
    pub(crate) names: &'a [String],
    /// Names of the coordinates.
    pub(crate) coordinates: &'a [String],
    /// Generalised forces of gravity, and of gravity turned by a right angle counter-clockwise, if there is any.
    pub(crate) gravity: Option<&'a [Vec<f64>; 2]>,
    /// What is asked about an equilibrium.
    pub(crate) depth: RestDepth,
    /// Indices of the closed contacts.
    pub(crate) closed: &'a [usize],
    pub(crate) laws: &'a [Laws],
    pub(crate) kernel: &'a Kernel,
    pub(crate) values: &'a Values<f64>,
    pub(crate) state: &'a State,
    pub(crate) sizes: &'a Sizes<'a>,
    pub(crate) tol: &'a Tol,
    /// All of it.
    pub(crate) input: &'a StateInput<'a>,
}

/// The prospect of a state in which nothing touches.
pub(crate) fn free_motion() -> Prospect {
    Prospect {
        modes: vec![ModeOutcome { reason: "no contact force acts".to_string(), ..empty_mode(true) }],
        verdict: Some(Verdict::Consistent),
        resolved: vec!["free".into()],
        ..Prospect::default()
    }
}

fn empty_mode(consistent: bool) -> ModeOutcome {
    ModeOutcome {
        mode: ByName::default(),
        consistent,
        marginal: false,
        normal_stability: None,
        normal_eigenvalues: None,
        portrait: None,
        forces: ByName::default(),
        accelerations: ByName::default(),
        hyperstatic: None,
        accelerations_range: None,
        flips_at: None,
        reason: String::new(),
    }
}

impl Question<'_> {
    /// The prospect, and what its reader should be careful about.
    pub(crate) fn prospect(&self) -> (Prospect, Vec<String>) {
        let Some(contacts) = closed::contacts(self.kernel, self.values, self.input) else {
            return self.collision();
        };
        let prediction = contacts.predict(self.tol);
        let warnings = self.warnings(&prediction);
        let rest = (self.depth != RestDepth::Nothing).then(|| self.rest(&contacts, &prediction)).flatten();
        let two_contacts = contacts.two_contacts(self.tol);
        (Prospect { rest, two_contacts, ..self.outcome(&contacts, &prediction) }, warnings)
    }

    fn warnings(&self, Prediction { decision, .. }: &Prediction) -> Vec<String> {
        let mut found: Vec<String> = decision.undecided.iter().cloned().collect();
        for judged in decision.modes.iter().filter(|judged| judged.consistency == Consistency::Marginal) {
            found.push(format!("{}: {}", self.words(judged), self.reason(judged)));
        }
        for judged in decision.modes.iter().filter(|judged| !judged.moving.is_empty()) {
            let contacts: Vec<&str> = judged.moving.iter().map(|(row, _)| self.name(row / 2)).collect();
            found.push(format!(
                "{}: the accelerations of {} depend on forces that are not unique",
                self.words(judged),
                contacts.join(", ")
            ));
        }
        found
    }

    /// The modes of a combination, as a list.
    fn words(&self, judged: &Judged) -> String {
        judged.modes.iter().map(|mode| mode.word(1)).collect::<Vec<_>>().join(", ")
    }

    fn outcome(&self, contacts: &Contacts, prediction: &Prediction) -> Prospect {
        let following = closed::following(contacts, &prediction.decision, self.input);
        let Prediction { decision, stability, impacts } = prediction;
        let told = |impact: &ImpactWithoutCollision| IwcOutcome {
            contacts: impact.contacts.iter().map(|&i| self.name(i).to_string()).collect(),
            possible: impact.possible,
        };
        Prospect {
            modes: decision.modes.iter().zip(stability).map(|(j, s)| self.mode(j, s.as_ref())).collect(),
            verdict: Some(decision.verdict),
            resolved: following.names(),
            impacts_without_collision: impacts.found.iter().map(told).collect(),
            modes_examined: Some(decision.search.examined),
            modes_pruned: decision.search.pruned,
            ..Prospect::default()
        }
    }

    /// Values by the names of the closed contacts.
    pub(super) fn by_name<T>(&self, value: impl Fn(usize) -> T) -> ByName<T> {
        ByName(self.closed.iter().enumerate().map(|(i, &c)| (self.names[c].clone(), value(i))).collect())
    }

    fn mode(&self, judged: &Judged, stability: Option<&ModeStability>) -> ModeOutcome {
        let quantity = |x: Scaled| Quantity::of_size(x.value, x.scale, self.tol);
        let forces = |i: usize| ForceOutcome {
            normal: quantity(judged.forces[2 * i]),
            tangential: vec![quantity(judged.forces[2 * i + 1])],
        };
        let accelerations = |i: usize| AccelerationOutcome {
            u: quantity(judged.accelerations[2 * i + 1]),
            v: quantity(judged.accelerations[2 * i]),
        };
        let range = |x: [f64; 2]| x.map(Number::from);
        ModeOutcome {
            mode: self.by_name(|i| judged.modes[i].name(1)),
            marginal: judged.consistency == Consistency::Marginal,
            forces: self.by_name(forces),
            accelerations: self.by_name(accelerations),
            hyperstatic: judged.ranges.as_ref().map(|ranges| {
                self.by_name(|i| ForceRange {
                    normal: range(ranges[2 * i]),
                    tangential: range(ranges[2 * i + 1]),
                })
            }),
            accelerations_range: (!judged.moving.is_empty()).then(|| {
                let of = |row: usize| {
                    let moving = judged.moving.iter().find(|(moving, _)| *moving == row);
                    range(moving.map_or([judged.accelerations[row].value; 2], |(_, range)| *range))
                };
                self.by_name(|i| AccelerationRange { u: of(2 * i + 1), v: of(2 * i) })
            }),
            normal_stability: stability.map(|s| s.stability),
            normal_eigenvalues: stability
                .filter(|s| !s.eigenvalues.is_empty())
                .map(|s| s.eigenvalues.clone()),
            flips_at: stability
                .and_then(|s| Some((s, s.flips.as_ref()?)))
                .map(|(s, flips)| self.flips(judged, s.here, flips)),
            reason: self.reason(judged),
            ..empty_mode(judged.consistency != Consistency::No && judged.has_forces())
        }
    }

    fn flips(&self, judged: &Judged, here: Stability, flips: &Flips) -> FlipsAt {
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
    fn reason(&self, judged: &Judged) -> String {
        judged.reason(|contact| self.name(contact).to_string())
    }

    pub(super) fn name(&self, contact: usize) -> &str {
        &self.names[self.closed[contact]]
    }
}
