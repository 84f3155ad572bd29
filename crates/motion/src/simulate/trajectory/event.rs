//! What happens at an instant of a motion.

use crate::analysis::{ByName, Names};
use crate::num::{Number, Tol, numbers};
use crate::predict::Mode;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Something that happened; several contacts at one instant are several events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When.
    pub t: Number,
    /// What.
    pub kind: EventKind,
    /// At which contact.
    pub contact: Option<String>,
    /// Coordinates.
    pub q: ByName<Number>,
    /// Velocities after it.
    pub v: ByName<Number>,
    /// Its numbers.
    pub detail: EventDetail,
}

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// An open contact closes without an impact.
    Touch,
    /// A closed contact opens.
    LiftOff,
    /// Slip ends in stick.
    Stick,
    /// Stick ends in slip.
    Slip,
    /// Slip changes its direction at once.
    Reversal,
    /// An impact.
    Impact,
    /// An impact without collision.
    Iwc,
    /// A dynamic jam: p = b = 0.
    Jam,
    /// Infinitely many impacts have ended.
    ChatterEnd,
    /// Accelerations begin to depend on forces that are not unique.
    NotUnique,
    /// No motion satisfies the contact laws.
    Inconsistent,
    /// Several motions do.
    Indeterminate,
    /// The stop expression fell through zero.
    Stop,
    /// The time that was asked for is reached.
    End,
}

impl Event {
    /// At a point (t, q, v) of a motion.
    pub(in crate::simulate) fn at(
        names: &Names,
        (t, q, v): (f64, &[f64], &[f64]),
        (kind, contact): (EventKind, Option<usize>),
        detail: EventDetail,
    ) -> Self {
        let named = |x: &[f64]| ByName::new(names.coordinates.iter().map(String::as_str), numbers(x));
        let contact = contact.map(|c| names.contacts[c].clone());
        Self { t: t.into(), kind, contact, q: named(q), v: named(v), detail }
    }
}

impl EventKind {
    /// What a change of modes is called, if it is one.
    pub(in crate::simulate) fn of_change(before: Mode, after: Mode) -> Option<Self> {
        match (before, after) {
            (Mode::Free, Mode::Free) | (Mode::Stick { .. }, Mode::Stick { .. }) => None,
            (Mode::Free, _) => Some(Self::Touch),
            (_, Mode::Free) => Some(Self::LiftOff),
            (Mode::Slip { .. }, Mode::Stick { .. }) => Some(Self::Stick),
            (Mode::Stick { .. }, Mode::Slip { .. }) => Some(Self::Slip),
            (Mode::Slip { along: a, .. }, Mode::Slip { along: b, .. }) => {
                (a[0] * b[0] + a[1] * b[1] < 0.0).then_some(Self::Reversal)
            }
        }
    }

    /// Every kind, in the order of the columns of an ensemble.
    #[rustfmt::skip]
    pub const ALL: [Self; 14] = [
        Self::Touch, Self::LiftOff, Self::Stick, Self::Slip, Self::Reversal, Self::Impact, Self::Iwc, Self::Jam,
        Self::ChatterEnd, Self::NotUnique, Self::Inconsistent, Self::Indeterminate, Self::Stop, Self::End,
    ];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Touch => "touch",
            Self::LiftOff => "lift-off",
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Reversal => "reversal",
            Self::Impact => "impact",
            Self::Iwc => "iwc",
            Self::Jam => "jam",
            Self::ChatterEnd => "chatter-end",
            Self::NotUnique => "not-unique",
            Self::Inconsistent => "inconsistent",
            Self::Indeterminate => "indeterminate",
            Self::Stop => "stop",
            Self::End => "end",
        }
    }
}

/// The numbers of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EventDetail {
    /// Of an impact, with or without collision.
    Impact(ImpactDetail),
    /// Of a jam.
    Jam(JamDetail),
    /// Of the end of a chatter.
    Chatter {
        /// Ratio of successive gap rates towards the end.
        ratio: Number,
        /// Impacts that were followed one by one.
        impacts: usize,
    },
    /// Of a motion that depends on forces that are not unique.
    NotUnique {
        /// By which rule they are chosen: `equal stiffness` or `given stiffness` of the contacts, in the limit of rigidity.
        rule: Cow<'static, str>,
        /// The largest difference that they may make to an acceleration, relative to the largest acceleration.
        spread: Number,
    },
    /// What could follow.
    Futures {
        /// Words of modes, or `iwc`.
        futures: Vec<String>,
        /// Why.
        reason: String,
    },
    /// Where a contact begins to stick: whether bounces could grow out of it.
    Rest {
        /// e_eff > 1 while sticking is consistent: a reverse chatter may start at any time.
        reverse_chatter: bool,
    },
    /// Nothing more.
    None {},
}

/// A tangential number: one in the plane, two in space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Pair {
    /// In the plane.
    One(Number),
    /// In space.
    Two([Number; 2]),
}

impl Pair {
    /// From one or two numbers.
    pub fn of(x: &[f64]) -> Self {
        match *x {
            [one, two] => Self::Two([one.into(), two.into()]),
            _ => Self::One(x.first().copied().into()),
        }
    }

    /// Its size.
    pub fn size(self) -> f64 {
        match self {
            Self::One(Number(x)) => x.abs(),
            Self::Two([Number(x), Number(y)]) => x.hypot(y),
        }
    }
}

/// Relative velocities of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Slip.
    pub u: Pair,
    /// Gap rate.
    pub v: Number,
}

/// An impulse of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impulses {
    /// Normal.
    #[serde(rename = "N")]
    pub normal: Number,
    /// Tangential.
    #[serde(rename = "T")]
    pub tangential: Pair,
}

/// The numbers of an impact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpactDetail {
    /// Velocities before.
    pub pre: Rates,
    /// Velocities after.
    pub post: Rates,
    /// Impulse.
    pub impulse: Impulses,
    /// Kinetic energy lost through this contact: those of all contacts that are struck together add up to what the mechanism loses.
    pub energy_loss: Number,
    /// Law, or the rule for several at once.
    pub law: Cow<'static, str>,
}

impl ImpactDetail {
    /// Whether the mechanism has gained more energy in impacts that took place together than rounding makes of their speeds and impulses.
    pub fn gain_energy<'i>(together: impl Iterator<Item = &'i Self>, tol: &Tol) -> bool {
        let (loss, size) = together.fold((0.0, 0.0), |(loss, size), impact| {
            let speed = [&impact.pre, &impact.post].map(|rates| rates.u.size().max(rates.v.0.abs()));
            let impulse = impact.impulse.normal.0.abs() + impact.impulse.tangential.size();
            (loss + impact.energy_loss.0, size + impulse * speed[0].max(speed[1]))
        });
        loss < -tol.marginal * size
    }
}

/// The numbers of a jam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JamDetail {
    /// p there.
    pub p: Number,
    /// b there.
    pub b: Number,
    /// `G1`, `G2`, or `crossing` in space.
    pub class: Cow<'static, str>,
    /// e of λ_N ~ (t* − t)^e, fitted.
    pub force_exponent: Number,
    /// The same by the linearisation: β/α₁ − 1 for G1, 0 for G2, −1/2 for a crossing.
    pub force_exponent_theory: Number,
    /// α₁, α₂, β at the jam; none at a crossing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<[Number; 3]>,
}
