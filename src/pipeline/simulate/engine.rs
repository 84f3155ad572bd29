//! Motions of one mechanism from many starts, by any scheme: what is compiled once, and the end of each motion.

use super::ask::SimulateOptions;
use super::least::MOMENTS;
use super::other::Other;
use super::scheme::Scheme;
use super::subject::{Start, Subject};
use crate::model::{Model, State};
use crate::pipeline::{Failure, Loaded};
use crate::simulate::event::{EventDriven, Memory};
use crate::simulate::trajectory::Trajectory;

/// What follows the motions.
enum Engine {
    Event(Box<EventDriven>),
    Other(Other),
}

/// Motions of a mechanism: all starts and threads share it.
pub(in crate::pipeline) struct Motions<'l> {
    loaded: &'l Loaded,
    pub(in crate::pipeline) subject: Subject,
    engine: Engine,
    options: SimulateOptions,
}

/// Which rows of a motion are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) enum Kept {
    /// None, where the scheme knows its end without.
    Nothing,
    /// The last one, and few others.
    Last,
    /// As many as tell what happens between.
    All,
}

impl<'l> Motions<'l> {
    /// Of a mechanism, as the options say.
    pub(in crate::pipeline) fn new(
        loaded: &'l Loaded,
        model: &Model,
        options: &SimulateOptions,
        kept: Kept,
    ) -> Result<Self, Failure> {
        options.check_scheme()?;
        let samples = match (options.scheme, kept) {
            (Scheme::Event, Kept::Nothing) => Some(0),
            // every step
            (Scheme::Stepped(_), Kept::All) => None,
            (_, Kept::All) => Some(MOMENTS),
            // the end of motions by other schemes is their last row
            _ => Some(2),
        };
        Ok(Self {
            loaded,
            subject: Subject::new(loaded, model, options.stop.as_deref())?,
            engine: match options.scheme {
                Scheme::Event => Engine::Event(Box::new(EventDriven::new(model))),
                scheme => Engine::Other(Other::new(model, scheme)?),
            },
            options: SimulateOptions { samples, ..options.clone() },
        })
    }

    /// A motion and the state at its end.
    ///
    /// # Errors
    /// [`Failure::Usage`] if an option of the motions makes no sense.
    pub(in crate::pipeline) fn follow(
        &self,
        start: &Start,
        memory: &mut Memory,
    ) -> Result<(Trajectory, State), Failure> {
        let (subject, options) = (&self.subject, &self.options);
        let found = match &self.engine {
            Engine::Event(motions) => {
                let ending = subject.run((motions, memory), (start, None), options)?;
                return Ok((ending.trajectory, ending.state));
            }
            Engine::Other(motions) => motions.run(self.loaded, subject, start, options)?,
        };
        let end = last_state(&found, start);
        Ok((found, end))
    }
}

/// The state of the last row; that of the start if there is none.
fn last_state(trajectory: &Trajectory, start: &Start) -> State {
    let n = start.state.q.len();
    match trajectory.rows.last() {
        Some(row) => {
            let numbers: Vec<f64> = row.iter().map(|x| x.0).collect();
            let (q, v) = (numbers[1..=n].to_vec(), numbers[1 + n..=2 * n].to_vec());
            State { t: numbers[0], q, v, parameters: start.state.parameters.clone() }
        }
        None => start.state.clone(),
    }
}
