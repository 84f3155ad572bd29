//! Why a picture cannot be drawn.

use super::request::StatePlot;
use crate::diag::nearest;
use std::fmt;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotFault {
    /// Something has no such name.
    #[error(fmt = unknown)]
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
    #[error(
        "a picture is asked for by columns such as `theta,tip.N`, or by `phase:theta`, `motion`, `animation`, `tree` or `portrait`, \
         then perhaps `=FILE`"
    )]
    Unnamed,
    /// Nothing of a box varies that a claim hangs on.
    #[error("nothing varies on which the claim depends: there is no box to draw")]
    NothingVaries,
    /// There is no row of numbers in the motion.
    #[error("the motion has no samples to draw")]
    NoSamples,
    /// There is no motion in the tree.
    #[error("the tree has no motions to draw")]
    NoMotions,
    /// A portrait is of one closed contact of the plane.
    #[error("`portrait` is of a state with one closed contact in the plane; choose another with --state")]
    NoPortrait,
    /// A study has no picture but a portrait.
    #[error("several --eps make a study, which has no motion to draw: give one, or ask for `portrait`")]
    Study,
    /// No file after `=`.
    #[error("a file is missing after `=`")]
    NoFile,
    /// A file after a colon.
    #[error("`{plot}:{file}`: the file follows `=`, as in `{plot}={file}`")]
    Colon {
        /// The picture.
        plot: String,
        /// The file.
        file: String,
    },
    /// No state that was analysed has what the picture shows.
    #[error("`{picture}` is of {needs}; choose a state with --state")]
    NoState {
        /// The picture.
        picture: &'static str,
        /// The states that have it.
        needs: &'static str,
    },
    /// A map has no value anywhere.
    #[error("nothing is said at any point of the map: there is nothing to draw")]
    NothingMapped,
    /// The mechanism has neither a body nor a contact with a place.
    #[error("the mechanism has neither bodies nor contacts with a place: there is nothing to draw")]
    NothingToDraw,
    /// Its places are so large that rounding makes them one.
    #[error(
        "the mechanism is so far away that rounding leaves nothing of its shape: there is nothing to draw"
    )]
    Afar,
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

fn unknown(
    kind: &str,
    name: &str,
    close: &Option<String>,
    known: &[String],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "there is no {kind} `{}`; ", name.escape_debug())?;
    match close {
        Some(close) => write!(f, "did you mean `{close}`?"),
        None => write!(f, "there is {}", known.join(", ")),
    }
}
