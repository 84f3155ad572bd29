//! The least friction with a paradox at one contact of a mechanism, wherever the contact is closed and the constraints hold.

use super::branch::{Summit, climb, floor};
use super::coordinates::{Plan, Structure};
use super::landscape::regular;
use super::least_of;
use super::mechanism::Mechanism;
use crate::contact::Slip;
use crate::model::{Block, ContactConfiguration, Kernel, Model, Output};
use crate::num::{Dual, Interval, Magnitude, Quantity, Real, Tol};
use crate::tape::Tape;
use serde::{Deserialize, Serialize};

/// A search about one contact.
#[derive(Clone, Debug)]
pub struct CriticalSearch<'m> {
    /// The mechanism.
    pub model: &'m Model,
    /// The contact.
    pub contact: usize,
    /// Contacts that are closed beside it: the bilateral ones.
    pub held: &'m [usize],
    /// Those among them without friction, whose forces follow as those of constraints; forces of the others are left out.
    pub rails: &'m [usize],
    /// All tape inputs: t, q, q̇, parameters.
    pub inputs: &'m [f64],
    /// Ranges of tape inputs: coordinates and parameters of the domain.
    pub ranges: &'m [(usize, Interval)],
}

/// The direction of slip at the least friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlipDirection {
    /// In the plane.
    Plane(Slip),
    /// In space: angle from the contact's first tangent.
    Space(f64),
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CriticalOutcome {
    /// A paradox: its least friction is attained, and bounded from below.
    Paradox,
    /// There is no paradox up to the highest friction that is asked about: `certified_lower` is higher.
    NoParadox,
    /// The contact is closed nowhere in the domain.
    NoContact,
    /// The budget was used up before a configuration in contact was found, or before its absence was proven.
    Undecided,
    /// The domain does not name all coordinates that it must.
    Needs,
}

/// The least friction with a paradox over a domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Critical {
    /// What was found.
    pub outcome: CriticalOutcome,
    /// μ at which p first vanishes, attained.
    pub mu: Option<f64>,
    /// The slip direction there.
    pub slip: Option<SlipDirection>,
    /// Tape inputs that were varied or followed, with their values there; without values if nothing is attained.
    pub at: Vec<(usize, Option<Quantity>)>,
    /// No configuration of the domain in contact has a paradox below this friction: proven with outward rounding. 0 is
    /// always proven.
    pub certified_lower: f64,
    /// Unilateral contacts that lie below their surface where μ is attained, with their gaps: the search does not look at them, and the
    /// least friction of configurations without penetration may be higher.
    pub below: Vec<(usize, f64)>,
    /// Whether μ and its bound agree.
    pub complete: bool,
    /// Coordinates that the domain must name.
    pub needs: Vec<usize>,
    /// Tape inputs that were held and on which the answer depends.
    pub decisive: Vec<usize>,
    /// Boxes examined.
    pub boxes: usize,
}

/// Searches the domain of a contact.
pub fn critical_friction(question: &CriticalSearch<'_>, tol: &Tol) -> Critical {
    let layout = question.model.layout();
    let configuration =
        ContactConfiguration::new(question.model, question.contact, question.held, question.rails);
    let tape = configuration.tape();
    let coordinates = 1..1 + layout.coordinates;
    let structure =
        Structure { tape, inputs: question.inputs, coordinates, ranges: question.ranges, first: &[] };
    let plan = structure.plan(tol);
    let kernel = question.model.kernel(&[Block::Model(Output::MassMatrix), Block::Delassus]);
    let found = if plan.asked().is_empty() && !plan.empty {
        let mut landscape = Mechanism::new(&configuration, &kernel, question.inputs, &plan.slots, &plan.kept);
        let summit = climb(&mut landscape, &plan.sides, tol);
        answer(question, &kernel, &configuration, &plan, &summit, tol)
    } else {
        unsearched(&plan)
    };
    Critical { decisive: decisive(tape, &found, layout.inputs()), ..found }
}

/// Fixed inputs that an output reads.
fn decisive(tape: &Tape, found: &Critical, inputs: usize) -> Vec<usize> {
    let varied = |slot: &usize| found.at.iter().any(|at| at.0 == *slot) || found.needs.contains(slot);
    (0..inputs).filter(|slot| !varied(slot)).filter(|&slot| tape.reads(slot).contains(&true)).collect()
}

/// Nothing found yet, and nothing proven but a bound.
fn undecided(plan: &Plan, certified_lower: f64, boxes: usize) -> Critical {
    let slots = plan.slots.iter().copied().chain(plan.following.iter().map(|f| f.0));
    Critical {
        outcome: CriticalOutcome::Undecided,
        mu: None,
        slip: None,
        at: slots.map(|slot| (slot, None)).collect(),
        certified_lower,
        below: Vec::new(),
        complete: false,
        needs: Vec::new(),
        decisive: Vec::new(),
        boxes,
    }
}

fn unsearched(plan: &Plan) -> Critical {
    if plan.empty {
        let outcome = CriticalOutcome::NoContact;
        return Critical { outcome, complete: true, ..undecided(plan, f64::INFINITY, 0) };
    }
    Critical { outcome: CriticalOutcome::Needs, needs: plan.asked().to_vec(), ..undecided(plan, 0.0, 0) }
}

fn answer(
    question: &CriticalSearch<'_>,
    kernel: &Kernel,
    configuration: &ContactConfiguration,
    plan: &Plan,
    summit: &Summit,
    tol: &Tol,
) -> Critical {
    let tape = configuration.tape();
    let complete = summit.is_closed(tol.search_decided, tol);
    let lower = summit.bound.map_or(f64::INFINITY, least_of);
    let open = undecided(plan, lower, summit.boxes);
    let Some((height, x)) = &summit.best else {
        let outcome = if complete { CriticalOutcome::NoContact } else { CriticalOutcome::Undecided };
        return Critical { outcome, complete, ..open };
    };
    if *height <= floor(tol) {
        let outcome = if complete { CriticalOutcome::NoParadox } else { CriticalOutcome::Undecided };
        return Critical { outcome, complete, ..open };
    }
    let inputs = follow(question, tape, plan, x, tol);
    match inputs.and_then(|inputs| least_at(configuration, kernel, &inputs).map(|least| (inputs, least))) {
        None => open,
        Some((mut inputs, (mu, slip))) => {
            let found = |&(slot, _): &(usize, _)| (slot, Some(place(tape, plan, slot, &inputs, tol)));
            let at: Vec<_> = open.at.iter().map(found).collect();
            // gaps are those of the place that is told: a height that is rounding is none
            at.iter()
                .for_each(|&(slot, place)| inputs[slot] = place.map_or(inputs[slot], |place| place.shown));
            Critical {
                outcome: CriticalOutcome::Paradox,
                mu: Some(mu),
                slip: Some(slip),
                at,
                // the attained value may be a rounding below the bound
                certified_lower: lower.min(mu),
                below: below(question, &inputs, tol),
                complete,
                ..open
            }
        }
    }
}

/// A varied or followed input at the optimum, which is known to the gap of the search: 0 if it is no more than that of its range, or of
/// the terms of the equation that it follows from.
fn place(tape: &Tape, plan: &Plan, slot: usize, inputs: &[f64], tol: &Tol) -> Quantity {
    let ranged = plan.slots.iter().position(|&other| other == slot).map(|i| plan.sides[i].magnitude());
    let followed = || {
        let equation = plan.following.iter().find(|following| following.0 == slot)?.1;
        let single = tape.select(&[equation]);
        let mut scratch = single.scratch();
        let point: Vec<Magnitude> = inputs.iter().map(|&x| Magnitude::from_f64(x)).collect();
        let mut terms = [Magnitude::from_f64(0.0)];
        single.eval(&point, &mut terms, &mut scratch);
        Some(terms[0].size / along(&single, slot, inputs).eps.abs())
    };
    let size = ranged.or_else(followed).filter(|size| size.is_finite()).unwrap_or(0.0);
    let value = inputs[slot];
    Quantity { value, shown: if value.abs() <= tol.search_gap * size { 0.0 } else { value } }
}

/// h and ∂h/∂x of an equation.
fn along(equation: &Tape, slot: usize, inputs: &[f64]) -> Dual<f64> {
    let moving = |(i, &x): (usize, &f64)| if i == slot { Dual::new(x, 1.0) } else { Dual::fixed(x) };
    let point: Vec<Dual<f64>> = inputs.iter().enumerate().map(moving).collect();
    let (mut value, mut scratch) = ([Dual::fixed(0.0)], equation.scratch());
    equation.eval(&point, &mut value, &mut scratch);
    value[0]
}

/// The other contacts of which a point of the domain is no configuration: their gaps are negative.
fn below(question: &CriticalSearch<'_>, inputs: &[f64], tol: &Tol) -> Vec<(usize, f64)> {
    let kernel = question.model.kernel(&[Block::Model(Output::Gap)]);
    let mut gaps = kernel.values::<Magnitude>();
    kernel.evaluate(&inputs.iter().map(|&x| Magnitude::from_f64(x)).collect::<Vec<_>>(), &mut gaps);
    let gap = |c: usize| kernel.block(&gaps, Output::Gap)[c];
    let others =
        (0..kernel.layout().contacts).filter(|c| *c != question.contact && !question.held.contains(c));
    others.filter(|&c| gap(c).value < -tol.closed * gap(c).size).map(|c| (c, gap(c).value)).collect()
}

/// All inputs at a point: the coordinates that follow solve their equations, one after the other.
fn follow(question: &CriticalSearch<'_>, tape: &Tape, plan: &Plan, x: &[f64], tol: &Tol) -> Option<Vec<f64>> {
    let mut inputs = question.inputs.to_vec();
    for (&slot, &x) in plan.slots.iter().zip(x) {
        inputs[slot] = x;
    }
    for &(slot, equation) in &plan.following {
        inputs[slot] = solve(tape, equation, slot, &inputs, tol)?;
    }
    Some(inputs)
}

/// The root of an equation along one input, by Newton's method to the last bit that it changes.
fn solve(tape: &Tape, equation: usize, slot: usize, inputs: &[f64], tol: &Tol) -> Option<f64> {
    let single = tape.select(&[equation]);
    let (mut inputs, mut last) = (inputs.to_vec(), f64::INFINITY);
    for _ in 0..tol.root_steps {
        let value = along(&single, slot, &inputs);
        let step = value.re / value.eps;
        if step.abs() >= last || step == 0.0 {
            return Some(inputs[slot]);
        }
        last = step.abs();
        inputs[slot] -= step;
    }
    None
}

/// C/‖B‖ and its slip direction, from the equations of motion in plain numbers: p(û) = C − μ B·û.
fn least_at(
    configuration: &ContactConfiguration,
    kernel: &Kernel,
    inputs: &[f64],
) -> Option<(f64, SlipDirection)> {
    if !regular(kernel, inputs, &mut kernel.values()) {
        return None;
    }
    let tape = configuration.coupling();
    let mut coupling = vec![0.0; tape.outputs()];
    tape.eval(inputs, &mut coupling, &mut tape.scratch());
    let (C, B) = (coupling[0], &coupling[1..]);
    let mu = C / B.iter().map(|b| b * b).sum::<f64>().sqrt();
    let slip = match *B {
        [first, second] => SlipDirection::Space(second.atan2(first)),
        _ => SlipDirection::Plane(if B[0] > 0.0 { Slip::Pos } else { Slip::Neg }),
    };
    mu.is_finite().then_some((mu, slip))
}
