//! Formulas of signs of values, true, false or open over a box.

use crate::num::Interval;

/// A formula whose atoms are signs of a tape's outputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// An output is greater than zero.
    Positive(usize),
    /// An output is not less than zero.
    NonNegative(usize),
    /// All of them.
    All(Vec<Formula>),
    /// One of them at least.
    Any(Vec<Formula>),
}

/// What is known over a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds everywhere.
    True,
    /// It fails everywhere.
    False,
    /// Neither is shown.
    Open,
}

impl Formula {
    /// What needs no proof.
    pub fn always() -> Self {
        Formula::All(Vec::new())
    }

    /// The same, where values may be zero, too.
    pub(super) fn with_border(&self) -> Self {
        let all = |parts: &Vec<Formula>| parts.iter().map(Self::with_border).collect();
        match self {
            Formula::Positive(i) | Formula::NonNegative(i) => Formula::NonNegative(*i),
            Formula::All(parts) => Formula::All(all(parts)),
            Formula::Any(parts) => Formula::Any(all(parts)),
        }
    }

    /// The formula by the signs of its atoms.
    pub fn judge(&self, range: &mut impl FnMut(usize) -> Interval) -> Truth {
        match self {
            Formula::Positive(i) => {
                let range = range(*i);
                Truth::of(range.lo > 0.0, range.hi <= 0.0)
            }
            Formula::NonNegative(i) => {
                let range = range(*i);
                Truth::of(range.lo >= 0.0, range.hi < 0.0)
            }
            Formula::All(parts) => Self::joined(parts, Truth::False, range),
            Formula::Any(parts) => Self::joined(parts, Truth::True, range),
        }
    }

    /// The outputs that leave the formula open.
    pub(super) fn open(&self, range: &impl Fn(usize) -> Interval, found: &mut Vec<usize>) {
        if self.judge(&mut |i| range(i)) != Truth::Open {
            return;
        }
        match self {
            Formula::Positive(i) | Formula::NonNegative(i) => found.push(*i),
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().for_each(|part| part.open(range, found))
            }
        }
    }

    /// One part that is `decisive` decides.
    fn joined(parts: &[Formula], decisive: Truth, range: &mut impl FnMut(usize) -> Interval) -> Truth {
        let mut found = if decisive == Truth::True { Truth::False } else { Truth::True };
        for part in parts {
            match part.judge(range) {
                truth if truth == decisive => return decisive,
                Truth::Open => found = Truth::Open,
                Truth::True | Truth::False => {}
            }
        }
        found
    }

    /// The outputs that it reads, each once.
    pub fn outputs(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect(&self, found: &mut Vec<usize>) {
        match self {
            Formula::Positive(i) | Formula::NonNegative(i) => found.push(*i),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| part.collect(found)),
        }
    }
}

impl Truth {
    fn of(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Truth::True,
            (_, true) => Truth::False,
            (false, false) => Truth::Open,
        }
    }
}
