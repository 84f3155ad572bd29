//! What errors are measured against: a closed form where there is one; else the motion from event to event at its limit, and where
//! the contact's own law and Moreau's rule of impact are not the same, or that motion does not go on, event capturing at its limit.
//! The error of the latter two is the difference to a run with less accuracy.

use super::run::rows;
use crate::contact::Hold;
use crate::model::Model;
use crate::num::Tol;
use crate::pipeline::simulate::ask::{SimulateOptions, Simulation};
use crate::pipeline::simulate::captured;
use crate::pipeline::{Failure, FileFault, Loaded};
use crate::simulate::converge::{Reference, ReferenceKind, Tracer, captured_pieces, closed_form, measure};
use crate::simulate::integrate::Exact;
use crate::simulate::trajectory::{Status, Trajectory};

/// Rows of the motion from event to event.
const ROWS: usize = 20_001;
/// Its accuracy, in roundings, and that of the run that it is compared with.
const ACCURACY: [f64; 2] = [500.0 * f64::EPSILON, 5000.0 * f64::EPSILON];
/// Steps of the captured motion, and of the run that it is compared with; the method.
const STEPS: [f64; 2] = [4096.0, 2048.0];
const METHOD: &str = "herk-6";

pub(super) struct Found {
    pub(super) reference: Reference,
    pub(super) warnings: Vec<String>,
}

/// The reference of a motion.
///
/// # Errors
/// [`FileFault::NoReference`] if the motion does not reach its end.
pub(super) fn reference(
    loaded: &Loaded,
    model: &Model,
    simulation: &Simulation,
    motion: &SimulateOptions,
) -> Result<Found, Failure> {
    if let Some(reference) = exact(loaded, model, simulation, motion) {
        return Ok(Found { reference, warnings: Vec::new() });
    }
    let tracer = Tracer::new(model, &simulation.start.state.parameters, &simulation.subject.names.contacts);
    let [fine, coarse] = ACCURACY.map(|rtol| {
        let options = SimulateOptions { rtol: Some(rtol), samples: Some(ROWS), ..motion.clone() };
        simulation.run(&options).map(|ending| ending.trajectory)
    });
    let (fine, coarse) = (fine?, coarse?);
    let unlike = tracer.disagreement(&fine, &simulation.start.laws);
    let warning = match (fine.status, coarse.status, unlike) {
        (Status::End, Status::End, None) => {
            let reference = traced(&tracer, &fine, &coarse, simulation.start.state.q.len());
            return Ok(Found { reference, warnings: Vec::new() });
        }
        (Status::End, Status::End, Some(t)) => format!(
            "at the impact at t = {t} Moreau's rule and the contact's own law have different velocities after it: the reference \
             is event capturing at its limit, and `event` converges to another motion"
        ),
        (status, other, _) => {
            let ended = if status == Status::End { other } else { status };
            format!(
                "the motion from event to event ends with status {}: the reference is event capturing at its limit",
                ended.name()
            )
        }
    };
    let reference = by_capturing(loaded, simulation, motion, &fine)?;
    let n = simulation.start.state.q.len();
    if unlike.is_some() && are_alike(&tracer, (&fine, n), &reference) {
        return Ok(Found { reference: traced(&tracer, &fine, &coarse, n), warnings: Vec::new() });
    }
    Ok(Found { reference, warnings: vec![warning] })
}

/// Whether an impact that seemed to differ left the motion as it is: where infinitely many end, the last are below what counts.
fn are_alike(tracer: &Tracer<'_>, (followed, n): (&Trajectory, usize), captured: &Reference) -> bool {
    let path = tracer.path(followed);
    let size = path.points.iter().flat_map(|point| &point.q[..n]).fold(0.0, |size: f64, q| size.max(q.abs()));
    measure(&path, captured)[0].uniform.0 <= Tol::default().listed * size
}

/// The closed form, of one contact without friction.
fn exact(
    loaded: &Loaded,
    model: &Model,
    simulation: &Simulation,
    motion: &SimulateOptions,
) -> Option<Reference> {
    let start = &simulation.start;
    let [law] = &start.laws[..] else { return None };
    let lifted = loaded.mechanism.contacts.iter().any(|contact| contact.active.is_some());
    if !law.friction.is_zero() || law.hold == Hold::Bilateral || lifted {
        return None;
    }
    closed_form(model, &start.state, law.restitution.coefficient(), motion.t_end)
}

fn traced(tracer: &Tracer<'_>, fine: &Trajectory, coarse: &Trajectory, n: usize) -> Reference {
    let reference = |error: f64| Reference::new(ReferenceKind::Converged, error, tracer.pieces(fine));
    let [q, v] = measure(&rows(coarse, n, false), &reference(0.0));
    reference(q.uniform.0.max(v.l1.0))
}

fn by_capturing(
    loaded: &Loaded,
    simulation: &Simulation,
    motion: &SimulateOptions,
    followed: &Trajectory,
) -> Result<Reference, Failure> {
    let refused = |reason: Option<String>| {
        let reason = reason.unwrap_or_else(|| followed.status.name().to_string());
        Failure::file(&loaded.source.name, FileFault::NoReference { reason })
    };
    let method = Exact::named(METHOD).ok_or_else(|| refused(None))?;
    let span = motion.t_end - simulation.start.state.t;
    let run = |steps: f64| {
        let options = SimulateOptions { step: Some(span / steps), ..motion.clone() };
        captured::run(&simulation.subject, &simulation.motions, &simulation.start, method, &options)
    };
    let (fine, coarse) = (run(STEPS[0])?, run(STEPS[1])?);
    for found in [&fine, &coarse] {
        if found.trajectory.status != Status::End {
            return Err(refused(found.trajectory.reason.clone()));
        }
    }
    let reference = |error: f64| Reference::new(ReferenceKind::Converged, error, captured_pieces(&fine.path));
    let [q, v] = measure(&coarse.path, &reference(0.0));
    Ok(reference(q.uniform.0.max(v.l1.0)))
}
