//! A claim as formulas of a tape's values: which equations hold in the states that are meant, what is assumed, what is claimed.
#![allow(non_snake_case)]

use crate::expression::Expr;
use crate::format::{Claim, Comparison, Inertia, Mechanism, NUMBERS};
use crate::model::{Block, Model, Output, Quantities};
use crate::num::{Interval, Real};
use crate::pipeline::parameters::compute;
use crate::pipeline::values::{Symbols, value};
use crate::prove::Formula;
use crate::tape::{Enclosure, Tape, Unary, Value};

/// A claim in the making: the outputs of its tape so far.
pub(super) struct Terms<'m> {
    pub(super) mechanism: &'m Mechanism,
    pub(super) quantities: Quantities,
    /// Contacts that are held closed from both sides without friction.
    pub(super) rails: Vec<usize>,
    inputs: Vec<Value>,
    /// Outputs that formulas read, each once.
    atoms: Vec<Value>,
    /// What was found to hold where some parameters are zero, and is assumed since.
    pub(super) supposed: Vec<Formula>,
}

/// What is known of the states that are meant.
pub(super) struct Stand {
    /// Contacts that are closed at the state which was asked for, if one was.
    pub(super) closed: Option<Vec<usize>>,
    /// Whether all velocities are held at zero.
    pub(super) still: bool,
    /// Places of parameters that are held at zero.
    pub(super) zeros: Vec<usize>,
    /// The range of each input.
    pub(super) ranges: Vec<Interval>,
    /// Inputs of a few of the states.
    pub(super) samples: Vec<Vec<f64>>,
}

/// A claim over states: outputs are the equations, then what formulas read.
pub(super) struct Stated {
    pub(super) tape: Tape,
    pub(super) equations: usize,
    pub(super) assumed: Formula,
    pub(super) claimed: Formula,
    /// Contacts that are closed in the states that are meant.
    pub(super) closed: Vec<usize>,
    /// What else is meant, in words.
    pub(super) meant: Option<&'static str>,
    /// What is looked for, in words, where that is enough for the claim and not necessary.
    pub(super) sufficient: Option<&'static str>,
    /// Whether it is assumed that no mass, inertia or friction is negative, since some are in the box.
    pub(super) physical: bool,
    /// Whether it is about contact laws, on whose border motions are neither possible nor impossible.
    pub(super) has_border: bool,
}

/// What only the claim knows.
struct Core {
    assumed: Vec<Formula>,
    claimed: Formula,
    closed: Vec<usize>,
    meant: Option<&'static str>,
    sufficient: Option<&'static str>,
    /// Whether the closed contacts may approach.
    approach: bool,
}

/// A claim that this mechanism has no answer to.
pub(super) type Beyond = &'static str;

impl<'m> Terms<'m> {
    /// Of a mechanism with a model that computes some inputs: what claims name of these is computed, too.
    pub(super) fn on_rails(
        mechanism: &'m Mechanism,
        model: &Model,
        computed: &[(usize, Expr)],
        rails: Vec<usize>,
    ) -> Self {
        let mut quantities = Quantities::new(model, &rails);
        let mut inputs = quantities.inputs();
        compute(quantities.builder(), mechanism, &mut inputs, computed);
        Terms { mechanism, quantities, rails, inputs, atoms: Vec::new(), supposed: Vec::new() }
    }

    /// The claim where `given` holds.
    pub(super) fn state(
        mut self,
        claim: &Claim,
        given: &[Comparison],
        stand: &Stand,
    ) -> Result<Stated, Beyond> {
        let mut core = self.core(claim, stand)?;
        for comparison in given {
            let assumed = self.compared(comparison)?;
            core.assumed.push(assumed);
        }
        core.assumed.append(&mut self.supposed);
        let physical = self.physical(&core.closed, stand);
        let is_physical = !physical.is_empty();
        core.assumed.extend(physical);
        let held = (0..self.mechanism.contacts.len()).filter(|&c| self.mechanism.contacts[c].bilateral);
        for contact in held {
            if !core.closed.contains(&contact) {
                core.closed.push(contact);
            }
        }
        let equations = self.equations(&core.closed, core.approach);
        let count = equations.len();
        let shifted = |formula: &Formula| shift(formula, count);
        let (assumed, claimed) = (shifted(&Formula::All(core.assumed)), shifted(&core.claimed));
        let outputs: Vec<Value> = equations.into_iter().chain(self.atoms.iter().copied()).collect();
        let tape = self.quantities.finish(&outputs);
        let Core { closed, meant, sufficient, .. } = core;
        Ok(Stated {
            tape,
            equations: count,
            assumed,
            claimed,
            closed,
            meant,
            sufficient,
            physical: is_physical,
            has_border: matches!(
                claim,
                Claim::Verdict { .. } | Claim::Modes { .. } | Claim::Equilibrium { .. }
            ),
        })
    }

    /// That masses, inertias and frictions are not negative, of those that are somewhere in the box.
    fn physical(&mut self, closed: &[usize], stand: &Stand) -> Vec<Formula> {
        let mechanism = self.mechanism;
        let mut values: Vec<Value> = closed.iter().map(|&contact| self.friction(contact)).collect();
        for body in &mechanism.bodies {
            let moments: Vec<&Expr> = match &body.inertia {
                Inertia::Scalar(moment) => vec![moment],
                Inertia::Diagonal(moments) => moments.iter().collect(),
                Inertia::Full(rows) => (0..rows.len()).map(|i| &rows[i][i]).collect(),
            };
            values.extend(moments.into_iter().chain([&body.mass]).map(|expr| self.expression(expr, &[])));
        }
        let tape = self.quantities.builder().clone().finish(&values);
        let enclosure = Enclosure::within(&tape, &stand.ranges, &[], Interval::from_f64);
        let is_negative = |i: &usize| enclosure.output(*i).lo < 0.0;
        let negative: Vec<usize> = (0..values.len()).filter(is_negative).collect();
        negative.into_iter().map(|i| Formula::NonNegative(self.atom(values[i]))).collect()
    }

    /// Gaps, constraints and, where velocities count, their rates.
    fn equations(&mut self, closed: &[usize], approach: bool) -> Vec<Value> {
        let gaps = self.quantities.output(Output::Gap);
        let mut found: Vec<Value> = closed.iter().map(|&c| gaps[c]).collect();
        found.extend(self.quantities.output(Output::Constraint));
        if self.reads_velocities() {
            let rates = self.quantities.rates(Block::GapVelocity);
            let kept = closed.iter().filter(|&&c| !approach || self.mechanism.contacts[c].bilateral);
            found.extend(kept.map(|&c| rates[c]));
            found.extend(self.quantities.rates(Block::ConstraintVelocity));
        }
        found
    }

    fn reads_velocities(&mut self) -> bool {
        let n = self.quantities.layout().coordinates;
        let tape = self.quantities.builder().clone().finish(&self.atoms);
        (1 + n..1 + 2 * n).any(|place| tape.reads(place).contains(&true))
    }

    fn core(&mut self, claim: &Claim, stand: &Stand) -> Result<Core, Beyond> {
        let of = |contact: usize, assumed: Vec<Formula>, claimed: Formula, meant| {
            Ok(Core { assumed, claimed, closed: vec![contact], meant, sufficient: None, approach: false })
        };
        match *claim {
            Claim::NoParadox(c) => {
                self.alone(c)?;
                let claimed = self.no_paradox(c);
                of(c, Vec::new(), claimed, None)
            }
            Claim::LeastFriction { contact, ref bound, strict } => {
                self.alone(contact)?;
                let bound = bound.as_ref().ok_or("there is no number to compare with")?;
                let claimed = self.least_friction(contact, bound, strict);
                of(contact, Vec::new(), claimed, None)
            }
            // in the plane and in space, with one contact, the fast motion dies out where p > 0   [CV16 section 4]
            Claim::Gain(c) | Claim::Stable(c) => {
                self.alone(c)?;
                // what pulls is rubbed as if it slipped the other way
                let pulls = self.mechanism.contacts[c].bilateral;
                let gain = if pulls { self.no_paradox(c) } else { self.gain(c) };
                let slips = self.slips(c);
                of(c, vec![slips], gain, Some("wherever it slips"))
            }
            Claim::Pressed(c) => {
                self.alone(c)?;
                let b = self.free(c, 0);
                let pushed = self.quantities.builder().neg(b);
                let claimed = self.positive(pushed);
                of(c, Vec::new(), claimed, None)
            }
            Claim::Verdict(verdict) => {
                self.planar()?;
                let Some(c) = self.only().filter(|&c| !self.mechanism.contacts[c].bilateral) else {
                    return self.of_all(claim, stand);
                };
                let (slips, claimed) = (self.slips(c), self.verdict(c, verdict));
                of(c, vec![slips], claimed, Some("wherever it slips"))
            }
            Claim::NoReverseChatter(c) => {
                self.strikes_alone()?;
                self.planar()?;
                let (assumed, claimed) = self.no_reverse_chatter(c)?;
                of(c, assumed, claimed, Some("wherever it is pressed and can stick"))
            }
            Claim::Region(c, region) => {
                let (assumed, claimed) = self.region(c, region)?;
                let meant = Some("wherever it approaches");
                Ok(Core { assumed, claimed, closed: vec![c], meant, sufficient: None, approach: true })
            }
            Claim::Comparisons(ref comparisons) => self.all_of(comparisons, stand),
            Claim::Modes(_)
            | Claim::Equilibrium(_)
            | Claim::Unwedged
            | Claim::StepExists
            | Claim::NothingCancels
            | Claim::NothingTips => self.of_all(claim, stand),
        }
    }

    /// Comparisons of the file's names, or of the numbers of the only contact, which is closed then.
    fn all_of(&mut self, comparisons: &[Comparison], stand: &Stand) -> Result<Core, Beyond> {
        let compared = comparisons.iter().map(|comparison| self.compared(comparison));
        let mut claimed = compared.collect::<Result<Vec<_>, _>>()?;
        let claimed = if claimed.len() == 1 { claimed.remove(0) } else { Formula::All(claimed) };
        let listed = || stand.closed.clone().unwrap_or_default();
        let of_contact = comparisons.iter().any(|comparison| self.uses_numbers(comparison));
        let closed = if of_contact { self.only().into_iter().collect() } else { listed() };
        Ok(Core { assumed: Vec::new(), claimed, closed, meant: None, sufficient: None, approach: false })
    }

    /// Claims about all closed contacts together: those of the state that was asked for, or all.
    fn of_all(&mut self, claim: &Claim, stand: &Stand) -> Result<Core, Beyond> {
        let all = || (0..self.mechanism.contacts.len()).collect();
        let closed = stand.closed.clone().unwrap_or_else(all);
        let rest = Some("at rest");
        let few = self.has_few_faces(&closed);
        let following = |(assumed, claimed): (Vec<Formula>, Formula)| {
            let meant = if assumed.is_empty() { rest } else { Some("wherever those slip that do not rest") };
            (assumed, claimed, meant)
        };
        let (assumed, claimed, meant) = match claim {
            Claim::Modes(wanted) => following(self.modes(&closed, stand, wanted)?),
            Claim::Verdict(verdict) => following(self.counted(&closed, stand, *verdict)?),
            Claim::Equilibrium(strong) => {
                let balance =
                    if few { self.balance(&closed, stand)?.holds } else { self.carried(&closed, stand)? };
                let mut all = vec![balance];
                if *strong {
                    all.push(self.nothing_moves(&closed, stand)?);
                }
                (Vec::new(), Formula::All(all), rest)
            }
            Claim::NothingCancels => (Vec::new(), self.nothing_cancels(&closed)?, None),
            Claim::NothingTips => (Vec::new(), self.nothing_tips(&closed, stand)?, rest),
            _ => (Vec::new(), self.opened(&closed, stand)?, None),
        };
        let sufficient = match claim {
            Claim::Unwedged | Claim::StepExists => {
                Some("one impulse that opens all contacts throughout a part")
            }
            Claim::Equilibrium(_) if !few => Some(
                "as many edges of the friction cones as there are motions, which carry the load throughout a part",
            ),
            _ => None,
        };
        Ok(Core { assumed, claimed, closed, meant, sufficient, approach: false })
    }

    pub(super) fn planar(&self) -> Result<(), Beyond> {
        let plane = self.quantities.layout().tangents == 1;
        if plane { Ok(()) } else { Err("it is known for contacts in the plane only") }
    }

    /// An output for formulas.
    pub(super) fn atom(&mut self, value: Value) -> usize {
        self.atoms.iter().position(|&atom| atom == value).unwrap_or_else(|| {
            self.atoms.push(value);
            self.atoms.len() - 1
        })
    }

    /// The output of minus another.
    pub(super) fn against(&mut self, atom: usize) -> usize {
        let value = self.quantities.builder().neg(self.atoms[atom]);
        self.atom(value)
    }

    pub(super) fn positive(&mut self, value: Value) -> Formula {
        Formula::Positive(self.atom(value))
    }

    pub(super) fn row(&self, contact: usize) -> usize {
        contact * (1 + self.quantities.layout().tangents)
    }

    pub(super) fn friction(&mut self, contact: usize) -> Value {
        let mechanism = self.mechanism;
        self.expression(&mechanism.contacts[contact].friction, &[])
    }

    /// Without contact forces: 0 the normal acceleration b, 1 the tangential a.
    pub(super) fn free(&mut self, contact: usize, row: usize) -> Value {
        let place = self.row(contact) + row;
        self.quantities.free_accelerations()[place]
    }

    /// p = C − μ B·û along a slip   [CV16 (12)], here C and μ B.
    fn gains(&mut self, contact: usize) -> (Value, Vec<Value>) {
        let (mu, (C, B)) = (self.friction(contact), self.mobility(contact));
        let builder = self.quantities.builder();
        (C, B.into_iter().map(|B| builder.mul(mu, B)).collect())
    }

    /// C and B.
    pub(super) fn mobility(&mut self, contact: usize) -> (Value, Vec<Value>) {
        let (row, tangents) = (self.row(contact), self.quantities.layout().tangents);
        let C = self.quantities.mobility(row, row);
        (C, (1..=tangents).map(|k| self.quantities.mobility(row, row + k)).collect())
    }

    /// p₊ and p₋ in the plane.
    pub(super) fn plus_and_minus(&mut self, contact: usize) -> [Value; 2] {
        let mu = self.friction(contact);
        self.plus_and_minus_at(contact, mu)
    }

    /// The same at another friction.
    pub(super) fn plus_and_minus_at(&mut self, contact: usize, mu: Value) -> [Value; 2] {
        let (C, B) = self.mobility(contact);
        let builder = self.quantities.builder();
        let driven = builder.mul(mu, B[0]);
        [builder.sub(C, driven), builder.add(C, driven)]
    }

    /// Components of the slip.
    pub(super) fn slip(&mut self, contact: usize) -> Vec<Value> {
        let tangents = self.quantities.layout().tangents;
        self.quantities.rates(Block::Slip)[contact * tangents..(contact + 1) * tangents].to_vec()
    }

    /// That a contact slips.
    pub(super) fn slips(&mut self, contact: usize) -> Formula {
        let slip = self.slip(contact);
        if let [u] = slip[..] {
            let back = self.quantities.builder().neg(u);
            return Formula::Any(vec![self.positive(u), self.positive(back)]);
        }
        let builder = self.quantities.builder();
        let zero = builder.constant(0.0);
        let size = slip.into_iter().fold(zero, |sum, u| {
            let square = builder.mul(u, u);
            builder.add(sum, square)
        });
        self.positive(size)
    }

    /// For each direction of slip in the plane: that the contact does not slip so, or `claimed` of p in this direction.
    pub(super) fn by_direction(
        &mut self,
        contact: usize,
        mut claimed: impl FnMut(&mut Self, Value) -> Formula,
    ) -> Formula {
        let u = self.slip(contact)[0];
        let back = self.quantities.builder().neg(u);
        let [plus, minus] = self.plus_and_minus(contact);
        let mut way = |terms: &mut Self, against: Value, p: Value| {
            let not = Formula::NonNegative(terms.atom(against));
            Formula::Any(vec![not, claimed(terms, p)])
        };
        Formula::All(vec![way(self, back, plus), way(self, u, minus)])
    }

    /// p > 0 along the slip; in space C‖u‖ > μ B·u.
    fn gain(&mut self, contact: usize) -> Formula {
        if self.quantities.layout().tangents == 1 {
            return self.by_direction(contact, |terms, p| terms.positive(p));
        }
        let ((C, along), slip) = (self.gains(contact), self.slip(contact));
        let builder = self.quantities.builder();
        let square = builder.dot(&slip, &slip);
        let size = builder.unary(Unary::Sqrt, square);
        let (whole, driven) = (builder.mul(C, size), builder.dot(&along, &slip));
        let p = builder.sub(whole, driven);
        self.positive(p)
    }

    /// A comparison as a formula.
    fn compared(&mut self, comparison: &Comparison) -> Result<Formula, Beyond> {
        let numbers = self.numbers(comparison)?;
        let less = self.expression(&comparison.less, &numbers);
        let more = self.expression(&comparison.more, &numbers);
        let difference = self.quantities.builder().sub(more, less);
        let place = self.atom(difference);
        Ok(if comparison.strict { Formula::Positive(place) } else { Formula::NonNegative(place) })
    }

    fn uses_numbers(&self, comparison: &Comparison) -> bool {
        let n = self.mechanism.coordinates.len();
        let named = |expr: &Expr| {
            let past = |s| matches!(s, crate::expression::Symbol::Coordinate(i) if i >= n);
            expr.symbols().into_iter().any(past)
        };
        named(&comparison.less) || named(&comparison.more)
    }

    /// p₊, p₋, p, a, b of the only contact, where a comparison uses one.
    fn numbers(&mut self, comparison: &Comparison) -> Result<Vec<Value>, Beyond> {
        if !self.uses_numbers(comparison) {
            return Ok(Vec::new());
        }
        let only = self.only();
        let c = only.ok_or("p_plus, p_minus, p, a and b are numbers of a mechanism with one contact, beside those without friction that are held from both sides")?;
        self.planar()?;
        let [plus, minus] = self.plus_and_minus(c);
        let ((C, along), u) = (self.gains(c), self.slip(c)[0]);
        let (a, b) = (self.free(c, 1), self.free(c, 0));
        let builder = self.quantities.builder();
        let sign = builder.unary(Unary::Signum, u);
        let driven = builder.mul(along[0], sign);
        let p = builder.sub(C, driven);
        let numbers: [Value; NUMBERS.len()] = [plus, minus, p, a, b];
        Ok(numbers.to_vec())
    }

    pub(super) fn expression(&mut self, expr: &Expr, numbers: &[Value]) -> Value {
        let n = self.quantities.layout().coordinates;
        let q: Vec<Value> = self.inputs[1..=n].iter().chain(numbers).copied().collect();
        let known = Symbols::inputs(&self.inputs, n, &self.mechanism.definitions.values);
        let symbols = Symbols { q: &q, ..known };
        value(self.quantities.builder(), expr, &symbols)
    }
}

/// Outputs counted from `first` on.
fn shift(formula: &Formula, first: usize) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(|part| shift(part, first)).collect();
    match formula {
        Formula::Positive(i) => Formula::Positive(first + i),
        Formula::NonNegative(i) => Formula::NonNegative(first + i),
        Formula::All(parts) => Formula::All(all(parts)),
        Formula::Any(parts) => Formula::Any(all(parts)),
    }
}
