//! The numbers that events are seen by: positive while a phase goes on, falling through zero where it ends.

use super::mechanics::{Clock, Mechanics};
use super::modes::acceleration;
use super::phase::ZERO;
use crate::contact::Hold;
use crate::model::Block;
use crate::num::dense::norm;
use crate::simulate::smooth::ContactMotion;

/// Share of a slip's speed at which it is looked at again whether it ends.
pub(super) const SLOWER: f64 = 0.125;

/// A number that ends a phase where it falls through zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::simulate) enum Watch {
    /// The gap of an open contact.
    Gap(usize),
    /// The same while it is negative because the contact was not active when it closed: −gap.
    Rise(usize),
    /// The normal force of a closed contact, times the sign it has.
    Force(usize, f64),
    /// For the one contact that slips: −b, times the sign that makes it the normal force's.
    Press(usize, f64),
    /// For the same: p, times the sign it has.
    Gain(usize, f64),
    /// Slip along the direction that it had   (plane).
    Slip(usize, f64),
    /// Speed of the slip (space), beyond that at which it counts as ended.
    Speed(usize, f64),
    /// Room in the friction cone of a contact that sticks.
    Cone(usize),
    /// A closed contact whose spring is not pressed: minus the force that it would have.
    Apart(usize),
    /// How far inside all cones forces that are not unique can lie.
    ConeMargin,
    /// Time left.
    Time(f64),
    /// The caller's expression.
    Stop,
    /// The same while it is negative, with the other sign.
    StopRise,
}

impl Watch {
    /// Its value at the state that was evaluated last.
    pub(in crate::simulate) fn value(self, mechanics: &Mechanics<'_>) -> f64 {
        match self {
            Self::Gap(contact) => mechanics.gap(contact),
            Self::Rise(contact) => -mechanics.gap(contact),
            Self::Force(contact, sign) => sign * mechanics.normal_force(contact),
            Self::Press(contact, sign) => {
                -sign * mechanics.block(Block::FreeContactAcceleration)[mechanics.row(contact)]
            }
            Self::Gain(contact, sign) => sign * gain(mechanics, contact),
            Self::Slip(contact, sign) => sign * mechanics.slip(contact)[0],
            Self::Speed(contact, rest) => norm(mechanics.slip(contact)) - rest,
            Self::Cone(contact) => cone_margin(mechanics, contact),
            Self::Apart(contact) => -mechanics.work.springs.pressure[contact],
            Self::ConeMargin | Self::Time(_) | Self::Stop | Self::StopRise => f64::NAN,
        }
    }

    /// Its value in flight, by the time and the gaps.
    pub(super) fn in_flight(self, t: f64, gaps: &[f64]) -> f64 {
        match self {
            Self::Gap(contact) => gaps[contact],
            Self::Rise(contact) => -gaps[contact],
            Self::Time(end) => end - t,
            _ => f64::NAN,
        }
    }

    /// How many of the lowest derivatives by time of a watch that is zero to rounding at the state that was evaluated last are not
    /// negative there, itself among them.
    pub(in crate::simulate) fn leads(self, mechanics: &Mechanics<'_>, v: &[f64]) -> usize {
        let rises = |value: f64, size: f64| value >= -ZERO * size;
        match self {
            Self::Gap(contact) | Self::Rise(contact) => {
                let sign = if matches!(self, Self::Gap(_)) { 1.0 } else { -1.0 };
                let row = mechanics.row(contact);
                let rate = rises(sign * mechanics.gap_rate(contact), mechanics.speed_size(row, v));
                let bend = rises(sign * acceleration(row, mechanics), mechanics.driven_size(row));
                1 + usize::from(rate) + usize::from(rate && bend)
            }
            Self::Slip(contact, sign) => {
                let row = mechanics.row(contact) + 1;
                1 + usize::from(rises(sign * acceleration(row, mechanics), mechanics.driven_size(row)))
            }
            _ => 1,
        }
    }

    /// The size of the terms of its value at the state that was evaluated last, those that come and go within h included.
    pub(in crate::simulate) fn size(
        self,
        mechanics: &Mechanics<'_>,
        (q, v): (&[f64], &[f64]),
        h: f64,
    ) -> f64 {
        let force = |contact: usize| mechanics.force_scale(mechanics.row(contact));
        match self {
            Self::Gap(contact) | Self::Rise(contact) => {
                let row = mechanics.row(contact);
                let terms = mechanics.jacobian(row).iter().zip(q).map(|(w, q)| (w * q).abs()).sum::<f64>();
                terms + h * mechanics.speed_size(row, v) + h * h * mechanics.driven_size(row)
            }
            Self::Force(contact, _) | Self::Cone(contact) | Self::Apart(contact) => force(contact),
            Self::ConeMargin => mechanics.load(),
            Self::Press(contact, _) => mechanics.acceleration_size(mechanics.row(contact)),
            Self::Gain(contact, _) => gain_terms(mechanics, contact)[0],
            Self::Slip(contact, _) | Self::Speed(contact, _) => {
                let row = mechanics.row(contact);
                let rows = row + 1..=row + mechanics.layout().tangents;
                let size = |row: usize| mechanics.speed_size(row, v) + h * mechanics.driven_size(row);
                rows.map(size).fold(0.0, f64::max)
            }
            Self::Time(_) | Self::Stop | Self::StopRise => 0.0,
        }
    }
}

/// p of a contact that slips: C − μ B·û, times the n of its friction   [CV16 (13), (39)].
pub(in crate::simulate) fn gain(mechanics: &Mechanics<'_>, contact: usize) -> f64 {
    if mechanics.clock == Clock::Jam {
        return mechanics.gain;
    }
    let [own, coupled] = gain_terms(mechanics, contact);
    own - coupled
}

/// The two terms of p.
pub(in crate::simulate) fn gain_terms(mechanics: &Mechanics<'_>, contact: usize) -> [f64; 2] {
    let row = mechanics.row(contact);
    let force = match mechanics.motions[contact] {
        ContactMotion::Slips { along: [one, two], friction } => {
            let (n, t) = friction.parts();
            Some([n, -t * one, -t * two])
        }
        ContactMotion::Turns { .. } => mechanics.work.slipping(row),
        ContactMotion::Free | ContactMotion::Sticks => None,
    };
    let Some(force) = force else { return [1.0, 0.0] };
    let tangents = 1..=mechanics.layout().tangents;
    let coupled: f64 = tangents.map(|k| force[k] * mechanics.delassus(row, row + k)).sum();
    [force[0] * mechanics.delassus(row, row), -coupled]
}

/// t λ_N − n‖λ_T‖: positive inside the friction cone; with infinite friction there is no outside.
pub(in crate::simulate) fn cone_margin(mechanics: &Mechanics<'_>, contact: usize) -> f64 {
    let (row, d) = (mechanics.row(contact), mechanics.layout().tangents);
    let (n, t) = mechanics.laws[contact].friction.parts();
    let forces = mechanics.work.forces();
    let normal = match mechanics.laws[contact].hold {
        Hold::Unilateral => forces[row],
        Hold::Bilateral => forces[row].abs(),
    };
    if n <= 0.0 { f64::INFINITY } else { t * normal - n * norm(&forces[row + 1..row + 1 + d]) }
}
