//! What is said about a state in which one planar contact decides what happens next: modes, verdict, resolution,
//! cell, normal stability and impact, in the shape of the machine-readable output.

use super::impact::{Impact, Velocity, impact, impact_without_collision};
use super::modes::{ModeReport, Modes, modes};
use super::number::{Named, Number};
use super::situation::{Kinematics, Situation};
use super::stability::{Complex, Compliance, NormalStability, Portrait, Stability, normal_stability};
use crate::contact::{ContactError, Friction, Planar, Restitution};
use crate::num::Tol;
use serde::Serialize;

/// The laws of a planar contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarLaws {
    /// μ.
    pub friction: Friction,
    /// Law and coefficient.
    pub restitution: Restitution,
    /// k and d.
    pub compliance: Compliance,
}

impl PlanarLaws {
    /// Checks numbers as laws.
    ///
    /// # Errors
    /// [`ContactError`] for a negative friction, a coefficient outside [0, 1] or a compliance that is not positive.
    pub fn new(
        mu: f64,
        restitution: Restitution,
        stiffness: f64,
        damping: f64,
    ) -> Result<Self, ContactError> {
        Ok(PlanarLaws {
            friction: Friction::new(mu)?,
            restitution: restitution.validated()?,
            compliance: Compliance::new(stiffness, damping)?,
        })
    }
}

/// A mode with its forces and its stability.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeOutcome {
    /// The mode of each contact.
    pub mode: Named<&'static str>,
    /// Whether the contact law holds, equalities within tolerance included.
    pub consistent: bool,
    /// Whether it holds only with an equality within tolerance.
    pub marginal: bool,
    /// Normal stability under compliance; undefined for lift-off.
    pub normal_stability: Option<&'static str>,
    /// Eigenvalues of the fast normal dynamics, times ε in real time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal_eigenvalues: Option<[Complex; 2]>,
    /// Focus, node or saddle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub portrait: Option<Portrait>,
    /// Contact forces.
    pub forces: Named<ForceOutcome>,
    /// Slip and gap accelerations under these forces.
    pub accelerations: Named<AccelerationOutcome>,
    /// Why.
    pub reason: String,
}

/// A contact force.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForceOutcome {
    /// λ_N.
    #[serde(rename = "N")]
    pub normal: Number,
    /// λ_T.
    #[serde(rename = "T")]
    pub tangential: Vec<Number>,
}

/// A relative acceleration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccelerationOutcome {
    /// u̇.
    pub u: Number,
    /// v̇.
    pub v: Number,
}

/// A relative velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VelocityOutcome {
    /// Slip.
    pub u: Number,
    /// Gap rate.
    pub v: Number,
}

/// An impulse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ImpulseOutcome {
    /// Normal.
    #[serde(rename = "N")]
    pub normal: Number,
    /// Tangential.
    #[serde(rename = "T")]
    pub tangential: Number,
}

/// What impact does at a contact; entries are undefined where the state does not approach.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpactOutcome {
    /// Restitution law.
    pub law: &'static str,
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
    pub phases: Vec<&'static str>,
    /// Whether an impact can start from v = 0.
    pub iwc_possible: bool,
    /// Its outcome.
    pub iwc_post: Option<VelocityOutcome>,
}

/// The cell of Tables 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CellOutcome {
    /// `i` to `vi`.
    pub row: &'static str,
    /// `I` to `III`.
    pub column: &'static str,
}

/// The answer to "what can happen next?".
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prospect {
    /// Admissible modes.
    pub modes: Vec<ModeOutcome>,
    /// The verdict; undefined for a state that is none of the rigid mechanism.
    pub verdict: Option<super::Verdict>,
    /// What can actually follow.
    pub resolved: Vec<&'static str>,
    /// Cell of Tables 2 and 3.
    pub table: Option<CellOutcome>,
    /// Impact at each contact.
    pub impact: Named<ImpactOutcome>,
}

/// The prospect of one contact, and what its reader should be careful about.
pub fn prospect(
    name: &str,
    planar: &Planar,
    laws: &PlanarLaws,
    kinematics: &Kinematics,
) -> (Prospect, Vec<String>) {
    let tol = Tol::default();
    let found = modes(planar, laws.friction, kinematics, &tol);
    let outcome = Prospect {
        modes: found.modes.iter().map(|m| mode_outcome(name, planar, laws, m, &tol)).collect(),
        verdict: found.verdict,
        resolved: found.resolved.iter().map(|o| o.name()).collect(),
        table: found.cell.map(|c| CellOutcome { row: c.row.name(), column: c.column.name() }),
        impact: Named(vec![(name.to_string(), impact_outcome(planar, laws, kinematics, &found, &tol))]),
    };
    (outcome, warnings(name, planar, laws, kinematics, &found, &tol))
}

fn mode_outcome(
    name: &str,
    planar: &Planar,
    laws: &PlanarLaws,
    report: &ModeReport,
    tol: &Tol,
) -> ModeOutcome {
    let stability = normal_stability(planar, laws.friction, report, laws.compliance, tol);
    let (force, acceleration) = (report.force, report.acceleration);
    let one = |name: &str| vec![name.to_string()].into_iter();
    ModeOutcome {
        mode: Named(one(name).map(|n| (n, report.mode.name())).collect()),
        consistent: report.is_consistent(),
        marginal: report.consistency == super::Consistency::Marginal,
        normal_stability: stability_word(report, stability.as_ref()),
        normal_eigenvalues: stability.as_ref().map(|s| s.eigenvalues),
        portrait: stability.as_ref().and_then(|s| s.portrait),
        forces: Named(one(name).map(|n| (n, force_outcome(force.N, force.T))).collect()),
        accelerations: Named(
            one(name)
                .map(|n| (n, AccelerationOutcome { u: acceleration.u.into(), v: acceleration.v.into() }))
                .collect(),
        ),
        reason: report.reason.to_string(),
    }
}

fn force_outcome(normal: f64, tangential: f64) -> ForceOutcome {
    ForceOutcome { normal: normal.into(), tangential: vec![tangential.into()] }
}

/// Lift-off is stable [CV16 section 4.1]; an inconsistent mode has no equilibrium to be stable.
fn stability_word(report: &ModeReport, stability: Option<&NormalStability>) -> Option<&'static str> {
    if !report.is_consistent() {
        return None;
    }
    Some(match stability.map(|s| s.stability) {
        None | Some(Stability::Stable) => "stable",
        Some(Stability::Unstable) => "unstable",
        Some(Stability::Undecided) => "undecided",
    })
}

fn impact_outcome(
    planar: &Planar,
    laws: &PlanarLaws,
    kinematics: &Kinematics,
    found: &Modes,
    tol: &Tol,
) -> ImpactOutcome {
    let pre = Velocity { u: kinematics.u.value, v: kinematics.v.value };
    let collision = (found.situation == Situation::Approaching)
        .then(|| impact(planar, laws.friction, laws.restitution, pre, tol))
        .flatten();
    let resting = matches!(found.situation, Situation::Resting(_));
    let iwc = resting
        .then(|| impact_without_collision(planar, laws.friction, laws.restitution, pre.u, tol))
        .flatten();
    ImpactOutcome {
        law: laws.restitution.name(),
        restitution: laws.restitution.coefficient().into(),
        pre: collision.map(|c| velocity(c.pre)),
        post: collision.map(|c| velocity(c.post)),
        impulse: collision
            .map(|c| ImpulseOutcome { normal: c.impulse.N.into(), tangential: c.impulse.T.into() }),
        energy_loss: collision.map(|c| c.energy_loss).into(),
        region: collision.and_then(|c| c.region),
        phases: collision.map(|c| phases(&c)).unwrap_or_default(),
        iwc_possible: iwc.is_some(),
        iwc_post: iwc.map(|c| velocity(c.post)),
    }
}

fn velocity(v: Velocity) -> VelocityOutcome {
    VelocityOutcome { u: v.u.into(), v: v.v.into() }
}

fn phases(impact: &Impact) -> Vec<&'static str> {
    [Some(impact.first), impact.second].into_iter().flatten().map(|phase| phase.kind.name()).collect()
}

fn warnings(
    name: &str,
    planar: &Planar,
    laws: &PlanarLaws,
    kinematics: &Kinematics,
    found: &Modes,
    tol: &Tol,
) -> Vec<String> {
    let mut warnings: Vec<String> = found.boundaries.iter().map(|b| format!("contact {name}: {b}")).collect();
    if found.situation == Situation::Penetrating {
        warnings.push(format!(
            "contact {name}: {} (gap {:e})",
            found.situation.describe(),
            kinematics.gap.value
        ));
    }
    let pre = Velocity { u: kinematics.u.value, v: kinematics.v.value };
    let gains = found.situation == Situation::Approaching
        && impact(planar, laws.friction, laws.restitution, pre, tol).is_some_and(|c| c.gains_energy);
    if gains {
        warnings
            .push(format!("contact {name}: Newton's law gains energy in this impact; another law does not"));
    }
    warnings
}
