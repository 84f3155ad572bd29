//! The text of a certificate, read into what is checked. Nothing is guessed: every key must be there, none may be unknown.

use crate::fault::Fault;
use crate::formula::{Aim, Formula, Sign};
use crate::identity::Quotients;
use crate::interval::Interval;
use crate::number::{Number, Range};
use crate::tape::{Given, Node, Op, Side, Step, Tape};
use serde_json::{Map, Value};

/// Inputs that vary at most: a tree splits those that a digit or letter names.
pub(crate) const VARYING: usize = 36;
/// Formulas within formulas at most.
const NESTED: usize = 60;
const KEYS: [&str; 17] = [
    "schema",
    "mechanism",
    "claim",
    "given",
    "closed",
    "where",
    "answer",
    "inputs",
    "constants",
    "nodes",
    "zero",
    "same",
    "assumed",
    "claimed",
    "tree",
    "witness",
    "roots",
];

/// What a certificate says about its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It holds wherever the assumptions do.
    Proven,
    /// It fails at a point where the assumptions hold.
    Refuted,
    /// It holds wherever the assumptions do, but for boxes that are open.
    Undecided,
    /// The assumptions hold nowhere.
    Vacuous,
}

/// An input of the witness: a number, or all from one to another.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) lo: Number,
    pub(crate) hi: Number,
}

impl Entry {
    pub(crate) fn is_pair(&self) -> bool {
        self.lo.is_below(&self.hi)
    }

    pub(crate) fn side(&self) -> Side {
        Side::between(self.lo.enclosure(), self.hi.enclosure())
    }
}

/// A certificate that is well formed.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub(crate) mechanism: String,
    pub(crate) claim: String,
    pub(crate) given: Vec<String>,
    pub(crate) closed: Vec<String>,
    /// Inputs that follow from others, in words.
    pub(crate) follows: Vec<String>,
    pub(crate) answer: Answer,
    /// Name and value of each input that counts and has one, as they are written.
    pub(crate) held: Vec<(String, String)>,
    /// Name and range of each varying input, as they are written.
    pub(crate) ranges: Vec<(String, [String; 2])>,
    pub(crate) tape: Tape,
    pub(crate) zero: Vec<u32>,
    /// Pairs of values that are the same function: what the second shows of a value, it shows of the first.
    pub(crate) same: Vec<[u32; 2]>,
    /// Values that are 0 at the witness, beside the equations.
    pub(crate) roots: Vec<u32>,
    pub(crate) assumed: Formula,
    pub(crate) claimed: Formula,
    pub(crate) tree: Option<String>,
    pub(crate) witness: Option<Vec<Entry>>,
}

impl Certificate {
    /// Reads the text of a certificate.
    ///
    /// # Errors
    /// What is wrong with its form, first.
    pub fn read(text: &str) -> Result<Self, Fault> {
        if text.len() > crate::MOST_BYTES {
            return Err(Fault::Large { bytes: text.len() });
        }
        let value: Value = serde_json::from_str(text).map_err(|e| Fault::Json(e.to_string()))?;
        let map = object(&value, "the certificate")?;
        let schema = word(map, "schema")?;
        if schema != crate::SCHEMA {
            return Err(Fault::Schema(schema));
        }
        if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(Fault::Unknown(key.clone()));
        }
        let mut inputs = Inputs::default();
        for (i, input) in list(map, "inputs")?.iter().enumerate() {
            inputs.read(input, &format!("inputs[{i}]"))?;
        }
        for (i, value) in list(map, "constants")?.iter().enumerate() {
            inputs.constant(value, &format!("constants[{i}]"))?;
        }
        let nodes = nodes(list(map, "nodes")?, inputs.all.given.len())?;
        let counts = |place: &u32| nodes.iter().any(|node| node.a == *place || node.b == *place);
        let held = inputs.held.into_iter().filter(|(place, _)| counts(place)).map(|(_, held)| held).collect();
        let tape = Tape::new(inputs.all, nodes);
        Ok(Self {
            mechanism: word(map, "mechanism")?,
            claim: word(map, "claim")?,
            given: words(list(map, "given")?, "given")?,
            closed: words(list(map, "closed")?, "closed")?,
            follows: words(optional(map, "where")?, "where")?,
            answer: answer(&word(map, "answer")?)?,
            held,
            ranges: inputs.ranges,
            zero: indices(list(map, "zero")?, "zero", tape.len())?,
            same: same(map, &tape)?,
            roots: indices(optional(map, "roots")?, "roots", tape.len())?,
            assumed: formula(member(map, "assumed")?, "assumed", tape.len(), 0)?,
            claimed: formula(member(map, "claimed")?, "claimed", tape.len(), 0)?,
            tape,
            tree: match member(map, "tree")? {
                Value::Null => None,
                _ => Some(word(map, "tree")?),
            },
            witness: witness(map)?,
        })
    }

    /// A value and others that are the same.
    pub(crate) fn forms(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(v)
            .chain(self.same.iter().filter(move |[first, _]| *first == v).map(|[_, form]| *form))
    }

    /// Whether values show that a formula holds or fails.
    pub(crate) fn is_seen(&self, formula: &Formula, aim: Aim, values: &[Interval]) -> bool {
        formula.is_shown(aim, &mut |sign, v| {
            let forms = if self.is_defined(v, values) { self.forms(v).collect() } else { Vec::new() };
            forms.into_iter().any(|form| sign.is_shown(aim, values[form as usize]))
        })
    }

    /// Whether a value is shown to be defined, of which others that are the same are known: by bounds of its own, or since it divides by
    /// nothing that may be 0.
    pub(crate) fn is_defined(&self, v: u32, values: &[Interval]) -> bool {
        let is_apart = |v| self.forms(v).any(|form| values[form as usize].is_apart_from_zero());
        let is_total = |step: &Step| match step.node.op {
            Op::Div => is_apart(step.node.b),
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Sin | Op::Cos => true,
            _ => values[step.value as usize] != Interval::Whole,
        };
        values[v as usize] != Interval::Whole
            || (self.forms(v).nth(1).is_some() && self.tape.steps(&[v]).iter().all(is_total))
    }
}

fn form<T>(place: &str, expected: &'static str) -> Result<T, Fault> {
    Err(Fault::Form { place: place.to_owned(), expected })
}

fn member<'a>(map: &'a Map<String, Value>, key: &'static str) -> Result<&'a Value, Fault> {
    map.get(key).ok_or(Fault::Missing(key))
}

fn object<'a>(value: &'a Value, place: &str) -> Result<&'a Map<String, Value>, Fault> {
    value.as_object().map_or_else(|| form(place, "an object"), Ok)
}

fn list<'a>(map: &'a Map<String, Value>, key: &'static str) -> Result<&'a [Value], Fault> {
    member(map, key)?.as_array().map_or_else(|| form(key, "a list"), |list| Ok(list.as_slice()))
}

/// A text that may be printed.
fn text<'a>(value: &'a Value, place: &str) -> Result<&'a str, Fault> {
    let printable = |text: &&str| !text.chars().any(char::is_control);
    value.as_str().filter(printable).map_or_else(|| form(place, "a text without control characters"), Ok)
}

fn word(map: &Map<String, Value>, key: &'static str) -> Result<String, Fault> {
    text(member(map, key)?, key).map(str::to_owned)
}

fn words(list: &[Value], key: &'static str) -> Result<Vec<String>, Fault> {
    list.iter().map(|value| text(value, key).map(str::to_owned)).collect()
}

fn answer(text: &str) -> Result<Answer, Fault> {
    match text {
        "proven" => Ok(Answer::Proven),
        "refuted" => Ok(Answer::Refuted),
        "undecided" => Ok(Answer::Undecided),
        "vacuous" => Ok(Answer::Vacuous),
        _ => form("answer", "proven, refuted, undecided or vacuous"),
    }
}

fn number(value: &Value, place: &str) -> Result<Number, Fault> {
    value.as_str().and_then(Number::read).map_or_else(|| form(place, "a number, as a text"), Ok)
}

/// Two numbers, of which the first is not above the second.
fn pair(value: &Value, place: &str) -> Result<(Number, Number), Fault> {
    let Some([lo, hi]) = value.as_array().map(Vec::as_slice) else {
        return form(place, "a pair of numbers");
    };
    let (lo, hi) = (number(lo, place)?, number(hi, place)?);
    if lo.is_at_most(&hi) { Ok((lo, hi)) } else { form(place, "a lower end that is not above the upper") }
}

/// Inputs, then all values that are given.
#[derive(Default)]
struct Inputs {
    all: Given,
    ranges: Vec<(String, [String; 2])>,
    /// Place, name and value of those that have one.
    held: Vec<(u32, (String, String))>,
}

impl Inputs {
    fn read(&mut self, value: &Value, place: &str) -> Result<(), Fault> {
        let map = object(value, place)?;
        let name = word(map, "name")?;
        if map.len() != 2 {
            return form(place, "a name, and either a range or a value");
        }
        let at = self.all.given.len() as u32;
        if let Some(value) = map.get("value") {
            let written = value.as_str().unwrap_or_default().to_owned();
            self.held.push((at, (name, written)));
            return self.constant(value, place);
        }
        if self.all.varying.len() == VARYING {
            return form(place, "at most 36 inputs that vary");
        }
        if let Some(of) = map.get("share") {
            let of = index(of, place, at as usize)?;
            let sides = self.all.varying.len() - self.all.shares.len();
            let Some(side) = self.all.varying[..sides].iter().position(|(value, _)| *value == of) else {
                return form(place, "the share of an earlier input that has a range");
            };
            self.all.shares.push(side);
            return self.varying(at, Range::share());
        }
        if !self.all.shares.is_empty() {
            return form(place, "inputs with ranges before shares of them");
        }
        let value = member(map, "range")?;
        let (lo, hi) = pair(value, place)?;
        let written = |i: usize| value[i].as_str().unwrap_or_default().to_owned();
        self.ranges.push((name, [written(0), written(1)]));
        self.varying(at, Range::new(lo, hi))
    }

    fn varying(&mut self, at: u32, range: Range) -> Result<(), Fault> {
        self.push(range.lo.enclosure().hull(range.hi.enclosure()), None);
        self.all.varying.push((at, range));
        Ok(())
    }

    fn constant(&mut self, value: &Value, place: &str) -> Result<(), Fault> {
        if value.is_array() {
            let (lo, hi) = pair(value, place)?;
            self.push(lo.enclosure().hull(hi.enclosure()), None);
        } else {
            let number = number(value, place)?;
            self.push(number.enclosure(), Some(number));
        }
        Ok(())
    }

    fn push(&mut self, value: Interval, number: Option<Number>) {
        self.all.given.push(value);
        self.all.numbers.push(number);
    }
}

/// The number of a value, of so many.
fn index(value: &Value, place: &str, values: usize) -> Result<u32, Fault> {
    let known = value.as_u64().filter(|&v| v < values as u64).and_then(|v| u32::try_from(v).ok());
    known.map_or_else(|| form(place, "the number of an earlier value"), Ok)
}

fn nodes(list: &[Value], given: usize) -> Result<Vec<Node>, Fault> {
    let node = |(i, value): (usize, &Value)| {
        let place = format!("nodes[{i}]");
        let parts = value.as_array().map_or(&[][..], Vec::as_slice);
        let Some((op, operands)) = parts.first().and_then(Value::as_str).and_then(Op::named) else {
            return form(&place, "an operation, by name");
        };
        if parts.len() != operands + 1 {
            return form(&place, "as many operands as the operation has");
        }
        let a = index(&parts[1], &place, given + i)?;
        Ok(Node { op, a, b: index(&parts[operands], &place, given + i)? })
    };
    list.iter().enumerate().map(node).collect()
}

fn indices(list: &[Value], place: &str, values: usize) -> Result<Vec<u32>, Fault> {
    list.iter().map(|value| index(value, place, values)).collect()
}

/// A list that may be missing.
fn optional<'a>(map: &'a Map<String, Value>, key: &'static str) -> Result<&'a [Value], Fault> {
    if map.contains_key(key) { list(map, key) } else { Ok(&[]) }
}

/// Pairs of values that are the same.
fn same(map: &Map<String, Value>, tape: &Tape) -> Result<Vec<[u32; 2]>, Fault> {
    let mut quotients = Quotients::new(tape);
    let mut pair = |(i, value): (usize, &Value)| {
        let place = format!("same[{i}]");
        let values = indices(value.as_array().map_or(&[][..], Vec::as_slice), &place, tape.len())?;
        let [a, b] = values[..] else { return form(&place, "two values") };
        if quotients.are_same(a, b) {
            Ok([a, b])
        } else {
            form(&place, "two values that are seen to be the same")
        }
    };
    optional(map, "same")?.iter().enumerate().map(&mut pair).collect()
}

fn formula(value: &Value, place: &str, values: usize, depth: usize) -> Result<Formula, Fault> {
    let map = object(value, place)?;
    let Some((key, inner)) = map.iter().next().filter(|_| map.len() == 1) else {
        return form(place, "an object with one key");
    };
    let atom = |sign| Ok(Formula::Atom(sign, index(inner, place, values)?));
    let parts = || match inner.as_array() {
        Some(_) if depth == NESTED => form(place, "formulas that are nested at most 60 deep"),
        Some(parts) => parts.iter().map(|part| formula(part, place, values, depth + 1)).collect(),
        None => form(place, "a list of formulas"),
    };
    match key.as_str() {
        "positive" => atom(Sign::Positive),
        "nonnegative" => atom(Sign::Nonnegative),
        "all" => parts().map(Formula::All),
        "any" => parts().map(Formula::Any),
        _ => form(place, "positive, nonnegative, all or any"),
    }
}

fn witness(map: &Map<String, Value>) -> Result<Option<Vec<Entry>>, Fault> {
    let entry = |(i, value): (usize, &Value)| {
        let place = format!("witness[{i}]");
        if !value.is_array() {
            let x = number(value, &place)?;
            return Ok(Entry { lo: x.clone(), hi: x });
        }
        let (lo, hi) = pair(value, &place)?;
        let entry = Entry { lo, hi };
        if entry.is_pair() { Ok(entry) } else { form(&place, "a lower end that is below the upper") }
    };
    match member(map, "witness")? {
        Value::Null => Ok(None),
        _ => list(map, "witness")?.iter().enumerate().map(entry).collect::<Result<_, _>>().map(Some),
    }
}
