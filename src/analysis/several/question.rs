//! The questions about a state with several closed contacts, and the answers by name.

use super::outcome::{AccelerationRange, FlipsAt, ForceRange, IwcOutcome};
use crate::analysis::RestDepth;
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::planar::{
    AccelerationOutcome, ForceOutcome, Kinematics, ModeOutcome, Prospect, Situation,
};
use crate::analysis::size::Sizes;
use crate::contact::{Column, Laws, Scaled};
use crate::model::{Block, Kernel, State, Values};
use crate::num::{Number, Tol};
use crate::predict::{
    ClosedContact, Consistency, Contacts, Flips, ImpactWithoutCollision, Judged, ModeStability, Motion,
    Prediction, Sized, Stability, Verdict,
};
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
        let closed = self.closed.iter().zip(&situations);
        let closed =
            closed.map(|(&c, &situation)| ClosedContact { laws: self.laws[c], motion: motion(situation) });
        let contacts = self.contacts(closed.collect());
        let prediction = contacts.predict(self.tol);
        let warnings = self.warnings(&prediction);
        let rest = (self.depth != RestDepth::Nothing).then(|| self.rest(&contacts, &prediction)).flatten();
        let two_contacts = contacts.two_contacts(self.tol);
        (Prospect { rest, two_contacts, ..self.outcome(&prediction) }, warnings)
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
    fn contacts(&self, closed: Vec<ClosedContact>) -> Contacts {
        let rows: Vec<usize> = self.closed.iter().flat_map(|&c| [2 * c, 2 * c + 1]).collect();
        let pairs = || rows.iter().flat_map(|&i| rows.iter().map(move |&j| (i, j)));
        let D: Vec<f64> = pairs().map(|(i, j)| self.kernel.delassus(self.values, i, j)).collect();
        let D_sizes: Vec<f64> = pairs().map(|(i, j)| self.sizes.delassus(i, j)).collect();
        let free = self.kernel.block(self.values, Block::FreeContactAcceleration);
        let c: Vec<f64> = rows.iter().map(|&i| free[i]).collect();
        let sizes = self.closed.iter().map(|&c| self.sizes.contact(c));
        let c_sizes: Vec<f64> = sizes.flat_map(|s| [s.gap_acceleration, s.slip_acceleration]).collect();
        Contacts::new(closed, Sized { values: &D, sizes: &D_sizes }, Sized { values: &c, sizes: &c_sizes })
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

    fn outcome(&self, prediction: &Prediction) -> Prospect {
        let Prediction { decision, stability, impacts } = prediction;
        let told = |impact: &ImpactWithoutCollision| IwcOutcome {
            contacts: impact.contacts.iter().map(|&i| self.name(i).to_string()).collect(),
            possible: impact.possible,
        };
        Prospect {
            modes: decision.modes.iter().zip(stability).map(|(j, s)| self.mode(j, s.as_ref())).collect(),
            verdict: Some(decision.verdict),
            resolved: prediction.following(|i| self.name(i)).into_iter().map(Cow::from).collect(),
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

fn motion(situation: Situation) -> Motion {
    match situation {
        Situation::Resting(Column::I) => Motion::Slipping([1.0, 0.0]),
        Situation::Resting(Column::II) => Motion::Resting,
        Situation::Resting(Column::III) => Motion::Slipping([-1.0, 0.0]),
        Situation::Apart | Situation::Separating | Situation::Approaching | Situation::Penetrating => {
            Motion::Parting
        }
    }
}
