//! The model part of a state's outcome: the equations of motion and the local dynamics of every contact.

use super::local::ContactView;
use super::next_step::{NextStep, StepNames, next_step};
use super::number::{Named, Number, numbers};
use super::one_contact::{Prospect, prospect};
use super::outcome::{ContactOutcome, LocalOutcome, ModelOutcome, StateOutcome};
use super::planar::{Hold, Laws};
use crate::contact::{Friction, Planar, Slip};
use crate::incremental::StepInput;
use crate::model::{Dynamics, Kernel, Output, Singular, State, Values};
use crate::num::{Tol, dense};

/// Names in the order of the layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    /// Coordinates.
    pub coordinates: Vec<String>,
    /// Parameters.
    pub parameters: Vec<String>,
    /// Contacts.
    pub contacts: Vec<String>,
}

/// A state to be analysed.
#[derive(Clone, Debug)]
pub struct StateInput<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// Names in the order of the layout.
    pub names: Names,
    /// t, q, v, parameters.
    pub state: &'a State,
    /// The laws of each contact.
    pub laws: Vec<Laws>,
    /// Indices of the closed contacts.
    pub closed: &'a [usize],
    /// The next time step, s.
    pub step: f64,
}

/// The outcome of a state from the evaluated outputs of a kernel with all blocks.
///
/// # Errors
/// [`Singular`] if M cannot be factored.
pub fn state_outcome(
    kernel: &Kernel,
    values: &Values<f64>,
    input: &StateInput<'_>,
) -> Result<StateOutcome, Singular> {
    let mut dynamics = Dynamics::new(kernel.layout());
    dynamics.update(kernel, values)?;
    let names = &input.names;
    let named = |keys: &[String], x: &[f64]| Named::new(keys.iter().map(String::as_str), numbers(x));
    let (prospect, mut warnings) = planar_prospect(kernel, &dynamics, input);
    let existence = step_outcome(kernel, values, input, &mut warnings);
    let contacts =
        (0..kernel.layout().contacts).map(|c| contact_outcome(kernel, values, &dynamics, input, c));
    Ok(StateOutcome {
        state: input.name.to_string(),
        description: input.description.map(str::to_string),
        t: input.state.t.into(),
        q: named(&names.coordinates, &input.state.q),
        v: named(&names.coordinates, &input.state.v),
        parameters: named(&names.parameters, &input.state.parameters),
        closed: input.closed.iter().map(|&c| names.contacts[c].clone()).collect(),
        model: model_outcome(kernel, values, &dynamics),
        contacts: Named::new(names.contacts.iter().map(String::as_str), contacts),
        delassus: closed_delassus(&dynamics, kernel.layout().tangents, input.closed),
        prospect,
        existence,
        warnings,
    })
}

/// The next time step; without an answer, a warning says why.
fn step_outcome(
    kernel: &Kernel,
    values: &Values<f64>,
    input: &StateInput<'_>,
    warnings: &mut Vec<String>,
) -> Option<NextStep> {
    let names = &input.names;
    if let Some(&contact) = input.closed.iter().find(|&&c| input.laws[c].hold == Hold::Bilateral) {
        let name = &names.contacts[contact];
        warnings.push(format!(
            "no existence statement: the theory is about unilateral contacts, `{name}` is not"
        ));
        return None;
    }
    let friction: Vec<f64> = input.laws.iter().map(|laws| laws.friction.mu()).collect();
    let step = StepInput {
        kernel,
        values,
        state: input.state,
        closed: input.closed,
        friction: &friction,
        step: input.step,
    };
    let names = StepNames { coordinates: &names.coordinates, contacts: &names.contacts };
    next_step(&step, names).map_err(|error| warnings.push(format!("no existence statement: {error}"))).ok()
}

fn model_outcome(kernel: &Kernel, values: &Values<f64>, dynamics: &Dynamics<f64>) -> ModelOutcome {
    let n = kernel.layout().coordinates;
    let block = |output| kernel.block(values, output);
    let packed = block(Output::MassMatrix);
    let entry = |i: usize, j: usize| Number(packed[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)]);
    ModelOutcome {
        mass_matrix: (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect(),
        bias_force: numbers(block(Output::Bias)),
        inertial: numbers(block(Output::Inertial)),
        potential: numbers(block(Output::Potential)),
        applied: numbers(block(Output::Applied)),
        kinetic_energy: block(Output::KineticEnergy)[0].into(),
        potential_energy: block(Output::PotentialEnergy)[0].into(),
        free_acceleration: numbers(dynamics.free_acceleration()),
        constraint_jacobian: block(Output::ConstraintJacobian).chunks(n).map(numbers).collect(),
    }
}

fn contact_outcome(
    kernel: &Kernel,
    values: &Values<f64>,
    dynamics: &Dynamics<f64>,
    input: &StateInput<'_>,
    contact: usize,
) -> ContactOutcome {
    let d = kernel.layout().tangents;
    let row = contact * (1 + d);
    let block = |output| kernel.block(values, output);
    let v = &input.state.v;
    let slip: Vec<f64> = (0..d)
        .map(|k| dense::dot(dynamics.contact_row(row + 1 + k), v) + block(Output::SlipRate)[contact * d + k])
        .collect();
    let local = Local::at(dynamics, row, d, input.laws[contact].friction);
    ContactOutcome {
        gap: block(Output::Gap)[contact].into(),
        gap_rate: (dense::dot(dynamics.contact_row(row), v) + block(Output::GapRate)[contact]).into(),
        friction: local.friction.mu().into(),
        normal_jacobian: numbers(dynamics.contact_row(row)),
        tangent_jacobian: (0..d).map(|k| numbers(dynamics.contact_row(row + 1 + k))).collect(),
        p_slip: local.p_slip(&slip, rest_speed(dynamics, row, d, v)).into(),
        mu_min: local.least_friction().into(),
        slip: numbers(&slip),
        local: local.outcome(),
    }
}

/// The speed below which a contact is at rest: relative to the terms that its slip is made of.
fn rest_speed(dynamics: &Dynamics<f64>, row: usize, d: usize, v: &[f64]) -> f64 {
    let terms =
        |k: usize| dynamics.contact_row(row + 1 + k).iter().zip(v).map(|(w, v)| (w * v).abs()).sum::<f64>();
    Tol::default().rest * (0..d).map(terms).fold(1.0, f64::max)
}

/// A, B, C, a, b of one contact, with one or two tangents.
struct Local {
    A: Vec<Vec<f64>>,
    B: Vec<f64>,
    C: f64,
    a: Vec<f64>,
    b: f64,
    friction: Friction,
}

impl Local {
    fn at(dynamics: &Dynamics<f64>, row: usize, d: usize, friction: Friction) -> Self {
        let D = |i: usize, j: usize| dynamics.delassus_entry(row + i, row + j);
        let free = &dynamics.free_contact_acceleration()[row..row + 1 + d];
        Local {
            A: (1..=d).map(|i| (1..=d).map(|j| D(i, j)).collect()).collect(),
            B: (1..=d).map(|i| D(i, 0)).collect(),
            C: D(0, 0),
            a: free[1..].to_vec(),
            b: free[0],
            friction,
        }
    }

    /// p(û) = C − μ B·û: friction opposes the slip direction û   [CV16 (13), (39)].
    fn p_slip(&self, slip: &[f64], rest: f64) -> Option<f64> {
        let speed = dense::dot(slip, slip).sqrt();
        (speed > rest).then(|| self.C - self.friction.mu() * dense::dot(&self.B, slip) / speed)
    }

    /// min over û of the μ with p(û) = 0: C/‖B‖   [CV16 (5), (51)].
    fn least_friction(&self) -> Option<f64> {
        let coupling = dense::dot(&self.B, &self.B).sqrt();
        (coupling > Tol::default().marginal * self.C).then(|| self.C / coupling)
    }

    fn outcome(&self) -> LocalOutcome {
        if self.B.len() == 1 { self.planar() } else { self.spatial() }
    }

    /// p± = C ∓ μB, k± = μA ∓ B   [CV16 (13), (18), (23)].
    fn planar(&self) -> LocalOutcome {
        let (A, B, C) = (self.A[0][0], self.B[0], self.C);
        let planar = Planar::new(A, B, C, self.a[0], self.b);
        LocalOutcome::Plane {
            A: A.into(),
            B: B.into(),
            C: C.into(),
            a: self.a[0].into(),
            b: self.b.into(),
            p_plus: planar.normal_gain(self.friction, Slip::Pos).into(),
            p_minus: planar.normal_gain(self.friction, Slip::Neg).into(),
            k_plus: planar.slip_gain(self.friction, Slip::Pos).into(),
            k_minus: planar.slip_gain(self.friction, Slip::Neg).into(),
        }
    }

    fn spatial(&self) -> LocalOutcome {
        let pair = |x: &[f64]| [Number(x[0]), Number(x[1])];
        LocalOutcome::Space {
            A: [pair(&self.A[0]), pair(&self.A[1])],
            B: pair(&self.B),
            C: self.C.into(),
            a: pair(&self.a),
            b: self.b.into(),
        }
    }
}

fn closed_delassus(dynamics: &Dynamics<f64>, d: usize, closed: &[usize]) -> Vec<Vec<Number>> {
    let rows: Vec<usize> = closed.iter().flat_map(|&c| c * (1 + d)..(c + 1) * (1 + d)).collect();
    let entries = |&i: &usize| rows.iter().map(|&j| Number(dynamics.delassus_entry(i, j))).collect();
    rows.iter().map(entries).collect()
}

/// The contact that decides what happens next: the only closed one, or the only one.
fn deciding_contact(kernel: &Kernel, closed: &[usize]) -> Option<usize> {
    match (kernel.layout().tangents, closed, kernel.layout().contacts) {
        (1, [contact], _) => Some(*contact),
        (1, [], 1) => Some(0),
        _ => None,
    }
}

fn planar_prospect(
    kernel: &Kernel,
    dynamics: &Dynamics<f64>,
    input: &StateInput<'_>,
) -> (Prospect, Vec<String>) {
    let laws = |contact: usize| input.laws.get(contact).map(|laws| (contact, laws));
    match deciding_contact(kernel, input.closed).and_then(laws) {
        Some((contact, laws)) => {
            let view = ContactView { kernel, parameters: &input.state.parameters, contact };
            let length = length_scale(dynamics.contact_row(2 * contact), &input.state.q);
            prospect(&input.names.contacts[contact], &view, laws, input.state, length)
        }
        None => (Prospect::default(), Vec::new()),
    }
}

/// Σ |w_j q_j|, at least 1: the size of the terms that a gap is made of.
fn length_scale(row: &[f64], q: &[f64]) -> f64 {
    row.iter().zip(q).map(|(w, q)| (w * q).abs()).sum::<f64>().max(1.0)
}
