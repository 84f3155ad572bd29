//! A motion step by step: take a step, look where it led, write it down.

use super::Options;
use super::driven::{Driven, DrivenMotion};
use super::record::Record;
use super::refused::{in_words, refused};
use crate::analysis::Names;
use crate::num::{Tol, halt};
use crate::simulate::trajectory::{EventKind, Status, StopReason, Trajectory};
use crate::simulate::{Beginning, progress};
use crate::stepping::{Equations, Mechanics, Point, Scheme, StepError, StepLaw, StepRecord};

pub(super) struct Run<'a> {
    options: &'a Options<'a>,
    names: &'a Names,
    start: f64,
    mechanics: Mechanics<'a>,
    scheme: Box<dyn Scheme>,
    point: Point,
    taken: StepRecord,
    driven: Option<DrivenMotion<'a>>,
    record: Record<'a>,
    steps: usize,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        (equations, driven): (&'a Equations, Option<&'a Driven>),
        begin: &'a Beginning<'a>,
        laws: &'a [StepLaw],
        options: &'a Options<'a>,
    ) -> Self {
        let state = begin.state;
        let point = Point { t: state.t, q: state.q.clone(), v: state.v.clone() };
        Self {
            options,
            names: begin.names,
            start: state.t,
            mechanics: Mechanics::new(equations, &state.parameters, laws, begin.active),
            scheme: options.discretisation.scheme(equations.layout()),
            driven: driven.map(|driven| driven.motion(&point, &state.parameters)),
            point,
            taken: StepRecord::new(equations.layout()),
            record: Record::new(equations, begin, options),
            steps: 0,
        }
    }

    /// The whole motion.
    pub(super) fn motion(mut self) -> Trajectory {
        let ending = self.follow().unwrap_or_else(|error| {
            let weak = self.mechanics.weak(&self.point).filter(|weak| !weak.alike.is_empty());
            let weak = weak.map(|weak| in_words(&weak, &self.point, self.names));
            let ending = refused(&error, self.scheme.unsolved(), weak);
            if ending.0 == Status::Inconsistent {
                self.record.event(&self.point, EventKind::Inconsistent);
            }
            ending
        });
        let evaluations = self.mechanics.evaluations();
        self.record.finish(&self.point, ending, (self.steps, evaluations))
    }

    fn follow(&mut self) -> Result<StopReason, StepError> {
        self.mechanics.look(&self.point)?;
        self.record.begin(&self.mechanics, &self.point);
        while let Some((length, t)) = self.next() {
            progress::reach(self.point.t);
            if self.steps >= self.options.steps || halt::is_wanted() {
                return Ok((Status::Budget, Some(format!("after {} steps", self.steps))));
            }
            if self.record.events() >= self.options.events {
                return Ok((Status::Budget, Some(format!("after {} events", self.record.events()))));
            }
            self.scheme.step(&mut self.mechanics, &mut self.point, length, &mut self.taken)?;
            self.steps += 1;
            if let Some(t) = t {
                self.point.t = t;
            }
            if let Some(driven) = &mut self.driven {
                self.taken.work += driven.step_to(&self.point);
            }
            self.mechanics.look(&self.point)?;
            if self.record.step(&self.mechanics, &self.point, &self.taken) {
                self.record.event(&self.point, EventKind::Stop);
                return Ok((Status::Stopped, None));
            }
        }
        self.record.event(&self.point, EventKind::End);
        Ok((Status::End, None))
    }

    /// Length of the next step, and the time at its end where that is known beforehand; none at the end.
    fn next(&self) -> Option<(f64, Option<f64>)> {
        let (h, left) = (self.options.discretisation.step, self.options.end - self.point.t);
        // the times of equal steps have no accumulated rounding; a last step that is shorter by rounding alone is not
        let negligible = Tol::default().closed * h;
        if self.options.discretisation.scheme.is_adaptive() {
            return (left > negligible).then_some((left, None));
        }
        match left {
            left if left <= negligible => None,
            left if left <= h + negligible => {
                Some((if left < h - negligible { left } else { h }, Some(self.options.end)))
            }
            _ => Some((h, Some(self.start + (self.steps + 1) as f64 * h))),
        }
    }
}
