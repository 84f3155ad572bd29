//! Why a mode is consistent or not: numbers first, words when printed.

use super::judge::Judgement;
use super::mode::Mode;
use super::verdict::Consistency;
use crate::contact::Scaled;
use serde::{Serialize, Serializer};
use std::fmt;

/// Why modes of several contacts are judged as they are.
#[derive(Clone, Debug, PartialEq)]
pub enum JointReason {
    /// What a contact does under the forces.
    Contact {
        /// Which.
        contact: usize,
        /// What.
        reason: Reason,
    },
    /// A friction force at the edge of the cone, or outside it, against its bound.
    Cone {
        /// Which contact.
        contact: usize,
        /// λ_T.
        lambda_T: f64,
        /// μ|λ_N|.
        bound: f64,
    },
    /// All of them hold.
    Holds,
    /// The rows of this contact follow from others, and their accelerations do not.
    Contradicts {
        /// Which contact.
        contact: usize,
        /// What is left of the acceleration.
        acceleration: f64,
    },
    /// No forces inside the cones satisfy the equations, which do not determine them.
    NoForces,
    /// An acceleration that should be positive is zero under all forces: other modes have this motion.
    Still {
        /// Of which contact.
        contact: usize,
    },
    /// They hold with an equality, and have the motion of others, which hold without.
    Repeats {
        /// Those.
        modes: Vec<Mode>,
    },
    /// On the border of a cone for all forces.
    Edge,
    /// The equations are singular: forces without bound.
    Singular,
    /// What a solver found, to its residual.
    Solver,
    /// Neither found nor refuted.
    Unknown,
}

impl Judgement {
    /// Why it is judged as it is: the sentence of a report, without its full stop.
    pub fn reason(&self, name: impl Fn(usize) -> String) -> String {
        match &self.why {
            JointReason::Contact { contact, reason } => format!("{}: {reason}", name(*contact)),
            JointReason::Cone { contact, lambda_T, bound } => {
                let place = match self.consistency {
                    Consistency::No => "outside the cone",
                    Consistency::Yes | Consistency::Marginal => "on the edge of the cone",
                };
                format!(
                    "{}: friction force would be {}, {place}: mu lambda_N is {}",
                    name(*contact),
                    Digits(*lambda_T),
                    Digits(*bound)
                )
            }
            JointReason::Holds if self.by_stiffness => {
                "all contact laws hold, with forces that are not unique: those that the stiffnesses of the contacts give in the limit of rigidity"
                    .to_string()
            }
            JointReason::Holds if self.ranges.is_some() => {
                "all contact laws hold, with forces that are not unique".to_string()
            }
            JointReason::Holds => "all contact laws hold".to_string(),
            JointReason::Contradicts { contact, acceleration } => format!(
                "{}: its motion follows from that of other contacts, and its acceleration would be {} where these have none",
                name(*contact),
                Digits(*acceleration)
            ),
            JointReason::NoForces => "no forces inside the friction cones balance the load".to_string(),
            JointReason::Still { contact } => {
                format!(
                    "{}: neither opens nor slips, so that the motion is that of another mode",
                    name(*contact)
                )
            }
            JointReason::Repeats { modes } => {
                let words = modes.iter().map(|mode| mode.word(self.tangents())).collect::<Vec<_>>();
                format!("holds with an equality only, as the motion of {}", words.join(", "))
            }
            JointReason::Edge => "forces exist on the edge of a friction cone only".to_string(),
            JointReason::Singular => "the equations are singular: no finite force is defined".to_string(),
            JointReason::Solver => "found by the incremental solvers, to their residual".to_string(),
            JointReason::Unknown => "whether forces exist could not be decided".to_string(),
        }
    }
}

impl Judgement {
    /// The same of a contact that is alone, told by its numbers.
    pub fn reason_alone(&self) -> Reason {
        let own = |rows: &[Scaled]| rows[0].value;
        let lambda_N = own(&self.forces);
        match (&self.why, self.consistency) {
            (JointReason::Contact { reason, .. }, _) => *reason,
            (JointReason::Cone { lambda_T, bound, .. }, Consistency::No) => {
                Reason::OutsideCone { lambda_T: *lambda_T, bound: *bound }
            }
            (JointReason::Singular, _) => Reason::Undefined { lambda_N },
            (_, consistency) => {
                let rates = [f64::NAN, own(&self.accelerations)];
                Reason::of(self.modes[0], consistency, (lambda_N, lambda_N < 0.0), rates)
            }
        }
    }
}

/// Why a mode of one contact is, or is not, consistent.
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
    /// Of a mode under a normal force, which may pull where it must not, and accelerations u̇ and v̇.
    pub fn of(
        mode: Mode,
        consistency: Consistency,
        (lambda_N, pulls): (f64, bool),
        [udot, vdot]: [f64; 2],
    ) -> Self {
        match (consistency, mode) {
            (Consistency::Marginal, _) => Self::Grazing { lambda_N },
            (Consistency::Yes, Mode::Free) => Self::LiftsOff { vdot },
            (Consistency::No, Mode::Free) => Self::WouldPenetrate { vdot },
            (Consistency::Yes, Mode::Slip { .. } | Mode::Stick { .. }) => Self::Pressed { lambda_N },
            (Consistency::No, Mode::Slip { .. }) if !pulls => Self::WrongWay { udot },
            (Consistency::No, Mode::Slip { .. } | Mode::Stick { .. }) => Self::Pulls { lambda_N },
        }
    }
}

/// Six significant digits.
pub struct Digits(pub f64);

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
