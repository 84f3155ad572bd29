//! Whether a watch falls within an attempted step and has risen again by its end: shown not to by enclosures of the step, or of its parts,
//! each the end of a trial step.

use super::run::Run;
use crate::simulate::event::enclose::Stretch;
use crate::simulate::trajectory::Over;

/// Trial steps within a step at most.
const TRIALS: usize = 16;

/// A point of a step.
#[derive(Clone, Debug)]
struct Node {
    /// Time since the begin of the step.
    s: f64,
    y: Vec<f64>,
    rate: Vec<f64>,
    values: Vec<f64>,
}

impl Run<'_> {
    /// A length of the step, which was attempted without a fall, by whose end a watch has fallen; none if there is none, or none was
    /// seen. The step is the one that was attempted last.
    pub(super) fn overlooked(&mut self, length: f64) -> Result<Option<f64>, Over> {
        let mut from = Node {
            s: 0.0,
            y: self.y.clone(),
            rate: self.step.begin_rate().to_vec(),
            values: self.begins.clone(),
        };
        let mut ends = vec![self.node(length)];
        let mut trials = 0;
        while let Some(to) = ends.last() {
            if self.is_shown(&from, to) {
                from = ends.pop().unwrap_or(from);
                continue;
            }
            if trials == TRIALS {
                self.work.sampled.count(self.enclosures.reason);
                return self.attempt(length).map(|()| None);
            }
            trials += 1;
            let middle = 0.5 * (from.s + to.s);
            self.attempt(middle)?;
            if self.fallen().next().is_some() {
                return Ok(Some(middle));
            }
            ends.push(self.node(middle));
        }
        self.work.shown += 1;
        if trials > 0 {
            self.work.subdivided += 1;
            self.attempt(length)?;
        }
        Ok(None)
    }

    /// The end of the step that was attempted last.
    fn node(&self, s: f64) -> Node {
        let (y, rate) = (self.end.clone(), self.step.end_rate().to_vec());
        Node { s, y, rate, values: self.values.clone() }
    }

    fn is_shown(&mut self, from: &Node, to: &Node) -> bool {
        let (t, m) = (self.t, 2 * self.n());
        let Self { enclosures, mechanics, bands, leads, .. } = self;
        let stretch = Stretch {
            t: t + from.s,
            h: to.s - from.s,
            states: [&from.y[..m], &to.y[..m]],
            rates: [&from.rate[..=m], &to.rate[..=m]],
            values: [&from.values, &to.values],
            leads: if from.s > 0.0 { &[] } else { leads },
            bands,
            landing: None,
            is_real: true,
        };
        enclosures.shows(&stretch, mechanics)
    }
}
