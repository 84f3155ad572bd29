//! The least gap of a contact over a whole motion: between two moments that are known the gap is the curve of degree three with their gaps and
//! rates, or, before an event, at which rates may jump, that of degree two.

use crate::format::Mechanism;
use crate::model::{Block, Kernel, Model, Output, State};
use crate::simulate::event::DEFAULT_SAMPLES;
use crate::simulate::trajectory::{Event, Trajectory};

/// The gaps of a mechanism at moments of a motion.
pub(super) struct Gaps {
    kernel: Kernel,
    coordinates: Vec<String>,
    contacts: Vec<String>,
}

/// A gap and its rate at a moment.
#[derive(Clone, Copy, Debug)]
struct Moment {
    t: f64,
    gap: f64,
    rate: f64,
    /// Whether the rate may be another one just before.
    jumps: bool,
}

/// Samples of a motion by which its least gap is found.
pub(super) const MOMENTS: usize = DEFAULT_SAMPLES;

impl Gaps {
    pub(super) fn of(mechanism: &Mechanism, model: &Model) -> Self {
        Self {
            kernel: model.kernel(&[Block::Model(Output::Gap), Block::GapVelocity]),
            coordinates: mechanism.coordinates.iter().map(|c| c.name.clone()).collect(),
            contacts: mechanism.contacts.iter().map(|c| c.name.clone()).collect(),
        }
    }

    /// The least gap of a contact, by rows and events of a motion that ended at a state; zero where a rigid contact closed.
    pub(super) fn least(&self, motion: &Trajectory, end: &State, contact: usize) -> f64 {
        let name = &self.contacts[contact];
        let closes = |phase: &crate::simulate::trajectory::PhaseSpan| {
            phase.mode.get(name).is_some_and(|word| word != "free")
        };
        let strikes = |event: &Event| event.contact.as_ref() == Some(name);
        if motion.scheme == "event" && (motion.phases.iter().any(closes) || motion.events.iter().any(strikes))
        {
            return 0.0;
        }
        let moments = self.moments(motion, end, contact);
        let ends = moments.iter().map(|moment| moment.gap);
        // by steps of time rates jump at all of them, and gaps go straight from one to the next
        let smooth = matches!(motion.scheme.as_str(), "event" | "compliant");
        let between = moments.windows(2).filter(|_| smooth).filter_map(|pair| between(pair[0], pair[1]));
        ends.chain(between).fold(f64::NAN, f64::min)
    }

    fn moments(&self, motion: &Trajectory, end: &State, contact: usize) -> Vec<Moment> {
        let n = self.coordinates.len();
        let mut values = self.kernel.values::<f64>();
        let mut at = |t: f64, q: &[f64], v: &[f64], jumps: bool| {
            self.kernel.evaluate(&[&[t][..], q, v, &end.parameters].concat(), &mut values);
            let [gap, rate] = [Block::Model(Output::Gap), Block::GapVelocity]
                .map(|block| self.kernel.block(&values, block)[contact]);
            Moment { t, gap, rate, jumps }
        };
        let mut moments = Vec::with_capacity(motion.rows.len() + motion.events.len() + 1);
        for row in &motion.rows {
            let row: Vec<f64> = row[..=2 * n].iter().map(|x| x.0).collect();
            moments.push(at(row[0], &row[1..=n], &row[1 + n..], false));
        }
        for event in &motion.events {
            let list = |of: &crate::analysis::ByName<crate::num::Number>| -> Vec<f64> {
                self.coordinates.iter().map(|name| of.get(name).map_or(f64::NAN, |x| x.0)).collect()
            };
            moments.push(at(event.t.0, &list(&event.q), &list(&event.v), true));
        }
        moments.push(at(end.t, &end.q, &end.v, false));
        moments.sort_by(|a, b| a.t.total_cmp(&b.t));
        moments
    }
}

/// The least value strictly between two moments, if the curve has one there.
fn between(from: Moment, to: Moment) -> Option<f64> {
    let h = to.t - from.t;
    let is_long = h > 0.0 && from.rate < 0.0;
    if !is_long {
        return None;
    }
    // gap + b s + c s² + d s³ with s from 0 to 1
    let (b, rise) = (h * from.rate, to.gap - from.gap);
    let (c, d) = if to.jumps {
        (rise - b, 0.0)
    } else {
        let e = h * to.rate;
        (3.0 * rise - 2.0 * b - e, b + e - 2.0 * rise)
    };
    // the root of b + 2 c s + 3 d s² at which it rises
    let root = (c * c - 3.0 * b * d).sqrt();
    let s = -b / (c + root);
    (s > 0.0 && s < 1.0).then_some(from.gap + s * (b + s * (c + s * d)))
}

#[cfg(test)]
mod tests {
    use super::{Moment, between};

    /// t² (t − 3)/2 + 2 turns at t = 2, where it is 0; of a parabola the rate at the end is not needed.
    #[test]
    fn curves_of_their_degree_are_exact() {
        let cubic = |t: f64, jumps| Moment {
            t,
            gap: t * t * (t - 3.0) / 2.0 + 2.0,
            rate: 1.5 * t * t - 3.0 * t,
            jumps,
        };
        let found = between(cubic(1.0, false), cubic(3.0, false)).unwrap();
        assert!(found.abs() < 1e-14, "{found}");
        let parabola = |t: f64, rate| Moment { t, gap: (t - 1.0) * (t - 1.0), rate, jumps: true };
        let found = between(parabola(0.0, -2.0), parabola(3.0, f64::NAN)).unwrap();
        assert!(found.abs() < 1e-14, "{found}");
        assert!(between(parabola(2.0, 2.0), parabola(3.0, 4.0)).is_none());
        assert!(between(cubic(0.5, false), cubic(1.0, false)).is_none());
    }
}
