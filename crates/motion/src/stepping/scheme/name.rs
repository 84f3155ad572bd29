//! The schemes by their names on the command line, and what a discretisation is.

use std::fmt;
use std::str::FromStr;

/// A scheme that follows a motion by steps of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemeName {
    /// Moreau's, impacts at velocity level   [A09 (16)].
    #[default]
    Moreau,
    /// The same with positions projected onto the constraints   [A09 (19)].
    MoreauProjected,
    /// Schatzman and Paoli's, impacts at position level   [A09 (22)].
    SchatzmanPaoli,
    /// Moreau's with steps whose length is adapted by the heuristic rule alone   [A09 (65)-(67), Figure 4].
    MoreauHeuristic,
    /// The same with an order that is guessed, and with the depth of contacts that close   [A09 (63)-(70), Figure 5].
    MoreauAdaptive,
    /// Moreau's with forces at both ends, M and H at the end of the step: as Siconos has it.
    MoreauJean,
}

impl SchemeName {
    /// All of them, in the order of the help.
    pub const ALL: [Self; 6] = [
        Self::Moreau,
        Self::MoreauJean,
        Self::MoreauProjected,
        Self::SchatzmanPaoli,
        Self::MoreauHeuristic,
        Self::MoreauAdaptive,
    ];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Moreau => "moreau",
            Self::MoreauProjected => "moreau-projected",
            Self::SchatzmanPaoli => "schatzman-paoli",
            Self::MoreauHeuristic => "moreau-heuristic",
            Self::MoreauAdaptive => "moreau-adaptive",
            Self::MoreauJean => "moreau-jean",
        }
    }

    /// The order of its global error in theory, in the distance of filled-in graphs.
    pub fn order(self) -> usize {
        match self {
            // [A09 2.1, 3.2]
            Self::Moreau
            | Self::MoreauJean
            | Self::MoreauProjected
            | Self::SchatzmanPaoli
            | Self::MoreauHeuristic
            | Self::MoreauAdaptive => 1,
        }
    }

    /// Whether it chooses the lengths of its steps itself.
    pub fn is_adaptive(self) -> bool {
        match self {
            Self::MoreauHeuristic | Self::MoreauAdaptive => true,
            Self::Moreau | Self::MoreauJean | Self::MoreauProjected | Self::SchatzmanPaoli => false,
        }
    }
}

impl fmt::Display for SchemeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A word that no scheme has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no scheme `{found}`")]
pub struct UnknownScheme {
    /// The word.
    pub found: String,
}

impl FromStr for SchemeName {
    type Err = UnknownScheme;

    fn from_str(word: &str) -> Result<Self, UnknownScheme> {
        let found = Self::ALL.into_iter().find(|name| name.word() == word);
        found.ok_or_else(|| UnknownScheme { found: word.to_string() })
    }
}

/// A scheme with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discretisation {
    /// Which.
    pub scheme: SchemeName,
    /// h, s; of an adaptive scheme the first step.
    pub step: f64,
    /// θ in [0, 1]: where in the step forces are taken   [A09 (16b)].
    pub theta: f64,
    /// γ in [0, 1]: how far ahead gaps are predicted   [A09 (16e)].
    pub gamma: f64,
    /// Error of a step relative to each coordinate's size, of adaptive schemes   [A09 (65)].
    pub rtol: f64,
    /// The same in units, beside that.
    pub atol: f64,
}

impl Discretisation {
    /// Error of an adaptive step if nobody says.
    pub const DEFAULT_RTOL: f64 = 1e-4;

    /// A scheme with this step and the usual numbers.
    pub fn new(scheme: SchemeName, step: f64) -> Self {
        Self { scheme, step, theta: 0.5, gamma: 0.5, rtol: Self::DEFAULT_RTOL, atol: 0.0 }
    }
}
