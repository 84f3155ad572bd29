//! The scale of a file: in which unit its times, lengths, masses and energies are.
//!
//! The time is in the one unit of time that the units of the file name (`s`, `ms`, `min`, `h`; those of N and its kin are
//! seconds and count only where none is named), in seconds where they name several with seconds among them or none.
//! Lengths and masses are in what most positions and masses of the file are in. An energy is then mass·length²/time²; in a
//! file without bodies it is what the given energies are in. A file whose units have no length at all, say, has lengths
//! that are numbers.

use super::infer::{KnownUnit, usual};
use super::places::{Stand, Wanted};
use super::unit::{Exponent, Part, Unit};
use num_traits::Zero;

/// The units that all others of a file are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Base {
    pub(super) time: Unit,
    /// None: nothing has one.
    pub(super) length: Option<Unit>,
    /// None: nothing has one.
    pub(super) mass: Option<Unit>,
    pub(super) energy: Unit,
    lengths: Unit,
    masses: Unit,
}

/// Whether any unit of a file has a part.
fn declares(units: &[Unit], part: Part) -> bool {
    units.iter().any(|unit| !unit.exponent(part).is_zero())
}

/// The SI unit of a part, or 1 in a file that has none of it.
fn usual_of(units: &[Unit], part: Part) -> Unit {
    if declares(units, part) { Unit::of(&[(part, 1)]) } else { Unit::one() }
}

/// The unit of time, from the texts of the units and what they mean.
pub(super) fn time(texts: &[&str], units: &[Unit]) -> Unit {
    if !declares(units, Part::Time) {
        return Unit::one();
    }
    let named = |word: &str| {
        let part = |c: char| !c.is_alphanumeric();
        let letters = |word: &str| word.trim_end_matches(['²', '³']).to_owned();
        texts.iter().any(|text| text.split(part).any(|w| letters(w) == word))
    };
    let times = ["s", "ms", "us", "µs", "μs", "ns", "min", "h"];
    let mut found: Vec<Unit> =
        times.into_iter().filter(|w| named(w)).filter_map(|w| Unit::parse(w).ok()).collect();
    found.dedup();
    match found.as_slice() {
        [only] => only.clone(),
        _ => Unit::of(&[(Part::Time, 1)]),
    }
}

impl Base {
    /// The base of a file with these units, from what its values turned out to be.
    pub(super) fn new(time: &Unit, units: &[Unit], stands: &[(Stand, KnownUnit)]) -> Self {
        let lengths = usual_of(units, Part::Length);
        let masses = usual_of(units, Part::Mass);
        let length = vote(stands, Wanted::LENGTH, |unit| unit.is_multiple_of(&lengths));
        let mass = vote(stands, Wanted::MASS, |unit| unit.is_multiple_of(&masses));
        let mut base = Self { time: time.clone(), length, mass, energy: Unit::one(), lengths, masses };
        let made = base.made([0, 1, 2, -2]).unwrap_or_else(Unit::one);
        let given = || vote(stands, Wanted::ENERGY, |unit| unit.is_multiple_of(&made));
        base.energy = match (&base.length, &base.mass) {
            (Some(_), Some(_)) => made.clone(),
            _ => given().unwrap_or_else(|| made.clone()),
        };
        base
    }

    fn made(&self, [energy, mass, length, time]: [i64; 4]) -> Option<Unit> {
        let masses = self.mass.as_ref().unwrap_or(&self.masses);
        let lengths = self.length.as_ref().unwrap_or(&self.lengths);
        let parts = [(&self.energy, energy), (masses, mass), (lengths, length), (&self.time, time)];
        parts.into_iter().try_fold(Unit::one(), |product, (unit, power)| {
            product.times(&unit.power(Exponent::from_integer(power))?)
        })
    }

    /// The unit of what stands at a place.
    pub(super) fn unit(&self, wanted: Wanted) -> Option<Unit> {
        self.made(wanted.0).map(|unit| unit.without(Part::Radian))
    }
}

/// What most values of a kind are in.
fn vote(stands: &[(Stand, KnownUnit)], wanted: Wanted, is: impl Fn(&Unit) -> bool) -> Option<Unit> {
    let votes = stands.iter().filter(|(stand, _)| stand.wanted == wanted).map(|(_, worth)| worth);
    let votes: Vec<KnownUnit> =
        votes.filter(|worth| matches!(worth, KnownUnit::Of(unit) if is(unit))).cloned().collect();
    usual(&votes).map(|unit| unit.without(Part::Radian))
}
