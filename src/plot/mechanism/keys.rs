//! The moments of a motion that are known: its samples and its events.

use super::place::Instant;
use crate::format::Mechanism;
use crate::num::InOrder;
use crate::plot::curve::column;
use crate::plot::fault::PlotFault;
use crate::simulate::trajectory::{Event, Trajectory};

/// t and q.
#[derive(Clone, Debug)]
pub(in crate::plot) struct Key {
    pub(in crate::plot) t: f64,
    pub(in crate::plot) q: Vec<f64>,
}

impl Key {
    /// A mechanism there.
    pub(in crate::plot) fn of<'k>(&'k self, mechanism: &'k Mechanism, parameters: &'k [f64]) -> Instant<'k> {
        Instant { mechanism, t: self.t, q: &self.q, parameters }
    }

    /// A share of the way to another one, on the line between the coordinates.
    pub(in crate::plot) fn toward(&self, to: &Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a + share * (b - a);
        Self { t: mix(self.t, to.t), q: self.q.iter().zip(&to.q).map(|(a, b)| mix(*a, *b)).collect() }
    }
}

/// Samples and events whose coordinates are known, in order; of those whose times, counted from the first, are the same in single precision one.
pub(in crate::plot) fn keys(mechanism: &Mechanism, trajectory: &Trajectory) -> Result<Vec<Key>, PlotFault> {
    let times = column(trajectory, "t")?;
    let coordinates = mechanism.coordinates.iter().map(|c| column(trajectory, &c.name));
    let coordinates = coordinates.collect::<Result<Vec<_>, _>>()?;
    let samples =
        times.iter().enumerate().map(|(i, t)| Key { t: *t, q: coordinates.iter().map(|x| x[i]).collect() });
    let place = |name: &str, event: &Event| event.q.get(name).map_or(f64::NAN, |x| x.0);
    let events = trajectory.events.iter().map(|event| Key {
        t: event.t.0,
        q: mechanism.coordinates.iter().map(|c| place(&c.name, event)).collect(),
    });
    let mut keys: Vec<Key> = samples
        .chain(events)
        .filter(|key| key.t.is_finite() && key.q.iter().all(|x| x.is_finite()))
        .collect();
    keys.put_in_order(|a, b| a.t.total_cmp(&b.t));
    let Some(begin) = keys.first().map(|key| key.t) else { return Err(PlotFault::NoSamples) };
    keys.dedup_by(|later, key| (later.t - begin) as f32 <= (key.t - begin) as f32);
    Ok(keys)
}
