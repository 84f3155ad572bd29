//! How motions are computed, by name.

use crate::diag::meant;
use crate::simulate::integrate::{Exact, TABLEAUX};
use crate::stepping::SchemeName;
use std::fmt;
use std::str::FromStr;

/// How a motion is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// From event to event, with rigid contacts.
    #[default]
    Event,
    /// With regularised contacts.
    Compliant,
    /// By steps of time.
    Stepped(SchemeName),
    /// By steps of time with a Runge-Kutta method between events.
    Captured(&'static Exact),
}

/// An option that some schemes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeOption {
    /// h of a time step.
    Step,
    /// θ of a time step.
    Theta,
    /// γ of a time step.
    Gamma,
    /// ε of a compliant contact.
    Eps,
    /// Relative error of a step.
    Rtol,
    /// Absolute error of a step.
    Atol,
    /// What to follow where several motions are possible.
    Future,
    /// What to do where forces are not unique.
    Hyperstatic,
}

impl SchemeOption {
    /// A scheme that has it, for an example.
    pub(in crate::pipeline) fn example(self) -> &'static str {
        match self {
            Self::Step | Self::Theta | Self::Gamma => "moreau",
            Self::Eps => "compliant",
            Self::Rtol | Self::Atol | Self::Future | Self::Hyperstatic => "event",
        }
    }
}

impl fmt::Display for SchemeOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Step => "--step",
            Self::Theta => "--theta",
            Self::Gamma => "--gamma",
            Self::Eps => "--eps",
            Self::Rtol => "--rtol",
            Self::Atol => "--atol",
            Self::Future => "--future",
            Self::Hyperstatic => "--hyperstatic",
        })
    }
}

/// A word that no scheme has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no scheme `{found}`; {}there are {}",
    meant(.found, Scheme::all().map(Scheme::word)),
    known()
)]
pub struct UnknownScheme {
    /// The word.
    pub found: String,
}

impl Scheme {
    /// All of them, in the order of the help.
    pub fn all() -> impl Iterator<Item = Self> {
        let stepped = SchemeName::ALL.into_iter().map(Self::Stepped);
        let captured = TABLEAUX.iter().map(Self::Captured);
        [Self::Event, Self::Compliant].into_iter().chain(stepped).chain(captured)
    }

    /// Whether an option means anything to it.
    pub(super) fn has(self, option: SchemeOption) -> bool {
        use SchemeOption::{Atol, Eps, Future, Gamma, Hyperstatic, Rtol, Step, Theta};
        match self {
            Self::Event => matches!(option, Rtol | Atol | Future | Hyperstatic),
            Self::Compliant => matches!(option, Eps | Rtol),
            Self::Captured(_) => matches!(option, Step | Future | Hyperstatic),
            Self::Stepped(name) => match option {
                Step | Theta => true,
                Gamma => name != SchemeName::SchatzmanPaoli,
                Rtol | Atol => name.is_adaptive(),
                Eps | Future | Hyperstatic => false,
            },
        }
    }

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Compliant => "compliant",
            Self::Stepped(name) => name.word(),
            Self::Captured(method) => method.name,
        }
    }

    /// What it is, in a line.
    pub fn summary(self) -> String {
        match self {
            Self::Event => "From event to event, with rigid contacts".to_string(),
            Self::Compliant => "With regularised contacts, needs --eps".to_string(),
            Self::Stepped(SchemeName::Moreau) => "Moreau's time steps, needs --step".to_string(),
            Self::Stepped(SchemeName::MoreauJean) => {
                "The same with forces at both ends of the step, as Siconos has it".to_string()
            }
            Self::Stepped(SchemeName::MoreauProjected) => {
                "Moreau's with positions projected onto the constraints".to_string()
            }
            Self::Stepped(SchemeName::SchatzmanPaoli) => {
                "Schatzman and Paoli's time steps, needs --step".to_string()
            }
            Self::Stepped(SchemeName::MoreauHeuristic) => {
                "Moreau's with steps adapted by the heuristic rule alone".to_string()
            }
            Self::Stepped(SchemeName::MoreauAdaptive) => {
                "Moreau's with adapted steps and variable order".to_string()
            }
            Self::Captured(method) => {
                let family = match method.name.split('-').next() {
                    Some("radau") => "Radau IIA",
                    Some("lobatto") => "Lobatto IIIA",
                    _ => "half-explicit Runge-Kutta",
                };
                format!("Event capturing, {family} of order {}, needs --step", method.order)
            }
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    fn from_str(word: &str) -> Result<Self, UnknownScheme> {
        let found = Self::all().find(|scheme| scheme.word() == word);
        found.ok_or_else(|| UnknownScheme { found: word.to_string() })
    }
}

/// The words of all schemes.
fn known() -> String {
    Scheme::all().map(Scheme::word).collect::<Vec<_>>().join(", ")
}
