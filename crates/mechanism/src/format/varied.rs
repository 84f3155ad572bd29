//! A state in which some numbers vary, at many values of these: what [`Mechanism::resolve`] makes of them, without its words about faults,
//! and only what depends on them evaluated anew. Does not allocate.

use super::mechanism::{Contact, Mechanism, StateSpec};
use super::numbers::laws;
use super::resolve::{ContactLaw, Override};
use crate::expression::{BinaryOp, Env, Expr, Node, Symbol};
use crate::num::{Magnitude, Real};

/// A state in which two numbers vary.
#[derive(Clone, Debug)]
pub struct VariedState<'m> {
    mechanism: &'m Mechanism,
    steps: Vec<Step>,
    /// What moves the laws of each contact.
    laws: Vec<Moved>,
}

/// t, q, v and the parameters of a [`VariedState`], and the laws of its contacts.
#[derive(Clone, Debug)]
pub struct VariedNumbers {
    /// With the sizes of the terms that they are made of.
    pub magnitudes: Vec<Magnitude>,
    /// Without.
    pub values: Vec<f64>,
    /// Of each contact.
    pub laws: Vec<ContactLaw>,
    /// Whether a parameter changed in the last update.
    pub moved_parameters: bool,
    /// Where the last update was, if it was one.
    at: Option<[f64; 2]>,
}

/// Which of the two numbers move something.
type Moved = [bool; 2];

/// One of the inputs, and where it comes from.
#[derive(Clone, Debug)]
struct Step {
    slot: usize,
    from: Source,
    moved: Moved,
    /// Whether it is one term whatever it is.
    single: bool,
}

#[derive(Clone, Debug)]
enum Source {
    Varied(usize),
    Expression(Expr),
}

impl<'m> VariedState<'m> {
    /// Of a state with what is set everywhere, where `varied` take values of their own. None where its numbers are found otherwise than by
    /// evaluating one expression after the other: coordinates that are solved for, quaternions, values that stand before what they use.
    pub fn new(
        mechanism: &'m Mechanism,
        state: &StateSpec,
        set: &[Override],
        varied: [Symbol; 2],
    ) -> Option<Self> {
        if !state.solve.is_empty() || mechanism.quaternions().next().is_some() {
            return None;
        }
        let mut plan = Plan { n: mechanism.coordinates.len(), state, set, varied, steps: Vec::new() };
        for (i, parameter) in mechanism.parameters.iter().enumerate() {
            let own = state.parameters.iter().find(|(j, _)| *j == i);
            plan.add(Symbol::Parameter(i), Some(own.map_or(&parameter.value, |(_, x)| x)))?;
        }
        plan.add(Symbol::Time, Some(&state.t))?;
        for (given, symbol) in
            [(&state.q, Symbol::Coordinate as fn(usize) -> Symbol), (&state.v, Symbol::Rate)]
        {
            for (i, value) in given {
                plan.add(symbol(*i), Some(value))?;
            }
            for i in (0..plan.n).filter(|i| !given.iter().any(|(j, _)| j == i)) {
                plan.add(symbol(i), None)?;
            }
        }
        let moved = |c: &Contact| {
            let along = c.compliance.tangential_stiffness.iter();
            let mut all = laws(c).map(|(_, x, _)| x).chain(along);
            all.try_fold([false; 2], |sum, x| Some(either(sum, plan.moves(x)?)))
        };
        let laws = mechanism.contacts.iter().map(moved).collect::<Option<_>>()?;
        Some(Self { mechanism, laws, steps: plan.steps })
    }

    /// Indices of the inputs that may be more than one term, ascending.
    pub fn sums(&self) -> Vec<usize> {
        let mut found: Vec<usize> =
            self.steps.iter().filter(|step| !step.single).map(|step| step.slot).collect();
        found.sort_unstable();
        found
    }

    /// Memory of [`VariedState::update`].
    pub fn numbers(&self) -> VariedNumbers {
        let inputs = 1 + 2 * self.mechanism.coordinates.len() + self.mechanism.parameters.len();
        VariedNumbers {
            magnitudes: vec![Magnitude::from_f64(0.0); inputs],
            values: vec![0.0; inputs],
            laws: Vec::with_capacity(self.laws.len()),
            moved_parameters: true,
            at: None,
        }
    }

    /// The numbers where the two have these values; false where one is not finite, or a law is outside its range.
    pub fn update(&self, point: [f64; 2], numbers: &mut VariedNumbers) -> bool {
        let last = numbers.at.take();
        let changed: Moved =
            std::array::from_fn(|k| last.is_none_or(|last| last[k].to_bits() != point[k].to_bits()));
        let anew = |moved: Moved| last.is_none() || (0..2).any(|k| moved[k] && changed[k]);
        let first = 1 + 2 * self.mechanism.coordinates.len();
        numbers.moved_parameters = false;
        for step in self.steps.iter().filter(|step| anew(step.moved)) {
            let x = self.value(step, point, &numbers.magnitudes);
            if !x.value.is_finite() {
                return false;
            }
            numbers.magnitudes[step.slot] = x;
            numbers.values[step.slot] = x.value;
            numbers.moved_parameters |= step.slot >= first;
        }
        let VariedNumbers { values, laws: known, .. } = numbers;
        let parameters = &values[first..];
        for (i, contact) in self.mechanism.contacts.iter().enumerate() {
            if !anew(self.laws[i]) {
                continue;
            }
            let fits = |x: f64, violated: Option<&str>| x.is_finite() && violated.is_none();
            if !laws(contact).all(|(_, expr, bound)| {
                let x = expr.eval_parametric(parameters);
                fits(x, bound.violated(x))
            }) {
                return false;
            }
            let law = ContactLaw::of(contact, parameters);
            match known.get_mut(i) {
                Some(place) => *place = law,
                None => known.push(law),
            }
        }
        numbers.at = Some(point);
        true
    }

    fn value(&self, step: &Step, point: [f64; 2], inputs: &[Magnitude]) -> Magnitude {
        match &step.from {
            Source::Varied(k) => Magnitude::from_f64(point[*k]),
            Source::Expression(expr) => {
                let n = self.mechanism.coordinates.len();
                expr.eval(&Env {
                    t: inputs[0],
                    q: &inputs[1..=n],
                    v: &inputs[1 + n..1 + 2 * n],
                    parameters: &inputs[1 + 2 * n..],
                    definitions: &[],
                })
            }
        }
    }
}

fn either(a: Moved, b: Moved) -> Moved {
    [a[0] || b[0], a[1] || b[1]]
}

struct Plan<'s> {
    n: usize,
    state: &'s StateSpec,
    set: &'s [Override],
    varied: [Symbol; 2],
    steps: Vec<Step>,
}

impl Plan<'_> {
    fn slot(&self, symbol: Symbol) -> usize {
        match symbol {
            Symbol::Time => 0,
            Symbol::Coordinate(i) => 1 + i,
            Symbol::Rate(i) => 1 + self.n + i,
            Symbol::Parameter(i) => 1 + 2 * self.n + i,
        }
    }

    fn step(&self, symbol: Symbol) -> Option<&Step> {
        let slot = self.slot(symbol);
        self.steps.iter().find(|step| step.slot == slot)
    }

    /// The next input: what is varied goes before what is set, that before what the state says; without any it is 0.
    fn add(&mut self, symbol: Symbol, given: Option<&Expr>) -> Option<()> {
        let slot = self.slot(symbol);
        let varied = self.varied.iter().rposition(|x| *x == symbol);
        let set = || self.set.iter().rev().find(|o| o.target == symbol).map(|o| &o.value);
        let step = match (varied, set().or(given)) {
            (Some(k), _) => Step { slot, from: Source::Varied(k), moved: [k == 0, k == 1], single: true },
            (None, Some(expr)) => Step {
                slot,
                from: Source::Expression(expr.clone()),
                moved: self.moves(expr)?,
                single: self.is_single(expr),
            },
            (None, None) => return Some(()),
        };
        self.steps.push(step);
        Some(())
    }

    /// What moves the value of an expression; none if it uses what has no value yet.
    fn moves(&self, expr: &Expr) -> Option<Moved> {
        let (mut moved, mut known) = ([false; 2], true);
        expr.for_each_symbol(&mut |symbol, _| match self.step(symbol) {
            Some(step) => moved = either(moved, step.moved),
            None => known &= self.is_zero(symbol),
        });
        known.then_some(moved)
    }

    /// Whether nobody says what a coordinate or a velocity is.
    fn is_zero(&self, symbol: Symbol) -> bool {
        let given = |list: &[(usize, Expr)], i: usize| list.iter().any(|(j, _)| *j == i);
        let said = match symbol {
            Symbol::Coordinate(i) => given(&self.state.q, i),
            Symbol::Rate(i) => given(&self.state.v, i),
            Symbol::Time | Symbol::Parameter(_) => true,
        };
        !said && !self.varied.contains(&symbol) && !self.set.iter().any(|o| o.target == symbol)
    }

    /// Whether the value is one term: a product.
    fn is_single(&self, expr: &Expr) -> bool {
        match &expr.node {
            Node::Number(_) | Node::Pi => true,
            Node::Symbol(symbol) => self.step(*symbol).is_some_and(|step| step.single),
            Node::Negate(x) => self.is_single(x),
            Node::Binary(BinaryOp::Multiply | BinaryOp::Divide, x, y) => {
                self.is_single(x) && self.is_single(y)
            }
            Node::Binary(..) | Node::Call(..) | Node::Definition(_) | Node::DefinitionRate(_) => false,
        }
    }
}
