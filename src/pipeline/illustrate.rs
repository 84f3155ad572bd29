//! What a page shows beside the numbers of an analysis: equations in print, and the states in pictures.

use super::{Loaded, state_pictures, thumbnail};
use crate::analysis::{Analysis, StateOutcome};
use crate::derive::Equations;
use crate::model::Model;
use crate::report::{self, Figure, Illustrations, StateFigures};

/// The illustrations of an analysis; without equations where they cannot be had.
pub fn illustrate(
    (loaded, model): (&Loaded, &Model),
    analysis: &Analysis,
    equations: Option<&Equations>,
) -> Illustrations {
    let printed =
        |equations: &Equations| report::Equations { text: equations.to_text(), latex: equations.to_latex() };
    let figures = |state: &StateOutcome| {
        let pictures = state_pictures(loaded, model, analysis, state);
        let figure = pictures
            .into_iter()
            .map(|drawn| Figure { caption: drawn.caption, svg: drawn.picture.svg().to_owned() });
        let thumbnail = thumbnail(loaded, state).map(|picture| picture.svg().to_owned());
        (state.state.clone(), StateFigures { thumbnail, figures: figure.collect() })
    };
    Illustrations { equations: equations.map(printed), states: analysis.outcomes().map(figures).collect() }
}
