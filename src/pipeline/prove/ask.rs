//! A claim as a question: what varies over which range, what follows, what is held.

use super::ProveOptions;
use super::fault::ProveFault;
use super::numbers::Numbers;
use super::sides::{Side, sides};
use super::terms::{Stand, Stated, Terms};
use crate::analysis::search::{Plan, Structure};
use crate::diag::Diagnostic;
use crate::expression::{Expr, SourceMap};
use crate::format::{Claim, ClaimText, Comparison, Mechanism};
use crate::model::Model;
use crate::num::{Interval, Real, Tol};
use crate::pipeline::inputs::{input_names, place};
use crate::pipeline::parameters::{compute, with_computed};
use crate::pipeline::states::{parse_overrides, placed_of};
use crate::pipeline::{Failure, Loaded, Usage};
use crate::prove::{Exact, Formula, Input, MOST_VARYING, Statement, Subject, identities, reduced};
use crate::tape::{Builder, Tape, Value};

/// A claim, ready to be proven.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) claim: String,
    pub(super) statement: Statement,
    /// Outputs of its tape that are zero in the states that are meant, those among them that are left out since nothing else hangs on them.
    pub(super) equations: usize,
    /// Names of the tape's inputs.
    pub(super) names: Vec<String>,
    /// Names of the contacts that are closed in the states that are meant.
    pub(super) closed: Vec<String>,
    /// What else is meant.
    pub(super) meant: Option<&'static str>,
    /// What is looked for, in words, where that is enough for the claim and not necessary.
    pub(super) sufficient: Option<&'static str>,
    /// The ranges, those on which the claim does not depend among them.
    pub(super) ranges: Vec<(String, Exact, Exact)>,
    /// Places of inputs that were given no range, and vary as far as gaps and constraints allow.
    pub(super) open: Vec<usize>,
    /// Places of inputs on which the claim depends and which have one value.
    pub(super) held: Vec<usize>,
    /// What follows its text in the state or in `--set`, with that text.
    pub(super) texts: Vec<(String, String)>,
    /// Whether it is assumed that no mass, inertia or friction is negative.
    pub(super) physical: bool,
    /// Whether an earlier run was gone on from.
    pub(super) resumed: bool,
    /// Names of what is determined by gaps and constraints, and does not matter otherwise.
    pub(super) follows: Vec<String>,
}

/// Of a state that a claim is not about.
const NOT_ABOUT: &str = "it is about states whose contact is closed and stays closed, and at some points of the map the state's is open, or approaches";

impl Question {
    /// That it has no answer here.
    pub(super) fn beyond(&self, why: &'static str) -> Usage {
        Usage::from(ProveFault::Beyond { text: self.claim.clone(), why })
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

    /// What it is about, for a certificate.
    pub(super) fn subject<'s>(&'s self, mechanism: &'s str, given: &'s [String]) -> Subject<'s> {
        let Question { claim, closed, texts, names, .. } = self;
        Subject { mechanism, claim, given, closed, texts, names }
    }

    /// The name and the value of an input that has one.
    pub(super) fn value(&self, i: usize) -> Option<(String, Exact)> {
        match &self.statement.inputs[i] {
            Input::Value(value) => Some((self.names[i].clone(), value.clone())),
            Input::Range(..) | Input::Share(_) => None,
        }
    }
}

/// Points of two ranges at which a state is evaluated: corners, and two that nothing is symmetric about.
const POINTS: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.37, 0.61], [0.83, 0.29]];

/// What all claims about a mechanism are asked in.
pub(super) struct Setting<'l> {
    pub(super) mechanism: &'l Mechanism,
    /// The file's text.
    text: &'l str,
    /// With the parameters that follow from others.
    pub(super) model: Model,
    /// These parameters.
    pub(super) follow: Vec<(usize, Expr)>,
    pub(super) numbers: Numbers<'l>,
    pub(super) sides: Vec<Side>,
    pub(super) given: Vec<Comparison>,
}

impl<'l> Setting<'l> {
    pub(super) fn new(loaded: &'l Loaded, model: &Model, options: &ProveOptions) -> Result<Self, Failure> {
        let mechanism = &loaded.mechanism;
        let numbers = Numbers::new(loaded, model, options)?;
        let parameters = &numbers.inputs[1 + 2 * mechanism.coordinates.len()..];
        let sides = sides(mechanism, options, parameters).map_err(Usage::from)?;
        let ranged = |place: usize| sides.iter().any(|side| side.place == place);
        let follow = numbers.following_parameters(mechanism, &ranged);
        let given = options.given.iter().map(|text| read(mechanism, text, |text| text.read_comparisons()));
        let given = given.collect::<Result<Vec<_>, _>>().map_err(Usage::from)?.concat();
        let model = with_computed(mechanism, model, &follow);
        let model = model.map_err(|e| Failure::file(&loaded.source.name, e))?;
        let text = loaded.source.text.as_str();
        Ok(Setting { mechanism, text, model, follow, numbers, sides, given })
    }

    /// A claim with the inputs of a few states more to look at.
    pub(super) fn question(&self, claim: &str, more: &[Vec<f64>]) -> Result<Question, ProveFault> {
        self.asked(claim, &self.read(claim)?, more)
    }

    /// What a text says.
    pub(super) fn read(&self, claim: &str) -> Result<Claim, ProveFault> {
        read(self.mechanism, claim, |text| text.read())
    }

    /// A claim as one that a state can refute, where what shows it is enough and not necessary.
    pub(super) fn refutable(&self, claim: &str) -> Option<Question> {
        let other = self.read(claim).ok()?.refutable()?;
        self.asked(claim, &other, &[]).ok()
    }

    pub(super) fn asked(
        &self,
        claim: &str,
        parsed: &Claim,
        more: &[Vec<f64>],
    ) -> Result<Question, ProveFault> {
        let pose = |held: Vec<usize>| self.posed(claim, parsed, more, held);
        let mut posed = pose(Vec::new())?;
        let has_state = self.numbers.closed.is_some();
        if has_state && !posed.plan.asked().is_empty() {
            // where the state fulfils all equations whatever varies, it is the state that is meant
            let whole = pose(self.unranged())?;
            if whole.equations.is_empty() {
                return whole.question(self, claim);
            }
        }
        while has_state && posed.plan.needs.iter().any(|place| !posed.held.contains(place)) {
            let held = [posed.held, posed.plan.needs].concat();
            posed = pose(held)?;
        }
        let unbounded = std::mem::take(&mut posed.plan.unbounded);
        if unbounded.is_empty() {
            return posed.question(self, claim);
        }
        // what equations determine is not held, unless the state says how it follows, or it is at rest with all that moves with it
        let held = [&posed.held[..], &unbounded].concat();
        let texts = self.numbers.following_texts(self.mechanism, &held, self.moving(&held));
        let is_known =
            |place: &usize| texts.iter().any(|text| text.0 == *place) || self.rests(&posed, *place);
        let unknown: Vec<usize> =
            unbounded.iter().copied().filter(|place| !has_state || !is_known(place)).collect();
        if !unknown.is_empty() {
            let names = input_names(self.mechanism);
            let names = unknown.iter().map(|&place| names[place].clone()).collect();
            return Err(ProveFault::Unbounded { text: claim.to_string(), names });
        }
        posed = pose(held)?;
        posed.question(self, claim)
    }

    /// Whether a velocity is zero in the state, and all others that its equations have are, too.
    fn rests(&self, posed: &Posed, own: usize) -> bool {
        let n = self.mechanism.coordinates.len();
        let tape = &posed.stated.tape;
        let equations = |place: usize| {
            let reads = tape.reads(place);
            posed.equations.iter().copied().filter(|&i| reads[i]).collect::<Vec<_>>()
        };
        let of_own = equations(own);
        let moves = |place: usize| self.side(place).is_some() || self.numbers.inputs[place].abs() > 0.0;
        let together = |place: &usize| equations(*place).iter().any(|i| of_own.contains(i));
        (1 + n..1 + 2 * n).contains(&own) && !(1 + n..1 + 2 * n).filter(together).any(moves)
    }

    /// A claim, with some coordinates and velocities as the state has them.
    fn posed(
        &self,
        claim: &str,
        parsed: &Claim,
        more: &[Vec<f64>],
        held: Vec<usize>,
    ) -> Result<Posed, ProveFault> {
        let beyond = |why| ProveFault::Beyond { text: claim.to_string(), why };
        let texts = self.numbers.following_texts(self.mechanism, &held, self.moving(&held));
        let mut stand = self.stand(more);
        let terms = Terms::new(self.mechanism, &self.model, &self.follow, &stand.zeros);
        if !texts.is_empty() {
            self.put_by_texts(&mut stand.samples, &texts);
        }
        let mut stated = terms.state(parsed, &self.given, &stand).map_err(beyond)?;
        if !texts.is_empty() {
            stated.tape = self.following(&stated.tape, &texts);
        }
        let unknown: Vec<usize> = self.unranged().into_iter().filter(|place| !held.contains(place)).collect();
        if let Some(tape) = reduced(&stated.tape, stated.equations, &unknown, &stand.ranges) {
            stated.tape = tape;
        }
        let equations = self.equations(&stated, &held);
        let plan = self.plan(&stated, &equations, &held);
        Ok(Posed { stated, equations, plan, held, texts })
    }

    /// Places of what varies: by ranges, since it follows what does, or since nothing holds it.
    fn moving(&self, held: &[usize]) -> Vec<usize> {
        let n = self.mechanism.coordinates.len();
        let free = (1..1 + 2 * n).filter(|place| !held.contains(place));
        let mut moving: Vec<usize> = self.sides.iter().map(|side| side.place).chain(free).collect();
        for (own, meaning) in &self.follow {
            if meaning.symbols().into_iter().any(|symbol| moving.contains(&place(n, symbol))) {
                moving.push(*own);
            }
        }
        moving
    }

    /// Puts what follows some texts where these say, in the inputs of some states.
    fn put_by_texts(&self, samples: &mut [Vec<f64>], texts: &[(usize, Expr)]) {
        let count = self.numbers.inputs.len();
        let mut builder = Builder::new(count);
        let all: Vec<Value> = (0..count).map(|i| builder.input(i)).collect();
        let tape = self.following(&builder.finish(&all), texts);
        for sample in samples {
            let mut found = vec![0.0; count];
            tape.eval(sample, &mut found, &mut tape.scratch());
            *sample = found;
        }
    }

    /// The tape with the inputs of some texts computed from others.
    fn following(&self, tape: &Tape, texts: &[(usize, Expr)]) -> Tape {
        let mut builder = Builder::new(tape.inputs());
        let mut inputs: Vec<Value> = (0..tape.inputs()).map(|i| builder.input(i)).collect();
        let computed = [&self.follow[..], texts].concat();
        compute(&mut builder, self.mechanism, &mut inputs, &computed);
        let outputs = builder.append(tape, &inputs);
        builder.finish(&outputs)
    }

    /// Coordinates and velocities without ranges.
    fn unranged(&self) -> Vec<usize> {
        let states = 1..1 + 2 * self.mechanism.coordinates.len();
        states.filter(|&place| self.side(place).is_none()).collect()
    }

    fn side(&self, place: usize) -> Option<&Side> {
        self.sides.iter().find(|side| side.place == place)
    }

    /// Equations that do not hold whatever varies.
    fn equations(&self, stated: &Stated, held: &[usize]) -> Vec<usize> {
        let all = 0..stated.equations;
        if held.is_empty() {
            return all.collect();
        }
        let states = 1..1 + 2 * self.mechanism.coordinates.len();
        let input = |place: usize| match self.side(place) {
            Some(side) => side.input(),
            None if states.contains(&place) && !held.contains(&place) => {
                Input::Range(Exact::double(0.0), Exact::double(1.0))
            }
            None => Input::Value(self.numbers.value(self.mechanism, place)),
        };
        let inputs = (0..stated.tape.inputs()).map(input).collect();
        let (assumed, claimed) = (Formula::All(Vec::new()), Formula::All(Vec::new()));
        let statement = Statement::new(stated.tape.clone(), inputs, all.clone().collect(), assumed, claimed);
        let identities = identities(&statement);
        all.filter(|equation| !identities.contains(equation)).collect()
    }

    /// Which inputs vary, with some held at the state's values. An equation is kept if what it reads matters.
    fn plan(&self, stated: &Stated, equations: &[usize], held: &[usize]) -> Plan {
        let inputs = &self.numbers.inputs;
        let of = |side: &Side| (side.place, side.enclosed());
        let fixed = |&place: &usize| (place, Interval { lo: inputs[place], hi: inputs[place] });
        let ranges: Vec<(usize, Interval)> =
            self.sides.iter().map(of).chain(held.iter().map(fixed)).collect();
        let tape = joined(stated, equations);
        let coordinates = 1..1 + 2 * self.mechanism.coordinates.len();
        let first = self.numbers.determined(self.mechanism.coordinates.len());
        Structure { tape: &tape, inputs, coordinates, ranges: &ranges, first: &first }.plan(&Tol::default())
    }
}

impl Setting<'_> {
    /// That the state, evaluated anew at a few points of two ranges, is one that a claim is about, and has what it holds.
    pub(super) fn check_held(
        &self,
        loaded: &Loaded,
        model: &Model,
        question: &Question,
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
    pub(super) fn stand(&self, more: &[Vec<f64>]) -> Stand {
        let Numbers { closed, inputs, .. } = &self.numbers;
        let n = self.mechanism.coordinates.len();
        let rates = 1 + n..1 + 2 * n;
        let ranged = self.sides.iter().any(|side| rates.contains(&side.place));
        let unranged = self.unranged();
        let texts = self.numbers.following_texts(self.mechanism, &unranged, self.moving(&unranged));
        let varies = ranged || texts.iter().any(|text| rates.contains(&text.0));
        let still = closed.is_some() && !varies && inputs[rates].iter().all(|v| v.abs() <= 0.0);
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
        let follows = |place: usize| self.follow.iter().any(|other| other.0 == place);
        let is_zero =
            |&place: &usize| inputs[place].abs() <= 0.0 && self.side(place).is_none() && !follows(place);
        let zeros = (1 + 2 * n..inputs.len()).filter(is_zero).collect();
        let states = 1..1 + 2 * n;
        let range = |place: usize| match self.side(place) {
            Some(side) => side.enclosed(),
            None if states.contains(&place) => Interval::WHOLE,
            None => Interval::from_f64(inputs[place]),
        };
        let ranges = (0..inputs.len()).map(range).collect();
        Stand { closed: closed.clone(), still, zeros, ranges, samples }
    }
}

/// What a text says of a mechanism, or the first that is wrong with it.
fn read<'t, T>(
    mechanism: &'t Mechanism,
    text: &'t str,
    read: impl Fn(&ClaimText<'_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, ProveFault> {
    let (names, place) = (mechanism.names(), SourceMap::From(0));
    let contacts: Vec<String> = mechanism.contacts.iter().map(|contact| contact.name.clone()).collect();
    let written = ClaimText { text, place: &place, names: &names, contacts: &contacts };
    read(&written).map_err(|faults| {
        let fault = faults.into_iter().next().unwrap_or_else(|| Diagnostic::error("M119", "no claim"));
        ProveFault::Claim { text: text.to_string(), fault: Box::new(fault) }
    })
}

/// What a question is made of.
struct Posed {
    stated: Stated,
    /// Its equations without those that hold whatever varies.
    equations: Vec<usize>,
    plan: Plan,
    /// Places of coordinates and velocities that are as the state has them.
    held: Vec<usize>,
    /// Those among them that follow their text in the state.
    texts: Vec<(usize, Expr)>,
}

impl Posed {
    fn question(self, setting: &Setting<'_>, claim: &str) -> Result<Question, ProveFault> {
        let Setting { mechanism, numbers, .. } = setting;
        let names = input_names(mechanism);
        let Posed { stated, equations: kept, plan, held: fixed, texts } = self;
        if !plan.needs.is_empty() {
            let needed = plan.needs.iter().map(|&place| names[place].clone()).collect();
            return Err(ProveFault::Needs { text: claim.to_string(), names: needed });
        }
        let is_open = |place: &usize| setting.side(*place).is_none() && !fixed.contains(place);
        let open: Vec<(usize, Interval)> =
            plan.slots.into_iter().zip(plan.sides).filter(|(place, _)| is_open(place)).collect();
        let Stated { tape, equations, assumed, claimed, closed, meant, sufficient, physical, has_border } =
            stated;
        let zero: Vec<usize> = plan.kept.iter().map(|&equation| kept[equation - 1]).collect();
        let counts = |place: usize| {
            let reads = tape.reads(place);
            reads[equations..].contains(&true) || zero.iter().any(|&i| reads[i])
        };
        let input = |place: usize| {
            let free = open.iter().find(|o| o.0 == place);
            match (setting.side(place), free) {
                (Some(side), _) if counts(place) => side.input(),
                (None, Some((_, side))) => {
                    let [lo, hi] = with_room(*side).map(Exact::double);
                    Input::Range(lo, hi)
                }
                _ => Input::Value(numbers.value(mechanism, place)),
            }
        };
        let inputs: Vec<Input> = (0..names.len()).map(input).collect();
        let varying = inputs.iter().filter(|input| matches!(input, Input::Range(..))).count();
        if varying > MOST_VARYING {
            let (text, most) = (claim.to_string(), MOST_VARYING);
            return Err(ProveFault::Many { text, found: varying, most });
        }
        let held = (0..names.len()).filter(|&i| matches!(inputs[i], Input::Value(_)) && counts(i)).collect();
        let range = |side: &Side| (names[side.place].clone(), side.lo.clone(), side.hi.clone());
        let written = |text: &Expr| setting.text.get(text.span.start..text.span.end).unwrap_or_default();
        let given = numbers.given_texts(mechanism, &setting.follow, written).into_iter();
        let texts = texts.iter().map(|(i, text)| (names[*i].clone(), written(text).to_string()));
        Ok(Question {
            claim: claim.to_string(),
            closed: closed.iter().map(|&c| mechanism.contacts[c].name.clone()).collect(),
            meant,
            sufficient,
            physical,
            resumed: false,
            ranges: setting.sides.iter().filter(|side| !side.is_point()).map(range).collect(),
            open: open.iter().map(|o| o.0).collect(),
            held,
            texts: given.chain(texts).collect(),
            follows: plan.following.iter().map(|f| names[f.0].clone()).collect(),
            equations,
            statement: Statement {
                has_border,
                ..Statement::new(tape, inputs, zero, assumed, claimed).without_identities()
            },
            names,
        })
    }
}

/// The range of what equations determine, which they may do to the last digit, with room for a box in which a state can be shown to be.
fn with_room(side: Interval) -> [f64; 2] {
    let room = f64::EPSILON.sqrt() * (1.0 + side.magnitude());
    if side.lo < side.hi && side.width() < room {
        [side.lo - room, side.hi + room]
    } else {
        [side.lo, side.hi]
    }
}

/// Output 0 reads what formulas read; the equations that are kept follow.
fn joined(stated: &Stated, equations: &[usize]) -> Tape {
    let tape = &stated.tape;
    let mut builder = Builder::new(tape.inputs());
    let inputs: Vec<Value> = (0..tape.inputs()).map(|i| builder.input(i)).collect();
    let outputs = builder.append(tape, &inputs);
    // of squares, since a slip and its opposite, both of which formulas read, would cancel
    let atoms = &outputs[stated.equations..];
    let sum = builder.dot(atoms, atoms);
    let kept = equations.iter().map(|&equation| outputs[equation]);
    let all: Vec<Value> = std::iter::once(sum).chain(kept).collect();
    builder.finish(&all)
}
