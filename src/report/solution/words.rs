//! What is proven about a problem, and what to be careful about, in sentences.

use super::{SolvedView, conclusion};
use crate::answer::{Answer, rests_on_rounding};
use crate::coulomb::{Form, Problem};
use crate::enumerate::Enumeration;
use crate::existence::{Conclusion, Examined};
use crate::num::Tol;

/// What the assumptions say about solutions, and on which condition; nothing after a refutation that says more.
pub(super) fn proven(view: &SolvedView<'_>) -> Option<String> {
    let words = conclusion(view.existence.conclusion());
    let refuted = view.refutation.is_some();
    match view.existence.conclusion() {
        Conclusion::Stable | Conclusion::Exists if refuted => Some(OVERRULED.to_string()),
        Conclusion::Stable | Conclusion::Exists => {
            Some(format!("Proven{}: {words}.", condition(view.problem)))
        }
        Conclusion::Impossible if refuted => None,
        Conclusion::Impossible => Some(format!("Proven: {words}.")),
        Conclusion::Open if refuted => None,
        Conclusion::Open => Some(match view.existence.examined {
            Examined::Whole => format!("Open: {words}."),
            Examined::CutShort => {
                "Open: what was proven within the budget does not say whether a solution exists.".to_string()
            }
            Examined::Not => "Open: whether a solution must exist was not looked at.".to_string(),
        }),
    }
}

const OVERRULED: &str = "The assumptions that hold prove a solution for a symmetric positive semidefinite W only: the W given is \
                         none, be it by the rounding of its numbers.";

/// Whether the problem is refuted although assumptions hold that promise a solution on a condition.
pub(super) fn is_overruled(view: &SolvedView<'_>) -> bool {
    let promised = matches!(view.existence.conclusion(), Conclusion::Stable | Conclusion::Exists);
    promised && view.refutation.is_some()
}

/// What the theorems ask of M beyond what has been checked: M of a global problem has been factored; W of a local one
/// is H M⁻¹ Hᵀ only if the file says so rightly.
fn condition(problem: &Problem) -> &'static str {
    match (problem.form(), problem.warnings().is_empty()) {
        (Form::Global(_), true) => "",
        (Form::Global(_), false) => " for a symmetric M (this one is not)",
        (Form::Local(_), true) => ", if W is positive semidefinite",
        (Form::Local(_), false) => " for a symmetric positive semidefinite W (this one is not symmetric)",
    }
}

/// What the reader of a solution should be careful about.
pub fn solution_warnings(view: &SolvedView<'_>) -> Vec<String> {
    let mut warnings: Vec<String> = view.problem.warnings().iter().map(ToString::to_string).collect();
    warnings.extend(view.step.iter().flat_map(|step| step.notes.iter().cloned()));
    warnings.extend(repeated(view.problem));
    if view.status == Answer::Solved {
        let rests = rests_on_rounding(view.problem, &view.solution.u, &view.solution.r);
        warnings.extend(rests.then(|| RESTS.to_string()));
        warnings.extend(contradiction(view).map(|why| {
            format!(
                "{why}; the point given solves the problem within the tolerance only, and may mean nothing"
            )
        }));
    }
    let families = view.enumeration.map_or(&[][..], |all| &all.families);
    if !families.is_empty() && families.iter().all(|family| family.rests_on_last_digits(&Tol::default())) {
        warnings.push(
            "every solution holds to rounding only: W is singular but for its last digits, and the forces are made of them".to_string(),
        );
    }
    warnings.extend((view.status == Answer::Undecided).then(|| hidden(view).to_string()));
    warnings
}

/// Forces that are out of all proportion to the data.
const RESTS: &str = "the solution holds to rounding only: its forces are so large that a rounding of W r outweighs the velocities, as where W is \
                     singular but for rounding; numbers that differ by a rounding, as those in other units do, may have none, or others";

/// What forbids a statement.
fn hidden(view: &SolvedView<'_>) -> &'static str {
    if view.enumeration.is_some_and(|all| !all.families.is_empty()) {
        "undecided: the solutions of the numbers exactly as they stand rest on their last digits; numbers that differ by a \
         rounding, as those in other units do, may have none, or others"
    } else {
        "undecided: the velocities are lost in the rounding of W r"
    }
}

/// Contacts that are the same as others.
fn repeated(problem: &Problem) -> Option<String> {
    let found = problem.repeated_contacts();
    let (first, again) = found.first()?;
    let more = match found.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    Some(format!(
        "contact {again} repeats contact {first}{more}: how they share their force is not determined"
    ))
}

/// A proof that the problem has no solution although a point meets the tolerance.
fn contradiction(view: &SolvedView<'_>) -> Option<&'static str> {
    let none = |all: &Enumeration| all.complete && all.families.is_empty();
    if view.existence.conclusion() == Conclusion::Impossible {
        Some("it is proven that penetration cannot be prevented")
    } else if view.enumeration.is_some_and(none) {
        Some("the search through all contact modes in exact arithmetic finds no solution")
    } else {
        None
    }
}
