//! Contact modes, sets of them, and the cells of the survey's tables.

use super::planar::Slip;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What a closed contact does next [CV16 Table 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// F: lifts off.
    #[serde(rename = "free")]
    Free,
    /// P: slips with u > 0.
    #[serde(rename = "slip+")]
    SlipPos,
    /// N: slips with u < 0.
    #[serde(rename = "slip-")]
    SlipNeg,
    /// T: sticks.
    #[serde(rename = "stick")]
    Stick,
}

impl Mode {
    /// All modes in the survey's order F, P, N, T.
    pub const ALL: [Self; 4] = [Self::Free, Self::SlipPos, Self::SlipNeg, Self::Stick];

    /// The survey's letter.
    pub fn letter(self) -> char {
        match self {
            Self::Free => 'F',
            Self::SlipPos => 'P',
            Self::SlipNeg => 'N',
            Self::Stick => 'T',
        }
    }

    /// The name in reports: `free`, `slip+`, `slip-`, `stick`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::SlipPos => "slip+",
            Self::SlipNeg => "slip-",
            Self::Stick => "stick",
        }
    }
}

impl From<Slip> for Mode {
    fn from(slip: Slip) -> Self {
        match slip {
            Slip::Pos => Self::SlipPos,
            Slip::Neg => Self::SlipNeg,
        }
    }
}

/// A set of modes; empty by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModeSet(u8);

impl ModeSet {
    /// The set with `mode` added.
    #[must_use]
    pub fn with(self, mode: Mode) -> Self {
        Self(self.0 | 1 << mode as u8)
    }

    /// Whether `mode` is in the set.
    pub fn contains(self, mode: Mode) -> bool {
        self.0 & (1 << mode as u8) != 0
    }

    /// Number of modes.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The modes in the order F, P, N, T.
    pub fn iter(self) -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(move |&mode| self.contains(mode))
    }
}

impl FromIterator<Mode> for ModeSet {
    fn from_iter<I: IntoIterator<Item = Mode>>(modes: I) -> Self {
        modes.into_iter().fold(Self::default(), Self::with)
    }
}

impl fmt::Display for ModeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|mode| write!(f, "{}", mode.letter()))
    }
}

impl<'de> Deserialize<'de> for ModeSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Mode>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl Serialize for ModeSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// Column of Tables 2 and 3: the slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Column {
    /// u > 0.
    I,
    /// u = 0.
    II,
    /// u < 0.
    III,
}

impl Column {
    /// All columns.
    pub const ALL: [Self; 3] = [Self::I, Self::II, Self::III];

    /// `I`, `II`, `III`.
    pub fn name(self) -> &'static str {
        match self {
            Self::I => "I",
            Self::II => "II",
            Self::III => "III",
        }
    }

    /// The mirror image: I and III change places.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::I => Self::III,
            Self::II => Self::II,
            Self::III => Self::I,
        }
    }
}

/// Row of Tables 2 and 3: the signs of b, p+, p−.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Row {
    /// b > 0, p+ > 0, p− > 0.
    I,
    /// b > 0, p+ > 0, p− < 0.
    Ii,
    /// b > 0, p+ < 0, p− > 0.
    Iii,
    /// b < 0, p+ > 0, p− > 0.
    Iv,
    /// b < 0, p+ > 0, p− < 0.
    V,
    /// b < 0, p+ < 0, p− > 0.
    Vi,
}

impl Row {
    /// All rows.
    pub const ALL: [Self; 6] = [Self::I, Self::Ii, Self::Iii, Self::Iv, Self::V, Self::Vi];

    /// `i` to `vi`.
    pub fn name(self) -> &'static str {
        match self {
            Self::I => "i",
            Self::Ii => "ii",
            Self::Iii => "iii",
            Self::Iv => "iv",
            Self::V => "v",
            Self::Vi => "vi",
        }
    }
}

/// A cell of Tables 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Signs of b, p+, p−.
    pub row: Row,
    /// Sign of the slip.
    pub column: Column,
}
