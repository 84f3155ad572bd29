//! The main job: everything that is said about the states of a mechanism.

use super::critical::Scope;
use super::states::{Evaluated, parse_overrides, placed_state, select_states};
use super::{Failure, Loaded};
use crate::analysis::{self, Analysis, Compliance, Hold, Laws, StateInput, StateOutcome};
use crate::contact::{ContactError, Friction, Restitution};
use crate::format::{ContactLaw, Mechanism, Override, RestitutionLaw, Space, StateSpec};
use crate::model::{Kernel, Model, Output, Singular, Values};
use crate::num::{Tol, dense};

/// What is asked about a mechanism.
#[derive(Clone, Debug, Default)]
pub struct AnalyzeOptions {
    /// Names of the states; empty: all.
    pub states: Vec<String>,
    /// `name=expr` overrides of parameters, coordinates or `dot(x)`.
    pub set: Vec<String>,
    /// Whether to search the domain for the least friction with dynamic jam.
    pub jam: bool,
    /// The next time step, s; [`DEFAULT_STEP`] if absent.
    pub step: Option<f64>,
    /// Leaves out the next time step, which is most of the work.
    pub without_next_step: bool,
    /// For how long a motion without slip is followed, s; ten times the mechanism's own time if absent.
    pub look_ahead: Option<f64>,
    /// What counts as zero, and how far to search.
    pub tolerances: Tol,
}

/// The next time step if nothing else is said, s.
pub const DEFAULT_STEP: f64 = 1e-3;

/// Analyses the states of a mechanism.
///
/// # Errors
/// [`Failure`] if a state does not exist, does not lie where it claims to, or has a singular mass matrix.
pub fn analyze(loaded: &Loaded, model: &Model, options: &AnalyzeOptions) -> Result<Analysis, Failure> {
    let specs = select_states(loaded, &options.states)?;
    let overrides = parse_overrides(loaded, &options.set)?;
    let step = time_step(options.step)?;
    let step = (!options.without_next_step).then_some(step);
    let times = Times { step, look_ahead: look_ahead(options.look_ahead)? };
    let mechanism = &loaded.mechanism;
    let kernel = model.kernel(&Output::ALL);
    let (scope, tol) = (Scope::new(loaded, model, &overrides)?, &options.tolerances);
    Ok(Analysis {
        schema: analysis::ANALYSIS_SCHEMA,
        mechanism: mechanism.name.clone(),
        title: mechanism.title.clone(),
        description: mechanism.description.clone(),
        space: match mechanism.space {
            Space::Plane => "plane",
            Space::Space => "space",
        },
        critical_friction: scope.as_ref().map(|s| s.critical_friction(tol)).unwrap_or_default(),
        jam_friction: scope.filter(|_| options.jam).map(|s| s.jam_friction(tol)).unwrap_or_default(),
        states: specs
            .into_iter()
            .map(|spec| analyze_state(loaded, &kernel, spec, &overrides, (times, &options.tolerances)))
            .collect::<Result<_, _>>()?,
    })
}

/// Lengths of time that were asked for.
#[derive(Clone, Copy)]
struct Times {
    step: Option<f64>,
    look_ahead: Option<f64>,
}

/// A time for which a motion is followed, if one was asked for.
fn look_ahead(time: Option<f64>) -> Result<Option<f64>, Failure> {
    match time {
        Some(t) if !(t > 0.0 && t.is_finite()) => {
            Err(Failure::Usage(format!("--look-ahead is {t}, expected a number of seconds > 0")))
        }
        time => Ok(time),
    }
}

/// A time step that was asked for, or the usual one.
pub(super) fn time_step(step: Option<f64>) -> Result<f64, Failure> {
    match step.unwrap_or(DEFAULT_STEP) {
        h if h > 0.0 && h.is_finite() => Ok(h),
        h => Err(Failure::Usage(format!("--step is {h}, expected a number of seconds > 0"))),
    }
}

fn analyze_state(
    loaded: &Loaded,
    kernel: &Kernel,
    spec: &StateSpec,
    overrides: &[Override],
    (times, tol): (Times, &Tol),
) -> Result<StateOutcome, Failure> {
    let Evaluated { placed, values, sizes } = placed_state(loaded, kernel, spec, overrides, tol)?;
    let input = StateInput {
        name: &spec.name,
        description: spec.description.as_deref(),
        names: names_of(&loaded.mechanism),
        state: &placed.state,
        sizes: &sizes,
        laws: planar_laws(loaded, &placed.resolved.laws)?,
        closed: &placed.closed,
        step: times.step,
        look_ahead: times.look_ahead,
        tol: *tol,
    };
    analysis::state_outcome(kernel, &values, &input).map_err(|s| singular(loaded, spec, &s, kernel, &values))
}

/// The contact laws in the shape of the analysis.
fn planar_laws(loaded: &Loaded, laws: &[ContactLaw]) -> Result<Vec<Laws>, Failure> {
    let planar = |law: &ContactLaw| -> Result<Laws, ContactError> {
        let restitution = match law.restitution_law {
            RestitutionLaw::Newton => Restitution::Newton(law.restitution),
            RestitutionLaw::Poisson => Restitution::Poisson(law.restitution),
            RestitutionLaw::Energetic => Restitution::Energetic(law.restitution),
        };
        Ok(Laws {
            friction: Friction::new(law.friction)?,
            restitution: restitution.validated()?,
            compliance: Compliance::new(law.stiffness, law.damping)?,
            hold: if law.bilateral { Hold::Bilateral } else { Hold::Unilateral },
        })
    };
    laws.iter()
        .map(planar)
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::File { name: loaded.source.name.clone(), message: error.to_string() })
}

fn names_of(mechanism: &Mechanism) -> analysis::Names {
    analysis::Names {
        coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
        parameters: mechanism.parameters.iter().map(|p| p.name.clone()).collect(),
        contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
    }
}

fn singular(
    loaded: &Loaded,
    spec: &StateSpec,
    singular: &Singular,
    kernel: &Kernel,
    values: &Values<f64>,
) -> Failure {
    let place = format!("{}: state `{}`", loaded.source.name, spec.name);
    Failure::Numbers(match singular {
        Singular::MassMatrix { coordinate, pivot } => {
            let name = &loaded.mechanism.coordinates[*coordinate].name;
            let eigenvalue = least_eigenvalue(kernel, values);
            format!(
                "{place}: the mass matrix is not positive definite: its least eigenvalue is {eigenvalue:e} \
                 (pivot {pivot:e} at coordinate `{name}`); give every coordinate a mass or an inertia"
            )
        }
        Singular::Constraints { constraint, pivot } => {
            let name = &loaded.mechanism.constraints[*constraint].name;
            format!(
                "{place}: constraint `{name}` depends on the ones before it (pivot {pivot:e}); remove it, \
                 or leave the singular configuration"
            )
        }
    })
}

/// NaN if M has an entry that is not finite.
fn least_eigenvalue(kernel: &Kernel, values: &Values<f64>) -> f64 {
    let packed = kernel.block(values, Output::MassMatrix);
    if packed.iter().any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    dense::symmetric_eigenvalues(packed, kernel.layout().coordinates).first().copied().unwrap_or(f64::NAN)
}
