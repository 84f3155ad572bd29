//! On which boundary a state lies: numbers first, words when printed.

use crate::contact::{Column, Friction, Planar, Scaled, Sign};
use crate::num::Tol;
use crate::predict::{Digits, OneContact};
use std::fmt;

/// A boundary that a state lies on; `distance` is relative to the terms of the vanishing quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Boundary {
    /// b = 0.
    FreeAcceleration {
        /// |b| over its terms.
        distance: f64,
    },
    /// p+ = 0.
    GainPos {
        /// |p+| over its terms.
        distance: f64,
    },
    /// p− = 0.
    GainNeg {
        /// |p−| over its terms.
        distance: f64,
    },
    /// σ+ = 0: λ_T = −μ λ_N in stick.
    ConePos {
        /// |σ+| over its terms.
        distance: f64,
    },
    /// σ− = 0: λ_T = μ λ_N in stick.
    ConeNeg {
        /// |σ−| over its terms.
        distance: f64,
    },
    /// A slip that was taken as zero.
    Slip {
        /// The slip as given.
        u: f64,
    },
    /// μ = 0: the friction cone has no interior, stick is never consistent.
    Frictionless,
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, distance) = match *self {
            Self::FreeAcceleration { distance } => ("b = 0: lift-off and contact meet", distance),
            Self::GainPos { distance } => ("p+ = 0: the Painlevé boundary of positive slip", distance),
            Self::GainNeg { distance } => ("p- = 0: the Painlevé boundary of negative slip", distance),
            Self::ConePos { distance } => {
                ("sigma+ = 0: grazing the friction cone at lambda_T = -mu lambda_N", distance)
            }
            Self::ConeNeg { distance } => {
                ("sigma- = 0: grazing the friction cone at lambda_T = mu lambda_N", distance)
            }
            Self::Slip { u } => return write!(f, "slip {} is taken as zero", Digits(u)),
            Self::Frictionless => return write!(f, "friction is zero: a contact at rest slides freely"),
        };
        let shown = if distance.abs() <= Tol::default().noise { 0.0 } else { distance };
        write!(f, "{what} (relative distance {})", Digits(shown))
    }
}

/// The boundaries that a contact lies on which is slipping with u or at rest.
pub(super) fn boundaries(planar: &Planar, friction: Friction, u: f64, own: &OneContact) -> Vec<Boundary> {
    let (gains, signs, column) = (planar.gains(friction), own.signs(), own.column());
    let at_rest = column == Column::II;
    let b = Scaled { value: planar.b, scale: planar.b_scale };
    let relevant = [
        (signs.b, Boundary::FreeAcceleration { distance: b.distance() }, true),
        (signs.p[0], Boundary::GainPos { distance: gains.p[0].distance() }, column != Column::III),
        (signs.p[1], Boundary::GainNeg { distance: gains.p[1].distance() }, column != Column::I),
        (signs.sigma[0], Boundary::ConePos { distance: gains.sigma[0].distance() }, at_rest),
        (signs.sigma[1], Boundary::ConeNeg { distance: gains.sigma[1].distance() }, at_rest),
    ];
    let marginal = relevant.into_iter().filter(|&(sign, _, counts)| counts && sign == Sign::Marginal);
    let slip = (at_rest && u.abs() > 0.0).then_some(Boundary::Slip { u });
    let smooth = (at_rest && friction.is_zero()).then_some(Boundary::Frictionless);
    marginal.map(|(_, boundary, _)| boundary).chain(slip).chain(smooth).collect()
}
