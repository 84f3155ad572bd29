//! What is said about a state in which one planar contact decides what happens next: modes, verdict, resolution,
//! cell, normal stability and impact, in the shape of the machine-readable output.

use super::analysis::{PlanarAnalysis, PlanarError, planar_analysis};
use super::bilateral::{Bilateral, BilateralMode};
use super::chatter::{Chatter, ChatterKind, Sequence, Trigger};
use super::contact_rest::{RestSizes, contact_equilibrium};
use super::equilibrium::Equilibrium;
use super::impact::Impact;
use super::jam::{Jam, Point};
use super::modes::ModeReport;
use super::no_slip::StickOutcome;
use super::phase::{PhaseKind, Velocity};
use super::stability::{NormalStability, Portrait};
use crate::analysis::local::{ContactSizes, ContactView};
use crate::analysis::number::{ByName, Quantity};
use crate::analysis::several::{
    AccelerationRange, FlipsAt, ForceRange, IwcOutcome, RestOutcome, TwoContacts,
};
use crate::contact::{Cell, Column, Friction, Hold, Laws, Mode, Planar, Slip};
use crate::model::State;
use crate::num::{Number, Tol};
use crate::predict::{Complex, Consistency, ModeName, Stability, Verdict};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A mode with its forces and its stability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeOutcome {
    /// The mode of each contact.
    pub mode: ByName<ModeName>,
    /// Whether the contact law holds, equalities within tolerance included.
    pub consistent: bool,
    /// Whether it holds only with an equality within tolerance.
    pub marginal: bool,
    /// Normal stability under compliance; undefined for lift-off.
    pub normal_stability: Option<Stability>,
    /// Eigenvalues of the fast normal dynamics, times ε in real time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal_eigenvalues: Option<Vec<Complex>>,
    /// Focus, node or saddle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portrait: Option<Portrait>,
    /// Contact forces.
    pub forces: ByName<ForceOutcome>,
    /// Slip and gap accelerations under these forces.
    pub accelerations: ByName<AccelerationOutcome>,
    /// The range of each force, if they are not unique; `forces` are then those with the least sum of squares if these lie
    /// inside the cones, otherwise some inside them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hyperstatic: Option<ByName<ForceRange>>,
    /// The range of each acceleration, if they depend on which of the forces act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accelerations_range: Option<ByName<AccelerationRange>>,
    /// Where normal stability depends on the compliance: what makes it change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flips_at: Option<FlipsAt>,
    /// Why.
    pub reason: String,
}

/// A contact force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForceOutcome {
    /// λ_N.
    #[serde(rename = "N")]
    pub normal: Quantity,
    /// λ_T.
    #[serde(rename = "T")]
    pub tangential: Vec<Quantity>,
}

/// A relative acceleration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccelerationOutcome {
    /// u̇.
    pub u: Quantity,
    /// v̇.
    pub v: Quantity,
}

/// A relative velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VelocityOutcome {
    /// Slip.
    pub u: Quantity,
    /// Gap rate.
    pub v: Quantity,
}

/// An impulse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpulseOutcome {
    /// Normal.
    #[serde(rename = "N")]
    pub normal: Quantity,
    /// Tangential.
    #[serde(rename = "T")]
    pub tangential: Quantity,
}

/// What impact does at a contact; entries are undefined where the state does not approach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpactOutcome {
    /// Restitution law.
    pub law: Cow<'static, str>,
    /// e.
    pub restitution: Number,
    /// Velocity before.
    pub pre: Option<VelocityOutcome>,
    /// Velocity after.
    pub post: Option<VelocityOutcome>,
    /// Impulse.
    pub impulse: Option<ImpulseOutcome>,
    /// Kinetic energy lost.
    pub energy_loss: Number,
    /// Region of Fig. 10 of the survey.
    pub region: Option<u8>,
    /// What the contact point does during the impact.
    pub phases: Vec<PhaseKind>,
    /// Whether an impact can start from v = 0.
    pub iwc_possible: bool,
    /// Its outcome.
    pub iwc_post: Option<VelocityOutcome>,
    /// −v⁺/v⁻ of the whole impact; where the contact rests, that of chatter.
    pub effective_restitution: Number,
    /// Whether chatter at this contact grows instead of dying out.
    pub reverse_chatter: bool,
    /// Whether reverse chatter can start when slip turns into stick.
    pub reverse_chatter_trigger: Option<Trigger>,
    /// How the impacts go on.
    pub chatter: Option<Sequence>,
}

/// The answer to "what can happen next?".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prospect {
    /// Admissible modes.
    pub modes: Vec<ModeOutcome>,
    /// The verdict; undefined for a state that is none of the rigid mechanism.
    pub verdict: Option<Verdict>,
    /// What can actually follow.
    pub resolved: Vec<Cow<'static, str>>,
    /// Modes of several contacts that were judged one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes_examined: Option<u64>,
    /// Modes that were excluded together with others; undefined beyond 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes_pruned: Option<u64>,
    /// Two contacts that both slide: P, b and their class in Table 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub two_contacts: Option<TwoContacts>,
    /// Impacts without collision at some of several contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub impacts_without_collision: Vec<IwcOutcome>,
    /// Cell of Tables 2 and 3.
    pub table: Option<Cell>,
    /// Impact at each contact.
    pub impact: ByName<ImpactOutcome>,
    /// Other impacts that Moreau's rule allows contacts that are struck together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_impacts: Vec<ByName<ImpactOutcome>>,
    /// Impact at several contacts that feel each other, by Poisson's law instead of Moreau's rule.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub impact_by_poisson: ByName<ImpactOutcome>,
    /// Equilibrium on several contacts: weak and strong stability, ambiguity, the forces that hold it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<RestOutcome>,
    /// Dynamic jam at each slipping contact.
    pub jam: ByName<Jam>,
    /// The equilibrium that the state is, if it is one, and its stability.
    pub equilibrium: Option<Equilibrium>,
    /// The sticking motion from a state that moves without slip: where it ends, if it was followed.
    pub no_slip: Option<StickOutcome>,
}

impl Prospect {
    /// Whether a motion without slip can follow that is no rest.
    pub fn moves_without_slip(&self) -> bool {
        let is_stick = |mode: &ModeOutcome| {
            !mode.mode.is_empty() && mode.mode.0.iter().all(|(_, mode)| *mode == ModeName::STICK)
        };
        self.equilibrium.is_none() && self.modes.iter().any(|mode| mode.consistent && is_stick(mode))
    }
}

/// One planar contact of a mechanism at a state, about which the questions are asked.
pub(crate) struct Question<'a> {
    pub(crate) name: &'a str,
    pub(crate) view: &'a ContactView<'a>,
    pub(crate) laws: &'a Laws,
    pub(crate) state: &'a State,
    pub(crate) sizes: ContactSizes,
    /// Sizes of the accelerations under the sticking force.
    pub(crate) sticking: Vec<f64>,
    pub(crate) tol: &'a Tol,
}

impl Question<'_> {
    /// The prospect of the contact, and what its reader should be careful about. A contact that cannot move in every
    /// direction (a point on a rail) has no prospect; a warning says so.
    pub(crate) fn prospect(&self) -> (Prospect, Vec<String>) {
        let mut warnings = Vec::new();
        let prospect = match planar_analysis(self.view, self.laws, self.point(), &self.sizes, self.tol) {
            Ok(found) => {
                warnings.extend(found.warnings.iter().cloned());
                let mut prospect = outcome(self.name, self.laws, &found, self.tol);
                prospect.equilibrium = self.equilibrium(&found, &mut warnings);
                prospect
            }
            Err(error) => {
                warnings.push(format!("what can happen next is not analysed: {error}"));
                Prospect::default()
            }
        };
        (prospect, warnings.iter().map(|w| format!("contact {}: {w}", self.name)).collect())
    }

    fn point(&self) -> Point<'_> {
        Point { t: self.state.t, q: &self.state.q, v: &self.state.v }
    }

    /// Only a contact that sticks can be an equilibrium: at rest against a running belt it slips.
    fn equilibrium(&self, found: &PlanarAnalysis, warnings: &mut Vec<String>) -> Option<Equilibrium> {
        let at_rest = found.modes.situation == super::situation::Situation::Resting(Column::II);
        if !at_rest || self.laws.hold == Hold::Bilateral {
            return None;
        }
        let Laws { friction, restitution, .. } = *self.laws;
        let sizes = RestSizes { contact: &self.sizes, accelerations: &self.sticking };
        let resting = contact_equilibrium(self.view, friction, restitution, self.point(), sizes, self.tol);
        resting.unwrap_or_else(|error| {
            let error = PlanarError::Model(error);
            warnings.push(format!("whether this is an equilibrium is not known: {error}"));
            None
        })
    }
}

fn outcome(name: &str, laws: &Laws, found: &PlanarAnalysis, tol: &Tol) -> Prospect {
    let modes = match &found.bilateral {
        Some(held) => held.modes.iter().map(|m| bilateral_outcome(name, m)).collect(),
        None => {
            let pairs = found.modes.modes.iter().zip(&found.stability);
            let terms = Terms { planar: &found.planar, friction: laws.friction, tol };
            pairs.map(|(m, s)| mode_outcome(name, m, s.as_ref(), &terms)).collect()
        }
    };
    Prospect {
        modes,
        verdict: found.bilateral.as_ref().map(|held: &Bilateral| held.verdict).or(found.modes.verdict),
        resolved: match &found.bilateral {
            Some(held) => held.modes.iter().map(|m| m.mode.name().into()).collect(),
            None => found.modes.resolved.iter().map(|o| o.name().into()).collect(),
        },
        modes_examined: None,
        modes_pruned: None,
        two_contacts: None,
        impacts_without_collision: Vec::new(),
        table: found.modes.cell.filter(|_| found.bilateral.is_none()),
        impact: ByName(vec![(name.to_string(), impact_outcome(laws, found))]),
        impact_by_poisson: ByName::default(),
        other_impacts: Vec::new(),
        rest: None,
        jam: ByName(found.jam.iter().map(|jam| (name.to_string(), *jam)).collect()),
        equilibrium: None,
        no_slip: None,
    }
}

fn one<T>(name: &str, value: T) -> ByName<T> {
    ByName(vec![(name.to_string(), value)])
}

fn mode_outcome(
    name: &str,
    report: &ModeReport,
    stability: Option<&NormalStability>,
    terms: &Terms<'_>,
) -> ModeOutcome {
    let (forces, accelerations) = terms.of(report);
    ModeOutcome {
        mode: one(name, report.mode.into()),
        consistent: report.is_consistent(),
        marginal: report.consistency == Consistency::Marginal,
        normal_stability: stability_word(report, stability),
        normal_eigenvalues: stability.map(|s| s.eigenvalues.to_vec()),
        portrait: stability.and_then(|s| s.portrait),
        forces: one(name, forces),
        accelerations: one(name, accelerations),
        hyperstatic: None,
        accelerations_range: None,
        flips_at: None,
        reason: report.reason.to_string(),
    }
}

/// A motion of a contact that is held closed: only consistent ones are listed.
fn bilateral_outcome(name: &str, found: &BilateralMode) -> ModeOutcome {
    let (force, acceleration) = (found.force, found.acceleration);
    ModeOutcome {
        mode: one(name, found.mode.into()),
        consistent: true,
        marginal: false,
        normal_stability: None,
        normal_eigenvalues: None,
        portrait: None,
        forces: one(name, force_outcome(force.N, force.T)),
        accelerations: one(name, AccelerationOutcome { u: acceleration.u.into(), v: acceleration.v.into() }),
        hyperstatic: None,
        accelerations_range: None,
        flips_at: None,
        reason: "the contact is held closed by a normal force of either sign".to_string(),
    }
}

/// What the forces and accelerations of a mode are made of.
struct Terms<'a> {
    planar: &'a Planar,
    friction: Friction,
    tol: &'a Tol,
}

impl Terms<'_> {
    fn of(&self, report: &ModeReport) -> (ForceOutcome, AccelerationOutcome) {
        let [N, T] = self.forces(report.mode);
        let Planar { A, B, a_scale, b_scale, .. } = *self.planar;
        let (force, acceleration) = (report.force, report.acceleration);
        let number = |value: f64, size: f64| Quantity::of_size(value, size, self.tol);
        let forces = ForceOutcome { normal: number(force.N, N), tangential: vec![number(force.T, T)] };
        let u = number(acceleration.u, a_scale + A * T + B.abs() * N);
        (forces, AccelerationOutcome { u, v: number(acceleration.v, b_scale) })
    }

    /// Sizes of λ_N, λ_T: of -b/p in slip, of the solution by Cramer's rule in stick.
    fn forces(&self, mode: Mode) -> [f64; 2] {
        let Planar { A, B, C, a_scale, b_scale, .. } = *self.planar;
        let slips = |slip: Slip| {
            let normal = b_scale / self.planar.normal_gain(self.friction, slip).abs();
            [normal, self.friction.mu() * normal]
        };
        match mode {
            Mode::Free => [0.0, 0.0],
            Mode::SlipPos => slips(Slip::Pos),
            Mode::SlipNeg => slips(Slip::Neg),
            Mode::Stick => {
                let sizes = [B.abs() * a_scale + A * b_scale, B.abs() * b_scale + C * a_scale];
                sizes.map(|size| size / self.planar.determinant())
            }
        }
    }
}

fn force_outcome(normal: f64, tangential: f64) -> ForceOutcome {
    ForceOutcome { normal: normal.into(), tangential: vec![tangential.into()] }
}

/// Lift-off is stable [CV16 section 4.1]; an inconsistent mode has no equilibrium to be stable.
fn stability_word(report: &ModeReport, stability: Option<&NormalStability>) -> Option<Stability> {
    report.is_consistent().then(|| stability.map_or(Stability::Stable, |s| s.stability))
}

fn impact_outcome(laws: &Laws, found: &PlanarAnalysis) -> ImpactOutcome {
    let collision = found.impact.as_ref();
    let chatter: Option<&Chatter> = found.chatter.as_ref();
    ImpactOutcome {
        law: laws.restitution.name().into(),
        restitution: laws.restitution.coefficient().into(),
        pre: collision.map(|c| velocity(c.pre)),
        post: collision.map(|c| velocity(c.post)),
        impulse: collision
            .map(|c| ImpulseOutcome { normal: c.impulse.N.into(), tangential: c.impulse.T.into() }),
        energy_loss: collision.map(|c| c.energy_loss).into(),
        region: collision.and_then(|c| c.region),
        phases: collision.map(phases).unwrap_or_default(),
        iwc_possible: found.iwc.is_some(),
        iwc_post: found.iwc.map(|c| velocity(c.post)),
        effective_restitution: match collision {
            Some(c) => c.effective_restitution().into(),
            None => chatter.map(|c| c.effective_restitution).into(),
        },
        reverse_chatter: chatter.is_some_and(|c| c.kind == ChatterKind::Reverse),
        reverse_chatter_trigger: found.trigger,
        chatter: found.sequence,
    }
}

fn velocity(v: Velocity) -> VelocityOutcome {
    VelocityOutcome { u: v.u.into(), v: v.v.into() }
}

fn phases(impact: &Impact) -> Vec<PhaseKind> {
    [Some(impact.first), impact.second].into_iter().flatten().map(|phase| phase.kind).collect()
}
