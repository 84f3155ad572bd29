//! Pictures of states, from what was said about them.

use super::{Failure, Usage};
use crate::analysis::planar::Prospect;
use crate::analysis::several::RestOutcome;
use crate::analysis::{Analysis, Outlook, StateAnswer, StateOutcome};
use crate::plot::{self, Picture, PlotFault, StatePlot};

/// A picture of the first state that has what it shows.
///
/// # Errors
/// [`Failure`] if none has.
pub fn draw_state(request: StatePlot, analysis: &Analysis) -> Result<Picture, Failure> {
    let resting = || analysis.states.iter().filter_map(equilibrium);
    let title = |state: &StateOutcome| format!("{}, state {}", analysis.mechanism, state.state);
    let drawn = match request {
        StatePlot::Forces => {
            let found = resting().find(|(_, rest)| rest.force_corners.is_some());
            found.ok_or(PlotFault::NoEquilibrium { picture: "forces" }).and_then(|(state, rest)| {
                let friction: Vec<f64> = state.closed.iter().map(|name| friction(state, name)).collect();
                plot::forces(&title(state), rest, &friction)
            })
        }
        StatePlot::Returns => {
            let found = resting().find(|(_, rest)| !rest.lyapunov.map.is_empty());
            found
                .ok_or(PlotFault::NoEquilibrium { picture: "returns" })
                .and_then(|(state, rest)| plot::returns(&title(state), &rest.lyapunov))
        }
    };
    Ok(drawn.map_err(Usage::Plot)?)
}

fn equilibrium(answer: &StateAnswer) -> Option<(&StateOutcome, &RestOutcome)> {
    let state = answer.outcome()?;
    match &state.prospect {
        Outlook::Plane(prospect) => {
            let Prospect { rest, .. } = &**prospect;
            Some((state, rest.as_ref()?))
        }
        Outlook::Space(_) => None,
    }
}

fn friction(state: &StateOutcome, contact: &str) -> f64 {
    state.contacts.get(contact).map_or(f64::NAN, |contact| contact.friction.0)
}
