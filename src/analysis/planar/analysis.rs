//! Everything the theory says about one planar contact at a state, except the searches over configurations: modes,
//! normal stability, impact, chatter, jam. One call, no answer hidden in another.

use super::chatter::{Chatter, Sequence, Trigger, chatter, sequence, trigger};
use super::impact::{Impact, impact, impact_without_collision};
use super::jam::{Jam, Point, jam};
use super::modes::{Modes, modes};
use super::phase::Velocity;
use super::situation::Situation;
use super::stability::{NormalStability, normal_stability};
use crate::analysis::local::{ContactSizes, Local, PlanarModel};
use crate::contact::{Column, ContactError, Hold, Laws, Planar};
use crate::model::Singular;
use crate::num::Tol;
use crate::predict::Outcome;
use std::fmt;

/// The analysis of one planar contact.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanarAnalysis {
    /// The local problem.
    pub planar: Planar,
    /// Modes, verdict, cell, resolution.
    pub modes: Modes,
    /// Normal stability of each of the modes, in their order; none for lift-off.
    pub stability: Vec<Option<NormalStability>>,
    /// The impact, if the contact approaches.
    pub impact: Option<Impact>,
    /// How the impacts go on, if it approaches and is pressed.
    pub sequence: Option<Sequence>,
    /// Impact without collision from this slip, if it can start.
    pub iwc: Option<Impact>,
    /// Chatter at this contact, if it is pressed.
    pub chatter: Option<Chatter>,
    /// Whether reverse chatter can start when slip turns into stick.
    pub trigger: Option<Trigger>,
    /// Dynamic jam, if the contact slips.
    pub jam: Option<Jam>,
    /// What rests on an inequality within tolerance, or is otherwise to be taken with care.
    pub warnings: Vec<String>,
}

/// Why a contact cannot be analysed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlanarError {
    /// M cannot be factored.
    Model(Singular),
    /// The contact's own numbers cannot be used.
    Contact(ContactError),
}

impl From<Singular> for PlanarError {
    fn from(error: Singular) -> Self {
        Self::Model(error)
    }
}

impl From<ContactError> for PlanarError {
    fn from(error: ContactError) -> Self {
        Self::Contact(error)
    }
}

impl fmt::Display for PlanarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(Singular::MassMatrix { coordinate, pivot }) => {
                write!(f, "M is not positive definite: pivot {pivot} at coordinate {coordinate}")
            }
            Self::Model(Singular::Constraints { constraint, pivot }) => {
                write!(f, "the constraints are dependent: pivot {pivot} at constraint {constraint}")
            }
            Self::Contact(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for PlanarError {}

/// Analyses a planar contact at a state; `sizes` say against what its gap, its rates and its accelerations count as zero.
///
/// # Errors
/// [`PlanarError`] if M cannot be factored or the contact point cannot move in every direction.
pub fn planar_analysis<M: PlanarModel>(
    model: &M,
    laws: &Laws,
    point: Point<'_>,
    sizes: &ContactSizes,
    tol: &Tol,
) -> Result<PlanarAnalysis, PlanarError> {
    let local = model.local(point.t, point.q, point.v)?.at_least(sizes);
    let planar = local.planar().validated()?;
    laws.restitution.validated()?;
    let kinematics = local.kinematics(sizes.gap);
    let modes = modes(&planar, laws.friction, &kinematics, tol);
    let slips = matches!(modes.situation, Situation::Resting(Column::I | Column::III));
    let jam = if slips { Some(jam(model, laws.friction, point, &local, tol)?) } else { None };
    let mut analysis = on_numbers(&planar, laws, &local, modes, tol);
    analysis.jam = jam;
    analysis.warnings = warnings(&analysis);
    Ok(analysis)
}

/// All that needs no more than the contact's numbers.
fn on_numbers(planar: &Planar, laws: &Laws, local: &Local<f64>, modes: Modes, tol: &Tol) -> PlanarAnalysis {
    let Laws { friction, restitution, compliance, hold, .. } = *laws;
    let pre = Velocity { u: local.u, v: local.v };
    let collides = modes.situation == Situation::Approaching && hold == Hold::Unilateral;
    let column = match modes.situation {
        Situation::Resting(column) => Some(column),
        Situation::Apart | Situation::Separating | Situation::Approaching | Situation::Penetrating => None,
    };
    let slips = matches!(column, Some(Column::I | Column::III)) && hold == Hold::Unilateral;
    let iwc = if slips { impact_without_collision(planar, friction, restitution, pre.u, tol) } else { None };
    let modes = without_impossible_iwc(modes, iwc.as_ref());
    let stability =
        modes.modes.iter().map(|mode| normal_stability(planar, friction, mode, compliance, tol)).collect();
    PlanarAnalysis {
        planar: *planar,
        stability,
        impact: if collides { impact(planar, friction, restitution, pre, tol) } else { None },
        sequence: if collides { sequence(planar, friction, restitution, pre, tol) } else { None },
        iwc,
        chatter: unilateral(hold, chatter(planar, friction, restitution, tol)),
        trigger: unilateral(hold, trigger(planar, friction, restitution, tol)),
        jam: None,
        modes,
        warnings: Vec::new(),
    }
}

/// A contact that is held closed has no impacts.
fn unilateral<T>(hold: Hold, answer: Option<T>) -> Option<T> {
    answer.filter(|_| hold == Hold::Unilateral)
}

/// What can follow depends on the restitution law: Newton's has no impact without collision, v⁺ = −e·0.
fn without_impossible_iwc(mut modes: Modes, iwc: Option<&Impact>) -> Modes {
    modes.resolved.retain(|outcome| *outcome != Outcome::Iwc || iwc.is_some());
    modes
}

fn warnings(analysis: &PlanarAnalysis) -> Vec<String> {
    let mut found: Vec<String> =
        analysis.modes.boundaries.iter().map(|boundary| boundary.to_string()).collect();
    match analysis.modes.situation {
        Situation::Penetrating | Situation::Approaching => {
            found.push(analysis.modes.situation.describe().to_string());
        }
        Situation::Apart | Situation::Separating | Situation::Resting(_) => {}
    }
    if analysis.impact.is_some_and(|hit| hit.gains_energy) {
        found.push("Newton's restitution law gains energy in this impact".to_string());
    }
    found
}
