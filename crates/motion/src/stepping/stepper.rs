//! The steps of a mechanism by one session: the numbers of each go straight into the session's memory.

use super::step::{Numbers, StepInput, StepModel};
use crate::coulomb::{ProblemError, Request, Session};

/// One step after the other. A step of the dynamics with the contacts of the one before allocates nothing.
#[derive(Debug)]
pub struct Stepper {
    session: Session,
    numbers: Numbers,
    velocity: Vec<f64>,
}

impl Stepper {
    /// For steps that are solved as is asked for.
    #[must_use]
    pub fn new(request: Request) -> Self {
        Self { session: Session::empty(request), numbers: Numbers::default(), velocity: Vec::new() }
    }

    /// Gives the problem of the next step to the session; its contacts are known by their indices in the mechanism.
    ///
    /// # Errors
    /// As [`super::Step::new`]; the session is then as it was before.
    pub fn set(&mut self, model: StepModel, input: &StepInput<'_>) -> Result<(), ProblemError> {
        self.numbers.set(model, input)?;
        let Self { session, numbers, .. } = self;
        session.write(|draft| {
            numbers.dense.write(draft);
            draft.keys.clear();
            draft.keys.extend(numbers.contacts.iter().map(|&contact| contact as u64));
        })
    }

    /// The session, to solve the step.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The mechanism's contact behind each contact of the problem.
    pub fn contacts(&self) -> &[usize] {
        &self.numbers.contacts
    }

    /// The mechanism's velocities (at the position level: its coordinates) of the session's solution.
    pub fn velocity(&mut self) -> &[f64] {
        let Self { session, numbers, velocity } = self;
        let y = &session.solution().v;
        velocity.clear();
        match numbers.is_constrained {
            true => velocity.extend(numbers.motions.all(y)),
            false => velocity.extend_from_slice(y),
        }
        velocity
    }
}
