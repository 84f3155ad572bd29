//! The questions about a state with several closed contacts, and the answers by name.

use super::contacts::{Contacts, Going, Sized, Touch};
use super::decide::{Decision, Everything};
use super::iwc::{Iwc, Possible};
use super::judge::Judged;
use super::outcome::{AccelerationRange, FlipsAt, ForceRange, IwcOutcome};
use super::reason::names;
use super::stability::{Flips, WordStability};
use super::word::Choice;
use crate::analysis::RestDepth;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{
    AccelerationOutcome, Consistency, ForceOutcome, Kinematics, Laws, ModeOutcome, Prospect, Situation,
    Stability, Verdict,
};
use crate::analysis::size::Sizes;
use crate::contact::{Column, Scaled, Slip};
use crate::model::{Block, Kernel, State, Values};
use crate::num::{Number, Tol};
use std::borrow::Cow;

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
        let situations: Vec<Situation> = self.closed.iter().map(|&c| self.situation(c)).collect();
        if situations.contains(&Situation::Approaching) {
            return self.collision(&situations);
        }
        let touches = self
            .closed
            .iter()
            .zip(&situations)
            .map(|(&c, &situation)| Touch { laws: self.laws[c], going: going(situation) });
        let contacts = self.contacts(touches.collect());
        let everything = contacts.everything(self.tol);
        let warnings = self.warnings(&everything.decision);
        let rest = (self.depth != RestDepth::Nothing).then(|| self.rest(&contacts, &everything)).flatten();
        (Prospect { rest, ..self.outcome(everything) }, warnings)
    }

    /// A contact that is listed as closed counts as closed; only its velocities are judged.
    fn situation(&self, contact: usize) -> Situation {
        let (speed, slip) = (self.sizes.contact(contact).speed, self.sizes.slip(contact, 0).value);
        let kinematics = Kinematics {
            gap: Scaled { value: 0.0, scale: 1.0 },
            u: Scaled { value: slip, scale: speed },
            v: self.sizes.gap_rate(contact),
        };
        Situation::of(&kinematics, self.tol)
    }

    /// The numbers of the closed contacts.
    fn contacts(&self, touches: Vec<Touch>) -> Contacts {
        let rows: Vec<usize> = self.closed.iter().flat_map(|&c| [2 * c, 2 * c + 1]).collect();
        let pairs = || rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
        let D: Vec<f64> = pairs().map(|(i, j)| self.kernel.delassus(self.values, i, j)).collect();
        let D_sizes: Vec<f64> = pairs().map(|(i, j)| self.sizes.delassus(i, j)).collect();
        let free = self.kernel.block(self.values, Block::FreeContactAcceleration);
        let c: Vec<f64> = rows.iter().map(|&i| free[i]).collect();
        let sizes = self.closed.iter().map(|&c| self.sizes.contact(c));
        let c_sizes: Vec<f64> = sizes.flat_map(|s| [s.gap_acceleration, s.slip_acceleration]).collect();
        Contacts::new(touches, Sized { values: &D, sizes: &D_sizes }, Sized { values: &c, sizes: &c_sizes })
    }

    fn warnings(&self, decision: &Decision) -> Vec<String> {
        let mut found: Vec<String> = decision.undecided.iter().cloned().collect();
        for word in decision.words.iter().filter(|word| word.consistency == Consistency::Marginal) {
            let text = self.words(word).join(", ");
            found.push(format!("{text}: {}", self.reason(word)));
        }
        for word in decision.words.iter().filter(|word| !word.moving.is_empty()) {
            let contacts: Vec<&str> =
                word.moving.iter().map(|(row, _)| self.names[self.closed[row / 2]].as_str()).collect();
            let text = self.words(word).join(", ");
            found.push(format!(
                "{text}: the accelerations of {} depend on forces that are not unique",
                contacts.join(", ")
            ));
        }
        found
    }

    pub(super) fn words(&self, word: &Judged) -> Vec<&'static str> {
        names(&word.word)
    }

    fn outcome(&self, everything: Everything) -> Prospect {
        let Everything { decision, stability, impacts: iwc, two } = everything;
        let pairs = || decision.words.iter().zip(&stability);
        let mut resolved: Vec<Cow<'static, str>> = Vec::new();
        for (word, _) in
            pairs().filter(|(_, stability)| stability.as_ref().is_some_and(WordStability::may_last))
        {
            let words: Cow<'static, str> = self.words(word).join(",").into();
            if !resolved.contains(&words) {
                resolved.push(words);
            }
        }
        let single = iwc.iter().filter(|iwc| iwc.contacts.len() == 1 && iwc.possible == Possible::Yes);
        resolved.extend(single.map(|iwc| format!("iwc({})", self.name(iwc.contacts[0])).into()));
        let told = |iwc: &Iwc| IwcOutcome {
            contacts: iwc.contacts.iter().map(|&i| self.name(i).to_string()).collect(),
            possible: iwc.possible,
        };
        Prospect {
            modes: pairs().map(|(word, stability)| self.mode(word, stability.as_ref())).collect(),
            verdict: Some(decision.verdict),
            resolved,
            two_contacts: two,
            impacts_without_collision: iwc.iter().map(told).collect(),
            modes_examined: Some(decision.examined),
            modes_pruned: decision.pruned,
            ..Prospect::default()
        }
    }

    /// Values by the names of the closed contacts.
    pub(super) fn by_name<T>(&self, value: impl Fn(usize) -> T) -> ByName<T> {
        ByName(self.closed.iter().enumerate().map(|(i, &c)| (self.names[c].clone(), value(i))).collect())
    }

    fn mode(&self, word: &Judged, stability: Option<&WordStability>) -> ModeOutcome {
        let quantity = |x: Scaled| Quantity::of_size(x.value, x.scale, self.tol);
        let forces = |i: usize| ForceOutcome {
            normal: quantity(word.forces[2 * i]),
            tangential: vec![quantity(word.forces[2 * i + 1])],
        };
        let accelerations = |i: usize| AccelerationOutcome {
            u: quantity(word.accelerations[2 * i + 1]),
            v: quantity(word.accelerations[2 * i]),
        };
        let range = |x: [f64; 2]| x.map(Number::from);
        ModeOutcome {
            mode: self.by_name(|i| word.word[i].mode()),
            marginal: word.consistency == Consistency::Marginal,
            forces: self.by_name(forces),
            accelerations: self.by_name(accelerations),
            hyperstatic: word.ranges.as_ref().map(|ranges| {
                self.by_name(|i| ForceRange {
                    normal: range(ranges[2 * i]),
                    tangential: range(ranges[2 * i + 1]),
                })
            }),
            accelerations_range: (!word.moving.is_empty()).then(|| {
                let of = |row: usize| {
                    let moving = word.moving.iter().find(|(moving, _)| *moving == row);
                    range(moving.map_or([word.accelerations[row].value; 2], |(_, range)| *range))
                };
                self.by_name(|i| AccelerationRange { u: of(2 * i + 1), v: of(2 * i) })
            }),
            normal_stability: stability.map(|s| s.stability),
            normal_eigenvalues: stability
                .filter(|s| !s.eigenvalues.is_empty())
                .map(|s| s.eigenvalues.clone()),
            flips_at: stability
                .and_then(|s| Some((s, s.flips.as_ref()?)))
                .map(|(s, flips)| self.flips(word, s.here, flips)),
            reason: self.reason(word),
            ..empty_mode(word.consistency != Consistency::No && word.has_forces())
        }
    }

    fn flips(&self, word: &Judged, here: Stability, flips: &Flips) -> FlipsAt {
        let numbers = |x: &[f64]| x.iter().map(|&x| Number::from(x)).collect::<Vec<_>>();
        let pressed = (0..word.word.len()).filter(|&i| word.word[i] != Choice::Free);
        FlipsAt {
            here,
            damping: numbers(&flips.damping),
            stiffness: ByName(
                pressed.zip(&flips.stiffness).map(|(i, x)| (self.name(i).to_string(), numbers(x))).collect(),
            ),
        }
    }

    pub(super) fn name(&self, contact: usize) -> &str {
        &self.names[self.closed[contact]]
    }
}

fn going(situation: Situation) -> Going {
    match situation {
        Situation::Resting(Column::I) => Going::Sliding(Slip::Pos),
        Situation::Resting(Column::II) => Going::Resting,
        Situation::Resting(Column::III) => Going::Sliding(Slip::Neg),
        Situation::Apart | Situation::Separating | Situation::Approaching | Situation::Penetrating => {
            Going::Parting
        }
    }
}
