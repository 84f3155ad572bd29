//! The tree: boxes in the order in which it splits them, and what its leaves say of them.
//!
//! Between two leaves inputs change, here and there one. A leaf evaluates what it needs, of which only what depends on an input that has changed
//! since it was last evaluated.

use crate::certificate::Certificate;
use crate::fault::Fault;
use crate::formula::Sign;
use crate::interval::Interval;
use crate::number::PARTS;
use crate::tape::{Inputs, Node, Varying};
use num_bigint::BigUint;

/// The sides of a box, each from one part of a range to another.
type Sides = Vec<[u64; 2]>;

/// A box of a certificate's inputs, which goes from leaf to leaf.
pub struct Walk<'a> {
    certificate: &'a Certificate,
    sides: Sides,
    values: Vec<Interval>,
    /// The nodes that the premise needs and those that the claim does, and inputs that have changed since either were evaluated.
    steps: [Vec<(u32, Node)>; 2],
    changed: [Inputs; 2],
    /// Upper halves that are still to come, the next one last.
    ahead: Vec<Sides>,
}

impl<'a> Walk<'a> {
    /// At the box of all inputs.
    pub fn new(certificate: &'a Certificate) -> Self {
        let tape = &certificate.tape;
        let premise = [certificate.zero.clone(), certificate.assumed.values()].concat();
        let steps = [premise, certificate.claimed.values()].map(|wanted| {
            let own = tape.steps(&wanted);
            let made = own.iter().map(|(value, _)| *value).chain(wanted);
            tape.steps(&made.flat_map(|v| certificate.forms(v)).collect::<Vec<_>>())
        });
        let (sides, values, changed) = (vec![[0, PARTS]; tape.sides], tape.values(), [Inputs::MAX; 2]);
        Walk { certificate, sides, values, steps, changed, ahead: Vec::new() }
    }

    /// Splits above this box.
    pub fn depth(&self) -> usize {
        self.sides.iter().map(|[a, b]| (PARTS / (b - a)).ilog2() as usize).sum()
    }

    /// Goes to the lower half along an input. `None` if there is no such input, or no half.
    pub fn split(&mut self, input: usize) -> Option<()> {
        let [a, b] = *self.sides.get(input)?;
        let middle = Some(a + (b - a) / 2).filter(|&middle| middle > a)?;
        let (mut lower, mut upper) = (self.sides.clone(), self.sides.clone());
        (lower[input], upper[input]) = ([a, middle], [middle, b]);
        self.ahead.push(upper);
        self.enter(lower);
        Some(())
    }

    /// Goes on from a leaf to the next box; whether there is one.
    pub fn advance(&mut self) -> bool {
        self.ahead.pop().map(|sides| self.enter(sides)).is_some()
    }

    fn enter(&mut self, sides: Sides) {
        for (j, input) in self.certificate.tape.varying.iter().enumerate() {
            let side = sides[input.side];
            if side != self.sides[input.side] {
                self.values[input.value as usize] = input.range.between(side);
                self.changed = self.changed.map(|changed| changed | 1 << j);
            }
        }
        self.sides = sides;
    }

    /// Whether this box shows what a leaf says.
    pub fn shows(&mut self, mark: char) -> bool {
        let Certificate { tape, zero, assumed, claimed, .. } = self.certificate;
        let is_claim = matches!(mark, '.' | ':');
        let part = usize::from(is_claim);
        tape.evaluate(&mut self.values, &self.steps[part], std::mem::take(&mut self.changed[part]));
        let shows_by = |by_slopes| {
            let shows = |v: u32, sign: Sign| self.certificate.shows(&self.values, v, sign, by_slopes);
            let is_not_zero = |&v: &u32| shows(v, Sign::Positive) || shows(v, Sign::Negative);
            if is_claim {
                claimed.holds(&shows)
            } else {
                zero.iter().any(is_not_zero) || assumed.fails(&shows)
            }
        };
        shows_by(false) || (matches!(mark, ':' | '=') && shows_by(true))
    }

    /// The box in words: of each input that is split, the part of its range.
    fn in_words(&self) -> String {
        let mut words = String::new();
        for (Varying { name, .. }, [a, b]) in self.certificate.tape.varying.iter().zip(&self.sides) {
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
    /// Boxes of which nothing is said.
    pub open: u64,
    /// Their volume, in the smallest boxes that there may be.
    volume: BigUint,
}

/// Splits above the smallest box that there may be.
const DEEPEST: u64 = 62 * 36;

impl Leaves {
    /// The share of the volume that is open, as m and e of m/2^e.
    pub fn open_share(&self) -> (BigUint, u64) {
        let zeros = self.volume.trailing_zeros().unwrap_or(DEEPEST);
        (&self.volume >> zeros, DEEPEST - zeros)
    }
}

/// Checks every leaf of a tree, in order.
pub(crate) fn walk(of: &Certificate, tree: &str, may_go_on: &dyn Fn() -> bool) -> Result<Leaves, Fault> {
    let (mut walk, mut leaves) = (Walk::new(of), Leaves::default());
    let mut is_done = false;
    for (i, mark) in tree.chars().enumerate() {
        let fault = |why| Err(Fault::Tree { at: i + 1, why });
        if is_done {
            return fault("the tree has ended before");
        }
        if !may_go_on() {
            return Err(Fault::Stopped);
        }
        if let Some(input) = mark.to_digit(36).filter(|_| !mark.is_ascii_lowercase()) {
            match walk.split(input as usize) {
                Some(()) => continue,
                None => return fault("no input that varies, or one that is halved 62 times already"),
            }
        }
        if ".:-=".contains(mark) && !walk.shows(mark) {
            let leaf = 1 + leaves.claimed + leaves.excluded + leaves.open;
            return Err(Fault::Leaf { leaf, mark, place: walk.in_words() });
        }
        match mark {
            '.' | ':' => leaves.claimed += 1,
            '-' | '=' => leaves.excluded += 1,
            '?' => {
                leaves.open += 1;
                leaves.volume += BigUint::from(1u8) << (DEEPEST - walk.depth() as u64);
            }
            _ => return fault("no such character"),
        }
        leaves.by_slopes += u64::from(":=".contains(mark));
        is_done = !walk.advance();
    }
    if is_done { Ok(leaves) } else { Err(Fault::Tree { at: tree.len(), why: "the tree is cut off" }) }
}
