//! What was found about an incremental problem as data: `mechan.solution/1`, written and read back.

use super::SolvedView;
use super::words::{is_overruled, solution_warnings};
use crate::analysis::this_schema;
use crate::answer::{Answer, rests_on_rounding};
use crate::coulomb::{Faceted, Status};
use crate::enumerate::{Border, Enumeration, Family, Mode, Point};
use crate::existence::{Conclusion, ExistenceOutcome};
use crate::num::{Number, Tol, numbers};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// The `schema` of a solution.
pub const SOLUTION_SCHEMA: &str = "mechan.solution/1";

/// A problem's best point and what is proven about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolutionOutcome {
    /// [`SOLUTION_SCHEMA`].
    #[serde(deserialize_with = "solution_schema")]
    pub schema: Cow<'static, str>,
    /// Name of the problem.
    pub problem: String,
    /// How it ended, for Coulomb's law.
    pub status: Answer,
    /// The solver that found the point.
    pub solver: Cow<'static, str>,
    /// Iterations of all solvers tried.
    pub iterations: usize,
    /// Natural map, relative.
    pub residual: Number,
    /// Natural map.
    pub residual_absolute: Number,
    /// Backward error of the whole, without units.
    pub backward_error: Number,
    /// That of the worst contact.
    pub contact_error: Number,
    /// Time of the solver alone; undefined where there is no clock.
    pub time_seconds: Number,
    /// Velocities of the contacts, in the problem's order.
    pub u: Vec<Number>,
    /// Generalized velocities.
    pub v: Vec<Number>,
    /// Forces (impulses), in the problem's order.
    pub r: Vec<Number>,
    /// What each contact does.
    pub contacts: Vec<Status>,
    /// What is proven about existence.
    pub existence: StepExistence,
    /// Why there is no solution, in words, if that is proven.
    pub no_solution_because: Option<String>,
    /// What the reader should be careful about.
    pub warnings: Vec<String>,
    /// The other law that was solved, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faceted: Option<FacetedOutcome>,
    /// The proof that there is no solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refutation: Option<Value>,
    /// Names of a mechanism's contacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contact_names: Vec<String>,
    /// All solutions, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solutions: Option<Vec<FamilyOutcome>>,
    /// Whether the list has them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The record of the search, by which a reader can check that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Value>,
}

/// What is proven about existence, with the time step of the problem, if one is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepExistence {
    /// h, s.
    pub h: Option<f64>,
    /// The verdicts.
    #[serde(flatten)]
    pub existence: ExistenceOutcome,
}

/// How well the point solves the law of a pyramid inside the friction cone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FacetedOutcome {
    /// Facets of the pyramid.
    pub facets: usize,
    /// `solved` or `not_converged`.
    pub status: Answer,
    /// Residual by that law, relative.
    pub residual: Number,
    /// The same as it is.
    pub residual_absolute: Number,
}

/// One solution, or a family of them by its extreme points and rays; u, v, r are those of its centre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyOutcome {
    /// Velocities of the contacts.
    pub u: Vec<Number>,
    /// Generalized velocities.
    pub v: Vec<Number>,
    /// Forces.
    pub r: Vec<Number>,
    /// Whether it solves the problem within the tolerance only; of what dimension its like are is not known then.
    pub border: bool,
    /// Whether it holds to rounding only: its forces are so large that a rounding of W r outweighs the velocities.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_rounding: bool,
    /// What each contact does: `take-off`, `stick`, `slip+`, `slip-`.
    pub contacts: Vec<Cow<'static, str>>,
    /// Dimension of the set of forces.
    pub dimension: Option<usize>,
    /// Dimension of the set of velocities.
    pub motion_dimension: Option<usize>,
    /// Extreme points.
    pub vertices: Vec<PointOutcome>,
    /// Extreme rays.
    pub rays: Vec<PointOutcome>,
}

/// Velocities and forces that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointOutcome {
    /// Velocities of the contacts.
    pub u: Vec<Number>,
    /// Forces.
    pub r: Vec<Number>,
}

fn solution_schema<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    this_schema(SOLUTION_SCHEMA, deserializer)
}

impl SolutionOutcome {
    /// The outcome as data.
    pub fn of(view: &SolvedView<'_>) -> Self {
        let solution = view.solution;
        Self {
            schema: SOLUTION_SCHEMA.into(),
            problem: view.problem.name().to_string(),
            status: view.status,
            solver: solution.solver.into(),
            iterations: solution.iterations,
            residual: solution.residual.relative.into(),
            residual_absolute: solution.residual.absolute.into(),
            backward_error: solution.backward_error.whole.into(),
            contact_error: solution.backward_error.single.into(),
            time_seconds: view.seconds.into(),
            u: numbers(&solution.u),
            v: numbers(&solution.v),
            r: numbers(&solution.r),
            contacts: solution.statuses.clone(),
            existence: existence_of(view),
            no_solution_because: view.refutation.map(ToString::to_string),
            warnings: solution_warnings(view),
            faceted: view.faceted.map(FacetedOutcome::of),
            refutation: view.refutation.map(|refutation| refutation.to_json()),
            contact_names: view.labels().to_vec(),
            solutions: view.enumeration.map(|all| families(all, view)),
            complete: view.enumeration.map(|all| all.complete),
            proof: view.enumeration.filter(|_| view.refutation.is_none()).map(|all| all.proof.to_json()),
        }
    }
}

impl FacetedOutcome {
    fn of(law: Faceted) -> Self {
        Self {
            facets: law.facets,
            status: if law.is_solved() { Answer::Solved } else { Answer::NotConverged },
            residual: law.residual.relative.into(),
            residual_absolute: law.residual.absolute.into(),
        }
    }
}

/// What follows from assumptions that hold rests on a condition, which a refutation shows to fail.
fn existence_of(view: &SolvedView<'_>) -> StepExistence {
    let mut existence = ExistenceOutcome::from(view.existence);
    if is_overruled(view) {
        existence.conclusion = Conclusion::Open;
    }
    StepExistence { h: view.step.map(|step| step.h), existence }
}

fn families(all: &Enumeration, view: &SolvedView<'_>) -> Vec<FamilyOutcome> {
    let exact = all.families.iter().map(|found| family(found, view));
    exact.chain(all.border.iter().map(|found| border(found, view))).collect()
}

fn family(found: &Family, view: &SolvedView<'_>) -> FamilyOutcome {
    let points = |list: &[Point]| list.iter().map(PointOutcome::of).collect();
    FamilyOutcome {
        border: false,
        to_rounding: found.rests_on_last_digits(&Tol::default()),
        dimension: Some(found.dimension),
        motion_dimension: Some(found.motion_dimension),
        vertices: points(&found.vertices),
        rays: points(&found.rays),
        ..at(&found.centre(), &found.modes, view)
    }
}

fn border(found: &Border, view: &SolvedView<'_>) -> FamilyOutcome {
    at(&found.point, &found.modes, view)
}

/// A point of whose like nothing is known.
fn at(point: &Point, modes: &[Mode], view: &SolvedView<'_>) -> FamilyOutcome {
    let v = view.problem.generalized_velocity(&point.r).unwrap_or_default();
    FamilyOutcome {
        u: numbers(&point.u),
        v: numbers(&view.step.map_or(v.clone(), |step| step.velocity(&v))),
        r: numbers(&point.r),
        border: true,
        to_rounding: rests_on_rounding(view.problem, &point.u, &point.r),
        contacts: modes.iter().map(|mode| mode.word().into()).collect(),
        dimension: None,
        motion_dimension: None,
        vertices: Vec::new(),
        rays: Vec::new(),
    }
}

impl PointOutcome {
    fn of(point: &Point) -> Self {
        Self { u: numbers(&point.u), r: numbers(&point.r) }
    }
}
