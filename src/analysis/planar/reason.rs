//! Why a mode is consistent or not, and on which boundary a state lies: numbers first, words when printed.

use super::consistency::Consistency;
use super::response::{Acceleration, Force};
use crate::contact::{Friction, Mode};
use crate::num::Tol;
use serde::{Serialize, Serializer};
use std::fmt;

/// Why a mode is, or is not, consistent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// No contact: only free motion.
    InFlight,
    /// F: the gap opens.
    LiftsOff {
        /// v̇ = b.
        vdot: f64,
    },
    /// F fails: the gap would close.
    WouldPenetrate {
        /// v̇ = b.
        vdot: f64,
    },
    /// λ_N < 0.
    Pulls {
        /// λ_N.
        lambda_N: f64,
    },
    /// Slip from rest would accelerate the wrong way.
    WrongWay {
        /// u̇.
        udot: f64,
    },
    /// |λ_T| > μ λ_N.
    OutsideCone {
        /// λ_T.
        lambda_T: f64,
        /// μ λ_N.
        bound: f64,
    },
    /// Slip or stick holds.
    Pressed {
        /// λ_N.
        lambda_N: f64,
    },
    /// The slip gain p vanishes: no finite force keeps the contact closed.
    Undefined {
        /// λ_N as computed.
        lambda_N: f64,
    },
    /// An equality within tolerance; the force is finite.
    Grazing {
        /// λ_N.
        lambda_N: f64,
    },
}

impl Reason {
    /// The reason from a mode's consistency, force and accelerations.
    pub(in crate::analysis) fn of(
        mode: Mode,
        consistency: Consistency,
        friction: Friction,
        force: Force,
        acceleration: Acceleration,
        undefined: bool,
    ) -> Self {
        let lambda_N = force.N;
        match (consistency, mode) {
            _ if undefined => Self::Undefined { lambda_N },
            (Consistency::Marginal, _) => Self::Grazing { lambda_N },
            (Consistency::Yes, Mode::Free) => Self::LiftsOff { vdot: acceleration.v },
            (Consistency::Yes, Mode::SlipPos | Mode::SlipNeg | Mode::Stick) => Self::Pressed { lambda_N },
            (Consistency::No, Mode::Free) => Self::WouldPenetrate { vdot: acceleration.v },
            (Consistency::No, Mode::SlipPos | Mode::SlipNeg) => {
                slip_failure(mode, friction, force, acceleration)
            }
            (Consistency::No, Mode::Stick) if lambda_N < 0.0 => Self::Pulls { lambda_N },
            (Consistency::No, Mode::Stick) => {
                Self::OutsideCone { lambda_T: force.T, bound: friction.mu() * lambda_N }
            }
        }
    }
}

/// A slip fails by its normal force, or, from rest, by the direction of its acceleration.
fn slip_failure(mode: Mode, friction: Friction, force: Force, acceleration: Acceleration) -> Reason {
    let opposing = if mode == Mode::SlipPos { -force.T } else { force.T };
    // λ_N tends to 0 with infinite friction; the friction force keeps its sign
    let pulls = if friction.is_infinite() { opposing < 0.0 } else { force.N < 0.0 };
    if pulls { Reason::Pulls { lambda_N: force.N } } else { Reason::WrongWay { udot: acceleration.u } }
}

/// Six significant digits.
pub(in crate::analysis) struct Digits(pub(in crate::analysis) f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.abs();
        if !self.0.is_finite() || magnitude <= 0.0 {
            return write!(f, "{}", self.0 + 0.0);
        }
        let exponent = magnitude.log10().floor();
        if !(-4.0..6.0).contains(&exponent) {
            return write!(f, "{:.5e}", self.0);
        }
        let text = format!("{:.*}", (5.0 - exponent) as usize, self.0);
        let trimmed =
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        f.write_str(trimmed)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::InFlight => write!(f, "no contact force acts"),
            Self::LiftsOff { vdot } => write!(f, "the gap opens with {}", Digits(vdot)),
            Self::WouldPenetrate { vdot } => {
                write!(f, "the gap acceleration would be {}: penetration", Digits(vdot))
            }
            Self::Pulls { lambda_N } => write!(f, "normal force would be {}", Digits(lambda_N)),
            Self::WrongWay { udot } => {
                write!(f, "slip acceleration would be {}, against the assumed slip", Digits(udot))
            }
            Self::OutsideCone { lambda_T, bound } => write!(
                f,
                "friction force would be {}, outside the cone: mu lambda_N is {}",
                Digits(lambda_T),
                Digits(bound)
            ),
            Self::Pressed { lambda_N } => write!(f, "normal force is {} N", Digits(lambda_N)),
            Self::Undefined { .. } => write!(f, "the gain p is zero: no finite normal force is defined"),
            Self::Grazing { lambda_N } => {
                write!(f, "on a boundary of the contact law, with normal force {} N", Digits(lambda_N))
            }
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

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

impl Serialize for Boundary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Digits, Reason};

    #[test]
    fn reasons_read_as_sentences() {
        assert_eq!(Reason::Pulls { lambda_N: -3.2 }.to_string(), "normal force would be -3.2");
        assert_eq!(Digits(0.1 + 0.2).to_string(), "0.3");
        assert_eq!(Digits(1234567.0).to_string(), "1.23457e6");
        assert_eq!(Digits(-0.0).to_string(), "0");
        assert_eq!(Digits(120.0).to_string(), "120");
    }
}
