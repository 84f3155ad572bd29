//! Why a motion could not go on.

use crate::analysis::Names;
use crate::answer::{Study, solve};
use crate::coulomb::{Problem, Request};
use crate::simulate::trajectory::{Status, StopReason};
use crate::stepping::{Point, StepError, Weak};

/// How a motion ends at a step that failed; where the contact problem of the step has no solution, with the proof in words, where M is nearly
/// singular, with that.
pub(super) fn refused(error: &StepError, problem: Option<&Problem>, weak: Option<String>) -> StopReason {
    let proof = match (error, problem) {
        (StepError::Unsolved { .. }, Some(problem)) => proof(problem),
        _ => None,
    };
    match proof {
        Some(proof) => {
            (Status::Inconsistent, Some(format!("the contact problem of the step has no solution: {proof}")))
        }
        None => {
            let reason = weak.map_or_else(|| error.to_string(), |weak| format!("{error}; {weak}"));
            (Status::Failed, Some(reason))
        }
    }
}

/// That coordinates nearly fail to determine the motion at a point, in words, and what to do.
pub(super) fn in_words(weak: &Weak, point: &Point, names: &Names) -> String {
    let name = |i: &usize| names.coordinates[*i].clone();
    let places =
        weak.at.iter().map(|i| format!("{} = {}", name(i), point.q[*i])).collect::<Vec<_>>().join(", ");
    let alike = weak.alike.iter().map(name).collect::<Vec<_>>().join(" and ");
    format!(
        "at {places} {} moves the mechanism nearly as {alike} does (of its inertia {:.1e} is left), as Euler angles do near a pole, where \
         they do not determine the attitude: describe the body by angles about other axes or begin at another attitude; a shorter --step \
         helps unless the motion leads through the pole",
        name(&weak.coordinate),
        weak.left
    )
}

/// Why a problem has no solution, if that is proven and the proof holds.
fn proof(problem: &Problem) -> Option<String> {
    let solution = solve(problem, &Request::default()).ok()?;
    let refutation = Study::of(problem, solution, None).refutation?;
    refutation.verify(problem).then(|| refutation.to_string())
}
