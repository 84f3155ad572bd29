//! The text of a certificate, read into what is checked. Nothing is guessed: every key must be there, none may be unknown.

use crate::fault::Fault;
use crate::formula::{Formula, Sign};
use crate::identity::Quotients;
use crate::interval::Interval;
use crate::number::Range;
use crate::slopes;
use crate::tape::{Binary, Node, Tape, Unary};
use serde::Deserialize;

/// Inputs that vary at most: a tree splits those that a digit or letter names.
const VARYING: usize = 36;

/// What a certificate says about its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
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

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields, expecting = "expected a name, and a range, a value or a share")]
pub(crate) enum Input {
    Range { name: String, range: Range },
    Value { name: String, value: Range },
    Share { name: String, share: u32 },
}

/// The format that is read.
#[derive(Clone, Debug, Deserialize)]
enum Schema {
    #[serde(rename = "mechan.certificate/1")]
    One,
}

/// A certificate that is well formed, by its keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    #[serde(rename = "schema")]
    _schema: Schema,
    pub(crate) mechanism: String,
    pub(crate) claim: String,
    pub(crate) given: Vec<String>,
    pub(crate) closed: Vec<String>,
    /// Inputs that follow from others, in words.
    #[serde(default, rename = "where")]
    pub(crate) follows: Vec<String>,
    pub(crate) answer: Answer,
    pub(crate) inputs: Vec<Input>,
    constants: Vec<Range>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) zero: Vec<u32>,
    /// Pairs of values that are the same function: what the second shows of a value, it shows of the first.
    #[serde(default)]
    same: Vec<[u32; 2]>,
    /// Values that are 0 at the witness, beside the equations.
    #[serde(default)]
    pub(crate) roots: Vec<u32>,
    pub(crate) assumed: Formula,
    pub(crate) claimed: Formula,
    // without a function of their own, these keys might be missing
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) tree: Option<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) witness: Option<Vec<Range>>,
    /// Inputs, constants and nodes.
    #[serde(skip)]
    pub(crate) tape: Tape,
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
        let mut read: Self = serde_json::from_str(text).map_err(|e| Fault::Json(e.to_string()))?;
        read.tape = read.values()?;
        let mut quotients = Quotients::new(&read.tape);
        match read.same.iter().position(|&[a, b]| !quotients.are_same(a, b)) {
            Some(i) => form(&format!("same[{i}]"), "two values that are seen to be the same"),
            None => Ok(read),
        }
    }

    fn values(&self) -> Result<Tape, Fault> {
        let mut tape = Tape::default();
        for (i, input) in self.inputs.iter().enumerate() {
            let fault = |expected| form(&format!("inputs[{i}]"), expected);
            match input {
                Input::Value { value, .. } => tape.give(value),
                _ if tape.varying.len() == VARYING => return fault("at most 36 inputs that vary"),
                Input::Range { .. } if tape.sides < tape.varying.len() => {
                    return fault("inputs with ranges before shares of them");
                }
                Input::Range { name, range } => {
                    tape.vary(name, range, tape.sides);
                    tape.sides += 1;
                }
                Input::Share { name, share } => {
                    match tape.varying[..tape.sides].iter().position(|input| input.value == *share) {
                        Some(side) => tape.vary(name, &Range::share(), side),
                        None => return fault("the share of an earlier input that has a range"),
                    }
                }
            }
        }
        self.constants.iter().for_each(|constant| tape.give(constant));
        for (i, node) in self.nodes.iter().enumerate() {
            if node.operands().iter().any(|&v| v as usize >= tape.given.len() + i) {
                return form(&format!("nodes[{i}]"), "the number of an earlier value");
            }
        }
        tape.make(&self.nodes);
        let formulas = [self.assumed.values(), self.claimed.values()].concat();
        let all = [&self.zero, self.same.as_flattened(), &self.roots, &formulas].concat();
        if all.iter().any(|&v| v as usize >= tape.len()) {
            return form("zero, same, roots, assumed and claimed", "numbers of values");
        }
        Ok(tape)
    }

    /// A value and others that are the same.
    pub(crate) fn forms(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(v)
            .chain(self.same.iter().filter(move |[first, _]| *first == v).map(|[_, form]| *form))
    }

    /// Whether all of these values, over a box, show the sign of one of them: by enclosures or, if that is said, by slopes.
    pub(crate) fn shows(&self, values: &[Interval], v: u32, sign: Sign, by_slopes: bool) -> bool {
        let is_shown = |form: u32| {
            sign.is_of(values[form as usize]) || (by_slopes && slopes::show(&self.tape, values, form, sign))
        };
        self.is_defined(v, values) && self.forms(v).any(is_shown)
    }

    /// Whether a value is shown to be defined, of which others that are the same are known: by bounds of its own, or since it divides by
    /// nothing that may be 0.
    fn is_defined(&self, v: u32, values: &[Interval]) -> bool {
        let is_apart = |v| self.forms(v).any(|form| values[form as usize].is_apart_from_zero());
        let is_total = |&(value, node): &(u32, Node)| match node {
            Node::Two(Binary::Div, _, b) => is_apart(b),
            Node::Two(Binary::Add | Binary::Sub | Binary::Mul, ..) => true,
            Node::One(Unary::Neg | Unary::Sin | Unary::Cos, _) => true,
            _ => values[value as usize] != Interval::Whole,
        };
        values[v as usize] != Interval::Whole
            || (self.forms(v).nth(1).is_some() && self.tape.steps(&[v]).iter().all(is_total))
    }
}

pub(crate) fn form<T>(place: &str, expected: &'static str) -> Result<T, Fault> {
    Err(Fault::Form { place: place.to_owned(), expected })
}
