//! The value at a point where one planar contact decides: the state's numbers, a kernel of what decides, and no report. What
//! [`Field::slow`](super::field::Field) has, without allocation; where it is not sure, it leaves the point to that.

use super::quantity::{NumberOf, Quantity, WordOf, evaluated};
use crate::analysis::map::{Cell, Point};
use crate::analysis::planar::{Sketch, sketch_kernel};
use crate::analysis::{ContactStatus, Coupling, Quantity as Computed, normal_gain};
use crate::contact::{Hold, Laws, Scaled, Sign, Slip};
use crate::equilibrium::chatter;
use crate::expression::{Env, Symbol};
use crate::format::{ContactLaw, Mechanism, Override, StateSpec, VariedNumbers, VariedState};
use crate::impact::{Velocity, impact};
use crate::model::{Kernel, Model, Values};
use crate::num::Tol;
use crate::pipeline::analyze::planar_law;
use crate::pipeline::length::{is_of_parameters, length_at};
use crate::predict::Verdict;

/// A quantity of one contact at most, as a function of two numbers.
pub(super) struct Quick<'l> {
    mechanism: &'l Mechanism,
    state: VariedState<'l>,
    kernel: Kernel,
    /// Inputs whose sizes the kernel takes.
    sums: Vec<usize>,
    /// Closed contacts, if the state lists them.
    closed: Option<Vec<usize>>,
    contact: Option<usize>,
    /// Whether contacts that approach, and open ones that penetrate, leave a point without value.
    steady: bool,
    tol: Tol,
}

/// Memory of [`Quick::cell`].
pub(super) struct QuickWork {
    numbers: VariedNumbers,
    inputs: Vec<f64>,
    values: Values<f64>,
    coordinates: Vec<f64>,
    length: f64,
    /// Whether the length depends on where things are.
    lies: bool,
}

/// What is asked of what.
pub(super) struct Asked<'a> {
    pub(super) spec: &'a StateSpec,
    pub(super) set: &'a [Override],
    pub(super) varied: [Symbol; 2],
    pub(super) quantity: &'a Quantity,
    pub(super) contact: Option<&'a str>,
    /// Whether only states have a value whose closed contacts stay closed, and whose open contacts are open.
    pub(super) steady: bool,
}

impl<'l> Quick<'l> {
    /// None for mechanisms in space, for what is said of several contacts or of equilibria, and for states whose numbers are solved for.
    pub(super) fn new(mechanism: &'l Mechanism, model: &Model, asked: &Asked<'_>, tol: &Tol) -> Option<Self> {
        let of_one = match asked.quantity {
            Quantity::Word(word) => *word == WordOf::Verdict,
            Quantity::Number(_) | Quantity::Expression { .. } => {
                !asked.quantity.uses().contains(&NumberOf::Growth)
            }
        };
        if !of_one || model.layout().tangents != 1 || mechanism.contacts.iter().any(|c| c.bilateral) {
            return None;
        }
        let state = VariedState::new(mechanism, asked.spec, asked.set, asked.varied)?;
        let sums = state.sums();
        let kernel = sketch_kernel(model, &sums).with_tolerance(tol.singular).compiled();
        let place = |name: &str| mechanism.contacts.iter().position(|c| c.name == name);
        let contact = asked.contact.and_then(place);
        let (closed, steady) = (asked.spec.closed.clone(), asked.steady);
        Some(Self { mechanism, state, kernel, sums, closed, contact, steady, tol: *tol })
    }

    pub(super) fn work(&self) -> QuickWork {
        QuickWork {
            numbers: self.state.numbers(),
            inputs: Vec::new(),
            values: self.kernel.values(),
            coordinates: Vec::new(),
            length: f64::NAN,
            lies: true,
        }
    }

    /// The value at a point; none where that takes more.
    pub(super) fn cell(&self, quantity: &Quantity, point: Point, work: &mut QuickWork) -> Option<Cell> {
        if !self.state.update(point, &mut work.numbers) {
            return Some(Cell::Undefined);
        }
        self.measure(work);
        let QuickWork { numbers, inputs, values, .. } = work;
        inputs.clear();
        inputs.extend_from_slice(&numbers.values);
        inputs.extend(self.sums.iter().map(|&i| numbers.magnitudes[i].size));
        if self.kernel.solve(inputs, values).is_err() {
            return Some(Cell::Undefined);
        }
        let sketch = Sketch { kernel: &self.kernel, values, length: work.length };
        if !sketch.is_finite() {
            return None;
        }
        let here = StateNumbers { sketch, laws: &numbers.laws, tol: &self.tol };
        if let Some(cell) = self.below(&here, work.length) {
            return cell;
        }
        if self.steady && !self.closed.as_deref().is_some_and(|listed| here.is_steady(listed)) {
            return Some(Cell::Undefined);
        }
        let closed = match here.closed(self.closed.as_deref()) {
            Closed::Several => return None,
            Closed::Nowhere => return Some(Cell::Undefined),
            Closed::No => None,
            Closed::One(contact) => Some(contact),
        };
        let deciding = closed.or((self.mechanism.contacts.len() == 1).then_some(0));
        let number = |of: NumberOf| here.number(of, self.contact, deciding).unwrap_or(f64::NAN);
        Some(match quantity {
            Quantity::Word(_) => match deciding {
                // a point that can move along one direction only takes more
                Some(contact) => Cell::Word(here.verdict(contact)?.name()),
                None => Cell::Word(Verdict::Consistent.name()),
            },
            Quantity::Number(of) => Cell::number(number(*of)),
            Quantity::Expression { expr, uses, definitions } => {
                let env = environment(self.mechanism, &numbers.values);
                let memory = &mut work.coordinates;
                Cell::number(evaluated((expr, definitions), uses, env, number, memory))
            }
        })
    }

    /// Of a state below a surface: no value if it is too deep, and otherwise none here: it is put onto the surface elsewhere.
    fn below(&self, here: &StateNumbers<'_>, length: f64) -> Option<Option<Cell>> {
        let contacts =
            self.mechanism.contacts.iter().enumerate().filter(|(_, contact)| contact.active.is_none());
        let gaps = contacts.map(|(c, _)| here.sketch.gap(c));
        let deep = |gap: Scaled| length > 0.0 && -gap.value > here.tol.typed * length;
        let found = gaps.filter(|gap| gap.sign(here.tol.closed) == Sign::Negative).map(deep);
        found.reduce(|a, b| a || b).map(|deep| deep.then_some(Cell::Undefined))
    }

    /// The mechanism's own length, where it may have changed.
    fn measure(&self, work: &mut QuickWork) {
        let env = environment(self.mechanism, &work.numbers.values);
        if work.length.is_nan() || work.numbers.moved_parameters {
            work.lies = !is_of_parameters(self.mechanism, env.parameters);
            work.length = length_at(self.mechanism, env);
        } else if work.lies {
            work.length = length_at(self.mechanism, env);
        }
    }
}

fn environment<'v>(mechanism: &'v Mechanism, inputs: &'v [f64]) -> Env<'v, f64> {
    let n = mechanism.coordinates.len();
    Env {
        t: inputs[0],
        q: &inputs[1..=n],
        v: &inputs[1 + n..1 + 2 * n],
        parameters: &inputs[1 + 2 * n..],
        definitions: &mechanism.definitions.values,
    }
}

/// Which contacts are closed.
enum Closed {
    No,
    One(usize),
    Several,
    /// The state is off its constraints or its listed contacts.
    Nowhere,
}

/// A state's numbers.
struct StateNumbers<'a> {
    sketch: Sketch<'a>,
    laws: &'a [ContactLaw],
    tol: &'a Tol,
}

impl StateNumbers<'_> {
    fn closed(&self, listed: Option<&[usize]>) -> Closed {
        let Self { sketch, tol, .. } = self;
        let layout = sketch.kernel.layout();
        let off = |i: usize| {
            let [phi, rate] = sketch.constraint(i);
            phi.sign(tol.closed) != Sign::Marginal || rate.sign(tol.rest) != Sign::Marginal
        };
        let touches = |c: usize| sketch.gap(c).sign(tol.closed) == Sign::Marginal;
        let leaves = |c: usize| sketch.gap_rate(c).sign(tol.rest) == Sign::Positive;
        if (0..layout.constraints).any(off) {
            return Closed::Nowhere;
        }
        if listed.is_some_and(|listed| listed.iter().any(|&c| !touches(c) || leaves(c))) {
            return Closed::Nowhere;
        }
        let is_closed = |c: &usize| listed.map_or_else(|| touches(*c), |listed| listed.contains(c));
        let mut closed = (0..layout.contacts).filter(is_closed);
        match (closed.next(), closed.next()) {
            (None, _) => Closed::No,
            (Some(contact), None) => Closed::One(contact),
            (Some(_), Some(_)) => Closed::Several,
        }
    }

    /// Whether the closed contacts do not approach, and no other penetrates.
    fn is_steady(&self, closed: &[usize]) -> bool {
        let Self { sketch, tol, .. } = self;
        (0..sketch.kernel.layout().contacts).all(|c| match closed.contains(&c) {
            true => sketch.gap_rate(c).sign(tol.rest) != Sign::Negative,
            false => sketch.gap(c).sign(tol.closed) != Sign::Negative,
        })
    }

    fn law(&self, contact: usize) -> Option<Laws> {
        planar_law(&self.laws[contact]).ok()
    }

    fn verdict(&self, contact: usize) -> Option<Verdict> {
        self.sketch.verdict(contact, self.law(contact)?.friction, self.tol).ok()?
    }

    /// As reports have them; `deciding` is the contact that has impacts.
    fn number(&self, of: NumberOf, contact: Option<usize>, deciding: Option<usize>) -> Option<f64> {
        let contact = contact?;
        let (numbers, friction) = (self.sketch.numbers(contact), self.law(contact)?.friction);
        let coupling = Coupling { B: [numbers.B, 0.0], C: numbers.C, friction };
        let shown = |value: f64, size: f64| Computed::of_size(value, size, self.tol).shown;
        let gain = |slip: Slip| normal_gain(&numbers, friction, slip, self.tol).shown;
        match of {
            NumberOf::P => {
                let (slip, speed) = ([self.sketch.slip(contact), 0.0], self.sketch.sizes(contact).speed);
                Some(coupling.p_slip(slip, speed, self.tol).shown)
            }
            NumberOf::PPlus => Some(gain(Slip::Pos)),
            NumberOf::PMinus => Some(gain(Slip::Neg)),
            NumberOf::A => Some(shown(numbers.a, numbers.a_scale)),
            NumberOf::B => Some(shown(numbers.b, numbers.b_scale)),
            NumberOf::MuMin => coupling.least_friction(self.tol),
            NumberOf::EffectiveRestitution if deciding == Some(contact) => self.restitution(contact),
            NumberOf::EffectiveRestitution | NumberOf::Growth => None,
        }
    }

    /// Of the impact, or of chatter where there is none.
    fn restitution(&self, contact: usize) -> Option<f64> {
        let (planar, laws) = (self.sketch.planar(contact).ok()?, self.law(contact)?);
        let stands = self.sketch.stands(contact, self.tol);
        if laws.hold == Hold::Unilateral && stands == ContactStatus::Approaching {
            let pre = Velocity { u: self.sketch.slip(contact), v: self.sketch.gap_rate(contact).value };
            let hit = impact(&planar, laws.friction, laws.restitution, pre, self.tol);
            if let Some(hit) = hit {
                return hit.effective_restitution();
            }
        }
        chatter(&planar, laws.friction, laws.restitution, self.tol).map(|c| c.effective_restitution)
    }
}
