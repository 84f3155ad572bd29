//! A claim as a question: what varies over which range, what follows, what is held.

use super::ProveOptions;
use super::claim::{Claim, Comparison, refused};
use super::exact::{end, exact};
use super::fault::ProveFault;
use super::terms::{Stand, Stated, Terms};
use crate::analysis::search::{Plan, Structure};
use crate::expression::{Expr, Node, Scope, SourceMap, Symbol, parse};
use crate::format::{Mechanism, Override, StateSpec};
use crate::model::Model;
use crate::num::{Interval, Tol};
use crate::pipeline::inputs::{input_names, place, symbol_at, symbol_name};
use crate::pipeline::parameters::{following, with_following};
use crate::pipeline::states::{find_state, parse_overrides, placed_of, resolve, state_of, unknown_state};
use crate::pipeline::{Failure, Loaded, Usage};
use crate::prove::{Exact, Input, MOST_VARYING, Statement};
use crate::tape::{Builder, Tape, Value};
use num_rational::BigRational;

/// A range of a tape's input.
#[derive(Clone, Debug)]
struct Side {
    place: usize,
    lo: Exact,
    hi: Exact,
}

/// A claim, ready to be proven.
#[derive(Clone, Debug)]
pub(super) struct Question<'l> {
    pub(super) claim: &'l str,
    pub(super) statement: Statement,
    /// Outputs of its tape that are zero in the states that are meant, those among them that are left out since nothing else hangs on them.
    pub(super) equations: usize,
    /// Names of the tape's inputs.
    pub(super) names: Vec<String>,
    /// Names of the contacts that are closed in the states that are meant.
    pub(super) closed: Vec<String>,
    /// What else is meant.
    pub(super) meant: Option<&'static str>,
    /// Whether what is stated is enough for the claim, and not necessary.
    pub(super) sufficient: bool,
    /// The ranges, those on which the claim does not depend among them.
    pub(super) ranges: Vec<(String, Exact, Exact)>,
    /// Places of inputs that were given no range, and vary as far as gaps and constraints allow.
    pub(super) open: Vec<usize>,
    /// Places of inputs on which the claim depends and which have one value.
    pub(super) held: Vec<usize>,
    /// Names of what is determined by gaps and constraints, and does not matter otherwise.
    pub(super) follows: Vec<String>,
}

/// Of a state that a claim is not about.
const NOT_ABOUT: &str = "it is about states whose contact is closed and stays closed, and at some points of the map the state's is open, or approaches";

impl Question<'_> {
    /// That it has no answer here.
    pub(super) fn beyond(&self, why: &'static str) -> Usage {
        Usage::from(ProveFault::Beyond { text: self.claim.to_string(), why })
    }

    /// Whether gaps, constraints and, where they matter, their rates are zero at a state, to rounding. A comparison whose equations are left
    /// out holds at other states, too.
    fn is_about(&self, inputs: &[f64]) -> bool {
        if self.meant.is_none() {
            return true;
        }
        let tape = &self.statement.tape;
        let mut outputs = vec![0.0; tape.outputs()];
        tape.eval(inputs, &mut outputs, &mut tape.scratch());
        let size = inputs.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        outputs[..self.equations].iter().all(|x| x.abs() <= Tol::default().closed * size)
    }

    /// The name and the value of an input that has one.
    pub(super) fn value(&self, i: usize) -> Option<(String, Exact)> {
        match &self.statement.inputs[i] {
            Input::Value(value) => Some((self.names[i].clone(), value.clone())),
            Input::Range(..) | Input::Share(_) => None,
        }
    }
}

/// The numbers of a state, and what of them was given.
struct Numbers<'l> {
    spec: &'l StateSpec,
    /// Its closed contacts, if it was asked for: then coordinates may be held at its values.
    closed: Option<Vec<usize>>,
    /// Those of the tape.
    inputs: Vec<f64>,
    set: Vec<Override>,
}

/// Points of two ranges at which a state is evaluated: corners, and two that nothing is symmetric about.
const POINTS: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.37, 0.61], [0.83, 0.29]];

/// What all claims about a mechanism are asked in.
pub(super) struct Setting<'l> {
    mechanism: &'l Mechanism,
    /// With the parameters that follow.
    model: Model,
    follow: Vec<usize>,
    numbers: Numbers<'l>,
    sides: Vec<Side>,
    given: Vec<Comparison>,
}

impl<'l> Setting<'l> {
    pub(super) fn new(loaded: &'l Loaded, model: &Model, options: &ProveOptions) -> Result<Self, Failure> {
        let mechanism = &loaded.mechanism;
        let numbers = Numbers::new(loaded, model, options)?;
        let parameters = &numbers.inputs[1 + 2 * mechanism.coordinates.len()..];
        let sides = sides(mechanism, options, parameters).map_err(Usage::from)?;
        let (model, follow) = numbers.with_computed(mechanism, model, &sides, loaded)?;
        let given = options.given.iter().map(|text| Comparison::parse(mechanism, text));
        let given = given.collect::<Result<_, _>>().map_err(Usage::from)?;
        Ok(Setting { mechanism, model, follow, numbers, sides, given })
    }

    /// A claim with the inputs of a few states more to look at.
    pub(super) fn question(&self, claim: &'l str, more: &[Vec<f64>]) -> Result<Question<'l>, ProveFault> {
        self.asked(claim, &Claim::parse(self.mechanism, claim)?, more)
    }

    /// A claim as one that a state can refute, where what shows it is enough and not necessary.
    pub(super) fn refutable(&self, claim: &'l str) -> Option<Question<'l>> {
        let other = Claim::parse(self.mechanism, claim).ok()?.refutable()?;
        self.asked(claim, &other, &[]).ok()
    }

    fn asked(&self, claim: &'l str, parsed: &Claim, more: &[Vec<f64>]) -> Result<Question<'l>, ProveFault> {
        let stated = Terms::new(self.mechanism, &self.model, &self.follow).state(
            parsed,
            &self.given,
            &self.stand(more),
        );
        let stated = stated.map_err(|why| ProveFault::Beyond { text: claim.to_string(), why })?;
        Asked { setting: self, claim, stated }.question()
    }
}

impl Setting<'_> {
    /// That the state, evaluated anew at a few points of two ranges, is one that a claim is about, and has what it holds.
    pub(super) fn check_held(
        &self,
        loaded: &Loaded,
        model: &Model,
        question: &Question<'_>,
        options: &ProveOptions,
    ) -> Result<(), Failure> {
        for shares in POINTS {
            let at = |((name, lo, hi), share): (&(String, Exact, Exact), f64)| {
                let (lo, hi) = (lo.enclosed().middle(), hi.enclosed().middle());
                format!("{name}={:e}", lo + (hi - lo) * share)
            };
            let set: Vec<String> =
                options.set.iter().cloned().chain(question.ranges.iter().zip(shares).map(at)).collect();
            // where the state cannot be placed, the map says nothing either
            let placed = placed_of(loaded, model, self.numbers.spec, &parse_overrides(loaded, &set)?);
            let Ok(placed) = placed else { continue };
            let inputs = placed.state.inputs();
            if !question.is_about(&inputs) {
                return Err(question.beyond(NOT_ABOUT).into());
            }
            let near = |&&i: &&usize| {
                let held = self.numbers.inputs[i];
                (inputs[i] - held).abs() <= Tol::default().closed * (1.0 + held.abs())
            };
            if let Some(&i) = question.held.iter().find(|i| !near(i)) {
                return Err(Usage::from(ProveFault::Along { name: question.names[i].clone() }).into());
            }
        }
        Ok(())
    }

    /// The state that was asked for, and as samples the middles of the box and of its sides, at its numbers.
    fn stand(&self, more: &[Vec<f64>]) -> Stand {
        let Numbers { closed, inputs, .. } = &self.numbers;
        let n = self.mechanism.coordinates.len();
        let rates = 1 + n..1 + 2 * n;
        let ranged = self.sides.iter().any(|side| rates.contains(&side.place));
        let still = closed.is_some() && !ranged && inputs[rates].iter().all(|v| v.abs() <= 0.0);
        let mut middle = inputs.clone();
        for Side { place, lo, hi } in &self.sides {
            middle[*place] = 0.5 * (lo.enclosed().middle() + hi.enclosed().middle());
        }
        let mut samples = vec![middle.clone()];
        for Side { place, lo, hi } in &self.sides {
            for end in [lo, hi] {
                let mut face = middle.clone();
                face[*place] = end.enclosed().middle();
                samples.push(face);
            }
        }
        samples.extend(more.iter().cloned());
        Stand { closed: closed.clone(), still, samples }
    }
}

impl<'l> Numbers<'l> {
    fn new(loaded: &'l Loaded, model: &Model, options: &ProveOptions) -> Result<Self, Failure> {
        let asked = options.state.as_ref().map(|name| find_state(loaded, name)).transpose()?;
        let first = || loaded.mechanism.states.first().ok_or_else(|| unknown_state(loaded, "origin"));
        let spec = asked.map_or_else(first, Ok)?;
        let set = parse_overrides(loaded, &options.set)?;
        let (state, closed) = match asked {
            // what its equations determine is there too
            Some(spec) => {
                let placed = placed_of(loaded, model, spec, &set)?;
                (placed.state, Some(placed.closed))
            }
            None => (state_of(&resolve(loaded, spec, &set)?), None),
        };
        Ok(Numbers { spec, closed, inputs: state.inputs(), set })
    }

    /// The model with all parameters computed that are defined by others and not given themselves, and which these are.
    fn with_computed(
        &self,
        mechanism: &Mechanism,
        model: &Model,
        sides: &[Side],
        loaded: &Loaded,
    ) -> Result<(Model, Vec<usize>), Failure> {
        let first = 1 + 2 * mechanism.coordinates.len();
        let ranged = |i: &usize| sides.iter().any(|side| side.place == first + i);
        let given: Vec<usize> =
            (0..mechanism.parameters.len()).filter(|i| ranged(i) || self.given(*i).is_some()).collect();
        let own = |i: &usize| given.contains(i) || mechanism.parameters[*i].value.symbols().is_empty();
        let own: Vec<usize> = (0..mechanism.parameters.len()).filter(own).collect();
        let follow = following(mechanism, &own, &given);
        let model = with_following(mechanism, model, &follow);
        Ok((model.map_err(|e| Failure::file(&loaded.source.name, e))?, follow))
    }

    /// The text that gives a parameter, if it is not the file's.
    fn given(&self, parameter: usize) -> Option<&Expr> {
        let set = self.set.iter().rev().find(|o| o.target == Symbol::Parameter(parameter));
        let own = || self.spec.parameters.iter().find(|p| p.0 == parameter).map(|p| &p.1);
        set.map(|o| &o.value).or_else(own)
    }

    /// The text of a coordinate or a velocity.
    fn text(&self, symbol: Symbol) -> Option<&Expr> {
        let set = self.set.iter().rev().find(|o| o.target == symbol);
        let own = || {
            let (list, i) = match symbol {
                Symbol::Coordinate(i) => (&self.spec.q, i),
                Symbol::Rate(i) => (&self.spec.v, i),
                Symbol::Time | Symbol::Parameter(_) => return None,
            };
            list.iter().find(|x| x.0 == i).map(|x| &x.1)
        };
        set.map(|o| &o.value).or_else(own)
    }

    /// The value of an input: as its text says, with the parameters that it names, or the decimal that is printed.
    fn value(&self, mechanism: &Mechanism, place: usize) -> Exact {
        let text = match symbol_at(mechanism.coordinates.len(), place) {
            Symbol::Parameter(i) => Some(self.parameter(mechanism, i)),
            symbol => self.text(symbol),
        };
        let fraction = |text: &Expr| text.exact_with(&|symbol| self.fraction(mechanism, symbol));
        let found = text.and_then(|text| exact(text).or_else(|| fraction(text).map(Exact::rational)));
        found.unwrap_or_else(|| Exact::shown(self.inputs[place]))
    }

    /// The fraction that a parameter is. Its text names those above it only.
    fn fraction(&self, mechanism: &Mechanism, symbol: Symbol) -> Option<BigRational> {
        let Symbol::Parameter(i) = symbol else { return None };
        self.parameter(mechanism, i).exact_with(&|symbol| self.fraction(mechanism, symbol))
    }

    fn parameter<'m>(&'m self, mechanism: &'m Mechanism, i: usize) -> &'m Expr {
        self.given(i).unwrap_or(&mechanism.parameters[i].value)
    }
}

/// What a question is made of.
struct Asked<'a, 'l> {
    setting: &'a Setting<'l>,
    claim: &'l str,
    stated: Stated,
}

impl<'l> Asked<'_, 'l> {
    fn question(self) -> Result<Question<'l>, ProveFault> {
        let Setting { mechanism, numbers, sides, .. } = self.setting;
        let names = input_names(mechanism);
        let (mut plan, mut fixed) = (self.plan(&[]), Vec::new());
        while !plan.needs.is_empty()
            && numbers.closed.is_some()
            && !plan.needs.iter().all(|p| fixed.contains(p))
        {
            fixed.extend(plan.needs);
            plan = self.plan(&fixed);
        }
        if !plan.needs.is_empty() {
            let needed = plan.needs.iter().map(|&place| names[place].clone()).collect();
            return Err(ProveFault::Needs { text: self.claim.to_string(), names: needed });
        }
        let ranged = |place: usize| sides.iter().find(|side| side.place == place);
        let open: Vec<(usize, Interval)> = plan
            .slots
            .iter()
            .zip(&plan.sides)
            .filter(|(place, _)| ranged(**place).is_none() && !fixed.contains(place))
            .map(|(&place, &side)| (place, side))
            .collect();
        let Stated { tape, equations, assumed, claimed, closed, meant, sufficient } = self.stated;
        let zero: Vec<usize> = plan.kept.iter().map(|&equation| equation - 1).collect();
        let counts = |place: usize| {
            let reads = tape.reads(place);
            reads[equations..].contains(&true) || zero.iter().any(|&i| reads[i])
        };
        let input = |place: usize| {
            let free = open.iter().find(|o| o.0 == place);
            match (ranged(place), free) {
                (Some(side), _) if counts(place) => Input::Range(side.lo.clone(), side.hi.clone()),
                (None, Some((_, side))) => Input::Range(Exact::double(side.lo), Exact::double(side.hi)),
                _ => Input::Value(numbers.value(mechanism, place)),
            }
        };
        let inputs: Vec<Input> = (0..names.len()).map(input).collect();
        let varying = inputs.iter().filter(|input| matches!(input, Input::Range(..))).count();
        if varying > MOST_VARYING {
            let (text, most) = (self.claim.to_string(), MOST_VARYING);
            return Err(ProveFault::Many { text, found: varying, most });
        }
        let held = (0..names.len()).filter(|&i| matches!(inputs[i], Input::Value(_)) && counts(i)).collect();
        let range = |side: &Side| (names[side.place].clone(), side.lo.clone(), side.hi.clone());
        Ok(Question {
            claim: self.claim,
            closed: closed.iter().map(|&c| mechanism.contacts[c].name.clone()).collect(),
            meant,
            sufficient,
            ranges: sides.iter().map(range).collect(),
            open: open.iter().map(|o| o.0).collect(),
            held,
            follows: plan.following.iter().map(|f| names[f.0].clone()).collect(),
            equations,
            statement: Statement::new(tape, inputs, zero, assumed, claimed).without_identities(),
            names,
        })
    }

    /// Which inputs vary, with some held at the state's values. An equation is kept if what it reads matters.
    fn plan(&self, fixed: &[usize]) -> Plan {
        let Setting { mechanism, numbers, sides, .. } = self.setting;
        let n = mechanism.coordinates.len();
        let inputs = &numbers.inputs;
        let mut ranges: Vec<(usize, Interval)> = sides
            .iter()
            .map(|side| (side.place, Interval::new(side.lo.enclosed().lo, side.hi.enclosed().hi)))
            .collect();
        ranges.extend(fixed.iter().map(|&place| (place, Interval { lo: inputs[place], hi: inputs[place] })));
        let tape = joined(&self.stated.tape, self.stated.equations);
        let structure = Structure { tape: &tape, inputs, coordinates: 1..1 + 2 * n, ranges: &ranges };
        structure.plan(&Tol::default())
    }
}

/// Output 0 reads what formulas read; the equations follow.
fn joined(tape: &Tape, equations: usize) -> Tape {
    let mut builder = Builder::new(tape.inputs());
    let inputs: Vec<Value> = (0..tape.inputs()).map(|i| builder.input(i)).collect();
    let outputs = builder.append(tape, &inputs);
    let zero = builder.constant(0.0);
    let sum = outputs[equations..].iter().fold(zero, |sum, &atom| builder.add(sum, atom));
    let all: Vec<Value> = std::iter::once(sum).chain(outputs[..equations].iter().copied()).collect();
    builder.finish(&all)
}

/// The ranges that were given, or the file's.
fn sides(mechanism: &Mechanism, options: &ProveOptions, parameters: &[f64]) -> Result<Vec<Side>, ProveFault> {
    if options.boxes.is_empty() {
        let side = |range: &crate::format::Range| {
            let named = || format!("the domain of `{}`", symbol_name(mechanism, range.variable));
            let (lo, hi) = ends(&range.lo, &range.hi, parameters)
                .map_err(|why| ProveFault::Range { text: named(), why: why.to_string() })?;
            Ok(Side { place: place(mechanism.coordinates.len(), range.variable), lo, hi })
        };
        return mechanism.domain.iter().map(side).collect();
    }
    let mut found: Vec<Side> = Vec::new();
    for text in &options.boxes {
        let side = given_side(mechanism, parameters, text)?;
        if found.iter().any(|other| other.place == side.place) {
            let why = "it is given twice".to_string();
            return Err(ProveFault::Range { text: text.clone(), why });
        }
        found.push(side);
    }
    Ok(found)
}

/// `name=LO:HI`.
fn given_side(mechanism: &Mechanism, parameters: &[f64], text: &str) -> Result<Side, ProveFault> {
    let wrong = |why: String| ProveFault::Range { text: text.to_string(), why };
    let form = || wrong("expected NAME=LO:HI, for example `theta=0:pi/2` or `dot(x)=-1:1`".to_string());
    let (name, range) = text.split_once('=').ok_or_else(form)?;
    let (lo, hi) = range.split_once(':').ok_or_else(form)?;
    let names = mechanism.names();
    let named = parse(name, &Scope::velocity(&names, "a box"), &SourceMap::From(0))
        .map_err(|faults| wrong(refused(name, faults).to_string()))?;
    let Node::Symbol(symbol) = named.node else {
        return Err(wrong(format!("`{}` is no coordinate, velocity or parameter", name.trim())));
    };
    let scope = Scope::constant(&names, "an end of a box");
    let number = |text: &str| {
        parse(text, &scope, &SourceMap::From(0)).map_err(|faults| wrong(refused(text, faults).to_string()))
    };
    let (lo, hi) = ends(&number(lo)?, &number(hi)?, parameters).map_err(|why| wrong(why.to_string()))?;
    Ok(Side { place: place(mechanism.coordinates.len(), symbol), lo, hi })
}

fn ends(lo: &Expr, hi: &Expr, parameters: &[f64]) -> Result<(Exact, Exact), &'static str> {
    let unbounded = "its ends have to be finite numbers";
    let lo = end(lo, parameters, f64::next_down).ok_or(unbounded)?;
    let hi = end(hi, parameters, f64::next_up).ok_or(unbounded)?;
    match lo.compare(&hi) {
        Some(std::cmp::Ordering::Less) => Ok((lo, hi)),
        _ => Err("it is empty: expected LO < HI"),
    }
}
