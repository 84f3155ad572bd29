//! Why an equilibrium is stable, unstable, or neither said.

use super::doubt::Doubt;
use crate::predict::{Mode, words};

/// Why a verdict about stability is as it is.
#[derive(Clone, Debug, PartialEq)]
pub enum LyapunovReason {
    /// All small motions come to rest after finitely many impacts.
    Ends,
    /// Speeds decrease from return to return, whatever the direction.
    Decays,
    /// Along a periodic direction they increase.
    Grows,
    /// Another mode is consistent at rest, and leaves the equilibrium.
    Ambiguous {
        /// That one.
        modes: Vec<Mode>,
    },
    /// Other modes are consistent at rest, all of which compliance upsets.
    Upset,
    /// Sticking, or that it is the only mode, holds with an equality or is not known.
    Border,
    /// Not two contacts.
    Contacts,
    /// A bilateral contact.
    Bilateral,
    /// Impacts that give something back.
    Restitution,
    /// Contacts that move independently of each other.
    Independent,
    /// A contact that cannot move, or gaps that are one.
    Degenerate,
    /// Infinite friction.
    Infinite,
    /// The mechanism has motions without contact velocities.
    OtherMotions,
    /// The motions near the equilibrium are in doubt.
    Doubt(Doubt),
}

impl LyapunovReason {
    /// In words, given the names of the contacts.
    pub fn words(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            Self::Ends => "every small motion comes to rest after finitely many impacts".into(),
            Self::Decays => "small motions lose speed from impact to impact, whatever their direction".into(),
            Self::Grows => "small motions in a periodic direction gain speed from impact to impact".into(),
            Self::Ambiguous { modes } => {
                format!("the mode {} is consistent at rest, too, and leaves the equilibrium", words(modes, 1))
            }
            Self::Upset => "other modes are consistent at rest, but compliance upsets each of them".into(),
            Self::Border => {
                "sticking, or that it is the only mode, holds with an equality only, or is not known".into()
            }
            Self::Contacts => "the return map is made for two contacts".into(),
            Self::Bilateral => "a contact is bilateral".into(),
            Self::Restitution => "impacts give something back".into(),
            Self::Independent => {
                "the two contacts move independently of each other, so that directions are no circle".into()
            }
            Self::Degenerate => "a contact cannot move, or both gaps move as one".into(),
            Self::Infinite => "friction is infinite".into(),
            Self::OtherMotions => {
                "motions that slide or open no contact are not looked at; those of the contacts do not grow"
                    .into()
            }
            Self::Doubt(doubt) => doubt.words(name),
        }
    }
}
