//! The motion with regularised contacts, and what follows a state as they become rigid.

use super::ask::{SimulateOptions, Simulation};
use super::subject::{Start, Subject, note_interrupt};
use crate::model::Model;
use crate::num::halt;
use crate::pipeline::{Failure, FileFault, Loaded, Positive, Usage};
use crate::simulate::compliant::{Compliant, Options, Scene, Study, Trials, factor_grid};
use crate::simulate::trajectory::{RowFunction, Trajectory};
use serde::Serialize;

/// Version of the shape of a study.
pub(crate) const STUDY_SCHEMA: &str = "mechan.compliance/1";

/// Factors of the stiffness and of the damping of each contact that a study tries.
const STIFFNESS: [f64; 2] = [1.0, 4.0];
const DAMPING: [f64; 3] = [0.25, 1.0, 4.0];

/// What follows a state as its contacts become rigid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComplianceStudy {
    /// `mechan.compliance/1`.
    pub schema: &'static str,
    /// Name of the mechanism.
    pub mechanism: String,
    /// Name of the state.
    pub state: String,
    /// ε, falling.
    pub eps: Vec<f64>,
    /// What the reader should know of the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The runs, by compliance and start.
    #[serde(flatten)]
    pub study: Study,
}

/// The compliant motion from a start, with the one ε of the options.
pub(super) fn run(
    loaded: &Loaded,
    subject: &Subject,
    motions: &Compliant,
    start: &Start,
    options: &SimulateOptions,
) -> Result<Trajectory, Failure> {
    let eps = match options.eps[..] {
        [eps] => Positive::Eps.checked(eps)?,
        _ => return Err(Usage::Eps { found: options.eps.len() }.into()),
    };
    start.check_end(options)?;
    let parameters = &start.state.parameters;
    let stop = subject.stop.as_ref().map(|stop| stop.at(parameters));
    let stop = stop.as_ref().map(|stop| stop as RowFunction<'_>);
    let asked = Options { stop, times: options.times(), ..asked(options, eps) };
    let found = subject.beginning(start, |begin| motions.run(begin, &asked));
    let refused = |error| Failure::file(&loaded.source.name, FileFault::Compliant(error));
    let mut trajectory = found.map_err(refused)?.trajectory;
    start.add_notes(&mut trajectory);
    note_interrupt(&mut trajectory);
    Ok(trajectory)
}

/// What follows a state for all ε of the options, several stiffnesses and dampings, and starts that tell.
///
/// # Errors
/// As [`simulate`](super::simulate).
pub fn compliance_study(
    loaded: &Loaded,
    model: &Model,
    options: &SimulateOptions,
) -> Result<ComplianceStudy, Failure> {
    options.check_scheme()?;
    let Simulation { subject, start, .. } = Simulation::new(loaded, model, options)?;
    start.check_end(options)?;
    let mut eps = options.eps.clone();
    eps.iter().try_for_each(|&eps| Positive::Eps.checked(eps).map(drop))?;
    eps.sort_by(|a, b| b.total_cmp(a));
    let compliant = Compliant::new(model).compiled();
    let refused = |error| Failure::file(&loaded.source.name, FileFault::Compliant(error));
    let singular = |error| Failure::file(&loaded.source.name, FileFault::Singular(error));
    let factors = factor_grid(start.laws.len(), &STIFFNESS, &DAMPING);
    let asked = asked(options, eps[0]);
    let study = subject.beginning(&start, |begin| {
        let starts = compliant.telling_starts(begin).map_err(singular)?;
        let trials = Trials { eps: &eps, factors: &factors, starts: &starts };
        compliant.study(begin, &asked, &trials).map_err(refused)
    })?;
    if halt::is_wanted() {
        // the runs that were cut short say nothing
        return Err(Failure::Interrupted { what: "a whole study" });
    }
    Ok(ComplianceStudy {
        schema: STUDY_SCHEMA,
        mechanism: subject.mechanism.clone(),
        state: start.name.clone(),
        eps,
        warnings: start.notes,
        study,
    })
}

/// The fast dynamics of the one closed contact of a start.
pub(super) fn scene(
    loaded: &Loaded,
    model: &Model,
    (subject, start): (&Subject, &Start),
) -> Result<Option<Scene>, Failure> {
    let found = subject.beginning(start, |begin| Compliant::new(model).scene(begin));
    found.map_err(|error| Failure::file(&loaded.source.name, FileFault::Singular(error)))
}

fn asked<'a>(options: &SimulateOptions, eps: f64) -> Options<'a> {
    let usual = Options::new(eps, options.t_end);
    Options {
        rtol: options.rtol.unwrap_or(usual.rtol),
        samples: options.samples.unwrap_or(usual.samples),
        steps: options.limits.steps,
        events: options.limits.events,
        ..usual
    }
}
