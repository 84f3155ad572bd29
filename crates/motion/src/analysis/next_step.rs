//! The next time step as an incremental Coulomb problem: does it have a solution, how many, and which   [AC11 (4.18)].
//!
//! The assumptions of the existence theory see the contacts' directions and friction only; the step h enters the
//! solutions. Impacts are inelastic in this scheme, and the contacts are those of the configuration at the beginning.

use super::by_name::ByName;
use crate::answer::{Answer, Study, settle_in, solve_listed};
use crate::coulomb::{ProblemError, Request, Session, Start};
use crate::enumerate::{Border, Enumeration, Family, Limits, enumerate};
use crate::existence::ExistenceOutcome;
use crate::num::{Number, numbers};
use crate::stepping::{Step, StepInput, StepModel};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What is said about the next time step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextStep {
    /// The step, s.
    pub h: Number,
    /// What is proven about existence.
    #[serde(flatten)]
    pub existence: ExistenceOutcome,
    /// The best point found.
    pub solution: StepSolution,
    /// All solutions, in the plane with few contacts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<StepFamily>>,
    /// Whether the list of solutions is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
}

/// A point at the end of the step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepSolution {
    /// How it ended.
    pub status: Answer,
    /// The solver that found it.
    pub solver: Cow<'static, str>,
    /// Relative residual.
    pub residual: Number,
    /// Velocities at the end of the step.
    pub v: ByName<Number>,
    /// The closed contacts.
    pub contacts: ByName<StepContact>,
}

/// A contact at the end of the step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepContact {
    /// `take-off`, `stick` or `slip`; in a list of all solutions of the plane `slip+` or `slip-`.
    pub status: Cow<'static, str>,
    /// Velocity N, T (T1, T2).
    pub u: Vec<Number>,
    /// Impulse of the step, likewise.
    pub r: Vec<Number>,
}

/// A solution, or a convex set of them by its centre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepFamily {
    /// The closed contacts, at the centre of the set.
    pub contacts: ByName<StepContact>,
    /// Whether it solves the problem within the tolerance only: the numbers exactly as they stand have no solution there.
    pub border: bool,
    /// Dimension of the set of impulses: 0 if they are unique; not known of a border case.
    pub dimension: Option<usize>,
    /// Dimension of the set of velocities.
    pub motion_dimension: Option<usize>,
    /// Extreme points of the set of impulses.
    pub vertices: usize,
    /// Its extreme rays: impulses that can grow without bound.
    pub rays: usize,
}

/// The names of a mechanism's coordinates and contacts.
#[derive(Clone, Copy, Debug)]
pub struct StepNames<'a> {
    /// Coordinates.
    pub coordinates: &'a [String],
    /// Contacts.
    pub contacts: &'a [String],
}

/// The next step of a mechanism at a state.
///
/// # Errors
/// [`ProblemError`] as [`Step::new`].
pub fn next_step(input: &StepInput<'_>, names: StepNames<'_>) -> Result<NextStep, ProblemError> {
    let step = Step::new(StepModel::Dynamics, input)?;
    let mut session = Session::new(&step.problem, Request::default())?;
    let all = solve_listed(&mut session, Start::Cold).or_else(|| {
        let mut all = enumerate(&step.problem, Limits::default()).ok()?;
        settle_in(&mut session, &mut all);
        Some(all)
    });
    let study = Study::of(&step.problem, session.into_solution(), all.as_ref());
    let contacts = Contacts { names: names.contacts, step: &step };
    Ok(NextStep {
        h: input.step.into(),
        solution: solution(&study, &contacts, names.coordinates),
        complete: all.as_ref().map(|all| all.complete),
        solutions: all.as_ref().map(|all| families(all, &contacts)),
        existence: (&study.existence).into(),
    })
}

fn solution(study: &Study, contacts: &Contacts<'_>, coordinates: &[String]) -> StepSolution {
    let best = &study.solution;
    let v = numbers(&contacts.step.velocity(&best.v));
    StepSolution {
        status: study.answer(),
        solver: best.solver.into(),
        residual: best.residual.relative.into(),
        v: ByName::new(coordinates.iter().map(String::as_str), v),
        contacts: contacts.named(best.statuses.iter().map(|s| s.word()), &best.u, &best.r),
    }
}

fn families(all: &Enumeration, contacts: &Contacts<'_>) -> Vec<StepFamily> {
    let family = |family: &Family| {
        let centre = family.centre();
        StepFamily {
            contacts: contacts.named(family.modes.iter().map(|m| m.word()), &centre.u, &centre.r),
            border: false,
            dimension: Some(family.dimension),
            motion_dimension: Some(family.motion_dimension),
            vertices: family.vertices.len(),
            rays: family.rays.len(),
        }
    };
    let border = |border: &Border| StepFamily {
        contacts: contacts.named(border.modes.iter().map(|m| m.word()), &border.point.u, &border.point.r),
        border: true,
        dimension: None,
        motion_dimension: None,
        vertices: 1,
        rays: 0,
    };
    all.families.iter().map(family).chain(all.border.iter().map(border)).collect()
}

/// The contacts of a step by their names in the mechanism.
struct Contacts<'a> {
    names: &'a [String],
    step: &'a Step,
}

impl Contacts<'_> {
    fn named(&self, words: impl Iterator<Item = &'static str>, u: &[f64], r: &[f64]) -> ByName<StepContact> {
        let dim = self.step.problem.dim();
        let contact = |((status, u), r): ((&'static str, &[f64]), &[f64])| StepContact {
            status: status.into(),
            u: numbers(u),
            r: numbers(r),
        };
        let contacts = words.zip(u.chunks_exact(dim)).zip(r.chunks_exact(dim)).map(contact);
        ByName::new(self.step.contacts.iter().map(|&c| self.names[c].as_str()), contacts)
    }
}
