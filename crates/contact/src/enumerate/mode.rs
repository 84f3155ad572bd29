//! What one planar contact does, as a closed polyhedron of forces and velocities: borders belong to both sides.

/// Mode of one planar contact: together those of a contact are Coulomb's law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// r = 0, u_N ≥ 0.
    TakeOff,
    /// u = 0, |r_T| ≤ μ r_N.
    Stick,
    /// u_N = 0, u_T ≥ 0, r_T = −μ r_N.
    SlipPos,
    /// u_N = 0, u_T ≤ 0, r_T = μ r_N.
    SlipNeg,
    /// u_N = 0, r_N ≥ 0, r_T = 0: contact without friction, to either side. In words of the search only; a solution slips one
    /// way or sticks.
    Slide,
}

impl Mode {
    /// The word used in reports and records.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::TakeOff => "take-off",
            Self::Stick => "stick",
            Self::SlipPos => "slip+",
            Self::SlipNeg => "slip-",
            Self::Slide => "slide",
        }
    }

    /// The modes of a contact with or without friction.
    #[must_use]
    pub fn all(frictionless: bool) -> &'static [Self] {
        match frictionless {
            true => &[Self::TakeOff, Self::Slide],
            false => &[Self::TakeOff, Self::Stick, Self::SlipPos, Self::SlipNeg],
        }
    }
}
