//! Why a picture cannot be drawn.

use super::request::StatePlot;
use crate::diag::nearest;
use std::fmt;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlotFault {
    /// Something has no such name.
    Unknown {
        /// What: `column`, `coordinate`.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// The name that is closest to it.
        close: Option<String>,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No picture is named, or no file after `=`.
    Unnamed,
    /// There is no row of numbers in the motion.
    NoSamples,
    /// There is no motion in the tree.
    NoMotions,
    /// A portrait is of one closed contact of the plane.
    NoPortrait,
    /// A study has no picture but a portrait.
    Study,
    /// No file after `=`.
    NoFile,
    /// A file after a colon.
    Colon {
        /// The picture.
        plot: String,
        /// The file.
        file: String,
    },
    /// No state that was analysed has what the picture shows.
    NoState {
        /// The picture.
        picture: &'static str,
        /// The states that have it.
        needs: &'static str,
    },
    /// A map has no value anywhere.
    NothingMapped,
    /// The mechanism has neither a body nor a contact with a place.
    NothingToDraw,
}

impl PlotFault {
    /// That no state has a picture.
    pub fn no_state(plot: StatePlot) -> Self {
        Self::NoState { picture: plot.name(), needs: plot.needs() }
    }

    pub(super) fn unknown<'n>(
        kind: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'n str> + Clone,
    ) -> Self {
        let close = nearest(name, known.clone()).map(String::from);
        Self::Unknown {
            kind,
            name: name.to_owned(),
            close,
            known: known.into_iter().map(String::from).collect(),
        }
    }
}

impl fmt::Display for PlotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { kind, name, close, known } => {
                write!(f, "there is no {kind} `{}`; ", name.escape_debug())?;
                match close {
                    Some(close) => write!(f, "did you mean `{close}`?"),
                    None => write!(f, "there is {}", known.join(", ")),
                }
            }
            Self::Unnamed => write!(
                f,
                "a picture is asked for by columns such as `theta,tip.N`, or by `phase:theta`, `motion`, `tree` or `portrait`, then perhaps `=FILE`"
            ),
            Self::NoSamples => write!(f, "the motion has no samples to draw"),
            Self::NoMotions => write!(f, "the tree has no motions to draw"),
            Self::NoPortrait => write!(
                f,
                "`portrait` is of a state with one closed contact in the plane; choose another with --state"
            ),
            Self::Study => write!(
                f,
                "several --eps make a study, which has no motion to draw: give one, or ask for `portrait`"
            ),
            Self::Colon { plot, file } => {
                write!(f, "`{plot}:{file}`: the file follows `=`, as in `{plot}={file}`")
            }
            Self::NoFile => write!(f, "a file is missing after `=`"),
            Self::NoState { picture, needs } => {
                write!(f, "`{picture}` is of {needs}; choose a state with --state")
            }
            Self::NothingMapped => {
                write!(f, "nothing is said at any point of the map: there is nothing to draw")
            }
            Self::NothingToDraw => {
                write!(
                    f,
                    "the mechanism has neither bodies nor contacts with a place: there is nothing to draw"
                )
            }
        }
    }
}

impl std::error::Error for PlotFault {}
