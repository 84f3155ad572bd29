//! The model part of a state's outcome: the equations of motion and the local dynamics of every contact.

use super::analysed::AnalysedState;
use super::by_name::ByName;
use super::coupling::{Coupling, normal_gain};
use super::next_step::{NextStep, StepNames, next_step};
use super::outcome::{ContactOutcome, LocalOutcome, ModelOutcome, StateOutcome};
use super::prospect::Prospect;
use super::several::free_motion;
use super::size::Sizes;
use super::space::LeastGainOutcome;
use crate::contact::space::Spatial;
use crate::contact::{Friction, Hold, Laws, Planar, Scaled, Slip};
use crate::equilibrium::Condition;
use crate::model::{Block, Kernel, Layout, Output, Singular, State, Values};
use crate::num::{Number, Quantity, Tol, dense, numbers};
use crate::predict::{Mode, Verdict};
use crate::stepping::StepInput;

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

/// How much is asked about an equilibrium on several contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestDepth {
    /// Nothing.
    Nothing,
    /// Weak and strong stability, forces, and small motions.
    Stability,
    /// What breaks it, too.
    Robustness,
}

/// A state to be analysed.
#[derive(Clone)]
pub struct StateInput<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its description.
    pub description: Option<&'a str>,
    /// Names in the order of the layout.
    pub names: Names,
    /// t, q, v, parameters.
    pub state: &'a State,
    /// The sizes of what its numbers are made of.
    pub sizes: &'a Sizes<'a>,
    /// Generalised forces of gravity, and of gravity turned by a right angle counter-clockwise, if there is any in the plane.
    pub gravity: Option<[Vec<f64>; 2]>,
    /// What is asked about an equilibrium on several contacts.
    pub rest: RestDepth,
    /// The laws of each contact.
    pub laws: Vec<Laws>,
    /// Indices of the closed contacts.
    pub closed: &'a [usize],
    /// The next time step, s; none if nothing is asked about it.
    pub step: Option<f64>,
    /// What counts as zero.
    pub tol: Tol,
    /// Whether modes of the closed contacts that hold with an equality hold in the time that follows; none if nobody can tell.
    pub ahead: Option<Ahead<'a>>,
}

/// A look at the time that follows.
pub type Ahead<'a> = &'a dyn Fn(&[Mode]) -> bool;

/// The outcome of a state from the evaluated blocks of a kernel that has all of them.
///
/// # Errors
/// [`Singular`] if M cannot be factored.
pub fn state_outcome(
    kernel: &Kernel,
    values: &Values<f64>,
    input: &StateInput<'_>,
) -> Result<StateOutcome, Singular> {
    kernel.check(values)?;
    let place = AnalysedState { kernel, values, input };
    let names = &input.names;
    let named = |keys: &[String], x: &[f64]| ByName::new(keys.iter().map(String::as_str), numbers(x));
    let (prospect, mut warnings) = place.prospect();
    let existence = input.step.and_then(|step| step_outcome(kernel, values, input, step, &mut warnings));
    let contacts = (0..kernel.layout().contacts).map(|c| place.contact_outcome(c));
    Ok(StateOutcome {
        state: input.name.to_string(),
        description: input.description.map(str::to_string),
        t: input.state.t.into(),
        q: named(&names.coordinates, &input.state.q),
        v: named(&names.coordinates, &input.state.v),
        parameters: named(&names.parameters, &input.state.parameters),
        closed: input.closed.iter().map(|&c| names.contacts[c].clone()).collect(),
        model: place.model(),
        contacts: ByName::new(names.contacts.iter().map(String::as_str), contacts),
        delassus: place.closed_delassus(),
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
    step: f64,
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
    let step =
        StepInput { kernel, values, state: input.state, closed: input.closed, friction: &friction, step };
    let names = StepNames { coordinates: &names.coordinates, contacts: &names.contacts };
    next_step(&step, names).map_err(|error| warnings.push(format!("no existence statement: {error}"))).ok()
}

/// The numbers of the state, each with the size of its terms.
impl AnalysedState<'_> {
    fn sized(&self, value: f64, size: f64) -> Quantity {
        self.quantity(Scaled { value, scale: size })
    }

    /// A block, number by number.
    fn block(&self, block: impl Into<Block>) -> Vec<Quantity> {
        let block = block.into();
        let (values, sizes) = (self.kernel.block(self.values, block), self.input.sizes.block(block));
        let size = |i: usize| sizes.get(i).map_or(0.0, |x| x.size);
        values.iter().enumerate().map(|(i, &x)| self.sized(x, size(i))).collect()
    }

    fn model(&self) -> ModelOutcome {
        let n = self.kernel.layout().coordinates;
        let packed = self.block(Output::MassMatrix);
        let entry = |i: usize, j: usize| packed[dense::packed_place(i, j)];
        let energy = |output| self.block(output).first().copied().unwrap_or(Quantity::from(None));
        ModelOutcome {
            mass_matrix: (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect(),
            bias_force: self.block(Output::Bias),
            inertial: self.block(Output::Inertial),
            potential: self.block(Output::Potential),
            applied: self.block(Output::Applied),
            kinetic_energy: energy(Output::KineticEnergy),
            potential_energy: energy(Output::PotentialEnergy),
            free_acceleration: self.block(Block::FreeAcceleration),
            constraint_jacobian: self
                .block(Output::ConstraintJacobian)
                .chunks(n)
                .map(<[Quantity]>::to_vec)
                .collect(),
        }
    }

    fn contact_outcome(&self, contact: usize) -> ContactOutcome {
        let (d, input) = (self.tangents(), self.input);
        let row = contact * (1 + d);
        let (sizes, terms) = (input.sizes, input.sizes.contact(contact));
        let slip: Vec<f64> = (0..d).map(|k| sizes.slip(contact, k).value).collect();
        let pair = |value: &dyn Fn(usize) -> f64| [value(0), if d > 1 { value(1) } else { 0.0 }];
        let coupling = Coupling {
            B: pair(&|k| self.delassus(row + 1 + k, row)),
            C: self.delassus(row, row),
            friction: input.laws[contact].friction,
        };
        ContactOutcome {
            gap: self.sized(self.kernel.block(self.values, Output::Gap)[contact], terms.gap),
            gap_rate: self.sized(sizes.gap_rate(contact).value, terms.speed),
            friction: coupling.friction.mu().into(),
            normal_jacobian: self.contact_row(row),
            tangent_jacobian: (0..d).map(|k| self.contact_row(row + 1 + k)).collect(),
            p_slip: coupling.p_slip(pair(&|k| slip[k]), terms.speed, &input.tol),
            mu_min: coupling.least_friction(&input.tol).into(),
            slip: slip.iter().map(|&u| self.sized(u, terms.speed)).collect(),
            local: self.local(row, coupling.friction),
        }
    }

    fn contact_row(&self, row: usize) -> Vec<Quantity> {
        let n = self.kernel.layout().coordinates;
        self.block(Block::ContactJacobian)[row * n..(row + 1) * n].to_vec()
    }

    /// An entry of D.
    fn mobility(&self, i: usize, j: usize) -> Quantity {
        self.sized(self.delassus(i, j), self.input.sizes.delassus(i, j))
    }

    fn local(&self, row: usize, friction: Friction) -> LocalOutcome {
        let (free, tol) = (self.block(Block::FreeContactAcceleration), &self.input.tol);
        let C = self.mobility(row, row);
        let B = |k: usize| self.mobility(row, row + k);
        let A = |i: usize, j: usize| self.mobility(row + i, row + j);
        let (a, b) = (free[row + 1], free[row]);
        if !self.is_plane() {
            let (A, B) = ([[A(1, 1), A(1, 2)], [A(2, 1), A(2, 2)]], [B(1), B(2)]);
            let (forbidden, p_min) = directions(A, B, C, friction, tol);
            return LocalOutcome::Space { A, B, C, a: [a, free[row + 2]], b, forbidden, p_min };
        }
        let D = |i: usize, j: usize| self.delassus(row + i, row + j);
        let planar = Planar::new(D(1, 1), D(1, 0), D(0, 0), a.value, b.value);
        // k± = μA ∓ B   [CV16 (18), (23)]
        let of_k = friction.mu() * planar.A + planar.B.abs();
        let [p_plus, p_minus] = [Slip::Pos, Slip::Neg].map(|slip| normal_gain(&planar, friction, slip, tol));
        let [k_plus, k_minus] =
            [Slip::Pos, Slip::Neg].map(|slip| Quantity::of_size(planar.slip_gain(friction, slip), of_k, tol));
        LocalOutcome::Plane { A: A(1, 1), B: B(1), C, a, b, p_plus, p_minus, k_plus, k_minus }
    }

    fn closed_delassus(&self) -> Vec<Vec<Quantity>> {
        let all: Vec<usize> = (0..self.input.closed.len()).collect();
        let rows = self.rows_of(&all);
        rows.iter().map(|&i| rows.iter().map(|&j| self.mobility(i, j)).collect()).collect()
    }
}

/// The slip directions with p < 0, and the least p.
fn directions(
    A: [[Quantity; 2]; 2],
    B: [Quantity; 2],
    C: Quantity,
    friction: Friction,
    tol: &Tol,
) -> (Vec<[Number; 2]>, LeastGainOutcome) {
    // a coupling that is rounding has no direction
    let coupling = B.map(|x| x.shown);
    let contact = Spatial::new(A.map(|row| row.map(|x| x.value)), coupling, C.value, [0.0; 2], 0.0);
    let least = contact.least_gain(friction);
    let value = Quantity::of_size(least.value, 2.0 * C.value - least.value, tol);
    let arcs = contact.forbidden(friction).map(|arc| [arc.from.into(), arc.to.into()]);
    (arcs.into_iter().collect(), LeastGainOutcome { value, phi: least.phi.into() })
}

/// The contact that decides what happens next: the only closed one, or the only one.
pub fn deciding_contact(layout: &Layout, closed: &[usize]) -> Option<usize> {
    match (closed, layout.contacts) {
        ([contact], _) => Some(*contact),
        ([], 1) => Some(0),
        _ => None,
    }
}

impl AnalysedState<'_> {
    /// What can happen next, and what the reader should be careful about.
    fn prospect(&self) -> (Prospect, Vec<String>) {
        let is_plane = self.is_plane();
        let one = deciding_contact(self.kernel.layout(), self.input.closed);
        // one that cannot move in every direction, as on a rail, is left to what is said of any contacts
        let Some(contact) = one.filter(|&contact| self.moves_freely(contact)) else {
            let is_free = is_plane && self.input.closed.is_empty();
            return if is_free { (free_motion(), Vec::new()) } else { self.several() };
        };
        let (mut prospect, mut warnings) =
            if is_plane { self.one_in_plane(contact) } else { self.one_in_space(contact) };
        if self.input.closed.is_empty() {
            // the mode of no closed contact has no entries
            prospect.modes.iter_mut().filter(|_| is_plane).for_each(|mode| mode.mode = ByName::default());
        } else if let Some(contacts) = self.contacts() {
            let following = self.following(&contacts, &contacts.decide(&self.input.tol));
            // in space at p = 0 slip that turns into p < 0 jams: what follows is known all the same
            if is_plane || !following.undecided {
                prospect.resolved = following.names();
            }
            warnings.extend(following.doubt().filter(|_| is_plane));
        }
        (prospect, warnings)
    }
}

/// What is decided of several closed contacts without what a report says beside: for maps.
pub struct Decided {
    /// As in [`Prospect::verdict`].
    pub verdict: Verdict,
    /// In the plane: whether the state is a weak and a strong equilibrium, if it is one.
    pub strength: Option<Option<[Condition; 2]>>,
}

/// The same as [`state_outcome`] of several closed contacts of which none approaches; none otherwise, and where a number is undefined.
pub fn decided(kernel: &Kernel, values: &Values<f64>, input: &StateInput<'_>) -> Option<Decided> {
    let defined = kernel.check(values).is_ok() && kernel.numbers(values).iter().all(|x| x.is_finite());
    if input.closed.len() < 2 || !defined {
        return None;
    }
    let place = AnalysedState { kernel, values, input };
    let contacts = place.contacts()?.without_force_bounds();
    let decision = contacts.decide(&input.tol);
    let strength = place.is_plane().then(|| place.strength(&contacts, &decision));
    Some(Decided { verdict: decision.verdict, strength })
}
