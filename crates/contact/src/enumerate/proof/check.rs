//! The check of a record: the tree from its root, in integers.

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::data::Data;
use super::word::Faces;
use super::{Branch, Combination, Gap, Proof};
use crate::coulomb::Problem;
use crate::enumerate::{Family, Mode};

/// Faces of all words together after which the check gives up: some seconds.
const FACES: usize = 50_000;

impl Proof {
    /// Checks that every solution of the problem is in one of the sets, that all of each set are solutions, and that
    /// `printed` says about each set what it is.
    ///
    /// # Errors
    /// The first [`Gap`].
    pub fn check(&self, problem: &Problem, printed: &[Family]) -> Result<(), Gap> {
        let data = Data::of(problem)?;
        let mut check = Check { data: &data, proof: self, faces: Faces::new(FACES) };
        check.lists(printed)?;
        check.branch(&self.root, &mut vec![None; data.contacts()])
    }
}

/// A check under way.
pub(super) struct Check<'a> {
    pub(super) data: &'a Data,
    pub(super) proof: &'a Proof,
    pub(super) faces: Faces,
}

/// The modes decided so far.
type Chosen = [Option<Mode>];

impl Check<'_> {
    /// A solution whose contacts do as little as they can, stick rather than slip and touch rather than open, comes to no
    /// `Border`, since there a contact could do less: it must be in the set of a `Word`.
    fn branch(&mut self, branch: &Branch, chosen: &mut Chosen) -> Result<(), Gap> {
        match branch {
            Branch::Split { contact, children } => self.split(*contact, children, chosen),
            Branch::Refuted(y) => self.refuted(y, chosen),
            Branch::Border { contact, bounds } => self.border(*contact, bounds, chosen),
            Branch::Word(set) => {
                let word = chosen.iter().copied().collect::<Option<Vec<_>>>().ok_or(Gap::Index)?;
                self.word(&word, *set)
            }
            Branch::Cut => Err(Gap::Cut),
        }
    }

    fn split(&mut self, i: usize, children: &[(Mode, Branch)], chosen: &mut Chosen) -> Result<(), Gap> {
        let mu = self.data.mu.get(i).ok_or(Gap::Index)?;
        if chosen[i].is_some() {
            return Err(Gap::Index);
        }
        for mode in Mode::all(mu.rise.is_zero()) {
            let (_, child) = children.iter().find(|(c, _)| c == mode).ok_or(Gap::Missing(i))?;
            chosen[i] = Some(*mode);
            self.branch(child, chosen)?;
        }
        chosen[i] = None;
        Ok(())
    }

    /// y·u ≥ 0 by the modes, but y·u = a·r + c ≤ c < 0.
    fn refuted(&self, y: &Combination, chosen: &Chosen) -> Result<(), Gap> {
        let constant = self.at_most(y, None, chosen)?;
        constant.is_negative().then_some(()).ok_or(Gap::Constant)
    }

    /// yₖ uₖ ≤ y·u ≤ c ≤ 0 for the row k that is to be bounded.
    fn bounded(&self, y: &Combination, k: usize, chosen: &Chosen) -> Result<i8, Gap> {
        let constant = self.at_most(y, Some(k), chosen)?;
        let own = y.iter().find(|(row, _)| *row == k).map(|(_, y)| y);
        match own {
            _ if constant.is_positive() => Err(Gap::Constant),
            Some(y) if y.is_positive() => Ok(1),
            Some(y) if y.is_negative() => Ok(-1),
            _ => Err(Gap::Unbounded),
        }
    }

    /// A slip with u_T = 0 sticks. A take-off with u_N = 0 and u_T ≤ 0, say, is a slip without force; without friction
    /// u_N = 0 is enough.
    fn border(&self, i: usize, bounds: &[Combination], chosen: &Chosen) -> Result<(), Gap> {
        let mode = chosen.get(i).copied().flatten().ok_or(Gap::Index)?;
        let bounded = |y, k| self.bounded(y, k, chosen);
        let frictionless = self.data.mu[i].rise.is_zero();
        let holds = match (mode, bounds) {
            (Mode::SlipPos, [y]) => bounded(y, 2 * i + 1)? > 0,
            (Mode::SlipNeg, [y]) => bounded(y, 2 * i + 1)? < 0,
            (Mode::TakeOff, [y]) if frictionless => bounded(y, 2 * i)? > 0,
            (Mode::TakeOff, [y, z]) => bounded(y, 2 * i)? > 0 && bounded(z, 2 * i + 1)? != 0,
            (Mode::TakeOff | Mode::Stick | Mode::SlipPos | Mode::SlipNeg | Mode::Slide, _) => false,
        };
        holds.then_some(()).ok_or(Gap::Unbounded)
    }

    /// c with y·u ≤ c by the modes, after a look at y·u ≥ 0 (or ≥ yₖ uₖ for the row `free`).
    fn at_most(&self, y: &Combination, free: Option<usize>, chosen: &Chosen) -> Result<BigInt, Gap> {
        let ascending = y.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ascending || y.iter().any(|(k, _)| *k >= self.data.rows.len()) {
            return Err(Gap::Index);
        }
        for (k, y) in y.iter().filter(|(k, _)| Some(*k) != free) {
            let allowed = match (chosen[k / 2], k % 2) {
                (None | Some(Mode::TakeOff), 0) => !y.is_negative(),
                (Some(_), 0) | (Some(Mode::Stick), _) => true,
                (Some(Mode::SlipPos), _) => !y.is_negative(),
                (Some(Mode::SlipNeg), _) => !y.is_positive(),
                (None | Some(Mode::TakeOff | Mode::Slide), _) => y.is_zero(),
            };
            allowed.then_some(()).ok_or(Gap::Velocity(*k))?;
        }
        let (a, constant) = self.data.combined(y)?;
        for (i, mode) in chosen.iter().enumerate() {
            self.opposes(i, *mode, &a[2 * i], &a[2 * i + 1]).then_some(()).ok_or(Gap::Force(i))?;
        }
        Ok(constant)
    }

    /// Whether a·r ≤ 0 for all forces that this contact may have.
    fn opposes(&self, i: usize, mode: Option<Mode>, normal: &BigInt, tangential: &BigInt) -> bool {
        let mu = &self.data.mu[i];
        let friction = &mu.rise * tangential;
        let along = |friction: BigInt| !(&mu.run * normal + friction).is_positive();
        match mode {
            Some(Mode::TakeOff) => true,
            Some(Mode::SlipPos) => along(-friction),
            Some(Mode::SlipNeg) => along(friction),
            Some(Mode::Slide) => !normal.is_positive(),
            Some(Mode::Stick) | None => along(friction.abs()),
        }
    }
}
