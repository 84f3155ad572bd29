//! What is said about a state in which one planar contact decides what happens next: modes, verdict, resolution,
//! cell, normal stability and impact, in the shape of the machine-readable output.

use super::bilateral::{Bilateral, BilateralMode};
use super::chatter::{Chatter, ChatterKind, Sequence, Trigger};
use super::contact_rest::contact_equilibrium;
use super::equilibrium::Equilibrium;
use super::impact::{Impact, Velocity};
use super::jam::{Jam, Point};
use super::local::ContactView;
use super::modes::ModeReport;
use super::noslip::{ConeExit, Separation, Span, stick_motion};
use super::number::{Named, Number};
use super::planar::{Hold, Laws, PlanarAnalysis, PlanarError, planar_analysis};
use super::stability::{Complex, NormalStability, Portrait, Stability};
use crate::contact::Mode;
use crate::model::State;
use crate::num::Tol;
use serde::Serialize;

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
    /// −v⁺/v⁻ of the whole impact; where the contact rests, that of chatter.
    pub effective_restitution: Number,
    /// Whether chatter at this contact grows instead of dying out.
    pub reverse_chatter: bool,
    /// Whether reverse chatter can start when slip turns into stick.
    pub reverse_chatter_trigger: Option<Trigger>,
    /// How the impacts go on.
    pub chatter: Option<Sequence>,
}

/// The cell of Tables 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CellOutcome {
    /// `i` to `vi`.
    pub row: &'static str,
    /// `I` to `III`.
    pub column: &'static str,
}

/// Where a motion without slip ends, within the time that is looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StickOutcome {
    /// Time that was looked at.
    pub horizon: Number,
    /// Where the friction cone is left, and in which direction slip begins.
    pub cone_exit: Option<ConeExit>,
    /// Where the normal force would vanish, friction being unlimited, and whether release contradicts it.
    pub separation: Option<Separation>,
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
    /// Dynamic jam at each slipping contact.
    pub jam: Named<Jam>,
    /// The equilibrium that the state is, if it is one, and its stability.
    pub equilibrium: Option<Equilibrium>,
    /// The sticking motion from a state that moves without slip: where it ends.
    pub no_slip: Option<StickOutcome>,
}

/// The prospect of one contact, and what its reader should be careful about. A contact that cannot move in every
/// direction (a point on a rail) has no prospect; a warning says so.
pub(super) fn prospect(
    name: &str,
    view: &ContactView<'_>,
    laws: &Laws,
    state: &State,
    length: f64,
) -> (Prospect, Vec<String>) {
    let tol = Tol::default();
    let point = Point { t: state.t, q: &state.q, v: &state.v };
    match planar_analysis(view, laws, point, length, &tol) {
        Ok(found) => {
            let warnings = found.warnings.iter().map(|w| format!("contact {name}: {w}")).collect();
            let mut prospect = outcome(name, laws, &found);
            prospect.equilibrium = equilibrium_of(view, laws, point, &found, &tol);
            if prospect.equilibrium.is_none() {
                prospect.no_slip = no_slip(view, laws, point, &found, &tol);
            }
            (prospect, warnings)
        }
        Err(PlanarError::Contact(error)) => (
            Prospect::default(),
            vec![format!("contact {name}: what can happen next is not analysed: {error}")],
        ),
        Err(PlanarError::Model(_)) => (Prospect::default(), Vec::new()),
    }
}

/// Only a contact that rests can be an equilibrium.
fn equilibrium_of(
    view: &ContactView<'_>,
    laws: &Laws,
    point: Point<'_>,
    found: &PlanarAnalysis,
    tol: &Tol,
) -> Option<Equilibrium> {
    let resting = matches!(found.modes.situation, super::Situation::Resting(_));
    let equilibrium = contact_equilibrium(view, laws.friction, laws.restitution, point, tol).ok().flatten();
    equilibrium.filter(|_| resting)
}

/// The sticking motion from a contact at rest whose stick is consistent; nothing if it cannot be integrated.
fn no_slip(
    view: &ContactView<'_>,
    laws: &Laws,
    point: Point<'_>,
    found: &PlanarAnalysis,
    tol: &Tol,
) -> Option<StickOutcome> {
    let sticks = found.modes.modes.iter().any(|m| m.mode == Mode::Stick && m.is_consistent());
    if !sticks || laws.hold == Hold::Bilateral {
        return None;
    }
    let span = Span { duration: STICK_HORIZON, samples: STICK_SAMPLES };
    let tol = Tol { motion: STICK_ERROR, ..*tol };
    let motion = stick_motion(view, laws.friction, point, span, &tol).ok()?;
    Some(StickOutcome {
        horizon: STICK_HORIZON.into(),
        cone_exit: motion.cone_exit,
        separation: motion.separation,
    })
}

/// Seconds of sticking motion that are looked at, and into how many samples they are cut.
const STICK_HORIZON: f64 = 2.0;
const STICK_SAMPLES: usize = 40;

/// Error per step of that motion: far below the digits of a report.
const STICK_ERROR: f64 = 1e-10;

fn outcome(name: &str, laws: &Laws, found: &PlanarAnalysis) -> Prospect {
    let modes = match &found.bilateral {
        Some(held) => held.modes.iter().map(|m| bilateral_outcome(name, m)).collect(),
        None => {
            let pairs = found.modes.modes.iter().zip(&found.stability);
            pairs.map(|(m, s)| mode_outcome(name, m, s.as_ref())).collect()
        }
    };
    Prospect {
        modes,
        verdict: found.bilateral.as_ref().map(|held: &Bilateral| held.verdict).or(found.modes.verdict),
        resolved: match &found.bilateral {
            Some(held) => held.modes.iter().map(|m| m.mode.name()).collect(),
            None => found.modes.resolved.iter().map(|o| o.name()).collect(),
        },
        table: found
            .modes
            .cell
            .filter(|_| found.bilateral.is_none())
            .map(|c| CellOutcome { row: c.row.name(), column: c.column.name() }),
        impact: Named(vec![(name.to_string(), impact_outcome(laws, found))]),
        jam: Named(found.jam.iter().map(|jam| (name.to_string(), *jam)).collect()),
        equilibrium: None,
        no_slip: None,
    }
}

fn one<T>(name: &str, value: T) -> Named<T> {
    Named(vec![(name.to_string(), value)])
}

fn mode_outcome(name: &str, report: &ModeReport, stability: Option<&NormalStability>) -> ModeOutcome {
    let (force, acceleration) = (report.force, report.acceleration);
    ModeOutcome {
        mode: one(name, report.mode.name()),
        consistent: report.is_consistent(),
        marginal: report.consistency == super::Consistency::Marginal,
        normal_stability: stability_word(report, stability),
        normal_eigenvalues: stability.map(|s| s.eigenvalues),
        portrait: stability.and_then(|s| s.portrait),
        forces: one(name, force_outcome(force.N, force.T)),
        accelerations: one(name, AccelerationOutcome { u: acceleration.u.into(), v: acceleration.v.into() }),
        reason: report.reason.to_string(),
    }
}

/// A motion of a contact that is held closed: only consistent ones are listed.
fn bilateral_outcome(name: &str, found: &BilateralMode) -> ModeOutcome {
    let (force, acceleration) = (found.force, found.acceleration);
    ModeOutcome {
        mode: one(name, found.mode.name()),
        consistent: true,
        marginal: false,
        normal_stability: None,
        normal_eigenvalues: None,
        portrait: None,
        forces: one(name, force_outcome(force.N, force.T)),
        accelerations: one(name, AccelerationOutcome { u: acceleration.u.into(), v: acceleration.v.into() }),
        reason: "the contact is held closed by a normal force of either sign".to_string(),
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

fn impact_outcome(laws: &Laws, found: &PlanarAnalysis) -> ImpactOutcome {
    let collision = found.impact.as_ref();
    let chatter: Option<&Chatter> = found.chatter.as_ref();
    ImpactOutcome {
        law: laws.restitution.name(),
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

fn phases(impact: &Impact) -> Vec<&'static str> {
    [Some(impact.first), impact.second].into_iter().flatten().map(|phase| phase.kind.name()).collect()
}
