//! Whether a watch falls within an attempted step and has risen again by its end: shown not to by enclosures of the step, or of its parts,
//! each the end of a trial step.

use super::run::Run;
use crate::simulate::event::enclose::{End, Node, Stretch};
use crate::simulate::trajectory::StopReason;

/// Trial steps within a step at most.
const TRIALS: usize = 16;

impl Run<'_> {
    /// A length of the step, which was attempted without a fall, by whose end a watch has fallen; none if there is none, or none was
    /// seen. The step is the one that was attempted last.
    pub(super) fn overlooked(&mut self, length: f64) -> Result<Option<f64>, StopReason> {
        if self.is_shown_whole(length) {
            self.work.shown += 1;
            return Ok(None);
        }
        let m = 2 * self.n();
        let mut from = Node {
            place: 0.0,
            state: self.y[..m].to_vec(),
            rate: self.step.begin_rate()[..=m].to_vec(),
            values: self.begins.clone(),
        };
        let (mut ends, mut trials, mut looked) = (vec![self.node(length)], 0, true);
        while let Some(to) = ends.last() {
            if !looked && self.is_shown(&from, to) {
                from = ends.pop().unwrap_or(from);
                continue;
            }
            looked = false;
            if trials == TRIALS {
                self.work.sampled.count(self.enclosures.reason);
                return self.attempt(length).map(|()| None);
            }
            trials += 1;
            let middle = 0.5 * (from.place + to.place);
            self.attempt(middle)?;
            if self.fallen().next().is_some() {
                return Ok(Some(middle));
            }
            ends.push(self.node(middle));
        }
        self.work.shown += 1;
        self.work.subdivided += 1;
        self.attempt(length).map(|()| None)
    }

    /// The end of the step that was attempted last, which began a time before.
    fn node(&self, place: f64) -> Node {
        let m = 2 * self.n();
        let (state, rate) = (self.end[..m].to_vec(), self.step.end_rate()[..=m].to_vec());
        Node { place, state, rate, values: self.values.clone() }
    }

    /// Whether the step that was attempted last is shown as a whole.
    fn is_shown_whole(&mut self, length: f64) -> bool {
        let (t, m) = (self.t, 2 * self.n());
        let Self { enclosures, mechanics, step, y, begins, end, values, leads, bands, .. } = self;
        let begin = End { state: &y[..m], rate: &step.begin_rate()[..=m], values: begins };
        let end = End { state: &end[..m], rate: &step.end_rate()[..=m], values };
        enclosures.shows(&Stretch::between([begin, end], (t, length), (leads, bands)), mechanics)
    }

    fn is_shown(&mut self, from: &Node, to: &Node) -> bool {
        let span = (self.t + from.place, to.place - from.place);
        let Self { enclosures, mechanics, bands, leads, .. } = self;
        let leads = if from.place > 0.0 { &[][..] } else { leads };
        enclosures.shows(&Stretch::between([from.end(), to.end()], span, (leads, bands)), mechanics)
    }
}
