//! What holds with an equality at a state: whether it holds in the time that follows, which its motion tells.

use super::simulate::{Start, Subject};
use super::states::PlacedState;
use super::{Failure, Loaded};
use crate::contact::Laws;
use crate::model::Model;
use crate::predict::{Continuation, Following, Mode};
use crate::simulate::event::{EventDriven, Options};
use std::cell::OnceCell;

/// The motions of a mechanism, made when a state asks for them.
pub(super) struct Motions<'m> {
    loaded: &'m Loaded,
    model: &'m Model,
    made: OnceCell<Result<(Subject, EventDriven), Failure>>,
}

impl<'m> Motions<'m> {
    pub(super) fn new(loaded: &'m Loaded, model: &'m Model) -> Self {
        Self { loaded, model, made: OnceCell::new() }
    }

    /// What follows a state, with the contacts that it follows at.
    fn following(&self, start: &Start) -> Option<(Vec<usize>, Following)> {
        let make = || Ok((Subject::new(self.loaded, self.model, None)?, EventDriven::new(self.model)));
        let (subject, motions) = self.made.get_or_init(make).as_ref().ok()?;
        let options = Options::until(start.state.t);
        subject.beginning(start, |begin| motions.following(begin, &options))
    }
}

/// A look at the time that follows a state.
pub(super) struct Ahead<'a> {
    motions: &'a Motions<'a>,
    start: Start,
    known: OnceCell<Option<(Vec<usize>, Following)>>,
}

impl<'a> Ahead<'a> {
    pub(super) fn new(motions: &'a Motions<'a>, placed: &PlacedState, laws: &[Laws], length: f64) -> Self {
        let start = Start {
            name: String::new(),
            state: placed.state.clone(),
            length,
            closed: placed.closed.clone(),
            laws: laws.to_vec(),
            notes: Vec::new(),
        };
        Self { motions, start, known: OnceCell::new() }
    }

    /// Whether modes of the closed contacts hold in the time that follows; all do, of which no motion knows.
    pub(super) fn holds(&self, modes: &[Mode]) -> bool {
        let Some((closed, following)) = self.known.get_or_init(|| self.motions.following(&self.start)) else {
            return true;
        };
        let alike = |way: &Continuation| matches!(way, Continuation::Motion(other) if other.iter().zip(modes).all(|(a, b)| a.is_like(*b)));
        *closed != self.start.closed
            || following.ways.iter().chain(&following.unstable).any(|follower| alike(&follower.way))
    }
}
