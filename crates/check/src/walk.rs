//! The tree: boxes in the order in which it splits them, and what its leaves say of them.
//!
//! Between two leaves inputs change, here and there one. A leaf evaluates what it needs, of which only what depends on an input that has changed
//! since it was last evaluated.

use crate::certificate::{Answer, Certificate};
use crate::fault::Fault;
use crate::formula::{Aim, Formula};
use crate::interval::Interval;
use crate::slopes::{Place, Slopes};
use crate::tape::{Inputs, Side, Step, evaluate, evaluate_all};
use num_bigint::BigUint;

/// How a leaf shows what it says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Enclosures,
    Slopes,
}

/// Nodes that are evaluated together, and inputs that have changed since.
struct Part {
    steps: Vec<Step>,
    changed: Inputs,
}

/// A split whose lower or upper half is being walked.
struct Split {
    input: usize,
    parent: Side,
    /// The half that is still to come.
    upper: Option<Side>,
}

/// A box of a certificate's inputs, which goes from leaf to leaf.
pub struct Walk<'a> {
    certificate: &'a Certificate,
    sides: Vec<Side>,
    values: Vec<Interval>,
    claim: Part,
    premise: Part,
    splits: Vec<Split>,
}

impl<'a> Walk<'a> {
    /// At the box of all inputs.
    pub fn new(certificate: &'a Certificate) -> Self {
        let tape = &certificate.tape;
        let premise = [certificate.assumed.values(), certificate.zero.clone()].concat();
        let part = |wanted: &[u32]| {
            let own = tape.steps(wanted);
            let made = own.iter().map(|step| step.value).chain(wanted.iter().copied());
            let wanted: Vec<u32> = made.flat_map(|v| certificate.forms(v)).collect();
            Part { steps: tape.steps(&wanted), changed: 0 }
        };
        let (claim, premise) = (part(&certificate.claimed.values()), part(&premise));
        let mut values = tape.values();
        evaluate_all(&mut values, &claim.steps);
        evaluate_all(&mut values, &premise.steps);
        let sides = tape.varying.iter().map(|(_, range)| Side::whole(range)).collect();
        Walk { certificate, sides, values, claim, premise, splits: Vec::new() }
    }

    /// Splits above this box.
    pub fn depth(&self) -> usize {
        self.splits.len()
    }

    /// Goes to the lower half along an input. `None` if there is no such input, or no half.
    #[must_use]
    pub fn split(&mut self, input: usize) -> Option<()> {
        let tape = &self.certificate.tape;
        let (_, range) = tape.varying.get(input).filter(|_| input < tape.sides())?;
        let parent = self.sides[input];
        let [lower, upper] = parent.halves(range)?;
        self.splits.push(Split { input, parent, upper: Some(upper) });
        self.set(input, lower);
        Some(())
    }

    /// Goes on from a leaf to the next box; whether there is one.
    pub fn advance(&mut self) -> bool {
        while let Some(split) = self.splits.last_mut() {
            let input = split.input;
            if let Some(upper) = split.upper.take() {
                self.set(input, upper);
                return true;
            }
            let parent = split.parent;
            self.set(input, parent);
            self.splits.pop();
        }
        false
    }

    fn set(&mut self, input: usize, side: Side) {
        let tape = &self.certificate.tape;
        let shares = (tape.sides()..tape.varying.len()).filter(|&j| tape.shared(j) == Some(input));
        for j in std::iter::once(input).chain(shares) {
            let (value, range) = &tape.varying[j];
            self.sides[j] = if j == input { side } else { side.of(range) };
            self.values[*value as usize] = self.sides[j].interval();
            self.claim.changed |= 1 << j;
            self.premise.changed |= 1 << j;
        }
    }

    /// Whether this box shows what a leaf says.
    pub fn shows(&mut self, mark: char) -> bool {
        match mark {
            '.' => self.claim_holds(By::Enclosures),
            ':' => self.claim_holds(By::Slopes),
            '-' => self.premise_fails(By::Enclosures),
            '=' => self.premise_fails(By::Slopes),
            _ => false,
        }
    }

    fn claim_holds(&mut self, by: By) -> bool {
        evaluate(&mut self.values, &self.claim.steps, std::mem::take(&mut self.claim.changed));
        self.has_shown(&self.certificate.claimed, Aim::Holds, by)
    }

    fn premise_fails(&mut self, by: By) -> bool {
        evaluate(&mut self.values, &self.premise.steps, std::mem::take(&mut self.premise.changed));
        let is_apart = |&v: &u32| self.values[v as usize].is_apart_from_zero();
        self.certificate.zero.iter().any(is_apart)
            || self.has_shown(&self.certificate.assumed, Aim::Fails, by)
            || (by == By::Slopes && self.certificate.zero.iter().any(|&v| self.is_apart_by_slopes(v)))
    }

    fn has_shown(&self, formula: &Formula, aim: Aim, by: By) -> bool {
        let forms = |v| {
            let is_defined = self.certificate.is_defined(v, &self.values);
            self.certificate.forms(v).filter(move |_| is_defined)
        };
        self.certificate.is_seen(formula, aim, &self.values)
            || (by == By::Slopes
                && formula.is_shown(aim, &mut |sign, v| {
                    forms(v).any(|form| {
                        sign.is_shown(aim, self.values[form as usize])
                            || Slopes::new(self.place(), form).is_some_and(|slopes| slopes.show(sign, aim))
                    })
                }))
    }

    fn is_apart_by_slopes(&self, v: u32) -> bool {
        Slopes::new(self.place(), v).is_some_and(|slopes| slopes.signs() != (false, false))
    }

    fn place(&self) -> Place<'_> {
        Place { tape: &self.certificate.tape, sides: &self.sides, values: &self.values }
    }

    /// The box in words: of each input that is split, the part of its range.
    fn in_words(&self) -> String {
        let mut words = String::new();
        for ((name, _), side) in self.certificate.ranges.iter().zip(&self.sides) {
            let [a, b] = side.parts;
            let zeros = (a | b).trailing_zeros();
            if zeros < 62 {
                let (a, b, bits) = (a >> zeros, b >> zeros, 62 - zeros);
                words += &format!(", {name} from {a}/2^{bits} to {b}/2^{bits} of its range");
            }
        }
        words
    }
}

/// What the leaves of a tree say, all of which is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaves {
    /// Boxes all over which the claim holds.
    pub claimed: u64,
    /// Boxes in which nothing satisfies the assumptions.
    pub excluded: u64,
    /// Boxes of both kinds that need slopes.
    pub by_slopes: u64,
    /// Open boxes by the number of splits above them.
    open: Vec<u64>,
}

impl Leaves {
    fn count(&mut self, mark: char, depth: usize) {
        match mark {
            '.' | ':' => self.claimed += 1,
            '-' | '=' => self.excluded += 1,
            _ => {
                self.open.resize(self.open.len().max(depth + 1), 0);
                self.open[depth] += 1;
            }
        }
        self.by_slopes += u64::from(matches!(mark, ':' | '='));
    }

    /// Number of open boxes.
    pub fn open(&self) -> u64 {
        self.open.iter().sum()
    }

    /// The share of the volume that is open, as m and e of m/2^e.
    pub fn open_share(&self) -> (BigUint, u64) {
        let Some(deepest) = self.open.len().checked_sub(1) else { return (BigUint::ZERO, 0) };
        let parts = self.open.iter().enumerate().map(|(d, &n)| BigUint::from(n) << (deepest - d));
        let sum: BigUint = parts.sum();
        let zeros = sum.trailing_zeros().unwrap_or(0).min(deepest as u64);
        (sum >> zeros, deepest as u64 - zeros)
    }
}

/// Checks every leaf of a tree, in order.
pub(crate) fn walk(certificate: &Certificate, tree: &str) -> Result<Leaves, Fault> {
    let (mut walk, mut leaves) = (Walk::new(certificate), Leaves::default());
    let mut is_done = false;
    for (i, mark) in tree.chars().enumerate() {
        let fault = |why| Err(Fault::Tree { at: i + 1, why });
        if is_done {
            return fault("the tree has ended before");
        }
        match mark {
            '0'..='9' | 'A'..='Z' => {
                let input = mark.to_digit(36).map_or(usize::MAX, |digit| digit as usize);
                if walk.split(input).is_none() {
                    return fault("no input that varies, or one that is halved 62 times already");
                }
                continue;
            }
            '.' | ':' | '-' | '=' if !walk.shows(mark) => {
                let leaf = 1 + leaves.claimed + leaves.excluded + leaves.open();
                return Err(Fault::Leaf { leaf, mark, place: walk.in_words() });
            }
            '.' | ':' | '-' | '=' | '?' => leaves.count(mark, walk.depth()),
            _ => return fault("no such character"),
        }
        is_done = !walk.advance();
    }
    if is_done { Ok(leaves) } else { Err(Fault::Tree { at: tree.len(), why: "the tree is cut off" }) }
}

/// Whether the answer is what the leaves say.
pub(crate) fn is_answered(answer: Answer, leaves: &Leaves) -> Result<(), &'static str> {
    match (answer, leaves.open() > 0, leaves.claimed > 0) {
        (Answer::Refuted, _, _) => Err("a tree refutes nothing"),
        (Answer::Undecided, true, _) | (Answer::Proven, false, true) | (Answer::Vacuous, false, false) => {
            Ok(())
        }
        (Answer::Undecided, false, _) => Err("no box is open"),
        (_, true, _) => Err("boxes are open"),
        (Answer::Proven, false, false) => Err("the assumptions hold nowhere"),
        (Answer::Vacuous, false, true) => Err("boxes may satisfy the assumptions"),
    }
}
