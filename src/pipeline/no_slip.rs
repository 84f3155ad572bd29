//! The motion without slip of a state that starts one, put into what is said about the state.

use super::states::PlacedState;
use crate::analysis::planar::{Point, StickOutcome, Strike};
use crate::analysis::{StateOutcome, deciding_contact};
use crate::contact::{Hold, Laws};
use crate::model::Model;
use crate::num::Tol;
use crate::simulate::{NoSlip, Span, StickMotion, Sticking};
use std::cell::OnceCell;

/// Follows motions of one model, whose equations are compiled when the first is asked for.
pub(super) struct Follower<'m> {
    model: &'m Model,
    motion: OnceCell<NoSlip>,
    /// For how long, s; [`Tol::look_ahead`] of the mechanism's own time if absent.
    look_ahead: Option<f64>,
    tol: &'m Tol,
}

/// A state as the motion that follows it sees it.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) placed: &'a PlacedState,
    pub(super) laws: &'a [Laws],
    /// The mechanism's own length, or 0.
    pub(super) length: f64,
    /// Names of the contacts.
    pub(super) contacts: &'a [String],
}

impl<'m> Follower<'m> {
    pub(super) fn new(model: &'m Model, look_ahead: Option<f64>, tol: &'m Tol) -> Self {
        Self { model, motion: OnceCell::new(), look_ahead, tol }
    }

    /// Adds where the motion ends, or a warning that says why it is not followed.
    pub(super) fn add(&self, outcome: &mut StateOutcome, start: Start<'_>) {
        let deciding = deciding_contact(self.model.layout(), &start.placed.closed);
        let unilateral = |&contact: &usize| start.laws[contact].hold == Hold::Unilateral;
        let Some(contact) = deciding.filter(unilateral) else { return };
        if !outcome.prospect.moves_without_slip() {
            return;
        }
        let Some(prospect) = outcome.prospect.plane_mut() else { return };
        match self.end(contact, start) {
            Ok(end) => prospect.no_slip = Some(end),
            Err(reason) => outcome.warnings.push(format!(
                "contact {}: the motion without slip is not followed: {reason}",
                start.contacts[contact]
            )),
        }
    }

    fn end(&self, contact: usize, start: Start<'_>) -> Result<StickOutcome, String> {
        let motion = self.motion.get_or_init(|| NoSlip::new(self.model));
        let state = &start.placed.state;
        let point = Point { t: state.t, q: &state.q, v: &state.v };
        let friction = start.laws[contact].friction;
        let sticking = Sticking { contact, friction, parameters: &state.parameters };
        let own = || motion.own_time(sticking, point, start.length).map_err(|error| error.to_string());
        let duration = match self.look_ahead {
            Some(time) => time,
            None => match own()? {
                Some(time) => self.tol.look_ahead * time,
                None => return Err("the mechanism has no time of its own; give --look-ahead".to_string()),
            },
        };
        let span = Span { duration, samples: self.tol.look_ahead_spans };
        let tol = Tol { motion: self.tol.followed, ..*self.tol };
        let StickMotion { cone_exit, separation, strike, .. } =
            motion.follow(sticking, point, span, &tol).map_err(|error| error.to_string())?;
        let strike = strike.map(|(other, state)| Strike { contact: start.contacts[other].clone(), state });
        Ok(StickOutcome { horizon: duration.into(), cone_exit, separation, strike })
    }
}
