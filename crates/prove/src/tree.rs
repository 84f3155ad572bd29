//! The box halved into parts: what became of each, and the tree as a certificate has it.

use super::certificate::MOST_VARYING;
use super::judge::Judged;
use super::search::{Proof, Verdict};

/// Halvings of one side: below that its ends are no longer exact.
const DEEPEST: i32 = 48;

/// A part of the box that is to be looked at.
pub(super) struct Part {
    leaf: usize,
    /// Its sides, as shares of those of the box.
    pub(super) shares: Vec<[f64; 2]>,
}

/// What became of a part.
#[derive(Clone, Copy, Debug)]
enum Leaf {
    Open,
    /// A claim, by its number, holds in all of it; how it is shown.
    Holds(usize, char),
    /// Nothing in it is meant; how that is shown.
    Empty(char),
    /// Halved along an input; the first of its two parts in the list.
    Halved(usize, usize),
}

/// What is known of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// A claim, by its number, holds in all of it.
    Claim(usize),
    /// Nothing in it is meant.
    Nothing,
    /// It stays open.
    Open,
}

/// A box, halved.
pub(super) struct Tree {
    /// Inputs that vary.
    sides: usize,
    leaves: Vec<Leaf>,
    /// Parts that were looked at.
    pub(super) parts: usize,
}

impl Tree {
    /// Of so many sides, with the part that is all of the box.
    pub(super) fn new(sides: usize) -> (Self, Vec<Part>) {
        let whole = Part { leaf: 0, shares: vec![[0.0, 1.0]; sides] };
        (Tree { sides, leaves: vec![Leaf::Open], parts: 0 }, vec![whole])
    }

    /// As a certificate has it, with the parts that are open there; none of what is no tree.
    pub(super) fn read(sides: usize, text: &str) -> Option<(Self, Vec<Part>)> {
        let (mut tree, mut parts) = Self::new(sides);
        let mut open = Vec::new();
        for mark in text.chars() {
            let part = parts.pop()?;
            tree.parts += 1;
            tree.leaves[part.leaf] = match mark {
                '.' | ':' => Leaf::Holds(0, mark),
                '-' | '=' => Leaf::Empty(mark),
                '?' => {
                    open.push(part);
                    continue;
                }
                _ => {
                    let j = mark.to_digit(MOST_VARYING as u32)? as usize;
                    if !halves(part.shares.get(j)) {
                        return None;
                    }
                    let [lower, upper] = tree.halve(&part, j);
                    parts.extend([upper, lower]);
                    continue;
                }
            };
        }
        tree.parts -= open.len();
        parts.is_empty().then_some((tree, open))
    }

    /// Halves a part.
    fn halve(&mut self, part: &Part, j: usize) -> [Part; 2] {
        let first = self.leaves.len();
        self.leaves.extend([Leaf::Open; 2]);
        self.leaves[part.leaf] = Leaf::Halved(j, first);
        let [lower, upper] = halved(&part.shares, j);
        [Part { leaf: first, shares: lower }, Part { leaf: first + 1, shares: upper }]
    }

    /// Keeps what became of a part, of which this claim was asked, and gives its halves if it is open.
    pub(super) fn note(&mut self, part: &Part, claim: usize, judged: Judged) -> Option<[Part; 2]> {
        self.parts += 1;
        self.leaves[part.leaf] = match judged {
            Judged::Holds(by_slopes) => Leaf::Holds(claim, if by_slopes { ':' } else { '.' }),
            Judged::Empty(by_slopes) => Leaf::Empty(if by_slopes { '=' } else { '-' }),
            Judged::Open(j) if halves(part.shares.get(j)) => return Some(self.halve(part, j)),
            Judged::Open(_) | Judged::Fails => Leaf::Open,
        };
        None
    }

    /// The leaves, from the lowest on.
    pub(super) fn regions(&self) -> Vec<(Region, Vec<[f64; 2]>)> {
        let mut found = Vec::new();
        let mut stack = vec![(0, vec![[0.0, 1.0]; self.sides])];
        while let Some((leaf, sides)) = stack.pop() {
            let region = match self.leaves[leaf] {
                Leaf::Open => Region::Open,
                Leaf::Holds(claim, _) => Region::Claim(claim),
                Leaf::Empty(_) => Region::Nothing,
                Leaf::Halved(j, first) => {
                    let [lower, upper] = halved(&sides, j);
                    stack.extend([(first + 1, upper), (first, lower)]);
                    continue;
                }
            };
            found.push((region, sides));
        }
        found
    }

    /// What it shows of a claim.
    pub(super) fn proof(&self, claim: usize) -> Proof {
        let open = self.open(claim);
        let tree = self.written(claim);
        let verdict = match (tree.contains('?'), tree.contains(['.', ':'])) {
            (true, _) => Verdict::Undecided,
            (false, true) => Verdict::Proven,
            (false, false) => Verdict::Vacuous,
        };
        Proof { verdict, tree, parts: self.parts, open, restated: None, inhabited: false }
    }

    /// The mark of a leaf for a claim.
    fn mark(leaf: Leaf, claim: usize) -> char {
        match leaf {
            Leaf::Holds(of, mark) if of == claim => mark,
            Leaf::Empty(mark) => mark,
            Leaf::Open | Leaf::Holds(..) | Leaf::Halved(..) => '?',
        }
    }

    /// The share that is open for a claim.
    fn open(&self, claim: usize) -> f64 {
        let (mut open, mut stack) = (0.0, vec![(0, 1.0)]);
        while let Some((leaf, share)) = stack.pop() {
            match self.leaves[leaf] {
                Leaf::Halved(_, first) => stack.extend([(first + 1, 0.5 * share), (first, 0.5 * share)]),
                leaf if Self::mark(leaf, claim) == '?' => open += share,
                _ => {}
            }
        }
        open
    }

    /// Halvings and leaves for a claim, from the lowest on. Of a part both halves of which stay open, nothing more is said.
    fn written(&self, claim: usize) -> String {
        let mut text = String::new();
        // a part, and where in the text the halves of one begin that have been written
        let mut stack = vec![(0, None)];
        while let Some((leaf, begun)) = stack.pop() {
            match (self.leaves[leaf], begun) {
                (Leaf::Halved(j, first), None) => {
                    stack.extend([(leaf, Some(text.len())), (first + 1, None), (first, None)]);
                    text.push(letter(j));
                }
                (Leaf::Halved(..), Some(start)) if text[start + 1..] == *"??" => {
                    text.truncate(start);
                    text.push('?');
                }
                (Leaf::Halved(..), Some(_)) => {}
                (leaf, _) => text.push(Self::mark(leaf, claim)),
            }
        }
        text
    }
}

/// The halves of a part along a side.
pub(super) fn halved(sides: &[[f64; 2]], j: usize) -> [Vec<[f64; 2]>; 2] {
    let [lo, hi] = sides[j];
    let middle = 0.5 * (lo + hi);
    [[lo, middle], [middle, hi]].map(|half| {
        let mut sides = sides.to_vec();
        sides[j] = half;
        sides
    })
}

/// Whether a side can be halved further.
fn halves(side: Option<&[f64; 2]>) -> bool {
    side.is_some_and(|[lo, hi]| hi - lo > f64::powi(2.0, -DEEPEST))
}

/// 0 to 9, A to Z: most inputs that a certificate can halve.
fn letter(j: usize) -> char {
    let digit = u32::try_from(j).ok().and_then(|j| char::from_digit(j, MOST_VARYING as u32));
    digit.map_or('?', |c| c.to_ascii_uppercase())
}
